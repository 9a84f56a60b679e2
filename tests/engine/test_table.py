"""The tests' own language: a position adds up, and a script is followed to the letter."""

import pytest

from .table import ANY, Script, all_cards, cards, command, every, only, play, region, table


def test_a_table_holds_every_card_of_its_edition_once() -> None:
    """What lies nowhere else is in the deck."""
    state = table("zman-2018", rows=["10 6 5 D"], hands=["X", "2", "S S"], discard="H", season="W")
    assert all_cards(state) == state.edition.deck


def test_a_table_refuses_cards_that_the_edition_does_not_print() -> None:
    """Four heroines are one too many."""
    with pytest.raises(AssertionError, match="does not print"):
        table("zman-2018", hands=["H H", "H H"])


def test_a_table_refuses_two_owners_of_a_region() -> None:
    """A region bears at most one control marker."""
    with pytest.raises(AssertionError, match="one owner"):
        table("zman-2018", held=["roma", "siena roma"])


def test_a_script_refuses_what_is_not_written_down() -> None:
    """No lot and no deal comes from nowhere, and each is drawn among whom it says."""
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
    """What is written down must be drawn."""
    with pytest.raises(AssertionError, match="more was written down"):
        play(table("zman-2018", hands=["1", "1", "1"]), "A plays 1", chance=Script(deals=[ANY]))


def test_a_sentence_that_is_no_move_is_refused() -> None:
    """A typing error in a test does not pass for a move."""
    with pytest.raises(ValueError, match="not a move"):
        command("A dances")


def test_only_finds_the_one_event_of_its_type() -> None:
    """Two of a type are a mistake of the test."""
    assert only(int, ["a", 1]) == 1
    assert every(str, ["a", 1]) == ["a"]
    with pytest.raises(AssertionError):
        only(int, [1, region("roma")])
