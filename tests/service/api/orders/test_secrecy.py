"""Only a seat's player can tell that the seat has orders."""

from __future__ import annotations

import orjson

from engine import view_for
from service.games.repository import Games, load
from service.orders.following import follow
from service.play.moves import play_bot_turn
from service.views.events import show_commits
from service.webhooks.kinds import GAME_MOVED
from service.webhooks.payloads import payload
from service.webhooks.subscriptions import Webhook

from ..conftest import SEED, Json, Person
from .conftest import IF_NOT_900, KEEP, finish, plays, put, work


def seen(games: Games, game: Json, person: Person) -> list[Json]:
    """Return what a caller sees of a game's commits, without their times and the game's id."""
    return [{**commit, "at": 0, "view": ""} for commit in show_commits(load(games, game["id"]), 0, person.id or None)]


def test_the_cause_of_a_move_is_told_to_its_player_alone(
    anna: Person, bruno: Person, spectator: Person, games: Games, last_battle: Json
) -> None:
    table = last_battle
    put(anna, table, {"battle": {"type": "pass"}})
    work(games, table)
    version = anna.get(f"/games/{table['id']}")["version"]
    for over in (False, True):
        for person in (anna, bruno, spectator):
            commits = person.get(f"/games/{table['id']}/events")["commits"]
            caused = [commit["seq"] for commit in commits if "cause" in commit]
            assert caused == ([version] if person is anna else [])
        feed = anna.get("/me/events")["commits"]
        assert [commit["seq"] for commit in feed if "cause" in commit] == [version]
        assert not any("cause" in commit for commit in bruno.get("/me/events")["commits"])
        if not over:
            finish(anna, bruno, table)


def test_others_see_not_one_byte_more_where_there_are_orders(
    anna: Person, bruno: Person, spectator: Person, games: Games, table: Json
) -> None:
    path = f"/games/{table['id']}"
    moments = [f"{path}?version={version}" for version in range(1, table["version"] + 2)]
    asked = [path, *moments, f"{path}/events", "/games?status=running", f"{path}/events?after=3", f"/players/{anna.id}"]
    others = {
        bruno: [*asked, "/me/turns", "/me/events", "/games?status=mine", "/me/orders", f"{path}/orders"],
        spectator: asked,
    }

    def everything() -> list[tuple[bytes, str | None]]:
        answers = [who.ask("GET", what) for who, paths in others.items() for what in paths]
        mine = [anna.ask("GET", what) for what in (path, *moments, f"{path}/events")]
        return [(answer.data, answer.headers.get("ETag")) for answer in answers + mine]

    before = everything()
    card = plays(table)[0]
    put(anna, table, {"after_battle": "discard", "battle": {**IF_NOT_900, "otherwise": card}})
    assert everything() == before
    put(anna, table, KEEP)
    work(games, table)
    assert everything() == before


def test_a_move_by_orders_is_to_others_like_one_that_was_posted(
    anna: Person, bruno: Person, spectator: Person, games: Games
) -> None:
    """The two look the same in responses and in the log, except for the key, which looks like any request's key.

    The hash depends on the commit's time, so it is left out.
    """
    told, kept = [], []
    bots = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
    for by_orders in (False, True):
        game = anna.open_game(bots=bots, seed=SEED)
        while game["position"]["phase"] != "battle" or not game["moves"]:
            if game["moves"]:
                anna.move(game, game["moves"][0])
            else:
                play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
        if by_orders:
            put(anna, game, {"battle": {"type": "pass"}})
            assert follow(games, game["id"])
        else:
            anna.move(game, {"type": "pass"})
        loaded = load(games, game["id"])
        kept.append({**loaded.commits[-1], "at": 0, "hash": ""})
        told.append([seen(games, game, person) for person in (bruno, spectator)])
        assert loaded.state is not None
        told[-1].append([str(view_for(loaded.state, seat)) for seat in range(3)])
    assert told[0] == told[1]
    keys_made = [commit.pop("key") for commit in kept]
    assert kept[0] == kept[1]
    assert [len(key) for key in keys_made] == [32, 32]
    assert all(set(key) <= set("0123456789abcdef") for key in keys_made)


def test_webhooks_of_others_are_told_nothing_of_it(anna: Person, bruno: Person, games: Games, table: Json) -> None:
    put(anna, table, {"battle": {"type": "pass"}})
    work(games, table)
    game = load(games, table["id"])
    delivery: Json = {"type": GAME_MOVED, "at": 0, "version": game.version, "sequence": 1}
    told = {}
    for person in (anna, bruno):
        made = {"url": "https://example.org", "events": [], "games": None, "payload": "full", "active": True}
        webhook = Webhook(id="w", player=person.id, created=0, secrets=[], **made)  # type: ignore[arg-type]
        told[person.id] = orjson.loads(payload(webhook, delivery, game, games.store.names.of))
    assert told[anna.id]["data"]["commit"]["cause"] == "standing-order"
    assert "cause" not in told[bruno.id]["data"]["commit"]
    assert b"order" not in orjson.dumps(told[bruno.id])
