"""Situations: what a bot gets is the same in two worlds that differ only in what its seat may not know.

The worlds diverge at the first deal: the seat is dealt the same cards in both worlds, and the other seats get different
ones. The moves in both worlds look the same. Each world has a whole log, so the tests compare histories as well as
positions.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import pytest

from engine import (
    EDITIONS,
    NEWEST,
    Command,
    Event,
    Histories,
    RandomChance,
    State,
    advance,
    edition,
    history_for,
    legal_commands,
    of_last_game,
    replay,
    resign,
    seen_by,
    start,
    view_for,
)
from engine.bots import REVISIONS as BOTS
from engine.bots import Situation, bot_of
from engine.events import CardsDrawn, GameStarted, HandsDealt, MatchScored, TurnStarted
from engine.phase_names import OVER
from tests.games.__main__ import combinations
from tests.games.files import REVISIONS

from .cases import FFG
from .machine import named
from .machine_twins import step, twin_of

SEED = 7


class World(NamedTuple):
    """A position, and the log that led to it."""

    state: State
    log: list[Event]


def opened(name: str, number: int) -> tuple[World, World, int, Random]:
    """Return two worlds after the first deal, the seat that cannot distinguish them, and a source of random numbers."""
    value, random = REVISIONS[name], Random(number)
    options = combinations(value)
    chosen = options[number % len(options)]
    played = edition(value.key, value.revision, chosen)
    seats = random.randint(played.fewest_seats, played.most_seats)
    viewer = random.randrange(seats)
    log = start(value.key, seats, RandomChance(random), chosen, revision=value.revision)
    twin = twin_of(replay(log), viewer, random)
    other = [with_hands(event, twin) for event in log]
    assert replay(other) == twin
    return World(replay(log), log), World(twin, other), viewer, random


def with_hands(event: Event, state: State) -> Event:
    """Return a log's first deal, or a seat's first draw, with the cards replaced by the hands of a state."""
    if isinstance(event, HandsDealt):
        return event._replace(hands=tuple(map(tuple, state.hands)))
    if isinstance(event, CardsDrawn):
        return event._replace(cards=tuple(state.hands[event.seat]))
    return event


def pairs(name: str, number: int) -> Iterator[tuple[World, World, int]]:
    """Yield two worlds and the seat that cannot distinguish them, after each move, until a visible card differs."""
    one, other, viewer, random = opened(name, number)
    while one.state.phase != OVER:
        yield one, other, viewer
        worlds = step(one.state, other.state, viewer, random)
        if worlds is None or worlds.parted is not None:
            return
        one = World(worlds.one, [*one.log, *worlds.chain])
        other = World(worlds.other, [*other.log, *worlds.chain_there])


def situation(world: World, seat: int, iterations: int = 0) -> Situation:
    """Return what a bot in a seat gets; it need not be that seat's turn."""
    return Situation(view_for(world.state, seat), history_for(world.log, seat), Random(SEED), iterations)


def everything_in(seen: Situation) -> bytes:
    """Return every value that can be reached from a situation, except the edition, which is a constant."""
    return pickle.dumps((repr(seen.view._replace(edition=seen.view.edition.key)), repr(seen[1:2]), seen[2:]))  # type: ignore[arg-type]


@pytest.mark.whole_games
@pytest.mark.parametrize("name", REVISIONS)
def test_what_others_hide_changes_neither_the_situation_nor_the_choice(name: str) -> None:
    """The test covers every edition, any options and numbers of seats, and every value that a bot could reach.

    Bots that search choose only in every fourth position.
    """
    differed = moves = 0
    compared = Counter[str]()
    for number in range(8):
        for one, other, viewer in pairs(name, number):
            moves += 1
            differs = one.state != other.state and one.log != other.log
            differed += differs
            assert everything_in(situation(one, viewer)) == everything_in(situation(other, viewer))
            if one.state.turn == viewer:
                for bot in [bot for bot in BOTS.values() if moves % 4 == 0 or not bot.iterations]:
                    here = bot.choose(situation(one, viewer, bot.iterations))
                    assert repr(here) == repr(bot.choose(situation(other, viewer, bot.iterations)))
                    compared[bot.key] += differs
    assert differed > moves / 2 > 20
    assert min(compared[bot.key] for bot in BOTS.values()) > 20


@pytest.mark.parametrize("name", REVISIONS)
def test_histories_grow_into_the_same_history(name: str) -> None:
    """Each seat's history is the same whether it is built from the whole log, from the last game, or event by event."""
    value = REVISIONS[name]
    for number, options in enumerate(combinations(value)[::5]):
        random = Random(number)
        chance = RandomChance(random)
        played = edition(value.key, value.revision, options)
        seats = random.randint(played.fewest_seats, played.most_seats)
        log = start(value.key, seats, chance, options, revision=value.revision)
        state, histories = replay(log), Histories()
        histories.extend(log)
        for _ in range(150):
            if state.phase == OVER:
                break
            if random.random() < 0.02:
                events = resign(state, random.choice(state.remaining_seats()), chance)
            else:
                events = advance(state, random.choice(legal_commands(state)), chance)
            log += events
            histories.extend(events)
            seat = random.randrange(seats)
            assert named(histories[seat]) == named(histories[seat])
            assert named(history_for(log, seat)) == named(histories[seat])
            assert named(history_for(without_turns(of_last_game(log)), seat)) == named(histories[seat])


def test_a_history_grows_event_by_event() -> None:
    """It also grows after events that do not begin a turn."""
    log, histories = start(FFG, 3, RandomChance(Random(1))), Histories()
    for number, event in enumerate(log, 1):
        histories.extend([event])
        assert named(histories[0]) == named(history_for(log[:number], 0))


def without_turns(log: Sequence[Event]) -> list[Event]:
    """Return a log as the service replays it: without the turns that have ended."""
    return [event for event in log[:-1] if not isinstance(event, TurnStarted)] + [log[-1]]


def test_a_history_is_what_a_seat_sees_of_the_last_game() -> None:
    random = Random(1)
    chance = RandomChance(random)
    log = start(FFG, 3, chance, {"points": 1000, "hidden_cards": True})
    state = replay(log)
    while state.games < 2:
        log += advance(state, random.choice(legal_commands(state)), chance)
    log += advance(state, legal_commands(state)[0], chance)
    last = max(place for place, event in enumerate(log) if isinstance(event, GameStarted))
    assert any(isinstance(event, MatchScored) for event in log[:last])
    for seat in (None, 0, 1, 2):
        expected = [seen_by(event, seat) for event in log[last:-1] if not isinstance(event, TurnStarted)]
        assert history_for(log, seat) == [*expected, log[-1]]
        assert isinstance(history_for(log, seat)[-1], TurnStarted)


@pytest.mark.parametrize("key", EDITIONS)
def test_a_bot_plays_as_it_chooses(key: str) -> None:
    """`play` gives a bot its situation, with its own budget."""
    chance = RandomChance(Random(3))
    log = start(key, NEWEST[key].most_seats, chance)
    state, got = replay(log), []
    steady = bot_of("steady", 1)
    assert steady is not None

    def choose(seen: Situation) -> Command:
        got.append(seen)
        return steady.choose(seen)

    command = steady._replace(choose=choose, iterations=5, uses_history=True).play(state, log, Random(SEED))
    assert everything_in(got[0]._replace(random=Random(SEED))) == everything_in(
        situation(World(state, log), state.turn, 5)
    )
    assert command in legal_commands(state)
