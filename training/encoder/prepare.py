"""Examples for the encoder out of public training talk and our own corpus.

    python -m training.encoder.prepare --public FOLDER --out examples.jsonl.xz

One example is a message, up to three turns before it (newest first) and whatever is known about it; a head learns only
from the examples that say something about it. Values are character spans of the message.
"""

from __future__ import annotations

import argparse
import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from holdfast import Holdfast
from holdfast.faculties.facts.memos import ItemLearned
from holdfast.reading.model.clauses import Clause as Understood
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.scorer import UNIT
from holdfast.reading.model.tokens import in_english
from training.corpus import Claim, Clause, Row
from training.corpus import rows as corpus_rows
from training.encoder.files import read, write
from training.encoder.invented import invented
from training.examples import KEEPING, LASTING, attribute_class, kept

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "descriptions.toml").read_text("utf-8"))
TURNS_BEFORE = 3
INVENTED = 16_000
"""Messages after invented talk: as many changes as the dialogues have, and their neighbours."""
# What a request for this slot is after. The rest are other details.
_WHERE = re.compile(r"address|station|airport|location|venue|^city$|destination|where_to")
_WHEN = re.compile(r"arrival_time|departure_time|ride_duration|^time$|^date$|_date$|show_time|start_time")
_COST = re.compile(r"price|fare|cost|balance$")
_CONTACT = re.compile(r"phone|email")
_NUMBERS = dict(zip("zero one two three four five six seven eight nine ten".split(), range(11), strict=True))
_WORDS = {str(number): word for word, number in _NUMBERS.items()}

Example = dict[str, Any]


def before(turns: list[list[str]]) -> list[list[str]]:
    """The turns that count, newest first."""
    return [list(turn[:2]) for turn in reversed(turns[-TURNS_BEFORE:])]


def plain(value: str) -> str:
    words = re.findall(r"\w+", value.lower())
    return " ".join(str(_NUMBERS.get(word, word)) for word in words)


def same(one: str, other: str) -> bool:
    one, other = plain(one), plain(other)
    return one == other or (len(one) > 2 < len(other) and (one in other or other in one))


# ---- Schema-Guided Dialogue -----------------------------------------------------------------------------------------


class Held:
    """What the dialogue holds for each slot of each service, with all the ways it was said."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], set[str]] = {}
        self.offered: dict[tuple[str, str], set[str]] = {}

    def hear(self, acts: list[list[Any]]) -> list[tuple[str, str, str]]:
        """Takes in a message of the person; returns what it changed: service, slot, new value."""
        changed = []
        kinds = {act[1] for act in acts}
        informed = {(a[0], a[2]) for a in acts if a[1] == "INFORM"}
        if kinds & {"SELECT", "AFFIRM"}:
            self.values |= {key: set(said) for key, said in self.offered.items() if key not in informed}
        for service, kind, slot, values in acts:
            if kind != "INFORM" or not values:
                continue
            key, value = (service, slot), values[0]
            held = self.values.get(key)
            if held and not any(same(value, known) for known in held):
                changed.append((service, slot, value))
            self.values[key] = {value} if not held or (changed and changed[-1][:2] == key) else held | {value}
        self.offered = {}
        return changed

    def say(self, acts: list[list[Any]]) -> None:
        """Takes in a message of the agent: what it offers may be accepted, what it repeats is another way to say it."""
        for service, kind, slot, values in acts:
            if kind in ("OFFER", "CONFIRM") and values:
                key = (service, slot)
                if kind == "CONFIRM" and key in self.values:
                    self.values[key] |= set(values)
                self.offered[key] = set(values)


def wanted(slot: str) -> str:
    for kind, pattern in (("contact", _CONTACT), ("cost", _COST), ("where", _WHERE), ("when", _WHEN)):
        if pattern.search(slot):
            return kind
    return "other_detail"


def requested(acts: list[list[Any]]) -> str | None:
    slots = {act[2] for act in acts if act[1] == "REQUEST"}
    kinds = {wanted(slot) for slot in slots}
    if len(kinds) > 1 or "wait_time" in slots:  # how long one waits is neither a time of day nor a plain detail
        return None
    return kinds.pop() if kinds else "none"


def spoken(service: str, slot: str, schema: dict[str, dict[str, str]]) -> list[str]:
    """The ways a slot is described: in a sentence, by its name, by both."""
    words = slot.replace("_", " ")
    text = schema[service][slot]
    return [text, text, words, f"{words}: {text}"]


SAYING = {"INFORM", "OFFER", "CONFIRM"}


def sgd_slots(turn: dict[str, Any], schema: dict[str, dict[str, str]]) -> dict[str, Any] | None:
    found: dict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for service, slot, start, end in turn["spans"]:
        if slot in schema.get(service, {}):
            found[service, slot].append([start, end])
    for service, kind, slot, values in turn["acts"]:
        key = (service, slot)
        if kind in SAYING and values and key not in found and slot in schema.get(service, {}):
            found[key] = places(turn["text"], values[0])[:1]
    found = {key: spans for key, spans in found.items() if spans}
    services = {act[0] for act in turn["acts"]} & schema.keys()
    touched = {(act[0], act[2]) for act in turn["acts"]}
    absent = [(s, slot) for s in services for slot in schema[s] if (s, slot) not in touched and (s, slot) not in found]
    if not found and not absent:
        return None
    return {
        "in": [[spoken(*key, schema), spans] for key, spans in found.items()],
        "out": [spoken(*key, schema) for key in absent],
    }


def sgd(path: Path, draw: random.Random) -> Iterator[Example]:
    dialogues = read(path)
    schema = dialogues.pop(0)["schema"]
    for dialogue in dialogues:
        yield from sgd_dialogue(dialogue, schema, draw)


def sgd_dialogue(dialogue: dict[str, Any], schema: Any, draw: random.Random) -> Iterator[Example]:
    held, service = Held(), ""
    history: list[list[str]] = []
    openings: dict[str, str] = {}
    for turn in dialogue["turns"]:
        example: Example = {
            "src": "sgd",
            "group": dialogue["id"],
            "who": turn["by"],
            "text": turn["text"],
            "before": before(history),
        }
        slots = sgd_slots(turn, schema)
        if slots and (turn["by"] == "U" or draw.random() < 0.2):
            example["slots"] = slots
        if turn["by"] == "S":
            held.say(turn["acts"])
            if "slots" in example:
                yield example
        else:
            sgd_user(example, turn, held, service, openings, bool(history))
            service = turned_to(turn, service)
            yield example
        history.append([turn["by"], turn["text"]])


def turned_to(turn: dict[str, Any], service: str) -> str:
    """The service that the dialogue is about after a message. One that thanks for a flight and asks for a hotel names
    both, in any order: what it intends decides."""
    intended = [act[0] for act in turn["acts"] if act[1] == "INFORM_INTENT"]
    named = [name for name, _ in turn["intents"]]
    return intended[-1] if intended else service if service in named or not named else named[-1]


def sgd_user(
    example: Example, turn: dict[str, Any], held: Held, service: str, openings: dict[str, str], later: bool
) -> None:
    known = dict(held.values)
    changed = held.hear(turn["acts"])
    example["acts"] = sorted({act[1] for act in turn["acts"]})
    if (kind := requested(turn["acts"])) is not None:
        example["request"] = kind
    now = turned_to(turn, service)
    example["business"] = now.rpartition("_")[0]  # "Hotels_2" is one of Hotels
    if later:
        example["changed"] = int(bool(changed))
        spans = [[start, end] for s, slot, start, end in turn["spans"] if any(c[:2] == (s, slot) for c in changed)]
        spans += [
            span
            for s, slot, value in changed
            if not any(x[:2] == [s, slot] for x in turn["spans"])
            for span in places(turn["text"], value)[:1]
        ]  # choices such as "2" or "economy" have no span of their own
        example["new"] = spans if not changed or spans else None
        example["old"] = [
            span
            for c in changed
            for value in known.get(c[:2], ())
            for span in places(turn["text"], value)
            if not any(span[0] < e and s < span[1] for s, e in spans)
        ]
        example["new_topic"] = int(now != service and bool(service))
        if openings:
            example["match"] = [[text, int(name == now)] for name, text in openings.items()]
    openings.setdefault(now, turn["text"])


def transplanted(examples: list[Example], draw: random.Random) -> Iterator[Example]:
    """Messages that begin something, said after other talk. In the dialogues few services follow each other, so that a
    model would learn which do, and not what turning to something else is."""
    for source, share in (("sgd", 0.5), ("tiage", 1.0)):
        talk = [e for e in examples if e["src"] == source and e["who"] == "U" and "new_topic" in e]
        begins = [e for e in examples if e["src"] == source and e["who"] == "U" and e.get("new_topic", 1)]
        for example in begins:
            other = draw.choice(talk)
            business = example.get("business")
            apart = other["group"] != example["group"] and (business is None or business != other["business"])
            if apart and draw.random() < share:
                told = {key: example[key] for key in ("src", "group", "who", "text")}
                yield told | {"before": other["before"], "new_topic": 1, "changed": 0, "new": [], "old": []}


def asked_amid(examples: list[Example], draw: random.Random) -> Iterator[Example]:
    """Questions for a detail that stand alone, asked amid talk of the business that they are about."""
    amid = [e for e in examples if e.get("business") == "Banks" and e["before"]]
    for example in examples:
        if example["src"] == "banking" and "request" in example:
            for other in draw.sample(amid, 3):
                yield {"src": "banking", "who": "U", "text": example["text"], "before": other["before"]} | {
                    "request": example["request"]
                }


def places(text: str, value: str) -> list[list[int]]:
    if len(value) < 2 and not value.isdigit():
        return []
    forms = "|".join(re.escape(form) for form in (value, _WORDS.get(value, value)))
    return [[m.start(), m.end()] for m in re.finditer(rf"(?<!\w)(?:{forms})(?!\w)", text, re.IGNORECASE)]


# ---- the other public sets ------------------------------------------------------------------------------------------


def labelled(label: str) -> list[str]:
    return [*TABLE["labels"].get(label, []), label.replace("_", " ")]


def slots_of(spans: Iterable[tuple[str, int, int]], labels: Iterable[str]) -> dict[str, Any]:
    found: dict[str, list[list[int]]] = defaultdict(list)
    for label, start, end in spans:
        if label in TABLE["labels"] or label in TABLE["attributes"]:
            found[label].append([start, end])
    return {
        "in": [[described(label), spans] for label, spans in found.items()],
        "out": [described(label) for label in labels if label not in found],
    }


def described(label: str) -> list[str]:
    return labelled(label) if label in TABLE["labels"] else [*TABLE["attributes"][label], label]


def restaurant8k(path: Path) -> Iterator[Example]:
    asks = {
        "people": "For how many people?",
        "time": "At what time?",
        "date": "For which day?",
        "first_name": "What is your first name?",
        "last_name": "And the last name?",
    }
    for row in read(path):
        turns = [["S", asks[row["asked"][0]]]] if row["asked"] else []
        spans = [tuple(span) for span in row["spans"]]
        yield {
            "src": "restaurant8k",
            "who": "U",
            "text": row["text"],
            "before": turns,
            "slots": slots_of(spans, ["people", "time", "date", "first_name", "last_name"]),
        }


def nlupp(path: Path) -> Iterator[Example]:
    for row in read(path):
        spans = [(name, *slot["span"]) for name, slot in row["slots"].items()]
        yield {
            "src": "nlupp",
            "who": "U",
            "text": row["text"],
            "before": [],
            "generic": row["intents"],
            "slots": slots_of(spans, ["date", "time", "people", "rooms", "person_name", "amount_of_money"]),
        }


def snips(path: Path) -> Iterator[Example]:
    rows = read(path)
    by_intent: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_intent[row["intent"]] |= {span[0] for span in row["spans"]}
    for row in rows:
        names = [n for n in sorted(by_intent[row["intent"]]) if n in TABLE["labels"]]
        yield {
            "src": "snips",
            "who": "U",
            "text": row["text"],
            "before": [],
            "slots": slots_of([tuple(s) for s in row["spans"]], names),
        }


def multidogo(path: Path, draw: random.Random) -> Iterator[Example]:
    rows = [row for row in read(path) if row["labels"] and row["text"]]
    by_domain: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_domain[row["domain"]] |= set(row["labels"].split()) & TABLE["labels"].keys()
    seen = set()
    for row in rows:
        labels, words = row["labels"].split(), list(re.finditer(r"\S+", row["text"]))
        key = (row["domain"], row["text"])
        if len(labels) != len(words) or key in seen:
            continue
        seen.add(key)
        if set(labels) == {"O"} and draw.random() < 0.6:
            continue
        example: Example = {"src": "multidogo", "who": "U", "text": row["text"], "before": []}
        if row["intent"] in DESK_INTENTS:
            example["desk"] = row["intent"]
        if set(labels) <= by_domain[row["domain"]] | {"O"}:
            example["slots"] = slots_of(runs(labels, words), sorted(by_domain[row["domain"]]))
        yield example


DESK_INTENTS = "contentonly confirmation openinggreeting rejection thankyou outofdomain closinggreeting".split()


def runs(labels: list[str], words: list[re.Match[str]]) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for label, word, last in zip(labels, words, ["O", *labels], strict=False):
        if label == last != "O":
            found[-1] = (label, found[-1][1], word.end())
        elif label != "O":
            found.append((label, word.start(), word.end()))
    return found


def tiage(path: Path) -> Iterator[Example]:
    for dialogue in read(path):
        turns = [["US"[i % 2], text] for i, (text, _) in enumerate(dialogue["turns"])]
        for i, (text, shift) in enumerate(dialogue["turns"]):
            if i and shift in ("0", "1"):
                # Whoever speaks is the person here, and the turns before alternate.
                told = [["SU"[(i - j) % 2 == 0], turns[j][1]] for j in range(max(0, i - 3), i)]
                yield {
                    "src": "tiage",
                    "group": dialogue["id"],
                    "who": "U",
                    "text": text,
                    "before": before(told),
                    "new_topic": int(shift),
                }


def disfl(path: Path, kept_out: set[str]) -> Iterator[Example]:
    for row in read(path):
        if row["text"] in kept_out or row["meant"] in kept_out:
            continue
        for text, repaired in ((row["text"], 1), (row["meant"], 0)):
            yield {"src": "disfl", "who": "U", "text": text, "before": [], "repaired": repaired}


ASKS_DETAIL = {"transfer_timing": "other_detail"}
"""Intents that ask for a detail of something. How long a ride takes says when one arrives; how long a transfer takes
is another detail, which no service of the dialogues asks for."""


def intents(path: Path, source: str, draw: random.Random) -> Iterator[Example]:
    """Requests beside an example of the same intent and some of others: what a candidate described by examples is."""
    rows = [row for row in read(path) if row["intent"] != "oos"]
    by_intent: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_intent[row["intent"]].append(row["text"])
    names = sorted(by_intent)
    for row in rows:
        others = [name for name in draw.sample(names, 4) if name != row["intent"]][:3]
        alike = draw.choice(by_intent[row["intent"]])
        named = row["intent"].replace("_", " ")
        match = [[draw.choice([alike, alike, named]), 1]]
        match += [[draw.choice([draw.choice(by_intent[o]), o.replace("_", " ")]), 0] for o in others]
        example = {"src": source, "who": "U", "text": row["text"], "before": [], "match": match}
        if row["intent"] in ASKS_DETAIL:
            example["request"] = ASKS_DETAIL[row["intent"]]
        yield example


# ---- what the linear tier is sure of -------------------------------------------------------------------------------


def agreed(texts: Iterable[tuple[str, list[list[str]]]]) -> Iterator[Example]:
    """Clauses of talk that nobody marked: what patterns learned something of (they rarely err), and what the linear
    tier is sure to be a question, a request, a greeting. It gives plain statements, which our writers hardly make."""
    engine = Holdfast(pack="general", reader="linear")
    for number, (text, turns) in enumerate(texts):
        asked = turns[0][1] if turns and turns[0][0] == "S" else ""
        learned = any(kept_by_rule(event) for event in engine.session(str(number)).hear(text).events)
        spans = [sure_of(text, clause, learned) for clause in understand(text, asked)]
        if any("act" in span for span in spans):
            yield {"src": "agreed", "who": "U", "text": text, "before": turns, "spans": spans}


def kept_by_rule(event: Any) -> bool:
    """Whether a pattern, and not the linear tier, learned something."""
    return isinstance(event, ItemLearned) and event.because is not None and not event.because.rule.startswith("talk.")


def sure_of(text: str, clause: Understood, learned: bool) -> dict[str, Any]:
    span: dict[str, Any] = {"at": [clause.start, clause.end]}
    words = text[clause.start : clause.end]
    if learned and _OF_ONESELF.match(words) and "?" not in words:
        return span | {"act": "states", "flags": [1, 1, 1, -1]}
    if clause.lead >= SURE and clause.act in ("asks", "requests", "greets", "thanks"):
        return span | {"act": clause.act, "flags": [0, 0, -1, -1]}
    return span


SURE = 2 * UNIT
"""A lead of the linear tier that is hardly ever wrong."""
_OF_ONESELF = re.compile(r"(?:and |but |oh |yes |no |well |so |cool |,|\.| )*(?:i|i'm|im|my|we|our)\b", re.IGNORECASE)


# ---- our own corpus -------------------------------------------------------------------------------------------------


def attribute(name: str) -> list[str]:
    if name in TABLE["attributes"]:
        return [*TABLE["attributes"][name], name]
    family, _, noun = name.partition("/")
    return [form.format(noun) for form in TABLE["attributes"].get(f"{family}/", ["{}"])]


LANGUAGES = ("en", "es", "ru")
"""What the encoder learns of our writers: English, which MiniLM knows, and two that it has from them alone."""


def corpus(rows: Iterable[Row], part: str, draw: random.Random) -> Iterator[Example]:
    known = sorted({name for name in TABLE["attributes"] if not name.endswith("/")})
    for row in rows:
        if row.language not in LANGUAGES:
            continue
        example = from_row(row)
        if row.language == "en":
            used = {claim.attribute for clause in row.clauses for claim in clause.claims}
            example["slots"]["out"] = [attribute(name) for name in draw.sample(known, 12) if name not in used]
        else:  # descriptions are English
            del example["slots"]
            example = translated(example, row.language)
        yield example | {"part": part, "language": row.language}


def translated(example: Example, language: str) -> Example:
    """An example of another language as the encoder reads it: word by word in English."""
    text, places = in_english(example["text"], language)

    def moved(span: list[int]) -> list[int]:
        inside = [at for at, (start, end) in enumerate(places) if start < span[1] and span[0] < end]
        return [inside[0], inside[-1] + 1]

    told = {name: [moved(span) for span in example[name]] for name in ("new", "old") if example.get(name)}
    spans = [span | {"at": moved(span["at"])} for span in example["spans"]]
    before = [[who, in_english(said, language)[0]] for who, said in example["before"]]
    return example | told | {"text": text, "spans": spans, "before": before}


def from_row(row: Row) -> Example:
    spans: list[dict[str, Any]] = []
    values, new, old = [], [], []
    for clause in row.clauses:
        spans.append({"at": [clause.start, clause.end], "act": clause.act, **hangs_on(clause)})
        words = row.text[clause.start : clause.end]
        for claim in clause.claims:
            found = [[clause.start + s, clause.start + e] for s, e in places(words, claim.value)][:1]
            if found and not claim.earlier:
                values.append([attribute(claim.attribute), found])
                spans.append({"at": found[0], "attribute": attribute_class(claim.attribute)})
                if clause.act in ("corrects", "returns") or claim.old:
                    new += found
            if claim.old:
                old += [[clause.start + s, clause.start + e] for s, e in places(words, claim.old)][:1]
    example: Example = {
        "src": "corpus",
        "group": row.writer,
        "id": row.id,
        "who": "U",
        "text": row.text,
        "before": before([list(turn) for turn in row.before]),
        "spans": spans,
        "slots": {"in": values, "out": []},
        "aim": list(row.aims),
    }
    changed = bool(new) or any(clause.act in ("corrects", "returns") for clause in row.clauses)
    unsure = any(claim.marks & {"now", "instead"} for clause in row.clauses for claim in clause.claims)
    if row.before and (changed or not unsure):
        example |= {"changed": int(changed), "new": new if new or not changed else None, "old": old}
    if row.before and len(row.aims) == 1 and row.aims[0] in ("new", "answer", "continue", "change"):
        example["new_topic"] = int(row.aims[0] == "new")
    return example


def single() -> Iterator[Example]:
    """Single sentences: some tell something of the speaker, questions, suppositions and denials do not."""
    for row in corpus_rows("house"):
        if row.language in LANGUAGES:
            spans = [{"at": [c.start, c.end], "flags": [int(kept(c)), -1, -1, -1]} for c in row.clauses]
            example: Example = {"src": "saying", "who": "U", "text": row.text, "before": [], "spans": spans}
            yield translated(example, row.language) if row.language != "en" else example


def hangs_on(clause: Clause) -> dict[str, Any]:
    tells = bool(clause.claims) and clause.act in KEEPING
    heads = [attribute_class(claim.attribute) for claim in clause.claims if not claim.of]
    negated = any(claim.negative for claim in clause.claims)
    return {
        "flags": [int(kept(clause)), int(tells), int(bool(clause.claims)), int(negated)],
        "about": next((head for head in heads if head in LASTING and head != "other"), "none"),
    }


def marked(given: dict[str, Any]) -> Row | None:
    """A row of JSON as a row of the corpus; None where its clauses are not its text in order."""
    at, clauses = 0, []
    for clause in given["clauses"]:
        start = given["text"].find(clause["text"], at)
        if start < 0:
            return None
        at = start + len(clause["text"])
        claims = tuple(
            Claim(
                c["attribute"],
                str(c["value"]),
                c.get("sign") == "-",
                str(c.get("old") or ""),
                str(c.get("of") or ""),
                marks=frozenset(c.get("marks") or ()),
                earlier=c.get("from") == "before",
            )
            for c in clause.get("claims") or ()
        )
        clauses.append(Clause(start, at, clause["act"], claims))
    aims = given.get("aim") or []
    turns = tuple((who, text) for who, text in given.get("before") or ())
    return Row(
        given["id"],
        given["by"],
        given["language"],
        "",
        turns,
        given["text"],
        tuple(clauses),
        tuple(aims) if isinstance(aims, list) else (aims,),
        "",
        (),
    )


# ---- all of it ------------------------------------------------------------------------------------------------------


def public(folder: Path, held_back: set[str], draw: random.Random) -> Iterator[Example]:
    def at(name: str) -> Path:
        return folder / f"{name}.jsonl.gz"

    yield from sgd(at("sgd_train"), draw)
    yield from tiage(at("tiage_train"))
    yield from restaurant8k(at("restaurant8k_train"))
    yield from nlupp(at("nlupp"))
    yield from snips(at("snips_train"))
    yield from multidogo(at("multidogo_train"), draw)
    yield from disfl(at("disfl_qa_train"), held_back)
    yield from intents(at("clinc150_train"), "clinc", draw)
    yield from intents(at("banking77_train"), "banking", draw)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--public", type=Path, required=True)
    options.add_argument("--measured", type=Path, help="cases of self_repair that must not be trained on")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    draw = random.Random(7)
    held_back = (
        {t for row in read(given.measured) for t in (row["text"], row["gold_fluent"])} if given.measured else set()
    )
    examples = list(public(given.public, held_back, draw))
    talk = [(e["text"], e["before"]) for e in examples if e["src"] == "tiage"]
    talk += [
        (e["text"], e["before"]) for e in examples if e["src"] == "sgd" and e["who"] == "U" and draw.random() < 0.05
    ]
    examples += agreed(talk)
    examples += [*transplanted(examples, draw), *asked_amid(examples, draw), *invented(examples, draw, INVENTED)]
    examples += single()
    for part in ("train", "dev"):
        examples += corpus(corpus_rows(part), part, draw)
    write(given.out, examples)
    counts = Counter(example["src"] for example in examples)
    print(dict(counts))


if __name__ == "__main__":
    main()
