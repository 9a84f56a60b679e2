"""How a game begins: the first holder of the battle marker, the first hands, and how many may play."""

import pytest

from engine import EDITIONS, UnknownEdition, WrongSeats, replay, start
from engine.cards import NOTHING
from engine.events import GameStarted, HandsDealt, MarkerTaken, TurnStarted

from .table import ANY, SEATS, Script, all_cards, in_both_editions

SIZES = [("zman-2018", seats) for seats in (3, 4, 5, 6)] + [("eurogames-1995", seats) for seats in (2, 3, 4, 5, 6)]


@pytest.mark.parametrize(("edition", "seats"), SIZES)
def test_a_lot_a_deal_and_the_first_choice(edition: str, seats: int) -> None:
    """Nobody knows who is youngest, so a lot decides (zman-2018, Setup; eurogames-1995, Preparation of the game)."""
    script = Script(lots=[f"B of {SEATS[:seats]}"], deals=[ANY])
    events = start(edition, seats, script)
    assert events[0] == GameStarted(edition, 1, tuple(EDITIONS[edition].chosen.items()), seats)
    assert events[1] == MarkerTaken(1, "lot", 0)
    assert isinstance(events[2], HandsDealt)
    assert [sum(hand) for hand in events[2].hands] == [10] * seats
    assert events[3:] == [TurnStarted(1, "choose-region")]
    assert script.draws == [0, 1]


@in_both_editions("opened")
def test_the_table_is_bare_at_the_start(edition: str) -> None:
    """No control marker, no favor marker, no card but in hands and deck (zman-2018, Setup)."""
    state = replay(start(edition, 4, Script(lots=["D of ABCD"], deals=[ANY])))
    assert state.marker == state.turn == 3
    assert (state.taken(), state.favor, state.contested, state.season) == (0, -1, -1, -1)
    assert tuple(state.discard) == NOTHING
    assert sum(state.deck) == sum(state.edition.deck) - 40
    assert all_cards(state) == state.edition.deck
    assert (state.battles, state.rounds, state.draws) == (0, 0, 2)


@pytest.mark.parametrize(
    ("edition", "seats"), [("zman-2018", 2), ("zman-2018", 7), ("eurogames-1995", 1), ("eurogames-1995", 7)]
)
def test_a_wrong_number_of_seats_is_refused(edition: str, seats: int) -> None:
    """The refusal says how many may play, and cites it (zman-2018, Overview; eurogames-1995, title)."""
    with pytest.raises(WrongSeats, match=f"not by {seats}") as wrong:
        start(edition, seats, Script())
    value = EDITIONS[edition]
    assert wrong.value.code == "wrong-seats"
    assert (wrong.value.edition, wrong.value.clause) == (edition, value.clauses["wrong-seats"])
    assert (wrong.value.fewest, wrong.value.most) == (value.fewest_seats, value.most_seats)


def test_the_editions_are_played_by_so_many() -> None:
    """Two seats of the new edition have rules of their own, which are not these (zman-2018, 2-Player Game)."""
    assert {key: (value.fewest_seats, value.most_seats) for key, value in EDITIONS.items()} == {
        "zman-2018": (3, 6),
        "eurogames-1995": (2, 6),
    }


def test_an_edition_that_does_not_exist_is_refused() -> None:
    """The refusal lists those that do."""
    with pytest.raises(UnknownEdition, match="zman-2018, eurogames-1995"):
        start("monopoly", 4, Script())
