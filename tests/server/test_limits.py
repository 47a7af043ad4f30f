"""What a connection may cost before anybody knows who is there."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import httpx2
import pytest

from holdfast.server import limits
from tests.server.running import served, until


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def opened(address: str, *sends: bytes) -> Iterator[list[socket.socket]]:
    """A connection for each thing to send, which goes no further than that."""
    place = urlsplit(address)
    made = []
    for data in sends:
        line = socket.create_connection((place.hostname, place.port))
        with suppress(OSError):  # it may be refused while we send
            line.sendall(data)
        made.append(line)
    yield made
    for line in made:
        line.close()


def posting(path: str, length: int) -> bytes:
    """The head of a request with a body."""
    lines = (f"POST {path} HTTP/1.1", "host: 127.0.0.1", "content-type: application/json", f"content-length: {length}")
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def ended(line: socket.socket) -> bytes:
    """What the server said before it closed the connection."""
    line.settimeout(30)
    said = b""
    with suppress(ConnectionError):
        while data := line.recv(65536):
            said += data
    return said


def test_headers_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    many = b"".join(b"x-%d: y\r\n" % number for number in range(5000))
    with served() as address:
        endless = [
            b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 300_000,
            b"GET / HTTP/1.1\r\nhost: x\r\n" + many,
            b"GET /" + b"y" * 300_000,
            b"GET / HTTP/1.1\r\nhost: x\r\n" + b"x: " + b"y" * 70_000 + b"\r\n\r\n",
        ]
        with opened(address, *endless) as lines:
            for line in lines:
                assert ended(line)[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400", b"")
        assert httpx2.get(f"{address}/healthz").status_code == 200


def test_a_hundred_megabytes_of_headers_are_not_taken_in() -> None:
    with served() as address, opened(address, b"GET / HTTP/1.1\r\nhost: x\r\n") as (line,):
        sent, piece = 0, b"x: " + b"y" * 60_000 + b"\r\n"
        line.settimeout(30)
        with suppress(OSError):
            while sent < 100_000_000:
                line.sendall(piece)
                sent += len(piece)
        assert sent < 50_000_000  # what lies in the buffers of the system beside the limit


def test_what_is_half_sent_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("HEAD_SECONDS", 0.2), ("BODY_SECONDS", 0.2), ("LOOK", 0.05)):
        monkeypatch.setattr(limits, name, seconds)
    head = b"POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    with served() as address, opened(address, b"", head, head + b'content-length: 9\r\n\r\n{"id"') as lines:
        said = [ended(line)[:12] for line in lines]
    assert said == [b"", b"HTTP/1.1 408", b"HTTP/1.1 408"]


@pytest.mark.parametrize("path", ["/api/sessions", "/api/archive", "/v1/chat/completions"])
def test_a_body_without_a_key_is_refused_before_it_is_taken_in(path: str) -> None:
    head = posting(path, 3_999_999)
    with served(keys=("acme:read+write:acme-token-0123456789",)) as address, opened(address, head) as (line,):
        line.settimeout(30)
        assert line.recv(12) == b"HTTP/1.1 401"


def test_bodies_that_are_not_whole_are_held_up_to_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODIES", 2000)
    head = posting("/api/sessions", 9000)
    with served() as address, opened(address, head + b"x" * 900, head + b"x" * 600) as lines:
        with opened(address, head + b"x" * 1500) as (largest,):
            assert ended(largest)[:12] == b"HTTP/1.1 503"
        assert httpx2.post(f"{address}/api/sessions", json={"id": "s"}).status_code == 201
        for line in lines:
            line.settimeout(0.2)
            with pytest.raises(TimeoutError):  # it may go on
                line.recv(1)


@pytest.mark.parametrize("path", ["/api/sessions", "/v1/chat/completions"])
def test_who_leaves_in_the_middle_of_a_body_is_no_fault_of_ours(path: str, caplog: pytest.LogCaptureFixture) -> None:
    head = posting(path, 9) + b"{"
    with served() as address:
        with opened(address, head):
            pass
        until(lambda: 'status="400"' in httpx2.get(f"{address}/metrics").text)
    assert caplog.text == ""


def test_a_thousand_that_send_nothing_whole_keep_nobody_out() -> None:
    half = [
        b"",
        b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"y" * 10_000,
        b"POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        b"content-length: 99\r\n\r\n{",
    ]
    with served(rate=0) as address, httpx2.Client(base_url=address) as client:
        client.post("/api/sessions", json={"id": "s"})
        with opened(address, *(half * 250)):
            for number in range(30):
                heard = client.post("/api/sessions/s/hear", json={"text": f"message {number}"})
                assert heard.status_code == 200
                assert httpx2.get(f"{address}/healthz").status_code == 200
            metrics = client.get("/metrics").text
        assert "holdfast_requests_total" in metrics


def test_only_so_many_unfinished_connections_of_an_address_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNFINISHED", 10)
    kept: list[limits.Bounded] = []
    made = limits.Bounded.connection_made

    def counted(self: limits.Bounded, transport: object) -> None:
        kept.append(self)
        made(self, transport)  # type: ignore[arg-type]

    monkeypatch.setattr(limits.Bounded, "connection_made", counted)
    with served() as address, opened(address, *[b"GET / HTTP/1.1\r\n"] * 40) as lines:
        until(lambda: len(kept) == 40)
        until(lambda: sum(not each.transport.is_closing() for each in kept) <= 10)
        assert [ended(line) for line in lines[:30]] == [b""] * 30
