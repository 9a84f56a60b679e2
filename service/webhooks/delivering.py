"""Delivering: tries the first delivery of a lane once, from preparing the message to recording the outcome."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

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
from .retry_schedule import DISABLE_AFTER, next_try
from .sending import PostResult

GONE = 410
TRIES_SHOWN = 20
"""How many tries of a delivery are stored. A delivery has more tries only if its owner repeats it many times."""
SLACK = 1_000
"""Milliseconds by which the clocks of two processes may differ when a try is compared with its due time."""
TURN_OVER = ("stale-version", "game-over", "seat-with-bot", "not-seated")
"""The codes of problems with a move whose turn is over. For these problems, `turn.rejected` is not sent."""

Json = dict[str, Any]

_logger = logging.getLogger(__name__)


class Message(NamedTuple):
    """A delivery that is ready to be sent: its webhook, its body, and the game that it shows (None for a ping)."""

    webhook: Webhook
    delivery: Mapping[str, Any]
    game: Game | None
    body: bytes

    @property
    def id(self) -> str:
        """The message's `webhook-id`."""
        return message_id(self.webhook.id, self.delivery)

    def headers(self, now: int) -> dict[str, str]:
        """Return the headers for sending the message at a given time (ms since the epoch)."""
        signed = signing.headers(self.id, now // 1000, self.body, self.webhook.valid_secrets(now))
        return {"content-type": "application/json", **signed}


def prepare(games: Games, replays: Replays, first: First) -> Message | Outcome:
    """Return the message of a lane's first delivery, or the delivery's outcome if there is nothing to send."""
    webhook, delivery, names_of = first.webhook, first.delivery, games.store.names.of
    if webhook is None or delivery is None:
        return Outcome({})
    if not webhook.active or (webhook.verified is None and delivery["type"] != PING):
        return Outcome(delivery, PARK)
    if delivery["game"] is None:
        return Message(webhook, delivery, None, payloads.payload(webhook, delivery, None, names_of))
    try:
        status = _final_status(games, webhook, delivery)
        if status is not None:
            return Outcome({**delivery, "status": status})
        game = replays.at(games, delivery["game"], delivery["version"])
    except (CorruptLog, Problem) as error:
        _logger.critical("cannot write a delivery to webhook %s: %s", webhook.id, error)
        return Outcome({**delivery, "status": FAILED})
    return Message(webhook, delivery, game, payloads.payload(webhook, delivery, game, names_of))


def conclude(games: Games, message: Message, result: PostResult, chance: Callable[[], float]) -> Outcome:
    """Return the outcome of sending a message, after making the move in the answer, if the answer holds a move.

    Raises: StoreError or Problem (busy), after which the message must be sent again.
    """
    try_record = {"at": games.now(), "status": result.status, "error": result.error, "latency": result.latency}
    url = message.webhook.url
    if result.status == GONE:
        return Outcome(_with_try(message.delivery, try_record, FAILED), health="gone", url=url)
    if result.status is None or not 200 <= result.status < 300:
        return _retry_message(message, try_record, result.retry_after, chance)
    if message.game is None:
        if not answering.has_challenge(message.delivery["challenge"], result.body):
            return _retry_message(message, {**try_record, "error": "wrong-challenge"}, None, chance)
        _verify(games, message)
    follow_up = None
    if message.delivery["type"] == TURN_STARTED:
        move_record, follow_up = _move(games, message, result)
        try_record |= move_record
    return Outcome(_with_try(message.delivery, try_record, DELIVERED), health="well", url=url, follow_up=follow_up)


def internal_failure(delivery: Mapping[str, Any], now: int, chance: Callable[[], float]) -> Outcome:
    """Return the outcome of a delivery that could not be tried because of an internal error."""
    try_record = {"at": now, "status": None, "error": "internal-error", "latency": 0}
    return _retry_delivery(delivery, try_record, None, chance)


def _verify(games: Games, message: Message) -> None:
    """Record that the endpoint is verified, then plan the deliveries that it has missed.

    In this order, no commit is missed. A commit that is appended in between is planned as usual, because the endpoint
    is already verified.
    """
    if games.store.webhooks.verify(message.webhook) and message.delivery["catch_up"]:
        catch_up(games, replace(message.webhook, verified=games.now()))
        games.store.deliveries.resume(message.webhook.id)


def _final_status(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> str | None:
    """Return the final status of a delivery whose turn is over, or None if the turn is still open or there is none."""
    if delivery["type"] not in OPEN_TURN or delivery.get("repeated"):
        return None
    if games.store.log.length(delivery["game"]) == delivery["version"]:
        return None
    game = load(games, delivery["game"])
    if not _is_over(game, delivery["version"]):
        return None
    answer = game.commit_of_request(webhook.player, message_id(webhook.id, delivery))
    return OVER if answer is None else DELIVERED


def _is_over(game: Game, version: int) -> bool:
    """Return whether the turn at a version is over, because a later commit holds a move or stops the turn's clock.

    The clock stops without a move if the seat is given to a bot or opened to other players.
    """
    later_commits = game.since(version)
    return any(
        commit.game_events or any(isinstance(event, ClockStopped) for event in commit.events)
        for commit in later_commits
    )


def _move(games: Games, message: Message, result: PostResult) -> tuple[Json, Json | None]:
    """Make the move in an answer, if any. Return members for the record of the try, and a follow-up delivery.

    The follow-up delivery says why the endpoint's move was refused. It is None if there is nothing to report.
    """
    assert result.status is not None
    assert message.game is not None
    if result.status == answering.ACCEPTED or not result.body.strip():
        return {}, None
    try:
        choice = answering.move_in(result.body)
        if choice is None:
            return {"move": "none"}, None
        if not _may_answer(games, message.webhook):
            return {"move": "ignored"}, None
        answering.play(games, message.game, message.webhook.player, choice, message.id)
    except (answering.BadAnswer, Problem, EngineError) as error:
        problem = answering.problem_of(error)
        if problem["code"] == "busy":
            raise
        if problem["code"] == "key-reused":  # The endpoint has answered this turn before, with another move.
            return {"move": "ignored"}, None
        report = TURN_REJECTED in message.webhook.events and problem["code"] not in TURN_OVER
        follow_up = rejection(message.delivery, problem, games.now()) if report else None
        return {"move": "refused", "problem": problem}, follow_up
    return {"move": "made"}, None


def _may_answer(games: Games, recipient: Webhook) -> bool:
    """Return whether a webhook may still answer with a move.

    `recipient` is the webhook as it was when the message was sent. While the endpoint was working on its answer, the
    player may have paused the webhook, changed its URL or replaced its secret.
    """
    webhook, now = games.store.webhooks.get(recipient.id), games.now()
    if webhook is None or not webhook.active or webhook.verified is None or webhook.url != recipient.url:
        return False
    return not set(webhook.valid_secrets(now)).isdisjoint(recipient.valid_secrets(now))


def _retry_message(
    message: Message, try_record: Json, retry_after: float | None, chance: Callable[[], float]
) -> Outcome:
    outcome = _retry_delivery(message.delivery, try_record, retry_after, chance)
    return outcome._replace(delay_requested=retry_after is not None, health="ill", url=message.webhook.url)


def _retry_delivery(
    delivery: Mapping[str, Any], try_record: Json, retry_after: float | None, chance: Callable[[], float]
) -> Outcome:
    """Return the outcome of a failed try: the delay before the next try, or the failure of the delivery.

    A try before the due time, which happens when the endpoint has accepted another delivery, does not count towards the
    maximum number of tries. No try is made later than `DISABLE_AFTER` ms after the first try.
    """
    at, first_try = try_record["at"], delivery.get("began") or try_record["at"]
    early = at < delivery.get("due", 0) - SLACK
    step = delivery.get("step", 0) + (not early)
    retry_in = next_try(step, retry_after, chance) if at - first_try < DISABLE_AFTER else None
    if retry_in is None:
        return Outcome(_with_try(delivery, try_record, FAILED))
    changes = {"step": step, "due": at + retry_in, "began": first_try, "repeated": False}
    return Outcome(_with_try({**delivery, **changes}, try_record, delivery["status"]), retry_in)


def _with_try(delivery: Mapping[str, Any], try_record: Mapping[str, Any], status: str) -> dict[str, Any]:
    return {**delivery, "status": status, "tries": [*delivery["tries"], try_record][-TRIES_SHOWN:]}
