"""Deliveries: the messages for each webhook, their order, and their outcomes.

The deliveries of one webhook about one game form a *lane*: they wait in a queue, and only the first delivery is tried.
A lane with a scheduled try is in its shard's `lanes`. While a process is trying a lane's first delivery, `taken`
contains the lane and the process. If the process that is trying a delivery ends, the lane becomes due again. While a
webhook is inactive, its lanes are neither in `lanes` nor in `taken`. Bodies are not stored: each try rebuilds the body
from the log.

Times come from the log server's own clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from . import keys
from .connection import Server
from .errors import DamagedData
from .keyring import Keyring
from .lua import script
from .rows import objects, parse_int
from .transport import Command
from .webhooks import FIELDS, Webhook, from_values

MAX_FINISHED = 1_000
"""The maximum number of finished deliveries that are stored for a webhook."""
WAKE_LIMIT = 100
"""The maximum number of lanes that one successful delivery makes due. Each later success makes more lanes due."""
FAILURE_WINDOW = 2 * 24 * 3_600_000
"""Milliseconds after which a failure no longer counts. The pause between two successive tries of a delivery is always
shorter than this.
"""
GRACE = 3_000
"""Milliseconds after which all processes know about a new process. This is longer than the time between two heartbeats.
"""
NO_GAME = "-"
"""The value that replaces a game's id in the lane of deliveries that do not belong to a game."""
DIGEST = "digest"
"""The value that replaces a game's id in the lane of digests."""
PARK = -1
"""The value of `retry_in` for a delivery that waits until its webhook is active and verified."""
_MEMBERS = ("number", "type", "game", "version", "sequence", "at", "status", "tries")
"""The members that every delivery has."""
WAITING, DELIVERED, FAILED, OVER = "waiting", "delivered", "failed", "over"
"""The statuses of a delivery. `over` means that the delivery lost its purpose before the endpoint accepted it: the turn
ended, the message was removed, or the message's author was blocked."""

PLAN = script("plan_deliveries")
SET_BACK = script("set_back_plan")
TAKE = script("take_lanes")
READ_FIRST = script("read_first_delivery", when_read_only=True)
SETTLE = script("settle_delivery")
REPEAT = script("repeat_deliveries")
RESUME = script("resume_lanes")
BEAT = script("record_deliverer", when_read_only=True)


class Lane(NamedTuple):
    """One webhook's deliveries about one game, in order. `game` can also be `NO_GAME` or `DIGEST`."""

    webhook: str
    game: str

    @property
    def name(self) -> str:
        """The lane's name in `lanes` and `taken`."""
        return f"{self.webhook} {self.game}"


class Plan(NamedTuple):
    """The deliveries to add at the end of a lane.

    `before` is the last commit of the lane's game for which deliveries were planned, or None if there is none. `upto`
    is the last commit that counts as planned once these deliveries are added. `upto` is None if these deliveries are
    not about a commit. If `talk` is true, `before` and `upto` are numbers of messages in the game instead of commits.
    """

    lane: Lane
    before: int | None
    upto: int | None
    deliveries: Sequence[Mapping[str, Any]]
    talk: bool = False


@dataclass(frozen=True)
class First:
    """The first delivery of a lane, and the lane's webhook. If the webhook or the delivery no longer exists, its value
    is None.
    """

    webhook: Webhook | None
    delivery: dict[str, Any] | None = field(repr=False)


class Outcome(NamedTuple):
    """The outcome of a try: the delivery as it must now be stored, and what to do next.

    `retry_in` is the delay before the next try (in ms), None if the delivery is finished, or `PARK` if the delivery
    waits for its webhook. `delay_requested` says whether the endpoint asked for this delay. `health` is the state of
    the endpoint at `url`: well, ill or gone, or "" if no request was sent. `follow_up` is another delivery to add at
    the end of the lane.
    """

    delivery: Mapping[str, Any]
    retry_in: int | None = None
    delay_requested: bool = False
    health: str = ""
    url: str = ""
    follow_up: Mapping[str, Any] | None = None


class Deliveries:
    """The deliveries of all webhooks. Each delivery is in the shard of its webhook."""

    def __init__(self, server: Server, keyring: Keyring) -> None:
        """Use this server for all reads and writes, and these keys to decrypt webhook secrets."""
        self._server = server
        self._keyring = keyring

    def planned_versions(self, webhooks: Sequence[str], game: str, *, talk: bool = False) -> list[int | None]:
        """For each webhook, return the number of a game's last commit for which deliveries were planned.

        If no deliveries about the game were planned for a webhook, its value is None. If `talk` is true, return numbers
        of messages instead of commits. Takes one round trip.
        """
        name = _plan_name(game, talk=talk)
        answers = self._server.ask_parts([("HGET", keys.of_webhook(webhook, "planned"), name) for webhook in webhooks])
        return [parse_int(seq) for seq in answers]

    def set_back(self, webhook: str, game: str, before: int, upto: int) -> bool:
        """Correct, from `before` to `upto`, the number of a game's last commit for which deliveries were planned.

        Return False if the stored number is no longer `before`. Takes one round trip.
        """
        return bool(self._server.run(SET_BACK, [keys.of_webhook(webhook, "planned")], [game, before, upto]))

    def plan(self, plans: Iterable[Plan], claim: str | None = None) -> list[int]:
        """Add deliveries to the ends of their lanes. Return, for each plan, the number of its last delivery.

        Takes one round trip. If another process has planned deliveries about a plan's game in the meantime, nothing is
        written for the plan, and the plan's number is 0. The number is -1 if the webhook was removed or is damaged, or
        if the plan has no deliveries and only records the last planned commit. If a request's `claim` is given, the
        plan is carried out only once, even if the request is repeated.
        """
        commands: list[Command] = []
        for lane, before, upto, deliveries, talk in plans:
            where = _keys(lane.webhook, "webhook", "planned", "sequences", "deliveries", "waiting", f"lane:{lane.game}")
            where += [*_shard_keys(lane.webhook, "lanes", "taken"), *([claim] if claim else [])]
            rows = [orjson.dumps(delivery) for delivery in deliveries]
            args = [lane.game, _plan_name(lane.game, talk=talk), lane.name, *_or_empty(before, upto), *rows]
            commands.append(self._server.command(PLAN, where, args))
        return [-1 if number is None else number for number in self._server.ask_parts(commands)] if commands else []

    def take(
        self,
        process: str,
        working: Sequence[str],
        shards: Mapping[int, int],
        *,
        thoroughly: bool = True,
        grace: int = GRACE,
    ) -> list[Lane]:
        """Take the lanes that are due now, and return them. Takes one round trip.

        `shards` maps each shard to the maximum number of lanes to take. `working` lists the processes that are known to
        be running. If `thoroughly` is true, the result also includes the lanes that this process already has, and lanes
        that other processes took at least `grace` ms ago become due again, unless those processes are still running.
        """
        commands: list[Command] = []
        for shard, limit in shards.items():
            where = [keys.of_shard(shard, "lanes"), keys.of_shard(shard, "taken")]
            args = [process, limit, "1" if thoroughly else "", grace, *working]
            commands.append(self._server.command(TAKE, where, args))
        answers = self._server.ask_parts(commands) if commands else []
        return [lane for names in answers for name in names or () if (lane := _lane(name)) is not None]

    def first(self, lane: Lane) -> First:
        """Return the first delivery of a lane. Takes one round trip."""
        where = _keys(lane.webhook, "webhook", f"lane:{lane.game}", "deliveries")
        values, row = self._server.run(READ_FIRST, where, FIELDS)
        webhook = from_values(self._keyring, lane.webhook, values)
        if webhook is not None and not webhook.secrets:
            raise DamagedData(f"{where[0]} contains only secrets that cannot be read")
        return First(webhook, orjson.loads(row) if row else None)

    def settle(self, lane: Lane, process: str, outcome: Outcome, disable_after: int) -> bool:
        """Record the outcome of a try.

        Return True if the lane is still assigned to this process and contains more deliveries. A webhook whose endpoint
        has accepted nothing for `disable_after` ms is disabled. Takes one round trip.
        """
        where = _keys(lane.webhook, "webhook", "deliveries", "sequences", "told", "waiting", "waking")
        where += [*_keys(lane.webhook, f"lane:{lane.game}"), *_shard_keys(lane.webhook, "lanes", "taken", "held")]
        number = outcome.delivery.get("number", "")
        then_what, delay = {None: ("", 0), PARK: ("park", 0)}.get(outcome.retry_in, ("again", outcome.retry_in))
        endpoint_asked = int(outcome.delay_requested)
        follow_up = b"" if outcome.follow_up is None else orjson.dumps(outcome.follow_up)
        args: list[Any] = [lane.game, lane.name, process, number, orjson.dumps(outcome.delivery)]
        args += [then_what, delay, endpoint_asked]
        args += [outcome.health, outcome.url, disable_after, FAILURE_WINDOW]
        args += [MAX_FINISHED, WAKE_LIMIT, follow_up]
        return bool(self._server.run(SETTLE, where, args))

    def page(self, webhook: str, before: int | None, limit: int) -> tuple[list[dict[str, Any]], int | None]:
        """Return at most `limit` deliveries, newest first, and the value of `before` for the next page.

        The value of `before` is None after the last page. Takes two round trips.
        """
        key = keys.of_webhook(webhook, "deliveries")
        found_numbers = map(parse_int, self._server.ask("HKEYS", key))
        numbers = sorted((number for number in found_numbers if number is not None), reverse=True)
        older = [number for number in numbers if before is None or number < before]
        page = older[:limit]
        rows = self._server.ask("HMGET", key, *page) if page else []
        return objects(rows, *_MEMBERS), page[-1] if len(older) > limit else None

    def numbered(self, webhook: str, first: int, last: int) -> list[dict[str, Any]]:
        """Return the stored deliveries with the numbers from `first` to `last`. Takes one round trip."""
        numbers = range(first, last + 1)
        rows = self._server.ask("HMGET", keys.of_webhook(webhook, "deliveries"), *numbers) if numbers else []
        return objects(rows, *_MEMBERS)

    def repeat(self, webhook: str, deliveries: Iterable[Mapping[str, Any]], claim: str | None = None) -> int:
        """Add deliveries back to the ends of their lanes, and return how many of them are now waiting.

        Takes one round trip. If a request's `claim` is given, the deliveries are added only once, even if the request
        is repeated.
        """
        where = [*_keys(webhook, "deliveries", "told", "waiting"), *_shard_keys(webhook, "lanes", "taken")]
        args: list[Any] = ["1" if claim else ""]
        for delivery in deliveries:
            lane = Lane(webhook, delivery["game"] or NO_GAME)
            where += _keys(webhook, f"lane:{lane.game}")
            args += [delivery["number"], orjson.dumps(delivery), lane.game, lane.name]
        if len(args) == 1 and not claim:
            return 0
        return int(self._server.run(REPEAT, [*where, *([claim] if claim else [])], args))

    def resume(self, webhook: str) -> None:
        """Make all lanes of a webhook due now. Takes two round trips."""
        games = self._server.ask("SMEMBERS", keys.of_webhook(webhook, "waiting"))
        lane_names = [Lane(webhook, game.decode()).name for game in games]
        self._server.run(RESUME, _shard_keys(webhook, "lanes", "taken"), lane_names)

    def beat(self, process: str, lifetime: int) -> list[str]:
        """Record that a process is running, and return all running processes. The record expires after `lifetime` ms.

        Takes one round trip.
        """
        return [name.decode() for name in self._server.run(BEAT, [keys.of_shard(0, "deliverers")], [process, lifetime])]


def _plan_name(game: str, *, talk: bool) -> str:
    """Return the field of `planned` for a game's commits or for its messages."""
    return f"{keys.TALK}{game}" if talk else game


def _or_empty(*numbers: int | None) -> list[int | str]:
    """Return numbers in the form that a script expects, with "" for None."""
    return ["" if number is None else number for number in numbers]


def _lane(name: bytes) -> Lane | None:
    """Return the lane with this name, or None if the name is malformed."""
    webhook, _, game = name.decode(errors="replace").partition(" ")
    if not keys.is_webhook_id(webhook) or not (game in (NO_GAME, DIGEST) or keys.is_game_id(game)):
        return None
    return Lane(webhook, game)


def _keys(webhook: str, *kinds: str) -> list[str]:
    return [keys.of_webhook(webhook, kind) for kind in kinds]


def _shard_keys(webhook: str, *kinds: str) -> list[str]:
    shard = keys.shard_of_webhook(webhook)
    return [keys.of_shard(shard, kind) for kind in kinds]
