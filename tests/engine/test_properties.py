"""Properties of all games: no card is lost, no command is carried out partially, and the log determines the state."""

import json
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import (
    EDITIONS,
    NEWEST,
    Event,
    State,
    advance,
    command_from_record,
    command_to_record,
    decide,
    event_from_record,
    event_to_record,
    evolve,
    legal_commands,
    replay,
    seen_by,
    start,
)
from engine.cards import SPRING, WINTER
from engine.events import (
    BattleEnded,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    MatchEnded,
    MatchScored,
    TurnStarted,
)
from engine.phase_names import BATTLE, OVER
from engine.state import NO_CARD, NOWHERE

from ..examples import examples
from .asking import accepted, one_of_each
from .cases import FFG, REVISED
from .games import QUICK, SEEDS, Game, chance_of, games, play_out, seats_near
from .machine import drawn_if_level, winners_of_the_final_battle
from .table import all_cards, every, named, printed_cards

pytestmark = pytest.mark.whole_games


def check_position(state: State) -> None:
    """Check a position after a single event."""
    assert all_cards(state) == printed_cards(state)
    assert all(count >= 0 for pile in (*state.hands, *state.rows, *state.decks, state.discard) for count in pile)
    assert all(set(hidden) <= state.edition.face_down for hidden in state.hidden)
    for seat in range(state.seats if state.edition.deck_each else 0):
        own = (state.hands[seat], state.rows[seat], state.deck_of(seat))
        assert all(sum(counts) <= printed for printed, *counts in zip(state.edition.deck, *own, strict=True))
    assert state.season in (NO_CARD, WINTER, SPRING)
    assert not any(row[WINTER] or row[SPRING] for row in state.rows)
    owners = [held for region in range(17) for held in state.held if held >> region & 1]
    assert len(owners) == state.owned_regions().bit_count()
    assert state.favor < 0 or not state.owned_regions() >> state.favor & 1 or state.edition.chosen["capturing_regions"]
    assert state.favor < 0 or state.favor != state.contested
    assert not state.fighters or state.contested == NOWHERE


def check_chain(events: list[Event]) -> None:
    """Check that only the last event names the next seat, and that each game of a match is scored."""
    assert isinstance(events[-1], TurnStarted | GameEnded | MatchEnded)
    assert every(TurnStarted, events[:-1]) == []
    assert every(MatchEnded, events[:-1]) == []
    for event, following in pairwise(events):
        assert isinstance(event, GameEnded) == isinstance(following, MatchScored)


def check_records(events: list[Event]) -> None:
    """Check that every event, both in full and as each viewer sees it, can be parsed back from its record."""
    for event in events:
        for seen in (event, seen_by(event, 0), seen_by(event, None)):
            assert named([event_from_record(json.loads(json.dumps(event_to_record(seen))))]) == named([seen])


class Table(RuleBasedStateMachine):
    """A table at which seats make legal moves; it keeps the log and the state."""

    @initialize(game=games(), seed=SEEDS)
    def begin(self, game: Game, seed: int) -> None:
        """Start a game."""
        key, seats, options = game
        self.chance = chance_of(seed)
        self.log = start(key, seats, self.chance, options)
        check_chain(self.log)
        check_records(self.log)
        self.state = replay(self.log)

    @precondition(lambda self: self.state.phase != OVER)
    @rule(choice=st.integers(0, 200))
    def move(self, choice: int) -> None:
        """Make a legal move in three ways: in place, on a copy, and by applying its events one by one."""
        commands = legal_commands(self.state)
        command = commands[choice % len(commands)]
        read = command_from_record(json.loads(json.dumps(command_to_record(command))), command.seat)
        assert named([read]) == named([command])
        before = self.state.copy()
        chain = decide(self.state, command, self.chance)
        assert self.state == before
        check_chain(chain)
        check_records(chain)
        for event in chain:
            self.state = evolve(self.state, event)
            check_position(self.state)
        assert named(advance(before, command, self.chance)) == named(chain)
        assert before == self.state
        self.log += chain

    @precondition(lambda self: self.state.phase == OVER)
    @rule(seat=st.integers(0, 5))
    def move_after_the_end(self, seat: int) -> None:
        """Check that every command is refused after the end."""
        for command in one_of_each(seat):
            assert not accepted(self.state, command, self.chance)

    @invariant()
    def the_log_is_all_there_is(self) -> None:
        """Check that replaying the log gives this state, and that one seat holds the battle marker."""
        if hasattr(self, "log"):
            assert replay(self.log) == self.state
            assert 0 <= self.state.marker < self.state.seats

    @invariant()
    def somebody_can_move_or_the_game_is_over(self) -> None:
        """Check that the seat to act has distinct legal commands and, in a battle, has cards and has not passed."""
        if not hasattr(self, "log"):
            return
        state, commands = self.state, legal_commands(self.state)
        assert bool(commands) == (state.phase != OVER) == (state.result is None)
        assert len(set(named(commands))) == len(commands)
        assert {command.seat for command in commands} <= {state.turn}
        if state.phase == BATTLE:
            assert any(state.hands[state.turn])
            assert not state.passed >> state.turn & 1


Table.TestCase.settings = settings(QUICK, max_examples=examples(60), stateful_step_count=60)
test_any_moves_at_any_table = Table.TestCase


@QUICK
@given(game=games(), seed=SEEDS)
def test_every_game_ends(game: Game, seed: int) -> None:
    """It ends within its battle limit, and no battle exceeds the maximum length."""
    state, events, moves = play_out(game, seed)
    limit = state.edition.battle_limit
    ends = every(GameEnded, events)
    assert len(every(GameStarted, events)) == len(ends)
    final_battles = len(every(FinalBattleStarted, events))
    assert len(every(BattleEnded, events)) <= limit * len(ends) + final_battles
    assert state.battles <= limit + 2
    assert moves <= (limit + 2) * len(ends) * (1 + 2 * sum(state.edition.deck) + 4 * state.seats)
    assert replay(events) == state
    check_position(state)


@QUICK
@given(game=games(), seed=SEEDS)
def test_who_has_won_has_what_the_reason_says(game: Game, seed: int) -> None:
    """The reasons are adjacent regions, most regions or battles, the final battle, and most points."""
    key, seats, options = game
    log = play_out(game, seed)[1]
    state = replay(log[:1])
    final = None
    for event in log[1:]:
        state = evolve(state, event)
        if isinstance(event, BattleEnded) and state.fighters:
            final = event
        if isinstance(event, GameEnded | MatchEnded):
            check_winners(state, event, final)
    assert isinstance(state.result, MatchEnded if options.get("points") else GameEnded)
    assert {edition.key for edition in [state.edition]} == {key}
    assert state.seats == seats


def check_winners(state: State, ended: GameEnded | MatchEnded, final: BattleEnded | None) -> None:
    """Check the winners against the reason for the end."""
    reasons = set(ended.reasons)
    counts = state.points if isinstance(ended, MatchEnded) else state.edition.standing(state)
    ahead = tuple(seat for seat in range(state.seats) if counts[seat] == max(counts))
    if reasons & {"adjacent-regions", "total-regions", "battles-won"}:
        assert len(ended.winners) == 1
    elif reasons == {"final-battle"}:
        assert final
        assert ended.winners == winners_of_the_final_battle(state.edition, final)
        assert set(ended.winners) <= set(ahead)
    elif reasons <= drawn_if_level(state.edition):
        assert ended.winners == (ahead if len(ahead) == 1 else ())
    else:
        assert ended.winners == ahead
        shared = {"stall", "battle-limit", "no-points"}
        assert len(ahead) == 1 or reasons <= shared or not state.edition.final_battle


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_its_own_limit_ends_too(key: str, seed: int) -> None:
    """The default limit is high enough that a goal is usually reached first, and low enough that games reach it."""
    state, _, _ = play_out((key, seats_near(key, 4), {}), seed)
    assert state.result is not None
    assert state.battles <= 201


def test_every_type_of_event_comes_up() -> None:
    """The games of these tests contain every type of event; only stalls are rare.

    Nobody resigns in them, because resigning is not among the legal commands.
    """
    some: list[Game] = [(key, NEWEST[key].fewest_seats, {"battle_limit": 60}) for key in EDITIONS]
    some += [(FFG, 2, {"draw_after_battle": True, "hidden_cards": True}), (FFG, 3, {"points": 12}), (FFG, 6, {})]
    some += [(REVISED, 6, {}), (FFG, 6, {"draw_after_battle": True, "bigger_kingdoms": True})]
    seen = {type(event) for game in some for seed in range(1, 9) for event in play_out(game, seed)[1]}
    rare = {"RoundStalled", "SeatResigned"}
    assert {event.__name__ for event in get_args(Event)} - {event.__name__ for event in seen} <= rare
