"""python -m holdfast.server --port 8765 --store sqlite:///chat.db --pack general"""

from __future__ import annotations

import argparse
import os
import sys

from holdfast import models
from holdfast.errors import HoldfastError
from holdfast.server.auth import keys_from
from holdfast.server.serving import serve


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m holdfast.server", description="Serve conversations over HTTP.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; others than loopback need keys")
    parser.add_argument("--port", type=int, default=8765, help="0 takes any free port")
    parser.add_argument("--store", help="sqlite:///chat.db or postgresql://…; by default in memory")
    parser.add_argument("--pack", default="general", help="pack of sessions that name none")
    parser.add_argument("--keys", metavar="FILE", help="TOML file of keys, beside HOLDFAST_KEYS")
    parser.add_argument("--model", metavar="WHERE", help="local, openai, gemini, ollama, or the address of an endpoint")
    parser.add_argument("--model-name", help="name of the model at that endpoint; by default the pack's")
    parser.add_argument("--on-loop", choices=("warn", "retry", "replace"), default="warn")
    return parser


def main() -> int:
    given = arguments().parse_args()
    try:
        if given.model == "local":
            local = models.Local()  # lives as long as this function
            upstream: models.Upstream | None = local.upstream
        else:
            upstream = models.upstream(given.model, given.model_name)
        serve(
            given.host,
            given.port,
            given.store,
            given.pack,
            keys=keys_from(os.environ, given.keys),
            upstream=upstream,
            on_loop=given.on_loop,
        )
    except HoldfastError as wrong:
        print(f"holdfast: {wrong}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
