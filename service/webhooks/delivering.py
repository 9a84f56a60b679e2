"""Delivering: a single try of a lane's first delivery, from preparing the message to determining the outcome."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from engine import EngineError

from ..clocks.events import ClockStopped
from ..games.game import Game
from ..games.repository import Games, load
from ..notices import chats, letters, web_push, words
from ..problems import Problem
from ..store.deliveries import DELIVERED, FAILED, OVER, PARK, First, Outcome
from ..store.errors import CorruptLog
from ..store.webhooks import Webhook
from ..timekeeping.availability import hours_of
from ..views.game import show_game
from ..views.names import add_to_game
from . import answering, confirming, digests, payloads, signing, talk, ways
from .formats import EMAIL, ENDED_BY_404, PUSH, is_for_people
from .kinds import MESSAGE_RECEIVED, OPEN_TURN, PING, TURN_REJECTED, TURN_REMINDER, TURN_STARTED
from .planning import catch_up, rejection
from .presentation import message_id
from .replays import Replays
from .retry_schedule import DISABLE_AFTER, next_try
from .sending import PostResult

NOT_FOUND, GONE = 404, 410
MAIL_REFUSED = 500
"""The lowest reply code with which a mail server permanently refuses a letter (RFC 5321, 4.2.1)."""
WITHOUT_MAIL = 3_600_000
"""Milliseconds for which letters wait if the service no longer has a mail server."""
PUSH_SECONDS = 24 * 3600
"""The maximum number of seconds for which a push service keeps a notification for a browser that is not running."""
TRIES_SHOWN = 20
"""The maximum number of tries of a delivery that are stored. A delivery has more tries only if its owner repeats it
many times."""
SLACK = 1_000
"""A try counts as early only if it was more than this number of ms early, because the clocks of two processes may
differ."""
TURN_OVER = ("stale-version", "game-over", "seat-with-bot", "not-seated")
"""The codes of the problems that occur if a move arrives after its turn is over. For these problems, no `turn.rejected`
is sent.
"""

Json = dict[str, Any]

_logger = logging.getLogger(__name__)


class Message(NamedTuple):
    """A delivery that is ready to be sent: its webhook, its body, and the game that it shows.

    Pings and deliveries about talk show no game. `form` holds the headers that describe the body.
    """

    webhook: Webhook
    delivery: Mapping[str, Any]
    game: Game | None
    body: bytes
    form: Mapping[str, str]

    @property
    def id(self) -> str:
        """The message's `webhook-id`."""
        return message_id(self.webhook.id, self.delivery)

    def headers(self, now: int) -> dict[str, str]:
        """Return the headers for sending the message at a given time (ms since the epoch)."""
        if self.webhook.format in (EMAIL, PUSH):
            return dict(self.form)
        signed = signing.headers(self.id, now // 1000, self.body, self.webhook.valid_secrets(now))
        return {**self.form, **signed}


def prepare(games: Games, replays: Replays, first: First) -> Message | Outcome:
    """Return the message of a lane's first delivery, or the delivery's outcome if there is nothing to send."""
    webhook, delivery = first.webhook, first.delivery
    if webhook is None or delivery is None:
        return Outcome({})
    if not webhook.active or (webhook.verified is None and delivery["type"] != PING):
        return Outcome(delivery, PARK)
    if delivery.get("schedule") != webhook.digest and delivery["type"] == digests.DIGEST:
        return Outcome({**delivery, "status": OVER})  # The player has changed the digest's time or stopped the digests.
    wait = _wait(games, webhook, delivery)
    if wait > 0:
        return Outcome(delivery, wait)
    if delivery["type"] == digests.DIGEST:
        return _digest(games, webhook, delivery)
    if delivery["game"] is None:
        return _message(games, webhook, delivery, None)
    if delivery["type"] == MESSAGE_RECEIVED:
        return _talk(games, webhook, delivery)
    try:
        status = _final_status(games, webhook, delivery)
        if status is not None:
            return Outcome({**delivery, "status": status})
        game = replays.at(games, delivery["game"], delivery["version"])
    except (CorruptLog, Problem) as error:
        _logger.critical("cannot write a delivery to webhook %s: %s", webhook.id, error)
        return Outcome({**delivery, "status": FAILED})
    return _message(games, webhook, delivery, game)


def _wait(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> int:
    """Return how many more ms an e-mail must wait before the service sends it.

    A digest waits until it is due. An e-mail about a new turn waits for a while, because the player may be about to
    move.
    """
    if webhook.format != EMAIL:
        return 0
    if games.mail is None:
        return WITHOUT_MAIL
    delay = 1000 * games.mail.delay if delivery["type"] == TURN_STARTED else 0
    return int(delivery["at"]) + delay - games.now() if delay or delivery["type"] == digests.DIGEST else 0


def _digest(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> Message | Outcome:
    """Return a digest that is due, or the outcome if no game is waiting."""
    paragraphs = digests.paragraphs_of(games, webhook)
    if not paragraphs:
        return Outcome({**delivery, "status": OVER}, follow_up=digests.next_digest(webhook, games.now()))
    return Message(webhook, delivery, None, _letter(games, webhook, delivery, "Games waiting for you", paragraphs), {})


def _message(games: Games, webhook: Webhook, delivery: Mapping[str, Any], game: Game | None) -> Message:
    """Return a delivery in the webhook's format. `game` is the game that the delivery is about, or None for a ping."""
    if webhook.format == EMAIL:
        notice = _words(games, webhook, delivery, game)
        paragraphs = words.paragraphs(notice, hours_of(games, webhook.player).habits.zone)
        return Message(webhook, delivery, game, _letter(games, webhook, delivery, notice.title, paragraphs), {})
    if webhook.format == PUSH:
        return _push(games, webhook, delivery, game)
    if is_for_people(webhook.format):
        body = chats.body_of(webhook.format, _words(games, webhook, delivery, game))
        return Message(webhook, delivery, game, body.content, {"content-type": body.media_type, **body.headers})
    content = payloads.payload(webhook, delivery, game, games.store.names.of)
    return Message(webhook, delivery, game, content, {"content-type": "application/json"})


def _talk(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> Message | Outcome:
    """Return a delivery about a talk message in the webhook's format.

    If the reader may no longer see the message, return the delivery's outcome. A delivery to a person announces the
    message without its text.
    """
    message = talk.message_of(games, webhook, delivery)
    if message is None:
        return Outcome({**delivery, "status": OVER})
    if is_for_people(webhook.format):
        try:
            return _message(games, webhook, delivery, load(games, delivery["game"]))._replace(game=None)
        except (CorruptLog, Problem) as error:
            _logger.critical("cannot write a delivery to webhook %s: %s", webhook.id, error)
            return Outcome({**delivery, "status": FAILED})
    content = payloads.payload(webhook, delivery, None, games.store.names.of, message)
    return Message(webhook, delivery, None, content, {"content-type": "application/json"})


def _letter(
    games: Games, webhook: Webhook, delivery: Mapping[str, Any], title: str, paragraphs: Sequence[str]
) -> bytes:
    assert games.mail is not None
    token = None if delivery["type"] == PING else ways.unsubscribe_token(games, webhook.id)
    envelope = letters.Envelope(
        recipient=webhook.secrets[0][0],
        sender=games.mail.sender,
        id=message_id(webhook.id, delivery),
        at=delivery["at"],
        public_url=games.public_url,
        unsubscribe=token and f"{games.public_url}/unsubscribe/{token}",
    )
    return letters.letter(title, paragraphs, envelope)


def _push(games: Games, webhook: Webhook, delivery: Mapping[str, Any], game: Game | None) -> Message:
    """Return a notification, encrypted for its browser.

    A notification reveals no more than a message to a chat does.
    """
    notice = _words(games, webhook, delivery, game)
    if game is None:
        notice = words.welcome()
    topic = game.id if game else webhook.id
    notification = {"title": notice.title, "body": notice.text, "game": game and game.id, "tag": topic}
    now = games.now()
    seconds = PUSH_SECONDS if notice.deadline is None else max((notice.deadline - now) // 1000, 0)
    keys = web_push.BrowserKeys(*webhook.secrets[0][0].split(" "))
    body = web_push.encrypt(orjson.dumps(notification), keys)
    contact = games.public_url if games.public_url.startswith("https:") else ""
    private_key = games.store.vapid.private_key()
    form = web_push.headers(webhook.url, private_key, contact, topic, min(seconds, PUSH_SECONDS), now // 1000)
    return Message(webhook, delivery, game, body, form)


def _words(games: Games, webhook: Webhook, delivery: Mapping[str, Any], game: Game | None) -> words.Words:
    if game is None:
        code = None if webhook.verified is not None else confirming.code_of(games, webhook)
        return words.confirmation(code, games.public_url)
    view = add_to_game(show_game(game, webhook.player), games.store.names.of)
    left = payloads.time_left(game) if delivery["type"] == TURN_REMINDER else None
    return words.words_of(delivery["type"], view, games.public_url, left)


def conclude(games: Games, message: Message, result: PostResult, chance: Callable[[], float]) -> Outcome:
    """Return the outcome of sending a message. If the answer contains a move, make the move first.

    Raises: StoreError or Problem (busy), after which the message must be sent again.
    """
    try_record = {"at": games.now(), "status": result.status, "error": result.error, "latency": result.latency}
    url = message.webhook.url
    if _is_gone(message.webhook.format, result.status):
        if message.webhook.format == PUSH:
            games.store.webhooks.remove(message.webhook)
        return Outcome(_with_try(message.delivery, try_record, FAILED), health="gone", url=url)
    if result.status is None or not 200 <= result.status < 300:
        outcome = _retry_message(message, try_record, result.retry_after, chance)
        return outcome if outcome.retry_in is not None else outcome._replace(follow_up=_next_digest(games, message))
    if is_for_people(message.webhook.format):
        if message.webhook.format == PUSH and message.webhook.verified is None:
            games.store.webhooks.verify(message.webhook)
        follow_up = _next_digest(games, message)
        return Outcome(_with_try(message.delivery, try_record, DELIVERED), health="well", url=url, follow_up=follow_up)
    if message.delivery["type"] == PING:
        if not answering.has_challenge(message.delivery["challenge"], result.body):
            return _retry_message(message, {**try_record, "error": "wrong-challenge"}, None, chance)
        _verify(games, message)
    follow_up = None
    if message.delivery["type"] == TURN_STARTED:
        move_record, follow_up = _move(games, message, result)
        try_record |= move_record
    return Outcome(_with_try(message.delivery, try_record, DELIVERED), health="well", url=url, follow_up=follow_up)


def _is_gone(form: str, status: int | None) -> bool:
    """Return whether a status means that a receiver no longer exists, or that a mail server refuses the recipient."""
    if form == EMAIL:
        return status is not None and status >= MAIL_REFUSED
    return status == GONE or (status == NOT_FOUND and form in ENDED_BY_404)


def _next_digest(games: Games, message: Message) -> Json | None:
    """Return the delivery of the next digest if this message is a digest, and otherwise None."""
    is_digest = message.delivery["type"] == digests.DIGEST and message.webhook.digest is not None
    return digests.next_digest(message.webhook, games.now()) if is_digest else None


def internal_failure(delivery: Mapping[str, Any], now: int, chance: Callable[[], float]) -> Outcome:
    """Return the outcome of a delivery that could not be tried because of an internal error."""
    try_record = {"at": now, "status": None, "error": "internal-error", "latency": 0}
    return _retry_delivery(delivery, try_record, None, chance)


def _verify(games: Games, message: Message) -> None:
    """Record that the endpoint is verified, then plan the deliveries that the endpoint has missed.

    This order ensures that no commit is missed. A commit that is appended between the two steps is planned as usual,
    because the endpoint is already verified.
    """
    if games.store.webhooks.verify(message.webhook) and message.delivery["catch_up"]:
        catch_up(games, replace(message.webhook, verified=games.now()))
        games.store.deliveries.resume(message.webhook.id)


def _final_status(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> str | None:
    """Return the final status of a delivery whose turn has ended, or None if the delivery must still be sent."""
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
    """Return whether the turn at a version has ended.

    A turn has ended if a later commit contains a move or stops the turn's clock. The clock stops without a move if the
    seat is given to a bot or opened to other players.
    """
    later_commits = game.since(version)
    return any(
        commit.game_events or any(isinstance(event, ClockStopped) for event in commit.events)
        for commit in later_commits
    )


def _move(games: Games, message: Message, result: PostResult) -> tuple[Json, Json | None]:
    """If an answer contains a move, make the move.

    Return two values. The first value contains additional members for the record of this try. The second value is a
    delivery that reports why the endpoint's move was refused, or None if there is nothing to report.
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
        if problem["code"] == "key-reused":  # The endpoint has already answered this turn with another move.
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
    """Return the outcome of a failed try: either a delay before the next try, or the failure of the delivery.

    Once the endpoint has accepted a delivery, other deliveries may be tried before they are due. A try before the
    delivery is due does not count towards the maximum number of tries. No more tries are planned once `DISABLE_AFTER`
    ms have passed since the first try.
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
