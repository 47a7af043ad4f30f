"""Fits the choice of what a message is about, and the kinds of work that it asks for, and writes their model file.

    make train

Messages come from `corpus/` (what writers did with an assistant), from `corpus/aims/` (plain lists of messages by what
they do) and, where CORPORA names a folder with them, from public training talk. A message alone says little of what it
is about, so each is put into situations: as the first one, beside a running task that it shares nothing with, after a
question or another reply of an agent, with something left to return to. The kind of work that a message asks for is
evidence for what it is about; it is told by a scorer that did not see the message.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.faculties.aims.aim import Situation, aim_features, in_context, share, words
from holdfast.faculties.aims.naming import beside, objects
from holdfast.packs.general import PACK as GENERAL
from holdfast.packs.grace import PACK as GRACE
from holdfast.packs.nxtscape import PACK as NXTSCAPE
from holdfast.reading.asking import ANYTHING, asks, questions
from holdfast.reading.model import scorer
from holdfast.reading.model.scorer import RAISED, Scorer, Trained
from holdfast.reading.reader import Reading
from training.corpus import HOME, Row, rows
from training.examples import Example
from training.fit import fit

MODEL = Path(__file__).parent.parent / "src/holdfast/faculties/aims/aims.bin"
KINDS = ("browse", "productivity", "answer")
FOLDS = 4
KEPT = {"browser": 5000, "task": 12000, "file": 10000, "talk": 3000}
"""Features of each scorer that weigh most; it is fitted a second time with those alone."""
OWN = 4
"""How often a message of the plain lists counts beside one of public talk."""
LISTED = {"task": 2.0, "file": 3.0}
"""How many messages of other rooms one of the plain lists counts for, in each of its situations."""
PUBLIC = 1500
"""Messages taken from each public source: enough to show how people ask, too few to drown our own."""
ELSEWHERE = 0.3
"""The share of what is said in other rooms that a room learns from."""
OWN_ROOM = 3.0
"""How many messages of other rooms one of the own room counts for."""
REMARKS = 2.0
"""How many others a remark counts for: our writers came to have something done, and make fewer than people do."""
GOES_ON = {"task": 1.0, "file": 0.3}
"""What a message of another room that goes on with something counts for: it seldom is the change of a file."""
FIRST = {"new": 0.5, "none": 0.25}
"""How often a message is said while there is no file: what is new mostly, what changes something hardly ever."""
_SCENES = {
    "task": ("browser", "браузер", "navegador"),
    "file": ("file", "файл", "archivo", "документ"),
}
_LABELS = {"continue": "same", "change": "same"}


class Said(NamedTuple):
    """A message and what it does, by the list it stands in."""

    text: str
    does: str
    language: str


class Told(NamedTuple):
    """A row of the corpus with what its situation was."""

    row: Row
    room: str
    label: str
    query: str
    earlier: tuple[str, ...]
    asked: str


class Before(NamedTuple):
    """What the agent said before a message, and what the person did."""

    reply: str = ""
    told: str = ""


def lists(home: Path = HOME / "aims") -> list[Said]:
    """The messages of the plain lists."""
    found = []
    for path in sorted(home.glob("*.txt")):
        does = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.strip()
            if text.startswith("[") and text.endswith("]"):
                does = text[1:-1]
            elif text and not text.startswith("#"):
                found.append(Said(text, does, path.stem))
    return found


def room_of(scene: str) -> str:
    """The room in which a scene of the corpus plays."""
    lowered = scene.lower()
    return next((room for room, words in _SCENES.items() if any(word in lowered for word in words)), "talk")


def label_of(aims: tuple[str, ...]) -> str | None:
    """The aim that decides where a message goes, or nothing where several do."""
    if "new" in aims:
        return "new"
    return _LABELS.get(aims[0], aims[0]) if len(aims) == 1 else None


def told(split: str) -> list[Told]:
    """The rows of a split, each with the request that was running and those that were left before it."""
    found, scene, running = [], "", [""]
    for row in rows(split):
        if row.scene != scene or not row.before:
            scene, running = row.scene, [""]
        label = label_of(row.aims)
        if label is not None:
            earlier = tuple(running[-4:-1])
            found.append(Told(row, room_of(row.scene), label, running[-1], earlier, expects(row.asked)))
        if "new" in row.aims:
            running.append(row.text)
    return found


def expects(reply: str) -> str:
    """The kind of answer that a reply of the agent asks for."""
    if "?" not in reply:
        return ""
    reading = GENERAL.reader.read(reply)
    made = [asks(reading, span) for span in reading.find(questions)]
    waits = [one.expects for one in made if one.about != ANYTHING]
    return waits[-1] if waits else ""


def public(name: str) -> Iterator[Any]:
    """The lines of a public source, or nothing where there is none."""
    folder = os.environ.get("CORPORA", "")
    path = Path(folder) / f"{name}.jsonl.gz"
    if folder and path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def requests(pick: random.Random) -> tuple[list[str], list[str]]:
    """Of public talk, messages that ask for something, and messages that only go on with it."""
    asking, going = [], []
    for talk in public("sgd_train"):
        wanted = ""
        for turn in talk.get("turns", ()):
            if turn["by"] != "U":
                continue
            acts = {act[1] for act in turn["acts"]}
            intent = turn["intents"][-1][1] if turn["intents"] else ""
            if "INFORM_INTENT" in acts and intent != wanted and len(turn["text"]) > 15:
                asking.append(turn["text"])
            elif not acts & {"INFORM_INTENT", "THANK_YOU", "GOODBYE", "AFFIRM_INTENT"}:
                going.append(turn["text"])
            wanted = intent
    plain = [row["text"] for row in public("snips_train")]
    return (
        [*pick.sample(asking, min(len(asking), PUBLIC)), *pick.sample(plain, min(len(plain), PUBLIC // 2))],
        pick.sample(going, min(len(going), PUBLIC)),
    )


def kind_examples(said: list[Said], corpus: list[Told], pick: random.Random) -> list[tuple[str, Example]]:
    """Messages with the kind of work that they ask for by themselves."""
    found: list[tuple[str, str]] = []
    for one in said:
        if one.does in (*KINDS, "none", "stop", "hold", "close", "return") or one.does.startswith("follow"):
            kind = one.does if one.does in KINDS else "none"
            found += [(one.text, kind)] * OWN
        elif one.does in ("question", "reply"):
            found += [(one.text, "answer" if one.does == "question" else "none")] * OWN
    for row in corpus:
        if row.room == "task" and row.label in ("new", "same", "answer", "none", "hold", "stop", "close", "return"):
            found.append((row.row.text, "browse" if row.label == "new" else "none"))
        elif row.label in ("none", "answer", "hold", "stop", "close"):
            found.append((row.row.text, "none"))
    asking, going = requests(pick)
    plain = [text for text in asking if "?" not in text]
    found += [(text, "browse") for text in plain] + [(text, "none") for text in going]
    return [(text, Example(NXTSCAPE.reader.read(text).find(words), kind)) for text, kind in found]


class Kinds:
    """The kind of any message by a scorer that did not learn from it."""

    def __init__(self, examples: list[tuple[str, Example]]) -> None:
        self.examples = examples
        self._folds = [
            made(fit("browser", [one for text, one in examples if _fold(text) != number])) for number in range(FOLDS)
        ]

    def of(self, reading: Reading) -> tuple[str, int]:
        told = self._folds[_fold(reading.text)].score(reading.find(words))
        return told.best, told.lead


def _fold(text: str) -> int:
    return sum(text.encode()) % FOLDS


def made(parts: Trained) -> Scorer:
    """A scorer from what was fitted, as it will be loaded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.bin"
        scorer.save(path, [parts])
        return scorer.load(path)[parts.name]


def example(reading: Reading, here: Situation, label: str, before: Before, weight: float = 1.0) -> Example:
    """A message in a situation, after what was said before it."""
    here = in_context(here, reading, reading.after(*before), before.reply)
    return Example(aim_features(reading, here), label, weight)


class Replies:
    """What agents say before a message of the plain lists: people seldom speak into silence, and what a message takes
    up of a reply is evidence, too."""

    def __init__(self, room: str, corpus: list[Told], pick: random.Random) -> None:
        self.pick, self.known = pick, dict[tuple[str | None, str], list[str]]()
        for one in corpus:
            if one.room == room and one.row.asked:
                self.known.setdefault((one.row.language, one.asked), []).append(one.row.asked)

    def before(self, language: str | None, asked: str) -> Before:
        """A reply that asks for a kind of answer, or for none."""
        return Before(self.pick.choice(self.known.get((language, asked), [""])))


class Situations:
    """Messages put into situations, for the room among tasks."""

    def __init__(self, kinds: Kinds, said: list[Said], replies: Replies, pick: random.Random) -> None:
        self.kinds, self.replies, self.pick = kinds, replies, pick
        self.requests = {kind: [one for one in said if one.does == kind] for kind in KINDS}

    def query(self, kind: str, language: str) -> str:
        return self.pick.choice([one.text for one in self.requests[kind] if one.language == language])

    def example(
        self, text: str, label: str, at: str = "none", query: str = "", before: Before | None = None, **state: Any
    ) -> Example:
        reading = NXTSCAPE.reader.read(text)
        kind, sure = self.kinds.of(reading)
        named = reading.find(objects)
        common = "none"
        if query:
            task = NXTSCAPE.reader.read(query)
            common = share(named, task.find(objects))
            common = "where" if common == "none" and not named.isdisjoint(task.find(beside)) else common
        here = Situation("task", at, common=common, kind=kind, sure=sure)._replace(**state)
        if before is None:
            before = self.replies.before(reading.language, here.asked) if at != "none" or here.asked else Before()
        return example(reading, here, label, before)

    def asked(self, share: float = 0.35) -> str:
        kinds = ("text", "text", "text", "choice", "number", "yes_no")
        return self.pick.choice(kinds) if self.pick.random() < share else ""

    def status(self, kind: str) -> str:
        return self.pick.choice(("running", "running", "paused", "done") if kind == "browse" else ("done", "running"))

    def of(self, one: Said) -> Iterator[Example]:
        if one.does in KINDS:
            yield from self._request(one)
        elif one.does.startswith("follow"):
            yield from self._follow(one)
        elif one.does == "question":
            yield from self._question(one)
        elif one.does == "reply":
            for asked in ("text", "text", "choice", "number", "yes_no"):
                yield self.example(one.text, "answer", "browse", status="running", asked=asked)
        elif one.does in ("return", "stop", "hold", "close", "none", "fresh"):
            yield from self._other(one)

    def _request(self, one: Said) -> Iterator[Example]:
        yield self.example(one.text, "new", asked=self.asked(0.2))
        for at in ("browse", "browse", "productivity", "answer"):
            query = self.query(at, one.language)
            if query == one.text:
                continue
            state: dict[str, Any] = {"status": self.status(at), "asked": self.asked()}
            if self.pick.random() < 0.5:  # what is complete in itself may share a word with what was left
                state |= {"waiting": True, "earlier": self.pick.choice(("none", "none", "some"))}
            yield self.example(one.text, "same" if at == one.does != "browse" else "new", at, query, **state)

    def _follow(self, one: Said) -> Iterator[Example]:
        at = {"follow": "browse", "follow_productivity": "productivity", "follow_answer": "answer"}[one.does]
        for _ in range(3):
            common = self.pick.choice(("none", "none", "some", "most"))
            state: dict[str, Any] = {"status": self.status(at), "waiting": self.pick.random() < 0.4}
            state |= {"common": common, "asked": self.asked()}
            yield self.example(one.text, "same", at, **state)
        if NXTSCAPE.reader.read(one.text).has("task_continue"):  # beside something done, what was left goes on
            for other in ("productivity", "answer"):
                yield self.example(one.text, "return", other, status="done", waiting=True)
        if at == "browse":  # what fits a task that was left, beside one that has nothing of it
            other = self.pick.choice(("productivity", "answer"))
            yield self.example(
                one.text, "return", other, status="done", waiting=True, earlier=self.pick.choice(("some", "most"))
            )

    def _question(self, one: Said) -> Iterator[Example]:
        """A question about the world: something new as a first message, an aside in the middle of a task."""
        yield self.example(one.text, "new")
        for at in ("browse", "browse", "productivity"):
            yield self.example(one.text, "side", at, status=self.status(at), asked=self.asked())
        yield self.example(one.text, "same", "answer", status="done")

    def _other(self, one: Said) -> Iterator[Example]:
        """Said in any situation; what may be a yes or a no is no remark where something was asked."""
        agrees = one.does == "none" and NXTSCAPE.reader.read(one.text).has("yes", "no")
        calm = 0.0 if agrees else 0.3
        places = ("none", "browse", "productivity", "answer")
        for at in places if one.does == "none" else (*places, "browse"):  # remarks are many as they are
            waiting = one.does == "return" or self.pick.random() < 0.3
            earlier = self.pick.choice(("none", "some", "most")) if one.does == "return" else "none"
            status = self.status(at) if at != "none" else ""
            state: dict[str, Any] = {
                "status": status,
                "waiting": waiting,
                "earlier": earlier,
                "asked": self.asked(calm),
            }
            if at != "none" or one.does != "return":
                yield self.example(one.text, one.does, at, **state)

    def row(self, one: Told) -> Example:
        """A row of the corpus."""
        label, text, asked = one.label, one.row.text, one.asked
        reading = NXTSCAPE.reader.read(text)
        named = reading.find(objects)
        left = {share(named, NXTSCAPE.reader.read(query).find(objects)) for query in one.earlier if query}
        earlier = next((name for name in ("most", "some") if name in left), "none")
        at = "browse" if one.query or one.room != "task" else "none"
        state: dict[str, Any] = {"status": "running" if at == "browse" else "", "asked": asked}
        before = Before(one.row.asked, one.row.told)
        return self.example(text, label, at, one.query, before, waiting=bool(one.earlier), earlier=earlier, **state)


def task_examples(said: list[Said], corpus: list[Told], kinds: Kinds, pick: random.Random) -> list[Example]:
    place = Situations(kinds, said, Replies("task", corpus, pick), pick)
    found = [example._replace(weight=LISTED["task"]) for one in said for example in place.of(one)]
    found += [place.row(one)._replace(weight=_weight(one, "task")) for one in _heard_in("task", corpus, pick)]
    asking, going = requests(pick)
    for text in asking[: PUBLIC // 2]:
        at = pick.choice(("browse", "browse", "productivity", "answer"))
        found.append(place.example(text, "new", at, place.query(at, "en"), status=place.status(at)))
    for text in going[: PUBLIC // 2]:
        found.append(place.example(text, "same", "browse", status="running", common=pick.choice(("none", "some"))))
    return found


def _heard_in(room: str, corpus: list[Told], pick: random.Random) -> list[Told]:
    """The rows that a room learns from: all of its own, and some of those said elsewhere."""
    return [one for one in corpus if one.room == room or pick.random() < ELSEWHERE]


def _weight(one: Told, room: str) -> float:
    own = OWN_ROOM if one.room == room else GOES_ON[room] if one.label == "same" else 1.0
    return own * REMARKS if one.label == "none" else own


def file_examples(said: list[Said], corpus: list[Told], pick: random.Random) -> list[Example]:
    """Messages beside a file: a change of it, something new, a question, an answer, or nothing."""
    labels = {"create": "new", "revise": "same", "override": "same", "file_question": "side", "question": "side"}
    labels["rule"] = "none"  # it is about all files to come, and about none at hand
    labels["file_none"] = "none"  # "go on" lets a task go on, and leaves a file as it is
    found, replies = [], Replies("file", corpus, pick)
    for one in said:
        label = labels.get(one.does, one.does if one.does in ("none", "stop", "hold", "close", "fresh") else "")
        calm = one.does == "none" and GRACE.reader.read(one.text).has("yes", "no")
        for asked in ("",) if calm else ("", pick.choice(("text", "yes_no", "choice"))):
            if label:
                at = "none" if pick.random() < FIRST.get(label, 0.1) else "file"
                here = Situation("file", at, asked=asked, waiting=pick.random() < 0.5)
                before = replies.before(one.language, asked) if asked or at == "file" else Before()
                found.append(example(GRACE.reader.read(one.text), here, label, before, LISTED["file"]))
    for one in said:
        if one.does == "reply":
            for asked in ("text", "text", "choice", "yes_no"):
                here = Situation("file", pick.choice(("file", "none")), asked=asked)
                before = replies.before(one.language, asked)
                found.append(example(GRACE.reader.read(one.text), here, "answer", before, LISTED["file"] / 2))
    for row in _heard_in("file", corpus, pick):
        at = "file" if row.query or row.room != "file" else "none"
        here = Situation("file", at, asked=row.asked, waiting=bool(row.earlier))
        before = Before(row.row.asked, row.row.told)
        found.append(example(GRACE.reader.read(row.row.text), here, beside_file(row), before, _weight(row, "file")))
    return found


def beside_file(one: Told) -> str:
    """What a row of the corpus does beside a file: what only asks about it goes on with the talk, and changes none."""
    if one.label == "same" and {clause.act for clause in one.row.clauses} == {"asks"}:
        return "side"
    return "same" if one.label == "return" else one.label


def talk_examples(said: list[Said], corpus: list[Told], pick: random.Random) -> list[Example]:
    """Messages of plain talk."""
    does = {"return", "stop", "hold", "close", "none", "fresh"}
    labelled = [(one.row.text, one.asked, one.label, Before(one.row.asked, one.row.told)) for one in corpus]
    labelled += [(one.text, "", one.does, Before()) for one in said if one.does in does]
    new = [one.text for one in said if one.does in ("browse", "create")]
    labelled += [(text, pick.choice(("", "", "text")), "new", Before()) for text in new]
    labelled += [(one.text, "", "same", Before()) for one in said if one.does == "follow"]
    labelled += [(one.text, pick.choice(("text", "yes_no")), "answer", Before()) for one in said if one.does == "reply"]
    return [
        example(GENERAL.reader.read(text), Situation("talk", asked=asked), label, before)
        for text, asked, label, before in labelled
    ]


def examples(split: str, seed: int = 7) -> tuple[Kinds, dict[str, list[Example]]]:
    """The examples of every scorer of this file."""
    pick = random.Random(seed)
    said, corpus = lists(), told(split)
    kinds = Kinds(kind_examples(said, corpus, pick))
    return kinds, {
        "browser": [one for _, one in kinds.examples],
        "task": task_examples(said, corpus, kinds, pick),
        "file": file_examples(said, corpus, pick),
        "talk": talk_examples(said, corpus, pick),
    }


def small(name: str, examples: list[Example]) -> Trained:
    """A scorer of few features: those that weigh most when all are there, fitted again without the others."""
    rows_ = fit(name, examples).rows
    heavy = sorted(rows_, key=lambda feature: (-max(abs(weight - RAISED) for weight in rows_[feature]), feature))
    kept = set(heavy[: KEPT[name]])
    left = [one._replace(features=[feature for feature in one.features if feature in kept]) for one in examples]
    return fit(name, left, slight=1)


def main(model: Path = MODEL) -> None:
    if not os.environ.get("CORPORA"):
        print("CORPORA names no folder of public training talk: fitted without it", file=sys.stderr)
    _, found = examples("train")
    parts = []
    for name, rows_ in found.items():
        parts.append(small(name, rows_))
        print(f"{name:10} {len(rows_):7,} examples, {len(parts[-1].rows):7,} features", flush=True)
    scorer.save(model, parts)
    print(f"{model.name}: {model.stat().st_size / 1e6:.1f} MB")


def evaluate(split: str) -> None:
    """What the shipped choice makes of the writers of a split, by room."""
    loaded = scorer.load(MODEL)
    pick = random.Random(1)
    place = Situations(_Shipped(loaded["browser"]), [], Replies("task", [], pick), pick)  # type: ignore[arg-type]
    corpus = told(split)
    for room in ("task", "file", "talk"):
        right, wrong, count = Counter[str](), Counter[str](), Counter[str]()
        for one in corpus:
            if one.room != room:
                continue
            best = loaded[room].score(_features(one, place)).best
            label = beside_file(one) if room == "file" else one.label
            count[label] += 1
            right[label] += best == label
            wrong[f"{label}→{best}"] += best != label
        total, exact = sum(count.values()), sum(right.values())
        routed = exact + sum(n for pair, n in wrong.items() if len({_routed(one) for one in pair.split("→")}) == 1)
        print(
            f"{room:6}{100 * exact / max(total, 1):6.1f} (goes right {100 * routed / max(total, 1):5.1f}) of {total:5}"
        )
        print(", ".join(f"{name} {100 * right[name] / n:.0f}/{n}" for name, n in count.most_common()))
        print("       ", ", ".join(f"{name} {n}" for name, n in wrong.most_common(8)))


def _routed(label: str) -> str:
    """What an aim means for where a message goes."""
    return {"answer": "same", "side": "new", "stop": "hold", "close": "hold", "none": "hold"}.get(label, label)


class _Shipped(NamedTuple):
    browser: Scorer

    def of(self, reading: Reading) -> tuple[str, int]:
        told = self.browser.score(reading.find(words))
        return told.best, told.lead


def _features(one: Told, place: Situations) -> Collection[str]:
    if one.room == "task":
        return place.row(one).features
    at = "file" if one.room == "file" and one.query else "none"
    here = Situation(one.room, at, asked=one.asked, waiting=one.room == "file" and bool(one.earlier))
    pack = GRACE if one.room == "file" else GENERAL
    before = Before(one.row.asked, one.row.told)
    return example(pack.reader.read(one.row.text), here, "", before).features


if __name__ == "__main__":
    if len(sys.argv) > 1:
        evaluate(sys.argv[1])
    else:
        main()
