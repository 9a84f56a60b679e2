"""The steps of the aftermath, which follows each battle. The edition defines the order of the steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..events import HandDiscarded, HandsDealt, RoundEnded, RoundStalled, RowsDiscarded, TurnStarted
from ..phase_names import CHOOSE_REGION, KEEP_CARDS
from ..rules.contest import empty_regions
from ..rules.deal import deal_sizes
from ..rules.order import seats_with_cards
from ..rules.stall import most_idle_battles
from ..rules.victory import leaders, reached_goals, sole_leader
from .ending import end_game, end_game_on_standing

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


# The end of the game


def end_game_on_victory(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if a seat has reached its goal."""
    for seat in range(state.seats):
        reasons = reached_goals(state, seat)
        if reasons and not state.gone >> seat & 1:
            return end_game(state, chance, (seat,), reasons)
    return ()


def end_game_without_empty_regions(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if no region is empty.

    The seat with the most regions wins. Tied seats fight a final battle, or share the victory if the edition has no
    final battle.
    """
    return () if empty_regions(state) else end_game_on_standing(state, chance, "no-region-left")


def end_game_without_contestable_regions(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if there is no region that the holder of the battle marker can choose.

    The seat with the most regions wins. Tied seats fight a final battle, or share the victory if the edition has no
    final battle.
    """
    return () if state.edition.contestable(state) else end_game_on_standing(state, chance, "no-region-left")


def end_game_on_empty_hands(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if no seat has cards. The leading seat wins. A tie is a draw without a winner."""
    return () if seats_with_cards(state) else end_game(state, chance, sole_leader(state), ("out-of-cards",))


def end_game_at_battle_limit(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if the battle limit is reached (house rule). Tied seats share the victory."""
    if state.battles < state.edition.battle_limit:
        return ()
    return end_game(state, chance, leaders(state), ("battle-limit",))


def end_or_draw_game_at_battle_limit(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if the battle limit is reached (house rule). A tie is a draw."""
    if state.battles < state.edition.battle_limit:
        return ()
    return end_game(state, chance, sole_leader(state), ("battle-limit",))


def end_game_on_stall(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if it has stalled (house rule for editions without rounds). Tied seats share the victory."""
    return end_game(state, chance, leaders(state), ("stall",)) if _stalled(state) else ()


def end_or_draw_game_on_stall(state: State, chance: Chance) -> Iterable[Event]:
    """End the game if it has stalled (house rule for editions without rounds). A tie is a draw."""
    return end_game(state, chance, sole_leader(state), ("stall",)) if _stalled(state) else ()


def end_round_on_stall(state: State, chance: Chance) -> Iterable[Event]:
    """If the game has stalled (house rule), discard all hands, which ends the round.

    If no card has been laid since the previous stall, end the game instead. The leading seat wins, and tied seats share
    the victory.
    """
    if not _stalled(state):
        return ()
    if state.stalls:
        return end_game(state, chance, leaders(state), ("stall",))
    discarded = [HandDiscarded(seat, tuple(state.hands[seat]), forced=True) for seat in seats_with_cards(state)]
    return (RoundStalled(state.idle), *discarded)


def _stalled(state: State) -> bool:
    return state.idle >= most_idle_battles(state.seats - state.gone.bit_count())


# Clearing the table and dealing


def discard_rows(state: State, chance: Chance) -> Iterable[Event]:
    """Discard all rows and the season, unless an earlier step has already discarded them."""
    cleared = not state.laid and state.passed == state.bystanders()
    return () if cleared else (RowsDiscarded(),)


def discard_last_hand(state: State, chance: Chance) -> Iterable[Event]:
    """If only one seat has cards, discard its hand."""
    seats = seats_with_cards(state)
    return (HandDiscarded(seats[0], tuple(state.hands[seats[0]]), forced=True),) if len(seats) == 1 else ()


def ask_to_keep_cards(state: State, chance: Chance) -> Iterable[Event]:
    """If only one seat has cards, ask it which cards to keep."""
    seats = seats_with_cards(state)
    return (TurnStarted(seats[0], KEEP_CARDS),) if len(seats) == 1 else ()


def deal_new_round(state: State, chance: Chance) -> Iterator[Event]:
    """If at most one seat has cards, end the round: shuffle the discard into the deck and fill every hand."""
    if len(seats_with_cards(state)) <= 1:
        yield RoundEnded()
        yield HandsDealt(chance.deal(state.draws, state.deck_of(0), deal_sizes(state)), state.draws)


# The next battle


def ask_to_choose_region(state: State, chance: Chance) -> Iterable[Event]:
    """Ask the holder of the battle marker to choose a region, or end the game if there is no region to choose.

    The seat with the most regions then wins. Tied seats fight a final battle, or share the victory if the edition has
    no final battle.
    """
    if state.edition.contestable(state):
        return (TurnStarted(state.marker, CHOOSE_REGION),)
    return end_game_on_standing(state, chance, "no-region-left")
