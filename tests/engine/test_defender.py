"""The owner of an attacked city may wait: its passes before its first card are not final.

The rule applies in the first edition and, with the option that allows attacks on owned regions, in two others.
"""

import pytest

from engine import Pass, Refusal, decide
from engine.events import BattleEnded, MarkerTaken, SeatPassed, TurnStarted

from .cases import BOTH_EUROGAMES, EUROGAMES, FFG, OWNED_ARE_SAFE, REVISED, in_cases, in_editions, proves
from .table import Script, command, every, only, play, regions, table

KEY = EUROGAMES
CAPTURING: dict[str, object] = {"capturing_regions": True}

Row = tuple[str, str, dict[str, object]]

OWNERS_MAY_WAIT: list[Row] = [("T26", EUROGAMES, {}), ("F18", FFG, CAPTURING), ("captured", REVISED, CAPTURING)]
"""The editions, with their options, in which an owned region may be attacked."""


@proves("4.7 4.9", EUROGAMES)
@proves("4.6 13.17 13.18", FFG)
@proves("4.6 13.4 13.5", REVISED)
@in_cases("options", *OWNERS_MAY_WAIT)
def test_the_owner_may_pass_as_often_as_he_likes(edition: str, options: dict[str, object]) -> None:
    """T26: the battle ends when the owner passes after all the others (eurogames-1995, Wenn die Stadt ... gehört)."""
    given = table(edition, hands=["4 1", "2 1", "10"], held=["", "", "torino"], options=options)
    then = play(given, "A plays 4", "B plays 2", "C passes", "A passes", "B passes", "C passes")
    passes = every(SeatPassed, then.events)
    assert [(event.seat, event.final) for event in passes] == [(2, False), (0, True), (1, True), (2, True)]
    assert only(BattleEnded, then.events).winner == 0
    assert then.state.held == [regions("torino"), 0, 0]


@proves("4.7", EUROGAMES)
@proves("13.17", FFG)
@proves("13.4", REVISED)
@in_cases("options", *OWNERS_MAY_WAIT)
def test_the_owner_could_still_have_acted(edition: str, options: dict[str, object]) -> None:
    """T26: the owner lays his first card after all the others have passed (eurogames-1995, Case of a city ...)."""
    given = table(edition, hands=["4 1", "2 1", "10 1 1"], held=["", "", "torino"], options=options)
    then = play(
        given, "A plays 4", "B plays 2", "C passes", "A passes", "B passes", "C plays 10", "C plays 1", "C passes"
    )
    assert every(SeatPassed, then.events)[-1] == SeatPassed(2, final=True, forced=False)
    assert only(BattleEnded, then.events).winner == 2
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "victory", None)
    assert then.state.held[2] == regions("torino")


@proves("4.7", EUROGAMES)
@proves("13.17", FFG)
@proves("13.4", REVISED)
@in_cases("options", *OWNERS_MAY_WAIT)
def test_once_he_has_laid_a_card_the_owner_passes_for_good(edition: str, options: dict[str, object]) -> None:
    """(eurogames-1995, Case of a city belonging to an other player)."""
    given = table(edition, hands=["4 1", "2 1", "10 1 1"], held=["", "", "torino"], options=options)
    then = play(given, "A plays 4", "B plays 2", "C passes", "A plays 1", "B passes", "C plays 10", "C passes")
    assert [(event.seat, event.final) for event in every(SeatPassed, then.events)] == [
        (2, False),
        (0, True),
        (1, True),
        (2, True),
    ]


@proves("4.7", EUROGAMES)
@proves("13.17", FFG)
@proves("13.4", REVISED)
@in_cases("options", *OWNERS_MAY_WAIT)
def test_a_card_that_has_left_his_row_again_still_binds_the_owner(edition: str, options: dict[str, object]) -> None:
    """It counts as laid, wherever it is now (eurogames-1995, Case of a city belonging to an other player)."""
    given = table(edition, hands=["4 1", "2 1 1", "10 1 C"], held=["", "", "torino"], turn="C", options=options)
    then = play(
        given, "C plays 10", "A plays 4", "B plays 2", "C plays C taking 10", "A passes", "B plays 1", "C passes"
    )
    assert every(SeatPassed, then.events)[-1] == SeatPassed(2, final=True, forced=False)


@proves("4.7", EUROGAMES)
@proves("13.17", FFG)
@proves("13.4", REVISED)
@in_cases("options", *OWNERS_MAY_WAIT)
def test_a_winter_is_a_first_card_too(edition: str, options: dict[str, object]) -> None:
    """Any card counts, but the others play on (eurogames-1995, Case of a city belonging to an other player)."""
    given = table(edition, hands=["4 1", "2 1", "W 10"], held=["", "", "torino"], turn="C", options=options)
    then = play(given, "C plays W", "A plays 4", "B plays 2", "C passes")
    assert only(SeatPassed, then.events).final


@proves("4.8", EUROGAMES)
@pytest.mark.parametrize("marker", "ABC")
def test_the_owner_waits_whoever_chose_his_city(marker: str) -> None:
    """He may wait even if he chose the city himself (eurogames-1995, Ende des Kampfes)."""
    given = table(KEY, hands=["1 1"] * 3, held=["", "", "torino"], marker=marker, turn="C", phase="battle")
    then = play(given, "C passes")
    assert then.events == [SeatPassed(2, final=False, forced=False), TurnStarted(0, "battle")]


@proves("4.10", EUROGAMES)
@proves("13.18", FFG)
@proves("13.5", REVISED)
@in_cases("options", *OWNERS_MAY_WAIT)
def test_an_owner_without_cards_has_passed_for_good(edition: str, options: dict[str, object]) -> None:
    """Such an owner has no card to lay later (eurogames-1995, A player without cards)."""
    hands, held = ["1", "1", ""], ["", "", "torino"]
    given = table(edition, hands=hands, held=held, phase="choose-region", battles=0, options=options)
    then = play(given, "A chooses torino")
    assert only(SeatPassed, then.events) == SeatPassed(2, final=True, forced=True)


@proves("4.10", EUROGAMES)
def test_an_owner_who_lays_his_last_card_has_passed_for_good() -> None:
    """(eurogames-1995, A player without cards)."""
    given = table(KEY, hands=["1", "1", "10"], held=["", "", "torino"], turn="C")
    assert play(given, "C plays 10").events[1] == SeatPassed(2, final=True, forced=True)


@proves("4.6", EUROGAMES)
def test_the_owner_of_another_city_passes_for_good() -> None:
    """Only the city that is attacked gives its owner this right (eurogames-1995, Case of a city ...)."""
    given = table(KEY, hands=["1", "1", "1"], held=["", "", "roma"], turn="C")
    assert only(SeatPassed, play(given, "C passes").events).final


@proves("4.6", FFG, *BOTH_EUROGAMES)
@in_cases("options", ("T28", EUROGAMES, {}), ("captured", (REVISED, FFG), CAPTURING))
def test_an_attacker_who_passed_is_out(edition: str, options: dict[str, object]) -> None:
    """T28 (eurogames-1995, Course of a battle)."""
    given = table(edition, hands=["1 1", "10", "1"], held=["", "", "torino"], options=options)
    then = play(given, "A plays 1", "B passes", "C passes")
    with pytest.raises(Refusal, match="has already passed") as refused:
        decide(then.state, command("B plays 10"), Script())
    assert refused.value.code == "already-passed"


def test_the_owner_who_waits_is_not_out_but_must_wait_for_his_turn() -> None:
    """The owner's pass was not final, so the refusal does not say that it was (eurogames-1995, Course of a battle)."""
    given = table(KEY, hands=["1 1", "10", "1"], held=["", "", "torino"], turn="C")
    then = play(given, "C passes")
    with pytest.raises(Refusal) as refused:
        decide(then.state, Pass(2), Script())
    assert refused.value.code == "not-your-turn"


@proves("4.9", EUROGAMES)
def test_two_seats_can_play_it_out() -> None:
    """A duel: the attacker passes, the owner lays one card and keeps the city (eurogames-1995, Course of a battle)."""
    given = table(KEY, 2, hands=["4 1", "5 1"], held=["", "torino"], turn="B", marker="B")
    then = play(given, "B passes", "A plays 4", "B passes", "A passes", "B plays 5", "B passes")
    assert [event.final for event in every(SeatPassed, then.events)] == [False, False, True, True]
    assert only(BattleEnded, then.events).winner == 1


@proves("4.6", *OWNED_ARE_SAFE)
@in_editions("owned-are-safe", *OWNED_ARE_SAFE)
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_in_the_other_editions_every_pass_is_final(edition: str, owner: int) -> None:
    """Owned regions cannot be attacked there, and a seat that passes is out of the battle (zman-2018, Pass)."""
    held = ["", "", ""]
    held[owner] = "torino"
    given = table(edition, hands=["1", "1", "1"], held=held)
    assert only(SeatPassed, play(given, "A passes").events).final
