"""The bot `steady`, a greedy player that does not plan ahead.

The bot chooses a region that wins the game or, failing that, the region that borders on the largest number of its own
regions. In a battle, the bot takes the lead with the cheapest card that suffices, and passes if it leads or cannot take
the lead. After a battle, the bot discards its hand if allowed, keeps its strongest cards, and draws as many cards as it
can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..board import largest_group
from ..cards import COURTESAN, DRUMMER, HEROINE, MERCENARIES, SPRING, VALUES, WINTER
from ..commands import ChooseRegion, DiscardHand, DrawCards, KeepCards, Pass, PlayCard
from ..phase_names import BATTLE, CHOOSE_REGION
from ..rules.strength import strengths
from ..state import NO_CARD
from .bot import Bot

if TYPE_CHECKING:
    from ..cards import Hand
    from ..commands import Command
    from ..views import View
    from .bot import Situation

SEASONS = (WINTER, SPRING)
PRICES = {COURTESAN: 0.5, DRUMMER: 2.5, WINTER: 2.5, SPRING: 2.5, HEROINE: 9.5}
"""The cost of laying a special card, in points of strength. A mercenary costs its value.

A courtesan or a heroine costs slightly less than the mercenary of the same strength, so that it is laid first.
"""


def choose_steady(situation: Situation) -> Command:
    """Return the bot's command; ties between regions are broken at random."""
    view, random = situation.view, situation.random
    if view.phase == CHOOSE_REGION:
        regions = [command for command in view.legal if isinstance(command, ChooseRegion)]
        return max(regions, key=lambda command: (_region_rank(view, command), random.random()))
    if view.phase == BATTLE:
        return _choose_in_battle(view)
    return max(view.legal, key=_answer_rank)


def _answer_rank(command: Command) -> float:
    """Rank a command after a battle: prefer to discard the hand, to keep strong cards, and to draw many cards."""
    if isinstance(command, KeepCards):
        return sum(_price(kind) * count for kind, count in enumerate(command.keep))
    if isinstance(command, DrawCards):
        return command.number
    return isinstance(command, DiscardHand)


def _region_rank(view: View, command: ChooseRegion) -> tuple[bool, bool, int]:
    """Rank a region.

    Prefer regions that the seat does not own, then regions that win the game, then regions that border on more of the
    seat's own regions.
    """
    assert view.seat is not None
    board = view.edition.board
    assert board, "only an edition with a board asks for a region"
    own = view.held[view.seat]
    after = own | 1 << command.region
    goal = view.edition.goals[len(view.hands)]
    wins = goal.adjacent is not None and largest_group(board, after) >= goal.adjacent
    wins = wins or (goal.total is not None and after.bit_count() >= goal.total)
    return after != own, wins, (board.neighbours[command.region] & own).bit_count()


def _choose_in_battle(view: View) -> Command:
    pass_command = next(command for command in view.legal if isinstance(command, Pass))
    if _lead(view, *_table_after(view, [])) > 0:
        return pass_command
    plays = [command for command in view.legal if isinstance(command, PlayCard) and _is_simple(view, command)]
    leading = [play for play in plays if _lead(view, *_table_after(view, [play.card])) > 0]
    if leading:
        return min(leading, key=lambda play: _price(play.card))
    mercenaries = [play for play in plays if play.card in MERCENARIES]
    if mercenaries and _could_lead(view):
        return max(mercenaries, key=lambda play: play.card)
    return pass_command


def _is_simple(view: View, play: PlayCard) -> bool:
    """Return whether a play does nothing except add to the row or change the season."""
    special = view.edition.specials.get(play.card)
    return special is None or play.card in SEASONS


def _could_lead(view: View) -> bool:
    """Return whether the seat would lead if it laid all the cards in its hand that add to a row."""
    assert view.seat is not None
    hand = view.hands[view.seat]
    assert not isinstance(hand, int)
    cards = [kind for kind, count in enumerate(hand) for _ in range(count) if kind not in view.edition.specials]
    return _lead(view, *_table_after(view, cards)) > 0


def _table_after(view: View, cards: Sequence[int]) -> tuple[tuple[Hand, ...], int | None]:
    """Return the rows and the season that would result if this seat laid these cards.

    The seat's face-down cards count as face up.
    """
    assert view.seat is not None
    hidden = view.hidden[view.seat]
    assert not isinstance(hidden, int)
    row = [face_up + face_down for face_up, face_down in zip(view.rows[view.seat], hidden, strict=True)]
    season = view.season
    for card in cards:
        if card in SEASONS:
            season = card
        else:
            row[card] += 1
    rows = list(view.rows)
    rows[view.seat] = tuple(row)
    return tuple(rows), season


def _lead(view: View, rows: Sequence[Hand], season: int | None) -> int:
    """Return the strength of this seat's row minus that of the strongest other row."""
    assert view.seat is not None
    totals = list(strengths(view.edition, rows, NO_CARD if season is None else season))
    own = totals.pop(view.seat)
    return own - max(totals)


def _price(card: int) -> float:
    return VALUES[card] if card in MERCENARIES else PRICES.get(card, 2)


BOT = Bot(
    "steady",
    "Takes the lead with the cheapest card that is enough, and passes when it leads. "
    "Against two random bots it wins 76% of games.",
    choose_steady,
    level=1,
    label="Steady",
    uses_history=False,
)
