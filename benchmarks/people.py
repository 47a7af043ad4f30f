"""Simulated people talk to the built-in agent of each pack until they have what they came for.

Everybody has a goal, a temper (brief, chatty, wavering), a language and a way of typing (neat, without apostrophes,
with slips), all from one seed, so that a run can be repeated. Counted are goals reached, the same question twice in a
row, the same reply three times in a row, bookings and orders that nobody wanted, and the messages it took.

    python benchmarks/people.py              # hundreds of talks, a table
    python benchmarks/people.py --show 5     # and five talks of each pack, to be read
"""

from __future__ import annotations

import argparse
import contextlib
import random
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Holdfast, Session
from holdfast.agents import Agent, Piece, Said, run
from holdfast.agents.browser import Browser
from holdfast.agents.browsing.web import restored
from holdfast.agents.catalogue import Venue, known, search
from holdfast.agents.maker import Maker
from holdfast.turn import Turn

PHRASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LANGUAGES = ("en", "en", "ru", "es")
TEMPERS = ("brief", "chatty", "wavering")
TYPING = ("neat", "neat", "bare", "slips")


class Talk(NamedTuple):
    """One talk: what was said, and how it ended."""

    pack: str
    language: str
    lines: list[tuple[str, str]]
    reached: bool
    faults: list[str]

    @property
    def messages(self) -> int:
        return sum(who == "U" for who, _ in self.lines)


class Person:
    """Somebody who types: picks among the ways to say a thing, and types them in a way of their own."""

    def __init__(self, pack: str, seed: int) -> None:
        self.rng = random.Random(f"{pack}-{seed}")
        self.language = self.rng.choice(LANGUAGES)
        self.temper = self.rng.choice(TEMPERS)
        self.typing = self.rng.choice(TYPING)
        self.phrases: dict[str, Any] = PHRASES[pack][self.language]

    def says(self, key: str, **values: object) -> str:
        return self.typed(str(self.rng.choice(self.phrases[key])).format(**values))

    def typed(self, text: str) -> str:
        if self.typing == "neat":
            return text
        text = text.lower().replace("'", "").rstrip(".!")
        if self.typing == "slips" and len(text) > 12:
            words = text.split(" ")
            long = [n for n, word in enumerate(words) if len(word) > 6 and word.isalpha() and word not in self.kept]
            if long:
                place = self.rng.choice(long)
                word, at = words[place], self.rng.randrange(2, len(words[place]) - 2)
                words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            text = " ".join(words)
        return text

    kept: frozenset[str] = frozenset()
    """Words that are typed without slips: a name that is misspelt may be any name."""


class Chat:
    """A session with its agent, and the lines that were said."""

    def __init__(self, pack: str, agent: Agent | None, seed: int) -> None:
        engine = Holdfast(pack=pack)
        scopes = {"user": "somebody"} if pack in ("general", "copilot_cli", "grace") else {}
        self.session: Session = engine.session(f"{pack}-{seed}", **scopes)
        self.agent = agent or engine.pack.agent
        self.lines: list[tuple[str, str]] = []

    def say(self, text: str) -> str:
        assert self.agent is not None
        self.lines.append(("U", text))
        replies = [reply.text for reply in run(self.agent, self.session.hear(text), self.session)]
        self.lines += [("A", reply) for reply in replies]
        return "\n".join(replies)

    def faults(self) -> list[str]:
        """Loops: the same question twice in a row, or the same reply three times."""
        said = ["\n".join(group) for group in _replies(self.lines)]
        twice = [a for a, b in pairwise(said) if a == b and a.rstrip().endswith("?")]
        thrice = [a for a, b, c in zip(said, said[1:], said[2:], strict=False) if a == b == c]
        empty = ["no reply" for reply in said if not reply.strip()]
        return [*(f"asked twice: {a[:60]}" for a in twice), *(f"three times: {a[:60]}" for a in thrice), *empty]


def _replies(lines: list[tuple[str, str]]) -> Iterator[list[str]]:
    group: list[str] = []
    for who, text in lines:
        if who == "U" and group:
            yield group
            group = []
        if who == "A":
            group.append(text)
    if group:
        yield group


# a table for somebody: finding, pointing, booking


def _book(person: Person, chat: Chat, ordinal: str, people: str, day: str) -> Any:
    """Say what is wanted, part by part or at once, and answer what is still asked."""
    wants = [person.says("book", ordinal=ordinal), person.says("people", people=people), person.says("when", day=day)]
    if person.rng.random() < 0.3:
        wants = [person.says("book_all", ordinal=ordinal, people=people, day=day)]
    for text in wants:
        chat.say(text)
    for _ in range(4):
        if _booked(chat):
            break
        chat.say(person.says("yes"))
    return _booked(chat)


def _looks_for(person: Person, chat: Chat, query: str, place: str) -> None:
    if person.rng.random() < 0.4:
        chat.say(person.says("hello"))
    if person.rng.random() < 0.5:
        chat.say(person.says("search", query=query, place=place))
    else:
        chat.say(person.says("query", query=query))
        chat.say(person.says("place", place=place))


def diner(seed: int) -> Talk:
    """Wants a table: looks for a kind of place in a city, asks, points, and books one of those that were shown."""
    person = Person("vibehuntr", seed)
    rng, chat = person.rng, Chat("vibehuntr", None, seed)
    _, place = rng.choice(person.phrases["cities"])
    _, query = rng.choice(person.phrases["kinds"])
    person.kept = frozenset({*place.lower().split(), *query.lower().split()})
    day, count = rng.choice(person.phrases["days"]), rng.choice(person.phrases["counts"])
    size, people = count
    _looks_for(person, chat, query, place)
    shown = _shown(chat)
    wrong: list[str] = []
    if shown and person.temper != "brief":
        chat.say(person.says("aside"))
        if rng.random() < 0.5:
            chat.say(person.says("all_of_them"))
    choice = rng.randrange(len(shown)) if shown else 0
    ordinal = person.phrases["ordinals"][choice]
    if rng.random() < 0.5:
        chat.say(person.says("detail", ordinal=ordinal))
    booked = _book(person, chat, ordinal, people, day)
    target = shown[choice] if shown else ""
    hour = "".join(sign for sign in day if sign.isdigit() or sign == ":")
    if booked and (booked.venue != target or booked.count != size or hour not in booked.when):
        wrong.append(f"booked {booked.line()} instead of {target} for {size}")
    reached = bool(booked) and not wrong
    if booked and rng.random() < 0.5:
        chat.say(person.says("museum"))
        told = chat.say(person.says("recall"))
        reached = reached and target in told
    chat.say(person.says("bye"))
    return Talk("vibehuntr", person.language, chat.lines, reached, [*chat.faults(), *wrong])


def _shown(chat: Chat) -> list[str]:
    return [entity.name for entity in chat.session.state.references.latest() if entity.name]


def _booked(chat: Chat) -> Any:
    return next((plan for plan in chat.session.state.plans.items if plan.status == "booked"), None)


# somebody who wants things kept


def keeper(seed: int) -> Talk:
    """Tells the companion a few things, keeps a list and a reminder, and asks for them again."""
    person = Person("general", seed)
    rng, chat = person.rng, Chat("general", None, seed)
    name = rng.choice(person.phrases["names"])
    person.kept = frozenset({name.lower()})
    items = rng.sample(person.phrases["things"], 2)
    todo = rng.choice(person.phrases["todos"])
    person.kept |= frozenset(word for text in (*items, todo) for word in text.lower().split())
    if rng.random() < 0.5:
        chat.say(person.says("hello"))
    tasks: list[Callable[[], bool]] = [
        lambda: bool(chat.say(person.says("name", name=name))) and name.lower() in chat.say(person.says("who")).lower(),
        lambda: (
            bool(chat.say(person.says("add", one=items[0], two=items[1])))
            and all(item in chat.say(person.says("listed")).lower() for item in items[:1])
        ),
        lambda: bool(chat.say(person.says("remind", what=todo))) and todo in chat.say(person.says("reminders")).lower(),
    ]
    rng.shuffle(tasks)
    reached = True
    for task in tasks:
        reached = task() and reached
        if person.temper != "brief":
            chat.say(person.says("aside"))
    chat.say(person.says("bye"))
    return Talk("general", person.language, chat.lines, reached, chat.faults())


# somebody who codes


def developer(seed: int) -> Talk:
    """Tells the coding assistant what is used, changes it, and asks."""
    person = Person("copilot_cli", seed)
    rng, chat = person.rng, Chat("copilot_cli", None, seed)
    old, new = rng.sample(person.phrases["editors"], 2)
    person.kept = frozenset({old.lower(), new.lower()})
    if rng.random() < 0.4:
        chat.say(person.says("hello"))
    chat.say(person.says("use", tool=old))
    if person.temper != "brief":
        chat.say(person.says("aside"))
    reached = old.lower() in chat.say(person.says("editor")).lower()
    chat.say(person.says("switch", tool=new))
    reached = new.lower() in chat.say(person.says("editor")).lower() and reached
    chat.say(person.says("bye"))
    return Talk("copilot_cli", person.language, chat.lines, reached, chat.faults())


# somebody who shops


def shopper(seed: int) -> Talk:
    """Orders one thing by name, asks what was ordered, and says goodbye. Nothing else may be ordered."""
    person = Person("nxtscape", seed)
    rng, chat = person.rng, Chat("nxtscape", Browser(pause=0), seed)
    said, id = rng.choice(person.phrases["goods"])
    person.kept = frozenset(said.lower().split())
    if rng.random() < 0.4:
        chat.say(person.says("hello"))
    if person.temper == "wavering":
        chat.say(person.says("look", thing=said))
        if rng.random() < 0.5:
            chat.say(person.says("aside"))
        chat.say(person.says("take"))
    else:
        chat.say(person.says("order", thing=said))
    if rng.random() < 0.3:
        chat.say(person.says("aside"))
    chat.say(person.says("agree"))
    if person.temper == "chatty":
        chat.say(person.says("what"))
    chat.say(person.says("bye"))
    bought = restored(chat.session.state.task.seen, person.language).bought
    wrong = [f"ordered {thing}" for thing in bought if not thing.startswith(id)]
    wrong += ["ordered twice"] if len(bought) > 1 else []
    return Talk("nxtscape", person.language, chat.lines, bool(bought) and not wrong, [*chat.faults(), *wrong])


# somebody who wants a picture


def _here(program: str, folder: Path) -> str:
    """Run a program in this process: hundreds of talks need no process each."""
    with contextlib.chdir(folder):
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    return ""


class Drawing:
    """A maker with the program that it ran last: it is attached to what it says."""

    def __init__(self, maker: Maker) -> None:
        self.maker, self.program = maker, ""

    def __call__(self, turn: Turn, chat: Session) -> Iterator[Said | Piece]:
        for made in self.maker(turn, chat):
            if isinstance(made, Said):
                self.program = made.attached.get("code", self.program)
            yield made


def drawer(seed: int) -> Talk:
    """Has a shape drawn, made bigger and painted in another colour; one file, and the right one."""
    person = Person("grace", seed)
    with tempfile.TemporaryDirectory() as folder:
        drawing = Drawing(Maker(folder, run=_here))
        rng, chat = person.rng, Chat("grace", drawing, seed)
        (shape, drawn), (colour, painted), (other, repainted) = (
            rng.choice(person.phrases["shapes"]),
            *rng.sample(person.phrases["colours"], 2),
        )
        person.kept = frozenset({*shape.lower().split(), colour.lower(), other.lower()})
        if rng.random() < 0.4:
            chat.say(person.says("hello"))
        chat.say(person.says("draw", shape=shape, colour=colour))
        made = drawing.program
        reached = f"fill='{painted}'" in made and drawn in made
        chat.say(person.says("bigger"))
        reached = reached and drawn in drawing.program != made
        if person.temper != "brief":
            chat.say(person.says("aside"))
        chat.say(person.says("paint", colour=other))
        reached = reached and f"fill='{repainted}'" in drawing.program
        chat.say(person.says("bye"))
    return Talk("grace", person.language, chat.lines, reached, chat.faults())


PEOPLE: dict[str, Callable[[int], Talk]] = {
    "vibehuntr": diner,
    "general": keeper,
    "copilot_cli": developer,
    "nxtscape": shopper,
    "grace": drawer,
}


def talks(pack: str, count: int) -> list[Talk]:
    return [PEOPLE[pack](seed) for seed in range(count)]


def venues_exist() -> bool:
    """Whether every goal can be reached: the table has what the diners look for."""
    cities = {city for rows in PHRASES["vibehuntr"].values() for city, _ in rows["cities"]}
    kinds = {kind for rows in PHRASES["vibehuntr"].values() for kind, _ in rows["kinds"]}
    found: list[list[Venue]] = [search(kind, city) for kind in kinds for city in cities]
    return all(found) and bool(known())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--talks", type=int, default=200, help="talks of each pack")
    arguments.add_argument("--show", type=int, default=0, help="talks of each pack to print, failed ones first")
    arguments.add_argument("packs", nargs="*", default=list(PEOPLE))
    given = arguments.parse_args()
    print(f"{'pack':12} {'talks':>6} {'reached':>8} {'faults':>7} {'messages':>9}")
    for pack in given.packs:
        found = talks(pack, given.talks)
        reached = sum(talk.reached for talk in found) / len(found)
        faults = sum(bool(talk.faults) for talk in found)
        messages = sum(talk.messages for talk in found) / len(found)
        print(f"{pack:12} {len(found):6} {reached:8.1%} {faults:7} {messages:9.1f}")
        for talk in sorted(found, key=lambda one: one.reached and not one.faults)[: given.show]:
            print(f"\n--- {pack}, {talk.language}, reached: {talk.reached}, {talk.faults}")
            print("\n".join(f"{who}: {text}" for who, text in talk.lines))


if __name__ == "__main__":
    main()
