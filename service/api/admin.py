"""The host's operations: players, games, settings that change at run time, announcements, reports and the audit log."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import ADMIN
from ..admin import auditing, players, reports, switching
from ..admin import games as hosts_games
from ..admin.acts import HTTP, Actor
from ..schemas.admin import (
    AnnouncementListSchema,
    AnnouncementSchema,
    AnnouncingSchema,
    AuditPageSchema,
    AuditQuerySchema,
    CancellingSchema,
    FoundGamesSchema,
    FoundPlayersSchema,
    GivingSchema,
    HostsGameSchema,
    HostsGamesQuerySchema,
    HostsPlayerSchema,
    HostsReasonSchema,
    HostsTitleSchema,
    PlayersQuerySchema,
    ReadOnlySwitchSchema,
    RegistrationModeSchema,
    RenamingSchema,
    ReportListSchema,
    SettlingSchema,
    SuspensionSchema,
    SwitchesSchema,
)
from .answers import answer
from .callers import caller
from .codes import NOT_RUNNING
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Host",
    __name__,
    url_prefix="/v1/admin",
    description="Operations for the host of the service. They need a token with the scope `admin`, which the "
    "host creates with `condottiere admin token create`. No operation shows a hand or a seed.",
)


def _actor() -> Actor:
    """Return the actor for the audit log: the player who sent the request, and the name of the token."""
    player = caller()
    return Actor(HTTP, player.id, None if player.token is None else player.token.name, attempt())


@blueprint.get("/players", scope=ADMIN)
@blueprint.doc(operationId="findPlayers")
@blueprint.arguments(PlayersQuerySchema, location="query")
@blueprint.response(200, FoundPlayersSchema, example=ANSWERS["findPlayers"])
def find_players(query: dict[str, Any]) -> Response:
    """Find players by the beginning of their name.

    A page can be empty even if `next` is not null, because the server examines a limited number of names for each page.
    A renamed player can appear on more than one page.
    """
    caller()
    found, following = players.find(games(), query["name"], query.get("cursor"), query["limit"])
    return answer({"players": found, "next": following})


@blueprint.get("/players/<player_id>", scope=ADMIN)
@blueprint.doc(operationId="showPlayer")
@blueprint.response(200, HostsPlayerSchema, example=ANSWERS["showPlayer"])
def show_player(player_id: str) -> Response:
    """Get a player.

    `player_id` can also be the player's name. The response includes the player's latest games, and how many webhooks
    the player has.
    """
    caller()
    return answer(players.show(games(), player_id))


@blueprint.post("/players/<player_id>/suspend", scope=ADMIN)
@blueprint.doc(operationId="suspendPlayer")
@blueprint.arguments(SuspensionSchema, example=REQUESTS["suspendPlayer"])
@blueprint.response(200, HostsPlayerSchema, example=ANSWERS["suspendPlayer"])
def suspend_player(body: dict[str, Any], player_id: str) -> Response:
    """Suspend a player.

    The player's requests get 403 `suspended` with the reason, and the server disables the player's webhooks. The
    player's games continue. When the player's time runs out, `clock.at_timeout` decides what happens to the seat.
    """
    return answer(players.suspend(games(), _actor(), player_id, body["reason"]))


@blueprint.post("/players/<player_id>/reinstate", scope=ADMIN)
@blueprint.doc(operationId="reinstatePlayer")
@blueprint.arguments(HostsReasonSchema, example=REQUESTS["reinstatePlayer"])
@blueprint.response(200, HostsPlayerSchema, example=ANSWERS["reinstatePlayer"])
def reinstate_player(body: dict[str, Any], player_id: str) -> Response:
    """End a player's suspension.

    The player's webhooks stay disabled until the player activates them again.
    """
    return answer(players.reinstate(games(), _actor(), player_id, body["reason"]))


@blueprint.post("/players/<player_id>/rename", scope=ADMIN, problems=("name-taken",))
@blueprint.doc(operationId="renamePlayer")
@blueprint.arguments(RenamingSchema, example=REQUESTS["renamePlayer"])
@blueprint.response(200, HostsPlayerSchema, example=ANSWERS["renamePlayer"])
def rename_player(body: dict[str, Any], player_id: str) -> Response:
    """Rename a player.

    Nobody else can take the player's earlier names, and you can still find the player by these names.
    """
    return answer(players.rename(games(), _actor(), player_id, body["name"], body["reason"]))


@blueprint.get("/games", scope=ADMIN, problems=("unknown-player",))
@blueprint.doc(operationId="findGames")
@blueprint.arguments(HostsGamesQuerySchema, location="query")
@blueprint.response(200, FoundGamesSchema, example=ANSWERS["findGames"])
def find_games(query: dict[str, Any]) -> Response:
    """Find games by status and player.

    To find cancelled games, you must name a player.
    """
    caller()
    found, following = hosts_games.find(
        games(), query.get("status"), query.get("player"), query.get("cursor"), query["limit"]
    )
    return answer({"games": found, "next": following})


@blueprint.get("/games/<game_id>", scope=ADMIN)
@blueprint.doc(operationId="showGame")
@blueprint.response(200, HostsGameSchema, example=ANSWERS["showGame"])
def show_game(game_id: str) -> Response:
    """Get a game as the host sees it.

    The response contains the seats, the clock and the version, but no hands, cards or seed.
    """
    caller()
    return answer(hosts_games.show(games(), game_id))


@blueprint.post("/games/<game_id>/cancel", scope=ADMIN, problems=("game-cancelled", "game-over"))
@blueprint.doc(operationId="cancelGame")
@blueprint.arguments(CancellingSchema, example=REQUESTS["cancelGame"])
@blueprint.response(200, HostsGameSchema, example=ANSWERS["cancelGame"])
def cancel_game(body: dict[str, Any], game_id: str) -> Response:
    """Cancel an open or running game.

    The players see the reason in the `game-cancelled` event. If the game was running, everybody can see all its cards
    and its seed from then on. You cannot undo the cancellation.
    """
    return answer(hosts_games.cancel(games(), _actor(), game_id, body["reason"]))


@blueprint.post("/games/<game_id>/give-seat", scope=ADMIN, problems=(*NOT_RUNNING, "seat-not-given"))
@blueprint.doc(operationId="giveSeat")
@blueprint.arguments(GivingSchema, example=REQUESTS["giveSeat"])
@blueprint.response(200, HostsGameSchema, example=ANSWERS["giveSeat"])
def give_seat(body: dict[str, Any], game_id: str) -> Response:
    """Give a player's seat in a running game to a bot.

    The bot plays until the player takes the seat back.
    """
    return answer(hosts_games.give_seat(games(), _actor(), game_id, body["seat"], body["bot"], body["reason"]))


@blueprint.post("/games/<game_id>/title", scope=ADMIN)
@blueprint.doc(operationId="setTitle")
@blueprint.arguments(HostsTitleSchema, example=REQUESTS["setTitle"])
@blueprint.response(200, HostsGameSchema, example=ANSWERS["setTitle"])
def set_title(body: dict[str, Any], game_id: str) -> Response:
    """Change a game's title, or remove it.

    The game's owner can still change the title afterwards.
    """
    return answer(hosts_games.change_title(games(), _actor(), game_id, body["title"], body["reason"]))


@blueprint.get("/switches", scope=ADMIN)
@blueprint.doc(operationId="getSwitches")
@blueprint.response(200, SwitchesSchema, example=ANSWERS["getSwitches"])
def get_switches() -> Response:
    """Get the registration mode and the read-only state.

    The host can change the registration mode and the read-only state while the service is running.
    """
    caller()
    return answer(switching.show(games()))


@blueprint.put("/registration", scope=ADMIN)
@blueprint.doc(operationId="setRegistration")
@blueprint.arguments(RegistrationModeSchema, example=REQUESTS["setRegistration"])
@blueprint.response(200, SwitchesSchema, example=ANSWERS["setRegistration"])
def set_registration(body: dict[str, Any]) -> Response:
    """Choose how players can register.

    Your choice takes effect in all processes within a few seconds. Your choice lasts until you choose `setting`, which
    restores the mode from the service's settings.
    """
    return answer(switching.set_registration(games(), _actor(), body["mode"], body["reason"]))


@blueprint.put("/read-only", scope=ADMIN, keyless=True)
@blueprint.doc(operationId="setReadOnly")
@blueprint.arguments(ReadOnlySwitchSchema, example=REQUESTS["setReadOnly"])
@blueprint.response(200, SwitchesSchema, example=ANSWERS["setReadOnly"])
def set_read_only(body: dict[str, Any]) -> Response:
    """Make the service read-only for an upgrade, or writable again.

    While the service is read-only, requests that would write get 503 `read-only`. Bots and webhooks wait, and nobody's
    time runs out. When the service is writable again, the server adds the whole read-only period to every clock that
    was running.
    """
    switch = switching.begin_read_only if body["on"] else switching.end_read_only
    return answer(switch(games(), _actor(), body["reason"]))


@blueprint.get("/announcements", scope=ADMIN)
@blueprint.doc(operationId="listAllAnnouncements")
@blueprint.response(200, AnnouncementListSchema, example=ANSWERS["listAllAnnouncements"])
def list_all_announcements() -> Response:
    """List all current and upcoming announcements.

    The list does not contain announcements that have ended.
    """
    caller()
    return answer({"announcements": switching.announcements(games(), all=True)})


@blueprint.post("/announcements", scope=ADMIN, problems=("too-many-announcements",))
@blueprint.doc(operationId="announce")
@blueprint.arguments(AnnouncingSchema, example=REQUESTS["announce"])
@blueprint.response(201, AnnouncementSchema, example=ANSWERS["announce"])
def announce(body: dict[str, Any]) -> Response:
    """Make an announcement to everybody.

    The announcement appears in `GET /v1/announcements` and in the notices of `GET /v1/me` within a few seconds.
    """
    announcement = switching.add_announcement(games(), _actor(), body["text"], body["from_"], body["until"])
    return answer(announcement, 201)


@blueprint.delete("/announcements/<announcement_id>", scope=ADMIN)
@blueprint.doc(operationId="withdrawAnnouncement")
@blueprint.response(204, description="The server has removed the announcement.")
def withdraw_announcement(announcement_id: str) -> Response:
    """Remove an announcement.

    The announcement disappears from all responses within a few seconds.
    """
    switching.remove_announcement(games(), _actor(), announcement_id)
    return Response(status=204)


@blueprint.get("/reports", scope=ADMIN)
@blueprint.doc(operationId="listReports")
@blueprint.response(200, ReportListSchema, example=ANSWERS["listReports"])
def list_reports() -> Response:
    """List the messages that players have reported.

    The list contains all reports that you have not settled. As the host, you can read a message only if one of its
    readers has reported it.
    """
    caller()
    return answer({"reports": reports.find(games())})


@blueprint.post("/reports/<report_id>/settle", scope=ADMIN)
@blueprint.doc(operationId="settleReport")
@blueprint.arguments(SettlingSchema, example=REQUESTS["settleReport"])
@blueprint.response(204, description="The server has settled the report.")
def settle_report(body: dict[str, Any], report_id: str) -> Response:
    """Settle a report.

    A settled report is no longer in the list. With `remove`, nobody can read the message any more.
    """
    reports.settle(games(), _actor(), report_id, body["reason"], remove=body["remove"])
    return Response(status=204)


@blueprint.get("/audit", scope=ADMIN)
@blueprint.doc(operationId="readAudit")
@blueprint.arguments(AuditQuerySchema, location="query")
@blueprint.response(200, AuditPageSchema, example=ANSWERS["readAudit"])
def read_audit(query: dict[str, Any]) -> Response:
    """Read the audit log.

    The log contains all actions of the host, newest first.
    """
    caller()
    lines, following = auditing.read(games(), query.get("before"), query["limit"])
    return answer({"lines": lines, "next": following})
