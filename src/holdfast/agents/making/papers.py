"""How the text of a document, a PDF or slides changes: its title, its paragraphs and its headings. The words are those
of the person; it writes none of its own."""

from __future__ import annotations

import re

from holdfast.agents.making.asked import Asked
from holdfast.agents.making.rows import alike, called
from holdfast.agents.making.scenes import MAX_PARTS, PIECES, Scene, count, headings, means, paragraphs, reader
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.text import fold

MAX_TITLE_WORDS = 7
_BREAK = re.compile(r"[.!?]\s+|[,;:]\s")
BULLET = "• "


def change_text(asked: Asked, scene: Scene) -> bool:
    """Change the text as asked; gives whether anything was understood."""
    if _exchanged(asked, scene):
        return True
    if asked.removes:
        return _removed(asked, scene) or _without_title(asked, scene)
    if _names_section(asked, scene):
        return _with_sections(asked, scene)
    return bool(asked.loose) and _with_words(asked, scene)


def _removed(asked: Asked, scene: Scene) -> bool:
    """Take paragraphs out, or a thing of a line; what is written instead stands in their place."""
    if not asked.does("title", "text", "list", "row", "all", "write", "put") and _without(asked, scene):
        return True
    gone = _meant(asked, scene) or []
    words = [asked.given] if asked.given and asked.does("write", "put", "swap") else []
    scene.paragraphs = [text for n, text in enumerate(scene.paragraphs) if n not in gone]
    scene.paragraphs[min(gone, default=0) : min(gone, default=0)] = words
    return bool(gone)


def _names_section(asked: Asked, scene: Scene) -> bool:
    """Whether a new heading is wanted: "a section Food", "another called Results"."""
    heads = any(text.startswith("# ") for text in scene.paragraphs)
    part = "section" in means(asked.rest, "part") or (heads and asked.reading.has("named"))
    there = asked.does("title", "text") or (asked.given and _under(asked, scene))
    return part and not there and asked.does("add", "put", "write")


def _exchanged(asked: Asked, scene: Scene) -> bool:
    """Put some words in the place of others, wherever those stand."""
    old, new = asked.exchange()
    known = [text for text in (scene.title, *scene.paragraphs) if old and old.lower() in text.lower()]
    if known:
        there = re.compile(re.escape(old), re.IGNORECASE)
        scene.title = there.sub(lambda _: new, scene.title)
        scene.paragraphs = [there.sub(lambda _: new, text) for text in scene.paragraphs]
    return bool(known)


def _without(asked: Asked, scene: Scene) -> bool:
    """Take one of several things out of a line: of "Latte 3, Tea 2" the tea."""
    wanted = _telling(asked.given or asked.rest.text)
    for n, text in enumerate(scene.paragraphs):
        items = text.split(", ")
        kept = [item for item in items if not any(alike(word, other) for word in wanted for other in _telling(item))]
        if len(items) > 1 and len(kept) == len(items) - 1:
            scene.paragraphs[n] = ", ".join(kept)
            return True
    return False


def _without_title(asked: Asked, scene: Scene) -> bool:
    gone = asked.does("title") and bool(scene.title)
    scene.title = "" if gone else scene.title
    return gone


def _with_sections(asked: Asked, scene: Scene) -> bool:
    """New headings: by their names, by a topic, or in words that are given."""
    topic, names = asked.reading.first("topic"), headings(asked.reading, called=True)
    about = asked.reading.words(topic.groups["value"]).strip() if topic is not None else asked.loose
    names = [name for name in names or [about[:1].upper() + about[1:]] if name]
    scene.paragraphs = [*scene.paragraphs, *(f"# {name}" for name in names)][:MAX_PARTS]
    return bool(names)


def _with_words(asked: Asked, scene: Scene) -> bool:
    """Put the words that are given where they belong: into the title, in the place of a paragraph, at the end."""
    words, listed = asked.loose, asked.does("list")
    if asked.does("title") and not listed:
        scene.title, scene.sample = words, False
    elif not asked.does("text", "list", "down", "add") and _is_title(words, scene):
        head, _, rest = words.partition(",") if len(words.split()) > MAX_TITLE_WORDS else (words, "", "")
        scene.title, scene.sample = head, False
        scene.paragraphs += [rest.strip()] if rest else []
    else:
        start, end = _spot(asked, scene)
        scene.paragraphs[start:end] = _items(words) if listed else [words]
        del scene.paragraphs[MAX_PARTS:]
    return True


def _spot(asked: Asked, scene: Scene) -> tuple[int, int]:
    """Where words belong: under the heading that is named, in the place of what they stand for, else at the end."""
    if heads := _under(asked, scene):
        return heads[-1] + 1, heads[-1] + 1
    changes = asked.does("swap", "set", "be", "say") and not asked.does("add")
    old = _meant(asked, scene) if changes else None
    return (old[0], old[-1] + 1) if old else (len(scene.paragraphs), len(scene.paragraphs))


def _under(asked: Asked, scene: Scene) -> list[int]:
    """The heading that is named, with all that stands under it."""
    heads = [n for n, text in enumerate(scene.paragraphs) if text.startswith("# ")]
    named = called(asked.rest.text, [scene.paragraphs[n][2:] for n in heads])
    return _with_what_follows([heads[n] for n in named[:1]], scene)


def _items(words: str) -> list[str]:
    return [BULLET + item.strip() for item in reader().made(PIECES).split(words) if item.strip()]


def _is_title(words: str, scene: Scene) -> bool:
    """Whether words for no part in particular are the title: there is none yet, or nothing else to change."""
    return scene.sample or (not scene.paragraphs and not scene.shapes and len(words.split()) <= MAX_TITLE_WORDS)


def _meant(asked: Asked, scene: Scene) -> list[int] | None:
    """The paragraphs that are meant; none where the request speaks of no text, empty where it does not tell which."""
    heads = "section" in means(asked.rest, "part")
    places = _places(heads, scene)
    if heads or _speaks_of_text(asked):
        found = places if asked.does("all") and asked.does("text", "list") else _chosen(asked, scene, places)
        return _with_what_follows(found, scene) if heads else found
    return (_worded(asked, "", scene, places) or None) if asked.removes and not asked.does("title") else None


def _places(heads: bool, scene: Scene) -> list[int]:
    """Where the headings stand, or all that is none."""
    return [n for n, text in enumerate(scene.paragraphs) if text.startswith("# ") == heads]


def _speaks_of_text(asked: Asked) -> bool:
    """Whether a request speaks of text: it says so, or gives the words that go."""
    return asked.does("text", "list", "row", "all") or bool(asked.given and asked.removes)


def _chosen(asked: Asked, scene: Scene, places: list[int]) -> list[int]:
    words = asked.given if not asked.does("write", "put") else ""
    chosen = [places[n] for n in asked.place(len(places))] or _worded(asked, words, scene, places)
    if chosen or len(places) < 2:
        return chosen or places[: not (asked.given and asked.removes)]
    return places[-1:] if asked.does("down") else places[: asked.does("up")]


def _with_what_follows(found: list[int], scene: Scene) -> list[int]:
    """A section ends at the next heading."""
    last = next((n for n in found), None)
    if last is None:
        return found
    ends = (n for n, text in enumerate(scene.paragraphs) if n > last and text.startswith("# "))
    return list(range(last, next(ends, len(scene.paragraphs))))


def _worded(asked: Asked, words: str, scene: Scene, places: list[int]) -> list[int]:
    """The paragraphs that share most words with what is said."""
    said = _telling(words) or _telling(asked.rest.text)
    enough = len(said) / 2 if words else 1
    known = ((n, _telling(scene.paragraphs[n])) for n in places)
    shared = [(sum(any(alike(word, other) for other in own) for word in said), -n) for n, own in known]
    most, place = max(shared, default=(0, 0))
    return [-place] if most and most >= enough else []


def _telling(text: str) -> list[str]:
    """The words that tell something, and no part of a file."""
    found = Asked(reader().read(text))
    pairs = zip(reader().read(text).find(tokens_of), found.roles, strict=True)
    return [fold(token.word) for token, role in pairs if not role and len(token.word) > 2]


def shortened(scene: Scene) -> bool:
    """Leave the first half of a text."""
    before = len(scene.paragraphs)
    scene.paragraphs = scene.paragraphs[: (before + 1) // 2]
    return len(scene.paragraphs) < before


def _without_small(text: str) -> str:
    """A text without the small words at its end: "a notice to tenants about"."""
    asked = Asked(reader().read(text))
    ends = [token.end for token, role in zip(asked.tokens, asked.roles, strict=True) if not role]
    return text[: max(ends, default=len(text))]


def _named(asked: Asked) -> str:
    """The name that a new paper gets beside its text: "a PDF called Trip plan that says …"."""
    cue = asked.rest.first("named")
    if cue is None or cue.end > asked.span[0]:
        return ""
    inner = [n for n, token in enumerate(asked.tokens) if cue.end <= token.start < asked.span[0]]
    while inner and (asked.roles[inner[-1]] & {"say", "small", "link", "be"} or asked.tokens[inner[-1]].shape == "."):
        del inner[-1]
    return asked.reading.text[cue.end : asked.tokens[inner[-1]].end].strip() if inner else ""


def written(asked: Asked, scene: Scene, lead: str) -> None:
    """The text of something new: what it shall say, else what the request tells of it, in the words of the person."""
    names, listed = headings(asked.reading), asked.does("list")
    if not asked.given and _lists(lead):
        scene.paragraphs = _items(lead)
        return
    head, rest = _head_and_rest(asked if not (names or listed) else None, scene, lead)
    scene.title = head.strip()[:1].upper() + head.strip()[1:]
    scene.paragraphs = [rest.strip()] if rest.strip() and not names else []
    scene.paragraphs += _made_up(asked, scene)
    scene.paragraphs += [f"# {name}" for name in names] + (_items(asked.given) if listed else [])


def _lists(lead: str) -> bool:
    """Whether what is told is but a list of short things: "milk, bread, olive oil"."""
    items = lead.split(",")
    return len(items) > 2 and all(len(item.split()) <= 2 for item in items)


def _made_up(asked: Asked, scene: Scene) -> list[str]:
    """The paragraphs that are asked for by their number and not by their words."""
    if asked.given or "paragraph" not in means(asked.rest, "part"):
        return []
    return paragraphs(scene, scene.topic or scene.title, count(asked.reading, "paragraph"), 1)


def _head_and_rest(asked: Asked | None, scene: Scene, lead: str) -> tuple[str, str]:
    """The title and the text: a name and the words that are given, or the first of what is told and the rest of it."""
    if asked is not None and asked.given:
        if called := _named(asked):
            return called, asked.given
        head, *rest = _BREAK.split(asked.given, maxsplit=1) if _is_long(asked.given) else [asked.given]
        return head, "".join(rest)
    head, _, more = lead.partition(",")
    title, topic, tail = head.partition(scene.topic) if scene.topic else (head, "", "")
    if _is_long(head) and len(title.split()) > 1:  # "a notice to tenants about the water being off"
        return _without_small(title), f"{topic}{tail}"[:1].upper() + f"{topic}{tail}"[1:]
    return head, more


def _is_long(text: str) -> bool:
    return len(text.split()) > MAX_TITLE_WORDS
