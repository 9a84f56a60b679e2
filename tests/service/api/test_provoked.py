"""Provoked: for each operation, requests that lead to the problems in its description.

One test provokes the problems that follow from the input of all operations. The scenarios provoke the problems that an
operation declares; each lists the codes that it provokes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from engine import command_to_record
from service.accounts.admission import Admission
from service.api.codes import RULES, WAITS
from service.api.examples import REQUESTS
from service.config import Config
from service.games.repository import Caps, Games
from service.games.showing import MOST_SHOWINGS
from service.limits.table import limits, limits_of
from service.play import moves
from service.records.reading import OVER_HTTP
from service.store.tokens import ADMIN, SCOPES, Token, token_of
from service.views import lines
from service.webhooks.ways import MAX_BROWSERS

from ...engine.refusal_cases import CASES
from ..notices.conftest import MAIL
from ..servers import Valkey
from ..times import DAY, Time, clock
from .answers import described_codes
from .conftest import Json, Person
from .test_limits import limiting
from .test_openapi import operations
from .test_scopes import limited
from .test_webhooks import URL, add
from .writes import DUEL, Table, running

OPERATIONS = {operation["operationId"]: (path, method, operation) for path, method, operation in operations()}
NOWHERE = {
    "game_id": "17abcdefghjkmnpqrs",
    "player_id": "p00000000000",
    "token_id": "t0000000000",
    "announcement_id": "a00000000000",
    "message_id": "m0000000000000000",
    "report_id": "0000000000000000",
    "webhook_id": "w00000000000",
    "browser_id": "w00000000000",
    "number": "999",
    "key": "risk",
    "one": "risk",
    "other": "risk",
    "clause": "99.9",
}
"""Ids of objects that do not exist."""
Scenario = Callable[[Table], Iterable[TestResponse]]


def described(operation: str) -> set[str]:
    """Return the codes that the description lists for an operation."""
    path, method, _ = OPERATIONS[operation]
    return {*described_codes(path, method)}


def found_in(app: Flask, answers: Iterable[TestResponse]) -> set[tuple[str, str]]:
    """Return the operation and code of each response, which must be a problem."""
    found = set()
    for answer in answers:
        endpoint, _ = app.create_url_adapter(answer.request).match()  # type: ignore[union-attr, arg-type]
        view: Any = app.view_functions[endpoint]
        operation = view._apidoc["manual_doc"]["operationId"]
        assert answer.status_code >= 400, (operation, answer.request.path)
        found.add((operation, answer.get_json(force=True)["code"]))
    return found


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def table(anna: Person, bruno: Person, games: Games, host: Person) -> Table:
    return Table(anna, bruno, games, host)


# Problems that follow from an operation's input


def _ask(who: Person, operation: str, ids: dict[str, str], **more: Any) -> TestResponse:
    """Send a request for an operation, by default with its example as body."""
    path, method, described = OPERATIONS[operation]
    headers = {"If-Match": '"1"'} if "If-Match" in str(described["parameters"]) else {}
    headers |= more.pop("headers", {})
    if "requestBody" in described and "data" not in more:
        more["json"] = described["requestBody"]["content"]["application/json"]["example"]
    return who.ask(method.upper(), path.removeprefix("/v1").format(**ids), headers=headers, **more)


def _from_input(who: Person, operation: str) -> Iterator[TestResponse]:
    """Provoke the problems of an invalid query, body or header."""
    _, method, described = OPERATIONS[operation]
    yield _ask(who, operation, NOWHERE, query_string={"nonsense": "1"})
    for parameter in described["parameters"]:
        if parameter["in"] == "query":
            yield from _refused(_ask(who, operation, NOWHERE, query_string={parameter["name"]: "!" * 3_000}))
        if parameter["name"] in ("Idempotency-Key", "If-Match", "Last-Event-ID"):
            yield _ask(who, operation, NOWHERE, headers={parameter["name"]: "not one"})
    if method != "get" and operation != "verifyRecord":
        for body in (b"{", b"[]", b'"' + b"x" * 33_000 + b'"'):
            yield _ask(who, operation, NOWHERE, data=body, content_type="application/json")
    if method != "get":
        yield _ask(who, operation, NOWHERE, data=b"text", content_type="text/plain")


def _refused(answer: TestResponse) -> list[TestResponse]:
    return [answer] if answer.status_code >= 400 else []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_wrong_input(app: Flask, host: Person, operation: str) -> None:
    expected = described(operation) & {
        "unknown-field",
        "invalid-request",
        "malformed-header",
        "malformed-json",
        "body-too-large",
        "unsupported-media-type",
    }
    if operation in ("getEvents", "getMyEvents"):
        # The header belongs to the streams that these paths send for `Accept`; the description has it there.
        expected.remove("malformed-header")
    found = found_in(app, _from_input(host, operation))
    assert {(operation, code) for code in expected} <= found


def test_ids_of_nothing(app: Flask, host: Person) -> None:
    game = host.open_game()["id"]
    webhook = add(host)["id"]
    ids = {**NOWHERE, "game_id": game, "webhook_id": webhook, "player_id": host.id, "one": "zman-2018"}
    ids["key"] = "zman-2018"
    of_ids = {
        "unknown-game",
        "unknown-player",
        "unknown-token",
        "unknown-announcement",
        "unknown-message",
        "unknown-report",
        "unknown-webhook",
        "unknown-browser",
        "unknown-delivery",
        "unknown-edition",
        "unknown-clause",
    }
    expected, found = set(), set()
    for operation, (path, _, _) in OPERATIONS.items():
        names = [name for name in NOWHERE if f"{{{name}}}" in path]
        if names:
            expected |= {(operation, code) for code in described(operation) & of_ids}
            answers = [_ask(host, operation, {**ids, name: NOWHERE[name]}) for name in names]
            found |= found_in(app, answers)
    assert expected - found == {("changeWebhook", "unknown-game")}, "a scenario for webhooks provokes it"


def test_tokens(app: Flask, anna: Person, spectator: Person, time: Time) -> None:
    """`test_permissions` has these and other problems for each operation and each kind of caller."""
    strange, late = Person(anna._client), Person(anna._client)
    strange.headers = {"Authorization": "Bearer nobody"}
    late.headers = limited(anna, "read", "play", expires_at=time() + 1).headers
    time.passes(2)
    for operation in OPERATIONS:
        query = {"query_string": {"status": "mine"}} if operation == "listGames" else {}
        for code, who in (("token-required", spectator), ("token-unknown", strange), ("token-expired", late)):
            if code in described(operation):
                assert found_in(app, [_ask(who, operation, NOWHERE, **query)]) == {(operation, code)}


def test_limits(app: Flask, anna: Person, log_server: Valkey) -> None:
    """Operations without their own limit are limited by the server (`tests/service/gateway/test_guard.py`)."""
    text = token_of(anna.id, bytes(32))
    app.extensions["condottiere"].store.players.add_token(anna.id, text, Token("thost", "host", (*SCOPES, ADMIN), 0))
    anna.headers = {"Authorization": f"Bearer {text}"}
    with limiting(app, log_server, dict.fromkeys(limits(Config(redis_url="", queue_url="")), 0)):
        for operation, (_, method, _) in OPERATIONS.items():
            if limits_of(operation, writes=method != "get"):
                assert (operation, "rate-limited") in found_in(app, [_ask(anna, operation, NOWHERE)])


# What an operation declares

SCENARIOS: dict[Scenario, set[tuple[str, str]]] = {}


def provokes(text: str) -> Callable[[Scenario], Scenario]:
    """Register a scenario; each line of the text is an operation and the codes that the scenario provokes for it."""

    def register(scenario: Scenario) -> Scenario:
        lines = [line.split() for line in text.strip().splitlines()]
        SCENARIOS[scenario] = {(operation, code) for operation, *codes in lines for code in codes}
        return scenario

    return register


@provokes(
    """
    openGame wrong-seats bad-option bad-bot bad-seed too-many-open-games too-many-games
    joinGame seat-taken already-seated no-free-seat game-started game-cancelled too-many-games
    leaveGame not-seated game-started game-cancelled
    startGame not-the-owner seats-open game-started game-cancelled
    getGame unknown-version
    listGames token-required
    """
)
def opening(table: Table) -> Iterator[TestResponse]:
    anna, bruno, games, host = table
    asked: Json = {"edition": "zman-2018", "seats": 3}
    others: list[Json] = [
        {"edition": "zman-2018-duel"},
        {"options": {"points": 1}},
        {"bots": [{"seat": 5, "bot": "steady"}]},
        {"seed": "5eed" * 16},
    ]
    for other in others:
        yield anna.ask("POST", "/games", json={**asked, **other})
    full = anna.open_game(**DUEL, start="owner")["id"]
    for body in ({}, {"seat": 0}):
        yield anna.ask("POST", f"/games/{full}/join", json=body)
        yield bruno.ask("POST", f"/games/{full}/join", json={"seat": 0})
    yield anna.ask("POST", f"/games/{full}/start")
    yield host.ask("POST", f"/games/{full}/leave")
    bruno.post(f"/games/{full}/join")
    yield host.ask("POST", f"/games/{full}/join")
    yield bruno.ask("POST", f"/games/{full}/start")
    anna.post(f"/games/{full}/start")
    cancelled = anna.open_game()["id"]
    anna.post(f"/games/{cancelled}/leave")
    for game in (full, cancelled):
        for what in ("join", "leave", "start"):
            yield (host if what == "join" else anna).ask("POST", f"/games/{game}/{what}")
    yield anna.ask("GET", f"/games/{full}?version=999")
    yield Person(anna._client).ask("GET", "/games?status=mine")
    app = anna._client.application
    app.extensions["condottiere"] = replace(games, caps=Caps(open_games=1, games=2, webhooks=1))
    waiting = host.open_game()["id"]
    yield host.ask("POST", "/games", json=asked)
    for _ in range(2):
        bruno.ask("POST", "/games", json={**asked, "bots": [{"seat": seat, "bot": "random"} for seat in (1, 2)]})
    yield bruno.ask("POST", f"/games/{waiting}/join")
    yield bruno.ask("POST", "/games", json={**asked, "bots": [{"seat": seat, "bot": "random"} for seat in (1, 2)]})


@provokes(
    """
    changeTable not-the-owner
    replaceLink not-the-owner not-private
    makeJoinCode not-seated not-private
    findGame code-unknown
    """
)
def tables(table: Table) -> Iterator[TestResponse]:
    game = table.anna.open_game()["id"]
    yield from _on_games(table.bruno, game, ("changeTable", "replaceLink", "makeJoinCode", "findGame"))
    yield from _on_games(table.anna, game, ("replaceLink", "makeJoinCode"))


@provokes(
    """
    invite not-the-owner game-started game-cancelled already-seated invitation-declined too-many-invitations
    withdrawInvitation not-the-owner
    acceptInvitation no-invitation already-seated no-free-seat game-started game-cancelled too-many-games
    declineInvitation no-invitation
    """
)
def invitations(table: Table) -> Iterator[TestResponse]:
    anna, bruno, games, host = table
    names = [f"guest-{number}" for number in range(22)]
    guests = [Person(anna._client, name) for name in names]
    game = anna.open_game()["id"]
    where = f"/games/{game}/invitation"
    yield bruno.ask("POST", f"{where}s", json={"player": "Host"})
    yield bruno.ask("DELETE", f"{where}s/{host.id}")
    yield from _on_games(host, game, ("acceptInvitation", "declineInvitation"))
    yield anna.ask("POST", f"{where}s", json={"player": "Anna"})
    anna.post(f"{where}s", {"player": names[0]}, 201)
    guests[0].ask("POST", f"{where}/decline")
    yield anna.ask("POST", f"{where}s", json={"player": names[0]})
    for name in names[1:20]:
        anna.post(f"{where}s", {"player": name}, 201)
    yield anna.ask("POST", f"{where}s", json={"player": names[20]})
    app = anna._client.application
    app.extensions["condottiere"] = replace(games, caps=Caps(open_games=9, games=1, webhooks=1))
    guests[1].post("/games", {**DUEL, "bots": [{"seat": 1, "bot": "random"}]}, 201)
    yield guests[1].ask("POST", f"{where}/accept")
    app.extensions["condottiere"] = games
    full = anna.open_game(**DUEL, start="owner")["id"]
    anna.post(f"/games/{full}/invitations", {"player": names[2]}, 201)
    bruno.post(f"/games/{full}/join")
    yield guests[2].ask("POST", f"/games/{full}/invitation/accept")
    anna.post(f"/games/{full}/start")
    yield guests[2].ask("POST", f"/games/{full}/invitation/accept")
    yield anna.ask("POST", f"/games/{full}/invitations", json={"player": "Host"})
    anna.post(f"/games/{game}/leave")
    yield guests[3].ask("POST", f"{where}/accept")
    yield anna.ask("POST", f"{where}s", json={"player": "Host"})
    other = anna.open_game()["id"]
    anna.post(f"/games/{other}/invitations", {"player": "Bruno"}, 201)
    bruno.post(f"/games/{other}/invitation/accept")
    yield bruno.ask("POST", f"/games/{other}/invitation/accept")


@provokes(
    """
    proposeRematch not-seated game-not-over no-rematch too-many-open-games too-many-games no-free-seat
    closeSeat not-the-owner game-started game-cancelled seat-taken wrong-seats
    seatBot not-the-owner game-started game-cancelled seat-taken
    handOver not-the-owner game-cancelled game-over player-not-seated names-hidden
    """
)
def owned_games(table: Table) -> Iterator[TestResponse]:
    anna, bruno, games, host = table
    owners = ("closeSeat", "seatBot")
    game = anna.open_game()["id"]
    yield from _on_games(bruno, game, owners)
    yield bruno.ask("POST", f"/games/{game}/hand-over", json={"player": "Anna"})
    yield anna.ask("POST", f"/games/{game}/hand-over", json={"player": "Bruno"})
    yield from _on_games(anna, game, ("closeSeat",))
    for path, body in (("close-seat", {"seat": 0}), ("seat-bot", {"seat": 0, "bot": "random"})):
        yield anna.ask("POST", f"/games/{game}/{path}", json=body)
    for person in (bruno, host):
        person.post(f"/games/{game}/join")
    yield from _on_games(anna, game, (*owners, "proposeRematch"))
    for person in (bruno, host):
        person.post(f"/games/{game}/resign")
    yield anna.ask("POST", f"/games/{game}/hand-over", json={"player": "Bruno"})
    yield Person(anna._client, "Dora").ask("POST", f"/games/{game}/rematch")
    app = anna._client.application
    for caps in (Caps(open_games=0, games=9, webhooks=1), Caps(open_games=9, games=0, webhooks=1)):
        app.extensions["condottiere"] = replace(games, caps=caps)
        yield anna.ask("POST", f"/games/{game}/rematch")
    app.extensions["condottiere"] = games
    new = anna.post(f"/games/{game}/rematch", status=201)["id"]
    anna.post(f"/games/{new}/seat-bot", {"seat": 0, "bot": "random"})
    yield host.ask("POST", f"/games/{game}/rematch")
    anna.post(f"/games/{new}/seat-bot", {"seat": 2, "bot": "random"})
    yield bruno.ask("POST", f"/games/{game}/rematch")
    hidden = anna.open_game(names="hidden")["id"]
    yield anna.ask("POST", f"/games/{hidden}/hand-over", json={"player": "Bruno"})
    cancelled = anna.open_game()["id"]
    anna.post(f"/games/{cancelled}/leave")
    yield from _on_games(anna, cancelled, owners)
    yield anna.ask("POST", f"/games/{cancelled}/hand-over", json={"player": "Bruno"})


def _on_games(who: Person, game: str, names: Iterable[str]) -> Iterator[TestResponse]:
    """Send a request to each of these operations on a game."""
    for operation in names:
        path, method, described = OPERATIONS[operation]
        body: Json = {}
        if "requestBody" in described:
            body["json"] = described["requestBody"]["content"]["application/json"]["example"]
        if operation == "putOrders":
            body["json"] = {"after_battle": "keep"}
        if operation == "makeMove":
            body["headers"] = {"If-Match": "*"}
        yield who.ask(method.upper(), path.removeprefix("/v1").format(game_id=game), **body)


OF_CLOCKS = ("pauseGame", "resumeGame", "askForExtension", "grantExtension")
OF_PLAYERS = ("putOrders", "deleteOrders", "resign", "takeSeatBack", "showCards", "askForHint", "askToEnd", *OF_CLOCKS)


@provokes(
    """
    makeMove game-not-started game-cancelled game-over
    putOrders game-not-started game-cancelled game-over
    deleteOrders game-not-started game-cancelled game-over
    resign game-not-started game-cancelled game-over
    askToEnd game-not-started game-cancelled game-over
    takeSeatBack game-not-started game-cancelled game-over
    showCards game-not-started game-cancelled game-over
    askForHint game-not-started game-cancelled game-over
    pauseGame game-not-started game-cancelled game-over
    resumeGame game-not-started game-cancelled game-over
    askForExtension game-not-started game-cancelled game-over
    grantExtension game-not-started game-cancelled game-over
    advanceClock game-not-started game-cancelled game-over
    giveSeat game-not-started game-cancelled game-over
    cancelGame game-cancelled game-over
    playLine game-not-over game-not-started game-cancelled unknown-version
    """
)
def games_that_do_not_run(table: Table) -> Iterator[TestResponse]:
    anna, host = table.anna, table.host
    bots = [{"seat": 1, "bot": "steady"}]
    started = anna.open_game(**DUEL, start="owner", clock=clock())["id"]
    cancelled = anna.open_game(**DUEL)["id"]
    anna.post(f"/games/{cancelled}/leave")
    over = anna.open_game(**DUEL, bots=bots, clock=clock(), start="owner")["id"]
    anna.post(f"/games/{over}/start")
    anna.post(f"/games/{over}/resign")
    for game in (started, cancelled, over):
        yield from _on_games(anna, game, ("makeMove", "advanceClock", *OF_PLAYERS))
        yield from _on_games(host, game, ("giveSeat",))
        yield anna.ask("POST", f"/games/{game}/lines", json={"version": 1 if game == over else 2, "moves": []})
    yield from _on_games(host, cancelled, ("cancelGame",))
    yield from _on_games(host, over, ("cancelGame",))
    yield anna.ask("POST", f"/games/{over}/lines", json={"version": 999, "moves": []})


@provokes(
    """
    makeMove not-seated not-your-seat version-required stale-version game-paused seat-with-bot
    getOrders not-seated
    putOrders not-seated not-your-seat seat-with-bot stale-orders
    deleteOrders not-seated stale-orders
    resign not-seated
    askToEnd not-seated seat-with-bot nobody-to-agree
    takeSeatBack not-seated seat-not-with-bot
    pauseGame not-seated no-clock game-paused
    resumeGame not-seated no-clock game-not-paused
    askForExtension not-seated no-clock game-paused not-your-turn extension-too-long extension-pending
    grantExtension not-seated no-clock no-extension-asked
    giveSeat seat-not-given
    """
)
def running_games(table: Table) -> Iterator[TestResponse]:
    game, mover, other = running(table, clock=clock())
    path = f"/games/{game['id']}"
    yield from _on_games(table.host, game["id"], ("makeMove", "getOrders", *OF_PLAYERS))
    move = mover.get(path)["moves"][0]
    for body, headers in ((move, {}), (move, {"If-Match": 'W/"1"'}), ({**move, "seat": 5}, {"If-Match": "*"})):
        yield mover.ask("POST", f"{path}/moves", json=body, headers=headers)
    yield from _on_games(mover, game["id"], ("takeSeatBack", "resumeGame", "grantExtension"))
    yield from _on_games(other, game["id"], ("askForExtension",))
    for seconds in (10**6, 600, 600):
        yield from _refused(mover.ask("POST", f"{path}/extension", json={"seconds": seconds}))
    for method in ("PUT", "DELETE"):
        body = {"json": {"after_battle": "keep"}} if method == "PUT" else {}
        yield mover.ask(method, f"{path}/orders", headers={"If-Match": '"9"'}, **body)
    play = {"type": "play-card", "card": "mercenary-1"}
    order = {"type": "lay-until-lead", "cards": [{**play, "seat": 5}]}
    yield mover.ask("PUT", f"{path}/orders", json={"battle": order})
    for person in (mover, other):
        person.post(f"{path}/pause")
    yield from _on_games(mover, game["id"], ("makeMove", "pauseGame", "askForExtension"))
    mover.post(f"{path}/resume")
    seat = mover.get(path)["you"]
    given = {"seat": seat, "bot": "steady", "reason": "away"}
    table.host.post(f"/admin{path}/give-seat", given)
    yield table.host.ask("POST", f"/admin{path}/give-seat", json=given)
    yield from _on_games(mover, game["id"], ("makeMove", "putOrders", "askToEnd"))
    yield from _on_games(other, game["id"], ("askToEnd",))
    untimed, mover, _ = running(table)
    yield from _on_games(mover, untimed["id"], OF_CLOCKS)


@provokes(
    """
    askForHint not-seated hints-not-allowed game-paused not-your-turn seat-with-bot
    getHint not-seated no-hint
    """
)
def hints(table: Table) -> Iterator[TestResponse]:
    without, mover, _ = running(table)
    yield from _on_games(mover, without["id"], ("askForHint",))
    game, mover, other = running(table, clock=clock(), hints="allowed")
    for person in (table.host, other):
        yield from _on_games(person, game["id"], ("askForHint", "getHint"))
    for person in (mover, other):
        person.post(f"/games/{game['id']}/pause")
    yield from _on_games(mover, game["id"], ("askForHint",))
    mover.post(f"/games/{game['id']}/resume")
    given = {"seat": mover.get(f"/games/{game['id']}")["you"], "bot": "steady", "reason": "away"}
    table.host.post(f"/admin/games/{game['id']}/give-seat", given)
    yield from _on_games(mover, game["id"], ("askForHint",))


@provokes("showCards not-seated showing-not-allowed card-not-in-hand too-many-showings seat-with-bot")
def showing(table: Table) -> Iterator[TestResponse]:
    without, mover, _ = running(table)
    yield from _on_games(mover, without["id"], ("showCards",))
    game, mover, _ = running(table, showing="allowed")
    path = f"/games/{game['id']}"
    yield from _on_games(table.host, game["id"], ("showCards",))
    view = mover.get(path)
    cards = view["position"]["seats"][view["you"]]["hand"]["cards"]
    shown = {"to": [1 - view["you"]], "cards": cards[:1]}
    yield mover.ask("POST", f"{path}/shown", json={**shown, "cards": [*cards, cards[0]]})
    for _ in range(MOST_SHOWINGS):
        mover.post(f"{path}/shown", shown, 201)
    yield mover.ask("POST", f"{path}/shown", json=shown)
    table.host.post(f"/admin{path}/give-seat", {"seat": view["you"], "bot": "steady", "reason": "away"})
    yield mover.ask("POST", f"{path}/shown", json=shown)


@provokes(
    """
    sendMessage not-seated talk-off talk-not-allowed private-talk-not-allowed talk-closed spectators-only muted
    sendMessage seat-without-player too-many-messages room-full
    getMutes not-the-owner
    putMutes not-the-owner
    blockPlayer too-many-blocks
    reportMessage too-many-reports
    """
)
def talk(table: Table) -> Iterator[TestResponse]:
    anna, bruno, games, _ = table
    app = anna._client.application

    def say(who: Person, game: str, **body: Any) -> TestResponse:
        return who.ask("POST", f"/games/{game}/talk", json={"text": "Hello", **body})

    for rule in ("none", "public-only"):
        yield from _refused(say(anna, anna.open_game(talk=rule)["id"], room="seats", seats=[1]))
    game = anna.open_game(**DUEL)["id"]
    spectators = {"room": "spectators"}
    yield say(anna, game, **spectators)
    yield say(bruno, game)
    yield say(anna, game, room="seats", seats=[1])
    mutes = {"everyone": True, "players": []}
    yield bruno.ask("GET", f"/games/{game}/talk/mutes")
    yield bruno.ask("PUT", f"/games/{game}/talk/mutes", json=mutes)
    anna.ask("PUT", f"/games/{game}/talk/mutes", json=mutes)
    yield say(bruno, game, **spectators)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.talk.sending.MAX_IN_ROOM", {"table": 0})
        yield say(anna, game)
        patch.setattr("service.talk.sending.MAX_MESSAGES", 0)
        yield say(anna, game)
        patch.setattr("service.store.blocks.MAX_BLOCKS", 0)
        yield anna.ask("PUT", f"/me/blocks/{bruno.id}")
        patch.setattr("service.store.reports.MAX_OF_PLAYER", 0)
        patch.undo()
        message = say(anna, game).get_json()["id"]
        patch.setattr("service.store.reports.MAX_OF_PLAYER", 0)
        yield bruno.ask("POST", f"/games/{game}/talk/{message}/report", json={"reason": "rude"})
    app.extensions["condottiere"] = replace(games, talk=False)
    yield say(anna, game)
    app.extensions["condottiere"] = games
    anna.post(f"/games/{game}/leave")
    games.now.passes(8 * DAY)  # type: ignore[attr-defined]
    yield say(anna, game)


@provokes("advanceClock test-clock-off not-the-owner no-clock game-paused clock-stopped stale-version")
def clocks_for_tests(table: Table) -> Iterator[TestResponse]:
    anna, bruno, games, host = table
    game = anna.open_game(**DUEL, clock=clock())["id"]
    bruno.post(f"/games/{game}/join")
    for person in (anna, bruno):
        person.post(f"/games/{game}/pause")
    yield from _on_games(anna, game, ("advanceClock",))
    yield from _on_games(host, game, ("advanceClock",))
    untimed, _, _ = running(table)
    yield from _on_games(anna, untimed["id"], ("advanceClock",))
    with_bot = anna.open_game(**DUEL, bots=[{"seat": 1, "bot": "steady"}], clock=clock())
    while with_bot["moves"]:
        with_bot = anna.move(with_bot, with_bot["moves"][0])
    yield from _on_games(anna, with_bot["id"], ("advanceClock",))
    yield anna.ask("POST", f"/games/{game}/clock/advance", json={"seconds": 1}, headers={"If-Match": '"999"'})
    anna._client.application.extensions["condottiere"] = replace(games, test_clock=False)
    yield from _on_games(anna, game, ("advanceClock",))


@provokes(
    """
    makeMove already-resigned
    putOrders already-resigned
    resign already-resigned
    askToEnd already-resigned
    takeSeatBack already-resigned
    showCards already-resigned
    askForHint already-resigned
    pauseGame already-resigned
    resumeGame already-resigned
    askForExtension already-resigned
    grantExtension already-resigned
    """
)
def resigned(table: Table) -> Iterator[TestResponse]:
    game = table.anna.open_game(clock=clock())["id"]
    for person in (table.bruno, table.host):
        person.post(f"/games/{game}/join")
    table.anna.post(f"/games/{game}/resign")
    yield from _on_games(table.anna, game, ("makeMove", *OF_PLAYERS[:1], *OF_PLAYERS[2:]))


@provokes(
    """
    makeMove not-your-turn wrong-phase card-not-in-hand already-passed region-owned
    putOrders no-battle card-not-in-hand already-passed
    playLine wrong-phase
    """
)
def against_the_rules(table: Table) -> Iterator[TestResponse]:
    path = f"/games/{table.anna.open_game()['id']}"
    people = (table.anna, table.bruno, table.host)
    for person in people[1:]:
        person.post(f"{path}/join")

    def make(who: Person, move: Json) -> TestResponse:
        return who.ask("POST", f"{path}/moves", json=move, headers={"If-Match": "*"})

    def acting() -> tuple[Person, Json]:
        """Return the player whose turn it is, and that player's view."""
        return next((who, view) for who in people if (view := who.get(path))["moves"])

    who, view = acting()
    assert view["position"]["phase"] == "choose-region"
    for person in people:
        yield make(person, {"type": "pass"})
    yield who.ask("PUT", f"{path}/orders", json={"battle": {"type": "pass"}})
    make(who, view["moves"][0])
    who, view = acting()
    hand = view["position"]["seats"][view["you"]]["hand"]["cards"]
    numbers = (f"mercenary-{strength}" for strength in (10, 6, 5, 4, 3, 2, 1))
    missing = {"type": "play-card", "card": next(card for card in numbers if card not in hand)}
    yield make(who, missing)
    yield who.ask("PUT", f"{path}/orders", json={"battle": {"type": "lay-until-lead", "cards": [missing]}})
    make(who, next(move for move in view["moves"] if move.get("card", "").startswith("mercenary")))
    who, view = acting()
    make(who, {"type": "pass"})
    yield make(who, {"type": "pass"})
    yield who.ask("PUT", f"{path}/orders", json={"battle": {"type": "pass"}})
    owned: list[str] = []
    while not owned or view["position"]["phase"] != "choose-region":
        who, view = acting()
        make(who, view["moves"][-1])
        who, view = acting()
        owned = [region for seat in view["position"]["seats"] for region in seat["regions"]]
    yield make(who, {"type": "choose-region", "region": owned[0]})
    for person in people[:2]:
        person.post(f"{path}/resign")
    yield who.ask("POST", f"{path}/lines", json={"version": 3, "moves": [{"type": "pass"}]})


@provokes(
    """
    makeToken too-many-tokens
    exchangeDevice code-unknown too-many-tokens
    recoverAccount code-unknown
    registerPlayer name-taken registration-closed registration-code-required registration-code-wrong
    goOnVacation no-vacation
    """
)
def accounts(table: Table) -> Iterator[TestResponse]:
    anna = table.anna
    code = anna.post("/me/devices", status=201)["code"]
    yield anna.ask("POST", "/devices", json={"code": "0000-0000", "name": "phone"})
    for _ in range(21):
        yield from _refused(anna.ask("POST", "/me/tokens", json={"name": "bot", "scopes": ["read"]}))
    yield anna.ask("POST", "/devices", json={"code": code, "name": "phone"})
    yield anna.ask("POST", "/recovery", json={"name": "Anna", "code": "0000-0000-0000-0000"})
    yield anna.ask("POST", "/me/vacation", json={"until": table.games.now() + 300 * DAY})
    yield anna.ask("POST", "/players", json={"name": "Anna"})
    app = anna._client.application

    before = app.extensions["admission"]
    for mode, sent in (("closed", {}), ("code", {}), ("code", {"code": "wrong"})):
        app.extensions["admission"] = Admission(mode, "sesame")
        yield anna.ask("POST", "/players", json={"name": "Dorotea", **sent})
    app.extensions["admission"] = before


@provokes(
    """
    addWebhook bad-endpoint bad-secret webhook-loop too-many-webhooks unknown-game not-seated
    changeWebhook bad-endpoint webhook-loop unknown-game not-seated
    replaceSecret bad-secret
    """
)
def webhooks(table: Table) -> Iterator[TestResponse]:
    anna, game = table.anna, table.bruno.open_game()["id"]
    webhook = add(anna)["id"]
    wrong: list[Json] = [
        {"url": "ftp://example.org/"},
        {"url": "https://example.org/", "games": [NOWHERE["game_id"]]},
        {"url": "https://example.org/", "games": [game]},
    ]
    for body in wrong:
        yield anna.ask("POST", "/webhooks", json=body)
        yield anna.ask("PATCH", f"/webhooks/{webhook}", json=body)
    loop: Json = {"json": {"url": "https://play.example.org/"}, "base_url": "https://play.example.org"}
    yield anna.ask("POST", "/webhooks", **loop)
    yield anna.ask("PATCH", f"/webhooks/{webhook}", **loop)
    yield anna.ask("POST", "/webhooks", json={"url": URL, "secret": "whsec_short"})
    yield anna.ask("POST", f"/webhooks/{webhook}/secret", json={"secret": "whsec_short"})
    app = anna._client.application
    app.extensions["condottiere"] = replace(table.games, caps=Caps(webhooks=1))
    yield anna.ask("POST", "/webhooks", json={"url": URL})


@provokes(
    """
    setAddress mail-unavailable bad-address
    confirmAddress code-unknown
    confirmWebhook code-unknown
    addBrowser bad-endpoint webhook-loop bad-push-keys too-many-browsers
    """
)
def notices(table: Table) -> Iterator[TestResponse]:
    anna, app = table.anna, table.anna._client.application
    yield anna.ask("PUT", "/me/notices/email", json={"address": "anna@example.org"})
    app.extensions["condottiere"] = replace(table.games, mail=MAIL)
    yield anna.ask("PUT", "/me/notices/email", json={"address": "anna"})
    yield anna.ask("POST", "/me/notices/email/confirm", json={"code": "0000-0000"})
    yield anna.ask("POST", f"/webhooks/{add(anna)['id']}/confirm", json={"code": "0000-0000"})
    path, browser = "/me/notices/push", REQUESTS["addBrowser"]
    yield anna.ask("POST", path, json={**browser, "endpoint": "ftp://example.org/"})
    yield anna.ask("POST", path, json={**browser, "keys": {"p256dh": "BA", "auth": "AA"}})
    loop = {**browser, "endpoint": "https://play.example.org/"}
    yield anna.ask("POST", path, json=loop, base_url="https://play.example.org")
    for number in range(MAX_BROWSERS + 1):
        body = {**browser, "endpoint": f"https://push.example.org/{number}"}
        yield from _refused(anna.ask("POST", path, json=body))


@provokes(
    """
    findGames unknown-player
    renamePlayer name-taken
    announce too-many-announcements
    """
)
def hosts(table: Table) -> Iterator[TestResponse]:
    host = table.host
    yield host.ask("GET", "/admin/games?player=Nobody")
    yield host.ask("POST", f"/admin/players/{table.bruno.id}/rename", json={"name": "Anna", "reason": "one"})
    for _ in range(40):
        yield from _refused(host.ask("POST", "/admin/announcements", json={"text": "Hello"}))


@provokes(
    """
    getEvents not-acceptable malformed-header
    streamEvents not-acceptable
    getMyEvents not-acceptable malformed-header
    streamMyEvents not-acceptable
    getRecord not-acceptable
    """
)
def streams(table: Table) -> Iterator[TestResponse]:
    game = table.anna.open_game()["id"]
    paths = [f"/games/{game}/events", "/me/events"]
    for path in (*paths, *(f"{path}/stream" for path in paths), f"/games/{game}/record"):
        yield table.anna.ask("GET", path, headers={"Accept": "image/png"})
    for path in paths:
        yield table.anna.ask("GET", path, headers={"Last-Event-ID": "not one"})


@provokes(
    """
    verifyRecord record-not-utf-8 record-not-json record-cut record-too-large record-too-deep record-bad-number
    verifyRecord record-duplicate-member record-unreadable record-redacted unknown-record-format bad-head
    """
)
def records(table: Table) -> Iterator[TestResponse]:
    game = table.anna.open_game()["id"]
    record = table.anna.get(f"/games/{game}/record")
    bodies = (
        b"\xff",
        b"nonsense",
        b'{"record":1',
        b"x" * OVER_HTTP.bytes,
        b"[" * 3_000 + b"]" * 3_000,
        b'{"record":1.5}',
        b'{"record":1,"record":1}',
        b"{}",
        json.dumps(record).encode(),
        json.dumps({**record, "record": 99}).encode(),
    )
    for body in bodies:
        yield table.anna.ask("POST", "/records/verify", data=body, content_type="application/json")
    yield table.anna.ask("POST", "/records/verify?head=x", data=bodies[-2], content_type="application/json")


GENERAL = {
    "unknown-field",
    "invalid-request",
    "malformed-header",
    "malformed-json",
    "body-too-large",
    "unsupported-media-type",
    "unknown-game",
    "unknown-player",
    "unknown-token",
    "unknown-announcement",
    "unknown-message",
    "unknown-report",
    "unknown-webhook",
    "unknown-browser",
    "unknown-delivery",
    "unknown-edition",
    "unknown-clause",
    "token-required",
    "token-unknown",
    "token-expired",
    "suspended",
    "scope-missing",
    "rate-limited",
    "key-reused",
}
"""The codes that the tests above, `test_permissions` and `test_idempotency` provoke."""
ELSEWHERE = {
    *((operation, code) for operation in ("makeMove", "putOrders", "playLine") for code in RULES),
    *((operation, code) for operation in OPERATIONS for code in WAITS),
    ("joinGame", "game-over"),
}
"""Codes that no scenario provokes: refusals by the rules (see below), waits (see the server's tests), and race
conditions between two reads."""
REFUSED = {case.code: case for case in reversed(CASES)}
"""For each code of a refusal by the rules: a position and a move."""


@pytest.mark.parametrize("code", RULES)
def test_every_refusal_by_the_rules(app: Flask, table: Table, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test replaces the game's position with another one."""
    case = REFUSED[code]
    position, command = case.given(case.edition), case.command()
    game = table.anna.open_game()["id"]
    for person in (table.bruno, table.host):
        person.post(f"/games/{game}/join")
    path, move = f"/games/{game}", {**command_to_record(command), "seat": command.seat}
    with monkeypatch.context() as patch:
        patch.setattr(moves, "seat_of", lambda *_: command.seat)
        given: Any = moves.load(app.extensions["condottiere"], game)
        patch.setattr(moves, "load", lambda *_: replace(given, state=position))
        tried = table.anna.ask("POST", f"{path}/moves?dry_run=true", json=move, headers={"If-Match": "*"})
    for person in (table.anna, table.bruno):
        person.post(f"{path}/resign")
    monkeypatch.setattr(lines, "_started_at", lambda *_: replace(given, state=position))
    played = table.anna.ask("POST", f"{path}/lines", json={"version": 1, "moves": [move]})
    assert found_in(app, [tried, played]) == {("makeMove", code), ("playLine", code)}


def test_every_code_that_is_described_is_provoked() -> None:
    all_codes = {(operation, code) for operation in OPERATIONS for code in described(operation) if code not in GENERAL}
    provoked = set().union(*SCENARIOS.values())
    assert all_codes - ELSEWHERE <= provoked
    assert {(operation, code) for operation, code in provoked if code not in GENERAL} <= all_codes


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_scenario(app: Flask, table: Table, scenario: Scenario) -> None:
    missing = SCENARIOS[scenario] - found_in(app, scenario(table))
    assert not missing
