"""Running a server: binding, saying where it is, and stopping so that every turn that was begun is finished."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import Any

import msgspec
import uvicorn

from holdfast.errors import InvalidInput
from holdfast.pack import Pack
from holdfast.server.app import Server
from holdfast.server.limits import Bounded
from holdfast.server.settings import Settings

GRACE = 30
"""Seconds that requests get to finish when the server stops."""
PORTS_TRIED = 20
"""How many ports are tried where none was asked for."""


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
                http=Bounded,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.server.live.close()
        await super().shutdown(sockets)


def bind(settings: Settings) -> socket.socket:
    """The port, taken before anything is promised; 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((settings.host, settings.port))
        taken.listen(2048)  # two may bind one port as long as neither listens
    except (OSError, OverflowError) as wrong:
        taken.close()
        why = wrong.strerror if isinstance(wrong, OSError) else "ports go from 0 to 65535"
        raise InvalidInput(
            f"port {settings.port} of {settings.host} cannot be used ({why}); name another with --port"
        ) from None
    return taken


def bind_near(settings: Settings) -> socket.socket:
    """The usual port, or the next that is free."""
    for port in range(settings.port, settings.port + PORTS_TRIED):
        with suppress(InvalidInput):
            return bind(msgspec.structs.replace(settings, port=port))
    return bind(settings)


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    store: str | None = None,
    pack: str = "general",
    *,
    packs: tuple[Pack, ...] = (),
    **more: Any,
) -> None:
    """Serve until told to stop (Ctrl-C or a TERM signal). Without a port it is the usual one, or the next that is free.
    `more` are the other fields of `Settings`."""
    settings = Settings(host=host, store=store, pack=pack, **more)
    if port is not None:
        settings = msgspec.structs.replace(settings, port=port)
    taken = bind_near(settings) if port is None else bind(settings)
    server = Server(settings, packs)
    server.house.warm()
    name = f"[{host}]" if ":" in host else host
    own = taken.getsockname()[1]
    moved = f"port {settings.port} is taken; " if port is None and own != settings.port else ""
    print(f"Holdfast is at http://{name}:{own}/ ({moved}stop with Ctrl-C)", flush=True)
    logging.getLogger("holdfast.server").info("listening on %s", taken.getsockname()[:2])
    Listening(server).run([taken])
