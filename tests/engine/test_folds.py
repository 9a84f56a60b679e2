"""What each event does to a state, one by one."""

import pytest

from engine import Event, State, evolve
from engine.events import (
    BattleEnded,
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardsKept,
    CardTurnedUp,
    DiscardReshuffled,
    FavorMoved,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    HandKept,
    HandsDealt,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    RegionChosen,
    RegionDeclined,
    RoundEnded,
    RowsDiscarded,
    SeatPassed,
    SeatResigned,
    TurnStarted,
)
from engine.state import NOBODY, NOWHERE

from .cases import DUEL, FFG
from .table import cards, kind, region, table


def folded(state: State, *events: Event) -> State:
    """Return the state after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def test_a_marker_that_was_not_drawn_for_counts_no_draw() -> None:
    """An event with a lot increases the number of draws and contains the draw's number."""
    given = table("zman-2018")
    assert folded(given, MarkerTaken(2, "victory", None)).draws == 0
    after = folded(given, MarkerTaken(2, "lot", 4))
    assert (after.marker, after.draws) == (2, 5)


def test_a_deal_adds_to_what_is_held() -> None:
    """Cards that were kept stay in the hand."""
    given = table("zman-2018", hands=["H", "", "2"])
    after = folded(given, HandsDealt((cards("1 1"), cards("3"), cards("")), 0))
    assert [tuple(hand) for hand in after.hands] == [cards("H 1 1"), cards("3"), cards("2")]
    assert sum(after.decks[0]) == sum(given.decks[0]) - 3


def test_a_card_goes_where_its_event_says() -> None:
    """The card goes into the row, onto the season space, or directly to the discard."""
    given = table("zman-2018", hands=["B P", "", ""], season="W")
    away = folded(given, CardPlayed(0, kind("B"), "discard", None, None, None))
    assert tuple(away.discard) == cards("B")
    assert not any(away.rows[0])
    spring = folded(given, CardPlayed(0, kind("P"), "season", None, None, None))
    assert (spring.season, tuple(spring.discard)) == (kind("P"), cards("W"))


def test_the_favor_marker_goes_on_and_off_the_board() -> None:
    """The region None means off the board."""
    given = table("zman-2018")
    on = folded(given, FavorMoved(region("roma")))
    assert on.favor == region("roma")
    assert folded(on, FavorMoved(None)).favor == NOWHERE


def test_a_pass_that_is_not_final_is_not_remembered() -> None:
    """Only a final pass takes a seat out of the battle."""
    given = table("eurogames-1995", hands=["1", "1", "1"])
    assert folded(given, SeatPassed(1, final=False, forced=False)).passed == 0
    assert folded(given, SeatPassed(1, final=True, forced=False)).passed == 0b010


@pytest.mark.parametrize(("region_won", "winner"), [(None, 0), (3, None), (None, None)])
def test_a_region_changes_hands_only_where_it_is_won(region_won: int | None, winner: int | None) -> None:
    """The event needs both a region and a winner."""
    given = table("eurogames-1995", held=["roma", "", "genova"])
    after = folded(given, BattleEnded(region_won, "passes", (1, 0, 0), (0,), winner))
    assert after.held == given.held
    assert after.contested == NOWHERE
    assert after.battles == 2


def test_answers_are_forgotten_with_the_rows() -> None:
    """The seats are asked again after the next battle."""
    given = folded(table("zman-2018", hands=["1", "1", "1"]), RegionChosen(0, 4), HandKept(1))
    assert (given.answered, given.contested) == (0b010, 4)
    assert folded(given, RowsDiscarded()).answered == 0


def test_the_end_is_the_end() -> None:
    """The state has the result, and it is no seat's turn."""
    ended = GameEnded((0, 2), ("stall",))
    after = folded(table("zman-2018"), TurnStarted(2, "choose-region"), ended)
    assert (after.result, after.turn, after.phase) == (ended, NOBODY, "over")


def test_a_declined_choice_is_counted_until_a_region_is_chosen() -> None:
    """Only declines in a row are counted."""
    given = table("eurogames-revised", declines=1)
    assert folded(given, RegionDeclined(0), RegionDeclined(1)).declines == 3
    assert folded(given, RegionDeclined(0), RegionChosen(1, 4)).declines == 0


def test_cards_that_are_drawn_leave_the_deck_they_are_drawn_from() -> None:
    """The cards leave the common deck or the seat's own deck. If no card is drawn, no draw is counted."""
    given = table(FFG, hands=["1", "", ""])
    after = folded(given, CardsDrawn(0, cards("10 H"), 6, 2))
    assert tuple(after.hands[0]) == cards("1 10 H")
    assert (sum(after.decks[0]), after.draws, after.answered) == (107, 7, 0b001)
    assert folded(given, CardsDrawn(1, cards(""), None, 0)).draws == 0
    duel = folded(table(DUEL, 2), CardsDrawn(1, cards("10 H"), 0, 2))
    assert [sum(deck) for deck in duel.decks] == [23, 21]


def test_a_face_down_card_lies_beside_the_row_until_it_is_turned_up() -> None:
    """Either the one laid first or the one laid last is turned up."""
    given = table(FFG, hands=["1 10", "", ""], options={"hidden_cards": True})
    down = folded(given, CardLaidFaceDown(0, kind("1"), None), CardLaidFaceDown(0, kind("10"), kind("1")))
    assert down.hidden[0] == (kind("1"), kind("10"))
    assert (down.laid, sum(down.hands[0]), sum(down.rows[0])) == (0b001, 0, 0)
    first = folded(down, CardTurnedUp(0, kind("1"), newest=False))
    assert (first.hidden[0], tuple(first.rows[0])) == ((kind("10"),), cards("1"))
    last = folded(down, CardTurnedUp(0, kind("10"), newest=True))
    assert (last.hidden[0], tuple(last.rows[0])) == ((kind("1"),), cards("10"))


def test_cards_that_are_kept_stay_where_they_are() -> None:
    """The event records only the answer; another event discards the rest."""
    given = table(FFG, hands=["10 H 1", "", ""])
    after = folded(given, CardsKept(0, cards("10 H")))
    assert (after.hands, after.answered) == (given.hands, 0b001)


def test_the_discard_goes_back_into_the_deck() -> None:
    """The discard can be reshuffled at the end of a round or within it."""
    given = table(FFG, hands=["1", "", ""], discard="10 H")
    for event, rounds in ((DiscardReshuffled(), 0), (RoundEnded(), 1)):
        after = folded(given, event)
        assert (sum(after.decks[0]), sum(after.discard), after.rounds) == (109, 0, rounds)


def test_a_final_battle_takes_the_others_out() -> None:
    """The other seats stay out when the table is cleared, and the game no longer has a result."""
    given = folded(table(FFG, 4, rows=["10"], hands=["1"] * 4), GameEnded((0, 2), ("declined",)))
    after = folded(given, FinalBattleStarted((0, 2), "points"))
    assert (after.fighters, after.passed, after.result) == (0b0101, 0b1010, None)
    assert folded(after, SeatPassed(0, final=True, forced=False), RowsDiscarded()).passed == 0b1010


def test_a_seat_that_has_resigned_stays_out() -> None:
    """It stays out of this and all later battles, the final battle, and the next game of a match."""
    given = table(FFG, 4, rows=["10"], hands=["1"] * 4, declines=2)
    after = folded(given, SeatResigned(1))
    assert (after.gone, after.passed, after.declines) == (0b0010, 0b0010, 0)
    assert folded(after, SeatPassed(0, final=True, forced=False), RowsDiscarded()).passed == 0b0010
    assert folded(after, FinalBattleStarted((0, 2), "declined")).passed == 0b1010
    final = folded(table(FFG, 4, hands=["1", "", "1", "1"], fighters="ACD"), SeatResigned(3))
    assert (final.fighters, final.passed, final.gone) == (0b0101, 0b1010, 0b1000)
    next_game = folded(after, GameStarted(FFG, 1, tuple(given.edition.chosen.items()), 4))
    assert (next_game.gone, next_game.passed) == (0b0010, 0b0010)


def test_the_next_game_of_a_match_begins_with_a_bare_table() -> None:
    """Only the points, the number of games and the number of draws are kept."""
    given = table("eurogames-revised", rows=["10"], hands=["1", "2", ""], held=["roma", "", ""], discard="H")
    given.draws = 9
    over = folded(given, GameEnded((0,), ("stall",)), MatchScored((1, 0, 0), (1, 0, 0)))
    assert (over.points, over.games) == ((1, 0, 0), 1)
    after = folded(over, GameStarted("eurogames-revised", 1, tuple(given.edition.chosen.items()), 3))
    fresh = State(given.edition, 3)
    fresh.draws, fresh.games, fresh.points = 9, 1, (1, 0, 0)
    assert after == fresh
    assert folded(after, MatchEnded((0,), ("points",))).result == MatchEnded((0,), ("points",))


@pytest.mark.parametrize(
    "event", [CardsDrawn(0, 2, 0, 2), CardLaidFaceDown(0, None, None)], ids=lambda event: type(event).__name__
)
def test_no_other_redacted_event_can_be_replayed(event: Event) -> None:
    """The event does not say which cards were drawn, or which card was laid face down."""
    with pytest.raises(AssertionError, match="redacted"):
        evolve(table(FFG, hands=["1", "1", "1"]), event)
