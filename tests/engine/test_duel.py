"""The two-player game: no board, a separate deck for each seat, three battles to win (zman-2018, 2-Player Game)."""

import pytest

from engine import EDITIONS, PlayCard, State, edition, legal_commands, replay, start, view_for
from engine.cards import BISHOP
from engine.events import (
    BattleEnded,
    CardsDrawn,
    FavorMoved,
    GameEnded,
    MarkerTaken,
    MercenariesRemoved,
    RowsDiscarded,
    SeatPassed,
    TurnStarted,
)

from .cases import DUEL, in_cases, in_editions, proves
from .table import ANY, Script, all_cards, cards, every, kind, only, play, printed_cards, strengths_of, table, types

LEVEL = [(1, (0, 1)), (2, ())]
"""The winners of a tied game that ends with a stall or at the battle limit, by revision."""


def duel(*hands: str, rows: tuple[str, ...] = (), passed: str = "", **given: object) -> State:
    """Return a battle of two seats; it is A's turn."""
    return table(DUEL, 2, hands=hands, rows=rows, passed=passed, **given)  # type: ignore[arg-type]


def duel_under(revision: int, *, options: dict[str, object], rows: tuple[str, ...] = (), won: tuple[int, int]) -> State:
    """Return a battle under a revision of the rules; B has passed and it is A's turn."""
    value = edition(DUEL, revision, options)
    return table(value, 2, hands=["1", "1"], rows=rows, passed="B", won=won)


def out_of_decks(*hands: str, rows: tuple[str, ...] = (), passed: str = "", won: tuple[int, ...] = ()) -> State:
    """Return the same position with empty decks."""
    return duel(*hands, rows=rows, passed=passed, won=won, decks=["", ""])


@proves("7.2 7.4 8.2 8.3", DUEL)
@in_editions("T97", DUEL)
def test_the_winner_takes_a_marker_and_both_draw_up_to_eight(edition: str) -> None:
    """T97: the three played cards leave the game unseen (zman-2018, 2-Player Game)."""
    given = duel("1 2 3 4 5", "1 2 3 4 5 6", rows=("10 5", "10"), passed="B")
    assert given.edition.key == edition
    then = play(given, "A passes", chance=Script(deals=[["6 6 H"], ["6 H"]]))
    assert then.state.won == [1, 0]
    assert types(then.events) == [
        "SeatPassed",
        "BattleEnded",
        "MarkerTaken",
        "RowsDiscarded",
        "CardsDrawn",
        "CardsDrawn",
        "TurnStarted",
    ]
    assert [sum(hand) for hand in then.state.hands] == [8, 8]
    assert every(CardsDrawn, then.events) == [CardsDrawn(0, cards("6 6 H"), 0, 3), CardsDrawn(1, cards("6 H"), 1, 2)]
    assert then.events[-1] == TurnStarted(0, "battle")
    assert view_for(then.state, 1).discard == 3
    assert all_cards(then.state) == printed_cards(then.state)


@proves("3.1 4.1 7.5 8.4", DUEL)
def test_nothing_is_asked_between_two_battles() -> None:
    """Nobody chooses a region or discards: the holder of the marker plays first (zman-2018, 2-Player Game)."""
    given = duel("H D", "W", rows=("1", "2"), passed="A")
    given.turn = 1
    then = play(given, "B passes", chance=Script(deals=[ANY, ANY]))
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "victory", None)
    assert [event.seat for event in every(CardsDrawn, then.events)] == [1, 0]
    assert then.events[-1] == TurnStarted(1, "battle")


@proves("1.4 9.1 9.2 12.1", DUEL)
@in_editions("T98", DUEL)
def test_three_won_battles_win(edition: str) -> None:
    """T98: they win immediately, before any card is drawn (zman-2018, 2-Player Game)."""
    given = duel("1", "1", rows=("10", "5"), passed="B", won=(2, 2))
    assert given.edition.key == edition
    then = play(given, "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("battles-won",))
    assert then.state.won == [3, 2]


@proves("9.1", DUEL)
def test_a_second_won_battle_is_not_enough() -> None:
    """(zman-2018, 2-Player Game)."""
    then = play(duel("1", "1", rows=("10", "5"), passed="B", won=(1, 2)), "A passes", chance=Script(deals=[ANY, ANY]))
    assert every(GameEnded, then.events) == []


@proves("9.3", DUEL)
@in_cases(
    "won winners",
    ("T100-ahead", DUEL, (1, 1), (0,)),
    ("T100-behind", DUEL, (0, 2), (1,)),
    ("T100-draw", DUEL, (1, 2), ()),
    ("T100-draw-at-one", DUEL, (0, 1), ()),
)
def test_when_both_are_out_of_cards_more_battles_win(
    edition: str, won: tuple[int, int], winners: tuple[int, ...]
) -> None:
    """T100: the last battle counts; a tie is a draw without a winner (zman-2018, 2-Player Game)."""
    given = out_of_decks("10", "", rows=("1", "5"), won=won)
    assert given.edition.key == edition
    then = play(given, "A plays 10")
    assert only(GameEnded, then.events) == GameEnded(winners, ("out-of-cards",))


@proves("7.5 9.3", DUEL)
def test_the_lot_of_a_tie_is_drawn_before_the_cards_are_seen_to_be_out() -> None:
    """The battle decides the marker as well (our reading of zman-2018, 2-Player Game)."""
    given = out_of_decks("5", "", rows=("", "5"), won=(1, 0))
    then = play(given, "A plays 5", chance=Script(lots=["B of AB"]))
    assert types(then.events)[-4:] == ["BattleEnded", "MarkerTaken", "RowsDiscarded", "GameEnded"]
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "lot", 0)
    assert only(GameEnded, then.events).winners == (0,)


@proves("4.7 8.3", DUEL)
def test_who_is_out_of_cards_passes_in_the_battles_that_remain() -> None:
    """The other seat plays on alone, and the deck is not reset (zman-2018, 2-Player Game)."""
    given = out_of_decks("10", "1 2", rows=("", "5"), passed="B")
    then = play(given, "A plays 10")
    assert every(CardsDrawn, then.events) == []
    assert then.events[-2:] == [SeatPassed(0, final=True, forced=True), TurnStarted(1, "battle")]
    then = play(then.state, "B plays 1", "B plays 2")
    assert only(BattleEnded, then.events).winner == 1
    assert only(GameEnded, then.events) == GameEnded((), ("out-of-cards",))


@proves("4.6 7.2", DUEL)
def test_a_row_may_win_after_its_seat_has_passed() -> None:
    """Its seat lays no more cards (zman-2018, Pass)."""
    given = duel("1", "2 3", rows=("10", ""))
    then = play(given, "A passes", "B plays 2", "B passes", chance=Script(deals=[ANY, ANY]))
    assert only(BattleEnded, then.events) == BattleEnded(None, "passes", (10, 2), (0,), 0)
    assert then.state.won == [1, 0]


@proves("8.3", DUEL)
@pytest.mark.parametrize(("left", "drawn"), [("6 6", 2), ("6", 1), ("", 0), ("6 6 H D W P B X", 7)])
def test_a_hand_is_filled_as_far_as_its_own_deck_goes(left: str, drawn: int) -> None:
    """(zman-2018, 2-Player Game: if possible)."""
    given = duel("1", "1 2 3 4 5 6 10 H", rows=("10",), passed="B", decks=[left, "1 2 3"])
    then = play(given, "A passes", chance=Script(deals=[ANY] if drawn else []))
    assert [sum(cards) for cards in then.state.hands] == [1 + drawn, 8]
    assert [sum(deck) for deck in then.state.decks] == [len(left.split()) - drawn, 3]


@proves("1.3 8.3", DUEL)
def test_the_one_deck_is_not_drawn_for_the_other_seat() -> None:
    """Each seat has its own deck (zman-2018, 2-Player Game)."""
    given = duel("1", "2", rows=("10",), passed="B", decks=["6 6", "H"])
    then = play(given, "A passes", chance=Script(deals=[["6 6"], ["H"]]))
    assert [tuple(hand) for hand in then.state.hands] == [cards("1 6 6"), cards("2 H")]


@proves("6.2 6.3 6.4", DUEL)
@in_editions("T101", DUEL)
def test_a_bishop_discards_the_highest_and_there_is_no_favor_marker(edition: str) -> None:
    """T101 (zman-2018, 2-Player Game)."""
    given = duel("B 1", "1", rows=("10 2", "10 6"))
    assert given.edition.key == edition
    assert [play for play in legal_commands(given) if isinstance(play, PlayCard) and play.card == BISHOP] == [
        PlayCard(0, BISHOP)
    ]
    then = play(given, "A plays B")
    assert only(MercenariesRemoved, then.events) == MercenariesRemoved(kind("10"), (1, 1))
    assert every(FavorMoved, then.events) == []
    assert strengths_of(then.state) == (2, 6)
    assert tuple(then.state.rows[0]) == cards("2 B")


@proves("7.2 7.4 7.5", DUEL)
@pytest.mark.parametrize("winner", "AB")
def test_a_tie_gives_nobody_a_marker_and_a_lot_the_battle_marker(winner: str) -> None:
    """(zman-2018, Determine Winner; 2-Player Game)."""
    given = duel("1", "1", rows=("5", "5"), passed="B", won=(2, 2))
    then = play(given, "A passes", chance=Script(lots=[f"{winner} of AB"], deals=[ANY, ANY]))
    assert then.state.won == [2, 2]
    assert then.events[-1] == TurnStarted("AB".index(winner), "battle")


@proves("10.1", DUEL)
@pytest.mark.parametrize("revision", EDITIONS[DUEL])
@pytest.mark.parametrize("won", [(2, 1), (0, 1)])
def test_two_battles_a_seat_without_a_card_end_the_duel(revision: int, won: tuple[int, int]) -> None:
    """There is no new deal, so the number of won battles decides (10.1, house rule)."""
    given = duel_under(revision, options={}, won=won)
    given.idle = 3
    then = play(given, "A passes", chance=Script(lots=["A of AB"]))
    assert only(GameEnded, then.events) == GameEnded((won.index(max(won)),), ("stall",))


@proves("10.1", DUEL)
@pytest.mark.parametrize(("revision", "winners"), LEVEL)
@pytest.mark.parametrize("won", [(1, 1), (0, 0)])
def test_a_level_duel_that_stalls_is_drawn(revision: int, winners: tuple[int, ...], won: tuple[int, int]) -> None:
    """It is also drawn if the cards run out; under revision 1 the victory was shared (10.1, house rule)."""
    given = duel_under(revision, options={}, won=won)
    given.idle = 3
    then = play(given, "A passes", chance=Script(lots=["B of AB"]))
    assert only(GameEnded, then.events) == GameEnded(winners, ("stall",))
    assert legal_commands(then.state) == []


@proves("10.1", DUEL)
def test_one_idle_battle_fewer_is_no_stall() -> None:
    """(house rule)."""
    given = duel("1", "1", passed="B")
    given.idle = 2
    then = play(given, "A passes", chance=Script(lots=["A of AB"], deals=[ANY, ANY]))
    assert every(GameEnded, then.events) == []
    assert then.state.idle == 3


@proves("10.2", DUEL)
@pytest.mark.parametrize("revision", EDITIONS[DUEL])
def test_the_limit_of_battles_ends_a_duel_on_battles_won(revision: int) -> None:
    """(10.2, house option battle_limit)."""
    given = duel_under(revision, options={"battle_limit": 2}, rows=("10", "5"), won=(1, 0))
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0,), ("battle-limit",))


@proves("10.2", DUEL)
@pytest.mark.parametrize(("revision", "winners"), LEVEL)
def test_a_level_duel_at_the_limit_of_battles_is_drawn(revision: int, winners: tuple[int, ...]) -> None:
    """The last battle counts; under revision 1 the victory was shared (10.2, house option battle_limit)."""
    given = duel_under(revision, options={"battle_limit": 2}, rows=("10", "5"), won=(0, 1))
    assert only(GameEnded, play(given, "A passes").events) == GameEnded(winners, ("battle-limit",))


@proves("1.3 4.1", DUEL)
def test_cards_of_the_own_deck_never_come_to_the_other() -> None:
    """In a whole game, each seat has only cards of its own deck that have not been played yet."""
    state = replay(start(DUEL, 2, Script(lots=["A of AB"], deals=[ANY, ANY])))
    then = play(state, "A plays 1", "B plays 2", "A passes", "B passes", chance=Script(deals=[["6"], ["6"]]))
    for seat in (0, 1):
        own = [sum(piles) for piles in zip(then.state.hands[seat], then.state.decks[seat], strict=True)]
        missing = tuple(printed - has for printed, has in zip(then.state.edition.deck, own, strict=True))
        assert missing == cards("1" if seat == 0 else "2")
    assert len(every(RowsDiscarded, then.events)) == 1


@proves("1.2", DUEL)
def test_there_is_no_board_and_no_marker_on_it() -> None:
    """The view shows no region (zman-2018, 2-Player Game)."""
    view = view_for(duel("1", "1"), 0)
    assert view.edition.board is None
    assert not view.edition.contestable(duel("1", "1"))
    assert (view.contested, view.favor, view.held) == (None, None, (0, 0))
