"""Whatever an endpoint responds, its delivery is settled after one try, and the move in it is made or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.repository import Games
from service.problems import PROBLEMS
from service.store.deliveries import DELIVERED, First, Lane, Outcome
from service.webhooks import delivering, planning
from service.webhooks.replays import Replays
from service.webhooks.sending import ANSWER_BYTES, PostResult

from ...examples import examples
from ..anything import PATIENT, Nested, anything, nearly, written
from ..api.conftest import Json, Person

WORDS = ["move", "type", "seat", "card", "region", "choose-region", "roma", "play-card", "keep", "number", "challenge"]
MOVE = {"type": "play-card", "card": "scarecrow", "take": "mercenary-10", "take_from": 0, "seat": 0}
LOG = {"made", "refused", "ignored", "none"}

Answered = Callable[[bytes], Outcome]


@pytest.fixture
def webhook(anna: Person) -> str:
    """A webhook of Anna's with a waiting ping."""
    made: str = anna.post("/webhooks", {"url": "https://example.org/", "events": ["turn.started"]}, 201)["id"]
    return made


@pytest.fixture
def answer_ping(games: Games, webhook: str) -> Answered:
    """A function that responds to the ping."""
    return _answering(games, games.store.deliveries.first(Lane(webhook, "-")))


@pytest.fixture
def answer_turn(games: Games, webhook: str, against_bots: Json) -> Answered:
    """A function that responds to `turn.started`."""
    games.store.webhooks.change(webhook, {"verified": games.now()})
    planning.plan_game(games, against_bots["id"], against_bots["version"], against_bots["version"])
    first = games.store.deliveries.first(Lane(webhook, against_bots["id"]))
    assert first.delivery is not None
    assert first.delivery["type"] == "turn.started"
    return _answering(games, first)


def _answering(games: Games, first: First) -> Answered:
    message = delivering.prepare(games, Replays(), first)
    assert isinstance(message, delivering.Message)
    return lambda body: delivering.conclude(games, message, PostResult(200, None, body, None, 1), lambda: 0.5)


def is_over(outcome: Outcome) -> None:
    """Check that a turn's delivery is settled, and that its log entry is one of the documented ones."""
    assert outcome.delivery is not None
    assert (outcome.delivery["status"], outcome.retry_in, outcome.health) == (DELIVERED, None, "well")
    (tried,) = outcome.delivery["tries"]
    assert tried["error"] is None
    assert tried.get("move", "none") in LOG
    if tried.get("move") == "refused":
        assert tried["problem"]["code"] in PROBLEMS
    assert len(json.dumps(outcome.delivery)) < 2_000


DEPTHS = [1, 2, 100, 253, 254, 255, 900, 1_020, 1_100, 8_000]
NESTED = [Nested(depth, *brackets) for depth in DEPTHS for brackets in (("[", "]"), ('{"a":', "}"))]


@pytest.mark.parametrize(
    "answer",
    [
        lambda nested: nested,
        lambda nested: {"move": nested},
        lambda nested: {"move": {"type": nested}},
        lambda nested: {"move": {"type": "choose-region", "region": nested}},
        lambda nested: {"move": {"type": "choose-region", "region": "roma", "seat": nested}},
        lambda nested: {"move": {"type": "choose-region", "region": "roma", "more": nested}},
        lambda nested: {"move": {"type": "keep-cards", "keep": nested}},
        lambda nested: {"move": {"type": "keep-cards", "keep": ["drummer", nested]}},
    ],
    ids=["answer", "move", "type", "region", "seat", "unknown", "keep", "in keep"],
)
def test_a_nested_move_is_refused_at_any_depth(
    answer_turn: Answered, anna: Person, against_bots: Json, answer: Callable[[Nested], Any]
) -> None:
    for nested in NESTED:
        is_over(answer_turn(written(answer(nested)).encode()[:ANSWER_BYTES]))
    assert anna.get(f"/games/{against_bots['id']}") == against_bots


@pytest.mark.parametrize("seat", [0, 0.0])
def test_a_number_without_a_fraction_in_a_move_is_whole(answer_turn: Answered, against_bots: Json, seat: Any) -> None:
    outcome = answer_turn(written({"move": {**against_bots["moves"][0], "seat": seat}}).encode())
    assert outcome.delivery is not None
    assert outcome.delivery["tries"][-1]["move"] == "made"


@pytest.mark.parametrize("seat", [True, 0.5, "0", None, [0], -1, 2**64 - 1])
def test_a_seat_in_a_move_is_a_whole_number_as_in_a_posted_one(
    answer_turn: Answered, anna: Person, against_bots: Json, seat: Any
) -> None:
    outcome = answer_turn(written({"move": {**against_bots["moves"][0], "seat": seat}}).encode())
    assert outcome.delivery is not None
    assert outcome.delivery["tries"][-1]["move"] == "refused"
    assert anna.get(f"/games/{against_bots['id']}") == against_bots


@settings(PATIENT, max_examples=examples(80))
@given(
    st.one_of(
        st.binary(max_size=60),
        anything(WORDS).map(written).map(str.encode),
        st.builds(lambda move: written({"move": move}).encode(), st.one_of(anything(WORDS), nearly(MOVE, WORDS))),
    )
)
def test_any_answer_to_a_turn_ends_its_delivery(answer_turn: Answered, body: bytes) -> None:
    is_over(answer_turn(body[:ANSWER_BYTES]))


@settings(PATIENT, max_examples=examples(80))
@given(
    st.one_of(
        st.binary(max_size=60),
        anything(WORDS).map(written).map(str.encode),
        anything(WORDS).map(lambda challenge: written({"challenge": challenge}).encode()),
        st.just(b'{"challenge": "\\ud800"}'),
    )
)
def test_no_other_answer_to_a_ping_verifies_an_endpoint(answer_ping: Answered, body: bytes) -> None:
    outcome = answer_ping(body[:ANSWER_BYTES])
    assert outcome.delivery is not None
    (tried,) = outcome.delivery["tries"]
    assert (tried["error"], outcome.delivery["status"]) == ("wrong-challenge", "waiting")
