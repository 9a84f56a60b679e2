"""Positions that look the same to a seat and differ in what it cannot see."""

from collections.abc import Iterable
from random import Random

from engine import State
from engine.cards import KINDS


def with_other_secrets(state: State, seat: int, random: Random) -> State:
    """Return a position that looks the same to a seat: the cards that only others see are dealt among them anew.

    Hands change places with hands and with what lies face down; where every seat has a deck of its own, with that.
    """
    twin = state.copy()
    others = [other for other in range(state.seats) if other != seat]
    pile = [kind for other in others for kind in (*spread(state.hands[other]), *state.hidden[other])]
    if state.edition.deck_each:
        pile += [kind for other in others for kind in spread(state.decks[other])]
    random.shuffle(pile)
    for other in others:
        hidden = []
        for _ in state.hidden[other]:
            hidden.append(next(kind for kind in pile if kind in state.edition.face_down))
            pile.remove(hidden[-1])
        twin.hidden[other] = tuple(hidden)
    for other in others:
        twin.hands[other], pile = counted(pile, sum(state.hands[other]))
        if state.edition.deck_each:
            twin.decks[other], pile = counted(pile, sum(state.decks[other]))
    assert not pile
    return twin


def spread(pile: Iterable[int]) -> list[int]:
    """Return the kind of every card in a pile."""
    return [kind for kind, count in enumerate(pile) for _ in range(count)]


def counted(pile: list[int], size: int) -> tuple[list[int], list[int]]:
    """Return the first cards of a pile as counts by kind, and the rest of it."""
    return [pile[:size].count(kind) for kind in range(KINDS)], pile[size:]
