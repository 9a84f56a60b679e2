"""`condottiere openapi`: writes the OpenAPI document and its examples to files.

The tests check that the files in the project are up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from .. import create_app
from ..api.examples import ANSWERS, REQUESTS
from ..config import Config
from ..schemas.records import json_schema

PLACEHOLDER = Config(redis_url="redis://127.0.0.1:1", queue_url="redis://127.0.0.1:1")
"""A configuration whose servers are never used, because no server is needed to generate the document."""


def description() -> dict[str, Any]:
    """Return the OpenAPI document that the service serves at /openapi.json."""
    document: dict[str, Any] = create_app(PLACEHOLDER).test_client().get("/openapi.json").get_json()
    return document


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file: the document, and the example of each operation, if it has one."""
    document = description()
    yield "openapi.json", _written(document)
    yield "record.schema.json", _written(json_schema(document))
    for operation in sorted({*REQUESTS, *ANSWERS}):
        parts = {"request": REQUESTS.get(operation), "answer": ANSWERS.get(operation)}
        yield f"examples/{operation}.json", _written({name: body for name, body in parts.items() if body is not None})


def write(folder: Path) -> None:
    """Write every file, and remove examples of operations that no longer exist."""
    contents = dict(files())
    (folder / "examples").mkdir(parents=True, exist_ok=True)
    for stale in (folder / "examples").glob("*.json"):
        if f"examples/{stale.name}" not in contents:
            stale.unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def _written(content: Any) -> bytes:
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
