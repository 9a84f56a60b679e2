"""What a refusal says to people, by its code. A program reads the code, the clause and the field."""

import pytest

from engine import Refusal, decide

from .refusal_cases import CASES
from .table import Script

MESSAGES = {
    "already-passed": {
        "seat 1 has passed for this battle",
    },
    "already-resigned": {
        "seat 1 has resigned",
    },
    "card-barred": {
        "a bishop may not be laid in a final battle",
        "a surrender may not be laid in a final battle",
    },
    "card-not-in-hand": {
        "-1 of surrender are not in the hand of seat 0",
        "1 of mercenary-5 are not in the hand of seat 0",
        "2 of heroine are not in the hand of seat 0",
        "no mercenary-10 is in the hand of seat 0",
        "no surrender is in the hand of seat 0",
    },
    "decline-not-allowed": {
        "the holder of the battle marker chooses a region",
    },
    "favor-not-allowed": {
        "no region is empty, so the favor marker stays off the board",
        "nothing moves the favor marker when a bishop is laid",
        "nothing moves the favor marker when a mercenary-2 is laid",
        "nothing moves the favor marker when a scarecrow is laid",
        "nothing moves the favor marker when a winter is laid",
    },
    "favor-region-not-empty": {
        "the favor marker goes to a region without any marker",
        "the favor marker may not go to that region",
    },
    "favor-required": {
        "a bishop moves the favor marker: name an empty region in favor",
    },
    "game-over": {
        "the game is over",
    },
    "hand-has-mercenaries": {
        "a hand that holds a mercenary may not be discarded",
    },
    "not-your-turn": {
        "the game waits for seat 0, not for 1",
        "the game waits for seat 0, not for 2",
    },
    "region-favored": {
        "Siena has the favor marker and may not be contested",
    },
    "region-owned": {
        "Napoli has a control marker and may not be contested",
        "Roma has a control marker of your own and may not be contested",
    },
    "target-not-allowed": {
        "a bishop takes no card back",
        "a mercenary-10 takes no card back",
        "a mercenary-2 takes no card back",
        "a winter takes no card back",
    },
    "target-not-in-row": {
        "name the seat in whose row the mercenary lies in take_from",
        "no mercenary-10 lies in that row",
        "take_from names a row: name a mercenary that lies there in take",
    },
    "target-not-mercenary": {
        "a scarecrow never takes back a heroine",
    },
    "target-not-own": {
        "a scarecrow takes a mercenary of its own row",
    },
    "target-required": {
        "a mercenary lies in the row: name the one to take back in take",
    },
    "too-many-drawn": {
        "seat 0 may draw 0 to 2 cards now",
    },
    "too-many-kept": {
        "the last hand keeps 2 cards at most",
    },
    "turn-up-not-allowed": {
        "no mercenary-2 can be turned up with this mercenary-2",
        "no mercenary-3 can be turned up with this mercenary-3",
        "no mercenary-3 can be turned up with this scarecrow",
        "no mercenary-3 can be turned up with this winter",
        "no mercenary-5 can be turned up with this mercenary-10",
    },
    "turn-up-required": {
        "one of two cards is turned up: name mercenary-3 or mercenary-10 in turn_up",
    },
    "wrong-phase": {
        "the game waits for an answer to battle",
        "the game waits for an answer to choose-region",
        "the game waits for an answer to draw-cards",
        "the game waits for an answer to keep-cards",
        "the game waits for an answer to keep-or-discard",
    },
}
"""All messages of the refusals in `refusal_cases`."""


def test_a_refusal_says_what_is_wrong() -> None:
    """With the card, the region, the seat or the number at fault."""
    said: dict[str, set[str]] = {}
    for case in CASES:
        with pytest.raises(Refusal) as met:
            decide(case.given(case.edition), case.command(), Script())
        said.setdefault(case.code, set()).add(str(met.value))
    assert said == MESSAGES
