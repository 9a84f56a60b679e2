"""Records: events and commands as plain dicts, and back."""

import json
from typing import get_args

import pytest

from engine import (
    BadRecord,
    ChooseRegion,
    Command,
    DiscardHand,
    Event,
    KeepHand,
    Pass,
    PlayCard,
    command_from_record,
    command_to_record,
    event_from_record,
    event_to_record,
    seen_by,
)
from engine.cards import BISHOP, SCARECROW
from engine.events import (
    BattleEnded,
    CardPlayed,
    CardTakenBack,
    FavorMoved,
    GameEnded,
    GameStarted,
    HandDiscarded,
    HandKept,
    HandsDealt,
    MarkerTaken,
    MercenariesRemoved,
    RegionChosen,
    RoundEnded,
    RoundStalled,
    RowsDiscarded,
    SeatPassed,
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
    (RoundStalled(6), {"type": "round-stalled", "battles": 6}),
    (RoundEnded(), {"type": "round-ended"}),
    (TurnStarted(0, "battle"), {"type": "turn-started", "seat": 0, "phase": "battle"}),
    (
        GameEnded((0, 2), ("no-region-left",)),
        {"type": "game-ended", "winners": [0, 2], "reasons": ["no-region-left"]},
    ),
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
    (Pass(2), {"type": "pass"}),
    (KeepHand(2), {"type": "keep-hand"}),
    (DiscardHand(2), {"type": "discard-hand"}),
]


@pytest.mark.parametrize(
    ("event", "record"), EVENTS, ids=lambda value: value["type"] if isinstance(value, dict) else ""
)
def test_an_event_and_its_record(event: Event, record: dict[str, object]) -> None:
    """Names stand for cards and regions, and what is None is left out; JSON keeps all of it."""
    assert event_to_record(event) == record
    assert named([event_from_record(json.loads(json.dumps(record)))]) == named([event])


@pytest.mark.parametrize(
    ("command", "record"), COMMANDS, ids=lambda value: value["type"] if isinstance(value, dict) else ""
)
def test_a_command_and_its_record(command: Command, record: dict[str, object]) -> None:
    """Its seat is said elsewhere, and a seat in the record itself changes nothing."""
    assert command_to_record(command) == record
    for sent in (json.loads(json.dumps(record)), {**record, "seat": 5}):
        assert named([command_from_record(sent, seat=2)]) == named([command])


def test_every_type_has_an_example_here() -> None:
    """No event and no command is without a record."""
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))
    assert {type(command) for command, _ in COMMANDS} == set(get_args(Command))
    assert {str(record["type"]) for _, record in EVENTS} == set(EVENT_TYPES)
    assert {str(record["type"]) for _, record in COMMANDS} == set(COMMAND_TYPES)


def test_a_scarecrow_that_names_no_row_means_its_own() -> None:
    """And one that names a row means that row."""
    record = {"type": "play-card", "card": "scarecrow", "take": "mercenary-10"}
    assert command_from_record(record, seat=1) == PlayCard(1, SCARECROW, take=6, take_from=1)
    assert command_from_record({**record, "take_from": 0}, seat=1) == PlayCard(1, SCARECROW, take=6, take_from=0)


def test_another_card_that_names_a_mercenary_keeps_what_it_says() -> None:
    """The rules refuse it; reading it does not."""
    record = {"type": "play-card", "card": "drummer", "take": "mercenary-10"}
    assert command_from_record(record, seat=1) == PlayCard(1, 8, take=6)


def test_none_may_stand_for_a_field_that_may_be_left_out() -> None:
    """As JSON's null."""
    record = {"type": "play-card", "card": "bishop", "take": None, "take_from": None, "favor": None}
    assert command_from_record(record, seat=0) == PlayCard(0, BISHOP)


def test_a_redacted_event_has_a_record_of_its_own() -> None:
    """A hand that may not be seen is its number of cards."""
    dealt = HandsDealt((cards("1 H"), cards("2 2")), 0)
    record = event_to_record(seen_by(dealt, 1))
    assert record["hands"] == [{"count": 2}, {"count": 2, "cards": ["mercenary-2", "mercenary-2"]}]
    assert event_from_record(record) == seen_by(dealt, 1)
    assert cards_to_record(cards("H D")) == {"count": 2, "cards": ["heroine", "drummer"]}


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({}, id="empty"),
        pytest.param({"type": "pass-the-salt"}, id="unknown-type"),
        pytest.param({"type": ["hand-kept"], "seat": 0}, id="type-is-a-list"),
        pytest.param({"type": "hand-kept"}, id="no-seat"),
        pytest.param({"type": "hand-kept", "seat": None}, id="seat-is-null"),
        pytest.param({"type": "region-chosen", "seat": 0, "region": "atlantis"}, id="unknown-region"),
        pytest.param({"type": "region-chosen", "seat": 0, "region": 15}, id="region-is-a-number"),
        pytest.param({"type": "region-chosen", "seat": 0, "region": ["roma"]}, id="region-is-a-list"),
        pytest.param({"type": "card-taken-back", "seat": 0, "card": "joker", "taken_from": 0}, id="unknown-card"),
        pytest.param({"type": "hands-dealt", "hands": 3, "draw": 0}, id="hands-is-a-number"),
        pytest.param({"type": "hands-dealt", "hands": [3], "draw": 0}, id="a-hand-is-a-number"),
        pytest.param({"type": "hands-dealt", "hands": [{}], "draw": 0}, id="a-hand-is-empty"),
        pytest.param({"type": "hands-dealt", "hands": [{"cards": ["joker"]}], "draw": 0}, id="a-hand-of-jokers"),
        pytest.param(
            {"type": "game-started", "edition": "x", "revision": 1, "options": [], "seats": 3}, id="options-is-a-list"
        ),
        pytest.param({"type": "game-ended", "winners": 1, "reasons": []}, id="winners-is-a-number"),
        pytest.param([], id="a-list"),
        pytest.param(None, id="nothing"),
        pytest.param("hand-kept", id="a-word"),
    ],
)
def test_what_is_no_record_of_an_event_is_refused(record: dict[str, object]) -> None:
    """A log that cannot be read says so instead of guessing."""
    with pytest.raises(BadRecord) as bad:
        event_from_record(record)
    assert bad.value.code == "bad-record"


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({}, id="empty"),
        pytest.param({"type": "hand-kept"}, id="an-event"),
        pytest.param({"type": "play-card"}, id="no-card"),
        pytest.param({"type": "play-card", "card": 3}, id="card-is-a-number"),
        pytest.param({"type": "play-card", "card": "scarecrow", "take": "joker"}, id="unknown-target"),
        pytest.param({"type": "play-card", "card": "bishop", "favor": "atlantis"}, id="unknown-region"),
        pytest.param({"type": "choose-region", "region": {}}, id="region-is-a-dict"),
        pytest.param([], id="a-list"),
        pytest.param(None, id="nothing"),
    ],
)
def test_what_is_no_record_of_a_command_is_refused(record: dict[str, object]) -> None:
    """Whatever a client sends."""
    with pytest.raises(BadRecord):
        command_from_record(record, seat=0)


@pytest.mark.parametrize("row", [True, 0.0, "0", [0], {}], ids=repr)
def test_a_row_is_named_by_a_whole_number(row: object) -> None:
    """Neither true nor 1.0 is a seat: as an index the one passes for 1 and the other breaks the engine."""
    record = {"type": "play-card", "card": "scarecrow", "take": "mercenary-10", "take_from": row}
    with pytest.raises(BadRecord):
        command_from_record(record, seat=0)


@pytest.mark.parametrize("seat", [None, ...], ids=["null", "missing"])
def test_a_turn_of_nobody_is_no_record(seat: object) -> None:
    """Types whose fields are read as they are refuse what is not there, too."""
    record = {"type": "turn-started", "phase": "battle", **({} if seat is ... else {"seat": seat})}
    with pytest.raises(BadRecord):
        event_from_record(record)
