"""Delivering: one try of the first delivery of a lane, from the log to what is written about it."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from engine import EngineError

from ..game import Game
from ..games import Games, load
from ..problems import Problem
from ..showing_webhooks import message_id
from ..store.deliveries import DELIVERED, FAILED, OVER, PARK, First, Outcome
from ..store.errors import CorruptLog
from ..store.webhooks import Webhook
from . import answering, payloads, signing
from .kinds import PING, TURN_STARTED
from .planning import catch_up, rejection
from .replays import Replays
from .schedule import next_try
from .sending import Sent

GONE = 410
TRIES_SHOWN = 20
"""How many tries of a delivery are remembered: more than it has, unless it was asked for again and again."""
NOT_OPEN = ("stale-version", "game-over")
"""Problems of a move for a turn that is over: its endpoint need not be told."""

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
        older = self.webhook.old_until > now
        secrets = self.webhook.secrets if older else self.webhook.secrets[:1]
        signed = signing.headers(self.message, now // 1000, self.body, secrets)
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
    except CorruptLog:
        _logger.critical("nobody can be told of game %s: its log cannot be read", delivery["game"])
        return Outcome({**delivery, "status": FAILED})
    return Letter(webhook, delivery, game, payloads.payload(webhook, delivery, game))


def concluded(games: Games, letter: Letter, sent: Sent, chance: Callable[[], float]) -> Outcome:
    """Return what came of sending a letter; a move in the answer has been made, or was refused.

    Raises: StoreUnavailable, Problem (busy) where the move must be tried again with the same answer.
    """
    tried = {"at": games.now(), "status": sent.status, "error": sent.error, "latency": sent.latency}
    if sent.status == GONE:
        return Outcome(_after(letter.delivery, tried, FAILED), health="gone")
    if sent.status is None or not 200 <= sent.status < 300:
        return _again(letter.delivery, tried, sent.retry_after, chance)
    if letter.game is None:
        if _is_challenge(letter.delivery["challenge"], sent.body):
            catch_up(games, replace(letter.webhook, verified=games.now()))
            return Outcome(_after(letter.delivery, tried, DELIVERED), health="verified")
        return _again(letter.delivery, {**tried, "error": "wrong-challenge"}, None, chance)
    if letter.delivery["type"] == TURN_STARTED:
        return _moved(games, letter, letter.game, sent, tried)
    return Outcome(_after(letter.delivery, tried, DELIVERED), health="well")


def failed(delivery: Mapping[str, Any], now: int, chance: Callable[[], float]) -> Outcome:
    """Return what comes of a delivery that could not be tried for a reason of our own."""
    tried = {"at": now, "status": None, "error": "internal-error", "latency": 0}
    return _again(delivery, tried, None, chance)._replace(health="")


def _settled(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> str | None:
    """Return what has become of a turn that is over, None for one that is not, and for whatever is no turn."""
    if delivery["type"] != TURN_STARTED or delivery.get("repeated"):
        return None
    if games.store.log.length(delivery["game"]) == delivery["version"]:
        return None
    game = load(games, delivery["game"])
    if not game.moved_since(delivery["version"]):
        return None
    answered = game.answered(webhook.player, message_id(webhook.id, delivery))
    return OVER if answered is None else DELIVERED


def _moved(games: Games, letter: Letter, game: Game, sent: Sent, tried: Mapping[str, Any]) -> Outcome:
    """Make the move in an answer, if there is one."""
    assert sent.status is not None
    try:
        chosen = answering.move_in(sent.status, sent.body)
        if chosen is not None:
            answering.play(games, game, letter.webhook.player, chosen, letter.message)
    except (answering.BadAnswer, Problem, EngineError) as error:
        problem = answering.refused(error)
        if problem["code"] == "busy":
            raise
        after = _after(letter.delivery, {**tried, "move": "refused", "problem": problem}, DELIVERED)
        follows = None if problem["code"] in NOT_OPEN else rejection(letter.delivery, problem, games.now())
        return Outcome(after, health="well", follows=follows)
    move = {} if chosen is None else {"move": "made"}
    return Outcome(_after(letter.delivery, {**tried, **move}, DELIVERED), health="well")


def _again(
    delivery: Mapping[str, Any], tried: Mapping[str, Any], retry_after: float | None, chance: Callable[[], float]
) -> Outcome:
    again = next_try(len(delivery["tries"]) + 1, retry_after, chance)
    after = _after(delivery, tried, delivery["status"] if again is not None else FAILED)
    return Outcome(after, again, health="ill")


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
