"""How each part of a message stands: asserted, negated, asked, supposed, quoted, told of others, or taken back.

A value counts as a fact about the speaker only where it is asserted. Everything here is worked out from cues and marks,
once per message and only when somebody asks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import takewhile
from typing import Literal, NamedTuple

from holdfast.reading.model.tokens import tokens, tokens_of
from holdfast.reading.pasted import pasted
from holdfast.reading.reader import Cue, Reading, Span, inside
from holdfast.reading.text import fold

LONGEST_CLAUSE = 1000
"""Characters after which a clause ends in any case, so that text without marks stays linear to read."""

MAX_TITLE = 4
"""Letters of a title that is written with a dot: "Prof."."""

Flag = Literal["negated", "question", "hypothetical", "quoted", "reported", "withdrawn"]

# Fixed and without choices, so the standard library's matcher is linear here too.
# A run of marks is looked at once, from its first: "????…a" would else be tried from every one of them.
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++(?=\s|$)|\n+|;(?=\s|$)")
_CLAUSE_END = re.compile(r"[,;:()]|\s-\s|\n")
_QUOTES = re.compile(r"""```[^`]*```|"[^"\n]{1,2000}"|(?<!\w)'[^'\n]{3,2000}'(?!\w)|^>[^\n]*$""", re.MULTILINE)
_BACKTICKS = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,2000}`", re.DOTALL)


class Standing(NamedTuple):
    """The flagged spans of one message, by flag."""

    spans: dict[Flag, list[Span]]

    def of(self, span: Span) -> set[Flag]:
        """The flags that touch a span."""
        found: set[Flag] = set()
        for flag, spans in self.spans.items():
            for start, end in spans:
                if start < span[1] and span[0] < end:
                    found.add(flag)
                    break
        return found

    def asserted(self, span: Span) -> bool:
        """Whether what stands there is simply said by the speaker, as true."""
        return not self.of(span)


class Repair(NamedTuple):
    """A false start: what was said first, the words that take it back, and what was meant."""

    reparandum: Span
    interregnum: Span
    repair: Span
    rule: str


def sentences(reading: Reading) -> list[Span]:
    """The sentences of a message, without the white space around them; "Dr. Patel" is one name."""
    found: list[Span] = []
    for span in _cut(reading.folded, 0, len(reading.folded), _SENTENCE_END):
        goes_on = bool(found) and _is_titled(reading, found[-1][1])
        found.append((found.pop()[0] if goes_on else span[0], span[1]))
    return found


def _is_titled(reading: Reading, end: int) -> bool:
    """Whether what ends here ends in a title with its dot: "Dr."."""
    last = reading.folded[max(0, end - MAX_TITLE - 2) : end].split()[-1:]
    title = last[0].rstrip(".") if last and last[0].endswith(".") else ""
    return 1 < len(title) <= MAX_TITLE and "title" in tokens(title)[0].kinds


def sentence_of(reading: Reading, span: Span) -> Span:
    """The sentence in which a span begins."""
    found = reading.find(sentences)
    place = bisect_right(found, (span[0], len(reading.text))) - 1
    if place >= 0 and found[place][0] <= span[0] < found[place][1]:
        return found[place]
    return 0, len(reading.text)


def clause_end(reading: Reading, start: int, only: bool = True) -> int:
    """Where the clause that runs at `start` ends: at a comma, a bracket, a "but", or the end of its sentence. With
    `only` also at a "just" or an "only"."""
    text = reading.folded
    stop = min(len(text), start + LONGEST_CLAUSE)
    for mark in (_CLAUSE_END, _SENTENCE_END):  # the second looks no further than the first found: hostile text is long
        if hit := mark.search(text, start, stop + 1):
            stop = hit.start()
    turns = (cue for cue in reading.all("but") if only or cue.means != "only")
    return min([stop, *(cue.start for cue in turns if cue.start > start)])


def standing(reading: Reading) -> Standing:
    """Use as `reading.find(standing)`."""
    text = reading.folded
    spans: dict[Flag, list[Span]] = {
        "quoted": _quoted(reading),
        "negated": _negated(reading),
        "withdrawn": [repair.reparandum for repair in reading.find(repairs)],
        "question": [],
        "hypothetical": [],
        "reported": [(cue.end, end) for cue, end in reading.find(reports)],
    }
    openers = reading.phrases("question", "openers")
    doubts = reading.find(suppositions)
    for start, end in reading.find(sentences):
        asked = text[start:end].rstrip('") ').endswith("?")
        if asked or _opens_question(reading, text[start:end].lstrip('¿¡"( '), openers):
            spans["question"].append((start, end))
        if any(start <= cue.start < end for cue in doubts):
            spans["hypothetical"].append((start, end))
    return Standing(spans)


_MARKS_AFTER = (",", ".", "!", ";", ":")


def suppositions(reading: Reading) -> list[Cue]:
    """The words that suppose something; "if I'm honest" supposes nothing. Use as `reading.find(suppositions)`.
    "Sí, vivo en Lima" agrees: its accent, or the mark after it, tells it from "si vivo en Lima"."""
    cues = [cue for cue in reading.all("hypothetical") if not frankly(reading, cue)]
    agrees = {cue.start for cue in reading.all("yes")} if cues else set()
    return [cue for cue in cues if cue.start not in agrees or not _by_itself(reading, cue)]


def frankly(reading: Reading, cue: Cue) -> bool:
    """Whether an "if" only says how something is told: "if I'm honest"."""
    return reading.folded[cue.end :].lstrip().startswith(tuple(reading.phrases("memory", "frank")))


def _by_itself(reading: Reading, cue: Cue) -> bool:
    """Whether a yes that could be an "if" is typed with its accent, or stands by itself."""
    accented = reading.words(cue.span).lower() != reading.folded[slice(*cue.span)]
    return accented or reading.folded.startswith(_MARKS_AFTER, cue.end)


def _quoted(reading: Reading) -> list[Span]:
    """What stands in quotes or backticks, what is handed over to be worked on, and what was pasted."""
    text = reading.folded
    quoted = [m.span() for m in _QUOTES.finditer(text)]
    if "`" in reading.text:
        quoted += [m.span() for m in _BACKTICKS.finditer(reading.text)]
    for cue in reading.all("cites"):  # what is handed over to be worked on goes to an empty line
        end = text.find("\n\n", cue.end)
        quoted.append((cue.end, len(text) if end < 0 else end))
    return quoted + reading.find(pasted) if "\n" in text or "</" in text else quoted


def reports(reading: Reading) -> list[tuple[Cue, int]]:
    """What is told of others, and how far each reaches: what they say, over what they say of the speaker; what they are
    and do, to the place where the speaker comes in ("my wife and I", "she left and I moved"). Use as
    `reading.find(reports)`."""
    cues = reading.all("reported")
    speaker = reading.phrases("reported", "speaker") if cues else frozenset()
    found: list[tuple[Cue, int]] = []
    for cue in cues:
        end = clause_end(reading, cue.end, only=False)
        if cue.means == "said":
            end = clause_end(reading, end + 1, only=False) if reading.folded[end : end + 1] == ":" else end
        else:
            end = next((a for a, b in inside(reading.tokens, (cue.end, end)) if reading.folded[a:b] in speaker), end)
        found.append((cue, end))
    return found


def asked(reading: Reading, span: Span) -> bool:
    """Whether a value stands in the clause that asks: in "I live in Boston, any tips?" Boston is said, not asked."""
    start, end = next(((a, b) for a, b in reading.find(standing).spans["question"] if a <= span[0] < b), (0, 0))
    if not end:
        return False
    text = reading.folded
    marks = [mark.end() for mark in _CLAUSE_END.finditer(text, start, span[0])]
    opening = marks[-1] if marks else start
    if not text[clause_end(reading, span[1]) : end].strip(' .!?")') or "¿" in text[opening : span[0]]:
        return True
    return _opens_question(reading, text[opening:end].lstrip('¿¡"( '), reading.phrases("question", "openers"))


def asks_outright(reading: Reading) -> bool:
    """Whether a message asks by its mark, or by the speaker after the verb ("am I using it"). Of any other that opens
    as a question does ("were using it"), its act says whether it asks."""
    second = reading.folded.split(maxsplit=2)[1:2]
    return "?" in reading.text or not reading.phrases("question", "subjects").isdisjoint(second)


def _opens_question(reading: Reading, sentence: str, openers: frozenset[str]) -> bool:
    """Whether a sentence without a question mark begins as a question: "where is it", but not "where I work, …"."""
    head, second = [*re.split(r"[\s,]+", sentence, maxsplit=2), "", ""][:2]
    if head not in openers:
        return f"{head} {second}" in openers
    if head in reading.phrases("question", "inverts") and second in reading.phrases("question", "commands"):
        return False  # "don't use npm", "do not write": a command
    if head not in reading.phrases("question", "subordinate") or second in openers:
        return True
    return second not in reading.phrases("question", "subjects") and "," not in sentence


def _negated(reading: Reading) -> list[Span]:
    """From each negation to the end of its clause; from the beginning of the clause where the language puts it last
    ("ich nutze Vim nicht"). The "no" of a repair ("Boston, no wait, Austin") and a "no" that is an answer of its own
    ("No.I meant Austin") negate nothing."""
    taken = [cue.span for cue in reading.all("repair")]
    return [
        (
            _clause_start(reading, cue.start) if _trails(reading, cue) else cue.end,
            _degree_end(reading, cue.end) or clause_end(reading, _past_proposal(reading, cue.end)),
        )
        for cue in reading.all("negation")
        if not any(start <= cue.start < end for start, end in taken) and not _answers_no(reading, cue)
    ]


def _degree_end(reading: Reading, start: int) -> int:
    """Where a negated degree ends: of "not too expensive sushi in Boston" only "too expensive" is negated. 0 where no
    degree follows the negation."""
    tokens = reading.tokens
    place = bisect_left(tokens, (start, 0))
    after = place
    while after < len(tokens) and reading.folded[slice(*tokens[after])] in reading.phrases("negation", "degrees"):
        after += 1
    return tokens[after][1] if place < after < len(tokens) else 0


def _past_proposal(reading: Reading, start: int) -> int:
    """ "No vamos a usar npm", "let's not": a proposal right after a negation is what it negates, and ends nothing."""
    follows = (c for c in reading.all("but") if c.means == "proposal" and not reading.folded[start : c.start].strip())
    return next((cue.end for cue in follows if cue.start >= start), start)


def _trails(reading: Reading, cue: Cue) -> bool:
    """Whether a negation stands at the end of its clause, with at most one word after it, in a language that negates
    so: "ich habe Vim nicht benutzt"."""
    trailing = reading.phrases("negation", "trailing")
    if not trailing or reading.folded[cue.start : cue.end] not in trailing:
        return False
    return len(reading.folded[cue.end : clause_end(reading, cue.end)].split()) < 2


def _clause_start(reading: Reading, end: int) -> int:
    floor = max(0, end - LONGEST_CLAUSE)
    marks = [hit.end() for mark in (_CLAUSE_END, _SENTENCE_END) for hit in mark.finditer(reading.folded, floor, end)]
    return max([floor, *marks, *(cue.end for cue in reading.all("but") if cue.end <= end)])


def _answers_no(reading: Reading, cue: Cue) -> bool:
    """ "No make it six days": a "no" that answers, and does not negate what follows."""
    text = reading.folded
    if text[cue.start : cue.end] not in reading.phrases("negation", "answers"):
        return False
    if text[: cue.start].rstrip().endswith((",", "-")):
        return False
    opens = not text[: cue.start].strip(" \"'(") or text[: cue.start].rstrip()[-1:] in ".!?\n"
    if opens and re.match(r"[.!]\S", text[cue.end : cue.end + 2]):
        return True  # "No.I would like …": a sentence of its own, whose blank is missing
    follow = re.match(r"\s+([^\s,.!?]+)", text[cue.end : cue.end + 40])
    if follow is None:
        return False
    if _HOUR.fullmatch(follow[1]) and not _counted(reading, cue.end + follow.end()):
        return _corrects(reading, cue, opens)
    return opens and follow[1] in reading.phrases("repair", "after_no")


def _counted(reading: Reading, end: int) -> bool:
    """Whether a unit stands after a number that ends somewhere: "no 12 volts" denies them."""
    after = next((token for token in reading.find(tokens_of) if token.start >= end), None)
    if after is None or "unit" in after.kinds:
        return after is not None
    sign = reading.text[after.start : after.end]  # «12 В»
    return len(sign) == 1 and sign.isupper() and reading.language != "en"


_HOUR = re.compile(r"\d+(?::\d\d)?")


def _corrects(reading: Reading, cue: Cue, opens: bool) -> bool:
    """Whether a "no" before a number puts something right: "actually no 11", but not "not 11"."""
    alone = reading.said(cue.span) in reading.phrases("negation", "alone")
    return alone and (opens or any(c.start <= cue.start < c.end for c in reading.all("correction")))


def repairs(reading: Reading) -> list[Repair]:
    """The false starts of a message. Use as `reading.find(repairs)`."""
    if not reading.has("repair", "repair_weak") or len(reading.text) > LONG:
        return []
    found: list[Repair] = []
    for repair in filter(None, (_repair(reading, cue, weak=cue.family == "repair_weak") for cue in _breaks(reading))):
        end = found[-1].repair[0] if found else 0
        if repair.reparandum[0] >= end and not _opens_correction(reading, repair):
            found.append(repair)
    return found


def _breaks(reading: Reading) -> list[Cue]:
    """The words that may take something back, in order; a weak one inside a strong one is part of it."""
    strong: list[Cue] = []
    for cue in reading.all("repair"):
        strong += [cue] if not strong or cue.start >= strong[-1].end else []
    weak = [cue for cue in reading.all("repair_weak") if not any(s.start <= cue.start < s.end for s in strong)]
    return sorted((*strong, *weak), key=lambda cue: cue.start)


def _opens_correction(reading: Reading, repair: Repair) -> bool:
    """ "Ah no, in Segovia": words that open a message and correct what was said before it are no false start, and
    neither are those that only say so once more: "sorry, six I meant, …"."""
    new = [(cue.start, *cue.groups["new"]) for cue in reading.all("correction") if "new" in cue.groups]
    if any(start < begin <= repair.reparandum[0] and end == repair.interregnum[1] for start, begin, end in new):
        return True
    opens = not reading.folded[: repair.reparandum[0]].strip()
    return opens and any(a <= repair.reparandum[0] and begin >= repair.interregnum[1] for a, begin, _ in new)


def _repair(reading: Reading, cue: Cue, weak: bool) -> Repair | None:
    if "again" in cue.groups:
        return _question_anew(reading, cue)
    broken = _Break(reading, cue)
    if broken.takes_nothing_back() or ((weak or cue.means == "filler") and not broken.takes_back()):
        return None
    return broken.repair()


def _question_anew(reading: Reading, cue: Cue) -> Repair | None:
    """ "What is a where is …": nothing but the question that begins anew says that something is taken back."""
    place, stop = cue.groups["again"]
    if cue.means == "begun" and not (reading.text[place].isupper() and reading.text[stop + 1].islower()):
        return None  # "Who causes What causes …": only the capital says that the question begins anew
    broken = _Break(reading, cue._replace(start=place, end=place))
    return None if broken.takes_nothing_back() else broken.repair()


def fluent(reading: Reading) -> str:
    """The message as it was meant: without false starts and the words that take them back, and without what something
    else is set against ("not in Boston but in Austin")."""
    if not reading.find(repairs):
        return _uncontrasted(reading) if reading.has("contrast") else reading.text
    text, place = "", 0
    for repair in reading.find(repairs):
        start, end = repair.reparandum
        if start < place:
            continue
        text += reading.text[place:start]
        between = reading.text[end : repair.interregnum[0]].rstrip(" ,")
        if between.strip(" ,.-"):
            text += reading.words(repair.repair) + between
            place = repair.repair[1]
        else:
            place = repair.repair[0]
    return _tidy(_ended(reading, text + reading.text[place:]), reading.text[:1].isupper()) if place else reading.text


def _ended(reading: Reading, text: str) -> str:
    """A message without the words that only say once more that something was taken back: "…, the famine rather"."""
    bare = text.rstrip(" .?!")
    for words in reading.phrases("repair", "trailing_off"):
        if fold(bare).endswith(f" {words}"):
            return bare[: -len(words)].rstrip(" ,") + text[len(bare) :]
    return text


def meant(reading: Reading) -> Reading:
    """The message as it was meant, read again; where nothing was taken back, itself."""
    text = fluent(reading)
    again = reading.reader.read(text) if text != reading.text else reading
    return reading if again.find(repairs) else again


def _uncontrasted(reading: Reading) -> str:
    """ "I don't live in Boston but in Austin" as "I live in Austin"."""
    cue = reading.all("contrast")[0]
    old, new = cue.groups["old"], cue.groups["new"]
    first, said = inside(reading.tokens, new)[:1], inside(reading.tokens, old)
    if not first or not said or len(reading.text) > LONG:
        return reading.text
    if reading.said(first[0]) in reading.phrases("contrast", "subjects"):
        return reading.text  # "not sure, but I …" begins to say something else
    repeated = [t for t in said if reading.folded[slice(*t)] == reading.folded[slice(*first[0])]]
    brings = len(inside(reading.tokens, (new[0], clause_end(reading, new[0]))))
    cut = repeated[-1] if repeated else said[-min(brings, len(said))]
    verb = cue.groups.get("be", (cue.start, cue.start))
    kept = reading.text[: cue.start] + reading.words(verb) + " " + reading.text[old[0] : cut[0]]
    return _tidy(kept + reading.text[new[0] :], reading.text[:1].isupper())


LONG = 8000
"""Characters from which a message is a document: nobody speaks so long, and false starts are of speech."""
WINDOW = 60
"""Words before and after a break that are looked at."""
MAX_TAKEN_BACK = 5
"""Words of substance that a repair can take back at once; one that ends the sentence takes no more than it brings."""


class _Break:
    """Where somebody breaks off and says something else: the words before, those that take back, the words after."""

    def __init__(self, reading: Reading, cue: Cue) -> None:
        self.reading, self.cue = reading, cue
        tokens = reading.tokens
        first = bisect_left(tokens, (cue.end, 0))
        last = bisect_left(tokens, (cue.start, 0))
        self.before, self.after = tokens[max(0, last - WINDOW) : last], tokens[first : first + WINDOW]
        if self.before and self.before[-1][1] > cue.start:
            self.before = self.before[:-1]
        self.said = reading.said(self.before[-1]) if self.before else ""
        """The last word before the break."""
        self.follows = reading.said(self.after[0]) if self.after else ""
        """The first word after it."""

    def words(self, name: str) -> frozenset[str]:
        """Small words of a kind, from the table of the language."""
        return self.reading.phrases("repair", name)

    def kind(self, token: Span) -> str:
        word = self.reading.said(token)
        return next((name for name in ("wh", "aux", "det", "prep") if word in self.words(name)), "")

    def asks_anew(self) -> bool:
        """Whether the repair asks anew: "who …", "in what year …", "tell me …"."""
        kinds = [self.kind(token) for token in self.after[:4]]
        return kinds[0] == "wh" or kinds[:2] == ["prep", "wh"] or (self.follows in self.words("tell") and "wh" in kinds)

    def takes_nothing_back(self) -> bool:
        refuses = self.follows in self.reading.phrases(
            "negation", "answers"
        )  # "saturday next week I mean, not this one"
        return refuses or not self.before or not self.after or self._apologises() or self._is_said_of_things()

    def _apologises(self) -> bool:
        """ "I am sorry that …" and "…, sorry for the late notice" take nothing back."""
        text, cue, sorry = self.reading.folded, self.cue, self.words("sorry")
        if not cue.groups and text.startswith(tuple(sorry), cue.start) and self.said in self.words("apologies"):
            return True
        excuses = not sorry or any(word in text[cue.start : cue.end] for word in sorry)
        return excuses and self.follows in self.words("excuses") and "," not in text[cue.end : self.after[0][0]]

    def _is_said_of_things(self) -> bool:
        """ "Can you make that blue?", "he said no, tell me later"."""
        return self.reading.said(self.cue.span) in self.words("also_said") and self.said in self.words("no_break_after")

    def repair(self) -> Repair | None:
        after = self.after
        stop = clause_end(self.reading, after[0][0])
        after = self.after = [t for t in after if t[1] <= stop] or after[:1]
        ends = not self.reading.folded[after[-1][1] : after[-1][1] + 12].strip(" .?!\"'")
        taken = self._false_start(len(after) if ends else MAX_TAKEN_BACK), self.before[-1][1]
        if ends and len(after) <= 4:
            # "Which bird sings best, no sorry, which fish?": the end replaces something further back
            taken = self._moved() or taken
        return Repair(taken, self.cue.span, (after[0][0], after[-1][1]), self.cue.id)

    def takes_back(self) -> bool:
        """Whether a lone "no", "rather" or "um" takes something back: only if what follows stands in for what was
        said."""
        cue, text = self.cue, self.reading.folded
        if (text[self.before[-1][1] : cue.start] + text[cue.end : self.after[0][0]]).strip(" ,-"):
            return False
        if self.asks_anew():
            return self.before[0][0] == 0 or "wh" in map(self.kind, self.before[-14:])
        match cue.means:
            case "filler":
                return self._alike() or self._repeats(4) or self._noun_for_noun()
            case "oops":
                return self._alike() or self._repeats(6)
            case "rather":
                return self._puts_right()
        return self._denies()

    def _alike(self) -> bool:
        """A number for a number, or a name for a name."""
        return _shape(self.reading, self.before[-1]) == _shape(self.reading, self.after[0]) != "word"

    def _repeats(self, nearest: int) -> bool:
        """Whether the first word after the break stands among the nearest ones before it."""
        return self.follows in map(self.reading.said, self.before[-nearest:])

    def _puts_right(self) -> bool:
        """ "Rather" and "actually": "a lower rate of pay, actually a lower rate of tax"."""
        choice = self.reading.said(self.cue.span) in self.reading.phrases("choice", "word")
        again = self._alike() or max(self._said_again(self.before[-12:])) > 1
        return again and not choice and self.follows not in self.words("than")

    def _denies(self) -> bool:
        """A lone "no"."""
        cue, text = self.cue, self.reading.folded
        if self.said in self.words("not_after") or self.follows in self.words("not_before"):
            return False
        fenced = text[cue.start - 2 : cue.start].strip() == "," in text[cue.end - 1 : cue.end + 1]
        if self._noun_for_noun() or self._alike() or fenced:
            return True
        return self.kind(self.after[0]) in ("det", "prep") or self._repeats(6)

    def _noun_for_noun(self) -> bool:
        """ "which conjecture er theorem": a word of substance after an article or a question word, then another."""
        before = self.before
        if self.kind(before[-1]) or self.kind(self.after[0]) or len(before) < 2:
            return False
        places = range(len(before) - 2, max(-1, len(before) - 5), -1)
        lead = next((place for place in places if self.kind(before[place])), None)
        if lead is None:
            return False
        kind = self.kind(before[lead])
        if kind == "prep":
            return self.reading.said(before[lead]) in self.words("of")
        return not (kind == "det" and lead and self.kind(before[lead - 1]) == "prep")

    def _false_start(self, max_words: int) -> int:
        """Where the words that are taken back begin.

        A speaker who repairs goes back to a question begun anew, to a word said again ("to Boston, no, to Austin"), to
        a word of the same kind (a name for a name, a preposition for a preposition), or else to the words of substance
        just before.
        """
        here = self._sentence()
        if self.asks_anew():
            return self._question(here)
        near = here[-8:] if max(self._said_again(here[-16:])) < 2 else here[-16:]
        again = self._said_again(near)
        if any(again):  # where most of what follows was said before; else the nearest
            return near[max(range(len(near)), key=lambda place: (again[place], place))][0]
        kind = self.kind(self.after[0])
        of_kind = [token for token in here[-6:] if kind in ("prep", "aux") and self.kind(token) == kind]
        return of_kind[-1][0] if of_kind else self._substance(here, kind, max_words)

    def _sentence(self) -> list[Span]:
        """The words before the break that belong to its sentence."""
        said = self.reading.find(sentences)
        place = bisect_left(said, (self.before[-1][0] + 1, 0)) - 1
        opening = said[place][0] if place >= 0 else 0
        return [t for t in self.before if t[0] >= opening] or self.before[-1:]

    def _question(self, here: list[Span]) -> int:
        """Where the question began that is asked anew."""
        asked = [t for t in here if self.kind(t) == "wh"]
        if not asked:
            return here[0][0]
        again = self.reading.said(asked[-1]) == self.follows or self.reading.folded[: asked[-1][0]].rstrip().endswith(
            ","
        )
        place = here.index(asked[-1] if again else asked[0])
        led = place > 0 and self.kind(here[place - 1]) == "prep"
        if led and (place == 1 or self.kind(self.after[0]) == "prep"):
            place -= 1  # "From where …, I mean how many …": the question begins with its preposition
        return here[place][0]

    def _substance(self, here: list[Span], kind: str, max_words: int) -> int:
        """The run of words of substance before the break, with its article where the repair brings its own."""
        shape = _shape(self.reading, here[-1])
        run = 1
        while run < min(len(here), max_words) and self._goes_on(here[-run - 1], here[-run], shape):
            run += 1
        if shape == "word" and run > 3:
            run = 2
        if run < len(here) and kind == "det" and self.kind(here[-run - 1]) == "det":
            run += 1
        return here[-run][0]

    def _goes_on(self, token: Span, following: Span, shape: str) -> bool:
        """Whether a word belongs to the run of those that follow it."""
        if self.kind(token) or "," in self.reading.folded[token[1] : following[0]]:
            return False
        particle = shape == "name" and self.reading.said(token) in self.words("particles")
        return particle or _shape(self.reading, token) == shape

    def _moved(self) -> Span | None:
        """What a short repair at the very end replaces, when the word that it repeats stands further back."""
        before, count = self.before, len(self.after)
        for place in range(len(before) - 2 * count - 1, -1, -1):
            if self.reading.said(before[place]) == self.follows:
                return before[place][0], before[place + count - 1][1]
        shape = _shape(self.reading, self.after[0])
        if shape == "word" or self._alike() or self.kind(self.after[0]):
            return None
        return self._newest_run([t for t in before[1:] if _shape(self.reading, t) == shape])

    def _newest_run(self, names: list[Span]) -> Span | None:
        """The last of them, with those right before it."""
        if not names:
            return None
        run = [names[-1]]
        while len(run) < len(names) and run[0][0] - names[-len(run) - 1][1] == 1:
            run.insert(0, names[-len(run) - 1])
        return run[0][0], run[-1][1]

    def _said_again(self, before: list[Span]) -> list[int]:
        """For each of some words said before, how many words at the beginning of the repair stand there in a row."""
        said, after = [*map(self.reading.said, before)], [*map(self.reading.said, self.after)]
        pairs = (zip(said[place:], after, strict=False) for place in range(len(said)))
        return [sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], row)) for row in pairs]


def _tidy(text: str, capital: bool) -> str:
    text = re.sub(r"[ \t]{2,}", " ", text).strip()
    return text[:1].upper() + text[1:] if capital else text


def _shape(reading: Reading, span: Span) -> str:
    word = reading.words(span)
    if word[:1].isdigit() or reading.words(span).lower() in reading.data("numbers"):
        return "number"
    return "name" if word[:1].isupper() and span[0] > 0 else "word"


def _cut(text: str, start: int, stop: int, mark: re.Pattern[str]) -> Iterator[Span]:
    for hit in mark.finditer(text, start, stop):
        yield from _trimmed(text, start, hit.end())
        start = hit.end()
    yield from _trimmed(text, start, stop)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    if end > start:
        yield start, end
