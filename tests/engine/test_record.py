"""Records: conversion of events and commands to plain dicts and back."""

import json
from typing import get_args

import pytest

from engine import (
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    Event,
    KeepCards,
    KeepHand,
    Pass,
    PlayCard,
    command_from_record,
    command_to_record,
    event_from_record,
    event_to_record,
    seen_by,
)
from engine.cards import BISHOP, HEROINE, SCARECROW
from engine.events import (
    BattleEnded,
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardsKept,
    CardTakenBack,
    CardTurnedUp,
    DiscardReshuffled,
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
from engine.record import COMMAND_TYPES, EVENT_TYPES, cards_to_record

from .table import cards, named

EVENTS: list[tuple[Event, dict[str, object]]] = [
    (
        GameStarted("eurogames-1995", 1, (("scarecrow_targets", "any"), ("battle_limit", 9)), 4),
        {
            "type": "game-started",
            "edition": "eurogames-1995",
            "revision": 1,
            "options": {"scarecrow_targets": "any", "battle_limit": 9},
            "seats": 4,
        },
    ),
    (MarkerTaken(2, "lot", 0), {"type": "marker-taken", "seat": 2, "reason": "lot", "draw": 0}),
    (MarkerTaken(2, "victory", None), {"type": "marker-taken", "seat": 2, "reason": "victory"}),
    (
        HandsDealt((cards("1 1 H"), 3, cards("")), 1),
        {
            "type": "hands-dealt",
            "hands": [
                {"count": 3, "cards": ["mercenary-1", "mercenary-1", "heroine"]},
                {"count": 3},
                {"count": 0, "cards": []},
            ],
            "draw": 1,
        },
    ),
    (
        CardsDrawn(0, cards("1 H"), 4, 3),
        {
            "type": "cards-drawn",
            "seat": 0,
            "cards": {"count": 2, "cards": ["mercenary-1", "heroine"]},
            "draw": 4,
            "number": 3,
        },
    ),
    (CardsDrawn(0, 0, None, 0), {"type": "cards-drawn", "seat": 0, "cards": {"count": 0}, "number": 0}),
    (DiscardReshuffled(), {"type": "discard-reshuffled"}),
    (RegionDeclined(0), {"type": "region-declined", "seat": 0}),
    (RegionChosen(0, 0), {"type": "region-chosen", "seat": 0, "region": "torino"}),
    (
        CardPlayed(1, SCARECROW, "row", 6, 1, None),
        {
            "type": "card-played",
            "seat": 1,
            "card": "scarecrow",
            "place": "row",
            "take": "mercenary-10",
            "take_from": 1,
        },
    ),
    (
        CardPlayed(0, BISHOP, "row", None, None, 0),
        {"type": "card-played", "seat": 0, "card": "bishop", "place": "row", "favor": "torino"},
    ),
    (CardLaidFaceDown(0, 0, None), {"type": "card-laid-face-down", "seat": 0, "card": "mercenary-1"}),
    (
        CardLaidFaceDown(0, 0, HEROINE),
        {"type": "card-laid-face-down", "seat": 0, "card": "mercenary-1", "turn_up": "heroine"},
    ),
    (CardLaidFaceDown(0, None, None), {"type": "card-laid-face-down", "seat": 0}),
    (
        CardTurnedUp(0, 0, False),
        {"type": "card-turned-up", "seat": 0, "card": "mercenary-1", "newest": False},
    ),
    (
        CardTakenBack(0, 0, 1),
        {"type": "card-taken-back", "seat": 0, "card": "mercenary-1", "taken_from": 1},
    ),
    (
        MercenariesRemoved(6, (0, 2, 1)),
        {"type": "mercenaries-removed", "card": "mercenary-10", "counts": [0, 2, 1]},
    ),
    (FavorMoved(15), {"type": "favor-moved", "region": "roma"}),
    (FavorMoved(None), {"type": "favor-moved"}),
    (SeatPassed(0, False, False), {"type": "seat-passed", "seat": 0, "final": False, "forced": False}),
    (
        BattleEnded(15, "passes", (0, 12), (1,), 1),
        {
            "type": "battle-ended",
            "region": "roma",
            "cause": "passes",
            "strengths": [0, 12],
            "leaders": [1],
            "winner": 1,
        },
    ),
    (
        BattleEnded(None, "bishop", None, (0, 1), None),
        {"type": "battle-ended", "cause": "bishop", "leaders": [0, 1]},
    ),
    (RowsDiscarded(), {"type": "rows-discarded"}),
    (HandKept(0), {"type": "hand-kept", "seat": 0}),
    (
        HandDiscarded(0, cards("H"), True),
        {"type": "hand-discarded", "seat": 0, "cards": {"count": 1, "cards": ["heroine"]}, "forced": True},
    ),
    (HandDiscarded(0, 1, False), {"type": "hand-discarded", "seat": 0, "cards": {"count": 1}, "forced": False}),
    (
        CardsKept(0, cards("H H")),
        {"type": "cards-kept", "seat": 0, "cards": {"count": 2, "cards": ["heroine", "heroine"]}},
    ),
    (CardsKept(0, cards("")), {"type": "cards-kept", "seat": 0, "cards": {"count": 0, "cards": []}}),
    (CardsKept(0, 2), {"type": "cards-kept", "seat": 0, "cards": {"count": 2}}),
    (SeatResigned(0), {"type": "seat-resigned", "seat": 0}),
    (RoundStalled(6), {"type": "round-stalled", "battles": 6}),
    (RoundEnded(), {"type": "round-ended"}),
    (TurnStarted(0, "battle"), {"type": "turn-started", "seat": 0, "phase": "battle"}),
    (
        GameEnded((0, 2), ("no-region-left",)),
        {"type": "game-ended", "winners": [0, 2], "reasons": ["no-region-left"]},
    ),
    (GameEnded((), ("out-of-cards",)), {"type": "game-ended", "winners": [], "reasons": ["out-of-cards"]}),
    (
        FinalBattleStarted((0, 2), "points"),
        {"type": "final-battle-started", "fighters": [0, 2], "reason": "points"},
    ),
    (MatchScored((9, 3), (9, 0)), {"type": "match-scored", "gained": [9, 3], "points": [9, 0]}),
    (MatchEnded((1,), ("points",)), {"type": "match-ended", "winners": [1], "reasons": ["points"]}),
]

COMMANDS: list[tuple[Command, dict[str, object]]] = [
    (ChooseRegion(2, 15), {"type": "choose-region", "region": "roma"}),
    (PlayCard(2, 0), {"type": "play-card", "card": "mercenary-1"}),
    (
        PlayCard(2, SCARECROW, take=0, take_from=0),
        {"type": "play-card", "card": "scarecrow", "take": "mercenary-1", "take_from": 0},
    ),
    (PlayCard(2, SCARECROW), {"type": "play-card", "card": "scarecrow"}),
    (PlayCard(2, BISHOP, favor=0), {"type": "play-card", "card": "bishop", "favor": "torino"}),
    (
        PlayCard(2, 0, turn_up=HEROINE),
        {"type": "play-card", "card": "mercenary-1", "turn_up": "heroine"},
    ),
    (DeclineRegion(2), {"type": "decline-region"}),
    (KeepCards(2, cards("1 1")), {"type": "keep-cards", "keep": ["mercenary-1", "mercenary-1"]}),
    (KeepCards(2, cards("")), {"type": "keep-cards", "keep": []}),
    (DrawCards(2, 0), {"type": "draw-cards", "number": 0}),
    (Pass(2), {"type": "pass"}),
    (KeepHand(2), {"type": "keep-hand"}),
    (DiscardHand(2), {"type": "discard-hand"}),
]


@pytest.mark.parametrize(
    ("event", "record"), EVENTS, ids=lambda value: value["type"] if isinstance(value, dict) else ""
)
def test_an_event_and_its_record(event: Event, record: dict[str, object]) -> None:
    """Cards and regions are given by name, and None values are left out. JSON preserves all of it."""
    assert event_to_record(event) == record
    assert named([event_from_record(json.loads(json.dumps(record)))]) == named([event])


@pytest.mark.parametrize(
    ("command", "record"), COMMANDS, ids=lambda value: value["type"] if isinstance(value, dict) else ""
)
def test_a_command_and_its_record(command: Command, record: dict[str, object]) -> None:
    """The seat is given separately, and a seat in the record has no effect."""
    assert command_to_record(command) == record
    for sent in (json.loads(json.dumps(record)), {**record, "seat": 5}):
        assert named([command_from_record(sent, seat=2)]) == named([command])


def test_every_type_has_an_example_here() -> None:
    """Every event and every command has a record."""
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))
    assert {type(command) for command, _ in COMMANDS} == set(get_args(Command))
    assert {str(record["type"]) for _, record in EVENTS} == set(EVENT_TYPES)
    assert {str(record["type"]) for _, record in COMMANDS} == set(COMMAND_TYPES)


def test_a_scarecrow_that_names_no_row_means_its_own() -> None:
    """If it names a row, it takes from that row."""
    record = {"type": "play-card", "card": "scarecrow", "take": "mercenary-10"}
    assert command_from_record(record, seat=1) == PlayCard(1, SCARECROW, take=6, take_from=1)
    assert command_from_record({**record, "take_from": 0}, seat=1) == PlayCard(1, SCARECROW, take=6, take_from=0)


def test_another_card_that_names_a_mercenary_keeps_what_it_says() -> None:
    """The rules refuse the command, but its record can be parsed."""
    record = {"type": "play-card", "card": "drummer", "take": "mercenary-10"}
    assert command_from_record(record, seat=1) == PlayCard(1, 8, take=6)


def test_none_may_stand_for_a_field_that_may_be_left_out() -> None:
    """A null in JSON has the same effect as a missing field."""
    record = {"type": "play-card", "card": "bishop", "take": None, "take_from": None, "favor": None}
    assert command_from_record(record, seat=0) == PlayCard(0, BISHOP)


def test_a_redacted_event_has_a_record_of_its_own() -> None:
    """The record shows a hidden hand as a number of cards."""
    dealt = HandsDealt((cards("1 H"), cards("2 2")), 0)
    record = event_to_record(seen_by(dealt, 1))
    assert record["hands"] == [{"count": 2}, {"count": 2, "cards": ["mercenary-2", "mercenary-2"]}]
    assert event_from_record(record) == seen_by(dealt, 1)
    assert cards_to_record(cards("H D")) == {"count": 2, "cards": ["heroine", "drummer"]}
