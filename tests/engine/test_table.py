"""The test helpers: a position contains every card, and a script must match the draws exactly."""

import pytest

from engine.state import NOWHERE

from .cases import in_editions
from .table import ANY, Script, all_cards, cards, command, every, only, play, printed_cards, region, table


def test_a_table_holds_every_card_of_its_edition_once() -> None:
    """All remaining cards are in the deck."""
    state = table("zman-2018", rows=["10 6 5 D"], hands=["X", "2", "S S"], discard="H", season="W")
    assert all_cards(state) == state.edition.deck


def test_a_table_refuses_cards_that_the_edition_does_not_print() -> None:
    """Four heroines are one more than the edition prints."""
    with pytest.raises(AssertionError, match="does not print"):
        table("zman-2018", hands=["H H", "H H"])


def test_a_table_of_two_decks_holds_every_card_twice() -> None:
    """Cards in a hand or row come from the seat's deck, and discarded cards from either deck."""
    state = table("zman-2018-duel", 2, rows=["10 6", "10"], hands=["X", "2"], discard="H C C C C", season="W")
    assert all_cards(state) == printed_cards(state) == tuple(2 * count for count in state.edition.deck)
    assert state.decks[1] == list(cards("1 1 2 3 3 4 4 5 5 6 6 10 H D W P B C C X"))
    assert sum(map(sum, state.decks)) == 46 - 5 - 5 - 1


def test_a_table_whose_decks_are_said_has_the_rest_in_the_discard() -> None:
    """Tests need such positions to let a deck run out."""
    state = table("ffg-2007", hands=["1", "2", "3"], decks=["10 10"])
    assert state.decks == [list(cards("10 10"))]
    assert sum(state.discard) == 110 - 5
    assert all_cards(state) == state.edition.deck


def test_a_table_without_a_board_has_no_contested_region() -> None:
    """A final battle has none either."""
    assert table("zman-2018-duel", 2, hands=["1", "1"]).contested == NOWHERE
    final = table("ffg-2007", hands=["1", "", "1"], fighters="AC")
    assert (final.contested, final.passed) == (NOWHERE, 0b010)


def test_a_table_refuses_more_of_a_kind_than_two_decks_have() -> None:
    """The test asks for three heroines; each deck has one."""
    with pytest.raises(AssertionError, match="does not print"):
        table("zman-2018-duel", 2, hands=["H", "H"], discard="H")
    with pytest.raises(AssertionError, match="does not print"):
        table("zman-2018-duel", 2, hands=["H H", ""])


def test_a_case_is_counted_only_for_an_edition_that_exists() -> None:
    """A typing error in an edition's key raises an error."""
    with pytest.raises(AssertionError, match="no edition"):
        in_editions("T01", "zman-2019")


def test_a_table_refuses_two_owners_of_a_region() -> None:
    """A region has at most one control marker."""
    with pytest.raises(AssertionError, match="one owner"):
        table("zman-2018", held=["roma", "siena roma"])


def test_a_script_refuses_what_is_not_written_down() -> None:
    """Each lot and deal must be in the script with the same seats."""
    with pytest.raises(AssertionError, match="nobody wrote down a lot"):
        Script().pick(0, [0, 1])
    with pytest.raises(AssertionError, match="nobody wrote down a deal"):
        Script().deal(0, cards("1 1"), [1, 1])
    with pytest.raises(AssertionError):
        Script(lots=["A of AB"]).pick(0, [0, 2])
    with pytest.raises(AssertionError):
        Script(deals=[["1"]]).deal(0, cards("2"), [1])
    with pytest.raises(AssertionError):
        Script(deals=[["1 1"]]).deal(0, cards("1 1"), [1])


def test_a_script_refuses_to_be_left_over() -> None:
    """A script must be used completely: every lot and every deal."""
    with pytest.raises(AssertionError, match="more was written down"):
        play(table("zman-2018", hands=["1", "1", "1"]), "A plays 1", chance=Script(deals=[ANY]))


def test_a_sentence_that_is_no_move_is_refused() -> None:
    """A typing error in a move raises an error."""
    with pytest.raises(ValueError, match="not a move"):
        command("A dances")


def test_only_finds_the_one_event_of_its_type() -> None:
    """Two events of the type are an error in the test."""
    assert only(int, ["a", 1]) == 1
    assert every(str, ["a", 1]) == ["a"]
    with pytest.raises(AssertionError):
        only(int, [1, region("roma")])
