"""What a message does to lists: it adds, takes off, ticks off, changes or shows.

What a part of it does is decided once, from its verb, the list that it names, the act of its clause, the things on the
lists that it names, and the list that the talk was about just before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import dropwhile

from holdfast.faculties.lists.dating import redated
from holdfast.faculties.lists.headings import EDGES, Heading, is_task
from holdfast.faculties.lists.kept import MAX_CHARS, OWED, OWING, OWN, PLANS, REMINDERS, Gone
from holdfast.faculties.lists.naming import (
    COURTESIES,
    SHOPPING,
    STANDARD,
    TO_DO,
    Deed,
    Thing,
    about_lists,
    apart,
    called,
    is_there,
    keys,
    meant,
    named,
    named_list,
    object_of,
    ordinals,
    placed_in,
    points,
    row,
    row_of,
    says_more,
    share,
    spoken_of,
    standard,
    task_keys,
    trimmed,
)
from holdfast.faculties.lists.owing import debts
from holdfast.faculties.lists.scene import Scene, is_telling, says_only_when, times
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Span, begins_in, touches, within
from holdfast.reading.text import fold

BRIEF = 12
"""Words of a part that only says that something is done, or goes on with a list."""
NAMES = 4
"""Words of a part that names no more than a thing or two: "and some tea"."""
TELLS = frozenset({"asks", "states", "answers", "reports", "remarks"})
"""Acts of clauses that want nothing done."""
SAYS_DONE = frozenset(
    {"states", "answers", "remarks", "confirms", "retracts", "stops", "rejects", "corrects", "chooses"}
)
"""Acts of clauses that may say that something is done; "finished the first one" looks like a choice."""
NOT_DONE = frozenset({"reports", "supposes", "quotes", *COURTESIES})
"""Acts of clauses that never do."""
OVER, CORRECTS = frozenset({"retracts", "stops"}), frozenset({"corrects", "rejects", "denies"})
ASKING = frozenset({"pointer", "sayverb", "requestverb", "changeverb", "everything", "hedge", "wantphrase"})
"""Kinds of words of a question that names nothing."""


def deeds(scene: Scene) -> list[Deed]:
    """What a part of a message does to lists."""
    part = scene.part
    if owed := debts(scene):
        return owed
    if part.heading is not None:
        return list(_put_on(scene, _headed(scene, part.heading), row(scene, part.heading.row)))
    asks = _asks(scene)
    decide = _shown if asks else _BY_VERB.get(part.does, _nothing)
    return next(filter(None, (list(way(scene)) for way in (decide, *(() if asks else _WITHOUT_VERB)))), [])


def _asks(scene: Scene) -> bool:
    """Whether a part asks; "q no se me olvide el pan" does not, whatever "q" looks like."""
    part = scene.part
    if part.does == "forgets" and "?" not in scene.reading.words(part.span):
        return False
    again = not part.does and part.act == "requests" and _asks_what(scene)  # "repeat it please"
    return part.act == "asks" or again or _begins_with_what(scene)


def _begins_with_what(scene: Scene) -> bool:
    """ "What is missing", whatever its act is taken for."""
    return not scene.words("what").isdisjoint(scene.reading.said(scene.part.span).split()[:1])


def _nothing(scene: Scene) -> Iterator[Deed]:
    yield from ()


# putting on


def _added(scene: Scene) -> Iterator[Deed]:
    """ "Add milk and eggs", "put milk on the list", «составь список дел: …»."""
    name, said = _filled(scene), row(scene, object_of(scene))
    yield from _put_on(scene, name, said) if name and not points(scene, said) else ()


def _headed(scene: Scene, heading: Heading) -> str:
    """The list that stands under a heading."""
    return standard(scene, heading.means) if heading.means in STANDARD else _named_or_last(scene)


def _named_or_last(scene: Scene) -> str:
    language = scene.reading.language or scene.draft.state.conversation.language
    return named_list(scene) or scene.held.last or scene.reading.reader.wording("lists", "plain", language)


def _filled(scene: Scene) -> str:
    """The list that a part adds to, if it adds to one: the one that it names, else the one that the talk is about."""
    traits, just = scene.part.traits, scene.just if scene.just not in OWN else ""
    if "needed" in traits:
        return just if _is_needed_too(scene) else ""
    if scene.part.lists:
        return _named_or_last(scene)
    if "bought" in traits:
        return standard(scene, SHOPPING)
    return "" if _is_meant_for_no_list(scene, just) else just or _bought(scene)


def _is_needed_too(scene: Scene) -> bool:
    """Whether what is needed is a thing or two, and no task and no list: "we need string too"."""
    said = scene.reading.said(scene.part.said)
    return not scene.part.lists and not is_task(scene.reading, said) and len(said.split()) <= NAMES


def _is_meant_for_no_list(scene: Scene, just: str) -> bool:
    """Whether something is told and not to be added, or added to something else ("add a button to the page"), or noted
    without a list."""
    said = scene.reading.said(object_of(scene)).split()
    elsewhere = not is_task(scene.reading, " ".join(said)) and not scene.words("towards").isdisjoint(said[1:])
    unnamed = "named" in scene.part.traits and (not just or scene.words("more").isdisjoint(said))
    return scene.part.act in TELLS or elsewhere or unnamed


def _bought(scene: Scene) -> str:
    """The list of what is to be bought, if there is one: what is to be added elsewhere may be code, or a guest."""
    name = standard(scene, SHOPPING)
    return name if name in scene.held.lists else ""


def _put_on(scene: Scene, name: str, said: Iterable[str]) -> Iterator[Deed]:
    """What is new on a list; where all of it stands there already, the list is told."""
    items = scene.held.get(name)
    known = {fold(item) for item in items}
    cut = dict.fromkeys(item[:MAX_CHARS] for item in said if item)
    if new := tuple(item for item in cut if fold(item) not in known):
        yield Deed(name, added=new)
    elif cut:
        yield Deed(name, told=items)


def _put_on_too(scene: Scene, name: str, said: Iterable[str]) -> Iterator[Deed]:
    """The same for what only goes on with a list: "the salmon" is the smoked salmon that stands there."""
    reader, here = scene.reading.reader, scene.held.get(name)
    held = [keys(reader, item) for item in here]
    new = [one for one in said if not any(keys(reader, one) <= share(keys(reader, one), item) for item in held)]
    yield from _put_on(scene, name, new) if new else [Deed(name, told=here)]


def _reminded(scene: Scene) -> Iterator[Deed]:
    """ "Remind me to …": each thing to be done is a reminder of its own. "Don't let me forget the bread" goes on with
    the list that is being filled."""
    part, said = scene.part, _reminders(scene)
    fills = part.does == "forgets" and scene.just not in ("", *OWN)
    if fills and not times(scene.reading, part.said) and not any(is_task(scene.reading, task) for task in said):
        yield from _put_on(scene, scene.just, row(scene, part.said))
    else:
        yield from _put_on(scene, REMINDERS, [one for one in said if task_keys(scene.reading.reader, one)])


def _reminders(scene: Scene) -> list[str]:
    """What one wants to be reminded of, with the time that stands before."""
    before = scene.part.start, scene.part.does_at
    said = _tasks(scene, scene.part.said)
    if not said and is_task(scene.reading, scene.reading.said(before)):  # «в пятницу забрать посылку напомни»
        return [_time_last(scene, task) for task in _tasks(scene, before)]
    said = [_time_last(scene, task) for task in said]
    if (said or scene.before) and points(scene, said):
        return _what_it_is(scene)
    if said and says_only_when(scene.reading, before):
        return [f"{scene.reading.words(before).strip(EDGES)} {said[0]}", *said[1:]]
    return said


def _what_it_is(scene: Scene) -> list[str]:
    """What "that" is, of which one wants to be reminded: what the message says before, else what was said before."""
    before = [part for part in scene.before if part.act not in {"asks", *COURTESIES}]
    return [trimmed(scene, scene.reading.words(before[-1].span) if before else scene.draft.told)]


def _time_last(scene: Scene, task: str) -> str:
    """A task with its time behind it: "monday to ring the bank" is "ring the bank monday"."""
    reading = scene.reading.reader.read(task)
    for token in reading.tokens:
        if reading.said(token) in scene.words("to") and says_only_when(reading, (0, token[0])):
            what, when = task[token[1] :].strip(EDGES), task[: token[0]].strip(EDGES)
            return f"{what}, {when}" if "," in what else f"{what} {when}"
    return task


def _planned(scene: Scene) -> Iterator[Deed]:
    yield from _put_on(scene, PLANS, [trimmed(scene, scene.reading.words(scene.part.said))])


def _tasks(scene: Scene, span: Span) -> list[str]:
    """What is to be done, one by one: "collect the dress on saturday and to pay the band" are two."""
    found: list[Span] = []
    for start, end in apart(scene, span):
        if found and not _two_tasks(scene, found[-1], (start, end)):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return [task for task in (trimmed(scene, scene.reading.words(one)) for one in found) if task]


def _two_tasks(scene: Scene, before: Span, after: Span) -> bool:
    """Whether what stands on both sides of a conjunction is to be done: milk and eggs are bought at once, and "at noon
    and at eight" is one thing."""
    reading, timed = scene.reading, bool(times(scene.reading, before))
    to = not scene.words("to").isdisjoint(reading.said(after).split()[:1])
    does = is_task(reading, reading.said(after)) and (timed or is_task(reading, reading.said(before)))
    return not says_only_when(reading, after) and (to or does or (timed and bool(times(reading, after))))


def _gone_on(scene: Scene) -> Iterator[Deed]:
    """ "And tea bags", right after a list was filled."""
    part, name = scene.part, scene.just
    said = scene.reading.said(part.span).split()
    more, fillers = scene.words("more"), scene.reading.phrases("question", "fillers")
    spoken = [word.strip(EDGES) for word in said]
    joined = any(word in more for word in list(dropwhile(lambda word: word in fillers - more, spoken))[:1])
    before = any(trimmed(scene, scene.reading.words(one.span)) for one in scene.before)
    if name in ("", PLANS, OWED, OWING) or before or not joined or len(said) > BRIEF or _is_telling(scene):
        return
    yield from _put_on_too(scene, name, _tasks(scene, part.span) if name == REMINDERS else row(scene, part.span))


def _is_telling(scene: Scene) -> bool:
    """Whether a part tells something of the person, and names no things."""
    return scene.part.act in {"reports", *COURTESIES} or is_telling(scene.reading, scene.part.span)


def _missed(scene: Scene) -> Iterator[Deed]:
    """ "You forgot the torches", «молоко забыл», "falta el azúcar": what a list that is spoken of lacks."""
    part, name = scene.part, named_list(scene) or scene.just
    if name in ("", *OWN) or not says_more(scene):
        return
    ways = (trimmed(scene, scene.reading.words(span)) for span in (part.said, (part.start, part.does_at)))
    said = next(filter(None, ways), "")
    yield from _put_on_too(scene, name, row_of(scene, said))


def _restored(scene: Scene) -> Iterator[Deed]:
    """ "Put the milk back", «верни»: what was taken off goes back, or what stood there before a change."""
    gone = [one for one in scene.held.gone if one.item not in scene.held.get(one.name)]
    points_at_it = scene.just and not says_more(scene)
    last = [one for one in gone if points_at_it and one.at == gone[-1].at]
    for one in _named_gone(scene, gone) or last:
        instead = (one.instead,) if one.instead in scene.held.get(one.name) else ()
        yield Deed(one.name, added=(one.item,), removed=instead)


def _named_gone(scene: Scene, gone: Sequence[Gone]) -> list[Gone]:
    """What a part names of what was taken off."""
    reader = scene.reading.reader
    said = keys(reader, scene.reading.said(scene.part.span)) - about_lists(scene, scene.part)
    return [one for one in gone if share(keys(reader, one.item), said)][-1:]


# taking off


def _taken_off(scene: Scene) -> Iterator[Deed]:
    """What is taken off: what the part names or points at, all of a list, or what "it" is."""
    name, more = named_list(scene), says_more(scene)
    # "the mock from the tests" is another mock, unless its list is spoken of
    found = [one for one in meant(scene, name) if one[0] in (name, scene.just) or not says_more(scene, [one])]
    if not found and not more:
        found = _all_of_it(scene, name) if _wants_all(scene) else spoken_of(scene, name)
    yield from _removed(found) if found else _not_there(scene, name, _sought(scene) if more else "")


def _not_there(scene: Scene, name: str, missing: str) -> Iterator[Deed]:
    """What is on a list from which something that is not there should go."""
    where = name or (scene.held.last if scene.part.lists else scene.just if missing else "")
    if where and (scene.part.lists or scene.held.get(where)):
        yield Deed(where, told=scene.held.get(where), missing=missing)


def _sought(scene: Scene) -> str:
    """What is to be taken off, in the words of the part: "take the kettle off" has it inside its verb."""
    verb = scene.reading.words(scene.part.verb.span).split() if scene.part.verb is not None else []
    return trimmed(scene, scene.reading.words(object_of(scene))) or " ".join(verb[1:-1])


def _refused(scene: Scene) -> Iterator[Deed]:
    """ "Not the yeast", «кефир не надо», while the list is spoken of; "it's tuesday, not monday" puts off what stands
    there."""
    found = [one for one in named(scene, scene.part) if one[0] == scene.just]
    dated = [Deed(name, added=(redated(scene, item),), removed=(item,)) for name, item in found if name in OWN]
    if anew := [deed for deed in dated if deed.added[0] and deed.added != deed.removed]:
        yield from anew
        return
    yield from _removed(found if not says_more(scene, found) else ())


def _removed(found: Iterable[Thing]) -> Iterator[Deed]:
    by_name: dict[str, dict[str, None]] = {}
    for name, item in found:
        by_name.setdefault(name, {})[item] = None
    yield from (Deed(name, removed=tuple(items)) for name, items in by_name.items())


def _wants_all(scene: Scene) -> bool:
    """Whether all of a list goes: "clear my list", "delete the list"; not so where something goes from it."""
    said = scene.reading.said(scene.part.span).split()
    lists = [scene.reading.said(cue.span).split()[0] for cue in scene.part.lists]
    bare = bool(lists) and scene.words("from").isdisjoint(lists)
    return scene.part.does == "clears" or bare or not scene.words("all").isdisjoint(said)


def _all_of_it(scene: Scene, name: str) -> list[Thing]:
    name = name or (scene.held.last if scene.part.lists else scene.just)
    return [(name, item) for item in scene.held.get(name)]


def _done(scene: Scene) -> Iterator[Deed]:
    """What is said to be done or at hand already."""
    long = len(scene.reading.said(scene.part.span).split()) > BRIEF
    if not long and scene.part.act not in NOT_DONE and "negated" not in scene.flags:
        yield from _removed(_said_done(scene) or _carried_out(scene))


def _said_done(scene: Scene) -> list[Thing]:
    """ "The bread is bought", "got the eggs", "both done"."""
    lists = [one.span for one in scene.part.lists]
    cues = within(scene.reading.all("list_done"), scene.part.span)
    says_so = scene.part.act in SAYS_DONE and any(not touches(cue.span, lists) for cue in cues)
    if not says_so or (found := meant(scene, "")):
        return found if says_so else []
    return _all_of_it(scene, "") if _wants_all(scene) and not says_more(scene) else []


def _carried_out(scene: Scene) -> Iterable[Thing]:
    """What is said to be done in another form: "collect my dress", "I collected the dress"."""
    reader, said = scene.reading.reader, keys(scene.reading.reader, scene.reading.said(scene.part.span))
    for name, items in scene.held.lists.items():
        for item in items:
            task = task_keys(reader, item)
            done = share(task, said)
            if len(done) > 1 and 2 * len(done) >= len(task) and not done <= said:
                yield name, item


def _not_that(scene: Scene) -> Iterator[Deed]:
    """ "No formula", while the list is spoken of; "and the flowers", right after something was taken off."""
    first = scene.reading.said(scene.part.span).split()[:1]
    off = scene.just and not scene.held.items
    if not scene.words("not", *(("more",) if off else ())).isdisjoint(first):
        yield from _refused(scene)


def _called_off(scene: Scene) -> Iterator[Deed]:
    """What a clause takes back in the words of a reminder or a plan: "scratch the plumber thing". Of a list of things
    nothing goes so: who no longer eats eggs may still have to buy some."""
    if scene.part.act in OVER:
        yield from _removed(found for found in meant(scene, "") if found[0] in OWN)


# changing


def _moved(scene: Scene) -> Iterator[Deed]:
    """What is to be on another day, or something else: "make the florist friday", "change the eggs to tofu"."""
    found = _to_be_changed(scene)
    dated = [one for one in found if task_keys(scene.reading.reader, one[1]) != keys(scene.reading.reader, one[1])]
    for name, item in (dated or found)[-1:]:
        if now := redated(scene, item):
            yield Deed(name, added=(now,), removed=(item,)) if now != item else Deed(name, told=(item,))


def _to_be_changed(scene: Scene) -> list[Thing]:
    """What is to be changed: what is named; else what "it" is, where nothing else is named."""
    name = named_list(scene)
    other_day = "better" in scene.part.traits and scene.just in OWN and bool(times(scene.reading, scene.part.span))
    if (found := meant(scene, name)) or (says_more(scene) and not other_day):
        return found
    return [(name, item) for item in scene.held.get(name)] if name else spoken_of(scene)


def _corrected(scene: Scene) -> Iterator[Deed]:
    """«Не 12, а 7» right after a reminder was set."""
    if scene.just in OWN and (scene.part.act in CORRECTS or not says_more(scene)):
        yield from _moved(scene)


# telling


def _shown(scene: Scene) -> Iterator[Deed]:
    """What is asked for: a list by its name, what is left, or the list that is spoken of."""
    if names := _by_name(scene) or _left(scene) or _there(scene):
        yield from (Deed(name, told=_of_it(scene, name)) for name in dict.fromkeys(names))


def _of_it(scene: Scene, name: str) -> tuple[str, ...]:
    """What of a list is asked for: a place of it ("the second one"), what is due on a day, else all."""
    items = scene.held.get(name)
    placed = tuple(item for where, item in placed_in(scene, name) if where == name)
    days = [fold(scene.reading.words(span)) for span in times(scene.reading, scene.part.span)]
    due = tuple(item for item in items if any(day in fold(item) for day in days)) if name in OWN else ()
    return placed or due or items


def _by_name(scene: Scene) -> list[str]:
    """The lists that are asked for by their names; "which tasks does celery run" is asked of no list."""
    cues = scene.part.lists
    names = [name for cue in cues if is_there(scene, name := called(scene, cue) or scene.held.last)]
    empty = [cue.means for cue in cues] == [TO_DO] and not any(map(scene.held.get, names))
    return _due(scene) if names and empty else names


def _left(scene: Scene) -> list[str]:
    """The lists that "what is left" is asked of: the one that the talk is about, else all that is to be done."""
    cues = {cue.means for cue in within(scene.reading.all("list_left"), scene.part.span)}
    if not cues or says_more(scene):
        return []
    just = [scene.just] if scene.just else []
    if "to_buy" in cues:
        return list(filter(None, [_bought(scene)])) or just or [standard(scene, SHOPPING)]
    if not cues.isdisjoint(("to_do", "reminded")):
        return [REMINDERS] if "reminded" in cues and scene.held.get(REMINDERS) else _due(scene)
    return (just or _due(scene)) if scene.held.lists or scene.held.open else []


def _there(scene: Scene) -> list[str]:
    """The list of "what do I have on there?", "what does it say?" and "read it out", while it is spoken of."""
    part = scene.part
    there = any(cue.means == "there" for cue in within(scene.reading.all("list_word"), part.span))
    wants = part.act in ("asks", "requests") or part.does == "shows" or _begins_with_what(scene)
    meant_here = (there and not says_more(scene)) or (wants and _asks_what(scene))
    return [scene.just] if scene.just and meant_here else []


def _asks_what(scene: Scene) -> bool:
    """Whether a part asks what there is and names nothing: all its words ask, point, say or are small."""
    reading = scene.reading
    known = [cue.span for family in ("list_left", "list_word") for cue in within(reading.all(family), scene.part.span)]
    known += ordinals(scene, scene.part)
    inside = [one for one in reading.find(tokens_of) if scene.part.start <= one.start < scene.part.end]
    return all(_names_nothing(scene, one) for one in inside if not begins_in(one.start, known))


def _names_nothing(scene: Scene, token: Token) -> bool:
    if token.shape == "." or token.word in scene.words("what"):
        return True
    small = scene.words("beside", "pronouns", "into", "due", "all") | scene.reading.phrases("small", "words")
    return "askword" not in token.kinds and (token.word in small or not ASKING.isdisjoint(token.kinds))


def _due(scene: Scene) -> list[str]:
    """The lists of what is to be done."""
    names = (REMINDERS, standard(scene, TO_DO))
    return [name for name in names if scene.held.get(name)] or [scene.held.last or REMINDERS]


_BY_VERB: dict[str, Callable[[Scene], Iterator[Deed]]] = {
    "adds": _added,
    "removes": _taken_off,
    "refuses": _refused,
    "clears": _taken_off,
    "restores": _restored,
    "misses": _missed,
    "moves": _moved,
    "shows": _shown,
    "reminds": _reminded,
    "forgets": _reminded,
    "plans": _planned,
}
_WITHOUT_VERB = (_corrected, _not_that, _done, _called_off, _gone_on)
"""What a part may do that has no verb for it."""
