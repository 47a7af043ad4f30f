"""Running a server: binding, saying where it is, and stopping so that every turn that was begun is finished."""

from __future__ import annotations

import logging
import socket
from typing import Any

import uvicorn

from holdfast.errors import InvalidInput
from holdfast.pack import Pack
from holdfast.server.app import Server
from holdfast.server.settings import Settings

GRACE = 30
"""Seconds that requests get to finish when the server stops."""


class Listening(uvicorn.Server):
    """Uvicorn, with live views closed first: they would never end by themselves."""

    def __init__(self, server: Server) -> None:
        self.server = server
        settings = server.settings
        super().__init__(
            uvicorn.Config(
                server.app,
                host=settings.host,
                port=settings.port,
                access_log=False,  # paths hold names of people and sessions; /metrics counts instead
                log_level="warning",
                server_header=False,
                timeout_graceful_shutdown=GRACE,
                timeout_keep_alive=30,
                h11_max_incomplete_event_size=64 * 1024,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.server.stop_viewing()
        await super().shutdown(sockets)


def bind(settings: Settings) -> socket.socket:
    """The port, taken before anything is promised; 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((settings.host, settings.port))
    except OSError as wrong:
        taken.close()
        raise InvalidInput(
            f"port {settings.port} of {settings.host} cannot be used ({wrong.strerror}); name another with --port"
        ) from None
    return taken


def serve(
    host: str = "127.0.0.1",
    port: int = 8765,
    store: str | None = None,
    pack: str = "general",
    *,
    packs: tuple[Pack, ...] = (),
    **more: Any,
) -> None:
    """Serve until told to stop (Ctrl-C or a TERM signal). `more` are the other fields of `Settings`."""
    settings = Settings(host=host, port=port, store=store, pack=pack, **more)
    taken = bind(settings)
    server = Server(settings, packs)
    name = f"[{host}]" if ":" in host else host
    print(f"Holdfast is at http://{name}:{taken.getsockname()[1]}/ (stop with Ctrl-C)", flush=True)
    logging.getLogger("holdfast.server").info("listening on %s", taken.getsockname()[:2])
    Listening(server).run([taken])
