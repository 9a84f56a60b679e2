"""Standing orders: given, answered, cancelled, withdrawn; and known to their seat alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread
from types import SimpleNamespace

import orjson
import pytest

from engine import view_for
from service.config import Config
from service.games.repository import Games, load
from service.hints.fair import KEYS
from service.hints.queue import QUEUE
from service.orders.changing import follow
from service.play.moves import play_bot_turn
from service.processes import jobs as bots
from service.store import keys
from service.timekeeping.deadlines import keep_time
from service.views.events import show_commits
from service.webhooks.kinds import GAME_MOVED
from service.webhooks.payloads import payload
from service.webhooks.subscriptions import Webhook

from ...engine.cases import REVISED
from ...engine.table import table as position
from ..servers import Valkey
from .conftest import SEED, Json, Person

KEEP: Json = {"after_battle": "keep"}
NOTHING: Json = {"after_battle": None, "battle": None}
IF_NOT_900: Json = {"type": "pass-if-exceeds", "strength": 900}
CLOCK: Json = {"kind": "per-move", "seconds": 86_400}


def orders_of(person: Person, game: Json, status: int = 200) -> Json:
    """Return what a player gets of their orders."""
    return person.get(f"/games/{game['id']}/orders", status)


def put(person: Person, game: Json, asked: Json, status: int = 200, **headers: str) -> Json:
    """Give orders."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = person.ask("PUT", f"/games/{game['id']}/orders", json=asked, headers=sent)
    assert answer.status_code == status, answer.text
    body: Json = answer.get_json(force=True)
    return body


def work(games: Games, game: Json) -> int:
    """Do what the worker would as long as something is due in a game; return how many moves that were."""
    moves = 0
    while games.store.due.overdue(0):
        moves += play_bot_turn(games, game["id"]) or follow(games, game["id"])
    return moves


@pytest.fixture(autouse=True)
def known_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has the same hands."""
    monkeypatch.setattr("service.play.seating.secrets", SimpleNamespace(token_bytes=lambda _: bytes.fromhex(SEED)))


@pytest.fixture
def table(anna: Person, bruno: Person) -> Json:
    """A game of Anna's and Bruno's with a clock, in its first battle, with Anna to move."""
    return sit_down(anna, bruno)


@pytest.fixture
def last_battle(anna: Person, bruno: Person) -> Json:
    """The same, and after the battle the game is over."""
    return sit_down(anna, bruno, options={"two_on_the_board": True, "battle_limit": 1})


def sit_down(anna: Person, bruno: Person, **asked: object) -> Json:
    """Open a game for two and play on to a turn of Anna's in a battle."""
    game = anna.open_game(**{"seats": 2, "options": {"two_on_the_board": True}, "clock": CLOCK, **asked})
    return in_battle(anna, bruno, bruno.post(f"/games/{game['id']}/join"))


def finish(anna: Person, bruno: Person, game: Json) -> Json:
    """Play a game to its end."""
    while game["status"] == "running":
        for person in (anna, bruno):
            view = person.get(f"/games/{game['id']}")
            if view["moves"]:
                game = person.move(view, view["moves"][0])
    return game


def in_battle(anna: Person, bruno: Person, game: Json) -> Json:
    """Play on to a turn of Anna's in a battle, and return it as she sees it."""
    while True:
        views = [person.get(f"/games/{game['id']}") for person in (anna, bruno)]
        if views[0]["position"]["phase"] == "battle" and views[0]["moves"]:
            return views[0]
        for person, view in zip((anna, bruno), views, strict=True):
            if view["moves"]:
                person.move(view, (plays(view) or view["moves"])[0])


def value(play: Json) -> int:
    """Return the printed value of a mercenary."""
    return int(play["card"].split("-")[1])


def plays(view: Json) -> list[Json]:
    """Return the cards that may be laid without naming anything with them, strongest mercenaries last."""
    named = [move for move in view["moves"] if set(move) == {"type", "card"} and move["card"].startswith("mercenary")]
    return sorted(named, key=value)


# Giving them


def test_there_are_none_to_begin_with(anna: Person, table: Json) -> None:
    assert orders_of(anna, table) == {"seat": 0, "version": 0, **NOTHING, "history": []}


def test_they_replace_those_before_and_are_withdrawn(anna: Person, table: Json) -> None:
    given = put(anna, table, {"after_battle": "discard", "battle": {**IF_NOT_900, "otherwise": plays(table)[0]}})
    assert (given["version"], given["battle"]["otherwise"]) == (1, plays(table)[0])
    assert orders_of(anna, table) == given
    given = put(anna, table, KEEP)
    assert given == {"seat": 0, "version": 2, **KEEP, "battle": None, "history": []}
    answer = anna.ask("DELETE", f"/games/{table['id']}/orders")
    assert answer.get_json() == orders_of(anna, table) == {"seat": 0, "version": 3, **NOTHING, "history": []}


def test_their_version_is_their_entity_tag(anna: Person, table: Json) -> None:
    path = f"/games/{table['id']}/orders"
    put(anna, table, KEEP)
    answer = anna.ask("GET", path)
    assert answer.headers["ETag"] == '"1"'
    assert anna.ask("GET", path, headers={"If-None-Match": '"1"'}).status_code == 304
    assert put(anna, table, KEEP, If_Match='"1"')["version"] == 2
    problem = put(anna, table, KEEP, 412, If_Match='"1"')
    assert (problem["code"], problem["version"]) == ("stale-orders", 2)
    assert anna.ask("DELETE", path, headers={"If-Match": '"1"'}).get_json(force=True)["code"] == "stale-orders"
    assert put(anna, table, KEEP, 400, If_Match="1")["code"] == "malformed-header"


def test_they_are_given_out_of_turn(bruno: Person, table: Json) -> None:
    view = bruno.get(f"/games/{table['id']}")
    card = next(name for name in view["position"]["seats"][1]["hand"]["cards"] if name.startswith("mercenary"))
    battle = {"type": "lay-until-lead", "cards": [{"type": "play-card", "card": card}]}
    assert put(bruno, table, {"battle": battle})["battle"] == {**battle, "then": "ask"}


# What is refused


def test_only_who_sits_there_has_any(anna: Person, person: Callable[..., Person], table: Json) -> None:
    carla, nobody = person("Carla"), person()
    for method in ("GET", "PUT", "DELETE"):
        for who, status, code in ((carla, 403, "not-seated"), (nobody, 401, "token-required")):
            body = {"json": KEEP} if method == "PUT" else {}
            answer = who.ask(method, f"/games/{table['id']}/orders", **body)
            assert (answer.status_code, answer.get_json(force=True)["code"]) == (status, code)
    assert anna.get("/games/17abcdefghjkmnpqrs/orders", 404)["code"] == "unknown-game"


def test_a_game_that_does_not_run_takes_none(anna: Person, bruno: Person, last_battle: Json) -> None:
    game = anna.open_game()
    assert put(anna, game, KEEP, 409)["code"] == "game-not-started"
    assert orders_of(anna, game)["version"] == 0
    anna.post(f"/games/{game['id']}/leave")
    assert put(anna, game, KEEP, 409)["code"] == "game-cancelled"
    finish(anna, bruno, last_battle)
    assert put(anna, last_battle, KEEP, 409)["code"] == "game-over"
    assert anna.ask("DELETE", f"/games/{last_battle['id']}/orders").get_json(force=True)["code"] == "game-over"


def test_an_order_for_a_battle_needs_one(anna: Person, against_bots: Json) -> None:
    assert against_bots["position"]["phase"] == "choose-region"
    assert put(anna, against_bots, {"battle": {"type": "pass"}}, 409)["code"] == "no-battle"


def test_who_has_passed_gives_no_order_for_the_battle(anna: Person, bruno: Person, table: Json) -> None:
    anna.move(table, {"type": "pass"})
    assert bruno.get(f"/games/{table['id']}")["position"]["phase"] == "battle"
    problem = put(anna, table, {"battle": {"type": "pass"}}, 409)
    assert (problem["code"], problem["edition"], bool(problem["clause"])) == ("already-passed", "zman-2018", True)


def test_a_card_must_be_in_the_hand_as_often_as_it_is_to_be_laid(anna: Person, table: Json) -> None:
    card = plays(table)[0]
    held = table["position"]["seats"][0]["hand"]["cards"].count(card["card"])
    problem = put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [card] * (held + 1)}}, 409)
    assert (problem["code"], problem["field"], bool(problem["clause"])) == ("card-not-in-hand", "card", True)
    assert put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [card] * held}})


def test_at_the_own_turn_what_cannot_be_laid_is_refused_as_the_move_would_be(anna: Person, table: Json) -> None:
    wrong = {**plays(table)[0], "take": "mercenary-10"}
    problem = put(anna, table, {"battle": {**IF_NOT_900, "otherwise": wrong}}, 409)
    assert problem["code"] == anna.move(table, wrong, 409)["code"] == "target-not-allowed"
    assert orders_of(anna, table)["version"] == 0


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"after_battle": "burn"}, "invalid-request"),
        ({"battle": {"type": "win"}}, "invalid-request"),
        ({"battle": {"type": "pass", "strength": 1}}, "unknown-field"),
        ({"battle": {"type": "pass-if-exceeds", "strength": -1, "otherwise": {}}}, "invalid-request"),
        ({"battle": {"type": "pass-if-exceeds", "strength": 1, "otherwise": {"type": "pass"}}}, "invalid-request"),
        ({"battle": {"type": "lay-until-lead", "cards": [{"type": "play-card", "card": "joker"}]}}, "invalid-request"),
        ({"battle": {"type": "lay-until-lead", "cards": [], "then": "win"}}, "invalid-request"),
        ({"battle": {"type": "lay-until-lead", "cards": []}}, "invalid-request"),
        ({"orders": []}, "unknown-field"),
    ],
)
def test_what_is_no_order_is_refused(anna: Person, table: Json, asked: Json, code: str) -> None:
    assert put(anna, table, asked, 422)["code"] == code


def test_a_card_that_is_barred_from_the_final_battle_is_refused(
    bruno: Person, table: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    final = position(REVISED, hands=["1 X", "1 X", "2"], fighters="AB", turn="A")
    monkeypatch.setattr("service.orders.changing.view_for", lambda _, seat: view_for(final, seat))
    order = {"type": "lay-until-lead", "cards": [{"type": "play-card", "card": "surrender"}]}
    problem = put(bruno, table, {"battle": order}, 409)
    assert (problem["code"], problem["edition"], problem["field"]) == ("card-barred", REVISED, "card")


def test_who_does_not_fight_the_final_battle_gives_no_order_for_it(
    bruno: Person, table: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    final = position(REVISED, hands=["1", "2", "2"], fighters="AC", turn="A")
    monkeypatch.setattr("service.orders.changing.view_for", lambda _, seat: view_for(final, seat))
    assert put(bruno, table, {"battle": {"type": "pass"}}, 409)["code"] == "no-battle"


def test_a_card_is_laid_from_the_own_seat(anna: Person, table: Json) -> None:
    card = {**plays(table)[0], "seat": 1}
    orders: list[Json] = [{"type": "lay-until-lead", "cards": [card]}, {**IF_NOT_900, "otherwise": card}]
    for battle in orders:
        assert put(anna, table, {"battle": battle}, 403)["code"] == "not-your-seat"


def test_orders_are_sent_as_json(anna: Person, table: Json) -> None:
    answer = anna.ask("PUT", f"/games/{table['id']}/orders", data="x", headers={"Content-Type": "text/plain"})
    assert answer.get_json(force=True)["code"] == "unsupported-media-type"
    assert "PUT" in anna.ask("OPTIONS", f"/games/{table['id']}/orders").headers["Access-Control-Allow-Methods"]


# Answering


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
    assert work(games, table) == 0, "after_battle says nothing in a battle"
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
    assert not games.store.due.overdue(0), "asked once, and not every two seconds for ever"
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


# When the seat changes hands


def timed_out(games: Games, game: Json) -> None:
    """Let the time of the turn be over, and look."""
    later = games.now() + 2 * 86_400_000
    games.store.presence.beat("clock", later)
    games.store.presence.beat("web", later)
    late = replace(games, now=lambda: later)
    while keep_time(late, game["id"]):
        pass


def away(anna: Person, bruno: Person, **clock: object) -> Json:
    """Return a game of both in which Anna is to move in a battle, and what becomes of who is away."""
    return sit_down(anna, bruno, clock={**CLOCK, "vacation": False, **clock})


def test_a_bot_that_takes_the_seat_follows_no_orders(anna: Person, bruno: Person, games: Games) -> None:
    game = away(anna, bruno, at_timeout="bot")
    put(anna, game, KEEP)
    assert not follow(games, game["id"])
    timed_out(games, game)
    with_bot = anna.get(f"/games/{game['id']}")
    assert with_bot["seated"][0]["bot"] == "steady"
    kept = orders_of(anna, game)
    assert (kept["after_battle"], kept["history"][-1]["reason"]) == (None, "seat-with-bot")
    assert put(anna, game, KEEP, 409)["code"] == "seat-with-bot"
    anna.post(f"/games/{game['id']}/return")
    assert orders_of(anna, game) == kept
    assert put(anna, game, KEEP)["version"] == kept["version"] + 1


def test_who_sits_down_on_an_opened_seat_finds_nothing_there(
    anna: Person, bruno: Person, person: Callable[..., Person], games: Games
) -> None:
    game = away(anna, bruno, at_timeout="open-seat")
    put(anna, game, {"after_battle": "discard"})
    follow(games, game["id"])
    timed_out(games, game)
    carla = person("Carla")
    carla.post(f"/games/{game['id']}/join")
    assert orders_of(carla, game) == {"seat": 0, "version": 0, **NOTHING, "history": []}
    assert orders_of(anna, game, 403)["code"] == "not-seated"
    assert put(anna, game, KEEP, 403)["code"] == "not-seated"


def test_resigning_withdraws_them(anna: Person, bruno: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game(seats=3, clock=CLOCK)
    for other in (bruno, person("Carla")):
        other.post(f"/games/{game['id']}/join")
    put(anna, game, KEEP)
    left = anna.post(f"/games/{game['id']}/resign")
    kept = orders_of(anna, game)
    assert kept["history"] == [
        {"version": left["version"], "order": None, "happened": "cancelled", "reason": "resigned"}
    ]
    assert put(anna, game, KEEP, 409)["code"] == "already-resigned"
    assert anna.ask("DELETE", f"/games/{game['id']}/orders").status_code == 200


def test_nothing_stands_when_the_game_is_over(
    anna: Person, bruno: Person, games: Games, log_server: Valkey, last_battle: Json
) -> None:
    anna.move(last_battle, plays(last_battle)[0])
    put(anna, last_battle, {**KEEP, "battle": {"type": "pass"}})
    bruno.move(bruno.get(f"/games/{last_battle['id']}"), {"type": "pass"})
    assert work(games, last_battle) == 1
    over = anna.get(f"/games/{last_battle['id']}")
    assert over["status"] == "finished"
    with log_server.client() as client:
        assert not client.exists(keys.of_game(over["id"], "orders"))
    moved, last = orders_of(anna, over)["history"]
    assert (moved["happened"], moved["version"]) == ("moved", over["version"])
    assert last == {"version": over["version"], "order": None, "happened": "cancelled", "reason": "game-over"}


# The worker


def test_a_worker_that_dies_loses_nothing(anna: Person, games: Games, table: Json, log_server: Valkey) -> None:
    """The clock finds what is due; whether a hint was lost, or a worker with it, is all the same."""
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


# Secrecy


def seen(games: Games, game: Json, person: Person) -> list[Json]:
    """Return what a caller may know of a game's commits, but for when they were made."""
    return [{**commit, "at": 0} for commit in show_commits(load(games, game["id"]), 0, person.id or None)]


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
    asked = [path, f"{path}/events", "/games?status=running", f"{path}/events?after=3", f"/players/{anna.id}"]
    others = {bruno: [*asked, "/me/turns", "/me/events", "/games?status=mine", f"{path}/orders"], spectator: asked}

    def everything() -> list[tuple[bytes, str | None]]:
        answers = [who.ask("GET", what) for who, paths in others.items() for what in paths]
        mine = [anna.ask("GET", path), anna.ask("GET", f"{path}/events")]
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
    """In what they are told and in what the log keeps, but for its key, which looks like that of any request."""
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
        kept.append({**loaded.commits[-1], "at": 0})
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
        told[person.id] = orjson.loads(payload(webhook, delivery, game))
    assert told[anna.id]["data"]["commit"]["cause"] == "standing-order"
    assert "cause" not in told[bruno.id]["data"]["commit"]
    assert b"order" not in orjson.dumps(told[bruno.id])
