"""A heuristic player: it scores each legal command with tuned weights, and does not look ahead.

In a battle, a command's score is the battle's worth times the chance of winning it, minus two amounts: the harm of a
defeat times the chance of defeat, and the card's worth in later battles. The weights define what regions and cards are
worth, and how the chance of winning depends on rows and hands.

Bots that share this module differ only in their weights. Any change to this module could change the moves of released
bots. If a new bot must choose differently for even a single view, write a separate heuristic for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, inf
from operator import add, mul
from typing import TYPE_CHECKING, NamedTuple

from ..board import largest_group
from ..cards import BISHOP, COURTESAN, DRUMMER, KINDS, MERCENARIES, SPRING
from ..commands import ChooseRegion, DiscardHand, DrawCards, KeepCards, PlayCard
from ..phase_names import BATTLE, CHOOSE_REGION
from ..rules.marker import MOST_COURTESANS
from ..rules.strength import highest_mercenary, row_strength
from ..state import NO_CARD

if TYPE_CHECKING:
    from random import Random

    from ..cards import Hand
    from ..commands import Command
    from ..edition import StrengthStep
    from ..views import View


DIGITS = 9
"""The number of decimal places to which scores are rounded before they are compared.

The last bit of a sum or of `exp` can depend on the version of Python and of the C library. Rounding makes a bot choose
the same command with every version.
"""


class Weights(NamedTuple):
    """The weights of the heuristic. A worth is given in points, and a chance as log odds.

    `prices` contains the worth of each kind of card. The weights from `play` to `hopeless` determine the chance of
    winning a battle after a play. `play` always applies. `behind` applies if the seat trails, and `ahead` if it leads.
    `margin` and `reach` apply per ten points of strength, and `rival` applies per additional seat that has not passed.
    `hopeless` applies if the seat would not lead even with all its cards. The four weights whose names begin with
    `hold` give the seat's chance of winning the battle if it leads and passes.
    """

    prices: tuple[float, ...]
    # The worth of a battle
    region: float
    link: float
    close: float
    win: float
    harm: float
    stop: float
    marker: float
    # The chance of winning a battle
    play: float
    ahead: float
    behind: float
    margin: float
    reach: float
    rival: float
    hopeless: float
    hold: float
    hold_margin: float
    hold_reach: float
    hold_rival: float
    unseen: float
    # How much to commit
    thrift: float
    thrift_own: float
    thrift_rivals: float
    thrift_laid: float
    need: float
    take_back: float
    # Outside battles
    deny: float
    bold: float
    neighbour: float
    favor: float
    discard: float
    discard_last: float


def choose_by_weights(view: View, random: Random, weights: Weights) -> Command:
    """Return the legal command with the highest score; ties between regions are broken at random."""
    if len(view.legal) == 1:
        return view.legal[0]
    if view.phase == BATTLE:
        return _Battle(view, weights).choose()
    if view.phase == CHOOSE_REGION:
        return _choose_region(view, random, weights)
    return max(view.legal, key=lambda command: round(_answer_score(view, command, weights), DIGITS))


def rank_by_weights(view: View, weights: Weights) -> list[Command]:
    """Return the commands worth comparing in a battle or a choice of region, highest score first.

    Plays of one card count as one play if they differ only in the region for the favor marker or the card to turn up.
    """
    if view.phase == BATTLE:
        return _Battle(view, weights).rank()
    return [command for _, command in sorted(_region_scores(view, weights), key=lambda pair: -pair[0])]


# Between battles


def _answer_score(view: View, command: Command, weights: Weights) -> float:
    """Score a command after a battle: prefer to keep valuable cards, to draw many cards, and to discard a poor hand."""
    if isinstance(command, KeepCards):
        return _worth(command.keep, weights)
    if isinstance(command, DrawCards):
        return command.number
    if isinstance(command, DiscardHand):
        last = sum(map(bool, _sizes(view))) == 2
        return weights.discard + weights.discard_last * last - _worth(_own_hand(view), weights)
    return 0


def _choose_region(view: View, random: Random, weights: Weights) -> Command:
    """Choose a region that is valuable to this seat and not to others. Never decline."""
    best, chosen = (-1e9, 0.0), view.legal[0]
    for score, command in _region_scores(view, weights):
        rank = (score, random.random())
        if rank > best:
            best, chosen = rank, command
    return chosen


def _region_scores(view: View, weights: Weights) -> Iterator[tuple[float, ChooseRegion]]:
    """Yield the score of each region that the seat may choose."""
    seat = view.seat
    assert seat is not None
    board = view.edition.board
    assert board, "only an edition with a board asks for a region"
    sizes = _sizes(view)
    hand = _own_hand(view)
    values = _values(view.edition.strength, NO_CARD, highest_mercenary((hand,)), hand[DRUMMER] > 0)
    strong = (sum(map(mul, values, hand)) - weights.unseen * sizes[seat]) / 10
    others = _others(view)
    own = view.held[seat]
    for command in view.legal:
        if not isinstance(command, ChooseRegion):
            continue
        region = command.region
        if own >> region & 1:
            score = -1e6
        else:
            score = _region_worth(view, seat, region, weights) * (1 + weights.bold * strong)
            score -= weights.deny * max(_region_worth(view, other, region, weights) for other in others)
            score += weights.neighbour * (board.neighbours[region] & own).bit_count()
        yield round(score, DIGITS), command


def _region_worth(view: View, seat: int, region: int | None, weights: Weights) -> float:
    """Return how much winning a battle is worth to a seat. `region` is the contested region, or None in a duel."""
    adjacent, total, battles = view.edition.goals[len(view.hands)]
    close = 0.0 if battles is None else (view.won[seat] + 1) / battles
    link = 0
    if region is not None:
        board = view.edition.board
        assert board, "only an edition with a board has contested regions"
        assert adjacent is not None, "every edition with a board has a goal of adjacent regions"
        before = view.held[seat] & ~(1 << region)
        after = before | 1 << region
        group = largest_group(board, after)
        link = group - largest_group(board, before)
        close = max(group / adjacent, 0.0 if total is None else after.bit_count() / total)
    if close >= 1:
        return weights.win
    return weights.region + weights.link * link + weights.close * close * close


def _worth(cards: Hand, weights: Weights) -> float:
    return sum(map(mul, weights.prices, cards), 0.0)


def _own_hand(view: View) -> Hand:
    assert view.seat is not None
    hand = view.hands[view.seat]
    assert not isinstance(hand, int)
    return hand


def _others(view: View) -> list[int]:
    """Return the other seats that have not resigned."""
    return [other for other in range(len(view.hands)) if other != view.seat and other not in view.gone]


def _sizes(view: View) -> list[int]:
    """Return the number of cards in each hand."""
    return [hand if isinstance(hand, int) else sum(hand) for hand in view.hands]


# Battles


@lru_cache(maxsize=1024)
def _values(steps: tuple[StrengthStep, ...], season: int, highest: int, drummer: bool) -> tuple[int, ...]:
    """Return how much each kind of card adds to a row's strength, with or without a drummer in the row."""
    values = []
    for kind in range(KINDS):
        row = [0] * KINDS
        row[DRUMMER] = int(drummer)
        if kind != DRUMMER:
            row[kind] = 1
        values.append(row_strength(steps, row, season, highest))
    return tuple(values)


class _Table(NamedTuple):
    """Row strengths as the seat to act sees them: `own` for its own row, `best` for the strongest other row."""

    own: float
    best: float
    reach: float
    """The strength that the strongest seat that has not passed could reach with average cards."""
    potential: float
    """The strength that this seat would reach if it laid all its cards."""
    values: tuple[int, ...]
    highest: int


class _Battle:
    """A battle as the seat to act sees it."""

    def __init__(self, view: View, weights: Weights) -> None:
        seat, edition = view.seat, view.edition
        assert seat is not None
        self.view, self.weights, self.seat, self.edition = view, weights, seat, edition
        self.hand = _own_hand(view)
        self.season = NO_CARD if view.season is None else view.season
        self.sizes = sizes = _sizes(view)
        rows: list[Sequence[int]] = list(view.rows)
        self.unseen = [0.0] * len(rows)
        if edition.face_down:
            for owner, cards in enumerate(view.hidden):
                if isinstance(cards, int):
                    self.unseen[owner] = weights.unseen * cards
                else:
                    rows[owner] = tuple(map(add, rows[owner], cards))
        self.rows = rows
        self.others = _others(view)
        self.rivals = [other for other in self.others if sizes[other] and other not in view.passed]
        self._appraise()

    def _appraise(self) -> None:
        """Set `worth` (the gain from a victory), `harm` (the cost of a defeat) and `thrift` (a price factor)."""
        view, weights, seat = self.view, self.weights, self.seat
        if view.fighters:
            self.worth, self.harm, self.thrift = weights.win, 0.0, 0.05
            return
        region = view.contested
        self.worth = _region_worth(view, seat, region, weights)
        harm = 0.0
        for other in self.others:
            if any(self.rows[other]) or other in self.rivals:
                worth = _region_worth(view, other, region, weights)
                harm = max(harm, weights.stop if worth == weights.win else weights.harm * worth)
        self.harm = harm
        own = self.sizes[seat]
        laid = sum(self.rows[seat])
        most = max([self.sizes[other] for other in self.others])
        thrift = weights.thrift + weights.thrift_own * own / 10 + weights.thrift_rivals * most / 10
        self.thrift = max(0.05, thrift + weights.thrift_laid * laid / (laid + own))

    def _measure(self, rows: Sequence[Sequence[int]], season: int) -> _Table:
        """Return the row strengths."""
        steps, seat, unseen = self.edition.strength, self.seat, self.unseen
        highest = highest_mercenary(rows)
        totals = []
        for row, more in zip(rows, unseen, strict=True):
            totals.append(sum(map(mul, _values(steps, season, highest, row[DRUMMER] > 0), row)) + more)
        own = totals[seat]
        together = list(map(add, rows[seat], self.hand))
        all_values = _values(steps, season, max(highest, highest_mercenary((self.hand,))), together[DRUMMER] > 0)
        card, sizes = self.weights.unseen, self.sizes
        return _Table(
            own,
            max(totals[:seat] + totals[seat + 1 :]),
            max([totals[rival] + card * sizes[rival] for rival in self.rivals], default=0.0),
            sum(map(mul, all_values, together)),
            _values(steps, season, highest, rows[seat][DRUMMER] > 0),
            highest,
        )

    def choose(self) -> Command:
        """Return the command with the highest score, or the first of several with that score."""
        best, best_command = -inf, self.view.legal[0]
        for score, command in self._scores():
            if score > best:
                best, best_command = score, command
        return self._with_favor(best_command)

    def rank(self) -> list[Command]:
        """Return a pass and the plays that are worth comparing (see `rank_by_weights`), highest score first."""
        scores = sorted(self._scores(), key=lambda pair: -pair[0])
        return [self._with_favor(command) for _, command in scores]

    def _scores(self) -> Iterator[tuple[float, Command]]:
        """Yield (score, command) for a pass and for each play.

        If `rank_by_weights` counts several plays as one play, only the first of these plays is yielded.
        """
        view = self.view
        self.table = self._measure(self.rows, self.season)
        yield round(self._pass_score(), DIGITS), view.legal[0]
        seen: tuple[int, int | None, int | None] | None = None
        for command in view.legal:
            if not isinstance(command, PlayCard):
                continue
            identity = command.card, command.take, command.take_from
            if identity != seen:
                seen = identity
                yield round(self._play_score(command), DIGITS), command

    def _with_favor(self, command: Command) -> Command:
        """Return the command. If the command lays a bishop, choose the best region for the favor marker."""
        return self._choose_favor(command) if isinstance(command, PlayCard) and command.card == BISHOP else command

    def _pass_score(self) -> float:
        table, weights = self.table, self.weights
        lead = table.own - table.best
        if lead < 0:
            return -self.harm
        if lead == 0:
            # Nobody wins a tie. If all strengths are 0, the last seat to act must not pass if it could win the battle.
            return -1e6 if not self.rivals and table.best == 0 < table.potential else 0.0
        if not self.rivals:
            return self.worth
        odds = weights.hold + weights.hold_margin * min(lead, 15) / 10
        odds += weights.hold_reach * (table.own - table.reach) / 10 + weights.hold_rival * (len(self.rivals) - 1)
        return self._outcome(odds)

    def _outcome(self, odds: float) -> float:
        chance = 1 / (1 + exp(-max(-30.0, min(30.0, odds))))
        return chance * self.worth - (1 - chance) * self.harm

    def _play_score(self, play: PlayCard) -> float:
        weights, edition = self.weights, self.edition
        kind = play.card
        price = weights.prices[kind]
        special = edition.specials.get(kind)
        table = self.table
        own, best, reach, potential, values, highest = table
        rows: list[Sequence[int]]
        if special is None:
            if kind == DRUMMER:
                own += self._drummer_gain()
            elif self.season == SPRING and kind in MERCENARIES and kind > highest:
                table = self._measure(self._with(kind), self.season)
                own, best, reach, _, _, _ = table
            else:
                own += values[kind]
                if kind == COURTESAN and MOST_COURTESANS in edition.marker:
                    price -= self._marker_gain()
        elif special.ends:
            if kind == BISHOP:
                return -price * self.thrift
            return (self.worth if own > best else -self.harm) - price * self.thrift
        elif special.place == "season":
            own, best, reach, potential, _, _ = self._measure(self.rows, kind)
        elif kind == BISHOP:
            if highest != NO_CARD:
                rows = [(*row[:highest], 0, *row[highest + 1 :]) for row in self.rows]
                own, best, reach, potential, _, _ = self._measure(rows, self.season)
        elif play.take is not None and play.take_from is not None:
            row = [*self.rows[play.take_from]]
            row[play.take] -= 1
            rows = [*self.rows]
            rows[play.take_from] = row
            own, best, reach, potential, _, _ = self._measure(rows, self.season)
            potential += values[play.take]
            price -= weights.take_back * weights.prices[play.take]
        return self._score(kind, own, best, reach, potential, price)

    def _drummer_gain(self) -> int:
        """Return how much a drummer would add to the strength of this seat's row."""
        row = self.rows[self.seat]
        if row[DRUMMER]:
            return 0
        doubled = _values(self.edition.strength, self.season, self.table.highest, True)
        gain: int = sum(map(mul, doubled, row)) - sum(map(mul, self.table.values, row))
        return gain

    def _with(self, kind: int) -> list[Sequence[int]]:
        """Return the rows with another card added to this seat's row."""
        row = [*self.rows[self.seat]]
        row[kind] += 1
        rows = [*self.rows]
        rows[self.seat] = row
        return rows

    def _score(self, kind: int, own: float, best: float, reach: float, potential: float, price: float) -> float:
        """Score a play that leads to these strengths."""
        weights = self.weights
        lead = own - best
        if not self.rivals:
            if lead <= 0 and potential <= best:
                return -self.harm - price * self.thrift
            return self.worth - (price + (self._price_to_lead(kind, 1 - lead) if lead <= 0 else 0.0)) * self.thrift
        if lead <= 0:
            price += weights.need * (1 - lead)
        odds = weights.play + (weights.ahead if lead > 0 else weights.behind if lead < 0 else 0.0)
        odds += (weights.margin * max(-15, min(lead, 15)) + weights.reach * max(-30, min(potential - reach, 30))) / 10
        odds += weights.rival * (len(self.rivals) - 1)
        if potential <= best:
            odds += weights.hopeless
        return self._outcome(odds) - price * self.thrift

    def _price_to_lead(self, kind: int, gap: float) -> float:
        """Return the price of the cheapest card, apart from one card of this kind, that closes a gap in strength.

        If no single card closes the gap, return an estimate.
        """
        prices = self.weights.prices
        values = [*self.table.values]
        values[DRUMMER] = self._drummer_gain()
        closing = [
            prices[other] for other, count in enumerate(self.hand) if values[other] >= gap and count > (other == kind)
        ]
        return min(closing, default=self.weights.need * gap)

    def _marker_gain(self) -> float:
        """Return the worth of laying a courtesan.

        The worth is `marker` if the courtesan would give this seat the most courtesans, half of `marker` if this seat
        would then be tied for the most, and 0 otherwise, even if this seat already has the most.
        """
        counts = [row[COURTESAN] for row in self.rows]
        own = counts.pop(self.seat)
        most = max(counts)
        return self.weights.marker if own == most else self.weights.marker / 2 if own == most - 1 else 0.0

    def _choose_favor(self, bishop: PlayCard) -> PlayCard:
        """Return the bishop's play that moves the favor marker to the best region.

        In the best region, the marker harms another seat most and this seat least.
        """
        view, weights, seat = self.view, self.weights, self.seat
        best, chosen = -1e9, bishop
        for command in view.legal:
            if isinstance(command, PlayCard) and command.card == BISHOP:
                score = 0.0
                if command.favor is not None:
                    score = max(_region_worth(view, other, command.favor, weights) for other in self.others)
                    score -= weights.favor * _region_worth(view, seat, command.favor, weights)
                if round(score, DIGITS) > best:
                    best, chosen = round(score, DIGITS), command
        return chosen
