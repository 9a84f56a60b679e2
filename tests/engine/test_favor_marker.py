"""The favor marker in editions where it may stay off the board (ffg-2007, Bishop; Capturing Regions)."""

import pytest

from engine import ChooseRegion, PlayCard, Refusal, State, decide, legal_commands
from engine.board import members
from engine.cards import BISHOP
from engine.events import FavorMoved, MercenariesRemoved
from engine.italy import ITALY
from engine.state import NOWHERE

from .cases import FFG, ZMAN, in_cases, in_editions, proves
from .table import Script, command, only, play, region, regions, table

CAPTURING: dict[str, object] = {"capturing_regions": True}
HELD = ["roma", "napoli lucca", ""]


def bishop(edition: str = FFG, *, favor: str | None = "siena", options: dict[str, object] | None = None) -> State:
    """Return a battle for Torino in which A may lay a Bishop."""
    return table(edition, hands=["B 1", "1", "1"], rows=["", "6"], held=HELD, favor=favor, options=options)


def places(given: State) -> list[int | None]:
    """Return the places to which the favor marker may move; None means off the board."""
    commands = legal_commands(given)
    return [play.favor for play in commands if isinstance(play, PlayCard) and play.card == BISHOP]


@proves("6.3 6.4", FFG)
@in_editions("F05-favor", FFG)
def test_it_goes_to_an_empty_region_or_off_the_board(edition: str) -> None:
    """F05: not to an owned region or the contested one, but possibly back to its own region (ffg-2007, Bishop)."""
    free = ITALY.all_regions & ~regions("torino roma napoli lucca")
    assert places(bishop(edition)) == [None, *members(free)]
    assert region("siena") in places(bishop(edition))


@proves("6.3", FFG)
@pytest.mark.parametrize("favor", ["siena", None])
@pytest.mark.parametrize("target", ["modena", "siena"])
def test_a_bishop_puts_it_on_the_board(favor: str | None, target: str) -> None:
    """It may come from another region or from off the board, or return to the same region (ffg-2007, Bishop)."""
    then = play(bishop(favor=favor), f"A plays B favoring {target}")
    assert only(FavorMoved, then.events) == FavorMoved(region(target))
    assert then.state.favor == region(target)


@proves("6.3", FFG)
@pytest.mark.parametrize("favor", ["siena", None])
def test_a_bishop_may_leave_it_off_the_board(favor: str | None) -> None:
    """The region that it protected may then be chosen again (ffg-2007, Bishop)."""
    then = play(bishop(favor=favor), "A plays B")
    assert only(FavorMoved, then.events) == FavorMoved(None)
    assert then.state.favor == NOWHERE
    assert only(MercenariesRemoved, then.events).counts == (0, 1, 0)


@proves("6.3", FFG)
def test_where_no_region_is_empty_it_goes_off_the_board() -> None:
    """No other play is legal (ffg-2007, Bishop)."""
    given = bishop(favor=None)
    given.held[2] = ITALY.all_regions & ~regions("torino roma napoli lucca")
    assert places(given) == [None]


@proves("6.4", FFG)
def test_the_region_it_leaves_may_be_the_only_empty_one() -> None:
    """It is picked up first and may go back (ffg-2007, Bishop)."""
    given = bishop()
    given.held[2] = ITALY.all_regions & ~regions("torino roma napoli lucca siena")
    assert places(given) == [None, region("siena")]


@proves("6.3", ZMAN)
@in_cases("options", ("may-not-stay-off", ZMAN, {}))
def test_elsewhere_it_must_go_to_a_region(edition: str, options: dict[str, object]) -> None:
    """(zman-2018, Bishop)."""
    assert None not in places(bishop(edition, options=options))


@proves("6.4", FFG)
@pytest.mark.parametrize("target", ["roma", "napoli", "torino"])
def test_an_owned_or_contested_region_is_refused(target: str) -> None:
    """(ffg-2007, Bishop: a region without a control marker)."""
    with pytest.raises(Refusal) as refused:
        decide(bishop(), command(f"A plays B favoring {target}"), Script())
    assert (refused.value.code, refused.value.field) == ("favor-region-not-empty", "favor")


@proves("6.4 13.20", FFG)
def test_with_captured_regions_it_goes_anywhere_but_where_the_battle_is() -> None:
    """The seat's own regions are allowed too (ffg-2007, Capturing Regions; our reading: the contested one is not)."""
    given = bishop(options=CAPTURING)
    assert places(given) == [None, *members(ITALY.all_regions & ~regions("torino"))]
    then = play(given, "A plays B favoring napoli")
    assert then.state.favor == region("napoli")
    with pytest.raises(Refusal) as refused:
        decide(given, command("A plays B favoring torino"), Script())
    assert refused.value.code == "favor-region-not-empty"


@proves("13.16 13.20", FFG)
def test_it_protects_an_owned_region_from_capture() -> None:
    """(our reading of ffg-2007, Capturing Regions: a region with the favor may not be attacked)."""
    given = table(
        FFG, hands=["1", "1", "1"], held=HELD, favor="napoli", phase="choose-region", options=CAPTURING
    )  # fmt: skip
    offered = {choice.region for choice in legal_commands(given) if isinstance(choice, ChooseRegion)}
    assert region("napoli") not in offered
    assert region("lucca") in offered
    with pytest.raises(Refusal) as refused:
        decide(given, command("A chooses napoli"), Script())
    assert refused.value.code == "region-favored"


@proves("9.7", FFG)
def test_in_the_final_battle_it_may_go_to_the_last_region_under_it_or_off() -> None:
    """Every other region is owned at that time (ffg-2007, Bishop; Breaking Ties)."""
    given = table(FFG, hands=["B", "", "1"], fighters="AC", favor="napoli")
    given.held[1] = ITALY.all_regions & ~regions("napoli")
    assert places(given) == [None, region("napoli")]
    captured = table(FFG, hands=["B", "", "1"], fighters="AC", favor="napoli", options=CAPTURING)
    assert places(captured) == [None, *range(17)]
