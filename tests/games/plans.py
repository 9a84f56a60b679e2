"""Games that are steered to a particular way of ending: all seats follow one plan, and none sees hidden cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine import (
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    Edition,
    KeepCards,
    Pass,
    PlayCard,
    View,
)
from engine.board import Board, largest_group, members
from engine.bots import Situation
from engine.cards import BISHOP, HEROINE, MERCENARIES
from engine.phase_names import BATTLE, CHOOSE_REGION
from engine.state import NOWHERE

from .ways import division

FIGHTERS = {*MERCENARIES, HEROINE}
"""Cards that win a battle in which nobody else lays a card."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Who wins which regions, in which order, and what happens after that.

    Without a board, `wins` names only the winners of the battles. After these battles, every seat declines if it may
    (`then_decline`), or chooses a region and passes. In a final battle only `champion` fights, or nobody.
    """

    wins: tuple[tuple[int, int], ...] = ()
    """(region, winner) for each battle; the region does not matter without a board."""
    favored: int | None = None
    """The region to which a bishop moves the favor marker."""
    then_decline: bool = False
    champion: int | None = None
    then_idle: bool = False
    """Whether nobody wins anything in the second and later games of a match."""

    def __call__(self, situation: Situation) -> Command:
        """Return the command that the plan chooses for this seat."""
        view = situation.view
        if view.phase == CHOOSE_REGION:
            return self._choose(view)
        if view.phase == BATTLE:
            return self._fight(view)
        return max(view.legal, key=_worth)

    def _choose(self, view: View) -> Command:
        regions = {command.region: command for command in view.legal if isinstance(command, ChooseRegion)}
        left = [region for region, winner in self.wins if not view.held[winner] >> region & 1]
        if not left and self.then_decline:
            return DeclineRegion(view.turn or 0)
        return regions[next((region for region in left if region in regions), min(regions))]

    def _fight(self, view: View) -> Command:
        assert view.seat is not None
        plays = [play for play in view.legal if isinstance(play, PlayCard)]
        for play in plays:
            if play.card == BISHOP and play.favor is not None and play.favor == self.favored != view.favor:
                return play
        hidden = view.hidden[view.seat]
        assert not isinstance(hidden, int)
        if self._winner(view) == view.seat and not any(view.rows[view.seat]) and not any(hidden):
            for play in plays:
                if play.card in FIGHTERS:
                    return play
        return Pass(view.seat)

    def _winner(self, view: View) -> int | None:
        if view.fighters:
            return self.champion
        if self.then_idle and view.games:
            return None
        if view.edition.board is None:
            won = sum(view.won)
            return self.wins[won][1] if won < len(self.wins) else None
        winner = dict(self.wins).get(NOWHERE if view.contested is None else view.contested)
        return None if winner is None or view.held[winner] >> (view.contested or 0) & 1 else winner


def spend(situation: Situation) -> Command:
    """Lay one card after another, so that the decks run out."""
    legal = situation.view.legal
    return situation.random.choice([play for play in legal if isinstance(play, PlayCard)] or legal)


def _worth(command: Command) -> int:
    if isinstance(command, KeepCards):
        return sum(command.keep[: len(MERCENARIES)])
    if isinstance(command, DrawCards):
        return command.number
    return isinstance(command, DiscardHand)


def plan_for(way: str, edition: Edition, seats: int) -> tuple[Mapping[str, object], Plan]:
    """Return options that lead to a way of ending, in addition to the options under test, and a plan for it."""
    rest: Mapping[str, object] = {}
    level = way.endswith(("/shared", "/drawn"))
    if way.startswith("match:"):
        return _plan_of_a_match(way, edition, seats)
    if way == "battle-limit":
        return {"battle_limit": 2}, Plan(wins=((0, 1),))
    if way in ("battle-limit/shared", "battle-limit/drawn"):
        return {"battle_limit": 2}, Plan(wins=((0, 0), (1, 1)))
    if way.startswith("stall"):
        return rest, Plan(wins=((0, 0), (1, 1))[: 2 if level else 1])
    if way in ("declined", "declined/shared"):
        return rest, Plan(wins=((0, 0), (1, 1))[: 2 if level else 1], then_decline=True)
    if way.startswith("final-battle"):
        champion = None if level else 1
        if edition.may_decline:
            return rest, Plan(wins=((0, 0), (1, 1)), then_decline=True, champion=champion)
        return rest, _plan_to_divide(edition, seats, level=True, champion=champion)
    if way.startswith("no-region-left"):
        return rest, _plan_to_divide(edition, seats, level=level, champion=None)
    if way in ("battles-won", "out-of-cards", "out-of-cards/drawn"):
        return rest, Plan(wins=((0, 1), (0, 0), (0, 1), (0, 1)))
    return rest, Plan(wins=tuple((region, 1) for region in regions_that_win(way, edition, seats)))


def _plan_of_a_match(way: str, edition: Edition, seats: int) -> tuple[Mapping[str, object], Plan]:
    if way == "match:points":
        return {"points": 6}, Plan(wins=tuple((region, 1) for region in regions_that_win(ADJACENT, edition, seats)))
    if way == "match:no-points":
        # The second game brings nobody points, so the points of the first game decide.
        return {"points": 6, "battle_limit": 2}, Plan(wins=((0, 1),), then_idle=True)
    if way == "match:no-points/shared":
        return {"points": 6, "battle_limit": 2}, Plan()
    champion = 1 if way == "match:final-battle" else None
    return {"points": 1, "battle_limit": 2}, Plan(wins=((0, 0), (1, 1)), champion=champion)


ADJACENT, TOTAL = "adjacent-regions", "total-regions"


def regions_that_win(way: str, edition: Edition, seats: int) -> Sequence[int]:
    """Return regions in an order in which the last one wins the game in this way, and no earlier one does."""
    board, goal = edition.board, edition.goals[seats]
    assert board
    assert goal.adjacent
    size = goal.total if goal.total and TOTAL in way else goal.adjacent
    for regions in _too_few_together(board, goal.adjacent, size - 1, ()):
        for last in set(members(board.all_regions)) - set(regions):
            wins = largest_group(board, _bits((*regions, last))) >= goal.adjacent
            if wins is (ADJACENT in way):
                return (*regions, last)
    raise AssertionError(f"{way} is not to be had in {edition.key}")


def _too_few_together(board: Board, enough: int, size: int, regions: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the sets of `size` regions, beginning with `regions`, in which too few are connected to win."""
    if len(regions) == size:
        yield regions
        return
    for region in range(max(regions, default=-1) + 1, len(board.regions)):
        if largest_group(board, _bits((*regions, region))) < enough:
            yield from _too_few_together(board, enough, size, (*regions, region))


def _bits(regions: Sequence[int]) -> int:
    return sum(1 << region for region in regions)


def _plan_to_divide(edition: Edition, seats: int, *, level: bool, champion: int | None) -> Plan:
    found = division(edition, seats, level=level)
    assert found
    return Plan(wins=tuple(found.owners.items()), favored=found.favored, champion=champion)
