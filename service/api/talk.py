"""Talk: messages in games, how far the caller has read, mutes, reports and blocks."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import ACCOUNT, PLAY, READ
from ..schemas.talk import (
    BlockListSchema,
    MessageReportSchema,
    MessageSchema,
    MessageTextSchema,
    MutesSchema,
    NewsSchema,
    ReadUpToSchema,
    TalkQuerySchema,
    TalkSchema,
    UnreadAfterSchema,
)
from ..talk import blocks, marking, muting, reading, reporting, sending, texts
from ..talk.cursors import counts_of
from ..talk.showing import show_messages
from ..views import talk
from .answers import answer, secret_answer
from .callers import caller, caller_check, patience
from .codes import WAITS
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource("Talk", __name__, url_prefix="/v1", description="Write and read messages in games.")


@blueprint.post(
    "/games/<game_id>/talk",
    scope=PLAY,
    problems=(
        "not-seated",
        "talk-off",
        "talk-not-allowed",
        "private-talk-not-allowed",
        "talk-closed",
        "spectators-only",
        "muted",
        "seat-without-player",
        "too-many-messages",
        "room-full",
    ),
)
@blueprint.doc(operationId="sendMessage")
@blueprint.arguments(MessageTextSchema, example=REQUESTS["sendMessage"])
@blueprint.response(201, MessageSchema, example=ANSWERS["sendMessage"])
def send_message(body: dict[str, Any], game_id: str) -> Response:
    """Write a message to everybody at the table, to some seats, or to the spectators.

    If you write to some seats, only you and their current players can read the message. Nobody else can see that the
    message exists. You can write until seven days after the game has ended. A message never changes the game or its
    version.
    """
    player = caller().id
    text = texts.clean(body["text"])
    message = sending.send(games(), game_id, player, body["room"], body["seats"], text, attempt())
    (content,) = show_messages(games(), [message], message["by"])
    return secret_answer(content, 201)


@blueprint.get("/games/<game_id>/talk", scope=READ, problems=WAITS)
@blueprint.doc(operationId="getTalk")
@blueprint.arguments(TalkQuerySchema, location="query")
@blueprint.response(200, TalkSchema, example=ANSWERS["getTalk"])
def get_talk(query: dict[str, Any], game_id: str) -> Response:
    """Get the messages that you can read in a game.

    With `wait`, the server responds as soon as you can read a message that is newer than the cursor `after`. The
    response leaves out messages from players whom you have blocked.
    """
    player = caller().id
    if query["newest"] == "true":
        return secret_answer(talk.newest(games(), game_id, player, query["limit"]), 200)
    wait = patience(query["wait"])
    return secret_answer(talk.read(games(), game_id, player, query["after"], query["limit"], wait, caller_check()), 200)


@blueprint.put("/games/<game_id>/talk/read", scope=PLAY)
@blueprint.doc(operationId="markTalk")
@blueprint.arguments(ReadUpToSchema, example=REQUESTS["markTalk"])
@blueprint.response(200, UnreadAfterSchema, example=ANSWERS["markTalk"])
def mark_talk(body: dict[str, Any], game_id: str) -> Response:
    """Record how far you have read.

    Nobody else can see how far you have read. If you have already read further, nothing changes.
    """
    reader = reading.reader_of(games(), game_id, caller().id)
    marking.mark(games(), reader, counts_of(body["upto"]))
    return answer({"unread": reading.unread(games(), reader)})


@blueprint.get("/games/<game_id>/talk/mutes", scope=READ, problems=("not-the-owner",))
@blueprint.doc(operationId="getMutes")
@blueprint.response(200, MutesSchema, example=ANSWERS["getMutes"])
def get_mutes(game_id: str) -> Response:
    """Get the spectators whom you have muted in a game that you own."""
    return answer(muting.mutes(games(), game_id, caller().id))


@blueprint.put("/games/<game_id>/talk/mutes", scope=PLAY, problems=("not-the-owner",))
@blueprint.doc(operationId="putMutes")
@blueprint.arguments(MutesSchema, example=REQUESTS["putMutes"])
@blueprint.response(200, MutesSchema, example=ANSWERS["putMutes"])
def put_mutes(body: dict[str, Any], game_id: str) -> Response:
    """Choose which spectators to mute in a game that you own.

    Muted spectators cannot write, but can still read. The new choice replaces the earlier one.
    """
    return answer(muting.mute(games(), game_id, caller().id, body["everyone"], body["players"]))


@blueprint.post("/games/<game_id>/talk/<message_id>/report", scope=PLAY, problems=("too-many-reports",))
@blueprint.doc(operationId="reportMessage")
@blueprint.arguments(MessageReportSchema, example=REQUESTS["reportMessage"])
@blueprint.response(204, description="The host can now see the message and your reason.")
def report_message(body: dict[str, Any], game_id: str, message_id: str) -> Response:
    """Report a message to the host.

    You can report any message that you can read. The host can then read this message, even if it is private. Only the
    host can see the report. If you report a message again, nothing changes.
    """
    reporting.report(games(), game_id, caller().id, message_id, body["reason"])
    return Response(status=204)


@blueprint.get("/me/talk", scope=READ)
@blueprint.doc(operationId="getMyTalk")
@blueprint.response(200, NewsSchema, example=ANSWERS["getMyTalk"])
def get_my_talk() -> Response:
    """List the games with unread messages.

    The list ignores messages in spectators' rooms.
    """
    return answer({"games": reading.news(games(), caller().id)})


@blueprint.get("/me/blocks", scope=ACCOUNT)
@blueprint.doc(operationId="listBlocks")
@blueprint.response(200, BlockListSchema, example=ANSWERS["listBlocks"])
def list_blocks() -> Response:
    """List the players whom you have blocked."""
    return answer({"blocks": blocks.show_blocks(games(), caller().id)})


@blueprint.put("/me/blocks/<player_id>", scope=ACCOUNT, problems=("too-many-blocks",))
@blueprint.doc(operationId="blockPlayer")
@blueprint.response(204, description="You have blocked the player.")
def block_player(player_id: str) -> Response:
    """Block a player.

    You no longer see any of the player's messages, old or new, in any game. The player is not notified.
    """
    blocks.block(games(), caller().id, player_id)
    return Response(status=204)


@blueprint.delete("/me/blocks/<player_id>", scope=ACCOUNT)
@blueprint.doc(operationId="unblockPlayer")
@blueprint.response(204, description="The player is no longer blocked.")
def unblock_player(player_id: str) -> Response:
    """Unblock a player.

    You see the player's messages again, including messages that the player wrote while blocked. If you have not blocked
    the player, nothing changes.
    """
    blocks.unblock(games(), caller().id, player_id)
    return Response(status=204)
