"""Open requests: what the agent waits for. A question that needs information stays open until something answers it: a
short reply, a statement that takes up its words, or an upload, with or without text and however many messages later.

`questions` binds a reply to the question before it; here the request lives on, with the work that waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event, MessageHeard, MessageSaid
from holdfast.faculties.attachments import executed, names, succeeded
from holdfast.faculties.questions.pending import answered
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.asking import questions, worded
from holdfast.reading.reader import Reading
from holdfast.reading.tables import Table, shipped
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

OPEN = 5
"""Requests that can be open at once; the oldest gives way."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_NAME = re.compile(r"^[^\W\d_][\w'’.-]{0,40}(?: [^\W\d_][\w'’.-]{0,40}){0,3}[.!]?$")


class OpenRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the agent needs before it can go on."""

    id: str
    text: str
    version: int
    about: str = ""
    """What is asked for: "name", "kind", a question's own key, or nothing."""
    file: str | None = None
    """The file whose revision waits for it."""
    request: str = ""
    """What the person had asked for."""
    wants_file: bool = False


class Bound(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that arrived, with the request it belongs to; it speaks for the message of its own version."""

    request: OpenRequest
    version: int
    value: str = ""
    files: tuple[str, ...] = ()


class RequestOpened(Event, frozen=True):
    did = "asked"

    request: OpenRequest

    def tell(self) -> Telling:
        return said("question.waits_file", question=self.request.text)


class RequestAnswered(Event, frozen=True):
    did = "bound"

    bound: Bound

    def tell(self) -> Telling:
        given = ", ".join(self.bound.files) or str(self.bound.value)
        return said("question.answered", value=given, question=self.bound.request.text)


class RequestClosed(Event, frozen=True):
    """What was asked for became known in another way."""

    id: str


class OpenRequests(msgspec.Struct, frozen=True, omit_defaults=True):
    open: tuple[OpenRequest, ...] = ()
    """Newest last."""
    bound: Bound | None = None


def bound_now(state: State) -> Bound | None:
    """The open request that the current message answers, if it does."""
    if "open_requests" not in state.session.slices:
        return None
    bound: Bound | None = state.open_requests.bound
    return bound if bound is not None and bound.version == state.version else None


class OpenRequestsFaculty(Faculty):
    name = "open_requests"
    slice = OpenRequests
    events = (RequestOpened, RequestAnswered, RequestClosed, Cleared)

    def __init__(self, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self._tables = shipped("holdfast.faculties.questions", "openrequests", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    def say(self, draft: Draft) -> Iterator[Event]:
        message, reading = draft.message, draft.reading
        assert isinstance(message, MessageSaid)
        if not succeeded(message.attached):
            return
        if message.attached.get("files") or executed(message.attached):  # the agent chose a kind and made the file
            for request in draft.state.open_requests.open:
                if request.about == "kind":
                    yield RequestClosed(id=request.id)
        asked = [worded(reading, span) for span in reading.find(questions)]
        sends = reading.first("please_send")
        if not asked and sends is None:
            return
        known: OpenRequests = draft.state.open_requests
        about = "name" if reading.has("asks_name") else ""
        waits = any((about and request.about == about) or request.text in asked for request in known.open)
        if waits:
            return  # the agent asks what already waits
        if sends is None and not _informs(draft):
            return
        text = asked[-1] if asked else reading.words((sends.start if sends else 0, len(reading.text)))
        file, waiting = _waiting(draft)
        opened = OpenRequest(
            draft.new_id("r"), text[:200], draft.moment.version, about, file, waiting, wants_file=sends is not None
        )
        yield RequestOpened(request=opened, because=draft.cause(sends.id if sends else "question.asked"))

    def hear(self, draft: Draft) -> Iterator[Event]:
        known: OpenRequests = draft.state.open_requests
        if not known.open:
            return
        message = draft.message
        assert isinstance(message, MessageHeard)
        files = names(message.attached)
        own = draft.reading.has("revise", "create")
        found = _upload(known, own) if files else None
        rule, value = "request.upload", message.text.strip()
        if found is None:
            found, rule, value = _reply(draft, known)
        if found is not None:
            bound = Bound(found, draft.moment.version, value[:500], files)
            yield RequestAnswered(bound=bound, because=draft.cause(rule, (0, min(len(draft.reading.text), 200))))

    def fold(self, slice: OpenRequests, event: Event, moment: Moment) -> OpenRequests:
        match event:
            case RequestOpened(request=request):
                others = [
                    r for r in slice.open if r.text != request.text and not (r.about and r.about == request.about)
                ]
                return OpenRequests((*others, request)[-OPEN:], slice.bound)
            case RequestAnswered(bound=bound):
                return OpenRequests(tuple(r for r in slice.open if r.id != bound.request.id), bound)
            case RequestClosed(id=id):
                return OpenRequests(tuple(r for r in slice.open if r.id != id), slice.bound)
            case Cleared(what="everything"):
                return OpenRequests()
        return slice

    def context(self, draft: Draft) -> Iterable[Item]:
        bound = bound_now(draft.state)
        if bound is None:
            return ()
        items = [Item("Answers the open request", bound.request.text, keep=90)]
        if bound.files:
            items.append(Item("Uploaded", ", ".join(bound.files), keep=90))
        if bound.request.request:
            items.append(Item("Continue with", bound.request.request, keep=85))
        return items


def _upload(known: OpenRequests, own: bool) -> OpenRequest | None:
    """An upload goes to the newest request for something sent, else, where nothing is asked with it, to the newest that
    a file can answer."""
    wanted = [r for r in known.open if r.wants_file]
    if not wanted and not own:
        wanted = [r for r in known.open if r.about not in ("name", "kind")]
    return wanted[-1] if wanted else None


def _reply(draft: Draft, known: OpenRequests) -> tuple[OpenRequest | None, str, str]:
    reading = draft.reading
    text = reading.text.strip()
    answer = answered(draft.state)
    asks = reading.has("revise", "create")  # a request of its own is no answer, however short it is
    if answer is not None and (not asks or answer.takes):
        for request in reversed(known.open):
            if request.text == answer.question.text:
                return request, "request.reply", answer.value
    for request in reversed(known.open):
        if request.about == "name" and (name := _name(reading)):
            return request, "request.name", name
        kind = reading.has("document_kind") and not reading.has("revise", "create")
        if request.about == "kind" and kind and len(reading.tokens) <= 6:
            return request, "request.kind", text
        if _takes_up(reading, request):
            return request, "request.words", text
    return None, "", ""


def _name(reading: Reading) -> str | None:
    """The message as a person's name and nothing else, or None."""
    text = reading.text.strip()
    plain = not reading.has("yes", "no", "revise", "create", "politeness", "negation", "reference", "library", "output")
    if plain and _NAME.match(text) and reading.folded.split(" ", 1)[0] not in reading.phrases("question", "openers"):
        return text.rstrip(".!")
    return None


def _takes_up(reading: Reading, request: OpenRequest) -> bool:
    """Whether a statement repeats a word of the request: "the loan is 10,000 at 4 %"."""
    if len(reading.tokens) < 3 or reading.text.rstrip().endswith("?") or reading.has("revise", "create"):
        return False
    stop = reading.phrases("open_requests", "stop")
    asked = {word for word in _WORD.findall(request.text.lower()) if word not in stop}
    said = set(_WORD.findall(reading.text[:2000].lower()))
    return bool(asked & said)


def _informs(draft: Draft) -> bool:
    """Whether the newest question waits for information, and not for a yes or no."""
    if "questions" not in draft.state.session.slices:
        return True
    pending = draft.state.questions.open
    return bool(pending) and pending[-1].expects != "yes_no"


def _waiting(draft: Draft) -> tuple[str | None, str]:
    """The file and the words of the request that the agent is working on."""
    file: str | None = None
    if "files" in draft.state.session.slices and draft.state.files.request is not None:
        file = draft.state.files.request.target
    recent = [m.text for m in draft.state.conversation.recent if m.role == "user"]
    return file, recent[-1][:300] if recent else ""
