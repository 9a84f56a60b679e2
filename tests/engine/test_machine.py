"""Tests with random games: checks that hold in every position of every edition, with every option."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import NEWEST, State, advance, decide, evolve, legal_commands, replay
from engine.phase_names import OVER
from tests.games.files import REVISIONS

from ..examples import examples
from .machine import (
    MACHINE,
    SEEDS,
    WHO_PLAYS_ON,
    Player,
    Setting,
    chance_of,
    check_cards,
    check_chain,
    check_command,
    check_made_by_the_engine,
    check_position,
    named,
    play_to_the_end,
    response_text,
    tables,
)
from .machine_commands import accepted, commands, conceivable

pytestmark = pytest.mark.whole_games


class Table(RuleBasedStateMachine):
    """A table at which seats send any commands, legal or not; it keeps the log and the state."""

    state: State

    @initialize(table=tables(), seed=SEEDS)
    def begin(self, table: Setting, seed: int) -> None:
        """Start a game."""
        self.chance = chance_of(seed)
        self.log = table.start(self.chance)
        check_chain(None, self.log)
        self.state = replay(self.log)

    def make(self, choice: int) -> None:
        """Carry out a legal command in three ways: in place, on a copy, and by applying its events one by one."""
        offered = legal_commands(self.state)
        command = offered[choice % len(offered)]
        check_command(command)
        before = self.state.copy()
        chain = decide(self.state, command, self.chance)
        assert self.state == before
        check_chain(before, chain)
        for event in chain:
            check_made_by_the_engine(self.state, event)
            self.state = evolve(self.state, event)
            check_cards(self.state)
        assert named(advance(before, command, self.chance)) == named(chain)
        assert before == self.state
        self.log += chain

    @precondition(lambda self: self.state.phase != OVER)
    @rule(choices=st.lists(st.integers(0, 500), min_size=1, max_size=6))
    def several(self, choices: list[int]) -> None:
        """Carry out some legal commands."""
        for choice in choices:
            if self.state.phase != OVER:
                self.make(choice)

    @precondition(lambda self: self.state.phase != OVER)
    @rule(seed=SEEDS, number=st.integers(1, 60))
    def many(self, seed: int, number: int) -> None:
        """Carry out many legal commands, to reach later battles, rounds and games."""
        random = Random(seed)
        for _ in range(number):
            if self.state.phase == OVER:
                break
            self.log += advance(self.state, random.choice(legal_commands(self.state)), self.chance)

    @rule(data=st.data())
    def ask_anything(self, data: st.DataObject) -> None:
        """Check that a command is accepted if and only if it is legal, and that a refusal changes nothing."""
        for _ in range(10):
            seat = data.draw(st.sampled_from([max(0, self.state.turn), *range(self.state.seats)]))
            command = data.draw(commands(seat, self.state.seats))
            before = self.state.copy()
            taken = response_text(self.state, command, self.chance) == "taken"
            assert taken is (named([command])[0] in named(legal_commands(self.state))), command
            assert self.state == before

    @precondition(lambda self: self.state.phase != OVER)
    @rule(who=st.sampled_from(WHO_PLAYS_ON), seed=SEEDS)
    def play_to_the_end(self, who: Player, seed: int) -> None:
        """Check that every type of player can play the game to its end from this position."""
        end = self.state.copy()
        play_to_the_end(end, self.chance, who, Random(seed))
        check_position(end)

    @invariant()
    def the_log_is_all_there_is(self) -> None:
        """Check that replaying the log gives this state."""
        if hasattr(self, "log"):
            assert replay(self.log) == self.state

    @invariant()
    def the_position_is_whole(self) -> None:
        """Check cards, markers, turns and notation."""
        if hasattr(self, "log"):
            check_position(self.state)


Table.TestCase.settings = settings(MACHINE, max_examples=examples(50), stateful_step_count=16)
TestAnyTable = Table.TestCase


@settings(MACHINE, max_examples=examples(25))
@given(table=tables(), seed=SEEDS)
def test_exactly_the_legal_commands_are_accepted(table: Setting, seed: int) -> None:
    """All conceivable commands of the seat to act are tried; no other seat has a legal command."""
    chance, random = chance_of(seed), Random(seed)
    state = replay(table.start(chance))
    for _ in range(random.randrange(120)):
        if state.phase != OVER:
            advance(state, random.choice(legal_commands(state)), chance)
    before = state.copy()
    legal = set(named(legal_commands(state)))
    seen = set()
    for seat in {max(0, state.turn), random.randrange(state.seats)}:
        for command in conceivable(seat, state.seats, state.hands[seat]):
            taken = accepted(state, command, chance)
            assert taken is ((type(command).__name__, command) in legal), command
            seen |= set(named([command])) if taken else set()
    assert seen == legal
    assert state == before


def test_every_edition_and_option_is_played() -> None:
    """The strategy for tables covers every revision."""
    played: set[tuple[str, int, str]] = set()
    seats: set[tuple[str, int]] = set()

    @settings(MACHINE, max_examples=400, derandomize=True)
    @given(tables())
    def collect(table: Setting) -> None:
        seats.add((table.key, table.seats))
        value = table.edition()
        for option in value.options:
            if value.chosen[option.key] != option.default:
                played.add((value.key, value.revision, option.key))

    collect()
    assert played == {(v.key, v.revision, option.key) for v in REVISIONS.values() for option in v.options}
    assert seats >= {(k, s) for k, value in NEWEST.items() for s in range(value.fewest_seats, value.most_seats + 1)}
