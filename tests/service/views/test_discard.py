"""The discard: if it is open, everybody sees the cards from rows, and nobody sees those from hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine import EDITIONS, NEWEST, advance, foresee, legal_commands
from engine.cards import names_of
from service.games.game import Game, StartedGame, rebuild
from service.store.commits import Commits
from service.views.events import show_commits
from service.views.foresight import show_foresight
from service.views.game import show_game

from ..games.logs import GAME, PLAYERS, SEED, whole_game

OPEN = [key for key in EDITIONS if NEWEST[key].open_discard]
CLOSED = [key for key in EDITIONS if key not in OPEN]
RESIGNING = (9, 30)


def games(key: str, resigning: tuple[int, ...] = ()) -> Iterator[Game]:
    """Yield a game after each of its commits, while it is running."""
    commits = [commit for commit, _ in whole_game(key, resigning=resigning)]
    for version in range(1, len(commits)):
        yield rebuild(Commits.of(GAME, commits[:version]), SEED)


class Onlooker:
    """A person who watches a game without a seat, and remembers the cards that were openly put on the discard."""

    def __init__(self) -> None:
        self.rows: Counter[tuple[int, str]] = Counter()
        self.season: str | None = None
        self.discard: Counter[str] = Counter()
        self.face_down = 0

    def see(self, event: dict[str, Any]) -> None:
        """Watch an event in the form that everybody sees."""
        match event["type"]:
            case "card-played" if event["place"] == "row":
                self.rows[event["seat"], event["card"]] += 1
            case "card-played" if event["place"] == "season":
                self._clear_season()
                self.season = event["card"]
            case "card-played":
                self.discard[event["card"]] += 1
            case "card-taken-back":
                self.rows[event["taken_from"], event["card"]] -= 1
            case "mercenaries-removed":
                for seat, count in enumerate(event["counts"]):
                    self.rows[seat, event["card"]] -= count
                    self.discard[event["card"]] += count
            case "rows-discarded":
                for (_, card), count in self.rows.items():
                    self.discard[card] += count
                self.rows.clear()
                self._clear_season()
            case "hand-discarded":
                self.face_down += event["cards"]["count"]
            case "round-ended" | "discard-reshuffled":
                self.discard.clear()
                self.face_down = 0

    def _clear_season(self) -> None:
        if self.season is not None:
            self.discard[self.season] += 1
        self.season = None


@pytest.mark.parametrize("resigning", [(), RESIGNING], ids=["", "resigning"])
@pytest.mark.parametrize("key", OPEN)
def test_everybody_sees_the_cards_that_an_onlooker_has_seen_discarded(key: str, resigning: tuple[int, ...]) -> None:
    """The open discard therefore follows from public events, for seats and spectators alike, and at every version."""
    onlooker, most = Onlooker(), 0
    for game in games(key, resigning):
        for commit in show_commits(game, game.version - 1, None):
            for event in commit["events"]:
                onlooker.see(event)
        expected = +onlooker.discard
        for player in (None, *PLAYERS[: len(game.table.seats)]):
            position = show_game(game, player)["position"]
            assert Counter(position["discarded"]) == expected
            assert position["discard"] == expected.total() + onlooker.face_down
        most = max(most, onlooker.face_down)
    assert most, "a hand was discarded, and its cards were never shown"


@pytest.mark.parametrize("key", OPEN)
def test_a_change_shows_what_the_log_shows_after_it(key: str) -> None:
    """The game after a commit is either computed from the previous one or rebuilt from the log."""
    before = None
    for game in games(key):
        if before is not None:
            (commit,) = game.since(before.version)
            assert before.after(game.changed_at, commit.events).buried == game.buried
        before = game


@pytest.mark.parametrize("key", OPEN)
def test_a_dry_run_shows_the_discard_that_the_move_leads_to(key: str) -> None:
    compared = 0
    for game in games(key):
        assert isinstance(game, StartedGame)
        player = PLAYERS[game.state.turn]
        for command in legal_commands(game.state)[:4]:
            foresight = foresee(game.state, command)
            shown = show_foresight(game, foresight, player)["game"]["position"]
            after = game.after(0, advance(game.state.copy(), command, game.chance))
            if foresight.stops is None and not after.revealed:
                assert shown["discarded"] == show_game(after, player)["position"]["discarded"]
                compared += 1
            assert shown["discard"] >= len(shown["discarded"])
    assert compared > 50


@pytest.mark.parametrize("key", CLOSED)
def test_elsewhere_it_is_only_counted(key: str) -> None:
    for game in games(key):
        assert not any(game.buried)
        for player in (None, PLAYERS[0]):
            assert show_game(game, player)["position"]["discarded"] is None


@pytest.mark.parametrize("key", EDITIONS)
def test_a_game_that_is_over_shows_all_of_it_at_every_version(key: str) -> None:
    commits = [commit for commit, _ in whole_game(key)]
    over = rebuild(Commits.of(GAME, commits), SEED)
    for version in range(1, len(commits) + 1, 7):
        game = over.at(version)
        assert game.state is not None
        position = show_game(game, None, over)["position"]
        assert position["discarded"] == names_of(game.state.discard)
        assert len(position["discarded"]) == position["discard"]
