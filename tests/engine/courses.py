"""Counts, one by one, all courses of a small game that are consistent with what a seat knows.

A course says where each physical card was at every moment. This module runs the engine forward and uses nothing from
`engine.sampling`. It tries every legal command with every possible draw, and drops every course that would have looked
different to the seat. Courses that lead to equal positions are counted together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import comb, prod
from random import Random
from typing import NamedTuple

from engine import Command, DeclineRegion, Edition, Event, RandomChance, State, advance, legal_commands, resign, seen_by
from engine.cards import KINDS, Hand
from engine.events import (
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardTakenBack,
    CardTurnedUp,
    HandDiscarded,
    HandsDealt,
)
from engine.evolve import apply
from engine.phase_names import OVER
from engine.phases import open_game

Located = tuple[Hand, ...]
"""For each seat, the cards in its hand that everybody saw it take back with a scarecrow."""
Key = tuple[str, Located]


class Resign(NamedTuple):
    """A seat resigns; everybody sees this."""

    seat: int


class Played(NamedTuple):
    """A game so far: its position, and each command with its events; the opening has no command."""

    state: State
    moves: list[tuple[Command | Resign | None, list[Event]]]

    @property
    def log(self) -> list[Event]:
        """All events of the game so far."""
        return [event for _, events in self.moves for event in events]


class Courses(NamedTuple):
    """A position, its located cards, and the number of courses that lead to it."""

    state: State
    located: Located
    number: int


def play(edition: Edition, seats: int, moves: int, seed: int, resigns: int | None = None) -> Played:
    """Play at most `moves` random moves of a small edition.

    If `resigns` is given, seat 0 resigns instead of making the move with that number.

    After the first battle, seats decline to choose a region where they may, because a tie leads to a final battle.
    """
    random = Random(seed)
    chance, state = RandomChance(random), State(edition, seats)
    played: list[tuple[Command | Resign | None, list[Event]]] = [(None, opening(state, chance))]
    while len(played) <= moves and state.phase != OVER:
        if len(played) == resigns:
            played.append((Resign(0), resign(state, 0, chance)))
            continue
        legal = legal_commands(state)
        declines = [command for command in legal if isinstance(command, DeclineRegion) and state.battles]
        command = random.choice(declines or legal)
        played.append((command, advance(state, command, chance)))
    return Played(state, played)


def opening(state: State, chance: Chosen | RandomChance) -> list[Event]:
    """Open a game on an empty table."""
    events = []
    for event in open_game(state, chance):
        apply(state, event)
        events.append(event)
    return events


def text(state: State) -> str:
    """Return everything in a position as text."""
    return repr([getattr(state, name) for name in State.__slots__ if name != "edition"])


def courses(played: Played, seat: int | None) -> list[Courses]:
    """Return the number of courses that lead to each position in which the game can be, given what a seat knows."""
    seats = played.state.seats
    nothing = tuple((0,) * KINDS for _ in range(seats))
    found = [Courses(State(played.state.edition, seats), nothing, 1)]
    for command, events in played.moves:
        seen = named(events, seat)
        following: dict[Key, Courses] = {}
        for before in found:
            known = command if command and (command.seat == seat or isinstance(command, Resign)) else None
            for after, chain in chains(before.state, known, seen, seat):
                for located, ways in counted(before, chain, seat):
                    key = text(after), located
                    earlier = following[key].number if key in following else 0
                    following[key] = Courses(after, located, earlier + before.number * ways)
        found = [*following.values()]
    return found


def named(events: Iterable[Event], seat: int | None) -> list[tuple[str, Event]]:
    """Return events as a seat sees them, with their types."""
    return [(type(event).__name__, seen_by(event, seat)) for event in events]


# What may have happened


class Undecided(Exception):
    """A draw whose result has not been chosen yet, with all its possible results."""


class Chosen:
    """A chance that returns given results in order."""

    def __init__(self, results: Sequence[object]) -> None:
        """Store the results of the first draws."""
        self._results = list(results)

    def pick(self, draw: int, seats: Sequence[int]) -> int:  # noqa: ARG002
        """Return the next result."""
        return self._next(seats)  # type: ignore[return-value]

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:  # noqa: ARG002
        """Return the next result."""
        return self._next(deals(tuple(deck), tuple(sizes)))  # type: ignore[return-value]

    def _next(self, results: Iterable[object]) -> object:
        if not self._results:
            raise Undecided([*results])
        return self._results.pop(0)


def deals(deck: Hand, sizes: tuple[int, ...]) -> Iterator[tuple[Hand, ...]]:
    """Yield every possible deal of hands with these sizes."""
    if not sizes:
        yield ()
        return
    for hand in selections(deck, sizes[0]):
        rest = tuple(count - taken for count, taken in zip(deck, hand, strict=True))
        for others in deals(rest, sizes[1:]):
            yield (hand, *others)


def selections(cards: Hand, number: int) -> set[Hand]:
    """Yield every selection of this number of cards, as counts by kind."""
    kinds = [kind for kind, count in enumerate(cards) for _ in range(count)]
    return {tuple(chosen.count(kind) for kind in range(KINDS)) for chosen in combinations(kinds, number)}


def chains(
    state: State, known: Command | Resign | None, seen: Sequence[object], seat: int | None
) -> Iterator[tuple[State, list[Event]]]:
    """Yield everything that can follow from a position if a seat sees these events and perhaps knows the command."""
    begins = state.phase == "setup"
    commands: Sequence[Command | Resign | None] = [None] if begins else [known] if known else legal_commands(state)
    for command in commands:
        pending: list[list[object]] = [[]]
        while pending:
            results = pending.pop()
            after = state.copy()
            try:
                chance = Chosen(results)
                chain = caused(after, command, chance)
            except Undecided as undecided:
                pending += [[*results, result] for result in undecided.args[0]]
                continue
            if named(chain, seat) == seen:
                yield after, chain


def caused(state: State, command: Command | Resign | None, chance: Chosen) -> list[Event]:
    """Carry out a command, or open the game, and return the events."""
    if command is None:
        return opening(state, chance)
    return resign(state, 0, chance) if isinstance(command, Resign) else advance(state, command, chance)


# In how many ways


def counted(before: Courses, chain: Sequence[Event], seat: int | None) -> Iterator[tuple[Located, int]]:
    """Yield the located cards after some events, and the number of ways in which the physical cards can have moved."""
    state = before.state.copy()
    outcomes = [(before.located, 1)]
    for event in chain:
        outcomes = [
            (after, number * ways) for located, number in outcomes for after, ways in moved(state, located, event, seat)
        ]
        apply(state, event)
    yield from outcomes


def moved(state: State, located: Located, event: Event, seat: int | None) -> Iterator[tuple[Located, int]]:
    """Yield the located cards after one event, and the number of ways in which the physical cards can have moved."""
    if isinstance(event, HandsDealt | CardsDrawn):
        hands = event.hands if isinstance(event, HandsDealt) else (event.cards,)
        deck = list(state.deck_of(event.seat if isinstance(event, CardsDrawn) else 0))
        ways = 1
        for hand in hands:
            assert not isinstance(hand, int)
            ways *= prod(map(comb, deck, hand))
            deck = [count - taken for count, taken in zip(deck, hand, strict=True)]
        yield located, ways
    elif isinstance(event, CardTurnedUp) and event.seat != seat:
        yield located, max(1, state.hidden[event.seat].count(event.card))
    elif not isinstance(event, CardPlayed | CardLaidFaceDown | CardTakenBack | HandDiscarded) or event.seat == seat:
        yield located, 1
    elif isinstance(event, CardTakenBack):
        yield changed(located, event.seat, event.card, 1), 1
    elif isinstance(event, HandDiscarded):
        yield from discarded(state, located, event)
    else:
        assert event.card is not None
        known = located[event.seat][event.card]
        others = state.hands[event.seat][event.card] - known
        if known:
            face_up = isinstance(event, CardPlayed)
            yield changed(located, event.seat, event.card, -1), 1 if face_up else known
            if face_up:
                return
        if others:
            yield located, others


def changed(located: Located, seat: int, kind: int, number: int) -> Located:
    """Return the located cards with one card more or one fewer."""
    hand = list(located[seat])
    hand[kind] += number
    return (*located[:seat], tuple(hand), *located[seat + 1 :])


def discarded(state: State, located: Located, event: HandDiscarded) -> Iterator[tuple[Located, int]]:
    """Yield the located cards after a discard. If the seat keeps cards, located cards among them stay located."""
    assert not isinstance(event.cards, int)
    choices = []
    for known, count, gone in zip(located[event.seat], state.hands[event.seat], event.cards, strict=True):
        kept = count - gone
        choices.append([(n, comb(known, n) * comb(count - known, kept - n)) for n in range(min(known, kept) + 1)])
    for choice in product(*choices):
        ways = prod(number for _, number in choice)
        if ways:
            yield (*located[: event.seat], tuple(n for n, _ in choice), *located[event.seat + 1 :]), ways
