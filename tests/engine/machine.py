"""Shared parts of the tests with random games: tables for every edition, and checks of each position and command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine import (
    EDITIONS,
    BadOption,
    Chance,
    ChooseRegion,
    Command,
    DeclineRegion,
    DrawCards,
    Edition,
    Event,
    KeepCards,
    KeepHand,
    Option,
    Pass,
    Refusal,
    SeededChance,
    State,
    View,
    advance,
    command_from_record,
    command_to_record,
    edition,
    event_from_record,
    event_to_record,
    legal_commands,
    seen_by,
    start,
    view_for,
)
from engine.cards import SPRING, WINTER
from engine.edition import Step
from engine.events import (
    BattleEnded,
    CardsDrawn,
    CardTurnedUp,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    HandDiscarded,
    MatchEnded,
    SeatPassed,
    TurnStarted,
)
from engine.notation import from_notation, to_notation, view_notation
from engine.phase_names import BATTLE, CHOOSE_REGION, KEEP_OR_DISCARD, OVER
from engine.phases.aftermath import (
    end_game_on_empty_hands,
    end_or_draw_game_at_battle_limit,
    end_or_draw_game_on_stall,
)
from engine.phases.hands import ask_to_keep_or_discard
from engine.state import NO_CARD, NOBODY, NOWHERE

MACHINE = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
"""The settings of all tests with random games; each test adds the number of examples and steps."""

SEEDS = st.integers(0, 2**32 - 1)


class Setting(NamedTuple):
    """The edition, options and seats of a game."""

    key: str
    revision: int
    seats: int
    options: dict[str, object]

    def edition(self) -> Edition:
        """Return the edition's revision with these options in force."""
        return edition(self.key, self.revision, self.options)

    def start(self, chance: Chance) -> list[Event]:
        """Return the events that open the game."""
        return start(self.key, self.seats, chance, self.options, revision=self.revision)


def values(option: Option) -> st.SearchStrategy[object]:
    """Return a strategy for the values of an option. Numbers are small, so that games are short."""
    if option.key == "battle_limit":
        return st.integers(1, 12)
    if isinstance(option.values, range):
        return st.sampled_from([0, 0, 1, 3])
    return st.sampled_from(option.values)


@st.composite
def tables(draw: st.DrawFn) -> Setting:
    """A strategy for a revision of an edition, options that can be combined, and a number of seats that it supports."""
    revisions = EDITIONS[draw(st.sampled_from(sorted(EDITIONS)))]
    value = revisions[draw(st.sampled_from(sorted(revisions, reverse=True)))]
    options = {option.key: draw(values(option)) for option in value.options}
    try:
        value = edition(value.key, value.revision, options)
    except BadOption:
        for conflict in value.conflicts:
            options[draw(st.sampled_from(conflict.options))] = 0 if "points" in conflict.options else False
        options = {key: choice for key, choice in options.items() if choice}
        value = edition(value.key, value.revision, options)
    return Setting(value.key, value.revision, draw(st.integers(value.fewest_seats, value.most_seats)), options)


def chance_of(seed: int) -> SeededChance:
    """Return a chance whose draws depend only on their number, so that deciding a move twice gives the same result."""
    return SeededChance(seed.to_bytes(32, "big"), [])


def named(values: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return commands or events with the names of their types, which tell apart those with equal fields."""
    return [(type(value).__name__, value) for value in values]


# Checks of a position


def check_cards(state: State) -> None:
    """Check that every card exists exactly once and that each seat has only cards of the deck it draws from."""
    piles = [*state.hands, *state.rows, *state.decks, state.discard]
    assert all(count >= 0 for pile in piles for count in pile)
    for kind, printed in enumerate(state.edition.deck):
        lying = sum(pile[kind] for pile in piles) + sum(hidden.count(kind) for hidden in state.hidden)
        assert lying + (state.season == kind) == printed * len(state.decks), kind
    if state.edition.deck_each:
        for seat in range(state.seats):
            own = zip(state.hands[seat], state.rows[seat], state.decks[seat], state.edition.deck, strict=True)
            assert all(in_hand + in_row + in_deck <= printed for in_hand, in_row, in_deck, printed in own)


def check_table(state: State) -> None:
    """Check that markers, season, face-down cards and sets of seats have possible values."""
    assert 0 <= state.marker < state.seats
    assert state.season in (NO_CARD, WINTER, SPRING)
    assert not any(row[WINTER] or row[SPRING] for row in state.rows)
    assert all(len(hidden) <= 1 for hidden in state.hidden)
    assert all(kind in state.edition.face_down for hidden in state.hidden for kind in hidden)
    assert sum(held.bit_count() for held in state.held) == state.owned_regions().bit_count()
    everybody = (1 << state.seats) - 1
    assert (state.passed | state.laid | state.answered | state.fighters) & ~everybody == 0
    assert state.contested == NOWHERE or state.phase != OVER
    if state.edition.board is None:
        assert not state.owned_regions()
        assert state.favor == state.contested == NOWHERE
    if not state.edition.match_target:
        assert state.games == 0
        assert not any(state.points)


def check_turn(state: State) -> None:
    """Check that a seat can move or the game is over, that legal commands are unique, and that it can play in a battle.

    Seats are asked whether to keep their hands only if several have cards; first revisions also ask a single seat.
    """
    commands = legal_commands(state)
    assert bool(commands) == (state.phase != OVER) == (state.result is None) == (state.turn != NOBODY)
    assert len(set(named(commands))) == len(commands)
    assert {command.seat for command in commands} <= {state.turn}
    if state.phase == BATTLE:
        assert any(state.hands[state.turn])
        assert not state.passed >> state.turn & 1
        assert Pass(state.turn) in commands
        assert not state.fighters or state.fighters >> state.turn & 1
    if state.phase == KEEP_OR_DISCARD and ask_to_keep_or_discard not in state.edition.aftermath:
        assert sum(map(any, state.hands)) > 1


def check_notation(state: State) -> None:
    """Check that the position can be parsed back from its notation, and that each seat's view has a notation."""
    line = to_notation(state)
    assert from_notation(line) == state
    for seat in (None, *range(state.seats)):
        assert "?" in view_notation(view_for(state, seat)) or not any(map(any, (*state.decks, state.discard)))


def check_position(state: State) -> None:
    """Check a position in which the game waits for a seat or is over."""
    check_cards(state)
    check_table(state)
    check_turn(state)
    check_notation(state)


# Checks of the events of a command


def check_chain(before: State | None, events: Sequence[Event]) -> None:
    """Check that only the last event names the next seat, and that every event can be read back from its records."""
    assert isinstance(events[-1], TurnStarted | GameEnded | MatchEnded)
    assert not any(isinstance(event, TurnStarted | MatchEnded) for event in events[:-1])
    for index, event in enumerate(events):
        if isinstance(event, GameStarted):
            assert index == 0 or isinstance(events[index - 2], GameEnded)
        seats = before.seats if before else 2
        for seen in (event, *(seen_by(event, seat) for seat in (None, *range(seats)))):
            again = event_from_record(json.loads(json.dumps(event_to_record(seen))))
            assert named([again]) == named([seen])


def check_made_by_the_engine(state: State, event: Event) -> None:
    """Check that everybody can see why the engine acts for a seat: it has no cards, or all seats discard."""
    if isinstance(event, SeatPassed):
        assert event.forced is not any(state.hands[event.seat])
        assert not state.passed >> event.seat & 1
    if isinstance(event, HandDiscarded) and event.forced:
        assert isinstance(event.cards, tuple)
        assert list(event.cards) == state.hands[event.seat] or state.answered >> event.seat & 1
        assert any(event.cards)
    if isinstance(event, CardTurnedUp):
        assert event.card == state.hidden[event.seat][-1 if event.newest else 0]
    if isinstance(event, CardsDrawn) and state.edition.drawing is None:
        assert isinstance(event.cards, tuple)
        assert sum(event.cards) + sum(state.hands[event.seat]) <= state.edition.hand_size
    if isinstance(event, FinalBattleStarted):
        assert len(event.fighters) > 1


def check_command(command: Command) -> None:
    """Check that a command can be read back from its record."""
    again = command_from_record(json.loads(json.dumps(command_to_record(command))), command.seat)
    assert named([again]) == named([command])


DRAWS: Mapping[Step, str] = {
    end_game_on_empty_hands: "out-of-cards",
    end_or_draw_game_on_stall: "stall",
    end_or_draw_game_at_battle_limit: "battle-limit",
}
"""The steps that end a tied game without a winner, and their reasons."""


def drawn_if_level(value: Edition) -> set[str]:
    """Return the reasons for which a tied game of this edition can end without a winner."""
    drawn = {reason for step, reason in DRAWS.items() if step in value.aftermath}
    return drawn | {"final-battle"} if value.chosen.get("final_battle") == "english" else drawn


def winners_of_the_final_battle(value: Edition, battle: BattleEnded) -> tuple[int, ...]:
    """Return the winners: all tied seats, except that by the English rulebook nobody wins after a tie or a Bishop."""
    level = len(battle.leaders) > 1 or battle.strengths is None
    return () if level and value.chosen.get("final_battle") == "english" else battle.leaders


# Players who play to the end


def anything(state: State, random: Random) -> Command:
    """Return any legal command."""
    return random.choice(legal_commands(state))


def the_least(state: State, random: Random) -> Command:
    """Decline, pass, keep everything and draw nothing wherever allowed, which makes the game as long as possible."""
    commands = legal_commands(state)
    for command in commands:
        if isinstance(command, DeclineRegion | Pass | KeepHand) or command == DrawCards(command.seat, 0):
            return command
    keeps = [command for command in commands if isinstance(command, KeepCards)]
    return max(keeps, key=lambda command: sum(command.keep)) if keeps else random.choice(commands)


def the_least_but_choosing(state: State, random: Random) -> Command:
    """Do the same, but choose a region rather than decline."""
    if state.phase != CHOOSE_REGION:
        return the_least(state, random)
    return random.choice([command for command in legal_commands(state) if isinstance(command, ChooseRegion)])


Player = Callable[[State, Random], Command]

WHO_PLAYS_ON: tuple[Player, ...] = (anything, the_least, the_least_but_choosing)


def most_commands(value: Edition, seats: int) -> int:
    """Return the maximum number of commands in a game or a match.

    In a battle, each card can be laid once, and again each time a scarecrow takes it back. There are also the passes: a
    seat that may return passes once per round of turns. Between battles, each seat answers and declines at most once.
    Each game of a match gives somebody a point, or is the last game.
    """
    cards = sum(value.deck) * (seats if value.deck_each else 1)
    a_battle = 2 * cards * seats + 4 * seats
    games = 1 + seats * value.match_target
    return games * (value.battle_limit + 2) * a_battle


def play_to_the_end(state: State, chance: SeededChance, who: Player, random: Random) -> int:
    """Play until the game is over; return the number of commands."""
    count, most = 0, most_commands(state.edition, state.seats)
    while state.result is None:
        advance(state, who(state, random), chance)
        count += 1
        assert count <= most, "the game does not end"
    return count


# What a seat receives, as text


def view_text(view: View) -> str:
    """Return everything in a view as text, with the explanation of each row's strength."""
    fields = view._asdict()
    fields["edition"] = (view.edition.key, view.edition.revision, dict(view.edition.chosen))
    fields["legal"] = [command_to_record(command) for command in view.legal]
    fields["result"] = view.result and event_to_record(view.result)
    return json.dumps([fields, view.strengths(), view_notation(view)])


def event_texts(events: Sequence[Event], seat: int | None) -> list[str]:
    """Return each event as a seat sees it, as text."""
    return [json.dumps(event_to_record(seen_by(event, seat))) for event in events]


def response_text(state: State, command: Command, chance: SeededChance) -> str:
    """Return a command's refusal with all its fields as text, or the text that the command was accepted."""
    try:
        advance(state.copy(), command, chance)
    except Refusal as refusal:
        legal = [command_to_record(command) for command in refusal.legal]
        return json.dumps([refusal.code, str(refusal), refusal.field, refusal.edition, refusal.clause, legal])
    return "taken"
