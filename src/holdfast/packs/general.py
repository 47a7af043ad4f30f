"""`general`: the pack that anyone starts with."""

from holdfast.faculties.conversation import ConversationFaculty
from holdfast.pack import Pack

PACK = Pack(name="general", summary="Keeps the thread of any conversation", faculties=(ConversationFaculty(),))
