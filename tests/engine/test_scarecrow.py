"""The scarecrow: from which row it takes a mercenary, and whether it must take one."""

import pytest

from engine import PlayCard, Refusal, State, decide, legal_commands
from engine.cards import SCARECROW
from engine.events import CardPlayed, CardTakenBack, SeatPassed, TurnStarted

from .cases import BOTH_EUROGAMES, CLASSIC, DUEL, EUROGAMES, FFG, PRINTED, REVISED, ZMAN, in_cases, in_editions, proves
from .table import Script, cards, command, every, kind, only, play, strengths_of, table

MUST_TAKE = (ZMAN, CLASSIC, DUEL)
MAY_TAKE_NOTHING = (FFG, REVISED, EUROGAMES)

ANY_ROW = {"scarecrow_targets": "any"}


def refusal(given: State, move: str) -> Refusal:
    """Return the refusal of a move."""
    with pytest.raises(Refusal) as refused:
        decide(given, command(move), Script())
    return refused.value


@proves("6.8", ZMAN, FFG)
@proves("6.6", CLASSIC)
@proves("6.5", DUEL)
@proves("6.4", *BOTH_EUROGAMES)
@proves("4.5", *PRINTED)
@in_editions("T17", *PRINTED)
def test_a_scarecrow_brings_an_own_mercenary_back(edition: str) -> None:
    """It stays in its row, or is discarded (eurogames-1995, Vogelscheuche; zman-2018, ffg-2007, Scarecrow)."""
    given = table(edition, 2, rows=["3", "5"], hands=["C 1", "1"])
    then = play(given, "A plays C taking 3")
    assert tuple(then.state.hands[0]) == cards("3 1")
    assert strengths_of(then.state) == (0, 5)
    place = "discard" if edition == FFG else "row"
    assert tuple(then.state.rows[0]) == cards("C" if place == "row" else "")
    assert tuple(then.state.discard) == cards("C" if place == "discard" else "")
    assert only(CardPlayed, then.events) == CardPlayed(0, SCARECROW, place, 2, 0, None)
    assert only(CardTakenBack, then.events) == CardTakenBack(0, 2, 0)


@proves("6.11", ZMAN, FFG)
@proves("6.9", CLASSIC)
@proves("6.8", DUEL, EUROGAMES)
@proves("6.7", REVISED)
@proves("6.1", *PRINTED)
@in_editions("T13", *PRINTED)
@pytest.mark.parametrize("taken", ["H", "D", "C"])
def test_a_scarecrow_never_takes_a_heroine_or_another_special_card(edition: str, taken: str) -> None:
    """(eurogames-1995, Scarecrow Card and Heroine Cards; zman-2018, Scarecrow)."""
    refused = refusal(table(edition, 2, rows=["H 3 D C"], hands=["C", "1"]), f"A plays C taking {taken}")
    assert (refused.code, refused.field) == ("target-not-mercenary", "take")


@proves("6.9", ZMAN, FFG)
@proves("6.7", CLASSIC)
@proves("6.6", DUEL)
@proves("6.5", *BOTH_EUROGAMES)
@in_editions("T14", *PRINTED)
def test_a_scarecrow_does_not_reach_into_another_row(edition: str) -> None:
    """It takes only cards that its own seat has laid (eurogames-1995, Vogelscheuche; zman-2018, Scarecrow)."""
    refused = refusal(table(edition, 2, rows=["", "10"], hands=["C", "1"]), "A plays C taking 10 of B")
    assert (refused.code, refused.field) == ("target-not-own", "take_from")


@proves("6.8", FFG)
@proves("6.4", *BOTH_EUROGAMES)
@in_editions("what-may-be-taken", *MAY_TAKE_NOTHING)
def test_a_scarecrow_takes_nothing_or_one_mercenary_of_its_row(edition: str) -> None:
    """The commands are nothing first, and then each kind once (eurogames-revised, Épouvantail; ffg-2007, Scarecrow)."""
    given = table(edition, rows=["3 3 10 H", "6"], hands=["C", "1", "1"])
    offered = [play for play in legal_commands(given) if isinstance(play, PlayCard)]
    assert offered == [command(f"A plays C{named}") for named in ("", " taking 3", " taking 10")]


@proves("6.8", FFG)
@proves("6.4", *BOTH_EUROGAMES)
@in_cases("options", ("T16", BOTH_EUROGAMES, {}), ("T16-any", EUROGAMES, ANY_ROW), ("F14", FFG, {}))
def test_a_scarecrow_may_take_nothing(edition: str, options: dict[str, object]) -> None:
    """(eurogames-1995, Vogelscheuche; eurogames-revised, Épouvantail; ffg-2007, Scarecrow)."""
    then = play(table(edition, rows=["3"], hands=["C 1", "1", "1"], options=options), "A plays C")
    assert strengths_of(then.state)[0] == 3
    assert every(CardTakenBack, then.events) == []


@proves("4.5 6.8", FFG)
def test_f14_a_scarecrow_that_takes_nothing_is_discarded_too() -> None:
    """F14: it is discarded immediately (ffg-2007, Scarecrow)."""
    then = play(table(FFG, rows=["3"], hands=["C 1", "1", "1"]), "A plays C")
    assert tuple(then.state.discard) == cards("C")
    assert tuple(then.state.rows[0]) == cards("3")


@proves("6.8", ZMAN)
@proves("1.7 6.6", CLASSIC)
@proves("6.5", DUEL)
@in_editions("T89", *MUST_TAKE)
def test_a_scarecrow_must_take_a_mercenary_if_one_lies_in_the_row(edition: str) -> None:
    """T89 (zman-2018, Scarecrow)."""
    given = table(edition, 2, rows=["3 H"], hands=["C", "1"])
    refused = refusal(given, "A plays C")
    assert (refused.code, refused.field) == ("target-required", "take")
    assert command("A plays C taking 3") in refused.legal
    assert [play for play in legal_commands(given) if isinstance(play, PlayCard)] == [command("A plays C taking 3")]


@proves("6.8", ZMAN)
@proves("6.6", CLASSIC)
@proves("6.5", DUEL)
@in_editions("if-possible", *MUST_TAKE)
def test_a_scarecrow_without_a_mercenary_to_take_is_laid_for_nothing(edition: str) -> None:
    """Heroines and drummers stay in the row (zman-2018, Scarecrow, "if possible")."""
    given = table(edition, 2, rows=["H D", "10"], hands=["C 1", "1"])
    then = play(given, "A plays C")
    assert tuple(then.state.rows[0]) == cards("H D C")
    assert tuple(then.state.hands[0]) == cards("1")


@proves("6.6", EUROGAMES)
def test_a_scarecrow_may_take_from_any_row_where_the_players_agreed() -> None:
    """The mercenary goes to the hand of the scarecrow's seat (eurogames-1995, Scarecrow Card, English)."""
    given = table("eurogames-1995", rows=["3", "10 2", "D"], hands=["C", "1", "1"], options=ANY_ROW)
    offered = [play for play in legal_commands(given) if isinstance(play, PlayCard)]
    assert offered == [command(f"A plays C{named}") for named in ("", " taking 3", " taking 2 of B", " taking 10 of B")]
    then = play(given, "A plays C taking 10 of B")
    assert tuple(then.state.hands[0]) == cards("10")
    assert strengths_of(then.state) == (3, 2, 0)


@proves("6.7 6.8", EUROGAMES)
@pytest.mark.parametrize(
    ("move", "code"),
    [("A plays C taking H of B", "target-not-mercenary"), ("A plays C taking 6 of B", "target-not-in-row")],
)
def test_any_row_is_still_not_any_card(move: str, code: str) -> None:
    """(eurogames-1995, Scarecrow Card)."""
    given = table("eurogames-1995", rows=["6", "H 10"], hands=["C", "1", "1"], options=ANY_ROW)
    assert refusal(given, move).code == code


@proves("4.7", ZMAN, CLASSIC, DUEL, FFG, REVISED)
@proves("4.10", EUROGAMES)
@in_editions("own-last-card", *PRINTED)
def test_a_last_scarecrow_that_brings_a_card_back_keeps_its_seat_in_the_battle(edition: str) -> None:
    """Whether the hand is empty is checked after the effect."""
    given = table(edition, 2, rows=["3"], hands=["C", "1"])
    then = play(given, "A plays C taking 3", "B passes")
    assert SeatPassed(0, final=True, forced=True) not in then.events
    assert then.events[-1] == TurnStarted(0, "battle")


@proves("4.7", ZMAN, CLASSIC, DUEL, FFG, REVISED)
@proves("4.10", EUROGAMES)
@in_editions("nothing-to-take", *PRINTED)
def test_a_last_scarecrow_that_brings_nothing_back_passes_its_seat(edition: str) -> None:
    """An empty hand passes by itself (zman-2018, Pass; eurogames-1995, A player without cards)."""
    then = play(table(edition, 2, hands=["C", "1"]), "A plays C")
    assert then.events[1:] == [SeatPassed(0, final=True, forced=True), TurnStarted(1, "battle")]


@proves("6.7", ZMAN)
@proves("6.6", CLASSIC)
@proves("6.4", DUEL, *BOTH_EUROGAMES)
@in_editions("two-scarecrows", *(key for key in PRINTED if key != FFG))
def test_a_played_scarecrow_lies_in_its_row_until_the_battle_ends(edition: str) -> None:
    """It has no further effect there (zman-2018, Play a Card)."""
    given = table(edition, 2, rows=["3 10"], hands=["C C", "1"])
    then = play(given, "A plays C taking 3", "B passes", "A plays C taking 10")
    assert tuple(then.state.rows[0]) == cards("C C")
    assert tuple(then.state.hands[0]) == cards("3 10")


@in_editions("whose-row", *PRINTED)
def test_a_mercenary_without_its_row_is_not_taken(edition: str) -> None:
    """A parsed record gets the seat's own row by default; a command created in Python must name the row."""
    given = table(edition, 2, rows=["3"], hands=["C", "1"])
    with pytest.raises(Refusal) as refused:
        decide(given, PlayCard(0, SCARECROW, take=kind("3")), Script())
    assert (refused.value.code, refused.value.field) == ("target-not-in-row", "take_from")
