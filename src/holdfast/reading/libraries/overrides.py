"""Which library or approach a person asks for or refuses. "Use matplotlib instead" does; "make it 3 instead of 1",
"change to red" and "why did you use Pillow?" do not.

Reading goes from the library's name outward: the words right before it choose or refuse it, the words further before
tell whether somebody is asked to do it or only told about it. Without a name, only an approach, a method or a tool can
be meant, and only where somebody is asked to take another one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import dropwhile
from typing import Literal, NamedTuple

import msgspec

from holdfast.reading.libraries.code import Libraries, Word
from holdfast.reading.libraries.ordinary import moved, ordinary
from holdfast.reading.model.clauses import strange
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.standing import sentence_of, standing

Role = Literal["requested", "rejected"]

MOST = 12
"""Names in one message that are looked at: enough for any talk, and a bound for hostile text."""
_SHORT = 8
"""Words of a clause that is about little more than the library that it names."""
_NEAR = 300
"""Characters before a request that can tell how it is meant."""

_CLAUSE = re.compile(r"[,;()!?\n]|\.(?=\s)|\s-\s")
_WORDS = re.compile(r"[^\s,;:.!?()\"]+")
_FILE = re.compile(r"\.[a-z0-9]{2,5}\b|/\w")


class Mention(NamedTuple):
    """A library's name in a message."""

    library: str
    real: str
    common: bool
    span: Span
    place: bool = False


NAMED_WHOLE, NAMED_ALONE = "any.library.whole", "any.library.alone"
"""Rules of a request that is nothing but the name of a library."""


class Override(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a message asks of the choice of libraries."""

    kind: Literal["library", "reject", "approach"]
    requested: str | None = None
    rejected: tuple[str, ...] = ()
    ambiguous: bool = False
    matched: str = ""
    rule: str = ""
    start: int = 0
    end: int = 0
    also: tuple[str, ...] = ()
    """Further libraries that were asked for in the same breath."""
    real: str = ""
    """The library of a family that was named: xlsxwriter for openpyxl."""
    doubtful: bool = False
    """Whether every name in it is an ordinary word too (pandas, pillow), and nothing else shows that it is meant."""
    elsewhere: bool = False
    """Whether it may be a way to a place of that name ("move it to Cairo")."""

    def meant(self, seen: Container[str]) -> bool:
        """Whether a library is meant: one of those that are in use, where the words alone do not tell."""
        if self.elsewhere or (self.doubtful and self.kind != "library"):
            return any(name in seen for name in (self.requested, *self.rejected) if name)
        return True


class Speech:
    """How people speak of the libraries of one table. Faculties share one, so that a message is read once."""

    def __init__(self, libraries: Libraries) -> None:
        self.libraries = libraries
        self.table, self._meaning = libraries.words()

    def override(self, reading: Reading) -> Override | None:
        """Use as `reading.find(speech.override)`."""
        return override(reading, self._meaning)

    def named(self, reading: Reading) -> Override | None:
        """The one library that a message names, for a message that is known to ask for a change. Use as
        `reading.find(speech.named)`."""
        found = mentions(reading, self._meaning)
        if len(found) != 1:
            return None
        one = found[0]
        taken = any(0 <= one.span[0] - cue.end <= 1 for cue in reading.all("lib_tool"))
        # in other letters no library is an ordinary word
        if one.common and not taken and reading.language not in reading.reader.recogniser.scripts:
            return None
        if "negated" in reading.find(standing).of(one.span) or not _asked(reading, *one.span):
            return None
        return _requested(reading, one.library, one.real, one.span)

    def unknown(self, reading: Reading) -> Override | None:
        """A library that no table knows, by a word that nobody else says either: "use skia instead". Use as
        `reading.find(speech.unknown)`."""
        fonts = reading.phrases("revisions", "fonts")
        for cue in reading.all("lib_tool"):
            around = _clause(reading, cue.start)
            said = [span for span in reading.tokens if around[0] <= span[0] < around[1]]
            span = _taken_word(reading, cue, said) if len(said) <= _SHORT else None
            if span is None or not _asked(reading, cue.start, span[1]):
                continue
            name = reading.words(span)
            if name.isascii() and name.lower() not in fonts and strange(name.lower()):
                return _requested(reading, name, name, (cue.start, span[1]))
        return None

    def mentions(self, reading: Reading) -> list[Mention]:
        """Use as `reading.find(speech.mentions)`."""
        return mentions(reading, self._meaning)


def _clause(reading: Reading, place: int) -> Span:
    """The words around a place, between two marks."""
    marks = [mark.start() for mark in _CLAUSE.finditer(reading.folded, max(0, place - _NEAR), place + _NEAR)]
    after = [mark for mark in marks if mark >= place]
    return max((mark for mark in marks if mark < place), default=0), min(after, default=len(reading.folded))


def _taken_word(reading: Reading, cue: Cue, said: Iterable[Span]) -> Span | None:
    """The word that somebody is told to take, where nothing but a courtesy follows it, or what it is to be taken for:
    "use the skia please", "use skia for it"."""
    fillers, closers = reading.phrases("revisions", "fillers"), reading.phrases("revisions", "closers")
    after = (span for span in said if span[0] >= cue.end)
    named = list(dropwhile(lambda span: reading.said(span) in fillers, after))
    goes_on = any(reading.said(span) not in closers for span in named[1:2])
    points = {cue.start for cue in reading.all("points_at")}
    return named[0] if named and (not goes_on or any(span[0] in points for span in named[2:3])) else None


def _requested(reading: Reading, library: str, real: str, span: Span) -> Override:
    words = reading.words(span)
    return Override("library", library, matched=words, rule="aim.same", start=span[0], end=span[1], real=real)


class _Told(NamedTuple):
    """What is asked of a library that is named."""

    mention: Mention
    role: Role
    rule: str
    start: int
    common: bool
    """Whether the name is an ordinary word too, and nothing around it shows that the library is meant."""
    alternative: bool = False
    """Whether it is one of two that will do: "pandas or matplotlib"."""
    elsewhere: bool = False


def mentions(reading: Reading, meaning: Mapping[str, Word]) -> list[Mention]:
    """Names of libraries in a message, outside quotes and file names."""
    found: list[Mention] = []
    for cue in reading.all("library"):
        word = meaning.get(cue.id)
        if word is None or _FILE.match(reading.folded, cue.end) or (found and cue.start < found[-1].span[1]):
            continue
        if "quoted" not in reading.find(standing).of(cue.span):
            found.append(Mention(word.library, word.real, word.common, cue.span, word.place))
        if len(found) == MOST:
            break
    return found


def override(reading: Reading, meaning: Mapping[str, Word]) -> Override | None:
    """What a message asks for, or None where it asks for nothing of the kind."""
    if not reading.has("library", "approach", "something_else"):
        return None
    told: list[_Told] = []
    for mention in mentions(reading, meaning):
        role = _told(reading, mention, told[-1] if told else None)
        if role is not None:
            told.append(role)
    if told:
        return _named(reading, told)
    return _unnamed(reading)


def _named(reading: Reading, told: list[_Told]) -> Override:
    """What is asked of the libraries that are named."""
    wanted = [t for t in told if t.role == "requested"]
    first = (wanted or told)[0]
    span = min(t.start for t in told), told[-1].mention.span[1]
    asked = Override(
        kind="reject",
        rejected=others((t.mention.library for t in told if t.role == "rejected"), ()),
        matched=reading.words(span),
        rule=first.rule,
        start=span[0],
        end=span[1],
        doubtful=all(t.common for t in told) and not _library_noun(reading, first.mention),
    )
    return _choosing(asked, wanted) if wanted else asked


def _choosing(asked: Override, wanted: list[_Told]) -> Override:
    """What is asked where libraries are wanted: the first that is not refused too, and those beside it."""
    names = sorted((t.mention.library for t in wanted), key=lambda name: name in asked.rejected)
    return msgspec.structs.replace(
        asked,
        kind="library",
        requested=names[0],
        rejected=others(asked.rejected, names[:1]),
        also=others(names, (names[0], *asked.rejected)),
        real=next(t.mention.real for t in wanted if t.mention.library == names[0]),
        ambiguous=any(t.alternative for t in wanted),
        elsewhere=all(t.elsewhere for t in wanted),
    )


def others(names: Iterable[str], known: Container[str | None]) -> tuple[str, ...]:
    """Names without those that are known, each once."""
    return tuple(name for name in dict.fromkeys(names) if name not in known)


def _unnamed(reading: Reading) -> Override | None:
    for family in ("approach", "something_else"):
        for cue in reading.all(family):
            if not _away(reading, cue) and not _flipped(reading, cue) and _asked(reading, cue.start, cue.end):
                words = reading.words(cue.span)
                return Override(
                    kind="approach",
                    ambiguous=family == "something_else" and not reading.has("approach"),  # "is there another way? …"
                    matched=words.strip(),
                    rule=cue.id,
                    start=cue.start,
                    end=cue.end,
                )
    return None


def _away(reading: Reading, cue: Cue) -> bool:
    """Whether the words after it lead elsewhere: "a new approach to learning", but not "another way for this"."""
    following = _WORDS.findall(reading.folded, cue.end, cue.end + 40)[:2]
    if not following or following[0] not in reading.phrases("revisions", "not_after"):
        return False
    return len(following) < 2 or following[1] not in reading.phrases("revisions", "despite")


def _told(reading: Reading, mention: Mention, previous: _Told | None) -> _Told | None:
    """What is asked of one library, or None where it is only talked about."""
    noun = _library_noun(reading, mention)
    follower = _WORDS.match(reading.folded, mention.span[1] + 1)
    after = follower[0] if follower else ""
    versioned = after in reading.phrases("revisions", "version")
    if after in reading.phrases("revisions", "after_stops") and not noun and not versioned:
        return None
    joined = _joined(reading, mention, previous) if previous is not None else None
    refused = joined or _refused(reading, mention, noun) or _refused_after(reading, mention)
    return refused or _wanted(reading, mention, noun, versioned)


def _refused(reading: Reading, mention: Mention, noun: bool) -> _Told | None:
    """ "don't use Pillow": a refusal right before the name; "don't stop using Pillow" asks for it."""
    for cue in _before(reading, "lib_refuse", mention, noun):
        if _asked(reading, cue.start, mention.span[1]) and (cue.means != "change" or _exchanged(reading, mention)):
            role: Role = "requested" if _flipped(reading, cue) else "rejected"
            common = mention.common and not _used(reading, mention, cue)
            return _Told(mention, role, cue.id, cue.start, common)
    return None


def _wanted(reading: Reading, mention: Mention, noun: bool, versioned: bool) -> _Told | None:
    """A library that is asked for: "use plotly", "redo it in plotly", "plotly instead"."""
    cue = _chosen(reading, mention, noun, versioned)
    if cue is None and not versioned:
        cue = _by(reading, mention, noun) or _after(reading, mention)
    if cue is None or (mention.common and not noun and _an_ordinary_word(reading, mention, cue, versioned)):
        return None
    elsewhere = mention.place and not noun and moved(reading, mention.span, cue)
    start = min(cue.start, mention.span[0])
    return _Told(mention, "requested", cue.id, start, mention.common, elsewhere=elsewhere)


def _an_ordinary_word(reading: Reading, mention: Mention, cue: Cue, versioned: bool) -> bool:
    """Whether a name is meant as a word of its own; of a version, where it tells how that is: "a sharp version"."""
    if not versioned:
        return ordinary(reading, mention.span, cue)
    return any(token.start == mention.span[0] and token.kinds for token in reading.find(tokens_of))


def _chosen(reading: Reading, mention: Mention, noun: bool, versioned: bool) -> Cue | None:
    """The words right before a name that choose it; those of a version only where one follows."""
    for cue in _before(reading, "lib_choose", mention, noun):
        fits = versioned == (cue.means == "version") and not _flipped(reading, cue)
        if fits and _asked(reading, cue.start, mention.span[1]):
            return cue
    return None


def _joined(reading: Reading, mention: Mention, previous: _Told) -> _Told | None:
    """A second name in the same breath: "pandas and matplotlib", "not Pillow but matplotlib", "Pillow → matplotlib"."""
    between = reading.folded[previous.mention.span[1] : mention.span[0]].strip(" ,")
    words = " ".join(_WORDS.findall(between)) or between
    common = previous.common and mention.common
    joined = words in reading.phrases("revisions", "joins")
    if previous.role == "rejected" and not joined:  # "not Pillow, matplotlib"
        return _Told(mention, "requested", previous.rule, previous.start, common)
    if not words or joined:
        alternative = previous.role == "requested" and words in reading.reader.phrases("revisions", "or")
        return _Told(mention, previous.role, previous.rule, previous.start, common, alternative)
    return None


def _exchanged(reading: Reading, mention: Mention) -> bool:
    """ "change Pillow to matplotlib": only with what comes in its place is a library meant, and not what it made."""
    for cue in reading.all("library"):
        if 0 < cue.start - mention.span[1] <= 8:
            return reading.folded[mention.span[1] : cue.start].strip() in reading.phrases("revisions", "turns")
    return False


def _used(reading: Reading, mention: Mention, cue: Cue) -> bool:
    """Whether a word that is not only a library is refused as one: "never use pandas", but not "no pandas"."""
    words = _WORDS.findall(reading.folded, cue.start, mention.span[0])
    uses = any(word in reading.phrases("revisions", "using") for word in words)
    return uses and not ordinary(reading, mention.span, cue)


def _before(reading: Reading, family: str, mention: Mention, noun: bool) -> Iterator[Cue]:
    """The cues that stand right before a name, with nothing but small words between; the nearest first."""
    fillers, articles = reading.phrases("revisions", "fillers"), reading.phrases("revisions", "articles")
    for cue in reversed(reading.all(family)):
        if cue.end > mention.span[0] or mention.span[0] - cue.end > 40:
            continue
        between = _WORDS.findall(reading.folded, cue.end, mention.span[0])
        marked = mention.common and not noun and any(word in articles for word in between)  # "use the pillow"
        if all(word in fillers for word in between) and not marked:
            yield cue


def _by(reading: Reading, mention: Mention, noun: bool) -> Cue | None:
    """ "redo it in matplotlib": a verb of making, and the name after "in", "with" or "using"."""
    link = next(_before(reading, "lib_by", mention, noun), None)
    if link is None:
        return None
    begin = sentence_of(reading, mention.span)[0]
    for cue in reading.all("lib_remake"):
        if cue.means == "passive" and not _rather(reading, mention):
            continue  # "can this be done with plotly?" asks whether it can
        if begin <= cue.start < link.start and _asked(reading, cue.start, mention.span[1], within=link.start):
            return cue
    return None


def _rather(reading: Reading, mention: Mention) -> bool:
    """Whether a sentence is no question, or one that asks for something else all the same."""
    if "question" not in reading.find(standing).of(mention.span):
        return True
    return any(c.means == "instead" and 0 < c.start - mention.span[1] <= 2 for c in reading.all("lib_instead"))


def _refused_after(reading: Reading, mention: Mention) -> _Told | None:
    """ "Pillow is not allowed": a refusal that follows the name."""
    start, end = mention.span
    for cue in reading.all("lib_instead"):
        if cue.means == "refused" and 0 < cue.start - end <= 2 and _asked(reading, start, cue.end):
            return _Told(mention, "rejected", cue.id, start, mention.common)
    return None


def _after(reading: Reading, mention: Mention) -> Cue | None:
    """ "matplotlib instead", "plotly, please": a name that carries the request alone."""
    start, end = mention.span
    near = [cue for cue in reading.all("lib_instead") if 0 <= cue.start - end <= 2 and cue.means not in _NO_REQUEST]
    if not reading.folded[:start].strip(" \"'"):
        rest = reading.folded[end:].strip(" .!")
        near += [] if rest else [Cue(NAMED_ALONE, "library", "any", start, end, {})]
        return next(iter(near), None)
    if mention.common:
        return None
    if _whole(reading, mention):
        return Cue(NAMED_WHOLE, "library", "any", start, end, {})
    return next((cue for cue in near if _asked(reading, start, cue.end)), None)


_NO_REQUEST = ("noun", "refused")
"""What may follow a name and asks for nothing: "the plotly library"."""


def _whole(reading: Reading, mention: Mention) -> bool:
    """ "no, with matplotlib", "the bar chart in plotly, please": a message of little more than the name."""
    words = [word.strip("¿¡") for word in _WORDS.findall(reading.folded, 0, mention.span[0])[-8:]]
    if len(words) > 7 or not _closed(reading, mention.span[1]):
        return False
    openers, suggests = reading.phrases("revisions", "openers"), reading.phrases("revisions", "suggests")
    if words[-1] not in reading.phrases("revisions", "links"):  # "ok, plotly", but not "and plotly?"
        asks = "?" in reading.folded and suggests.isdisjoint(words)
        return not asks and (openers | suggests).issuperset(words)
    return _asked(reading, 0, mention.span[1], within=mention.span[0])


def _closed(reading: Reading, place: int) -> bool:
    """Whether nothing but small words follows."""
    closers = reading.phrases("revisions", "closers")
    return all(word in closers for word in _WORDS.findall(reading.folded, place, place + _NEAR))


def _library_noun(reading: Reading, mention: Mention) -> bool:
    end = mention.span[1]  # also with a word between: "the pillow image library"
    return any(cue.means == "noun" and 0 <= cue.start - end <= 10 for cue in reading.all("lib_instead"))


def _flipped(reading: Reading, cue: Cue) -> bool:
    """ "don't stop using Pillow" asks for Pillow, and "don't change the library" for nothing new."""
    before = reading.folded[max(0, cue.start - 20) : cue.start].rstrip()
    return any(before == flip or before.endswith(" " + flip) for flip in reading.phrases("revisions", "flips"))


def _asked(reading: Reading, start: int, end: int, within: int = 0) -> bool:
    """Whether somebody is asked to do what stands at `start`, and not told, quoted, supposed or asked about it."""
    flags = reading.find(standing).of((start, end))
    if any(0 <= cue.start - end <= 4 for cue in reading.all("lib_refuse")):
        flags -= {"withdrawn"}  # "in plotly, not in Pillow" sets one against the other and takes nothing back
    if flags & {"quoted", "reported", "withdrawn"} or ("hypothetical" in flags and not _polite(reading, start)):
        return False
    begin = sentence_of(reading, (start, start))[0]
    clause = max(begin, start - _NEAR)
    for mark in _CLAUSE.finditer(reading.folded, clause, start):
        clause = mark.end()
    said = [*_bare(reading, reading.folded[clause:start]), *_WORDS.findall(reading.folded, start, within)]
    if not reading.phrases("revisions", "stops").isdisjoint(said):
        return False
    return "question" not in flags or _wish(reading, begin, start)


def _wish(reading: Reading, begin: int, start: int) -> bool:
    """Whether a sentence in the form of a question asks to do something: "can you …?", "don't …", "use plotly?"."""
    first = _WORDS.search(reading.folded, begin, begin + 40)
    if first is None or first.start() >= start:
        return True
    if any(reading.folded.startswith(command, first.start()) for command in reading.phrases("revisions", "commands")):
        return True
    opener = first[0].strip("¿¡'")
    asks, flips = reading.phrases("revisions", "asks"), reading.phrases("revisions", "flips")
    return opener in asks or opener in flips or opener not in reading.phrases("question", "openers")


def _polite(reading: Reading, start: int) -> bool:
    """A doubt that is only courtesy: "maybe use pandas", "if possible, use pandas"."""
    begin, finish = sentence_of(reading, (start, start))
    doubts = [cue for cue in reading.all("hypothetical") if begin <= cue.start < finish]
    courtesies = reading.made(_courtesies)
    return all(cue.means == "might" or reading.folded.startswith(courtesies, cue.start) for cue in doubts)


def _courtesies(reader: Reader, language: str | None) -> tuple[str, ...]:
    """The leads that begin with an "if"."""
    ifs = reader.phrases("revisions", "ifs", language)
    return tuple(lead for lead in reader.phrases("revisions", "leads", language) if lead.split()[0] in ifs)


def _bare(reading: Reading, prefix: str) -> list[str]:
    """The words before a request without the phrases that lead to one: "can you please", "I want you to"."""
    text = f" {' '.join(_WORDS.findall(prefix))} "
    for lead in reading.made(_leads):
        text = text.replace(f" {lead} ", "  ")
    return text.split()


def _leads(reader: Reader, language: str | None) -> list[str]:
    """The phrases that lead to a request, the longest first."""
    return sorted(reader.phrases("revisions", "leads", language), key=lambda lead: (-len(lead), lead))
