"""The only seat with cards is not asked whether it keeps them: it has no choice, and that it is alone is public."""

from dataclasses import replace

import pytest

from engine import NEWEST, Edition
from engine.events import HandDiscarded, HandKept, TurnStarted
from engine.phase_names import CHOOSE_REGION, KEEP_CARDS, KEEP_OR_DISCARD
from engine.phases.hands import each_seat_keeps_or_discards, each_seat_keeps_or_discards_while_others_have_cards

from .cases import FFG, ON_THE_BOARD
from .table import ANY, SEATS, Played, Script, every, play, table


def without_the_question(key: str) -> Edition:
    """Return an edition that does not ask the only seat with cards."""
    steps = {each_seat_keeps_or_discards: each_seat_keeps_or_discards_while_others_have_cards}
    return replace(NEWEST[key], aftermath=tuple(steps.get(step, step) for step in NEWEST[key].aftermath))


def after_a_battle(key: str, *hands: str) -> Played:
    """Return a position just after a battle that A has won, and its chain of events.

    Where the next region is chosen first, it has been; where the last hand is discarded, a new round has been dealt.
    """
    given = table(without_the_question(key), rows=["10"], hands=hands, passed="BC")
    if key == FFG:
        return play(given, "A passes", "A chooses roma")
    return play(given, "A passes", chance=Script(deals=[ANY] if hands[1:] == ("", "") else []))


def questions(then: Played) -> list[str]:
    """Return the seats that were asked whether they keep their hand."""
    return [SEATS[turn.seat] for turn in every(TurnStarted, then.events) if turn.phase == KEEP_OR_DISCARD]


@pytest.mark.parametrize("key", ON_THE_BOARD)
@pytest.mark.parametrize("hand", ["1 2", "H W"], ids=["a mercenary", "no mercenary"])
def test_the_only_seat_with_cards_is_not_asked(key: str, hand: str) -> None:
    """Whether it could discard its hand makes no difference: silence would tell which."""
    then = after_a_battle(key, hand, "", "")
    assert questions(then) == []
    assert every(HandKept, then.events) == []
    assert then.events[-1] == TurnStarted(0, KEEP_CARDS if key == FFG else CHOOSE_REGION)


@pytest.mark.parametrize("key", ON_THE_BOARD)
def test_a_seat_left_alone_by_an_answer_is_not_asked(key: str) -> None:
    """A discards, so B is the only one: its hand goes as well, but where it may keep some cards."""
    given = after_a_battle(key, "H W", "1 2", "")
    assert questions(given) == ["A"]
    then = play(given.state, "A discards", chance=Script(deals=[] if key == FFG else [ANY]))
    assert questions(then) == []
    lost = [(event.seat, event.forced) for event in every(HandDiscarded, then.events)]
    assert lost == ([(0, False)] if key == FFG else [(0, False), (1, True)])
    assert then.events[-1] == TurnStarted(*((1, KEEP_CARDS) if key == FFG else (0, CHOOSE_REGION)))


@pytest.mark.parametrize("key", ON_THE_BOARD)
def test_a_seat_is_asked_as_long_as_another_has_cards(key: str) -> None:
    """Also where that one has answered, and also a seat that may only keep."""
    given = after_a_battle(key, "H W", "1 2", "D")
    then = play(given.state, "A keeps", "B keeps")
    assert [*questions(given), *questions(then)] == ["A", "B", "C"]
    assert questions(play(given.state, "A discards", "B keeps")) == ["B", "C"]


@pytest.mark.parametrize("key", ON_THE_BOARD)
def test_a_seat_left_alone_by_a_resignation_is_not_asked(key: str) -> None:
    """The question that was put to it lapses, and so does the one that it would have been put."""
    given = after_a_battle(key, "H W", "1 2", "").state
    dealt = [] if key == FFG else [ANY]
    for resigns in ("A resigns", "B resigns"):
        then = play(given, resigns, chance=Script(deals=dealt))
        assert questions(then) == []
        assert then.state.rounds == (0 if key == FFG else 1)
        left = 1 if resigns == "A resigns" else 0
        assert then.state.phase == (KEEP_CARDS if key == FFG else CHOOSE_REGION)
        assert then.state.turn == (left if key == FFG else then.state.marker)
