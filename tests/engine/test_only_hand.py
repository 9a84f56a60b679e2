"""The only seat with cards is not asked whether it keeps them. Everybody knows that it is the only one."""

import pytest

from engine.events import HandDiscarded, HandKept, TurnStarted
from engine.phase_names import CHOOSE_REGION, KEEP_CARDS, KEEP_OR_DISCARD
from engine.phases.hands import ask_to_keep_or_discard

from .cases import FFG, ON_THE_BOARD, in_editions
from .table import ANY, SEATS, PlayResult, Script, cards, every, only, play, table, types


def after_a_battle(key: str, *hands: str, revision: int | None = None) -> PlayResult:
    """Return a position just after a battle that A has won, and its chain of events.

    If the edition chooses the next region first, that choice has been made. If it discards the last hand, a new round
    has been dealt.
    """
    given = table(key, rows=["10"], hands=hands, passed="BC", revision=revision)
    if key == FFG:
        return play(given, "A passes", "A chooses roma")
    dealt = hands[1:] == ("", "") and ask_to_keep_or_discard not in given.edition.aftermath
    return play(given, "A passes", chance=Script(deals=[ANY] if dealt else []))


def questions(then: PlayResult) -> list[str]:
    """Return the seats that were asked whether they keep their hand."""
    return [SEATS[turn.seat] for turn in every(TurnStarted, then.events) if turn.phase == KEEP_OR_DISCARD]


@in_editions("8.3", *ON_THE_BOARD)
@pytest.mark.parametrize("hand", ["1 2", "H W"], ids=["a mercenary", "no mercenary"])
def test_the_only_seat_with_cards_is_not_asked(edition: str, hand: str) -> None:
    """It is not asked even if it could discard its hand. Otherwise the missing question would reveal its cards."""
    then = after_a_battle(edition, hand, "", "")
    assert questions(then) == []
    assert every(HandKept, then.events) == []
    assert then.events[-1] == TurnStarted(0, KEEP_CARDS if edition == FFG else CHOOSE_REGION)


@in_editions("8.3", *ON_THE_BOARD)
def test_a_seat_left_alone_by_an_answer_is_not_asked(edition: str) -> None:
    """A discards, so B is the only seat with cards. Its hand is discarded too, unless it may keep some cards."""
    given = after_a_battle(edition, "H W", "1 2", "")
    assert questions(given) == ["A"]
    then = play(given.state, "A discards", chance=Script(deals=[] if edition == FFG else [ANY]))
    assert questions(then) == []
    lost = [(event.seat, event.forced) for event in every(HandDiscarded, then.events)]
    assert lost == ([(0, False)] if edition == FFG else [(0, False), (1, True)])
    assert then.events[-1] == TurnStarted(*((1, KEEP_CARDS) if edition == FFG else (0, CHOOSE_REGION)))


@in_editions("8.3", *ON_THE_BOARD)
def test_a_seat_is_asked_as_long_as_another_has_cards(edition: str) -> None:
    """The question does not depend on whether the other seat has answered, or on whether this seat may discard."""
    given = after_a_battle(edition, "H W", "1 2", "D")
    then = play(given.state, "A keeps", "B keeps")
    assert [*questions(given), *questions(then)] == ["A", "B", "C"]
    assert questions(play(given.state, "A discards", "B keeps")) == ["B", "C"]


@in_editions("8.3", *ON_THE_BOARD)
@pytest.mark.parametrize(("resigns", "left"), [("A", "B"), ("B", "A")])
def test_a_seat_left_alone_by_a_resignation_is_not_asked(edition: str, resigns: str, left: str) -> None:
    """If it is already being asked, the question is withdrawn."""
    given = after_a_battle(edition, "H W", "1 2", "").state
    assert (given.phase, given.turn) == (KEEP_OR_DISCARD, 0)
    then = play(given, f"{resigns} resigns", chance=Script(deals=[] if edition == FFG else [ANY]))
    assert questions(then) == []
    if edition == FFG:
        assert then.events[-1] == TurnStarted(SEATS.index(left), KEEP_CARDS)
    else:
        assert then.events[-1] == TurnStarted(then.state.marker, CHOOSE_REGION)
        assert then.state.rounds == 1


@in_editions("revision-1", *ON_THE_BOARD)
def test_in_revision_1_the_only_seat_with_cards_is_asked(edition: str) -> None:
    """The answer changes nothing: the hand is then discarded, or the seat is asked which cards to keep."""
    given = after_a_battle(edition, "H W", "", "", revision=1)
    assert given.events[-1] == TurnStarted(0, KEEP_OR_DISCARD)
    then = play(given.state, "A keeps", chance=Script(deals=[] if edition == FFG else [ANY]))
    if edition == FFG:
        assert types(then.events) == ["HandKept", "TurnStarted"]
        assert then.events[-1] == TurnStarted(0, KEEP_CARDS)
    else:
        assert types(then.events) == ["HandKept", "HandDiscarded", "RoundEnded", "HandsDealt", "TurnStarted"]
        assert only(HandDiscarded, then.events) == HandDiscarded(0, cards("H W"), forced=True)


@in_editions("revision-1", *ON_THE_BOARD)
def test_in_revision_1_a_seat_left_alone_by_an_answer_is_asked(edition: str) -> None:
    given = after_a_battle(edition, "H", "5", "", revision=1)
    assert play(given.state, "A discards").events[-1] == TurnStarted(1, KEEP_OR_DISCARD)
