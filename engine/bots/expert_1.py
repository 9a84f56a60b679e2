"""The bot `expert`, revision 1: a search whose heuristic uses the weights of `skilled@1`.

The file `expert_1.json` contains the outlook's coefficients for each kind of table, and says where the coefficients
come from. The `benchmarks.fit` script writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .bot import Bot
from .outlook import Outlook
from .search import Model, choose_by_search
from .skilled_1 import WEIGHTS, kind_of

if TYPE_CHECKING:
    from ..commands import Command
    from .bot import Situation

FILE = Path(__file__).with_suffix(".json")
_CONTENT = json.loads(FILE.read_text("ascii"))
MODELS: Mapping[str, Model] = {
    kind: Model(WEIGHTS[kind], Outlook(tuple(fitted["held"]), tuple(fitted["dealt"])))
    for kind, fitted in _CONTENT.items()
}


def choose_expert(situation: Situation) -> Command:
    """Return the bot's command."""
    view = situation.view
    return choose_by_search(situation, MODELS[kind_of(view.edition, len(view.hands))])


BOT = Bot(
    "expert",
    "Simulates the rest of the battle many times before it moves. Against two skilled bots it wins 81% of games.",
    choose_expert,
    level=3,
    label="Expert",
    iterations=300,
)
