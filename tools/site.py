"""A hook of mkdocs: the pages that lie at the root of the repository are pages of the site too, and links between them
and docs/ lead to the right place in both."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Files of the root, and what they are called on the site."""
LINK = re.compile(r"\]\((?P<to>[^)#:\s]+)(?P<place>#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    for name, page in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=linked(text, ".")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return markdown if page.file.src_uri in PAGES.values() else linked(markdown, "docs")


def linked(markdown: str, folder: str) -> str:
    """The links of a page that lies in a folder of the repository, as the site needs them."""

    def on_site(link: re.Match[str]) -> str:
        at = normpath(f"{folder}/{link['to']}")
        return f"]({PAGES.get(at, at.removeprefix('docs/'))}{link['place'] or ''})"

    return LINK.sub(on_site, markdown)
