"""Predictions for public-dialogue tasks, made the way a user would get them: history goes through hear and say, the
answer is read from the Turn or the memory.

    python benchmarks/predict.py TASK [FILE] [--tier linear|encoder] < inputs.jsonl > predictions.jsonl

Each task is one file in benchmarks/tasks with `predict(row, extra)`, where `extra` is what `prepare(path)` of the same
file made of the second argument (None without one). `--tier` is `Holdfast(reader=…)` of every engine that a task makes.
"""

from __future__ import annotations

import importlib
import json
import sys
from functools import partial
from pathlib import Path

import holdfast

HERE = Path(__file__).parent


def main(arguments: list[str]) -> None:
    if "--tier" in arguments:
        place = arguments.index("--tier")
        holdfast.Holdfast = partial(holdfast.Holdfast, reader=arguments[place + 1])  # type: ignore[misc,assignment]
        del arguments[place : place + 2]
    tasks = sorted(path.stem for path in (HERE / "tasks").glob("[a-z]*.py"))
    if not arguments or arguments[0] not in tasks:
        sys.exit(f"usage: predict.py TASK [FILE] < inputs.jsonl\ntasks: {', '.join(tasks)}")
    sys.path.insert(0, str(HERE))
    task = importlib.import_module(f"tasks.{arguments[0]}")
    extra = task.prepare(Path(arguments[1])) if len(arguments) > 1 else None
    rows = [json.loads(line) for line in sys.stdin if line.strip()]
    for number, row in enumerate(rows, start=1):
        print(json.dumps({"id": row["id"], **task.predict(row, extra)}, ensure_ascii=False))
        if sys.stderr.isatty() and number % 20 == 0:
            print(f"\r{arguments[0]} {number}/{len(rows)}", end="", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
