"""Reconciling: comparing the outboxes' data about games with the logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import redis

from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.store.keys import of_game, of_shard, of_webhook, shard_of_game
from service.store.log import Log
from service.store.webhooks import Webhook
from service.webhooks.planning import plan
from service.webhooks.reconciling import reconcile

from ..api.conftest import Json, Person
from ..servers import Valkey

SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"


@pytest.fixture
def server(log_server: Valkey) -> Iterator[redis.Redis]:
    """The log server, as used by a test that damages it."""
    with log_server.client() as client:
        yield client


@pytest.fixture
def webhook(games: Games, anna: Person) -> Webhook:
    """A webhook of Anna's that receives every move."""
    made = Webhook(
        id=f"w{anna.id[1:3]}abcdefghjk",
        player=anna.id,
        url="https://bots.example.org/",
        events=["game.moved", "game.started"],
        games=None,
        payload="thin",
        active=True,
        created=1,
        secrets=[(SECRET, 0)],
        verified=1,
    )
    games.store.webhooks.add(made)
    return made


def told(games: Games, webhook: Webhook) -> list[int]:
    """Return the versions of the waiting deliveries, oldest first, after all outboxes have been read."""
    while plan(games, range(64)).more:
        pass
    return [delivery["version"] for delivery in games.store.deliveries.page(webhook.id, None, 100)[0]][::-1]


@pytest.fixture
def game(games: Games, anna: Person, webhook: Webhook) -> Json:
    """A game of Anna's with bots that do not move: she has chosen a region, and the webhook has received that."""
    game = anna.open_game(bots=[{"seat": 1, "bot": "random"}, {"seat": 2, "bot": "random"}], seed="5e" * 32)
    assert told(games, webhook) == [1]
    return game


def move_on(games: Games, anna: Person, game: Json) -> Json:
    """Let the player or bot whose turn it is move."""
    found = anna.get(f"/games/{game['id']}")
    if found["moves"]:
        return anna.move(found, found["moves"][0])
    assert play_bot_turn(games, game["id"])
    return anna.get(f"/games/{game['id']}")


def test_an_append_that_failed_half_way_costs_no_later_move(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis
) -> None:
    """The outbox names a commit that does not exist; it is not planned until it exists."""
    shard = shard_of_game(game["id"])
    for ahead in (1, 2, 5):
        server.xadd(of_shard(shard, "outbox"), {"game": game["id"], "seq": game["version"] + ahead})
    assert told(games, webhook) == [1]
    for version in range(2, 8):
        move_on(games, anna, game)
        assert told(games, webhook) == list(range(1, version + 1))


def test_a_due_index_of_another_type_leaves_nothing_behind(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis
) -> None:
    due = of_shard(shard_of_game(game["id"]), "due")
    server.delete(due)
    server.set(due, "x")
    found = anna.get(f"/games/{game['id']}")
    if found["moves"]:
        assert anna.move(found, found["moves"][0], 500)["code"] == "corrupt-data"
    server.delete(due)
    move_on(games, anna, game)
    assert told(games, webhook) == [1, 2]


def test_what_was_planned_past_the_end_of_a_log_is_taken_back(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis
) -> None:
    server.hset(of_webhook(webhook.id, "planned"), game["id"], 3)
    reconcile(games, shard_of_game(game["id"]))
    assert games.store.deliveries.planned_versions([webhook.id], game["id"]) == [1]
    for _ in range(2):
        move_on(games, anna, game)
    assert told(games, webhook) == [1, 2, 3]


def test_what_an_outbox_has_lost_is_told_from_the_log(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis
) -> None:
    """Each commit is delivered once, and in order."""
    for _ in range(2):
        move_on(games, anna, game)
    server.delete(of_shard(shard_of_game(game["id"]), "outbox"))
    assert told(games, webhook) == [1]
    for _ in range(2):
        reconcile(games, shard_of_game(game["id"]))
        assert told(games, webhook) == [1, 2, 3]


def test_what_happens_while_it_is_compared_is_told_once(
    games: Games, anna: Person, webhook: Webhook, game: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit is added between the reading of the logs and the reading of the planned deliveries."""
    lengths = Log.lengths

    def then_somebody_moves(log: Log, of_games: list[str]) -> list[int]:
        found = lengths(log, of_games)
        move_on(games, anna, game)
        assert told(games, webhook) == [1, 2]
        return found

    monkeypatch.setattr(Log, "lengths", then_somebody_moves)
    reconcile(games, shard_of_game(game["id"]))
    monkeypatch.undo()
    move_on(games, anna, game)
    assert told(games, webhook) == [1, 2, 3]


def test_after_an_older_state_was_put_back_what_is_new_is_told(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis
) -> None:
    for _ in range(3):
        move_on(games, anna, game)
    assert told(games, webhook) == [1, 2, 3, 4]
    server.ltrim(of_game(game["id"], "log"), 0, 1)
    for version in (3, 4, 5):
        move_on(games, anna, game)
        assert told(games, webhook) == [1, 2, 3, 4, *range(3, version + 1)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda server, game, webhook: server.hset(of_webhook(webhook.id, "planned"), game, "x"),
        lambda server, game, _: server.hset(of_shard(shard_of_game(game), "summaries"), game, "{}"),
        lambda server, game, _: server.xadd(of_shard(shard_of_game(game), "outbox"), {"x": "y"}),
        lambda server, game, _: server.lpush(of_shard(shard_of_game(game), "outbox-read"), "x"),
        lambda server, _, webhook: server.hset(of_webhook(webhook.id, "webhook"), "secrets", "{"),
    ],
)
def test_whatever_is_damaged_the_comparison_ends(
    games: Games, webhook: Webhook, game: Json, server: redis.Redis, spoil: Callable[..., object]
) -> None:
    shard = shard_of_game(game["id"])
    server.delete(of_shard(shard, "outbox-read"))
    spoil(server, game["id"], webhook)
    reconcile(games, shard)
    while plan(games, range(64)).more:
        pass
    assert games.store.outbox.read(range(64), 9) == {}


def test_what_an_outbox_still_has_is_left_to_it(
    games: Games, anna: Person, webhook: Webhook, game: Json, caplog: pytest.LogCaptureFixture
) -> None:
    move_on(games, anna, game)
    reconcile(games, shard_of_game(game["id"]))
    assert caplog.text == ""
    assert told(games, webhook) == [1, 2]


@pytest.mark.parametrize("cursor", ["9999999999999-0", "soon"])
def test_a_cursor_that_leads_nowhere_is_mended(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis, cursor: str
) -> None:
    server.set(of_shard(shard_of_game(game["id"]), "outbox-read"), cursor)
    reconcile(games, shard_of_game(game["id"]))
    move_on(games, anna, game)
    assert told(games, webhook) == [1, 2]


def test_a_game_that_cannot_be_planned_does_not_stop_the_others(
    games: Games, anna: Person, webhook: Webhook, game: Json, server: redis.Redis
) -> None:
    """A webhook with damaged data does not stop the others either."""
    other = anna.open_game(bots=[{"seat": 1, "bot": "random"}, {"seat": 2, "bot": "random"}], seed="5e" * 32)
    server.rpush(of_game(game["id"], "log"), "{")
    server.xadd(of_shard(shard_of_game(game["id"]), "outbox"), {"game": game["id"], "seq": 2})
    assert told(games, webhook) == [1, 1]
    move_on(games, anna, other)
    assert told(games, webhook) == [1, 1, 2]
    server.delete(of_webhook(webhook.id, "planned"))
    server.set(of_webhook(webhook.id, "planned"), "x")
    move_on(games, anna, other)
    assert not plan(games, range(64)).more
    assert games.store.outbox.read(range(64), 9) == {}
