"""What can go wrong with a request, as RFC 9457 problems with a stable code.

Every problem that leaves the service stands in `PROBLEMS`, and so do its status and its title; a test compares the
table with `docs/errors.md`. The rules' own refusals keep the engine's codes and are answered with 409.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

MEDIA_TYPE = "application/problem+json"


class Kind(NamedTuple):
    """A kind of problem: its HTTP status and what it says in general."""

    status: int
    title: str


PROBLEMS: Mapping[str, Kind] = {
    # The request cannot be read
    "unreadable-request": Kind(400, "This is no HTTP request."),
    "address-too-long": Kind(414, "The address is longer than any here."),
    "headers-too-large": Kind(431, "The headers are larger than any request needs."),
    "request-timeout": Kind(408, "The request did not arrive in time."),
    "expectation-failed": Kind(417, "The request expects something that is not done here."),
    "malformed-json": Kind(400, "The body is not JSON."),
    "malformed-header": Kind(400, "A header cannot be read."),
    "not-acceptable": Kind(406, "This cannot be sent in any form that is accepted."),
    "unsupported-media-type": Kind(415, "The body must be sent as application/json."),
    "invalid-request": Kind(422, "The request does not have the documented shape."),
    "unknown-field": Kind(422, "The request holds something that is not documented."),
    "body-too-large": Kind(413, "The body is larger than any request needs."),
    "range-not-satisfiable": Kind(416, "The file ends before the range that was asked for."),
    # Who asks
    "token-required": Kind(401, "This needs a token."),
    "token-unknown": Kind(401, "Nobody has this token."),
    "not-seated": Kind(403, "You do not sit in this game."),
    "not-your-seat": Kind(403, "That seat is somebody else's."),
    "not-the-owner": Kind(403, "Only the owner of the game may do this."),
    # What is asked for
    "not-found": Kind(404, "There is nothing at this address."),
    "method-not-allowed": Kind(405, "This address does not take that method."),
    "unknown-game": Kind(404, "There is no such game."),
    "unknown-player": Kind(404, "There is no such player."),
    "unknown-edition": Kind(404, "There is no such edition, or it has no such revision."),
    "unknown-webhook": Kind(404, "You have no such webhook."),
    "unknown-delivery": Kind(404, "There is no such delivery, or it has been forgotten."),
    # Players and tables
    "name-taken": Kind(409, "Another player has this name."),
    "wrong-seats": Kind(422, "The edition is not played by so many."),
    "bad-option": Kind(422, "The edition has no such option, the option no such value, or two do not go together."),
    "bad-bot": Kind(422, "A bot is given a seat that the game does not have."),
    "bad-seed": Kind(422, "The seed may only be chosen for a game with one person in it."),
    "seat-taken": Kind(409, "That seat is taken."),
    "already-seated": Kind(409, "You sit in this game already."),
    "no-free-seat": Kind(409, "Every seat is taken."),
    "seats-open": Kind(409, "The game cannot start before every seat is taken."),
    "game-started": Kind(409, "The game has started."),
    "game-not-started": Kind(409, "The game has not started."),
    "game-cancelled": Kind(409, "The game was cancelled."),
    # Clocks and absence
    "no-clock": Kind(409, "Nobody's time is counted in this game."),
    "game-paused": Kind(409, "The game pauses."),
    "game-not-paused": Kind(409, "The game does not pause."),
    "seat-with-bot": Kind(409, "A bot moves for your seat."),
    "seat-not-with-bot": Kind(409, "No bot moves for your seat."),
    "extension-too-long": Kind(409, "A turn may not be extended by so much."),
    "extension-pending": Kind(409, "You have asked for more time already."),
    "no-extension-asked": Kind(409, "Nobody else has asked for so much more time."),
    "no-vacation": Kind(409, "Not enough vacation is saved."),
    # Standing orders
    "no-battle": Kind(409, "No battle goes on in which you fight."),
    "stale-orders": Kind(412, "Your orders have changed since the version you saw."),
    # Webhooks
    "bad-endpoint": Kind(422, "A webhook may not lead there."),
    "bad-secret": Kind(422, "That is no secret for a webhook."),
    "webhook-loop": Kind(422, "A webhook may not lead back to this service."),
    "too-many-webhooks": Kind(409, "Nobody may have so many webhooks."),
    "loop-detected": Kind(508, "A delivery of a webhook has come to a service that sends them."),
    # Versions and keys
    "version-required": Kind(428, "Say which version of the game you saw, in If-Match."),
    "stale-version": Kind(412, "The game has moved on since the version you saw."),
    "key-reused": Kind(422, "This Idempotency-Key was used for another body."),
    # The rules forbid it now
    "not-your-turn": Kind(409, "It is another seat's turn."),
    "wrong-phase": Kind(409, "The game waits for another kind of move."),
    "game-over": Kind(409, "The game is over."),
    "already-resigned": Kind(409, "You have resigned."),
    "already-passed": Kind(409, "You have passed for this battle."),
    "card-not-in-hand": Kind(409, "That card is not in your hand."),
    "region-owned": Kind(409, "A region with a control marker may not be contested."),
    "region-favored": Kind(409, "The region with the favor marker may not be contested."),
    "decline-not-allowed": Kind(409, "The holder of the battle marker must choose a region."),
    "card-barred": Kind(409, "That card may not be laid in a final battle."),
    "turn-up-required": Kind(409, "Say which of the two face-down cards is turned up."),
    "turn-up-not-allowed": Kind(409, "That card cannot be turned up with this one."),
    "target-required": Kind(409, "The scarecrow must take a mercenary back."),
    "target-not-in-row": Kind(409, "No such mercenary lies in that row."),
    "target-not-mercenary": Kind(409, "A scarecrow takes back mercenaries only."),
    "target-not-own": Kind(409, "A scarecrow takes back from its own row only."),
    "target-not-allowed": Kind(409, "This card takes nothing back."),
    "favor-required": Kind(409, "The Bishop must move the favor marker to an empty region."),
    "favor-not-allowed": Kind(409, "This card does not move the favor marker now."),
    "favor-region-not-empty": Kind(409, "The favor marker goes to an empty region only."),
    "hand-has-mercenaries": Kind(409, "A hand with a mercenary in it may not be discarded."),
    "too-many-kept": Kind(409, "The last hand may keep fewer cards."),
    "too-many-drawn": Kind(409, "Fewer cards may be drawn now."),
    # The service
    "corrupt-log": Kind(500, "The log of this game cannot be read; it is left as it is."),
    "unknown-format": Kind(
        500, "A later version of the service has written to this game, in a way that this one does not know."
    ),
    "corrupt-data": Kind(500, "Something that is stored cannot be read; it is left as it is."),
    "internal-error": Kind(500, "Something went wrong here."),
    "store-unavailable": Kind(503, "The store does not answer; nothing was changed, or the answer was lost."),
    "other-layout": Kind(503, "The service is being upgraded: its store is in the layout of another version."),
    "too-many-connections": Kind(503, "Too many connections are open here."),
    "too-many-waits": Kind(503, "Too many requests are waiting for events here."),
    "busy": Kind(503, "Others kept changing the game at the same moment; nothing was changed."),
    "not-ready": Kind(503, "A part of the service is not up."),
}
"""Every kind of problem by its code."""


SHOWN = 60
"""The most characters of a caller's own text that a problem quotes."""


def shown(text: str) -> str:
    """Return a caller's text, shortened so that a problem can quote it."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


class Problem(Exception):
    """A request that ends in a problem; nothing has changed.

    `members` are further members of the problem, `headers` go with the answer.
    """

    def __init__(self, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        """Raise a problem of a kind that stands in `PROBLEMS`."""
        super().__init__(detail)
        self.code = code
        self.kind = PROBLEMS[code]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members

    def body(self) -> dict[str, Any]:
        """Return the problem as RFC 9457 wants it, with its `code`."""
        return {
            "type": f"/problems/{self.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "code": self.code,
            **self.members,
        }


def busy(game_id: str) -> Problem:
    """Return the problem of a request that lost every race."""
    detail = "others kept changing the game at the same moment; try again"
    return Problem("busy", detail, headers={"Retry-After": "1"}, game=game_id)
