"""Clocks and absence: pauses, extensions, seats that bots play for absent players, resigning, and players' hours."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import ACCOUNT, PLAY
from ..play import absence, consent, test_clock
from ..schemas.clocks import AdvanceSchema, ExtensionChoiceSchema, HabitsSchema, HoursSchema, VacationChoiceSchema
from ..schemas.games import GameSchema
from ..timekeeping import availability, vacations
from ..views.players import show_hours
from .answers import ETAG, answer, game_answer
from .callers import caller
from .codes import NOT_RUNNING
from .conditions import seen_versions_if_any
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .parameters import IF_MATCH_OF_TURN
from .resource import Resource

_OF_CLOCKS = ("not-seated", *NOT_RUNNING, "already-resigned", "no-clock")

blueprint = Resource(
    "Clocks",
    __name__,
    url_prefix="/v1",
    description="Pause a game, extend a turn, resign, and set your hours and vacation.",
)


@blueprint.post("/games/<game_id>/resign", scope=PLAY, problems=("not-seated", *NOT_RUNNING, "already-resigned"))
@blueprint.doc(operationId="resign")
@blueprint.response(200, GameSchema, example=ANSWERS["resign"], headers=ETAG)
def resign(game_id: str) -> Response:
    """Resign from a running game.

    You cannot take back a resignation. The other players continue without you. The server discards your hand. You keep
    your regions, but can no longer win.
    """
    player = caller().id
    game, replayed = absence.resign(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post(
    "/games/<game_id>/return",
    scope=PLAY,
    problems=("not-seated", *NOT_RUNNING, "already-resigned", "seat-not-with-bot"),
)
@blueprint.doc(operationId="takeSeatBack")
@blueprint.response(200, GameSchema, example=ANSWERS["takeSeatBack"], headers=ETAG)
def take_seat_back(game_id: str) -> Response:
    """Take your seat back from a bot.

    A bot plays your seat after your time has run out, or after the host has given the seat to the bot.
    """
    player = caller().id
    game, replayed = absence.take_back(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/pause", scope=PLAY, problems=(*_OF_CLOCKS, "game-paused"))
@blueprint.doc(operationId="pauseGame")
@blueprint.response(200, GameSchema, example=ANSWERS["pauseGame"], headers=ETAG)
def pause_game(game_id: str) -> Response:
    """Ask for a pause, or agree to one.

    The game pauses once every player has agreed. Players who have resigned, or whose seats bots are playing, do not
    have to agree.
    """
    player = caller().id
    game, replayed = consent.ask_for_pause(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/resume", scope=PLAY, problems=(*_OF_CLOCKS, "game-not-paused"))
@blueprint.doc(operationId="resumeGame")
@blueprint.response(200, GameSchema, example=ANSWERS["resumeGame"], headers=ETAG)
def resume_game(game_id: str) -> Response:
    """Resume a paused game.

    Any player can resume the game. The clock does not run during the pause.
    """
    player = caller().id
    game, replayed = consent.resume(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post(
    "/games/<game_id>/extension",
    scope=PLAY,
    problems=(*_OF_CLOCKS, "game-paused", "not-your-turn", "extension-too-long", "extension-pending"),
)
@blueprint.doc(operationId="askForExtension")
@blueprint.arguments(ExtensionChoiceSchema, example=REQUESTS["askForExtension"])
@blueprint.response(200, GameSchema, example=ANSWERS["askForExtension"], headers=ETAG)
def ask_for_extension(body: dict[str, Any], game_id: str) -> Response:
    """Ask for more time for your turn.

    You get the extension once every other player has agreed, or immediately if bots play all other seats. The total of
    a turn's extensions is limited to the clock's `seconds`, or to its `cap` if the clock has banks.
    """
    player = caller().id
    game, replayed = consent.ask_for_extension(games(), game_id, player, body["seconds"], attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/extension/grant", scope=PLAY, problems=(*_OF_CLOCKS, "no-extension-asked"))
@blueprint.doc(operationId="grantExtension")
@blueprint.arguments(ExtensionChoiceSchema, example=REQUESTS["grantExtension"])
@blueprint.response(200, GameSchema, example=ANSWERS["grantExtension"], headers=ETAG)
def grant_extension(body: dict[str, Any], game_id: str) -> Response:
    """Agree to another player's request for more time.

    The other player's request is in the game's `clock.extension`. Send the same number of `seconds` as the other player
    did.
    """
    player = caller().id
    game, replayed = consent.grant_extension(games(), game_id, player, body["seconds"], attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post(
    "/games/<game_id>/clock/advance",
    scope=PLAY,
    headers=[IF_MATCH_OF_TURN],
    problems=(
        "test-clock-off",
        "not-the-owner",
        *NOT_RUNNING,
        "no-clock",
        "game-paused",
        "clock-stopped",
        "stale-version",
    ),
)
@blueprint.doc(operationId="advanceClock")
@blueprint.arguments(AdvanceSchema, example=REQUESTS["advanceClock"])
@blueprint.response(200, GameSchema, example=ANSWERS["advanceClock"], headers=ETAG)
def advance_clock(body: dict[str, int], game_id: str) -> Response:
    """Advance the clock of your game, to test reminders, timeouts and absence without waiting for them.

    This operation is for development, and works only if the service was started with `CONDOTTIERE_TEST_CLOCK=on`. The
    clock skips the time that you send, but at most the rest of the current turn. The game's `clock.advanced` is the
    total of all advances.

    In `If-Match`, send the version that you last saw. The server then refuses the request if somebody has moved in the
    meantime.
    """
    player = caller().id
    game, replayed = test_clock.advance(games(), game_id, player, attempt(), seen=seen_versions_if_any(), **body)
    return game_answer(game, player, replayed=replayed)


@blueprint.patch("/me", scope=ACCOUNT)
@blueprint.doc(operationId="changeMe")
@blueprint.arguments(HabitsSchema, example=REQUESTS["changeMe"])
@blueprint.response(200, HoursSchema, example=ANSWERS["changeMe"])
def change_me(body: dict[str, Any]) -> Response:
    """Change your hours: your time zone, your night, and whether a vacation begins automatically.

    Members that you leave out do not change. The change takes effect on your next turn. If your hours stop a game's
    clock, everybody who can see the game sees your hours, because your hours explain the deadline.
    """
    player = caller().id
    auto_vacation = body.pop("auto_vacation", None)
    changed = availability.change_habits(games(), player, body, attempt(), auto_vacation=auto_vacation)
    return answer(show_hours(changed, games().now()))


@blueprint.post("/me/vacation", scope=ACCOUNT, problems=("no-vacation",))
@blueprint.doc(operationId="goOnVacation")
@blueprint.arguments(VacationChoiceSchema, required=False, example=REQUESTS["goOnVacation"])
@blueprint.response(200, HoursSchema, example=ANSWERS["goOnVacation"])
def go_on_vacation(body: dict[str, Any]) -> Response:
    """Go on vacation.

    Your clock stops in every game whose clock allows vacations. You can still move while you are on vacation.
    """
    player = caller().id
    away = vacations.go_on_vacation(games(), player, body.get("until"), attempt())
    return answer(show_hours(away, games().now()))


@blueprint.delete("/me/vacation", scope=ACCOUNT)
@blueprint.doc(operationId="comeBack")
@blueprint.response(200, HoursSchema, example=ANSWERS["comeBack"])
def come_back() -> Response:
    """End your vacation.

    You keep the vacation time that you have not used. If you are not on vacation, nothing changes.
    """
    player = caller().id
    return answer(show_hours(vacations.come_back(games(), player, attempt()), games().now()))
