"""What comes with a message beside its text: the code that was executed for it, files, and how it ended."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any


def executed(attached: Mapping[str, Any]) -> str:
    """The code that was executed for a message; the document calls it the memorized part."""
    code = attached.get("code") or attached.get("memorized")
    return code if isinstance(code, str) else ""


def attached_files(attached: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The files of a message, given as paths or as dictionaries with a name or a path; one of them needs no list."""
    files = attached.get("files") or ()
    files = [files] if isinstance(files, (str, Mapping)) else files
    return [{"path": file} if isinstance(file, str) else dict(file) for file in files]


def name(file: Mapping[str, Any]) -> str:
    """What a file is called, on one line: a name must not add lines to the prompt."""
    path = str(file.get("path") or "").replace("\\", "/")
    return " ".join(str(file.get("name") or os.path.basename(path)).split())[:200]


def names(attached: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the attached files."""
    return tuple(found for file in attached_files(attached) if (found := name(file)))


def succeeded(attached: Mapping[str, Any]) -> bool:
    """Whether a message reports something that worked."""
    return attached.get("status", "success") in ("success", "completed", "done", "ok")


def counts(attached: Mapping[str, Any]) -> bool:
    """Whether a message is part of the window: system messages and failed ones are not."""
    return attached.get("role") != "system" and succeeded(attached)
