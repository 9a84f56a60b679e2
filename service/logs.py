"""Logging: one format for all processes, with the request and game ids on each line.

The code logs with Python's `logging`. A filter adds the ids to each line. While the code handles a request or a game, a
context variable holds the ids, so functions need not pass them on.
"""

from __future__ import annotations

import json
import logging
import random
import re
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

FORMATS = TEXT, JSON = ("text", "json")
LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s%(subject)s"
"""The format of a line as text. `subject` names the request and the game."""
HEADER = "X-Request-Id"
"""The header that contains a request's id. A client or a proxy can send this header, and every response has it."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LIKE_A_TOKEN = re.compile(r"p[0-9]{2}[0-9a-z]{10}\..*")
_GAME_ID = re.compile(r"[0-9a-z]{18}")


class _Ids:
    """The ids that log lines contain: the request's id and the game's id."""

    __slots__ = ("game", "request")

    def __init__(self, request: str | None, game: str | None) -> None:
        self.request = request
        self.game = game


_NONE = _Ids(None, None)
_ids: ContextVar[_Ids] = ContextVar("ids", default=_NONE)


class about:  # noqa: N801
    """Adds a request id and a game id to each line that this thread or task logs in the block."""

    __slots__ = ("_game", "_request", "_token")

    def __init__(self, *, request: str | None = None, game: str | None = None) -> None:
        """Use these ids within the block.

        If an id is None, or if the game id is invalid, the id from outside the block stays in use.
        """
        self._request = request
        self._game = game if game is not None and _GAME_ID.fullmatch(game) else None

    def __enter__(self) -> None:
        """Begin the block."""
        outside = _ids.get()
        self._token = _ids.set(_Ids(self._request or outside.request, self._game or outside.game))

    def __exit__(self, *_: object) -> None:
        """Restore the ids from outside the block."""
        _ids.reset(self._token)


def name_game(game_id: str) -> None:
    """Add a game's id to log lines until the current block of `about` ends. An invalid id is ignored."""
    ids = _ids.get()
    if ids is not _NONE and _GAME_ID.fullmatch(game_id):
        ids.game = game_id


def current_request() -> str:
    """Return the id of the current request, or a new id if there is no current request."""
    return _ids.get().request or new_request_id()


def new_request_id() -> str:
    """Return an id for a request: 80 random bits."""
    return f"{random.getrandbits(80):020x}"


def request_id(header: str | None, authorization: str | None = None) -> str:
    """Return the id sent with a request if it is well-formed, otherwise a new id.

    An id is also replaced if it looks like a token, or if the Authorization header ends with it, because no log may
    contain a token.

    >>> request_id("a-1.b_2"), request_id("secret", "Bearer secret") == "secret", len(request_id("not one"))
    ('a-1.b_2', False, 20)
    """
    if header is None or not _REQUEST_ID.fullmatch(header) or _LIKE_A_TOKEN.fullmatch(header):
        return new_request_id()
    if authorization is not None and authorization.rstrip().endswith(header):
        return new_request_id()
    return header


def configure(level: str, form: str, process: str) -> None:
    """Log messages of at least this level to standard error, as text or JSON lines, with this process's name."""
    handler = logging.StreamHandler()
    handler.addFilter(_Subject(process))
    handler.setFormatter(formatter(form))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def formatter(form: str) -> logging.Formatter:
    """Return the formatter for a format.

    Before records are formatted, they must pass through the filter that `configure` installs.
    """
    if form == TEXT:
        return logging.Formatter(LINE)
    # Import the module only if it is used, because importing it takes as long as importing Flask.
    from pythonjsonlogger.json import JsonFormatter

    names = {"asctime": "time", "levelname": "level", "name": "logger", "role": "process", "process": "pid"}
    fields = ("asctime", "levelname", "name", "message", "role", "process")
    result: logging.Formatter = JsonFormatter(
        fields, rename_fields={**names, "exc_info": "exception"}, reserved_attrs=_RESERVED
    )
    result.converter = time.gmtime
    result.default_time_format, result.default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"
    return result


def json_line(process: str, message: str) -> str:
    """Return a JSON line for process output that does not come from `logging`."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps({"time": now, "level": "INFO", "logger": "output", "message": message, "process": process})


class _Subject(logging.Filter):
    """Adds the process's name to each record, and the request and game ids if there are any."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def filter(self, record: logging.LogRecord) -> bool:
        ids = _ids.get()
        known = {name: value for name, value in (("request", ids.request), ("game", ids.game)) if value}
        record.__dict__.update(known, role=self._process)
        text = ", ".join(f"{name} {value}" for name, value in known.items())
        record.subject = f" ({text})" if text else ""
        return True


_RESERVED: list[Any] = [*logging.LogRecord("", 0, "", 0, "", (), None).__dict__, "message", "asctime", "subject"]
"""Attributes of a log record that are omitted from its JSON line unless the format names them."""
