"""The phases of the game, and the steps between the phases, with one function per step."""

from ..phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from .battle import BATTLE_PHASE
from .choosing import CHOOSE_REGION_PHASE
from .drawing import DRAW_CARDS_PHASE
from .ending import end_by_consent, winners_as_it_stands
from .hands import KEEP_OR_DISCARD_PHASE
from .keeping import KEEP_CARDS_PHASE
from .opening import open_game
from .phase import Phase
from .resigning import resign_seat

PHASES: dict[str, Phase] = {
    CHOOSE_REGION: CHOOSE_REGION_PHASE,
    BATTLE: BATTLE_PHASE,
    KEEP_OR_DISCARD: KEEP_OR_DISCARD_PHASE,
    KEEP_CARDS: KEEP_CARDS_PHASE,
    DRAW_CARDS: DRAW_CARDS_PHASE,
}
"""The phases in which the game waits for a seat's command, by name."""

__all__ = ["PHASES", "Phase", "end_by_consent", "open_game", "resign_seat", "winners_as_it_stands"]
