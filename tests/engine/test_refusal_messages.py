"""The messages of refusals, by code. Messages are for people; programs use the code, the clause and the field."""

import pytest

from engine import Refusal, decide

from .refusal_cases import CASES
from .table import Script

MESSAGES = {
    "already-passed": {
        "seat 1 has already passed in this battle",
    },
    "already-resigned": {
        "seat 1 has resigned from this game",
    },
    "card-barred": {
        "a bishop may not be laid in a final battle",
        "a surrender may not be laid in a final battle",
    },
    "card-not-in-hand": {
        "seat 0 has 0 mercenary-5 in its hand and cannot keep 1",
        "seat 0 has 0 surrender in its hand and cannot keep -1",
        "seat 0 has 1 heroine in its hand and cannot keep 2",
        "seat 0 has no mercenary-10 in its hand",
        "seat 0 has no surrender in its hand",
    },
    "decline-not-allowed": {
        "the holder of the battle marker must choose a region",
    },
    "favor-not-allowed": {
        "laying a bishop does not move the favor marker: leave out favor",
        "laying a mercenary-2 does not move the favor marker: leave out favor",
        "laying a scarecrow does not move the favor marker: leave out favor",
        "laying a winter does not move the favor marker: leave out favor",
        "no region is empty, so the favor marker stays off the board: leave out favor",
    },
    "favor-region-not-empty": {
        "the favor marker may move only to a region without any marker",
        "the favor marker may not move to that region",
    },
    "favor-required": {
        "a bishop must move the favor marker: name an empty region in favor",
    },
    "game-over": {
        "the game is over",
    },
    "hand-has-mercenaries": {
        "a hand with a mercenary in it may not be discarded",
    },
    "not-your-turn": {
        "it is seat 0's turn, not seat 1's",
        "it is seat 0's turn, not seat 2's",
    },
    "region-favored": {
        "Siena has the favor marker and may not be contested",
    },
    "region-owned": {
        "Napoli has a control marker and may not be contested",
        "Roma has one of your control markers and may not be contested",
    },
    "target-not-allowed": {
        "a bishop does not take back a card: leave out take and take_from",
        "a mercenary-10 does not take back a card: leave out take and take_from",
        "a mercenary-2 does not take back a card: leave out take and take_from",
        "a winter does not take back a card: leave out take and take_from",
    },
    "target-not-in-row": {
        "take names a mercenary, so take_from must name the seat of its row",
        "take_from names a row, so take must name a mercenary in that row",
        "there is no mercenary-10 in that row",
    },
    "target-not-mercenary": {
        "a scarecrow may take back only a mercenary, not a heroine",
    },
    "target-not-own": {
        "a scarecrow may take back a mercenary only from your own row",
    },
    "target-required": {
        "your row has a mercenary that the scarecrow must take back: name it in take",
    },
    "too-many-drawn": {
        "seat 0 may draw 0 to 2 cards now",
    },
    "too-many-kept": {
        "seat 0 may keep at most 2 cards",
    },
    "turn-up-not-allowed": {
        "you cannot turn up a mercenary-5 by laying this mercenary-10",
        "you cannot turn up a mercenary-2 by laying this mercenary-2",
        "you cannot turn up a mercenary-3 by laying this mercenary-3",
        "you cannot turn up a mercenary-3 by laying this scarecrow",
        "you cannot turn up a mercenary-3 by laying this winter",
    },
    "turn-up-required": {
        "one of the two face-down cards must be turned up: name mercenary-3 or mercenary-10 in turn_up",
    },
    "wrong-phase": {
        "the game is in the phase battle, which does not allow this move",
        "the game is in the phase choose-region, which does not allow this move",
        "the game is in the phase draw-cards, which does not allow this move",
        "the game is in the phase keep-cards, which does not allow this move",
        "the game is in the phase keep-or-discard, which does not allow this move",
    },
}
"""All messages of the refusals in `refusal_cases`."""


def test_a_refusal_says_what_is_wrong() -> None:
    """The message names the card, the region, the seat or the number at fault."""
    said: dict[str, set[str]] = {}
    for case in CASES:
        with pytest.raises(Refusal) as met:
            decide(case.given(case.edition), case.command(), Script())
        said.setdefault(case.code, set()).add(str(met.value))
    assert said == MESSAGES
