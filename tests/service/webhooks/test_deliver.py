"""What an endpoint receives, in which order and how often, and the effects of its responses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web

from service.games.repository import Games
from service.processes import deliver
from service.webhooks import delivering as delivering_of
from service.webhooks import retry_schedule, subscriptions
from service.webhooks.signing import new_secret

from ..api.conftest import Json, Person
from ..servers import Valkey
from .subscriber import Answer, Subscriber, answered, delivering, eventually, listening, run, taken, taken_after

SOON = (20,) * len(retry_schedule.DELAYS)
"""Delays in ms that are too short to slow down a test."""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tries follow each other immediately."""
    monkeypatch.setattr(retry_schedule, "DELAYS", SOON)
    monkeypatch.setattr(deliver, "PAUSE", 0.02)


async def subscribed(person: Person, endpoint: Subscriber, **asked: Any) -> Json:
    """Return a new webhook, as soon as its endpoint has responded to the ping."""
    wanted = {"url": endpoint.url, "secret": endpoint.secret, **asked}
    made = await asyncio.to_thread(person.post, "/webhooks", wanted, 201)
    path = f"/webhooks/{made['id']}"
    await eventually(lambda: person.get(path)["verified_at"] is not None)
    return person.get(path)


def deliveries(person: Person, webhook: Json) -> list[Json]:
    """Return a webhook's deliveries except the ping, oldest first."""
    found: list[Json] = person.get(f"/webhooks/{webhook['id']}/deliveries?limit=100")["deliveries"]
    return [one for one in found[::-1] if one["type"] != "ping"]


def turns(answer: Callable[[Json], web.Response | Awaitable[web.Response]]) -> Answer:
    """Respond in a given way to the first turn, whenever it is delivered, and accept everything else."""
    first: list[int] = []

    def answer_it(event: Json) -> web.Response | Awaitable[web.Response]:
        if event["type"] != "turn.started":
            return taken(event)
        first.append(event["data"]["version"])
        return answer(event) if event["data"]["version"] == first[0] else answered()

    return answer_it


def told_of_my_turn(
    answer: Answer, log_server: Valkey, anna: Person, game: Json
) -> tuple[Subscriber, Json, list[Json]]:
    """Let an endpoint respond to Anna's turn; return the endpoint, and the game and the deliveries afterwards."""
    endpoint = Subscriber(new_secret(), answer)
    after: list[Any] = []

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint)
            games: Games = anna._client.application.extensions["condottiere"]
            deliver.planning.plan_game(games, game["id"], game["version"], game["version"])
            await eventually(lambda: all(one["status"] != "waiting" for one in deliveries(anna, webhook)))
            await eventually(lambda: bool(deliveries(anna, webhook)))
            after.extend([anna.get(f"/games/{game['id']}"), deliveries(anna, webhook)])

    run(play())
    return endpoint, after[0], after[1]


def test_a_turn_is_told_with_what_its_seat_may_know_and_no_more(
    log_server: Valkey, anna: Person, against_bots: Json
) -> None:
    endpoint, game, _ = told_of_my_turn(taken, log_server, anna, against_bots)
    (data,) = endpoint.told("turn.started")
    assert data["view"] == against_bots == game
    assert data["moves"] == [{"number": number, "move": move} for number, move in enumerate(against_bots["moves"])]
    assert (data["game"], data["version"], data["seat"], data["deadline"]) == (game["id"], game["version"], 0, None)


def test_a_thin_payload_says_only_what_happened_where(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    endpoint = Subscriber(new_secret())

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            await subscribed(anna, endpoint, payload="thin", events=["turn.started", "game.moved"])
            await asyncio.to_thread(anna.move, against_bots, against_bots["moves"][0])
            await endpoint.until(lambda: bool(endpoint.told("game.moved")))

    run(play())
    (data, *_) = endpoint.told("game.moved")
    assert set(data) == {"webhook", "game", "version", "sequence", "seat", "url"}


def test_an_answer_plays_the_move_with_that_number(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    answer = turns(lambda event: answered({"move": event["data"]["moves"][-1]["number"]}))
    _, game, told = told_of_my_turn(answer, log_server, anna, against_bots)
    assert game["version"] > against_bots["version"]
    turn = next(one for one in told if one["type"] == "turn.started")
    assert turn["tries"][-1]["move"] == "made"
    commits = anna.get(f"/games/{game['id']}/events?after={against_bots['version']}")["commits"]
    assert commits[0]["by"] == anna.id
    played = commits[0]["events"][0]
    assert against_bots["moves"][-1] == {"type": "choose-region", "region": played["region"]}


def test_an_answer_may_give_the_move_itself(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    answer = turns(lambda event: answered({"move": event["data"]["moves"][0]["move"]}))
    _, game, _ = told_of_my_turn(answer, log_server, anna, against_bots)
    assert game["version"] > against_bots["version"]


@pytest.mark.parametrize(
    "answer",
    [answered, lambda: answered(status=202), lambda: answered({"move": 0}, status=202)],
    ids=["empty", "later", "later-with-a-move"],
)
def test_an_answer_without_a_move_leaves_the_turn_open(
    log_server: Valkey, anna: Person, against_bots: Json, answer: Callable[[], web.Response]
) -> None:
    _, game, told = told_of_my_turn(turns(lambda _: answer()), log_server, anna, against_bots)
    assert game == against_bots
    assert "move" not in told[-1]["tries"][-1]
    assert told[-1]["status"] == "delivered"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (99, "invalid-request"),
        (-1, "invalid-request"),
        (True, "invalid-request"),
        (1.5, "invalid-request"),
        ("0", "invalid-request"),
        ([], "invalid-request"),
        ({}, "invalid-request"),
        ({"type": "sing"}, "invalid-request"),
        ({"type": ["play-card"]}, "invalid-request"),
        ({"type": "play-card"}, "invalid-request"),
        ({"type": "play-card", "card": {"a": 1}}, "invalid-request"),
        ({"type": "choose-region", "region": "atlantis"}, "invalid-request"),
        ({"type": "pass", "seat": 1}, "not-your-seat"),
        ({"type": "keep-hand"}, "wrong-phase"),
        ({"type": "choose-region", "region": "torino", "because": "I like it"}, "invalid-request"),
    ],
)
def test_a_move_that_is_none_is_refused_and_told_of(
    log_server: Valkey, anna: Person, against_bots: Json, move: Any, code: str
) -> None:
    """The log of deliveries and a further delivery report the refusal; the turn is still open."""
    answer = turns(lambda _: answered({"move": move}))
    endpoint, game, told = told_of_my_turn(answer, log_server, anna, against_bots)
    assert game == against_bots
    (rejected,) = endpoint.told("turn.rejected")
    assert rejected["problem"]["code"] == code
    assert rejected["view"] == against_bots
    turn, after = told[-2:]
    assert (turn["type"], turn["status"], after["type"]) == ("turn.started", "delivered", "turn.rejected")
    assert turn["tries"][-1]["problem"] == rejected["problem"]
    assert ("clause" in rejected["problem"]) == (code == "wrong-phase")


@pytest.mark.parametrize(
    "body", [b"OK", b"{", b"[1]", b'{"ok": true}', b'{"move": null}', b"\xff\xfe", b"0" * 9_000, b'{"move": NaN}']
)
def test_an_answer_that_says_something_else_is_no_move(
    log_server: Valkey, anna: Person, against_bots: Json, body: bytes
) -> None:
    """The log says so, because the endpoint's author may have meant a move."""
    answer = turns(lambda _: web.Response(body=body))
    _, game, told = told_of_my_turn(answer, log_server, anna, against_bots)
    assert (game, told[-1]["status"]) == (against_bots, "delivered")
    assert told[-1]["tries"][-1]["move"] == "none"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda _: answered(),
        answered,
        lambda event: answered({"challenge": event["data"]["challenge"] + "x"}),
        lambda _: answered({"challenge": None}),
        lambda event: answered({"challenge": event["data"]["challenge"]}, status=500),
        lambda _: web.Response(body=b"\xff"),
    ],
    ids=["nothing", "echo", "another", "null", "failing", "rubbish"],
)
@pytest.mark.usefixtures("impatient")
def test_an_endpoint_that_does_not_answer_its_ping_is_told_nothing_else(
    log_server: Valkey, anna: Person, wrong: Answer
) -> None:
    endpoint = Subscriber(new_secret(), wrong)

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            wanted = {"url": endpoint.url, "secret": endpoint.secret}
            made = await asyncio.to_thread(anna.post, "/webhooks", wanted, 201)
            anna.open_game()
            path = f"/webhooks/{made['id']}/deliveries"
            await eventually(lambda: {one["status"] for one in anna.get(path)["deliveries"]} == {"failed"})
            assert anna.get(f"/webhooks/{made['id']}")["verified_at"] is None

    run(play())
    assert {event["type"] for event in endpoint.seen} == {"ping"}
    assert len(endpoint.seen) == len(SOON) + 1
    assert len(set(endpoint.ids)) == 1


@pytest.mark.usefixtures("impatient")
def test_what_fails_is_tried_again_with_the_same_id_before_anything_else_of_its_game(
    log_server: Valkey, anna: Person, bruno: Person
) -> None:
    failures = iter([500, 404, 302, 503])
    endpoint = Subscriber(new_secret())
    endpoint.answer = lambda event: answered(status=next(failures, 204)) if event["type"] != "ping" else taken(event)

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint)
            game = await asyncio.to_thread(anna.open_game)
            await asyncio.to_thread(bruno.post, f"/games/{game['id']}/join", {})
            await endpoint.until(lambda: len(endpoint.seen) == 7)
            await eventually(lambda: {one["status"] for one in deliveries(anna, webhook)} == {"delivered"})
            tries = [[one["status"] for one in told["tries"]] for told in deliveries(anna, webhook)]
            assert tries == [[500, 404, 302, 503, 204], [204]]
            assert anna.get(f"/webhooks/{webhook['id']}")["failing_since"] is None

    run(play())
    told = [(data["sequence"], data["version"]) for data in endpoint.told("table.changed")]
    assert told == [(1, 1)] * 5 + [(2, 2)]
    assert len(set(endpoint.ids[1:6])) == 1
    assert endpoint.ids[6] not in endpoint.ids[:6]


@pytest.mark.usefixtures("impatient")
def test_when_all_tries_have_failed_the_order_goes_on(log_server: Valkey, anna: Person, bruno: Person) -> None:
    endpoint = Subscriber(new_secret())
    endpoint.answer = lambda event: answered(status=500) if event["data"].get("version") == 1 else taken(event)

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint)
            game = await asyncio.to_thread(anna.open_game)
            await asyncio.to_thread(bruno.post, f"/games/{game['id']}/join", {})
            await eventually(lambda: [one["status"] for one in deliveries(anna, webhook)] == ["failed", "delivered"])
            first, _ = deliveries(anna, webhook)
            assert len(first["tries"]) == len(SOON) + 1

    run(play())


def test_an_endpoint_that_hangs_is_asked_twice_at_once_and_keeps_nobody_waiting(
    log_server: Valkey, anna: Person, bruno: Person
) -> None:
    healthy = Subscriber(new_secret())

    async def play() -> None:
        release = asyncio.Event()
        hanging = Subscriber(new_secret(), taken_after(release))
        async with listening(hanging, healthy), delivering(log_server.url):
            await subscribed(anna, hanging)
            await subscribed(bruno, healthy)
            for _ in range(5):
                await asyncio.to_thread(anna.open_game)
            await hanging.until(lambda: hanging.open == deliver.AT_ONCE)
            for number in range(3):
                await asyncio.to_thread(bruno.open_game)
                await healthy.until(lambda number=number: len(healthy.told("table.changed")) == number + 1)
            assert hanging.open == hanging.most_open == deliver.AT_ONCE
            release.set()
            await hanging.until(lambda: len(hanging.told("table.changed")) == 5)
            assert hanging.most_open == deliver.AT_ONCE

    run(play())


def test_an_endpoint_that_is_gone_is_disabled_and_its_owner_told(
    log_server: Valkey, anna: Person, games: Games
) -> None:
    endpoint = Subscriber(new_secret())
    endpoint.answer = lambda event: answered(status=410) if event["type"] != "ping" else taken(event)

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint)
            await asyncio.to_thread(anna.open_game)
            await eventually(lambda: bool(anna.get("/me")["notices"]))
            assert anna.get("/me")["notices"][0] == {
                "type": "webhook-disabled",
                "webhook": webhook["id"],
                "reason": "gone",
            }
            await asyncio.to_thread(anna.open_game)
            await eventually(lambda: not games.store.outbox.read(range(64), 1))
            await asyncio.to_thread(anna.ask, "PATCH", f"/webhooks/{webhook['id']}", json={"active": True})
            await endpoint.until(lambda: len(endpoint.told("ping")) == 2)

    run(play())
    assert len(endpoint.told("table.changed")) == 1, "events from the time when it was disabled are not sent later"


@pytest.mark.usefixtures("impatient")
def test_a_turn_that_is_over_is_not_told_any_more(
    log_server: Valkey, anna: Person, games: Games, against_bots: Json
) -> None:
    """The player has moved with a POST request while the endpoint was failing."""

    async def play() -> None:
        moved = asyncio.Event()
        endpoint = Subscriber(new_secret())

        async def fail(event: Json) -> web.Response:
            if event["type"] != "turn.started":
                return taken(event)
            await moved.wait()
            return answered(status=500)

        endpoint.answer = fail
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint, events=["turn.started"])
            deliver.planning.plan_game(games, against_bots["id"], against_bots["version"], against_bots["version"])
            await endpoint.until(lambda: bool(endpoint.told("turn.started")))
            await asyncio.to_thread(anna.move, against_bots, against_bots["moves"][0])
            moved.set()
            await eventually(lambda: deliveries(anna, webhook)[0]["status"] == "over")
            assert len(deliveries(anna, webhook)[0]["tries"]) == 1

    run(play())


def test_a_turn_that_is_told_twice_is_played_once(
    log_server: Valkey, anna: Person, games: Games, against_bots: Json
) -> None:
    endpoint = Subscriber(new_secret(), turns(lambda _: answered({"move": 0})))

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint, events=["turn.started", "turn.rejected"])
            deliver.planning.plan_game(games, against_bots["id"], against_bots["version"], against_bots["version"])
            await eventually(lambda: any(one["status"] == "delivered" for one in deliveries(anna, webhook)))
            (turn, *_) = deliveries(anna, webhook)
            path = f"/webhooks/{webhook['id']}/deliveries/{turn['number']}/redeliver"
            await asyncio.to_thread(anna.post, path, None, 202)
            await endpoint.until(lambda: endpoint.ids.count(turn["id"]) == 2)
            await eventually(lambda: deliveries(anna, webhook)[0]["status"] == "delivered")
            made = [commit["by"] for commit in anna.get(f"/games/{against_bots['id']}/events")["commits"]]
            assert made == [anna.id] * 2
            assert deliveries(anna, webhook)[0]["tries"][-1]["move"] == "made"

    run(play())
    assert endpoint.told("turn.rejected") == []


def test_while_two_secrets_are_in_force_both_sign(log_server: Valkey, anna: Person) -> None:
    endpoint = Subscriber(new_secret())

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint)
            fresh = await asyncio.to_thread(anna.post, f"/webhooks/{webhook['id']}/secret", None, 201)
            await asyncio.to_thread(anna.open_game)
            await endpoint.until(lambda: len(endpoint.told("table.changed")) == 1)
            endpoint.secret = fresh["secret"]
            await asyncio.to_thread(anna.open_game)
            await endpoint.until(lambda: len(endpoint.told("table.changed")) == 2)

    run(play())
    assert all(len(sent["webhook-signature"].split()) == 2 for sent in endpoint.headers[1:])


def test_a_deliverer_that_dies_is_replaced_and_nothing_is_lost(
    log_server: Valkey, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies in the middle of a request; the endpoint gets that delivery twice, with the same id."""
    monkeypatch.setattr(deliver, "PRESENCE_MS", 400)
    monkeypatch.setattr(deliver, "BEAT", 0.1)

    async def play() -> None:
        died = asyncio.Event()
        endpoint = Subscriber(new_secret(), taken_after(died))
        async with listening(endpoint), delivering(log_server.url) as first:
            webhook = await subscribed(anna, endpoint)
            await asyncio.to_thread(anna.open_game)
            await endpoint.until(lambda: bool(endpoint.told("table.changed")))
            for task in (first, *(task for task in asyncio.all_tasks() if "Deliverer" in repr(task.get_coro()))):
                task.cancel()
            await asyncio.wait([first])
            died.set()
            async with delivering(log_server.url):
                await eventually(lambda: {one["status"] for one in deliveries(anna, webhook)} == {"delivered"})
        assert endpoint.ids[1] == endpoint.ids[2]
        assert endpoint.seen[1] == endpoint.seen[2]

    run(play())


def test_several_deliverers_share_the_work_and_tell_everything_once(
    log_server: Valkey, person: Callable[..., Person]
) -> None:
    """The players' webhooks are in different shards."""
    players = [person(f"Player-{number}") for number in range(8)]
    endpoints = [Subscriber(new_secret()) for _ in players]

    async def play() -> None:
        async with listening(*endpoints), delivering(log_server.url), delivering(log_server.url):
            for player, endpoint in zip(players, endpoints, strict=True):
                await subscribed(player, endpoint)
            for _ in range(4):
                for player in players:
                    await asyncio.to_thread(player.open_game)
            for endpoint in endpoints:
                await endpoint.until(lambda endpoint=endpoint: len(endpoint.told("table.changed")) >= 4)

    run(play())
    for endpoint in endpoints:
        assert len(endpoint.ids) == len(set(endpoint.ids)) == 5


def test_a_game_of_two_bots_is_played_over_webhooks_alone(log_server: Valkey, anna: Person, bruno: Person) -> None:
    """Each bot gets every commit, in order, with its own hand and no other."""

    def first_move(event: Json) -> web.Response:
        return answered({"move": 0}) if event["type"] == "turn.started" else taken(event)

    bots = [Subscriber(new_secret(), first_move) for _ in range(2)]

    async def play() -> None:
        async with listening(*bots), delivering(log_server.url):
            for person, bot in zip((anna, bruno), bots, strict=True):
                await subscribed(person, bot)
            game = await asyncio.to_thread(anna.open_game, seats=2, edition="zman-2018-duel")
            await asyncio.to_thread(bruno.post, f"/games/{game['id']}/join", {})
            for bot in bots:
                await bot.until(lambda bot=bot: bool(bot.told("game.ended")))

    run(play())
    for seat, bot in enumerate(bots):
        moved = bot.told("game.started", "game.moved", "table.changed")
        first = 1 if seat == 0 else 2
        assert [data["version"] for data in moved] == list(range(first, moved[-1]["version"] + 1))
        assert [event["data"]["sequence"] for event in bot.seen[1:]] == list(range(1, len(bot.seen)))
        for data in (data for data in moved if data["view"]["status"] == "running"):
            hands = [shown["hand"] for shown in data["view"]["position"]["seats"]]
            assert [seat for seat, hand in enumerate(hands) if "cards" in hand] == [seat]


def test_an_endpoint_that_has_just_proved_itself_is_told_of_the_turn_that_waits(
    log_server: Valkey, anna: Person, games: Games, against_bots: Json
) -> None:
    """It gets the turn also when it is made active again, and each turn only once."""
    deliver.planning.plan(games, range(64))
    endpoint = Subscriber(new_secret())

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint, events=["turn.started"])
            await endpoint.until(lambda: len(endpoint.told("turn.started")) == 1)
            path = f"/webhooks/{webhook['id']}"
            await asyncio.to_thread(anna.post, f"{path}/ping", None, 202)
            await endpoint.until(lambda: len(endpoint.told("ping")) == 2)
            for active in (False, True):
                await asyncio.to_thread(anna.ask, "PATCH", path, json={"active": active})
            await endpoint.until(lambda: len(endpoint.told("turn.started")) == 2)

    run(play())
    assert [data["version"] for data in endpoint.told("turn.started")] == [against_bots["version"]] * 2


def test_of_an_endpoint_with_many_games_each_waits_its_turn(log_server: Valkey, anna: Person) -> None:
    """The endpoint gets each turn with a single try."""

    async def play() -> None:
        release = asyncio.Event()
        endpoint = Subscriber(new_secret(), taken_after(release))
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint)
            opened = {(await asyncio.to_thread(anna.open_game))["id"] for _ in range(8)}
            await endpoint.until(lambda: endpoint.open == deliver.AT_ONCE)
            release.set()
            await endpoint.until(lambda: len(endpoint.told("table.changed")) == 8)
            assert {data["game"] for data in endpoint.told("table.changed")} == opened
            await eventually(lambda: {one["status"] for one in deliveries(anna, webhook)} == {"delivered"})
            assert {len(one["tries"]) for one in deliveries(anna, webhook)} == {1}

    run(play())


def test_a_game_in_which_something_is_wrong_keeps_no_other_waiting(
    anna: Person, games: Games, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    webhook = anna.post("/webhooks", {"url": "https://example.org/"}, 201)
    games.store.webhooks.change(webhook["id"], {"verified": games.now()})
    wrong, right = anna.open_game()["id"], anna.open_game()["id"]
    plan_game = deliver.planning.plan_game

    def plan(games: Games, game_id: str, first: int, last: int) -> set[str]:
        if game_id == wrong:
            raise AssertionError("something is wrong")
        return plan_game(games, game_id, first, last)

    monkeypatch.setattr(deliver.planning, "plan_game", plan)
    assert deliver.planning.plan(games, range(64)) == (False, {webhook["id"]})
    assert [one["game"] for one in deliveries(anna, webhook)] == [right]
    assert wrong in caplog.text
    assert games.store.outbox.read(range(64), 1) == {}


def test_a_turn_that_is_answered_twice_in_different_ways_is_played_once(
    log_server: Valkey, anna: Person, against_bots: Json
) -> None:
    """A bot that chooses at random may respond like this; no refusal is reported."""
    choices = iter([0, 1])
    endpoint = Subscriber(new_secret(), turns(lambda _: answered({"move": next(choices)})))

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint, events=["turn.started", "turn.rejected"])
            await eventually(lambda: any(one["status"] == "delivered" for one in deliveries(anna, webhook)))
            (turn, *_) = deliveries(anna, webhook)
            path = f"/webhooks/{webhook['id']}/deliveries/{turn['number']}/redeliver"
            await asyncio.to_thread(anna.post, path, None, 202)
            await endpoint.until(lambda: endpoint.ids.count(turn["id"]) == 2)
            await eventually(lambda: deliveries(anna, webhook)[0]["status"] == "delivered")
            assert [one["move"] for one in deliveries(anna, webhook)[0]["tries"]] == ["made", "ignored"]

    run(play())
    assert endpoint.told("turn.rejected") == []
    made = [commit["by"] for commit in anna.get(f"/games/{against_bots['id']}/events")["commits"]]
    assert made == [anna.id] * 2


def test_nothing_of_an_answer_is_kept_but_the_move(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    secret = "a secret of somebody else's"
    answer = turns(lambda _: answered({"move": {"type": secret, "seat": secret}, "more": secret}))
    endpoint, _, told = told_of_my_turn(answer, log_server, anna, against_bots)
    assert secret not in str(told) + str(endpoint.told("turn.rejected"))
    assert endpoint.told("turn.rejected")


def test_a_refused_move_is_told_only_where_it_was_asked_for(
    log_server: Valkey, anna: Person, against_bots: Json
) -> None:
    endpoint = Subscriber(new_secret(), turns(lambda _: answered({"move": 99})))

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            webhook = await subscribed(anna, endpoint, events=["turn.started"])
            await eventually(lambda: bool(deliveries(anna, webhook)) and bool(deliveries(anna, webhook)[0]["tries"]))
            (turn,) = deliveries(anna, webhook)
            assert (turn["status"], turn["tries"][0]["move"]) == ("delivered", "refused")

    run(play())
    assert against_bots["moves"]


def test_a_ping_answered_by_one_endpoint_does_not_verify_another(log_server: Valkey, anna: Person) -> None:
    """The URL is changed while the first endpoint holds back its response."""

    async def play() -> None:
        changed = asyncio.Event()
        victim = Subscriber(new_secret(), lambda _: answered())

        async def hold(event: Json) -> web.Response:
            await changed.wait()
            return taken(event)

        own = Subscriber(victim.secret, hold)
        async with listening(own, victim), delivering(log_server.url):
            made = await asyncio.to_thread(anna.post, "/webhooks", {"url": own.url, "secret": own.secret}, 201)
            await own.until(lambda: bool(own.seen))
            path = f"/webhooks/{made['id']}"
            await asyncio.to_thread(anna.ask, "PATCH", path, json={"url": victim.url})
            changed.set()
            await victim.until(lambda: bool(victim.told("ping")))
            await asyncio.to_thread(anna.open_game)
            assert anna.get(path)["verified_at"] is None

    run(play())


def test_a_game_that_is_gone_fails_its_deliveries(
    log_server: Valkey, anna: Person, games: Games, against_bots: Json
) -> None:
    webhook = anna.post("/webhooks", {"url": "https://example.invalid/"}, 201)
    games.store.webhooks.change(webhook["id"], {"verified": games.now()})
    deliver.planning.plan_game(games, against_bots["id"], 1, 1)
    with log_server.client() as client:
        for key in client.scan_iter(f"*:{against_bots['id']}"):
            client.delete(key)

    async def play() -> None:
        async with delivering(log_server.url):
            await eventually(lambda: {one["status"] for one in deliveries(anna, webhook)} == {"failed"})

    run(play())


def test_tries_that_come_early_do_not_count_and_a_repeated_delivery_has_all_of_its_own() -> None:
    told = {"type": "game.moved", "status": "waiting", "tries": [], "number": 1}
    outcome = delivering_of.internal_failure(told, 1, lambda: 0.5)
    assert (outcome.delivery["step"], outcome.retry_in) == (1, retry_schedule.DELAYS[0])
    early = delivering_of.internal_failure(outcome.delivery, 1_000, lambda: 0.5)
    assert (early.delivery["step"], early.retry_in) == (1, retry_schedule.DELAYS[0])
    late = delivering_of.internal_failure(early.delivery, 1_000 + retry_schedule.DELAYS[0], lambda: 0.5)
    assert (late.delivery["step"], late.retry_in) == (2, retry_schedule.DELAYS[1])
    ended = delivering_of.internal_failure(
        {**late.delivery, "due": 10**15}, 1 + retry_schedule.DISABLE_AFTER, lambda: 0.5
    )
    assert (ended.delivery["status"], ended.retry_in) == ("failed", None)
    again = delivering_of.internal_failure(
        subscriptions._reset(ended.delivery), retry_schedule.DISABLE_AFTER, lambda: 0.5
    )
    assert (again.delivery["step"], again.retry_in) == (1, retry_schedule.DELAYS[0])


@pytest.mark.parametrize(
    "change",
    [
        lambda anna, _: anna.post("/me/token", {"webhooks": "pause"}, 201),
        lambda anna, path: anna.ask("PATCH", path, json={"active": False}),
        lambda anna, path: anna.ask("PATCH", path, json={"url": "http://127.0.0.1:9/"}),
        lambda anna, path: anna.ask("DELETE", path),
    ],
    ids=["token-replaced", "paused", "led-elsewhere", "removed"],
)
def test_an_answer_that_comes_after_its_webhook_was_stopped_moves_nothing(
    log_server: Valkey, anna: Person, against_bots: Json, change: Callable[[Person, str], Any]
) -> None:
    """A thief with a stolen token must not play on with a turn that was sent before the webhook was paused."""
    paths: list[str] = []

    async def late(_: Json) -> web.Response:
        await asyncio.to_thread(change, anna, paths[0])
        return answered({"move": 0})

    endpoint = Subscriber(new_secret(), turns(late))
    games: Games = anna._client.application.extensions["condottiere"]
    concluded: list[Any] = []

    async def play() -> None:
        async with listening(endpoint), delivering(log_server.url):
            made = await asyncio.to_thread(
                anna.post,
                "/webhooks",
                {"url": endpoint.url, "secret": endpoint.secret, "events": ["turn.started"]},
                201,
            )
            paths.append(f"/webhooks/{made['id']}")
            await endpoint.until(lambda: bool(endpoint.told("turn.started")))
            lane = subscriptions.Lane(made["id"], against_bots["id"])
            await eventually(lambda: games.store.deliveries.first(lane).delivery is None)
            concluded.extend(games.store.deliveries.numbered(made["id"], 2, 2))

    run(play())
    version = games.store.log.length(against_bots["id"])
    assert version == against_bots["version"]
    assert [one["tries"][-1]["move"] for one in concluded] == (["ignored"] if concluded else [])
