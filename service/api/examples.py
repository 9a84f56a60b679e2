"""Examples for the API reference, taken from a small game that the engine plays.

The same code writes the examples and the real responses, so the examples are always correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

import orjson

from engine import (
    CONSTRUCTION,
    DEFAULT,
    NEWEST,
    PlayCard,
    SeededChance,
    advance,
    command_to_record,
    commitment,
    edition,
    foresee,
    legal_commands,
    replay,
    resign,
    start,
)
from engine.cards import KIND, hand_of, names_of

from ..accounts.access import PLAY, READ, SCOPES, Token
from ..accounts.players import PlayerStatistics
from ..accounts.tokens import show_token
from ..admin.games import show_entry, show_for_host
from ..advice.asking import Asked, show_hint
from ..advice.giving import strongest
from ..advice.storing import Advice
from ..clocks.events import (
    ClockEvent,
    ClockStopped,
    ExtensionAsked,
    ExtensionGranted,
    GamePaused,
    GameResumed,
    PauseAsked,
    SeatReminded,
    SeatTimedOut,
)
from ..clocks.hours import Hours
from ..clocks.nights import Habits
from ..clocks.reckoning import HOUR
from ..clocks.settings import BANK, BOT, ClockSettings
from ..clocks.settings import to_record as settings_to_record
from ..clocks.vacation import Vacation
from ..editions.comparison import compare
from ..editions.presentation import show_bots, show_clause, show_edition, show_edition_summary
from ..editions.sentences import LANGUAGES, show_sentences
from ..games.commits import Commit
from ..games.events import (
    HOST,
    LEADERS_WIN,
    NAMES_SHOWN,
    NO_HINTS,
    NO_SHOWING,
    SHOWING_ALLOWED,
    TALK_ALL,
    CardsShown,
    EndAsked,
    Event,
    GameCancelled,
    SeatClosed,
    SeatTaken,
    TableCancelled,
    TableHandedOver,
    TableOpened,
    bot_seated,
    seat_given_to_bot,
)
from ..games.game import Game, Snapshot, StartedGame, game_of
from ..games.list_entries import show_progress, show_summary, show_turn
from ..games.table import AskedHint
from ..orders.values import DISCARD, KEEP, LayUntilLead, Orders, Standing, show_orders
from ..records.document import as_json
from ..records.reading import read_record
from ..records.verifying import verify
from ..tables.inbox import cursor_of as cursor_of_invitations
from ..tables.invitations import new_invitation
from ..tables.showing import show_invitation, show_link
from ..talk.showing import show_message
from ..views.events import show_commits
from ..views.foresight import show_foresight
from ..views.game import show_game
from ..views.health import Duty
from ..views.inbox import cursor_of
from ..views.lines import Line, show_line
from ..views.names import add_to_commits, add_to_game, add_to_summaries, add_to_turns
from ..views.players import show_hours, show_statistics
from ..webhooks.formats import BY_DEFAULT, DISCORD, FOR_PEOPLE
from ..webhooks.kinds import CARDS_SHOWN, KINDS, MESSAGE_RECEIVED, PING, TURN_EXPIRED, TURN_REMINDER, TURN_STARTED
from ..webhooks.presentation import show_delivery, show_webhook, show_with_secret
from ..webhooks.subscriptions import Webhook

SEED = bytes(range(32))
ENTROPY = "c0ffee"
PLAYER = {"id": "p07k3v9xq2mza", "name": "Caterina"}
GUEST = "p07m4x0yr3nzb"
GAME_ID = "17h8q2v5c0mzk4r9td"
PRIVATE_ID = "17u8q2v5c0mzk4r9td"
OPENED_AT = 1_795_000_000_000
MOVES = 5
CLAUSE = NEWEST[DEFAULT].clauses["region-owned"]


def example_names(players: Iterable[str]) -> dict[str, str | None]:
    """Return the names of the examples' players."""
    return {player: PLAYER["name"] if player == PLAYER["id"] else None for player in players}


def _show(game: Snapshot) -> dict[str, Any]:
    return add_to_game(show_game(game, PLAYER["id"]), example_names)


def _show_commits(game: Game, after: int) -> list[dict[str, Any]]:
    return add_to_commits(show_commits(game, after, PLAYER["id"]), example_names)


def _commit(seq: int, by: str, events: Sequence[Event]) -> Commit:
    return Commit(seq, OPENED_AT + 60_000 * seq, by, f"example-{seq}", "", events)


def _opening(clock: dict[str, Any] | None = None) -> list[Event]:
    chosen = edition(DEFAULT)
    options = dict(chosen.chosen)
    opened = TableOpened(PLAYER["id"], DEFAULT, options, 3, "auto", commitment(SEED), CONSTRUCTION, False, clock)
    return [
        opened,
        SeatTaken(0, PLAYER["id"], ENTROPY),
        bot_seated(1, "steady"),
        bot_seated(2, "steady"),
    ]


def _commits() -> list[Commit]:
    chance = SeededChance(SEED, [bytes.fromhex(ENTROPY), b"", b""])
    events = start(DEFAULT, 3, chance)
    commits = [_commit(1, PLAYER["id"], [*_opening(), *events])]
    state = replay(events)
    for seq in range(2, 2 + MOVES):
        by = PLAYER["id"] if state.turn == 0 else f"bot:{state.turn}"
        commits.append(_commit(seq, by, advance(state, legal_commands(state)[-1], chance)))
    return commits


def _record() -> dict[str, Any]:
    """Return the record of a very short game, in which a player faces a bot and then resigns."""
    value = next(value for value in NEWEST.values() if value.fewest_seats == 2)
    chance = SeededChance(SEED, [bytes.fromhex(ENTROPY), b""])
    options = dict(value.chosen)
    opened = TableOpened(PLAYER["id"], value.key, options, 2, "auto", commitment(SEED), CONSTRUCTION, True)
    begun = start(value.key, 2, chance)
    seated = [opened, bot_seated(1, "steady"), SeatTaken(0, PLAYER["id"], ENTROPY), *begun]
    resigned = _commit(2, PLAYER["id"], resign(replay(begun), 0, chance))
    record: dict[str, Any] = orjson.loads(
        as_json(game_of(GAME_ID, [_commit(1, PLAYER["id"], seated), resigned], SEED), None)
    )
    return record


_RECORD_OF_GAME = _record()

CLOCK = ClockSettings(
    kind=BANK,
    seconds=86_400,
    increment=14_400,
    cap=259_200,
    days_off=("sunday",),
    sleep_hours=True,
    vacation=True,
    at_timeout=BOT,
    misses=2,
    bot="steady",
)
HOURS = Hours(Habits("Europe/Rome", ("23:00", "07:00")), Vacation(9 * HOUR, OPENED_AT), auto_vacation=True)


def _clocked(*more: ClockEvent | EndAsked) -> dict[str, Any]:
    """Return the view of a game with a clock, after these additional events. It is the example player's turn."""
    return _show(_waiting(*more))


def _waiting(*more: ClockEvent | EndAsked, by: str = PLAYER["id"]) -> StartedGame:
    """Return a game after these additional events by the author `by`. It is the example player's turn."""
    chance = SeededChance(SEED, [bytes.fromhex(ENTROPY), b"", b""])
    events = start(DEFAULT, 3, chance)
    state = replay(events)
    while state.turn != 0:
        events += advance(state, legal_commands(state)[-1], chance)
    first = _commit(1, PLAYER["id"], [*_opening(settings_to_record(CLOCK)), *events])
    game = game_of(GAME_ID, [first], SEED)
    assert game.table.clock is not None
    started = game.table.clock.start_event(0, first.at, HOURS.habits, HOURS.vacation)
    first = first._replace(events=[*first.events, started])
    after = [_commit(2, by, more)] if more else []
    waiting = game_of(GAME_ID, [first, *after], SEED)
    assert isinstance(waiting, StartedGame)
    return waiting


def _advanced(by: int) -> ClockEvent:
    """Return the event that advances the clock in the game that `_waiting` returns."""
    game = _waiting()
    assert game.table.clock is not None
    event = game.table.clock.advance_event(game.changed_at, by)
    assert event is not None
    return event


def _with_showing(seat: int, to: int) -> StartedGame:
    """Return a game in which a seat has just shown two cards from its hand to another seat."""
    chance = SeededChance(SEED, [bytes.fromhex(ENTROPY), b"", b""])
    opened, seated, _, bot = _opening()
    assert isinstance(opened, TableOpened)
    begun = start(DEFAULT, 3, chance)
    first = [opened._replace(showing=SHOWING_ALLOWED), seated, bot, SeatTaken(1, GUEST, ""), *begun]
    cards = hand_of(names_of(replay(begun).hands[seat])[:2])
    event = CardsShown(seat, (to,), cards, 1)
    commits = [_commit(1, GUEST, first), _commit(2, (PLAYER["id"], GUEST)[seat], [event])]
    game = game_of(GAME_ID, commits, SEED)
    assert isinstance(game, StartedGame)
    return game


_COMMITS = _commits()
_GAME = game_of(GAME_ID, _COMMITS, SEED)
_STARTED = _show(game_of(GAME_ID, _COMMITS[:1], SEED))
_CANCELLED = _commit(1, PLAYER["id"], [*_opening(), TableCancelled(PLAYER["id"])])
_CANCELLED_BY_HOST = _commit(2, HOST, [GameCancelled(HOST, "The owner asked for it")])
_SHOWN = _show(_GAME)
_OVER = game_of(GAME_ID, [*_COMMITS, _commit(2 + MOVES, HOST, [GameCancelled(HOST, "Example")])], SEED)
_LINE: dict[str, Any] = {
    "version": 1,
    "moves": [{"type": "choose-region", "region": "roma"}, {"type": "pass"}, {"type": "pass"}],
}
_MOVE = _SHOWN["moves"][-1] if _SHOWN["moves"] else {"type": "pass"}

_RECORD = PlayerStatistics(
    moves=1_204, timeouts=3, total_time=1_204 * 5_211_000, classes={130: 301, 160: 400, 190: 503}
)
_ORDERS = Standing(
    seat=0,
    version=3,
    orders=Orders(DISCARD, LayUntilLead((PlayCard(0, KIND["mercenary-3"]),), "ask"), (0, 1)),
    history=[{"version": 6, "order": "after-battle", "happened": "moved", "move": {"type": "keep-hand"}}],
    since=7,
)
_FEED_CURSOR = "AREAAAAG"
_REMINDED = _waiting(SeatReminded(0, 25), by="clock")
_TURNS = [show_turn(_REMINDED, _REMINDED.state)]
_TITLE = "Sunday evening"
_SUMMARY = {
    **show_summary(_GAME),
    "hints": NO_HINTS,
    "showing": NO_SHOWING,
    "talk": TALK_ALL,
    "names": NAMES_SHOWN,
    **show_progress(_GAME),
    "title": _TITLE,
    "private": False,
    "you": 0,
}
_LINK = show_link(PRIVATE_ID, "0hXPaBzLOy3wq2uQd2pRkA")
_INVITATION = {
    **new_invitation(PRIVATE_ID, "p21d6w8kze4ra", PLAYER["id"], OPENED_AT, OPENED_AT + 7 * 86_400_000),
    "status": "pending",
}
_INVITED = show_invitation(_INVITATION, {PLAYER["id"]: PLAYER["name"], "p21d6w8kze4ra": "Ludovico"})
_TABLE = {
    "game": PRIVATE_ID,
    "title": _TITLE,
    "private": True,
    "link": _LINK,
    "invitations": [_INVITED],
    "rematch_of": None,
    "rematch": None,
    "reserved": [],
    "reserved_until": None,
}
_WAITING_TABLE = _commit(1, PLAYER["id"], _opening()[:3])


def _after_owner(*events: Event) -> dict[str, Any]:
    """Return the view of a game after a commit in which the game's owner caused these events."""
    return _show(game_of(GAME_ID, [_WAITING_TABLE, _commit(2, PLAYER["id"], events)], SEED))


_JOIN_CODE = "K7QM-310W"

_ANNOUNCEMENT = {
    "id": "5c0ffee15a1d",
    "text": "The service will be read-only for ten minutes on Sunday at 20:00 UTC.",
    "from": OPENED_AT,
    "until": OPENED_AT + 86_400_000,
}
ANNOUNCEMENT_ID = str(_ANNOUNCEMENT["id"])
_ANNOUNCED = {"announcements": [_ANNOUNCEMENT]}
_FOUND_PLAYER = {**PLAYER, "registered": OPENED_AT - 86_400_000, "suspended": None}
_HOSTS_PLAYER = {
    **_FOUND_PLAYER,
    "webhooks": 1,
    "active_webhooks": 1,
    "games": [{"id": GAME_ID, "status": "running", "edition": DEFAULT}],
}
_SUSPENSION = "Insulted other players; write to host@example.org"


def _hosts_game(game: Game) -> dict[str, Any]:
    return show_for_host(game, {PLAYER["id"]: PLAYER["name"]}, _TITLE)


_GIVEN = _waiting(seat_given_to_bot(0, "steady"), ClockStopped(0, HOUR, 24 * HOUR), by=HOST)
_SWITCHES = {"registration": "setting", "read_only": None}

MESSAGE_ID, REPORT_ID = "m8q2v5c0mzk4r9td17", "5c0ffee15a1d5c0f"
_MESSAGE = {
    "id": MESSAGE_ID,
    "at": OPENED_AT + 90_000,
    "by": PLAYER["id"],
    "seat": 0,
    "room": "seats",
    "seats": [0, 2],
    "readers": ["p31m4x0yr3nzb"],
    "reader_seats": [2],
    "text": "Leave Roma to me, and I will not attack Firenze.",
}
_SAID = show_message(_MESSAGE, PLAYER["name"], PLAYER["id"])
_UNREAD = {"table": 0, "seats": 1, "spectators": 0}
_MUTES: dict[str, Any] = {"everyone": False, "players": ["p31m4x0yr3nzb"]}
_BLOCK = {"player": "p31m4x0yr3nzb", "name": "Ginevra", "since": OPENED_AT}
_REPORT_OF_MESSAGE = {
    "id": REPORT_ID,
    "at": OPENED_AT + 120_000,
    "by": "p31m4x0yr3nzb",
    "by_name": "Ginevra",
    "reason": "Insults me",
    "game": GAME_ID,
    "message": _SAID,
}

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
_CHAT = "https://discord.com/api/webhooks/1234567890/Zm9yIHlvdXIgY2hhdA"
BROWSER_ID = "w07n8k2mq4xz51"
_BROWSER = {
    "id": BROWSER_ID,
    "name": "Firefox on my laptop",
    "endpoint": "https://push.example.org/wpush/v2/Zm9yIHlvdXIgYnJvd3Nlcg",
    "created_at": OPENED_AT,
    "failing_since": None,
    "stopped": None,
}
_NOTICES: dict[str, Any] = {
    "email": {
        "available": True,
        "address": "caterina@example.org",
        "verified_at": OPENED_AT + 60_000,
        "failing_since": None,
        "stopped": None,
        "events": list(BY_DEFAULT),
        "digest": None,
    },
    "push": {
        "key": "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        "events": list(BY_DEFAULT),
        "browsers": [_BROWSER],
    },
    "chats": [
        {
            "webhook": WEBHOOK_ID,
            "format": DISCORD,
            "events": list(FOR_PEOPLE),
            "active": True,
            "verified_at": OPENED_AT + 120_000,
            "failing_since": None,
        }
    ],
}
_FRESH = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
_VERIFIED = replace(_WEBHOOK, verified=OPENED_AT + 1_000)
_PAUSED = replace(_VERIFIED, active=False, secrets=[(_FRESH, 0)])
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
_OF_ANOTHER_GAME = {
    CARDS_SHOWN: _with_showing(seat=1, to=0),
    TURN_STARTED: _waiting(),
    TURN_REMINDER: _REMINDED,
    TURN_EXPIRED: _waiting(
        SeatTimedOut(0, 2), seat_given_to_bot(0, "steady"), ClockStopped(0, 24 * HOUR, 4 * HOUR), by="clock"
    ),
}


def _delivery_example(kind: str) -> tuple[dict[str, Any], Game | None]:
    game = None if kind == PING else _OF_ANOTHER_GAME.get(kind, _GAME)
    more = {
        "type": kind,
        "game": game and game.id,
        "version": game and game.version,
        "at": game.changed_at if game else OPENED_AT,
        "challenge": "Zm9yIHlvdXIgZW5kcG9pbnQ",
        "invitation": _INVITATION,
        "problem": {"code": "card-not-in-hand", "detail": "seat 0 has no drummer in its hand"},
    }
    if kind == MESSAGE_RECEIVED:
        return {**_DELIVERY, **more, "version": None, "message": MESSAGE_ID, "seat": 2}, None
    return {**_DELIVERY, **more}, game


DELIVERY_EXAMPLES = _VERIFIED, {kind: _delivery_example(kind) for kind in (PING, *KINDS)}
"""A webhook, and an example delivery of each kind with the delivery's game."""
DELIVERED_MESSAGE = _MESSAGE
_AGAIN = {**_DELIVERY, "status": "waiting"}
_PING = {**_DELIVERY, "number": 8, "sequence": 1, "type": "ping", "game": None, "version": None} | {
    "status": "waiting",
    "tries": [],
}

_DEVICE_CODE, _RECOVERY_CODE = "K7QM-3XRT", "7K3M-0QXZ-9D4F-B2WT-H6PE"

_WAITING = _waiting()
DRY_RUN = show_foresight(_WAITING, foresee(_WAITING.state, legal_commands(_WAITING.state)[-1]), PLAYER["id"])
DRY_RUN["game"] = add_to_game(DRY_RUN["game"], example_names)
"""An example response to a dry run of a move."""

_HINT = AskedHint(0, _WAITING.version, OPENED_AT)
_MOVE_OF_HINT = command_to_record(legal_commands(_WAITING.state)[0])

_SHOWER = _with_showing(seat=0, to=1)
_CARDS = names_of(_SHOWER.state.hands[0])[:2]

REQUESTS: dict[str, Any] = {
    "registerPlayer": {"name": PLAYER["name"]},
    "openGame": {
        "edition": DEFAULT,
        "seats": 3,
        "bots": [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}],
        "entropy": ENTROPY,
    },
    "changeTable": {"title": _TITLE},
    "findGame": {"code": _JOIN_CODE},
    "invite": {"player": "Ludovico"},
    "acceptInvitation": {},
    "declineInvitation": {"reason": "no-time"},
    "proposeRematch": {"bot": "steady"},
    "closeSeat": {"seat": 2},
    "askToEnd": {"outcome": LEADERS_WIN},
    "seatBot": {"seat": 2, "bot": "steady"},
    "handOver": {"player": "Ludovico"},
    "joinGame": {"seat": 1},
    "makeMove": _MOVE,
    "showCards": {"to": [1], "cards": _CARDS},
    "playLine": _LINE,
    "putOrders": {"after_battle": "keep", "battle": None},
    "sendMessage": {"room": "seats", "seats": [2], "text": _MESSAGE["text"]},
    "markTalk": {"upto": "AQAAAAcAAAAAAAAAAg"},
    "putMutes": _MUTES,
    "reportMessage": {"reason": "Insults me"},
    "settleReport": {"reason": "Spoke to the author", "remove": True},
    "askForExtension": {"seconds": 43_200},
    "grantExtension": {"seconds": 43_200},
    "advanceClock": {"seconds": 64_800},
    "changeMe": {"time_zone": "Europe/Rome", "sleep": {"from": "23:00", "until": "07:00"}, "auto_vacation": True},
    "goOnVacation": {},
    "replaceToken": {"webhooks": "pause"},
    "makeToken": {"name": "bot", "scopes": ["read", "play"]},
    "addDevice": {"scopes": list(SCOPES)},
    "exchangeDevice": {"code": _DEVICE_CODE, "name": "phone"},
    "deleteMe": {"name": PLAYER["name"]},
    "recoverAccount": {"name": PLAYER["name"], "code": _RECOVERY_CODE, "webhooks": "pause"},
    "addWebhook": {"url": _WEBHOOK.url, "events": list(_WEBHOOK.events)},
    "changeWebhook": {"games": [GAME_ID]},
    "confirmWebhook": {"code": "K7QM-3XRT"},
    "setNotices": {
        "email": {"events": list(BY_DEFAULT), "digest": {"hour": 8, "time_zone": "Europe/Rome"}},
        "push": {"events": list(BY_DEFAULT)},
    },
    "setAddress": {"address": "caterina@example.org"},
    "confirmAddress": {"code": "K7QM-3XRT"},
    "addBrowser": {
        "endpoint": "https://push.example.org/wpush/v2/Zm9yIHlvdXIgYnJvd3Nlcg",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
        "name": "Firefox on my laptop",
    },
    "replaceSecret": {"secret": _FRESH},
    "redeliverRange": {"first": 1, "last": 40},
    "suspendPlayer": {"reason": _SUSPENSION},
    "reinstatePlayer": {"reason": "Apologised"},
    "renamePlayer": {"name": "Ginevra", "reason": "Asked for it"},
    "cancelGame": {"reason": "The owner asked for it"},
    "giveSeat": {"seat": 0, "bot": "steady", "reason": "Asked for it"},
    "setTitle": {"title": None, "reason": "Insulting"},
    "setRegistration": {"mode": "closed", "reason": "Too many registrations"},
    "setReadOnly": {"on": True, "reason": "Upgrade"},
    "announce": {"text": _ANNOUNCEMENT["text"]},
    "verifyRecord": _RECORD_OF_GAME,
}
"""An example request body for each operation that takes one, by operation id."""

_REPORT = verify(read_record(orjson.dumps(_RECORD_OF_GAME)))

_SECRET = "a-secret-that-is-shown-once"
TOKEN_ID = "t4m8q2v5c0z"
_BOT_TOKEN = Token(TOKEN_ID, "bot", (READ, PLAY), OPENED_AT, OPENED_AT + 90 * 86_400_000)
_FIRST_TOKEN = Token("t07h3k9xw2e", "registration", SCOPES, OPENED_AT - 86_400_000, None, OPENED_AT)

_TOKEN = {**PLAYER, "token": f"{PLAYER['id']}.{_SECRET}"}

ANSWERS: dict[str, Any] = {
    "registerPlayer": {**_TOKEN, "recovery_code": _RECOVERY_CODE},
    "addDevice": {
        "code": _DEVICE_CODE,
        "url": f"condottiere://play.example.org/devices?code={_DEVICE_CODE}",
        "scopes": list(SCOPES),
        "expires_at": OPENED_AT + 600_000,
    },
    "exchangeDevice": {**_TOKEN, "scopes": list(SCOPES)},
    "exportMe": {
        "exported_at": OPENED_AT,
        "player": {
            **PLAYER,
            "earlier_names": [],
            "registered_at": OPENED_AT - 86_400_000,
            "record": show_statistics(_RECORD),
        },
        "hours": show_hours(HOURS, OPENED_AT),
        "tokens": [show_token(_FIRST_TOKEN, _FIRST_TOKEN)],
        "has_recovery_code": True,
        "webhooks": [show_webhook(_VERIFIED)],
        "notices": _NOTICES,
        "games": [
            {
                "id": GAME_ID,
                "status": "running",
                "edition": DEFAULT,
                "opened_at": OPENED_AT,
                "changed_at": OPENED_AT,
                "seat": 0,
                "owner": True,
            }
        ],
        "orders": [{"game": GAME_ID, **show_orders(_ORDERS)}],
        "talk": [{"game": GAME_ID, **{name: _SAID[name] for name in _SAID if name not in ("player", "name")}}],
        "blocks": [_BLOCK],
        "invitations": [],
        "feed": {"next": _FEED_CURSOR, "entries": 7},
    },
    "sendMessage": _SAID,
    "getTalk": {"messages": [_SAID], "next": "AQAAAAcAAAAAAAAAAg", "unread": _UNREAD, "writes": ["table", "seats"]},
    "markTalk": {"unread": {**_UNREAD, "seats": 0}},
    "getMutes": _MUTES,
    "putMutes": _MUTES,
    "getMyTalk": {"games": [{"game": GAME_ID, "url": f"/v1/games/{GAME_ID}/talk", "unread": _UNREAD}]},
    "listBlocks": {"blocks": [_BLOCK]},
    "listReports": {"reports": [_REPORT_OF_MESSAGE]},
    "replaceRecoveryCode": {"recovery_code": _RECOVERY_CODE},
    "recoverAccount": {**_TOKEN, "recovery_code": _RECOVERY_CODE, "webhooks": [show_with_secret(_PAUSED)]},
    "replaceToken": {**_TOKEN, "webhooks": [show_with_secret(_PAUSED)]},
    "listTokens": {"tokens": [show_token(token, _FIRST_TOKEN) for token in (_FIRST_TOKEN, _BOT_TOKEN)]},
    "makeToken": {**show_token(_BOT_TOKEN, None), "token": f"{PLAYER['id']}.{_SECRET}"},
    "getMe": {
        **PLAYER,
        "hours": show_hours(HOURS, OPENED_AT),
        "notices": [
            {"type": "webhook-disabled", "webhook": WEBHOOK_ID, "reason": "failing"},
            {"type": "seat-with-bot", "game": GAME_ID, "seat": 0, "since": OPENED_AT + 86_400_000},
        ],
    },
    "getPlayer": {**PLAYER, "record": show_statistics(_RECORD)},
    "listEditions": {"editions": [show_edition_summary(value) for value in NEWEST.values()]},
    "getEdition": show_edition(NEWEST[DEFAULT]),
    "getClause": show_clause(NEWEST[DEFAULT], CLAUSE),
    "getSentences": show_sentences(NEWEST[DEFAULT], LANGUAGES[0]),
    "compareEditions": compare(*list(NEWEST.values())[:2]),
    "listBots": show_bots(),
    "getTable": _TABLE,
    "changeTable": _TABLE,
    "replaceLink": _TABLE,
    "makeJoinCode": {"code": _JOIN_CODE, "expires_at": OPENED_AT + 86_400_000},
    "findGame": {"game": PRIVATE_ID, "link": _LINK},
    "getSettings": {
        "edition": DEFAULT,
        "options": dict(edition(DEFAULT).chosen),
        "seats": 3,
        "bots": [{"seat": 2, "bot": "steady"}],
        "start": "auto",
        "clock": None,
        "hints": NO_HINTS,
        "showing": SHOWING_ALLOWED,
        "talk": TALK_ALL,
        "names": NAMES_SHOWN,
        "title": _TITLE,
        "private": False,
    },
    "invite": _INVITED,
    "acceptInvitation": _STARTED,
    "listMyInvitations": {
        "invitations": [
            {**_INVITED, "title": _TITLE, "edition": DEFAULT, "options": dict(edition(DEFAULT).chosen), "seats": 3}
        ],
        "next": cursor_of_invitations([_INVITATION]),
    },
    "proposeRematch": _show(game_of(GAME_ID, [_WAITING_TABLE], SEED)),
    "closeSeat": _after_owner(SeatClosed(2)),
    "seatBot": _after_owner(bot_seated(2, "steady")),
    "handOver": _after_owner(TableHandedOver("p21d6w8kze4ra")),
    "openGame": _STARTED,
    "joinGame": _STARTED,
    "startGame": _STARTED,
    "leaveGame": _show(game_of(GAME_ID, [_CANCELLED], SEED)),
    "listGames": {"games": add_to_summaries([_SUMMARY], example_names), "next": None},
    "getGame": _SHOWN,
    "makeMove": _SHOWN,
    "playLine": show_line(_OVER, Line(_LINE["version"], bytes(32), _LINE["moves"])),
    "showCards": _show(_SHOWER),
    "askForHint": show_hint(GAME_ID, Asked(_HINT, None)),
    "getHint": show_hint(GAME_ID, Asked(_HINT, Advice(0, _HINT.version, strongest().key, _MOVE_OF_HINT))),
    "getOrders": show_orders(_ORDERS),
    "listMyOrders": {"orders": [{"game": GAME_ID, **show_orders(_ORDERS)}], "next": None},
    "putOrders": show_orders(Standing(0, 1, Orders(KEEP), [], 7)),
    "deleteOrders": show_orders(_ORDERS._replace(version=4, orders=Orders())),
    "getEvents": {"commits": _show_commits(game_of(GAME_ID, _COMMITS[:3], SEED), 0), "next": 3},
    "getRecord": orjson.loads(as_json(game_of(GAME_ID, _COMMITS[:3], SEED), PLAYER["id"])),
    "getMyEvents": {
        "commits": [{"id": _FEED_CURSOR, "game": GAME_ID, **commit} for commit in _show_commits(_GAME, MOVES)],
        "next": _FEED_CURSOR,
    },
    "getMyTurns": {"turns": add_to_turns(_TURNS, example_names), "next": cursor_of(_TURNS)},
    "resign": _clocked(),
    "takeSeatBack": _clocked(),
    "askToEnd": _clocked(EndAsked(0, LEADERS_WIN, 2)),
    "pauseGame": _clocked(PauseAsked(0), GamePaused()),
    "resumeGame": _clocked(PauseAsked(0), GamePaused(), GameResumed(0)),
    "askForExtension": _clocked(ExtensionAsked(0, 12 * HOUR)),
    "grantExtension": _clocked(ExtensionAsked(0, 12 * HOUR), ExtensionGranted(1)),
    "advanceClock": _clocked(_advanced(18 * HOUR)),
    "changeMe": show_hours(HOURS, OPENED_AT),
    "goOnVacation": show_hours(
        HOURS._replace(vacation=HOURS.vacation.begin(OPENED_AT, OPENED_AT + 8 * HOUR)), OPENED_AT
    ),
    "comeBack": show_hours(HOURS, OPENED_AT),
    "addWebhook": show_with_secret(_WEBHOOK),
    "listWebhooks": {"webhooks": [show_webhook(_VERIFIED)]},
    "getWebhook": show_webhook(_VERIFIED),
    "changeWebhook": show_webhook(replace(_VERIFIED, games=[GAME_ID])),
    "getNotices": _NOTICES,
    "setNotices": {**_NOTICES, "email": {**_NOTICES["email"], "digest": {"hour": 8, "time_zone": "Europe/Rome"}}},
    "setAddress": {**_NOTICES, "email": {**_NOTICES["email"], "verified_at": None}},
    "confirmAddress": _NOTICES,
    "addBrowser": _BROWSER,
    "confirmWebhook": show_webhook(replace(_VERIFIED, url=_CHAT, events=list(FOR_PEOPLE), format=DISCORD)),
    "replaceSecret": show_with_secret(
        replace(_VERIFIED, secrets=[(_FRESH, 0), (_WEBHOOK.secrets[0][0], OPENED_AT + 86_400_000)])
    ),
    "pingWebhook": show_delivery(WEBHOOK_ID, _PING),
    "listDeliveries": {"deliveries": [show_delivery(WEBHOOK_ID, _DELIVERY)], "next": None},
    "getDelivery": show_delivery(WEBHOOK_ID, _DELIVERY),
    "redeliver": show_delivery(WEBHOOK_ID, _AGAIN),
    "redeliverRange": {"waiting": 3},
    "verifyRecord": _REPORT.as_json(),
    "findPlayers": {"players": [_FOUND_PLAYER], "next": None},
    "showPlayer": _HOSTS_PLAYER,
    "suspendPlayer": {**_HOSTS_PLAYER, "suspended": _SUSPENSION, "active_webhooks": 0},
    "reinstatePlayer": _HOSTS_PLAYER,
    "renamePlayer": {**_HOSTS_PLAYER, "name": "Ginevra"},
    "findGames": {"games": [show_entry(add_to_summaries([_SUMMARY], example_names)[0])], "next": None},
    "showGame": _hosts_game(_waiting()),
    "cancelGame": _hosts_game(game_of(GAME_ID, [_commit(1, PLAYER["id"], _opening()), _CANCELLED_BY_HOST], SEED)),
    "giveSeat": _hosts_game(_GIVEN),
    "setTitle": {**_hosts_game(_GIVEN), "title": None},
    "getSwitches": _SWITCHES,
    "setRegistration": {**_SWITCHES, "registration": "closed"},
    "setReadOnly": {**_SWITCHES, "read_only": {"since": OPENED_AT, "reason": "Upgrade"}},
    "listAnnouncements": _ANNOUNCED,
    "listAllAnnouncements": _ANNOUNCED,
    "announce": _ANNOUNCEMENT,
    "readAudit": {
        "lines": [
            {
                "id": f"{OPENED_AT}-0",
                "at": OPENED_AT,
                "via": "http",
                "by": PLAYER["id"],
                "token": "laptop",
                "act": "give-seat",
                "target": GAME_ID,
                "reason": "Asked for it",
                "details": {"seat": 0, "bot": "steady"},
            }
        ],
        "next": None,
    },
    "getHealth": {
        "status": "up",
        "parts": {"log": True, "queue": True, "worker": True, "thinker": True, "deliver": True, "clock": True},
        "duties": [
            asdict(Duty(duty, OPENED_AT - 800, up=True))
            for duty in ("timekeeping", "presence", "hints", "deliveries", "bots", "thinking")
        ],
        "set_aside": [{"game": GAME_ID, "reason": "corrupt-log", "since": OPENED_AT - 3_600_000}],
        "set_aside_count": 1,
        "damaged_keys": [],
        "layout": {"supported": 1, "stored": 1, "migrating": False},
        "test_clock": False,
    },
    "getReadiness": {
        "status": "ready",
        "durability": {
            "appendonly": True,
            "appendfsync": "always",
            "eviction": "noeviction",
            "writable": True,
            "stated": False,
            "problems": [],
        },
    },
}
"""An example response for each operation, by operation id."""
