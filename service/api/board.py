"""The board in the browser: its files and its screens. The URLs of all screens return the same HTML."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, abort, request

from .. import board
from .answers import PublicBody, page_answer, tagged
from .conditions import make_conditional

blueprint = Blueprint("board", __name__)

SCREENS = {
    "/": "home.js",
    "/lobby": "lobby.js",
    "/new": "new.js",
    "/game/<game>": "game.js",
    "/rules/<edition>": "rules.js",
    "/player/<player>": "player.js",
    "/settings": "settings.js",
    "/signin": "signin.js",
}
"""Each screen's URL path and its script. In the browser, a script uses the path to choose the screen."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html service-worker"
)
"""The Content-Security-Policy. Pages may load only files from this service, and only lit-html may turn text into
HTML."""
FOREVER = "public, max-age=31536000, immutable"


def show_screen(**_parts: str) -> Response:
    """Return the HTML for a screen, without checking whether the game or the player exists.

    The script in the browser uses the API to check whether the game or the player exists.
    """
    assert request.url_rule, "a screen has a path"
    response = page_answer(_frame(SCREENS[request.url_rule.rule], _language()), "text/html", POLICY)
    response.vary.add("Accept-Language")
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response


for _address in SCREENS:
    blueprint.add_url_rule(_address, view_func=show_screen)


@blueprint.get("/static/<release>/<language>/<path:name>")
def file(release: str, language: str, name: str) -> Response:
    """Return one of this release's files. A request for a file of another release gets a 404."""
    if language not in board.languages() or f"/static/{release}/{language}" != board.base(language):
        abort(404)
    if name not in board.assets(language):
        abort(404)
    body = _file(language, name)
    response = Response(body.text, mimetype=board.media_type(name))
    response.headers["Cache-Control"] = FOREVER
    response.headers["Content-Security-Policy"] = POLICY
    response.set_etag(body.tag)
    return make_conditional(response)


@blueprint.get("/worker.js")
def worker() -> Response:
    """Return the service worker script. The script's URL path determines which pages the service worker can control."""
    response = page_answer(_worker(_language()), "text/javascript", POLICY)
    response.vary.add("Accept-Language")
    return response


def _language() -> str:
    """Return the first of the browser's languages that the board supports.

    If the browser asks for a variant that the board does not support, such as `en-GB`, return the base language `en`.
    """
    wanted = [language for tag, _ in request.accept_languages for language in (tag, tag.partition("-")[0])]
    return next((language for language in wanted if language in board.languages()), board.DEFAULT_LANGUAGE)


@cache
def _frame(script: str, language: str) -> PublicBody:
    return tagged(board.frame(script, language).encode())


@cache
def _worker(language: str) -> PublicBody:
    return tagged(board.worker(language).encode())


@cache
def _file(language: str, name: str) -> PublicBody:
    return tagged(board.assets(language)[name])
