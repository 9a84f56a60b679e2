"""Invalid records of events and commands are refused with a message that states the reason."""

from collections.abc import Iterator

import pytest

from engine import (
    DEFAULT,
    BadRecord,
    ChooseRegion,
    PlayCard,
    command_from_record,
    decide,
    event_from_record,
    events_from_records,
)
from engine.cards import KINDS
from engine.phase_names import CHOOSE_REGION

from .table import Script, table


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
    """The engine does not guess what an invalid log means."""
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
    """A client may send any value."""
    with pytest.raises(BadRecord):
        command_from_record(record, seat=0)


@pytest.mark.parametrize("row", [True, 0.0, "0", [0], {}], ids=repr)
def test_a_row_is_named_by_a_whole_number(row: object) -> None:
    """Neither true nor 1.0 is a seat. As an index, Python accepts true as 1 and raises an error for 1.0."""
    record = {"type": "play-card", "card": "scarecrow", "take": "mercenary-10", "take_from": row}
    with pytest.raises(BadRecord):
        command_from_record(record, seat=0)


@pytest.mark.parametrize("seat", [None, ...], ids=["null", "missing"])
def test_a_turn_of_nobody_is_no_record(seat: object) -> None:
    """A missing field is refused too, even if its type is loaded without conversion."""
    record = {"type": "turn-started", "phase": "battle", **({} if seat is ... else {"seat": seat})}
    with pytest.raises(BadRecord):
        event_from_record(record)


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({}, "type: missing"),
        ({"type": ["pass"]}, "type: there is no command ['pass']"),
        ({"type": "pass-the-salt"}, "type: there is no command 'pass-the-salt'"),
        ({"type": "hand-kept"}, "type: there is no command 'hand-kept'"),
        ({"type": "play-card"}, "play-card: card: missing"),
        ({"type": "play-card", "card": "foo"}, "play-card: card: there is no card 'foo'"),
        ({"type": "play-card", "card": 3}, "play-card: card: there is no card 3"),
        ({"type": "play-card", "card": "scarecrow", "take": "joker"}, "play-card: take: there is no card 'joker'"),
        ({"type": "play-card", "card": "drummer", "turn_up": []}, "play-card: turn_up: there is no card []"),
        (
            {"type": "play-card", "card": "scarecrow", "take_from": "0"},
            "play-card: take_from: '0' is not a whole number",
        ),
        ({"type": "play-card", "card": "bishop", "favor": "rome"}, "play-card: favor: there is no region 'rome'"),
        ({"type": "choose-region", "region": 15}, "choose-region: region: there is no region 15"),
        ({"type": "keep-cards", "keep": "drummer"}, "keep-cards: keep: 'drummer' is not a list"),
        ({"type": "keep-cards", "keep": ["drummer", "joker"]}, "keep-cards: keep: there is no card 'joker'"),
        ({"type": "draw-cards", "number": True}, "draw-cards: number: True is not a whole number"),
        ({"type": "choose-region", "region": "roma", "wager": 3}, "choose-region has no member 'wager'"),
    ],
)
def test_the_member_of_a_command_that_is_wrong_is_named(record: dict[str, object], complaint: str) -> None:
    """The message also says what is wrong with the member."""
    with pytest.raises(BadRecord) as bad:
        command_from_record(record, seat=0)
    assert str(bad.value) == complaint


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (None, "an event must be a dict"),
        ({"type": "seat-taken", "seat": 0}, "type: there is no event 'seat-taken'"),
        ({"type": "hand-kept", "seat": None}, "hand-kept: seat: missing"),
        (
            {"type": "hands-dealt", "hands": [{}], "draw": 0},
            "hands-dealt: hands: [{}] must be a list of hands, each with `count` or `cards`",
        ),
        (
            {"type": "cards-kept", "seat": 0, "cards": 3},
            "cards-kept: cards: 3 must have `count` or `cards`",
        ),
        ({"type": "game-ended", "winners": 1, "reasons": []}, "game-ended: winners: 1 is not a list"),
        (
            {"type": "game-started", "edition": "x", "revision": 1, "options": [], "seats": 3},
            "game-started: options: [] is not a dict",
        ),
    ],
)
def test_the_member_of_an_event_that_is_wrong_is_named(record: dict[str, object], complaint: str) -> None:
    """The message is about the first invalid record, whatever its position."""
    with pytest.raises(BadRecord) as bad:
        events_from_records([{"type": "rows-discarded"}, record, {"type": "nothing"}])
    assert str(bad.value) == complaint


@pytest.mark.parametrize(
    "long",
    ["j" * 999, ["joker"] * 999, {"joker": "j" * 99, "card": ["j" * 99] * 9}, 10**999],
    ids=["word", "list", "dict", "number"],
)
def test_a_message_shows_no_more_than_the_beginning_of_a_value(long: object) -> None:
    """At most forty characters of the value are shown."""
    for record in ({"type": long}, {"type": "play-card", "card": long}, {"type": "pass", f"{long}": 0}):
        with pytest.raises(BadRecord) as bad:
            command_from_record(record, seat=0)
        assert "..." in str(bad.value)
        assert len(str(bad.value)) <= len("play-card: card: there is no card ") + 40


def test_what_breaks_off_while_it_is_read_is_no_record_either() -> None:
    """The message does not mention the records before the failure."""

    def broken() -> Iterator[dict[str, object]]:
        yield {"type": "rows-discarded"}
        raise KeyError("commits")

    with pytest.raises(BadRecord, match=r"^not a valid record: KeyError\('commits'\)$"):
        events_from_records(broken())


@pytest.mark.parametrize("number", [-1, KINDS])
def test_a_command_with_a_number_of_no_card_is_refused(number: int) -> None:
    """Card numbers occur only in Python; records contain names."""
    with pytest.raises(BadRecord, match=f"there is no kind of card with the number {number}"):
        decide(table(DEFAULT, hands=["10", "1", "1"]), PlayCard(0, number), Script())


@pytest.mark.parametrize("number", [-1, 17])
def test_a_command_with_a_number_of_no_region_is_refused(number: int) -> None:
    """The board of Italy has 17 regions."""
    with pytest.raises(BadRecord, match=f"there is no region with the number {number}"):
        decide(table(DEFAULT, hands=["10", "1", "1"], phase=CHOOSE_REGION), ChooseRegion(0, number), Script())
