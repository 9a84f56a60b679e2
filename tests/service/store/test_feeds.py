"""Feeds: every commit that concerns a player is there once, after any cursor, even with concurrent appends."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.store import Store
from service.store.errors import BadCursor
from service.store.feeds import START, Entry, is_cursor

from ..servers import Valkey, until
from .games import GAME, OTHER, append, commit, game_id
from .test_waits import LONG, listeners, wait_until

ANNA, BEPPE = "p110123456789", "p120123456789"
APPENDS = 40
"""The number of concurrent appends to each of several games."""


def read(store: Store, player: str, cursor: str = START, most: int = 100) -> list[tuple[str, int]]:
    """Return the games and commits in a feed after a cursor."""
    return [entry[:2] for entry in store.feeds.read(player, cursor, most)]


def walk(store: Store, player: str, most: int = 7) -> Iterator[Entry]:
    """Yield a feed up to its end, continuing from the last cursor each time."""
    cursor = START
    while entries := store.feeds.read(player, cursor, most):
        assert len(entries) <= most
        yield from entries
        cursor = entries[-1].cursor


def test_a_commit_is_in_the_feeds_of_those_whom_it_concerns(store: Store) -> None:
    append(store, GAME, 0, players=[ANNA])
    append(store, OTHER, 0, players=[ANNA, BEPPE])
    append(store, GAME, 1, players=[BEPPE])
    append(store, GAME, 2)
    assert read(store, ANNA) == [(GAME, 1), (OTHER, 1)]
    assert read(store, BEPPE) == [(GAME, 2), (OTHER, 1)]
    assert read(store, "p130123456789") == []


def test_what_was_not_appended_is_in_no_feed(store: Store) -> None:
    append(store, GAME, 0, players=[ANNA])
    assert not append(store, GAME, 0, commit=commit(1, "somebody else"), players=[ANNA])
    assert append(store, GAME, 0, players=[ANNA])  # The first response was lost, and the request is repeated.
    assert read(store, ANNA) == [(GAME, 1)]


def test_from_every_entry_on_the_feed_goes_on_with_the_next(store: Store) -> None:
    for seq in range(3):
        for shard in (63, 0, 17):
            append(store, game_id(shard, 1), seq, players=[ANNA])
    entries = store.feeds.read(ANNA, START, 100)
    for number, entry in enumerate(entries, 1):
        assert store.feeds.read(ANNA, entry.cursor, 100) == entries[number:]
        assert store.feeds.read(ANNA, entry.cursor, 2) == entries[number : number + 2]
    assert store.feeds.end(ANNA) == entries[-1].cursor
    assert store.feeds.end(BEPPE) == START


def test_what_is_appended_meanwhile_is_met_once_and_in_order(store: Store) -> None:
    games = [game_id(shard, number) for shard in (5, 50) for number in range(2)]

    def play(game: str) -> None:
        for seq in range(APPENDS):
            append(store, game, seq, players=[ANNA, BEPPE])

    with ThreadPoolExecutor(len(games)) as threads:
        plays = [threads.submit(play, game) for game in games]
        found: list[Entry] = []
        while not all(play.done() for play in plays) or store.feeds.end(ANNA) != found[-1].cursor:
            found += store.feeds.read(ANNA, found[-1].cursor if found else START, 9)
        for play_ in plays:
            play_.result()
    for game in games:
        assert [entry.seq for entry in found if entry.game == game] == list(range(1, APPENDS + 1))
    assert len(found) == APPENDS * len(games)
    assert sorted(entry[:2] for entry in walk(store, ANNA)) == sorted(entry[:2] for entry in found)
    assert len({entry.cursor for entry in found}) == len(found)


def test_a_cursor_is_short_however_long_the_feed_is(store: Store) -> None:
    for shard in range(64):
        append(store, game_id(shard, 1), 0, players=[ANNA])
    cursor = store.feeds.end(ANNA)
    assert len(cursor) < 500
    assert is_cursor(cursor)
    assert store.feeds.read(ANNA, cursor, 1) == []


@pytest.mark.parametrize(
    "cursor", ["", "7", "now", "AQ=", "AQ==", "Ag", "AcAAAAAB", "AREAAAAA", "AREAAAABEQAAAAE", "é"]
)
def test_what_no_feed_has_given_is_no_cursor(store: Store, cursor: str) -> None:
    assert not is_cursor(cursor)
    with pytest.raises(BadCursor):
        store.feeds.read(ANNA, cursor, 1)


def test_an_append_wakes_those_whom_it_concerns(store: Store, servers: list[Valkey]) -> None:
    with ThreadPoolExecutor(1) as thread:
        woken = thread.submit(wait_until, store, BEPPE, LONG, lambda: bool(read(store, BEPPE)))
        until(lambda: listeners(servers) == 1)
        append(store, GAME, 0, players=[ANNA])
        append(store, GAME, 1, players=[ANNA, BEPPE])
        assert woken.result(LONG / 2)
