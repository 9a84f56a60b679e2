"""Events: returns the events of one game, or of all of a player's games, as a list, a long poll or a stream."""

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
from .callers import caller, caller_check, caller_or_nobody_and_log, link_sent, patience, token_or_none
from .codes import WAITS
from .context import games
from .examples import ANSWERS
from .parameters import LAST_EVENT_ID, LAST_FEED_ID
from .resource import Resource

blueprint = Resource(
    "Events", __name__, url_prefix="/v1", description="Get the events of games as lists, long polls and streams."
)

VERSION = re.compile(r"[0-9]{1,9}")
_MEMBERS = {feeds.TALK: "messages", feeds.INVITATIONS: "invitations"}
"""For each optional part (extra) of a feed, the response member that contains it. The keys are also the names of the
query parameters that request the extras."""


@blueprint.get(
    "/games/<game_id>/events", scope=READ, token_optional=True, problems=(*WAITS, "not-acceptable", "malformed-header")
)
@blueprint.doc(operationId="getEvents")
@blueprint.arguments(EventsQuerySchema, location="query")
@blueprint.response(200, EventsSchema, example=ANSWERS["getEvents"])
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Get a game's events after a given version, limited to what you may see.

    With `wait`, the server responds as soon as something happens. If nothing happens within `wait` seconds, the list is
    empty. The server does not wait if the game has ended. With `Accept: text/event-stream` or `application/x-ndjson`,
    you get the same stream as from `GET /v1/games/{game_id}/events/stream`.
    """
    media_type = streams.preferred_media_type(streams.JSON, streams.LINES, streams.SSE)
    after = _after(query)
    if media_type != streams.JSON:
        return streams.answer(feeds.GameFollower(game_id, after, token_or_none(), link_sent()), media_type)
    player, ahead = caller_or_nobody_and_log(game_id)
    game = wait_for_commits(games(), game_id, after, patience(query["wait"]), caller_check(), ahead)
    commits = name_commits(games(), show_commits(game, after, player.id if player else None))
    return answer({"commits": commits, "next": max(after, game.version)}, headers={"Vary": "Accept"})


@blueprint.get(
    "/games/<game_id>/events/stream",
    scope=READ,
    token_optional=True,
    headers=[LAST_EVENT_ID],
    problems=(*WAITS, "not-acceptable"),
)
@blueprint.doc(operationId="streamEvents")
@blueprint.arguments(EventsQuerySchema(only=("after",)), location="query")
@blueprint.alt_response(204, description="The game is over, and you have already received all its events.")
@blueprint.response(200, **streams.describe(ANSWERS["getEvents"]))
def stream_events(query: dict[str, Any], game_id: str) -> Response:
    """Stream a game's events after a given version, limited to what you may see.

    Each server-sent event is a commit, as in `GET /v1/games/{game_id}/events`, and its `id` is the commit's `seq`. To
    show that the stream is alive, the server sends a comment at least every 15 seconds. After the last commit of the
    game, the server sends `event: end` and ends the stream. With `Accept: application/x-ndjson`, each line is a commit,
    and an empty line shows that the stream is alive.
    """
    media_type = streams.preferred_media_type(streams.SSE, streams.LINES)
    return streams.answer(feeds.GameFollower(game_id, _after(query), token_or_none(), link_sent()), media_type)


@blueprint.get("/me/events", scope=READ, problems=(*WAITS, "not-acceptable", "malformed-header"))
@blueprint.doc(operationId="getMyEvents")
@blueprint.arguments(FeedQuerySchema, location="query")
@blueprint.response(200, FeedSchema, example=ANSWERS["getMyEvents"])
def get_my_events(query: dict[str, Any]) -> Response:
    """Get the events of all games that you own or have a seat in.

    For each game, the feed starts when you open or join the game. The commits of one game are in order, but commits of
    different games can come in any order. A response contains at most 100 commits. To get more commits, send `next` as
    `after`. With `Accept: text/event-stream` or `application/x-ndjson`, you get the same stream as from `GET
    /v1/me/events/stream`.

    With `talk=true`, the response also contains the `messages` in your games. With `invitations=true`, the response
    also contains `invitations`. These are notices about invitations that you receive, and about your own invitations
    when somebody declines them.
    """
    media_type = streams.preferred_media_type(streams.JSON, streams.LINES, streams.SSE)
    player, extras, after = caller().id, _extras(query), _after_in_feed(query)
    if media_type != streams.JSON:
        return streams.answer(feeds.FeedFollower(player, after, token_or_none(), extras), media_type)
    items, following = feeds.read_feed(games(), player, after, patience(query["wait"]), caller_check(), extras)
    members = {None: "commits"} | {extra: _MEMBERS[extra] for extra in extras}
    found = {member: [item for item in items if feeds.kind_of(item) == kind] for kind, member in members.items()}
    return answer({**found, "next": following}, headers={"Vary": "Accept"})


@blueprint.get("/me/events/stream", scope=READ, headers=[LAST_FEED_ID], problems=(*WAITS, "not-acceptable"))
@blueprint.doc(operationId="streamMyEvents")
@blueprint.arguments(FeedQuerySchema(only=("after", "talk", "invitations")), location="query")
@blueprint.response(200, **streams.describe(ANSWERS["getMyEvents"]))
def stream_my_events(query: dict[str, Any]) -> Response:
    """Stream the events of all games that you own or have a seat in.

    Each server-sent event is a commit, as in `GET /v1/me/events`, with the same `id`. To show that the stream is alive,
    the server sends a comment at least every 15 seconds. The server never ends the stream. With `Accept:
    application/x-ndjson`, each line is a commit, and an empty line shows that the stream is alive. With `talk=true`,
    the stream also contains the messages in your games; each of them has the `message` member. With `invitations=true`,
    the stream also contains notices about invitations; each notice has the `invitation` member.
    """
    media_type = streams.preferred_media_type(streams.SSE, streams.LINES)
    follower = feeds.FeedFollower(caller().id, _after_in_feed(query), token_or_none(), _extras(query))
    return streams.answer(follower, media_type)


def _after(query: dict[str, Any]) -> int:
    """Return the version after which the requested events begin. Raises: Problem (malformed-header)."""
    seen = streams.last_event_id(VERSION.fullmatch)
    return query["after"] if seen is None else int(seen)


def _extras(query: dict[str, Any]) -> list[str]:
    """Return the extras that a request asks for: messages, invitations, both, or neither."""
    return [extra for extra in _MEMBERS if query[extra] == "true"]


def _after_in_feed(query: dict[str, Any]) -> Any:
    """Return the cursor after which the requested events begin. Raises: Problem (malformed-header)."""
    return streams.last_event_id(feeds.is_cursor) or query["after"]
