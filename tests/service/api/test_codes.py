"""Codes: the codes that the description lists for an operation are those that its view can raise."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from service.api.codes import NOT_RUNNING, RULES, WAITS
from service.problems import PROBLEMS

from .answers import described_codes
from .source import codes_from, views
from .test_openapi import operations

LEAVES: Mapping[str, Collection[str]] = {
    "service.timekeeping.deadlines.current": ["unknown-game"],  # It also moves for absent seats, and is not refused.
    "service.timekeeping.deadlines.write_overdue": [],
    "service.orders.storing.refresh": [],  # Its codes say why an order was cancelled.
    "service.talk.rooms.rights_of": [],  # It says which rooms a player may write in, and refuses nothing.
    "engine.decide": RULES,
    "engine.advance": RULES,
    "engine.resign": ["game-over", "already-resigned"],
    "engine.start": ["wrong-seats", "bad-option"],
}
_OPENED = ("wrong-seats", "bad-option")
"""Checks that pass when a game is opened, and therefore still pass when it starts."""
_OWN_LISTS = (
    "listGames",
    "findGames",
    "getMyEvents",
    "streamMyEvents",
    "getMyTurns",
    "getMyTalk",
    "listMyOrders",
    "goOnVacation",
    "comeBack",
)
NEVER: Mapping[str, Collection[str]] = {
    **dict.fromkeys(_OWN_LISTS, ("unknown-game",)),  # The store lists only existing games.
    **dict.fromkeys(("getEvents", "streamEvents"), ("token-required",)),  # Only callers with a token are looked up.
    "exportMe": ["unknown-game"],
    "deleteMe": ["unknown-game", "key-reused", "already-resigned", *NOT_RUNNING],  # A game in any state is given up.
    "openGame": ["unknown-game"],  # It was opened by an earlier request with the same key.
    "joinGame": [*_OPENED, "game-not-started", "too-many-open-games"],
    "startGame": _OPENED,
    "acceptInvitation": [*_OPENED, "game-not-started", "game-over", "too-many-open-games", "seat-taken"],
    "declineInvitation": _OPENED,  # A bot may get the seat of a rematch.
    "proposeRematch": [
        *_OPENED,  # The finished game had the same settings.
        "bad-bot",
        "bad-seed",
        "seat-taken",
        "already-seated",
        "game-not-started",
        "game-started",
        "game-cancelled",
        "game-over",
        "invitation-declined",
        "too-many-invitations",
    ],
    "closeSeat": ["bad-option"],
    "seatBot": _OPENED,
    "handOver": ["game-not-started"],
    "cancelGame": ["game-not-started"],
    "getMe": ["seat-with-bot"],  # This is a notice's type.
    "getSentences": [
        "game-started",
        "game-paused",
        "clock-stopped",
        "game-cancelled",
        "seat-taken",
    ],  # Types of events.
    "verifyRecord": ["game-started"],  # This is an event's type.
    "addWebhook": ["unknown-webhook"],
    "pingWebhook": ["unknown-delivery"],
    # Orders for a battle contain only cards to lay.
    "putOrders": {*RULES} - described_codes("/v1/games/{game_id}/orders", "put"),
    "deleteOrders": codes_from("service.orders.changing._checked_orders", LEAVES),
}
"""Codes that occur in an operation's code, but that the operation never returns."""
_BEFORE_VIEWS = {
    "unknown-field",
    "rate-limited",
    "malformed-json",
    "malformed-header",
    "body-too-large",
    "unsupported-media-type",
    "invalid-request",
    "key-reused",
    *WAITS,
}
"""The codes that are raised before a view runs, or by the server."""
VIEWS = dict(views())


def test_every_operation_is_compared() -> None:
    assert {operation["operationId"] for _, _, operation in operations()} == set(VIEWS)
    assert set(NEVER) <= set(VIEWS)


@pytest.mark.parametrize("operation", VIEWS)
def test_the_description_names_the_codes_that_the_code_can_raise(operation: str) -> None:
    path, method = next((path, method) for path, method, one in operations() if one["operationId"] == operation)
    described = described_codes(path, method)
    raised = {code for code in codes_from(VIEWS[operation], LEAVES) if PROBLEMS[code].status < 500}
    assert raised - {*NEVER.get(operation, ())} <= described, "codes are missing in the description"
    assert described <= raised | _BEFORE_VIEWS, "the description lists codes that the code does not raise"
    assert {*NEVER.get(operation, ())} <= raised, "an exception is out of date"


def test_each_code_is_in_the_response_with_its_status() -> None:
    for path, _, operation in operations():
        for status, response in operation["responses"].items():
            codes = [line.split("`")[1] for line in response["description"].splitlines() if line.startswith("* `")]
            assert status.startswith("4") == bool(codes), (path, status)
            assert {str(PROBLEMS[code].status) for code in codes} <= {status}, (path, status)


def test_codes_are_found_in_the_source() -> None:
    assert "not-the-owner" in codes_from(VIEWS["startGame"], LEAVES)
    assert "not-the-owner" not in codes_from(VIEWS["leaveGame"], LEAVES)
