"""The fold: a state results from its events, which are not checked."""

import inspect
import re
from random import Random
from typing import get_args

import pytest

from engine import (
    BadRecord,
    Event,
    RandomChance,
    State,
    UnknownEdition,
    advance,
    decide,
    evolve,
    legal_commands,
    replay,
    seen_by,
    start,
)
from engine.events import (
    GameEnded,
    GameStarted,
    HandDiscarded,
    RowsDiscarded,
    TurnStarted,
)
from engine.evolve import FOLDS, apply

from .cases import in_every_edition
from .games import seats_near
from .table import cards, command, play, table


def a_game(edition: str, seed: int) -> list[Event]:
    """Return all events of a short game in which cards are dealt."""
    chance, random = RandomChance(Random(seed)), Random(seed)
    events = start(edition, seats_near(edition, 3), chance, {"battle_limit": 12})
    state = replay(events)
    while commands := legal_commands(state):
        events += advance(state, random.choice(commands), chance)
    return events


def test_every_event_has_its_fold() -> None:
    """`GameStarted` has two: at the start of a log it creates the state, and later it starts the match's next game."""
    assert set(FOLDS) == set(get_args(Event))


@in_every_edition("evolve")
def test_an_event_leaves_the_position_before_it_alone(edition: str) -> None:
    """`evolve` returns a new state, and the old one does not change."""
    events = a_game(edition, 4)
    state = replay(events[:1])
    for count, event in enumerate(events[1:], 2):
        before = state.copy()
        after = evolve(state, event)
        assert state == before
        assert after is not state
        assert after == replay(events[:count])
        state = after


@in_every_edition("evolve")
def test_of_the_turns_only_the_last_leaves_anything(edition: str) -> None:
    """At any point of a game, earlier turns may be omitted when a state is rebuilt."""
    events = a_game(edition, 6)
    for count, event in enumerate(events, 1):
        if isinstance(event, TurnStarted | GameEnded):
            last = [*(one for one in events[: count - 1] if not isinstance(one, TurnStarted)), event]
            assert replay(last) == replay(events[:count])


@in_every_edition("copy")
def test_a_copy_shares_nothing_with_its_original(edition: str) -> None:
    """Changing one does not change the other."""
    events = a_game(edition, 5)
    middle = replay(events[: len(events) // 2])
    snapshot, twin = middle.copy(), middle.copy()
    for event in events[len(events) // 2 :]:
        apply(twin, event)
    assert middle == snapshot
    assert twin == replay(events)
    assert twin != middle


@in_every_edition("advance")
def test_advance_is_decide_in_place(edition: str) -> None:
    """It returns the same events as `decide`, and changes the state to the one to which they lead."""
    given = table(edition, 2, hands=["1 2", "3 4"])
    owned = given.copy()
    events = advance(owned, command("A plays 1"), RandomChance(Random(1)))
    assert events == decide(given, command("A plays 1"), RandomChance(Random(1)))
    assert owned == play(given, "A plays 1").state
    assert owned != given


def test_states_are_compared_by_position() -> None:
    """A state is never equal to a value of another type, and it cannot be a member of a set."""
    one, other = table("zman-2018", hands=["1", "2"]), table("zman-2018", hands=["1", "2"])
    assert one == other
    other.draws += 1
    assert one != other
    assert one != "a state"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_state_names_no_card_where_it_is_printed() -> None:
    """Logs and tracebacks contain no hands."""
    one, other = table("zman-2018", hands=["1", "2"]), table("zman-2018", hands=["10", "H X"])
    assert repr(one) == repr(other) == "<State of zman-2018: seats=3 phase=battle turn=0 rounds=0 battles=1>"


def test_the_help_of_a_state_explains_every_field() -> None:
    """Attributes have no docstrings, so the class docstring lists the fields."""
    explained = re.findall(r"^    ([a-z]+)  ", inspect.getdoc(State) or "", re.MULTILINE)
    assert sorted(explained) == sorted(State.__slots__)


@in_every_edition("redacted")
def test_what_a_seat_saw_cannot_be_replayed(edition: str) -> None:
    """A redacted deal raises an error instead of dealing wrong hands."""
    events = a_game(edition, 6)
    for seat in (0, 2, None):
        with pytest.raises(AssertionError, match="redacted"):
            replay(seen_by(event, seat) for event in events)


def test_a_redacted_discard_cannot_be_replayed_either() -> None:
    """The event does not say which cards were discarded."""
    given = table("zman-2018", hands=["H", "1", "1"], phase="keep-or-discard")
    seen = seen_by(HandDiscarded(0, cards("H"), forced=False), 1)
    with pytest.raises(AssertionError, match="redacted"):
        evolve(given, seen)


def test_a_log_begins_with_its_game() -> None:
    """Neither an empty log nor the middle of a log is a valid game."""
    events = a_game("zman-2018", 7)
    for log in ([], events[1:], [RowsDiscarded()]):
        with pytest.raises(BadRecord, match="game-started"):
            replay(log)


def test_a_log_of_unknown_rules_is_refused() -> None:
    """The edition or its revision does not exist."""
    for first in (GameStarted("go", 1, (), 3), GameStarted("zman-2018", 7, (), 3)):
        with pytest.raises(UnknownEdition):
            replay([first])
