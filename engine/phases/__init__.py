"""The moments of the game, one a file: what may be asked in each, and what follows."""

from ..moments import BATTLE, CHOOSE_REGION, KEEP_OR_DISCARD
from .battle import FIGHTING
from .choosing import CHOOSING
from .hands import HANDS
from .opening import open_game
from .phase import Phase

PHASES: dict[str, Phase] = {CHOOSE_REGION: CHOOSING, BATTLE: FIGHTING, KEEP_OR_DISCARD: HANDS}
"""Every phase in which the game waits for a seat, by its name."""

__all__ = ["PHASES", "Phase", "open_game"]
