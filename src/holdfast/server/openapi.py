"""The OpenAPI description, read off the signatures of the API's functions."""

from __future__ import annotations

import inspect
from http import HTTPStatus
from typing import Any

import msgspec

import holdfast
from holdfast.server.endpoint import LINES, Bytes, Endpoint, Events, Lines
from holdfast.server.problems import Problem

EVENT = {"type": "object", "required": ["data"], "properties": {"data": {"type": "string"}}}
"""One server-sent event; its data is JSON."""
ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "What is written under a key is written once, however often it is sent.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
"""A header that every writing request takes."""
OTHER = {
    Lines: (LINES, {"type": "string"}),
    Events: ("text/event-stream", EVENT),
    Bytes: ("*/*", {"type": "string", "format": "binary"}),
}
"""Results that are no JSON: their media types and what they are."""
REF = "#/components/schemas/{name}"


def describe(endpoints: list[Endpoint]) -> dict[str, Any]:
    kinds: list[Any] = [Problem]
    for endpoint in endpoints:
        kinds += [p.kind for p in endpoint.parameters]
        kinds += [kind for kind in (endpoint.body, endpoint.result) if kind not in (None, Lines, Bytes, Events)]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    known = list(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, known)
    paths["/api/sessions/{id}/events"] = {"get": _events()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Holdfast",
            "version": holdfast.__version__,
            "summary": "Conversation context for agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"key": []}],
    }


def _schema(kind: Any, known: list[tuple[Any, dict[str, Any]]]) -> dict[str, Any]:
    return next(schema for each, schema in known if each is kind or each == kind)


def _operation(endpoint: Endpoint, known: list[tuple[Any, dict[str, Any]]]) -> dict[str, Any]:
    operation = _described(
        endpoint.name,
        endpoint.summary,
        endpoint.scope,
        {str(status): _result(endpoint, status, known) for status in endpoint.statuses},
        [*(_parameter(p, known) for p in endpoint.parameters), *([] if endpoint.scope == "read" else [ONCE])],
    )
    if endpoint.takes_lines:
        operation["requestBody"] = {"content": {LINES: {"schema": {"type": "string"}}}}
    elif endpoint.body is not None:
        content = {"application/json": {"schema": _schema(endpoint.body, known)}}
        needed = any(field.required for field in msgspec.structs.fields(endpoint.body))
        operation["requestBody"] = {"required": needed, "content": content}
    return operation


def _parameter(parameter: Any, known: list[tuple[Any, dict[str, Any]]]) -> dict[str, Any]:
    needed = parameter.default is inspect.Parameter.empty
    schema = dict(_schema(parameter.kind, known))
    if not needed and parameter.default is not None:
        schema["default"] = parameter.default
    return {"name": parameter.name, "in": parameter.place, "required": needed, "schema": schema}


def _result(endpoint: Endpoint, status: int, known: list[tuple[Any, dict[str, Any]]]) -> dict[str, Any]:
    kind, schema = OTHER.get(endpoint.result) or ("application/json", _schema(endpoint.result, known))
    return {"description": HTTPStatus(status).phrase, "content": {kind: {"schema": schema}}}


def _described(
    name: str, summary: str, scope: str, results: dict[str, Any], parameters: list[dict[str, Any]]
) -> dict[str, Any]:
    problem = {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}}
    wrong = {"description": "What went wrong", "content": problem}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": parameters,
        "x-scope": scope,
        "responses": {**results, "default": wrong},
    }


def _events() -> dict[str, Any]:
    text = {"schema": {"type": "string"}}
    return _described(
        "events",
        "Live: the state first, then every change, as server-sent events.",
        "read",
        {"200": {"description": "OK", "content": {"text/event-stream": {"schema": EVENT}}}},
        [
            {"name": "id", "in": "path", "required": True, **text},
            {"name": "Last-Event-ID", "in": "header", "required": False, **text},
        ],
    )
