"""A match: games are scored, and the next one is opened, until a seat has reached the target (Playing for Points)."""

from random import Random

import pytest

from engine import (
    Pass,
    SeededChance,
    State,
    advance,
    decide,
    legal_commands,
    of_last_game,
    replay,
    resign,
    start,
)
from engine.events import (
    CardsKept,
    GameEnded,
    GameStarted,
    HandsDealt,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    SeatResigned,
    TurnStarted,
)
from engine.state import NO_CARD, NOBODY, NOWHERE

from .cases import FFG, REVISED, in_cases, in_editions, proves
from .table import ANY, PlayResult, Script, all_cards, every, only, play, regions, table, types

BOTH = (FFG, REVISED)


def won_by_adjacency(
    edition: str, *held: str, contested: str = "firenze", points: tuple[int, ...] = (), target: int = 20
) -> State:
    """Return a position of four seats in which A wins this region and with it the game of a match."""
    return table(
        edition, 4, rows=["10", "", "", ""], hands=["1"] * 4, held=held, contested=contested, passed="BCD",
        points=points, options={"points": target},
    )  # fmt: skip


def after(given: State, *, lots: tuple[str, ...] = ("C of ABCD",), deals: int = 1) -> PlayResult:
    """Return the result of A's last pass."""
    return play(given, "A passes", chance=Script(lots=lots, deals=[ANY] * deals))


@proves("13.9 13.10", FFG)
@proves("13.10 13.11", REVISED)
@in_editions("T61", *BOTH)
def test_a_region_is_a_point_and_a_kingdom_five_more(edition: str) -> None:
    """T61: four regions and a kingdom give nine points, three regions three (eurogames-revised, Partie aux points)."""
    then = after(won_by_adjacency(edition, "roma siena venezia", "torino napoli modena", "", ""))
    assert only(GameEnded, then.events) == GameEnded((0,), ("adjacent-regions",))
    assert only(MatchScored, then.events) == MatchScored((9, 3, 0, 0), (9, 3, 0, 0))
    assert then.state.points == (9, 3, 0, 0)
    assert then.state.games == 1


@proves("13.10", FFG)
def test_a_win_by_the_total_brings_no_extra_points() -> None:
    """Only adjacency brings extra points (ffg-2007, Playing for Points)."""
    then = after(won_by_adjacency(FFG, "torino venezia lucca napoli", "roma", "", "", contested="urbino"))
    assert only(GameEnded, then.events).reasons == ("total-regions",)
    assert only(MatchScored, then.events).gained == (5, 1, 0, 0)


@proves("9.3 13.10", FFG)
def test_a_win_by_both_brings_them_once() -> None:
    """(ffg-2007, Playing for Points)."""
    then = after(won_by_adjacency(FFG, "roma siena venezia torino", "", "", ""))
    assert only(GameEnded, then.events).reasons == ("adjacent-regions", "total-regions")
    assert only(MatchScored, then.events).gained == (10, 0, 0, 0)


@proves("13.10", REVISED)
def test_points_are_added_to_those_of_the_games_before() -> None:
    """The points of every seat are added (eurogames-revised, Partie aux points)."""
    then = after(won_by_adjacency(REVISED, "roma siena", "torino", "", "", points=(1, 6, 3, 0)))
    assert only(MatchScored, then.events) == MatchScored((8, 1, 0, 0), (9, 7, 3, 0))


@proves("13.11", FFG)
@proves("13.12", REVISED)
@in_editions("T62", *BOTH)
def test_who_reaches_or_passes_the_target_wins_the_match(edition: str) -> None:
    """T62: from 19 points, any win of more than one point suffices (eurogames-revised, Partie aux points)."""
    given = won_by_adjacency(edition, "roma siena", "torino napoli modena", "", "", points=(15, 12, 0, 3))
    then = after(given, lots=(), deals=0)
    assert only(MatchScored, then.events).points == (23, 15, 0, 3)
    assert types(then.events)[-3:] == ["GameEnded", "MatchScored", "MatchEnded"]
    assert only(MatchEnded, then.events) == MatchEnded((0,), ("points",))
    assert then.state.result == MatchEnded((0,), ("points",))
    assert (then.state.phase, then.state.turn) == ("over", NOBODY)


@proves("13.11", FFG)
@proves("13.12", REVISED)
@in_cases("points over", ("exactly", BOTH, 12, True), ("one-short", BOTH, 11, False))
def test_the_target_is_reached_at_its_number(edition: str, points: int, over: bool) -> None:
    """(ffg-2007, Playing for Points: reaches or passes)."""
    given = won_by_adjacency(edition, "roma siena", "", "", "", points=(points, 0, 0, 0))
    then = after(given, lots=() if over else ("C of ABCD",), deals=0 if over else 1)
    assert bool(every(MatchEnded, then.events)) is over


@proves("13.11", FFG)
@proves("13.12", REVISED)
@in_editions("F20", *BOTH)
def test_of_several_over_the_target_most_points_win(edition: str) -> None:
    """F20: 24 points beat 21, although the seat with 21 won the game (ffg-2007, Playing for Points)."""
    given = won_by_adjacency(edition, "roma siena", "torino napoli modena", "", "", points=(13, 21, 0, 0))
    then = after(given, lots=(), deals=0)
    assert only(GameEnded, then.events).winners == (0,)
    assert only(MatchScored, then.events).points == (21, 24, 0, 0)
    assert only(MatchEnded, then.events) == MatchEnded((1,), ("points",))


@proves("9.9 13.12", FFG)
@proves("9.13 13.13", REVISED)
@in_editions("anew", *BOTH)
def test_the_next_game_opens_anew_with_a_lot(edition: str) -> None:
    """The table is empty, the deck full, and edition and options are the same (ffg-2007, Playing for Points)."""
    given = won_by_adjacency(edition, "roma siena", "torino", "", "")
    given.favor = NOWHERE
    then = after(given)
    assert types(then.events)[3:] == [
        "GameEnded",
        "MatchScored",
        "GameStarted",
        "MarkerTaken",
        "HandsDealt",
        "TurnStarted",
    ]
    value = given.edition
    assert only(GameStarted, then.events) == GameStarted(edition, value.revision, tuple(value.chosen.items()), 4)
    assert every(MarkerTaken, then.events)[-1] == MarkerTaken(2, "lot", 0)
    assert then.events[-1] == TurnStarted(2, "choose-region")
    state = then.state
    assert (state.owned_regions(), state.battles, state.rounds, state.declines, state.won) == (0, 0, 0, 0, [0] * 4)
    assert [sum(hand) for hand in state.hands] == [10] * 4
    assert all_cards(state) == value.deck
    assert (state.result, state.fighters, state.season) == (None, 0, NO_CARD)


def test_draws_are_counted_through_all_games_of_a_match() -> None:
    """The whole match uses one seed, and no draw number is used twice."""
    given = won_by_adjacency(REVISED, "roma siena", "", "", "")
    given.draws = 5
    then = after(given)
    assert every(MarkerTaken, then.events)[-1].draw == 5
    assert only(HandsDealt, then.events).draw == 6
    assert then.state.draws == 7


def test_the_second_game_is_dealt_other_hands_than_the_first() -> None:
    """The seed is the same, but the draws have other numbers."""
    chance = SeededChance(bytes(32), [])
    events = start(REVISED, 4, chance, {"points": 20})
    given = won_by_adjacency(REVISED, "roma siena", "", "", "")
    given.draws = replay(events).draws
    again = decide(given, Pass(0), chance)
    assert only(HandsDealt, again).hands != only(HandsDealt, events).hands
    assert only(HandsDealt, again).draw == 3


def test_the_log_of_a_match_is_one_log() -> None:
    """Replaying it from the first event leads to the second game."""
    first, second = (Script(lots=[f"{letter} of ABCD"], deals=[ANY]) for letter in "AB")
    events = start(REVISED, 4, first, {"points": 2, "battle_limit": 1})
    moves = ["A chooses roma", "A plays 1", "B passes", "C passes", "D passes", "A passes"]
    then = play(replay(events), *moves, chance=second)
    assert first.draws + second.draws == [0, 1, 2, 3]
    assert (then.state.points, then.state.games, then.state.held) == ((1, 0, 0, 0), 1, [0] * 4)
    assert replay(events + then.events) == then.state


@proves("13.8", FFG)
@proves("13.9", REVISED)
@pytest.mark.parametrize("edition", BOTH)
def test_without_a_target_a_game_is_a_game(edition: str) -> None:
    """Nothing is scored (ffg-2007, Playing for Points is optional)."""
    then = play(
        table(edition, 4, rows=["10"], hands=["1"] * 4, held=["roma siena"], contested="firenze", passed="BCD"),
        "A passes",
    )
    assert every(MatchScored, then.events) == []
    assert types(then.events)[-1] == "GameEnded"
    assert then.state.points == (0, 0, 0, 0)
    assert every(CardsKept, then.events) == []
    assert then.state.held[0] == regions("roma siena firenze")


@in_editions("evolve", *BOTH)
def test_a_match_follows_from_its_last_game_and_what_lasts(edition: str) -> None:
    """Positions after resignations in earlier games, and in a match's final battle, are checked too."""
    shorter, with_resigned = 0, 0
    for seed in range(12):
        chance, random = SeededChance(seed.to_bytes(32, "big"), []), Random(seed)
        log = start(edition, 4, chance, {"points": 12, "battle_limit": 8})
        state = replay(log)
        while commands := legal_commands(state):
            if random.random() < 0.01:
                log += resign(state, state.turn, chance)
            else:
                log += advance(state, random.choice(commands), chance)
            kept = of_last_game(log)
            assert replay(kept) == state
            if len(kept) < len(log):
                shorter += 1
                with_resigned += SeatResigned in map(type, kept)
    assert shorter > 500
    assert with_resigned > 100


def test_a_single_game_is_its_last_game() -> None:
    log = start(FFG, 3, SeededChance(bytes(32), []))
    assert of_last_game(log) == log
    assert of_last_game([]) == []
