"""How a game begins: the first holder of the battle marker, the first hands, and the number of seats."""

import pytest

from engine import EDITIONS, NEWEST, UnknownEdition, WrongSeats, replay, start
from engine.cards import NOTHING
from engine.events import CardsDrawn, GameStarted, HandsDealt, MarkerTaken, TurnStarted
from engine.state import NO_CARD, NOWHERE

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, ON_THE_BOARD, PRINTED, REVISED, ZMAN, in_editions, proves
from .table import ANY, SEATS, Script, all_cards, cards, printed_cards

THREE_TO_SIX, TWO_TO_SIX = (3, 4, 5, 6), (2, 3, 4, 5, 6)

SEATS_OF = {
    ZMAN: THREE_TO_SIX,
    CLASSIC: THREE_TO_SIX,
    DUEL: (2,),
    FFG: TWO_TO_SIX,
    REVISED: TWO_TO_SIX,
    EUROGAMES: TWO_TO_SIX,
}
"""The numbers of seats that each edition supports."""

SIZES = [(key, seats) for key in ON_THE_BOARD for seats in SEATS_OF[key]]


@proves("2.1 2.2 3.1", *ON_THE_BOARD)
@pytest.mark.parametrize(("edition", "seats"), SIZES)
def test_a_lot_a_deal_and_the_first_choice(edition: str, seats: int) -> None:
    """Nobody knows who is youngest, so lots are drawn (zman-2018, Setup; eurogames-1995, Preparation of the game)."""
    script = Script(lots=[f"B of {SEATS[:seats]}"], deals=[ANY])
    events = start(edition, seats, script)
    assert events[0] == GameStarted(edition, NEWEST[edition].revision, tuple(NEWEST[edition].chosen.items()), seats)
    assert events[1] == MarkerTaken(1, "lot", 0)
    assert isinstance(events[2], HandsDealt)
    assert [sum(hand) for hand in events[2].hands if not isinstance(hand, int)] == [10] * seats
    assert events[3:] == [TurnStarted(1, "choose-region")]
    assert script.draws == [0, 1]


@proves("2.1 2.2 2.3 4.1", DUEL)
def test_a_duel_opens_with_a_lot_two_draws_and_the_first_battle() -> None:
    """The holder of the marker draws and plays first (zman-2018, 2-Player Game)."""
    script = Script(lots=["B of AB"], deals=[["1 2 3 4 5 6 10 H"], ["1 1 2 2 3 3 C C"]])
    events = start(DUEL, 2, script)
    assert events == [
        GameStarted(DUEL, NEWEST[DUEL].revision, tuple(NEWEST[DUEL].chosen.items()), 2),
        MarkerTaken(1, "lot", 0),
        CardsDrawn(1, cards("1 2 3 4 5 6 10 H"), 1, 8),
        CardsDrawn(0, cards("1 1 2 2 3 3 C C"), 2, 8),
        TurnStarted(1, "battle"),
    ]
    assert script.draws == [0, 1, 2]
    state = replay(events)
    assert all_cards(state) == printed_cards(state)
    assert (state.battles, state.contested, state.answered) == (0, NOWHERE, 0b11)


@proves("2.1 2.3", *ON_THE_BOARD)
@in_editions("opened", *ON_THE_BOARD)
def test_the_table_is_bare_at_the_start(edition: str) -> None:
    """No control marker, no favor marker, and no cards except in hands and deck (zman-2018, Setup)."""
    state = replay(start(edition, 4, Script(lots=["D of ABCD"], deals=[ANY])))
    assert state.marker == state.turn == 3
    assert (state.owned_regions(), state.favor, state.contested, state.season) == (0, NOWHERE, NOWHERE, NO_CARD)
    assert tuple(state.discard) == NOTHING
    assert sum(state.decks[0]) == sum(state.edition.deck) - 40
    assert all_cards(state) == state.edition.deck
    assert (state.battles, state.rounds, state.draws) == (0, 0, 2)


@proves("1.1", *PRINTED)
@pytest.mark.parametrize(
    ("edition", "seats"),
    [(key, seats) for key in EDITIONS for seats in (0, 1, 2, 3, 7) if seats not in NEWEST[key].goals],
)
def test_a_wrong_number_of_seats_is_refused(edition: str, seats: int) -> None:
    """The error contains the range of seats, and cites its clause (zman-2018, Overview; eurogames-1995, title)."""
    with pytest.raises(WrongSeats, match=f"seats, not {seats}") as wrong:
        start(edition, seats, Script())
    value = NEWEST[edition]
    assert wrong.value.code == "wrong-seats"
    assert (wrong.value.edition, wrong.value.clause) == (edition, value.clauses["wrong-seats"])
    assert (wrong.value.fewest, wrong.value.most) == (value.fewest_seats, value.most_seats)


@proves("1.1", *PRINTED)
@pytest.mark.parametrize("key", SEATS_OF)
def test_an_edition_is_played_by_so_many(key: str) -> None:
    """The new edition has separate rules for two seats (zman-2018, 2-Player Game)."""
    value = NEWEST[key]
    assert tuple(value.goals) == SEATS_OF[key]
    assert (value.fewest_seats, value.most_seats) == (SEATS_OF[key][0], SEATS_OF[key][-1])


def test_an_edition_that_does_not_exist_is_refused() -> None:
    """The message lists the editions that exist."""
    with pytest.raises(UnknownEdition, match=", ".join(EDITIONS)):
        start("monopoly", 4, Script())
