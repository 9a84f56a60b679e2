"""The contents of the box: each edition's deck, and a name and an effect for every card in it."""

import re

import pytest

from engine import DEFAULT, EDITIONS, NEWEST, Edition, replay, start
from engine.cards import BISHOP, MERCENARIES, NAMES, SCARECROW
from engine.rules.contest import any_region
from engine.rules.specials import (
    favor_to_empty_region_or_off_board,
    must_take_own_mercenary,
    remove_highest_mercenaries_and_move_favor,
)

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, PRINTED, REGION_LAST, REVISED, ZMAN, in_cases, in_editions, proves
from .table import ANY, Script, cards

EVERY_EDITION = pytest.mark.parametrize("edition", NEWEST.values(), ids=list(EDITIONS))

FIRST_DECK = {"1": 15, "H": 3, "D": 6, "W": 3, "B": 3, "C": 15, "X": 3}
SECOND_DECK = {"1": 10, "S": 12, "H": 3, "D": 6, "W": 3, "P": 3, "B": 6, "C": 16, "X": 3}
DUEL_DECK = {"1": 2, "C": 3, **dict.fromkeys("BDHXWP", 1)}


CAPTURING, TARGETS = "capturing_regions", "scarecrow_targets"


@proves("1.3", *PRINTED)
@proves("12.2", REVISED)
@proves("12.4", EUROGAMES)
@in_cases(
    "printed each total mercenaries",
    ("deck", (ZMAN, FFG), SECOND_DECK, 8, 110, 58),
    ("deck", (EUROGAMES, REVISED), FIRST_DECK, 8, 96, 63),
    ("T73", CLASSIC, FIRST_DECK, 8, 96, 63),
    ("T74", DUEL, DUEL_DECK, 2, 23, 14),
)
def test_the_deck_has_its_printed_counts(
    edition: str, printed: dict[str, int], each: int, total: int, mercenaries: int
) -> None:
    """T73, T74: in addition to the named cards, this number of each mercenary from 2 to 10.

    (zman-2018, Strength and Mercenaries; Classic Version; 2-Player Game; eurogames-1995, Spielmaterial).
    """
    deck = NEWEST[edition].deck
    counts = {**dict.fromkeys("23456", each), "10": each, **printed}
    assert deck == cards(" ".join(letter for letter, count in counts.items() for _ in range(count)))
    assert sum(deck) == total
    assert sum(deck[kind] for kind in MERCENARIES) == mercenaries


@proves("1.3 12.2", CLASSIC)
def test_t73_the_classic_deck_is_that_of_the_first_edition() -> None:
    """T73: 22 cards removed from 110, and 8 added (zman-2018, Classic Version)."""
    removed, added = cards("P P P B B B B B B C" + " S" * 12), cards("1 1 1 1 1 B B B")
    assert (sum(removed), sum(added)) == (22, 8)
    changed = (was - less + more for was, less, more in zip(NEWEST[ZMAN].deck, removed, added, strict=True))
    assert NEWEST[CLASSIC].deck == NEWEST[EUROGAMES].deck == tuple(changed)


@proves("1.3 2.1", DUEL)
@in_editions("T74", DUEL)
def test_each_seat_of_a_duel_draws_eight_from_a_deck_of_its_own(edition: str) -> None:
    """T74: fifteen cards remain in each deck (zman-2018, 2-Player Game)."""
    state = replay(start(edition, 2, Script(lots=["B of AB"], deals=[ANY, ANY])))
    assert [sum(hand) for hand in state.hands] == [8, 8]
    assert [sum(deck) for deck in state.decks] == [15, 15]
    assert state.edition.deck_each


@EVERY_EDITION
def test_every_kind_in_the_deck_has_a_label_and_an_effect_and_no_other(edition: Edition) -> None:
    """A player can look up exactly the cards that are in the game."""
    printed = {name for name, count in zip(NAMES, edition.deck, strict=True) if count}
    assert set(edition.labels) == printed
    assert set(edition.effects) == printed
    assert all(edition.labels.values())
    assert all(edition.effects.values())


@in_cases(
    "surrender courtesan",
    ("names", ZMAN, "Turncoat", "Spy"),
    ("names", (CLASSIC, DUEL), "Turncoat", None),
    ("names", FFG, "Surrender", "Courtesan"),
    ("names", (REVISED, EUROGAMES), "Surrender", None),
)
def test_editions_call_two_cards_by_different_names(edition: str, surrender: str, courtesan: str | None) -> None:
    """(zman-2018, Special Cards; ffg-2007, Card Explanations; eurogames-1995, Surrender Cards)."""
    labels = NEWEST[edition].labels
    assert (labels["surrender"], labels.get("courtesan")) == (surrender, courtesan)


# The text of a card agrees with what it does in its edition and is not copied from another edition


def with_a(card: int) -> pytest.MarkDecorator:
    """Run a test with every edition that has this special card."""
    keys = [key for key, value in NEWEST.items() if card in value.specials]
    return pytest.mark.parametrize("edition", [NEWEST[key] for key in keys], ids=keys)


@with_a(BISHOP)
def test_the_effect_of_a_bishop_is_that_of_its_edition(edition: Edition) -> None:
    text, special = edition.effects["bishop"], edition.specials[BISHOP]
    assert ("battle ends" in text) is (special.ends is not None)
    assert ("highest" in text) is (special.ends is None)
    assert ("favor marker" in text) is (special.effect is remove_highest_mercenaries_and_move_favor)
    assert ("off the board" in text) is (special.offers is favor_to_empty_region_or_off_board)
    attacked, may_be = edition.contestable is any_region, CAPTURING in [option.key for option in edition.options]
    assert "owned" in text.lower() or not attacked
    assert "owned" not in text.lower() or attacked or may_be


@with_a(SCARECROW)
def test_the_effect_of_a_scarecrow_is_that_of_its_edition(edition: Edition) -> None:
    text, special = edition.effects["scarecrow"], edition.specials[SCARECROW]
    assert ("must" in text) is (special.offers is must_take_own_mercenary)
    assert (TARGETS in text) is (TARGETS in [option.key for option in edition.options])


@EVERY_EDITION
def test_an_edition_names_itself(edition: Edition) -> None:
    """Key, year, publisher and sources are stated; a year in the key is the edition's own."""
    assert NEWEST[edition.key] is edition
    assert str(edition.year) in edition.key or not re.search(r"\d", edition.key)
    assert edition.title.startswith("Condottiere")
    assert len(edition.publisher) > 1
    assert edition.sources
    assert all(len(source) > 10 for source in edition.sources)
    assert edition.revision >= 1


def test_the_newest_edition_stands_first() -> None:
    """Editions of one year are sorted by key, and an edition without a year by its estimate."""
    assert [key for key in EDITIONS if key in PRINTED] == [ZMAN, CLASSIC, DUEL, FFG, REVISED, EUROGAMES]
    assert list(EDITIONS) == sorted(EDITIONS, key=lambda key: (-NEWEST[key].listed_year, key))
    assert all(edition.listed_year == edition.year for edition in NEWEST.values() if edition.year is not None)


def test_whoever_has_no_wish_plays_the_edition_that_is_in_print() -> None:
    assert DEFAULT == ZMAN


@EVERY_EDITION
def test_the_kinds_that_are_not_plain_are_a_frozen_set(edition: Edition) -> None:
    """All games of an edition share this set."""
    assert type(edition.not_plain) is frozenset
    assert edition.not_plain == {*edition.face_down, *edition.specials}


@proves("8.7", *REGION_LAST)
@proves("8.8", FFG)
@EVERY_EDITION
def test_a_normal_deal_never_runs_out(edition: Edition) -> None:
    """The deck is large enough with the most seats and every region held."""
    drawing_on_it = 1 if edition.deck_each else edition.most_seats
    assert drawing_on_it * edition.hand_size + 17 * edition.cards_a_region <= sum(edition.deck)


@EVERY_EDITION
def test_goals_are_stated_for_every_number_of_seats(edition: Edition) -> None:
    """Every game has a goal."""
    assert list(edition.goals) == list(range(edition.fewest_seats, edition.most_seats + 1))
    assert all(any(number is not None for number in goal) for goal in edition.goals.values())


@proves("11.4", *PRINTED)
@pytest.mark.parametrize("key", PRINTED)
def test_the_discard_is_open_where_the_rulebook_says_that_rows_are_discarded_face_up(key: str) -> None:
    """The duel's rulebook says so too, but in a duel all laid cards go back to the box, unseen."""
    assert NEWEST[key].open_discard is (key in (ZMAN, CLASSIC))
