"""Pages for browsers: the developers' page, the guides, a page for each kind of problem, and the API reference.

The `guides` package creates the pages. This module defines the URLs and headers of the pages. The Swagger UI files
under /docs come from the flask-swagger-ui package, so browsers load nothing from other sites.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePosixPath

import flask_swagger_ui
from flask import Blueprint, Response, abort, current_app, redirect, request, send_from_directory
from werkzeug.wrappers import Response as Redirect

from ..guides import pages
from ..guides.documents import address_of, documents, picture, pictures
from ..guides.search import index
from ..problems import MEDIA_TYPE, PROBLEMS
from .answers import PublicBody, page_answer, tagged

blueprint = Blueprint("pages", __name__)

REFERENCE = "/docs"
ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"
START = b"""\
SwaggerUIBundle({url: "/openapi.json", dom_id: "#content", deepLinking: true, docExpansion: "list"});
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
"""
OPERATIONS = "operations"
"""The key in `app.extensions` for the list of operations that the search can find."""
POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The Content-Security-Policy of pages. Pages may load only files from this service. Scripts may not turn text into
HTML."""
PICTURE_TYPES = {".svg": "image/svg+xml", ".webp": "image/webp"}
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The Content-Security-Policy of pictures. An SVG may contain styles."""
REFERENCE_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the API reference. Swagger UI needs inline styles and pictures."""
SERVED_FILES = {"swagger-ui.css", "swagger-ui-bundle.js"}


@blueprint.get("/developers")
def developers() -> Response:
    """Show the page for developers, hosts and researchers."""
    return _html(pages.developers)


@blueprint.get("/guide/")
def guides() -> Response:
    """List the guides."""
    return _html(pages.guide_list)


@blueprint.get("/guide/<path:name>")
def guide(name: str) -> Response | Redirect:
    """Show a guide, or return a file that the pages load."""
    if name in pages.ASSETS:
        return page_answer(_file(name), pages.ASSETS[name], POLICY)
    if name in pictures():
        return page_answer(_picture(name), PICTURE_TYPES[PurePosixPath(name).suffix], PICTURE_POLICY)
    if name in documents():
        return _html(pages.guide, name)
    bare = name.rstrip("/")
    address = documents()[bare].address if bare in documents() else address_of(f"docs/{bare}")
    if address is None:
        abort(404)
    return _moved(address)


@blueprint.get("/guide/index.json")
def search_index() -> Response:
    """Return the search index."""
    return page_answer(_index(), "application/json", POLICY)


@blueprint.get("/problems", strict_slashes=False)
def problems() -> Redirect:
    """Redirect to the list of all problems."""
    return _moved(documents()[pages.ERRORS].address)


@blueprint.get("/problems/<path:code>")
def problem(code: str) -> Response | Redirect:
    """Show the page about a kind of problem. The URL of this page is the problem's `type`."""
    if code in PROBLEMS:
        return _html(pages.problem, code)
    bare = code.rstrip("/")
    if bare not in PROBLEMS:
        abort(404)
    return _moved(pages.problem_addresses()[bare])


@blueprint.get(REFERENCE)
def reference() -> Response:
    """Show the API reference."""
    return _html(pages.reference, policy=REFERENCE_POLICY)


@blueprint.get("/docs/")
def reference_with_slash() -> Redirect:
    """Redirect to the API reference."""
    return _moved(REFERENCE)


@blueprint.get("/docs/start.js")
def start() -> Response:
    """Return the script that starts Swagger UI."""
    return page_answer(tagged(START), "text/javascript", REFERENCE_POLICY)


@blueprint.get("/docs/<path:name>")
def asset(name: str) -> Response:
    """Return a file that Swagger UI needs."""
    if name not in SERVED_FILES:
        abort(404)
    _forget_an_odd_range()
    return send_from_directory(ASSETS, name, max_age=86400)


def _forget_an_odd_range() -> None:
    """Remove the Range header unless it asks for exactly one range of bytes (RFC 9110, 14.2).

    Flask handles a request for one range.
    """
    header = request.range
    if header is None or header.units != "bytes" or len(header.ranges) != 1:
        request.environ.pop("HTTP_RANGE", None)


def prefers_page() -> bool:
    """Return whether the client prefers HTML to JSON, as a browser does."""
    accepted = request.accept_mimetypes
    return accepted["text/html"] > max(accepted[MEDIA_TYPE], accepted["application/json"])


def is_of_api() -> bool:
    """Return whether the request is for the API."""
    return f"{request.path}/".startswith("/v1/")


def not_found_page() -> Response:
    """Return the page for a URL path that does not exist."""
    response = Response(_write_once(pages.not_found).text, 404, mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _moved(address: str) -> Redirect:
    """Redirect permanently to a path. The redirect has no scheme or host, because a proxy may use a different scheme or
    host.
    """
    return redirect(address, 308)


# Each of these bodies is created once per process, when it is first requested.


@cache
def _write_once(make: Callable[..., str], *arguments: str) -> PublicBody:
    return tagged(make(*arguments).encode())


@cache
def _file(name: str) -> PublicBody:
    return tagged(pages.asset(name))


@cache
def _picture(name: str) -> PublicBody:
    return tagged(picture(name))


@cache
def _index() -> PublicBody:
    return tagged(index(current_app.extensions[OPERATIONS]))


def _html(make: Callable[..., str], *arguments: str, policy: str = POLICY) -> Response:
    return page_answer(_write_once(make, *arguments), "text/html", policy)
