"""Secrecy: views and events reveal nothing about another seat's hand."""

import json

import pytest

from engine import Event, View, event_to_record, legal_commands, seen_by, view_for
from engine.board import members
from engine.cards import names_of
from engine.events import HandDiscarded, HandsDealt
from engine.notation import view_notation

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, ON_THE_BOARD, REVISED, ZMAN, in_cases, in_editions, proves
from .table import ANY, Script, cards, kind, named, play, region, regions, table

HANDS = ["H H 2 3 C", "5 5 D W X", "6 10 10 1"]


def secret(hand: str) -> tuple[str, str]:
    """Return the two texts in which a hand could appear: its counts and the list of its cards."""
    return str(cards(hand)), str(names_of(cards(hand)))


@proves("11.2 11.3", *ON_THE_BOARD)
@in_editions("view", *ON_THE_BOARD)
@pytest.mark.parametrize("phase", ["battle", "choose-region", "keep-or-discard"])
def test_a_view_shows_the_own_hand_and_the_size_of_the_others(edition: str, phase: str) -> None:
    """The number of cards is public; the cards are not."""
    state = table(edition, hands=HANDS, phase=phase)
    for seat in range(3):
        view = view_for(state, seat)
        expected = [len(hand.split()) for hand in HANDS]
        assert [cards if isinstance(cards, int) else sum(cards) for cards in view.hands] == expected
        assert view.hands[seat] == cards(HANDS[seat])
        for other, hand in enumerate(HANDS):
            assert any(trace in repr(view) for trace in secret(hand)) is (other == seat)


@proves("11.2 11.3", *ON_THE_BOARD)
@in_editions("spectator", *ON_THE_BOARD)
def test_a_spectator_sees_no_hand(edition: str) -> None:
    """A spectator has no legal commands."""
    view = view_for(table(edition, hands=HANDS), None)
    assert view.hands == (5, 5, 4)
    assert view.legal == ()
    assert view.seat is None
    assert not any(trace in repr(view) for hand in HANDS for trace in secret(hand))


@in_editions("revealed", *ON_THE_BOARD)
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_view_of_a_game_that_is_over_shows_every_hand(edition: str, seat: int | None) -> None:
    """Nothing else in the view changes: the legal commands are still only those of the seat."""
    state = table(edition, hands=HANDS, turn="B")
    view = view_for(state, seat, revealed=True)
    assert view.hands == tuple(map(cards, HANDS))
    assert view.hidden == (cards(""),) * 3
    assert view._replace(hands=(), hidden=()) == view_for(state, seat)._replace(hands=(), hidden=())
    assert "?" not in f"{view_notation(view)} ".partition(" hands=")[2].partition(" ")[0]


@in_editions("legal", *ON_THE_BOARD)
def test_only_the_seat_to_act_is_told_what_it_may_ask(edition: str) -> None:
    """The commands would reveal its hand."""
    state = table(edition, hands=HANDS, turn="B")
    assert view_for(state, 1).legal == tuple(legal_commands(state))
    assert view_for(state, 0).legal == view_for(state, 2).legal == ()


@proves("11.1 11.3", *ON_THE_BOARD)
@in_cases("favor", ("open", (ZMAN, FFG), "lucca"), ("open", (CLASSIC, REVISED, EUROGAMES), None))
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_view_shows_everything_that_lies_open(edition: str, favor: str | None, seat: int | None) -> None:
    """It shows rows, season, markers, passes and resignations, and the number of hidden cards in each place."""
    state = table(
        edition, 4, rows=["10", "H", ""], hands=["1", "2 2", "3"], held=["roma siena", "", "napoli"], discard="H 4",
        season="W", favor=favor, contested="torino", marker="B", turn="C", passed="A", gone="D", points=[3, 0, 1, 0],
        declines=2,
    )  # fmt: skip
    view = view_for(state, seat)
    assert view.rows == (cards("10"), cards("H"), cards(""), cards(""))
    assert view.strengths() == [[("mercenaries", 10), ("winter", -9)], [("heroines", 10)], [], []]
    assert view.held == (regions("roma siena"), 0, regions("napoli"), 0)
    assert (view.season, view.contested) == (kind("W"), region("torino"))
    assert view.favor == (None if favor is None else region(favor))
    assert (view.marker, view.turn, view.passed, view.gone) == (1, 2, (0, 3), (3,))
    assert (view.decks, view.discard) == ((sum(state.edition.deck) - 9,), 2)
    assert (view.rounds, view.battles, view.result) == (0, 1, None)
    assert (view.points, view.declines) == ((3, 0, 1, 0), 2)
    assert (view.idle, view.stalls, view.most_idle()) == (0, 0, 6)
    assert view.edition is state.edition
    assert view.phase == "battle"


@proves("11.1 11.3", DUEL)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_of_a_duel_shows_everything_that_lies_open(seat: int | None) -> None:
    """The number of won battles takes the place of the board (zman-2018, 2-Player Game)."""
    state = table(
        DUEL, 2, rows=["10 D", "3"], hands=["1 2", "H"], won=[1, 2], season="P", marker="B", turn="A", passed="B"
    )
    view = view_for(state, seat)
    assert view.rows == (cards("10 D"), cards("3"))
    assert view.strengths() == [[("mercenaries", 10), ("drummer", 10), ("spring", 3)], [("mercenaries", 3)]]
    assert (view.won, view.season, view.marker, view.turn) == ((1, 2), kind("P"), 1, 0)
    assert (view.passed, view.gone, view.phase) == ((1,), (), "battle")
    assert [cards if isinstance(cards, int) else sum(cards) for cards in view.hands] == [2, 1]


@in_editions("bare", *ON_THE_BOARD)
def test_what_is_not_there_is_none(edition: str) -> None:
    """These values are None: season, favor marker and contested region if absent, and the turn after the end."""
    given = table(edition, rows=["10"], hands=["1", "1", "1"], passed="BC", options={"battle_limit": 1})
    state = play(given, "A passes").state
    view = view_for(state, 0)
    assert (view.season, view.favor, view.contested, view.turn) == (None, None, None, None)
    assert view.result == state.result
    assert view.legal == ()
    assert list(members(view.held[0])) == [region("torino")]


@proves("2.1", *ON_THE_BOARD)
def test_a_deal_shows_each_seat_its_own_hand() -> None:
    """The event and its record show other hands only as numbers."""
    dealt = HandsDealt(tuple(map(cards, HANDS)), 3)
    for seat in (0, 1, 2, None):
        seen = seen_by(dealt, seat)
        assert isinstance(seen, HandsDealt)
        assert seen.draw == 3
        assert [seen.hands[other] == cards(HANDS[other]) for other in range(3)] == [other == seat for other in range(3)]
        record = json.dumps(event_to_record(seen))
        for other, hand in enumerate(HANDS):
            assert (json.dumps(names_of(cards(hand))) in record) is (other == seat)
        assert seen_by(seen, None) == seen_by(dealt, None)


@proves("11.4", *ON_THE_BOARD)
def test_a_forced_discard_shows_nothing_either() -> None:
    """The last hand is discarded face down (house ruling on hand discards)."""
    lost = HandDiscarded(1, cards("10 H"), forced=True)
    assert seen_by(lost, 1) == lost
    assert seen_by(lost, 2) == seen_by(lost, None) == HandDiscarded(1, 2, forced=True)


def test_what_is_open_is_the_same_for_all() -> None:
    """Without drawn, kept or face-down cards, the only events that hide anything are deals and discards of hands."""
    given = table(ZMAN, rows=["10"], hands=["1", "", ""])
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    for event in then.events:
        if not isinstance(event, HandsDealt | HandDiscarded):
            assert seen_by(event, 0) is seen_by(event, None) is event


def visible_events(events: list[Event], seat: int) -> list[Event]:
    """Return events as a seat sees them."""
    return [seen_by(event, seat) for event in events]


@in_editions("twins", *(key for key in ON_THE_BOARD if key != FFG))
@pytest.mark.parametrize(
    "moves",
    [
        ["A plays 1", "B passes", "C passes", "A passes"],
        ["A passes", "B passes", "C passes"],
        ["A plays H", "B passes"],
    ],
)
def test_a_seat_cannot_tell_two_tables_apart_that_differ_in_hidden_cards(edition: str, moves: list[str]) -> None:
    """B and C swap hands, one of which has mercenaries. A sees the same after every move."""
    one = table(edition, hands=["1 H", "D W", "10 6"], rows=["6"], marker="A")
    other = table(edition, hands=["1 H", "10 6", "D W"], rows=["6"], marker="A")
    for move in moves:
        assert view_for(one, 0) == view_for(other, 0)
        first, second = play(one, move), play(other, move)
        assert named(visible_events(first.events, 0)) == named(visible_events(second.events, 0))
        one, other = first.state, second.state
    assert view_for(one, 0) == view_for(other, 0)


@in_editions("asked-alike", *ON_THE_BOARD)
def test_whoever_must_answer_is_asked_with_and_without_a_mercenary(edition: str) -> None:
    """The question reveals nothing: seats with the same number of cards are asked in the same way."""
    for hand in ("D W", "10 6", "H 1"):
        given = table(edition, rows=["10"], hands=["1", hand, "2"], passed="BC")
        chosen = ["A chooses roma"] if edition == FFG else []
        then = play(given, "A passes", *chosen, "A keeps")
        assert then.state.turn == 1
        assert then.state.phase == "keep-or-discard"


def test_a_view_is_frozen() -> None:
    """A program that changes its view does not change the game."""
    state = table("zman-2018", hands=["1 2", "3", "4"], rows=["5"])
    view = view_for(state, 0)
    assert isinstance(view, View)
    hash(view.hands)
    hash(view.rows)
    hash(view.held)
    play(state, "A plays 1")
    assert view == view_for(state, 0)
