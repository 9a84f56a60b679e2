"""Lists of games: consistent with the logs, complete, and in order on every page."""

from __future__ import annotations

import base64
import random

import pytest

from service.store import Store
from service.store.errors import BadCursor
from service.store.keys import of_shard, shard_of_game
from service.store.lists import MAX_EXAMINED, READ_AT_ONCE, Rows, write_progress

from ..servers import counted
from .games import GAME, NOW, OTHER, append, game_id, list_game

ANNA, BEPPE = "p00annaannaan", "p63beppebeppe"


def ids(store: Store, kind: str, player: str | None = None) -> list[str]:
    return [summary["id"] for summary in store.lists.page(kind, player)[0]]


def test_a_list_of_nothing_is_one_empty_page(store: Store) -> None:
    assert store.lists.page("open") == ([], None)
    assert store.lists.page("mine", ANNA) == ([], None)


@pytest.mark.parametrize("status", ["open", "running", "finished"])
def test_a_game_stands_in_the_list_of_its_status_only(store: Store, status: str) -> None:
    list_game(store, GAME, 0, "open", NOW, ANNA)
    list_game(store, GAME, 1, status, NOW + 1, ANNA)
    for kind in ("open", "running", "finished"):
        assert ids(store, kind) == ([GAME] if kind == status else [])
    assert store.lists.page("mine", ANNA) == ([{"id": GAME, "status": status}], None)


def test_a_cancelled_game_leaves_the_open_games_and_stays_among_mine(store: Store) -> None:
    list_game(store, GAME, 0, "open", NOW, ANNA)
    list_game(store, GAME, 1, "cancelled", NOW + 1, ANNA)
    assert ids(store, "open") == []
    assert store.lists.page("mine", ANNA)[0] == [{"id": GAME, "status": "cancelled"}]


def test_a_game_is_among_those_of_every_player_who_has_not_left(store: Store) -> None:
    list_game(store, GAME, 0, "open", NOW, ANNA, BEPPE)
    assert ids(store, "mine", ANNA) == ids(store, "mine", BEPPE) == [GAME]
    list_game(store, GAME, 1, "open", NOW + 1, ANNA, leavers=[BEPPE])
    assert ids(store, "mine", ANNA) == [GAME]
    assert ids(store, "mine", BEPPE) == []


def test_the_game_that_changed_last_comes_first(store: Store) -> None:
    list_game(store, GAME, 0, "open", NOW, ANNA)
    list_game(store, OTHER, 0, "open", NOW + 1, ANNA)
    assert ids(store, "open") == [OTHER, GAME]
    list_game(store, GAME, 1, "open", NOW + 2, ANNA)
    assert ids(store, "open") == ids(store, "mine", ANNA) == [GAME, OTHER]


@pytest.mark.parametrize("limit", [1, 7, 40, 41])
def test_pages_show_every_game_once_and_in_order_even_of_one_millisecond(store: Store, limit: int) -> None:
    chosen = random.Random(limit)
    games = [(NOW + chosen.randrange(3), game_id(chosen.choice([0, 5, 63]), number)) for number in range(40)]
    for at, game in games:
        list_game(store, game, 0, "open", at)
    shown, cursor = [], None
    while True:
        page, cursor = store.lists.page("open", cursor=cursor, limit=limit)
        shown += [summary["id"] for summary in page]
        if cursor is None:
            break
        assert len(page) == limit
    assert shown == [game for _, game in sorted(games, reverse=True)]


def test_a_page_goes_on_where_the_last_one_ended_though_games_came_and_went(store: Store) -> None:
    games = [game_id(number, number) for number in range(6)]
    for number, game in enumerate(games):
        list_game(store, game, 0, "open", NOW + number)
    first, cursor = store.lists.page("open", limit=3)
    list_game(store, games[3], 1, "running", NOW + 100)
    list_game(store, game_id(9, 9), 0, "open", NOW + 101)
    second, end = store.lists.page("open", cursor=cursor, limit=3)
    assert [summary["id"] for summary in first + second] == games[::-1]
    assert end is None


@pytest.mark.parametrize(
    "cursor",
    ["", "?", "AAAA", "é", *[base64.urlsafe_b64encode(text).decode() for text in (b"1 2 3", b"x " + GAME.encode())]],
)
def test_a_cursor_that_no_page_gave_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(BadCursor):
        store.lists.page("open", cursor=cursor)


def test_a_list_that_does_not_exist_is_a_mistake_of_the_caller(store: Store) -> None:
    for kind in ("cancelled", "mine"):
        with pytest.raises(ValueError, match=kind):
            store.lists.page(kind)


PROGRESS = {"turn": None, "round": None, "battle": None}


def test_a_search_shows_how_far_a_game_is_only_as_of_its_last_commit(store: Store) -> None:
    """A release that does not know the progress row does not update it; a reader must then compute it from the log."""
    list_game(store, GAME, 0, "open", NOW)
    (rows,) = store.lists.search("open").rows
    assert rows == Rows(GAME, 1, {"id": GAME, "status": "open"}, None)
    assert append(store, GAME, 1, writes=[write_progress(GAME, {"version": 2, **PROGRESS})])
    assert store.lists.search("open").rows[0].progress == {"version": 2, **PROGRESS}
    assert append(store, GAME, 2)
    (rows,) = store.lists.search("open").rows
    assert (rows.length, rows.progress) == (3, None)
    store._server.ask("HSET", of_shard(shard_of_game(GAME), "progress"), GAME, '{"version":3}')
    assert store.lists.search("open").rows[0].progress is None


@pytest.mark.parametrize("limit", [1, 7, 100])
@pytest.mark.parametrize("spread", [[0, 5, 63], [*range(64)]])
def test_a_search_finds_every_game_once_and_in_order_however_few_it_examines(
    store: Store, limit: int, spread: list[int]
) -> None:
    chosen = random.Random(limit)
    count = 3 * MAX_EXAMINED // 2
    games = [(NOW + chosen.randrange(count // 3), game_id(chosen.choice(spread), number)) for number in range(count)]
    wanted = {game for _, game in chosen.sample(games, 20)}
    for at, game in games:
        list_game(store, game, 0, "open", at)
    examined, found, cursor = [], [], None
    while True:
        before = len(examined)
        with counted() as sent:
            result = store.lists.search(
                "open", None, cursor, limit, lambda one: examined.append(one) or one["id"] in wanted
            )
        cursor = result.cursor
        assert 2 <= len(sent) <= 6, "two round trips, in a cluster two to each of its nodes"
        assert len(examined) - before <= MAX_EXAMINED
        found += [rows.game for rows in result.rows]
        if cursor is None:
            break
        assert len(result.rows) == limit or len(examined) - before >= READ_AT_ONCE
    assert found == [game for _, game in sorted(games, reverse=True) if game in wanted]
