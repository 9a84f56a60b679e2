"""Webhooks report messages: once, in the lane of their game, and only those that their player can see."""

from __future__ import annotations

import orjson
import pytest

from service.games.repository import Games
from service.store.deliveries import OVER, First, Lane
from service.webhooks import delivering, talk
from service.webhooks.delivering import Message
from service.webhooks.replays import Replays

from ..conftest import Json, Person
from ..test_webhooks import ALL, add, deliveries, verify
from .conftest import Table
from .test_people import block

WANTED = {"events": ["message.received"]}


def told(person: Person, webhook: Json) -> list[Json]:
    return [one for one in deliveries(person, webhook) if one["type"] == "message.received"]


def prepared(games: Games, webhook: Json, table: Table) -> object:
    """Return what is sent first in the lane of a game."""
    first: First = games.store.deliveries.first(Lane(webhook["id"], table.game))
    return delivering.prepare(games, Replays(), first)


def test_a_message_is_told_to_its_readers_and_not_to_its_author(table: Table, games: Games) -> None:
    webhooks = [(player, add(player, **WANTED)) for player in table.players]
    for _, webhook in webhooks:
        verify(games, webhook)
    table.say(table.anna)
    table.whisper(table.clara, 0)
    table.say(table.watcher, room="spectators")
    for _ in range(2):
        talk.plan(games, ALL)
    assert [len(told(player, webhook)) for player, webhook in webhooks] == [1, 1, 1]
    (delivery,) = told(*webhooks[1])
    assert (delivery["game"], delivery["version"], delivery["status"]) == (table.game, None, "waiting")


def test_a_delivery_has_the_message_or_its_id(table: Table, games: Games) -> None:
    webhooks = {payload: add(table.bruno, **WANTED, payload=payload) for payload in ("full", "thin")}
    for webhook in webhooks.values():
        verify(games, webhook)
    said = table.whisper(table.anna, 1, text="Psst")
    talk.plan(games, ALL)
    for payload, wanted in (("full", said), ("thin", {"id": said["id"]})):
        message = prepared(games, webhooks[payload], table)
        assert isinstance(message, Message)
        data = orjson.loads(message.body)["data"]
        assert (data["seat"], data["game"], data["url"]) == (1, table.game, f"/v1{table.path}")
        assert data["message"] == wanted


def test_a_message_that_may_no_longer_be_seen_is_not_sent(table: Table, games: Games) -> None:
    webhook = add(table.bruno, **WANTED)
    verify(games, webhook)
    table.say(table.anna)
    talk.plan(games, ALL)
    block(table.bruno, table.anna)
    outcome = prepared(games, webhook, table)
    assert outcome.delivery["status"] == OVER  # type: ignore[attr-defined]
    table.say(table.anna)
    talk.plan(games, ALL)
    assert len(told(table.bruno, webhook)) == 1


def test_a_webhook_that_does_not_want_messages_gets_none(table: Table, games: Games) -> None:
    webhook = add(table.bruno, events=["game.moved"])
    verify(games, webhook)
    table.say(table.anna)
    talk.plan(games, ALL)
    assert told(table.bruno, webhook) == []


@pytest.mark.parametrize("form", ["discord", "slack", "ntfy", "text"])
def test_people_are_told_that_there_is_a_message_and_not_what_it_says(table: Table, games: Games, form: str) -> None:
    webhook = add(table.bruno, **WANTED, format=form)
    verify(games, webhook)
    table.whisper(table.anna, 1, text="Leave Roma to me")
    talk.plan(games, ALL)
    message = prepared(games, webhook, table)
    assert isinstance(message, Message)
    assert b"somebody wrote to you" in message.body
    assert b"Roma" not in message.body


@pytest.mark.parametrize("form", ["discord", "slack", "ntfy", "text"])
def test_a_chat_is_not_told_of_blocked_players(table: Table, games: Games, form: str) -> None:
    """It receives neither their earlier nor their later messages, but those of other players."""
    webhook = add(table.bruno, events=["message.received"], format=form)
    verify(games, webhook)
    table.say(table.anna, "before")
    talk.plan(games, ALL)
    assert isinstance(prepared(games, webhook, table), Message)
    block(table.bruno, table.anna)
    outcome = prepared(games, webhook, table)
    assert outcome.delivery["status"] == OVER  # type: ignore[attr-defined]
    table.whisper(table.anna, 1, text="after")
    table.say(table.clara, "Anna is quiet")
    talk.plan(games, ALL)
    assert len(told(table.bruno, webhook)) == 2
