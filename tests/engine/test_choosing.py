"""Choosing a region: which may be fought over."""

from collections.abc import Sequence

import pytest

from engine import ChooseRegion, Refusal, State, decide, legal_commands
from engine.events import RegionChosen, TurnStarted

from .table import Script, command, play, region, table

ZMAN = "zman-2018"
EUROGAMES = "eurogames-1995"


def choosing(edition: str, held: Sequence[str] = (), favor: str | None = None) -> State:
    """Return a position in which seat A chooses."""
    return table(edition, hands=["1 1", "1 1", "1 1"], phase="choose-region", held=held, favor=favor)


def test_any_empty_region_may_be_chosen_and_no_other() -> None:
    """A control marker or the favor marker protects a region (zman-2018, Battle)."""
    choices = legal_commands(choosing(ZMAN, held=["roma", "siena lucca", ""], favor="napoli"))
    barred = {region(key) for key in ("roma", "siena", "lucca", "napoli")}
    assert choices == [ChooseRegion(0, index) for index in range(17) if index not in barred]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("A chooses roma", "region-owned"),
        ("A chooses siena", "region-owned"),
        ("A chooses napoli", "region-favored"),
    ],
)
def test_a_region_with_a_marker_is_refused(move: str, code: str) -> None:
    """One's own too (zman-2018, Battle, Bishop)."""
    given = choosing(ZMAN, held=["roma", "siena", ""], favor="napoli")
    with pytest.raises(Refusal) as refused:
        decide(given, command(move), Script())
    assert (refused.value.code, refused.value.field) == (code, "region")
    assert refused.value.legal == tuple(legal_commands(given))


def test_every_city_may_be_attacked() -> None:
    """Owned or not (eurogames-1995, Course of a battle, End of the battle)."""
    given = choosing(EUROGAMES, held=["roma", "siena lucca", "napoli"])
    assert legal_commands(given) == [ChooseRegion(0, index) for index in range(17)]


def test_t104_the_holder_may_choose_his_own_city() -> None:
    """T104 (eurogames-1995, Ende des Kampfes)."""
    then = play(choosing(EUROGAMES, held=["roma", "", ""]), "A chooses roma")
    assert then.events == [RegionChosen(0, region("roma")), TurnStarted(0, "battle")]
    assert then.state.contested == region("roma")


def test_t103_the_same_city_may_be_chosen_again_after_a_failure() -> None:
    """T103 (eurogames-1995, End of the battle)."""
    given = table(EUROGAMES, hands=["1", "1", "1"], contested="roma")
    then = play(given, "A passes", "B passes", "C passes", "A keeps", "B keeps", "C keeps", "A chooses roma")
    assert then.state.contested == region("roma")


def test_a_region_nobody_won_may_be_chosen_again() -> None:
    """It is still empty (zman-2018, Determine Winner, Battle)."""
    given = table(ZMAN, rows=["3", "3", ""], hands=["1", "1", "1"], contested="roma", passed="AB", turn="C")
    then = play(given, "C passes", "A keeps", "B keeps", "C keeps", chance=Script(lots=["A of AB"]))
    assert command("A chooses roma") in legal_commands(then.state)


@pytest.mark.parametrize("edition", [ZMAN, EUROGAMES])
def test_only_the_holder_of_the_marker_chooses(edition: str) -> None:
    """(zman-2018, Battle; eurogames-1995, Course of a battle)."""
    with pytest.raises(Refusal) as refused:
        decide(choosing(edition), command("B chooses roma"), Script())
    assert refused.value.code == "not-your-turn"
