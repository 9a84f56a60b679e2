"""Writes: a request for each operation that may change something, and how responses are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from werkzeug.test import TestResponse

from service.clocks.hours import Hours, dumps
from service.clocks.nights import Habits
from service.clocks.reckoning import DAY
from service.clocks.vacation import Vacation
from service.games.repository import Games
from service.webhooks import planning

from ..times import clock
from .conftest import Json, Person
from .test_openapi import operations, success_of
from .test_webhooks import ALL, URL, add, deliveries, failed, verify

KEY = "9f86d081-884c-4d65-9a2f-eaa0c55ad015"
DUEL = {"edition": "zman-2018-duel", "seats": 2}


class Table(NamedTuple):
    """Two players, the games behind the app, and the host."""

    anna: Person
    bruno: Person
    games: Games
    host: Person


class Request(NamedTuple):
    """A request: its sender, path and body; `other` is a different body for the same key."""

    person: Person
    path: str
    body: Json | None = None
    other: Json | None = None
    headers: Json = {}


def running(table: Table, **options: Any) -> tuple[Json, Person, Person]:
    """Return a running two-player game, the player whose turn it is, and the other player."""
    game = table.anna.open_game(**DUEL, **options)
    game = table.bruno.post(f"/games/{game['id']}/join")
    turn = {table.anna.id: (table.anna, table.bruno), table.bruno.id: (table.bruno, table.anna)}
    mover = game["seated"][game["position"]["turn"]]["player"]
    return table.anna.get(f"/games/{game['id']}"), *turn[mover]


def on_game(path: str, body: Json | None = None, other: Json | None = None) -> Callable[[Table], Request]:
    """Return a request by the player whose turn it is, in a game with a clock."""

    def request(table: Table) -> Request:
        game, mover, _ = running(table, clock=clock())
        return Request(mover, f"/games/{game['id']}/{path}", body, other)

    return request


def joining(table: Table) -> Request:
    game = table.anna.open_game()
    return Request(table.bruno, f"/games/{game['id']}/join", {"seat": 1}, {"seat": 2})


def leaving(table: Table) -> Request:
    game = table.anna.open_game()
    table.bruno.post(f"/games/{game['id']}/join")
    return Request(table.bruno, f"/games/{game['id']}/leave")


def on_private_game(path: str) -> Callable[[Table], Request]:
    """Return a request by the owner of a private game."""
    return lambda table: Request(table.anna, f"/games/{table.anna.open_game(private=True)['id']}/{path}")


def changing_title(table: Table) -> Request:
    game = table.anna.open_game()
    return Request(table.anna, f"/games/{game['id']}/table", {"title": "one"}, {"title": "two"})


def inviting(table: Table) -> Request:
    game = table.anna.open_game()
    return Request(table.anna, f"/games/{game['id']}/invitations", {"player": "Bruno"}, {"player": "Host"})


def invited(path: str, body: Json, other: Json) -> Callable[[Table], Request]:
    """Return the request with which an invited player responds."""

    def request(table: Table) -> Request:
        made = inviting(table)
        made.person.post(made.path, made.body, 201)
        return Request(table.bruno, made.path.replace("invitations", path), body, other)

    return request


def withdrawing_invitation(table: Table) -> Request:
    made = inviting(table)
    made.person.post(made.path, made.body, 201)
    return Request(table.anna, f"{made.path}/{table.bruno.id}")


def proposing(table: Table) -> Request:
    game, mover, _ = running(table)
    mover.post(f"/games/{game['id']}/resign")
    return Request(table.anna, f"/games/{game['id']}/rematch", {"bot": "steady"}, {"bot": "random"})


def owning(path: str, body: Json, other: Json) -> Callable[[Table], Request]:
    """Return a request by the owner of a game that has not started."""

    def request(table: Table) -> Request:
        game = table.anna.open_game(seats=4)
        table.bruno.post(f"/games/{game['id']}/join")
        return Request(table.anna, f"/games/{game['id']}/{path}", body, other)

    return request


def setting_title(table: Table) -> Request:
    game = table.anna.open_game()
    body, other = ({"title": title, "reason": "one"} for title in ("one", None))
    return Request(table.host, f"/admin/games/{game['id']}/title", body, other)


def starting(table: Table) -> Request:
    game = table.anna.open_game(**DUEL, start="owner")
    table.bruno.post(f"/games/{game['id']}/join")
    return Request(table.anna, f"/games/{game['id']}/start")


def moving(table: Table) -> Request:
    game, mover, _ = running(table)
    first, second, *_ = mover.get(f"/games/{game['id']}")["moves"]
    return Request(mover, f"/games/{game['id']}/moves", first, second, {"If-Match": f'"{game["version"]}"'})


def taking_back(table: Table) -> Request:
    table.games.now.passes(0)  # type: ignore[attr-defined]
    chosen = clock(at_timeout="bot", misses=1, bot="steady")
    game, mover, _ = running(table, clock=chosen)
    table.games.now.passes(2 * DAY)  # type: ignore[attr-defined]
    table.anna.get(f"/games/{game['id']}")
    return Request(mover, f"/games/{game['id']}/return")


def resuming(table: Table) -> Request:
    game, mover, other = running(table, clock=clock())
    for person in (mover, other):
        person.post(f"/games/{game['id']}/pause")
    return Request(mover, f"/games/{game['id']}/resume")


def granting(table: Table) -> Request:
    game, mover, other = running(table, clock=clock())
    mover.post(f"/games/{game['id']}/extension", {"seconds": 600})
    return Request(other, f"/games/{game['id']}/extension/grant", {"seconds": 600}, {"seconds": 601})


def advancing(table: Table) -> Request:
    game, _, _ = running(table, clock=clock())
    return Request(table.anna, f"/games/{game['id']}/clock/advance", {"seconds": 600}, {"seconds": 601})


def showing(table: Table) -> Request:
    game, mover, _ = running(table, showing="allowed")
    view = mover.get(f"/games/{game['id']}")
    first, *_, last = view["position"]["seats"][view["you"]]["hand"]["cards"]
    to = [1 - view["you"]]
    return Request(
        mover, f"/games/{game['id']}/shown", {"to": to, "cards": [first]}, {"to": to, "cards": [first, last]}
    )


def asking_hint(table: Table) -> Request:
    game, mover, _ = running(table, hints="allowed")
    return Request(mover, f"/games/{game['id']}/hint")


def withdrawing(table: Table) -> Request:
    game, mover, _ = running(table)
    mover.ask("PUT", f"/games/{game['id']}/orders", json={"after_battle": "keep"})
    return Request(mover, f"/games/{game['id']}/orders", headers={"If-Match": '"1"'})


def giving(table: Table) -> Request:
    game, mover, _ = running(table)
    body, other = {"after_battle": "keep"}, {"after_battle": "discard"}
    return Request(mover, f"/games/{game['id']}/orders", body, other, {"If-Match": '"0"'})


def going(table: Table) -> Request:
    now = table.games.now()
    saved = Hours(Habits(), Vacation(9 * DAY, now), auto_vacation=False)
    table.games.store.players.change_hours(table.anna.id, b"", dumps(saved))
    return Request(table.anna, "/me/vacation", {"until": now + DAY}, {"until": now + 2 * DAY})


def coming_back(table: Table) -> Request:
    table.anna.post("/me/vacation", going(table).body)
    return Request(table.anna, "/me/vacation")


def revoking(table: Table) -> Request:
    made = table.anna.post("/me/tokens", {"name": "bot", "scopes": ["play"]}, 201)
    return Request(table.anna, f"/me/tokens/{made['id']}")


def on_player(path: str, body: Json, other: Json) -> Callable[[Table], Request]:
    """Return one of the host's requests about a player."""
    return lambda table: Request(table.host, f"/admin/players/{table.bruno.id}/{path}", body, other)


def cancelling(table: Table) -> Request:
    game, _, _ = running(table)
    return Request(table.host, f"/admin/games/{game['id']}/cancel", {"reason": "one"}, {"reason": "two"})


def giving_seat(table: Table) -> Request:
    game, mover, other = running(table)
    body, another = ({"seat": one.get(f"/games/{game['id']}")["you"], "reason": "one"} for one in (mover, other))
    return Request(table.host, f"/admin/games/{game['id']}/give-seat", body, another)


def withdrawing_announcement(table: Table) -> Request:
    made = table.host.post("/admin/announcements", {"text": "Hello"}, 201)
    return Request(table.host, f"/admin/announcements/{made['id']}")


def on_webhook(path: str, body: Json | None = None, other: Json | None = None) -> Callable[[Table], Request]:
    """Return a request about a webhook that has had deliveries, one of which failed."""

    def request(table: Table) -> Request:
        webhook = add(table.anna)
        verify(table.games, webhook)
        game = table.anna.open_game()
        planning.plan(table.games, ALL)
        failed(table.games, webhook, 1)
        lanes = table.games.store.deliveries.take("q", ["q"], dict.fromkeys(ALL, 9), grace=0)
        assert {lane.game for lane in lanes} <= {"-", game["id"]}
        number = deliveries(table.anna, webhook)[-1]["number"]
        return Request(table.anna, f"/webhooks/{webhook['id']}{path.format(number=number)}", body, other)

    return request


def talking(table: Table) -> Request:
    game, _, _ = running(table)
    return Request(table.anna, f"/games/{game['id']}/talk", {"text": "one"}, {"text": "two"})


def marking(table: Table) -> Request:
    said = talking(table)
    starts = [table.bruno.get(said.path)["next"]]
    table.anna.post(said.path, said.body, 201)
    body, other = ({"upto": upto} for upto in (table.bruno.get(said.path)["next"], *starts))
    return Request(table.bruno, f"{said.path}/read", body, other)


def muting(table: Table) -> Request:
    game, _, _ = running(table)
    body, other = ({"everyone": everyone, "players": []} for everyone in (True, False))
    return Request(table.anna, f"/games/{game['id']}/talk/mutes", body, other)


def reporting(table: Table) -> Request:
    said = talking(table)
    message = table.anna.post(said.path, said.body, 201)["id"]
    return Request(table.bruno, f"{said.path}/{message}/report", {"reason": "one"}, {"reason": "two"})


def settling(table: Table) -> Request:
    report = reporting(table)
    assert report.person.ask("POST", report.path, json=report.body).status_code == 204
    report_id = table.host.get("/admin/reports")["reports"][0]["id"]
    return Request(table.host, f"/admin/reports/{report_id}/settle", {"reason": "one"}, {"reason": "two"})


REQUESTS: dict[str, Callable[[Table], Request]] = {
    "openGame": lambda table: Request(table.anna, "/games", {**DUEL, "entropy": "c0"}, {**DUEL, "entropy": "c1"}),
    "joinGame": joining,
    "leaveGame": leaving,
    "changeTable": changing_title,
    "invite": inviting,
    "acceptInvitation": invited("invitation/accept", {"entropy": "c0"}, {"entropy": "c1"}),
    "declineInvitation": invited("invitation/decline", {"reason": "pace"}, {"reason": "edition"}),
    "withdrawInvitation": withdrawing_invitation,
    "proposeRematch": proposing,
    "closeSeat": owning("close-seat", {"seat": 2}, {"seat": 3}),
    "seatBot": owning("seat-bot", {"seat": 2, "bot": "random"}, {"seat": 3, "bot": "random"}),
    "handOver": owning("hand-over", {"player": "Bruno"}, {"player": "Anna"}),
    "replaceLink": on_private_game("link"),
    "makeJoinCode": on_private_game("code"),
    "startGame": starting,
    "makeMove": moving,
    "resign": on_game("resign"),
    "askToEnd": on_game("end", {"outcome": "none"}, {"outcome": "leaders"}),
    "takeSeatBack": taking_back,
    "pauseGame": on_game("pause"),
    "resumeGame": resuming,
    "askForExtension": on_game("extension", {"seconds": 600}, {"seconds": 601}),
    "grantExtension": granting,
    "advanceClock": advancing,
    "showCards": showing,
    "askForHint": asking_hint,
    "putOrders": giving,
    "deleteOrders": withdrawing,
    "sendMessage": talking,
    "markTalk": marking,
    "putMutes": muting,
    "reportMessage": reporting,
    "settleReport": settling,
    "blockPlayer": lambda table: Request(table.anna, f"/me/blocks/{table.bruno.id}"),
    "unblockPlayer": lambda table: Request(table.anna, f"/me/blocks/{table.bruno.id}"),
    "changeMe": lambda table: Request(table.anna, "/me", {"time_zone": "Europe/Rome"}, {"time_zone": "Europe/Paris"}),
    "goOnVacation": going,
    "comeBack": coming_back,
    "makeToken": lambda table: Request(
        table.anna, "/me/tokens", {"name": "bot", "scopes": ["play"]}, {"name": "bot", "scopes": ["read"]}
    ),
    "revokeToken": revoking,
    "addDevice": lambda table: Request(table.anna, "/me/devices", {"scopes": ["play"]}, {"scopes": ["read"]}),
    "replaceRecoveryCode": lambda table: Request(table.anna, "/me/recovery-code"),
    "addWebhook": lambda table: Request(table.anna, "/webhooks", {"url": URL}, {"url": f"{URL}/other"}),
    "changeWebhook": on_webhook("", {"url": f"{URL}/new", "active": True}, {"payload": "thin"}),
    "removeWebhook": on_webhook(""),
    "replaceSecret": on_webhook("/secret"),
    "pingWebhook": on_webhook("/ping"),
    "redeliver": on_webhook("/deliveries/{number}/redeliver"),
    "suspendPlayer": on_player("suspend", {"reason": "one"}, {"reason": "two"}),
    "reinstatePlayer": on_player("reinstate", {"reason": "one"}, {"reason": "two"}),
    "renamePlayer": on_player("rename", {"name": "One", "reason": "one"}, {"name": "Two", "reason": "one"}),
    "cancelGame": cancelling,
    "giveSeat": giving_seat,
    "setTitle": setting_title,
    "setRegistration": lambda table: Request(table.host, "/admin/registration", {"mode": "open"}, {"mode": "setting"}),
    "announce": lambda table: Request(table.host, "/admin/announcements", {"text": "one"}, {"text": "two"}),
    "withdrawAnnouncement": withdrawing_announcement,
    "redeliverRange": on_webhook("/deliveries/redeliver", {"first": 1, "last": 9}, {"first": 2, "last": 9}),
}
WRITES = {
    operation["operationId"]: (method.upper(), operation)
    for _, method, operation in operations()
    if method in ("post", "put", "patch", "delete")
}


class Write(NamedTuple):
    """An operation's request, which can be sent repeatedly, and the status of its success."""

    method: str
    request: Request
    success: int

    def send(self, key: str | None = KEY, body: Json | None = None) -> TestResponse:
        """Send the request with a key."""
        return send(self.method, self.request, key, body)

    def succeed(self) -> TestResponse:
        """Send the request with a key; fail unless it succeeds."""
        answer = self.send()
        assert answer.status_code == self.success, answer.text
        return answer


def write_of(operation: str, table: Table) -> Write:
    """Return the request for an operation at a table."""
    method, described = WRITES[operation]
    return Write(method, REQUESTS[operation](table), int(success_of(described)))


def send(method: str, request: Request, key: str | None = KEY, body: Json | None = None) -> TestResponse:
    """Send a request with a key."""
    headers = {**request.headers, **({} if key is None else {"Idempotency-Key": key})}
    sent = request.body if body is None else body
    return request.person.ask(method, request.path, headers=headers, **({} if sent is None else {"json": sent}))


def same(one: TestResponse, other: TestResponse) -> None:
    """Fail unless two responses have the same contents."""
    assert (other.status_code, other.data) == (one.status_code, one.data), (one.text, other.text)
    for name in ("ETag", "Location", "Content-Type", "Cache-Control"):
        assert other.headers.get(name) == one.headers.get(name), name


def marked(answer: TestResponse) -> bool:
    """Return whether a response is marked as a repetition."""
    return answer.headers.get("Idempotent-Replayed") == "true"
