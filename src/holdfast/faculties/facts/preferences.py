"""Libraries that a user always or never wants, and those they prefer: kept across conversations.

"Always use plotly for charts" pins, "never use fpdf" forbids; both end only when the user says so. A preference is
stored at once from a statement, else from explicit choices in two conversations, and is only a suggestion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec

from holdfast.events import Event, Violation
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.lookup import of_category
from holdfast.faculties.facts.memos import slices
from holdfast.faculty import Action, Draft, Section
from holdfast.reading.libraries.code import Libraries
from holdfast.reading.libraries.overrides import Mention, Override, Speech
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.standing import standing
from holdfast.reading.tables import Table
from holdfast.state import State
from holdfast.telling import said

RULE_CHARS = 50
"""Characters around the name of a library in which is said how long and what for it is wanted."""
CHOICES = 2
"""Conversations in which a library must have been chosen before it counts as preferred."""


class Preferences(msgspec.Struct, frozen=True, omit_defaults=True):
    pins: dict[str, str] = {}
    """Use case → library."""
    bans: tuple[str, ...] = ()
    preferred: dict[str, str] = {}
    """Use case → library."""
    choices: dict[str, tuple[str, ...]] = {}
    """ "use case/library" → the last conversations in which it was chosen."""


def preferences(state: State) -> Preferences:
    """What the user always, never and rather wants, from this conversation and the ones before."""
    found: dict[str, dict[str, str]] = {m.ALWAYS: {}, m.NEVER: {}, m.RATHER: {}}
    choices: dict[str, tuple[str, ...]] = {}
    for category, rules in found.items():
        rules.update({memo.slot: memo.value for memo in of_category(state, category)})
    for _, memory in slices(state):
        for seen in memory.seen:
            if seen.slot.startswith(f"{m.RATHER}/"):
                key = f"{seen.slot.removeprefix(f'{m.RATHER}/')}/{seen.value}"
                choices[key] = (*choices.get(key, ()), seen.where)[-CHOICES:]
    return Preferences(found[m.ALWAYS], tuple(found[m.NEVER].values()), found[m.RATHER], choices)


class PreferencesFaculty(FactsFaculty):
    name = "preferences"

    def view(self, state: State) -> Preferences:
        return preferences(state)

    def __init__(self, speech: Speech) -> None:
        self.speech = speech

    @property
    def libraries(self) -> Libraries:
        return self.speech.libraries

    def tables(self) -> Iterable[Table]:
        return (self.speech.table,)

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        if not reading.has("library"):
            return
        held = preferences(draft.state)
        ended = list(self._lifted(reading, held))
        for library, cue in ended:
            yield m.LibraryLifted(library=library, scope="user", because=draft.cause(cue.id, cue.span))
        if ended:
            return
        asked = reading.find(self.speech.override)
        if asked is None and reading.has("lib_always"):  # "from now on all my tables with pandas"
            asked = reading.find(self.speech.named)
        if asked is not None and asked.meant(_seen(draft.state)):
            yield from self._rules(draft, asked, held)
        yield from self._stated(draft)

    def _rules(self, draft: Draft, asked: Override, held: Preferences) -> Iterator[Event]:
        reading = draft.reading
        always = _within(reading, asked, "lib_always")
        why = draft.cause(always.id if always else asked.rule, (asked.start, asked.end))
        if asked.requested is None:
            banned = asked.rejected if always or _within(reading, asked, "lib_never", "lib_ever") else ()
            yield from (m.LibraryBanned(library=library, scope="user", because=why) for library in banned)
        elif not asked.ambiguous:
            named = _output(reading, max(0, asked.start - RULE_CHARS), asked.end + RULE_CHARS)
            use_case = named or self.libraries[asked.requested].use_case
            if always is not None:
                yield m.LibraryPinned(library=asked.requested, use_case=use_case, scope="user", because=why)
            elif asked.requested not in held.bans:
                yield from self._chosen(draft, asked.requested, use_case, held, asked)

    def _chosen(self, draft: Draft, library: str, use_case: str, held: Preferences, asked: Override) -> Iterator[Event]:
        """Count an explicit choice; the second conversation makes it a preference."""
        before = held.choices.get(f"{use_case}/{library}", ())
        if draft.origin in before:
            return
        why = draft.cause(asked.rule, (asked.start, asked.end))
        yield m.LibraryChosen(library=library, use_case=use_case, session=draft.origin, scope="user", because=why)
        if len(before) + 1 >= CHOICES and held.preferred.get(use_case) != library:
            yield m.LibraryPreferred(library=library, use_case=use_case, scope="user", because=why)

    def _stated(self, draft: Draft) -> Iterator[Event]:
        """ "I prefer seaborn for charts", "my favourite library is plotly"."""
        reading = draft.reading
        for cue in reading.all("lib_prefer"):
            for mention in reading.find(self.speech.mentions):
                near = 0 <= mention.span[0] - cue.end <= 12 and (cue.means != "best" or _most(reading, mention))
                if near and reading.find(standing).asserted(mention.span):
                    use_case = _output(reading, cue.start) or self.libraries[mention.library].use_case
                    why = draft.cause(cue.id, (cue.start, mention.span[1]))
                    yield m.LibraryPreferred(library=mention.library, use_case=use_case, scope="user", because=why)
                    return

    def _lifted(self, reading: Reading, held: Preferences) -> Iterator[tuple[str, Cue]]:
        """Rules about a library that the message ends."""
        for mention in reading.find(self.speech.mentions):
            if mention.library not in held.bans and mention.library not in held.pins.values():
                continue
            denied = reading.find(standing).of(mention.span) & {"negated", "question"}
            for cue in reading.all("lib_lift"):
                before = cue.means == "before" and 0 <= mention.span[0] - cue.end <= 12
                after = cue.means == "after" and 0 <= cue.start - mention.span[1] <= 8
                if before or (after and not denied):
                    yield mention.library, cue
                    break

    def sections(self, draft: Draft) -> Iterable[Section]:
        held = preferences(draft.state)
        meant = _wanted(draft.state)
        pins = {case: library for case, library in held.pins.items() if meant in (None, case)}
        lines = [f"- Always use {library} for {use_case}." for use_case, library in pins.items()]
        lines += [f"- Never use {library}." for library in held.bans]
        if lines:
            yield Section("library_rules", "\n".join(["**LIBRARY RULES OF THE USER:**", *lines]), keep=88)

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """Code with a library that the user never wants does not go out."""
        bans = preferences(state).bans
        if not bans:
            return
        for sight in self.libraries.detect(content=reading.text):
            if sight.library in bans and not _asked_for(state, sight.library):
                yield Violation("libraries.banned", said=said("guard.library", library=sight.library))


def _wanted(state: State) -> str | None:
    """The kind of output that a creation asks for, so that a rule for another kind is not told with it."""
    files = state.session.slices.get("files")
    request = files.request if files is not None else None
    return request.output if request is not None and request.mode == "creation" else None


def _most(reading: Reading, mention: Mention) -> bool:
    """ "I like plotly best": liking alone is no preference."""
    following = reading.folded[mention.span[1] : mention.span[1] + 20].split()
    return bool(following) and following[0] in reading.phrases("revisions", "most")


def _seen(state: State) -> Collection[str]:
    """The libraries that are in use in this conversation."""
    return state.revisions.seen if "revisions" in state.session.slices else ()


def _asked_for(state: State, library: str) -> bool:
    """Whether the user asked for the library in this conversation all the same."""
    if "revisions" not in state.session.slices:
        return False
    asked = state.revisions.asked
    return library in state.revisions.allowed or (asked is not None and asked.override.requested == library)


def _within(reading: Reading, asked: Override, *families: str) -> Cue | None:
    """A cue in the sentence of the request: shortly before its first word or after its last."""
    cues = (cue for family in families for cue in reading.all(family))
    return next((cue for cue in cues if asked.start - RULE_CHARS <= cue.start <= asked.end + RULE_CHARS), None)


def _output(reading: Reading, start: int, end: int | None = None) -> str | None:
    """The kind of output that is spoken of there."""
    for cue in reading.all("output"):
        if start <= cue.start and (end is None or cue.start <= end):
            return cue.means.replace("_", " ")
    return None
