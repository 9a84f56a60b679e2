"""Games: the operations that open, list, show, join, leave and start games."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY, READ
from ..games.repository import at_version
from ..play import seating
from ..schemas.games import GameSchema, GamesPageSchema, JoiningSchema, OpeningSchema
from ..schemas.queries import GameQuerySchema, GamesQuerySchema
from ..tables import titles
from ..timekeeping.deadlines import current
from ..views import list_pages
from .answers import ETAG, LOCATION, answer, game_answer, moment_answer
from .callers import caller, caller_if_known, caller_or_nobody_and_log
from .conditions import make_conditional
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .parameters import IF_NONE_MATCH
from .resource import Resource

blueprint = Resource("Games", __name__, url_prefix="/v1/games", description="Open, list, view, join and start games.")


@blueprint.post(
    "",
    scope=PLAY,
    problems=("wrong-seats", "bad-option", "bad-bot", "bad-seed", "too-many-open-games", "too-many-games"),
)
@blueprint.doc(operationId="openGame")
@blueprint.arguments(OpeningSchema, example=REQUESTS["openGame"])
@blueprint.response(201, GameSchema, example=ANSWERS["openGame"], headers=ETAG | LOCATION)
def open_game(body: dict[str, Any]) -> Response:
    """Open a game.

    You own the game and get the first seat that is not assigned to a bot. With `start: auto`, the game starts when the
    last seat is taken. If all other seats are assigned to bots, a game with `start: auto` starts immediately. `GET
    /v1/games/{id}/table` returns the game's title and, if the game is private, its link.
    """
    player = caller().id
    opening = seating.Opening(
        edition=body["edition"],
        options=body["options"],
        seats=body["seats"],
        bots={bot["seat"]: bot["bot"] for bot in body["bots"]},
        start=body["start"],
        entropy=bytes.fromhex(body.get("entropy") or ""),
        seed=bytes.fromhex(body["seed"]) if "seed" in body else None,
        clock=body["clock"],
        hints=body["hints"],
        showing=body["showing"],
        private=body["private"],
        title=titles.normalised(body["title"]),
        talk=body["talk"],
        names=body["names"],
    )
    game, replayed = seating.open_game(games(), player, opening, attempt())
    return game_answer(game, player, 201, {"Location": f"/v1/games/{game.id}"}, replayed=replayed)


@blueprint.get("", scope=READ, token_optional=True, problems=("token-required",))
@blueprint.doc(operationId="listGames")
@blueprint.arguments(GamesQuerySchema, location="query")
@blueprint.response(200, GamesPageSchema, example=ANSWERS["listGames"])
def list_games(query: dict[str, Any]) -> Response:
    """List games, most recently changed first.

    You can combine the filters. For each response, the server examines at most 200 games. With filters, a page can
    contain fewer games than `limit`, or none, even if more games match. Continue with `next` until it is `null`.
    """
    kind = query["status"]
    player = caller() if kind == list_pages.MINE else caller_if_known()
    filters = list_pages.Filters(
        edition=query.get("edition"),
        seats=query.get("seats"),
        pace=query.get("pace"),
        free_seat="free_seat" in query,
        player=list_pages.player_named(games(), query["player"]) if "player" in query else None,
    )
    summaries, following = list_pages.list_games(
        games(), kind, player.id if player else None, query.get("cursor"), query["limit"], filters
    )
    return answer({"games": summaries, "next": following})


@blueprint.get("/<game_id>", scope=READ, token_optional=True, headers=[IF_NONE_MATCH], problems=("unknown-version",))
@blueprint.doc(operationId="getGame")
@blueprint.arguments(GameQuerySchema, location="query")
@blueprint.response(200, GameSchema, example=ANSWERS["getGame"], headers=ETAG)
@blueprint.alt_response(304, description="The game has not changed since the version in If-None-Match.")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Get a game, as it is now or as it was at an earlier version.

    With a token of one of the game's players, the response shows that player's hand and legal moves. Without such a
    token, the response shows what a spectator may see. If the game has ended, the response shows everything.

    With `version`, the response shows the game as it was at that version, including `moves` if it was your turn.
    However, two members always have their current values: `you` is the seat that you have now, and `fairness.seed` is
    shown if the game has ended by now.
    """
    player, ahead = caller_or_nobody_and_log(game_id)
    game, viewer = current(games(), game_id, ahead), player.id if player else None
    if "version" in query:
        return make_conditional(moment_answer(at_version(game, query["version"]), viewer, game))
    return make_conditional(game_answer(game, viewer))


@blueprint.post(
    "/<game_id>/join",
    scope=PLAY,
    problems=(
        "seat-taken",
        "already-seated",
        "no-free-seat",
        "game-started",
        "game-cancelled",
        "game-over",
        "too-many-games",
    ),
)
@blueprint.doc(operationId="joinGame")
@blueprint.arguments(JoiningSchema, required=False, example=REQUESTS["joinGame"])
@blueprint.response(200, GameSchema, example=ANSWERS["joinGame"], headers=ETAG)
def join_game(body: dict[str, Any], game_id: str) -> Response:
    """Take a free seat in a game.

    You can take a seat in an open game. In a running game, you can take only a seat that was opened because its player
    was absent. The server ignores `entropy` for this kind of seat, because the seat keeps the random bytes of its first
    player.
    """
    player = caller().id
    entropy = bytes.fromhex(body.get("entropy") or "")
    game, replayed = seating.join(games(), game_id, player, body.get("seat"), entropy, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/<game_id>/leave", scope=PLAY, problems=("not-seated", "game-started", "game-cancelled"))
@blueprint.doc(operationId="leaveGame")
@blueprint.response(200, GameSchema, example=ANSWERS["leaveGame"], headers=ETAG)
def leave_game(game_id: str) -> Response:
    """Leave a game that has not started.

    If you own the game, the server cancels it.
    """
    player = caller().id
    game, replayed = seating.leave(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post(
    "/<game_id>/start", scope=PLAY, problems=("not-the-owner", "seats-open", "game-started", "game-cancelled")
)
@blueprint.doc(operationId="startGame")
@blueprint.response(200, GameSchema, example=ANSWERS["startGame"], headers=ETAG)
def start_game(game_id: str) -> Response:
    """Start a game.

    Only the game's owner can start it, and only when every seat is taken.
    """
    player = caller().id
    game, replayed = seating.start_game(games(), game_id, player, attempt())
    return game_answer(game, player, replayed=replayed)
