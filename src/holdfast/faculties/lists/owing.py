"""Who owes whom how much: "Sal owes me 30 and big Tony 55", "I owe Mum 15", "Sal paid 10".

Two lists of everybody's own: what is owed to one, and what one owes. Each name stands there once, with what is owed
now; whoever has paid all is off the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from holdfast.faculties.lists.headings import EDGES
from holdfast.faculties.lists.kept import OWED, OWING
from holdfast.faculties.lists.naming import Deed, apart, keys, share, trimmed
from holdfast.faculties.lists.scene import Scene, times
from holdfast.reading.reader import Cue, Reader, Span, touches, within
from holdfast.reading.text import fold
from holdfast.reading.values import Number, numbers

LEDGERS = {"to_me": OWED, "by_me": OWING}
MAX_NAME_WORDS = 5


class Debt(NamedTuple):
    """What stands on the list: a name and an amount."""

    name: str
    value: float
    amount: str
    """As it was said: "22.50", "180 euros"."""

    @property
    def item(self) -> str:
        return f"{self.name} {self.amount}"


def debts(scene: Scene) -> list[Deed]:
    """What a part says or asks of what is owed."""
    cues = within(scene.reading.all("list_owes"), scene.part.span)
    owes = _of_whom(scene, min((cue for cue in cues if cue.means in LEDGERS), key=_is_loose, default=None))
    said = {cue.means for cue in cues}
    if "bought" in said:
        return []
    if scene.part.act == "asks":
        return list(_asked(scene, owes, "paid" in said))
    return list(_settled(scene) if "paid" in said else _stated(scene, owes, cues))


def _of_whom(scene: Scene, owes: Cue | None) -> Cue | None:
    """Words for owing with whoever owes: «я Марату должен» is said of oneself."""
    if owes is None or not _is_loose(owes):
        return owes
    before = scene.reading.folded[scene.part.span[0] : owes.start].split()
    return owes if scene.words("oneself").isdisjoint(before) else owes._replace(means="by_me")


def _is_loose(cue: Cue) -> bool:
    """Whether words for owing may say something else: «я должен» is "I must" as well."""
    return "loose" in cue.traits


def _asked(scene: Scene, owes: Cue | None, paid: bool) -> Iterator[Deed]:
    """ "Who owes me?", "how much does Tony owe?", "has Sal paid?"."""
    for name in [LEDGERS[owes.means]] if owes is not None else LEDGERS.values() if paid else ():
        held = scene.held.get(name)
        if held or (owes is not None and not _is_loose(owes)):
            yield Deed(name, told=tuple(debt.item for debt in _named(scene, name)) or held)


def _stated(scene: Scene, owes: Cue | None, cues: list[Cue]) -> Iterator[Deed]:
    """What a part tells of debts, also one that only goes on with them; who asks to keep track of them is told them."""
    ledger = LEDGERS[owes.means] if owes is not None else scene.just
    found = list(_told(scene, cues)) if ledger in LEDGERS.values() else []
    for debt in found:
        yield from _kept(scene, ledger, debt)
    if not found and owes is not None and not _is_loose(owes) and scene.part.act in ("requests", "instructs"):
        yield Deed(ledger, told=scene.held.get(ledger))


def _told(scene: Scene, cues: list[Cue]) -> Iterator[Debt]:
    """The names of a part with the amounts beside them; a pronoun is whoever was named last."""
    last = ""
    for start, end in apart(scene, scene.part.span):
        number = next((one for one in _amounts(scene) if start <= one.span[0] < end), None)
        if number is None:
            continue
        before = _without(scene, (start, number.span[0]), cues)
        amount, rest = _amount(scene, number, end)
        name = before or _behind(scene, (rest, end), cues) or last
        if name and any(map(str.isalpha, name)) and len(name.split()) <= MAX_NAME_WORDS:
            yield Debt(name, number.value, amount)
            last = name


def _behind(scene: Scene, span: Span, cues: list[Cue]) -> str:
    """A name behind an amount: "20 to Sam", and not what it is for, "12.50 for the soap"."""
    first = fold(scene.reading.text[slice(*span)]).split()[:1]
    return "" if scene.words("price_of").issuperset(first) else _without(scene, span, cues)


def _amounts(scene: Scene) -> list[Number]:
    """The numbers of a message that are no hours and days; in words only beside a word for money."""
    when = times(scene.reading, (0, len(scene.reading.text)))
    found = [one for one in scene.reading.find(numbers) if not touches(one.span, when)]
    return [one for one in found if scene.reading.words(one.span)[-1:].isdigit() or _has_unit(scene, one)]


def _has_unit(scene: Scene, number: Number) -> bool:
    after = scene.reading.folded[number.span[1] :].split(maxsplit=1)[:1]
    return bool(after) and after[0].strip(EDGES) in scene.words("money")


def _amount(scene: Scene, number: Number, end: int) -> tuple[str, int]:
    """An amount with its unit, where a word for money follows, and where it ends."""
    start, stop = number.span
    if _has_unit(scene, number):
        after = scene.reading.text[stop:end].split(maxsplit=1)[0]
        stop = scene.reading.text.index(after, stop) + len(after.rstrip(EDGES))
    return scene.reading.text[start:stop].strip(), stop


def _without(scene: Scene, span: Span, cues: list[Cue]) -> str:
    """Some words without those that say that it is owed, and without small words around them; nothing where they are
    no name."""
    text = scene.reading.text
    for cue in cues:
        text = text[: cue.start] + " " * (cue.end - cue.start) + text[cue.end :]
    small = scene.reading.phrases("small", "words") | scene.words("beside", "articles") | scene.words("yet", "oneself")
    said = trimmed(scene, text[slice(*span)]).split()
    while said and said[0].lower().strip(EDGES) in small:
        said = said[1:]
    while said and said[-1].lower().strip(EDGES) in small:
        said = said[:-1]
    words = " ".join(said).strip(EDGES)
    other = not (scene.words("beside", "left") - scene.words("articles")).isdisjoint(map(fold, said))
    return "" if other else words


def _kept(scene: Scene, ledger: str, new: Debt) -> Iterator[Deed]:
    """A debt as it is now, in the place of the one of the same name."""
    reader = scene.reading.reader
    here = [_read(reader, item) for item in scene.held.get(ledger)]
    old = next((one for one in here if keys(reader, one.name) == keys(reader, new.name)), None)
    if old is None:
        yield Deed(ledger, added=(new.item,))
    elif old.value != new.value:
        yield Deed(ledger, added=(new._replace(name=old.name).item,), removed=(old.item,))
    else:
        yield Deed(ledger, told=(old.item,))


def _settled(scene: Scene) -> Iterator[Deed]:
    """ "Sal paid me back", "he paid 10 of it"."""
    span = scene.part.span
    given = next((one.value for one in _amounts(scene) if span[0] <= one.span[0] < span[1]), inf)
    found = [(ledger, debt) for ledger in LEDGERS.values() for debt in _named(scene, ledger)]
    yield from (_less(ledger, debt, given) for ledger, debt in found)


def _less(ledger: str, debt: Debt, given: float) -> Deed:
    """A debt without what was given of it."""
    unit = debt.amount.partition(" ")[2]
    left = debt._replace(amount=f"{debt.value - given:g} {unit}".strip())
    return Deed(ledger, added=(left.item,) if given < debt.value else (), removed=(debt.item,))


def _named(scene: Scene, ledger: str) -> list[Debt]:
    """The debts on a list whose names a part has."""
    reader = scene.reading.reader
    said = keys(reader, scene.reading.said(scene.part.span))
    here = [_read(reader, item) for item in scene.held.get(ledger)]
    return [debt for debt in here if share(keys(reader, debt.name), said)]


def _read(reader: Reader, item: str) -> Debt:
    """What stands on the list, read back."""
    number = reader.read(item).find(numbers)[-1:]
    if not number:
        return Debt(item, 0.0, "")
    start = number[0].span[0]
    return Debt(item[:start].strip(), number[0].value, item[start:].strip())


def total(reader: Reader, items: tuple[str, ...]) -> str:
    """What several debts come to, where they are of one kind."""
    found = [_read(reader, item) for item in items]
    units = {debt.amount.partition(" ")[2] for debt in found}
    if len(found) < 2 or len(units) != 1 or not all(debt.value for debt in found):
        return ""
    return f"{sum(debt.value for debt in found):g} {units.pop()}".strip()
