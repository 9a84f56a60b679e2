"""Whole games over simulated weeks: players forget, sleep and go away, and the log alone determines the deadlines."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from engine import EDITIONS, NEWEST, Refusal, legal_commands
from service.clocks.game_clock import GameClock
from service.clocks.nights import WEEKDAYS, Habits
from service.clocks.settings import BOT, OPEN_SEAT, PASS, RESIGN, ClockSettings
from service.games.events import TABLE_EVENTS, table_event_from_record
from service.games.game import Game
from service.games.table import RUNNING, empty_table
from service.play.absence import resign, substitute, take_back
from service.play.consent import ask_for_extension, ask_for_pause, grant_extension, resume
from service.problems import Problem
from service.timekeeping.vacations import come_back, go_on_vacation

from .weeks import DAY, HOUR, MINUTE, Weeks, bank, per_move

ROME, HOBART, NOWHERE = (
    Habits("Europe/Rome", ("23:00", "07:00")),
    Habits("Australia/Hobart", ("21:30", "08:00")),
    Habits(),
)
STEP = 10 * MINUTE

Deadline = tuple[int, int, int | None]
"""A version of a game, the seat whose turn it is, and the deadline that was shown."""


CLOCKS = [
    pytest.param(per_move(86_400, at_timeout=PASS, days_off=("sunday",)), id=PASS),
    pytest.param(bank(86_400, 14_400, 259_200, at_timeout=BOT, misses=2), id=BOT),
    pytest.param(per_move(43_200, at_timeout=OPEN_SEAT, misses=2, days_off=("saturday", "sunday")), id=OPEN_SEAT),
    pytest.param(bank(43_200, 7_200, 86_400, at_timeout=RESIGN, misses=3, days_off=("monday",)), id=RESIGN),
]


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_is_played_over_weeks_whatever_its_players_do(weeks: Weeks, edition: str, clock: ClockSettings) -> None:
    """At random, they move, forget, pause, ask for time, go on vacation, resign and come back."""
    random = Random(f"{edition} {clock}")
    seats = NEWEST[edition].fewest_seats
    habits = [ROME, HOBART, Habits()]
    players = [
        weeks.player(f"Player-{seat}", habits[seat % 3], saved=random.randrange(6) * DAY, auto=random.random() < 0.3)
        for seat in range(seats)
    ]
    game_id = weeks.open(clock, *players, edition=edition, options={"battle_limit": 8})
    shown: list[Deadline] = []
    for _ in range(2_000):
        weeks.bots_move(game_id)
        game = weeks.look(game_id)
        if game.status != RUNNING:
            break
        shown.append(_shown(game))
        _something_happens(weeks, game_id, game, players, random)
        weeks.round()
    game = weeks.game(game_id)
    assert game.status != RUNNING
    assert len(shown) > 5
    for version, seat, deadline in random.sample(shown, 6):
        assert _shown(game.at(version)) == (version, seat, deadline)
    _hold_to_account(game)
    assert weeks.next_look() is None
    assert [weeks.games.store.turns.of_player(player) for player in players] == [[]] * seats


def _shown(game: Game) -> Deadline:
    assert game.state is not None
    clock = game.table.clock
    assert clock is not None
    return game.version, game.state.turn, None if clock.turn is None or clock.paused else clock.turn.deadline


def _something_happens(weeks: Weeks, game_id: str, game: Game, players: list[str], random: Random) -> None:
    clock = game.table.clock
    assert clock is not None
    assert game.state is not None
    player = game.player_to_act()
    if clock.paused is not None:
        weeks.jump(weeks.now + random.randrange(3 * DAY))
        resume(weeks.games, game_id, random.choice(game.table.players()))
        return
    chance = random.random()
    if chance < 0.55 and player is not None:
        weeks.run(weeks.now + random.randrange(8 * HOUR))
        if weeks.look(game_id).version == game.version:
            legal = legal_commands(game.state)
            weeks.move(game_id, random.randrange(len(legal)))
    elif chance < 0.75:
        weeks.run(weeks.now + random.randrange(3 * DAY))
    elif chance < 0.80:
        weeks.down(weeks.now + random.randrange(2 * MINUTE, DAY))
    else:
        who = random.choice(players)
        _whatever_may_be(weeks, game_id, who, random)


def _whatever_may_be(weeks: Weeks, game_id: str, who: str, random: Random) -> None:
    games, now = weeks.games, weeks.now
    asks = [
        lambda: go_on_vacation(games, who, now + random.randrange(1, 4) * DAY),
        lambda: come_back(games, who),
        lambda: ask_for_pause(games, game_id, who),
        lambda: ask_for_extension(games, game_id, who, random.choice([3_600, 40_000])),
        lambda: grant_extension(games, game_id, who, random.choice([3_600, 40_000])),
        lambda: take_back(games, game_id, who),
        lambda: substitute(games, game_id, who, None),
        lambda: resign(games, game_id, who) if random.random() < 0.1 else None,
    ]
    # An action that is not allowed now is refused without any effect, and the game continues.
    with suppress(Problem, Refusal):
        random.choice(asks)()


def _hold_to_account(game: Game) -> None:
    """Check every turn of a log against the calendar, and every timeout against its deadline."""
    opened, *_ = game.commits[0]["events"]
    table = empty_table(table_event_from_record(opened))
    for commit in game.commits:
        types = set()
        for record in commit["events"]:
            if record["type"] == "seat-timed-out":
                assert commit["at"] >= table.clock.turn.deadline
                assert table.clock.turn.seat == record["seat"]
            if record["type"] in TABLE_EVENTS:
                table.apply(commit["at"], table_event_from_record(record))
                types.add(record["type"])
        if table.clock.turn is not None and types & {"clock-started", "deadline-moved"}:
            off = abs(_counted(table.clock) - table.clock.turn.time_allowed)
            assert off <= STEP * (2 + len(table.clock.turn.stops))


def _counted(clock: GameClock) -> int:
    """Return how much of a turn counts (ms); at short intervals, check whether its player sleeps or the table rests."""
    turn = clock.turn
    zone, sleep = ZoneInfo(turn.habits.zone), turn.habits.sleep
    other = [stop for stop in turn.stops if stop.reason not in ("night", "day-off")]
    counted = 0
    for at in range(turn.since, turn.deadline, STEP):
        here = datetime.fromtimestamp(at / 1000, zone)
        wall = f"{here:%H:%M}"
        asleep = sleep is not None and (wall >= sleep[0] or wall < sleep[1])
        rests = WEEKDAYS[here.weekday()] in clock.settings.days_off
        away = any(stop.begin <= at < stop.until for stop in other)
        counted += not (asleep or rests or away)
    return STEP * counted
