"""Permissions: how every operation responds to every kind of caller.

The table has a row for each operation and a column for each kind of caller. The world is the same for each pair: a
running game in which it is the seat's turn. A column of the table is one of these callers:

none       no token                               stranger    a player without a seat
malformed  text that is not a token               seat        a player at the table, with all scopes
revoked    a token of the seat that was revoked   former      a player whose seat was given to a substitute
expired    one that has expired                   substitute  the player who took that seat
read, play, webhooks, account                     owner       the player who opened the game, and sits there too
           tokens of the seat with one scope      suspended   a player at the table whom the host has suspended
bot        one with the scopes of a bot           admin       a token of the host
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.access import ADMIN, READ
from service.api.examples import REQUESTS
from service.games.repository import Games
from service.store.keys import of_player
from service.store.tokens import Token, token_of
from service.webhooks import planning

from ..times import DAY, Time, clock
from .conftest import Json, Person
from .test_openapi import operations
from .test_webhooks import ALL, add, verify

MEANINGS = {
    "ok": "2xx",
    "T": "401 token-required",
    "U": "401 token-unknown",
    "E": "401 token-expired",
    "S": "403 scope-missing",
    "H": "403 suspended",
    "N": "403 not-seated",
    "O": "403 not-the-owner",
    "C": "403 code-unknown",
    "W": "404 unknown-webhook",
    "D": "404 unknown-token",
    "i": "422 invalid-request",  # A player cannot block themselves or hand over to an unknown player.
    "B": "404 unknown-browser",
    "m": "409 mail-unavailable",
    "h": "404 no-hint",
    "b": "409 seat-not-with-bot",
    "e": "409 no-extension-asked",
    "f": "409 game-not-over",
    "g": "409 game-started",
    "j": "404 no-invitation",
    "n": "409 not-private",
    "p": "409 game-not-paused",
    "t": "409 not-your-turn",  # The code may also be already-passed: the cards decide who has passed.
    "v": "409 no-vacation",
    "x": "503 not-ready",
}
"""What a cell of the table means. Lower-case letters have nothing to do with permissions: in this world, the request
cannot succeed."""
SCOPED = ("read", "play", "webhooks", "account")
PEOPLE = ("stranger", "seat", "former", "substitute", "owner")
CALLERS = ("none", "malformed", "revoked", "expired", *SCOPED, "bot", *PEOPLE, "suspended", "admin")

TABLE = """
registerPlayer        ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getPlayer             ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getMe                 T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
deleteMe              T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
changeMe              T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
replaceToken          T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
listTokens            T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
makeToken             T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
revokeToken           T  U  U  E  S  S  S  ok S  D  ok D  D  D  H  S
addDevice             T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
exchangeDevice        C  C  C  C  C  C  C  C  C  C  C  C  C  C  C  C
replaceRecoveryCode   T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
recoverAccount        C  C  C  C  C  C  C  C  C  C  C  C  C  C  C  C
exportMe              T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
listEditions          ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getEdition            ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getClause             ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getSentences          ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
compareEditions       ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
listBots              ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
openGame              T  U  U  E  S  ok S  S  ok ok ok ok ok ok H  S
listGames             ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getTable              ok U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
changeTable           T  U  U  E  S  O  S  S  O  O  O  O  O  ok H  S
replaceLink           T  U  U  E  S  O  S  S  O  O  O  O  O  n  H  S
makeJoinCode          T  U  U  E  S  n  S  S  n  N  n  N  n  n  H  S
getSettings           ok U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
invite                T  U  U  E  S  O  S  S  O  O  O  O  O  g  H  S
withdrawInvitation    T  U  U  E  S  O  S  S  O  O  O  O  O  ok H  S
acceptInvitation      T  U  U  E  S  j  S  S  j  j  j  j  j  j  H  S
declineInvitation     T  U  U  E  S  j  S  S  j  j  j  j  j  j  H  S
listMyInvitations     T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
proposeRematch        T  U  U  E  S  f  S  S  f  N  f  N  f  f  H  S
closeSeat             T  U  U  E  S  O  S  S  O  O  O  O  O  g  H  S
seatBot               T  U  U  E  S  O  S  S  O  O  O  O  O  g  H  S
handOver              T  U  U  E  S  O  S  S  O  O  O  O  O  i  H  S
findGame              T  U  U  E  C  S  S  S  C  C  C  C  C  C  H  C
getGame               ok U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
joinGame              T  U  U  E  S  g  S  S  g  g  g  g  g  g  H  S
leaveGame             T  U  U  E  S  g  S  S  g  g  g  g  g  g  H  S
startGame             T  U  U  E  S  O  S  S  O  O  O  O  O  g  H  S
makeMove              T  U  U  E  S  ok S  S  ok N  ok N  t  t  H  S
showCards             T  U  U  E  S  ok S  S  ok N  ok N  ok ok H  S
playLine              f  U  U  E  f  S  S  S  f  f  f  f  f  f  H  f
getOrders             T  U  U  E  ok S  S  S  ok N  ok N  ok ok H  N
listMyOrders          T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
askForHint            T  U  U  E  S  ok S  S  ok N  ok N  t  t  H  S
getHint               T  U  U  E  h  S  S  S  h  N  h  N  h  h  H  N
putOrders             T  U  U  E  S  ok S  S  ok N  ok N  ok ok H  S
deleteOrders          T  U  U  E  S  ok S  S  ok N  ok N  ok ok H  S
sendMessage           T  U  U  E  S  ok S  S  ok N  ok N  i  ok H  S
getTalk               T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
markTalk              T  U  U  E  S  ok S  S  ok ok ok ok ok ok H  S
getMutes              T  U  U  E  O  S  S  S  O  O  O  O  O  ok H  O
putMutes              T  U  U  E  S  O  S  S  O  O  O  O  O  ok H  S
reportMessage         T  U  U  E  S  ok S  S  ok ok ok ok ok ok H  S
getMyTalk             T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
listBlocks            T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
blockPlayer           T  U  U  E  S  S  S  i  S  ok i  ok ok ok H  S
unblockPlayer         T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
getEvents             ok U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
streamEvents          ok U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
getRecord             ok U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
getMyEvents           T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
streamMyEvents        T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
getMyTurns            T  U  U  E  ok S  S  S  ok ok ok ok ok ok H  ok
resign                T  U  U  E  S  ok S  S  ok N  ok N  ok ok H  S
askToEnd              T  U  U  E  S  ok S  S  ok N  ok N  ok ok H  S
takeSeatBack          T  U  U  E  S  b  S  S  b  N  b  N  b  b  H  S
pauseGame             T  U  U  E  S  ok S  S  ok N  ok N  ok ok H  S
resumeGame            T  U  U  E  S  p  S  S  p  N  p  N  p  p  H  S
askForExtension       T  U  U  E  S  ok S  S  ok N  ok N  t  t  H  S
grantExtension        T  U  U  E  S  e  S  S  e  N  e  N  e  e  H  S
advanceClock          T  U  U  E  S  O  S  S  O  O  O  O  O  ok H  S
goOnVacation          T  U  U  E  S  S  S  v  S  v  v  v  v  v  H  S
comeBack              T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
addWebhook            T  U  U  E  S  S  ok S  ok ok ok ok ok ok H  S
listWebhooks          T  U  U  E  S  S  ok S  ok ok ok ok ok ok H  S
getWebhook            T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
changeWebhook         T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
removeWebhook         T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
replaceSecret         T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
confirmWebhook        T  U  U  E  S  S  C  S  C  W  C  W  W  W  H  S
pingWebhook           T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
listDeliveries        T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
getDelivery           T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
redeliver             T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
redeliverRange        T  U  U  E  S  S  ok S  ok W  ok W  W  W  H  S
getNotices            T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
setNotices            T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
setAddress            T  U  U  E  S  S  S  m  S  m  m  m  m  m  H  S
confirmAddress        T  U  U  E  S  S  S  C  S  C  C  C  C  C  H  S
removeAddress         T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
addBrowser            T  U  U  E  S  S  S  ok S  ok ok ok ok ok H  S
removeBrowser         T  U  U  E  S  S  S  ok S  B  ok B  B  B  H  S
verifyRecord          ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
getHealth             x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x
getReadiness          ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
listAnnouncements     ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok
findPlayers           T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
showPlayer            T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
suspendPlayer         T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
reinstatePlayer       T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
renamePlayer          T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
findGames             T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
showGame              T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
cancelGame            T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
giveSeat              T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
setTitle              T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
getSwitches           T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
setRegistration       T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
setReadOnly           T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
listAllAnnouncements  T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
announce              T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
withdrawAnnouncement  T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
listReports           T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
settleReport          T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
readAudit             T  U  U  E  S  S  S  S  S  S  S  S  S  S  H  ok
"""


class World:
    """The callers, and the ids that their requests need."""

    def __init__(self, app: Flask, games: Games, time: Time) -> None:
        """Open a game, play it until a substitute has a seat, and then until it is the seat's turn."""
        self._client: FlaskClient = app.test_client()
        people = {name: Person(self._client, name) for name in PEOPLE}
        suspended, host = Person(self._client, "suspended"), Person(self._client, "host")
        at_table = [people["seat"], people["former"], suspended]
        game = people["owner"].open_game(
            seats=4,
            clock=clock(at_timeout="open-seat", misses=1),
            entropy="c0ffee",
            start="owner",
            hints="allowed",
            showing="allowed",
        )["id"]
        for person in at_table:
            person.post(f"/games/{game}/join")
        people["owner"].post(f"/games/{game}/start")
        movers = {person.id: person for person in (people["owner"], *at_table, people["substitute"])}
        while (mover := self._mover(game, movers)) is not people["former"]:
            self._move(game, mover)
        time.passes(DAY + 1)
        people["substitute"].get(f"/games/{game}")
        people["substitute"].post(f"/games/{game}/join")
        while (mover := self._mover(game, movers)) is not people["seat"]:
            self._move(game, mover)
        seat = people["seat"]
        webhook = add(seat)
        verify(games, webhook)
        planning.plan(games, ALL)
        games.store.deliveries.take("q", ["q"], dict.fromkeys(ALL, 9), grace=0)
        browser = seat.post("/me/notices/push", REQUESTS["addBrowser"], 201)
        revoked = self._token(seat, *SCOPED)
        seat.ask("DELETE", f"/me/tokens/{revoked['id']}")
        expired = self._token(seat, "read", expires_at=time() + 1)
        time.passes(2)
        with games.store._server._connect().nodes()[0] as client:
            client.hset(of_player(suspended.id), "suspended", "abuse")
        admin = token_of(host.id, bytes(32))
        games.store.players.add_token(
            host.id, admin, Token(id="tadmin", name="host", scopes=(READ, ADMIN), created=time(), expires=None)
        )
        self.tokens: dict[str, str | None] = {
            "none": None,
            "malformed": "malformed",
            "revoked": revoked["token"],
            "expired": expired["token"],
            **{scope: self._token(seat, scope)["token"] for scope in SCOPED},
            "bot": self._token(seat, "read", "play", "webhooks")["token"],
            "admin": admin,
            "suspended": suspended.headers["Authorization"].partition(" ")[2],
        }
        for name in PEOPLE:
            self.tokens[name] = people[name].headers["Authorization"].partition(" ")[2]
        announced = self._client.post(
            "/v1/admin/announcements",
            json={"text": "Maintenance at noon."},
            headers={"Authorization": f"Bearer {admin}"},
        )
        self.names = {caller: caller if caller in people else "seat" for caller in CALLERS}
        self.names |= {"suspended": "suspended", "admin": "host"}
        said = seat.post(f"/games/{game}/talk", {"text": "Hello"}, 201)
        people["owner"].ask("POST", f"/games/{game}/talk/{said['id']}/report", json={"reason": "rude"})
        (reported,) = games.store.reports.all()
        view = seat.get(f"/games/{game}")
        self.ids = {
            "message_id": said["id"],
            "report_id": reported["id"],
            "announcement_id": announced.get_json()["id"],
            "game_id": game,
            "player_id": seat.id,
            "webhook_id": webhook["id"],
            "browser_id": browser["id"],
            "number": "1",
            "token_id": self._token(seat, "read")["id"],
            "key": view["edition"],
            "one": view["edition"],
            "other": view["edition"],
            "clause": "1.1",
        }
        self.move, self.version = view["moves"][0], view["version"]
        self.shown = {name: _shown(person.get(f"/games/{game}")) for name, person in people.items()}
        self._snapshot = _dump(games)
        self._games = games

    def answer(self, method: str, path: str, operation: Json, caller: str) -> str:
        """Return the cell for an operation and a caller; the world is reset before each request."""
        _restore(self._games, self._snapshot)
        headers = {} if (token := self.tokens[caller]) is None else {"Authorization": f"Bearer {token}"}
        name = self.names[caller]
        shows = operation["operationId"] == "showCards" and name in self.shown
        body = self.shown[name] if shows else _body_of(operation, self.move, name)
        if operation["operationId"] == "makeMove":
            headers["If-Match"] = f'"{self.version}"'
        sent: Json = {} if body is None else {"json": body}
        with self._client.open(path.format(**self.ids), method=method.upper(), headers=headers, **sent) as answer:
            if answer.status_code < 300:
                return "ok"
            code = answer.get_json(force=True)["code"]
        written = f"{answer.status_code} {code}".replace("already-passed", "not-your-turn")
        return next((cell for cell, meaning in MEANINGS.items() if meaning == written), written)

    def _token(self, person: Person, *scopes: str, **more: Any) -> Json:
        return person.post("/me/tokens", {"name": "-".join(scopes), "scopes": list(scopes), **more}, 201)

    def _mover(self, game: str, movers: Mapping[str, Person]) -> Person:
        view = next(iter(movers.values())).get(f"/games/{game}")
        return movers[view["seated"][view["position"]["turn"]]["player"]]

    def _move(self, game: str, mover: Person) -> None:
        view = mover.get(f"/games/{game}")
        mover.move(view, view["moves"][-1])


def _shown(view: Json) -> Json:
    """Return a request to show another seat the first card of a player's hand, or any card if there is no hand."""
    if view["you"] is None:
        return {"to": [0], "cards": ["winter"]}
    return {"to": [(view["you"] + 1) % 4], "cards": view["position"]["seats"][view["you"]]["hand"]["cards"][:1]}


def _body_of(operation: Json, move: Json, name: str) -> Any:
    if operation["operationId"] == "makeMove":
        return move
    if operation["operationId"] == "changeWebhook":
        return {"payload": "thin"}
    if operation["operationId"] == "deleteMe":
        return {"name": name}
    if "requestBody" not in operation:
        return None
    return operation["requestBody"]["content"]["application/json"]["example"]


def _dump(games: Games) -> dict[bytes, bytes]:
    client = _client(games)
    keys = client.keys("*")
    return {key: client.dump(key) for key in keys}


def _restore(games: Games, snapshot: Mapping[bytes, bytes]) -> None:
    pipe = _client(games).pipeline(transaction=False)
    pipe.flushdb()
    for key, value in snapshot.items():
        pipe.restore(key, 0, value)
    pipe.execute()


def _client(games: Games) -> redis.Redis:
    client: redis.Redis = games.store._server._connect().nodes()[0]
    return client


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def world(app: Flask, games: Games, time: Time) -> World:
    return World(app, games, time)


def rows(table: str) -> dict[str, list[str]]:
    """Return the cells of each row of the table."""
    return {line.split()[0]: line.split()[1:] for line in table.strip().splitlines()}


def written(found: Mapping[str, list[str]]) -> str:
    """Return the rows as text, formatted like the table."""
    widths = [max(len(cells[column]) for cells in found.values()) for column in range(len(CALLERS))]
    return "\n".join(
        f"{name:21} " + " ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
        for name, cells in found.items()
    )


def test_every_operation_answers_every_kind_of_caller_as_the_table_says(world: World) -> None:
    found = {
        operation["operationId"]: [world.answer(method, path, operation, caller) for caller in CALLERS]
        for path, method, operation in operations()
    }
    assert found == rows(TABLE), f"found:\n{written(found)}"
