"""Bots play games while their store is migrated: first on the old version until it is refused, then on the new."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from engine import DEFAULT
from service.games.repository import Games, load
from service.games.table import FINISHED
from service.hints.queue import Hints
from service.play.moves import play_bot_turn
from service.play.seating import Opening, open_game
from service.store import Store
from service.store.connection import Server
from service.store.errors import OtherLayout
from service.store.keys import of_game, of_shard
from service.store.layout import LAYOUT
from service.store.migration import Batch

from ..servers import Valkey, until
from ..store.games import config

GAMES = 12
OLD = LAYOUT - 1


def note_lengths(server: Server, shard: int, _: str) -> Batch:
    """Record the length of each log of a shard while nobody may write to the shard."""
    games = [game.decode() for game in server.ask("HKEYS", of_shard(shard, "summaries"))]
    lengths = [part for game in games for part in (game, server.ask("LLEN", of_game(game, "log")))]
    return Batch([("HSET", of_shard(shard, "lengths"), *lengths)] if lengths else [], None)


@pytest.fixture
def old(log_server: Valkey) -> Iterator[Games]:
    """The games as the version before the migration plays them."""
    settings = config(log_server.url)
    games = Games(Store(settings, layout=OLD), Hints(settings))
    yield games
    games.store.close()
    games.hints.close()


@pytest.fixture
def new(old: Games, log_server: Valkey) -> Iterator[Games]:
    """The same games as the version after the migration plays them."""
    games = replace(old, store=Store(config(log_server.url)))
    yield games
    games.store.close()


def play(old: Games, new: Games, game_id: str) -> int:
    """Play a game to its end, and return the version at which the old one was refused."""
    try:
        while True:
            play_bot_turn(old, game_id)
    except OtherLayout:
        closed = -1
    while True:
        try:
            game = load(new, game_id)
            closed = game.version if closed < 0 else closed
            if game.status == FINISHED:
                return closed
            play_bot_turn(new, game_id)
        except OtherLayout:
            continue


def test_no_move_is_lost_and_none_is_made_by_the_old_version_in_a_shard_that_is_closed(old: Games, new: Games) -> None:
    player, _ = old.store.players.register("Anna")
    opening = Opening(DEFAULT, {}, 3, dict.fromkeys(range(3), "random"), "auto", b"", None)
    games = [open_game(old, player.id, opening).game.id for _ in range(GAMES)]
    with ThreadPoolExecutor(GAMES) as threads:
        playing = {game: threads.submit(play, old, new, game) for game in games}
        until(lambda: all(old.store.log.length(game) > 3 for game in games))
        *_, _ = new.store.migrate({OLD: [note_lengths]})
        closed = {game: ended.result() for game, ended in playing.items()}
    noted = {game: int(new.store._server.ask("HGET", of_shard(int(game[:2]), "lengths"), game)) for game in games}
    assert closed == noted
    assert all(load(new, game).status == FINISHED for game in games)
