"""Something new, read from a request: what it is about, its shapes, its numbers or its text."""

from __future__ import annotations

import re

from holdfast.agents.making.asked import ACTS, Asked
from holdfast.agents.making.code import CAN
from holdfast.agents.making.papers import written
from holdfast.agents.making.rows import given
from holdfast.agents.making.scenes import PAPERS, QUOTED, Kind, Scene, form_of, hues, reader, say, shade, shapes
from holdfast.agents.texts import texts
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Cue, Reading, Span, begins_in, touches
from holdfast.reading.values import trimmed

MAX_TOPIC_WORDS = 6
_LOOKS = ("color", "size", "part", "shape", "same")
_ENDS = re.compile(r"[,.:;!?]")
_LIBRARY = re.compile("|".join(re.escape(name.lower()) for names in CAN.values() for name in names))
_COUNTED = re.compile(r"\d")
_SOCIAL = frozenset({"requestverb", "wantphrase", "greeting", "politeness", "reaction", "yes", "no", "forgetphrase"})


def unknown_picture(lead: str, scene: Scene) -> bool:
    """Whether a picture was asked for that has nothing in it which can be drawn: "draw a house"."""
    if scene.kind != "image" or scene.shapes or scene.caption or scene.background != "white":
        return False
    return bool(scene.topic or _matter(reader().read(lead), scene))


def create(reading: Reading, lead: str, kind: Kind, language: str) -> Scene:
    """A new scene from a request, about what it names, else what is given; `lead` is the part that names its kind."""
    scene, asked = Scene(kind, "", language=language), Asked(reader().read(lead))
    scene.topic, scene.title = subject(reading, language)
    if kind == "image":
        scene.shapes = shapes(asked.rest if asked.given else reading)
        scene.caption = asked.given if asked.does("say", "write", "title", "text") else ""
        shade(reading, scene)
    elif kind in PAPERS:
        written(asked, scene, _matter(asked.rest, scene))
        scene.sample = not scene.title and not scene.paragraphs
        scene.title = scene.title or (say(language, "document").capitalize() if scene.sample else "")
    else:
        _tabled(reading, asked, scene)
    return scene


def _tabled(reading: Reading, asked: Asked, scene: Scene) -> None:
    """A chart or a sheet: its numbers, its columns, what it is of, its colour."""
    scene.chart = form_of(reading) if scene.kind == "chart" else ""
    if scene.kind == "sheet":
        scene.columns = [say(scene.language, "column_name"), say(scene.language, "column_value")]
    plot(reading, scene)
    if not scene.topic and not reading.has("same"):
        scene.topic = _purpose(asked.rest, scene)
        scene.title = scene.topic[:1].upper() + scene.topic[1:]
    scene.color = next((cue.means for cue in reading.find(hues)), "")


def subject(reading: Reading, language: str) -> tuple[str, str]:
    """What a new file is about, and its title: the words in quotes, else the topic."""
    topics = [cue for cue in reading.all("topic") if not _is_other(reading, cue)]
    topic, quoted = next(iter(topics), None), QUOTED.search(reading.text)
    if topic is None:
        return "", quoted[1] if quoted else ""
    about = named = reading.words(topic.groups["value"]).strip()
    if "topic_whole" in texts("maker", language):
        named = reading.words((topic.start, topic.groups["value"][1]))
    return about, quoted[1] if quoted else named[:1].upper() + named[1:]


def _is_other(reading: Reading, topic: Cue) -> bool:
    """Whether what looks like a topic is a place ("a circle on the left"), what is there ("a chart of that"), a number
    or a form ("gráfico de barras")."""
    start, end = span = topic.groups["value"]
    placed = any(topic.start <= cue.start < topic.end for cue in reading.all("place"))
    form = touches(span, [cue.span for cue in (*reading.all("part"), *reading.all("kind"))]) or _COUNTED.match(
        reading.words(span).lstrip()
    )
    return placed or bool(form) or any(same.start <= start and end <= same.end + 1 for same in reading.all("same"))


def _matter(reading: Reading, scene: Scene) -> str:
    """What a request tells of a new paper beside that one is wanted: "a notice for the yard, a cat is lost"; where that
    is hardly more than what it is about, its title."""
    formats = _formats(reading)
    at = _begins(reading, formats)
    later = [span for span in formats if span[0] >= at]
    gaps = zip([at, *(end for _, end in later)], [*(start for start, _ in later), len(reading.text)], strict=True)
    said = reader().read(" ".join(reading.text[a:b].strip() for a, b in gaps))
    found = said.words(trimmed(said, (0, len(said.text)))).strip(" ,.;:!?-")
    before, topic, after = found.partition(scene.topic) if scene.topic else (found, "", "")
    if not topic or len(before.split()) > 1:
        return found
    more = after.partition(",")[2].strip()
    return f"{scene.title}, {more}" if more else scene.title


def _begins(reading: Reading, formats: list[Span]) -> int:
    """Where what is wanted begins: behind the words that only ask for it."""
    asked, at = Asked(reading), 0
    for token, role in zip(asked.tokens, asked.roles, strict=True):
        light = role & {*ACTS, "small", "be", "link", "can"} or _SOCIAL & {*token.kinds} or token.shape == "."
        if not light and not begins_in(token.start, formats):
            break
        at = token.end
    return at


def _purpose(reading: Reading, scene: Scene) -> str:
    """What a chart or a sheet is of, where no topic says it: "a table with the costs of the flat"."""
    head = _ENDS.split(_matter(reading, scene))[0].strip()
    asked = Asked(reader().read(head))
    plain = len(head.split()) <= MAX_TOPIC_WORDS and not asked.does(*ACTS) and not asked.reading.has(*_LOOKS)
    return head if plain and not _COUNTED.search(head) and head not in scene.labels else ""


def _formats(reading: Reading) -> list[Span]:
    """The words for the format of a paper, with what leads to them: "in Word", "en pdf", "a report"."""
    spans: list[Span] = []
    tokens = {token.end: token for token in reading.find(tokens_of)}
    known = {token.start: role for token, role in zip(reading.find(tokens_of), Asked(reading).roles, strict=True)}
    libraries = [hit.span() for hit in _LIBRARY.finditer(reading.folded)]
    for first, end in sorted({*(cue.span for cue in reading.all("kind")), *libraries}):
        start = first
        while (before := tokens.get(len(reading.text[:start].rstrip()))) and known[before.start] & {"link", "small"}:
            start = before.start
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def plot(reading: Reading, scene: Scene) -> None:
    """The numbers of a request, each with its name; without any, examples that say so."""
    pairs = given(reading)
    if pairs:
        scene.labels, scene.values = [p[0] for p in pairs], [p[1] for p in pairs]
        scene.sample = False
    elif not scene.labels:
        scene.labels, scene.values, scene.sample = ["A", "B", "C"], [3.0, 5.0, 2.0], True
    scene.chart = scene.chart or "bar"
