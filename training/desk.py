"""Fits the scorer of the service desk: what a clause is to the open question.

    python -m training.desk          fit
    python -m training.desk test     what it understands of the writers kept out

It learns from the conversations of the training writers (those at a repair desk count more), from what technicians type
at an open question (`corpus/desk.toml`), and from the desk's own test rows, which are one writer's.
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

from holdfast.faculties.desk import hearing
from holdfast.faculties.desk.answers import answers
from holdfast.faculties.desk.hearing import Asked
from holdfast.faculties.desk.library import Step
from holdfast.faculties.desk.signals import parts
from holdfast.packs.rv_service_desk import PACK
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.scorer import RAISED, Scorer, Trained, load, save
from holdfast.reading.model.tokens import tokens
from training import corpus
from training import examples as ex
from training.fit import STRENGTH, fit

HOME = Path(__file__).parent.parent
MODEL = HOME / "src/holdfast/faculties/desk/answers.bin"
ROWS = HOME / "corpus/desk.toml"
OWN = HOME / "tests/desk"
STRENGTH["desk"] = 2.0
SLIGHT = 6
"""Weight of a feature that is kept although no tested row has it."""
TESTED = 15.0
"""How much a row of the desk's tests weighs."""
REPAIR_DESK = 4
"""How often a clause of a conversation at a repair desk counts."""
OTHER_TALK = 4
"""Of the conversations elsewhere, every so many-th row is learned from."""
QUESTIONS = 3
"""Open questions at which each row of `corpus/desk.toml` is put."""
COMBINED = 3
"""How often each thing around the bench, and each part, is said to be in some state."""
CHAT = 0.5
"""Share of the other conversations whose clauses are put at a question of the desk."""
BESIDE = 200
"""Answers that stand beside a remark, and keys that were hit, in each language."""
GIBBERISH = 150
WORDS = ("states", "things", "qualities")
GIVES = frozenset({"answers", "chooses", "confirms", "denies"})
TELLS = frozenset({"reading", "state", "code", "repair", "cause"})
DOES = {"unable": "unable", "postpones": "later", "asks": "asks"}
NAMES = {"unable": "unable", "later": "later", "aside": "aside", "asks": "asks", "other": "finding"}
OWN_GROUPS = (("left_open", "aside"), ("answered", "answer"), ("unable", "unable"))
OWN_INTENTS = {"UNCLEAR": "aside", "MAIN_DIAGNOSTIC": "answer", "UNABLE_TO_VERIFY": "unable"}
OWN_STEPS = ("wp_1", "ac_2", "ac_5", "wh_2")

_READER = PACK.reader
_LIBRARY = PACK.faculty("procedure").desk.library  # type: ignore[attr-defined]
_STOP = _READER.phrases("stop", "words")


class Said(NamedTuple):
    """What was said at an open question, and what it is to it."""

    text: str
    language: str
    step: Step
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
    return hearing.asked_in_words(_READER.read(text), text, _STOP) if desk else hearing.loose(text, _STOP)


def conversations(split: str) -> Iterator[tuple[corpus.Row, list[tuple[list[str], str]]]]:
    """The clauses of each row as examples."""
    for number, row in enumerate(corpus.rows(split)):
        if number % OTHER_TALK and not row.scene.startswith("g"):
            continue
        before = asked(row.asked, row.scene.startswith("g")) if row.asked else Asked("any")
        cut = ex.cut(row)
        spans = [(clause, span) for clause, span in zip(row.clauses, cut.spans, strict=True) if span[1] > span[0]]
        made = []
        for place, (clause, span) in enumerate(spans):
            said = _READER.read(row.text[clause.start : clause.end])
            made.append((hearing.features(said, cut.tokens, span, place, len(spans), before), label(clause)))
        yield row, made


def _steps(kind: str) -> list[Step]:
    every = [step for procedure in _LIBRARY.procedures.values() for step in procedure.step]
    return [step for step in every if hearing.KIND[step.answer] == kind]


def rows() -> Iterator[Said]:
    """The rows of `corpus/desk.toml`, each at a few questions that it belongs to."""
    rng = random.Random(7)
    every = [step for kind in hearing.KINDS for step in _steps(kind)]
    for language, groups in tomllib.loads(ROWS.read_text(encoding="utf-8")).items():
        names = {part.id: part.names.in_(language).split(", ") for part in _LIBRARY.parts}
        for group in (*hearing.KINDS, *NAMES):
            for text in groups[group]:
                does = NAMES.get(group, "answer")
                for step in _put_at(rng, group, text, language):
                    own = [name for id in sorted(_parts(step, language)) for name in names[id]]
                    yield Said(text.format(part=rng.choice(own) if own else ""), language, step, does)
        words = {group: [word.replace("-", " ") for word in groups[group].split()] for group in WORDS}
        for word in words["states"]:
            at = (*rng.sample(_steps("state"), 2), rng.choice(_steps("reading")))
            yield from (Said(word, language, step, "answer") for step in at)
        for _ in range(BESIDE):
            text = rng.choice(groups["joined"]).format(
                aside=rng.choice(groups["aside"]), state=rng.choice(groups["state"])
            )
            if "{" not in text:
                yield Said(text, language, rng.choice(_steps("state")), "answer")
        yield from _said_of(rng, language, names, words, groups["said_of"])
        yield from (Said(_gibberish(rng, language), language, rng.choice(every), "aside") for _ in range(GIBBERISH))


def _put_at(rng: random.Random, group: str, text: str, language: str) -> list[Step]:
    """The questions at which a row of a group is put: some of its kind, or, for what answers none, some of each. What
    names a part answers the questions about that part, and is a finding beside the others."""
    named = {part.id for part in _READER.read(text).find(parts)}
    if group in hearing.KINDS:
        steps = _steps(group)
        own = [step for step in steps if named & _parts(step, language)]
        return rng.sample(own or steps, min(QUESTIONS, len(own or steps)))
    found = []
    for kind, count in (("state", 2), ("reading", 2), ("kind", 1)):
        steps = [step for step in _steps(kind) if group != "other" or not named & _parts(step, language)]
        if "{part}" in text:
            steps = [step for step in steps if _parts(step, language)]
        found += rng.sample(steps, min(count, len(steps)))
    return found


def _parts(step: Step, language: str) -> frozenset[str]:
    return hearing.asked_at(step, language, _READER, _LIBRARY).parts


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
        others = [name for id, known in names.items() if id not in asked | anywhere for name in known]
        for _ in range(COMBINED):
            yield said(rng.choice(others), "states", step, "finding")
            yield said(rng.choice(own), "qualities", step, "aside")
            if hearing.KIND[step.answer] == "state":
                yield said(rng.choice(own), "states", step, "answer")


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
            if clause.act not in GIVES and " " in text.strip():
                yield Said(text, row.language, rng.choice(every), "aside")


def own() -> Iterator[Said]:
    """The test rows of the desk."""

    def table(name: str) -> dict[str, Any]:
        return tomllib.loads((OWN / name).read_text(encoding="utf-8"))

    def said(text: str, step: str, does: str) -> Said:
        return Said(text, _language(text), _LIBRARY.step(step), does)

    turns: dict[str, Any] = table("desk_turns.toml")
    for group, does in OWN_GROUPS:
        yield from (said(text, step, does) for step, text, *_ in turns[group])
    remarks: dict[str, Any] = table("desk_remarks.toml")
    for language in remarks:
        for step in OWN_STEPS:
            yield from (said(text, step, "aside") for text in remarks[language]["remarks"])
            yield from (said(text, step, "answer") for text in remarks[language]["answers"])
    signals: dict[str, Any] = table("desk_paraphrases.toml")
    yield from (said(text, "wp_1", OWN_INTENTS[intent]) for text, intent in signals["signals"] if intent in OWN_INTENTS)
    fresh: dict[str, Any] = tomllib.loads((OWN.parent / "packs/fresh_paraphrases.toml").read_text(encoding="utf-8"))
    for text, intent, _ in fresh["desk"]:
        if intent in OWN_INTENTS:
            yield said(text, "wp_1", OWN_INTENTS[intent])


def wishes() -> Iterator[Said]:
    """The questions and wishes among the test rows; other rules read most of them, so they are no examples."""
    turns: dict[str, Any] = tomllib.loads((OWN / "desk_turns.toml").read_text(encoding="utf-8"))
    yield from (Said(text, _language(text), _LIBRARY.step(step), "asks") for step, text, *_ in turns["intents"])


def _language(text: str) -> str:
    return _READER.read(text).language or "en"


def heard(said: Said) -> list[tuple[list[str], str]]:
    """The clauses of a row as examples; which of several is the answer is not told ("?")."""
    question = said.step.in_(said.language)
    before = hearing.asked_at(said.step, said.language, _READER, _LIBRARY)
    found = tokens(said.text)
    spans = [(clause.start, clause.end) for clause in understand(said.text, question)]
    made = []
    for place, (start, end) in enumerate(spans):
        inside = [at for at, token in enumerate(found) if start <= token.start < end]
        reading = _READER.read(said.text[start:end])
        features = hearing.features(reading, found, (inside[0], inside[-1] + 1), place, len(spans), before)
        made.append((features, said.does if said.does != "answer" or len(spans) == 1 else "?"))
    return made


def taught(messages: list[list[tuple[list[str], str]]], base: list[ex.Example]) -> list[ex.Example]:
    """The examples of all rows. Where a row answers in one of several clauses, a first fit says in which."""
    clear = [ex.Example(*clause) for message in messages for clause in message if clause[1] != "?"]
    scorer = fitted([*base, *clear])
    for message in messages:
        open_ = [features for features, does in message if does == "?"]
        if open_:
            answer = scorer.classes.index("answer")
            best = max(open_, key=lambda features: scorer.scores(features)[answer])
            clear.append(ex.Example(best, "answer"))
    return [*base, *clear]


def fitted(examples: list[ex.Example]) -> Scorer:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "desk.bin"
        save(path, [fit("desk", examples)])
        return load(path)["desk"]


def light(trained: Trained, known: set[str]) -> Trained:
    """The scorer without what weighs little, unless a tested row has it: a quarter of the file decides as the whole."""
    rows = {f: row for f, row in trained.rows.items() if f in known or max(abs(w - RAISED) for w in row) >= SLIGHT}
    return trained._replace(rows=rows)


def evaluate(split: str) -> None:
    """What the desk takes for an answer in the conversations at a repair desk of writers kept out, by language."""
    right: Counter[tuple[str, str]] = Counter()
    of: Counter[tuple[str, str]] = Counter()
    for row in corpus.rows(split):
        if not row.scene.startswith("g") or not row.asked:
            continue
        marked = {label(clause) for clause in row.clauses}
        if "answer" not in marked and "finding" in marked:
            continue  # whether it answers is not told
        told = answers(_READER.read(row.text), asked(row.asked, True))
        group = "answers" if "answer" in marked else "others"
        of[row.language, group] += 1
        right[row.language, group] += bool(told.given) == (group == "answers")
    for language, group in sorted(of):
        share = right[language, group] / of[language, group]
        print(f"{split:5} {language:3} {group:8} {share:7.1%}  of {of[language, group]:,}")


def main() -> None:
    base = []
    for row, made in conversations("train"):
        weight = REPAIR_DESK if row.scene.startswith("g") else 1
        base += [ex.Example(*clause) for clause in made for _ in range(weight)]
    messages = [heard(said) for said in (*rows(), *chat())]
    tested = [heard(said) for said in own()]
    weighty = {id(features) for message in tested for features, _ in message}
    examples = [
        one._replace(weight=TESTED) if id(one.features) in weighty else one
        for one in taught([*messages, *tested], base)
    ]
    seen = [*tested, *(heard(said) for said in wishes())]
    known = {feature for message in seen for features, _ in message for feature in features}
    save(MODEL, [light(fit("desk", examples, rounds=120, slight=2), known)])
    print(f"{len(examples):,} examples, {MODEL.name}: {MODEL.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    evaluate(sys.argv[1]) if len(sys.argv) > 1 else main()
