"""The companion: the agent of the `general` pack when nobody brings a model. It answers from what it knows, keeps
lists, reminders and plans, and says what it kept; it knows nothing of the world, says so in one line, and tells once
how to give it a model.

It sees what any agent sees: the Turn and the Session. What it understands is in
`words/companion.tsv`, what it says in `words/says.tsv`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any

from holdfast import telling
from holdfast.agents import Said
from holdfast.agents.courtesies import courtesy
from holdfast.agents.listing import has_told, listed, parts_for_lists
from holdfast.agents.recalling import asks_for_all, recalled
from holdfast.agents.wording import PHRASE, Words, known_things, quoted, reader, sentence
from holdfast.events import Cleared, Event
from holdfast.faculties.facts.asking_back import COURTEOUS
from holdfast.faculties.facts.choosing import CHOICE, CHOSEN
from holdfast.faculties.facts.lookup import content, of_kind
from holdfast.faculties.facts.memos import (
    CorrectionHeard,
    ItemConfirmed,
    ItemLearned,
    ItemRestored,
    ItemRetracted,
    SlotSet,
    find,
    slices,
)
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.told import is_renewed
from holdfast.faculties.references.faculty import DetailAsked
from holdfast.reading.model.clauses import DOUBTED, KEEP, Clause
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.places import places
from holdfast.reading.reader import Reading, Span, begins_in
from holdfast.reading.shown.choices import weighed
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn

COMPLAINS = frozenset({"corrects", "rejects"})
TELLING = frozenset({"states", "reports", "answers"})
MIN_SAME = 2
"""Words that two facts must begin with to be told in one."""
"""Acts of clauses that say that something is wrong, and of those that tell something."""


def companion(turn: Turn, chat: Session, manner: str = "companion") -> Iterator[Said]:
    """One reply: the open question first, then what was asked, then what was learned, then what is missing. `manner`
    names texts that another agent has in the place of the companion's."""
    reading = reader().read(turn.text)
    words = Words(turn.language or reading.language or next((cue.language for cue in reading.cues), "en"), manner)
    yield Said(turn.question or _reply(turn, chat, reading, words), attached=said_back(turn, chat))


def _reply(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What was done to lists, what answers what is asked, and what was learned, each part of a message for itself; one
    line on what can be done where there is nothing of that."""
    done = "" if asks_for_all(turn, chat) else listed(turn, chat, words)
    if not done and (polite := _courtesy(turn, words)):
        return polite
    beside = [clause for clause in turn.clauses if not begins_in(clause.start, parts_for_lists(turn))]
    acts = {clause.act for clause in beside}
    answer = _answer(turn, chat, reading, words, beside) if not done or "asks" in acts else ""
    kept = learned(turn, words) if not answer or acts - COURTEOUS else ""
    tells = kept or (_told(turn) and "asks" not in acts)
    if tells and _says_nothing(answer, turn, words):
        answer = ""
    said = " ".join(filter(None, (done, answer, kept)))
    return said or _missing(turn, chat, reading, words) or _otherwise(turn, chat, reading, words)


def _answer(turn: Turn, chat: Session, reading: Reading, words: Words, beside: Sequence[Clause]) -> str:
    """What answers what is asked; to whoever complains of an answer, not the same once more."""
    answer = _chosen(turn, chat, reading, words) or recalled(turn, chat, words, beside)
    again = answer and answer == _last(turn) and not _asks(reading)
    return words("same") if again and _complains(turn, chat.pack.reader.read(turn.text)) else answer


def _says_nothing(answer: str, turn: Turn, words: Words) -> bool:
    """Whether an answer is that there is none, or only gives back what the message itself says."""
    before, after = words("in_quotes", text=" ").split(" ")
    said = answer.partition(before)[2].rpartition(after)[0].rstrip("…")
    unknown = answer in (words("untold"), words("never"))
    return unknown or (bool(said) and said in " ".join(turn.text.split()))


def said_back(turn: Turn, chat: Session) -> dict[str, Any]:
    """What is attached to what an agent says back to the person: it is no list of things to choose from."""
    return {"entities": []} if "entities" in chat.pack.attachments["say"] and turn.question is None else {}


def _otherwise(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """Where there is nothing to answer: a word on what was understood or can be done, never the same one twice in a
    row."""
    kind = _understood(turn, chat, reading)
    if kind == "cannot":
        return _beyond(turn, chat, words)
    if kind == "sorry" and turn.state.lists.offered:
        return words("no_list")
    if kind == "heard_that" and not has_told(chat, words.says["heard_that"]):
        return words("heard_that", text=quoted(_told(turn) or turn.text))  # once: it was not kept, and can be
    return _another_way(kind, turn, words)


def _beyond(turn: Turn, chat: Session, words: Words) -> str:
    """That something is too much for us, and once, how to give us a model."""
    said = _another_way("cannot", turn, words)
    met_before = chat.user is not None and len(chat.holdfast.store.newest(chat.user, limit=2)) > 1
    return said if met_before or has_told(chat, words("model")) else f"{said} {words('model')}"


def _understood(turn: Turn, chat: Session, reading: Reading) -> str:
    """What a message is of which nothing was kept and nothing found: a question, a wish, a complaint, something told,
    or no more than a sound."""
    acts = {clause.act for clause in turn.clauses}
    likely = acts.union(*(clause.likeliest for clause in turn.clauses))
    read = chat.pack.reader.read(turn.text)
    if _asks(reading) or "asks" in acts or ("asks" in likely and _begins_asking(read)):
        return "cannot_know"
    if "requests" in acts:
        return _wanted(read)
    if len(_told(turn).split()) > 1:
        return "heard_that"
    return "sorry" if _complains(turn, read) else "heard"


def _wanted(read: Reading) -> str:
    """What a wish is that nobody could fulfil: to note something, or put it on a list, that it does not name; or more
    than we can."""
    if any("rememberphrase" in token.kinds for token in read.find(tokens_of)):
        return "heard"
    return "which_list" if any(cue.means == "adds" for cue in read.all("list_does")) else "cannot"


def _told(turn: Turn) -> str:
    """The words of a message that tell something, whether or not any of it was kept."""
    tells = [one for one in turn.clauses if _tells(one)]
    return turn.text[tells[0].start : tells[-1].end].strip(" ,;.") if tells else ""


def _tells(clause: Clause) -> bool:
    if clause.act in COMPLAINS:
        return clause.keep >= KEEP
    return bool(TELLING & {*clause.likeliest}) and (clause.lead >= DOUBTED or clause.keep >= KEEP)


def _complains(turn: Turn, read: Reading) -> bool:
    """Whether a message says that we were wrong, and no more."""
    says_so = any({"negation", "sayverb"} & {*token.kinds} for token in read.find(tokens_of))
    return any(one.act in COMPLAINS or (says_so and COMPLAINS & {*one.likeliest}) for one in turn.clauses)


def _begins_asking(reading: Reading) -> bool:
    return any("askword" in token.kinds for token in reading.find(tokens_of)[:2])


def _another_way(kind: str, turn: Turn, words: Words) -> str:
    """Something in words that were not used just before."""
    ways = [text for name, text in words.says.items() if name.rstrip("23") == kind.removesuffix("_that")]
    return next((text for text in ways if text not in _last(turn)), ways[0])


def _last(turn: Turn) -> str:
    """What was answered last."""
    return str(turn.state.conversation.last("assistant"))


def _courtesy(turn: Turn, words: Words) -> str:
    """Greetings, thanks and the like, when there is nothing else in the message."""
    kind = "" if turn.receipt.did("learned") else courtesy(turn.text, turn.clauses)
    if kind in ("hello", "there"):
        names = [memo.value for (slot, _), memo in known_things(turn).items() if slot == "name"]
        return words("greet_named", name=names[0]) if names else words("greet")
    return words(kind) if kind in ("bye", "thanks", "help") else ""


def _asks_of_choice(turn: Turn, plainly: bool) -> bool:
    """Whether a message asks what was chosen: plainly, or not when or where something is."""
    details = {event.detail for event in turn.all(DetailAsked)}
    return "asks" in {clause.act for clause in turn.clauses} and (plainly or details.isdisjoint(("when", "where")))


def _chosen(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What the person chose, where that is asked: the newest choice, or the one between what the question names. When
    and where something is are no choices of that kind."""
    made = [memo for _, memo in of_kind(turn.state, "decision") if memo.rule == CHOSEN]
    plainly = reading.has("choosing")
    if not made or not _asks_of_choice(turn, plainly):
        return ""
    asked = content(chat.pack.reader, turn.text)
    shared = {memo.value: len(asked & content(chat.pack.reader, memo.words)) for memo in reversed(made)}
    value, most = max(shared.items(), key=lambda one: one[1])
    meant = plainly or (len(asked) > 1 and most >= max(1, len(asked) // 2))
    return words("known", what=words.fact(CHOICE, value)) if meant else ""


def learned(turn: Turn, words: Words) -> str:
    """What this message taught, changed, confirmed and took back: each thing once, those of a kind together; and what
    the talk goes back to when it answered a question."""
    rows = _things_taught(turn, words)
    if len(rows) > 1:
        rows.pop("corrected", None)  # the new value stands in what was kept of it
    if "quoted" in rows:
        rows["quoted"] = _joined(rows["quoted"], turn, words)
    rows["noted"] = _told_in_one(rows.get("noted", ()), words("quote"))
    parts = [words(kind, what=words.row(facts)) for kind, facts in rows.items() if facts]
    asked = _wished(turn) if turn.receipt.did("bound") else ""
    return " ".join([*parts, words("back", text=asked), words("cannot")] if parts and asked else parts)


def _told_in_one(facts: Sequence[str], quote: str) -> list[str]:
    """Facts one after the other, without the words with which one begins as the one before, "your test framework is
    vitest" and "playwright"; what is quoted stands whole."""
    told = [*facts[:1]]
    for before, fact in pairwise(facts):
        pairs = zip(before.split(" "), fact.split(" "), strict=False)
        same = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        told.append(fact if same < MIN_SAME or fact.startswith(quote) else fact.split(" ", same)[-1])
    return told


def _things_taught(turn: Turn, words: Words) -> dict[str, list[str]]:
    """By the text that tells of them: all things that this message taught, in its order."""
    told: dict[str, dict[str, str]] = {}
    items = [event.item for event in turn.events if isinstance(event, ItemLearned)]
    for event in sorted(turn.events, key=lambda event: event.because.start if event.because else 0):
        kind, fact = _taught(event, turn, words, items)
        if fact and not any(fold(fact) in others for others in told.values()):
            told.setdefault(kind, {})[fold(fact)] = fact
    return {kind: list(facts.values()) for kind, facts in told.items()}


def _together(text: str, spans: Sequence[Span]) -> list[Span]:
    """Parts of a text in its order, those in one that have no more than a sign between them."""
    joined: list[Span] = []
    for span in spans:
        gap = text[joined[-1][1] : span[0]].strip(" ,;.!") if joined else ""
        if joined and len(gap) <= 1:
            joined[-1] = joined[-1][0], max(span[1], joined[-1][1])
        else:
            joined.append(span)
    return joined


def _joined(facts: Sequence[str], turn: Turn, words: Words) -> list[str]:
    """What is quoted of a message, in one piece where it stands together: no words are told twice."""
    before, after = words("in_quotes", text=" ").split(" ")
    said = {fact: fact.removeprefix(before).removesuffix(after) for fact in facts}
    found = sorted((turn.text.find(one), turn.text.find(one) + len(one)) for one in said.values())
    joined = _together(turn.text, [span for span in found if span[0] >= 0])
    elsewhere = [fact for fact, one in said.items() if one not in turn.text]
    return [words("in_quotes", text=quoted(turn.text[slice(*span)].strip(" ,;"))) for span in joined] + elsewhere


def _taught(event: Event, turn: Turn, words: Words, items: list[Memo]) -> tuple[str, str]:
    """Which text tells of an event, and what stands in it."""
    match event:
        case SlotSet(slot=slot, value=value, old=None):
            return "noted", words.fact(slot, value)
        case SlotSet(slot=slot, value=value, old=str(old)) if old != value:
            return "changed", f"{words.fact(slot, value)} {words('instead', old=old)}"
        case ItemLearned(item=item) if item.rule == CHOSEN:
            return "chosen", item.value
        case ItemLearned(item=item) if not _told_by_another(item, turn, items):
            return _kept(item, turn, words)
        case ItemConfirmed(id=id) if (held := find(turn.state, id)) is not None:
            return "confirmed", sentence(words, held[1])
        case ItemRestored(item=item):
            return "restored", sentence(words, item)
        case CorrectionHeard(new=new):
            return "corrected", new
        case ItemRetracted(label=label):
            return "dropped", str(label.fields.get("value", label)) if isinstance(label, telling.Said) else label
        case Cleared(what=what) if "slots" in turn.state and what in turn.state.slots.past:
            return "dropped", words.name(what)
    return "", ""


def _told_by_its_choice(item: Memo, items: list[Memo]) -> bool:
    """Whether a decision names a value that is kept beside it."""
    values = [fold(other.value) for other in items if other.kind != "decision"]
    return any(value in fold(item.label) for value in values)


def _told_by_another(item: Memo, turn: Turn, items: list[Memo]) -> bool:
    """What was decided is told by the value that it chose, and what is kept in two scopes or views once."""
    if item.kind == "decision":
        return _told_by_its_choice(item, items)
    slots = (event.value for event in turn.events if isinstance(event, SlotSet))
    again = not item.replaces and item.slot in {other.slot for other in items if other.replaces}
    return again or fold(item.value) in map(fold, slots)


def _kept(item: Memo, turn: Turn, words: Words) -> tuple[str, str]:
    told = item.value if is_renewed(item, turn.text) else sentence(words, item)
    if old := replaced(turn, item):
        short = len(old.split()) <= PHRASE // 2
        return "changed", f"{told} {words('instead', old=old) if short else words('before', old=quoted(old))}"
    if not item.current:
        return "past", words("in_quotes", text=quoted(turn.text))
    return "quoted" if told.startswith(words("quote")) else "noted", told


def replaced(turn: Turn, item: Memo) -> str:
    """The value that a fact took the place of."""
    closed = (memo for _, memory in slices(turn.state) for memo in memory.closed)
    return next((memo.value for memo in closed if memo.id in item.replaces), "")


def _missing(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What is looked for needs a place; with the place known, it needs more than we have."""
    read, wishes = chat.pack.reader.read(turn.text), {cue.means for cue in reading.all("wish")}
    if not wishes or _asks(reading) or weighed(read) or read.has("list_head"):
        return ""  # "what did we book again?" and "I need to rest" wish for nothing
    if "find" in wishes and "slots" in turn.state and not _is_placed(turn, chat, words):
        return words("where")
    return _beyond(turn, chat, words)


def _is_placed(turn: Turn, chat: Session, words: Words) -> bool:
    """Whether it is known where to look, or was just asked: "coffee in Moscow" says where."""
    placed = chat.pack.reader.read(turn.text).find(places)
    known = any(slot in ("home", "location") for slot, _ in known_things(turn))
    return bool(placed) or known or words("where") in turn.state.conversation.last("assistant")


def _wished(turn: Turn) -> str:
    """The wish that led to the question which this message answers."""
    recent = turn.state.conversation.recent
    earlier = [message.text for message in recent if message.role == "user" and message.version < turn.version]
    wishes = [text for text in earlier[-2:] if reader().read(text).has("wish")]
    return quoted(wishes[-1]) if wishes else ""


def _asks(reading: Reading) -> bool:
    return reading.text.rstrip().endswith("?")
