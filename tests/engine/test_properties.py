"""What holds in every game: nothing is lost, nothing is half done, and the log is all there is."""

import json
from itertools import product
from random import Random
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import (
    ChooseRegion,
    Command,
    DiscardHand,
    Event,
    KeepHand,
    Pass,
    PlayCard,
    Refusal,
    SeededChance,
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
    view_for,
)
from engine.cards import KINDS, SPRING, WINTER
from engine.events import BattleEnded, GameEnded, HandDiscarded, TurnStarted
from engine.moments import BATTLE, OVER
from engine.state import NO_CARD

from .table import all_cards, every, in_both_editions, named

QUICK = settings(deadline=None, max_examples=50, database=None, suppress_health_check=[HealthCheck.too_slow])

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


@st.composite
def games(draw: st.DrawFn) -> tuple[str, int, dict[str, object]]:
    """An edition, a number of seats, and options: a low limit of battles, so that games are short."""
    key = draw(st.sampled_from(["zman-2018", "eurogames-1995"]))
    seats = draw(st.integers(3 if key == "zman-2018" else 2, 6))
    options: dict[str, object] = {"battle_limit": draw(st.integers(1, 25))}
    if key == "eurogames-1995":
        options["scarecrow_targets"] = draw(st.sampled_from(["own", "any"]))
    return key, seats, options


def chance_of(seed: int) -> SeededChance:
    """Return chance whose draws depend on their number alone, so that a move can be decided twice."""
    return SeededChance(seed.to_bytes(32, "big"), [])


def check_position(state: State) -> None:
    """Check what holds after every single event."""
    assert all_cards(state) == state.edition.deck
    assert all(count >= 0 for pile in (*state.hands, *state.rows, state.deck, state.discard) for count in pile)
    assert state.season in (NO_CARD, WINTER, SPRING)
    assert not any(row[WINTER] or row[SPRING] for row in state.rows)
    owners = [held for region in range(17) for held in state.held if held >> region & 1]
    assert len(owners) == state.taken().bit_count()
    assert state.favor < 0 or not state.taken() >> state.favor & 1
    assert state.favor < 0 or state.favor != state.contested


def check_chain(events: list[Event]) -> None:
    """Check that a chain says who is next, once, at its end."""
    assert isinstance(events[-1], TurnStarted | GameEnded)
    assert every(TurnStarted, events[:-1]) == []
    assert every(GameEnded, events[:-1]) == []


def check_records(events: list[Event]) -> None:
    """Check that every event comes back from its record, as its seats and spectators see it too."""
    for event in events:
        for seen in (event, seen_by(event, 0), seen_by(event, None)):
            assert named([event_from_record(json.loads(json.dumps(event_to_record(seen))))]) == named([seen])


class Table(RuleBasedStateMachine):
    """Any seats ask anything legal, one after the other; the log is kept beside the state."""

    @initialize(game=games(), seed=SEEDS)
    def begin(self, game: tuple[str, int, dict[str, object]], seed: int) -> None:
        """Open a game."""
        key, seats, options = game
        self.chance = chance_of(seed)
        self.log = start(key, seats, self.chance, options)
        check_chain(self.log)
        check_records(self.log)
        self.state = replay(self.log)

    @precondition(lambda self: self.state.phase != OVER)
    @rule(choice=st.integers(0, 200))
    def move(self, choice: int) -> None:
        """Make one of the legal moves, in both ways; fold its events one by one."""
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
        """Nothing is heard any more."""
        for command in (Pass(seat), KeepHand(seat), DiscardHand(seat), ChooseRegion(seat, 3), PlayCard(seat, 0)):
            assert not accepted(self.state, command, self.chance)

    @invariant()
    def the_log_is_all_there_is(self) -> None:
        """Replaying it leads here, and it is the battle marker of exactly one seat."""
        if hasattr(self, "log"):
            assert replay(self.log) == self.state
            assert 0 <= self.state.marker < self.state.seats

    @invariant()
    def somebody_can_move_or_the_game_is_over(self) -> None:
        """The seat to act has something to ask, each thing once; in a battle it holds cards and has not passed."""
        if not hasattr(self, "log"):
            return
        state, commands = self.state, legal_commands(self.state)
        assert bool(commands) == (state.phase != OVER) == (state.result is None)
        assert len(set(named(commands))) == len(commands)
        assert {command.seat for command in commands} <= {state.turn}
        if state.phase == BATTLE:
            assert any(state.hands[state.turn])
            assert not state.passed >> state.turn & 1


Table.TestCase.settings = settings(QUICK, max_examples=60, stateful_step_count=60)
test_any_moves_at_any_table = Table.TestCase


def play_out(key: str, seats: int, options: dict[str, object], seed: int) -> tuple[State, list[Event], int]:
    """Play a whole game of random moves; return its last state, its events and the number of moves."""
    chance, random = chance_of(seed), Random(seed)
    events = start(key, seats, chance, options)
    state, moves = replay(events), 0
    while commands := legal_commands(state):
        events += advance(state, random.choice(commands), chance)
        moves += 1
    return state, events, moves


@QUICK
@given(game=games(), seed=SEEDS)
def test_every_game_ends(game: tuple[str, int, dict[str, object]], seed: int) -> None:
    """Within its limit of battles, with winners who have what the reason says."""
    key, seats, options = game
    state, events, moves = play_out(key, seats, options, seed)
    limit = state.edition.battle_limit
    assert state.battles == len(every(BattleEnded, events)) <= limit
    assert moves <= limit * (1 + 2 * sum(state.edition.deck) + 2 * seats)
    result = state.result
    assert result is not None
    assert every(GameEnded, events) == [result]
    counts = [held.bit_count() for held in state.held]
    if set(result.reasons) & {"adjacent-regions", "total-regions"}:
        assert len(result.winners) == 1
    else:
        assert result.winners == tuple(seat for seat in range(seats) if counts[seat] == max(counts))
    assert replay(events) == state
    check_position(state)


@in_both_editions("unlimited")
@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_its_own_limit_ends_too(edition: str, seed: int) -> None:
    """The default limit is high enough that a goal is usually reached first, and low enough to be reached."""
    state, _, _ = play_out(edition, 4, {}, seed)
    assert state.result is not None
    assert state.battles <= 200


def passing_through(key: str, seats: int, seed: int, count: int) -> list[State]:
    """Return so many positions, evenly spread over a random game that is played slowly."""
    chance, random = chance_of(seed), Random(seed)
    state = replay(start(key, seats, chance, {"battle_limit": 12}))
    positions = []
    while commands := legal_commands(state):
        positions.append(state.copy())
        advance(state, random.choice(commands), chance)
    return [positions[len(positions) * part // count] for part in range(count)]


def everything_conceivable(seat: int, seats: int) -> list[Command]:
    """Return every command that this seat could put into words, sense or nonsense."""
    plain: list[Command] = [Pass(seat), KeepHand(seat), DiscardHand(seat)]
    regions = [ChooseRegion(seat, region) for region in range(17)]
    kinds = [None, *range(KINDS)]
    owners = [None, *range(seats)]
    places = [None, *range(17)]
    plays = [PlayCard(seat, *named) for named in product(range(KINDS), kinds, owners, places)]
    return [*plain, *regions, *plays]


def accepted(state: State, command: Command, chance: SeededChance) -> bool:
    """Tell whether a command is accepted, on a state that a refusal must leave alone."""
    try:
        decide(state, command, chance)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize(("key", "seats"), [("zman-2018", 3), ("eurogames-1995", 2)])
def test_exactly_the_legal_commands_are_accepted(key: str, seats: int) -> None:
    """Of everything that the seat to act could say, in positions of every phase."""
    positions = passing_through(key, seats, seed=11, count=4)
    for state in positions:
        legal = set(named(legal_commands(state)))
        before = state.copy()
        for command in everything_conceivable(state.turn, seats):
            assert accepted(state, command, chance_of(1)) is ((type(command).__name__, command) in legal), command
        assert state == before


@QUICK
@given(game=games(), seed=SEEDS)
def test_only_the_seat_to_act_is_heard(game: tuple[str, int, dict[str, object]], seed: int) -> None:
    """Others are refused whatever they ask; of the seat to act a sample of nonsense is refused."""
    key, seats, options = game
    random, chance = Random(seed), chance_of(seed)
    state = replay(start(key, seats, chance, options))
    while commands := legal_commands(state):
        legal = set(named(commands))
        for seat in range(seats):
            target = random.choice([None, *range(KINDS)]), random.choice([None, *range(seats)])
            asked = random.choice(
                [
                    PlayCard(seat, random.randrange(KINDS), *target, random.choice([None, *range(17)])),
                    PlayCard(seat, random.randrange(KINDS)),
                    ChooseRegion(seat, random.randrange(17)),
                    Pass(seat),
                    KeepHand(seat),
                    DiscardHand(seat),
                ]
            )
            assert accepted(state, asked, chance) is ((type(asked).__name__, asked) in legal)
        advance(state, random.choice(commands), chance)
    assert not any(accepted(state, Pass(seat), chance) for seat in range(seats))


def with_other_hands(state: State, seat: int, random: Random) -> State:
    """Return a position that looks the same to a seat: the cards of all other hands are dealt out among them anew."""
    twin = state.copy()
    others = [other for other in range(state.seats) if other != seat]
    pile = [kind for other in others for kind, count in enumerate(state.hands[other]) for _ in range(count)]
    random.shuffle(pile)
    for other in others:
        size = sum(state.hands[other])
        twin.hands[other] = [pile[:size].count(kind) for kind in range(KINDS)]
        pile = pile[size:]
    return twin


@QUICK
@given(game=games(), seed=SEEDS)
def test_positions_that_look_equal_are_equal_to_a_seat(game: tuple[str, int, dict[str, object]], seed: int) -> None:
    """Its view, its commands, and what it sees of its own move do not depend on what others hold."""
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    state = replay(start(key, seats, chance, options))
    while commands := legal_commands(state):
        seat, command = state.turn, random.choice(commands)
        twin = with_other_hands(state, seat, random)
        assert view_for(twin, seat) == view_for(state, seat)
        assert named(legal_commands(twin)) == named(commands)
        mine = named(seen_by(event, seat) for event in decide(state, command, chance))
        assert named(seen_by(event, seat) for event in decide(twin, command, chance)) == mine
        for event in decide(state, command, chance):
            for spectator in (None, (seat + 1) % seats):
                record = json.dumps(event_to_record(seen_by(event, spectator)))
                assert not isinstance(event, HandDiscarded) or event.seat == spectator or '"cards": [' not in record
        advance(state, command, chance)


def test_every_type_of_event_comes_up() -> None:
    """The games that these properties are checked on are not too tame: nothing but stalls and lots is rare."""
    seen: set[type] = set()
    for seed in range(12):
        key = ("zman-2018", "eurogames-1995")[seed % 2]
        _, events, _ = play_out(key, 3 + seed % 4, {"battle_limit": 60}, seed)
        seen |= {type(event) for event in events}
    rare = {"RoundStalled"}
    assert {event.__name__ for event in get_args(Event)} - {event.__name__ for event in seen} <= rare
