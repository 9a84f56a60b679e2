"""What is in the box: the deck of each edition, and a name and an effect for every card in it."""

import pytest

from engine import DEFAULT, EDITIONS, Edition
from engine.cards import MERCENARIES, NAMES

from .table import cards

EVERY_EDITION = pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))

DECKS = {
    "zman-2018": {"1": 10, "S": 12, "H": 3, "D": 6, "W": 3, "P": 3, "B": 6, "C": 16, "X": 3},
    "eurogames-1995": {"1": 15, "H": 3, "D": 6, "W": 3, "B": 3, "C": 15, "X": 3},
}
"""How often each kind is printed, beyond the eight each of the mercenaries from 2 to 10."""


@pytest.mark.parametrize(
    ("key", "total", "mercenaries"), [("zman-2018", 110, 58), ("eurogames-1995", 96, 63)], ids=list(DECKS)
)
def test_the_deck_has_its_printed_counts(key: str, total: int, mercenaries: int) -> None:
    """(zman-2018, Strength and Mercenaries and Special Cards; eurogames-1995, Spielmaterial)."""
    deck = EDITIONS[key].deck
    counts = {**dict.fromkeys("23456", 8), "10": 8, **DECKS[key]}
    assert deck == cards(" ".join(letter for letter, count in counts.items() for _ in range(count)))
    assert sum(deck) == total
    assert sum(deck[kind] for kind in MERCENARIES) == mercenaries


@EVERY_EDITION
def test_every_kind_in_the_deck_has_a_label_and_an_effect_and_no_other(edition: Edition) -> None:
    """A player can look up every card that may turn up, and none that cannot."""
    printed = {name for name, count in zip(NAMES, edition.deck, strict=True) if count}
    assert set(edition.labels) == printed
    assert set(edition.effects) == printed
    assert all(edition.labels.values())
    assert all(edition.effects.values())


def test_zman_calls_two_cards_by_another_name() -> None:
    """Turncoat and Spy are what other editions call surrender and courtesan (zman-2018, Special Cards)."""
    labels = EDITIONS["zman-2018"].labels
    assert (labels["surrender"], labels["courtesan"]) == ("Turncoat", "Spy")


@EVERY_EDITION
def test_an_edition_names_itself(edition: Edition) -> None:
    """Key, year, publisher and sources are stated, and the year is the one in the key."""
    assert EDITIONS[edition.key] is edition
    assert edition.key.endswith(str(edition.year))
    assert edition.title == "Condottiere"
    assert len(edition.publisher) > 1
    assert edition.sources
    assert edition.revision >= 1
    assert DEFAULT in EDITIONS


@EVERY_EDITION
def test_a_normal_deal_never_runs_out(edition: Edition) -> None:
    """With the most seats and every region held the deck is large enough."""
    most = edition.most_seats * edition.hand_size + 17 * edition.cards_a_region
    assert most <= sum(edition.deck)


@EVERY_EDITION
def test_goals_are_stated_for_every_number_of_seats(edition: Edition) -> None:
    """Nobody can sit down to a game that has no goal."""
    assert list(edition.goals) == list(range(edition.fewest_seats, edition.most_seats + 1))
