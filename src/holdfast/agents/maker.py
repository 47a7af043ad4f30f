"""The maker: small images, charts, spreadsheets and documents from plain requests, without a key. It writes code,
really runs it, and attaches the code and the file; it keeps to the library in force until it is asked for another one.

    from holdfast.agents import run
    from holdfast.agents.maker import Maker

    for reply in run(Maker("out"), chat.hear("Create an image with a red circle"), chat):
        print(reply.text)
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from holdfast.agents import Said
from holdfast.agents.courtesies import courtesy
from holdfast.agents.making import scenes
from holdfast.agents.making.answers import about, answer, likely, quoted
from holdfast.agents.making.asked import ACTS, IDLE, WANTS, Asked, Piece, commands, each, pieces
from holdfast.agents.making.changes import Outcome, change, revise
from holdfast.agents.making.choosing import meant, spared
from holdfast.agents.making.code import CAN, MODULES, WRITES, beside, code, font_file
from holdfast.agents.making.fresh import create, subject, unknown_picture
from holdfast.agents.making.rows import given
from holdfast.agents.texts import LANGUAGES, latin
from holdfast.events import DoubtRaised, Event
from holdfast.extras import install
from holdfast.faculties.aims.files import Request
from holdfast.faculties.facts import memos
from holdfast.faculties.facts.preferences import preferences
from holdfast.faculties.facts.profile import shown
from holdfast.faculties.facts.wishes import wishes
from holdfast.faculties.revisions.faculty import LibraryAsked, LibraryConfirmed, OverrideRead
from holdfast.reading.reader import Reading, begins_in
from holdfast.session import Session
from holdfast.stores.protocol import SessionInfo
from holdfast.turn import Turn

AGENT = "specialist"
PATIENCE = 120
"""Seconds that a program may run: the first start of matplotlib builds its font cache."""

PUZZLED = ("unsure", "unclear", "shapes_only", "nothing", "no_such")
"""What is said where a wish was not understood: not twice in a row in the same words."""
MIN_WORDS = 3
"""Words from which a message tells its language."""
MAX_SESSIONS, MAX_EARLIER = 100, 200
"""Earlier conversations that are looked through, and files of theirs."""
MAX_REQUESTS, MAX_REQUEST_CHARS = 40, 200
BEFORE = ".before"
"""Marks what a file held before its last changes."""
MAX_BACK = 30
"""Changes of a file that can be taken back."""
MAX_NAME_CHARS = 40
KEPT = ".versions"
"""Where every version stays when the next one takes its place."""

_EXTENSION = dict.fromkeys(("image", "chart"), "png")
_EXTENSION |= {"sheet": "xlsx", "document": "docx", "pdf": "pdf", "slides": "pptx", "text": "txt"}
_USE_CASE = {**_EXTENSION, "image": "image", "chart": "chart"}
PACKAGES = {"pandas": "pandas openpyxl", "fpdf": "fpdf2"}
"""What is installed for a library, where that is not its name."""
_STEMS = {"pdf": "document", "slides": "presentation"}
_PARTS_OF = dict.fromkeys(scenes.PAPERS, ("title", "text", "list")) | {
    "image": ("text", "title"),
    "chart": ("title", "label", "form", "row"),
    "sheet": ("header", "title", "row", "label"),
}
"""Parts of each kind of file that it can change."""
_PLAIN = re.compile(r"[^a-z0-9]+")
_COUNTED = re.compile(r"\s+\d[\d.,]*$")
_FILENAME = re.compile(r"[\w-]{1,60}\.[a-z]{2,5}\b")


Run = Callable[[str, Path], str]
"""Runs a program in a folder; gives the error, or nothing."""


def apart(program: str, folder: Path) -> str:
    """Run a program in a process of its own."""
    try:
        done = subprocess.run(
            [sys.executable, "-"],
            input=program,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it ran for more than {PATIENCE} seconds"
    return done.stderr.strip().rpartition("\n")[2][:300] if done.returncode else ""


class Kept(NamedTuple):
    """One version of a file that was made: `version` is that of the message which brought it."""

    name: str
    version: int
    path: Path


class Maker:
    """An agent over a folder; every conversation has its own place in it."""

    def __init__(self, folder: str | Path = "holdfast-files", run: Run = apart) -> None:
        self.folder = Path(folder)
        self._run = run

    def __call__(self, turn: Turn, chat: Session) -> Iterator[Said]:
        earlier = [self.place(info.name) for info in _earlier(chat)]
        desk = _Desk(self.place(chat.id), turn, chat, spoken_in(turn, chat), self._run, earlier)
        if (ready := _ready(turn)) and not desk.lists():
            yield ready
            return
        first, *more = desk.work()
        told = [event.answer for event in turn.events if isinstance(event, LibraryAsked) and not desk.lists()]
        yield first._replace(text="\n".join((*told, first.text)))
        yield from more

    def place(self, session: str) -> Path:
        """The folder of a conversation; its name is plain, and no two conversations share one."""
        plain = _PLAIN.sub("-", session.lower()).strip("-")[:60]
        if plain == session:
            return self.folder / plain
        return self.folder / f"{plain or 'chat'}.{hashlib.sha256(session.encode()).hexdigest()[:16]}"

    def kept(self, session: str) -> list[Kept]:
        """All that was made in a conversation, every version of every file, oldest first."""
        place = self.place(session) / KEPT
        found = [(path, *path.name.partition("-")[::2]) for path in place.iterdir()] if place.is_dir() else []
        kept = [Kept(name, int(version), path) for path, version, name in found if version.isdigit() and path.is_file()]
        return sorted(kept, key=lambda one: one.version)

    def forget(self, session: str) -> None:
        """Erase all that was made in a conversation."""
        shutil.rmtree(self.place(session), ignore_errors=True)


def spoken_in(turn: Turn, chat: Session) -> str:
    """The language to answer in: that of the message where it has enough words to tell, else that of the talk."""
    reading = chat.pack.reader.read(turn.text)
    heard = reading.language if len(reading.tokens) >= MIN_WORDS else None
    return heard or turn.language or "en"


def _earlier(chat: Session) -> list[SessionInfo]:
    """The other conversations of the same user, the newest first."""
    known = chat.holdfast.sessions(chat.user, limit=MAX_SESSIONS) if chat.user else []
    return sorted((one for one in known if one.name != chat.id), key=lambda one: -one.changed)


def _ready(turn: Turn) -> Said | None:
    """What needs no making: a question that must be asked first, or the answer to one about the library."""
    wants = any(clause.act in WANTS for clause in turn.clauses)
    for event in turn.events:
        if isinstance(event, LibraryAsked) and not wants:
            return Said(event.answer, AGENT)
        if isinstance(event, DoubtRaised) and event.about != "kind":
            asks = {"about": event.about, "options": list(event.candidates)}
            return Said(event.question, AGENT, {"asks": asks})
    return None


def _absent(library: str) -> bool:
    return None in map(importlib.util.find_spec, MODULES.get(library, (library,)))


def _worn(scene: scenes.Scene) -> tuple[object, ...]:
    """The look of a scene, which a file of plain text cannot hold."""
    shown = () if scene.kind == "text" else (scene.title,)
    return scene.color, scene.background, scene.title_color, scene.font, *shown


def _named(event: Event) -> dict[str, str]:
    return {"library": getattr(event, "library", ""), "case": getattr(event, "use_case", "")}


def _fits(scene: scenes.Scene, kind: scenes.Kind) -> bool:
    """Whether something can be had as that kind of file: as a paper always, as a sheet where it has numbers."""
    return kind in scenes.PAPERS or (kind == "sheet" and bool(scene.labels))


def _tells_topic(lead: Asked) -> bool:
    """Whether a request tells what something shall be about."""
    return bool(subject(lead.reading, "en")[0])


def _in_a_row(texts: Iterable[str]) -> str:
    """Parts of a message as one, with a sign behind each."""
    return " ".join(f"{text}," if text[-1:].isalnum() else text for text in texts).rstrip(",")


def _told_by(scene: scenes.Scene) -> str:
    """What a new file is called by: its title or topic, or the first of its shapes."""
    shape = f"{scene.shapes[0].color} {scene.shapes[0].form}" if scene.shapes else ""
    topic = _COUNTED.sub("", scene.topic)  # "a pie chart of apples 3, pears 5" is about apples
    title = "" if scene.sample else scene.title
    names = (title, topic, shape) if scene.kind in scenes.PAPERS else (topic, title, shape)
    return next(filter(None, names), "")


class _Desk:
    """One piece of work: read the request, change the scene, write the code, run it."""

    def __init__(
        self, folder: Path, turn: Turn, chat: Session, language: str, run: Run, earlier: Sequence[Path] = ()
    ) -> None:
        self.folder, self.turn, self.chat, self.language, self._run = folder, turn, chat, language, run
        self._folders = earlier
        self.request: Request | None = chat.state.files.request
        waited = self.request.continues if self.request is not None and self.request.mode else ""
        self.reading: Reading = scenes.reader().read(waited or turn.text)
        self.acts, self.parts = ({cue.means for cue in self.reading.all(family)} for family in ("act", "part"))
        self.clauses = () if waited else self.turn.clauses
        self.asked = Asked(self.reading)
        self.pieces = pieces(self.reading, self.clauses) if self.clauses else [Piece(self.reading.text, True)]
        self.told = [(piece, Asked(self._read(piece.text))) for piece in self.pieces]
        self.scenes = self._scenes()

    def work(self) -> list[Said]:
        scene = self._scene()
        if greeting := courtesy(self.reading.text, () if scene is not None else self.turn.clauses):
            return [self._tell({"hello": "hello", "there": "hello", "help": "unsure"}.get(greeting, "welcome"))]
        if scene is not None and (done := self._at_once(scene)):
            return done
        ready = self._said_for_good(scene) or self._wishes_told() or self._of_earlier(scene) or self._answered(scene)
        return [ready] if ready else self._made(scene, self._kind())

    def _at_once(self, scene: scenes.Scene) -> list[Said]:
        """What is done before anything is asked: words that were waited for are put in, a change is taken back."""
        if self._awaited(scene):
            return [self._fulfilled(scene)]
        return [self._taken_back(scene), *([self._listed()] if self.lists() else [])] if self._goes_back() else []

    def _fulfilled(self, scene: scenes.Scene) -> Said:
        """A paper with the words that it waited for."""
        words = self.turn.text.strip()
        scene.title, scene.paragraphs = (words, []) if scene.sample else (scene.title, [*scene.paragraphs, words])
        scene.sample = False
        return self._make(scene, scene.library, "revised")

    def _made(self, scene: scenes.Scene | None, kind: scenes.Kind | None) -> list[Said]:
        """What is wanted, made or changed."""
        if scene is not None and (renamed := self._renamed(scene)):
            return [renamed, *self._after_renaming(scene, kind)]
        if scene is not None and kind is not None and self._converts(scene, kind):
            return [self._convert(scene, kind)]
        if self._new(scene, kind):
            return [self._created(scene, kind)]
        if scene is not None:
            thanks = self._thanked()
            return [thanks] if thanks else self._revised(scene, kind)
        return [self._tell({"revision": "nothing"}.get(self._mode(), "unsure"))]

    def _awaited(self, scene: scenes.Scene) -> bool:
        """Whether a message is the words that were asked for just now."""
        last = self.chat.state.conversation.last("assistant")
        keys = ("which_words", "untold", "title_only")
        asked = any(scenes.say(language, key) in (last or "") for key in keys for language in LANGUAGES)
        pinned = (memos.LibraryBanned, memos.LibraryPinned, memos.LibraryLifted)
        rules = self._came(OverrideRead, LibraryConfirmed, LibraryAsked, *pinned)
        said = Asked(self._read(self.turn.text))
        wants = said.given or said.does(*ACTS) or "?" in self.turn.text or commands(self.turn.text)
        return bool(asked and scene.kind in scenes.PAPERS and not rules and not wants)

    def _kind(self) -> scenes.Kind | None:
        """The kind of thing that is spoken of; a word that is given for a file names none."""
        named = {scenes.kind_of(asked.rest) for _, asked in self.told}
        order: tuple[scenes.Kind, ...] = (*scenes.PAPERS, "sheet", "chart", "image")
        writes = not self.scenes and self.asked.given and self.asked.does(*ACTS)
        words: scenes.Kind | None = "document" if writes else None
        return next((kind for kind in order if kind in named), words)  # "write a note: …" is a document

    @staticmethod
    def _read(text: str) -> Reading:
        return scenes.reader().read(text)

    def _said_for_good(self, scene: scenes.Scene | None) -> Said | None:
        """What is wanted for all time, in a message that wants nothing else."""
        if self._mode():
            return None
        if rules := self._rules(scene):
            return self._tell("noted", rules="; ".join(rules))
        kept = [event.text for event in self.turn.events if isinstance(event, memos.WishKept)]
        if kept:
            return self._tell("wish", wishes=quoted(kept))
        return self._tell("wish_over") if self._came(memos.WishEnded) else None

    def _wishes_told(self) -> Said | None:
        """What the person always wants, where a question is about that."""
        asked = about(self.reading, wishes(self.chat.state)) if self._mode() == "question" else []
        return self._tell("wished", wishes=quoted(asked)) if asked else None

    def _answered(self, scene: scenes.Scene | None) -> Said | None:
        """The answer to a question; it makes and changes nothing."""
        if self.lists():
            return self._listed()
        if self.asked.does("code") and not self.asked.does(*ACTS) and scene is not None:
            return Said(f"```python\n{code(scene)}```", AGENT)
        if self._mode() != "question":
            return None
        return (self._able(scene) if self.asked.can() else None) or self._told_of(scene)

    def _told_of(self, scene: scenes.Scene | None) -> Said:
        """What is known of the file that a question is about."""
        about = meant(Asked.about(self.reading), self.scenes) or (None if self.asked.does("where") else scene)
        if about is not None and (told := answer(self.reading, about, self.language)):
            return Said(told, AGENT)
        if about is None and self.scenes:
            return self._listed("no_such")
        asks = self.reading.has("polite") or not self.scenes
        return self._able(scene) or self._tell("unsure" if asks else "no_such")

    def _listed(self, before: str = "") -> Said:
        files = "; ".join(f"{one.file} ({self._what(one)})" for one in self._scenes()[::-1])
        told = scenes.say(self.language, "so_far", files=files)
        return Said(f"{scenes.say(self.language, before)} {told}" if before else told, AGENT)

    def lists(self) -> bool:
        """Whether it is asked which files there are."""
        asks = any("askword" in token.kinds for token in self.asked.tokens) or self.asked.does("all", "ask")
        asks = asks and not self.reading.has("kind")  # "what is in the Word file"
        files = self.asked.does("file") and not self.asked.does(*ACTS)
        return bool(self.scenes) and (self.reading.has("status") or (asks and files))

    def _able(self, scene: scenes.Scene | None) -> Said | None:
        """Whether it can do what is asked about: it tries that on a copy."""
        if scene is None or scenes.kind_of(self.reading) not in (None, scene.kind):
            return None  # "can you make charts?"
        copy = msgspec.json.decode(msgspec.json.encode(scene), type=scenes.Scene)
        done = revise(self.pieces, copy).understood or any(
            not role.isdisjoint(_PARTS_OF.get(scene.kind, ())) for role in self.asked.outside()
        )
        return self._tell(
            "able" if done else "unable", can=scenes.say(self.language, f"can_{scene.kind}"), file=scene.file
        )

    def _of_earlier(self, scene: scenes.Scene | None) -> Said | None:
        """What an earlier conversation of the person has and this one has not, told or taken up."""
        filename = self.request.filename if self.request is not None else None
        here = self.chat.state.files.find(filename) is not None if filename else scene is not None
        opens = self.reading.has("opens")
        if here or (self._mode() == "creation" and not opens):
            return None
        found = likely(self.reading, filename, self._kept_earlier())
        if not found:
            return self._tell("no_such") if opens else None
        return self._taken_up(found, opens)

    def _taken_up(self, found: list[scenes.Scene], opens: bool) -> Said | None:
        """What was made earlier, told to a question, else changed where that or its opening is asked for."""
        if self._mode() == "question" or self.reading.has("status"):
            return self._tell("earlier", files="; ".join(f"{one.file} ({self._what(one)})" for one in found[:3]))
        return self._revise(found[0], self.pieces, "again") if opens or self._mode() == "revision" else None

    def _what(self, scene: scenes.Scene) -> str:
        return scenes.describe(scene, self.language)

    def _kept_earlier(self) -> list[scenes.Scene]:
        """What was made in earlier conversations, the newest first."""
        paths = [path for folder in self._folders for path in folder.glob(".*.json") if BEFORE not in path.name]
        newest = sorted(paths, key=lambda path: -path.stat().st_mtime)[:MAX_EARLIER]
        return [msgspec.json.decode(path.read_bytes(), type=scenes.Scene) for path in newest]

    def _created(self, scene: scenes.Scene | None, kind: scenes.Kind | None) -> Said:
        """Something new; where it brings no numbers, it takes those that are there."""
        if kind is None and scene is not None:
            return self._tell("unable", can=scenes.say(self.language, f"can_{scene.kind}"), file=scene.file)
        if kind is None:
            return self._tell("unsure")
        lead, rest = self._lead(kind)
        made = create(self.reading, lead, kind, "", self.language)
        if scene is not None and made.sample:
            self._take_over(made, scene)
        self._wear_wishes(made)
        if unknown_picture(lead, made):
            return self._tell("shapes_only")
        left = revise(rest, made).left
        made.file = self._name(made)
        return self._make(made, self._library(kind, ""), "made", left)

    def _lead(self, kind: scenes.Kind) -> tuple[str, list[Piece]]:
        """The part that names what is to be made, with what is told of it, and the parts that say how it shall be."""
        names = self._naming(kind)
        apart = [piece for piece, asked in self.told if piece not in names and self._apart(piece, asked, kind)]
        if kind not in scenes.PAPERS:
            return names[0].text, apart
        first = next(n for n, piece in enumerate(self.pieces) if piece.wanted or piece in names)
        return _in_a_row(piece.text for piece in self.pieces[first:] if piece not in apart), apart

    def _naming(self, kind: scenes.Kind) -> list[Piece]:
        """The part that names a kind of thing, else the first one."""
        return [piece for piece, asked in self.told if scenes.kind_of(asked.rest) == kind][:1] or self.pieces[:1]

    @staticmethod
    def _apart(piece: Piece, asked: Asked, kind: scenes.Kind) -> bool:
        """Whether a part says how something new shall be, and not what."""
        if kind in ("chart", "sheet"):
            return False
        if kind == "image":
            return bool(asked.given) and not asked.rest.has("shape")
        looks = piece.wanted and asked.reading.has("color", "size")
        return looks or bool(asked.given) or commands(piece.text)

    def _take_over(self, made: scenes.Scene, scene: scenes.Scene) -> None:
        """Give something new the numbers or the topic of what is at hand."""
        if made.kind not in scenes.PAPERS and scene.labels:
            made.topic, made.title = scene.topic, scene.title
            made.labels, made.values, made.sample = list(scene.labels), list(scene.values), False
        elif made.kind in scenes.PAPERS and self.reading.has("same"):
            about = scene.topic or scene.title or ", ".join(scene.labels)
            made.topic, made.title, made.sample = about, about[:1].upper() + about[1:], False

    def _wear_wishes(self, made: scenes.Scene) -> None:
        """Give something new the look that the user always wants, where the request names no other."""
        plain = scenes.Scene(made.kind, made.file)
        for wish in wishes(self.chat.state).values():
            reading, worn = scenes.reader().read(wish), msgspec.structs.replace(plain)
            kinds = {cue.means for cue in reading.all("kind")}
            if not kinds or made.kind in kinds:
                change(Asked(reading), worn)
            for name in ("color", "title_color", "background", "chart", "font", "scale"):
                if getattr(worn, name) != getattr(plain, name) and getattr(made, name) == getattr(plain, name):
                    setattr(made, name, getattr(worn, name))

    def _mode(self) -> str:
        """What the message wants of a file. A polite question wants it made: "can you draw me a circle?"."""
        mode = str(self.request.mode if self.request is not None else "")
        if self.scenes and self.asked.does("did") and not self.asked.given:
            return "question"  # "did you undo that?"
        if mode == "creation" and self._of_what_is_there():
            return "revision"
        return self._asked_for_more() or mode if mode == "question" else mode

    def _asked_for_more(self) -> str:
        """What a question wants done all the same."""
        told = self.reading.has("shape", "topic") or given(self.reading)  # "can you make charts?" tells nothing
        if self.reading.has("polite") and told:
            return "creation"
        if self.scenes and self._gives_form():
            return "creation"
        return "revision" if self.scenes and any(self._orders(*one) for one in self.told[1:]) else ""

    def _gives_form(self) -> bool:
        """Whether what sounds like a question wants what is there as another kind of file: "and a PDF of the same"."""
        if self._kind() in (None, *(one.kind for one in self.scenes)):
            return False
        asks = "?" in self.turn.text or any("askword" in token.kinds for token in self.asked.tokens)
        return self.reading.has("same") or not asks

    @staticmethod
    def _orders(piece: Piece, asked: Asked) -> bool:
        """Whether a part after a question wants something done: "what is that line?? take it out"."""
        return piece.wanted and "?" not in piece.text and (asked.does(*ACTS) or asked.removes)

    def _of_what_is_there(self) -> bool:
        """Whether what sounds new is a change of a file that is there: no kind of thing is named, or "the" one."""
        if not self.scenes or (self.reading.has("same") and self.reading.has("kind", "part")):
            return False
        does = self.asked.given or self.asked.does(*ACTS, "leave", "say")
        return bool(does or self.reading.has("color", "size", "place")) and self._all_known()

    def _all_known(self) -> bool:
        """Whether every kind of thing is spoken of as one that is there."""
        pairs = zip(self.asked.tokens, self.asked.roles, strict=True)
        definite = {token.end + 1 for token, role in pairs if "known" in role}
        there = {one.kind for one in self.scenes}
        named = meant(self.asked, self.scenes) is not None
        known = all(cue.start in definite and (named or cue.means in there) for cue in self.reading.all("kind"))
        return known and not any(self._is_new(asked) for _, asked in self.told)

    @staticmethod
    def _is_new(asked: Asked) -> bool:
        return asked.does("new") or (asked.rest.has("shape") and not asked.removes)

    def _new(self, scene: scenes.Scene | None, kind: scenes.Kind | None) -> bool:
        """Whether something new is wanted, and no part of what is there ("add a slide"). Where nothing is there yet, a
        kind alone is enough to say so."""
        mode = self._mode()
        if scene is None:
            return mode == "creation" if mode else kind is not None and "?" not in self.turn.text
        adds_part = "add" in self.acts and bool(self.parts & {"section", "paragraph", "row"})
        removes = any(asked.removes for _, asked in self.told)
        return mode == "creation" and not removes and not (kind == scene.kind and adds_part)

    def _revised(self, scene: scenes.Scene, kind: scenes.Kind | None) -> list[Said]:
        """What is wanted of files that are there, each part in the file that it means, and what is made of one beside
        that: "add may 12, and make a pdf with that"."""
        if kind in scenes.PAPERS and self._is_beside(kind):
            return self._made_beside(scene, kind)
        spare, files = self._spared(), self._files(scene)
        wanted = {file: found for file, found in self._shared_out(files, spare).items() if file not in spare}
        done = [self._revise(files[file], found) for file, found in (wanted or {scene.file: self.pieces}).items()]
        return [said for said in done if said.attached.get("files")] or done[:1]

    def _is_beside(self, kind: scenes.Kind) -> bool:
        """Whether a kind of file that is not there yet is only one of the things that are wanted."""
        return len(self.pieces) > 1 and kind not in {one.kind for one in self.scenes}

    def _spared(self) -> list[str]:
        """The names of the files that shall stay as they are."""
        return [one.file for _, asked in self.told if (one := spared(asked, self.scenes))]

    def _files(self, scene: scenes.Scene) -> dict[str, scenes.Scene]:
        """What is there by the names of the files, the one at hand first."""
        return {scene.file: scene, **{one.file: one for one in self.scenes if one.file != scene.file}}

    def _made_beside(self, scene: scenes.Scene, kind: scenes.Kind) -> list[Said]:
        beside = [(piece, asked) for piece, asked in self.told if scenes.kind_of(asked.reading) == kind]
        self.told = [one for one in self.told if one not in beside]
        self.pieces = [piece for piece, _ in self.told]
        done = self._revised(scene, None)
        self.told, self.pieces, self.scenes = beside, [piece for piece, _ in beside], self._scenes() or self.scenes
        return [*done, self._convert(self.scenes[0], kind)]

    def _shared_out(self, files: dict[str, scenes.Scene], spare: list[str]) -> dict[str, list[Piece]]:
        """The parts of a message by the file that each means: the one that it names, else the one at hand."""
        told = [(piece, asked) for piece, asked in each(self.pieces) if not spared(asked, self.scenes)]
        several = len(told) > 1 and any(meant(asked, self.scenes) for _, asked in told)
        at_hand = self.scenes[0] if several else next(iter(files.values()))
        parts, waiting = dict[str, list[Piece]](), list[Piece]()
        for piece, asked in told:
            named = meant(asked, list(files.values()), at_hand)
            waiting.append(piece)
            if named is not None or at_hand.file not in spare:
                at_hand = named or at_hand
                parts.setdefault(at_hand.file, []).extend(waiting)
                waiting = []
        return parts

    def _revise(self, scene: scenes.Scene, wanted: Sequence[Piece], how: str = "revised") -> Said:
        before, worn, was = scene.library, _worn(scene), msgspec.json.encode(scene)
        outcome = revise(wanted, scene)
        if scene.file.endswith((".csv", ".txt")) and _worn(scene) != worn:
            return self._tell("plain_file", file=scene.file)
        self._filled_in(scene)
        library = self._library(scene.kind, before)
        if library != before:
            return self._make(scene, library, "switched")
        stays = msgspec.json.encode(scene) == was and how == "revised"
        return (self._unchanged(scene, outcome) if stays else None) or self._make(scene, library, how, outcome.left)

    def _filled_in(self, scene: scenes.Scene) -> None:
        """Put in what only the desk knows: numbers of another file, the name of the person."""
        if scene.sample and scene.kind in scenes.PAPERS and scene.labels:
            self._borrow(scene)
        if "author" in self.parts:
            scene.author = shown(self.chat.state).get("name", scene.author)

    def _borrow(self, scene: scenes.Scene) -> None:
        """Give the chart of a paper the numbers that another file has."""
        other = next((one for one in self.scenes if one.labels and not one.sample and one.file != scene.file), None)
        if other is not None:
            scene.labels, scene.values, scene.sample = list(other.labels), list(other.values), False
            scene.chart = other.chart or scene.chart

    def _goes_back(self) -> bool:
        """Whether the last change is taken back: in so many words, or by a part that returns to what was."""
        if self._came(OverrideRead, LibraryConfirmed):
            return False
        acts = {clause.act for clause in self.clauses}
        returns = "returns" in acts and acts.isdisjoint(WANTS) and not self.reading.has("kind")
        return returns or self._undoes() or (self._puts_back() and self._mode() != "question")

    def _undoes(self) -> bool:
        asks = [(clause.start, clause.end) for clause in self.clauses if clause.act == "asks"]
        undoes = [cue for cue in self.reading.all("act") if cue.means == "undo" and not begins_in(cue.start, asks)]
        return bool(undoes) and not self.asked.does("did")

    def _puts_back(self) -> bool:
        verbs = ("put", "set", "take", "return")
        return any(one.does("back") and one.does(*verbs) and not one.given for _, one in self.told)

    def _taken_back(self, scene: scenes.Scene) -> Said:
        """A file as it was before the last change, or the newest time that it had the colour that is named."""
        versions = self._earlier_versions(scene.file)
        colors = [cue.means for cue in self.reading.all("color")]
        fits = [n for n, one in enumerate(versions) if colors and all(color in repr(one) for color in colors)]
        if not versions:
            return self._tell("no_earlier", file=scene.file, what=self._what(scene))
        at = fits[-1] if fits else len(versions) - 1
        self._place(scene.file, BEFORE).write_bytes(msgspec.json.encode(versions[:at]))
        return self._make(versions[at], versions[at].library, "taken_back")

    def _earlier_versions(self, file: str) -> list[scenes.Scene]:
        """What a file held before its changes, oldest first."""
        place = self._place(file, BEFORE)
        return msgspec.json.decode(place.read_bytes(), type=list[scenes.Scene]) if place.is_file() else []

    def _unchanged(self, scene: scenes.Scene, outcome: Outcome) -> Said | None:
        """Why a file stays as it is, where the request changes nothing of it and does not insist on its library."""
        asked = {event.asked.override.kind for event in self.turn.events if isinstance(event, OverrideRead)}
        if asked:  # another library, whichever, or this very one
            return self._tell("no_other", library=scene.library) if "approach" in asked else None
        if self._came(LibraryConfirmed):
            return self._tell("stays", library=scene.library)
        if outcome.understood and not outcome.left:
            return self._tell("already", file=scene.file, what=self._what(scene))
        return self._puzzled(scene)

    def _puzzled(self, scene: scenes.Scene) -> Said:
        """What is said to a request that nothing is understood of; where it only names a file, what that holds."""
        told = {"file": scene.file, "what": self._what(scene)}
        does = self.asked.does(*ACTS) or self.reading.has("act", "part")
        if meant(self.asked, self.scenes) is not None and not does:
            return self._tell("holds", **told)
        if scene.kind in scenes.PAPERS and self.asked.does("text", "list") and self.asked.does("add", "put", "write"):
            return self._tell("which_words")
        can = scenes.say(self.language, f"can_{scene.kind}")
        return self._thanked(*IDLE) or self._tell("unclear", can=can, **told)

    def _thanked(self, *idle: str) -> Said | None:
        """What is said to thanks, and to what only remarks something, where no clause wants more of a file."""
        acts = {clause.act for clause in self.clauses}
        if self.asked.does(*ACTS, "down", "up"):
            return None
        if not acts or not acts <= {*(idle or IDLE)}:
            return None
        thanks = "thanks" in acts and not self._mode()
        return self._tell("welcome") if thanks else self._tell("glad") if idle else None

    def _renamed(self, scene: scenes.Scene) -> Said | None:
        """The file under another name, where one is asked for and the type stays the same."""
        found = _FILENAME.search(self.turn.text)
        named = self._naming_part(found is not None)
        if named is None:
            return None
        name = found[0] if found else _PLAIN.sub("_", latin(named.given)).strip("_")[:MAX_NAME_CHARS]
        old = next((one for one in self.scenes if one.file in self.turn.text and one.file != name), scene)
        suffix = Path(old.file).suffix
        if name in ("", old.file) or Path(name).suffix not in ("", suffix):
            return None
        known, old.file = old.file, str(Path(name).with_suffix(suffix))
        return self._make(old, old.library, "renamed", known=known)

    def _after_renaming(self, scene: scenes.Scene, kind: scenes.Kind | None) -> list[Said]:
        """What else is wanted beside another name: "call it van_costs, and add a row for tyres, 280"."""
        self.told = [one for one in self.told if commands(one[0].text) and not one[1].does("call", "keep")]
        self.pieces = [piece for piece, _ in self.told]
        return self._revised(scene, kind) if self.pieces else []

    def _naming_part(self, found: bool) -> Asked | None:
        """The part that gives a file a name: one that is spelt like a file's was found, or it is told in words."""
        calls = [one for _, one in self.told if one.does("call", "keep")]
        told = [one for one in calls if found or (one.does("file") and one.given)]
        return next((one for one in told if one.heard), next(iter(told), None))

    def _converts(self, scene: scenes.Scene, kind: scenes.Kind) -> bool:
        """Whether what is at hand is wanted as another kind of file ("make it a PDF", "the same in Word"), not changed.
        A paper that nothing is told of is what is at hand, too."""
        if kind == scene.kind or not _fits(scene, kind) or given(self.reading):
            return False
        lead = Asked(self._read(self._lead(kind)[0]))
        there, changed = self._is_there(kind), self._changes(lead)
        if self._says_same(lead):
            return not (there and changed) and not _tells_topic(lead)
        if self._mode() == "creation":
            return not self._tells_what(lead, kind)
        return not (changed or there) and self._turns(scene)

    def _is_there(self, kind: scenes.Kind) -> bool:
        """Whether a change is wanted and a file of that kind is there, which may be meant."""
        return kind in {one.kind for one in self.scenes} and self._mode() == "revision"

    def _says_same(self, lead: Asked) -> bool:
        """Whether a request says that the new file shall hold what is there."""
        return lead.reading.has("embeds", "same") or "convert" in self.acts

    def _tells_what(self, lead: Asked, kind: scenes.Kind) -> bool:
        """Whether a request for something new tells what it shall be about, or what shall be in it."""
        return _tells_topic(lead) or lead.reading.has("shape") or self._told_more(kind)

    def _turns(self, scene: scenes.Scene) -> bool:
        """Whether a paper shall become something else."""
        return bool(self.acts & {"change", "instead"}) and scene.kind in scenes.PAPERS

    def _changes(self, lead: Asked) -> bool:
        """Whether a request is about a part of a file, and not about the whole."""
        parts = scenes.means(lead.reading, "part") - {"section", "pie", "bar", "trend", "flat"}
        return bool(lead.removes or "add" in self.acts or parts)

    def _told_more(self, kind: scenes.Kind) -> bool:
        """Whether a request for something new tells what shall be in it."""
        lead = self._lead(kind)[0]
        made = create(self._read(lead), lead, kind, "", self.language)
        words = len(made.title.split()) + len(made.paragraphs)
        return kind == "sheet" or not (made.sample or (words == 1 and not made.topic))

    def _convert(self, scene: scenes.Scene, kind: scenes.Kind) -> Said:
        lead, rest = self._lead(kind)
        scene = meant(Asked(self._read(lead)), [one for one in self.scenes if one.kind != kind], scene) or scene
        chart = "table" if scene.kind == "sheet" else scene.chart
        stem = Path(scene.file).stem
        named = scenes.say(self.language, scene.kind) if stem == _STEMS.get(scene.kind, scene.kind) else stem
        title = scene.title or scene.caption or scene.topic or named.replace("_", " ").capitalize()
        made = msgspec.structs.replace(scene, kind=kind, library="", title=title, chart=chart, caption="")
        if kind == "sheet":
            made.tints, made.color, made.background, made.chart = {}, "", "white", ""
        made.file = self._free(stem, _EXTENSION[kind])
        left = revise(rest, made).left
        return self._make(made, self._library(kind, ""), "made", left)

    def _rules(self, scene: scenes.Scene | None) -> list[str]:
        """What the person said about libraries for all time, in a message that asks for nothing else."""
        rules: dict[type[Event], str] = {memos.LibraryPinned: "always", memos.LibraryBanned: "never"}
        if self.chat.state.revisions.asked is None:
            rules[memos.LibraryLifted] = "lifted"
        if scene is None or not self._came(OverrideRead):
            rules[memos.LibraryPreferred] = "prefers"
        told = [event for event in self.turn.events if type(event) in rules] if not self._mode() else []
        return [scenes.say(self.language, rules[type(event)], **_named(event)) for event in told]

    def _came(self, *kinds: type[Event]) -> bool:
        """Whether the message brought one of some events."""
        return any(isinstance(event, kinds) for event in self.turn.events)

    def _library(self, kind: scenes.Kind, current: str) -> str:
        """The library to take: what was asked for, what is in force, what the user always or rather wants."""
        allowed = self._allowed(kind)
        if asked := self._asked_for(kind) or (None if current else self._spoken(allowed)):
            return asked
        fits = [name for name in allowed if name == "pandas" or not self._csv()]
        if self._wants_another():
            return next((name for name in fits if name != current), current)
        return self._wished(kind, fits, current)

    def _wished(self, kind: scenes.Kind, fits: list[str], current: str) -> str:
        """Of the libraries that can do it: what the user always wants, what is in force, what the user rather wants."""
        held, case = preferences(self.chat.state), _USE_CASE[kind]
        wishes = (held.pins.get(case), self.chat.face.in_force()["library"], current, held.preferred.get(case))
        return next((name for name in wishes if name in fits), (*fits, CAN[kind][0])[0])

    def _allowed(self, kind: scenes.Kind) -> list[str]:
        revisions = self.chat.state.revisions
        barred = {*revisions.rejected, *preferences(self.chat.state).bans} - {*revisions.allowed}
        return [name for name in CAN[kind] if name not in barred]

    def _asked_for(self, kind: scenes.Kind) -> str | None:
        """The library that is asked for; one that cannot do it is told so once, and the work goes on as before."""
        asked = self.chat.state.revisions.asked
        wanted = asked.override.requested if asked is not None else None
        return wanted if wanted in CAN[kind] or self._came(OverrideRead) else None

    def _wants_another(self) -> bool:
        """Whether another way is in force, whichever library it takes."""
        asked = self.chat.state.revisions.asked
        return asked is not None and asked.override.kind == "approach" and not asked.override.ambiguous

    def _spoken(self, allowed: list[str]) -> str | None:
        """The library that a request for something new names, however it does: "line graph, seaborn"."""
        speech = self.chat.pack.faculty("revisions").speech  # type: ignore[attr-defined]
        named = speech.mentions(self.chat.pack.reader.read(self.turn.text))
        return next((mention.library for mention in named if mention.library in allowed), None)

    def _make(self, scene: scenes.Scene, library: str, how: str, left: Sequence[str] = (), known: str = "") -> Said:
        if library not in CAN[scene.kind]:
            others = ", ".join(CAN[scene.kind])
            kept = scenes.say(self.language, "kept") if scene.library else ""
            return self._tell(
                "cannot", kind=scenes.say(self.language, scene.kind), library=library, others=others, file=kept
            )
        importlib.invalidate_caches()  # what was installed a moment ago is found without a new start
        absent = [name for name in sorted({library, *beside(scene)}) if _absent(name)]
        if absent:
            packages = " ".join(PACKAGES.get(name, name.lower()) for name in absent)
            return self._tell("missing", library=", ".join(absent), command=install(packages))
        scene.library = library
        scene.file = self._typed(scene)
        scene.requests = [*scene.requests, self.reading.text.strip()[:MAX_REQUEST_CHARS]][-MAX_REQUESTS:]
        program = code(scene)
        self.folder.mkdir(parents=True, exist_ok=True)
        if (font := font_file(scene)) is not None:
            self._font(font)
        error = self._run(program, self.folder)
        task = {"title": self.turn.text.strip(), "result": scenes.describe(scene)}
        if error:
            failed = {"code": program, "status": "failed", "task": {**task, "error": error}}
            return Said(scenes.say(self.language, "failed", error=error), AGENT, failed)
        self._keep(scene, known or scene.file, how)
        file = {"name": scene.file, "path": str(self.folder / scene.file), "analysis": scenes.describe(scene)}
        made = {"code": program, "files": [file], "task": {**task, "status": "completed"}}
        return Said(self._told(scene, program, how, left, known), AGENT, made)

    def _told(self, scene: scenes.Scene, program: str, how: str, left: Sequence[str], known: str) -> str:
        fields = {"file": scene.file, "library": scene.library, "what": self._what(scene), "known": known}
        lines = [scenes.say(self.language, how, **fields)]
        asked = self.chat.state.revisions.asked
        if asked is not None and asked.override.requested == scene.library:
            lines += [f"({warning}.)" for warning in asked.warnings]
        if missing := self._missing(scene, how):
            lines.append(scenes.say(self.language, missing))
        left = [part for part in left if not scenes.reader().read(part).has("opens")]
        if left:
            lines.append(scenes.say(self.language, "left", parts=quoted(left)))
        if self.asked.does("code"):
            lines.append(f"\n```python\n{program}```")
        if self.turn.question:  # the kind of document: it can still be said
            lines.append(f"\n{self.turn.question}")
        return "\n".join(lines)

    def _missing(self, scene: scenes.Scene, how: str) -> str:
        """What was not told of something new; a sign has no more than its title."""
        paper = scene.kind in scenes.PAPERS
        if scene.sample:
            return "untold" if paper else "sample"
        holds = any((scene.paragraphs, scene.shapes, scene.labels, self.scenes))
        says = any(asked.given == scene.title for _, asked in self.told)
        return "title_only" if how == "made" and paper and not holds and not says else ""

    def _tell(self, key: str, **values: object) -> Said:
        text = scenes.say(self.language, key, **values)
        last = self.chat.state.conversation.last("assistant")
        if text != last or key not in PUZZLED:
            return Said(text, AGENT)
        scene = self._scene()
        return Said(scenes.say(self.language, f"such_{scene.kind}" if scene is not None else "other_words"), AGENT)

    # What a scene holds lies beside its file, so that a revision finds it after any pause.

    def _place(self, file: str, which: str = "") -> Path:
        return self.folder / f".{file}{which}.json"

    def _keep(self, scene: scenes.Scene, known: str, how: str) -> None:
        """Keep what a file holds; `known` is the name that it had before."""
        if self._place(known).is_file() and how != "taken_back":
            old = msgspec.json.decode(self._place(known).read_bytes(), type=scenes.Scene)
            versions = [*self._earlier_versions(known), old][-MAX_BACK:]
            self._place(scene.file, BEFORE).write_bytes(msgspec.json.encode(versions))
        if known != scene.file:
            self._place(known).unlink(missing_ok=True)
        self._place(scene.file).write_bytes(msgspec.json.encode(scene))
        (self.folder / KEPT).mkdir(exist_ok=True)
        version = self.chat.state.version + 1  # the message that brings the file comes next
        shutil.copyfile(self.folder / scene.file, self.folder / KEPT / f"{version}-{scene.file}")

    def _scenes(self) -> list[scenes.Scene]:
        """What the files of this conversation hold, the newest first."""
        places = [self._place(file.name) for file in self.chat.state.files.newest]
        return [msgspec.json.decode(at.read_bytes(), type=scenes.Scene) for at in places if at.is_file()]

    def _scene(self) -> scenes.Scene | None:
        """The scene of the file that is meant, else of the newest one that was made here."""
        target = self.request.target if self.request is not None and self.request.named else None
        named = next((one for one in self.scenes if target and one.file == target and not self.asked.given), None)
        return named or meant(self.asked, self.scenes) or next(iter(self.scenes), None)

    def _name(self, scene: scenes.Scene) -> str:
        """The file name that was given, else one from what it shows."""
        if self.request is not None and self.request.filename:
            return self.request.filename
        words = _PLAIN.sub("_", latin(_told_by(scene))).strip("_") or _STEMS.get(scene.kind, scene.kind)
        if len(words) > MAX_NAME_CHARS:
            words = words[: MAX_NAME_CHARS + 1].rpartition("_")[0] or words[:MAX_NAME_CHARS]
        return self._free(words, "csv" if scene.kind == "sheet" and self._csv() else _EXTENSION[scene.kind])

    def _csv(self) -> bool:
        return "csv" in self.turn.text.lower()

    def _free(self, words: str, extension: str) -> str:
        """A file name that is not taken."""
        known = {file.name for file in self.chat.state.files.files}
        number = 1
        while (name := f"{words}{f'_{number}' if number > 1 else ''}.{extension}") in known:
            number += 1
        return name

    def _typed(self, scene: scenes.Scene) -> str:
        """The file of a scene with the ending that its library writes."""
        own, usual = WRITES.get(scene.library), _EXTENSION[scene.kind]
        path = Path(scene.file)
        if own is not None:
            return str(path.with_suffix(f".{own}"))
        other = path.suffix[1:] in WRITES.values() or (path.suffix == ".csv" and scene.library == "openpyxl")
        return str(path.with_suffix(f".{usual}")) if other else scene.file

    def _font(self, file: str) -> None:
        """Put a font beside the file: those that matplotlib brings have the letters of many languages."""
        found = importlib.util.find_spec("matplotlib")
        if found is not None and found.origin and not (self.folder / file).is_file():
            place = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / file
            (self.folder / file).write_bytes(place.read_bytes())


maker = Maker()
"""The maker over the folder `holdfast-files` of the working directory."""
