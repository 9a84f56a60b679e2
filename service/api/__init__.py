"""The HTTP interface: one blueprint per resource, and the code that all resources share.

A view reads a request, calls a function of another package, and writes the response. All code that does not depend on
HTTP, such as the rules of the game, is in other packages. This package does not import the store.

All resources use the same helpers. `callers` reads tokens, `conditions` reads versions and keys, and `bodies` reads
JSON and queries. `context` returns the data that Flask keeps for a view, and `answers` writes responses. `resource` is
the blueprint of all resources. `idempotency` wraps the views that change something. `requests` adds data about each
request to the log and to the response. `errors` maps exceptions to problems. `codes` lists the problems of each
operation, and `description` completes the OpenAPI document.

Libraries: apispec, flask, flask_smorest, flask_swagger_ui, marshmallow, orjson, werkzeug.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import version

from flask import Flask
from flask_smorest import Api

from ..config import Config
from ..guides.search import operations_of
from ..schemas.describing import SchemaPlugin, open_answers
from ..schemas.problems import ProblemSchema
from ..schemas.records import SCHEMA_NAME
from . import (
    accounts,
    admin,
    advice,
    board,
    clocks,
    description,
    editions,
    ending,
    events,
    games,
    health,
    inbox,
    invitations,
    lines,
    links,
    moves,
    notices,
    orders,
    outbound,
    owning,
    pages,
    players,
    records,
    showing,
    tables,
    talk,
    verification,
    webhooks,
)
from .access import check_access
from .answers import RETRY_AFTER, public_answer, public_body
from .bodies import LARGEST_BODY, refuse_unexpected_input
from .browsers import add_browser_headers
from .errors import answer_error
from .idempotency import honour_keys
from .limits import enforce
from .requests import REQUEST_ID, begin_request, end_request, label_operations

DESCRIPTION = """\
Play the board game Condottiere with two to six seats, against people and bots.

Register once and send your token as `Authorization: Bearer <token>`. Open or join a game. To move, post one of the
`moves` listed in the game. In the `If-Match` header, send the `version` that you last saw. Errors are RFC 9457 problems
with a stable `code`. The guides are at `/guide/`.
"""


class CondottiereApi(Api):  # type: ignore[misc]
    """A flask-smorest `Api` that returns errors as problem documents."""

    ERROR_SCHEMA = ProblemSchema

    def _register_responses(self) -> None:
        response = {
            "description": "A problem that any request can get: the server could not read the request "
            "(4xx), or could not handle it now (5xx). `code` names the kind of problem.",
            "content": {"application/problem+json": {"schema": ProblemSchema}},
            "headers": REQUEST_ID | RETRY_AFTER,
        }
        self.spec.components.response("DEFAULT_ERROR", response)

    def _register_pagination_header(self) -> None:
        """Do nothing, because lists return their cursors in the body and need no pagination header."""

    def _register_error_handlers(self) -> None:
        self._app.register_error_handler(Exception, answer_error)


def register(app: Flask, config: Config) -> CondottiereApi:
    """Register the resources, the error handlers and the pages with an app."""
    app.config.update(
        API_TITLE="Condottiere",
        API_VERSION=version("condottiere-api"),
        OPENAPI_VERSION="3.1.0",
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        API_SPEC_OPTIONS={
            "servers": description.SERVERS,
            "info": {
                "description": DESCRIPTION,
                "contact": {"name": "The host of this service"},
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
            "security": [{"token": []}],
        },
    )
    app.before_request(begin_request)
    app.before_request(refuse_unexpected_input)
    app.after_request(end_request)
    app.after_request(add_browser_headers)
    enforce(app, config)
    app.before_request(check_access)
    api = CondottiereApi(app, spec_kwargs={"marshmallow_plugin": SchemaPlugin()})
    of_tables = (games, tables, invitations, owning, ending)
    of_games = (*of_tables, moves, showing, advice, lines, orders, events, records, inbox, talk, clocks)
    for resource in (players, accounts, editions, *of_games, webhooks, notices, health, verification, admin):
        api.register_blueprint(resource.blueprint)
    outbound.describe(api.spec)
    links.describe(api.spec)
    app.register_blueprint(board.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(notices.links)
    # Generate the document only once. flask-smorest would generate it for each request, which takes as long as 80
    # requests for /v1/bots.
    generated = open_answers(api.spec.to_dict(), {SCHEMA_NAME})
    app.extensions[pages.OPERATIONS] = operations_of(generated)
    document = description.shared(generated)
    for path, variant in (
        (description.PATH, document),
        (description.WITHOUT_WEBHOOKS, description.without_webhooks(document)),
    ):
        app.add_url_rule(path, path.strip("/").replace(".", "-"), partial(public_answer, public_body(variant)))
    app.add_url_rule(records.SCHEMA_PATH, "record_schema", records.schema_view(document))
    honour_keys(app)
    label_operations(app)
    return api
