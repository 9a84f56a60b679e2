"""Tests of secrecy with random games: two positions that look equal to a seat stay equal to it after any moves.

The positions differ in cards that the seat cannot see. The seat is dealt the same cards in both, and the others make
moves that look the same. Everything that the seat can obtain must then be the same, byte for byte: its view, the
events, its legal commands, and the refusals of its commands, in turn or out of turn.
"""

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import RandomChance, State, advance, edition, legal_commands, replay, start, view_for
from engine.phase_names import OVER
from tests.games.__main__ import combinations
from tests.games.files import REVISIONS

from ..examples import examples
from .cases import PRINTED, proves
from .machine import MACHINE, SEEDS, Setting, chance_of, check_cards, event_texts, response_text, tables, view_text
from .machine_commands import FIXED, commands
from .machine_twins import step, twin_of

pytestmark = pytest.mark.whole_games


def look_the_same(one: State, other: State, viewer: int | None) -> None:
    """Check that the views and the viewer's legal commands are the same."""
    check_cards(other)
    assert view_text(view_for(one, viewer)) == view_text(view_for(other, viewer))


def go_on(one: State, other: State, viewer: int | None, random: Random) -> tuple[State, State]:
    """Make the same visible move in both worlds, check that its events look the same, and return both positions."""
    worlds = step(one, other, viewer, random)
    if worlds is None:
        return one, twin_of(one, viewer, random)
    here, there = event_texts(worlds.chain, viewer), event_texts(worlds.chain_there, viewer)
    assert here[: worlds.parted] == there[: worlds.parted]
    if worlds.parted is not None:
        return worlds.one, twin_of(worlds.one, viewer, random)
    return worlds.one, worlds.other


class TwoWorlds(RuleBasedStateMachine):
    """Two worlds as one seat or a spectator sees them."""

    one: State
    other: State

    @initialize(table=tables(), seed=SEEDS, viewer=st.integers(-1, 5), played=st.integers(0, 150))
    def begin(self, table: Setting, seed: int, viewer: int, played: int) -> None:
        """Play a game for a while, and create a twin of its position."""
        self.viewer = viewer % table.seats if viewer >= 0 else None
        chance, random = chance_of(seed), Random(seed)
        state = replay(table.start(chance))
        for _ in range(played):
            before = state.copy()
            advance(state, random.choice(legal_commands(state)), chance)
            if state.phase == OVER:
                state = before
                break
        self.one = state
        self.other = twin_of(state, self.viewer, random)

    @rule(seed=SEEDS)
    def exchange(self, seed: int) -> None:
        """Exchange more hidden cards in the other world."""
        self.other = twin_of(self.other, self.viewer, Random(seed))

    @precondition(lambda self: self.one.phase != OVER)
    @rule(seed=SEEDS, number=st.integers(1, 20))
    def play(self, seed: int, number: int) -> None:
        """Let the seat to act make moves that look the same in both worlds."""
        random = Random(seed)
        for _ in range(number):
            if self.one.phase == OVER:
                break
            self.one, self.other = go_on(self.one, self.other, self.viewer, random)
            look_the_same(self.one, self.other, self.viewer)

    @rule(data=st.data())
    def ask_anything(self, data: st.DataObject) -> None:
        """Send a command of the viewer, in turn or not: both worlds accept it or refuse it with the same text."""
        for _ in range(0 if self.viewer is None else 6):
            command = data.draw(commands(self.viewer or 0, self.one.seats))
            assert response_text(self.one, command, FIXED) == response_text(self.other, command, FIXED)

    @invariant()
    def both_look_the_same(self) -> None:
        """Check that views and legal commands look the same in every position."""
        if hasattr(self, "other"):
            look_the_same(self.one, self.other, self.viewer)


TwoWorlds.TestCase.settings = settings(MACHINE, max_examples=examples(70), stateful_step_count=10)
TestTwoWorlds = TwoWorlds.TestCase


@proves("11.2 11.5", *PRINTED)
@pytest.mark.parametrize("name", REVISIONS)
def test_whole_games_look_the_same(name: str) -> None:
    """The games run from the first deal to the end, with every option, so that rare events occur too."""
    key, revision = REVISIONS[name].key, REVISIONS[name].revision
    options = combinations(REVISIONS[name])
    for number in range(20):
        random = Random(number)
        chosen = options[number % len(options)]
        value = edition(key, revision, chosen)
        seats = random.randint(value.fewest_seats, value.most_seats)
        viewer = random.choice([None, *range(seats)])
        one = replay(start(key, seats, RandomChance(random), chosen, revision=revision))
        other = twin_of(one, viewer, random)
        while one.phase != OVER:
            one, other = go_on(one, other, viewer, random)
            look_the_same(one, other, viewer)
            if not random.randrange(10):
                other = twin_of(other, viewer, random)
