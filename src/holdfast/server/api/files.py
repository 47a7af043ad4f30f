"""Files that the pack's agent made: which there are, with every version, and their bytes.

A name in a request is only ever compared with the names of files that are there, never made into a path; and a path
that somebody attached to a message is never opened.
"""

from __future__ import annotations

import mimetypes
from urllib.parse import quote

from holdfast.agents.maker import Kept
from holdfast.faculties.aims.files import File, stem
from holdfast.server.endpoint import Ask, Bytes, route
from holdfast.server.problems import Failed
from holdfast.server.shapes import FileOut, FilesOut, FileVersion, Version, iso
from holdfast.session import Session

SHOWN = ("image/png", "image/jpeg", "image/gif", "text/csv", "text/plain")
"""Kinds that a browser may show in place: none of them can carry a script."""


@route("GET", "/api/sessions/{id}/files")
def list_files(ask: Ask, id: str, version: Version | None = None) -> FilesOut:
    """Files of a session with their versions, now or as they were after a version."""
    chat = ask.session(id, "files")
    state = chat.state if version is None else chat.at(version)
    kept = [one for one in _kept(chat) if version is None or one.version <= version]
    return FilesOut(files=[_file(id, file, kept) for file in state.files.newest])


@route("GET", "/api/sessions/{id}/files/{name}")
def fetch_file(ask: Ask, id: str, name: str, version: Version | None = None) -> Bytes:
    """A file as it is now, or as a version of the session made it."""
    kept = [one for one in _kept(ask.session(id, "files")) if one.name == name and version in (None, one.version)]
    if not kept:
        raise Failed(
            404, "unknown-file", "No such file", f"nothing called {name!r} was made here; list the files first"
        )
    kind = _kind(name)
    how = "inline" if kind in SHOWN else "attachment"
    headers = {
        "content-disposition": f"{how}; filename*=UTF-8''{quote(name, safe='')}",
        "content-security-policy": "default-src 'none'; sandbox",
    }
    return Bytes(kept[-1].path.read_bytes(), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind, headers)


def _file(id: str, file: File, kept: list[Kept]) -> FileOut:
    own = [one for one in kept if stem(one.name) == (file.base or stem(file.name))]
    base = f"/api/sessions/{quote(id, safe='')}/files/"
    versions = [
        FileVersion(
            version=one.version,
            time=iso(about.st_mtime),
            size=about.st_size,
            url=f"{base}{quote(one.name, safe='')}?version={one.version}",
        )
        for one in own
        for about in (one.path.stat(),)
    ]
    return FileOut.of(file, kind=_kind(file.name), url=versions[-1].url if versions else None, versions=versions)


def _kind(name: str) -> str:
    return mimetypes.guess_type(name, strict=False)[0] or "application/octet-stream"


def _kept(chat: Session) -> list[Kept]:
    kept = getattr(chat.pack.agent, "kept", None)
    return kept(chat.id) if kept is not None else []
