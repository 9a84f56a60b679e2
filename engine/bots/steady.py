"""The bot `steady`: greedy, short-sighted, and hard to embarrass.

It contests the region that helps its kingdom most, takes the lead in a battle with the cheapest card that does, stops
when it leads or cannot, discards when it may, keeps the strongest cards, and draws all it can.
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
    from random import Random

    from ..cards import Hand
    from ..commands import Command
    from ..views import View

SEASONS = (WINTER, SPRING)
PRICES = {COURTESAN: 0.5, DRUMMER: 2.5, WINTER: 2.5, SPRING: 2.5, HEROINE: 9.5}
"""What a special card is held to cost, in points of strength; a mercenary costs its value.

A courtesan or a heroine goes before the mercenary that is worth as much, because it does more.
"""


def choose_steadily(view: View, random: Random) -> Command:
    """Return the command of a greedy player; the random numbers decide between regions that are equally good."""
    if view.phase == CHOOSE_REGION:
        regions = [command for command in view.legal if isinstance(command, ChooseRegion)]
        return max(regions, key=lambda command: (_promise(view, command), random.random()))
    if view.phase == BATTLE:
        return _fight(view)
    return max(view.legal, key=_worth)


def _worth(command: Command) -> float:
    """Rank an answer after a battle: a discarded hand before a kept one, strong cards kept, many cards drawn."""
    if isinstance(command, KeepCards):
        return sum(_price(kind) * count for kind, count in enumerate(command.keep))
    if isinstance(command, DrawCards):
        return command.number
    return isinstance(command, DiscardHand)


def _promise(view: View, command: ChooseRegion) -> tuple[bool, bool, int]:
    """Rank a region: not mine already, wins the game, borders on many of mine."""
    assert view.seat is not None
    board = view.edition.board
    assert board, "where regions are chosen there is a board"
    mine = view.held[view.seat]
    gained = mine | 1 << command.region
    goal = view.edition.goals[len(view.hands)]
    wins = goal.adjacent is not None and largest_group(board, gained) >= goal.adjacent
    wins = wins or (goal.total is not None and gained.bit_count() >= goal.total)
    return gained != mine, wins, (board.neighbours[command.region] & mine).bit_count()


def _fight(view: View) -> Command:
    passing = next(command for command in view.legal if isinstance(command, Pass))
    if _lead(view, *_table_after(view, [])) > 0:
        return passing
    plays = [command for command in view.legal if isinstance(command, PlayCard) and _only_lies(view, command)]
    leading = [play for play in plays if _lead(view, *_table_after(view, [play.card])) > 0]
    if leading:
        return min(leading, key=lambda play: _price(play.card))
    mercenaries = [play for play in plays if play.card in MERCENARIES]
    if mercenaries and _could_lead(view):
        return max(mercenaries, key=lambda play: play.card)
    return passing


def _only_lies(view: View, play: PlayCard) -> bool:
    special = view.edition.specials.get(play.card)
    return special is None or play.card in SEASONS


def _could_lead(view: View) -> bool:
    """Tell whether everything in hand that lies in a row, laid at once, would lead."""
    assert view.seat is not None
    hand = view.hands[view.seat]
    assert not isinstance(hand, int)
    cards = [kind for kind, count in enumerate(hand) for _ in range(count) if kind not in view.edition.specials]
    return _lead(view, *_table_after(view, cards)) > 0


def _table_after(view: View, cards: Sequence[int]) -> tuple[tuple[Hand, ...], int | None]:
    """Return the rows and the season after this seat has laid these cards, and turned up what it has face down."""
    assert view.seat is not None
    hidden = view.hidden[view.seat]
    assert not isinstance(hidden, int)
    row = [shown + face_down for shown, face_down in zip(view.rows[view.seat], hidden, strict=True)]
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
    """Return by how much this seat's row is stronger than the strongest of the others."""
    assert view.seat is not None
    compared = list(strengths(view.edition, rows, NO_CARD if season is None else season))
    own = compared.pop(view.seat)
    return own - max(compared)


def _price(card: int) -> float:
    return VALUES[card] if card in MERCENARIES else PRICES.get(card, 2)


BOT = Bot(
    "steady",
    "Takes the lead with the cheapest card that is enough, and passes when it leads.",
    choose_steadily,
    level=1,
)
