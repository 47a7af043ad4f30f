"""Statements: what a person says about themselves, their tools, style, work, plans and tastes, as keyed values.

Patterns catch the grammatical place of a value by its first word; the value itself is cut here, at the end of its
clause or at a word that cannot belong to it. What is asked, supposed, quoted, negated or told of others is no statement
about the speaker. Nothing here knows what was said before: how a statement stands to it is decided by the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.standing import LONG, asked, clause_end, meant, sentences, standing
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed

Act = Literal["states", "rejects", "stops", "past", "corrects"]

FAMILIES = ("states", "uses", "correction", "contrast")
"""Families without which a message states nothing about the speaker."""
MARKS = ("corrects", "since", "also", "hedge")

MOST_CUES = 24
"""Cues of one family that are followed in one message: more than anybody says of themselves at once."""
_LONGEST_TERM = 4
_SPACES = re.compile(r"(\d{1,2}|two|three|four|eight)[ -]spaces?\b")
_NUMBERS = {"two": "2", "three": "3", "four": "4", "eight": "8"}
_ROLE_END = re.compile(
    r"(?:er|or|ist|ian|eer|crat|smith|wright|ologist|ero|era|dor|dora|ista|ник|тель|ер|ор|ист|олог)$"
)
_NOT_VALUES = {"who", "kind", "old", "thing", "when"}
_SPEAKER = re.compile(r"\b(?:i|we|you|they|he|she|я|мы|yo)\s+(?:can\s+|also\s+)?$")
_JOIN = re.compile(
    r"[,\s]+(?:and|as well as|plus|y|e|и|а также|or maybe|or perhaps|or|o tal vez|o|или может|или)\s+|,\s*"
)
_OVER = re.compile(
    r"\s(?:over|to|rather than|instead of|than|more than|en lugar de|en vez de|antes que|a|вместо|чем)\s+"
)
_PERSONAL = ("style/", "communication/", "workflow/")


class Term(NamedTuple):
    """A value that is known: the slot it fills, its usual spelling, and where it stands."""

    slot: str
    value: str
    span: Span


class Then(NamedTuple):
    """The words for a time in the past; all empty where it has no date ("back in college")."""

    when: str = ""
    until: str = ""
    decade: str = ""


class Statement(NamedTuple):
    """Something asserted about the speaker (or, for `corrects`, about whatever was said before)."""

    slot: str
    """ "role", "tooling/editor" …; empty when only the memory can tell."""
    value: str
    span: Span
    rule: str
    sentence: Span
    act: Act = "states"
    old: str = ""
    """The value that it replaces, where the speaker names it."""
    marks: frozenset[str] = frozenset()
    """How it was said: now, lets, actually, meant, also, hedged, either."""
    lifespan: str | None = None
    """The scope the speaker named: session, project or permanent."""
    since: str = ""
    verb: str = ""
    then: Then | None = None
    """When it was so, where the speaker tells of a time in the past."""


def statements(reading: Reading) -> list[Statement]:
    """Use as `reading.find(statements)`; in the order of the text, each value once."""
    if not reading.has(*FAMILIES) or len(reading.text) > LONG:
        return []
    if (said := meant(reading)) is not reading:  # "in Paris, no sorry, in Lyon" is a statement about Lyon
        found = [_in_place(reading, one) for one in said.find(statements)]
        if found or not reading.has("contrast"):  # "not in Paris but in Lyon" may correct what was said before
            return found
    found = [*_uses(reading), *_states(reading), *_corrections(reading)]
    kept: dict[tuple[str, str], Statement] = {}
    for one in found:
        key = (one.slot, fold(one.value))
        rival = kept.get(key)
        if rival is None or (one.old and not rival.old) or (one.act != "states" and rival.act == "states"):
            kept[key] = one._replace(marks=one.marks | rival.marks) if rival else one
    known = [one for one in kept.values() if one.slot]
    loose = [one for one in kept.values() if not one.slot and not any(_overlap(one.span, k.span) for k in known)]
    known = list(_without_replaced(known))
    plain = [one.span for one in known if not one.slot.startswith("other/")]
    known = [o for o in known if not o.slot.startswith("other/") or not any(_overlap(o.span, p) for p in plain)]
    if any(one.slot != "note" for one in known):  # "remember that I use Vim" is one statement, not two
        known = [one for one in known if one.slot != "note"]
    return sorted((*known, *loose), key=lambda one: one.span)


def _in_place(reading: Reading, one: Statement) -> Statement:
    """A statement of the message as meant, with the places of the message as said."""
    start = reading.folded.rfind(fold(one.value))
    span = (start, start + len(one.value)) if start >= 0 else (0, 0)
    return one._replace(span=span, sentence=_sentence(reading, max(0, start)))


def _without_replaced(known: list[Statement]) -> Iterator[Statement]:
    """ "not npm, use pnpm", "I no longer use npm, I use pnpm": one statement with an old value, not two."""
    for one in known:
        if one.act in ("rejects", "stops"):
            if not any(o.act == "states" and o.slot == one.slot and o.value != one.value for o in known):
                yield one
            continue
        gone = [o for o in known if o.act in ("rejects", "stops") and o.slot == one.slot and o.value != one.value]
        if one.act == "states" and gone and not one.old:
            yield one._replace(old=gone[0].value, marks=one.marks | {"now" if gone[0].act == "stops" else "actually"})
        else:
            yield one


def _states(reading: Reading) -> Iterator[Statement]:
    """Values whose pattern says which slot they fill."""
    for cue in reading.all("states")[:MOST_CUES]:
        slot = cue.id.rpartition(".")[2].partition("__")[0]
        name, place = _value(cue)
        if place is None or not _asserted(reading, cue, place) or _only_dates(reading, cue):
            continue
        if any(no.start == place[0] for no in reading.all("negation")):
            continue  # "my favourite colour is not blue" says nothing about which it is
        span = place if slot == "said" else _cut(reading, place, slot)
        slot = "note" if slot == "said" else slot  # "…, remember that": what was said before it
        extra = ""
        if slot == "kind":
            slot = _kind(reading, cue.groups.get("kind"))
            term = term_at(reading, span)
            if term is None and cue.id.endswith("__is_my"):
                continue  # what stands before "is my editor" must be known to be a name
            extra = term.value if term else ""
            span = term.span if term else _short(reading, span)
        else:
            slot, span = _fitting(reading, cue, slot, name, span)
        if not slot or span[1] <= span[0]:
            continue
        act: Act = "rejects" if cue.id.endswith("__dislike") else "past" if cue.id.endswith("__was") else "states"
        yield _statement(reading, cue, slot, extra or _worded(reading, slot, name, span), span, act)
        if slot == "role":
            yield from _employer(reading, cue, span)
        if slot in ("speaks", "allergy", "likes") and (more := _and(reading, span)) is not None:
            yield _statement(reading, cue, slot, reading.words(more).strip(" ."), more, act)


def _only_dates(reading: Reading, cue: Cue) -> bool:
    """ "When I was a student" says when something else was."""
    return any(then.start < cue.start < then.end for then in reading.all("dated"))


def _fitting(reading: Reading, cue: Cue, slot: str, name: str, span: Span) -> tuple[str, Span]:
    """The slot that the value really fills, or none: "I am tired" is no name and "I like it" no taste."""
    match slot:
        case "name":
            return (slot, span) if _is_name(reading, cue, span) else ("", span)
        case "role":
            return (slot, span) if _is_role(reading, cue, span) else ("", span)
        case "home" | "origin":
            if term_at(reading, span) or not _is_place(reading, cue, span):
                return "", span
        case "likes" | "hobby" | "speaks":
            known = slot != "speaks" and term_at(reading, span)
            if known or _first(reading, span) in reading.phrases("memory", "not_values") or _count(reading, span) > 6:
                return "", span
        case "deadline" | "event":
            return (slot, span) if _is_time(reading, span) else ("", span)
        case "favourite" | "family":
            who = cue.groups.get("who")
            if who and slot == "family" and not reading.words(span)[:1].isupper():
                return "", span  # "my sister is coming along" names nobody
            if who:
                return f"{slot}/{reading.folded[who[0] : who[1]].strip().replace(' ', '_')}", span
        case "employer":
            told = cue.id.endswith("__was") and not reading.words(span)[:1].isupper()  # "I worked for a bank"
            if told or _first(reading, span) in reading.phrases("memory", "pronouns"):
                return "", span
    return slot, span


def _and(reading: Reading, span: Span) -> Span | None:
    """The second value of a list of two: "German and French"."""
    joined = _AND.match(reading.folded, span[1])
    if joined is None:
        return None
    more = _cut(reading, (joined.end(), joined.end() + 1), "likes")
    outside = reading.phrases("memory", "not_values", "pronouns")
    fits = 0 < _count(reading, more) <= 3 and _first(reading, more) not in outside
    return more if fits and _first(reading, more) not in _PEOPLE else None


_AND = re.compile(r"\s(?:and|y|и)\s")
_PEOPLE = frozenset({"i", "i'm", "we", "he", "she", "they", "you", "я", "мы", "он", "она", "они", "yo", "el", "ella"})


def _worded(reading: Reading, slot: str, name: str, span: Span) -> str:
    """The value as it is kept: as typed, except where the kind of event is part of it."""
    words = reading.words(span).strip(" .")
    if slot == "diet" and name == "no":
        return f"no {words}"
    if slot == "age":
        return re.sub(r"\D.*", "", words) or words
    if slot == "event":
        return f"{'Presentation' if name.startswith('presentation') else 'Event'} on {words}"
    return words


def _uses(reading: Reading) -> Iterator[Statement]:
    """Values of tools, style and habits: the value itself tells the slot."""
    dated = reading.has("dated")
    of_then = {cue.groups["value"] for cue in reading.all("uses") if cue.id.endswith(_DATED)} if dated else set()
    for cue in reading.all("uses")[:MOST_CUES]:
        verb = cue.id.rpartition(".")[2].partition("__")[0]
        group, place = _value(cue)
        if (place in of_then) != cue.id.endswith(_DATED):
            continue  # "in 2019 I used Vim" tells of then, "I used Vim" without a date of now
        if place is None or not _asserted(reading, cue, place, negative=verb in ("never", "stop")):
            continue
        taste = group in ("like", "love")
        if cue.id.endswith("style__be") and _SPEAKER.search(reading.folded[: cue.start]):
            continue  # "I speak German" asks for no manner of speaking
        whole = (place[0], _clause(reading, place[0]))
        over = _OVER.search(reading.folded, whole[0], whole[1]) if verb == "prefer" else None
        old = term_at(reading, (over.end(), whole[1])) if over else None
        old = old or _old(reading, cue)
        terms = list(_listed(reading, (whole[0], over.start()) if over else whole))
        if cue.id.endswith(("__better", "__cleft", "__shop_want")):
            terms = [term] if (term := term_in(reading, place)) else []
        act: Act = {"never": "rejects", "stop": "stops", "past": "past"}.get(verb, "states")  # type: ignore[assignment]
        for term in terms:
            if verb in ("style", "habit") and not term.slot.startswith(_PERSONAL):
                continue
            if verb == "never" and _positive_use(cue, reading, term):
                continue
            if _only_a_word(reading, term, whole, taste or verb == "prefer" or cue.id.endswith(("_want", "__bare"))):
                continue
            one = _statement(reading, cue, term.slot, term.value, term.span, act, verb=verb)
            several = len({t.value for t in terms if t.slot == term.slot}) > 1
            if several and old is None:
                either = bool(re.search(r"\s(?:or|o|или)\s", reading.folded[whole[0] : whole[1]]))
                one = one._replace(marks=one.marks | {"either" if either else "also"})
            yield one._replace(old=old.value) if old and old.slot == term.slot and old.value != term.value else one
        if group == "do" and not terms and _count(reading, whole) <= 9:
            told = reading.text[cue.start : whole[1]].strip(" .!")
            yield _statement(reading, cue, "workflow/habit", told[:1].lower() + told[1:], (cue.start, whole[1]))
        if not terms and act == "states" and verb in ("use", "prefer", "switch") and not taste and not _request(cue):
            yield from _unknown(reading, cue, whole, old, verb)


_DATED = "past__did"
"""A pattern that tells of the past only where a time is named."""


def _request(cue: Cue) -> bool:
    """ "I want X", "X please" ask for something: only a value that is known tells a preference."""
    return cue.id.endswith(("_want", "__bare", "__better", "__now", "__do_in", "__cleft"))


def _only_a_word(reading: Reading, term: Term, whole: Span, taste: bool) -> bool:
    """ "I want to go", "I like fish": names of tools that are words of everyday talk need the spelling of the tool, or
    a verb or a purpose that leaves no doubt."""
    typed = reading.words(term.span)
    if fold(typed) in reading.reader.phrases("memory", "vague", None):
        return taste  # "I want a short trip": only the manner of answering makes a style of it
    if fold(typed) not in reading.reader.phrases("memory", "ambiguous", None):
        return False
    if typed == term.value and not typed.islower():
        return False
    if fold(typed) == "go":
        return True
    return taste and _purpose(reading, (term.span[1], whole[1])) != term.slot


def _unknown(reading: Reading, cue: Cue, whole: Span, old: Term | None, verb: str) -> Iterator[Statement]:
    """A tool nobody told us about: its kind is that of what it replaces, or what it is used for, or unknown."""
    span = _short(reading, _cut(reading, (whole[0], whole[0] + 1), "use"))
    first = _first(reading, span)
    words = reading.words(span)
    if verb == "prefer" and span[0] > whole[0]:
        return  # "I prefer to fly", "I prefer a concert": said of the moment, no preference in general
    if not words or first in reading.phrases("memory", "not_values") or _count(reading, span) > 3:
        return
    slot = old.slot if old else _purpose(reading, (span[1], whole[1]))
    if not slot and _EVERYDAY.search(reading.folded[cue.start : whole[0]]):
        return  # "I went to the park", "let's go with Green Book": words of everyday talk need more than a name
    bare = _count(reading, span) == 1 and span[0] == whole[0]
    alone = bare and (verb == "switch" or len(reading.tokens) <= 4)  # "use foobar", no more
    if not slot and verb != "prefer" and not alone and not _technical(words):
        return  # "use the second one", "we use cookies": nothing says that this is a tool
    marked = _statement(reading, cue, slot or f"other/{fold(words)}", words, span, verb=verb)
    yield marked._replace(old=old.value) if old else marked


_EVERYDAY = re.compile(
    r"\b(?:went|gone|go|going|moved|moving|jumped|stick|work|working|run|on|vamos|voy|ir|ido|пойдем|пошли|поехал\w*|"
    r"переехал\w*)\b"
)


def _corrections(reading: Reading) -> Iterator[Statement]:
    """ "not X, use Y", "change from X to Y", "I meant X", "actually, Y", "Y instead of X"."""
    for cue in reading.all("correction")[:MOST_CUES]:
        place = cue.groups.get("new")
        if place is None:
            continue
        flags = reading.find(standing).of(place)
        if flags & {"question", "quoted", "withdrawn"} or _supposed(reading, place):
            continue
        span = trimmed(reading, place)
        if _count(reading, span) <= 2 and _first(reading, span) in reading.phrases("memory", "not_new"):
            continue  # "No wait", "No, thanks"
        old_span = cue.groups.get("old")
        old = term_in(reading, old_span) if old_span else None
        new = term_at(reading, span)
        if new is not None and (old is None or old.slot != new.slot) and _only_a_word(reading, new, span, True):
            new = None
        name = cue.id.rpartition(".")[2]
        marks = frozenset({"now"} if name in _CHANGING else {"meant"} if name == "meant" else {"actually"})
        if new is not None and (old is None or old.slot == new.slot):
            one = _statement(reading, cue, new.slot, new.value, new.span, verb="correct")
            yield one._replace(old=old.value if old else "", marks=one.marks | marks)
        elif old is not None and 0 < _count(reading, _short(reading, span)) <= 3:
            short = _short(reading, span)
            one = _statement(reading, cue, old.slot, reading.words(short), short, verb="correct")
            yield one._replace(old=old.value, marks=one.marks | marks)
        elif span[1] > span[0] and _count(reading, span) <= 8:
            was = reading.words(trimmed(reading, old_span)) if old_span else ""
            if fold(was) in reading.phrases("memory", "not_old"):
                continue
            one = _statement(reading, cue, "", reading.words(span), span, "corrects", verb=name)
            yield one._replace(old=was, marks=one.marks | marks)


_CHANGING = {"change_from_to", "change_x_to_y", "replace_x_with_y", "instead_of_first", "instead_of", "instead"}


def _statement(
    reading: Reading, cue: Cue, slot: str, value: str, span: Span, act: Act = "states", verb: str = ""
) -> Statement:
    sentence = _sentence(reading, cue.start)
    marks, since = set(), ""
    for family in MARKS:
        for mark in reading.all(family):
            if sentence[0] <= mark.start < sentence[1] or (family == "corrects" and mark.end <= sentence[0]):
                kind = mark.id.rpartition(".")[2]
                marks.add(_MEANING.get(kind, family))
                if "when" in mark.groups:
                    since = reading.folded[mark.groups["when"][0] : _clause(reading, mark.groups["when"][0])]
    then = _then(reading, sentence) if reading.has("dated") else None
    if then is not None and act == "states":
        began = verb == "switch" or not _BEGINS.isdisjoint(cue.groups)  # "in 2019 I moved to Berlin": from then on
        since, then = (since or then.when, then) if began else (since, None)
    return Statement(
        slot, value, span, cue.id, sentence, act, "", frozenset(marks), _lifespan(reading, sentence), since, verb, then
    )


_BEGINS = {"moved", "joined"}


def _then(reading: Reading, sentence: Span) -> Then | None:
    """The time in the past that a sentence names: until when goes before when, and any date before none."""
    best: Then | None = None
    for cue in reading.all("dated"):
        if sentence[0] <= cue.start < sentence[1]:
            words = {name: reading.folded[span[0] : span[1]] for name, span in cue.groups.items()}
            found = Then(**words)
            if best is None or not any(best) or (found.until and not best.until):
                best = found
    return best


_MEANING = {
    "now": "now",
    "from_now": "now",
    "switched": "now",
    "since": "now",
    "lets": "lets",
    "meant": "meant",
    "also": "also",
    "maybe": "hedged",
}


def _lifespan(reading: Reading, sentence: Span) -> str | None:
    """The scope that the sentence names; the narrowest wins ("for now, always …" is for now)."""
    named = {c.id.rpartition(".")[2] for c in reading.all("span") if sentence[0] <= c.start < sentence[1]}
    return next((one for one in ("session", "project", "permanent") if one in named), None)


def _asserted(reading: Reading, cue: Cue, place: Span, negative: bool = False) -> bool:
    """Whether the speaker says this, as true, about themselves."""
    here = reading.find(standing)
    sentence = _sentence(reading, cue.start)
    flags = here.of((place[0], place[1]))
    if flags & {"quoted", "withdrawn"} or _supposed(reading, place):
        return False
    asks = reading.folded[sentence[0] : sentence[1]].rstrip('") ').endswith("?") or not negative
    if asks and not cue.id.endswith("__call_me") and asked(reading, place):  # "can you call me Bob?" says a name
        return False
    if "negated" in flags and not negative and not _negates_elsewhere(reading, cue):
        return False
    return not any(
        other.start < cue.start and cue.start < clause_end(reading, other.end) for other in reading.all("reported")
    )


def _negates_elsewhere(reading: Reading, cue: Cue) -> bool:
    """A pattern that reads a negation itself ("I don't like X", "I never …") is not undone by it."""
    return any(cue.start <= no.start and no.end <= cue.end for no in reading.all("negation"))


def _supposed(reading: Reading, place: Span) -> bool:
    start, end = _sentence(reading, place[0])
    return any(start <= cue.start < place[0] for cue in reading.all("supposes") if cue.start < end)


def _positive_use(cue: Cue, reading: Reading, term: Term) -> bool:
    """ "not npm, use pnpm" rejects npm alone: what follows a comma or a "use" is not under the negation."""
    between = reading.folded[cue.start : term.span[0]]
    return "," in between or bool(re.search(r"\b(?:but|pero|sino)\b", between))


def _employer(reading: Reading, cue: Cue, role: Span) -> Iterator[Statement]:
    """ "I'm a developer at Acme": the employer stands after the role."""
    hit = re.match(r"\s(?:at|for|в|en)\s+", reading.folded[role[1] : role[1] + 12])
    if hit:
        start = role[1] + hit.end()
        span = _cut(reading, (start, start + 1), "home")
        if reading.words(span)[:1].isupper() and not term_at(reading, span):
            yield _statement(reading, cue, "employer", reading.words(span), span)


# Values


def term_at(reading: Reading, span: Span) -> Term | None:
    """The known value that a span begins with (small words before it skipped)."""
    start = trimmed(reading, span)[0] if span[1] > span[0] else span[0]
    skip = reading.phrases("memory", "skips")
    tokens = list(_tokens(reading, start, span[1]))[: _LONGEST_TERM + 3]
    while tokens and reading.folded[tokens[0][0] : tokens[0][1]] in skip:
        tokens = tokens[1:]
    return _term(reading, tokens, span)


def term_in(reading: Reading, span: Span) -> Term | None:
    """The first known value anywhere in a span."""
    tokens = list(_tokens(reading, *span))[:12]
    for place in range(len(tokens)):
        if found := _term(reading, tokens[place:], span):
            return found
    return None


def _term(reading: Reading, tokens: list[Span], span: Span) -> Term | None:
    if not tokens:
        return None
    terms = known_terms(reading.reader)
    start = tokens[0][0]
    if spaces := _SPACES.match(reading.folded, start, span[1]):
        number = _NUMBERS.get(spaces[1], spaces[1])
        return Term("style/indentation", f"{number} spaces", spaces.span())
    for size in range(min(_LONGEST_TERM, len(tokens)), 0, -1):
        end = tokens[size - 1][1]
        known = terms.get(reading.folded[start:end])
        if known is not None:
            return Term(known[0], known[1], (start, end))
    return None


def _listed(reading: Reading, span: Span) -> Iterator[Term]:
    """The known values of a list: "Vim and tmux", "npm or maybe pnpm". The first one decides whether there are any."""
    first = term_at(reading, span)
    if first is None:
        return
    yield first
    place = first.span[1]
    while (join := _JOIN.match(reading.folded, place, span[1])) is not None:
        term = term_at(reading, (join.end(), span[1]))
        if term is None:
            return
        yield term
        place = term.span[1]


@lru_cache(maxsize=16)
def known_terms(reader: Reader) -> dict[str, tuple[str, str]]:
    """Every spelling of every known value: its slot and its usual spelling."""
    terms: dict[str, tuple[str, str]] = {}
    for slot, row in reader.data("memory_terms", None).items():
        for value in str(row).split("|"):
            names = value.split("=")
            for name in names:
                terms.setdefault(fold(name), (slot.partition("#")[0], names[0]))
    return terms


def _cut(reading: Reading, place: Span, slot: str) -> Span:
    """A value from its first word to the end of its clause, or to a word that cannot belong to it."""
    end = _clause(reading, place[0])
    if slot == "note":
        return place[0], _sentence(reading, place[0])[1]
    stops = reading.phrases("memory", _STOPS.get(slot, "stops"))
    more = reading.phrases("memory", "stops")
    for start, finish in _tokens(reading, place[0], end):
        word = reading.folded[start:finish]
        if start > place[0] and (word in stops or (word in more and slot not in _KEEPS_ALL)):
            end = start
            break
    if reading.has("dated"):
        end = min((cue.start for cue in reading.all("dated") if place[0] < cue.start < end), default=end)
    if slot not in _TIMED and (tail := _TAIL.search(reading.folded, place[0], end)):
        end = tail.start()
    while end > place[0] and reading.folded[end - 1] in " .,;:!?\"')":
        end -= 1
    return place[0], end


_TAIL = re.compile(
    r"\s(?:a lot|very much|so much|too much|almost|the most|as much|as well|too|mucho|очень|now|nowadays|these days|"
    r"currently|at the moment|last (?:week|month|year)|yesterday|recently|any ?more|теперь|сейчас|ahora)\b.*$"
)
_TIMED = {"deadline", "event", "birthday", "note"}
_STOPS = {
    "role": "role_stops",
    "home": "place_stops",
    "origin": "place_stops",
    "employer": "place_stops",
    "name": "role_stops",
}
_KEEPS_ALL = {"likes", "family", "hobby", "plan", "allergy", "speaks", "favourite"}


def _short(reading: Reading, span: Span) -> Span:
    """A value without what follows it for a purpose: "Zed for everything" is Zed."""
    span = trimmed(reading, span)
    cuts = reading.phrases("memory", "cuts")
    for start, end in _tokens(reading, *span):
        if start > span[0] and reading.folded[start:end] in cuts:
            return span[0], start - 1
    return span


def _clause(reading: Reading, start: int) -> int:
    """The end of the clause, where "just" and "only" are no "but"."""
    text = reading.folded
    hit = _CLAUSE.search(text, start)
    return hit.start() if hit else len(text)


_CLAUSE = re.compile(
    r"[,;:()\n\"]|\s-\s|(?<![.!?])[.!?]++(?=\s|$)|\s(?:but|however|although|pero|aunque|но|однако|хотя)\s"
)


def _sentence(reading: Reading, place: int) -> Span:
    for start, end in reading.find(sentences):
        if start <= place < end:
            return start, end
    return 0, len(reading.text)


def _value(cue: Cue) -> tuple[str, Span | None]:
    for name, span in cue.groups.items():
        if name not in _NOT_VALUES:
            return name, span
    return "", None


def _old(reading: Reading, cue: Cue) -> Term | None:
    span = cue.groups.get("old")
    return term_in(reading, span) if span else None


def _kind(reading: Reading, span: Span | None) -> str:
    word = reading.folded[span[0] : span[1]] if span else ""
    return str(reading.reader.data("memory_kinds", None).get(word, ""))


def _purpose(reading: Reading, rest: Span) -> str:
    """The kind of tool that a purpose tells: "for testing", "as my editor"."""
    kinds = reading.reader.data("memory_kinds", None)
    text = reading.folded[rest[0] : rest[1]]
    return next((str(slot) for word, slot in kinds.items() if re.search(rf"\b{re.escape(word)}\b", text)), "")


def _technical(words: str) -> bool:
    """Whether a word looks like the name of a tool: a capital, a digit, a dot or a hyphen inside."""
    return bool(re.search(r"[A-Z0-9]|\w[.\-_+#]\w", words)) and len(words) > 1


# What a value may be


def _is_name(reading: Reading, cue: Cue, span: Span) -> bool:
    words = [reading.words(t) for t in _tokens(reading, *span)]
    folded = [fold(word) for word in words]
    if not 0 < len(words) <= 3 or (reading.text.isupper() and len(reading.tokens) > 3):
        return False
    not_names = reading.phrases("memory", "not_names")
    roles = reading.phrases("memory", "role_words")
    if any(word in not_names or word in roles or any(c.isdigit() for c in word) for word in folded):
        return False
    if folded[0].partition("-")[0] in known_terms(reading.reader) and not cue.id.endswith("my_name"):
        return False
    if cue.id.endswith("__my_name") and len(words) == 1 and not reading.folded[cue.start :].startswith("call"):
        return True
    capital = all(word[0].isupper() for word in words)
    if cue.id.endswith("__i_am"):  # nothing but the capital says that this is a name: it must be the whole clause
        rest = reading.folded[span[1] : _clause(reading, span[0])].strip(" .!")
        return capital and len(words) <= 2 and (not rest or rest.split()[0] in reading.phrases("memory", "role_stops"))
    return capital


def _is_role(reading: Reading, cue: Cue, span: Span) -> bool:
    tokens = list(_tokens(reading, *span))
    if not 0 < len(tokens) <= 5:
        return False
    last = reading.folded[tokens[-1][0] : tokens[-1][1]]
    first = reading.folded[tokens[0][0] : tokens[0][1]]
    roles = reading.phrases("memory", "role_words")
    if first in ("not", "no", "never", "не", "ya") or first in reading.phrases("memory", "not_values"):
        return False
    if not cue.id.endswith(("i_am_a", "role__was")):
        return first not in reading.phrases("memory", "not_values")
    second = reading.folded[tokens[1][0] : tokens[1][1]] if len(tokens) > 1 else ""
    doing = first.endswith("ing") and second in ("a", "an", "the", "for", "to")  # "I am wanting a psychologist"
    if doing:
        return False
    if last in roles or (any(reading.folded[a:b] in roles for a, b in tokens[:3])):
        return True
    before = reading.folded[cue.start : span[0]]
    articled = bool(re.search(r"\b(?:an?|the|un|una|as|como)\s+$", before))
    outside = reading.phrases("memory", "not_roles")
    return articled and last not in outside and first not in outside and bool(_ROLE_END.search(last))


def _is_place(reading: Reading, cue: Cue, span: Span) -> bool:
    words = [reading.words(t) for t in _tokens(reading, *span)]
    if not 0 < len(words) <= 5 or fold(words[0]) in {
        "a",
        "an",
        "my",
        "this",
        "that",
        "un",
        "una",
        "mi",
        "it",
        "fear",
        "far",
    }:
        return False
    if "moved" in cue.groups and re.match(r"(?:we|nos)\b", reading.folded[cue.start :]) and "home" not in cue.id:
        return False
    capital = any(word[0].isupper() for word in words)
    return capital or (reading.text.islower() and len(words) <= 3 and words[0] not in ("the", "el", "la"))


def _is_time(reading: Reading, span: Span) -> bool:
    text = reading.folded[span[0] : span[1]]
    days = reading.phrases("memory", "weekdays")
    return bool(re.search(r"\d", text)) or any(re.search(rf"(?:^|\W){day}", text) for day in days)


def _tokens(reading: Reading, start: int, end: int) -> Iterator[Span]:
    for token in _WORD.finditer(reading.folded, start, end):
        yield token.span()


_WORD = re.compile(r"[\w+#@/'&-]+(?:\.[\w+#-]+)*")


def _first(reading: Reading, span: Span) -> str:
    return next((reading.folded[a:b] for a, b in _tokens(reading, *span)), "")


def _count(reading: Reading, span: Span) -> int:
    return sum(1 for _ in _tokens(reading, *span))


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]
