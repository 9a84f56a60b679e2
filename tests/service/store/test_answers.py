"""Remembered requests: claimed once, answered once, and forgotten after a time.

An effect of a request leaves a mark.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from service import idempotency
from service.problems import Problem
from service.store import Store
from service.store.deliveries import NO_GAME, Lane, Plan
from service.store.keys import game_id_from, is_game_id, is_webhook_id, shard_of_game, webhook_id_from
from service.store.webhooks import Webhook

from .test_deliveries import delivery, webhook

PLAYER = "p17abcdefghjk"
BODY = idempotency.fingerprint_of({"a": 1})


def begin(store: Store, key: str = "1", body: str = BODY, **more: str) -> idempotency.Attempt:
    """Begin a request by the player who has the webhooks of these tests."""
    return idempotency.begin(store, PLAYER, "POST /v1/x", key, body, **more)


def test_a_request_is_begun_once_and_answered_once(store: Store) -> None:
    first, second = begin(store), begin(store)
    assert (first.begun, second.begun, second.answer) == (False, True, None)
    assert idempotency.record(store, second, b"two") == b"two"
    assert idempotency.record(store, first, b"one") == b"two"
    assert begin(store).answer == b"two"


def test_another_body_is_refused_while_the_request_is_remembered(store: Store) -> None:
    begin(store)
    with pytest.raises(Problem, match="a different body"):
        begin(store, body=idempotency.fingerprint_of({"a": 2}))
    assert not begin(store, "2", idempotency.fingerprint_of({"a": 2})).begun


def test_what_was_refused_is_forgotten_unless_another_attempt_was_answered(store: Store) -> None:
    first, second = begin(store), begin(store)
    assert idempotency.release(store, first) is None
    assert not begin(store, body=idempotency.fingerprint_of({})).begun
    assert idempotency.record(store, second, b"two") == b"two", "the claim belongs to another request by now"
    third = begin(store, "3")
    idempotency.record(store, third, b"three")
    assert idempotency.release(store, begin(store, "3")) == b"three"
    assert begin(store, "3").answer == b"three"


def test_everything_is_forgotten_with_time(store: Store) -> None:
    attempt = begin(store)
    for _ in range(2):
        assert 24 * 3_600_000 < store._server.ask("PTTL", attempt.claim) <= 48 * 3_600_000
        idempotency.record(store, attempt, b"one")


def test_only_what_was_begun_with_the_same_more_is_resumed(store: Store) -> None:
    asked = (store, PLAYER, "POST /v1/x", "1", BODY)
    assert idempotency.resume(*asked, token="t") is None
    begin(store, token="t")
    assert idempotency.resume(*asked, token="u") is None
    resumed = idempotency.resume(*asked, token="t")
    assert resumed is not None
    assert resumed.begun


def test_what_is_derived_is_the_same_for_one_request_and_for_no_other(store: Store) -> None:
    attempt = begin(store)
    assert begin(store).derive("game") == attempt.derive("game")
    others = [begin(store, "2"), begin(store, "3", idempotency.fingerprint_of({}))]
    assert len({one.derive(purpose) for one in (attempt, *others) for purpose in ("game", "webhook")}) == 6
    assert len({one.key for one in (attempt, *others)}) == 3
    assert " " in attempt.key


def test_all_processes_derive_from_one_secret(store: Store) -> None:
    other = Store.__new__(Store)
    other.__dict__.update(store.__dict__, secret=type(store.secret)(store._server))
    assert other.secret.read() == store.secret.read()
    assert len(store.secret.read()) == 32


def test_ids_that_are_derived_have_the_shape_of_others(store: Store) -> None:
    games = [game_id_from(begin(store, str(number)).derive("game")) for number in range(600)]
    assert all(map(is_game_id, games))
    assert len({shard_of_game(game) for game in games}) > 60
    assert is_webhook_id(webhook_id_from(PLAYER, begin(store).derive("webhook")))


def test_effects_in_the_callers_shard_happen_once_for_a_claim(store: Store) -> None:
    """On a cluster, too: claim and effect are in the same slot."""
    made: Webhook = webhook(PLAYER)
    assert store.webhooks.add(made)
    assert not store.webhooks.add(made)
    claim = begin(store).claim
    for url in ("https://one.example", "https://two.example"):
        assert store.webhooks.change(made.id, {"url": url}, claim)
    for secret in ("whsec_2", "whsec_3"):
        assert store.webhooks.rotate(made.id, secret, 9_999_999_999_999, claim)
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.url, found.secrets[0][0]) == ("https://one.example", "whsec_2")
    plan = Plan(Lane(made.id, NO_GAME), None, None, [delivery()])
    assert [store.deliveries.plan([plan], claim) for _ in range(2)] == [[1], [1]]
    waiting = store.deliveries.numbered(made.id, 1, 9)
    assert len(waiting) == 1
    assert [store.deliveries.repeat(made.id, waiting, claim) for _ in range(2)] == [1, 1]
    assert store.deliveries.repeat(made.id, []) == 0
    for _ in range(2):
        store.webhooks.remove(made, claim)
    assert idempotency.is_done_now(store, begin(store), "removed")


def test_a_claim_that_was_released_is_not_brought_back_by_an_effect(store: Store) -> None:
    """Otherwise the claim would never expire."""
    made = webhook(PLAYER)
    store.webhooks.add(made)
    attempt = begin(store)
    idempotency.release(store, attempt)
    store.webhooks.change(made.id, {"url": "https://one.example"}, attempt.claim)
    assert store.answers.read(attempt.claim) == {}


def test_hours_change_once_for_a_claim(store: Store) -> None:
    player, _ = store.players.register("Anna")
    claim = idempotency.begin(store, player.id, "PATCH /v1/me", "1", BODY).claim
    assert store.players.change_hours(player.id, b"", b"one", claim)
    assert store.players.change_hours(player.id, b"one", b"two")
    assert store.players.change_hours(player.id, b"two", b"one", claim)
    assert store.players.hours(player.id)[1] == b"two"


def test_pausing_leaves_one_secret_and_makes_no_webhook(store: Store) -> None:
    made = webhook(PLAYER)
    store.webhooks.add(replace(made, secrets=[("whsec_2", 0), ("whsec_1", 9_999_999_999_999)]))
    other = webhook(PLAYER)
    store.webhooks.pause({made.id: "whsec_3", other.id: "whsec_4"})
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.active, found.secrets) == (False, [("whsec_3", 0)])
    assert store.webhooks.get(other.id) is None
