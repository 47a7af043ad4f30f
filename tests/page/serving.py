"""The server under test, in a process of its own, and the browser to look at it with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2


def chromium() -> str | None:
    """The browser of this machine."""
    names = (os.environ.get("HOLDFAST_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


class Served(NamedTuple):
    """A server that runs."""

    address: str
    api: httpx2.Client
    folder: Path

    def call(self, method: str, path: str, **body: Any) -> Any:
        answer = self.api.request(method, path, json=body or None)
        assert answer.status_code < 300, answer.text
        return answer.json()


@contextmanager
def served(folder: Path, *options: str, **env: str) -> Iterator[Served]:
    """`holdfast serve` on a free port, over a database in the folder."""
    command = [sys.executable, "-m", "holdfast.cli", "serve", "--port", "0", "--store", f"sqlite:///{folder / 'h.db'}"]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, text=True, cwd=folder, env={**os.environ, **env}
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address, said
        with httpx2.Client(base_url=address[0], timeout=30) as api:
            yield Served(address[0], api, folder)
    finally:
        process.terminate()
        process.wait(20)
