"""Choosing a region: which regions may be contested."""

from collections.abc import Sequence

import pytest

from engine import ChooseRegion, Refusal, State, decide, legal_commands
from engine.events import RegionChosen, TurnStarted

from .cases import CLASSIC, EUROGAMES, FFG, ON_THE_BOARD, OWNED_ARE_SAFE, REVISED, ZMAN, in_cases, in_editions, proves
from .table import Script, command, play, region, table

WITH_FAVOR = (ZMAN, FFG)


def choosing(edition: str, held: Sequence[str] = (), favor: str | None = None) -> State:
    """Return a position in which seat A chooses, before the first battle."""
    return table(edition, hands=["1 1", "1 1", "1 1"], phase="choose-region", held=held, favor=favor, battles=0)


def offered(given: State) -> list[int]:
    """Return the regions that may be chosen."""
    return [command.region for command in legal_commands(given) if isinstance(command, ChooseRegion)]


@proves("3.2 3.3 3.4", ZMAN, FFG)
@in_editions("empty", *WITH_FAVOR)
def test_any_empty_region_may_be_chosen_and_no_other(edition: str) -> None:
    """A control marker or the favor marker protects a region (zman-2018, Battle; ffg-2007, Choose the New Battle)."""
    given = choosing(edition, held=["roma", "siena lucca", ""], favor="napoli")
    barred = {region(key) for key in ("roma", "siena", "lucca", "napoli")}
    assert offered(given) == [index for index in range(17) if index not in barred]


@proves("3.2 3.3", CLASSIC, REVISED)
@in_editions("without-the-favor", CLASSIC, REVISED)
def test_any_region_without_a_control_marker_may_be_chosen(edition: str) -> None:
    """There is no favor marker (zman-2018, Classic Version; eurogames-revised, Déroulement d'une bataille)."""
    given = choosing(edition, held=["roma", "siena lucca", ""])
    barred = {region(key) for key in ("roma", "siena", "lucca")}
    assert offered(given) == [index for index in range(17) if index not in barred]


@proves("3.2", *OWNED_ARE_SAFE)
@proves("3.3", ZMAN, FFG)
@proves("12.1", FFG)
@in_cases(
    "move code",
    ("own", OWNED_ARE_SAFE, "A chooses roma", "region-owned"),
    ("T50", OWNED_ARE_SAFE, "A chooses siena", "region-owned"),
    ("favored", WITH_FAVOR, "A chooses napoli", "region-favored"),
)
def test_a_region_with_a_marker_is_refused(edition: str, move: str, code: str) -> None:
    """T50: even the seat's own (zman-2018, Battle, Bishop; eurogames-revised, Déroulement d'une bataille)."""
    given = choosing(edition, held=["roma", "siena", ""], favor="napoli" if edition in WITH_FAVOR else None)
    with pytest.raises(Refusal) as refused:
        decide(given, command(move), Script())
    assert (refused.value.code, refused.value.field) == (code, "region")
    assert refused.value.legal == tuple(legal_commands(given))


@proves("3.2", EUROGAMES)
def test_every_city_may_be_attacked() -> None:
    """Owned cities are included (eurogames-1995, Course of a battle, End of the battle)."""
    given = choosing(EUROGAMES, held=["roma", "siena lucca", "napoli"])
    assert legal_commands(given) == [ChooseRegion(0, index) for index in range(17)]


@proves("3.2", EUROGAMES)
@in_editions("T104", EUROGAMES)
def test_the_holder_may_choose_his_own_city(edition: str) -> None:
    """T104 (eurogames-1995, Ende des Kampfes)."""
    then = play(choosing(edition, held=["roma", "", ""]), "A chooses roma")
    assert then.events == [RegionChosen(0, region("roma")), TurnStarted(0, "battle")]
    assert then.state.contested == region("roma")


@proves("3.4", ZMAN, FFG)
@proves("3.3", CLASSIC, REVISED)
@proves("3.2", EUROGAMES)
@in_editions("T103", *ON_THE_BOARD)
def test_the_same_city_may_be_chosen_again_after_a_failure(edition: str) -> None:
    """T103 (eurogames-1995, End of the battle; ffg-2007, Choose the New Battle)."""
    given = table(edition, hands=["1", "1", "1"], contested="roma")
    given.marker = given.seats - 1 if edition in (FFG, REVISED) else 0
    lots = ["A of ABC"] if edition in (ZMAN, CLASSIC) else []
    answers = [] if edition == FFG else ["A keeps", "B keeps", "C keeps"]
    then = play(given, "A passes", "B passes", "C passes", *answers, "A chooses roma", chance=Script(lots=lots))
    assert then.state.contested == region("roma")


@proves("3.1", *ON_THE_BOARD)
@in_editions("only-the-holder", *ON_THE_BOARD)
def test_only_the_holder_of_the_marker_chooses(edition: str) -> None:
    """(zman-2018, Battle; eurogames-1995, Course of a battle)."""
    with pytest.raises(Refusal) as refused:
        decide(choosing(edition), command("B chooses roma"), Script())
    assert refused.value.code == "not-your-turn"
