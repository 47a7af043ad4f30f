"""Commands that serve: `serve` over HTTP, `mcp` to a host of the Model Context Protocol."""

from __future__ import annotations

import os
from argparse import Namespace

from holdfast.cli.terminal import holdfast
from holdfast.models import endpoints as models
from holdfast.testing.conversations import find_pack

FIRST = "vibehuntr"
"""The pack that the page opens with where none is named: the one whose memory one sees at once."""


def serve(options: Namespace) -> int:
    """The HTTP door on a port of this machine, until it is told to stop."""
    from holdfast import server
    from holdfast.server.auth import keys_from

    own = find_pack(options.pack) if ".py" in (options.pack or "") else None
    local = models.Local() if "local" in (options.model, options.second_opinion) else None  # lives with the server

    def model(where: str | None) -> models.Upstream | None:
        return local.upstream if local and where == "local" else models.upstream(where, options.model_name)

    server.serve(
        options.host,
        options.port,
        options.store,
        own.name if own else options.pack or "general",
        packs=(own,) if own else (),
        opens=own.name if own else options.pack or FIRST,
        keys=keys_from(os.environ, options.keys),
        upstream=model(options.model),
        second_opinion=model(options.second_opinion) if options.second_opinion else None,
        reader=options.reader,
        opinions_per_hour=options.opinions_per_hour,
        on_loop=options.on_loop,
    )
    return 0


def mcp(options: Namespace) -> int:
    """Tools for a host of the Model Context Protocol, which starts this and talks over stdin and stdout."""
    from holdfast.adapters.mcp import server

    with holdfast(options, must_exist=False) as hf:
        server(hf, options.user, options.project).run("stdio")
    return 0
