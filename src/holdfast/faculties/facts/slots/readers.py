"""Readers for slots: how the values that many packs want are found in a message. A pack may write its own: a reader is
a function from a `Reading` to `Found` values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache

from holdfast.faculties.facts.slots import Found
from holdfast.faculties.facts.slots.values import Cued
from holdfast.faculties.questions.pending import Answer, answered
from holdfast.reading.dates import When, dates
from holdfast.reading.places import Place, answers, named_places, places, stops
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.standing import sentences, standing
from holdfast.reading.values import emails, number_in, numbers, trimmed
from holdfast.state import State

Read = Callable[[Reading], Iterable[Found]]

_NAME_WORDS = 4


def within(reading: Reading, span: Span) -> list[Span]:
    """The words that begin in a span."""
    tokens = reading.tokens
    return tokens[bisect_left(tokens, (span[0], 0)) : bisect_left(tokens, (span[1], 0))]


def cued(family: str) -> Cued:
    """Values that the patterns of a family capture as `value`."""
    return Cued(family)


def email(reading: Reading) -> Iterable[Found]:
    """Mail addresses."""
    return [Found(reading.words(span), span, "any.email") for span in reading.find(emails)]


def email_answer(reading: Reading, answer: Answer) -> Found | None:
    """A reply to "which address?" that has one; "the same as in my account" has none."""
    return next((found for found in email(reading) if answer.span[0] <= found.span[0] < answer.span[1]), None)


def place(*roles: str, names: bool = True) -> Read:
    """Places; with roles ("from", "to"), only those that a preposition gives one of them. Unknown capitalised names
    after "in" and "near" count when `names` is true."""
    find = named_places if names else places

    def read(reading: Reading) -> Iterable[Found]:
        found = [p for p in reading.find(find) if (p.role in roles if roles else p.role != "from")]
        if found and reading.has("told_place"):
            found = [p for p in found if not _told_of(reading, p.span)]
        if found and reading.has("aside_place"):
            found = [p for p in found if not _asked_by_the_way(reading, p.span)]
        return [as_found(p) for p in (_looked_in(reading, found) if len(found) > 1 else found)]

    return read


def _looked_in(reading: Reading, found: list[Place]) -> list[Place]:
    """Of several places, those where something is looked for: not the one where the person lives ("I live in Boston,
    any food in NYC?"), nor the one that a dish is called after ("Nashville hot chicken in Chicago")."""
    homes = [cue.end for cue in reading.all("lives") if cue.means != "set"]
    away = [p for p in found if not any(0 <= p.span[0] - end <= 20 for end in homes)]
    if any("negated" not in reading.find(standing).of(p.span) for p in away):  # "we're not in Rome, we're in Pisa"
        found = away
    firm = [p for p in found if p.role in ("in", "near")]
    if not firm:
        return found
    return [p for p in found if p in firm or p.span > firm[-1].span or not _called_after(reading, p.span[1])]


def _called_after(reading: Reading, end: int) -> bool:
    """Whether a word follows that the place is said of: neither a mark nor a small word parts them."""
    after = reading.folded[end : end + 20].partition(" ")
    word = after[2].split(" ", 1)[0]
    return not after[0] and word[:1].isalpha() and word not in reading.phrases("slots", "stop")


def _told_of(reading: Reading, span: Span) -> bool:
    """Whether a place is only told of: where somebody else lives ("my sister lives in Denver"), or where one once was
    ("I was in Boston last year"); not where one stays oneself ("my hotel is in Plano")."""
    # what people do ends with a verb, which may lead to a place of ours: "Austin said", but "I said Denver"
    cues = [
        cue
        for cue in reading.all("told_place")
        if cue.start <= span[0] <= cue.end + 1 and (span[0] < cue.end or cue.means != "people")
    ]
    if cues and reading.has("hypothetical"):  # "what if we went to Ogden"
        supposed = [cue.end for cue in reading.all("hypothetical")]
        cues = [cue for cue in cues if not any(0 <= cue.start - end <= 6 for end in supposed)]
    return any(not _own(reading, cue) for cue in cues)


def _asked_by_the_way(reading: Reading, span: Span) -> bool:
    """Whether something else is asked about a place: "how's the weather in Paris?"."""
    cues = [cue for cue in reading.all("aside_place") if cue.start < span[0] <= cue.end + 1]
    return any(not _own(reading, cue) for cue in cues)


def _own(reading: Reading, cue: Cue) -> bool:
    """Whether it is told of what is one's own and says where one is: "my hotel is in Plano"."""
    return not reading.phrases("slots", "stays").isdisjoint(reading.folded[cue.start : cue.end].split())


def aside(slot: str) -> Callable[[Reading, State], Iterable[Found]]:
    """For `Slot.meets`: a place that is only asked about by the way is taken while there is no other."""

    def meets(reading: Reading, state: State) -> Iterable[Found]:
        if slot in state.slots.values or not reading.has("aside_place"):
            return []
        return [as_found(p) for p in reading.find(places) if _asked_by_the_way(reading, p.span)]

    return meets


def asked_place(*abouts: str) -> Callable[[Reading, State], Iterable[Found]]:
    """For `Slot.meets`: a place without a role of its own in the reply to a question that asks for one, however long
    the reply is ("San Diego, and it is for two of us")."""

    def meets(reading: Reading, state: State) -> Iterable[Found]:
        if "questions" not in state.session.slices:
            return []
        answer = answered(state)
        open_ = [q for q in state.questions.open if q.turn == state.conversation.turns - 1]
        asked = {q.about for q in (*open_, *([answer.question] if answer else []))}
        if not asked & set(abouts):
            return []
        return [as_found(p) for p in reading.find(answers) if p.role not in ("from", "to")]

    return meets


def stop(*roles: str) -> Read:
    """The places of a journey that have one of the roles: cities, addresses and names ("a cab to Joe's Diner")."""

    def read(reading: Reading) -> Iterable[Found]:
        return [as_found(p) for p in reading.find(stops) if p.role in roles]

    return read


def home(reading: Reading) -> Iterable[Found]:
    """Where a person says to be or to live: "I'm in Boston", "we moved to Austin"."""
    if not reading.has("lives"):
        return []
    ends = [cue.end for cue in reading.all("lives")]
    found = [p for p in reading.find(places) if any(0 <= p.span[0] - end <= 20 for end in ends)]
    if reading.has("reported"):  # "he moved to Berlin and I stayed"
        found = [p for p in found if "reported" not in reading.find(standing).of(p.span)]
    return [as_found(p) for p in found if not _asked(reading, p.span)]


def _asked(reading: Reading, span: Span) -> bool:
    """Whether it is asked for, and not said: "do I live in Boston?", but not "I'm in Boston, any food?"."""
    if reading.folded[span[1] : span[1] + 3].lstrip().startswith("?"):
        return True
    start = next((a for a, b in reversed(reading.find(sentences)) if a <= span[0] < b), 0)
    opening = reading.folded[start : start + 20].split(" ", 1)[0]
    return opening in reading.phrases("question", "openers") and "question" in reading.find(standing).of(span)


def as_found(place: Place) -> Found:
    return Found(place.value, place.span, place.rule, place.canonical, place.own)


def place_answer(reading: Reading, answer: Answer) -> Found | None:
    """A bare reply to "where?": a place, known or not, but not "anywhere"."""
    span = _after_preposition(reading, answer.span)
    words = reading.folded[slice(*span)].strip()
    if not words or words in reading.phrases("slots", "never_place"):
        return None
    small = reading.phrases("slots", "never_name", "stop")
    known = next((p for p in reading.find(answers) if p.span[0] == span[0] or _led_to(reading, span[0], p)), None)
    after = reading.folded[known.span[1] : span[1]].split() if known else []
    goes_on = after and after[0] not in small and after[0] not in reading.phrases("small", "words")
    if known is not None and not goes_on:  # "Portland will be fine", but "Boston Common"
        return as_found(known)._replace(rule="answer.where")
    if any(number.span == span and number.value < 1000 for number in reading.find(numbers)):
        return None  # how many, and no place; a longer one may be a postal code
    if answer.question.options:
        return None  # "home" in reply to "home or the office?" is no town
    most = 4 if reading.text[span[0]].isupper() else 2
    if len(words.split()) > most or any(word in small for word in words.split()):
        return None
    return Found(reading.words(span), span, "answer.where")


def _led_to(reading: Reading, start: int, place: Place) -> bool:
    """Whether nothing but "the city of" stands between a reply's beginning and a place."""
    skipped = {word for phrase in reading.phrases("places", "skip", "in", "of") for word in phrase.split()}
    before = reading.folded[start : place.span[0]].split()
    return bool(before) and skipped.issuperset(before)


def _after_preposition(reading: Reading, span: Span) -> Span:
    start, end = span
    opening = within(reading, span)
    small = reading.phrases("places", "in", "near", "to", "from", "of")
    if len(opening) > 1 and reading.folded[slice(*opening[0])] in small:
        start = opening[1][0]
    return start, end


def when(reading: Reading) -> Iterable[Found]:
    """Days and times."""
    return [Found(w.value, w.span, w.rule) for w in reading.find(dates)]


def same_day(reading: Reading, new: str, held: str) -> str:
    """For `Slot.joins`: a new time keeps the day that was named; a new day keeps the time where it is a change."""
    said = next((w for w in reading.find(dates) if w.value.lower() == new.lower()), None)
    if said is None or (said.day and said.clock):
        return new
    if said.day and not reading.has("correction", "override", "recount"):
        return new
    before = _when(reading.reader, held)
    if before is None or not (before.clock if said.day else before.day):
        return new
    joined = f"{said.day} {before.clock}" if said.day else f"{before.day} {said.clock}"
    return joined.lower() if new.islower() else joined


@lru_cache(maxsize=256)
def _when(reader: Reader, text: str) -> When | None:
    """The parts of a time that is held."""
    found = reader.read(text).find(dates)
    return found[0] if len(found) == 1 else None


def party(reading: Reading) -> Iterable[Found]:
    """How many people come."""
    return _people(reading, reading.all("party"))


def recount(slot: str) -> Callable[[Reading, State], Iterable[Found]]:
    """For `Slot.meets`: "make it five" is a number of people once one was given."""

    def meets(reading: Reading, state: State) -> Iterable[Found]:
        return _people(reading, reading.all("recount")) if slot in state.slots.values else []

    return meets


def _people(reading: Reading, cues: list[Cue]) -> list[Found]:
    cues = [cue for cue in cues if "n" in cue.groups or cue.family == "party"]
    if not cues:
        return []
    counts = {**reading.data("numbers"), **reading.data("counts")}
    found = []
    for cue in cues:
        # a pattern without a number has one of its own: "just me", "my wife and I"
        words = reading.folded[slice(*cue.groups["n"])] if "n" in cue.groups else cue.means
        after = reading.folded[cue.groups["n"][1] : cue.groups["n"][1] + 12].split()[:2] if "n" in cue.groups else []
        said = {after[0].strip(".,"), " ".join(after)} if after else set()
        if said & reading.phrases("slots", "not_people") or (after and after[0][0] in ":/"):
            continue  # "book it for 8 pm", "for 8 in the evening"
        start = cue.groups["n"][0] if "n" in cue.groups else 0
        if start and reading.folded[start - 1] in ",.:$":  # the end of a longer number
            continue
        number = int(words) if words.isdigit() and len(words) < 10 else counts.get(words)
        if number and 0 < number < 1000:
            found.append(Found(str(int(number)), cue.groups.get("n", cue.span), cue.id))
    return found


def number_answer(reading: Reading, answer: Answer) -> Found | None:
    """A bare reply to "how many?"."""
    found = number_in(reading, answer.span)
    if found is None or found.value <= 0:
        return None
    return Found(f"{found.value:g}", found.span, "answer.how_many")


def person(reading: Reading) -> Iterable[Found]:
    """Names of people who say their name: "my name is Anna", "I'm Anna", "Anna and anna@example.com"."""
    found = []
    for cue in reading.all("name_said"):
        sure = "value" in cue.groups
        span = _name(reading, cue.groups["value" if sure else "capital"], sure)
        if span is not None:
            found.append(Found(reading.words(span), span, cue.id))
    return found or _before_mail(reading)


def person_answer(reading: Reading, answer: Answer) -> Found | None:
    """A bare reply to "what is your name?"."""
    whole = trimmed(reading, answer.span)
    span = _name(reading, whole, True)
    return Found(reading.words(span), span, "answer.name") if span == whole else None


def _name(reading: Reading, span: Span, sure: bool) -> Span | None:
    """The words of a span that can be a name. After "I'm" they need capitals; after "my name is", a lower-case name
    must stand alone."""
    words = within(reading, span)
    stop, never = reading.phrases("slots", "stop"), reading.phrases("slots", "never_name")
    never |= reading.phrases("given", "never") if not sure else frozenset()
    kept: list[Span] = []
    for token in words[:_NAME_WORDS]:
        word = reading.folded[slice(*token)]
        parted = kept and reading.folded[kept[-1][1] : token[0]].strip()
        if word in stop or parted or not word[0].isalpha() or "@" in reading.text[token[0] : token[1] + 1]:
            break
        if word.endswith("'s") and not sure:  # "this is John's favourite song"
            return None
        small = not kept and word in reading.reader.phrases("given", "names")  # "hi im kate"
        if word in never or not (reading.text[token[0]].isupper() or sure or small):
            return None if not kept else (kept[0][0], kept[-1][1])
        kept.append(token)
    if not kept:
        return None
    lower = not reading.text[kept[0][0]].isupper()
    if (lower and len(kept) > 2) or (not sure and reading.text.isupper()):
        return None
    return kept[0][0], kept[-1][1]


def _before_mail(reading: Reading) -> list[Found]:
    """Capitalised words before a mail address: "Ana Ruiz, ana@example.com"."""
    mails = reading.find(emails)
    if not mails:
        return []
    small = reading.phrases("slots", "never_name", "stop")
    for mail, _ in mails:
        named: list[Span] = []
        edge = mail
        for token in reversed(within(reading, (max(0, mail - 100), mail))[-2 * _NAME_WORDS :]):
            small_word = reading.folded[slice(*token)] in small
            apart = reading.folded[token[1] : edge].strip(" " if named else " ,:;-(")
            if apart or (named and small_word) or not (small_word or reading.text[token[0]].isupper()):
                break
            edge = token[0]
            if not small_word:
                named.insert(0, token)
        if named and len(named) <= _NAME_WORDS:
            span = named[0][0], named[-1][1]
            return [Found(reading.words(span), span, "any.name_before_mail")]
    return []
