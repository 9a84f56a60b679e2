"""Secrecy of face-down cards, cards that the last hand keeps, drawn cards, and each seat's deck."""

import json

import pytest

from engine import Event, State, decide, event_to_record, legal_commands, seen_by, view_for
from engine.cards import NAMES
from engine.events import CardLaidFaceDown, CardsDrawn, CardsKept, CardTurnedUp, HandDiscarded

from .cases import DUEL, FFG, proves
from .games import chance_of
from .table import ANY, Script, cards, every, kind, named, only, play, table

HIDDEN: dict[str, object] = {"hidden_cards": True}
DRAWING: dict[str, object] = {"draw_after_battle": True}
STRANGERS = (1, 2, None)
"""The viewers while A acts: two other seats and a spectator."""


def visible_events(events: list[Event], seat: int | None) -> list[tuple[str, object]]:
    """Return events, and their records, as a seat sees them."""
    seen = [seen_by(event, seat) for event in events]
    return [*named(seen), ("records", json.dumps([event_to_record(event) for event in seen]))]


def looks_alike(one: State, other: State, seat: int | None) -> bool:
    """Return whether two positions, with their legal commands, look the same to a seat."""
    return view_for(one, seat) == view_for(other, seat)


@proves("11.2 11.3", FFG)
def test_only_its_owner_knows_a_card_that_lies_face_down() -> None:
    """Everybody else sees only that there is a card (ffg-2007, Hidden Cards)."""
    given = table(FFG, hands=["1", "2", "3"], hidden=["10", "", "H"], rows=["5"], options=HIDDEN)
    assert view_for(given, 0).hidden == (cards("10"), 0, 1)
    assert view_for(given, 1).hidden == (1, cards(""), 1)
    assert view_for(given, 2).hidden == (1, 0, cards("H"))
    assert view_for(given, None).hidden == (1, 0, 1)
    for seat in (0, 1, 2, None):
        assert view_for(given, seat, revealed=True).hidden == (cards("10"), cards(""), cards("H"))


@proves("11.2 13.22", FFG)
def test_only_its_owner_sees_which_card_was_laid_face_down() -> None:
    """Both the event and its record hide it from the others (ffg-2007, Hidden Cards)."""
    for turn_up in (None, kind("10"), kind("3")):
        laid = CardLaidFaceDown(0, kind("10"), turn_up)
        assert seen_by(laid, 0) == laid
        for stranger in STRANGERS:
            assert seen_by(laid, stranger) == CardLaidFaceDown(0, None, None)
            assert event_to_record(seen_by(laid, stranger)) == {"type": "card-laid-face-down", "seat": 0}


@pytest.mark.parametrize("card", ["1", "10", "H", "D", "S"])
def test_whichever_card_is_laid_face_down_it_looks_the_same(card: str) -> None:
    """It may be a mercenary, a heroine, a drummer or a courtesan (ffg-2007, Hidden Cards)."""
    given = table(FFG, hands=["1 10 H D S", "2", "3"], options=HIDDEN)
    one, other = play(given, "A plays 1"), play(given, f"A plays {card}")
    for stranger in STRANGERS:
        assert visible_events(one.events, stranger) == visible_events(other.events, stranger)
        assert looks_alike(one.state, other.state, stranger)
    assert view_for(other.state, 0).hidden[0] == cards(card)


def test_the_face_down_cards_of_others_change_nothing_that_a_seat_may_do_or_sees() -> None:
    """B plays cards, scarecrows and bishops, and passes. A's face-down cards differ between the two positions."""
    hands = ["5 5", "C B 3 10", "2"]
    one, other = (
        table(FFG, hands=hands, hidden=[card], rows=["6", "3", ""], turn="B", options=HIDDEN) for card in ("10", "D")
    )
    assert named(legal_commands(one)) == named(legal_commands(other))
    for asked in legal_commands(one):
        first, second = (decide(given, asked, chance_of(1)) for given in (one, other))
        for seat in (1, 2, None):
            assert visible_events(first, seat) == visible_events(second, seat)


def test_a_pass_shows_nothing_of_a_card_that_stays_face_down() -> None:
    """Events and views are the same for any card (ffg-2007, Hidden Cards)."""
    one, other = (
        play(table(FFG, hands=["5", "2", "3"], hidden=[card], options=HIDDEN), "A passes") for card in ("10", "D")
    )
    for stranger in STRANGERS:
        assert visible_events(one.events, stranger) == visible_events(other.events, stranger)
        assert looks_alike(one.state, other.state, stranger)


def test_a_pass_that_turns_a_card_up_shows_that_card_alone() -> None:
    """Everybody sees the card; a pass that leaves it face down looks the same for any card (ffg-2007, Hidden Cards)."""
    given = table(FFG, hands=["5", "2", "3"], hidden=["10"], options=HIDDEN)
    then = play(given, "A passes turning up 10")
    for stranger in STRANGERS:
        turned = seen_by(then.events[0], stranger)
        assert event_to_record(turned) == {"type": "card-turned-up", "seat": 0, "card": "mercenary-10"}
        assert view_for(then.state, stranger).rows[0] == cards("10")
    for stranger in (1, 2, None):
        assert view_for(given, stranger).legal == ()


@proves("13.24", FFG)
def test_turning_up_the_older_card_shows_nothing_of_the_newer() -> None:
    """Nobody sees whether both are of one kind: 3 over 3 looks like 10 over 3 (ffg-2007, Hidden Cards)."""
    given = table(FFG, hands=["3 10 1", "2", "3"], hidden=["3"], options=HIDDEN)
    one, other = play(given, "A plays 3"), play(given, "A plays 10 turning up 3")
    assert only(CardTurnedUp, one.events) == CardTurnedUp(0, kind("3"), newest=False)
    for stranger in STRANGERS:
        assert visible_events(one.events, stranger) == visible_events(other.events, stranger)
        assert looks_alike(one.state, other.state, stranger)


@proves("13.24", FFG)
def test_turning_up_the_newer_card_does_not_show_that_the_two_differ() -> None:
    """3 over 3, the older turned up, looks like 3 over 10 with the newer turned up (ffg-2007, Hidden Cards)."""
    one = play(table(FFG, hands=["3 1", "2", "3"], hidden=["3"], options=HIDDEN), "A plays 3")
    other = play(table(FFG, hands=["3 1", "2", "3"], hidden=["10"], options=HIDDEN), "A plays 3 turning up 3")
    assert [only(CardTurnedUp, played.events).newest for played in (one, other)] == [False, True]
    for stranger in STRANGERS:
        assert visible_events(one.events, stranger) == visible_events(other.events, stranger)


@proves("11.4", FFG)
def test_only_its_owner_knows_which_cards_the_last_hand_keeps() -> None:
    """How many are kept and discarded is public (ffg-2007, End of Round; our reading: the rulebook is silent)."""
    given = table(FFG, hands=["10 H W", "", ""], phase="keep-cards", contested=None)
    ways = [play(given, f"A keeps {kept}", chance=Script(deals=[ANY])).events for kept in ("10 H", "10 W", "W H")]
    for stranger in STRANGERS:
        seen = [
            [seen_by(event, stranger) for event in events if isinstance(event, CardsKept | HandDiscarded)]
            for events in ways
        ]
        assert seen == [[CardsKept(0, 2), HandDiscarded(0, 1, forced=True)]] * 3
    kept = only(CardsKept, ways[0])
    assert seen_by(kept, 0) == kept == CardsKept(0, cards("10 H"))


@proves("11.4", FFG)
def test_only_its_owner_sees_which_cards_are_drawn() -> None:
    """Their number is public (ffg-2007, Draw After Battle)."""
    given = table(FFG, hands=["1", "2", "3"], phase="draw-cards", options=DRAWING)
    drawn = [play(given, "A draws 2", chance=Script(deals=[[dealt]])) for dealt in ("10 H", "W X")]
    for stranger in STRANGERS:
        assert visible_events(drawn[0].events, stranger) == visible_events(drawn[1].events, stranger)
        assert looks_alike(drawn[0].state, drawn[1].state, stranger)
        assert seen_by(only(CardsDrawn, drawn[0].events), stranger) == CardsDrawn(0, 2, 0, 2)
    assert seen_by(only(CardsDrawn, drawn[0].events), 0) == CardsDrawn(0, cards("10 H"), 0, 2)


@proves("11.3 11.4", DUEL)
def test_how_many_cards_a_deck_still_has_is_public_and_which_is_not() -> None:
    """In a duel the numbers include both decks and the discard (zman-2018, 2-Player Game)."""
    given = table(DUEL, 2, rows=["10", "5 5"], hands=["1 2 3", "4"], discard="H D")
    for seat in (0, 1, None):
        view = view_for(given, seat)
        assert (view.decks, view.discard) == ((23 - 4 - 2, 23 - 3), 2)
        assert not any(name in repr(view.decks) for name in NAMES)


@proves("2.1 11.2 11.4", DUEL)
def test_a_duellist_sees_its_own_cards_drawn_and_not_the_others() -> None:
    """Played cards leave unseen: the view shows only the number of discarded cards (zman-2018, 2-Player Game)."""
    given = table(DUEL, 2, rows=["10"], hands=["1", "2"], passed="B")
    then = play(given, "A passes", chance=Script(deals=[["2 3 4 5 6 10 H"], ["1 1 3 3 4 4 5"]]))
    drawn = every(CardsDrawn, then.events)
    assert [event.seat for event in drawn] == [0, 1]
    assert [seen_by(event, 1) for event in drawn] == [CardsDrawn(0, 7, 0, 7), drawn[1]]
    assert view_for(then.state, 1).discard == 1
    assert view_for(then.state, 1).hands == (8, cards("1 1 2 3 3 4 4 5"))


def test_a_refusal_names_only_cards_of_the_seat_that_asks() -> None:
    """The refusal of B's illegal command does not reveal A's face-down card."""
    for card in ("10", "D"):
        given = table(FFG, hands=["5", "C", "3"], hidden=[card], rows=["6"], turn="B", options=HIDDEN)
        for move in ("B plays C taking 10 of A", "B plays C turning up 10"):
            with pytest.raises(Exception, match="scarecrow") as refused:
                play(given, move)
            assert "drummer" not in str(refused.value)
