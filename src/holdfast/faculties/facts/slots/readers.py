"""Readers for slots: how the values that many packs want are found in a message. A pack may write its own: a reader is
a function from a `Reading` to `Found` values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from holdfast.faculties.facts.slots import Found, stands
from holdfast.faculties.facts.slots.values import Cued
from holdfast.faculties.questions.pending import Answer, answered
from holdfast.kept import kept
from holdfast.reading.dates import When, dates, minutes, moved, shifts
from holdfast.reading.places import Place, answers, named_places, places, stops
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.standing import sentences, standing, suppositions
from holdfast.reading.values import emails, number_in, numbers, trimmed
from holdfast.state import State

Read = Callable[[Reading], Iterable[Found]]

_NAME_WORDS = 4


def within(reading: Reading, span: Span) -> list[Span]:
    """The words that begin in a span."""
    tokens = reading.tokens
    return tokens[bisect_left(tokens, (span[0], 0)) : bisect_left(tokens, (span[1], 0))]


cued = Cued


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
        found = [p for p in found if not (_told_of(reading, p.span) or _asked_by_the_way(reading, p.span))]
        return [as_found(p) for p in (_away_from_home(reading, found) if len(found) > 1 else found)]

    return read


def _away_from_home(reading: Reading, found: list[Place]) -> list[Place]:
    """Of several places, those where the person does not live: "I live in Boston, any food in NYC?"."""
    homes = [cue.end for cue in reading.all("lives") if cue.means != "set"]
    away = [p for p in found if not _just_after(p, homes)]
    # "we're not in Rome, we're in Pisa", "forget Boston, we're in Austin"
    return away if any(stands(reading, as_found(p)) for p in away) else found


def _just_after(place: Place, ends: list[int]) -> bool:
    return any(0 <= place.span[0] - end <= 20 for end in ends)


def _told_of(reading: Reading, span: Span) -> bool:
    """Whether a place is only told of: where somebody else lives ("my sister lives in Denver"), or where one once was
    ("I was in Boston last year"); not where one stays oneself ("my hotel is in Plano")."""
    # what people do ends with a verb, which may lead to a place of ours: "Austin said", but "I said Denver"
    cues = [
        cue
        for cue in reading.all("told_place")
        if cue.start <= span[0] <= cue.end + 1 and (span[0] < cue.end or cue.means != "people")
    ]
    supposed = [cue.end for cue in reading.find(suppositions)]  # "what if we went to Ogden"
    told = [cue for cue in cues if not any(0 <= cue.start - end <= 6 for end in supposed)]
    return any(not _own(reading, cue) for cue in told)


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
    ends = [cue.end for cue in reading.all("lives")]
    found = [p for p in reading.find(places) if _just_after(p, ends)] if ends else []
    own = [p for p in found if "reported" not in reading.find(standing).of(p.span)]  # not "he moved to Berlin"
    return [as_found(p) for p in own if not _asked(reading, p.span)]


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
    if words in {"", *reading.phrases("slots", "never_place")}:
        return None
    known = _known_place(reading, span)
    if known is not None:
        return as_found(known)._replace(rule="answer.where")
    counted = span in {number.span for number in reading.find(numbers) if number.value < 1000}
    if counted or answer.question.options:
        return None  # how many, or "home" in reply to "home or the office?"; a longer number may be a postal code
    most = 4 if reading.text[span[0]].isupper() else 2
    small = reading.phrases("slots", "never_name", "stop")
    if len(words.split()) > most or not small.isdisjoint(words.split()):
        return None
    return Found(reading.words(span), span, "answer.where")


def _known_place(reading: Reading, span: Span) -> Place | None:
    """The known place that a reply begins with: "Portland" in "Portland will be fine", nothing in "Boston Common"."""
    for place in reading.find(answers):
        if place.span[0] == span[0] or _led_to(reading, span[0], place):
            after = reading.folded[place.span[1] : span[1]].split()[:1]
            small = reading.phrases("slots", "never_name", "stop") | reading.phrases("small", "words")
            return place if small.issuperset(after) else None
    return None


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
    """For `Slot.joins`: a new time keeps the day that was named; a new day keeps the time where that had no day, or
    where it is a change."""
    said = _when(reading.reader, new) or When(new, (0, 0), "", "", new)  # "8" in reply to "what time?"
    before = _when(reading.reader, held)
    if before is None:
        return new
    match bool(said.day), bool(said.clock):
        case True, False if before.clock and (not before.day or reading.has("correction", "override", "recount")):
            joined = f"{said.day} {before.clock}"
        case False, _ if before.day:
            joined = f"{before.day} {said.clock}"
        case _:
            return new
    return joined.lower() if new.islower() else joined


def same_hour(reading: Reading, new: str, held: str) -> str:
    """A new day with the hour of a time that is held, where it has none of its own."""
    before = _when(reading.reader, held)
    return f"{new} {before.clock}" if before is not None and before.clock and lacks_hour(reading, new) else new


def same_day_or_moved(reading: Reading, new: str, held: str) -> str:
    """For `Slot.joins`: the same, and a time that is moved by so much: "an hour later", "полчаса раньше"."""
    before = _when(reading.reader, held) if reading.has("shift") else None
    by = [minutes(reading, cue) for cue in shifts(reading)] if before else []
    if before is None or not by:
        return same_day(reading, new, held)
    return moved(before, by[0], int(reading.data("dates").get("hours", 24))) or held


def lacks_hour(reading: Reading, held: str) -> bool:
    """Whether a time that is held is a day without its hour."""
    when = _when(reading.reader, held)
    return when is not None and bool(when.day) and not when.clock


def day_of(reading: Reading, held: str) -> str:
    """The day of a time that is held, where it names one."""
    when = _when(reading.reader, held)
    return when.day if when is not None else ""


@kept(256)
def _when(reader: Reader, text: str) -> When | None:
    """The parts of a time that is held."""
    found = reader.read(text).find(dates)
    return found[0] if len(found) == 1 else None


def party(reading: Reading) -> Iterable[Found]:
    """How many people come."""
    numbered = ((cue, _number_of_people(reading, cue)) for cue in reading.all("party"))
    return [Found(str(n), cue.groups.get("n", cue.span), cue.id) for cue, n in numbered if 0 < n < 1000]


def _number_of_people(reading: Reading, cue: Cue) -> int:
    """The number in a cue; 0 where it counts something else. A pattern without one has one of its own: "just me"."""
    words = cue.means
    if "n" in cue.groups:
        start, end = cue.groups["n"]
        if reading.folded[:start].endswith((",", ".", ":", "$")) or _counts_else(reading, end):
            return 0  # the end of a longer number, or "book it for 8 pm"
        words = reading.folded[start:end]
    if words.isdigit():
        return int(words[:10])
    return int({**reading.data("numbers"), **reading.data("counts")}.get(words, 0))


def _counts_else(reading: Reading, end: int) -> bool:
    """Whether the words after a number make an hour or the like of it: "8 pm", "8 in the evening", "8:30"."""
    after = reading.folded[end : end + 12].split()[:2] or [""]
    said = {after[0].strip(".,"), " ".join(after)}
    return after[0].startswith((":", "/")) or not said.isdisjoint(reading.phrases("slots", "not_people"))


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
    return found or (_before_mail(reading) if reading.find(emails) else [])


def person_answer(reading: Reading, answer: Answer) -> Found | None:
    """A bare reply to "what is your name?"."""
    whole = trimmed(reading, answer.span)
    span = _name(reading, whole, True)
    return Found(reading.words(span), span, "answer.name") if span == whole else None


def _name(reading: Reading, span: Span, sure: bool) -> Span | None:
    """The words of a span that can be a name. After "I'm" they need capitals; after "my name is", a lower-case name
    must stand alone."""
    never = reading.phrases("slots", "stop", "never_name")
    never |= reading.phrases("given", "never") if not sure else frozenset()
    kept: list[Span] = []
    for token in within(reading, span)[:_NAME_WORDS]:
        if not _goes_on(reading, kept, token, sure, never):
            break
        kept.append(token)
    if not kept or (len(kept) > 2 and not reading.text[kept[0][0]].isupper()):
        return None
    start, end = kept[0][0], kept[-1][1]
    unsaid = reading.text.isupper() or "'s" in reading.folded[start:end]  # "this is John's favourite song"
    return (start, end) if sure or not unsaid else None


def _goes_on(reading: Reading, kept: list[Span], token: Span, sure: bool, never: frozenset[str]) -> bool:
    """Whether a name can go on with a word: nothing parts it from those before, and it looks like one of a name."""
    word = reading.folded[slice(*token)]
    parted = kept and reading.folded[kept[-1][1] : token[0]].strip()
    if parted or word in never or not word[0].isalpha() or "@" in reading.text[token[0] : token[1] + 1]:
        return False
    given = not kept and word in reading.reader.phrases("given", "names")  # "hi im kate"
    return sure or given or reading.text[token[0]].isupper()


def _before_mail(reading: Reading) -> list[Found]:
    """Capitalised words before a mail address: "Ana Ruiz, ana@example.com"."""
    for mail, _ in reading.find(emails):
        named = _capitalised_before(reading, mail)
        if 0 < len(named) <= _NAME_WORDS:
            span = named[0][0], named[-1][1]
            return [Found(reading.words(span), span, "any.name_before_mail")]
    return []


def _capitalised_before(reading: Reading, mail: int) -> list[Span]:
    """The capitalised words that lead to a mail address; small words may stand between them and it."""
    small = reading.phrases("slots", "never_name", "stop")
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
    return named
