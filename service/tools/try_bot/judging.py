"""Judges an endpoint's responses by the same rules as the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import EngineError, command_to_record, decide

from ...games.game import StartedGame
from ...play.moves import requested_command
from ...problems import Problem
from ...webhooks import answering
from ...webhooks.kinds import PING, TURN_STARTED
from ...webhooks.sending import PostResult
from .games import PLAYER, Moment
from .requests import UNTRUSTED, Request

LEGAL, ILLEGAL, NO_MOVE = "legal", "illegal", "no-move"
ACCEPTED, REFUSED, NOT_REFUSED, FAILED, WRONG_CHALLENGE = (
    "accepted",
    "refused",
    "not-refused",
    "failed",
    "wrong-challenge",
)
VERDICTS: Mapping[str, str] = {
    LEGAL: "a legal move",
    NO_MOVE: "a turn is accepted without a move, so it stays open",
    ACCEPTED: "the request is accepted",
    REFUSED: "a request that must be refused is refused",
    ILLEGAL: "a move that the service would refuse",
    WRONG_CHALLENGE: "the ping is accepted, but the challenge is missing or wrong",
    NOT_REFUSED: "a request that must be refused is accepted",
    FAILED: "no response, or a status that makes the service try again",
}
"""The verdicts and their meanings. The verdicts that come after `refused` mean that the response is wrong."""
WRONG = frozenset({ILLEGAL, WRONG_CHALLENGE, NOT_REFUSED, FAILED})


class Judgment(NamedTuple):
    """The judgment of a response: a verdict, and either the legal move or the reason why the move is refused."""

    verdict: str
    move: dict[str, Any] | None = None
    problem: dict[str, Any] | None = None


def judge(request: Request, result: PostResult) -> Judgment:
    """Judge an endpoint's response to a request, and return the verdict."""
    if request.case in UNTRUSTED:
        if result.status is None:
            return Judgment(FAILED)
        return Judgment(NOT_REFUSED if 200 <= result.status < 300 else REFUSED)
    if result.status is None or not 200 <= result.status < 300:
        return Judgment(FAILED)
    if request.type == PING:
        return Judgment(ACCEPTED if answering.has_challenge(request.challenge, result.body) else WRONG_CHALLENGE)
    if request.type != TURN_STARTED or request.moment is None:
        return Judgment(ACCEPTED)
    if result.status == answering.ACCEPTED:
        return Judgment(NO_MOVE)
    return _judge_move(request.moment, result.body)


def _judge_move(moment: Moment, body: bytes) -> Judgment:
    try:
        choice = answering.move_in(body)
        if choice is None:
            return Judgment(NO_MOVE)
        return Judgment(LEGAL, _legal_move(moment, choice))
    except (answering.BadAnswer, Problem, EngineError) as error:
        return Judgment(ILLEGAL, problem=answering.problem_of(error))


def _legal_move(moment: Moment, choice: int | Mapping[str, Any]) -> dict[str, Any]:
    """Return the move that a choice names, if the engine allows the move. Raises: BadAnswer, Problem, EngineError."""
    game = moment.game
    assert isinstance(game, StartedGame)
    command = requested_command(game, game.state.turn, answering.move_record(game, PLAYER, choice))
    decide(game.state, command, game.chance)
    return command_to_record(command)
