"""Files of a conversation: which there are, which version is the newest, and which one a request means.

A request of action on an existing file is a revision of it: "add a star", "make it 3", "the spreadsheet". "It" and
"that document" bind to the file that was touched last; only where several fit equally does a question come up. A
request for something new is a creation, and one for a new document without a kind gets a question that is ready to ask.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from holdfast.events import (
    Cleared,
    DoubtRaised,
    Entity,
    Event,
    MessageHeard,
    MessageSaid,
    ReferenceResolved,
    Resolution,
)
from holdfast.faculties.aims.aim import Aim, aim, part_aim
from holdfast.faculties.attachments import attached_files, counts, executed, name, succeeded
from holdfast.faculties.conversation import texts
from holdfast.faculties.questions.pending import KIND, Work, answered, ask
from holdfast.faculty import Draft, Faculty, Section
from holdfast.reading.libraries.code import written
from holdfast.reading.mentions import at_place, ordinal
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Cue, Reading, Span, inside, touches, within
from holdfast.reading.text import WORD, fold
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

Mode = Literal["revision", "creation", "question", ""]

PLAINLY = 16
"""How far a change must lead to be a plain one: over a remark where a message sounds like an answer, over something new
where it names what no file is."""
MAX_WORDS = 40
"""Words of a request by which its file is known."""
KIND_WEIGHT = WORD_WEIGHT = 2
"""What a noun for its type and a word that it is known by count for a file; that it is at hand counts one, and so does
that the word is said of something that is there."""
_LOOKS = frozenset({"colour", "size", "quality"})
"""Kinds of words that say how something shall look."""
_WANTS = frozenset({"requests", "instructs", "corrects", "returns", "retracts", "denies", "chooses"})
"""Acts of clauses that want something done."""
FIRST_WORDS = 4
"""Words of a message among which its verb is: "could you please add"."""
_REMARKS = frozenset({"remarks", "greets", "thanks", "confirms"})
"""Acts of clauses that want nothing and tell nothing."""
MAX_FILES = 50
"""Files that are kept; the one untouched for longest gives way (the log has it)."""
DOCUMENTS = ("docx", "docm", "dotx", "dotm", "pdf", "xlsx", "xlsm", "csv", "pptx", "txt", "md")
"""Types that the prompt lists as existing files."""
EVERY = (*DOCUMENTS, "png", "jpg", "jpeg", "gif", "svg", "html")

_FILE = re.compile(
    r"(?<![\w./-])[\w()-][\w() .-]{0,60}?\.(?:docx|docm|dotx|dotm|pdf|xlsx|xlsm|csv|pptx|txt|md|png|jpe?g|gif|svg|html)"
    r"(?![\w-])",
    re.IGNORECASE,
)
_WORD = re.compile(f"[{WORD}]{{3,}}")
# How programs and people mark a version in the name of a file; a fold reads it, so it is the same in every language.
_VERSION = re.compile(
    r"[ _-]*(?:\(\d{1,3}\)|v\.?\d{1,3}|version[ _-]?\d{1,3}|rev[ _-]?\d{1,3}|final|copy)$", re.IGNORECASE
)


class File(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of the conversation; `path` is where its newest version lies."""

    name: str
    path: str = ""
    type: str = ""
    revisions: int = 0
    made: int = 0
    touched: int = 0
    by: Literal["agent", "person"] = "agent"
    analysis: str = ""
    base: str = ""
    """Its name without version marks: love_v2.docx and love.docx are versions of one file."""
    words: tuple[str, ...] = ()
    """Beginnings of the words of the request that it was made for: "the one for the cafe"."""


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a person's message stands to the files."""

    version: int
    mode: Mode = ""
    target: str | None = None
    follow_up: bool = False
    filename: str | None = None
    """A file name that the message itself gives."""
    continues: str = ""
    """The earlier request that this message lets go on."""
    named: bool = False
    """Whether the target was named or pointed at, and not only the newest there is."""
    output: str | None = None
    """The kind of output that is spoken of: image, chart, docx …"""
    beside: str = ""
    """The words for a new file that is wanted beside a revision."""


class FileRecorded(Event, frozen=True):
    file: File
    known: bool = False

    @property
    def did(self) -> str:  # type: ignore[override]
        return "confirmed" if self.known else "learned"

    def tell(self) -> Telling:
        if self.file.path:
            return said("file.at", name=self.file.name, path=self.file.path)
        return said("file", name=self.file.name)


class RequestRead(Event, frozen=True):
    did = "understood"

    request: Request

    def tell(self) -> Telling:
        kind = self.request.mode or "follow-up"
        target = self.request.target
        return said("kind.of", kind=kind, value=target) if target else said("kind", kind=kind)


class Files(msgspec.Struct, frozen=True, omit_defaults=True):
    files: tuple[File, ...] = ()
    """Newest last."""
    request: Request | None = None
    """The newest request; it speaks for the message of its own version and for the replies to it."""
    since: int = 0
    """Messages of the agent since the last one of the person."""

    def find(self, name: str) -> File | None:
        base = stem(name)
        exact = next((file for file in self.files if file.name == name), None)
        return exact or next((file for file in reversed(self.files) if file.base == base), None)

    @property
    def newest(self) -> tuple[File, ...]:
        return tuple(reversed(self.files))


def follows_up(state: State) -> bool:
    """Whether the last message of the person, if among the last three, points back at something."""
    files: Files = state.files
    return files.request is not None and files.request.follow_up and files.since <= 2


def request_of(state: State) -> Request | None:
    """The newest request, where the pack knows of files."""
    return state.files.request if "files" in state.session.slices else None


def target_of(state: State) -> str | None:
    """The file that the newest request is about, by the name that its versions share."""
    request = request_of(state)
    return stem(request.target) if request is not None and request.target else None


class FilesFaculty(Faculty):
    name = "files"
    words = ("holdfast.faculties.aims/files",)
    slice = Files
    events = (FileRecorded, RequestRead, MessageHeard, MessageSaid, Cleared)
    hears = ("files",)
    says = ("files", "code", "memorized", "status", "role")

    def hear(self, draft: Draft) -> Iterator[Event]:
        for given in attached_files(draft.attached):
            yield recorded(draft, given, "person")
        answer, about = answered(draft.state), aim(draft)
        work = answer.question.work if answer is not None else None
        if answer is not None and work is not None and work.request and not _own(draft, about):
            yield self._continued(draft, work, answer.question.about)
            return
        yield from self._read(draft, _wanted_of(draft, about))

    def _continued(self, draft: Draft, work: Work, asked: str) -> RequestRead:
        """What was waiting for an answer, about the file that the answer names: "in the table or in the slides?"."""
        mode: Mode = "revision" if work.file else "creation" if asked == KIND else ""
        named = next(_of_type(draft.reading, draft.state.files), None)
        file = named.fits[0].name if work.file and named else work.file
        request = Request(draft.moment.version, mode, file, True, continues=work.request)
        return RequestRead(request=request, because=draft.cause("files.continues"))

    def _read(self, draft: Draft, about: Aim) -> Iterator[Event]:
        reading = draft.reading
        known: Files = draft.state.files
        filename = _filename(reading)
        beside = _made_beside(draft, known, about)
        mode: Mode = "" if _of_libraries(draft) else "revision" if beside else _mode(reading, known, about)
        if beside:  # what is wanted new tells nothing of the file that changes
            reading = reading.reader.read(reading.text[: beside[0]] + " " * (beside[1] - beside[0]))
        named = known.find(filename[0]) if filename else None
        meant = _target(reading, known, filename) if named or (known.files and mode == "revision") else _Meant()
        yield from _pointed(draft, meant)
        request = Request(
            draft.moment.version,
            mode,
            meant.file.name if meant.file else None,
            draft.reading.has("follow_up"),
            filename[0] if filename else None,
            named=meant.span is not None and meant.file is not None,
            output=next((cue.means.replace("_", " ") for cue in reading.all("output")), None),
            beside=draft.reading.words(beside).strip()[:300] if beside else "",
        )
        if request.mode or request.follow_up or request.filename:
            cause = draft.cause(f"aim.{about.what}", filename[1] if filename else None)
            yield RequestRead(request=request, because=cause)
        if mode == "creation":
            yield from _kind_question(draft)

    def say(self, draft: Draft) -> Iterator[Event]:
        if not succeeded(draft.attached):
            return
        given = attached_files(draft.attached)
        given = given or [{"path": path} for path in written(executed(draft.attached), draft.reading.text)]
        for file in given:
            yield recorded(draft, file, "agent")

    def fold(self, slice: Files, event: Event, moment: Moment) -> Files:
        change = msgspec.structs.replace
        match event:
            case MessageHeard():
                return change(slice, request=None, since=0)
            case MessageSaid(attached=attached):
                return change(slice, since=slice.since + counts(attached))
            case RequestRead(request=request):
                return change(slice, request=request)
            case FileRecorded(file=file):
                others = [known for known in slice.files if known.name != file.name and known.base != file.base]
                return change(slice, files=(*others, file)[-MAX_FILES:])
            case Cleared(what="everything"):
                return Files()
        return slice

    def sections(self, draft: Draft) -> Iterable[Section]:
        known: Files = draft.state.files
        request = known.request
        yield Section("existing_files", existing(known), keep=70)
        yield Section("revision_rules", rules(known, request), keep=75)
        if request is not None and request.filename:
            yield Section("planned_filename", planned(request.filename), keep=80)
        if text := analysis(known, request):
            yield Section("file_analysis", text, keep=40)


def stem(name: str) -> str:
    """The name that all versions of a file share."""
    base, extension = os.path.splitext(name)
    return (_VERSION.sub("", base) or base).lower() + extension.lower()


def recorded(draft: Draft, given: Mapping[str, Any], by: Literal["agent", "person"]) -> FileRecorded:
    """A file under its name: a known name keeps its entry and gets the new path."""
    path, called = " ".join(str(given.get("path") or "").split()), name(given)
    known = draft.state.files.find(called)
    extension = os.path.splitext(called)[1].lstrip(".").lower()
    version = draft.moment.version
    file = File(
        name=called,
        path=path[:1000] or (known.path if known else ""),
        type=str(given.get("type") or extension)[:20],
        revisions=known.revisions + 1 if known else 0,
        made=known.made if known else version,
        touched=version,
        by=known.by if known else by,
        analysis=str(given.get("analysis") or (known.analysis if known else ""))[:2000],
        base=stem(called),
        words=_wanted(draft, by, known),
    )
    return FileRecorded(file=file, known=known is not None, because=draft.cause("files.recorded"))


def _wanted(draft: Draft, by: str, known: File | None) -> tuple[str, ...]:
    """The words of the request that a file of the agent was made for."""
    if known is not None:
        return known.words
    asked = draft.state.conversation.last("user") if by == "agent" else None
    if not asked:
        return ()
    meant = " ".join(token.english for token in draft.reading.reader.read(asked[:1000]).find(tokens_of))
    return tuple(dict.fromkeys([*_stems(asked[:1000]), *_stems(meant)]))[:MAX_WORDS]


def _filename(reading: Reading) -> tuple[str, Span] | None:
    if "." not in reading.text:
        return None
    hit = _FILE.search(reading.text[:20_000])
    if hit is None:
        return None
    name = hit[0].rsplit(" ", 1)[-1] if " " in hit[0] else hit[0]
    return name, (hit.end() - len(name), hit.end())


def _mode(reading: Reading, known: Files, about: Aim) -> Mode:
    """Whether a message asks to change a file, to make one, or to know something."""
    if not reading.text.strip():
        return ""  # all of it was said for good
    if _may_want(reading, known, about):
        return "creation"
    if about.what == "side" or _asks_only(reading, about):
        return "question"
    if about.what in ("new", "fresh"):
        return "revision" if _edits(reading, known, about) else "creation"
    if about.what not in ("same", "return", "answer") or _answers_nothing(about):
        return ""
    if _another_format(reading, known, about):
        return "creation"
    return "revision" if known.files else _without_files(reading, about)


def _wanted_of(draft: Draft, about: Aim) -> Aim:
    """What the one part of a message is about that wants something; what is remarked beside it says nothing of that:
    "that is nice. please add my logo"."""
    wants = [clause for clause in draft.clauses if clause.act == "requests"]
    idle = all(clause.act in _REMARKS for clause in draft.clauses if clause not in wants)
    if len(wants) != 1 or len(draft.clauses) == 1 or not idle:
        return about
    return part_aim(draft, (wants[0].start, wants[0].end))


def _own(draft: Draft, about: Aim) -> bool:
    """Whether a message asks for something itself, which a mere name does not, even of a thing that could be made."""
    return about.own and any(clause.act in (*_WANTS, "asks") for clause in draft.clauses)


def _of_libraries(draft: Draft) -> bool:
    """Whether all that a message wants is a rule about a library, or it tells which one somebody else likes: "from now
    on every chart in seaborn", "my brother swears by pandas"."""
    rules, libraries = draft.reading.all("lib_always"), draft.reading.all("library")
    spans = {(clause.start, clause.end): clause.act for clause in draft.clauses}
    named = [span for span in spans if within(libraries, span)]
    wants = {span for span, act in spans.items() if act in _WANTS}
    return bool(named) and wants.issubset(named) and all(within(rules, one) or spans[one] == "reports" for one in named)


def _made_beside(draft: Draft, known: Files, about: Aim) -> Span | None:
    """The words for something new that is wanted beside a change of what is there: "drop the third slide and make a pdf
    handout". What changes after it is a part of it."""
    wants = [clause for clause in draft.clauses if clause.act in ("requests", "instructs", "corrects")]
    changes = False
    for clause in wants if known.files and len(wants) > 1 else ():
        span = clause.start, clause.end
        part = part_aim(draft, span)
        read = draft.reading.reader.read(draft.reading.words(span))
        # it and the whole sound new, or no file has its format
        if {part.what, about.what} <= {"new", "fresh"} or _another_format(read, known, part):
            return (clause.start, len(draft.reading.text)) if changes else None
        changes |= part.what == "same" and not _takes_up(draft.reading, span)
    return None


def _takes_up(reading: Reading, span: Span) -> bool:
    """Whether a clause only takes up what is there, by its verb: "read the letter again and write a reply"."""
    return _begins_with(reading, "uses", [one for one in reading.find(tokens_of) if span[0] <= one.start < span[1]][:2])


def _edits(reading: Reading, known: Files, about: Aim) -> bool:
    """Whether what may be something new is a change all the same: its verb is one of those that change a file."""
    doubted = known.files and not about.plain and not _another_format(reading, known, about)
    return bool(doubted) and _begins_with(reading, "edits", reading.find(tokens_of)[:FIRST_WORDS])


def _begins_with(reading: Reading, verbs: str, first: Iterable[Token]) -> bool:
    known = reading.reader.phrases("files", verbs)
    return any(not known.isdisjoint((token.word, token.english)) for token in first)


def _asks_only(reading: Reading, about: Aim) -> bool:
    """Whether a message wants to know something and nothing done, however much it names what could be made: "do you
    still have my price sheet?". Where the act is in doubt, so must be what else it may be about."""
    acts = {act: lead for act, lead in about.here.acts if lead >= PLAINLY // 2 or act == "asks"}
    if not _WANTS.isdisjoint(acts):
        return False
    if "?" not in reading.text:
        return acts.get("asks", 0) >= 2 * PLAINLY and about.lead < PLAINLY
    return acts.get("asks", 0) >= PLAINLY or about.lead < 2 * PLAINLY


def _without_files(reading: Reading, about: Aim) -> Mode:
    """What a message asks for that would change a file, where there is none."""
    if about.what == "answer" and ("requests" in dict(about.here.acts)):
        return "creation"  # "yes, do one of the heights"
    return "question" if reading.text.rstrip().endswith("?") else ""  # "can you make it red?" with nothing there


def _may_want(reading: Reading, known: Files, about: Aim) -> bool:
    """Whether a question wants what is there in another format: "could I get that in Word", "can I have it as PDF";
    "can you make charts" asks."""
    wants = any("wantphrase" in token.kinds for token in reading.find(tokens_of)[:MAX_WORDS])
    unsure = about.what == "side" and (wants or "asks" not in dict(about.here.acts))
    return unsure and reading.has("points_at") and _another_format(reading, known, about)


def _answers_nothing(about: Aim) -> bool:
    """Whether a message sounds like an answer where nothing was asked, and not plainly like a change: "keep going"."""
    idle = ("none", "close", "hold", "stop")
    return about.what == "answer" and not about.here.asked and about.prefers(("same",), idle) < PLAINLY


def _another_format(reading: Reading, known: Files, about: Aim) -> bool:
    """Whether a message wants what is there in a format that no file has yet: "in Word, too", "now the slides". A
    picture or a chart may as well be a part of what is there, unless the message sounds like a new one."""
    cue = reading.first("output") if known.files else None
    if cue is None or (cue.means not in DOCUMENTS and about.prefers(("new",), ("same",)) < -PLAINLY):
        return False
    types = _types(reading, reading.said(cue.span)) or (cue.means,)
    return not any(file.type in types for file in known.files)


class _Meant(NamedTuple):
    """The file that a request means, the words that point at it, and the candidates where several fit equally."""

    file: File | None = None
    span: Span | None = None
    candidates: tuple[File, ...] = ()


def _target(reading: Reading, known: Files, filename: tuple[str, Span] | None) -> _Meant:
    if filename and (named := known.find(filename[0])):
        return _Meant(named, filename[1])
    return _counted(reading, known) or _destination(reading, known) or _likeliest(reading, known)


def asked_about(reading: Reading, known: Files) -> File | None:
    """The file that a question is about, of several the newest: which one it is need not be asked."""
    if not known.files:
        return None
    meant = _target(reading, known, _filename(reading))
    return meant.file or meant.candidates[0]


def _likeliest(reading: Reading, known: Files) -> _Meant:
    """The file that most speaks for: a noun for what it is, words that it is known by, and that it is at hand. Where
    nothing but a noun speaks for several, which of them is a question."""
    typed = [*_of_type(reading, known)]
    told = [*typed, *_worded(reading, known)]
    best = _best(known, [_Told(1, (0, 0), [known.files[-1]]), *told])
    pointing = [*(one.span for one in told if best[0] in one.fits), *(cue.span for cue in reading.all("points_at"))]
    span = next(iter(pointing), None)
    doubted = best[0] is not best[-1] and any(best[-1] in one.fits for one in typed)
    return _Meant(None, span, tuple(best)) if doubted else _Meant(best[0], span)


def _best(known: Files, told: list[_Told]) -> list[File]:
    """The files that most speaks for, the newest first."""
    points = [sum(one.weight for one in told if file in one.fits) for file in known.newest]
    return [file for file, reached in zip(known.newest, points, strict=True) if reached == max(points)]


class _Told(NamedTuple):
    """How much some words of a message count, where they stand, and the files that they fit."""

    weight: int
    span: Span
    fits: list[File]


def _of_type(reading: Reading, known: Files) -> Iterator[_Told]:
    """The files of the type that a noun can mean ("the spreadsheet"), and those that are known by that very noun: a
    picture may be a chart, and a paper may hold one."""
    for cue in reading.all("points_at"):
        noun = reading.group(cue, "noun")
        types = _types(reading, noun) if noun else ()
        if fits := [file for file in known.newest if file.type in types]:
            yield _Told(KIND_WEIGHT, cue.span, fits)
        if noun and (called := [file for file in known.newest if _brief(noun) in _known_by(file)]):
            yield _Told(WORD_WEIGHT + 1, cue.span, called)


def _worded(reading: Reading, known: Files) -> Iterator[_Told]:
    """The files that are known by a word: of their name, of what they show, of what they were made for ("the poker
    document", "make the star red", "on the cafe one put my number", "pens cost 3 now")."""
    for span, led in _spoken_of(reading):
        word = _brief(reading.said(span))
        named = [file for file in known.newest if word in _stems(os.path.splitext(file.base)[0])]
        fits = named or [file for file in known.newest if word in _known_by(file, led)]
        if 0 < len(fits) < len(known.files):
            yield _Told(WORD_WEIGHT + led, span, fits)


def _spoken_of(reading: Reading) -> list[tuple[Span, bool]]:
    """The words that a file can be known by, and whether they are said of something that is there: before its noun, or
    after "the"; a language without articles has all said so. What part of a file is meant or how it shall look tells no
    file."""
    nouns = [(cue.start, cue.groups["noun"]) for cue in reading.all("points_at") if "noun" in cue.groups]
    before = [span for start, noun in nouns for span in inside(reading.tokens, (start, noun[0]))]
    found = dict.fromkeys(before, True) | (_free_words(reading) if not _adds_or_points(reading) else {})
    named = [noun for _, noun in nouns]
    return [one for one in found.items() if not touches(one[0], named) and _may_name(reading, one[0])]


def _may_name(reading: Reading, span: Span) -> bool:
    """Whether a word can name what a file is about: it is long enough, no part of any file, and no look."""
    parts = {_brief(one) for one in reading.phrases("files", "parts")}
    looks = [token.start for token in reading.find(tokens_of) if not _LOOKS.isdisjoint(token.kinds)]
    return span[1] - span[0] > 3 and span[0] not in looks and _brief(reading.said(span)) not in parts


def _adds_or_points(reading: Reading) -> bool:
    """Whether a message adds what is not there yet, or points with a pronoun: then its words tell no file."""
    words = [reading.said(span) for span in reading.tokens[:MAX_WORDS]]
    english = [token.english.partition(" ")[0] for token in reading.find(tokens_of)[:MAX_WORDS]]  # "ponle" puts, too
    adds = not reading.reader.phrases("files", "adds").isdisjoint([*words, *english])
    return adds or any("noun" not in cue.groups for cue in reading.all("points_at"))


def _free_words(reading: Reading) -> dict[Span, bool]:
    """All words of a message, and whether each stands after "the"."""
    tokens, definite = reading.tokens[:MAX_WORDS], reading.phrases("files", "definite")
    words = [reading.said(span) for span in tokens]
    return {span: not definite or not definite.isdisjoint(words[max(0, n - 2) : n]) for n, span in enumerate(tokens)}


def _known_by(file: File, made_for: bool = True) -> set[str]:
    """The beginnings of the words that a file is known by: of its name, of what it shows, of what it was made for."""
    shown = {*_stems(os.path.splitext(file.base)[0]), *_stems(file.analysis)}
    return shown.union(file.words) if made_for else shown


def _stems(text: str) -> list[str]:
    return [_brief(word) for word in _WORD.findall(fold(text).replace("_", " "))]


def _brief(word: str) -> str:
    """The beginning of a word, which its forms share."""
    return word[:5].rstrip("s")


def _destination(reading: Reading, known: Files) -> _Meant | None:
    """The file that something is put into: of "add the chart to the essay" the essay; the chart is moved. It is called
    by what it is, or by a word of the request that it was made for ("put it on the card")."""
    pointing = reading.all("points_at")
    first = pointing[0].end if pointing else 1
    nouns = {cue.groups["noun"]: cue for cue in pointing if "noun" in cue.groups}
    for span in reading.tokens[:40]:
        if span[0] >= first and (meant := _put_into(reading, known, span, nouns.get(span))) is not None:
            return meant
    return None


def _put_into(reading: Reading, known: Files, span: Span, cue: Cue | None) -> _Meant | None:
    """The file that a word behind "to" or "into" stands for; a noun that points at one comes with its cue."""
    towards = _past_places(reading, span[0])[-2 if cue else -1 :]
    if reading.phrases("files", "toward").isdisjoint(towards):
        return None
    if cue is not None and (types := _types(reading, reading.said(span))):
        return next((_Meant(file, cue.span) for file in known.newest if file.type in types), None)
    led = reading.folded[: span[0]].split()[-1] in reading.phrases("files", "definite")
    word = _brief(reading.said(span)) if span[1] - span[0] > 3 - led else ""
    return next((_Meant(file, span) for file in known.newest if word in _known_by(file)), None)


def _past_places(reading: Reading, start: int) -> list[str]:
    """The words before a place, without those that say where in a file: "at the top of the price list"."""
    before = reading.folded[:start].split()
    while before and before[-1] in reading.phrases("files", "place"):
        del before[-1]
    return before


def _counted(reading: Reading, known: Files) -> _Meant | None:
    """The file that is counted, in the order in which they were made: "in the first one change the date". What "the
    second page" counts is a part of a file."""
    leads = reading.phrases("files", "definite", "toward")
    found = reading.find(tokens_of)[:40]
    files = sorted(known.files, key=lambda file: file.made)
    for before, token, after in zip(found, found[1:], [*found[2:], None], strict=False):
        # nothing follows that could be counted: no word, a mark, a verb, "one"
        ends = after is None or after.shape == "." or not {"requestverb", "number"}.isdisjoint(after.kinds)
        counts = ends and "pointer" in token.kinds and before.word in leads
        place = (ordinal(reading, token.word) or 0) if counts else 0
        if place > 0:
            return next((_Meant(file, (token.start, token.end)) for file in at_place(files, place)), None)
    return None


def _types(reading: Reading, noun: str) -> tuple[str, ...]:
    """The types of files that a noun can mean."""
    for row in reading.phrases("files", "types"):
        name, _, types = row.partition("=")
        if noun.startswith(name):
            return tuple(types.split())
    return EVERY if noun in reading.reader.phrases("files", "any") else ()


def _pointed(draft: Draft, meant: _Meant) -> Iterator[Event]:
    """The words that point at a file; where several fit, the question which one is meant."""
    files = (meant.file,) if meant.file else meant.candidates
    if meant.span is not None:
        entities = tuple(Entity(file.name, file.path, file.type) for file in files)
        status: Literal["resolved", "ambiguous"] = "resolved" if meant.file else "ambiguous"
        words = draft.reading.words(meant.span)
        yield ReferenceResolved(resolution=Resolution(words, meant.span, status, entities))
    if meant.candidates:
        names = tuple(file.name for file in files)
        question = texts(draft, "files_texts")["which"].format(names=", ".join(names))
        why = draft.cause("files.which", meant.span)
        yield DoubtRaised(about="file", question=question, candidates=names, because=why)


def _kind_question(draft: Draft) -> Iterator[Event]:
    """A new document with a topic but without a kind: the question that would settle it."""
    reading = draft.reading
    document = reading.first("new_document")
    topic = next((cue for cue in reading.all("topic") if document and cue.start >= document.end - 1), None)
    if document is None or topic is None or reading.has("document_kind"):
        return
    about = reading.words(topic.groups["value"]).strip()
    question = texts(draft, "files_texts")["kind"].format(topic=about)
    yield DoubtRaised(about=KIND, question=question, because=draft.cause("files.kind", topic.span))
    work = Work(draft.reading.text.strip()[:300])
    yield from ask(draft, question, KIND, "files.kind", topic.span, work=work)


def existing(known: Files) -> str:
    """The section of existing files."""
    documents = [file for file in known.newest if file.type in DOCUMENTS]
    others = ", ".join([file.name for file in known.newest if file not in documents][:20])
    lines = [f"- {file.name}{_at(file)}" for file in documents[:20]]
    if not documents:
        why = "there is nothing but these other files" if others else "no document exists yet in this conversation"
        lines = ["(none found)", f"Do NOT invent filenames: {why}."]
    return "\n".join(["**EXISTING FILES:**", *lines, *([f"Other files: {others}"] if others else [])])


def _at(file: File) -> str:
    """Where a file lies, where its name alone does not say it."""
    return f" ({file.path})" if file.path and file.path != file.name else ""


def rules(known: Files, request: Request | None) -> str:
    """The section that says whether this is a revision or a creation."""
    head = "**REVISION OR CREATION:**"
    if request is not None and request.mode == "revision" and request.target:
        file = known.find(request.target)
        where = _at(file) if file is not None else ""
        more = f"\nIt lets an earlier request go on: {' '.join(request.continues.split())}" if request.continues else ""
        if request.beside:
            more += f"\nBeside it a new file is asked for, a CREATION (“{' '.join(request.beside.split())}”): make it "
            more += "with whatever fits it best."
        return (
            f"{head}\nThis is a REVISION of {request.target}{where}, its newest version. Open that file, apply only "
            f"the asked change and keep all the rest. Do not start a new file for it and do not ask which file is "
            f"meant.{more}"
        )
    if request is not None and request.mode == "creation":
        return f"{head}\nThis is a CREATION: make a new file, and leave the existing ones as they are."
    return (
        f"{head}\nadd, update, modify, edit, change, revise, insert, put, remove, move, rename, make (it/that/the …): "
        "a REVISION of the newest version of the file that is meant. create, write, make a …: a CREATION of a new file."
    )


def planned(filename: str) -> str:
    return f"**PLANNED FILENAME:**\n{filename}\nUse exactly this filename."


def analysis(known: Files, request: Request | None) -> str:
    """What is known of the content of the file that is meant."""
    file = known.find(request.target) if request is not None and request.target else None
    return f"**FILE ANALYSIS:**\n{file.name}: {file.analysis}" if file is not None and file.analysis else ""
