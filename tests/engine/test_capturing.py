"""Capturing: with an option, owned regions may be attacked (ffg-2007, Capturing Regions; eurogames-revised).

`test_defender` tests how long an owner may wait, and `test_marker` tests who takes the marker.
"""

import pytest

from engine import ChooseRegion, Refusal, State, decide, legal_commands
from engine.events import BattleEnded, GameEnded, MarkerTaken, TurnStarted

from .cases import FFG, REVISED, in_cases, in_editions, proves
from .table import PlayResult, Script, command, every, only, play, region, regions, table

CAPTURING: dict[str, object] = {"capturing_regions": True}
BOTH = (FFG, REVISED)


def defended(edition: str, rows: list[str], *, passed: str = "AB", marker: str = "A") -> PlayResult:
    """Return the result of a battle for Torino, which C owns: all have laid these rows, and C passes last."""
    given = table(
        edition, rows=rows, hands=["1", "1", "1"], held=["", "", "torino"], marker=marker, turn="C", passed=passed,
        options=CAPTURING,
    )  # fmt: skip
    return play(given, "C passes")


def choosing(edition: str, options: dict[str, object]) -> State:
    """Return a position in which A holds Roma and chooses a region."""
    return table(
        edition, hands=["1 1"] * 3, held=["roma", "siena", "napoli lucca"], phase="choose-region", battles=0,
        options=options,
    )  # fmt: skip


@proves("3.2 13.16", FFG)
@proves("3.2 13.3", REVISED)
@in_editions("whose", *BOTH)
def test_regions_of_others_may_be_chosen_and_ones_own_may_not(edition: str) -> None:
    """(ffg-2007, Capturing Regions: regions controlled by another player; our reading: not the seat's own)."""
    offered = [one.region for one in legal_commands(choosing(edition, CAPTURING)) if isinstance(one, ChooseRegion)]
    assert offered == [index for index in range(17) if index != region("roma")]
    with pytest.raises(Refusal, match="one of your control markers") as refused:
        decide(choosing(edition, CAPTURING), command("A chooses roma"), Script())
    assert refused.value.code == "region-owned"


@proves("3.2", FFG, REVISED)
@in_editions("without", *BOTH)
def test_without_the_option_no_owned_region_may_be_chosen(edition: str) -> None:
    """(ffg-2007, Choose the New Battle; eurogames-revised, Fin de la bataille)."""
    offered = [one.region for one in legal_commands(choosing(edition, {})) if isinstance(one, ChooseRegion)]
    assert set(offered).isdisjoint(map(region, ("roma", "siena", "napoli", "lucca")))


@proves("13.16 13.19", FFG)
@proves("13.3 13.7", REVISED)
@in_editions("attacked", *BOTH)
def test_a_region_of_another_seat_is_fought_over(edition: str) -> None:
    """The strongest seat takes it (ffg-2007, Capturing Regions)."""
    then = play(choosing(edition, CAPTURING), "A chooses siena")
    assert then.events[-1] == TurnStarted(0, "battle")
    won = play(then.state, "A plays 1", "B passes", "C passes", "A passes", "B passes")
    assert won.state.held == [regions("roma siena"), 0, regions("napoli lucca")]


@proves("7.5 13.19", FFG)
@in_editions("F18", FFG)
def test_a_tie_keeps_the_region_for_the_defender_who_takes_the_token(edition: str) -> None:
    """F18: the defender may be one of the tied seats (ffg-2007, Capturing Regions)."""
    for rows in (["5", "5", "1"], ["1", "5", "5"], ["5", "5", "5"]):
        then = defended(edition, rows)
        assert only(BattleEnded, then.events).winner is None
        assert only(MarkerTaken, then.events) == MarkerTaken(2, "owner", None)
        assert then.state.held[2] == regions("torino")


@proves("7.5 13.19", FFG)
@proves("7.5 13.7", REVISED)
@in_editions("at-nothing", *BOTH)
def test_a_tie_at_nothing_is_the_defenders_too(edition: str) -> None:
    """Nobody laid a card (our reading of ffg-2007, Capturing Regions, which mentions ties)."""
    then = defended(edition, ["", "", ""])
    assert only(BattleEnded, then.events).leaders == (0, 1, 2)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "owner", None)
    assert then.state.held[2] == regions("torino")


@proves("7.5 13.19", FFG)
@in_cases(
    "rows heir reason",
    ("most-courtesans", FFG, ["5", "4 S", "1"], 1, "courtesans"),
    ("the-defenders-own", FFG, ["5", "5", "S"], 2, "courtesans"),
    ("tied-courtesans", FFG, ["4 S", "4 S", "1"], 2, "owner"),
    ("against-a-winner", FFG, ["6", "S", "1"], 1, "courtesans"),
)
def test_most_courtesans_come_before_the_defender(edition: str, rows: list[str], heir: int, reason: str) -> None:
    """The courtesans' exception is general (our reading of ffg-2007, Courtesan; Capturing Regions)."""
    then = defended(edition, rows)
    assert only(MarkerTaken, then.events) == MarkerTaken(heir, reason, None)
    assert then.state.held[2] == (0 if rows[0] == "6" else regions("torino"))


@proves("7.5", FFG, REVISED)
@in_editions("neutral", *BOTH)
def test_for_a_neutral_region_a_tie_goes_by_the_usual_rule(edition: str) -> None:
    """The token passes to the left (ffg-2007, Compare Strength; eurogames-revised, Fin de la bataille)."""
    given = table(edition, rows=["5", "5", "1"], hands=["1"] * 3, turn="C", passed="AB", marker="C", options=CAPTURING)
    then = play(given, "C passes")
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "left", None)


@in_editions("holder-defends", *BOTH)
def test_a_defender_who_wins_keeps_his_region_and_takes_the_token(edition: str) -> None:
    """Any winner does (eurogames-revised, Capturing Cities)."""
    then = defended(edition, ["1", "2", "6"])
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "victory", None)
    assert then.state.held == [0, 0, regions("torino")]


@in_editions("kingdom", *BOTH)
def test_a_captured_region_may_complete_a_kingdom(edition: str) -> None:
    """Lost regions no longer count for their owner (ffg-2007, Winning the Game)."""
    held = ["roma siena", "", "firenze lucca", ""]
    given = table(
        edition, 4, rows=["6"], hands=["1"] * 4, held=held, contested="firenze", passed="BCD", options=CAPTURING
    )
    then = play(given, "A passes")
    assert only(GameEnded, then.events) == GameEnded((0,), ("adjacent-regions",))
    assert then.state.held[2] == regions("lucca")


@proves("13.21", FFG)
@in_editions("all-owned", FFG)
def test_where_all_regions_are_owned_the_game_goes_on(edition: str) -> None:
    """Regions that others own are available (our reading of ffg-2007, Winning the Game)."""
    held = ["ancona mantova genova napoli", "lucca spoleto siena", "roma modena", "ferrara venezia", "bologna parma"]
    held.append("milano torino firenze urbino")
    given = table(
        edition, 6, rows=["6"], hands=["1"] * 6, held=held, contested="napoli", passed="BCDEF", options=CAPTURING
    )
    then = play(given, "A passes")
    assert every(GameEnded, then.events) == []
    assert then.events[-1] == TurnStarted(0, "choose-region")
