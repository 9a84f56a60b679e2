"""Positions in a record: a redacted record gives exactly the view that its caller had."""

from __future__ import annotations

import pytest

from engine import EDITIONS, State, view_for
from service.games.commits import Commit, commits_of
from service.games.game import Game, rebuild
from service.records.positions import moment_after
from service.store.commits import CommitRecord, Commits
from service.views.events import show_commits

from ..games.logs import GAME, PLAYERS, SEED, whole_game

OPTIONS = [
    *((key, {}) for key in EDITIONS),
    ("ffg-2007", {"hidden_cards": True}),
    ("ffg-2007", {"points": 5}),
]
"""Editions and options whose events hide cards in different ways."""


def played(key: str, options: dict[str, object]) -> list[tuple[CommitRecord, State]]:
    """Return a whole game in which a seat resigns."""
    return list(whole_game(key, options, resigning=(9,)))


def redacted(game: Game, player: str | None) -> list[Commit]:
    """Return the commits of a game as a player may see them."""
    shown = show_commits(game, 0, player)
    rows = [
        {
            "seq": commit["seq"],
            "at": commit["at"],
            "by": commit["by"],
            "key": "",
            "fingerprint": "",
            "revision": 1,
            "events": commit["events"],
        }
        for commit in shown
    ]
    return commits_of(Commits.of(GAME, rows))


@pytest.mark.parametrize(("key", "options"), OPTIONS)
def test_a_redacted_record_gives_the_view_of_its_caller(key: str, options: dict[str, object]) -> None:
    """The views are compared at every version, with the legal moves at that time."""
    game = played(key, options)
    running = rebuild(Commits.of(GAME, [commit for commit, _ in game[:-1]]), SEED)
    assert not running.revealed
    for player in (*running.table.players(), None):
        seat = None if player is None else running.table.seat_of(player)
        commits = redacted(running, player)
        for version, (_, state) in enumerate(game[:-1], 1):
            moment = moment_after(commits[:version], seat, is_open=False)
            assert moment.view == view_for(state, seat)
            assert moment.table.players() == list(PLAYERS[: len(running.table.seats)])


@pytest.mark.parametrize(("key", "options"), OPTIONS)
def test_an_open_record_gives_every_hand(key: str, options: dict[str, object]) -> None:
    game = played(key, options)
    finished = rebuild(Commits.of(GAME, [commit for commit, _ in game]), SEED)
    commits = commits_of(finished.commits)
    for version, (_, state) in enumerate(game, 1):
        view = moment_after(commits[:version], None, is_open=True).view
        assert view is not None
        assert view.hands == tuple(map(tuple, state.hands))
        assert [sum(kinds) for kinds in view.hidden if not isinstance(kinds, int)] == list(map(len, state.hidden))
        assert view.rows == view_for(state, None).rows
