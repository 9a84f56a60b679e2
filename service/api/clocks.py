"""Clocks and absence: pauses, more time, seats that bots were given, resigning, and a player's own hours."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..play import absence, consent
from ..schemas.clocks import ExtensionChoiceSchema, HabitsSchema, HoursSchema, VacationChoiceSchema
from ..schemas.games import GameSchema
from ..timekeeping import availability, vacations
from ..views.players import show_hours
from .answers import ETAG, answer, game_answer
from .callers import caller
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource("Clocks", __name__, url_prefix="/v1", description="Time to think, and players who are away.")


@blueprint.post("/games/<game_id>/resign")
@blueprint.doc(operationId="resign")
@blueprint.response(200, GameSchema, example=ANSWERS["resign"], headers=ETAG)
def resign(game_id: str) -> Response:
    """Leave a running game for good.

    The others play on: your hand is discarded, your regions stay as they are, and you cannot win any more.
    """
    player = caller().id
    game, replayed = absence.resign(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/return")
@blueprint.doc(operationId="takeSeatBack")
@blueprint.response(200, GameSchema, example=ANSWERS["takeSeatBack"], headers=ETAG)
def take_seat_back(game_id: str) -> Response:
    """Take your seat back from the bot that was given it when your time ran out."""
    player = caller().id
    game, replayed = absence.take_back(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/pause")
@blueprint.doc(operationId="pauseGame")
@blueprint.response(200, GameSchema, example=ANSWERS["pauseGame"], headers=ETAG)
def pause_game(game_id: str) -> Response:
    """Ask for a pause, or agree to one: the game pauses when every player who moves for themselves wants it."""
    player = caller().id
    game, replayed = consent.ask_for_pause(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/resume")
@blueprint.doc(operationId="resumeGame")
@blueprint.response(200, GameSchema, example=ANSWERS["resumeGame"], headers=ETAG)
def resume_game(game_id: str) -> Response:
    """Go on after a pause; the word of one player is enough. The time of the pause does not count."""
    player = caller().id
    game, replayed = consent.resume(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/extension")
@blueprint.doc(operationId="askForExtension")
@blueprint.arguments(ExtensionChoiceSchema, example=REQUESTS["askForExtension"])
@blueprint.response(200, GameSchema, example=ANSWERS["askForExtension"], headers=ETAG)
def ask_for_extension(body: dict[str, Any], game_id: str) -> Response:
    """Ask for more time for your turn.

    It is granted when every other player has agreed, at once where only bots could. All in all a turn may be extended
    by as much as the clock gives it: `seconds`, or `cap` with banks.
    """
    player = caller().id
    game, replayed = consent.ask_for_extension(games(), game_id, player, body["seconds"], attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/extension/grant")
@blueprint.doc(operationId="grantExtension")
@blueprint.arguments(ExtensionChoiceSchema, example=REQUESTS["grantExtension"])
@blueprint.response(200, GameSchema, example=ANSWERS["grantExtension"], headers=ETAG)
def grant_extension(body: dict[str, Any], game_id: str) -> Response:
    """Agree to the extension that another player has asked for, and that your view shows."""
    player = caller().id
    game, replayed = consent.grant_extension(games(), game_id, player, body["seconds"], attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.patch("/me")
@blueprint.doc(operationId="changeMe")
@blueprint.arguments(HabitsSchema, example=REQUESTS["changeMe"])
@blueprint.response(200, HoursSchema, example=ANSWERS["changeMe"])
def change_me(body: dict[str, Any]) -> Response:
    """Change your hours: time zone, night, and whether a vacation begins by itself. What is left out stays.

    They count from your next turn on. Whoever looks at a game of yours whose clock they stop sees them, as the reason
    for a deadline.
    """
    player = caller().id
    auto_vacation = body.pop("auto_vacation", None)
    changed = availability.change_habits(games(), player, body, attempt(), auto_vacation=auto_vacation)
    return answer(show_hours(changed, games().now()))


@blueprint.post("/me/vacation")
@blueprint.doc(operationId="goOnVacation")
@blueprint.arguments(VacationChoiceSchema, required=False, example=REQUESTS["goOnVacation"])
@blueprint.response(200, HoursSchema, example=ANSWERS["goOnVacation"])
def go_on_vacation(body: dict[str, Any]) -> Response:
    """Go on vacation: your clocks stand still in every game whose table allows it. You may move all the same."""
    player = caller().id
    away = vacations.go_on_vacation(games(), player, body.get("until"), attempt())
    return answer(show_hours(away, games().now()))


@blueprint.delete("/me/vacation")
@blueprint.doc(operationId="comeBack")
@blueprint.response(200, HoursSchema, example=ANSWERS["comeBack"])
def come_back() -> Response:
    """Come back from vacation. What was not spent stays saved; without a vacation nothing changes."""
    player = caller().id
    return answer(show_hours(vacations.come_back(games(), player, attempt()), games().now()))
