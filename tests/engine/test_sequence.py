"""The order of steps, including test editions that ask the same question twice, which no printed edition does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from engine import (
    EDITIONS,
    NEWEST,
    Edition,
    Event,
    RandomChance,
    State,
    advance,
    event_to_record,
    events_from_records,
    from_notation,
    legal_commands,
    replay,
    start,
    to_notation,
)
from engine.edition import FinalBattle
from engine.events import GameEnded, RegionChosen, TurnStarted
from engine.italy import ITALY
from engine.phase_names import BATTLE, CHOOSE_REGION, KEEP_CARDS, KEEP_OR_DISCARD
from engine.phases.aftermath import (
    ask_to_choose_region,
    ask_to_keep_cards,
    deal_new_round,
    discard_rows,
    end_game_at_battle_limit,
)
from engine.phases.battle import begin_battle
from engine.phases.final_battle import discard_hands_of_bystanders
from engine.phases.hands import ask_to_keep_or_discard
from engine.phases.opening import deal_first_hands, draw_lot_for_marker
from engine.rules.contest import empty_regions
from engine.rules.victory import leaders_share_victory

from .cases import EUROGAMES, FFG, REVISED
from .table import ANY, Script, every, only, play, region, table, types

REGION_TWICE = replace(
    NEWEST[EUROGAMES],
    key="toy-region-twice",
    aftermath=(
        end_game_at_battle_limit,
        discard_rows,
        ask_to_choose_region,
        deal_new_round,
        ask_to_choose_region,
        begin_battle,
    ),
)
"""After a battle, seats choose a region, and choose again after cards have been dealt."""

OPENED_TWICE = replace(
    NEWEST[EUROGAMES],
    key="toy-opened-twice",
    opening=(
        draw_lot_for_marker,
        ask_to_choose_region,
        deal_first_hands,
        ask_to_choose_region,
        begin_battle,
    ),
)
"""Before the first battle, a region is chosen before any cards are dealt, and chosen again afterwards."""

LAST_HAND_TWICE = replace(
    NEWEST[FFG],
    key="toy-last-hand-twice",
    aftermath=(
        end_game_at_battle_limit,
        discard_rows,
        ask_to_keep_cards,
        ask_to_keep_or_discard,
        ask_to_keep_cards,
        deal_new_round,
        ask_to_choose_region,
        begin_battle,
    ),
)
"""The last hand keeps some cards, even if it is the last hand only because the others have just been discarded."""

TOYS = [(REGION_TWICE, {2, 4}), (OPENED_TWICE, {1, 3}), (LAST_HAND_TWICE, {2, 4})]
"""Editions that ask a question twice, each with the indices of the steps that ask it."""


def after_replay(events: Sequence[Event]) -> State:
    """Return the state that a log's records lead to, with all turns but the last removed."""
    last = [event for event in events[:-1] if not isinstance(event, TurnStarted)] + [events[-1]]
    return replay(events_from_records(json.loads(json.dumps([event_to_record(event) for event in last]))))


@pytest.mark.parametrize(("toy", "places"), TOYS, ids=[toy.key for toy, _ in TOYS])
def test_a_game_goes_on_from_its_log_wherever_a_question_was_put(
    toy: Edition, places: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game also continues from its notation and from a copy: each contains the index of the current step."""
    monkeypatch.setitem(EDITIONS, toy.key, {toy.revision: toy})  # type: ignore[misc]
    monkeypatch.setitem(NEWEST, toy.key, toy)  # type: ignore[misc]
    random = Random(5)
    chance = RandomChance(random)
    events = start(toy.key, 2, chance, {"battle_limit": 12})
    state = replay(events)
    found = set()
    for _ in range(2000):
        for other in (after_replay(events), replay(events), from_notation(to_notation(state)), state.copy()):
            assert other == state
            assert other.step == state.step
        if state.step is not None:
            found.add(state.step)
            assert f" step={state.step} " in to_notation(state)
        commands = legal_commands(state)
        if not commands:
            break
        state = after_replay(events)
        events += advance(state, random.choice(commands), chance)
    assert state.result is not None
    assert found == places


def test_each_answer_goes_on_after_the_step_that_asked() -> None:
    given = table(REGION_TWICE, 2, rows=["10"], hands=["1 1", "1"])
    first = play(given, "A passes", "B passes")
    assert first.events[-1] == TurnStarted(0, CHOOSE_REGION, 2)
    second = play(first.state, "A chooses roma")
    assert second.events == [RegionChosen(0, region("roma")), TurnStarted(0, CHOOSE_REGION, 4)]
    third = play(second.state, "A chooses siena")
    assert third.events == [RegionChosen(0, region("siena")), TurnStarted(0, BATTLE)]
    assert third.state.contested == region("siena")


def test_only_the_sequence_in_progress_counts() -> None:
    """A step that asks twice in the opening asks only once after a battle."""
    given = table(OPENED_TWICE, 2, rows=["10"], hands=["1", "1"])
    then = play(given, "A passes", "B passes", "A keeps", "B keeps", "A chooses roma")
    assert [event.step for event in every(TurnStarted, then.events)] == [None] * 5
    assert then.events[-1] == TurnStarted(0, BATTLE)


def test_a_step_that_had_nobody_to_ask_is_not_taken_for_the_one_that_asked() -> None:
    """At the first of the two steps, two hands are left, and at the second, one. No event says which step asks."""
    given = table(LAST_HAND_TWICE, 2, rows=["10"], hands=["1 3 10", "H W"])
    asked = play(given, "A passes", "B passes", "A keeps", "B discards")
    assert asked.events[-1] == TurnStarted(0, KEEP_CARDS, 4)
    then = play(asked.state, "A keeps 3 10", chance=Script(deals=[ANY]))
    assert types(then.events) == ["CardsKept", "HandDiscarded", "RoundEnded", "HandsDealt", "TurnStarted"]
    assert then.events[-1] == TurnStarted(0, CHOOSE_REGION)


def test_a_step_that_asks_twice_in_a_row_is_answered_twice() -> None:
    given = table(LAST_HAND_TWICE, 2, rows=["10"], hands=["1 3 10", ""])
    then = play(given, "A passes", "A keeps 3 10", "A keeps 10", chance=Script(deals=[ANY]))
    places = [event.step for event in every(TurnStarted, then.events) if event.phase == KEEP_CARDS]
    assert places == [2, 4]
    assert then.state.phase == CHOOSE_REGION


def test_a_question_is_put_again_from_its_own_place() -> None:
    """The seat on the left is asked after a decline, and the same seat again after another one resigns."""
    toy = replace(REGION_TWICE, may_decline=True)
    given = table(toy, 3, rows=["10"], hands=["1", "1", "1"])
    asked = play(given, "A passes", "B passes", "C passes", "A chooses roma")
    assert asked.events[-1] == TurnStarted(0, CHOOSE_REGION, 4)
    assert play(asked.state, "A declines").events[-1] == TurnStarted(1, CHOOSE_REGION, 4)
    assert play(asked.state, "C resigns").events[-1] == TurnStarted(0, CHOOSE_REGION, 4)
    assert play(asked.state, "A declines", "C resigns", "B chooses siena").events[-1] == TurnStarted(1, BATTLE)


def test_a_game_that_ends_at_a_question_has_no_place_left() -> None:
    """A state keeps nothing of a turn that has ended."""
    asked = play(table(REGION_TWICE, 2, rows=["10"], hands=["1", "1"]), "A passes", "B passes")
    assert asked.state.step == 2
    assert play(asked.state, "B resigns").state.step is None


def test_a_question_of_the_next_game_is_not_of_the_step_that_ended_this_one() -> None:
    """No region is left to choose, so the match continues with an opening, which asks only once."""
    toy = replace(REGION_TWICE, contestable=empty_regions, match_target=50)
    rest = " ".join(region.key for region in ITALY.regions if region.key != "torino")
    given = table(toy, 2, rows=["10"], hands=["1", "1"], held=[rest, ""])
    then = play(given, "A passes", "B passes", chance=Script(lots=["B of AB"], deals=[ANY]))
    assert only(GameEnded, then.events).reasons == ("no-region-left",)
    assert then.events[-1] == TurnStarted(1, CHOOSE_REGION)
    assert play(then.state, "B chooses roma").events[-1] == TurnStarted(1, BATTLE)


def test_a_question_on_the_way_to_a_final_battle_leads_to_that_battle() -> None:
    """It does not lead to the aftermath of an ordinary battle."""
    steps = (discard_rows, discard_hands_of_bystanders, ask_to_keep_or_discard, begin_battle)
    toy = replace(NEWEST[REVISED], final_battle=FinalBattle(steps, frozenset(), leaders_share_victory))
    given = table(toy, 3, hands=["H 1", "2", "3"], held=["roma", "siena", ""], phase=CHOOSE_REGION, declines=2)
    asked = play(given, "A declines")
    assert types(asked.events)[-3:] == ["FinalBattleStarted", "HandDiscarded", "TurnStarted"]
    assert asked.state.phase == KEEP_OR_DISCARD
    then = play(asked.state, "B keeps", "A keeps")
    assert then.events[-1] == TurnStarted(1, BATTLE)
    assert then.state.fighters == 0b011


def test_the_record_of_a_turn_has_a_place_only_where_it_is_needed() -> None:
    record = {"type": "turn-started", "seat": 1, "phase": "choose-region"}
    assert event_to_record(TurnStarted(1, CHOOSE_REGION)) == record
    assert event_to_record(TurnStarted(1, CHOOSE_REGION, 0)) == {**record, "step": 0}
    assert events_from_records([record, {**record, "step": 0}]) == [
        TurnStarted(1, CHOOSE_REGION),
        TurnStarted(1, CHOOSE_REGION, 0),
    ]


@pytest.mark.parametrize("value", NEWEST.values(), ids=list(EDITIONS))
def test_no_printed_edition_has_a_step_twice(value: Edition) -> None:
    assert not value.repeats_a_step
    assert all(toy.repeats_a_step for toy, _ in TOYS)
