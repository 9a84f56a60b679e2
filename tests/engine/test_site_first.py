"""In one edition, the next region is chosen before anything is discarded or dealt (ffg-2007, Concluding a Battle)."""

from engine import State
from engine.cards import NOTHING
from engine.events import GameEnded, HandDiscarded, RegionChosen, RoundEnded, RowsDiscarded, SeatPassed, TurnStarted

from .cases import FFG, in_editions, proves
from .table import ANY, Script, cards, every, only, play, region, table, types


def last_pass(*hands: str, held: tuple[str, ...] = ()) -> State:
    """Return a position in which seat A leads with a 10 and is the last to pass."""
    return table(FFG, len(hands), rows=["10"], hands=hands, held=held, passed="BCDEF")


@proves("3.1 8.1 8.2 8.4", FFG)
@in_editions("F21", FFG)
def test_the_region_is_chosen_before_anyone_discards(edition: str) -> None:
    """F21: the order is strength, region, lines, hands (ffg-2007, Concluding a Battle)."""
    given = last_pass("H", "H", "1")
    assert given.edition.key == edition
    then = play(given, "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "TurnStarted"]
    assert then.events[-1] == TurnStarted(0, "choose-region")
    assert tuple(then.state.rows[0]) == cards("10")
    then = play(then.state, "A chooses roma")
    assert then.events == [RegionChosen(0, region("roma")), RowsDiscarded(), TurnStarted(0, "keep-or-discard")]
    then = play(then.state, "A keeps", "B discards", "C keeps")
    assert then.events[-1] == TurnStarted(0, "battle")
    assert then.state.contested == region("roma")


@proves("8.1 8.2", FFG)
def test_the_region_is_chosen_before_the_redeal() -> None:
    """No seat knows its new hand when it chooses (ffg-2007, Concluding a Battle, End of Round)."""
    then = play(last_pass("1", "", ""), "A passes", "A chooses roma")
    assert every(RoundEnded, then.events) == []
    then = play(then.state, "A keeps nothing", chance=Script(deals=[ANY]))
    assert types(then.events) == ["CardsKept", "HandDiscarded", "RoundEnded", "HandsDealt", "TurnStarted"]
    assert then.events[-1] == TurnStarted(0, "battle")
    assert then.state.contested == region("roma")


@proves("4.1 8.2", FFG)
def test_what_is_chosen_stays_contested_through_discards_and_deal() -> None:
    """The holder of the marker has the first turn there (ffg-2007, Starting a Battle)."""
    given = table(FFG, rows=["", "10"], hands=["1", "H", ""], turn="A", marker="C")
    then = play(given, "A passes", "B passes", "B chooses siena", "B discards")
    then = play(then.state, "A keeps 1", chance=Script(deals=[ANY]))
    assert (then.state.contested, then.state.marker) == (region("siena"), 1)
    assert then.events[-1] == TurnStarted(1, "battle")


@proves("3.5 4.7", FFG)
def test_seats_whose_hands_went_pass_when_the_battle_begins() -> None:
    """A seat that discarded its hand takes no part, although it chose the region.

    (ffg-2007, If a Player Has No Cards).
    """
    given = last_pass("H", "1 1", "2 2")
    then = play(given, "A passes", "A chooses roma", "A discards", "B keeps", "C keeps")
    assert only(HandDiscarded, then.events) == HandDiscarded(0, cards("H"), forced=False)
    assert then.events[-2:] == [SeatPassed(0, final=True, forced=True), TurnStarted(1, "battle")]


@proves("6.4", FFG)
def test_the_contested_region_is_no_place_for_the_favor_marker_afterwards() -> None:
    """The region has already been chosen for the next battle (ffg-2007, Bishop)."""
    given = last_pass("B 1", "1", "1")
    then = play(given, "A passes", "A chooses roma", "A keeps", "B keeps", "C keeps")
    favors = [play.favor for play in then.state.edition.specials[12].offers(then.state, 0)]
    assert None in favors
    assert region("roma") not in favors
    assert region("torino") not in favors
    assert len(favors) == 1 + 15


@proves("9.3", FFG)
def test_a_victory_comes_before_the_choice() -> None:
    """The game ends with the comparison of strengths (ffg-2007, Winning the Game)."""
    given = last_pass("1", "1", "1", "1", held=("milano genova", "", "", ""))
    then = play(given, "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("adjacent-regions",))
    assert tuple(then.state.discard) == NOTHING


@proves("3.5 8.1 10.1", FFG)
def test_a_stalled_round_ends_before_the_choice() -> None:
    """The house rule applies first; then the round ends as usual (house rule)."""
    given = table(FFG, hands=["1", "1", "1"], passed="BC")
    given.idle = 5
    then = play(given, "A passes")
    assert types(then.events)[3:] == ["RoundStalled", *["HandDiscarded"] * 3, "TurnStarted"]
    assert then.events[-1] == TurnStarted(1, "choose-region")
    then = play(then.state, "B chooses roma", chance=Script(deals=[ANY]))
    assert types(then.events) == ["RegionChosen", "RowsDiscarded", "RoundEnded", "HandsDealt", "TurnStarted"]
    assert then.state.contested == region("roma")
    assert then.events[-1] == TurnStarted(1, "battle")
