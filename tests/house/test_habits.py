"""How the project is worked on: versions that agree, one command that checks everything, pages that can be found."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import holdfast

ROOT = Path(__file__).parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def test_the_version_is_the_same_everywhere() -> None:
    assert tomllib.loads(text("pyproject.toml"))["project"]["version"] == holdfast.__version__


def test_the_changelog_begins_with_this_version_or_with_the_next_one() -> None:
    top = re.search(r"^## ([\d.]+) \((unreleased|\d{4}-\d\d-\d\d)\)$", text("CHANGELOG.md"), re.MULTILINE)
    assert top is not None
    version, when = number(top[1]), number(holdfast.__version__)
    assert version > when if top[2] == "unreleased" else version == when


def test_the_upgrade_notes_tell_of_the_release_that_the_changelog_begins_with() -> None:
    major, minor, *_ = re.findall(r"^## (\d+)\.(\d+)", text("CHANGELOG.md"), re.MULTILINE)[0]
    assert re.search(rf"^## From [\d.]+ to {major}\.{minor}$", text("docs/upgrading.md"), re.MULTILINE)


def test_the_workflow_runs_the_command_of_the_readme_on_both_kinds_of_machine() -> None:
    workflow = text(".github/workflows/test.yml")
    commands = re.findall(r"- run: (.+)", workflow)
    assert commands == ["make test"]
    assert "`make test`" in text("README.md")
    assert "machine: [ubuntu-24.04, ubuntu-24.04-arm]" in workflow


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_a_page_of_the_documentation_is_in_the_site(page: str) -> None:
    assert re.search(rf": {re.escape(page)}$", text("mkdocs.yml"), re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(holdfast.__all__) - {"AsyncHoldfast", "HoldfastError"}))
def test_a_public_name_is_in_the_reference(name: str) -> None:
    assert re.search(rf"^::: holdfast\.\w+\.{name}$", text("docs/reference.md"), re.MULTILINE)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/releasing.md"])
def test_what_a_page_for_contributors_names_is_there(page: str) -> None:
    for path in re.findall(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:md|toml|yml))`", text(page)):
        if "<" not in path and "build/" not in path and not path.startswith("/"):
            assert [*ROOT.glob(path), *(ROOT / "src/holdfast").glob(path)], path
