"""Reports: the host can read reported messages and settle the reports.

The host can read a message only after one of its readers has reported it.
"""

from __future__ import annotations

from typing import Any

from ..games.repository import Games
from ..problems import Problem, shown
from ..store.reports import settle as settling
from ..talk.showing import show_to_host
from .acts import Actor, act, record, recorded

Json = dict[str, Any]


def find(games: Games) -> list[Json]:
    """Return all unsettled reports, oldest first, with the reported messages. Takes three round trips.

    Raises: StoreError.
    """
    return _show(games, games.store.reports.all())


def settle(games: Games, actor: Actor, report_id: str, reason: str | None, *, remove: bool) -> None:
    """Settle a report. If `remove` is true, also remove the message's text, so that nobody can read it any more.

    Raises: Problem (unknown-report), StoreError.
    """
    report = next((one for one in games.store.reports.all() if one["id"] == report_id), None)
    if report is None:
        # An identical request with the same key may have settled the report, perhaps a moment ago.
        if actor.attempt is not None and _was_settled(games, report_id):
            return
        raise Problem("unknown-report", f"there is no report {shown(report_id)}: see the list of reports")
    game, message_id = report["game"], report["message"]
    if remove:
        # The removal has its own line in the audit log. That line is written before the message is removed, and not in
        # the same step, because the message is in another shard.
        with recorded(games, actor._replace(attempt=None), act("remove-message", game, reason, message=message_id)):
            message = games.store.talk.message(game, message_id)
            games.store.talk.remove(game, [message] if message is not None and message["text"] is not None else [])
    members = {"report": report_id, "message": message_id, "removed": remove}
    record(games, actor, act("settle-report", game, reason, **members), [settling(report_id)])


def _was_settled(games: Games, report_id: str) -> bool:
    """Return whether one of the most recent actions settled this report."""
    lines, _ = games.store.audit.page(None, 100)
    details = [line.members.get("details") for line in lines if line.members.get("act") == "settle-report"]
    return any(isinstance(one, dict) and one.get("report") == report_id for one in details)


def _show(games: Games, reports: list[Json]) -> list[Json]:
    ids: dict[str, list[str]] = {}
    for report in reports:
        ids.setdefault(report["game"], []).append(report["message"])
    messages = games.store.talk.messages(ids)
    players = {report["by"] for report in reports} | {message["by"] for message in messages.values()}
    names = games.store.names.of(players)
    return [
        {
            "id": report["id"],
            "at": report["at"],
            "by": report["by"],
            "by_name": names[report["by"]],
            "reason": report["reason"],
            "game": report["game"],
            "message": None
            if (message := messages.get(report["message"])) is None
            else show_to_host(message, names[message["by"]]),
        }
        for report in reports
    ]
