"""Fits the scorer of the service desk: what a clause is to the open question.

    python -m training.desk          fit
    python -m training.desk test     what it understands of the writers kept out

It learns from the conversations of the training writers (those at a repair desk count more), from what technicians type
at an open question (`corpus/desk.toml`; at one step each: `corpus/desk_heard.toml`), from what they want with a message
(`corpus/desk_wishes.toml`), and from the desk's own test rows, which are one writer's.
"""

from __future__ import annotations

import random
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from holdfast.faculties.desk import answering
from holdfast.faculties.desk.answering import Asked, answers
from holdfast.faculties.desk.library import Step
from holdfast.faculties.desk.signals import parts
from holdfast.packs.rv_service_desk import PACK
from holdfast.reading.model.scorer import RAISED, Scorer, Trained, load, save
from training import corpus
from training import examples as ex
from training.fit import STRENGTH, fit

HOME = Path(__file__).parent.parent
MODEL = HOME / "src/holdfast/faculties/desk/answers.bin"
ROWS = HOME / "corpus/desk.toml"
WISHES = HOME / "corpus/desk_wishes.toml"
HEARD = HOME / "corpus/desk_heard.toml"
OWN = HOME / "tests/desk"
STRENGTH["desk"] = 0.15
SLIGHT = 6
"""Weight of a feature that is kept although no tested row has it."""
WEIGHT = {"made": 4.0, "said": 5.0, "own": 6.0, "chat": 0.3, "at": 4.0}
"""How much a wish weighs, by where it comes from, a row of the desk's tests, and talk from elsewhere. What weighs more
than what was made must be decided as it is marked."""
REPAIR_DESK = 12.0
"""How much a clause of a conversation at a repair desk weighs."""
READ = ("act=", "keep=")
"""What the reading takes a clause for. It learned from the conversations too, and is surer of them than of any other:
there the desk learns without it."""
OTHER_TALK = 4
"""Of the conversations elsewhere, every so many-th row is learned from."""
QUESTIONS = 3
"""Open questions at which each row of `corpus/desk.toml` is put."""
COMBINED = 3
"""How often each thing around the bench, and each part, is said to be in some state."""
FOUND = 8
"""How many things are found at the part of each question."""
CHAT = 0.5
"""Share of the other conversations whose clauses are put at a question of the desk."""
BESIDE = 200
"""Answers that stand beside a remark, and keys that were hit, in each language."""
GIBBERISH = 150
PUT_OFTEN = {"made": 2, "said": 5}
"""At how many questions a wish is put, by where it comes from."""
UNASKED = 0.7
"""Share of the rows that are also put where nothing was asked."""
UNANSWERED = {"reading": ("kind",), "kind": ("reading", "state"), "state": ("kind",), "code": ("reading",)}
"""Questions that are not answered by what answers others: there it is a finding."""
WORDS = ("states", "things", "qualities", "pointing", "litter")
GIVES = frozenset({"answers", "chooses", "confirms", "denies"})
TELLS = frozenset({"reading", "state", "code", "repair", "cause"})
DOES = {"unable": "unable", "postpones": "later"}
NAMES = {"unable": "unable", "later": "later", "aside": "aside", "other": "note"}
KEPT_OUT = 10
"""Of the steps of `corpus/desk_heard.toml`, every so many-th is not learned from: those say what it is worth."""
MAY_BE = {
    "ask": tuple(sorted(answering.QUESTIONS)),
    "other": ("aside", "later", "unable", *sorted(answering.QUESTIONS)),
    "complaint": ("note",),
    "beside": ("aside", "note", "later"),
}
"""What a clause can be of what a writer marked more broadly; "beside": one that stands beside what he marked."""
TURNS = (("left_open", "aside"), ("found_beside", "note"), ("answered", "answer"), ("unable", "unable"))
"""Groups of `desk_turns.toml`, each of a step and a text, and what the text does."""
INTENTS = {
    "UNCLEAR": "aside",
    "MAIN_DIAGNOSTIC": "answer",
    "UNABLE_TO_VERIFY": "unable",
    "LOCATE": "locate",
    "EXPLAIN": "explain",
    "HOWTO": "howto",
    "STEP_HELP": "question",
    "FLOW_QUESTION": "flow",
    "ALREADY_ANSWERED": "already",
    "DISPUTE_OR_NEW_EVIDENCE": "finding",
    "technician_dispute": "dispute",
    "CORRECTION": "corrects",
    "APPEARANCE_RECOGNITION": "appearance",
    "CONFIRM_STEP_TARGET": "target",
    "GENERIC_STEP_SUPPORT": "question",
}
"""What a text of a test row does, by the intent that it must be read as; of several, the first."""
ROUNDS_TO_SETTLE, CLEAR = 60, 16
"""How often rows that must hold are gone through after the fit, and how far each must lead then."""
ANSWERED_BY_STATE = {"state": "answer", "reading": "note"}
"""What the state of a part is to a question about that part."""
ISSUED = (
    *(("ac_3", "caked with dog hair"), ("wh_10", "birds nest in it"), ("wh_3", "la estufa sí")),
    *(("wh_1", "газовый Suburban"),),
)
"""Answers that the desk must know by its orders, and their steps."""
OWN_STEPS = ("wp_1", "ac_2", "ac_5", "wh_2")

_READER = PACK.reader
_LIBRARY = PACK.faculty("procedure").desk.library  # type: ignore[attr-defined]
_STOP = _READER.phrases("stop", "words")


class Said(NamedTuple):
    """What was said at an open question, and what it is to it."""

    text: str
    language: str
    step: Step | None
    does: str


def label(clause: corpus.Clause) -> str:
    """What a marked clause of a conversation is to the question before it."""
    heads = {claim.attribute.partition("/")[0] for claim in clause.claims}
    if clause.act in GIVES or (clause.act == "corrects" and heads & TELLS):
        return "answer"
    if clause.act in ("states", "reports", "doubts") and heads & TELLS:
        return "finding"
    return DOES.get(clause.act, "aside")


def asked(text: str, desk: bool) -> Asked:
    """A question of a conversation: what it asks for is told by its words."""
    if not desk:
        return answering.loose(text, _STOP)
    said = _READER.read(text)
    quantity = said.first("quantity")
    unit = answering.UNITS.get(quantity.means) if quantity is not None else None
    codes = any(cue.means == "error_code" for cue in said.all("topic"))
    kind = "reading" if quantity is not None else "code" if codes else "state"
    return answering.asked_for(text, said, kind, unit, _STOP)


def conversations(split: str) -> Iterator[tuple[corpus.Row, list[tuple[list[str], str]]]]:
    """The clauses of each row as examples."""
    for number, row in enumerate(corpus.rows(split)):
        if number % OTHER_TALK and not row.scene.startswith("g"):
            continue
        before = asked(row.asked, row.scene.startswith("g")) if row.asked else Asked("any")
        cut = ex.cut(row)
        spans = [(clause, span) for clause, span in zip(row.clauses, cut.spans, strict=True) if span[1] > span[0]]
        made = []
        for clause, span in spans:
            if clause.act == "asks":
                continue  # what is asked for is told by the rows of wishes alone
            said = _READER.read(row.text[clause.start : clause.end])
            made.append((answering.features(said, cut.tokens[slice(*span)], before), label(clause)))
        yield row, made


def _steps(kind: str) -> list[Step]:
    every = [step for procedure in _LIBRARY.procedures.values() for step in procedure.step]
    return [step for step in every if answering.KIND[step.answer] == kind]


def rows() -> Iterator[Said]:
    """The rows of `corpus/desk.toml`, each at a few questions that it belongs to."""
    rng = random.Random(7)
    every = [step for kind in answering.KINDS for step in _steps(kind)]
    for language, groups in tomllib.loads(ROWS.read_text(encoding="utf-8")).items():
        names = {part.id: part.names.in_(language).split(", ") for part in _LIBRARY.parts}
        for group in (*answering.KINDS, *NAMES):
            for text in groups[group]:
                does = NAMES.get(group, "answer")
                for step in _put_at(rng, group, text, language):
                    own = [name for id in sorted(_parts(step, language)) for name in names[id]]
                    yield Said(text.format(part=rng.choice(own) if own else ""), language, step, does)
                if "{part}" not in text:
                    others = [rng.choice(_steps(kind)) for kind in UNANSWERED.get(group, ())]
                    for other in (*others, None) if rng.random() < UNASKED else others:
                        beside = "finding" if other is None else "note"
                        yield Said(text, language, other, beside if does == "answer" else does)
        words = {group: [word.replace("-", " ") for word in groups[group].split()] for group in WORDS}
        kinds = {word for row in groups["kind"] for word in row.split()}
        for word in words["states"]:
            reads = [] if word in kinds else [rng.choice(_steps("reading"))]
            yield from (Said(word, language, step, "answer") for step in (*rng.sample(_steps("state"), 2), *reads))
        for _ in range(BESIDE):
            kind = rng.choice(("state", "state", "reading"))
            text = rng.choice(groups["joined"]).format(
                aside=rng.choice(groups["aside"]), state=rng.choice(groups[kind])
            )
            if "{" not in text:
                yield Said(text, language, rng.choice(_steps(kind)), "answer")
        yield from _said_of(rng, language, names, words, groups["said_of"])
        yield from _found_at(rng, language, names, words, groups["found_at"])
        yield from _needed(rng, language, names, groups["needed"])
        yield from (Said(_gibberish(rng, language), language, rng.choice(every), "aside") for _ in range(GIBBERISH))


def at_steps(kept_out: bool) -> Iterator[Said]:
    """The rows of `corpus/desk_heard.toml`: those of the steps that are kept out, or of all others."""
    for language, steps in tomllib.loads(HEARD.read_text(encoding="utf-8")).items():
        for number, (id, groups) in enumerate(steps.items()):
            if (number % KEPT_OUT == KEPT_OUT - 1) == kept_out:
                yield from (Said(text, language, _LIBRARY.step(id), does) for does in groups for text in groups[does])


def wishes(origin: str) -> Iterator[Said]:
    """The rows of `corpus/desk_wishes.toml` of one origin, each at some questions and where nothing was asked."""
    rng = random.Random(13)
    every = [step for kind in answering.KINDS for step in _steps(kind)]
    typed = [step for step in every if answering.KIND[step.answer] != "kind"]
    for language, groups in tomllib.loads(WISHES.read_text(encoding="utf-8"))[origin].items():
        for does, texts in groups.items():
            for text in texts:  # "it's fine" answers whatever asks for no kind
                steps = typed if does == "answer" else rng.sample(every, PUT_OFTEN[origin])
                yield from (Said(text, language, step, does) for step in steps)
                yield Said(text, language, None, "finding" if does == "answer" else does)


def _put_at(rng: random.Random, group: str, text: str, language: str) -> list[Step]:
    """The questions at which a row of a group is put: some of its kind, or, for what answers none, some of each. What
    names a part answers the questions about that part, and is a finding beside the others."""
    named = {part.id for part in _READER.read(text).find(parts)}
    if group in answering.KINDS:
        steps = _steps(group)
        own = [step for step in steps if named & _parts(step, language)]
        also = [rng.choice(_steps("state"))] if group == "reading" else []
        return rng.sample(own or steps, min(QUESTIONS, len(own or steps))) + also
    found = []
    for kind, count in (("state", 2), ("reading", 2), ("kind", 1)):
        steps = [step for step in _steps(kind) if group != "other" or not named & _parts(step, language)]
        if "{part}" in text:
            steps = [step for step in steps if _parts(step, language)]
        found += rng.sample(steps, min(count, len(steps)))
    return found


def _parts(step: Step, language: str) -> frozenset[str]:
    return answering.asked_at(step, language, _READER, _LIBRARY).parts


def _said_of(
    rng: random.Random, language: str, names: dict[str, list[str]], words: dict[str, list[str]], forms: list[str]
) -> Iterator[Said]:
    """A state of something: of a thing that is no part of the machine, which answers nothing; of the part that is asked
    about, which answers; of another part, which is a finding beside the question. What a part is like answers nothing.
    """
    every = [step for kind in ("state", "reading") for step in _steps(kind) if _parts(step, language)]
    anywhere = _READER.phrases("parts", "anywhere")

    def said(thing: str, states: str, step: Step, does: str) -> Said:
        return Said(rng.choice(forms).format(thing=thing, state=rng.choice(words[states])), language, step, does)

    for thing in words["things"]:
        yield Said(thing, language, rng.choice(every), "aside")
        yield from (said(thing, "states", rng.choice(every), "aside") for _ in range(COMBINED))
    for step in every:
        asked = _parts(step, language)
        own = [name for id in sorted(asked) for name in names[id]]
        own += [rng.choice(words["pointing"]) for _ in own]
        others = [name for id, known in names.items() if id not in asked | anywhere for name in known]
        for _ in range(COMBINED):
            yield said(rng.choice(others), "states", step, "note")
            yield said(rng.choice(own), "qualities", step, "aside")
            yield said(rng.choice(own), "states", step, ANSWERED_BY_STATE[answering.KIND[step.answer]])


def _found_at(
    rng: random.Random, language: str, names: dict[str, list[str]], words: dict[str, list[str]], forms: list[str]
) -> Iterator[Said]:
    """What lies in, on or behind the part that is asked about, what it looks like, and how its sides differ: how that
    part is, in other words than those for states. The same of a thing that is no part of the machine answers nothing.
    """
    placed = [form for form in forms if "{part}" in form]
    for step in _steps("state"):
        own = [name for id in sorted(_parts(step, language)) for name in names[id]] + words["pointing"]
        for form in rng.sample(forms, min(FOUND, len(forms))):
            state, litter = rng.choice(words["states"]), rng.choice(words["litter"])
            yield Said(form.format(part=rng.choice(own), litter=litter, state=state), language, step, "answer")
            thing, around = rng.choice(words["things"]), rng.choice(words["litter"] + words["things"])
            yield Said(rng.choice(placed).format(part=thing, litter=around, state=state), language, step, "aside")


def _needed(rng: random.Random, language: str, names: dict[str, list[str]], forms: list[str]) -> Iterator[Said]:
    """What is to be fitted anew: that says nothing of how the part that is asked about is, whichever part it is."""
    for step in (*_steps("state"), *_steps("reading")):
        own = [name for id in sorted(_parts(step, language)) for name in names[id]]
        for part in [*rng.sample(own, min(2, len(own))), rng.choice(rng.choice(list(names.values())))]:
            yield Said(rng.choice(forms).format(part=part), language, step, "aside")


def _gibberish(rng: random.Random, language: str) -> str:
    """Keys that were hit, and nothing said."""
    keys = "йцукенгшщзфывапролдячсмить" if language == "ru" else "qwertyuiopasdfghjklzxcvbnm"
    return " ".join("".join(rng.choices(keys, k=rng.randint(3, 7))) for _ in range(rng.choice((1, 1, 2, 3))))


def chat() -> Iterator[Said]:
    """What people say in other conversations than those at a desk, put at a question of the desk: it answers none."""
    rng = random.Random(11)
    every = [step for kind in ("state", "reading") for step in _steps(kind)]
    for row in corpus.rows("train"):
        if row.scene.startswith("g") or rng.random() > CHAT:
            continue
        for clause in row.clauses:
            text = row.text[clause.start : clause.end]
            if clause.act not in GIVES | {"asks"} and " " in text.strip():
                yield Said(text, row.language, rng.choice(every), "aside")


def own() -> Iterator[Said]:
    """The test rows of the desk."""
    yield from _turns(_table("desk/desk_turns.toml"))
    remarks = _table("desk/desk_remarks.toml")
    for language in remarks:
        yield from (_said(text, None, "aside") for text in remarks[language]["remarks"])
        for step in OWN_STEPS:
            yield from (_said(text, step, "aside") for text in remarks[language]["remarks"])
            yield from (_said(text, step, "answer") for text in remarks[language]["answers"])
    yield from (_said(text, step, "answer") for step, text in ISSUED)
    yield from _paraphrases(_table("desk/desk_paraphrases.toml"))
    for text, intent, stays in _table("packs/fresh_paraphrases.toml")["desk"]:
        found = intent == "DISPUTE_OR_NEW_EVIDENCE" and not stays
        yield _said(text, "wp_1", "answer" if found else INTENTS[intent])


def _table(path: str) -> dict[str, Any]:
    return tomllib.loads((OWN.parent / path).read_text(encoding="utf-8"))


def _said(text: str, step: str | None, does: str) -> Said:
    return Said(text, _language(text), _LIBRARY.step(step), does)


def _turns(turns: dict[str, Any]) -> Iterator[Said]:
    for group, does in TURNS:
        yield from (_said(text, step, does) for step, text, *_ in turns[group])
    for step, text, intent in turns["intents"]:
        does = "dispute" if intent.startswith("DISPUTE") else INTENTS[intent.partition("/")[0]]
        yield _said(text, step, does)
    yield from (_said(text, _after(step), "corrects") for step, _, text, _ in turns["corrected"])
    for text, taken_back in turns["disputed"]:
        yield _said(text, None, "dispute" if taken_back == "true" else "aside")


def _paraphrases(rows: dict[str, Any]) -> Iterator[Said]:
    for group, step in (("signals", "wp_1"), ("questions", "wp_1"), ("help", "wh_5")):
        yield from (_said(text, step, INTENTS[intent]) for text, intent in rows[group] if intent in INTENTS)
    yield from (_said(text, None, INTENTS.get(kind, "finding")) for text, kind in rows["evidence_after_isolation"])
    for group, steps in (("no_evidence", (None,)), ("faults", (None, "wh_4"))):
        yield from (_said(text, step, "finding") for text in rows[group] for step in steps)
    yield from (_said(text, step, "works") for text in rows["restored"] for step in (None, "wh_4"))
    yield from (_said(text, None, "finding") for text, _ in rows["systems"])
    yield from (_said(text, "wp_3", "corrects") for text, _ in rows["corrections"])
    yield from (_said(text, "wp_3", "corrects") for text in rows["withdrawn"])
    yield from (_said(text, "wh_1", "answer") for text, _ in rows["unit_type"][:-1])  # the last one knows no answer


def _after(step: str) -> str:
    """The step that is asked after one."""
    procedure = next(known for known in _LIBRARY.procedures.values() if step in known.steps)
    ids = [known.id for known in procedure.step if known.branch is None]
    return str(ids[ids.index(step) + 1])


def _language(text: str) -> str:
    return _READER.read(text).language or "en"


def heard(said: Said) -> list[tuple[list[str], str]]:
    """The clauses of a row as examples; which of several does what the row does is not told ("?")."""
    before = Asked("any") if said.step is None else answering.asked_at(said.step, said.language, _READER, _LIBRARY)
    made = [features for _, features, _ in answering.clauses_of(_READER.read(said.text), before)]
    sure = said.does not in MAY_BE and "+" not in said.does and (len(made) == 1 or said.does == "aside")
    return [(features, said.does if sure else f"?{said.does}") for features in made]


def unread(features: list[str]) -> list[str]:
    """A clause without what the reading takes it for."""
    return [one for one in features if not one.rpartition("|")[2].startswith(READ)]


def taught(messages: list[list[tuple[list[str], str]]], base: list[ex.Example]) -> list[ex.Example]:
    """The examples of all rows. Where one of several clauses does what the row does, a first fit says which."""
    clear = [ex.Example(*clause) for message in messages for clause in message if clause[1][0] != "?"]
    scorer = fitted([*base, *clear])
    for message in messages:
        if message and message[0][1][0] == "?":
            clear += _told_apart([features for features, _ in message], message[0][1][1:], scorer)
    return [*base, *clear]


def _told_apart(clauses: list[list[str]], marked: str, scorer: Scorer) -> Iterator[ex.Example]:
    """The clauses of a message of which one does what is marked ("answer+ask": one each). What stands beside an answer
    or a repair may be anything; what stands beside something else answers nothing."""
    rest = [(features, dict(zip(scorer.classes, scorer.scores(features), strict=True))) for features in clauses]
    for does in marked.split("+"):
        choices = [(features, scores, one) for features, scores in rest for one in MAY_BE.get(does, (does,))]
        if choices:
            best, _, is_a = max(choices, key=lambda choice: choice[1].get(choice[2], 0))
            yield ex.Example(best, is_a)
            rest = [clause for clause in rest if clause[0] is not best]
    if not marked.startswith(("answer", *answering.SOLVES)):
        for features, scores in rest:
            yield ex.Example(features, max(MAY_BE["beside"], key=lambda one: scores.get(one, 0)))


def fitted(examples: list[ex.Example]) -> Scorer:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "desk.bin"
        save(path, [fit("desk", examples, rounds=25)])
        return load(path)["desk"]


def light(trained: Trained, known: set[str]) -> Trained:
    """The scorer without what weighs little, unless a tested row has it: a quarter of the file decides as the whole."""
    rows = {f: row for f, row in trained.rows.items() if f in known or max(abs(w - RAISED) for w in row) >= SLIGHT}
    return trained._replace(rows=rows)


def settled(trained: Trained, examples: list[ex.Example]) -> Trained:
    """The scorer with the weights of word pairs moved a little, until it decides each row as it is marked."""
    pairs = {f for one in examples for f in one.features if f.startswith(("2=", "3=", "mm="))}
    place = {feature: at for at, feature in enumerate(dict.fromkeys((*trained.rows, *sorted(pairs))))}
    weights = np.full((len(place), len(trained.classes)), RAISED, dtype=np.int32)
    for feature, row in trained.rows.items():
        weights[place[feature]] = list(row)
    bias, moved = np.array(trained.bias), np.array([feature in pairs for feature in place])
    known = [np.array([place[f] for f in one.features if f in place], dtype=np.int32) for one in examples]
    labels = [trained.classes.index(one.label) for one in examples]
    for turn in range(ROUNDS_TO_SETTLE):
        wrong = 0
        for at in range(len(examples))[:: -1 if turn % 2 else 1]:  # what settles late is not always the same
            scores = bias + (weights[known[at]] - RAISED).sum(axis=0)
            own, right = labels[at], scores[labels[at]]
            scores[own] = scores.min() - 1
            rival = int(scores.argmax())
            if right - scores[rival] >= CLEAR:
                continue
            wrong += 1
            rows = known[at][moved[known[at]]]
            weights[rows, own] = np.minimum(weights[rows, own] + 2, 255)
            weights[rows, rival] = np.maximum(weights[rows, rival] - 2, 0)
        if not wrong:
            break
    kept = {f: bytes(row.tolist()) for f, row in zip(place, weights, strict=True)}
    return trained._replace(rows={f: row for f, row in kept.items() if f in trained.rows or set(row) != {RAISED}})


def evaluate(split: str) -> None:
    """What the desk takes for an answer in the conversations at a repair desk of writers kept out, and at the steps
    kept out, by language."""
    right: Counter[tuple[str, str, str]] = Counter()
    of: Counter[tuple[str, str, str]] = Counter()
    for name, language, text, before, answered in (*_conversed(split), *_kept_out()):
        key = (name, language, "answers" if answered else "others")
        of[key] += 1
        right[key] += bool(answers(_READER.read(text), before).given) == answered
    for name, language, group in sorted(of):
        key = (name, language, group)
        print(f"{name:5} {language:3} {group:8} {right[key] / of[key]:7.1%}  of {of[key]:,}")


def _conversed(split: str) -> Iterator[tuple[str, str, str, Asked, bool]]:
    for row in corpus.rows(split):
        if row.scene.startswith("g") and row.asked:
            marked = {label(clause) for clause in row.clauses}
            if "answer" in marked or "finding" not in marked:  # else whether it answers is not told
                yield split, row.language, row.text, asked(row.asked, True), "answer" in marked


def _kept_out() -> Iterator[tuple[str, str, str, Asked, bool]]:
    for said in at_steps(kept_out=True):
        assert said.step is not None
        before = answering.asked_at(said.step, said.language, _READER, _LIBRARY)
        yield "steps", said.language, said.text, before, said.does.startswith("answer")


def main() -> None:
    base = []
    for row, made in conversations("train"):
        weight = REPAIR_DESK if row.scene.startswith("g") else 1.0
        base += [ex.Example(*clause, weight) for clause in made]
    said = {"rows": rows(), "made": wishes("made"), "said": wishes("said"), "chat": chat(), "own": own()}
    said["at"] = at_steps(kept_out=False)
    groups = {name: [heard(one) for one in group] for name, group in said.items()}
    groups["chat"] = [[(unread(features), does) for features, does in message] for message in groups["chat"]]
    weights = {id(features): WEIGHT[name] for name in WEIGHT for message in groups[name] for features, _ in message}
    found = taught([message for messages in groups.values() for message in messages], base)
    examples = [one._replace(weight=weights.get(id(one.features), one.weight)) for one in found]
    known = {feature for message in groups["own"] for features, _ in message for feature in features}
    trained = light(fit("desk", examples, rounds=50, slight=2), known)
    must = [one for one in examples if weights.get(id(one.features), 0) > WEIGHT["made"]]
    save(MODEL, [settled(trained, must)])
    print(f"{len(examples):,} examples, {MODEL.name}: {MODEL.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    evaluate(sys.argv[1]) if len(sys.argv) > 1 else main()
