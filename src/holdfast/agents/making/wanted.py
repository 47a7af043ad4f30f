"""What a message wants of the files of a conversation: something new, a change, what is there in another format, an
earlier version, a list of them, or an answer."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.agents.making.asked import ACTS, WANTS, Asked, Piece, commands, pieces
from holdfast.agents.making.choosing import meant
from holdfast.agents.making.fresh import create, subject
from holdfast.agents.making.libraries import came
from holdfast.agents.making.rows import given
from holdfast.agents.making.scenes import PAPERS, Kind, Scene, kind_of, reader
from holdfast.agents.making.shelf import Shelf
from holdfast.faculties.aims.files import Request
from holdfast.faculties.revisions.faculty import LibraryConfirmed, OverrideRead
from holdfast.reading.reader import Reading, begins_in
from holdfast.session import Session
from holdfast.turn import Turn


class Wanted:
    """A message taken apart, over what the files of the conversation hold."""

    def __init__(self, turn: Turn, chat: Session, shelf: Shelf) -> None:
        self.turn, self.scenes = turn, shelf.scenes()
        self.request: Request | None = chat.state.files.request
        waited = self.request.continues if self.request is not None and self.request.mode else ""
        self.reading: Reading = reader().read(waited or turn.text)
        self.acts, self.parts = ({cue.means for cue in self.reading.all(family)} for family in ("act", "part"))
        self.clauses = () if waited else turn.clauses
        self.asked = Asked(self.reading)
        whole = [Piece(self.reading.text, True, self.asked)]
        self.pieces = pieces(self.reading, self.clauses) if self.clauses else whole

    def scene(self) -> Scene | None:
        """The scene of the file that is meant, else of the newest one."""
        target = self.request.target if self.request is not None and self.request.named else None
        named = next((one for one in self.scenes if target and one.file == target and not self.asked.given), None)
        return named or meant(self.asked, self.scenes) or next(iter(self.scenes), None)

    def filename(self) -> str | None:
        """The file name that is given."""
        return self.request.filename if self.request is not None else None

    def kind(self) -> Kind | None:
        """The kind of thing that is spoken of; a word that is given for a file names none."""
        named = {kind_of(piece.asked.rest) for piece in self.pieces}
        order: tuple[Kind, ...] = (*PAPERS, "sheet", "chart", "image")
        writes = not self.scenes and self.asked.given and self.asked.does(*ACTS)
        words: Kind | None = "document" if writes else None
        return next((kind for kind in order if kind in named), words)  # "write a note: …" is a document

    def mode(self) -> str:
        """What the message wants of a file. A polite question wants it made: "can you draw me a circle?"."""
        mode = str(self.request.mode if self.request is not None else "")
        if self.scenes and self.asked.does("did") and not self.asked.given:
            return "question"  # "did you undo that?"
        return "revision" if mode == "creation" and self._is_of_what_is_there() else mode

    def lists(self) -> bool:
        """Whether it is asked which files there are."""
        return bool(self.scenes) and self.reading.has("status")

    def goes_back(self) -> bool:
        """Whether the last change is taken back: in so many words, or by a part that returns to what was."""
        if came(self.turn, OverrideRead, LibraryConfirmed):
            return False
        acts = {clause.act for clause in self.clauses}
        returns = "returns" in acts and acts.isdisjoint(WANTS) and not self.reading.has("kind")
        return returns or self._undoes()

    def _undoes(self) -> bool:
        asks = [(clause.start, clause.end) for clause in self.clauses if clause.act == "asks"]
        undoes = [cue for cue in self.reading.all("act") if cue.means == "undo" and not begins_in(cue.start, asks)]
        return bool(undoes) and not self.asked.does("did")

    def is_new(self, scene: Scene | None, kind: Kind | None) -> bool:
        """Whether something new is wanted, and no part of what is there ("add a slide"). Where nothing is there yet, a
        kind alone is enough to say so."""
        mode = self.mode()
        if scene is None:
            return mode == "creation" if mode else kind is not None and "?" not in self.turn.text
        adds_part = "add" in self.acts and bool(self.parts & {"section", "paragraph", "row"})
        removes = any(piece.asked.removes for piece in self.pieces)
        return mode == "creation" and not removes and not (kind == scene.kind and adds_part)

    def converts(self, scene: Scene, kind: Kind) -> bool:
        """Whether what is at hand is wanted as another kind of file: "make it a PDF", "the same in Word"."""
        fits = kind in PAPERS or (kind == "sheet" and bool(scene.labels))
        if kind == scene.kind or not fits or given(self.reading):
            return False
        lead = reader().read(self.lead(kind)[0])
        if subject(lead, "en")[0]:
            return False
        same = lead.has("embeds", "same") or "convert" in self.acts
        return same or (self.mode() == "creation" and not _tells_more(lead, kind))

    def lead(self, kind: Kind) -> tuple[str, list[Piece]]:
        """The part that names what is to be made, with what is told of it, and the parts that say how it shall be."""
        names = self._naming(kind)
        apart = [piece for piece in self.pieces if piece not in names and _says_how(piece, kind)]
        if kind not in PAPERS:
            return names[0].text, apart
        first = next(n for n, piece in enumerate(self.pieces) if piece.wanted or piece in names)
        return _in_a_row([piece.text for piece in self.pieces[first:] if piece not in apart]), apart

    def _naming(self, kind: Kind) -> list[Piece]:
        """The part that names a kind of thing, else the first one."""
        return [piece for piece in self.pieces if kind_of(piece.asked.rest) == kind][:1] or self.pieces[:1]

    def only_says(self) -> bool:
        """Whether a message is nothing but words for a file: it asks for nothing, and names nothing."""
        said = Asked(reader().read(self.turn.text))
        return not (said.given or said.does(*ACTS) or "?" in self.turn.text or commands(self.turn.text))

    def _is_of_what_is_there(self) -> bool:
        """Whether what sounds new is a change of a file that is there: no kind of thing is named, or "the" one."""
        does = self.asked.given or self.asked.does(*ACTS, "leave", "say") or self.reading.has("color", "size", "place")
        if not self.scenes or self.reading.has("same") or not does:
            return False
        return self._all_known()

    def _all_known(self) -> bool:
        """Whether every kind of thing is spoken of as one that is there."""
        pairs = zip(self.asked.tokens, self.asked.roles, strict=True)
        definite = {token.end + 1 for token, role in pairs if "known" in role}
        known = all(cue.start in definite for cue in self.reading.all("kind"))
        return known and not any(piece.asked.rest.has("shape") for piece in self.pieces)


def _in_a_row(texts: Iterable[str]) -> str:
    """Parts of a message as one, with a sign behind each."""
    return " ".join(f"{text}," if text[-1:].isalnum() else text for text in texts).rstrip(",")


def _tells_more(lead: Reading, kind: Kind) -> bool:
    """Whether a request for something new tells more of what shall be in it than one word."""
    made = create(lead, lead.text, kind, "en")
    return kind == "sheet" or bool(made.shapes) or not (made.sample or len([*made.title.split(), *made.paragraphs]) < 2)


def _says_how(piece: Piece, kind: Kind) -> bool:
    """Whether a part says how something new shall be, and not what."""
    if kind in ("chart", "sheet"):
        return False
    if kind == "image":
        return bool(piece.asked.given) and not piece.asked.rest.has("shape")
    looks = piece.wanted and piece.asked.reading.has("color", "size")
    return looks or bool(piece.asked.given) or commands(piece.text)
