"""The shelf: the files of a conversation, what each of them holds and held before, and every version that was made."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

from holdfast.agents.making.code import WRITES
from holdfast.agents.making.scenes import PAPERS, Scene
from holdfast.agents.texts import latin
from holdfast.session import Session

MAX_EARLIER = 200
"""Files of earlier conversations that are looked through."""
BEFORE = ".before"
"""Marks what a file held before its last changes."""
MAX_BACK = 30
"""Changes of a file that can be taken back."""
MAX_NAME_CHARS = 40
KEPT = ".versions"
"""Where every version stays when the next one takes its place."""
EXTENSION = dict.fromkeys(("image", "chart"), "png")
EXTENSION |= {"sheet": "xlsx", "document": "docx", "pdf": "pdf", "slides": "pptx", "text": "txt"}
STEMS = {"pdf": "document", "slides": "presentation"}
_PLAIN = re.compile(r"[^a-z0-9]+")
_COUNTED = re.compile(r"\s+\d[\d.,]*$")


class Shelf:
    """The folder of a conversation. What a file holds lies beside it, so that a revision finds it after any pause."""

    def __init__(self, folder: Path, chat: Session) -> None:
        self.folder, self._chat = folder, chat

    def scenes(self) -> list[Scene]:
        """What the files of this conversation hold, the newest first."""
        places = [self._place(file.name) for file in self._chat.state.files.newest]
        return [_held(at) for at in places if at.is_file()]

    def keep(self, scene: Scene, known: str, back: bool) -> None:
        """Keep what a file holds; `known` is the name that it had before, `back` says that a change was taken back."""
        if self._place(known).is_file() and not back:
            self._write_earlier(scene.file, [*self.earlier(known), _held(self._place(known))][-MAX_BACK:])
        if known != scene.file:
            self._place(known).unlink(missing_ok=True)
        self._place(scene.file).write_bytes(msgspec.json.encode(scene))
        (self.folder / KEPT).mkdir(exist_ok=True)
        version = self._chat.state.version + 1  # the message that brings the file comes next
        shutil.copyfile(self.folder / scene.file, self.folder / KEPT / f"{version}-{scene.file}")

    def earlier(self, file: str) -> list[Scene]:
        """What a file held before its changes, oldest first."""
        place = self._place(file, BEFORE)
        return msgspec.json.decode(place.read_bytes(), type=list[Scene]) if place.is_file() else []

    def take_back(self, file: str) -> Scene | None:
        """What a file held before its last change, which is then forgotten."""
        versions = self.earlier(file)
        if not versions:
            return None
        self._write_earlier(file, versions[:-1])
        return versions[-1]

    def name(self, scene: Scene, csv: bool) -> str:
        """A file name from what it shows."""
        words = plain(_told_by(scene)) or STEMS.get(scene.kind, scene.kind)
        if len(words) > MAX_NAME_CHARS:
            words = words[: MAX_NAME_CHARS + 1].rpartition("_")[0] or words[:MAX_NAME_CHARS]
        return self.free(words, "csv" if scene.kind == "sheet" and csv else EXTENSION[scene.kind])

    def free(self, words: str, extension: str) -> str:
        """A file name that is not taken."""
        known = {file.name for file in self._chat.state.files.files}
        number = 1
        while (name := f"{words}{f'_{number}' if number > 1 else ''}.{extension}") in known:
            number += 1
        return name

    def bring_font(self, file: str) -> None:
        """Put a font beside the file: those that matplotlib brings have the letters of many languages."""
        found = importlib.util.find_spec("matplotlib")
        if found is not None and found.origin and not (self.folder / file).is_file():
            place = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / file
            (self.folder / file).write_bytes(place.read_bytes())

    def _write_earlier(self, file: str, versions: list[Scene]) -> None:
        self._place(file, BEFORE).write_bytes(msgspec.json.encode(versions))

    def _place(self, file: str, which: str = "") -> Path:
        return self.folder / f".{file}{which}.json"


def of_earlier_talks(folders: Iterable[Path]) -> list[Scene]:
    """What was made in earlier conversations, the newest first."""
    paths = [path for folder in folders for path in folder.glob(".*.json") if BEFORE not in path.name]
    newest = sorted(paths, key=lambda path: -path.stat().st_mtime)[:MAX_EARLIER]
    return [_held(path) for path in newest]


def typed(scene: Scene) -> str:
    """The file of a scene with the ending that its library writes."""
    path, own = Path(scene.file), WRITES.get(scene.library)
    if own is not None:
        return str(path.with_suffix(f".{own}"))
    other = path.suffix[1:] in WRITES.values() or (path.suffix == ".csv" and scene.library == "openpyxl")
    return str(path.with_suffix(f".{EXTENSION[scene.kind]}")) if other else scene.file


def plain(words: str) -> str:
    """Words as a file name in plain letters."""
    return _PLAIN.sub("_", latin(words)).strip("_")


def _held(place: Path) -> Scene:
    return msgspec.json.decode(place.read_bytes(), type=Scene)


def _told_by(scene: Scene) -> str:
    """What a new file is called by: its title or topic, or the first of its shapes."""
    shape = f"{scene.shapes[0].color} {scene.shapes[0].form}" if scene.shapes else ""
    topic = _COUNTED.sub("", scene.topic)  # "a pie chart of apples 3, pears 5" is about apples
    title = "" if scene.sample else scene.title
    names = (title, topic, shape) if scene.kind in PAPERS else (topic, title, shape)
    return next(filter(None, names), "")
