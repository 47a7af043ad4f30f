"""How many people come, added up from those that are named: "me, my wife and two kids" are four, "3 ppl" are three.

A part is oneself ("me"), somebody ("my wife"), or a number of people ("two kids"); parts stand side by side or are
joined by small words. Who comes as well, or cannot come, changes the number that is held. The words are
`[data.people]` of the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, takewhile
from typing import NamedTuple

from holdfast.faculties.facts.slots import Found
from holdfast.faculties.facts.slots.readers import lacks_hour, party
from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.lexicon import kinds
from holdfast.reading.reader import Reader, Reading, Span, inside, touches
from holdfast.reading.values import Number, numbers
from holdfast.state import State

SLOT, CHANGED = "event_party_size", "people.changed"
MAX_WORDS = 60
"""Words of a message that are looked at: who comes is said in few."""
MAX_PEOPLE, MAX_FED = 999, 20
HOURS = 24
MAX_DIGITS = 4
"""Digits of a number that can count people."""
FOOD = frozenset({"food", "cuisine", "drink"})
NOBODY = FOOD | {"animal", "device", "household", "clothing", "vehicle", "placekind", "unit", "document", "event"}
"""Kinds of words that name nobody who comes."""
WORDS_BESIDE, NEARBY = 4, 24
"""Words, and characters, within which it is said of somebody that they come or do not come."""


class _Part(NamedTuple):
    """Some of those who come."""

    people: int
    first: int
    last: int
    """Its first and last word."""
    counted: bool = False
    """Whether a number says how many."""
    bare: bool = False
    """Whether nothing leads to it ("mom, dad and me"): then it counts beside others only."""
    guessed: bool = False
    """Whether only oneself beside it says that it is somebody: "my old man, my brother and me"."""
    oneself: bool = False
    whole: bool = False
    """Whether it counts all who come ("four of us — my sister and her husband"), whoever is named right after it."""


class _Words:
    """The words of one language for who comes. Use as `reading.made(_Words)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        def words(key: str) -> frozenset[str]:
            return reader.phrases("people", key, language)

        self._stem = reader.made(Endings).stem
        self.languages = (language,) if language else tuple(reader.languages("people"))
        named = words("several") | words("somebody")
        people = self._people = named | {self._stem(word) for word in named}
        self.is_person = kept(4096)(lambda word: word in people or self._stem(word) in people or self.is_kin(word))
        """Whether a word names one or several of those who may come, in any of its forms."""
        self.several, self.myself, self.couple, self.more = map(words, ("several", "self", "couple", "more"))
        one = {self._stem(word) for word in words("somebody")}
        self.crowd = {word for word in self.several if self._stem(word) not in one}
        """Words that name nobody alone: "my friends" may be any number."""
        self.pair, self.us, self.together, self.comes = map(words, ("pair", "ourselves", "together", "comes"))
        self.whose, self.manages = words("whose") | self.more, words("manages") | self.comes
        self.adds, self.many = words("adds"), tuple(words("many"))
        self.are = words("are")
        """What says something of those who are counted, in a language that needs a verb for it."""
        self.joins, self.of, self.articles = words("joins"), words("of"), reader.phrases("choice", "articles", language)
        self.fed, self.small, self.along = words("for"), words("after"), words("with")
        self.own = reader.phrases("pointing", "own", language)
        self.no_guess = self.small | self.joins | self.of | self.adds | reader.phrases("slots", "not_people", language)
        self.no_guess |= reader.phrases("small", "words", language)
        self.eaten = reader.phrases("query", "meals", language) | reader.phrases("query", "cuisines", language)
        self.numbers: Mapping[str, int] = {**reader.data("numbers", language), **reader.data("counts", language)}
        many = {word for word, number in self.numbers.items() if int(number) > 1}
        self.counting = self.us | many | frozenset("23456789")
        """Words that may begin a number of people without a noun."""

    def count(self, word: str) -> int:
        """The number that a word says, 0 for none."""
        digits = word.isdigit() and len(word) <= MAX_DIGITS
        return int(word) if digits else int(self.numbers.get(word, 0))

    def is_kin(self, word: str) -> bool:
        """Whether a word names one near person; the lexicon has no cases, which the tables' words have."""
        if word in self.several:
            return False
        declined = not word.isascii() and self._stem(word) in self._people
        return declined or "kin" in kinds([word], self.languages)[0]


def people(reading: Reading) -> list[Found]:
    """The number of those who are named, else one that is said in another way ("table for four"). Several ask: use as
    `reading.find(people)`."""
    runs = [run for run in reading.find(_runs) if (run[0].counted or len(run) > 1) and _counts(reading, run)]
    composed, told = [_found(reading, run) for run in runs], _told(reading) if reading.has("party") else []
    covered = [found for found in told if not touches(found.span, [one.span for one in composed])]
    if covered:  # "we'll be seven with my boyfriend" are seven
        composed = [_found(reading, run) for run in runs if run[0].counted]
    return sorted((*covered, *composed), key=lambda found: found.span) if composed else told or list(_fed(reading))


def _told(reading: Reading) -> list[Found]:
    """Numbers that are said to count people, without hours and those who stay away."""
    hours = reading.find(hours_beside)
    return [found for found in party(reading) if found.span not in hours and not _stay_away(reading, found.span)]


def hours_beside(reading: Reading) -> list[Span]:
    """Numbers that count nobody, since all who come are named or counted beside them: "book it for 7, me and my
    parents", "reserve it for 10, three people"."""
    runs = reading.find(_runs)
    named = [run for run in runs if run[0].counted or (len(run) > 1 and any(part.oneself for part in run))]
    whole = [_found(reading, run) for run in named]
    spans, sums = [one.span for one in whole], {one.value for one in whole}
    led = reading.made(_Words).fed if sums else ()
    return [
        token
        for before, token in pairwise(reading.tokens[:MAX_WORDS])
        if reading.said(before) in led and reading.said(token) not in sums and _is_alone(reading, token, spans)
    ]


def _is_alone(reading: Reading, span: Span, named: list[Span]) -> bool:
    """Whether a number in digits stands apart from those who are named, and no noun says that it counts people."""
    after = reading.folded[span[1] :].split()[:1]
    counts = bool(after) and reading.made(_Words).is_person(after[0].strip(".,"))
    said = reading.said(span)
    return said.isdigit() and 0 < int(said[:MAX_DIGITS]) <= HOURS and not counts and not touches(span, named)


def _recounted(reading: Reading, state: State) -> list[Found]:
    """Another number of people once one was given: "make it five", or the one number that the learned
    reading takes for one, or that puts something right ("Jess can't come, so 5"), and that is no time."""
    told = _joined_or_left(reading, state.slots.values[SLOT].value)
    if told or not reading.find(numbers) or reading.has("day", "clock"):
        return told
    counted = [(value.start, value.end) for c in reading.after("") for value in c.values if value.attribute == "party"]
    return [] if _puts_hour_right(reading, state) else _number_put_right(reading, counted, "people.recounted")


def put_right(slot: str) -> Callable[[Reading, State], list[Found]]:
    """For `Slot.meets`: another number of people once one was given, or another hour: "no, 11 I said"."""

    def meets(reading: Reading, state: State) -> list[Found]:
        if slot not in state.slots.values:
            return []
        if slot == SLOT:
            return _recounted(reading, state)
        return _number_put_right(reading, [], "time.right") if _puts_hour_right(reading, state) else []

    return meets


def _puts_hour_right(reading: Reading, state: State) -> bool:
    """Whether a bare number that puts something right is an hour: "no, eight" after "tonight", or after "at seven",
    where how many come was said before that; of what was said at once, the number that is nearer is meant."""
    when, count = (state.slots.values.get(name) for name in ("event_date_time", SLOT))
    if when is None or count is None or lacks_hour(reading, when.value):
        return when is not None
    if when.version != count.version:
        return bool(when.version > count.version)
    said = [n.value for n in reading.find(numbers)]
    return bool(said) and _is_nearer(reading, said[-1], when.value, count.value)


def _is_nearer(reading: Reading, said: float, when: str, count: str) -> bool:
    """Whether a number is nearer to the hour of a time than to a number of people: one puts right what is much like
    it."""
    hours = [n.value for n in reading.reader.read(when).find(numbers)]
    return bool(hours) and (not count.isdigit() or abs(said - hours[0]) < abs(said - int(count)))


def _number_put_right(reading: Reading, spans: list[Span], rule: str) -> list[Found]:
    """The one bare number of what corrects something, or of some other spans."""
    right = [*_put_right(reading), *spans]
    other = [cue.span for cue in (*reading.all("price"), *reading.all("pointing_ordinal"), *reading.all("clock"))]
    said = [n for n in reading.find(numbers) if touches(n.span, right) and n.value in range(1, MAX_FED)]
    bare = [Found(f"{n.value:g}", n.span, rule) for n in said if not n.unit and not touches(n.span, other)]
    return bare if len(bare) == 1 else []


def _put_right(reading: Reading) -> list[Span]:
    """What puts something right."""
    right = [(clause.start, clause.end) for clause in reading.after("") if clause.act == "corrects"]
    return right + [cue.groups["new"] for cue in reading.all("correction") if "new" in cue.groups]


def corrected_hour(reading: Reading, when: Found) -> list[Found]:
    """An hour that puts right the one before it in the same message: "10:30. actually no 11"."""
    right = [one for one in _number_put_right(reading, [], "time.right") if one.span[0] > when.span[1]]
    counts = [
        "",
        *(found.value for found in reading.find(people) if not touches(found.span, [one.span for one in right])),
    ]
    return [one for one in right if _is_nearer(reading, int(one.value), when.value, counts[-1])]


def added(reading: Reading, new: str, held: str) -> str:
    """For `Slot.joins`: "one more person" comes to those who were counted before."""
    words = reading.made(_Words)
    for found in reading.find(people):
        near = reading.folded[: found.span[1]].split()[-3:] + reading.folded[found.span[1] :].split()[:1]
        if found.value == new and held.isdigit() and not words.adds.isdisjoint(near):
            return str(int(held) + int(new))
    return new


def counted(reading: Reading, span: Span) -> int:
    """How many come, by words that are known to say it: those who are named in them, or the number that they have."""
    runs = [part for run in reading.find(_runs) if touches(_found(reading, run).span, [span]) for part in run]
    plain = [n for n in reading.find(numbers) if touches(n.span, [span]) and not _measures(reading, n)]
    told = [n for n in plain if n.value in range(1, MAX_PEOPLE)]
    alone = not any(part.counted or part.oneself for part in runs)  # "I'm taking my mom" are two
    return sum(part.people for part in runs) + alone if runs else int(told[-1].value) if told else 0


def are_people(reading: Reading, span: Span) -> bool:
    """Whether words name nothing but people: "with friends"."""
    words = reading.made(_Words)
    named = [reading.said(token) for token in inside(reading.tokens, span)]
    return all(word in words.along or word in words.whose or words.is_person(word) for word in named)


def _measures(reading: Reading, number: Number) -> bool:
    """Whether a number is one of a measure, and not of people: "a 4 year old"."""
    after = reading.folded[number.span[1] :].replace("-", " ").split()[:1]
    return bool(number.unit) or any("unit" in kind for kind in kinds(after, reading.made(_Words).languages))


def some_of(reading: Reading, found: Found) -> bool:
    """Whether something is said of some who come: "two of us are vegan"."""
    words, said = reading.made(_Words), reading.said(found.span).split()
    us = len(said) > 2 and said[-2] in words.of and said[-1] in words.us
    after = reading.folded[found.span[1] :].split()[:1]
    told = words.are.issuperset(after) if words.are else bool(after) and after[0].isalpha()
    return us and bool(after) and told


def _fed(reading: Reading) -> Iterator[Found]:
    """A number that something to eat is for, that a day follows or an hour leads to: "tacos for two", "busco tapas en
    madrid para cuatro", "for 2 fri 9", "at 8 for three". A noun after it would say what else it counts."""
    words = reading.made(_Words)
    said = [reading.folded[slice(*token)] for token in reading.tokens[:MAX_WORDS]]
    told = zip(said, kinds(said, words.languages), strict=True)
    food = [word in words.eaten or not FOOD.isdisjoint(kind) for word, kind in told]
    for place, count in enumerate(map(words.count, said)):
        if not 0 < count <= MAX_FED or not place or said[place - 1] not in words.fed:
            continue
        token = reading.tokens[place]
        after = reading.folded[token[1] :].lstrip(" ")[:1]
        timed = any(cue.end < token[0] for cue in reading.all("clock")) and not after.isalnum()
        if timed or any(cue.start == token[1] + 1 for cue in reading.all("day")):
            yield Found(str(count), token, "people.for")
        if place < 2 or not any(food[:place]):
            continue
        if said[place].isdigit() and not food[place - 2]:
            continue  # "pizza in boston for 7" may be a time
        if not after.isalnum() or said[place + 1] in words.small:
            yield Found(str(count), (reading.tokens[place - 1][0], token[1]), "people.fed")


def _said(reading: Reading) -> list[str]:
    return [reading.folded[slice(*token)] for token in reading.tokens[:MAX_WORDS]]


def _runs(reading: Reading) -> list[list[_Part]]:
    """Parts that stand together. Use as `reading.find(_runs)`."""
    said, words = [reading.folded[slice(*token)] for token in reading.tokens[:MAX_WORDS]], reading.made(_Words)
    runs: list[list[_Part]] = []
    place = 0
    while place < len(said):
        between = said[runs[-1][-1].last + 1 : place] if runs else ["?"]
        joined = len(between) < 3 and words.joins.issuperset(between)
        part = _part(words, said, place, words.whose | words.articles if joined else words.whose)
        if part is None:
            place += 1
            continue
        place = part.last + 1
        if joined:
            runs[-1].append(part)
        else:
            runs.append([part])
    sure = [[part for part in run if not part.guessed or any(one.oneself for one in run)] for run in runs]
    if words.along.isdisjoint(said):
        return [run for run in sure if run]
    return [[*run, *_with_me(words, said, run)] for run in sure if run]


def _counts(reading: Reading, run: list[_Part]) -> bool:
    """Whether a run says how many come; alone, only a number of people does, and not of those who stay away."""
    others = len(run) > 1 and _names_others(reading.made(_Words), _said(reading), run)
    return (run[0].counted or others) and not _stay_away(reading, _found(reading, run).span)


def _joined_or_left(reading: Reading, held: str) -> list[Found]:
    """The number that is held, with those who come as well and without those who cannot come."""
    words, said = reading.made(_Words), _said(reading)
    for run in reading.find(_runs) if held.isdigit() else ():
        found = _found(reading, run)
        near = {*said[max(run[0].first - WORDS_BESIDE, 0) : run[-1].last + 1 + WORDS_BESIDE]}
        as_well = not near.isdisjoint(words.comes) and not near.isdisjoint(words.adds)
        sign = -1 if _stay_away(reading, found.span) else int(as_well)
        left = int(held) + sign * int(found.value)
        if sign and left > 0:
            return [Found(str(left), found.span, CHANGED)]
    return []


def _stay_away(reading: Reading, span: Span) -> bool:
    """Whether it is said of somebody that they do not come: "one friend can't make it", "двое не придут"."""
    return any(span[0] - NEARBY <= start <= span[1] + NEARBY for start in reading.find(_denied))


def _denied(reading: Reading) -> list[int]:
    """Where it is denied that somebody comes."""
    ends = {cue.end + 1 for cue in reading.all("negation")}
    tokens = [token for token in reading.tokens[:MAX_WORDS] if token[0] in ends]
    return [token[0] for token in tokens if reading.folded[slice(*token)] in reading.made(_Words).manages]


def _names_others(words: _Words, said: list[str], run: list[_Part]) -> bool:
    """Whether somebody is named beside who speaks ("leave it with me, I need to think"), and not only side by side."""
    return any(said[part.last] not in words.myself for part in run) and not all(part.bare for part in run)


def _with_me(words: _Words, said: list[str], run: list[_Part]) -> list[_Part]:
    """Who speaks, where others come along: "dinner with my wife", "хотим с женой поужинать" are two."""
    first, last = run[0].first, run[-1].last
    led = not words.along.isdisjoint(said[max(first - 1, 0) : first + 1])
    kin = led and not run[0].counted and all(words.is_kin(said[part.last]) for part in run)
    return [_Part(1, last, last)] if kin else []


def _part(words: _Words, said: list[str], place: int, leads: frozenset[str]) -> _Part | None:
    """Who is named from a word on: "my wife", "another couple", "two kids", "two of us", oneself, or, after others,
    "wife"."""
    at = place + len(list(takewhile(leads.__contains__, said[place : min(place + 2, len(said) - 1)])))
    count = words.count(said[at])
    noun = min(at + bool(count), len(said) - 1)
    if said[noun] in words.pair or (said[noun] in words.couple and (count or said[at - 1] in words.more)):
        return _couple(words, said, place, noun, max(count, 1))
    if words.is_person(said[noun]) and 0 <= count <= MAX_PEOPLE:
        if noun > at:
            return _Part(count, place, noun, counted=True)
        nobody = words.crowd if at > place else words.several
        if said[noun] not in nobody and not said[noun].endswith(words.many):
            return _Part(1, place, noun, bare=at == place)
    guessed = _guess(words, said, place, at, noun) if count or said[place] in words.own else None
    if guessed is None and said[place] in words.myself:
        return _Part(1, place, place, oneself=True)
    return guessed or (_of_us(words, said, place) if said[place] in words.counting else None)


def _of_us(words: _Words, said: list[str], place: int) -> _Part | None:
    """A number of people without a noun: "us two", "two of us", "двое"."""
    word, after = said[place], [*said[place + 1 : place + 3], "", ""]
    if word in words.us and words.count(after[0]) and not words.is_person(after[1]):
        return _Part(words.count(after[0]), place, place + 1, counted=True)
    if words.count(word) and after[0] in words.of and after[1] in words.us:
        return _Part(words.count(word), place, place + 2, counted=True, whole=True)
    return _Part(words.count(word), place, place, counted=True) if word in words.together else None


def _guess(words: _Words, said: list[str], place: int, at: int, noun: int) -> _Part | None:
    """Somebody whom no table knows, where what leads to it is one's own or a number."""
    count = words.count(said[at])
    known = NOBODY.intersection(kinds([said[noun]], words.languages)[0])
    if noun == place or known or not said[noun].isalpha() or said[noun] in words.no_guess:
        return None
    joined = noun > at == place > 0 and said[place - 1] in words.joins
    return _Part(max(count, 1), place, noun, guessed=True) if joined or said[place] in words.own else None


def _couple(words: _Words, said: list[str], place: int, noun: int, count: int) -> _Part:
    """Couples are two each; "a couple of friends" may be any number."""
    of = said[noun + 1 : noun + 2] != [] and said[noun + 1] in words.of
    counted = not of and said[noun] in words.couple
    return _Part(2 * count, place, min(noun + 2 * of, len(said) - 1), counted=counted)


def _found(reading: Reading, run: list[_Part]) -> Found:
    span = reading.tokens[run[0].first][0], reading.tokens[run[-1].last][1]
    whole = [part.people for part, after in pairwise(run) if part.whole and after.first == part.last + 1]
    return Found(str(max(whole, default=sum(part.people for part in run))), span, "people")
