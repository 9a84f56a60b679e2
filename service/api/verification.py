"""Verification: verifies records of finished games, for anybody who sends one."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Any

from flask import Response

from ..problems import PROBLEMS, Problem
from ..records.reading import read_record
from ..records.report import kept_head
from ..records.verifying import verify
from ..schemas.records import GameRecordSchema
from ..schemas.verification import VerificationQuerySchema, VerificationSchema
from .answers import answer
from .bodies import record_body
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Verification", __name__, url_prefix="/v1/records", description="Verify the record of a game from any server."
)

_OF_RECORDS = (*(code for code in PROBLEMS if code.startswith("record-")), "unknown-record-format")
AT_ONCE = 2
"""How many records a process verifies at the same time. The largest records take several seconds of CPU time."""
_places = BoundedSemaphore(AT_ONCE)


@blueprint.post("/verify", scope=None, keyless=True, problems=(*_OF_RECORDS, "bad-head"))
@blueprint.doc(operationId="verifyRecord")
@blueprint.arguments(VerificationQuerySchema, location="query")
@blueprint.takes_record(GameRecordSchema, REQUESTS["verifyRecord"])
@blueprint.response(200, VerificationSchema, example=ANSWERS["verifyRecord"])
def verify_record(query: dict[str, Any]) -> Response:
    """Verify the record of a finished game.

    The server recomputes every commit and every draw. The server also repeats the choices of bots that do not search,
    and checks hashes, clocks and the result. The response describes the first error. The record can come from any
    server, and this server does not store it. If the server cannot read the record, you get an error response.
    """
    heads = [kept_head(text) for text in query["head"].split(",")] if "head" in query else []
    body = record_body()
    if not _places.acquire(blocking=False):
        raise Problem(
            "verifier-busy",
            "too many records are being verified right now: try again in a few seconds",
            headers={"Retry-After": "5"},
        )
    try:
        report = verify(read_record(body), heads, searches=False)
    finally:
        _places.release()
    return answer(report.as_json())
