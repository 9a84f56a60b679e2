"""Foresight: the certain effects of a command, as far as its seat can know them, without using hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Command,
    Event,
    Foresight,
    Refusal,
    SeededChance,
    State,
    advance,
    edition,
    foresee,
    legal_commands,
    replay,
    seen_by,
    start,
    view_for,
)
from engine.cards import KIND, KINDS, Hand
from engine.foresight import DRAW, HIDDEN_CARDS, stand_ins
from engine.phase_names import OVER, SETUP
from engine.state import NOBODY
from tests.games.__main__ import combinations
from tests.games.files import REVISIONS

from ..examples import examples
from .cases import CLASSIC, DUEL, FFG, REVISED, ZMAN, in_editions
from .machine import MACHINE, SEEDS, Setting, chance_of, response_text, tables, view_text
from .machine_commands import FIXED, commands
from .machine_twins import twin_of
from .table import ANY, Script, command, named, play, table, types
from .test_match import won_by_adjacency

HIDDEN: dict[str, object] = {"hidden_cards": True}
LONGEST = 150
"""The maximum number of moves of a game in these tests; after that, rounds and battles repeat."""


class Counting(SeededChance):
    """A seeded chance that counts its draws."""

    drawn = 0

    def pick(self, *args: object) -> int:
        """Count a lot."""
        self.drawn += 1
        return super().pick(*args)  # type: ignore[arg-type]

    def deal(self, *args: object) -> tuple[Hand, ...]:
        """Count a deal."""
        self.drawn += 1
        return super().deal(*args)  # type: ignore[arg-type]


class Decided(NamedTuple):
    """A command in a game: what was foreseen, and what then happened, as its seat sees it."""

    before: State
    command: Command
    foresight: Foresight
    events: tuple[Event, ...]
    drew: bool
    after: State


def decisions(name: str, number: int) -> Iterator[Decided]:
    """Yield the commands of a random game of a revision, with any options and number of seats."""
    value, random = REVISIONS[name], Random(number)
    chosen = random.choice(combinations(value))
    played = edition(value.key, value.revision, chosen)
    seats = random.randint(played.fewest_seats, played.most_seats)
    chance = Counting(random.randbytes(32), [])
    state = replay(start(value.key, seats, chance, chosen, revision=value.revision))
    for _ in range(LONGEST):
        if state.phase == OVER:
            return
        before, asked = state.copy(), random.choice(legal_commands(state))
        foresight, chance.drawn = foresee(state, asked), 0
        assert state == before
        events = tuple(seen_by(event, asked.seat) for event in advance(state, asked, chance))
        yield Decided(before, asked, foresight, events, chance.drawn > 0, state.copy())


def seen_after(state: State, asked: Command) -> tuple[Event, ...]:
    """Return the events of a command as its seat sees them."""
    return tuple(seen_by(event, asked.seat) for event in advance(state.copy(), asked, FIXED))


@pytest.mark.whole_games
@pytest.mark.parametrize("name", REVISIONS)
def test_what_is_foreseen_happens(name: str) -> None:
    """The foreseen events are the first ones that happen, and all of them if nothing stops the foresight."""
    for number in range(6):
        for _, asked, (events, stops, position), real, drew, after in decisions(name, number):
            assert named(real[: len(events)]) == named(events)
            if stops is None:
                assert len(events) == len(real)
                assert not drew
                assert view_text(view_for(position, asked.seat)) == view_text(view_for(after, asked.seat))
            else:
                assert (position.turn, position.phase, legal_commands(position)) == (NOBODY, SETUP, [])


@pytest.mark.whole_games
@pytest.mark.parametrize("name", REVISIONS)
def test_foresight_is_not_needlessly_short(name: str) -> None:
    """It stops only where the chain draws, or where another face-down card would change the events.

    In editions without face-down cards, every command without a draw is therefore foreseen completely.
    """
    random = Random(name)
    complete = undrawn = 0
    for number in range(10, 16):
        for before, asked, (_, stops, _), real, drew, _ in decisions(name, number):
            undrawn += not drew
            complete += stops is None
            if stops is not None and not drew:
                assert stops == HIDDEN_CARDS
                assert any(seen_after(twin_of(before, asked.seat, random), asked) != real for _ in range(100))
            if stops == HIDDEN_CARDS:
                assert any(cards for seat, cards in enumerate(before.hidden) if seat != asked.seat)
    assert complete > 0.9 * undrawn if REVISIONS[name].key == FFG else complete == undrawn


@pytest.mark.whole_games
@pytest.mark.parametrize("name", REVISIONS)
def test_hidden_cards_do_not_change_what_is_foreseen(name: str) -> None:
    """The hidden cards can even be cards that the edition does not print: only their number is used."""
    random = Random(name)
    for number in range(20, 24):
        for before, asked, foresight, *_ in decisions(name, number):
            for other in (twin_of(before, asked.seat, random), with_impossible_cards(before, asked.seat)):
                again = foresee(other, asked)
                assert named(again.events) == named(foresight.events)
                assert again[1:] == foresight[1:]


def with_impossible_cards(state: State, seat: int) -> State:
    """Return a position in which all cards that a seat does not see are of one kind."""
    other = state.copy()
    for owner in set(range(state.seats)) - {seat}:
        other.hands[owner] = only_drummers(sum(state.hands[owner]))
        other.hidden[owner] = (KIND["drummer"],) * len(state.hidden[owner])
    other.decks = [only_drummers(sum(deck)) for deck in state.decks]
    other.discard = only_drummers(sum(state.discard))
    return other


def only_drummers(number: int) -> list[int]:
    """Return a pile of this number of drummers."""
    return [number if kind == KIND["drummer"] else 0 for kind in range(KINDS)]


@settings(MACHINE, max_examples=examples(40))
@given(table=tables(), seed=SEEDS, played=st.integers(0, 100), data=st.data())
def test_a_refusal_is_the_real_one(table: Setting, seed: int, played: int, data: st.DataObject) -> None:
    """Any command of a seat, in turn or out of turn, is accepted in both or refused in both with the same text."""
    chance, random = chance_of(seed), Random(seed)
    state = replay(table.start(chance))
    for _ in range(played):
        if state.phase != OVER:
            advance(state, random.choice(legal_commands(state)), chance)
    seat = data.draw(st.sampled_from([max(0, state.turn), *range(state.seats)]))
    for _ in range(6):
        asked = data.draw(commands(seat, state.seats))
        real = response_text(state, asked, FIXED)
        assert response_text(stand_ins(state, seat)[0], asked, FIXED) == real
        try:
            foresee(state, asked)
        except Refusal:
            assert real != "taken"
        else:
            assert real == "taken"


@settings(MACHINE, max_examples=examples(40))
@given(table=tables(), seed=SEEDS, played=st.integers(0, 100))
def test_a_stand_in_position_looks_like_the_real_one(table: Setting, seed: int, played: int) -> None:
    """The two look alike to the seat. All stand-in positions consist of the printed cards."""
    chance, random = chance_of(seed), Random(seed)
    state = replay(table.start(chance))
    for _ in range(played):
        if state.phase != OVER:
            advance(state, random.choice(legal_commands(state)), chance)
    for seat in range(state.seats):
        for position in stand_ins(state, seat):
            assert view_text(view_for(position, seat)) == view_text(view_for(state, seat))
            piles = [*position.hands, *position.rows, *position.decks, position.discard]
            for kind, printed in enumerate(state.edition.deck):
                there = sum(pile[kind] for pile in piles) + sum(hidden.count(kind) for hidden in position.hidden)
                assert there + (position.season == kind) == printed * len(state.decks)


def test_a_season_in_force_is_in_sight() -> None:
    """The season's card is nowhere else in a stand-in position."""
    given = table(ZMAN, rows=["10", "", ""], hands=["1", "2 3", "4"], season="W")
    for position in stand_ins(given, 0):
        assert position.season == KIND["winter"]
        piles = [*position.hands, *position.rows, *position.decks, position.discard]
        assert sum(pile[KIND["winter"]] for pile in piles) == given.edition.deck[KIND["winter"]] - 1


# Where foresight stops


@in_editions("lot", ZMAN)
def test_it_stops_at_a_lot(edition: str) -> None:
    """Two seats are tied, so the battle marker goes to one of them by lot (zman-2018, Ending a Battle)."""
    given = table(edition, rows=["10", "10", ""], hands=["1", "2", "3"], passed="BC")
    events, stops, position = foresee(given, command("A passes"))
    assert types(events) == ["SeatPassed", "BattleEnded"]
    assert stops == DRAW
    assert (position.turn, position.battles) == (NOBODY, 2)


@in_editions("deal", CLASSIC)
def test_it_stops_at_a_deal(edition: str) -> None:
    """Only one seat has cards left after the battle, so the round ends and new hands are dealt."""
    given = table(edition, rows=["10", "", ""], hands=["1", "", ""], passed="BC")
    events, stops, position = foresee(given, command("A passes"))
    real = play(given, "A passes", chance=Script(deals=[ANY])).events
    assert named(events) == named(seen_by(event, 0) for event in real[: len(events)])
    assert types(real)[len(events)] == "HandsDealt"
    assert stops == DRAW
    assert sum(position.hands[1]) == 0


def test_it_stops_before_cards_are_drawn() -> None:
    """It stops even if the seat draws the whole deck: the seat cannot know which cards are in the discard."""
    options: dict[str, object] = {"draw_after_battle": True}
    given = table(FFG, hands=["1", "2", "3"], phase="draw-cards", options=options)
    assert foresee(given, command("A draws 2"))[:2] == ((), DRAW)
    events, stops, position = foresee(given, command("A draws 0"))
    assert types(events) == ["CardsDrawn", "TurnStarted"]
    assert (stops, position.turn) == (None, 1)


@pytest.mark.parametrize("marker", ["A", "B", "C"])
def test_it_stops_at_the_first_face_down_card_that_could_be_of_two_kinds(marker: str) -> None:
    """Cards are turned up clockwise from the marker, wherever it is."""
    given = table(
        FFG, rows=["5", "4", ""], hidden=["10", "10", "10"], hands=["1", "2", "3"], passed="BC", marker=marker,
        options=HIDDEN,
    )  # fmt: skip
    events, stops, _ = foresee(given, command("A passes"))
    assert stops == HIDDEN_CARDS
    own_first = marker == "A"
    assert types(events) == ["SeatPassed", "CardTurnedUp"] if own_first else ["SeatPassed"]


def test_a_face_down_card_that_the_seat_can_tell_stops_nothing() -> None:
    """The seat can see all other cards that may be laid face down, so it knows which kind B has laid."""
    value = edition(FFG, None, HIDDEN)
    rest = {kind: value.deck[kind] for kind in value.face_down if kind != KIND["drummer"]}
    given = table(FFG, hands=["W", "B", "C"], hidden=["", "D", ""], passed="BC", options=HIDDEN)
    for kind, number in rest.items():
        given.rows[0][kind], given.decks[0][kind] = number, 0
    events, stops, position = foresee(given, command("A passes"))
    assert "CardTurnedUp" in types(events)
    assert stops is None
    assert view_for(position, 0) == view_for(play(given, "A passes").state, 0)


@in_editions("match", FFG, REVISED)
def test_the_next_game_of_a_match_stops_at_its_first_lot(edition: str) -> None:
    """The events of the last game are certain, including its points."""
    given = won_by_adjacency(edition, "roma siena venezia", "torino", "", "")
    events, stops, position = foresee(given, command("A passes"))
    assert types(events)[-3:] == ["GameEnded", "MatchScored", "GameStarted"]
    assert stops == DRAW
    assert (position.result, position.games) == (None, 1)


def test_a_game_that_certainly_ends_has_its_result() -> None:
    """The third battle won ends a duel (zman-2018, 2-Player Game)."""
    given = table(DUEL, 2, rows=["10", "1"], hands=["1", "2"], won=[2, 0], passed="B")
    events, stops, position = foresee(given, command("A passes"))
    assert types(events)[-1] == "GameEnded"
    assert stops is None
    assert position.result == events[-1]


def test_a_refusal_lists_the_legal_commands_of_the_seat_alone() -> None:
    """Out of turn, the refusal lists none, because the commands of another seat would reveal its hand."""
    given = table(ZMAN, hands=["1 X", "2", "3"], turn="A")
    with pytest.raises(Refusal) as refused:
        foresee(given, command("A plays 10"))
    assert refused.value.code == "card-not-in-hand"
    assert list(refused.value.legal) == legal_commands(given)
    with pytest.raises(Refusal) as refused:
        foresee(given, command("B plays 2"))
    assert refused.value.code == "not-your-turn"
    assert refused.value.legal == ()
