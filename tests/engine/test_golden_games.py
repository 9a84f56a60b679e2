"""Golden games: for each edition, one recorded game for each way in which a game can end.

The possible ways follow from the edition's values (`tests/games/ways.py`), so these tests require games for each new
goal, step or option.
"""

from functools import cache
from typing import NamedTuple

import pytest

from engine import EngineError, Event, Option, edition, replay
from engine.bots import BOTS
from engine.events import BattleEnded, FinalBattleStarted, GameEnded, MatchEnded, MatchScored
from engine.evolve import apply
from engine.rules.victory import leaders, reached_goals, seats_with_most
from tests.games.files import FOLDER, REVISIONS, Recorded, read
from tests.games.ways import division, way_of, ways

from .machine import (
    check_cards,
    check_made_by_the_engine,
    check_notation,
    check_table,
    check_turn,
    winners_of_the_final_battle,
)

FILES = sorted(FOLDER.glob("*/*.jsonl"))


class End(NamedTuple):
    """How one recorded game ended."""

    seats: int
    options: frozenset[tuple[str, object]]
    way: str


@cache
def games(name: str) -> tuple[Recorded, ...]:
    """Return all recorded games of an edition's revision."""
    return tuple(read(file) for file in FILES if file.parent.name == name)


@cache
def ends(name: str) -> frozenset[End]:
    """Return how the recorded games of a revision ended. Only options with a non-default value are included."""
    return frozenset(
        End(game.origin.seats, frozenset(game.origin.options.items()), way_of(game.commits[-1][-1]))
        for game in games(name)
    )


def values_of(option: Option) -> list[object]:
    """Return the non-default values of an option; of a range, return only one."""
    others: list[object] = [value for value in option.values if value != option.default]
    return others[:1] if isinstance(option.values, range) else others


@pytest.mark.parametrize("name", REVISIONS)
def test_every_way_of_ending_has_a_game_at_every_number_of_seats(name: str) -> None:
    """The games use only printed options if possible; some ends need a battle limit."""
    value = REVISIONS[name]
    there = {(end.seats, end.way) for end in ends(name) if dict(end.options).keys() <= {"battle_limit"}}
    wanted = {(s, way) for s in range(value.fewest_seats, value.most_seats + 1) for way in ways(value, s)}
    assert wanted - there == set()


@pytest.mark.parametrize("name", REVISIONS)
def test_every_way_of_ending_has_a_game_with_every_option(name: str) -> None:
    """Each non-default value has games for at least one number of seats; the values for matches have games for all."""
    plain = REVISIONS[name]
    for option in plain.options:
        for choice in values_of(option):
            try:
                value = edition(plain.key, plain.revision, {option.key: choice})
            except EngineError:
                continue
            seats = range(value.fewest_seats, value.most_seats + 1)
            if isinstance(option.values, range):
                there = {(end.seats, end.way) for end in ends(name) if option.key in dict(end.options)}
                affected = "match:" if option.key == "points" else "battle-limit"
                wanted = {(s, way) for s in seats for way in ways(value, s) if way.startswith(affected)}
                assert wanted - there == set(), option.key
                assert wanted
            else:
                shown = {end.way for end in ends(name) if (option.key, choice) in end.options}
                assert {way for s in seats for way in ways(value, s)} - shown == set(), option.key


@pytest.mark.parametrize("name", REVISIONS)
def test_no_game_ends_in_a_way_that_is_held_to_be_impossible(name: str) -> None:
    """The list of ways is therefore complete."""
    value = REVISIONS[name]
    for end in ends(name):
        assert end.way in ways(edition(value.key, value.revision, dict(end.options)), end.seats), end


@pytest.mark.parametrize("name", REVISIONS)
def test_who_wins_is_who_should(name: str) -> None:
    """The winners are computed again from the final position of each game, and of each game in a match."""
    for game in games(name):
        log = game.log()
        for index, event in enumerate(log):
            if isinstance(event, GameEnded):
                check_winners(log[: index + 1], event)
            if isinstance(event, MatchEnded) and event.reasons != ("final-battle",):
                scored = next(e for e in reversed(log) if isinstance(e, MatchScored))
                assert event.winners == seats_with_most(scored.points)


def check_winners(log: list[Event], ended: GameEnded) -> None:
    """Compare the winners with the goals that they should have reached, or with their standings."""
    state = replay(log)
    reached = [seat for seat in range(state.seats) if reached_goals(state, seat)]
    if ended.reasons[0] in ("adjacent-regions", "total-regions", "battles-won"):
        assert reached == list(ended.winners)
        assert reached_goals(state, reached[0]) == ended.reasons
        return
    assert reached == []
    if ended.reasons == ("final-battle",):
        final = next(e for e in reversed(log) if isinstance(e, FinalBattleStarted))
        battle = next(e for e in reversed(log) if isinstance(e, BattleEnded))
        assert ended.winners == winners_of_the_final_battle(state.edition, battle)
        assert set(battle.leaders) <= set(final.fighters)
    elif ended.winners:
        assert ended.winners == leaders(state)
    else:
        assert len(leaders(state)) > 1


@pytest.mark.parametrize("name", REVISIONS)
def test_a_board_without_a_region_left_is_one_that_nobody_has_won_on(name: str) -> None:
    """In the plans' divisions of regions, all regions are owned, the shares are right, and no goal is reached."""
    value = REVISIONS[name]
    for seats in range(value.fewest_seats, value.most_seats + 1):
        for level in (False, True):
            found = division(value, seats, level=level)
            if found is None:
                continue
            state = replay(games(name)[0].commits[0])
            state.edition, state.seats = value, seats
            state.held = [sum(1 << r for r, owner in found.owners.items() if owner == s) for s in range(seats)]
            assert not any(reached_goals(state, seat) for seat in range(seats))
            assert len(found.owners) == 17 - (found.favored is not None)
            assert (len(leaders(state)) > 1) is level


@pytest.mark.parametrize("name", REVISIONS)
def test_every_position_on_the_way_is_whole(name: str) -> None:
    """The recorded games include rare positions that random games do not reach."""
    for game in games(name):
        if BOTS.keys() & set(game.origin.players):
            continue
        state = replay(game.commits[0])
        for commit in game.commits[1:]:
            for event in commit:
                check_made_by_the_engine(state, event)
                apply(state, event)
            check_cards(state)
            check_table(state)
            check_turn(state)
        check_notation(state)
