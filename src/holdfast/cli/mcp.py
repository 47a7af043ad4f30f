"""`holdfast mcp`: tools for a host of the Model Context Protocol, which starts this and talks over stdin and stdout."""

from __future__ import annotations

from argparse import Namespace

from holdfast.errors import InvalidInput
from holdfast.session import Holdfast
from holdfast.testing.conversations import find_pack


def run(options: Namespace) -> int:
    try:
        from holdfast.adapters.mcp import server
    except ImportError as missing:
        raise InvalidInput(f"the tools need their package: pip install 'holdfast[mcp]' ({missing})") from None
    with Holdfast(options.store, find_pack(options.pack or "general")) as hf:
        server(hf, options.user, options.project).run("stdio")
    return 0
