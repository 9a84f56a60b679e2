"""Health: health checks for operators, and announcements for everybody."""

from __future__ import annotations

from dataclasses import asdict

from flask import Response

from ..admin import switching
from ..problems import Problem
from ..schemas.admin import AnnouncementListSchema
from ..schemas.health import DurabilitySchema, HealthSchema, ReadinessSchema
from ..views import health
from .answers import answer
from .context import games
from .examples import ANSWERS
from .resource import Resource

blueprint = Resource(
    "Health",
    __name__,
    url_prefix="/v1",
    description="Check the health of the service, and read the host's announcements.",
)


@blueprint.get("/health", scope=None)
@blueprint.doc(operationId="getHealth")
@blueprint.response(200, HealthSchema, example=ANSWERS["getHealth"])
def get_health() -> Response:
    """Report whether each part of the service works.

    `parts` lists the two Redis servers and the background processes. `duties` lists the background tasks. A background
    task counts as up if it finished recently. `set_aside` lists games in which nobody can move until an operator
    repairs them. All other games continue normally. `damaged_keys` lists indexes that cannot be read.
    """
    report = health.check_health(games())
    content = {
        "parts": report.parts,
        "duties": [asdict(duty) for duty in report.duties],
        "set_aside": [aside._asdict() for aside in report.set_aside],
        "set_aside_count": report.set_aside_count,
        "damaged_keys": list(report.damaged_keys),
        "layout": asdict(report.layout),
        "test_clock": games().test_clock,
    }
    if report.down:
        unknown = (
            ""
            if report.parts["queue"]
            else "the queue server is not responding, so the state of worker, thinker, clock and deliverer is unknown"
        )
        detail = "; ".join(
            [f"not working: {', '.join(report.down)}", *report.problems, *([unknown] if unknown else [])]
        )
        raise Problem("not-ready", detail, headers={"Retry-After": "2"}, **content)
    return answer({"status": "up", **content})


@blueprint.get("/ready", scope=None)
@blueprint.doc(operationId="getReadiness")
@blueprint.response(200, ReadinessSchema, example=ANSWERS["getReadiness"])
def get_readiness() -> Response:
    """Report whether this process is ready to handle requests.

    A process is ready if the store responds, accepts writes, keeps them on disk and evicts nothing.
    """
    readiness = health.readiness(games())
    durability = {name: getattr(readiness, name) for name in DurabilitySchema().fields}
    if not readiness.ready:
        raise Problem("not-ready", "; ".join(readiness.problems), durability=durability, headers={"Retry-After": "2"})
    return answer({"status": "ready", "durability": durability})


@blueprint.get("/announcements", scope=None)
@blueprint.doc(operationId="listAnnouncements")
@blueprint.response(200, AnnouncementListSchema, example=ANSWERS["listAnnouncements"])
def list_announcements() -> Response:
    """List the host's current announcements.

    If you have a token, the notices in `GET /v1/me` include the same announcements.
    """
    return answer({"announcements": switching.announcements(games())})
