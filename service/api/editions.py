"""Editions and bots: the editions that players can choose, and the bots that can play them.

The responses are the same for everybody.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Response

from engine import EDITIONS, NEWEST, Edition

from ..editions.clauses import clauses_of
from ..editions.comparison import compare
from ..editions.presentation import show_bots, show_clause, show_edition, show_edition_summary
from ..editions.sentences import show_sentences
from ..problems import Problem, shown
from ..schemas.bots import BotListSchema
from ..schemas.editions import (
    ComparisonSchema,
    EditionClauseSchema,
    EditionListSchema,
    EditionSchema,
    EditionSentencesSchema,
)
from ..schemas.queries import EditionQuerySchema, SentencesQuerySchema
from .answers import PublicBody, public_answer, public_body
from .examples import ANSWERS
from .resource import Resource

blueprint = Resource("Editions", __name__, url_prefix="/v1", description="Look up editions, their rules, and bots.")


@blueprint.get("/editions", scope=None)
@blueprint.doc(operationId="listEditions")
@blueprint.response(200, EditionListSchema, example=ANSWERS["listEditions"])
def list_editions() -> Response:
    """List the editions.

    The list contains each edition's key, title and numbers of seats. `GET /v1/editions/{key}` returns
    everything else.
    """
    return public_answer(_editions_body())


@blueprint.get("/editions/<key>", scope=None)
@blueprint.doc(operationId="getEdition")
@blueprint.arguments(EditionQuerySchema, location="query")
@blueprint.response(200, EditionSchema, example=ANSWERS["getEdition"])
def get_edition(query: dict[str, Any], key: str) -> Response:
    """Get an edition: its deck, board, goals, options and clauses.

    Without `revision`, you get the newest revision, which is also the one that new games use.
    """
    return public_answer(_edition_body(key, query.get("revision")))


@blueprint.get("/editions/<key>/rules/<clause>", scope=None)
@blueprint.doc(operationId="getClause")
@blueprint.arguments(EditionQuerySchema, location="query")
@blueprint.response(200, EditionClauseSchema, example=ANSWERS["getClause"])
def get_clause(query: dict[str, Any], key: str, clause: str) -> Response:
    """Get one clause of an edition's rules.

    When the rules forbid a move, the error response names the `clause`. In the request for the clause, send the game's
    `revision` too. Without `revision`, you get the clause from the newest revision.
    """
    return public_answer(_clause_body(key, query.get("revision"), clause))


@blueprint.get("/editions/<key>/sentences", scope=None)
@blueprint.doc(operationId="getSentences")
@blueprint.arguments(SentencesQuerySchema, location="query")
@blueprint.response(200, EditionSentencesSchema, example=ANSWERS["getSentences"])
def get_sentences(query: dict[str, Any], key: str) -> Response:
    """Get sentences that a client can use to describe events to people.

    Events contain no text. Each sentence is a template, such as `{seat} lays {card}.`, which a client fills in with the
    event's members.
    """
    return public_answer(_sentences_body(key, query.get("revision"), query["language"]))


@blueprint.get("/editions/<one>/compare/<other>", scope=None)
@blueprint.doc(operationId="compareEditions")
@blueprint.response(200, ComparisonSchema, example=ANSWERS["compareEditions"])
def compare_editions(one: str, other: str) -> Response:
    """Compare two editions.

    The response lists every rule that differs between the two editions.
    """
    return public_answer(_comparison_body(one, other))


@blueprint.get("/bots", scope=None)
@blueprint.doc(operationId="listBots")
@blueprint.response(200, BotListSchema, example=ANSWERS["listBots"])
def list_bots() -> Response:
    """List the bots that can play a seat.

    The weakest bot comes first.
    """
    return public_answer(_bots_body())


# Each body is serialised once per process. A call that raises an exception is not cached.


@cache
def _editions_body() -> PublicBody:
    return public_body({"editions": [show_edition_summary(value) for value in NEWEST.values()]})


@cache
def _edition_body(key: str, revision: int | None) -> PublicBody:
    return public_body(show_edition(_edition(key, revision)))


@cache
def _clause_body(key: str, revision: int | None, number: str) -> PublicBody:
    value = _edition(key, revision)
    clause = show_clause(value, number)
    if clause is None:
        raise Problem(
            "unknown-clause",
            f"{key} has no clause {shown(number)} in revision {value.revision}: `clauses` lists the clauses",
            clauses=[each["number"] for each in clauses_of(value)],
        )
    return public_body(clause)


@cache
def _sentences_body(key: str, revision: int | None, language: str) -> PublicBody:
    return public_body(show_sentences(_edition(key, revision), language))


@cache
def _comparison_body(one: str, other: str) -> PublicBody:
    return public_body(compare(_edition(one), _edition(other)))


@cache
def _bots_body() -> PublicBody:
    return public_body(show_bots())


def _edition(key: str, revision: int | None = None) -> Edition:
    """Return a revision of an edition.

    If `revision` is None, return the newest revision. Raises: Problem (unknown-edition).
    """
    revisions = EDITIONS.get(key)
    if revisions is None:
        raise Problem(
            "unknown-edition",
            f"there is no edition {shown(key)}: choose one of {', '.join(EDITIONS)}",
            editions=list(EDITIONS),
        )
    value = NEWEST[key] if revision is None else revisions.get(revision)
    if value is None:
        raise Problem(
            "unknown-edition",
            f"{key} has no revision {revision}: choose one of {', '.join(map(str, revisions))}",
            revisions=list(revisions),
        )
    return value
