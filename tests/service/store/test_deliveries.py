"""Lanes: planned deliveries are tried in order, by one process at a time, until each has a result."""

from __future__ import annotations

from typing import Any

import pytest

from service.store import Store
from service.store.deliveries import MAX_FINISHED, PARK, WAITING, Lane, Outcome, Plan
from service.store.errors import TooManyWebhooks
from service.store.keys import SHARDS, new_player_id, new_webhook_id, of_webhook, shard_of_webhook
from service.store.webhooks import MAX_WEBHOOKS, Webhook

from .games import GAME, NOW, OTHER, time_of

A, B = "process-a", "process-b"
ALL = range(SHARDS)
DAY = 86_400_000
URL = "https://example.org/"


def webhook(player: str = "", **more: Any) -> Webhook:
    """Return a webhook that receives all kinds of events."""
    player = player or new_player_id("Anna")
    given: dict[str, Any] = {"games": None, "payload": "full", "active": True, "created": NOW, "verified": NOW, **more}
    return Webhook(
        id=new_webhook_id(player),
        player=player,
        url=URL,
        events=["game.moved"],
        secrets=[("whsec_1", 0)],
        **given,
    )


def delivery(version: int = 1) -> dict[str, Any]:
    """Return a delivery without a number."""
    return {"type": "game.moved", "game": GAME, "version": version, "at": NOW, "status": WAITING, "tries": []}


@pytest.fixture
def made(store: Store) -> Webhook:
    """A stored webhook."""
    one = webhook()
    store.webhooks.add(one)
    return one


def plan(store: Store, made: Webhook, number: int, game: str = GAME) -> None:
    """Plan `number` deliveries for one game in one call."""
    (before,) = store.deliveries.planned_versions([made.id], game)
    upto = (before or 0) + number
    wanted = [delivery(seq) for seq in range(upto - number, upto)]
    assert all(store.deliveries.plan([Plan(Lane(made.id, game), before, upto, wanted)]))


def take(store: Store, process: str = A, *working: str) -> list[Lane]:
    """Take all lanes that are to be tried now."""
    return store.deliveries.take(process, working or (process,), dict.fromkeys(ALL, 100), grace=0)


def first(store: Store, lane: Lane) -> dict[str, Any]:
    """Return the delivery that is to be tried first."""
    found = store.deliveries.first(lane).delivery
    assert found is not None
    return found


def settle(store: Store, lane: Lane, process: str = A, patience: int = DAY, **more: Any) -> bool:
    """Record a try of a lane's first delivery."""
    outcome = Outcome({**first(store, lane), "status": "delivered", **more.pop("changed", {})}, **{"url": URL, **more})
    return store.deliveries.settle(lane, process, outcome, patience)


def number_of(store: Store, made: Webhook) -> list[int]:
    """Return the numbers of the remembered deliveries."""
    return [one["number"] for one in store.deliveries.page(made.id, None, 10_000)[0]]


def test_a_webhook_is_found_as_it_was_made(store: Store, made: Webhook) -> None:
    assert store.webhooks.get(made.id) == made
    assert store.webhooks.of_players([made.player, new_player_id("Bruno")]) == [made]
    assert store.webhooks.get(new_webhook_id(made.player)) is None
    assert store.webhooks.get("w99") is None


def test_nobody_may_have_more_webhooks_than_there_are_places(store: Store, made: Webhook) -> None:
    others = [webhook(made.player, created=NOW + 1 + number) for number in range(MAX_WEBHOOKS - 1)]
    for one in others:
        store.webhooks.add(one)
    with pytest.raises(TooManyWebhooks):
        store.webhooks.add(webhook(made.player))
    store.webhooks.add(made)
    assert store.webhooks.of_players([made.player]) == [made, *others]


def test_what_is_changed_is_changed_and_nothing_else(store: Store, made: Webhook) -> None:
    assert store.webhooks.change(made.id, {"games": [GAME], "active": False, "verified": None})
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.games, found.active, found.verified, found.url) == ([GAME], False, None, made.url)


def test_a_webhook_does_not_come_into_being_by_a_change(store: Store) -> None:
    absent = webhook()
    assert not store.webhooks.change(absent.id, {"active": True})
    assert store.webhooks.get(absent.id) is None


def test_deliveries_are_tried_in_order_each_by_itself(store: Store, made: Webhook) -> None:
    plan(store, made, 3)
    lane = Lane(made.id, GAME)
    assert take(store) == [lane]
    tried = []
    while True:
        tried.append(first(store, lane)["sequence"])
        if not settle(store, lane):
            break
    assert tried == [1, 2, 3]
    assert take(store) == []


def test_games_are_numbered_for_themselves_and_tried_side_by_side(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    plan(store, made, 2, OTHER)
    lanes = take(store)
    assert set(lanes) == {Lane(made.id, GAME), Lane(made.id, OTHER)}
    assert [first(store, lane)["sequence"] for lane in lanes] == [1, 1]
    assert number_of(store, made) == [3, 2, 1]


def test_what_two_plan_at_once_is_planned_once(store: Store, made: Webhook) -> None:
    lane = Lane(made.id, GAME)
    for upto, number in ((4, 1), (4, 0), (5, 0)):
        assert store.deliveries.plan([Plan(lane, None, upto, [delivery()])]) == [number]
    assert store.deliveries.planned_versions([made.id], GAME) == [4]
    assert number_of(store, made) == [1]


def test_nothing_is_planned_for_a_webhook_that_is_gone(store: Store) -> None:
    assert store.deliveries.plan([Plan(Lane(webhook().id, GAME), None, 1, [delivery()])]) == [-1]


def test_one_lane_is_tried_by_one_process(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    lane = Lane(made.id, GAME)
    assert take(store, A, A, B) == [lane]
    assert take(store, B, A, B) == []
    assert take(store, A, A, B) == [lane], "a process gets its lanes again, in case the response was lost"
    assert not settle(store, lane, B)
    assert first(store, lane)["status"] == WAITING


def test_what_a_dead_process_had_taken_goes_on(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    lane = Lane(made.id, GAME)
    take(store, A)
    assert take(store, B, B) == [lane]
    assert not settle(store, lane, A), "a process that comes back no longer has the lane"
    assert first(store, lane)["status"] == WAITING


def test_a_process_that_has_come_a_moment_ago_is_not_taken_for_dead(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    take(store, A)
    assert store.deliveries.take(B, [B], dict.fromkeys(ALL, 100), grace=60_000) == []


def test_a_try_whose_answer_was_lost_is_written_once(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    lane = Lane(made.id, GAME)
    take(store)
    outcome = Outcome({**first(store, lane), "status": "delivered"})
    assert store.deliveries.settle(lane, A, outcome, DAY)
    assert store.deliveries.settle(lane, A, outcome, DAY)
    assert first(store, lane)["sequence"] == 2


def test_a_failed_delivery_keeps_its_place_until_it_is_tried_again(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    lane = Lane(made.id, GAME)
    take(store)
    assert not settle(store, lane, retry_in=DAY, health="ill")
    assert take(store) == []
    plan(store, made, 1)
    assert take(store) == [], "later deliveries do not overtake it"
    assert first(store, lane)["sequence"] == 1


def test_a_success_lets_all_that_waits_for_the_endpoint_be_tried_at_once(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    take(store)
    settle(store, Lane(made.id, GAME), retry_in=DAY, health="ill")
    plan(store, made, 1, OTHER)
    assert take(store) == [Lane(made.id, OTHER)]
    settle(store, Lane(made.id, OTHER), health="well")
    assert take(store) == [Lane(made.id, GAME)]
    found = store.webhooks.get(made.id)
    assert found is not None
    assert found.failing is None


def test_an_endpoint_that_fails_for_too_long_is_disabled(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    lane = Lane(made.id, GAME)
    take(store)
    assert not settle(store, lane, retry_in=0, health="ill", patience=DAY)
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.active, found.disabled) == (True, None)
    assert found.failing is not None
    store.webhooks.change(made.id, {"failing": found.failing - DAY})
    assert take(store) == [lane]
    assert not settle(store, lane, retry_in=0, health="ill", patience=DAY)
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.active, found.disabled) == (False, "failing")
    assert take(store) == []


def test_an_endpoint_that_is_gone_is_disabled_at_once_and_goes_on_where_it_was(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    lane = Lane(made.id, GAME)
    take(store)
    assert not settle(store, lane, changed={"status": "failed"}, health="gone")
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.active, found.disabled) == (False, "gone")
    assert take(store) == []
    store.webhooks.change(made.id, {"active": True, "disabled": None})
    store.deliveries.resume(made.id)
    assert take(store) == [lane]
    assert first(store, lane)["sequence"] == 2


def test_a_parked_lane_waits_until_the_endpoint_is_verified(store: Store, made: Webhook) -> None:
    store.webhooks.change(made.id, {"verified": None})
    plan(store, made, 1)
    lane = Lane(made.id, GAME)
    take(store)
    assert not settle(store, lane, retry_in=PARK, changed={"status": WAITING})
    assert take(store) == []
    assert store.webhooks.verify(made)
    store.deliveries.resume(made.id)
    assert take(store) == [lane]


def test_a_lane_that_is_parked_while_its_webhook_is_verified_goes_on(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    take(store)
    assert settle(store, Lane(made.id, GAME), retry_in=PARK, changed={"status": WAITING})


def test_a_lane_that_nobody_is_to_try_is_tried_when_more_comes(store: Store, made: Webhook) -> None:
    """It does not matter why nobody was to try the lane."""
    plan(store, made, 1)
    lane = Lane(made.id, GAME)
    take(store)
    store.webhooks.change(made.id, {"active": False})
    assert not settle(store, lane, retry_in=0, changed={"status": WAITING})
    store.webhooks.change(made.id, {"active": True})
    assert take(store) == []
    plan(store, made, 1)
    assert take(store) == [lane]


def test_what_one_endpoint_answers_does_not_speak_for_another(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    lane = Lane(made.id, GAME)
    take(store)
    store.webhooks.change(made.id, {"url": "https://example.com/", "verified": None})
    assert not store.webhooks.verify(made)
    assert settle(store, lane, health="gone")
    found = store.webhooks.get(made.id)
    assert found is not None
    assert (found.active, found.verified, found.failing, found.disabled) == (True, None, None, None)


def test_an_endpoint_that_asks_for_time_is_not_woken_before(store: Store, made: Webhook) -> None:
    for game in (GAME, OTHER):
        plan(store, made, 2, game)
    take(store)
    assert not settle(
        store, Lane(made.id, GAME), retry_in=DAY, delay_requested=True, health="ill", changed={"status": WAITING}
    )
    assert settle(store, Lane(made.id, OTHER), health="well")
    assert take(store) == [Lane(made.id, OTHER)]


def test_an_endpoint_that_takes_everything_wakes_nobody(store: Store, made: Webhook) -> None:
    """Only an endpoint that has failed does so."""
    for game in (GAME, OTHER):
        plan(store, made, 2, game)
    take(store)
    assert not settle(store, Lane(made.id, GAME), retry_in=DAY, changed={"status": WAITING})
    assert settle(store, Lane(made.id, OTHER), health="well")
    assert take(store) == [Lane(made.id, OTHER)]


def test_a_failure_long_ago_does_not_count(store: Store, made: Webhook) -> None:
    plan(store, made, 1)
    lane = Lane(made.id, GAME)
    take(store)
    assert not settle(store, lane, retry_in=0, health="ill", changed={"status": WAITING})
    key = of_webhook(made.id, "webhook")
    store._server.ask("HSET", key, "failing", NOW, "failed", NOW)
    take(store)
    assert not settle(store, lane, retry_in=0, health="ill", changed={"status": WAITING})
    found = store.webhooks.get(made.id)
    assert found is not None
    assert found.active
    assert found.failing is not None
    assert found.failing > NOW


def test_secrets_that_were_replaced_are_valid_for_as_long_as_they_were(store: Store, made: Webhook) -> None:
    now = time_of(store, GAME)
    for secret, hours in (("whsec_2", 24), ("whsec_3", 48), ("whsec_3", 72)):
        assert store.webhooks.rotate(made.id, secret, now + hours * 3_600_000)
    found = store.webhooks.get(made.id)
    assert found is not None
    assert found.valid_secrets(now) == ["whsec_3", "whsec_2", "whsec_1"]
    assert found.valid_secrets(now + 30 * 3_600_000) == ["whsec_3", "whsec_2"]
    assert not store.webhooks.rotate(webhook().id, "whsec_2", now)


def test_what_follows_from_a_delivery_goes_behind_what_waits(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    lane = Lane(made.id, GAME)
    take(store)
    assert settle(store, lane, follow_up={**delivery(), "type": "turn.rejected"})
    assert settle(store, lane)
    assert first(store, lane)["type"] == "turn.rejected"
    assert first(store, lane)["sequence"] == 3


def test_the_oldest_that_are_over_are_forgotten_and_none_that_waits(store: Store, made: Webhook) -> None:
    plan(store, made, 1, OTHER)
    take(store)
    settle(store, Lane(made.id, OTHER), retry_in=DAY)
    plan(store, made, MAX_FINISHED + 2)
    lane = Lane(made.id, GAME)
    assert take(store) == [lane]
    while settle(store, lane):
        pass
    assert number_of(store, made) == [*range(MAX_FINISHED + 3, 3, -1), 1]


def test_pages_of_deliveries_follow_each_other(store: Store, made: Webhook) -> None:
    plan(store, made, 5)
    page, following = store.deliveries.page(made.id, None, 2)
    assert ([one["number"] for one in page], following) == ([5, 4], 4)
    page, following = store.deliveries.page(made.id, following, 3)
    assert ([one["number"] for one in page], following) == ([3, 2, 1], None)
    assert [one["number"] for one in store.deliveries.numbered(made.id, 2, 9)] == [2, 3, 4, 5]


def test_a_delivery_is_repeated_behind_those_that_wait_and_stands_there_once(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    lane = Lane(made.id, GAME)
    take(store)
    done = first(store, lane)
    settle(store, lane)
    again = {**done, "status": WAITING, "repeated": True}
    assert store.deliveries.repeat(made.id, [again, again, {**again, "number": 77}]) == 2
    assert first(store, lane)["sequence"] == 2
    assert settle(store, lane)
    assert first(store, lane) == again
    assert not settle(store, lane)


def test_a_webhook_is_forgotten_with_all_that_waits_for_it(store: Store, made: Webhook) -> None:
    plan(store, made, 2)
    plan(store, made, 2, OTHER)
    (lane, *_) = take(store)
    plan(store, made, 1, "17zzzzzzzzzzzzzzzz")
    outcome = Outcome({**first(store, lane), "status": "delivered"})
    store.webhooks.remove(made)
    assert store.webhooks.of_players([made.player]) == []
    assert not store.deliveries.settle(lane, A, outcome, DAY)
    shard = shard_of_webhook(made.id)
    assert store.deliveries.first(lane).webhook is None
    kept = store._server.ask("EXISTS", *(of_webhook(made.id, kind) for kind in ("deliveries", "told", "waiting")))
    assert kept == 0
    assert store._server.ask("ZCARD", f"condottiere:{{s{shard:02d}}}:lanes") == 0


def test_who_is_at_work_is_told_by_the_servers_clock(store: Store) -> None:
    assert store.deliveries.beat(A, DAY) == [A]
    assert set(store.deliveries.beat(B, DAY)) == {A, B}
    assert store.deliveries.beat(A, 0) == [B]
