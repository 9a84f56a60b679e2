"""Bot revisions: recorded when a bot gets a seat, kept by running games, and 1 in older logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine import bots as registry
from engine import command_of, view_for
from engine.bots import BOTS, RETIRED, REVISIONS, Bot, bot_of, least_committing
from service.clocks.events import SeatGivenToBot, SeatTakenBack
from service.games import game as games_game
from service.games.events import BotSeated, bot_seated, from_record, seat_given_to_bot, to_record
from service.games.repository import Games, load
from service.games.table import Table
from service.play import seating
from service.play.moves import play_bot_turn
from service.store.errors import UnknownFormat

from ..correspondence.conftest import weeks as weeks
from ..correspondence.weeks import Weeks

TOY = Bot("random", "The least.", lambda situation: least_committing(situation.view.legal), level=0, revision=2)


def test_every_bot_has_a_revision() -> None:
    for (key, revision), bot in REVISIONS.items():
        assert (bot.key, bot.revision) == (key, revision)
        assert 1 <= revision <= BOTS[key].revision
        assert bot_of(key, revision) is bot
    assert bot_of("nobody", 1) is None


def test_each_earlier_revision_is_there_or_listed_as_retired() -> None:
    assert not RETIRED & set(REVISIONS)
    for key, newest in BOTS.items():
        known = {revision for bot, revision in {*REVISIONS, *RETIRED} if bot == key}
        assert known == set(range(1, newest.revision + 1))


@pytest.mark.parametrize("make", [bot_seated, seat_given_to_bot])
def test_the_newest_revision_is_recorded(make: Any) -> None:
    event = make(1, "steady")
    assert event.revision == BOTS["steady"].revision
    assert to_record(event)["revision"] == event.revision
    assert from_record(to_record(event)) == event


@pytest.mark.parametrize("kind", ["bot-seated", "seat-given-to-bot"])
def test_an_older_log_names_no_revision(kind: str) -> None:
    record = {"type": kind, "seat": 1, "bot": "steady"}
    event: Any = from_record(record)
    assert event.revision is None
    assert to_record(event) == record
    assert bot_of("steady", event.revision) is REVISIONS["steady", 1]


def open_game(weeks: Weeks, **more: Any) -> str:
    """Open a game in which only bots play."""
    opening = seating.Opening("zman-2018", {}, 3, dict.fromkeys(range(3), "random"), "auto", b"", None, **more)
    return seating.open_game(weeks.games, weeks.player("Anna"), opening).game.id


def bring(monkeypatch: pytest.MonkeyPatch, revisions: Mapping[tuple[str, int], Bot]) -> None:
    """Simulate a later release that has these revisions of bots."""
    monkeypatch.setattr(registry, "REVISIONS", revisions)
    monkeypatch.setattr(games_game, "BOTS", {**BOTS, "random": TOY})


def test_a_running_game_goes_on_with_its_revision(weeks: Weeks, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = open_game(weeks)
    bring(monkeypatch, {**REVISIONS, ("random", 2): TOY})
    for _ in range(5):
        game = weeks.game(game_id)
        assert game.state is not None
        assert game.table.seats[game.state.turn].revision == 1
        chosen = REVISIONS["random", 1].play(game.state, game.events, game.chance.bot_random(game.version))
        assert moves_of(weeks.games, game_id, chosen)


def moves_of(games: Games, game_id: str, chosen: Any) -> bool:
    """Let the bot move, and return whether it made the given move."""
    version = load(games, game_id).version
    assert play_bot_turn(games, game_id)
    (commit,) = load(games, game_id).since(version)
    return command_of(commit.game_events[0]) == chosen


def test_the_newest_revision_plays_for_a_retired_one(weeks: Weeks, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = open_game(weeks)
    bring(monkeypatch, {("random", 2): TOY})
    game = weeks.game(game_id)
    assert game.state is not None
    assert moves_of(weeks.games, game_id, least_committing(view_for(game.state, game.state.turn).legal))


def test_a_game_with_an_unknown_bot_is_read_only_if_the_bot_is_retired(
    weeks: Weeks, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = open_game(weeks)
    monkeypatch.setattr(games_game, "BOTS", {key: bot for key, bot in BOTS.items() if key != "random"})
    with pytest.raises(UnknownFormat):
        load(weeks.games, game_id)
    monkeypatch.setattr(games_game, "RETIRED", {("random", 1)})
    assert load(weeks.games, game_id).id == game_id


def test_a_table_has_the_revision_while_the_bot_sits_there(weeks: Weeks) -> None:
    table: Table = weeks.game(open_game(weeks)).table
    assert [seat.revision for seat in table.seats] == [1, 1, 1]
    given = table.after(0, [BotSeated(0, "steady", 7), SeatGivenToBot(1, "steady", 8), SeatTakenBack(1, "p0")])
    assert [seat.revision for seat in given.seats] == [7, None, 1]
