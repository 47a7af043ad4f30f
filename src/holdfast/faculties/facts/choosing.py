"""What a person chooses of what they weighed themselves: "a toaster or money?", and then "the second one, I think".

What the agent lets choose from is a question of its own, and its answer is kept as such (`answers.py`)."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event, ReferenceResolved
from holdfast.faculties.facts.lookup import content, of_kind
from holdfast.faculties.facts.writing import item, learned, supersede
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.reading.model.clauses import KEEP, Clause
from holdfast.reading.replying import chosen
from holdfast.reading.shown.choices import weighed

BRIEF, BY_NAME = 8, 5
"""Words of a clause that takes one of several by its place, and of one that takes it by its name."""
BACK = 4
"""Messages of the person over which what was weighed can still be chosen from."""
NOT_CHOOSING = frozenset({"asks", "quotes", "reports", "thanks", "greets", "supposes"})
CHOICE, CHOSEN = "choice", "talk.chosen"
"""The slot of what was chosen, and the rule by which it was."""


def chosen_of_two(draft: Draft) -> Iterator[Event]:
    """The choice that a message makes: kept as what was decided, and nothing else as well."""
    said, options = _weighed(draft) if _may_choose(draft) else ("", ())
    for clause in draft.clauses if options else ():
        taken = _taken(draft, clause, options)
        if len(taken) == 1:
            span = clause.start, clause.end
            value, more = options[taken[0]], {"options": list(options)}
            memo = item(
                draft, "decision", CHOICE, value, "other", span=span, text=value, words=said, rule=CHOSEN, details=more
            )
            again = [one for one in of_kind(draft.state, "decision") if one[1].rule == CHOSEN and one[1].words == said]
            yield from supersede(draft, again, memo) if again else [learned(draft, memo)]
            draft.set_aside([span])
            return


def _may_choose(draft: Draft) -> bool:
    """Whether nothing that the agent showed or asked is what the message chooses from."""
    points = any(isinstance(event, ReferenceResolved) for event in draft.events)
    return not points and not all_answered(draft.state) and "conversation" in draft.state


def _weighed(draft: Draft) -> tuple[str, tuple[str, ...]]:
    """What the person weighed last, and in which words."""
    recent = [one.text for one in draft.before.conversation.recent if one.role != "assistant"][-BACK:]
    for text in reversed(recent):
        if options := draft.reading.reader.read(text).find(weighed):
            return text[:300], options
    return "", ()


def _taken(draft: Draft, clause: Clause, options: tuple[str, ...]) -> tuple[int, ...]:
    """Which of the options a clause takes."""
    span = clause.start, clause.end
    words = len(draft.reading.said(span).split())
    if clause.act in NOT_CHOOSING or words > BRIEF:
        return ()
    by_name = chosen(draft.reading, span, options, by_place=False) or _alike(draft, clause, options)
    return chosen(draft.reading, span, options) or by_name if not by_name or words <= BY_NAME else ()


def _alike(draft: Draft, clause: Clause, options: tuple[str, ...]) -> tuple[int, ...]:
    """The options that share a word with a clause which tells nothing: "the grey ones"."""
    words = draft.reading.said((clause.start, clause.end)) if clause.keep < KEEP else ""
    said = content(draft.reading.reader, words)
    return tuple(place for place, option in enumerate(options) if said & content(draft.reading.reader, option))
