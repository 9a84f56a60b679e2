"""At the same time: nobody loses time if several things happen in one game at the same moment.

The tests include games that are paused and services that are down.
"""

from __future__ import annotations

import pytest

from service.clocks.nights import Habits, stops_by_habit
from service.clocks.reckoning import run_out
from service.clocks.settings import OPEN_SEAT
from service.games.game import Game
from service.games.repository import Games
from service.play.absence import resign, substitute
from service.play.consent import ask_for_extension, ask_for_pause, grant_extension, resume
from service.timekeeping import deadlines as timekeeping
from service.timekeeping.availability import end_vacation
from service.timekeeping.deadlines import current, keep_time
from service.timekeeping.vacations import come_back, go_on_vacation

from .weeks import DAY, HOUR, MINUTE, Weeks, bank, per_move

BEFORE_THE_GAP = 1_806_148_800_000
"""2027-03-27 12:00 UTC, the day before Europe's clocks are put forward."""


def deadline(game: Game) -> int:
    assert game.table.clock is not None
    assert game.table.clock.turn is not None
    return game.table.clock.turn.deadline


def banks(game: Game) -> list[int]:
    assert game.table.clock is not None
    return game.table.clock.banks


def test_an_outage_spends_no_vacation(weeks: Weeks) -> None:
    players = [weeks.player(name, saved=10 * DAY, auto=True) for name in ("Anna", "Bruno")]
    game = weeks.open(per_move(), *players)
    player, before = weeks.game(game).player_to_act(), deadline(weeks.game(game))
    assert player is not None
    weeks.jump(before - 2 * HOUR)
    weeks.down(before + 5 * HOUR)
    weeks.round()
    assert not weeks.hours_of(player).vacation.active(weeks.now)
    assert deadline(weeks.game(game)) == before + 7 * HOUR


def test_who_comes_second_sees_the_timeout_too(weeks: Weeks, monkeypatch: pytest.MonkeyPatch) -> None:
    game = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    weeks.jump(deadline(weeks.game(game)))
    write_due = timekeeping.write_due

    def twice(games: Games, game: Game) -> bool:
        return write_due(games, game) and write_due(games, game)

    monkeypatch.setattr(timekeeping, "write_due", twice)
    assert current(weeks.games, game).version == weeks.game(game).version == 3


@pytest.mark.parametrize("sleep", [("02:15", "03:05"), ("02:15", "03:00"), ("02:10", "02:50")])
def test_a_night_in_an_hour_that_is_skipped_takes_no_time(sleep: tuple[str, str]) -> None:
    until, _ = run_out(BEFORE_THE_GAP, DAY, stops_by_habit(BEFORE_THE_GAP, Habits("Europe/Rome", sleep), ()))
    assert until >= BEFORE_THE_GAP + DAY


def test_a_reminder_is_not_lost_to_what_happens_before_the_clock_looks(weeks: Weeks) -> None:
    players = [weeks.player("Anna"), weeks.player("Bruno")]
    game = weeks.open(per_move(), *players)
    began = weeks.now
    weeks.jump(began + 18 * HOUR)
    ask_for_pause(weeks.games, game, players[0])
    weeks.run(began + 23 * HOUR)
    events = [record for commit in weeks.game(game).commits for record in commit["events"]]
    assert [record["left"] for record in events if record["type"] == "seat-reminded"] == [25, 5]


def test_a_substitute_has_not_asked_for_a_pause(weeks: Weeks) -> None:
    anna, bruno, carla = (weeks.player(name) for name in ("Anna", "Bruno", "Carla"))
    game = weeks.open(per_move(3600, at_timeout=OPEN_SEAT), anna, bruno)
    late = weeks.game(game).player_to_act()
    assert late is not None
    ask_for_pause(weeks.games, game, late)
    weeks.run(weeks.now + HOUR)
    substitute(weeks.games, game, carla, None)
    ask_for_pause(weeks.games, game, bruno if late == anna else anna)
    assert weeks.game(game).table.clock.paused is None


def test_who_resigns_in_a_pause_leaves_the_time_of_others_alone(weeks: Weeks) -> None:
    players = [weeks.player(name) for name in ("Anna", "Bruno", "Carla")]
    game = weeks.open(bank(86_400, 3_600, 259_200), *players)
    player = weeks.game(game).player_to_act()
    assert player is not None
    for other in players:
        ask_for_pause(weeks.games, game, other)
    weeks.jump(weeks.now + 3 * DAY)
    resign(weeks.games, game, next(other for other in players if other != player))
    resume(weeks.games, game, player)
    assert deadline(weeks.game(game)) == weeks.now + DAY


def test_a_vacation_that_ends_in_a_pause_hides_none_of_it(weeks: Weeks) -> None:
    players = [weeks.player(name, saved=20 * DAY) for name in ("Anna", "Bruno")]
    game = weeks.open(per_move(), *players)
    began, player = weeks.now, weeks.game(game).player_to_act()
    assert player is not None
    go_on_vacation(weeks.games, player, began + 10 * DAY)
    weeks.run(began + 2 * DAY)
    for other in players:
        ask_for_pause(weeks.games, game, other)
    weeks.run(began + 2 * DAY + HOUR)
    come_back(weeks.games, player)
    weeks.run(began + 5 * DAY)
    resume(weeks.games, game, player)
    assert deadline(weeks.game(game)) == began + 6 * DAY


def test_a_second_vacation_ends_the_first(weeks: Weeks) -> None:
    players = [weeks.player(name, saved=20 * DAY) for name in ("Anna", "Bruno")]
    game = weeks.open(per_move(), *players)
    began, player = weeks.now, weeks.game(game).player_to_act()
    assert player is not None
    go_on_vacation(weeks.games, player, None)
    weeks.jump(began + HOUR)
    for other in players:
        ask_for_pause(weeks.games, game, other)
    come_back(weeks.games, player)
    weeks.jump(began + 2 * HOUR)
    go_on_vacation(weeks.games, player, weeks.now + HOUR)
    resume(weeks.games, game, player)
    weeks.jump(weeks.now + 30 * MINUTE)
    come_back(weeks.games, player)
    # An hour of the first vacation, an hour of the pause, and an hour of the second vacation, the minimum length.
    assert deadline(weeks.game(game)) == began + DAY + 3 * HOUR


def test_whatever_is_wrong_with_one_game_the_others_go_on(weeks: Weeks, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (weeks.open(per_move(3600), weeks.player(f"Anna-{n}"), weeks.player(f"Bruno-{n}")) for n in (1, 2))

    def keep(games: Games, game_id: str) -> bool:
        if game_id == first:
            raise ZeroDivisionError
        return keep_time(games, game_id)

    monkeypatch.setattr("service.timekeeping.rounds.keep_time", keep)
    weeks.run(weeks.now + HOUR)
    assert (weeks.game(first).version, weeks.game(second).version) == (2, 5)
    assert weeks.next_look() < weeks.now + 2 * HOUR


def test_an_outage_is_credited_to_a_move_that_comes_before_the_clock(weeks: Weeks) -> None:
    game = weeks.open(bank(86_400, 3_600, 259_200), weeks.player("Anna"), weeks.player("Bruno"))
    seat = weeks.game(game).seat_to_act
    assert seat is not None
    weeks.down(weeks.now + 10 * HOUR)
    weeks.games.store.presence.beat("clock", weeks.now)
    weeks.move(game)
    assert banks(weeks.game(game))[seat] == 25 * HOUR


def test_what_was_granted_for_one_turn_is_not_saved_for_another(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game = weeks.open(bank(3_600, 600, 86_400), anna, bruno)
    asks, seat = weeks.game(game).player_to_act(), weeks.game(game).seat_to_act
    assert asks is not None
    assert seat is not None
    ask_for_extension(weeks.games, game, asks, 72_000)
    grant_extension(weeks.games, game, bruno if asks == anna else anna, 72_000)
    weeks.move(game)
    assert banks(weeks.game(game))[seat] == HOUR + 10 * MINUTE


def test_a_vacation_lasts_an_hour_at_least(weeks: Weeks) -> None:
    """Otherwise the games' logs could fill up with very short vacations."""
    anna, bruno = (weeks.player(name, saved=2 * HOUR) for name in ("Anna", "Bruno"))
    game = weeks.open(per_move(), anna, bruno)
    player = weeks.game(game).player_to_act()
    assert player is not None
    for _ in range(20):
        go_on_vacation(weeks.games, player, weeks.now + 1)
        come_back(weeks.games, player)
    assert weeks.game(game).version == 3
    assert weeks.hours_of(player).vacation.until == weeks.now + HOUR


def test_who_came_back_unheard_keeps_the_deadline_that_was_shown(weeks: Weeks) -> None:
    """The request that ends a vacation may die before it has updated the games."""
    anna, bruno = (weeks.player(name, saved=10 * DAY) for name in ("Anna", "Bruno"))
    game = weeks.open(per_move(), anna, bruno)
    player = weeks.game(game).player_to_act()
    assert player is not None
    go_on_vacation(weeks.games, player, weeks.now + 9 * DAY)
    shown = deadline(weeks.game(game))
    weeks.jump(weeks.now + 2 * HOUR)
    end_vacation(weeks.games, player, weeks.now)
    weeks.run(shown - 1)
    assert deadline(weeks.game(game)) == shown
    weeks.run(shown)
    assert "seat-timed-out" in [record["type"] for record in weeks.game(game).commits[-1]["events"]]
