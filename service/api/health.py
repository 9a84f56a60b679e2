"""Health and readiness, for those who run the service."""

from __future__ import annotations

from dataclasses import asdict

from flask import Response

from .. import health
from ..problems import Problem
from ..schemas.health import HealthSchema, ReadinessSchema
from .examples import ANSWERS
from .http import Resource, answer, games

blueprint = Resource("Health", __name__, url_prefix="/v1", description="For those who run the service.")


@blueprint.get("/health")
@blueprint.doc(operationId="getHealth", security=[])
@blueprint.response(200, HealthSchema, example=ANSWERS["getHealth"])
def get_health() -> Response:
    """Say whether every part of the service is up: both servers, a worker, a clock and a deliverer."""
    parts = health.parts(games())
    down = [name for name, up in parts.items() if not up]
    if down:
        unknown = "" if parts["queue"] else "; without the queue nobody can say whether the others are"
        raise Problem("not-ready", f"not up: {', '.join(down)}{unknown}", parts=parts, headers={"Retry-After": "2"})
    return answer({"status": "up", "parts": parts})


@blueprint.get("/ready")
@blueprint.doc(operationId="getReadiness", security=[])
@blueprint.response(200, ReadinessSchema, example=ANSWERS["getReadiness"])
def get_readiness() -> Response:
    """Say whether this process may be sent requests: the store answers and forgets nothing."""
    readiness = health.readiness(games())
    if not readiness.ready:
        raise Problem(
            "not-ready", "; ".join(readiness.problems), durability=asdict(readiness), headers={"Retry-After": "2"}
        )
    return answer({"status": "ready", "durability": asdict(readiness)})
