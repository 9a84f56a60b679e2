"""Pages for people: the interactive reference at /docs, and what each kind of problem means.

Swagger UI comes from the files of the package flask-swagger-ui, so that nothing is fetched from elsewhere.
"""

from __future__ import annotations

from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, abort, redirect, request, send_from_directory, url_for
from werkzeug.wrappers import Response as Redirect

from ..problems import PROBLEMS

blueprint = Blueprint("pages", __name__)

ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"
REFERENCE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Condottiere API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
"""
START = """\
SwaggerUIBundle({url: "/openapi.json", dom_id: "#reference", deepLinking: true, docExpansion: "list"});
"""
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SERVED = {"swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"}


@blueprint.get("/")
def home() -> Redirect:
    """Lead people to the reference."""
    return redirect(url_for("pages.reference"))


@blueprint.get("/docs")
def reference() -> Response:
    """Show the reference."""
    return Response(REFERENCE, mimetype="text/html", headers={"Content-Security-Policy": POLICY})


@blueprint.get("/docs/start.js")
def start() -> Response:
    """Start Swagger UI."""
    return Response(START, mimetype="text/javascript")


@blueprint.get("/docs/<path:name>")
def asset(name: str) -> Response:
    """Serve a file of Swagger UI that the reference needs."""
    if name not in SERVED:
        abort(404)
    _forget_an_odd_range()
    return send_from_directory(ASSETS, name, max_age=86400)


def _forget_an_odd_range() -> None:
    """Ignore a Range that is not one range of bytes (RFC 9110, 14.2); one that the file does not have is refused."""
    header = request.range
    if header is None or header.units != "bytes" or len(header.ranges) != 1:
        request.environ.pop("HTTP_RANGE", None)


@blueprint.get("/problems/<code>")
def problem(code: str) -> Response:
    """Say what a kind of problem means."""
    kind = PROBLEMS.get(code)
    if kind is None:
        abort(404)
    return Response(f"{code} ({kind.status})\n\n{kind.title}\n", mimetype="text/plain")
