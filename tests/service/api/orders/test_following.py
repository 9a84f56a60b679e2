"""Following orders: immediately, at later turns, and whatever happens in between."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from service.config import Config
from service.games.repository import Games
from service.hints.fair import KEYS
from service.hints.queue import QUEUE
from service.orders.following import follow
from service.processes import jobs as bots

from ...servers import Valkey
from ..conftest import Json, Person
from .conftest import IF_NOT_900, KEEP, NOTHING, orders_of, plays, put, value, work


def test_an_order_at_the_own_turn_moves_at_once(anna: Person, games: Games, table: Json) -> None:
    card = plays(table)[0]
    put(anna, table, {"battle": {**IF_NOT_900, "otherwise": card}})
    ((_, due),) = games.store.due.overdue(0)
    assert due in {hint.due for hint in games.hints.waiting()}
    assert work(games, table) == 1
    after = anna.get(f"/games/{table['id']}")
    assert after["version"] == table["version"] + 1
    assert after["position"]["seats"][0]["row"][-1] == card["card"]
    moved = {"version": after["version"], "order": "pass-if-exceeds", "happened": "moved", "move": card}
    assert orders_of(anna, table) == {"seat": 0, "version": 2, **NOTHING, "history": [moved]}


def test_nobody_waits_for_the_question_after_a_battle(anna: Person, bruno: Person, games: Games, table: Json) -> None:
    put(anna, table, KEEP)
    put(bruno, table, KEEP)
    assert work(games, table) == 0, "after_battle has no effect in a battle"
    table = anna.move(anna.get(f"/games/{table['id']}"), {"type": "pass"})
    work(games, table)
    bruno.move(bruno.get(f"/games/{table['id']}"), {"type": "pass"})
    assert anna.get(f"/games/{table['id']}")["position"]["phase"] == "keep-or-discard"
    assert work(games, table) == 2
    assert anna.get(f"/games/{table['id']}")["position"]["phase"] == "choose-region"
    assert [entry["move"] for entry in orders_of(anna, table)["history"]] == [{"type": "keep-hand"}]
    assert orders_of(bruno, table)["after_battle"] == "keep"


def test_cards_are_laid_until_the_seat_leads(anna: Person, bruno: Person, games: Games, table: Json) -> None:
    low, *_, high = plays(table)
    put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [low, high]}})
    assert work(games, table) == 1
    turn = bruno.get(f"/games/{table['id']}")
    assert value(plays(turn)[-1]) > value(low)
    assert orders_of(anna, table)["battle"]["cards"] == [high]
    bruno.move(turn, plays(turn)[-1])
    assert work(games, table) == 1
    kept = orders_of(anna, table)
    assert kept["battle"] is None
    assert [entry["move"] for entry in kept["history"]] == [low, high]


def test_an_order_that_rests_asks_its_player(anna: Person, bruno: Person, games: Games, table: Json) -> None:
    *_, high = plays(table)
    other = plays(table)[0]
    anna.move(table, high)
    turn = bruno.get(f"/games/{table['id']}")
    low = plays(turn)[0]
    put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [other]}})
    bruno.move(turn, low)
    assert value(low) < value(high)
    assert games.store.due.overdue(0)
    assert not follow(games, table["id"])
    assert not games.store.due.overdue(0), "asked once, and not again every two seconds"
    assert orders_of(anna, table)["battle"]["cards"] == [other]


def test_an_order_whose_premise_has_failed_is_cancelled_and_says_why(
    anna: Person, bruno: Person, games: Games, table: Json
) -> None:
    *_, high = plays(table)
    held = table["position"]["seats"][0]["hand"]["cards"].count(high["card"])
    put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [high] * held}})
    after = anna.move(table, high)
    view = bruno.move(bruno.get(f"/games/{table['id']}"), {"type": "pass"})
    work(games, table)
    anna.move(anna.get(f"/games/{table['id']}"), {"type": "pass"})
    kept = orders_of(anna, table)
    assert kept["battle"] is None
    assert kept["history"][-1]["happened"] == "cancelled"
    assert kept["history"][-1]["reason"] == "battle-over"
    assert kept["version"] == 2
    assert after["version"] < view["version"] < kept["history"][-1]["version"]
    assert orders_of(anna, table) == kept


def test_a_move_by_hand_and_one_by_orders_at_the_same_moment_are_one(anna: Person, games: Games, table: Json) -> None:
    card = plays(table)[0]
    put(anna, table, {"battle": {**IF_NOT_900, "otherwise": card}})
    barrier = Barrier(2, timeout=30)
    done: list[int] = []

    def by_hand() -> None:
        barrier.wait()
        headers = {"If-Match": f'"{table["version"]}"'}
        done.append(anna.ask("POST", f"/games/{table['id']}/moves", json=card, headers=headers).status_code)

    def by_orders() -> None:
        barrier.wait()
        done.append(201 if follow(games, table["id"]) else 412)

    threads = [Thread(target=by_hand), Thread(target=by_orders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(done) == [201, 412]
    assert anna.get(f"/games/{table['id']}")["version"] == table["version"] + 1


def test_orders_that_change_while_they_are_answered_do_not_move(
    anna: Person, games: Games, table: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(anna, table, {"battle": {"type": "pass"}})
    read = games.store.orders.read

    def changed_after(game_id: str, seat: int) -> object:
        kept = read(game_id, seat)
        monkeypatch.undo()
        put(anna, table, KEEP)
        return kept

    monkeypatch.setattr(games.store.orders, "read", changed_after)
    assert not follow(games, table["id"])
    assert anna.get(f"/games/{table['id']}") == table
    assert work(games, table) == 0


def test_a_pause_is_a_pause_for_orders_too(anna: Person, bruno: Person, games: Games, table: Json) -> None:
    for player in (anna, bruno):
        player.post(f"/games/{table['id']}/pause")
    put(anna, table, {"battle": {"type": "pass"}})
    assert games.store.due.overdue(0) == []
    assert not follow(games, table["id"])
    anna.post(f"/games/{table['id']}/resume")
    assert work(games, table) == 1


# The worker


def test_a_worker_that_dies_loses_nothing(anna: Person, games: Games, table: Json, log_server: Valkey) -> None:
    """The clock finds everything that is due, no matter whether a hint was lost or a worker died with it."""
    put(anna, table, {"battle": {"type": "pass"}})
    with log_server.client() as client:
        client.delete(f"rq:queue:{QUEUE}", *KEYS)
    assert [game for game, _ in games.store.due.overdue(0)] == [table["id"]]
    assert work(games, table) == 1
    assert games.store.due.overdue(0) == []


def test_the_job_follows_orders(anna: Person, table: Json, log_server: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = bots.make_worker(Config(redis_url=log_server.url, queue_url=log_server.url))
    put(anna, table, {"battle": {"type": "pass"}})
    monkeypatch.setattr(bots, "_worker", lambda: worker)
    bots.play(table["id"])
    worker.games.store.close()
    worker.hints.close()
    assert anna.get(f"/games/{table['id']}")["version"] == table["version"] + 1
