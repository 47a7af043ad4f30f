"""What comes with a message beside its text: the code that was executed for it, files, and how it ended."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any


def executed(attached: Mapping[str, Any]) -> str:
    """The code that was executed for a message; the document calls it the memorized part."""
    code = attached.get("code") or attached.get("memorized")
    return code if isinstance(code, str) else ""


def names(files: Any) -> tuple[str, ...]:
    """The names of attached files, given as paths or as dictionaries with a name or a path."""
    found: list[str] = []
    for file in files or ():
        path = file if isinstance(file, str) else str(file.get("name") or file.get("path") or "")
        if path:
            found.append(os.path.basename(path.replace("\\", "/")))
    return tuple(found)


def succeeded(attached: Mapping[str, Any]) -> bool:
    """Whether a message reports something that worked."""
    return attached.get("status", "success") in ("success", "completed", "done", "ok")


def counts(attached: Mapping[str, Any]) -> bool:
    """Whether a message is part of the window: system messages and failed ones are not."""
    return attached.get("role") != "system" and succeeded(attached)
