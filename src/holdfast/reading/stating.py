"""What a person says of themselves in so many words: name, role, home, age, tastes, plans. The pattern tells the slot;
what is looked at here is whether the words after it can be such a value at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from holdfast.reading.asserting import MOST_CUES, Act, Statement, asserted, asserts, value_of
from holdfast.reading.clauses import clause, count, cut, first, short, tokens
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.terms import kind, known_terms, term_at
from holdfast.reading.text import fold
from holdfast.reading.using import only_a_word
from holdfast.reading.values import standing_alone

_AND = Shape(r"\s%memory.and%\s")
_EMPLOYED = Shape(r"\s%memory.at%\s+")
_FROM = Shape(r"\s%memory.from%\s+")
_TIME = Shape(r"\d|(?:^|\W)%memory.weekdays%")
"""A number, or a day by its name."""
_ROLE_END = Shape(r"%memory.role_endings%$")
_ARTICLED = Shape(r"\b%memory.before_roles%\s+$")


def states(reading: Reading) -> Iterator[Statement]:
    """Values whose pattern says which slot they fill."""
    for cue in reading.all("states")[:MOST_CUES]:
        name, place = value_of(cue)
        if place is None or not asserted(reading, cue, place) or _only_dates(reading, cue):
            continue
        slot, span, extra = _filled(reading, cue, name, place)
        if not slot or span[1] <= span[0]:
            continue
        act: Act = "rejects" if "dislike" in cue.traits else "past" if "past" in cue.traits else "states"
        yield asserts(reading, cue, slot, extra or _worded(reading, slot, name, span), span, act)
        if slot == "role":
            yield from _beside_role(reading, cue, span)
        if slot in ("speaks", "allergy", "likes") and (more := _and(reading, span)) is not None:
            yield asserts(reading, cue, slot, reading.words(more).strip(" ."), more, act)


def _filled(reading: Reading, cue: Cue, name: str, place: Span) -> tuple[str, Span, str]:
    """The slot that a cue fills, or none, where its value stands, and the value where it is known by name."""
    slot = cue.means
    whole = slot == "said" or name.startswith("as_")  # a value that the pattern holds whole, "don't smoke" with its no
    if not whole and any(no.start == place[0] for no in reading.all("negation")):
        return "", place, ""  # "my favourite colour is not blue" says nothing about which it is
    span = place if whole else cut(reading, place, slot)
    if slot == "said":
        return *_fitting(reading, cue, "note", span), ""  # "…, remember that": what was said before it
    if slot != "kind":
        return *_fitting(reading, cue, slot, span), ""
    term = term_at(reading, span)
    if term is None and "is_my" in cue.traits:
        return "", span, ""  # what stands before "is my editor" must be known to be a name
    slot = kind(reading, cue.groups.get("kind"))
    return (slot, term.span, term.value) if term else (slot, short(reading, span), "")


def _only_dates(reading: Reading, cue: Cue) -> bool:
    """ "When I was a student" says when something else was."""
    return any(then.start < cue.start < then.end for then in reading.all("dated"))


def _fitting(reading: Reading, cue: Cue, slot: str, span: Span) -> tuple[str, Span]:
    """The slot that the value really fills, or none: "I am tired" is no name and "I like it" no taste."""
    if slot in ("favourite", "family"):
        return _of_somebody(reading, cue, slot, span), span
    fits = _FITS.get(slot)
    return (slot if fits is None or fits(reading, cue, span) else ""), span


def _of_somebody(reading: Reading, cue: Cue, slot: str, span: Span) -> str:
    """The slot of a favourite or a relative; none for "this is my favourite" and "my sister is coming along"."""
    who = cue.groups.get("who")
    points = "as_it" in cue.groups and first(reading, span) in reading.phrases("memory", "pronouns")
    if points or (who and slot == "family" and not reading.words(span)[:1].isupper()):
        return ""
    return f"{slot}/{reading.folded[slice(*who)].strip().replace(' ', '_')}" if who else slot


def _is_liked(reading: Reading, cue: Cue, span: Span) -> bool:
    if cue.means != "speaks" and _is_tool(reading, span):
        return False
    return first(reading, span) not in reading.phrases("memory", "not_values") and count(reading, span) <= 6


def _is_employer(reading: Reading, cue: Cue, span: Span) -> bool:
    over = "past" in cue.traits or not {"been", "been_now"}.isdisjoint(cue.groups)
    if over and not reading.words(span)[:1].isupper():
        return False
    return first(reading, span) not in reading.phrases("memory", "pronouns", "not_employers")


def _and(reading: Reading, span: Span) -> Span | None:
    """The second value of a list of two: "German and French"."""
    joined = reading.reader.made(_AND).match(reading.folded, span[1])
    if joined is None:
        return None
    more = cut(reading, (joined.end(), joined.end() + 1), "likes")
    outside = reading.phrases("memory", "not_values", "pronouns")
    fits = 0 < count(reading, more) <= 3 and first(reading, more) not in outside
    return more if fits and first(reading, more) not in reading.reader.phrases("memory", "people") else None


def _worded(reading: Reading, slot: str, name: str, span: Span) -> str:
    """The value as it is kept: as typed, except where what was said of it is part of it."""
    words = reading.words(span).strip(" .")
    if slot == "diet" and name == "no":
        return reading.wording("memory", "none_of", what=words)
    if slot in reading.data("memory_forms"):
        return standing_alone(reading, slot, words)
    if slot == "age":
        return re.sub(r"\D.*", "", words) or words
    if slot == "event":
        event = "presentation_on" if name.startswith("presentation") else "event_on"
        return reading.wording("memory", event, when=words)
    return words


def _beside_role(reading: Reading, cue: Cue, role: Span) -> Iterator[Statement]:
    """ "I'm a developer at Acme", "I'm a teacher from Ohio": employer and origin stand after the role."""
    for slot, lead in (("employer", _EMPLOYED), ("origin", _FROM)):
        if hit := reading.reader.made(lead).match(reading.folded, role[1], role[1] + 12):
            span = cut(reading, (hit.end(), hit.end() + 1), "home")
            if reading.words(span)[:1].isupper() and not term_at(reading, span):
                yield asserts(reading, cue, slot, reading.words(span), span)


_NAMED = frozenset({"my_name", "call_me"})


def _is_name(reading: Reading, cue: Cue, span: Span) -> bool:
    words = [reading.words(t) for t in tokens(reading, *span)]
    folded = [fold(word) for word in words]
    if not 0 < len(words) <= 3 or (reading.text.isupper() and len(reading.tokens) > 3):
        return False
    if _never_a_name(reading, cue, folded):
        return False
    calls, given = reading.reader.phrases("memory", "calls"), reading.reader.phrases("given", "names")
    if "here" in cue.traits:
        return folded[0] in given  # "Dave here", but not "nothing here"
    if cue.traits & _NAMED and len(words) == 1 and first(reading, cue.span) not in calls:
        return True
    capital = all(word[0].isupper() for word in words) or (len(words) == 1 and folded[0] in given)
    if "i_am" in cue.traits:  # nothing but the capital says that this is a name: it must be the whole clause
        rest = reading.folded[span[1] : clause(reading, span[0])].strip(" .!")
        return capital and len(words) <= 2 and (not rest or rest.split()[0] in reading.phrases("memory", "role_stops"))
    return capital


def _never_a_name(reading: Reading, cue: Cue, folded: list[str]) -> bool:
    outside = reading.phrases("memory", "not_names", "role_words") | reading.phrases("given", "never")
    if any(word in outside or any(c.isdigit() for c in word) for word in folded):
        return True
    return folded[0].partition("-")[0] in known_terms(reading.reader) and not cue.traits & _NAMED


def _is_role(reading: Reading, cue: Cue, span: Span) -> bool:
    words = [reading.folded[a:b] for a, b in tokens(reading, *span)]
    if not 0 < len(words) <= 5:
        return False
    reader = reading.reader
    if words[0] in reader.phrases("memory", "never_roles") or words[0] in reading.phrases("memory", "not_values"):
        return False
    if not cue.traits & {"i_am_a", "past"}:
        return True
    if _doing(reading, words):
        return False
    if not reading.phrases("memory", "role_words").isdisjoint((*words[:3], words[-1])):
        return True
    outside = reading.phrases("memory", "not_roles")
    if (
        words[-1] in outside
        or words[0] in outside
        or not reader.made(_ARTICLED).search(reading.folded, cue.start, span[0])
    ):
        return False
    return bool(reader.made(_ROLE_END).search(words[-1]))


def _doing(reading: Reading, words: list[str]) -> bool:
    """ "I am wanting a psychologist" tells what somebody does, not what they are."""
    endings = tuple(reading.reader.phrases("memory", "doing"))
    return words[0].endswith(endings) and words[1:2] != [] and words[1] in reading.reader.phrases("memory", "done_to")


def _is_tool(reading: Reading, span: Span) -> bool:
    """Whether a taste is one for a tool, which is kept as such; "I hate fish" is no word about a shell."""
    term = term_at(reading, span)
    return term is not None and not only_a_word(reading, term, span, True)


def _is_place(reading: Reading, cue: Cue, span: Span) -> bool:
    words = [reading.words(t) for t in tokens(reading, *span)]
    reader = reading.reader
    if not 0 < len(words) <= 5 or fold(words[0]) in reader.phrases("memory", "not_places") or term_at(reading, span):
        return False
    if any(word[0].isupper() for word in words):
        return True
    return (
        "form" not in cue.traits
        and reading.text.islower()
        and len(words) <= 3
        and words[0] not in reader.phrases("memory", "the")
    )


def _is_time(reading: Reading, cue: Cue, span: Span) -> bool:
    return reading.made(_TIME).search(reading.folded[span[0] : span[1]]) is not None


_FITS: dict[str, Callable[[Reading, Cue, Span], bool]] = {
    "name": _is_name,
    "role": _is_role,
    "home": _is_place,
    "origin": _is_place,
    "likes": _is_liked,
    "hobby": _is_liked,
    "speaks": _is_liked,
    "deadline": _is_time,
    "event": _is_time,
    "employer": _is_employer,
}
"""What a value must be to fill a slot."""
