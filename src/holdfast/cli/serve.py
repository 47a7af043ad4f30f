"""`holdfast serve`: the HTTP door on a port of this machine, until it is told to stop."""

from __future__ import annotations

import os
from argparse import Namespace

from holdfast import models
from holdfast import pack as packs
from holdfast.errors import InvalidInput


def run(options: Namespace) -> int:
    try:
        from holdfast.server import serve
        from holdfast.server.auth import keys_from
    except ImportError as missing:
        raise InvalidInput(f"the server needs its packages: pip install 'holdfast[server]' ({missing})") from None
    own = packs.from_file(options.pack) if (options.pack or "").endswith(".py") else None
    local = models.Local() if options.model == "local" else None  # lives as long as the server
    serve(
        options.host,
        options.port,
        options.store,
        own.name if own else options.pack or "general",
        packs=(own,) if own else (),
        keys=keys_from(os.environ, options.keys),
        upstream=local.upstream if local else models.upstream(options.model, options.model_name),
        on_loop=options.on_loop,
    )
    return 0
