"""The aftermath: what follows a battle, one step a function, in the order that the edition states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..events import HandDiscarded, HandsDealt, RoundEnded, RoundStalled, RowsDiscarded, TurnStarted
from ..phase_names import CHOOSE_REGION, KEEP_CARDS
from ..rules.contest import empty_regions
from ..rules.deal import hand_sizes
from ..rules.order import seats_with_cards
from ..rules.victory import leaders, reached_goals, sole_leader
from .ending import end_game, end_level_game

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


# Ends


def victory_ends_the_game(state: State, chance: Chance) -> Iterable[Event]:
    """A seat that has reached its goal wins."""
    for seat in range(state.seats):
        reasons = reached_goals(state, seat)
        if reasons and not state.gone >> seat & 1:
            return end_game(state, chance, (seat,), reasons)
    return ()


def the_last_neutral_region_ends_the_game(state: State, chance: Chance) -> Iterable[Event]:
    """When no region is without an owner, the seats with the most win, or fight it out."""
    return () if empty_regions(state) else end_level_game(state, chance, "no-region-left")


def no_region_left_ends_the_game(state: State, chance: Chance) -> Iterable[Event]:
    """Where the marker's holder has no region to choose, the seats with the most win, or fight it out."""
    return () if state.edition.contestable(state) else end_level_game(state, chance, "no-region-left")


def empty_hands_end_the_game(state: State, chance: Chance) -> Iterable[Event]:
    """When nobody has a card left to lay, whoever is ahead wins; otherwise it is a draw, without a winner."""
    return () if seats_with_cards(state) else end_game(state, chance, sole_leader(state), ("out-of-cards",))


def the_battle_limit_ends_the_game(state: State, chance: Chance) -> Iterable[Event]:
    """House rule: after so many battles whoever is ahead wins."""
    if state.battles < state.edition.battle_limit:
        return ()
    return end_game(state, chance, leaders(state), ("battle-limit",))


def the_battle_limit_ends_the_game_drawn_if_level(state: State, chance: Chance) -> Iterable[Event]:
    """House rule: after so many battles whoever is ahead wins; otherwise it is a draw, without a winner."""
    if state.battles < state.edition.battle_limit:
        return ()
    return end_game(state, chance, sole_leader(state), ("battle-limit",))


def a_stall_ends_the_game(state: State, chance: Chance) -> Iterable[Event]:
    """House rule where nothing is dealt anew: after two battles a seat without a card laid whoever is ahead wins."""
    return end_game(state, chance, leaders(state), ("stall",)) if _stalled(state) else ()


def a_stall_ends_the_game_drawn_if_level(state: State, chance: Chance) -> Iterable[Event]:
    """House rule where nothing is dealt anew: after two battles a seat without a card laid whoever is ahead wins.

    Otherwise it is a draw, without a winner.
    """
    return end_game(state, chance, sole_leader(state), ("stall",)) if _stalled(state) else ()


def a_stall_ends_the_round(state: State, chance: Chance) -> Iterable[Event]:
    """House rule: after two battles a seat without a card laid all hands are discarded.

    The second time in a row, with no card laid between, whoever is ahead wins.
    """
    if not _stalled(state):
        return ()
    if state.stalls:
        return end_game(state, chance, leaders(state), ("stall",))
    discarded = [HandDiscarded(seat, tuple(state.hands[seat]), forced=True) for seat in seats_with_cards(state)]
    return (RoundStalled(state.idle), *discarded)


def _stalled(state: State) -> bool:
    return state.idle >= 2 * (state.seats - state.gone.bit_count())


# The table is cleared and hands are dealt


def rows_are_discarded(state: State, chance: Chance) -> Iterable[Event]:
    """All rows and the season go to the discard, unless an earlier step has cleared the table."""
    cleared = not state.laid and state.passed == state.bystanders()
    return () if cleared else (RowsDiscarded(),)


def the_last_hand_is_discarded(state: State, chance: Chance) -> Iterable[Event]:
    """A seat that is the only one with cards discards its hand."""
    seats = seats_with_cards(state)
    return (HandDiscarded(seats[0], tuple(state.hands[seats[0]]), forced=True),) if len(seats) == 1 else ()


def the_last_hand_keeps_some_cards(state: State, chance: Chance) -> Iterable[Event]:
    """A seat that is the only one with cards says which it keeps."""
    seats = seats_with_cards(state)
    return (TurnStarted(seats[0], KEEP_CARDS),) if len(seats) == 1 else ()


def a_new_round_is_dealt(state: State, chance: Chance) -> Iterator[Event]:
    """When one hand at most is left, the discard goes back into the deck and every hand is filled up."""
    if len(seats_with_cards(state)) <= 1:
        yield RoundEnded()
        yield HandsDealt(chance.deal(state.draws, state.deck_of(0), hand_sizes(state)), state.draws)


# The next battle


def the_next_region_is_chosen(state: State, chance: Chance) -> Iterable[Event]:
    """The marker's holder chooses a region; where none may be contested, the seats with the most win, or fight."""
    if state.edition.contestable(state):
        return (TurnStarted(state.marker, CHOOSE_REGION),)
    return end_level_game(state, chance, "no-region-left")
