"""Hooks of schemathesis for `make hostile`: the caller's token and the headers of its requests. See `__main__.py`."""

from __future__ import annotations

import itertools
import os
from typing import Any

import requests
import schemathesis

from service.api.parameters import IDEMPOTENCY_KEY, SECRET_KEY

TOKENS_OF_THEIR_OWN = {"replaceToken", "revokeToken", "deleteMe"}
"""Operations after which the token that was sent is no longer valid."""
SHOWN_KEYS = {IDEMPOTENCY_KEY["example"], SECRET_KEY["example"]}
LONGEST_WAIT = 1
"""The maximum number of seconds that a long poll waits, so that the run does not mainly consist of waiting."""

STREAMS = {
    "/v1/games/{game_id}/events/stream": "/v1/games/{game_id}/events",
    "/v1/me/events/stream": "/v1/me/events",
}
"""The paths of streams, each with the path that sends the same events as JSON."""

_numbers = itertools.count()


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Describe each event of a stream, so that the events are checked like the commits in a JSON response.

    OpenAPI 3.1 cannot describe them, but schemathesis applies the schema of a stream to each of its events.
    """
    for path, of_events in STREAMS.items():
        answers = [raw_schema["paths"][one]["get"]["responses"]["200"]["content"] for one in (path, of_events)]
        commits = answers[1]["application/json"]["schema"]["$ref"] + "/properties/commits/items"
        commit = {"contentMediaType": "application/json", "contentSchema": {"$ref": commits}}
        answers[0]["text/event-stream"]["schema"] = {
            "type": "object",
            "required": ["event", "data"],
            "properties": {"event": {"enum": ["message", "end"]}},
            "if": {"properties": {"event": {"const": "end"}}},
            "then": {"properties": {"data": {"const": "{}"}}},
            "else": {"required": ["id"], "properties": {"data": commit}},
        }


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Shorten valid waits in every phase of a run."""
    if case.query and str(wait := case.query.get("wait")).isdigit() and LONGEST_WAIT < int(wait) <= 60:
        case.query["wait"] = LONGEST_WAIT


@schemathesis.auth(refresh_interval=None)
class Caller:
    """Sends one player's token, or a new player's token to an operation that invalidates it."""

    def get(self, case: Any, context: Any) -> str:
        """Return the token for a request."""
        if case.operation.definition.raw["operationId"] in TOKENS_OF_THEIR_OWN:
            return new_token(os.environ["HOSTILE_URL"])
        return os.environ["HOSTILE_TOKEN"]

    def set(self, case: Any, data: str, context: Any) -> None:
        """Send the token with a request, and a new key in place of the one in the description.

        With the same key, many requests would count as repetitions, and get an earlier response whatever their If-Match
        is.
        """
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}
        if case.headers.get("Idempotency-Key") in SHOWN_KEYS:
            case.headers["Idempotency-Key"] = f"request-{os.getpid()}-{next(_numbers):022}"


def new_token(url: str) -> str:
    """Register a player and return the token."""
    answer = requests.post(f"{url}/v1/players", json={"name": f"h{os.getpid()}-{next(_numbers)}"}, timeout=10)
    answer.raise_for_status()
    token: str = answer.json()["token"]
    return token
