"""The OpenAPI description is true: random requests made from it get answers that it describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks
from starlette.testclient import TestClient

from holdfast.server import Server, Settings, openapi
from holdfast.server.api import ENDPOINTS
from tests.server.running import served

DESCRIPTION = openapi.describe(ENDPOINTS)
STREAM = DESCRIPTION["paths"].pop("/api/sessions/{id}/events")  # it has no end; tests/server/test_live.py reads it
ARCHIVE = "/api/archive"  # lines of JSON and no JSON; tests/server/test_archives.py has it
ASKED = {path: methods for path, methods in DESCRIPTION["paths"].items() if path != ARCHIVE}
schema = schemathesis.openapi.from_dict({**DESCRIPTION, "paths": ASKED})
schema.config.phases.coverage.enabled = False  # hundreds of requests each; the random ones below are enough for a test
schema.config.phases.examples.enabled = False
schema.config.checks.negative_data_rejection.expected_statuses.append("413")  # a text may also be too long for us
CHECKS = [
    checks.not_a_server_error,
    schemathesis.checks.CHECKS.get_one("status_code_conformance"),
    schemathesis.checks.CHECKS.get_one("content_type_conformance"),
    schemathesis.checks.CHECKS.get_one("response_schema_conformance"),
    schemathesis.checks.CHECKS.get_one("negative_data_rejection"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(pack="general") as address, httpx2.Client() as client:
        client.post(f"{address}/api/sessions", json={"id": "s-1"})
        yield address


def random_requests(count: int) -> settings:
    return settings(max_examples=count, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@schema.parametrize()
@random_requests(3)
def test_every_answer_is_as_described(case: Any, address: str) -> None:
    _as_described(case, address)


@pytest.mark.sweep
@schema.parametrize()
@random_requests(50)
def test_every_answer_to_many_requests_is_as_described(case: Any, address: str) -> None:
    _as_described(case, address)


def _as_described(case: Any, address: str) -> None:
    if "id" in (case.path_parameters or {}) and len(str(case.path_parameters["id"])) % 2:
        case.path_parameters["id"] = "s-1"  # half of all requests should reach something
    response = case.call(base_url=address)
    if response.status_code == 501:  # said of packs that cannot do this; it is no fault
        assert response.json()["type"] == "urn:holdfast:problem:not-supported"
    else:
        case.validate_response(response, checks=CHECKS)


def test_every_function_of_the_api_is_described() -> None:
    described = {(method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods}
    assert described == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}
    for endpoint in ENDPOINTS:
        assert endpoint.summary


@pytest.mark.parametrize("path", ["/healthz", "/openapi.json", "/docs"])
def test_the_description_needs_no_key(path: str) -> None:
    locked = Server(Settings(keys=("acme:read:0123456789abcdef",)))
    with TestClient(locked.app, base_url="http://127.0.0.1") as client:
        assert client.get(path).status_code == 200
        assert client.get("/api/sessions").status_code == 401
