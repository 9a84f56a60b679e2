"""Delivering: one try of the first delivery of a lane, from the log to what is written about it."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from engine import EngineError

from ..clocks.events import ClockStopped
from ..games.game import Game
from ..games.repository import Games, load
from ..problems import Problem
from ..store.deliveries import DELIVERED, FAILED, OVER, PARK, First, Outcome
from ..store.errors import CorruptLog
from ..store.webhooks import Webhook
from . import answering, payloads, signing
from .kinds import OPEN_TURN, PING, TURN_REJECTED, TURN_STARTED
from .planning import catch_up, rejection
from .presentation import message_id
from .replays import Replays
from .retry_schedule import PATIENCE, next_try
from .sending import Sent

GONE = 410
TRIES_SHOWN = 20
"""How many tries of a delivery are remembered: more than it has, unless it was asked for again and again."""
SLACK = 1_000
"""Milliseconds by which the clocks of two processes may differ, when they say whether a try comes before its time."""
NOT_OPEN = ("stale-version", "game-over", "seat-with-bot", "not-seated")
"""Problems of a move for a turn that is over: its endpoint need not be told."""

Json = dict[str, Any]

_logger = logging.getLogger(__name__)


class Letter(NamedTuple):
    """A delivery that is ready to be sent: to whom, what it says, and the game as it says it (None for a ping)."""

    webhook: Webhook
    delivery: Mapping[str, Any]
    game: Game | None
    body: bytes

    @property
    def message(self) -> str:
        """Its `webhook-id`."""
        return message_id(self.webhook.id, self.delivery)

    def headers(self, now: int) -> dict[str, str]:
        """Return what is sent with it at a time (ms since the epoch)."""
        signed = signing.headers(self.message, now // 1000, self.body, self.webhook.valid_secrets(now))
        return {"content-type": "application/json", **signed}


def written(games: Games, replays: Replays, first: First) -> Letter | Outcome:
    """Return the letter that a lane's first delivery is, or what has come of it without any."""
    webhook, delivery = first.webhook, first.delivery
    if webhook is None or delivery is None:
        return Outcome({})
    if not webhook.active or (webhook.verified is None and delivery["type"] != PING):
        return Outcome(delivery, PARK)
    if delivery["game"] is None:
        return Letter(webhook, delivery, None, payloads.payload(webhook, delivery, None))
    try:
        settled = _settled(games, webhook, delivery)
        if settled is not None:
            return Outcome({**delivery, "status": settled})
        game = replays.at(games, delivery["game"], delivery["version"])
    except (CorruptLog, Problem) as error:
        _logger.critical("cannot write a delivery to webhook %s: %s", webhook.id, error)
        return Outcome({**delivery, "status": FAILED})
    return Letter(webhook, delivery, game, payloads.payload(webhook, delivery, game))


def concluded(games: Games, letter: Letter, sent: Sent, chance: Callable[[], float]) -> Outcome:
    """Return what came of sending a letter; a move in the answer has been made, or was refused.

    Raises: StoreError, Problem (busy): then the letter must be sent again.
    """
    tried = {"at": games.now(), "status": sent.status, "error": sent.error, "latency": sent.latency}
    url = letter.webhook.url
    if sent.status == GONE:
        return Outcome(_after(letter.delivery, tried, FAILED), health="gone", url=url)
    if sent.status is None or not 200 <= sent.status < 300:
        return _again(letter, tried, sent.retry_after, chance)
    if letter.game is None:
        if not _is_challenge(letter.delivery["challenge"], sent.body):
            return _again(letter, {**tried, "error": "wrong-challenge"}, None, chance)
        _verify(games, letter)
    follows = None
    if letter.delivery["type"] == TURN_STARTED:
        said, follows = _move(games, letter, sent)
        tried |= said
    return Outcome(_after(letter.delivery, tried, DELIVERED), health="well", url=url, follows=follows)


def failed(delivery: Mapping[str, Any], now: int, chance: Callable[[], float]) -> Outcome:
    """Return what comes of a delivery that could not be tried for a reason of our own."""
    tried = {"at": now, "status": None, "error": "internal-error", "latency": 0}
    return _later(delivery, tried, None, chance)


def _verify(games: Games, letter: Letter) -> None:
    """Take the endpoint's word that it is the player's, and tell it how things stand.

    In this order: what happens in between is planned by whoever plans it, since the endpoint is verified by then.
    """
    if games.store.webhooks.verify(letter.webhook) and letter.delivery["catch_up"]:
        catch_up(games, replace(letter.webhook, verified=games.now()))
        games.store.deliveries.resume(letter.webhook.id)


def _settled(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> str | None:
    """Return what has become of a turn that is over, None for one that is not, and for whatever tells of none."""
    if delivery["type"] not in OPEN_TURN or delivery.get("repeated"):
        return None
    if games.store.log.length(delivery["game"]) == delivery["version"]:
        return None
    game = load(games, delivery["game"])
    if not _is_over(game, delivery["version"]):
        return None
    answered = game.answered(webhook.player, message_id(webhook.id, delivery))
    return OVER if answered is None else DELIVERED


def _is_over(game: Game, version: int) -> bool:
    """Tell whether the turn that waited at a version is over: somebody has moved since, or its clock has stopped.

    The latter alone is so where a bot was given the seat, or the seat was opened.
    """
    later = game.since(version)
    return any(
        commit.game_events or any(isinstance(event, ClockStopped) for event in commit.events) for commit in later
    )


def _move(games: Games, letter: Letter, sent: Sent) -> tuple[Json, Json | None]:
    """Make the move in an answer, if there is one; return what the log says of it, and what its endpoint is told."""
    assert sent.status is not None
    assert letter.game is not None
    if sent.status == answering.LATER or not sent.body.strip():
        return {}, None
    try:
        chosen = answering.move_in(sent.body)
        if chosen is None:
            return {"move": "none"}, None
        if not _still_speaks(games, letter.webhook):
            return {"move": "ignored"}, None
        answering.play(games, letter.game, letter.webhook.player, chosen, letter.message)
    except (answering.BadAnswer, Problem, EngineError) as error:
        problem = answering.refused(error)
        if problem["code"] == "busy":
            raise
        if problem["code"] == "key-reused":  # It has answered this turn before, and then with another move.
            return {"move": "ignored"}, None
        told = TURN_REJECTED in letter.webhook.events and problem["code"] not in NOT_OPEN
        follows = rejection(letter.delivery, problem, games.now()) if told else None
        return {"move": "refused", "problem": problem}, follows
    return {"move": "made"}, None


def _still_speaks(games: Games, sent_to: Webhook) -> bool:
    """Return whether a webhook, read before a letter was sent, may still answer it with a move.

    Its player may have paused it, pointed it elsewhere or withdrawn its secret while the endpoint was thinking.
    """
    webhook, now = games.store.webhooks.get(sent_to.id), games.now()
    if webhook is None or not webhook.active or webhook.verified is None or webhook.url != sent_to.url:
        return False
    return not set(webhook.valid_secrets(now)).isdisjoint(sent_to.valid_secrets(now))


def _again(letter: Letter, tried: Json, retry_after: float | None, chance: Callable[[], float]) -> Outcome:
    outcome = _later(letter.delivery, tried, retry_after, chance)
    return outcome._replace(held=retry_after is not None, health="ill", url=letter.webhook.url)


def _later(delivery: Mapping[str, Any], tried: Json, retry_after: float | None, chance: Callable[[], float]) -> Outcome:
    """Return when a delivery is tried again.

    A try that came before its time, since the endpoint had taken something else, does not count among those that a
    delivery has; but they all have an end.
    """
    at, began = tried["at"], delivery.get("began") or tried["at"]
    early = at < delivery.get("due", 0) - SLACK
    step = delivery.get("step", 0) + (not early)
    again = next_try(step, retry_after, chance) if at - began < PATIENCE else None
    if again is None:
        return Outcome(_after(delivery, tried, FAILED))
    kept = {"step": step, "due": at + again, "began": began, "repeated": False}
    return Outcome(_after({**delivery, **kept}, tried, delivery["status"]), again)


def _after(delivery: Mapping[str, Any], tried: Mapping[str, Any], status: str) -> dict[str, Any]:
    return {**delivery, "status": status, "tries": [*delivery["tries"], tried][-TRIES_SHOWN:]}


def _is_challenge(challenge: str, body: bytes) -> bool:
    """Tell whether an answer gives the challenge of its ping: an endpoint that merely echoes a body does not."""
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    given = answer.get("challenge") if isinstance(answer, dict) else None
    return isinstance(given, str) and hmac.compare_digest(given.encode(), challenge.encode())
