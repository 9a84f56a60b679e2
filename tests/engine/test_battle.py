"""The battle: each turn is one card or a pass, clockwise from the holder of the battle marker."""

from engine import NEWEST, Pass, PlayCard, legal_commands
from engine.events import BattleEnded, CardPlayed, RegionChosen, SeatPassed, TurnStarted
from engine.state import NO_CARD

from .cases import (
    BOTH_EUROGAMES,
    CLASSIC,
    DUEL,
    EUROGAMES,
    FFG,
    ON_THE_BOARD,
    PRINTED,
    REVISED,
    ZMAN,
    in_cases,
    in_editions,
    proves,
)
from .table import ANY, LETTERS, SEATS, Script, cards, command, every, kind, only, play, regions, table, types


@proves("4.1", *ON_THE_BOARD)
@in_editions("turn-order", *ON_THE_BOARD)
def test_turns_go_clockwise_from_the_marker(edition: str) -> None:
    """(zman-2018, Player Turn; eurogames-1995, Course of a battle)."""
    given = table(edition, 4, hands=["1 1"] * 4, marker="C", turn="C", phase="choose-region", battles=0)
    then = play(given, "C chooses roma", "C plays 1", "D plays 1", "A passes", "B plays 1", "C plays 1", "D passes")
    assert [event.seat for event in every(TurnStarted, then.events)] == [2, 3, 0, 1, 2, 3, 1]


@proves("4.8", ZMAN, CLASSIC, DUEL, FFG, REVISED)
@proves("4.11", EUROGAMES)
@proves("4.1", DUEL)
@proves("7.1", *PRINTED)
@in_editions("T29", *PRINTED)
def test_whoever_is_left_alone_plays_on_and_then_passes(edition: str) -> None:
    """T29: three cards in a row against seats that passed (zman-2018, Pass; eurogames-1995, Course of a battle)."""
    seats = 2 if edition == DUEL else 3
    given = table(edition, seats, hands=["1 2 3 4", "1", "1"][:seats], passed="BCDEF"[: seats - 1])
    chance = Script(deals=[ANY] * (2 if edition == DUEL else 0))
    then = play(given, "A plays 1", "A plays 2", "A plays 3", "A passes", chance=chance)
    assert only(BattleEnded, then.events).strengths == (6, 0, 0)[:seats]
    assert every(TurnStarted, then.events)[:3] == [TurnStarted(0, "battle")] * 3


@proves("4.2", *PRINTED)
@in_editions("nobody-must", *PRINTED)
def test_the_holder_may_pass_at_once(edition: str) -> None:
    """No seat has to take part (zman-2018, Pass; eurogames-1995, Course of a battle)."""
    given = table(edition, 2, hands=["10", "1"])
    then = play(given, "A passes")
    assert then.events == [SeatPassed(0, final=True, forced=False), TurnStarted(1, "battle")]


@proves("4.6 7.2", *ON_THE_BOARD)
@in_editions("row-counts", *ON_THE_BOARD)
def test_a_row_may_win_after_its_seat_has_passed(edition: str) -> None:
    """(zman-2018, Pass; eurogames-1995, Ablauf eines Kampfes)."""
    given = table(edition, rows=["10", "", ""], hands=["1", "2 2", "1"], passed="A", turn="B")
    then = play(given, "B plays 2", "C passes", "B passes")
    assert only(BattleEnded, then.events).winner == 0
    assert then.state.held[0] == regions("torino")


@proves("4.7", ZMAN, CLASSIC, FFG, REVISED)
@proves("4.10", EUROGAMES)
@in_editions("forced-pass", *ON_THE_BOARD)
def test_an_empty_hand_passes_by_itself(edition: str) -> None:
    """The pass follows the last card immediately (zman-2018, Pass; eurogames-1995, A player without cards)."""
    then = play(table(edition, hands=["10", "1", "1"]), "A plays 10")
    assert then.events == [
        CardPlayed(0, 6, "row", None, None, None),
        SeatPassed(0, final=True, forced=True),
        TurnStarted(1, "battle"),
    ]
    assert then.state.passed == 0b001


@proves("7.1", *ON_THE_BOARD)
@in_editions("last-cards", *ON_THE_BOARD)
def test_the_last_card_of_the_last_seat_ends_the_battle(edition: str) -> None:
    """All seats have then passed (zman-2018, End of Battle; eurogames-1995, End of the battle)."""
    given = table(edition, rows=["", "1"], hands=["10", "1", "1"], passed="BC")
    then = play(given, "A plays 10")
    assert types(then.events)[:4] == ["CardPlayed", "SeatPassed", "BattleEnded", "MarkerTaken"]
    assert only(BattleEnded, then.events).cause == "passes"


@proves("4.7", ZMAN, CLASSIC, FFG, REVISED)
@proves("4.10 3.3", EUROGAMES)
@proves("3.5", ZMAN, FFG)
@proves("3.4", CLASSIC)
@proves("3.6", REVISED)
@in_editions("without-cards", *ON_THE_BOARD)
def test_seats_without_cards_pass_when_the_battle_begins(edition: str) -> None:
    """The holder without cards chooses and does not fight (zman-2018, Pass; eurogames-1995, Karten abwerfen)."""
    given = table(edition, 4, hands=["", "1", "", "1"], phase="choose-region", battles=0)
    then = play(given, "A chooses roma")
    assert then.events == [
        RegionChosen(0, 15),
        SeatPassed(0, final=True, forced=True),
        SeatPassed(2, final=True, forced=True),
        TurnStarted(1, "battle"),
    ]


def with_the(card: str) -> tuple[str, ...]:
    """Return the keys of the printed editions that have this card."""
    return tuple(key for key in PRINTED if NEWEST[key].deck[kind(card)])


@proves("4.4", *PRINTED)
@in_cases("card", *((f"any-first-card-{card}", with_the(card), card) for card in LETTERS))
def test_any_card_may_be_laid_first(edition: str, card: str) -> None:
    """Special cards too, with or without effect (zman-2018, Play a Card; eurogames-1995, Ablauf eines Kampfes)."""
    given = table(edition, 2, hands=[f"{card} 1", "1"])
    named = [command for command in legal_commands(given) if isinstance(command, PlayCard)]
    assert kind(card) in {command.card for command in named}


LIES = {"W": "season", "P": "season"}


@proves("4.5", ZMAN, CLASSIC, DUEL, FFG)
@proves("4.3", *BOTH_EUROGAMES)
@in_cases("card", *((f"lies-{card}", with_the(card), card) for card in LETTERS if card not in "XB"))
def test_a_card_is_laid_face_up_in_its_row_or_on_the_season_space(edition: str, card: str) -> None:
    """One edition discards a scarecrow immediately (zman-2018, Play a Card; ffg-2007, Scarecrow)."""
    then = play(table(edition, 2, hands=[f"{card} 1", "1"]), f"A plays {card}")
    place = "discard" if (edition, card) == (FFG, "C") else LIES.get(card, "row")
    assert only(CardPlayed, then.events) == CardPlayed(0, kind(card), place, None, None, None)
    assert tuple(then.state.rows[0]) == cards(card if place == "row" else "")
    assert then.state.season == (kind(card) if place == "season" else NO_CARD)
    assert tuple(then.state.discard) == cards(card if place == "discard" else "")


@proves("4.2 4.3", *PRINTED)
@in_editions("what-may-be-asked", *PRINTED)
def test_a_seat_may_pass_or_play_each_kind_in_its_hand(edition: str) -> None:
    """Two copies of a card give a single command (zman-2018, Player Turn; eurogames-1995, Course of a battle)."""
    given = table(edition, 2, hands=["1 1 10 H", "1"])
    assert legal_commands(given) == [Pass(0), *(command(f"A plays {card}") for card in ("1", "10", "H"))]


@proves("4.1", *ON_THE_BOARD)
@in_editions("six-seats", *ON_THE_BOARD)
def test_six_seats_take_turns_in_a_ring(edition: str) -> None:
    """The turn comes round from the last seat to the first (zman-2018, Player Turn)."""
    given = table(edition, 6, hands=["1 2"] * 6, marker="E", turn="E")
    then = play(given, *(f"{SEATS[seat]} plays 1" for seat in (4, 5, 0, 1, 2, 3)))
    assert then.events[-1] == TurnStarted(4, "battle")
    assert [tuple(row) for row in then.state.rows] == [cards("1")] * 6
