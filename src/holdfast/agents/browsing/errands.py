"""Errands of the browser agent: steps for what is wanted, from where the browser is, and carrying one out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from holdfast.agents.browsing.goals import HOW_FAR, Goal, how_far
from holdfast.agents.browsing.orders import MAX_PIECES, WHAT, Line, akin, lines, refined
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice, blanked, chosen, understood
from holdfast.agents.browsing.web import Site, Thing, Web, is_place, root, tells_which
from holdfast.faculties.aims.tasks.events import Link
from holdfast.reading.text import fold

LISTED = 5
NOON = 12
HOW = ("cheap", "dear", "first", "second", "third", "last")
HOUR = re.compile(r"(\d+):(\d\d)")
BETWEEN = ", "
"""What stands between the things of one step."""
TIMES = " × "
KEPT = 40
"""Things that were ordered and are still told of."""


class NoSuch(Exception):
    """What there is does not fit: all of it is too dear, or none of it is later. Says what there is."""


def planned(goal: Goal, link: Link | None, web: Web, voice: Voice) -> list[str]:
    """Steps for what is wanted, as far as it is wanted: what is done and still holds is not done again. Of the basket
    only what the instruction speaks of changes. None where it says nothing that a step could do."""
    text = goal.text[:MAX_TEXT_CHARS]
    web.limit = voice.limit(text)[0] or web.limit
    found = lines(voice.kept(text), voice)
    far = _how_far(goal, link, web, voice)
    named, instead = _meant(text, found, web, voice)
    web.told = []
    if far == "visit" and (way := _way(text, named, voice)):
        return way
    if not (named or web.site or voice.pages.site_in(text)):
        return []
    site = _site(text, named, web, voice)
    named = named or _wanted_there(site, web)
    web.far = min(far, "look", key=HOW_FAR.index) if site.shows else far
    if not named:
        return _pointed(text, found, site, web, voice)
    named = [_at(line, site, voice) for line in named]
    only_when = all(tells_which(word) for line in named for word in line.words)
    _affordable(named, site, web, voice)
    adds = not instead and not only_when and _adds(text, link, voice)
    return _sought(text, named, site, adds, link, web, voice)


def _wanted_there(site: Site, web: Web) -> list[Line]:
    """What was wanted before, where it is wanted of another site: "go to eBay instead"."""
    if site.id == web.site:
        return []
    return [Line(tuple(wanted.split()), None, wanted) for wanted in web.wanted]


def _adds(text: str, link: Link | None, voice: Voice) -> bool:
    """Whether what is named comes beside what is in the basket."""
    return (link is not None and link.hint == "extend") or "add" in voice.meant(text, "edit")


def _meant(text: str, found: list[Line], web: Web, voice: Voice) -> tuple[list[Line], bool]:
    """The things that are meant: those named, those told of last where they are pointed at ("how much is it? ok, book
    that"), or what differs from the one chosen; and whether that stands in its place."""
    named = [line for line in found if not _only_where(line, web, voice)]
    count = next((line.number for line in found), None)
    other = another(text, web, voice) if not named else None
    if other is not None:
        return [_called(other, count, voice)], True
    if len(web.told) != 1:
        return named, False
    told = voice.pages.named(web.told)
    if all(map(tells_which, (*named, Line())[0].words)):
        return [_called(told[0], count, voice)], False
    points = voice.read(text).has("points")  # "add it, and a notebook"
    return [_called(thing, None, voice) for thing in told if points] + named, False


def _called(thing: Thing, number: int | None, voice: Voice) -> Line:
    return Line((*voice.pages.words(thing.name),), number, thing.name.replace(",", ""))


def _only_where(line: Line, web: Web, voice: Voice) -> bool:
    """Whether a line names no thing, or but a word for where it is had: "two tickets" in the middle of a booking."""
    site = voice.pages.sites.get(web.site)
    where = {root(word) for word in site.also.split()} if site is not None and web.results else set()
    return where.issuperset(map(root, line.words))


def _affordable(named: list[Line], site: Site, web: Web, voice: Voice) -> None:
    """Nothing is taken that costs more than it may."""
    for line in named if web.limit else []:
        found = voice.pages.matching([*line.words], site.id)
        if found and min(thing.price for thing in found) > web.limit:
            web.cart = [id for id in web.cart if id not in {thing.id for thing in found}]
            cheapest, web.wanted = min(found, key=lambda thing: thing.price), [" ".join(one.words) for one in named]
            raise NoSuch(voice.say("too_dear", limit=f"{web.limit:.0f}", thing=cheapest.priced(), site=site.name))


def another(text: str, web: Web, voice: Voice) -> Thing | None:
    """The best of what is meant by how it differs from what was chosen: the other one, a cheaper, later or earlier
    one."""
    chosen = web.chosen or web.told
    now = next(iter(voice.pages.named(chosen)), None)
    key = next(filter(voice.hows(text).__contains__, THAN), None)
    if now is None or key is None:
        return None
    alike = akin([now], web.site, voice)
    found = [one for one in alike if one.id not in chosen and THAN[key](one, now) and _where(one) == _where(now)]
    if not found:
        raise NoSuch(voice.say(f"none_{key}", thing=now.priced()))
    return min([one for one in found if one.id in web.results] or found, key=lambda thing: thing.price)


def _where(thing: Thing) -> set[str]:
    """The places that a thing is for: no later flight to Oslo is one to Berlin."""
    return {word for word in fold(thing.name).replace(",", "").split() if is_place(word)}


def _hour(thing: Thing) -> int:
    """When something is, in minutes; 0 where it has no hour."""
    told = HOUR.search(thing.name)
    return 60 * int(told[1]) + int(told[2]) if told else 0


THAN: dict[str, Callable[[Thing, Thing], bool]] = {
    "later": lambda thing, now: _hour(thing) > _hour(now),
    "earlier": lambda thing, now: _hour(thing) < _hour(now),
    "cheap": lambda thing, now: thing.price < now.price,
    "other": lambda thing, now: True,
}
"""How something differs from what was chosen before it."""


def _sought(
    text: str, named: list[Line], site: Site, adds: bool, link: Link | None, web: Web, voice: Voice
) -> list[str]:
    """Steps that find what is named and take it, beside what is in the basket or in its place."""
    how = which(text, voice)
    if not adds:
        named = _instead(text, named, site, web, voice)
    web.wanted = [" ".join(line.words) for line in named]
    counts = [_replaced(line, site, adds, link, web, voice) for line in named]
    thing = BETWEEN.join(line.phrase for line in named)
    steps = _finding(thing, _filters(named, site, web, voice), site, web, voice)
    if how is None and web.far in ("look", "visit"):  # nothing is chosen yet
        web.count = counts[0]
        return steps
    return [*steps, *_choice(how or "best", thing, voice), *_taken(named, counts, web.far, site, voice)]


def _instead(text: str, named: list[Line], site: Site, web: Web, voice: Voice) -> list[Line]:
    """What is named, with what was wanted before it as far as that still holds; what shall go leaves the basket."""
    named = [refined(line, web, voice) for line in named] if site.id == web.site else named
    out = removed(voice.gone(text), web, voice)
    web.count = len(out) if len(set(out)) == 1 else web.count  # two of the one are two of the other
    return named


def _filters(named: list[Line], site: Site, web: Web, voice: Voice) -> bool:
    """Whether what is named is found among what the site lists already."""
    return web.lists(site.id) and bool(voice.pages.matching([*named[0].words], site.id))


def _finding(thing: str, filters: bool, site: Site, web: Web, voice: Voice) -> list[str]:
    """Steps that open a site, where it is not open, and find a thing there."""
    opens = [] if web.site == site.id else [voice.step("open", site=site.name)]
    return [*opens, voice.step("filter" if filters else "search", site=site.name, thing=thing)]


def _choice(how: str | None, thing: str, voice: Voice) -> list[str]:
    return [voice.step("choose", how=voice.how(how), thing=thing)] if how is not None else []


def _at(line: Line, site: Site, voice: Voice) -> Line:
    """A line without the words that only say where: "a ticket to Berlin" is had where there are tickets."""
    where = {*map(root, site.also.split())} - voice.pages.told(voice.pages.offered(site.id))
    words = tuple(word for word in line.words if root(word) not in where)
    return Line(words, line.number, " ".join(words)) if 0 < len(words) < len(line.words) else line


def _pointed(text: str, found: list[Line], site: Site, web: Web, voice: Voice) -> list[str]:
    """Steps where the instruction points at a result, says how many, or wants what is in the basket."""
    how, count = which(text, voice), found[0].number if found else None
    kept = _held_last(web)
    how = how if web.chosen else how or "best"
    return [
        *_choice(how, BETWEEN.join(web.wanted) or site.name, voice),
        *_taken([Line()], [count or kept], web.far, site, voice),
    ]


def _held_last(web: Web) -> int:
    """Take what was chosen last out of the basket, and tell how many there were."""
    last = [id for id in web.chosen if id in web.cart][-1:]
    count = web.cart.count(last[0]) if last else web.count
    web.cart, web.chosen = [id for id in web.cart if id not in last], last or web.chosen
    return count


def _replaced(line: Line, site: Site, adds: bool, link: Link | None, web: Web, voice: Voice) -> int:
    """How many of a line are wanted, after what it takes the place of went out of the basket."""
    best = voice.pages.matching([*line.words], site.id)[:1]
    kinds = [thing.id for thing in akin(best, site.id, voice)]
    held = [] if adds or not best else _in_its_place(best[0].id, kinds, link, web)
    was = len(held) if len(set(held)) == 1 and held[0] in kinds else web.count
    web.cart = [id for id in web.cart if id not in held]
    return line.number or was


def _in_its_place(best: str, kinds: list[str], link: Link | None, web: Web) -> list[str]:
    """What a thing takes the place of: itself, else one of its kind, else the only one there is."""
    own = [id for id in web.cart if id == best]
    alike = own or [id for id in web.cart if id in kinds]
    return alike or (web.cart if len(set(web.cart)) == 1 and _changes(link) else [])


def _taken(named: list[Line], counts: list[int], far: str, site: Site, voice: Voice) -> list[str]:
    """The steps after something was chosen: into the basket, and, for a deal, its confirmation."""
    if far not in ("cart", "deal"):
        return []
    if len(named) > 1:
        things = [_many(count, line.phrase) for line, count in zip(named, counts, strict=True)]
        steps = [voice.step("lines", things=BETWEEN.join(things), deal=site.deal)]
    else:
        way = "add" if counts[0] == 1 else "party" if site.seats else "several"
        steps = [voice.step(way, count=counts[0], deal=site.deal)]
    return [*steps, voice.step("confirm", deal=site.deal)] if far == "deal" else steps


def _many(count: int, thing: str, ones: bool = False) -> str:
    return f"{count}{TIMES}{thing}" if count > 1 or ones else thing


def _changes(link: Link | None) -> bool:
    return link is not None and (link.hint == "change" or bool(link.replan_word))


def _how_far(goal: Goal, link: Link | None, web: Web, voice: Voice) -> str:
    """How far a goal is wanted. "Go to eBay instead" wants there what was wanted here, "ok, that one" takes it."""
    if goal.far is None and (web.chosen or web.told) and voice.read(goal.text).has("points"):
        return "deal"
    far = None if _changes(link) and goal.far == "visit" else goal.far
    return far or web.far or "deal"


def which(text: str, voice: Voice) -> str | None:
    means = voice.hows(voice.kept(text))
    return next(filter(means.__contains__, HOW), None)


def _way(text: str, named: list[Line], voice: Voice) -> list[str]:
    """The one step to a place that is only to be opened; none where something is wanted there."""
    site = voice.pages.site_in(text)
    own = {root(word) for word in site.also.split()} if site else set()
    rest = [word for line in named for word in line.words if root(word) not in own]
    return [voice.step("open", site=site.name)] if site is not None and not rest else []


def _site(text: str, named: list[Line], web: Web, voice: Voice) -> Site:
    """Where something is to be had: on the site that is named, else on one that has it, best on the one in front. A
    word for what a site is about ("a lamp for my table") names it only where it has what is wanted."""
    pages = voice.pages
    about = pages.site_in(text)
    if about is not None and (not named or fold(about.name) in fold(text) or _has(about, named, voice)):
        return about
    front = pages.sites.get(web.site)
    if front is not None and all(tells_which(word) for line in named for word in line.words):
        return front  # "and saturday", in the middle of a booking
    sites = sorted(pages.sites.values(), key=lambda site: site is not front)
    anywhere = next(site for site in [front, *sites] if site is not None and not site.shows)
    return next((site for site in sites if _has(site, named, voice)), about or anywhere)


def _has(site: Site, named: list[Line], voice: Voice) -> bool:
    return any(voice.pages.matching([*line.words], site.id) for line in named)


def removed(text: str, web: Web, voice: Voice) -> list[str]:
    """Take what a text names out of the basket, and tell what it was."""
    things = voice.pages.named([*dict.fromkeys(web.cart)])
    meant = _named_of(text, things, voice)
    out = [id for id in web.cart if id in meant]
    web.cart = [id for id in web.cart if id not in meant]
    return out


def _named_of(text: str, things: list[Thing], voice: Voice) -> set[str]:
    """Those of some things that a text gives up, or else names beside what it keeps, by what sets them apart."""
    dropped = [one.span for one in voice.all_given(text) if one.stands == "dropped"]
    kept = [one.span for one in voice.given(text, *WHAT)]
    said = voice.pages.stems(" ".join(text[slice(*span)] for span in dropped) or blanked(text, kept))
    told = {thing.id: voice.pages.stems(thing.told) & said for thing in things}
    shared = Counter(stem for stems in told.values() for stem in stems)
    own = {id: {stem for stem in stems if shared[stem] == 1} for id, stems in told.items()}
    return {*filter((own if any(own.values()) else told).get, told)}


def leads_on(text: str, web: Web, voice: Voice) -> bool:
    """Whether an instruction that names nothing carries on with what is there: "add it to the cart", "book it"."""
    far = how_far(text, voice)
    if far not in ("cart", "deal"):
        return False
    return (bool(web.results) and not set(web.chosen) & {*web.cart, *web.bought}) or (far == "deal" and bool(web.cart))


def empty(text: str, voice: Voice) -> bool:
    """Whether an instruction says nothing of what is wanted: no thing, no choice, no number, no price."""
    return not lines(voice.kept(text), voice) and not voice.read(text).has("how") and not voice.limit(text)[0]


Done = tuple[bool, str]
"""Whether a step worked, and what to say of it."""


def carried_out(step: str, web: Web, voice: Voice) -> Done:
    """Do one step on the simulated web."""
    did = understood(step)
    done = ACTS[did.act](did.what, web, voice) if did is not None else None
    return done or (False, voice.say("no_way", step=step))


def _opened(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    name, pages = what["site"], voice.pages
    site = next((site for site in pages.sites.values() if site.name == name), None) or pages.site_in(name)
    if site is None:
        return None
    web.site, web.results, web.chosen = site.id, [], []
    web.at = voice.say("home", site=site.name)
    return True, voice.say("opened", site=site.name)


def _searched(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    if not web.site:
        return None
    name, pages = voice.pages.sites[web.site].name, voice.pages
    sought = {thing: pages.matching(pages.words(thing), web.site) for thing in what["thing"].split(BETWEEN)}
    found = {thing: had or pages.invented(thing, web.site, web.limit) for thing, had in sought.items()}
    results = [one.id for things in found.values() for one in within(things, web.limit)]
    missing = [voice.say("no_results", site=name, thing=thing) for thing, things in found.items() if not things]
    if not results:
        return False, _none_found(missing, web, voice)
    web.results, web.chosen = [*dict.fromkeys(results)], []
    web.at = voice.say("results_at", site=name, thing=what["thing"])
    lacks = [f"{text[:1].upper()}{text[1:]}." for text in missing]  # "toothpaste and a charger"
    return True, "\n".join([voice.say("results", site=name), *listed(pages.named(web.results)), *lacks])


def within(things: list[Thing], limit: float) -> list[Thing]:
    return [one for one in things if one.price <= limit] if limit else things


def _none_found(missing: list[str], web: Web, voice: Voice) -> str:
    """That a site has nothing of what is sought, and what it has."""
    name, offered = voice.pages.sites[web.site].name, voice.pages.offered(web.site)[:LISTED]
    offers = voice.say("offers", site=name, things=BETWEEN.join(thing.name for thing in offered)) if offered else ""
    return f"{'; '.join(missing)}. {offers}" if offers else "; ".join(missing)


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
    picks = _picks(how, what["thing"], web, voice) or [picked(how, things)]
    web.chosen = [thing.id for thing in picks]
    told = BETWEEN.join(thing.name for thing in picks)
    web.at = voice.say("page_of", thing=told, site=voice.pages.sites[web.site].name)
    return True, voice.say("chose", thing="; ".join(thing.priced() for thing in picks))


def _picks(how: str, things: str, web: Web, voice: Voice) -> list[Thing]:
    """For each thing that is wanted the one of the results that is meant; none where it is known by its place."""
    wanted = [] if how in PLACES else [_fitting(thing, web, voice) for thing in things.split(BETWEEN)]
    return [picked(how, fitting) for fitting in wanted if fitting]


def _fitting(thing: str, web: Web, voice: Voice) -> list[Thing]:
    """The results that are what is wanted, best first."""
    return [one for one in voice.pages.matching(voice.pages.words(thing), web.site) if one.id in web.results]


def _added(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    if not web.chosen:
        return None
    counts = dict.fromkeys(web.chosen, int(what.get("count", "1")))
    for line in what.get("things", "").split(BETWEEN):
        count, many, thing = line.rpartition(TIMES)
        for one in [one for one in _fitting(thing, web, voice) if one.id in counts][:1]:
            counts[one.id] = int(count) if many and count.isdigit() else 1
    new = [id for id, count in counts.items() for _ in range(min(count, MAX_PIECES))]
    web.cart, web.count = [*web.cart, *new], 1
    told = counted(new, voice)
    web.at = voice.say("basket", site=voice.pages.sites[web.site].name, thing=told)
    return True, voice.say("added", thing=told)


def _confirmed(what: Mapping[str, str], web: Web, voice: Voice) -> Done | None:
    if not web.cart:
        return None
    site = voice.pages.sites[web.site].name
    things = counted(web.cart, voice)
    web.bought, web.cart, web.offered, web.limit = [*web.bought, *web.cart][-KEPT:], [], False, 0
    web.at = voice.say("confirmation", site=site)
    return True, voice.say("confirmed", site=site, things=things)


ACTS: dict[str, Callable[[Mapping[str, str], Web, Voice], Done | None]] = {
    "open": _opened,
    "search": _searched,
    "filter": _searched,
    "choose": _chose,
    "add": _added,
    "several": _added,
    "party": _added,
    "lines": _added,
    "confirm": _confirmed,
}
"""How the steps of a plan are carried out; None where they cannot be, from where the browser is."""


def counted(ids: list[str], voice: Voice, ones: bool = False) -> str:
    """Things with their numbers: "2 × Mint Bright toothpaste, Desk lamp Dot"; a table with the people it is for. With
    `ones` a single thing has its number, too."""
    told = []
    for thing in voice.pages.named([*dict.fromkeys(ids)]):
        count, at = ids.count(thing.id), voice.pages.sites.get(thing.at)
        seats = at is not None and at.seats and (count > 1 or ones)
        told.append(voice.say("seats", thing=thing.name, count=count) if seats else _many(count, thing.name, ones))
    return BETWEEN.join(told)


def summed(ids: list[str], voice: Voice, ones: bool = False) -> str:
    """The same with what it is all together."""
    total, things = sum(thing.price for thing in voice.pages.named(ids)), counted(ids, voice, ones)
    return voice.say("sum", things=things, total=f"{total:.2f}") if total else things
