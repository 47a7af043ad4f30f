"""`holdfast mcp`: tools for a host of the Model Context Protocol, which starts this and talks over stdin and stdout."""

from __future__ import annotations

from argparse import Namespace

from holdfast.session import Holdfast
from holdfast.testing.conversations import find_pack


def run(options: Namespace) -> int:
    from holdfast.adapters.mcp import server

    with Holdfast(options.store, find_pack(options.pack or "general")) as hf:
        server(hf, options.user, options.project).run("stdio")
    return 0
