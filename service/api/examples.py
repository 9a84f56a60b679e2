"""Examples for the reference: one small game, played by the engine, shown as the service shows it.

They are made by the code that answers, so that they cannot drift from it.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from engine import (
    CONSTRUCTION,
    DEFAULT,
    EDITIONS,
    SeededChance,
    advance,
    commitment,
    edition,
    legal_commands,
    replay,
    start,
)

from ..comparing import compare
from ..game import Commit, rebuild, to_records
from ..health import Readiness
from ..showing import show_commits, show_game, show_summary
from ..showing_editions import show_bots, show_edition, show_edition_summary
from ..showing_webhooks import show_delivery, show_webhook, show_with_secret
from ..table import BotSeated, SeatTaken, TableCancelled, TableEvent, TableOpened, to_record
from ..webhooks.kinds import KINDS, PING
from ..webhooks.subscriptions import Webhook

SEED = bytes(range(32))
ENTROPY = "c0ffee"
PLAYER = {"id": "p07k3v9xq2mza", "name": "Caterina"}
GAME_ID = "17h8q2v5c0mzk4r9td"
OPENED_AT = 1_795_000_000_000
MOVES = 5


def _commit(seq: int, by: str, records: list[dict[str, Any]]) -> Commit:
    return {
        "seq": seq,
        "at": OPENED_AT + 60_000 * seq,
        "by": by,
        "key": f"example-{seq}",
        "fingerprint": "",
        "revision": 1,
        "events": records,
    }


def _opening() -> list[dict[str, Any]]:
    chosen = edition(DEFAULT)
    options = dict(chosen.chosen)
    opened = TableOpened(PLAYER["id"], DEFAULT, options, 3, "auto", commitment(SEED), CONSTRUCTION, seeded=False)
    events: list[TableEvent] = [
        opened,
        SeatTaken(0, PLAYER["id"], ENTROPY),
        BotSeated(1, "steady"),
        BotSeated(2, "steady"),
    ]
    return [to_record(event) for event in events]


def _commits() -> list[Commit]:
    chance = SeededChance(SEED, [bytes.fromhex(ENTROPY), b"", b""])
    events = start(DEFAULT, 3, chance)
    commits = [_commit(1, PLAYER["id"], _opening() + to_records(events))]
    state = replay(events)
    for seq in range(2, 2 + MOVES):
        by = PLAYER["id"] if state.turn == 0 else f"bot:{state.turn}"
        commits.append(_commit(seq, by, to_records(advance(state, legal_commands(state)[-1], chance))))
    return commits


_COMMITS = _commits()
_GAME = rebuild(GAME_ID, _COMMITS, SEED)
_STARTED = show_game(rebuild(GAME_ID, _COMMITS[:1], SEED), PLAYER["id"])
_CANCELLED = _commit(1, PLAYER["id"], [*_opening(), to_record(TableCancelled(PLAYER["id"]))])
_SHOWN = show_game(_GAME, PLAYER["id"])
_MOVE = _SHOWN["moves"][-1] if _SHOWN["moves"] else {"type": "pass"}

_FEED_CURSOR = "AREAAAAG"

WEBHOOK_ID = "w07m4x0yr3nzb5"
_WEBHOOK = Webhook(
    id=WEBHOOK_ID,
    player=PLAYER["id"],
    url="https://bots.example.org/condottiere",
    events=["turn.started", "turn.rejected", "game.ended"],
    games=None,
    payload="full",
    active=True,
    created=OPENED_AT,
    secrets=[("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 0)],
)
_FRESH = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
_VERIFIED = replace(_WEBHOOK, verified=OPENED_AT + 1_000)
_DELIVERY: dict[str, Any] = {
    "number": 7,
    "sequence": 3,
    "type": "turn.started",
    "game": GAME_ID,
    "version": 7,
    "at": OPENED_AT + 60_000 * 7,
    "status": "delivered",
    "tries": [
        {"at": OPENED_AT + 60_000 * 7 + 5_020, "status": 503, "error": None, "latency": 12},
        {"at": OPENED_AT + 60_000 * 7 + 10_080, "status": 200, "error": None, "latency": 42, "move": "made"},
    ],
}
TOLD = (
    _VERIFIED,
    {
        kind: {
            **_DELIVERY,
            "type": kind,
            "version": _GAME.version,
            "challenge": "Zm9yIHlvdXIgZW5kcG9pbnQ",
            "problem": {"code": "card-not-in-hand", "detail": "seat 0 has no drummer"},
        }
        for kind in (PING, *KINDS)
    },
    _GAME,
)
"""A webhook, what it is told, by its kind, and the game as it was then."""
_AGAIN = {**_DELIVERY, "status": "waiting"}
_PING = {**_DELIVERY, "number": 8, "sequence": 1, "type": "ping", "game": None, "version": None} | {
    "status": "waiting",
    "tries": [],
}

REQUESTS: dict[str, Any] = {
    "registerPlayer": {"name": PLAYER["name"]},
    "openGame": {
        "edition": DEFAULT,
        "seats": 3,
        "bots": [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}],
        "entropy": ENTROPY,
    },
    "joinGame": {"seat": 1},
    "makeMove": _MOVE,
    "addWebhook": {"url": _WEBHOOK.url, "events": list(_WEBHOOK.events)},
    "changeWebhook": {"games": [GAME_ID]},
    "replaceSecret": {"secret": _FRESH},
    "redeliverRange": {"first": 1, "last": 40},
}
"""A body for each operation that takes one, by operation id."""

_TOKEN = {**PLAYER, "token": f"{PLAYER['id']}.a-secret-that-is-shown-once"}

ANSWERS: dict[str, Any] = {
    "registerPlayer": _TOKEN,
    "replaceToken": _TOKEN,
    "getMe": {**PLAYER, "notices": [{"type": "webhook-disabled", "webhook": WEBHOOK_ID, "reason": "failing"}]},
    "getPlayer": PLAYER,
    "listEditions": {"editions": [show_edition_summary(value) for value in EDITIONS.values()]},
    "getEdition": show_edition(EDITIONS[DEFAULT]),
    "compareEditions": compare(*list(EDITIONS.values())[:2]),
    "listBots": show_bots(),
    "openGame": _STARTED,
    "joinGame": _STARTED,
    "startGame": _STARTED,
    "leaveGame": show_game(rebuild(GAME_ID, [_CANCELLED], SEED), PLAYER["id"]),
    "listGames": {"games": [show_summary(_GAME)], "next": None},
    "getGame": _SHOWN,
    "makeMove": _SHOWN,
    "getEvents": {"commits": show_commits(rebuild(GAME_ID, _COMMITS[:3], SEED), 0, PLAYER["id"]), "next": 3},
    "getMyEvents": {
        "commits": [
            {"id": _FEED_CURSOR, "game": GAME_ID, **commit} for commit in show_commits(_GAME, MOVES, PLAYER["id"])
        ],
        "next": _FEED_CURSOR,
    },
    "addWebhook": show_with_secret(_WEBHOOK),
    "listWebhooks": {"webhooks": [show_webhook(_VERIFIED)]},
    "getWebhook": show_webhook(_VERIFIED),
    "changeWebhook": show_webhook(replace(_VERIFIED, games=[GAME_ID])),
    "replaceSecret": show_with_secret(
        replace(_VERIFIED, secrets=[(_FRESH, 0), (_WEBHOOK.secrets[0][0], OPENED_AT + 86_400_000)])
    ),
    "pingWebhook": show_delivery(WEBHOOK_ID, _PING),
    "listDeliveries": {"deliveries": [show_delivery(WEBHOOK_ID, _DELIVERY)], "next": None},
    "getDelivery": show_delivery(WEBHOOK_ID, _DELIVERY),
    "redeliver": show_delivery(WEBHOOK_ID, _AGAIN),
    "redeliverRange": {"waiting": 3},
    "getHealth": {
        "status": "up",
        "parts": {"log": True, "queue": True, "worker": True, "clock": True, "deliver": True},
    },
    "getReadiness": {
        "status": "ready",
        "durability": {**asdict(Readiness(True, "always", "noeviction", stated=False, problems=())), "problems": []},
    },
}
"""What each operation answers, by operation id."""
