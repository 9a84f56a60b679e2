"""The bot `skilled`, revision 1: a heuristic without look-ahead, with weights tuned by playing games.

The file `skilled_1.json` contains the weights for each kind of table, and says where the weights come from. The
`benchmarks.tune` script writes the file.
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
"""Tables with more seats than this use the weights for this number of seats."""


def kind_of(edition: Edition, seats: int) -> str:
    """Return a table's kind: its family, and its number of seats (at most `MOST_TUNED`).

    The family of an edition without a board is `duel`. If an edition has a board and owners may defend their regions,
    the family is `defended`. If owners may not defend their regions, and a bishop ends the battle without a winner, the
    family is `truce`. The family of all other editions is `board`.

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
    """Read the weights for a kind of table from the file's content."""
    weights = content[kind]["weights"]
    return Weights(**{**weights, "prices": tuple(weights["prices"])})


_CONTENT = json.loads(FILE.read_text("ascii"))
WEIGHTS: Mapping[str, Weights] = {kind: weights_of(_CONTENT, kind) for kind in _CONTENT}


def choose_skilled(situation: Situation) -> Command:
    """Return the bot's command; ties between regions are broken at random."""
    view = situation.view
    return choose_by_weights(view, situation.random, WEIGHTS[kind_of(view.edition, len(view.hands))])


BOT = Bot(
    "skilled",
    "Weighs what each card and region is worth, and uses every special card. "
    "Against two steady bots it wins 88% of games.",
    choose_skilled,
    level=2,
    label="Skilled",
    uses_history=False,
)
