"""Events: what happened in a game or in all games of a player, as a list, with a long poll, or as a stream."""

from __future__ import annotations

import re
from typing import Any

from flask import Response

from ..accounts.access import READ
from ..schemas.events import EventsSchema, FeedSchema
from ..schemas.queries import EventsQuerySchema, FeedQuerySchema
from ..views import feeds
from ..views.events import show_commits, wait_for_commits
from ..views.names import name_commits
from . import streams
from .answers import answer
from .callers import caller, caller_check, caller_or_nobody_and_log, patience, token_or_none
from .context import games
from .examples import ANSWERS
from .parameters import LAST_EVENT_ID, LAST_FEED_ID
from .resource import Resource

blueprint = Resource(
    "Events", __name__, url_prefix="/v1", description="What happened in games: pages, long polls and streams."
)

VERSION = re.compile(r"[0-9]{1,9}")


@blueprint.get("/games/<game_id>/events", scope=READ, token_optional=True, headers=[LAST_EVENT_ID])
@blueprint.doc(operationId="getEvents", responses=streams.describe(ANSWERS["getEvents"]))
@blueprint.arguments(EventsQuerySchema, location="query")
@blueprint.alt_response(
    204, description="Only for streams: the game is over, and you have already seen all its events."
)
@blueprint.response(200, EventsSchema, example=ANSWERS["getEvents"])
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Get the events of a game after a version, as far as you may see them.

    With `wait`, the server answers as soon as something happens, or after that many seconds with an empty list. The
    server does not wait if the game is over. With `Accept: application/x-ndjson` or `text/event-stream` the response is
    a stream, which ends when the game does.
    """
    media_type = streams.preferred_media_type(streams.LINES, streams.SSE)
    seen = streams.last_event_id(VERSION.fullmatch)
    after = query["after"] if seen is None else int(seen)
    if media_type != streams.JSON:
        return streams.answer(feeds.GameFollower(game_id, after, token_or_none()), media_type)
    player, ahead = caller_or_nobody_and_log(game_id)
    game = wait_for_commits(games(), game_id, after, patience(query["wait"]), caller_check(), ahead)
    commits = name_commits(games(), show_commits(game, after, player.id if player else None))
    return answer({"commits": commits, "next": max(after, game.version)}, headers={"Vary": "Accept"})


@blueprint.get("/me/events", scope=READ, headers=[LAST_FEED_ID])
@blueprint.doc(operationId="getMyEvents", responses=streams.describe(ANSWERS["getMyEvents"]))
@blueprint.arguments(FeedQuerySchema, location="query")
@blueprint.response(200, FeedSchema, example=ANSWERS["getMyEvents"])
def get_my_events(query: dict[str, Any]) -> Response:
    """Get the events of all games in which you have a seat or which you own.

    The response includes games that you join later, starting when you join. The commits of one game are in order;
    commits of different games may come in any order. A response has at most 100 commits: send its `next` as `after` to
    get more. With `Accept: application/x-ndjson` or `text/event-stream` the response is a stream that does not end.
    """
    media_type = streams.preferred_media_type(streams.LINES, streams.SSE)
    player = caller().id
    after = streams.last_event_id(feeds.is_cursor) or query["after"]
    if media_type != streams.JSON:
        return streams.answer(feeds.FeedFollower(player, after, token_or_none()), media_type)
    commits, following = feeds.read_feed(games(), player, after, patience(query["wait"]), caller_check())
    return answer({"commits": commits, "next": following}, headers={"Vary": "Accept"})
