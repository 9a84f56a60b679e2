"""Hooks of schemathesis for `make hostile`: who the caller is, and what it asks for. See hostile.py."""

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
"""Seconds that a long poll waits at most, so that the run does not consist of waiting."""

_numbers = itertools.count()


@schemathesis.hook
def map_query(context: Any, query: Any) -> Any:
    """Shorten valid waits."""
    if query and isinstance(wait := query.get("wait"), int) and LONGEST_WAIT < wait <= 60:
        query["wait"] = LONGEST_WAIT
    return query


@schemathesis.auth(refresh_interval=None)
class Caller:
    """Sends one player's token, and a new player's to an operation that uses the token up."""

    def get(self, case: Any, context: Any) -> str:
        """Return the token for a request."""
        if case.operation.definition.raw["operationId"] in TOKENS_OF_THEIR_OWN:
            return new_token(os.environ["HOSTILE_URL"])
        return os.environ["HOSTILE_TOKEN"]

    def set(self, case: Any, data: str, context: Any) -> None:
        """Send the token with a request, and a key of its own in place of the one that the description shows.

        Otherwise many requests would repeat an earlier one, whose answer is sent again whatever If-Match says.
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
