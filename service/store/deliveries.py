"""Deliveries: what a webhook is to be told, in which order, and what came of it.

The deliveries of one webhook about one game are a *lane*: they wait in a list, and only the first is tried. A lane that
is to be tried at some time stands in its shard's `lanes`, one that is being tried in `taken`, beside the process that
tries it; where that process is no longer at work, the lane is given back. A lane of a webhook that is not active stands
in neither, until the webhook is. Bodies are not kept: they are made anew from the log for every try.

Times are those of the server's own clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from . import keys
from .connection import Server
from .lua import script
from .rows import objects, whole
from .transport import Command
from .webhooks import FIELDS, Webhook, from_values

KEPT = 1_000
"""How many deliveries that are over a webhook remembers."""
WOKEN = 100
"""How many lanes a success wakes at once; the next success wakes as many."""
FORGOTTEN = 2 * 24 * 3_600_000
"""Milliseconds after which a failure does not count any more: no two tries of one delivery are further apart."""
GRACE = 3_000
"""Milliseconds in which every process has learnt of one that has come: more than passes between two beats."""
NO_GAME = "-"
"""Stands in the place of a game's id, for what concerns none."""
PARK = -1
"""In how many ms a delivery is tried that waits until its webhook is active and verified."""
_SHOWN = ("number", "type", "game", "version", "sequence", "at", "status", "tries")
"""Members of every delivery."""
WAITING, DELIVERED, FAILED, OVER = "waiting", "delivered", "failed", "over"
"""What has become of a delivery; `over` is that of a turn that was over before anybody took it."""

PLAN = script("plan_deliveries")
SET_BACK = script("set_back_plan")
TAKE = script("take_lanes")
LOOK = script("read_first_delivery")
SETTLE = script("settle_delivery")
REPEAT = script("repeat_deliveries")
RESUME = script("resume_lanes")
BEAT = script("record_deliverer")


class Lane(NamedTuple):
    """The deliveries of one webhook about one game (or `NO_GAME`), in order."""

    webhook: str
    game: str

    @property
    def name(self) -> str:
        """How `lanes` and `taken` call it."""
        return f"{self.webhook} {self.game}"


class Plan(NamedTuple):
    """Deliveries for the end of a lane.

    `before` is up to which commit the lane's game was planned so far, `upto` is up to which it is with these, None
    where no commit tells of them.
    """

    lane: Lane
    before: int | None
    upto: int | None
    deliveries: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class First:
    """The first delivery of a lane, and the webhook that it is for; either may be gone."""

    webhook: Webhook | None
    delivery: dict[str, Any] | None = field(repr=False)


class Outcome(NamedTuple):
    """What came of a try: the delivery as it is kept from now on, and what follows from it.

    `again` is in how many ms it is tried once more, None where it is over, `PARK` where it waits for its webhook;
    `held` says that its endpoint has asked for this time. `health` is how the endpoint at `url` did: well, ill, gone,
    or "" where it was not asked. `follows` is a delivery that goes to the end of the lane.
    """

    delivery: Mapping[str, Any]
    again: int | None = None
    held: bool = False
    health: str = ""
    url: str = ""
    follows: Mapping[str, Any] | None = None


class Deliveries:
    """The deliveries of all webhooks, each in the shard of its webhook."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they are kept."""
        self._server = server

    def planned(self, webhooks: Sequence[str], game: str) -> list[int | None]:
        """Return for each webhook up to which commit a game was planned, None where it never was; one round trip."""
        found = self._server.ask_parts([("HGET", keys.of_webhook(webhook, "planned"), game) for webhook in webhooks])
        return [whole(seq) for seq in found]

    def set_back(self, webhook: str, game: str, before: int, upto: int) -> bool:
        """Say that a game was planned only up to a commit; False where it is otherwise by now. One round trip."""
        return bool(self._server.run(SET_BACK, [keys.of_webhook(webhook, "planned")], [game, before, upto]))

    def plan(self, plans: Iterable[Plan], claim: str | None = None) -> list[int]:
        """Put deliveries at the ends of their lanes, and return for each lane the number of the last; one round trip.

        0, and nothing done, where somebody else has planned meanwhile; -1 where the webhook is gone or damaged, or the
        plan has no deliveries: then it only says up to which commit the game is planned. With the `claim` of a request
        that may be repeated, the one plan that it asks for is made once.
        """
        commands: list[Command] = []
        for lane, before, upto, deliveries in plans:
            where = _keys(lane.webhook, "webhook", "planned", "sequences", "deliveries", "waiting", f"lane:{lane.game}")
            where += [*_shard_keys(lane.webhook, "lanes", "taken"), *([claim] if claim else [])]
            rows = [orjson.dumps(delivery) for delivery in deliveries]
            args = [lane.game, lane.name, *_or_nothing(before, upto), *rows]
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
        """Take the lanes that are to be tried now, and return them; one round trip.

        `shards` says how many at most in each shard, `working` which processes are known to be at work. Where it is
        done `thoroughly`, what others took `grace` ms ago is given back, and all that the process has is returned.
        """
        commands: list[Command] = []
        for shard, most in shards.items():
            where = [keys.of_shard(shard, "lanes"), keys.of_shard(shard, "taken")]
            args = [process, most, "1" if thoroughly else "", grace, *working]
            commands.append(self._server.command(TAKE, where, args))
        found = self._server.ask_parts(commands) if commands else []
        return [lane for names in found for name in names or () if (lane := _lane(name)) is not None]

    def first(self, lane: Lane) -> First:
        """Return what is to be tried in a lane; one round trip."""
        where = _keys(lane.webhook, "webhook", f"lane:{lane.game}", "deliveries")
        values, row = self._server.run(LOOK, where, FIELDS)
        return First(from_values(lane.webhook, values), orjson.loads(row) if row else None)

    def settle(self, lane: Lane, process: str, outcome: Outcome, patience: int) -> bool:
        """Write what came of a try; False when the process has the lane no longer. One round trip.

        `patience` is after how many ms in which nothing was taken a webhook is disabled.
        """
        where = _keys(lane.webhook, "webhook", "deliveries", "sequences", "told", "waiting", "waking")
        where += [*_keys(lane.webhook, f"lane:{lane.game}"), *_shard_keys(lane.webhook, "lanes", "taken", "held")]
        number = outcome.delivery.get("number", "")
        then_what, delay = {None: ("", 0), PARK: ("park", 0)}.get(outcome.again, ("again", outcome.again))
        endpoint_asked = int(outcome.held)
        follow_up = b"" if outcome.follows is None else orjson.dumps(outcome.follows)
        args: list[Any] = [lane.game, lane.name, process, number, orjson.dumps(outcome.delivery)]
        args += [then_what, delay, endpoint_asked]
        args += [outcome.health, outcome.url, patience, FORGOTTEN]
        args += [KEPT, WOKEN, follow_up]
        return bool(self._server.run(SETTLE, where, args))

    def page(self, webhook: str, before: int | None, limit: int) -> tuple[list[dict[str, Any]], int | None]:
        """Return at most `limit` deliveries, newest first, and the number before which the next page begins.

        Two round trips.
        """
        kept = keys.of_webhook(webhook, "deliveries")
        found = map(whole, self._server.ask("HKEYS", kept))
        numbers = sorted((number for number in found if number is not None), reverse=True)
        older = [number for number in numbers if before is None or number < before]
        shown = older[:limit]
        rows = self._server.ask("HMGET", kept, *shown) if shown else []
        return objects(rows, *_SHOWN), shown[-1] if len(older) > limit else None

    def some(self, webhook: str, first: int, last: int) -> list[dict[str, Any]]:
        """Return the deliveries that are remembered, from one number to another; one round trip."""
        wanted = range(first, last + 1)
        rows = self._server.ask("HMGET", keys.of_webhook(webhook, "deliveries"), *wanted) if wanted else []
        return objects(rows, *_SHOWN)

    def repeat(self, webhook: str, deliveries: Iterable[Mapping[str, Any]], claim: str | None = None) -> int:
        """Let deliveries wait once more, and return how many do; one round trip.

        With the `claim` of a request that may be repeated, they do so once for it.
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
        """Let everything that waits for a webhook be tried at once; two round trips."""
        games = self._server.ask("SMEMBERS", keys.of_webhook(webhook, "waiting"))
        lane_names = [Lane(webhook, game.decode()).name for game in games]
        self._server.run(RESUME, _shard_keys(webhook, "lanes", "taken"), lane_names)

    def beat(self, process: str, patience: int) -> list[str]:
        """Say that a process is at work for so many ms, and return all that are; one round trip."""
        return [name.decode() for name in self._server.run(BEAT, [keys.of_shard(0, "deliverers")], [process, patience])]


def _or_nothing(*numbers: int | None) -> list[int | str]:
    """Return numbers as a script takes them, "" for None."""
    return ["" if number is None else number for number in numbers]


def _lane(name: bytes) -> Lane | None:
    """Return the lane that has a name, None where no lane can have it."""
    webhook, _, game = name.decode(errors="replace").partition(" ")
    if not keys.is_webhook_id(webhook) or not (game == NO_GAME or keys.is_game_id(game)):
        return None
    return Lane(webhook, game)


def _keys(webhook: str, *kinds: str) -> list[str]:
    return [keys.of_webhook(webhook, kind) for kind in kinds]


def _shard_keys(webhook: str, *kinds: str) -> list[str]:
    shard = keys.shard_of_webhook(webhook)
    return [keys.of_shard(shard, kind) for kind in kinds]
