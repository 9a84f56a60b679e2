"""Tests with random games in which seats resign at random moments, for every edition and option."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import (
    EDITIONS,
    NEWEST,
    Event,
    RandomChance,
    Refusal,
    State,
    advance,
    edition,
    legal_commands,
    replay,
    resign,
    seen_by,
    start,
    view_for,
)
from engine.bots import BOTS
from engine.events import (
    BattleEnded,
    CardsDrawn,
    CardTurnedUp,
    FinalBattleStarted,
    GameEnded,
    HandsDealt,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    SeatResigned,
    TurnStarted,
)
from engine.evolve import apply
from engine.phase_names import BATTLE, OVER
from tests.games.__main__ import combinations

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
    check_made_by_the_engine,
    check_position,
    drawn_if_level,
    event_texts,
    named,
    play_to_the_end,
    tables,
    view_text,
)
from .machine_twins import Following, NoSuchCards, twin_of
from .table import every

pytestmark = pytest.mark.whole_games


def check_gone(state: State) -> None:
    """Check that a resigned seat has no cards and no turn, does not fight, and has the marker only in a battle."""
    gone = state.gone
    assert state.passed & gone == gone
    assert not state.fighters & gone
    assert not any(any(state.hands[seat]) for seat in range(state.seats) if gone >> seat & 1)
    if state.phase != OVER:
        assert not gone >> state.turn & 1
        assert len(state.remaining_seats()) > 1
        assert state.phase == BATTLE or not gone >> state.marker & 1
    for seat in (None, *range(state.seats)):
        view = view_for(state, seat)
        assert view.gone == tuple(seat for seat in range(state.seats) if gone >> seat & 1)
        assert seat is None or not gone >> seat & 1 or not view.legal


def check_event(state: State, event: Event) -> None:
    """Check that a seat that has resigned gets and wins nothing; `state` is the position before the event."""
    gone = [seat for seat in range(state.seats) if state.gone >> seat & 1]
    if isinstance(event, TurnStarted | MarkerTaken | CardsDrawn | SeatResigned):
        assert event.seat not in gone
    if isinstance(event, HandsDealt):
        assert not any(event.hands[seat] != (0,) * 15 for seat in gone)
    if isinstance(event, FinalBattleStarted):
        assert not set(event.fighters) & set(gone)
    if isinstance(event, GameEnded | MatchEnded):
        assert not set(event.winners) & set(gone)
        assert bool(event.winners) or set(event.reasons) <= drawn_if_level(state.edition)
        rivals = state.fighters.bit_count() or len(state.remaining_seats())
        assert (event.reasons == ("resignation",)) is (rivals == 1)
    if isinstance(event, BattleEnded) and state.fighters:
        assert not set(event.leaders) & set(gone)
    if isinstance(event, MatchScored):
        assert not any(event.gained[seat] for seat in gone)


def check_everything(before: State, events: Sequence[Event], after: State) -> None:
    """Apply events one by one, and check each of them and the position after all of them."""
    check_chain(before, events)
    state = before.copy()
    for event in events:
        check_made_by_the_engine(state, event)
        check_event(state, event)
        apply(state, event)
        check_cards(state)
    assert state == after
    check_position(after)
    check_gone(after)


class Table(RuleBasedStateMachine):
    """A table at which seats move or resign; it keeps the log and the state."""

    state: State

    @initialize(table=tables(), seed=SEEDS)
    def begin(self, table: Setting, seed: int) -> None:
        """Start a game."""
        self.chance = chance_of(seed)
        self.log = table.start(self.chance)
        self.state = replay(self.log)

    @precondition(lambda self: self.state.phase != OVER)
    @rule(seed=SEEDS, number=st.integers(1, 80))
    def play(self, seed: int, number: int) -> None:
        """Make some legal moves."""
        random = Random(seed)
        for _ in range(number):
            if self.state.phase == OVER:
                break
            before = self.state.copy()
            events = advance(self.state, random.choice(legal_commands(self.state)), self.chance)
            check_everything(before, events, self.state)
            self.log += events

    @rule(seat=st.integers(0, 5))
    def resign(self, seat: int) -> None:
        """Let a seat resign if it can."""
        seat %= self.state.seats
        before = self.state.copy()
        if self.state.phase == OVER or self.state.gone >> seat & 1:
            with pytest.raises(Refusal) as refused:
                resign(self.state, seat, self.chance)
            assert refused.value.code == ("game-over" if self.state.phase == OVER else "already-resigned")
            assert refused.value.clause == self.state.edition.clauses[refused.value.code]
            assert self.state == before
            return
        events = resign(self.state, seat, self.chance)
        assert named(events[:1]) == [("SeatResigned", SeatResigned(seat))]
        again = before.copy()
        assert named(resign(again, seat, self.chance)) == named(events)
        check_everything(before, events, self.state)
        if seat != before.turn and self.state.phase != OVER and not every(HandsDealt, events):
            assert (self.state.turn, self.state.phase) == (before.turn, before.phase)
        self.log += events

    @precondition(lambda self: self.state.phase != OVER)
    @rule(who=st.sampled_from(WHO_PLAYS_ON), seed=SEEDS)
    def play_to_the_end(self, who: Player, seed: int) -> None:
        """Check that every type of player can play the game to its end from this position."""
        end = self.state.copy()
        play_to_the_end(end, self.chance, who, Random(seed))
        check_position(end)
        check_gone(end)

    @invariant()
    def the_log_is_all_there_is(self) -> None:
        """Check that replaying the log gives this state."""
        if hasattr(self, "log"):
            assert replay(self.log) == self.state


Table.TestCase.settings = settings(MACHINE, max_examples=examples(100), stateful_step_count=14)
TestAnyTableThatSeatsLeave = Table.TestCase


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("rate", [0.01, 0.1])
def test_bots_play_on_when_seats_leave(key: str, rate: float) -> None:
    """Every bot plays to the end of the game, with every option."""
    for number, options in enumerate(combinations(NEWEST[key])[:12]):
        random = Random(f"{key} {rate} {number}")
        chance = RandomChance(random)
        value = edition(key, options=options)
        seats = random.randint(value.fewest_seats, value.most_seats)
        log = start(key, seats, chance, options)
        state = replay(log)
        bots = [random.choice([*BOTS.values()]) for _ in range(seats)]
        while state.phase != OVER:
            before = state.copy()
            if random.random() < rate:
                events = resign(state, random.choice(state.remaining_seats()), chance)
            else:
                events = advance(state, bots[state.turn].play(state, log, random), chance)
            log += events
            check_everything(before, events, state)


@settings(MACHINE, max_examples=examples(200))
@given(table=tables(), seed=SEEDS, played=st.integers(0, 150))
def test_a_resignation_tells_nothing_that_is_hidden(table: Setting, seed: int, played: int) -> None:
    """If two positions look the same to a seat, a resignation and the positions after it look the same too.

    The exception is a resignation that ends a battle: it turns up face-down cards, which may differ.
    """
    random = Random(seed)
    chance = RandomChance(random)
    state = replay(table.start(chance))
    for _ in range(played):
        before = state.copy()
        advance(state, random.choice(legal_commands(state)), chance)
        if state.phase == OVER:
            state = before
            break
    viewer = random.choice([None, *range(state.seats)])
    other = twin_of(state, viewer, random)
    leaver = random.randrange(state.seats)
    events = resign(state, leaver, chance)
    try:
        events_there = resign(other, leaver, Following(events, viewer, random))
    except NoSuchCards:
        return
    if not every(CardTurnedUp, events):
        assert event_texts(events, viewer) == event_texts(events_there, viewer)
        assert view_text(view_for(state, viewer)) == view_text(view_for(other, viewer))
    assert [seen_by(event, viewer) for event in events[:1]] == [SeatResigned(leaver)]
