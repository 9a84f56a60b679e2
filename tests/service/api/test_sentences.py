"""Sentences: a client that follows only the guide shows every event of every edition as a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import product
from typing import Any, get_args

import pytest
from marshmallow import fields
from rich.console import Console
from rich.text import Text

from engine import EDITIONS, NEWEST
from engine.events import Event
from engine.record import name_of_type
from service.api.examples import ANSWERS
from service.editions.presentation import show_edition
from service.editions.sentences import LANGUAGES, SENTENCES, show_sentences
from service.games.events import TableEvent
from service.games.game import rebuild
from service.schemas.events import EventSchema
from service.schemas.named import END_REASONS, Named
from service.store.commits import Commits
from service.tools.narration import LINES, TABLE_LINES, Narrator
from service.views.events import show_commits
from service.views.names import add_to_commits

from ..games.logs import GAME, PLAYERS, SEED, whole_game
from .conftest import Json, Person

NAMES = dict(zip(PLAYERS, ("Anna", "Bruno", "Carla", "Dino"), strict=True))
SEATED = ["Anna", "Bruno", "Carla", "Dino", "Elena", "Fabio"]
REVISIONS = {f"{value.key}@{value.revision}": value for found in EDITIONS.values() for value in found.values()}
GAMES: list[tuple[str, Json]] = [
    *((key, {}) for key in EDITIONS),
    ("ffg-2007", {"hidden_cards": True, "points": 5}),
    ("ffg-2007", {"draw_after_battle": True}),
    ("ffg-2007", {"capturing_regions": True}),
    ("eurogames-1995", {"scarecrow_targets": "any"}),
    ("eurogames-revised", {"points": 20}),
]


# A client, as the guide describes it


def holds(condition: Json, event: Json) -> bool:
    """Return whether an event passes a condition."""
    value = event.get(condition["member"])
    return {
        "absent": lambda: value is None,
        "empty": lambda: not value,
        "one": lambda: isinstance(value, list) and len(value) == 1,
        "is": lambda: value == condition["value"],
        "same": lambda: value == event.get(condition["value"]),
    }[condition["test"]]()


def choose(catalogue: Json, event: Json) -> Json:
    """Return the sentence for an event."""
    of_type = (sentence for sentence in catalogue["sentences"] if sentence["event"] == event["type"])
    return next(one for one in of_type if all(holds(condition, event) for condition in one["when"]))


def shown(catalogue: Json, kind: str, value: Any) -> str:
    """Return a member as text."""
    if kind == "counts":
        numbers = [each["count"] if isinstance(each, dict) else each for each in value]
        pairs = zip(SEATED, numbers, strict=False)
        value = [catalogue["counts"].format(seat=seat, count=count) for seat, count in pairs]
        return str(catalogue["joins"]["other"].join(value))
    if isinstance(value, list):
        *others, last = [shown(catalogue, kind, each) for each in value]
        joins = catalogue["joins"]
        return f"{joins['other'].join(others)}{joins['last']}{last}" if others else last
    if kind == "seat":
        return SEATED[value]
    if kind in catalogue["plurals"]:
        count = value["count"] if isinstance(value, dict) else value
        forms = catalogue["plurals"][kind]
        return str(forms["one" if count == 1 else "other"].format(count=count))
    if kind in catalogue["words"]:
        return str(catalogue["words"][kind][value])
    assert kind in ("duration", "time", "number", "text")
    assert value is not None
    return str(value)


def said(catalogue: Json, event: Json) -> str:
    """Return the sentence for an event as text."""
    sentence = choose(catalogue, event)
    members = {name: shown(catalogue, kind, event[name]) for name, kind in sentence["members"].items()}
    return str(sentence["text"].format(**members))


@cache
def catalogue_of(key: str) -> Json:
    """Return the sentences of the newest revision of an edition."""
    return show_sentences(NEWEST[key], LANGUAGES[0])


# Every event


@pytest.mark.parametrize(("key", "options"), GAMES)
def test_every_event_of_a_game_is_a_sentence_for_every_caller(key: str, options: Json) -> None:
    commits = [commit for commit, _ in whole_game(key, options)]
    over = rebuild(Commits.of(GAME, commits), SEED)
    running = rebuild(Commits.of(GAME, commits[:-1]), SEED)
    for game, player in product((running, over), (None, *PLAYERS[: len(over.table.seats)])):
        for commit in add_to_commits(show_commits(game, 0, player), lambda _: NAMES):
            for event in commit["events"]:
                assert re.fullmatch(r"[A-Z][^{}\[\]]*[^ ]\.", said(catalogue_of(key), event)), event


VALUES: dict[str, list[Any]] = {
    "name": [None, "Anna"],
    "owner_name": [None, "Anna"],
    "label": ["Steady"],
    "seat": [0],
    "take_from": [None, 0, 1],
    "taken_from": [0, 1],
    "winner": [None, 0],
    "outcome": ["none", "leaders"],
    "phase": ["battle", "something-new"],
    "winners": [[], [1], [0, 2]],
    "reasons": [[reason] for reason in END_REASONS],
    "hands": [[{"count": 10}, {"count": 1, "cards": ["winter"]}]],
}
"""Values of some members, by member name."""


def values_of(kind: str, name: str, field: fields.Field[Any]) -> list[Any]:
    """Return values that a member of an event type may have; None means that it can be left out."""
    optional: list[Any] = [] if field.required else [None]
    if name == "reason":
        return END_REASONS if kind == "final-battle-started" else ["", "something new"]
    if name in VALUES:
        return VALUES[name]
    if isinstance(field, Named):
        return [*optional, field.named.values[0]]
    if isinstance(field, fields.Boolean):
        return [False, True]
    if isinstance(field, fields.Integer):
        return [*optional, 0, 1, 2]
    if isinstance(field, fields.String):
        return [*optional, "text"]
    if isinstance(field, fields.Nested):
        return [*optional, {"count": 1, "cards": ["winter"]}, {"count": 3}]
    if isinstance(field, fields.List):
        return [*optional, [0, 1]]
    return [{}]


def events_of(kind: str) -> Iterator[Json]:
    """Yield events of one type, with and without each optional member."""
    members = {name: field for name, field in EventSchema.branches[kind]().fields.items() if name != "type"}
    for values in product(*(values_of(kind, name, field) for name, field in members.items())):
        yield {"type": kind, **{name: value for name, value in zip(members, values, strict=True) if value is not None}}


@pytest.mark.parametrize("kind", EventSchema.branches)
def test_every_type_of_event_has_a_sentence_for_all_its_members(kind: str) -> None:
    """The test uses the edition with the most cards. No sentence uses a member that its event lacks."""
    found = set()
    for event in events_of(kind):
        if "take" in event and "take_from" not in event:
            continue  # A card that takes another card also names the row.
        if kind == "battle-ended" and "strengths" not in event and "winner" in event:
            continue  # Nobody wins a battle if the rows are not compared.
        text = said(catalogue_of("ffg-2007"), event)
        assert re.fullmatch(r"[A-Z][^{}\[\]]*[^ ]\.", text), event
        assert "None" not in text
        found.add(choose(catalogue_of("ffg-2007"), event)["key"])
    plain = {one.key for one in SENTENCES if one.event == kind and all(test.test != "is" for test in one.when)}
    assert plain <= found


def test_the_types_of_event_are_those_of_the_engine_and_the_service() -> None:
    types = {name_of_type(kind) for kind in (*get_args(TableEvent), *get_args(Event))}
    assert {one.event for one in SENTENCES} == types == set(EventSchema.branches)


def test_the_last_sentence_of_a_type_has_no_condition() -> None:
    keys = [one.key for one in SENTENCES]
    assert len(keys) == len(set(keys))
    last = {one.event: one for one in SENTENCES}
    assert all(one.when == () and one.key == one.event for one in last.values())


REASONS = {
    "marker-taken": ("reason", "lot victory courtesans owner holder left declined"),
    "deadline-moved": ("reason", "vacation outage extension pause"),
    "turn-started": ("phase", "choose-region battle keep-or-discard keep-cards draw-cards"),
}


@pytest.mark.parametrize("kind", REASONS)
def test_each_reason_has_a_sentence(kind: str) -> None:
    member, values = REASONS[kind]
    of_type = [one for one in catalogue_of("ffg-2007")["sentences"] if one["event"] == kind]
    for value in values.split():
        event = {"type": kind, "seat": 0, member: value, "deadline": 1_795_000_000_000}
        assert choose(catalogue_of("ffg-2007"), event)["key"] == f"{kind}.{value}"
    assert len(of_type) == len(values.split()) + 1
    assert choose(catalogue_of("ffg-2007"), {"type": kind, member: "something-new"})["key"] == kind


# What they say


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"type": "card-played", "seat": 1, "card": "winter", "place": "season"}, "Bruno lays Winter."),
        (
            {"type": "card-played", "seat": 0, "card": "scarecrow", "take": "mercenary-6", "take_from": 0},
            "Anna lays Scarecrow and takes back Mercenary 6.",
        ),
        (
            {"type": "card-played", "seat": 1, "card": "scarecrow", "take": "mercenary-6", "take_from": 0},
            "Bruno lays Scarecrow and takes Mercenary 6 from the row of Anna.",
        ),
        (
            {"type": "card-played", "seat": 0, "card": "bishop", "favor": "roma"},
            "Anna lays Bishop and moves the favor marker to Roma.",
        ),
        (
            {"type": "marker-taken", "seat": 2, "reason": "courtesans"},
            "Carla has the battle marker, for the most Spy cards.",
        ),
        ({"type": "seat-passed", "seat": 0, "final": True, "forced": True}, "Anna passes, with no cards left."),
        (
            {"type": "battle-ended", "region": "torino", "strengths": [21, 0, 3], "leaders": [0], "winner": 0},
            "Anna wins the battle for Torino: Anna (21), Bruno (0), Carla (3).",
        ),
        (
            {"type": "game-ended", "winners": [0, 2], "reasons": ["no-region-left"]},
            "Anna and Carla win the game together: no region is left.",
        ),
        ({"type": "hand-discarded", "seat": 1, "cards": {"count": 1}, "forced": True}, "Bruno discards 1 card."),
        (
            {"type": "round-stalled", "battles": 6},
            "Nobody has laid a card in 6 battles in a row, which ends the round.",
        ),
        ({"type": "seat-taken", "seat": 1, "player": "p0", "name": None, "entropy": ""}, "A player takes a seat."),
        (
            {"type": "game-cancelled", "by": "host", "reason": "Bots only"},
            "The host cancels the game: “Bots only”.",
        ),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_what_a_sentence_says(event: Json, text: str) -> None:
    assert said(catalogue_of("zman-2018"), event) == text


def test_a_log_without_routine_sentences_says_each_thing_once() -> None:
    """A scarecrow's and a bishop's sentences already describe the events that follow from them."""
    routine = {one.key for one in SENTENCES if one.routine}
    repeated = {"card-taken-back.own", "card-taken-back", "favor-moved", "rows-discarded"}
    assert {key for key in routine if not key.startswith(("clock-", "turn-started"))} == repeated


@pytest.mark.parametrize(("key", "options"), GAMES)
def test_the_demo_and_watch_say_the_same(key: str, options: Json) -> None:
    """The narration leaves out the full stop, and lists the seats by number."""
    names = SEATED[: NEWEST[key].most_seats]
    narrator = Narrator(Console(file=StringIO()), show_edition(NEWEST[key]), names)
    own_words = ("seat-taken", "turn-started", "final-battle-started")
    narrated = (LINES | TABLE_LINES).keys() - own_words
    for commit, _ in whole_game(key, options):
        for event in commit["events"]:
            if event["type"] in narrated and "counts" not in choose(catalogue_of(key), event)["members"].values():
                assert Text.from_markup(narrator.sentence(event)).plain + "." == said(catalogue_of(key), event)


# Over HTTP


@pytest.mark.parametrize("name", REVISIONS)
def test_every_revision_of_every_edition_has_its_sentences(spectator: Person, name: str) -> None:
    """They use the edition's card names, and none is about a card that the edition does not have."""
    value = REVISIONS[name]
    found = spectator.get(f"/editions/{value.key}/sentences?revision={value.revision}&language=en")
    assert (found["edition"], found["revision"]) == (value.key, value.revision)
    assert (found["language"], found["languages"]) == ("en", list(LANGUAGES))
    assert found["words"]["card"] == value.labels
    assert bool(found["words"]["region"]) == (value.board is not None)
    assert set(found["words"]["end-reason"]) == set(END_REASONS)
    missing = {one.key for one in SENTENCES} - {one["key"] for one in found["sentences"]}
    assert missing == (set() if "courtesan" in value.labels else {"marker-taken.courtesans"})
    for one in found["sentences"]:
        assert set(re.findall(r"\{(\w+)\}", one["text"])) == set(one["members"])
        assert "[" not in one["text"]
    if value is NEWEST[value.key]:
        assert spectator.get(f"/editions/{value.key}/sentences") == found


def test_what_does_not_exist(spectator: Person) -> None:
    assert spectator.get("/editions/risk/sentences", 404)["code"] == "unknown-edition"
    assert spectator.get("/editions/zman-2018/sentences?revision=99", 404)["code"] == "unknown-edition"
    problem = spectator.get("/editions/zman-2018/sentences?language=tlh", 422)
    assert problem["code"] == "invalid-request"


def test_the_example_is_one() -> None:
    assert ANSWERS["getSentences"] == catalogue_of("zman-2018")
