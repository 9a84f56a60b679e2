"""Evolve: how each event changes a state.

The functions only update fields: they apply no rules and never refuse an event.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import TYPE_CHECKING, Any

from .cards import KINDS
from .events import (
    BattleEnded,
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardsKept,
    CardTakenBack,
    CardTurnedUp,
    DiscardReshuffled,
    Event,
    FavorMoved,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    HandDiscarded,
    HandKept,
    HandsDealt,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    MercenariesRemoved,
    RegionChosen,
    RegionDeclined,
    RoundEnded,
    RoundStalled,
    RowsDiscarded,
    SeatPassed,
    SeatResigned,
    TurnStarted,
)
from .phase_names import OVER
from .state import NO_CARD, NOBODY, NOWHERE

if TYPE_CHECKING:
    from .cards import Hand, Pile
    from .state import State


def apply(state: State, event: Event) -> None:
    """Apply one event to a state, in place.

    `engine.replay` creates the state from the first event of a log. A later `GameStarted` starts the next game of a
    match.
    """
    FOLDS[type(event)](state, event)


def _game_started(state: State, _: GameStarted) -> None:
    state.set_up()


def _marker_taken(state: State, event: MarkerTaken) -> None:
    state.marker = event.seat
    if event.draw is not None:
        state.draws = event.draw + 1


def _hands_dealt(state: State, event: HandsDealt) -> None:
    (deck,) = state.decks
    for hand, cards in zip(state.hands, event.hands, strict=True):
        assert not isinstance(cards, int), "a redacted event cannot be replayed"
        _move(cards, deck, hand)
    state.draws = event.draw + 1


def _cards_drawn(state: State, event: CardsDrawn) -> None:
    assert not isinstance(event.cards, int), "a redacted event cannot be replayed"
    _move(event.cards, state.deck_of(event.seat), state.hands[event.seat])
    if event.draw is not None:
        state.draws = event.draw + 1
    state.answered |= 1 << event.seat


def _discard_reshuffled(state: State, _: DiscardReshuffled) -> None:
    _reshuffle(state)


def _region_chosen(state: State, event: RegionChosen) -> None:
    state.contested = event.region
    state.declines = 0


def _region_declined(state: State, _: RegionDeclined) -> None:
    state.declines += 1


def _card_played(state: State, event: CardPlayed) -> None:
    seat, card, place = event.seat, event.card, event.place
    state.hands[seat][card] -= 1
    if place == "row":
        state.rows[seat][card] += 1
    elif place == "season":
        if state.season != NO_CARD:
            state.discard[state.season] += 1
        state.season = card
    else:
        state.discard[card] += 1
    state.laid |= 1 << seat
    state.stalls = 0


def _card_laid_face_down(state: State, event: CardLaidFaceDown) -> None:
    assert event.card is not None, "a redacted event cannot be replayed"
    seat = event.seat
    state.hands[seat][event.card] -= 1
    state.hidden[seat] += (event.card,)
    state.laid |= 1 << seat
    state.stalls = 0


def _card_turned_up(state: State, event: CardTurnedUp) -> None:
    hidden = state.hidden[event.seat]
    state.hidden[event.seat] = hidden[:-1] if event.newest else hidden[1:]
    state.rows[event.seat][event.card] += 1


def _card_taken_back(state: State, event: CardTakenBack) -> None:
    state.rows[event.taken_from][event.card] -= 1
    state.hands[event.seat][event.card] += 1


def _mercenaries_removed(state: State, event: MercenariesRemoved) -> None:
    for row, count in zip(state.rows, event.counts, strict=True):
        row[event.card] -= count
    state.discard[event.card] += sum(event.counts)


def _favor_moved(state: State, event: FavorMoved) -> None:
    state.favor = NOWHERE if event.region is None else event.region


def _seat_passed(state: State, event: SeatPassed) -> None:
    if event.final:
        state.passed |= 1 << event.seat


def _seat_resigned(state: State, event: SeatResigned) -> None:
    bit = 1 << event.seat
    state.gone |= bit
    state.passed |= bit
    state.fighters &= ~bit
    state.declines = 0


def _battle_ended(state: State, event: BattleEnded) -> None:
    if event.winner is not None:
        state.won[event.winner] += 1
        if event.region is not None:
            bit = 1 << event.region
            state.held = [held & ~bit for held in state.held]
            state.held[event.winner] |= bit
    state.contested = NOWHERE
    state.battles += 1
    state.idle = 0 if state.laid else state.idle + 1


def _rows_discarded(state: State, _: RowsDiscarded) -> None:
    discard = state.discard
    for row in state.rows:
        for kind in compress(range(KINDS), row):
            discard[kind] += row[kind]
            row[kind] = 0
    if state.season != NO_CARD:
        state.discard[state.season] += 1
        state.season = NO_CARD
    state.passed = state.bystanders()
    state.laid = state.answered = 0


def _hand_kept(state: State, event: HandKept) -> None:
    state.answered |= 1 << event.seat


def _hand_discarded(state: State, event: HandDiscarded) -> None:
    assert not isinstance(event.cards, int), "a redacted event cannot be replayed"
    _move(event.cards, state.hands[event.seat], state.discard)
    state.answered |= 1 << event.seat


def _cards_kept(state: State, event: CardsKept) -> None:
    state.answered |= 1 << event.seat


def _round_stalled(state: State, _: RoundStalled) -> None:
    state.stalls += 1
    state.idle = 0


def _round_ended(state: State, _: RoundEnded) -> None:
    _reshuffle(state)
    state.rounds += 1


def _turn_started(state: State, event: TurnStarted) -> None:
    state.turn = event.seat
    state.phase = event.phase
    state.step = event.step


def _final_battle_started(state: State, event: FinalBattleStarted) -> None:
    state.fighters = sum(1 << seat for seat in event.fighters)
    state.passed = state.bystanders()
    state.result = None


def _ended(state: State, event: GameEnded | MatchEnded) -> None:
    state.result = event
    state.contested = NOWHERE
    state.turn = NOBODY
    state.phase = OVER
    state.step = None


def _match_scored(state: State, event: MatchScored) -> None:
    state.points = event.points
    state.games += 1


def _move(cards: Hand, source: Pile, target: Pile) -> None:
    for kind in compress(range(KINDS), cards):
        count = cards[kind]
        source[kind] -= count
        target[kind] += count


def _reshuffle(state: State) -> None:
    (deck,) = state.decks
    state.decks = [[in_deck + discarded for in_deck, discarded in zip(deck, state.discard, strict=True)]]
    state.discard = [0] * KINDS


FOLDS: dict[type, Callable[[State, Any], None]] = {
    GameStarted: _game_started,
    MarkerTaken: _marker_taken,
    HandsDealt: _hands_dealt,
    CardsDrawn: _cards_drawn,
    DiscardReshuffled: _discard_reshuffled,
    RegionChosen: _region_chosen,
    RegionDeclined: _region_declined,
    CardPlayed: _card_played,
    CardLaidFaceDown: _card_laid_face_down,
    CardTurnedUp: _card_turned_up,
    CardTakenBack: _card_taken_back,
    MercenariesRemoved: _mercenaries_removed,
    FavorMoved: _favor_moved,
    SeatPassed: _seat_passed,
    SeatResigned: _seat_resigned,
    BattleEnded: _battle_ended,
    RowsDiscarded: _rows_discarded,
    HandKept: _hand_kept,
    HandDiscarded: _hand_discarded,
    CardsKept: _cards_kept,
    RoundStalled: _round_stalled,
    RoundEnded: _round_ended,
    TurnStarted: _turn_started,
    FinalBattleStarted: _final_battle_started,
    GameEnded: _ended,
    MatchScored: _match_scored,
    MatchEnded: _ended,
}
"""The function that applies each type of event to a state."""
