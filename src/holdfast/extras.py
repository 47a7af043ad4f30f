"""Packages that not everyone needs come as extras (`holdfast[server]`, `holdfast[mcp]` …). Where one is missing, the
error names the command that installs it into the Python that is running."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.errors import MissingExtra


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Around imports: a package that is not there becomes an error that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "holdfast":  # a fault of ours is none of an extra's
            raise
        raise MissingExtra(
            f"{what} needs the package {missing.name}. Install it with: {install_extra(extra)}"
        ) from missing


def install(packages: str) -> str:
    """The command that installs packages into this Python."""
    return f"{_pip()} install {packages}"


def install_extra(extra: str) -> str:
    """The command that installs an extra into this Python; it works for a checkout and for an installed package."""
    return install(f"'holdfast[{extra}]'")


def _pip() -> str:
    """`pip` where that is the pip of this Python, else this Python's own, by the shortest path that names it."""
    from shutil import which  # a turn never needs it

    if os.path.dirname(which("pip") or "") == os.path.dirname(sys.executable):
        return "pip"
    near = os.path.relpath(sys.executable)
    return f"{sys.executable if near.startswith('..') else near} -m pip"
