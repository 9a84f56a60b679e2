"""The bot `skilled`, revision 1: a heuristic whose weights were tuned by playing games, without looking ahead.

The file `skilled_1.json` has the weights for each kind of table, and where they come from; `python -m benchmarks.tune`
writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cards import BISHOP
from ..rules.contest import every_pass_is_final
from .bot import Bot
from .heuristic import Weights, choose_by_weights

if TYPE_CHECKING:
    from ..commands import Command
    from ..edition import Edition
    from .bot import Situation

FILE = Path(__file__).with_suffix(".json")
MOST_TUNED = 4
"""The weights for more seats are those for this number."""


def kind_of(edition: Edition, seats: int) -> str:
    """Return the kind of a table: how regions are fought for, and the number of seats.

    Without a board it is a duel; on the board, owners may defend their regions (`defended`), or a bishop ends a battle
    without a winner (`truce`), or neither (`board`).

    >>> from engine import DEFAULT, NEWEST
    >>> kind_of(NEWEST[DEFAULT], 3), kind_of(NEWEST[DEFAULT], 6)
    ('board-3', 'board-4')
    """
    if edition.board is None:
        family = "duel"
    elif edition.pass_is_final is not every_pass_is_final:
        family = "defended"
    else:
        family = "truce" if edition.specials[BISHOP].ends else "board"
    return f"{family}-{min(seats, MOST_TUNED)}"


def weights_of(content: Mapping[str, Any], kind: str) -> Weights:
    """Return the weights of a kind of table from the content of the file."""
    weights = content[kind]["weights"]
    return Weights(**{**weights, "prices": tuple(weights["prices"])})


_CONTENT = json.loads(FILE.read_text("ascii"))
WEIGHTS: Mapping[str, Weights] = {kind: weights_of(_CONTENT, kind) for kind in _CONTENT}


def choose_skilled(situation: Situation) -> Command:
    """Return the bot's command; random numbers decide between regions of equal rank."""
    view = situation.view
    return choose_by_weights(view, situation.random, WEIGHTS[kind_of(view.edition, len(view.hands))])


BOT = Bot(
    "skilled",
    "Weighs what each card and region is worth, and uses every special card. "
    "Against two steady bots it wins 88 % of games.",
    choose_skilled,
    level=2,
    label="Skilled",
    uses_history=False,
)
