"""Rows of JSON, one a line, in plain files or packed ones."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def read(path: Path) -> list[Any]:
    opener: Any = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with lzma.open(path, "wt", preset=3, encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
