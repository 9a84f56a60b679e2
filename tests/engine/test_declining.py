"""Declining: the holder of the battle marker may choose no region (eurogames-revised, Fin de la bataille)."""

import pytest

from engine import DeclineRegion, Refusal, State, decide, legal_commands, replay, start
from engine.events import FinalBattleStarted, GameEnded, MarkerTaken, RegionDeclined, TurnStarted

from .cases import CLASSIC, EUROGAMES, FFG, REVISED, ZMAN, in_editions, proves
from .table import ANY, SEATS, Script, command, every, only, play, region, table, types

CHOOSE = "choose-region"


def choosing(seats: int = 4, *held: str) -> State:
    """Return a position in which seat A chooses and every seat holds a card."""
    return table(REVISED, seats, hands=["1"] * seats, held=held, phase=CHOOSE)


@proves("3.1 3.4 12.3", REVISED)
def test_the_marker_and_the_choice_pass_to_the_left() -> None:
    """(eurogames-revised, Fin de la bataille, Qui contrôle le Condottiere)."""
    then = play(choosing(), "A declines")
    assert then.events == [RegionDeclined(0), MarkerTaken(1, "declined", None), TurnStarted(1, CHOOSE)]
    assert (then.state.marker, then.state.declines) == (1, 1)
    assert play(then.state, "B chooses roma").state.contested == region("roma")


@proves("3.4", REVISED)
def test_the_left_neighbour_of_the_last_seat_is_the_first() -> None:
    """(eurogames-revised, Fin de la bataille)."""
    given = table(REVISED, hands=["1"] * 3, phase=CHOOSE, marker="C", turn="C")
    assert only(MarkerTaken, play(given, "C declines").events).seat == 0


def test_declining_is_the_last_thing_that_may_be_asked() -> None:
    """Declining is listed after every region that may be chosen."""
    choices = legal_commands(choosing(4, "roma"))
    assert choices[-1] == DeclineRegion(0)
    assert len(choices) == 17
    assert [type(choice) for choice in choices].count(DeclineRegion) == 1


@proves("3.4 12.3", REVISED)
def test_declining_is_allowed_before_the_first_battle() -> None:
    """The first holder declines too, and the next one's choice begins the first battle."""
    state = replay(start(REVISED, 3, Script(lots=["C of ABC"], deals=[ANY])))
    then = play(state, "C declines", "A declines", "B chooses siena")
    assert types(then.events)[-2:] == ["RegionChosen", "TurnStarted"]
    assert then.events[-1] == TurnStarted(1, "battle")
    assert then.state.declines == 0


@proves("3.5 9.5", REVISED)
@in_editions("T52", REVISED)
def test_after_a_full_round_of_declines_the_most_cities_win(edition: str) -> None:
    """T52: adjacency does not matter (eurogames-revised, Fin de la partie, 3)."""
    held = ["roma", "siena torino", "", "napoli"]
    given = table(edition, 4, hands=["1"] * 4, held=held, phase=CHOOSE)
    then = play(given, "A declines", "B declines", "C declines", "D declines")
    assert only(GameEnded, then.events) == GameEnded((1,), ("declined",))
    assert types(then.events)[-3:] == ["RegionDeclined", "MarkerTaken", "GameEnded"]


@proves("3.5", REVISED)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_round_is_full_when_every_seat_has_declined_once(seats: int) -> None:
    """The marker is then back at the first seat that declined."""
    given = choosing(seats, "roma")
    declines = [f"{letter} declines" for letter in SEATS[:seats]]
    before = play(given, *declines[:-1])
    assert every(GameEnded, before.events) == []
    then = play(before.state, declines[-1])
    assert only(GameEnded, then.events).reasons == ("declined",)
    assert then.state.marker == 0


@proves("3.5", REVISED)
def test_a_choice_starts_the_count_of_declines_again() -> None:
    """Only consecutive declines end the game (eurogames-revised, Fin de la partie, 3)."""
    given = choosing(3, "siena")
    then = play(given, "A declines", "B declines", "C chooses roma", "C passes", "A passes", "B passes")
    then = play(then.state, "A keeps", "B keeps", "C keeps", "A declines", "B declines")
    assert then.state.declines == 2
    assert then.events[-1] == TurnStarted(2, CHOOSE)
    assert only(GameEnded, play(then.state, "C declines").events).winners == (0,)


@proves("9.6", REVISED)
def test_declines_before_the_first_battle_are_not_forgotten() -> None:
    """If all decline before any battle, no seat has a city, and all fight the final battle."""
    state = replay(start(REVISED, 3, Script(lots=["B of ABC"], deals=[ANY])))
    then = play(state, "B declines", "C declines", "A declines", chance=Script(deals=[ANY]))
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 1, 2), "declined")
    assert then.events[-1] == TurnStarted(1, "battle")
    assert [sum(hand) for hand in then.state.hands] == [20, 20, 20]


@proves("3.4 3.6", REVISED)
def test_a_seat_without_cards_declines_like_any_other() -> None:
    """It holds the marker, and its decline counts (our reading: the rulebook does not require cards)."""
    given = table(REVISED, hands=["", "1", "1"], phase=CHOOSE)
    then = play(given, "A declines")
    assert (then.state.declines, then.state.turn) == (1, 1)


@proves("3.1", ZMAN, CLASSIC, FFG, EUROGAMES)
@in_editions("must-choose", ZMAN, CLASSIC, FFG, EUROGAMES)
def test_whoever_may_not_decline_must_choose(edition: str) -> None:
    """In all other editions the holder chooses.

    (eurogames-1995, Course of a battle; ffg-2007, Choose the New Battle).
    """
    given = table(edition, hands=["1"] * 3, phase=CHOOSE)
    assert command("A declines") not in legal_commands(given)
    with pytest.raises(Refusal) as refused:
        decide(given, command("A declines"), Script())
    assert refused.value.code == "decline-not-allowed"
