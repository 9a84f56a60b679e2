"""Pages: the developers' page, the list of guides, the guides, the problem pages, and the API reference.

Each function returns a whole page. Pages load only files from this service and contain no inline style or script, so
that they work under a strict Content-Security-Policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from engine import NEWEST

from ..problems import PROBLEMS
from .documents import FOR_HOSTS, INDEX, documents, grouped, slug

if TYPE_CHECKING:
    from .markdown import Cell, Rendered

ERRORS = "errors"
"""The name of the document with the advice for each problem."""
ASSETS = {
    "style.css": "text/css",
    "search.js": "text/javascript",
    "session.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
"""The files that pages load, with their types."""
SESSION = "$ API="
"""A document that contains this string has commands that readers can run against any server."""


@cache
def rendered(name: str) -> Rendered:
    """Return the document with this name, converted to HTML."""
    # The import is inside this function, so that the web process loads the Markdown library only for the first page.
    from .markdown import render

    document = documents()[name]
    return render(document.text, document.path, problem_addresses() if name == ERRORS else {})


def developers() -> str:
    """Return the page for developers, hosts and researchers."""
    return _page("developers.html")


def guide_list() -> str:
    """Return the list of all guides."""
    return _page("guides.html", leads={name: rendered(name).lead for name in documents()})


def guide(name: str) -> str:
    """Return the page of the guide with this name."""
    document, content = documents()[name], rendered(name)
    has_session = SESSION in document.text and document not in grouped()[FOR_HOSTS]
    return _page("guide.html", document=document, content=content, has_session=has_session)


def problem(code: str) -> str:
    """Return the page that explains a kind of problem and what to do about it."""
    kind = PROBLEMS[code]
    editions = [edition for edition in NEWEST.values() if code in edition.clauses]
    clauses = [(documents()[f"rules/{edition.key}"], edition.clauses[code]) for edition in editions]
    return _page(
        "problem.html",
        code=code,
        kind=kind,
        phrase=HTTPStatus(kind.status).phrase,
        advice=advice()[code],
        clauses=clauses,
    )


def not_found() -> str:
    """Return the page for a URL path that does not exist."""
    return _page("not_found.html")


def unsubscribing(*, done: bool) -> str:
    """Return the page where a player can unsubscribe from e-mail.

    If `done` is true, return the page that confirms that the player has unsubscribed.
    """
    return _page("unsubscribing.html", done=done)


def reference() -> str:
    """Return the page on which Swagger UI shows the API reference."""
    return _page("reference.html")


@cache
def advice() -> Mapping[str, Cell]:
    """Return each problem's advice from the document about errors, keyed by the problem's code."""
    from .markdown import rows

    document = documents()[ERRORS]
    return {code: cells[-1] for code, cells in rows(document.text, document.path).items() if code in PROBLEMS}


def problem_addresses() -> Mapping[str, str]:
    """Return the URL path of each problem's page, keyed by the problem's code."""
    return {code: f"/problems/{code}" for code in PROBLEMS}


def asset(name: str) -> bytes:
    """Return the content of one of the files in `ASSETS`."""
    return files(__package__).joinpath("assets", name).read_bytes()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["slug"] = slug
    environment.globals.update(groups=grouped(), index=INDEX, version=version("condottiere-api"))
    return environment


def _page(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(values)
