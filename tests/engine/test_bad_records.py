"""Bad records: what is no record of an event or of a command is refused, whatever it is."""

import pytest

from engine import BadRecord, command_from_record, event_from_record


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
        pytest.param({"type": "play-card", "card": "drummer", "turn_up": "joker"}, id="unknown-card-to-turn-up"),
        pytest.param({"type": "play-card", "card": "drummer", "turn_up": 3}, id="turn-up-is-a-number"),
        pytest.param({"type": "keep-cards"}, id="nothing-kept-is-not-said"),
        pytest.param({"type": "keep-cards", "keep": 2}, id="keep-is-a-number"),
        pytest.param({"type": "keep-cards", "keep": ["joker"]}, id="keep-is-unknown"),
        pytest.param({"type": "keep-cards", "keep": [["drummer"]]}, id="keep-is-nested"),
        pytest.param({"type": "keep-cards", "keep": {"drummer": 2}}, id="keep-is-a-dict"),
        pytest.param({"type": "keep-cards", "keep": "drummer"}, id="keep-is-a-word"),
        pytest.param({"type": "draw-cards"}, id="no-number"),
        pytest.param({"type": "draw-cards", "number": True}, id="number-is-true"),
        pytest.param({"type": "draw-cards", "number": 1.0}, id="number-is-a-fraction"),
        pytest.param({"type": "draw-cards", "number": "1"}, id="number-is-a-word"),
        pytest.param({"type": "choose-region", "region": "roma", "wager": 3}, id="a-member-too-many"),
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
