"""Documentation runs: every Python example in README and docs is executed, and prints what it says it prints."""

from __future__ import annotations

import contextlib
import io
import logging
import re
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from tests.server.upstream import upstream

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str, str | None]]:
    found = []
    for page in PAGES:
        blocks = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
        for place, block in enumerate(blocks):
            if block[1] == "python":
                follows = blocks[place + 1] if place + 1 < len(blocks) else None
                output = follows[2] if follows is not None and follows[1] == "text" else None
                found.append((f"{page.name}:{place + 1}", block[2], output))
    return found


@contextlib.contextmanager
def _quiet_again() -> Iterator[None]:
    """An example may turn the log on; the tests after it expect it off."""
    logger = logging.getLogger("holdfast")
    level = logger.level
    try:
        yield
    finally:
        logger.setLevel(level)


@contextlib.contextmanager
def _model(code: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An example that asks a model finds one where its client looks for it."""
    if "OpenAI()" not in code:
        yield
        return
    with upstream() as (address, _):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        monkeypatch.setenv("OPENAI_API_KEY", "a-key")
        yield


@pytest.mark.parametrize(
    ("name", "code", "output"), examples(), ids=lambda value: value if ":" in str(value)[:40] else ""
)
def test_an_example_of_the_documentation_runs(
    name: str, code: str, output: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "holdfast[reader]" in code:
        pytest.importorskip("holdfast_reader_en", reason="the extra 'reader' is not installed")
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), _quiet_again(), _model(code, monkeypatch):
        exec(compile(code, name, "exec"), {"__name__": "example"})
    if output is not None:
        assert printed.getvalue().strip() == output.strip()


def test_there_are_examples() -> None:
    assert len(examples()) >= 3


def test_readme_shows_a_result_within_thirty_lines() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").split("\n")[:30]
    assert "[CONTEXT:" in "\n".join(lines)


def test_the_list_of_abilities_is_that_of_the_code() -> None:
    path = ROOT / "tools" / "list_faculties.py"
    spec = spec_from_file_location("list_faculties", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/list_faculties.py"
