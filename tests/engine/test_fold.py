"""The fold: a state follows from its events, which are taken at their word."""

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
    BattleEnded,
    CardPlayed,
    FavorMoved,
    GameEnded,
    GameStarted,
    HandDiscarded,
    HandKept,
    HandsDealt,
    MarkerTaken,
    RegionChosen,
    RowsDiscarded,
    SeatPassed,
    TurnStarted,
)
from engine.evolve import FOLDS, apply

from .table import cards, command, in_both_editions, kind, play, region, table


def a_game(edition: str, seed: int) -> list[Event]:
    """Return all events of a short game."""
    chance, random = RandomChance(Random(seed)), Random(seed)
    events = start(edition, 3, chance, {"battle_limit": 12})
    state = replay(events)
    while commands := legal_commands(state):
        events += advance(state, random.choice(commands), chance)
    return events


def test_every_event_has_its_fold() -> None:
    """But for the first, which makes the state."""
    assert set(FOLDS) == set(get_args(Event)) - {GameStarted}


@in_both_editions("evolve")
def test_an_event_leaves_the_position_before_it_alone(edition: str) -> None:
    """`evolve` returns another state, and what is stored of the old one stays what it was."""
    events = a_game(edition, 4)
    state = replay(events[:1])
    for count, event in enumerate(events[1:], 2):
        before = state.copy()
        after = evolve(state, event)
        assert state == before
        assert after is not state
        assert after == replay(events[:count])
        state = after


@in_both_editions("copy")
def test_a_copy_shares_nothing_with_its_original(edition: str) -> None:
    """Whatever happens to the one, the other does not change."""
    events = a_game(edition, 5)
    middle = replay(events[: len(events) // 2])
    snapshot, twin = middle.copy(), middle.copy()
    for event in events[len(events) // 2 :]:
        apply(twin, event)
    assert middle == snapshot
    assert twin == replay(events)
    assert twin != middle


@in_both_editions("advance")
def test_advance_is_decide_in_place(edition: str) -> None:
    """The same events, and the state is what they lead to."""
    given = table(edition, hands=["1 2", "3 4", "5 6"])
    owned = given.copy()
    events = advance(owned, command("A plays 1"), RandomChance(Random(1)))
    assert events == decide(given, command("A plays 1"), RandomChance(Random(1)))
    assert owned == play(given, "A plays 1").state
    assert owned != given


def test_states_are_compared_by_position() -> None:
    """And not with anything else; they are not to be kept in sets."""
    one, other = table("zman-2018", hands=["1", "2"]), table("zman-2018", hands=["1", "2"])
    assert one == other
    other.draws += 1
    assert one != other
    assert one != "a state"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@in_both_editions("redacted")
def test_what_a_seat_saw_cannot_be_replayed(edition: str) -> None:
    """A redacted deal says so at once, rather than dealing wrong hands."""
    events = a_game(edition, 6)
    for seat in (0, 2, None):
        with pytest.raises(AssertionError, match="redacted"):
            replay(seen_by(event, seat) for event in events)


def test_a_redacted_discard_cannot_be_replayed_either() -> None:
    """An event is taken at its word, and this one does not say which cards went."""
    given = table("zman-2018", hands=["H", "1", "1"], phase="keep-or-discard")
    seen = seen_by(HandDiscarded(0, cards("H"), forced=False), 1)
    with pytest.raises(AssertionError, match="redacted"):
        evolve(given, seen)


def test_a_log_begins_with_its_game() -> None:
    """Neither an empty log nor the middle of one is a game."""
    events = a_game("zman-2018", 7)
    for log in ([], events[1:], [RowsDiscarded()]):
        with pytest.raises(BadRecord, match="game-started"):
            replay(log)


def test_a_log_of_unknown_rules_is_refused() -> None:
    """Of another edition, or of a revision that does not exist."""
    for first in (GameStarted("go", 1, (), 3), GameStarted("zman-2018", 7, (), 3)):
        with pytest.raises(UnknownEdition):
            replay([first])


def folded(state: State, *events: Event) -> State:
    """Return the state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def test_a_marker_that_was_not_drawn_for_counts_no_draw() -> None:
    """A lot does, and says which one it was."""
    given = table("zman-2018")
    assert folded(given, MarkerTaken(2, "victory", None)).draws == 0
    after = folded(given, MarkerTaken(2, "lot", 4))
    assert (after.marker, after.draws) == (2, 5)


def test_a_deal_adds_to_what_is_held() -> None:
    """Cards that were kept stay."""
    given = table("zman-2018", hands=["H", "", "2"])
    after = folded(given, HandsDealt((cards("1 1"), cards("3"), cards("")), 0))
    assert [tuple(hand) for hand in after.hands] == [cards("H 1 1"), cards("3"), cards("2")]
    assert sum(after.deck) == sum(given.deck) - 3


def test_a_card_goes_where_its_event_says() -> None:
    """Into the row, onto the season space, or away at once."""
    given = table("zman-2018", hands=["B P", "", ""], season="W")
    away = folded(given, CardPlayed(0, kind("B"), "discard", None, None, None))
    assert tuple(away.discard) == cards("B")
    assert not any(away.rows[0])
    spring = folded(given, CardPlayed(0, kind("P"), "season", None, None, None))
    assert (spring.season, tuple(spring.discard)) == (kind("P"), cards("W"))


def test_the_favor_marker_goes_on_and_off_the_board() -> None:
    """None is off the board."""
    given = table("zman-2018")
    on = folded(given, FavorMoved(region("roma")))
    assert on.favor == region("roma")
    assert folded(on, FavorMoved(None)).favor == -1


def test_a_pass_that_is_not_final_is_not_remembered() -> None:
    """Only a final one takes a seat out of the battle."""
    given = table("eurogames-1995", hands=["1", "1", "1"])
    assert folded(given, SeatPassed(1, final=False, forced=False)).passed == 0
    assert folded(given, SeatPassed(1, final=True, forced=False)).passed == 0b010


@pytest.mark.parametrize(("region_won", "winner"), [(None, 0), (3, None), (None, None)])
def test_a_region_changes_hands_only_where_it_is_won(region_won: int | None, winner: int | None) -> None:
    """Both a region and a winner are needed."""
    given = table("eurogames-1995", held=["roma", "", "genova"])
    after = folded(given, BattleEnded(region_won, "passes", (1, 0, 0), (0,), winner))
    assert after.held == given.held
    assert after.contested == -1
    assert after.battles == 1


def test_answers_are_forgotten_with_the_rows() -> None:
    """The next battle asks anew."""
    given = folded(table("zman-2018", hands=["1", "1", "1"]), RegionChosen(0, 4), HandKept(1))
    assert (given.answered, given.contested) == (0b010, 4)
    assert folded(given, RowsDiscarded()).answered == 0


def test_the_end_is_the_end() -> None:
    """The result stands in the state, and the game waits for nobody."""
    ended = GameEnded((0, 2), ("stall",))
    after = folded(table("zman-2018"), TurnStarted(2, "choose-region"), ended)
    assert (after.result, after.turn, after.phase) == (ended, -1, "over")
