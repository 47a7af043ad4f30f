"""A pack that only keeps what is said: for tests of stores and shells, where reading is not what is looked at."""

from __future__ import annotations

from holdfast import Pack
from holdfast.faculties.conversation import ConversationFaculty

PLAIN = Pack(name="plain", summary="Keeps what is said", instructions="", faculties=(ConversationFaculty(),))
