"""Positions that look the same to a seat and differ only in hidden cards."""

from collections.abc import Iterable
from random import Random

from engine import State
from engine.cards import KINDS


def with_other_secrets(state: State, seat: int, random: Random) -> State:
    """Return a position that looks the same to a seat: the cards that it cannot see are dealt again at random.

    Cards are exchanged between hands and face-down cards or, if each seat has a deck, between a hand and its deck.
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
        twin.hands[other], pile = split_pile(pile, sum(state.hands[other]))
        if state.edition.deck_each:
            twin.decks[other], pile = split_pile(pile, sum(state.decks[other]))
    assert not pile
    return twin


def spread(pile: Iterable[int]) -> list[int]:
    """Return the kind of each card in a pile."""
    return [kind for kind, count in enumerate(pile) for _ in range(count)]


def split_pile(pile: list[int], size: int) -> tuple[list[int], list[int]]:
    """Return the first cards of a pile as counts by kind, and the rest of it."""
    return [pile[:size].count(kind) for kind in range(KINDS)], pile[size:]
