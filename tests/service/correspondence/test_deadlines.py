"""Deadlines: when a turn's time runs out, what the log records, and what moves a deadline."""

from __future__ import annotations

import io

import pytest

from service.clocks.nights import Habits
from service.clocks.settings import RESIGN
from service.games.game import rebuild
from service.games.table import RUNNING
from service.play.consent import ask_for_extension, ask_for_pause, grant_extension, resume
from service.problems import Problem
from service.records.document import as_json
from service.records.reading import read_records
from service.records.verifying import verify
from service.timekeeping.vacations import come_back, go_on_vacation
from service.views.game import show_game

from .weeks import DAY, HOUR, MINUTE, SECOND, Weeks, bank, per_move

ROME = Habits("Europe/Rome", ("23:00", "07:00"))


def deadline(weeks: Weeks, game: str) -> int:
    clock = weeks.game(game).table.clock
    assert clock is not None
    assert clock.turn is not None
    return clock.turn.deadline


def test_a_turn_has_so_long(weeks: Weeks) -> None:
    game = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    assert deadline(weeks, game) == weeks.now + HOUR
    weeks.jump(weeks.now + 59 * MINUTE)
    weeks.move(game)
    assert deadline(weeks, game) == weeks.now + HOUR


def test_the_night_does_not_count(weeks: Weeks) -> None:
    anna, bruno = (weeks.player(name, ROME) for name in ("Anna", "Bruno"))
    game = weeks.open(per_move(12 * 3600), anna, bruno)
    # It is 13:00 in Rome: ten hours until 23:00, and two more after 07:00.
    assert deadline(weeks, game) == weeks.now + 20 * HOUR
    shown = show_game(weeks.game(game), anna)["clock"]["turn"]
    assert shown["why"] == ["12 h for this move", "paused for the night until 2027-03-23 07:00 Europe/Rome"]


def test_a_timeout_passes_and_is_written_once(weeks: Weeks) -> None:
    game = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    weeks.move(game)
    weeks.jump(deadline(weeks, game))
    found = [weeks.look(game), weeks.look(game)]
    weeks.round()
    assert found[0].version == found[1].version == weeks.game(game).version
    records = [record["type"] for record in found[0].commits[-1]["events"]]
    assert records[0] == "seat-timed-out"
    assert "seat-passed" in records


def test_a_bank_is_used_and_gains(weeks: Weeks) -> None:
    game = weeks.open(bank(86_400, 14_400, 259_200), weeks.player("Anna"), weeks.player("Bruno"))
    first = weeks.game(game).state.turn
    weeks.jump(weeks.now + 10 * HOUR)
    weeks.move(game)
    assert weeks.game(game).table.clock.banks[first] == 18 * HOUR


def test_a_vacation_moves_the_deadline_and_coming_back_moves_it_again(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna", saved=10 * DAY), weeks.player("Bruno", saved=10 * DAY)
    game = weeks.open(per_move(86_400), anna, bruno)
    player = weeks.game(game).player_to_act()
    began = weeks.now
    weeks.jump(began + 2 * HOUR)
    go_on_vacation(weeks.games, player, began + 5 * DAY)
    assert deadline(weeks, game) == began + DAY + 5 * DAY - 2 * HOUR
    weeks.jump(began + 2 * DAY)
    come_back(weeks.games, player)
    assert deadline(weeks, game) == began + DAY + 2 * DAY - 2 * HOUR


def test_a_vacation_begins_by_itself(weeks: Weeks) -> None:
    anna, bruno = (weeks.player(name, saved=2 * DAY, auto=True) for name in ("Anna", "Bruno"))
    game = weeks.open(per_move(86_400), anna, bruno)
    began = weeks.now
    weeks.run(began + 2 * DAY)
    # By then another three hours per day have been earned.
    ends = began + DAY + 2 * DAY + (DAY - MINUTE) // 8
    assert deadline(weeks, game) == ends
    assert weeks.game(game).table.clock.misses == [0, 0]
    weeks.run(ends)
    assert sum(weeks.game(game).table.clock.misses) == 1


def test_a_pause(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game = weeks.open(per_move(3600), anna, bruno)
    before = deadline(weeks, game)
    ask_for_pause(weeks.games, game, anna)
    assert weeks.game(game).table.clock.paused is None
    ask_for_pause(weeks.games, game, bruno)
    weeks.run(weeks.now + DAY)
    with pytest.raises(Problem, match="pause"):
        ask_for_pause(weeks.games, game, bruno)
    resume(weeks.games, game, anna)
    assert deadline(weeks, game) == before + DAY


def test_who_asked_for_a_pause_and_then_moves_wants_none(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game = weeks.open(per_move(3600), anna, bruno)
    first = weeks.game(game).player_to_act()
    ask_for_pause(weeks.games, game, first)
    weeks.move(game)
    ask_for_pause(weeks.games, game, bruno if first == anna else anna)
    assert weeks.game(game).table.clock.paused is None


def test_while_the_web_is_down_no_time_is_over_and_nobody_looks_for_ever(weeks: Weeks) -> None:
    game = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    before = deadline(weeks, game)
    weeks.games.store.presence.beat("web", weeks.now)
    weeks.jump(before + HOUR)
    assert not weeks.timekeeper.round()
    assert weeks.look(game).table.clock.misses == [0, 0]
    weeks.games.store.presence.beat("web", weeks.now)
    weeks.round()
    assert deadline(weeks, game) == before + 2 * HOUR


def test_an_extension(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game = weeks.open(per_move(3600), anna, bruno)
    before = deadline(weeks, game)
    player = weeks.game(game).player_to_act()
    other = bruno if player == anna else anna
    ask_for_extension(weeks.games, game, player, 1800)
    grant_extension(weeks.games, game, other, 1800)
    assert deadline(weeks, game) == before + HOUR // 2


def test_an_outage_costs_nobody(weeks: Weeks) -> None:
    game = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    before = deadline(weeks, game)
    weeks.jump(weeks.now + 30 * MINUTE)
    weeks.down(weeks.now + DAY)
    assert weeks.look(game).table.clock.misses == [0, 0]
    weeks.round()
    assert deadline(weeks, game) == before + DAY
    weeks.run(before + DAY)
    assert sum(weeks.game(game).table.clock.misses) == 1


def test_reminders_come_once_each(weeks: Weeks) -> None:
    game = weeks.open(per_move(86_400), weeks.player("Anna"), weeks.player("Bruno"))
    began = weeks.now
    weeks.run(began + DAY - SECOND)
    found = [
        (commit["at"] - began, record["left"])
        for commit in weeks.game(game).commits
        for record in commit["events"]
        if record["type"] == "seat-reminded"
    ]
    assert found == [(18 * HOUR, 25), (22 * HOUR + 48 * MINUTE, 5)]


def test_a_prefix_of_the_log_gives_the_deadline_that_was_shown(weeks: Weeks) -> None:
    game = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    weeks.run(weeks.now + 20 * HOUR)
    found = weeks.game(game)
    assert rebuild(found.commits, found.seed).table == found.table


@pytest.mark.parametrize(("seconds", "reminders"), [(10, [25]), (39, [25]), (40, [25, 5])])
def test_a_short_turn_has_no_reminder_that_is_due_in_its_last_two_seconds(
    weeks: Weeks, seconds: int, reminders: list[int]
) -> None:
    game = weeks.open(per_move(seconds, sleep_hours=False), weeks.player("Anna"), weeks.player("Bruno"))
    began = weeks.now
    weeks.run(began + seconds * SECOND)
    events = [(commit["at"] - began, event) for commit in weeks.game(game).commits for event in commit["events"]]
    assert [event["left"] for _, event in events if event["type"] == "seat-reminded"] == reminders
    assert [at for at, event in events if event["type"] == "seat-timed-out"] == [seconds * SECOND]


def test_a_late_clock_still_sends_the_first_reminder_of_a_short_turn(weeks: Weeks) -> None:
    game = weeks.open(per_move(10, sleep_hours=False), weeks.player("Anna"), weeks.player("Bruno"))
    began = weeks.now
    weeks.jump(began + 9_900)
    weeks.round()
    assert [record["left"] for record in weeks.game(game).commits[-1]["events"]] == [25]
    assert weeks.next_look() == began + 10 * SECOND


def test_a_record_with_the_shortest_clock_is_valid(weeks: Weeks) -> None:
    clock = bank(10, 10, 20, at_timeout=RESIGN, misses=2, sleep_hours=False, vacation=False)
    game = weeks.open(clock, weeks.player("Anna"), weeks.player("Bruno"))
    player = weeks.game(game).player_to_act()
    assert player is not None
    ask_for_extension(weeks.games, game, player, 10)
    while weeks.game(game).status == RUNNING:
        weeks.run(weeks.now + SECOND)
    [record] = read_records(io.BytesIO(as_json(weeks.game(game), None)))
    assert not isinstance(record, Problem)
    assert verify(record, []).finding is None
