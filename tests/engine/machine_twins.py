"""Pairs of positions that look equal to one seat, and a chance that keeps them equal.

A twin is the position after an exchange of cards that the seat does not see: cards in other hands, other seats'
face-down cards, the decks and the discard. Cards that the seat saw earlier and could remember do not count as seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from engine import (
    Command,
    Event,
    KeepCards,
    PlayCard,
    RandomChance,
    State,
    advance,
    legal_commands,
)
from engine.cards import KINDS, MERCENARIES, NOTHING, Hand
from engine.events import Cards, CardsDrawn, CardTurnedUp, HandsDealt, MarkerTaken
from engine.state import NOBODY

ATTEMPTS = 60


class Place(NamedTuple):
    """The place of one hidden card: a pile, or an index among the face-down cards."""

    pile: list[int] | None
    seat: int
    number: int


def twin_of(state: State, viewer: int | None, random: Random) -> State:
    """Return a position that looks the same to a seat, or to a spectator (None)."""
    twin = state.copy()
    groups = [cards for cards in _groups(twin, viewer) if cards]
    if not groups:
        return twin
    for _ in range(random.choice([1, 3, 10, 60])):
        cards = random.choice(groups)
        if len(cards) > 1:
            _exchange(twin, cards, *random.sample(range(len(cards)), 2))
    if random.random() < 0.5:
        _sort_out(twin, random.choice(groups), random)
    return twin


def _groups(state: State, viewer: int | None) -> list[list[tuple[Place, int]]]:
    """Return lists of hidden cards with their places; cards can be exchanged only within one list."""
    others = [seat for seat in range(state.seats) if seat != viewer]
    if state.edition.deck_each:
        return [_cards_in(state.hands[seat], seat) + _cards_in(state.decks[seat], NOBODY) for seat in others]
    cards = [card for seat in others for card in _cards_in(state.hands[seat], seat)]
    cards += _cards_in(state.decks[0], NOBODY) + _cards_in(state.discard, NOBODY)
    for seat in others:
        cards += [(Place(None, seat, index), kind) for index, kind in enumerate(state.hidden[seat])]
    return [cards]


def _cards_in(pile: list[int], seat: int) -> list[tuple[Place, int]]:
    return [(Place(pile, seat, 0), kind) for kind in range(KINDS) for _ in range(pile[kind])]


def _exchange(state: State, cards: list[tuple[Place, int]], one: int, other: int) -> None:
    (here, kind), (there, other_kind) = cards[one], cards[other]
    if not (_fits(state, here, other_kind) and _fits(state, there, kind)):
        return
    _put(state, here, kind, other_kind)
    _put(state, there, other_kind, kind)
    cards[one], cards[other] = (here, other_kind), (there, kind)


def _fits(state: State, place: Place, kind: int) -> bool:
    return place.pile is not None or kind in state.edition.face_down


def _put(state: State, place: Place, old: int, new: int) -> None:
    if place.pile is not None:
        place.pile[old] -= 1
        place.pile[new] += 1
    else:
        hidden = list(state.hidden[place.seat])
        hidden[place.number] = new
        state.hidden[place.seat] = tuple(hidden)


def _sort_out(state: State, cards: list[tuple[Place, int]], random: Random) -> None:
    """Give one hand only mercenaries, or none; this decides whether the hand may be discarded."""
    seat = random.choice([place.seat for place, _ in cards])
    wanted = random.random() < 0.5
    fit = [i for i, (place, kind) in enumerate(cards) if place.seat != seat and (kind in MERCENARIES) is wanted]
    unfit = [i for i, (place, kind) in enumerate(cards) if place.seat == seat and (kind in MERCENARIES) is not wanted]
    random.shuffle(fit)
    for one, other in zip(unfit, fit, strict=False):
        _exchange(state, cards, one, other)


# Commands that look alike


def look_of(state: State, command: Command) -> tuple[object, ...]:
    """Return what all seats see of a command, without the events that follow it."""
    kind = type(command).__name__
    if isinstance(command, KeepCards):
        return kind, command.seat, sum(command.keep)
    if not isinstance(command, PlayCard):
        return kind, *command
    seat, card, take, take_from, favor, turn_up = command
    hidden = state.hidden[seat]
    newest = bool(hidden) and turn_up not in (None, hidden[0])
    turned = (card if newest else hidden[0]) if hidden else None
    if card in state.edition.face_down:
        return "face down", seat, turned
    return kind, seat, card, take, take_from, favor, turned


def alike(one: State, other: State, viewer: int | None, random: Random) -> tuple[Command, Command]:
    """Return one command for each of two positions, both by the seat to act, that look the same to the viewer."""
    here, there = legal_commands(one), legal_commands(other)
    if one.turn == viewer:
        command = random.choice(here)
        return command, command
    random.shuffle(here)
    random.shuffle(there)
    looks = {look_of(other, command): command for command in there}
    pairs = [(command, looks[look]) for command in here if (look := look_of(one, command)) in looks]
    assert pairs, "something always looks the same: to pass, to keep, to draw nothing"
    return random.choice(pairs)


# A chance for the twin


class NoSuchCards(Exception):
    """The twin's deck does not contain the cards that the viewer was dealt."""


class Following:
    """A chance for a twin that repeats the draws of the original: the same lots, and the same cards for the viewer.

    If the twin draws something else, the draw is random. The two positions then differ visibly, and the test fails.
    """

    def __init__(self, drawn: Sequence[Event], viewer: int | None, random: Random) -> None:
        """Store the events from the other world."""
        self._drawn = {event.draw: event for event in drawn if isinstance(event, HandsDealt | CardsDrawn | MarkerTaken)}
        self._viewer = viewer
        self._random = random

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return the seat that the lot fell on."""
        lot = self._drawn.get(draw)
        return lot.seat if isinstance(lot, MarkerTaken) and lot.seat in seats else self._random.choice(seats)

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return hands of the same sizes, in which the viewer's hand has the same cards."""
        known = self._known(draw, sizes)
        left = list(deck)
        for hand in known.values():
            left = [count - taken for count, taken in zip(left, hand, strict=True)]
        if min(left) < 0:
            raise NoSuchCards
        others = [0 if place in known else size for place, size in enumerate(sizes)]
        hands = RandomChance(self._random).deal(draw, left, others) if any(others) else [NOTHING] * len(others)
        return tuple(known.get(place, hand) for place, hand in enumerate(hands))

    def _known(self, draw: int, sizes: Sequence[int]) -> dict[int, Hand]:
        """Return the viewer's cards by their place in the deal, if this deal is the same as in the other world."""
        dealt = self._drawn.get(draw)
        if isinstance(dealt, CardsDrawn):
            hands: Sequence[Cards] = (dealt.cards,)
            place = 0 if dealt.seat == self._viewer else None
        elif isinstance(dealt, HandsDealt):
            hands, place = dealt.hands, self._viewer
        else:
            return {}
        known = [hand for hand in hands if not isinstance(hand, int)]
        return {} if place is None or [sum(hand) for hand in known] != list(sizes) else {place: known[place]}


class Worlds(NamedTuple):
    """Two positions, the chains of events that led to them, and the place where the chains diverge.

    They may diverge only at the first card that is turned up for everybody to see, if it is a different card.
    """

    one: State
    other: State
    chain: list[Event]
    chain_there: list[Event]
    parted: int | None


def step(one: State, other: State, viewer: int | None, random: Random) -> Worlds | None:
    """Return the results of commands that look alike in both worlds, or None if no matching chance exists."""
    asked, asked_there = alike(one, other, viewer, random)
    for _ in range(ATTEMPTS):
        here, there = one.copy(), other.copy()
        chain = advance(here, asked, RandomChance(random))
        try:
            chain_there = advance(there, asked_there, Following(chain, viewer, random))
        except NoSuchCards:
            continue
        return Worlds(here, there, chain, chain_there, _parted(chain, chain_there, viewer))
    return None


def _parted(one: Sequence[Event], other: Sequence[Event], viewer: int | None) -> int | None:
    for index, (event, twin) in enumerate(zip(one, other, strict=False)):
        match event, twin:
            case CardTurnedUp(owner, card), CardTurnedUp(same, another) if owner == same != viewer and card != another:
                return index
    return None
