"""What the reading understands of writers it was not trained on.

make evaluate            the test split
make evaluate SPLIT=dev  another one
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from holdfast.reading.model.clauses import Model
from training import examples as ex
from training.corpus import rows

_Tally = dict[str, Counter[str]]


def main(split: str) -> None:
    model = Model()
    tally: _Tally = defaultdict(Counter)
    acts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows(split):
        one = ex.cut(row)
        for group in ("all", row.language, row.writer):
            _row(model, one, tally[group])
        _acts(model, one, acts)
    names = ("bounds F1", "acts", "keep", "kept", "clean", "value F1", "attribute")
    print(f"{'':6}" + "".join(f"{name:>10}" for name in names) + "   clauses")
    for group, t in tally.items():
        print(
            f"{group:6}{_f1(t, 'bound'):10.1f}{_rate(t, 'act'):10.1f}{_rate(t, 'keep'):10.1f}{_rate(t, 'kept'):10.1f}"
            f"{_rate(t, 'clean'):10.1f}{_f1(t, 'value'):10.1f}{_rate(t, 'attribute'):10.1f}   {t['act_all']:,}"
        )
    print("\nact           right  of      taken for")
    for act, found in sorted(acts.items(), key=lambda one: -sum(one[1].values())):
        wrong = ", ".join(f"{name} {n}" for name, n in found.most_common(4) if name != act)
        print(f"{act:12}{100 * found[act] / sum(found.values()):7.1f}  {sum(found.values()):5}   {wrong}")


def _row(model: Model, one: ex.Cut, t: Counter[str]) -> None:
    spans = [span for span in one.spans if span[1] > span[0]]
    gold, made = {s for s, _ in spans[1:]}, {s for s, _ in model.split(one.tokens)[1:]}
    clauses = model.cut(one.tokens, spans, one.before) if spans else []
    t["bound_hit"] += len(gold & made)
    t["bound_gold"] += len(gold)
    t["bound_made"] += len(made)
    for clause, span in zip(one.row.clauses, one.spans, strict=True):
        if span[1] <= span[0]:
            continue
        read = clauses[spans.index(span)]
        t["act"] += read.act == clause.act
        t["act_all"] += 1
        keep = ex.kept(clause)
        t["keep"] += (read.keep > 0) == keep
        t["keep_all"] += 1
        t["kept" if keep else "clean"] += (read.keep > 0) == keep
        t["kept_all" if keep else "clean_all"] += 1
        truth = {(one.tokens[a].start, one.tokens[b - 1].end): c for a, b, c in ex.values_of(one, clause, *span)}
        t["value_gold"] += len(truth)
        t["value_made"] += len(read.values)
        for value in read.values:
            claim = truth.get((value.start, value.end))
            if claim is not None:
                t["value_hit"] += 1
                t["attribute_all"] += 1
                t["attribute"] += value.attribute == ex.attribute_class(claim.attribute)


def _acts(model: Model, one: ex.Cut, acts: dict[str, Counter[str]]) -> None:
    spans = [span for span in one.spans if span[1] > span[0]]
    marked = [clause for clause, span in zip(one.row.clauses, one.spans, strict=True) if span[1] > span[0]]
    for clause, read in zip(marked, model.cut(one.tokens, spans, one.before) if spans else [], strict=True):
        acts[clause.act][read.act] += 1


def _rate(t: Counter[str], name: str) -> float:
    return 100 * t[name] / max(1, t[f"{name}_all"])


def _f1(t: Counter[str], name: str) -> float:
    return 200 * t[f"{name}_hit"] / max(1, t[f"{name}_gold"] + t[f"{name}_made"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "test")
