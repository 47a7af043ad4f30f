"""Errands of the browser agent: steps for what is wanted, from where the browser is, and carrying one out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.agents.goals import Goal, how_far
from holdfast.agents.voice import MAX_TEXT_CHARS, Voice, chosen, understood
from holdfast.agents.web import Site, Thing, Web, root
from holdfast.faculties.aims.tasks.events import Link, Task
from holdfast.reading.text import fold
from holdfast.reading.values import numbers

MAX_PIECES = 9
"""Pieces of one thing that are ordered at most."""
LISTED = 5
HOW = ("cheap", "dear", "first", "second", "third", "last")


def planned(goal: Goal, link: Link | None, web: Web, task: Task, voice: Voice) -> list[str]:
    """Steps for what is wanted, as far as it is wanted: what is done and still holds is not done again."""
    text = goal.text[:MAX_TEXT_CHARS]
    query = web.doing or task.query
    far = _how_far(goal, link, query, voice)
    site = _site(text, query, web, voice)
    if far == "deal" and web.cart and empty(text, voice):
        return [voice.step("confirm", deal=site.deal)]
    if far == "visit" and (way := _way(text, web, voice)):
        return way
    wanted = _wanted(text, query, link, site, voice)
    thing = _phrase(wanted[-4:], text, voice) or query
    steps = [] if web.site == site.id else [voice.step("open", site=site.name)]
    steps += _found(text, wanted, thing, far, site, web, voice)
    return [*steps, *_taken(text, far, site, voice)]


def _taken(text: str, far: str, site: Site, voice: Voice) -> list[str]:
    """The steps after something was chosen: into the basket, and, for a deal, its confirmation."""
    if far not in ("cart", "deal"):
        return []
    sold = any(site.id in thing.at and thing.price for thing in voice.pages.goods.values())
    count = _count(text, voice) if sold else 1  # "a table for two" is one table
    steps = [voice.step("several" if count > 1 else "add", count=count, deal=site.deal)]
    return [*steps, voice.step("confirm", deal=site.deal)] if far == "deal" else steps


def extends(link: Link | None) -> bool:
    """Whether an instruction adds to the errand."""
    return link is not None and link.hint == "extend"


def _how_far(goal: Goal, link: Link | None, query: str, voice: Voice) -> str:
    """How far a goal is wanted. "Go to eBay instead" wants there what was wanted here."""
    changes = link is not None and (link.hint == "change" or bool(link.replan_word))
    far = None if changes and goal.far == "visit" else goal.far
    return far or how_far(query, voice) or "deal"


def _found(text: str, wanted: list[str], thing: str, far: str, site: Site, web: Web, voice: Voice) -> list[str]:
    """The steps that find a thing and choose one: neither where the instruction points at what is there."""
    how = which(text, voice)
    pointed = web.lists(site.id) and _points(text, wanted, voice)
    held = pointed and bool(web.chosen)  # "add it to the cart": it was chosen before
    steps = []
    if not pointed:
        filters = web.lists(site.id) and voice.pages.matching(wanted, site.id)
        steps.append(voice.step("filter" if filters else "search", site=site.name, thing=thing))
    if how is not None or (not held and far not in ("look", "visit")):
        steps.append(voice.step("choose", how=voice.how(how or "best"), thing=thing))
    return steps


def _points(text: str, wanted: list[str], voice: Voice) -> bool:
    """Whether the instruction only points at a result, and names nothing: "the second one", "add it to the cart"."""
    return not said(text, voice) and (not wanted or voice.read(text).has("how", "goal"))


def which(text: str, voice: Voice) -> str | None:
    reading = voice.read(text)
    return next((key for key in HOW if any(cue.means == key for cue in reading.all("how"))), None)


def _way(text: str, web: Web, voice: Voice) -> list[str]:
    """The one step to a place that is only to be opened; none where something is wanted there."""
    site = voice.pages.site_in(text)
    own = {root(word) for word in site.also.split()} if site else set()
    rest = [word for word in said(text, voice) if root(word) not in own]
    if site is None:
        here = voice.pages.matching(rest, web.site) if web.site else []
        return [voice.step("open", site=" ".join(rest))] if rest and not here else []
    return [voice.step("open", site=site.name)] if not rest else []


def _site(text: str, query: str, web: Web, voice: Voice) -> Site:
    """Where something is to be had: on the site that is named, else on one that has it, best on the one in front."""
    pages = voice.pages
    near = [site for site in (pages.site_in(query), pages.sites.get(web.site)) if site is not None]
    if (named := pages.site_in(text)) is not None:
        return named
    things = [thing for thing in pages.goods.values() if pages.things_in(text) & pages.stems(thing.name)]
    near += pages.sites.values()
    return next((site for site in near if not things or any(site.id in thing.at for thing in things)), near[0])


def _wanted(text: str, query: str, link: Link | None, site: Site, voice: Voice) -> list[str]:
    """The words of what is wanted: those of the task and, later and therefore heavier, those of the new instruction.
    One that names another thing, or adds one, stands for itself."""
    pages = voice.pages
    own = pages.roots(" ".join(other.name for other in (site, *pages.sites.values())))

    def things(said: str) -> list[str]:
        words = dict.fromkeys(pages.words(voice.without(said, "how")))
        return [word for word in words if root(word) not in own and not voice.number(word)]

    new, old = things(text), things(query)
    named = pages.things_in(text)
    adds = bool(new and named) and extends(link)
    if text in query or adds or named - {root(word) for word in old}:
        return new
    return [*(word for word in old if word not in new), *new]


def _phrase(wanted: list[str], text: str, voice: Voice) -> str:
    """What is wanted as it was said ("flight to Oslo"), where it was said in one piece; else its words."""
    wanted = [voice.pages.shown(word) for word in wanted]
    places = [fold(text).find(word) for word in wanted]
    if wanted and all(place >= 0 for place in places):
        last = max(range(len(wanted)), key=lambda n: places[n])
        phrase = text[min(places) : places[last] + len(wanted[last])]
        if len(phrase.split()) <= 2 * len(wanted):
            return phrase
    return " ".join(wanted)


def said(text: str, voice: Voice) -> list[str]:
    """The words of an instruction that say what is wanted."""
    return [word for word in voice.pages.words(voice.without(text, "how")) if not voice.number(word)]


def leads_on(text: str, web: Web, voice: Voice) -> bool:
    """Whether an instruction that names nothing carries on with what is there: "add it to the cart", "book it"."""
    far = how_far(text, voice)
    if far == "cart":
        return bool(web.results) and web.chosen not in web.cart
    return far == "deal" and (bool(web.cart) or (bool(web.results) and web.chosen not in web.bought))


def empty(text: str, voice: Voice) -> bool:
    """Whether an instruction says nothing of what is wanted: no thing, no choice, no number."""
    return not said(text, voice) and not voice.read(text).has("how") and _count(text, voice) == 1


def _count(text: str, voice: Voice) -> int:
    """How many are wanted: a small number that is nothing else."""
    reading = voice.read(text)
    for number in reading.find(numbers):
        if number.unit is None and 2 <= number.value <= MAX_PIECES and number.value == int(number.value):
            return int(number.value)
    return 1


Done = tuple[bool, str]
"""Whether a step worked, and what to say of it."""


def carried_out(step: str, web: Web, voice: Voice) -> Done:
    """Do one step on the simulated web."""
    did = understood(step)
    done = ACTS[did.act](did.what, web, voice) if did is not None else None
    if done is not None and done[0]:
        web.shown = done[1]
    return done or (False, voice.say("no_way", step=step))


def _opened(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    name, pages = what["site"], voice.pages
    site = next((site for site in pages.sites.values() if site.name == name), None) or pages.site_in(name)
    if site is None:
        return None
    web.site, web.results, web.chosen = site.id, [], ""
    web.at = voice.say("home", site=site.name)
    return True, voice.say("opened", site=site.name)


def _searched(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    if not web.site:
        return None
    name, thing = voice.pages.sites[web.site].name, what["thing"]
    found = voice.pages.matching(voice.pages.words(thing), web.site)
    if not found:
        offers = ", ".join(voice.pages.offered(web.site)[:LISTED])
        told = voice.say("no_results", site=name, thing=thing)
        return False, f"{told}. {voice.say('offers', site=name, things=offers)}" if offers else told
    web.results, web.chosen = [one.id for one in found], ""
    web.at = voice.say("results_at", site=name, thing=thing)
    lines = [voice.say("results", site=name), *listed(found)]
    known = set().union(*(voice.pages.stems(one.told) for one in found))
    missing = [
        said for part in voice.parts(thing) if (said := voice.pages.words(part)) and not {*map(root, said)} & known
    ]
    for said in missing:  # "toothpaste and a charger"
        text = voice.say("no_results", site=name, thing=" ".join(said))
        lines.append(f"{text[:1].upper()}{text[1:]}.")
    return True, "\n".join(lines)


def listed(things: list[Thing]) -> list[str]:
    return [f"{number}. {thing.priced()}" for number, thing in enumerate(things[:LISTED], 1)]


PLACES = {"first": 0, "second": 1, "third": 2, "last": -1}


def picked(how: str, things: list[Thing]) -> Thing:
    if how in ("cheap", "dear"):
        return sorted(things, key=lambda thing: thing.price, reverse=how == "dear")[0]
    place = PLACES.get(how, 0)
    return things[place] if place < len(things) else things[0]


def _chose(what: Mapping[str, str], web: Web, voice: Voice) -> Done:
    how, things = chosen(what["how"]), voice.pages.named(web.results)
    if not things:
        return False, voice.say("no_choice")
    if PLACES.get(how, 0) >= len(things):
        return False, voice.say("only_so_many", count=len(things))
    if how in ("cheap", "dear"):  # the cheapest of what is wanted, not of all that stands there
        fitting = {thing.id for thing in voice.pages.matching(voice.pages.words(what["thing"]), web.site)}
        things = [thing for thing in things if thing.id in fitting] or things
    thing = picked(how, things)
    web.chosen = thing.id
    web.at = voice.say("page_of", thing=thing.name, site=voice.pages.sites[web.site].name)
    return True, voice.say("chose", thing=thing.priced())


def _added(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    if not web.chosen:
        return None
    thing, count = voice.pages.goods[web.chosen].name, int(what.get("count", "1"))
    web.cart = [*web.cart, *[web.chosen] * min(count, MAX_PIECES)]
    told = f"{count} × {thing}" if count > 1 else thing
    web.at = voice.say("basket", site=voice.pages.sites[web.site].name, thing=told)
    return True, voice.say("added", thing=told)


def _confirmed(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    if not web.cart:
        return None
    site = voice.pages.sites[web.site].name
    things = counted(web.cart, voice)
    web.bought, web.cart, web.offered = [*web.bought, *web.cart][-20:], [], False
    web.at = voice.say("confirmation", site=site)
    return True, voice.say("confirmed", site=site, things=things)


ACTS: dict[str, Callable[[Mapping[str, str], Web, Voice], Done | None]] = {
    "open": _opened,
    "search": _searched,
    "filter": _searched,
    "choose": _chose,
    "add": _added,
    "several": _added,
    "confirm": _confirmed,
}
"""How the steps of a plan are carried out; None where they cannot be, from where the browser is."""


def counted(ids: list[str], voice: Voice) -> str:
    """Things with their numbers: "2 × Mint Bright toothpaste, Desk lamp Dot"."""
    counts = {id: ids.count(id) for id in ids}
    names = [(voice.pages.goods[id].name, count) for id, count in counts.items() if id in voice.pages.goods]
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in names)
