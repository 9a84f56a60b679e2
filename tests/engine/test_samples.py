"""Samples: positions consistent with all that a seat knows.

Each position is as likely as the courses of cards that lead to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random
from typing import NamedTuple

import pytest

from engine import (
    Edition,
    Event,
    Knowledge,
    RandomChance,
    State,
    advance,
    edition,
    history_for,
    legal_commands,
    replay,
    resign,
    sample_state,
    start,
    view_for,
)
from engine.cards import hand_of_counts
from engine.edition import Drawing
from engine.phase_names import BATTLE, OVER
from engine.sampling import belief
from engine.sampling.cases import Case, thinned
from tests.games.__main__ import combinations
from tests.games.files import REVISIONS

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, REVISED, ZMAN
from .courses import Played, courses, play, text
from .machine import check_cards
from .test_situations import pairs

SAMPLES, KNOWLEDGES, GAMES = 1000, 400, 8


def small(key: str, cards: Mapping[str, int], hand_size: int, **options: object) -> Edition:
    """Return an edition with a small deck and small hands."""
    return replace(edition(key, None, options), deck=hand_of_counts(cards), hand_size=hand_size)


def is_plausible(found: Counter[str], expected: Mapping[str, float]) -> bool:
    """Return whether samples can come from a distribution, by the chi-square test.

    Rare positions are counted together.
    """
    number = sum(found.values())
    cells = [(found[name], number * share) for name, share in expected.items() if number * share >= 5]
    rest = number - sum(count for count, _ in cells), number - sum(mean for _, mean in cells)
    if rest[1] >= 5:
        cells.append(rest)
    freedom = len(cells) - 1
    distance = sum((count - mean) ** 2 / mean for count, mean in cells)
    spread = 2 / (9 * freedom) if freedom else 1.0
    return set(found) <= set(expected) and distance <= freedom * (1 - spread + 4 * sqrt(spread)) ** 3 + 1e-9


class Moment(NamedTuple):
    """A moment in a random game, the seat that looks at it (None: a spectator), and when seat 0 resigned, if it did."""

    seed: int
    seat: int | None
    moves: int
    resigns: int | None = None


class Small(NamedTuple):
    """An edition with few cards, a number of seats, and moments of games in which all courses can be counted."""

    edition: Edition
    seats: int
    moments: Sequence[Moment]


def moments(seats: int, longest: int) -> list[Moment]:
    """Return randomly chosen moments."""
    randoms = map(Random, range(GAMES))
    return [Moment(seed, random.randrange(seats), random.randrange(longest)) for seed, random in enumerate(randoms)]


FEW = {"mercenary-1": 3, "mercenary-5": 2, "drummer": 1, "scarecrow": 2}
MORE = FEW | {"drummer": 2}
SPECIALS = {"mercenary-1": 4, "drummer": 3, "heroine": 2, "scarecrow": 3}
DRAWING = Drawing(most=2, limit=3)
NO_DRUMMER = {"mercenary-1": 3, "mercenary-5": 3, "scarecrow": 2}
WINTER = {"mercenary-1": 3, "mercenary-5": 3, "drummer": 1, "winter": 1, "scarecrow": 2}
FINAL = {"mercenary-1": 4, "mercenary-3": 3, "drummer": 1, "scarecrow": 2}

SMALL = {
    "three seats": Small(small(ZMAN, MORE, 2), 3, moments(3, 12)),
    "an open discard": Small(small(CLASSIC, MORE, 2), 3, moments(3, 12)),
    "a deck for each seat": Small(small(DUEL, FEW, 3), 2, moments(2, 14)),
    "discards without mercenaries": Small(
        small(ZMAN, SPECIALS, 2), 3, [Moment(67, 0, 9), Moment(176, 0, 7), Moment(185, 0, 10), Moment(209, 2, 6)]
    ),
    "a seat that resigned": Small(
        small(ZMAN, SPECIALS, 2),
        3,
        [Moment(5, 2, 8, 6), Moment(6, 2, 5, 4), Moment(10, 2, 4, 2), Moment(25, 1, 4, 1)],
    ),
    "any scarecrow": Small(small(EUROGAMES, FEW, 2), 2, moments(2, 14)),
}
"""Editions in which there is always only one case to distinguish."""

SEVERAL = {
    "kept cards": Small(
        small(FFG, FEW, 2), 2, [Moment(24, 1, 26), Moment(27, 1, 22), Moment(30, 1, 19), Moment(39, 0, 8)]
    ),
    "kept cards, three seats": Small(
        small(FFG, MORE, 2), 3, [Moment(8, 0, 11), Moment(9, 1, 19), Moment(43, 0, 9), Moment(51, 0, 26)]
    ),
    "kept cards and discards without mercenaries": Small(
        small(FFG, FEW | {"drummer": 4}, 2), 3, [Moment(16, 1, 23), Moment(54, 0, 22), Moment(71, 1, 24)]
    ),
    "kept and face-down cards": Small(
        small(FFG, FEW, 2, hidden_cards=True),
        2,
        [Moment(3, 0, 9), Moment(6, 0, 15), Moment(9, 1, 9), Moment(19, 0, 16), Moment(22, 0, 7), Moment(51, 0, 16)],
    ),
    "face-down cards, three seats": Small(small(FFG, MORE, 2, hidden_cards=True), 3, [Moment(9, 1, 9)]),
    "face-down cards and a seat that resigned": Small(
        small(FFG, SPECIALS | {"winter": 1}, 2, hidden_cards=True), 3, [Moment(841, 2, 14, 12), Moment(2099, 1, 15, 14)]
    ),
    "draws after a battle": Small(
        replace(small(FFG, FEW | {"mercenary-5": 3}, 2, draw_after_battle=True), drawing=DRAWING),
        2,
        [Moment(835, 0, 31), Moment(1641, 1, 32), Moment(1886, 0, 40), Moment(2584, 1, 35)],
    ),
    "draws after a battle, three seats": Small(
        replace(small(FFG, MORE | {"mercenary-5": 4}, 2, draw_after_battle=True), drawing=DRAWING),
        3,
        [Moment(58, 2, 20), Moment(161, 2, 21), Moment(221, 0, 35), Moment(354, 0, 20), Moment(507, 1, 47)],
    ),
    "draws in winter": Small(
        replace(small(FFG, WINTER, 2, draw_after_battle=True), drawing=DRAWING),
        2,
        [Moment(102, 0, 47), Moment(761, 0, 47), Moment(840, 0, 34), Moment(881, 1, 18)],
    ),
    "draws and face-down cards": Small(
        replace(small(FFG, NO_DRUMMER, 2, draw_after_battle=True, hidden_cards=True), drawing=DRAWING),
        2,
        [Moment(74, 0, 28), Moment(228, 0, 44), Moment(341, 1, 44), Moment(1029, 1, 47), Moment(1231, 1, 44)],
    ),
    "a final battle with the cards in hand": Small(
        small(REVISED, FINAL, 2),
        3,
        [Moment(48, 1, 10), Moment(77, 1, 16), Moment(142, 2, 11), Moment(360, 0, 15), Moment(190, None, 11)],
    ),
}
"""Editions in which other seats may have cards while the discard is reshuffled, and moments with several cases."""


@cache
def reached(name: str, moment: Moment) -> tuple[Played, Mapping[str, float]]:
    """Return a game up to a moment, and the probability of each possible position, as far as the seat knows."""
    value, seats, _ = (SMALL | SEVERAL)[name]
    played = play(value, seats, moment.moves, moment.seed, moment.resigns)
    found = courses(played, moment.seat)
    total, expected = sum(course.number for course in found), Counter[str]()
    for course in found:
        expected[text(course.state)] += course.number
    assert text(played.state) in expected
    return played, {position: number / total for position, number in expected.items()}


def knowledge_of(state: State, log: Sequence[Event], seat: int | None, random: Random) -> Knowledge:
    """Return what a seat knows at the end of a log."""
    return Knowledge(view_for(state, seat), history_for(log, seat), random)


@pytest.mark.parametrize("name", SMALL | SEVERAL)
def test_samples_are_as_likely_as_the_courses_that_lead_to_them(name: str) -> None:
    """The courses are counted one by one, in games with few cards."""
    most = 0
    for moment in (SMALL | SEVERAL)[name].moments:
        random = Random(moment.seed)
        played, expected = reached(name, moment)
        knowledge = knowledge_of(played.state, played.log, moment.seat, random)
        assert knowledge.exact
        samples = Counter(text(knowledge.sample(random)) for _ in range(SAMPLES))
        assert is_plausible(samples, expected), moment
        most = max(most, len(expected))
    assert most > 3


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize(("most", "few", "mean"), [(1, 1, 0.25), (4, 4, 0.15)])
def test_too_many_cases_are_thinned(
    monkeypatch: pytest.MonkeyPatch, name: str, most: int, few: int, mean: float
) -> None:
    """After thinning, samples still look right to the seat, and their average likelihoods are nearly correct."""
    monkeypatch.setattr(belief, "MOST_CASES", most)
    monkeypatch.setattr(belief, "FEW_CASES", few)
    distances, exact = [], set()
    for moment in SEVERAL[name].moments:
        random = Random(moment.seed)
        played, expected = reached(name, moment)
        view, history = view_for(played.state, moment.seat), history_for(played.log, moment.seat)
        found = Counter[str]()
        for _ in range(KNOWLEDGES):
            knowledge = Knowledge(view, history, random)
            sample = knowledge.sample(random)
            assert view_for(sample, moment.seat) == view
            exact.add(knowledge.exact)
            found[text(sample)] += 1
        distances.append(sum(abs(found[key] / KNOWLEDGES - expected.get(key, 0)) for key in {*found, *expected}) / 2)
    assert most > 1 or exact == {False}
    assert sum(distances) / len(distances) < mean


@pytest.mark.parametrize("most", [1, 2, 5])
def test_thinning_keeps_the_mean_of_each_weight(most: int) -> None:
    """The mean is over all offsets, and the weights add up to 1."""
    weights, offsets = [0.05, 0.5, 0.15, 0.3], 1000
    means = [0.0] * len(weights)
    for number in range(offsets):
        cases = [Case(weight, [], []) for weight in weights]
        kept = thinned(cases, most, (number + 0.5) / offsets)
        assert 0 < len(kept) <= most
        assert sum(case.weight for case in kept) == pytest.approx(1)
        for place, case in enumerate(cases):
            means[place] += case.weight / offsets if case in kept else 0
    assert means == pytest.approx(weights, abs=2 / offsets)


@pytest.mark.whole_games
@pytest.mark.parametrize("name", REVISIONS)
def test_the_view_of_a_sample_is_the_view(name: str) -> None:
    """The test covers every edition and phase, all options and numbers of seats, and spectators.

    Every card exists once.
    """
    value = REVISIONS[name]
    options = combinations(value)
    for number in range(max(8, len(options))):
        random = Random(number)
        chosen = options[number % len(options)]
        played = edition(value.key, value.revision, chosen)
        seats = played.fewest_seats + number % (played.most_seats - played.fewest_seats + 1)
        chance = RandomChance(random)
        log = start(value.key, seats, chance, chosen, revision=value.revision)
        state, phases = replay(log), set[str]()
        for _ in range(400):
            if state.phase not in phases or random.random() < 0.03:
                phases.add(state.phase)
                check_samples(state, log, random.choice([None, *range(seats)]), random)
            if state.phase == OVER:
                break
            if random.random() < 0.004:
                log += resign(state, state.turn, chance)
            else:
                log += advance(state, random.choice(legal_commands(state)), chance)


def check_samples(state: State, log: Sequence[Event], seat: int | None, random: Random) -> None:
    """Check that the sample's view is the given view, and that everything else that is public is the same too."""
    knowledge = knowledge_of(state, log, seat, random)
    for sample in (knowledge.sample(random), knowledge.sample(random)):
        assert view_for(sample, seat) == view_for(state, seat)
        assert public(sample) == public(state)
        check_cards(sample)


def public(state: State) -> list[object]:
    """Return the values of a position that are public, although not every view contains them."""
    secret = ("hands", "hidden", "decks", "discard")
    return [getattr(state, name) for name in State.__slots__ if name not in secret]


@pytest.mark.whole_games
@pytest.mark.parametrize("name", REVISIONS)
def test_samples_depend_only_on_what_the_seat_may_know(name: str) -> None:
    """In two worlds that look the same to the seat, the same random numbers give the same samples."""
    for number in range(4):
        for index, (one, other, viewer) in enumerate(pairs(name, number)):
            if index % 8 == 0:
                here, there = (
                    sample_state(view_for(world.state, viewer), history_for(world.log, viewer), Random(number))
                    for world in (one, other)
                )
                assert here == there


def test_samples_share_nothing_that_can_change() -> None:
    """A search that advances one sample does not change the others."""
    log = start(FFG, 3, RandomChance(Random(1)))
    view, history = view_for(replay(log), 0), history_for(log, 0)
    knowledge = Knowledge(view, history, Random(1))
    one, other = knowledge.sample(Random(1)), knowledge.sample(Random(1))
    advance(one, legal_commands(one)[0], RandomChance(Random(1)))
    assert one != other == knowledge.sample(Random(1)) == sample_state(view, history, Random(1))


def test_a_history_that_does_not_lead_to_the_view_is_refused() -> None:
    """Refused are histories of another seat or moment, a missing history, and a view that reveals all hands."""
    random = Random(1)
    log = start(FFG, 3, RandomChance(random))
    state = replay(log)
    while state.phase != BATTLE or not any(map(any, state.rows)):
        log += advance(state, random.choice(legal_commands(state)), RandomChance(random))
    player = next(seat for seat, row in enumerate(state.rows) if any(row))
    other = (player + 1) % 3
    view, history = view_for(state, other), history_for(log, other)
    revealed = view_for(state, other, revealed=True)
    for seen, events in ((view, history_for(log, player)), (view, history[:3]), (view, ()), (revealed, history)):
        with pytest.raises(ValueError, match="does not lead to the hands of the view"):
            sample_state(seen, events, random)
