"""How the text of a document, a PDF or slides changes: its title, its paragraphs and its headings. The words are those
of the person; it writes none of its own."""

from __future__ import annotations

import re

from holdfast.agents.making.asked import Asked
from holdfast.agents.making.rows import called
from holdfast.agents.making.scenes import MAX_PARTS, Scene, headings, means, say
from holdfast.reading.values import numbers

MAX_TITLE_WORDS = 7
_BREAK = re.compile(r"[.!?]\s+|[,;:]\s")


def change_text(asked: Asked, scene: Scene) -> bool:
    """Change the text as asked; gives whether anything was understood."""
    if _exchanged(asked, scene):
        return True
    if asked.removes:
        return _removed(asked, scene)
    if _names_section(asked, scene):
        return _with_sections(asked, scene)
    return bool(asked.given) and _with_words(asked, scene)


def _exchanged(asked: Asked, scene: Scene) -> bool:
    """Put some words in the place of others, wherever those stand."""
    old, new = asked.exchange()
    known = [text for text in (scene.title, *scene.paragraphs) if old and old.lower() in text.lower()]
    if known:
        there = re.compile(re.escape(old), re.IGNORECASE)
        scene.title = there.sub(lambda _: new, scene.title)
        scene.paragraphs = [there.sub(lambda _: new, text) for text in scene.paragraphs]
    return bool(known)


def _removed(asked: Asked, scene: Scene) -> bool:
    """Take paragraphs out, or the title."""
    gone = _meant(asked, scene)
    untitled = not gone and asked.does("title") and bool(scene.title)
    scene.paragraphs = [text for n, text in enumerate(scene.paragraphs) if n not in gone]
    scene.title = "" if untitled else scene.title
    return bool(gone) or untitled


def _meant(asked: Asked, scene: Scene) -> list[int]:
    """The paragraphs that are named or counted, or all; of a section all that stands under its heading."""
    heads = "section" in means(asked.rest, "part")
    places = [n for n, text in enumerate(scene.paragraphs) if text.startswith("# ") == heads]
    if not heads and not asked.does("text", "row", "all"):
        return []
    chosen = _chosen(asked, [scene.paragraphs[n] for n in places])
    ends = [*places[1:], len(scene.paragraphs)] if heads else [place + 1 for place in places]
    return [at for n in chosen for at in range(places[n], ends[n])]


def _chosen(asked: Asked, texts: list[str]) -> list[int]:
    """Which of some texts are named or counted; of one or where all are meant, all."""
    if asked.does("all") or len(texts) < 2:
        return [*range(len(texts))]
    return called(asked.rest.text, texts) or asked.place(len(texts))


def _names_section(asked: Asked, scene: Scene) -> bool:
    """Whether a new heading is wanted: "a section Food", "another called Results"."""
    heads = any(text.startswith("# ") for text in scene.paragraphs)
    part = "section" in means(asked.rest, "part") or (heads and asked.reading.has("named"))
    return part and asked.does("add", "put", "write") and not asked.does("title", "text")


def _with_sections(asked: Asked, scene: Scene) -> bool:
    """New headings: by their names, by a topic, or in words that are given."""
    topic, names = asked.reading.first("topic"), headings(asked.reading, called=True)
    about = asked.reading.words(topic.groups["value"]).strip() if topic is not None else asked.given
    names = [name for name in names or [about[:1].upper() + about[1:]] if name]
    scene.paragraphs = [*scene.paragraphs, *(f"# {name}" for name in names)][:MAX_PARTS]
    return bool(names)


def _with_words(asked: Asked, scene: Scene) -> bool:
    """Put the words that are given where they belong: into the title, in the place of a paragraph, at the end."""
    bare = not scene.paragraphs and not scene.shapes and not _is_long(asked.given)
    if asked.does("title") or (not asked.does("text", "down", "add") and (scene.sample or bare)):
        scene.title, scene.sample = asked.given, False
        return True
    changes = asked.does("swap", "set", "be", "say") and not asked.does("add")
    old = _meant(asked, scene) if changes else []
    start, end = (old[0], old[-1] + 1) if old else (MAX_PARTS, MAX_PARTS)
    scene.paragraphs[start:end] = [asked.given]
    del scene.paragraphs[MAX_PARTS:]
    return True


def shortened(scene: Scene) -> bool:
    """Leave the first half of a text."""
    before = len(scene.paragraphs)
    scene.paragraphs = scene.paragraphs[: (before + 1) // 2]
    return len(scene.paragraphs) < before


def written(asked: Asked, scene: Scene, lead: str) -> None:
    """The text of something new: what it shall say, else what the request tells of it, in the words of the person."""
    names = headings(asked.reading)
    head, rest = _given(asked.given) if asked.given and not names else lead.partition(",")[::2]
    scene.title = head.strip()[:1].upper() + head.strip()[1:]
    scene.paragraphs = [rest.strip()] if rest.strip() and not names else []
    scene.paragraphs += [*_made_up(asked, scene), *(f"# {name}" for name in names)]


def _given(words: str) -> tuple[str, str]:
    """The title and the text of words that are given: the first of them, where they are many, and the rest."""
    head, *rest = _BREAK.split(words, maxsplit=1) if _is_long(words) else [words]
    return head, "".join(rest)


def _made_up(asked: Asked, scene: Scene) -> list[str]:
    """Places for the paragraphs that are asked for by their number and not by their words."""
    cue = next((cue for cue in asked.reading.all("part") if cue.means == "paragraph"), None)
    if asked.given or cue is None:
        return []
    before = [int(n.value) for n in asked.reading.find(numbers) if 0 <= cue.start - n.span[1] <= 12]
    many = max(1, min(before[-1], MAX_PARTS)) if before else 1
    return [say(scene.language, "para", number=n + 1, topic=scene.topic or scene.title) for n in range(many)]


def _is_long(text: str) -> bool:
    return len(text.split()) > MAX_TITLE_WORDS
