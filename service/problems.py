"""Problems: the error responses of the service, in the format of RFC 9457.

Each kind of problem has a stable code. `PROBLEMS` contains the status and the title of every kind of problem, and a
test compares them with `docs/errors.md`. If the rules forbid a move, the problem has status 409 and the code of the
engine's refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

MEDIA_TYPE = "application/problem+json"


class Kind(NamedTuple):
    """A kind of problem: its HTTP status and its title."""

    status: int
    title: str


PROBLEMS: Mapping[str, Kind] = {
    # The server cannot read the request
    "unreadable-request": Kind(400, "This is not a valid HTTP request."),
    "address-too-long": Kind(414, "The URL is too long."),
    "headers-too-large": Kind(431, "The request headers are too large."),
    "request-timeout": Kind(408, "The request did not arrive in time."),
    "expectation-failed": Kind(417, "The server does not support this Expect header."),
    "malformed-json": Kind(400, "The body is not valid JSON."),
    "malformed-header": Kind(400, "A request header is malformed."),
    "not-acceptable": Kind(406, "The server cannot send any of the media types in the Accept header."),
    "unsupported-media-type": Kind(415, "The server does not support this Content-Type."),
    "invalid-request": Kind(422, "Part of the request is missing or invalid."),
    "unknown-field": Kind(422, "The request contains an unknown field or parameter."),
    "body-too-large": Kind(413, "The body is too large."),
    "range-not-satisfiable": Kind(416, "The requested range begins after the end of the file."),
    # Authentication
    "token-required": Kind(401, "This request needs a token."),
    "token-unknown": Kind(401, "This token is not valid."),
    "token-expired": Kind(401, "This token has expired."),
    "scope-missing": Kind(403, "This token does not have the scope that this operation requires."),
    "suspended": Kind(403, "The host has suspended this account."),
    "code-unknown": Kind(403, "This code is not valid."),
    "registration-closed": Kind(403, "Registration is closed on this service."),
    "registration-code-required": Kind(403, "You need a code to register with this service."),
    "registration-code-wrong": Kind(403, "The registration code is wrong."),
    "not-seated": Kind(403, "You do not have a seat in this game."),
    "not-your-seat": Kind(403, "That seat belongs to another player."),
    "not-the-owner": Kind(403, "Only the game's owner can do this."),
    "talk-off": Kind(403, "The host has turned off messages in all games."),
    "spectators-only": Kind(403, "Players cannot enter the spectators' room until the game is over."),
    "muted": Kind(403, "The game's owner has muted you in the spectators' room."),
    "test-clock-off": Kind(403, "Test clocks are turned off on this service."),
    # Something that the request names does not exist
    "not-found": Kind(404, "There is nothing at this URL."),
    "method-not-allowed": Kind(405, "This URL does not support that method."),
    "unknown-game": Kind(404, "There is no game with this id."),
    "unknown-version": Kind(404, "The game has not reached this version yet."),
    "unknown-player": Kind(404, "There is no player with this id."),
    "unknown-edition": Kind(404, "There is no edition with this key, or the edition has no such revision."),
    "unknown-clause": Kind(404, "This edition's rules have no clause with this number."),
    "unknown-message": Kind(404, "There is no such message, or you cannot read it."),
    "unknown-report": Kind(404, "There is no report with this id."),
    "no-hint": Kind(404, "You have not asked for a hint in this position."),
    "unknown-token": Kind(404, "You have no token with this id."),
    "unknown-webhook": Kind(404, "You have no webhook with this id."),
    "unknown-announcement": Kind(404, "There is no announcement with this id."),
    "unknown-delivery": Kind(404, "There is no delivery with this number, or the server no longer stores it."),
    # Players and games
    "name-taken": Kind(409, "Another player already has this name."),
    "too-many-tokens": Kind(409, "You already have the maximum number of tokens."),
    "too-many-announcements": Kind(409, "The service already has the maximum number of announcements."),
    "wrong-seats": Kind(422, "This edition does not support that number of seats."),
    "bad-option": Kind(422, "An option, its value or a combination of options is not valid for this edition."),
    "bad-bot": Kind(422, "A bot is assigned to a seat that does not exist."),
    "bad-seed": Kind(422, "You can choose the seed only if all the other players are bots."),
    "too-many-open-games": Kind(409, "You already own the maximum number of games that have not started."),
    "too-many-games": Kind(409, "You already have the maximum number of open and running games."),
    "seat-taken": Kind(409, "That seat is already taken."),
    "already-seated": Kind(409, "You already have a seat in this game."),
    "no-free-seat": Kind(409, "Every seat is taken."),
    "seats-open": Kind(409, "The game cannot start until every seat is taken."),
    "game-started": Kind(409, "The game has already started."),
    "game-not-started": Kind(409, "The game has not started yet."),
    "game-not-over": Kind(409, "The game is not over yet."),
    "game-cancelled": Kind(409, "The game was cancelled."),
    # The table
    "not-private": Kind(409, "This game is not private."),
    "names-hidden": Kind(409, "Until this game is over, you can identify its players only by their seats."),
    "player-not-seated": Kind(409, "That player does not have a seat in this game."),
    "no-invitation": Kind(404, "You have no pending invitation to this game."),
    "invitation-declined": Kind(409, "This player has declined an invitation to this game."),
    "too-many-invitations": Kind(409, "You have already invited the maximum number of players to this game."),
    "no-rematch": Kind(409, "You cannot propose a rematch of this game."),
    # Ending by consent
    "nobody-to-agree": Kind(409, "There is no other player who could agree to end the game."),
    # Clocks and absence
    "no-clock": Kind(409, "This game has no clock."),
    "clock-stopped": Kind(409, "No clock is running in this game right now."),
    "game-paused": Kind(409, "The game is paused."),
    "game-not-paused": Kind(409, "The game is not paused."),
    "seat-with-bot": Kind(409, "A bot is playing your seat."),
    "seat-not-with-bot": Kind(409, "No bot is playing your seat."),
    "extension-too-long": Kind(409, "This turn cannot be extended by that much."),
    "extension-pending": Kind(409, "You have already asked for more time."),
    "no-extension-asked": Kind(409, "No other player has asked for this extension."),
    "no-vacation": Kind(409, "You do not have enough vacation time left."),
    "seat-not-given": Kind(409, "This seat cannot be given to a bot."),
    # Standing orders
    "no-battle": Kind(409, "You are not in a battle right now."),
    "stale-orders": Kind(412, "Your orders have changed since you last saw them."),
    # Records
    "record-not-utf-8": Kind(422, "The record is not UTF-8 text."),
    "record-not-json": Kind(422, "The record is not valid JSON."),
    "record-cut": Kind(422, "The record is truncated."),
    "record-too-large": Kind(413, "The record is too large to verify."),
    "record-too-deep": Kind(422, "The record's JSON is nested too deeply."),
    "record-bad-number": Kind(422, "The record contains a number that is not an integer or is too large."),
    "record-duplicate-member": Kind(422, "An object in the record has a duplicate member."),
    "record-unreadable": Kind(422, "This is not a game record."),
    "record-redacted": Kind(422, "This record hides some cards, because it was created before the game ended."),
    "unknown-record-format": Kind(422, "A later version of the service created this record."),
    "bad-head": Kind(422, "This is not a valid head. A head has 64 hexadecimal digits."),
    "verifier-busy": Kind(503, "Too many records are being verified right now."),
    # Webhooks
    "bad-endpoint": Kind(422, "This URL is not allowed for a webhook."),
    "bad-secret": Kind(422, "This is not a valid webhook secret."),
    "webhook-loop": Kind(422, "A webhook cannot point back to this service."),
    "too-many-webhooks": Kind(409, "You already have the maximum number of webhooks."),
    "unknown-browser": Kind(404, "You have not added a browser with this id."),
    "too-many-browsers": Kind(409, "You have already added the maximum number of browsers."),
    "bad-push-keys": Kind(422, "These are not valid keys for a browser's push subscription."),
    "mail-unavailable": Kind(409, "This service does not send e-mail."),
    "bad-address": Kind(422, "The service cannot send mail to this address."),
    "loop-detected": Kind(403, "This request is a webhook delivery, and this service does not accept deliveries."),
    # Talk
    "talk-not-allowed": Kind(409, "This game does not allow messages."),
    "private-talk-not-allowed": Kind(409, "This game does not allow private messages."),
    "talk-closed": Kind(409, "It is too late to write messages in this game."),
    "seat-without-player": Kind(409, "That seat is free or belongs to a bot."),
    "too-many-messages": Kind(409, "You have written the maximum number of messages in this game."),
    "room-full": Kind(409, "This room already has the maximum number of messages."),
    "too-many-blocks": Kind(409, "You have already blocked the maximum number of players."),
    "too-many-reports": Kind(409, "Too many reports are waiting for the host."),
    # Versions and keys
    "version-required": Kind(428, "This request needs an If-Match header with the game's version."),
    "stale-version": Kind(412, "The game has changed since you last saw it."),
    "key-reused": Kind(422, "This Idempotency-Key has already been used with a different body."),
    # The rules forbid the move
    "not-your-turn": Kind(409, "It is not your turn."),
    "hints-not-allowed": Kind(409, "This game does not allow hints."),
    "showing-not-allowed": Kind(409, "This game does not allow players to show cards."),
    "too-many-showings": Kind(409, "You cannot show cards again in this battle."),
    "wrong-phase": Kind(409, "The game is waiting for a different kind of move."),
    "game-over": Kind(409, "The game is over."),
    "already-resigned": Kind(409, "You have already resigned from this game."),
    "already-passed": Kind(409, "You have already passed in this battle."),
    "card-not-in-hand": Kind(409, "That card is not in your hand."),
    "region-owned": Kind(409, "A region with a control marker may not be contested."),
    "region-favored": Kind(409, "The region with the favor marker may not be contested."),
    "decline-not-allowed": Kind(409, "The holder of the battle marker must choose a region."),
    "card-barred": Kind(409, "That card may not be laid in a final battle."),
    "turn-up-required": Kind(409, "You must say which face-down card to turn up."),
    "turn-up-not-allowed": Kind(409, "This move cannot turn up that card."),
    "target-required": Kind(409, "The scarecrow must take back a mercenary."),
    "target-not-in-row": Kind(409, "That mercenary is not in that row."),
    "target-not-mercenary": Kind(409, "A scarecrow may take back only a mercenary."),
    "target-not-own": Kind(409, "A scarecrow may take back a mercenary only from your own row."),
    "target-not-allowed": Kind(409, "This card cannot take back another card."),
    "favor-required": Kind(409, "The bishop must move the favor marker to an empty region."),
    "favor-not-allowed": Kind(409, "This card cannot move the favor marker now."),
    "favor-region-not-empty": Kind(409, "The favor marker may move only to an empty region."),
    "hand-has-mercenaries": Kind(409, "A hand with a mercenary in it may not be discarded."),
    "too-many-kept": Kind(409, "You may not keep that many cards."),
    "too-many-drawn": Kind(409, "You may not draw that many cards now."),
    # Limits
    "rate-limited": Kind(429, "The service has received too many requests of this kind."),
    "too-many-own-waits": Kind(429, "You have too many open long polls and streams."),
    # The service
    "corrupt-log": Kind(500, "The server cannot read this game's log. Nothing was changed."),
    "unknown-format": Kind(
        500,
        "A later version of the service wrote this game's log, in a format that this version does not support.",
    ),
    "corrupt-data": Kind(500, "The server cannot read some of its stored data. Nothing was changed."),
    "internal-error": Kind(500, "An unexpected error occurred on the server."),
    "store-unavailable": Kind(
        503, "The store did not respond, so the server does not know whether the change was made."
    ),
    "read-only": Kind(503, "The service is temporarily read-only."),
    "other-layout": Kind(503, "The service is being upgraded, and its store has the layout of another version."),
    "too-many-connections": Kind(503, "The server has too many open connections."),
    "too-many-waits": Kind(503, "Too many requests are waiting for events."),
    "busy": Kind(503, "The server did not carry out this request, because other requests kept changing the same data."),
    "not-ready": Kind(503, "Part of the service is not ready."),
}
"""Every kind of problem, keyed by its code."""


SHOWN = 60
"""The maximum number of characters that a problem quotes from a caller's text."""


def shown(text: str) -> str:
    """Return a caller's text, shortened so that a problem can quote it."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


class Problem(Exception):
    """An exception that makes a request fail, with this problem as the response. The request changes nothing.

    `members` are additional members of the problem document. `headers` are additional headers of the response.
    """

    def __init__(self, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        """Create a problem. `code` is a key of `PROBLEMS`."""
        super().__init__(detail)
        self.code = code
        self.kind = PROBLEMS[code]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members

    def body(self) -> dict[str, Any]:
        """Return the problem document: an RFC 9457 object with an additional `code` member."""
        return {
            "type": f"/problems/{self.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "code": self.code,
            **self.members,
        }


def bad_cursor() -> Problem:
    """Return the problem for a cursor that is not from an earlier page of the same list."""
    errors = {"cursor": ["Must be the value of `next` from an earlier page."]}
    detail = "cursor: must be the value of `next` from an earlier page of this list, or omitted"
    return Problem("invalid-request", detail, errors=errors)


def busy(game_id: str) -> Problem:
    """Return the problem for a request that failed on every attempt, because other requests kept changing the game."""
    detail = "other requests kept changing the game, so this request was not carried out: try again"
    return Problem("busy", detail, headers={"Retry-After": "1"}, game=game_id)
