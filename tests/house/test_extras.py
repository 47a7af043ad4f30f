"""An extra that is not installed: the import itself says which command brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from holdfast.errors import MissingExtra
from holdfast.extras import install_extra, needs

WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
try:
    import {module}
except ImportError as wrong:
    print(wrong)
"""


@pytest.mark.parametrize(
    ("module", "extra", "packages"),
    [
        ("holdfast.adapters.adk", "adk", ["google"]),
        ("holdfast.adapters.mcp", "mcp", ["mcp"]),
        ("holdfast.server", "server", ["starlette", "uvicorn"]),
    ],
)
def test_an_import_without_its_extra_says_the_command(module: str, extra: str, packages: list[str]) -> None:
    code = WITHOUT.format(module=module, packages=packages)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith(f"Install it with: {install_extra(extra)}")


def test_a_command_without_its_extra_says_the_command_in_one_line() -> None:
    code = WITHOUT.partition("try:")[0].format(packages=["rich"]) + "from holdfast.cli import main; main(['sessions'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == f"holdfast: This command needs the package rich. Install it with: {install_extra('cli')}\n"


def test_a_fault_of_ours_is_not_taken_for_a_missing_package() -> None:
    with pytest.raises(ModuleNotFoundError) as told, needs("mcp", "This"):
        import holdfast.nowhere  # type: ignore[import-not-found]  # noqa: F401
    assert not isinstance(told.value, MissingExtra)
