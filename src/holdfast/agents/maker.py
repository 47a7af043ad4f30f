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
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from holdfast.agents import Said
from holdfast.agents.courtesies import courtesy
from holdfast.agents.making import scenes
from holdfast.agents.making.answers import about, answer, likely, quoted
from holdfast.agents.making.asked import ACTS, IDLE, WANTS, Asked, Piece, commands
from holdfast.agents.making.changes import Outcome, change, revise
from holdfast.agents.making.choosing import meant, spared
from holdfast.agents.making.code import CAN, beside, code, font_file
from holdfast.agents.making.fresh import create, unknown_picture
from holdfast.agents.making.libraries import PACKAGES, absent, came, chosen, writes_csv
from holdfast.agents.making.shelf import EXTENSION, KEPT, MAX_NAME_CHARS, STEMS, Shelf, of_earlier_talks, plain, typed
from holdfast.agents.making.wanted import Wanted
from holdfast.agents.texts import LANGUAGES
from holdfast.events import DoubtRaised, Event
from holdfast.extras import install
from holdfast.faculties.facts import memos
from holdfast.faculties.facts.profile import shown
from holdfast.faculties.facts.wishes import wishes
from holdfast.faculties.revisions.faculty import LibraryAsked, LibraryConfirmed, OverrideRead
from holdfast.session import Session
from holdfast.stores.protocol import SessionInfo
from holdfast.turn import Turn

AGENT = "specialist"
PATIENCE = 120
"""Seconds that a program may run: the first start of matplotlib builds its font cache."""

PUZZLED = ("unsure", "unclear", "shapes_only", "nothing", "no_such")
"""What is said where a wish was not understood: not twice in a row in the same words."""
WAITING = ("which_words", "untold", "title_only")
"""What is said where words of the person are waited for."""
MIN_WORDS = 3
"""Words from which a message tells its language."""
MAX_SESSIONS = 100
"""Earlier conversations that are looked through."""
MAX_REQUESTS, MAX_REQUEST_CHARS = 40, 200
_PLAIN = re.compile(r"[^a-z0-9]+")
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
        desk = _Desk(Shelf(self.place(chat.id), chat), turn, chat, self._run, earlier)
        lists = desk.wanted.lists()
        if (ready := _ready(turn)) and not lists:
            yield ready
            return
        first, *more = desk.work()
        told = [event.answer for event in turn.events if isinstance(event, LibraryAsked) and not lists]
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


def _spoken_in(turn: Turn, chat: Session) -> str:
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


def _worn(scene: scenes.Scene) -> tuple[object, ...]:
    """The look of a scene, which a file of plain text cannot hold."""
    shown = () if scene.kind == "text" else (scene.title,)
    return scene.color, scene.background, scene.title_color, scene.font, *shown


class _Desk:
    """One piece of work: change the scene as the message wants it, write the code, run it, and tell what came of it."""

    def __init__(self, shelf: Shelf, turn: Turn, chat: Session, run: Run, earlier: Sequence[Path]) -> None:
        self.shelf, self.turn, self.chat, self._run, self._earlier = shelf, turn, chat, run, earlier
        self.language = _spoken_in(turn, chat)
        self.wanted = Wanted(turn, chat, shelf)
        self.asked, self.reading, self.pieces = self.wanted.asked, self.wanted.reading, self.wanted.pieces
        self.scenes, self.mode = self.wanted.scenes, self.wanted.mode()

    def work(self) -> list[Said]:
        scene = self.wanted.scene()
        if greeting := courtesy(self.reading.text, () if scene is not None else self.turn.clauses):
            return [self._tell({"hello": "hello", "there": "hello", "help": "unsure"}.get(greeting, "welcome"))]
        if scene is not None and (done := self._at_once(scene)):
            return done
        ready = self._said_for_good(scene) or self._wishes_told() or self._of_earlier(scene) or self._answered(scene)
        return [ready] if ready else self._made(scene, self.wanted.kind())

    def _made(self, scene: scenes.Scene | None, kind: scenes.Kind | None) -> list[Said]:
        """What is wanted, made or changed."""
        if scene is not None and (renamed := self._renamed(scene)):
            return [renamed, *self._after_renaming(scene)]
        if scene is not None and kind is not None and self.wanted.converts(scene, kind):
            return [self._converted(scene, kind)]
        if self.wanted.is_new(scene, kind):
            return [self._created(scene, kind)]
        if scene is not None:
            return self._revised(scene, self.pieces)
        return [self._tell("nothing" if self.mode == "revision" else "unsure")]

    # What needs no change of a file.

    def _at_once(self, scene: scenes.Scene) -> list[Said]:
        """What is done before anything is asked: words that were waited for are put in, a change is taken back."""
        if self._awaited(scene):
            return [self._fulfilled(scene)]
        if not self.wanted.goes_back():
            return []
        return [self._taken_back(scene), *([self._listed()] if self.wanted.lists() else [])]

    def _awaited(self, scene: scenes.Scene) -> bool:
        """Whether a message is the words that were asked for just now."""
        last = self.chat.state.conversation.last("assistant") or ""
        asked = any(scenes.say(language, key) in last for key in WAITING for language in LANGUAGES)
        rules = (OverrideRead, LibraryConfirmed, LibraryAsked)
        waits = asked and scene.kind in scenes.PAPERS and not came(self.turn, *rules)
        return waits and self.wanted.only_says()

    def _fulfilled(self, scene: scenes.Scene) -> Said:
        """A paper with the words that it waited for."""
        words = self.turn.text.strip()
        scene.title, scene.paragraphs = (words, []) if scene.sample else (scene.title, [*scene.paragraphs, words])
        scene.sample = False
        return self._make(scene, scene.library, "revised")

    def _taken_back(self, scene: scenes.Scene) -> Said:
        """A file as it was before the last change."""
        before = self.shelf.take_back(scene.file)
        if before is None:
            return self._tell("no_earlier", file=scene.file, what=self._what(scene))
        return self._make(before, before.library, "taken_back")

    def _said_for_good(self, scene: scenes.Scene | None) -> Said | None:
        """What is wanted for all time, in a message that wants nothing else."""
        if self.mode:
            return None
        if rules := self._rules(scene):
            return self._tell("noted", rules="; ".join(rules))
        kept = [event.text for event in self.turn.events if isinstance(event, memos.WishKept)]
        if kept:
            return self._tell("wish", wishes=quoted(kept))
        return self._tell("wish_over") if came(self.turn, memos.WishEnded) else None

    def _rules(self, scene: scenes.Scene | None) -> list[str]:
        """What the person said about libraries for all time."""
        rules: dict[type[Event], str] = {memos.LibraryPinned: "always", memos.LibraryBanned: "never"}
        if self.chat.state.revisions.asked is None:
            rules[memos.LibraryLifted] = "lifted"
        if scene is None or not came(self.turn, OverrideRead):
            rules[memos.LibraryPreferred] = "prefers"
        told = [(rules[type(event)], event) for event in self.turn.events if type(event) in rules]
        named = [(rule, getattr(event, "library", ""), getattr(event, "use_case", "")) for rule, event in told]
        return [scenes.say(self.language, rule, library=library, case=case) for rule, library, case in named]

    def _wishes_told(self) -> Said | None:
        """What the person always wants, where a question is about that."""
        asked = about(self.reading, wishes(self.chat.state)) if self.mode == "question" else []
        return self._tell("wished", wishes=quoted(asked)) if asked else None

    def _of_earlier(self, scene: scenes.Scene | None) -> Said | None:
        """What an earlier conversation of the person has and this one has not: told to a question, else changed where
        that or its opening is asked for."""
        filename = self.wanted.filename()
        here = self.chat.state.files.find(filename) is not None if filename else scene is not None
        opens = self.reading.has("opens")
        if here or (self.mode == "creation" and not opens):
            return None
        found = likely(self.reading, filename, of_earlier_talks(self._earlier))
        if not found:
            return self._tell("no_such") if opens else None
        return self._taken_up(found, opens)

    def _taken_up(self, found: list[scenes.Scene], opens: bool) -> Said | None:
        if self.mode == "question" or self.reading.has("status"):
            return self._tell("earlier", files="; ".join(f"{one.file} ({self._what(one)})" for one in found[:3]))
        return self._revise(found[0], self.pieces, "again") if opens or self.mode == "revision" else None

    def _answered(self, scene: scenes.Scene | None) -> Said | None:
        """The answer to a question; it makes and changes nothing."""
        if self.wanted.lists():
            return self._listed()
        if self.asked.does("code") and not self.asked.does(*ACTS) and scene is not None:
            return Said(f"```python\n{code(scene)}```", AGENT)
        if self.mode != "question":
            return None
        told = answer(self.reading, meant(self.asked, self.scenes) or scene, self.language)
        asks = self.reading.has("polite") or not self.scenes
        return Said(told, AGENT) if told else self._tell("unsure" if asks else "no_such")

    def _listed(self) -> Said:
        files = "; ".join(f"{one.file} ({self._what(one)})" for one in self.shelf.scenes()[::-1])
        return Said(scenes.say(self.language, "so_far", files=files), AGENT)

    # Something new.

    def _created(self, scene: scenes.Scene | None, kind: scenes.Kind | None) -> Said:
        """Something new; where it brings no numbers, it takes those that are there."""
        if kind is None and scene is not None:
            return self._tell("unable", can=scenes.say(self.language, f"can_{scene.kind}"), file=scene.file)
        if kind is None:
            return self._tell("unsure")
        lead, rest = self.wanted.lead(kind)
        made = create(self.reading, lead, kind, self.language)
        if scene is not None and made.sample and scene.labels and kind not in scenes.PAPERS:
            made.topic, made.title = scene.topic, scene.title
            made.labels, made.values, made.sample = list(scene.labels), list(scene.values), False
        self._wear_wishes(made)
        if unknown_picture(lead, made):
            return self._tell("shapes_only")
        left = revise(rest, made).left
        made.file = self.wanted.filename() or self.shelf.name(made, writes_csv(self.turn))
        return self._make(made, self._library(kind, ""), "made", left)

    def _wear_wishes(self, made: scenes.Scene) -> None:
        """Give something new the look that the user always wants, where the request names no other."""
        plain = scenes.Scene(made.kind, made.file)
        for wish in wishes(self.chat.state).values():
            reading, worn = scenes.reader().read(wish), msgspec.structs.replace(plain)
            kinds = scenes.means(reading, "kind")
            if not kinds or made.kind in kinds:
                change(Asked(reading), worn)
            for name in ("color", "title_color", "background", "chart", "font", "scale"):
                if getattr(worn, name) != getattr(plain, name) and getattr(made, name) == getattr(plain, name):
                    setattr(made, name, getattr(worn, name))

    def _converted(self, scene: scenes.Scene, kind: scenes.Kind) -> Said:
        """What is at hand as another kind of file."""
        lead, rest = self.wanted.lead(kind)
        others = [one for one in self.scenes if one.kind != kind]
        scene = meant(Asked(scenes.reader().read(lead)), others, scene) or scene
        chart = "table" if scene.kind == "sheet" else scene.chart
        stem = Path(scene.file).stem
        named = scenes.say(self.language, scene.kind) if stem == STEMS.get(scene.kind, scene.kind) else stem
        title = scene.title or scene.caption or scene.topic or named.replace("_", " ").capitalize()
        made = msgspec.structs.replace(scene, kind=kind, library="", title=title, chart=chart, caption="")
        if kind == "sheet":
            made.tints, made.color, made.background, made.chart = {}, "", "white", ""
        made.file = self.shelf.free(stem, EXTENSION[kind])
        left = revise(rest, made).left
        return self._make(made, self._library(kind, ""), "made", left)

    # Changes.

    def _renamed(self, scene: scenes.Scene) -> Said | None:
        """The file under another name, where one is asked for and the type stays the same."""
        found = _FILENAME.search(self.turn.text)
        named = self._naming_part(found is not None)
        if named is None:
            return None
        name, suffix = found[0] if found else plain(named.given)[:MAX_NAME_CHARS], Path(scene.file).suffix
        if name in ("", scene.file) or Path(name).suffix not in ("", suffix):
            return None
        known, scene.file = scene.file, str(Path(name).with_suffix(suffix))
        return self._make(scene, scene.library, "renamed", known=known)

    def _naming_part(self, found: bool) -> Asked | None:
        """The part that gives a file a name: one that is spelt like a file's was found, or it is told in words."""
        calls = [piece.asked for piece in self.pieces if piece.asked.does("call", "keep")]
        names = [one for one in calls if found or (one.does("file") and one.given)]
        return next((one for one in names if one.heard), next(iter(names), None))

    def _after_renaming(self, scene: scenes.Scene) -> list[Said]:
        """What else is wanted beside another name: "call it van_costs, and add a row for tyres, 280"."""
        more = [piece for piece in self.pieces if commands(piece.text) and not piece.asked.does("call", "keep")]
        return self._revised(scene, more) if more else []

    def _revised(self, scene: scenes.Scene, pieces: Sequence[Piece]) -> list[Said]:
        """What is wanted of files that are there, each part in the file that it names, else in the one at hand."""
        files = {scene.file: scene} | {one.file: one for one in self.scenes if one.file != scene.file}
        parts = self._shared_out(pieces, [*files.values()])
        done = [self._revise(files[file], found) for file, found in parts.items()]
        return [said for said in done if said.attached.get("files")] or done[:1] or [self._puzzled(scene)]

    def _shared_out(self, pieces: Sequence[Piece], files: Sequence[scenes.Scene]) -> dict[str, list[Piece]]:
        """The parts of a message by the file that each means, without the files that shall stay."""
        spare = [one.file for piece in pieces if (one := spared(piece.asked, self.scenes))]
        parts, at_hand = dict[str, list[Piece]](), files[0]
        for piece in pieces:
            if not spared(piece.asked, self.scenes):
                at_hand = meant(piece.asked, files, at_hand) or at_hand
                parts.setdefault(at_hand.file, []).append(piece)
        return {file: found for file, found in parts.items() if file not in spare}

    def _revise(self, scene: scenes.Scene, pieces: Sequence[Piece], how: str = "revised") -> Said:
        before, worn, was = scene.library, _worn(scene), msgspec.json.encode(scene)
        outcome = revise(pieces, scene)
        if scene.file.endswith((".csv", ".txt")) and _worn(scene) != worn:
            return self._tell("plain_file", file=scene.file)
        if "author" in self.wanted.parts:
            scene.author = shown(self.chat.state).get("name", scene.author)
        library = self._library(scene.kind, before)
        if library != before:
            return self._make(scene, library, "switched")
        stays = msgspec.json.encode(scene) == was and how == "revised"
        return (self._unchanged(scene, outcome) if stays else None) or self._make(scene, library, how, outcome.left)

    def _unchanged(self, scene: scenes.Scene, outcome: Outcome) -> Said | None:
        """Why a file stays as it is, where the request changes nothing of it and does not insist on its library."""
        asked = {event.asked.override.kind for event in self.turn.events if isinstance(event, OverrideRead)}
        if asked:  # another library, whichever, or this very one
            return self._tell("no_other", library=scene.library) if "approach" in asked else None
        if came(self.turn, LibraryConfirmed):
            return self._tell("stays", library=scene.library)
        if outcome.understood and not outcome.left:
            return self._tell("already", file=scene.file, what=self._what(scene))
        return self._puzzled(scene)

    def _puzzled(self, scene: scenes.Scene) -> Said:
        """What is said to a request that nothing is understood of; where it only names a file, what that holds."""
        told = {"file": scene.file, "what": self._what(scene)}
        does = self.asked.does(*ACTS, "down", "up")
        if meant(self.asked, self.scenes) is not None and not does and not self.reading.has("act", "part"):
            return self._tell("holds", **told)
        if scene.kind in scenes.PAPERS and self.asked.does("text") and self.asked.does("add", "put", "write"):
            return self._tell("which_words")
        can = scenes.say(self.language, f"can_{scene.kind}")
        return (None if does else self._thanked()) or self._tell("unclear", can=can, **told)

    def _thanked(self) -> Said | None:
        """What is said to thanks, and to what only remarks something."""
        acts = {clause.act for clause in self.wanted.clauses}
        if not acts or not acts <= {*IDLE}:
            return None
        return self._tell("welcome" if "thanks" in acts and not self.mode else "glad")

    # The work itself, and what is told of it.

    def _library(self, kind: scenes.Kind, current: str) -> str:
        return chosen(kind, current, self.turn, self.chat)

    def _make(self, scene: scenes.Scene, library: str, how: str, left: Sequence[str] = (), known: str = "") -> Said:
        if library not in CAN[scene.kind]:
            others = ", ".join(CAN[scene.kind])
            kept = scenes.say(self.language, "kept") if scene.library else ""
            return self._tell(
                "cannot", kind=scenes.say(self.language, scene.kind), library=library, others=others, file=kept
            )
        importlib.invalidate_caches()  # what was installed a moment ago is found without a new start
        if missing := [name for name in sorted({library, *beside(scene)}) if absent(name)]:
            packages = " ".join(PACKAGES.get(name, name.lower()) for name in missing)
            return self._tell("missing", library=", ".join(missing), command=install(packages))
        scene.library = library
        scene.file = typed(scene)
        scene.requests = [*scene.requests, self.reading.text.strip()[:MAX_REQUEST_CHARS]][-MAX_REQUESTS:]
        program, folder = code(scene), self.shelf.folder
        folder.mkdir(parents=True, exist_ok=True)
        if (font := font_file(scene)) is not None:
            self.shelf.bring_font(font)
        error = self._run(program, folder)
        task = {"title": self.turn.text.strip(), "result": scenes.describe(scene)}
        if error:
            failed = {"code": program, "status": "failed", "task": {**task, "error": error}}
            return Said(scenes.say(self.language, "failed", error=error), AGENT, failed)
        self.shelf.keep(scene, known or scene.file, how == "taken_back")
        file = {"name": scene.file, "path": str(folder / scene.file), "analysis": scenes.describe(scene)}
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
        says = any(piece.asked.given == scene.title for piece in self.pieces)
        return "title_only" if how == "made" and paper and not holds and not says else ""

    def _what(self, scene: scenes.Scene) -> str:
        return scenes.describe(scene, self.language)

    def _tell(self, key: str, **values: object) -> Said:
        text = scenes.say(self.language, key, **values)
        last = self.chat.state.conversation.last("assistant")
        if text != last or key not in PUZZLED:
            return Said(text, AGENT)
        scene = self.wanted.scene()
        return Said(scenes.say(self.language, f"such_{scene.kind}" if scene is not None else "other_words"), AGENT)


maker = Maker()
"""The maker over the folder `holdfast-files` of the working directory."""
