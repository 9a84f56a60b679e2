"""The OpenAPI document: puts shared parts in its components, and creates a second variant without webhooks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..problems import MEDIA_TYPE
from .answers import ETAG, LOCATION, PROBLEM_HEADERS, RATE_LIMITS, REPLAYED
from .parameters import NAMED
from .requests import REQUEST_ID

Json = dict[str, Any]

PATH, WITHOUT_WEBHOOKS = "/openapi.json", "/openapi-without-webhooks.json"
"""The URL paths of the document and of the variant without webhooks."""
SERVERS = [{"url": "/", "description": "The service from which you got this document."}]

SCOPE = "x-scope"
"""The member of an operation that names the scope a token needs. OpenAPI's `security` cannot list scopes of bearer
tokens."""

_HEADERS: Mapping[str, Json] = {
    "GameETag": ETAG["ETag"],
    **{
        name.replace("-", ""): header
        for headers in (LOCATION, RATE_LIMITS, REPLAYED, REQUEST_ID, *PROBLEM_HEADERS.values())
        for name, header in headers.items()
    },
}
_PROBLEMS = {
    ("malformed-json", "malformed-header"): "Malformed",
    ("token-required", "token-unknown", "token-expired"): "Unauthorized",
    ("token-unknown", "token-expired"): "TokenRefused",
    ("scope-missing", "suspended"): "Forbidden",
    ("scope-missing", "suspended", "not-seated"): "ForbiddenOrNotSeated",
    ("scope-missing", "suspended", "not-seated", "not-your-seat"): "ForbiddenOrNotYourSeat",
    ("unknown-game", "unknown-version"): "UnknownGameOrVersion",
    ("unknown-edition", "unknown-clause"): "UnknownEditionOrClause",
    ("unknown-webhook", "unknown-delivery"): "UnknownWebhookOrDelivery",
    ("invalid-request", "unknown-field"): "Invalid",
    ("invalid-request", "unknown-field", "key-reused"): "InvalidOrKeyReused",
    ("rate-limited", "too-many-own-waits"): "RateLimitedOrTooManyOwnWaits",
}
"""For each combination of codes that several operations share, the name of the shared response."""


def shared(document: Json) -> Json:
    """Return a document whose components contain the parameters, headers and problems that operations share.

    The description of each operation also names the scope that a token needs.
    """
    components = document["components"]
    for path in document["paths"].values():
        for name, operation in path.items():
            if name == "parameters":
                path[name] = _parameters(components, operation)
                continue
            operation["description"] = "\n\n".join(filter(None, [operation.get("description"), _scope(operation)]))
            operation["parameters"] = _parameters(components, operation.get("parameters", []))
            for status, response in operation["responses"].items():
                _share_headers(components, response)
                operation["responses"][status] = _response(components, response)
    for response in components["responses"].values():
        _share_headers(components, response)
    return document


def without_webhooks(document: Mapping[str, Any]) -> Json:
    """Return a document without `webhooks`, without their tag, and without the schemas that only webhooks use."""
    result = {name: part for name, part in document.items() if name != "webhooks"}
    of_webhooks = {tag for item in document["webhooks"].values() for tag in item["post"]["tags"]}
    result["tags"] = [tag for tag in document["tags"] if tag["name"] not in of_webhooks]
    schemas, used = document["components"]["schemas"], set[str]()
    found = {*_schemas_in({**result, "components": {**document["components"], "schemas": {}}})}
    while found:
        used |= found
        found = {*_schemas_in([schemas[name] for name in found])} - used
    result["components"] = {
        **document["components"],
        "schemas": {name: schema for name, schema in schemas.items() if name in used},
    }
    return result


def _scope(operation: Json) -> str:
    """Return a sentence about the token that an operation needs."""
    if SCOPE not in operation:
        return "This operation needs no token."
    if {} in operation["security"]:
        return f"A token is optional. If you send one, it must have the scope `{operation[SCOPE]}`."
    return f"Requires a token with the scope `{operation[SCOPE]}`."


def _parameters(components: Json, parameters: list[Json]) -> list[Json]:
    return [_reference(components, "parameters", NAMED, parameter) for parameter in parameters]


def _share_headers(components: Json, response: Json) -> None:
    for name, header in response.get("headers", {}).items():
        response["headers"][name] = _reference(components, "headers", _HEADERS, header)


def _response(components: Json, response: Json) -> Json:
    """Return a reference if the response is a named problem, and the response unchanged otherwise."""
    if MEDIA_TYPE not in response.get("content", {}):
        return response
    codes = tuple(re.findall(r"^\* `(.*?)`", response["description"], re.MULTILINE))
    name = "".join(word.capitalize() for word in codes[0].split("-")) if len(codes) == 1 else _PROBLEMS.get(codes)
    return response if name is None else _reference(components, "responses", {name: response}, response)


def _reference(components: Json, kind: str, parts: Mapping[str, Json], part: Json) -> Json:
    """Return a reference if the part has a name, and the part itself otherwise."""
    name = next((name for name, value in parts.items() if value == part), None)
    if name is None:
        return part
    components.setdefault(kind, {}).setdefault(name, part)
    return {"$ref": f"#/components/{kind}/{name}"}


def _schemas_in(part: Any) -> Iterator[str]:
    """Yield the name of each schema that a part of a document refers to."""
    if isinstance(part, Mapping):
        for name, value in part.items():
            if name == "$ref" or (isinstance(value, str) and value.startswith("#/components/schemas/")):
                yield from re.findall(r"^#/components/schemas/(.+)", str(value))
            else:
                yield from _schemas_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from _schemas_in(value)
