"""How the companion and the coding assistant speak of what they know: whole sentences without keys, in one language.
What they say is in `words/says.tsv`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from holdfast import telling
from holdfast.agents.texts import LANGUAGES, texts
from holdfast.faculties.facts.memos import slices
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.told import parts_of
from holdfast.faculties.lists.kept import OWN, ListChanged
from holdfast.faculties.lists.owing import LEDGERS, total
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reader
from holdfast.reading.tables import shipped
from holdfast.reading.text import fold
from holdfast.turn import Turn

MAX_QUOTED_CHARS = 200
"""Characters of somebody's words that are quoted back."""
PHRASE = 6
"""Words of a value that still ends a sentence of ours; a longer one is told in the person's own words."""
CLAUSE = 2
"""Words of a value up to which it is no clause by itself."""


class Words:
    """What is said, in one language. `manner` names texts that another agent has in the place of the companion's."""

    def __init__(self, language: str, manner: str = "companion") -> None:
        self.says = {**texts("companion", language), **texts(manner, language)}
        self._names = texts("companion.name", language)
        self._facts = texts("companion.fact", language)
        self._articles = reader().data("articles", language)
        self._small = reader().phrases("small", "words", language) - self._articles.keys()
        self._receipts = telling.words(language)

    def __call__(self, key: str, **given: str) -> str:
        return self.says[key].format(**given)

    def name(self, slot: str) -> str:
        last = slot.rpartition("/")[2]
        return self._names.get(slot) or self._names.get(last) or self._receipts.name(last).lower()

    def is_named(self, slot: str) -> bool:
        """Whether a sentence can be made with the name of a slot: "your budget is …"."""
        return slot in self._names or slot.rpartition("/")[2] in self._names

    def fact(self, slot: str, value: str, said: str = "") -> str:
        """Something known, as the end of a sentence: "your name is Sam"; in the words in which it was said where no
        sentence of ours holds it."""
        told = next(filter(None, (self._facts.get(f"{slot}:{kind}") for kind in _kinds(value))), self._facts.get(slot))
        unnamed = not self.is_named(slot) or fold(self.name(slot)) in fold(value).split()
        if not self._ends_a_sentence(value, said) or (said and told is None and unnamed):
            return self("in_quotes", text=quoted(said or value))
        if told is not None:
            return told.format(value=value, one=self.one(value))
        return self._facts["any"].format(name=self.name(slot), value=value)

    def _ends_a_sentence(self, value: str, said: str) -> bool:
        """Whether a value is a phrase of its own: "standing for long", and not "hip is" or all that was said."""
        words = fold(value).split()
        whole = len(words) > CLAUSE and fold(value) == fold(said)
        return 0 < len(words) <= PHRASE and not whole and self._small.isdisjoint((words[0], words[-1]))

    def one(self, value: str) -> str:
        """A value with the article that its first letter asks for, where the language has one: "a nurse"."""
        first = value.split(maxsplit=1)[0].casefold()
        if first in self._articles:
            return value
        article = next((word for word, letters in self._articles.items() if first[0] in str(letters)), "")
        return f"{article} {value}".strip()

    def changed(self, event: ListChanged, left: tuple[str, ...]) -> str:
        """What was done to a list, as a sentence."""
        kind = event.name if event.name in OWN else "list"
        list, what, old = self.list(event.name), self.row(event.added or event.removed), self.row(event.removed)
        if event.added:
            return self(f"{'moved' if event.removed else 'kept'}_{kind}", what=what, old=old, list=list)
        return self(f"gone_{kind}" if left or kind != "list" else "emptied", what=what, list=list)

    def on_list(self, name: str, items: tuple[str, ...]) -> str:
        if name in OWN:
            return self(f"are_{name}", what=self._summed(name, items)) if items else self(f"no_{name}")
        return self("is_on" if items else "empty", what=self.row(items), list=self.list(name))

    def _summed(self, name: str, items: tuple[str, ...]) -> str:
        """What stands on a list of one's own, with what debts come to together."""
        sum = total(reader(), items) if name in LEDGERS.values() else ""
        return self("in_all", what=self.row(items), total=sum) if sum else self.row(items)

    def list(self, name: str) -> str:
        """A list by its name, as it stands in a sentence."""
        plain = not name or name in self.says["plain_lists"].split()
        return self("plain_list") if plain else self("named_list", name=name)

    def row(self, items: Sequence[str]) -> str:
        """Things in a row: "milk, eggs and bread"."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self('and')} {items[-1]}"


def _kinds(value: str) -> set[str]:
    """What the words of a value are: one may be vegetarian, and eats fish."""
    return {kind for token in tokens(value) for kind in token.kinds}


@cache
def reader() -> Reader:
    return Reader(
        [*shipped("holdfast.reading", "shared", LANGUAGES), *shipped("holdfast.agents", "companion", LANGUAGES)]
    )


def sentence(words: Words, memo: Memo) -> str:
    """Something remembered as a person would say it, without the key that it is kept under. What was decided is quoted,
    what is not wanted has its own words."""
    if memo.kind == "decision":
        return words("in_quotes", text=memo.label)
    whole = memo.value if len(memo.value.split()) > PHRASE else ""
    own = next((text for text in (memo.text, whole) if text and fold(text) in fold(memo.words)), "")
    # "Event on Friday" nobody said
    said = own or _clause(memo) or memo.text or memo.value
    return words.fact(memo.slot, memo.value, said) if memo.positive else words("in_quotes", text=quoted(said))


def _clause(memo: Memo) -> str:
    """The part of a sentence that tells a value."""
    clauses = [memo.words[part.start : part.end].strip(" ,;.") for part in parts_of(reader(), memo.words)]
    return next((clause for clause in clauses if fold(memo.value) in fold(clause)), memo.words)


def known_things(turn: Turn) -> dict[tuple[str, str], Memo]:
    """What is known by attribute and value, the narrowest scope first: a place of the talk that is one's home once."""
    found: dict[tuple[str, str], Memo] = {}
    for _, memory in slices(turn.state):
        for memo in memory.items.values():
            if memo.positive:
                found.setdefault((memo.slot, fold(memo.value)), memo)
    return {key: memo for key, memo in found.items() if key[0] != "location" or ("home", key[1]) not in found}


def quoted(text: str) -> str:
    """Somebody's words on one line, not too many of them."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTED_CHARS else text[: MAX_QUOTED_CHARS - 1] + "…"
