"""Positions that look equal to a seat behave equally for it: hidden cards do not affect anything that it sees."""

import json
from itertools import takewhile
from random import Random

import pytest
from hypothesis import given

from engine import (
    Event,
    Refusal,
    State,
    advance,
    decide,
    event_to_record,
    legal_commands,
    replay,
    seen_by,
    start,
    view_for,
)
from engine.events import CardsDrawn, CardsKept, CardTurnedUp, FinalBattleStarted, HandDiscarded

from .asking import anything
from .cases import DUEL, FFG
from .games import QUICK, SEEDS, Game, chance_of, games
from .table import named
from .twins import with_other_secrets


def visible_events(events: list[Event], seat: int) -> list[tuple[str, object]]:
    """Return what a seat sees of a chain until another seat's card is turned up or a final battle begins."""

    def in_the_dark(event: Event) -> bool:
        if isinstance(event, CardTurnedUp):
            return event.seat == seat
        return not isinstance(event, FinalBattleStarted)

    return named(seen_by(event, seat) for event in takewhile(in_the_dark, events))


def refusal_fields(state: State, command: object) -> tuple[object, ...]:
    """Return everything that a refusal contains."""
    with pytest.raises(Refusal) as refused:
        decide(state, command, chance_of(1))  # type: ignore[arg-type]
    refusal = refused.value
    return refusal.code, str(refusal), refusal.field, refusal.clause, named(refusal.legal)


def check_twins(game: Game, seed: int) -> int:
    """Play a game and compare each position with one that looks the same; return how many of these really differed."""
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    state = replay(start(key, seats, chance, options))
    differed = 0
    for _ in range(300):
        commands = legal_commands(state)
        if not commands:
            break
        seat, command = state.turn, random.choice(commands)
        twin = with_other_secrets(state, seat, random)
        differed += twin != state
        assert view_for(twin, seat) == view_for(state, seat)
        assert view_for(twin, None) == view_for(state, None)
        assert named(legal_commands(twin)) == named(commands)
        chain = decide(state, command, chance)
        assert visible_events(decide(twin, command, chance), seat) == visible_events(chain, seat)
        attempt = anything(seat, seats, random)
        if (type(attempt).__name__, attempt) not in named(commands):
            assert refusal_fields(twin, attempt) == refusal_fields(state, attempt)
        for event in chain:
            for spectator in (None, (seat + 1) % seats):
                check_redacted(event, spectator)
        advance(state, command, chance)
    return differed


def check_redacted(event: Event, spectator: int | None) -> None:
    """Check that the record of an event for a spectator contains no hidden card."""
    if isinstance(event, HandDiscarded | CardsDrawn | CardsKept) and event.seat != spectator:
        assert '"cards": [' not in json.dumps(event_to_record(seen_by(event, spectator)))


@QUICK
@given(game=games(), seed=SEEDS)
def test_what_others_hide_changes_nothing_that_a_seat_sees(game: Game, seed: int) -> None:
    """The seat's view, commands and refusals are the same, and so is everything that it sees of its own move."""
    check_twins(game, seed)


@pytest.mark.parametrize(
    "game",
    [
        (FFG, 3, {"hidden_cards": True}),
        (FFG, 4, {"draw_after_battle": True, "hidden_cards": True, "battle_limit": 12}),
        (DUEL, 2, {}),
    ],
    ids=["hidden-cards", "drawn-cards", "own-decks"],
)
def test_the_positions_compared_do_differ(game: Game) -> None:
    """If they did not, the property above would be trivial."""
    assert check_twins(game, seed=5) > 20
