"""Documents: the Markdown files and pictures served as guides, with their names, groups and URL paths.

The `sources` folder contains symbolic links to the project's documents, so a checkout serves the files in `docs`. A
wheel contains copies of the documents.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "sources"
"""The folder that contains all documents, at their paths in the project."""
INDEX = "/guide/"
OTHERS = "The project"
"""The group for documents that are in no other group."""
FOR_HOSTS = "Hosting"
GROUPS: Mapping[str, Sequence[str]] = {
    "Start here": ("readme", "board"),
    "Clients and bots": (
        *(
            "api",
            "clients",
            "accounts",
            "correspondence",
            "orders",
            "tables",
            "talk",
            "webhooks",
            "records",
            "limits",
            "errors",
            "engine",
            "bots",
        ),
    ),
    "Rules": ("editions", "glossary", "rules/*"),
    FOR_HOSTS: ("hosting", "admin", "settings", "metrics", "releases", "security"),
    OTHERS: (),
    "Decisions": ("decisions/*",),
}
"""The groups in order. Each group contains the documents whose names match one of the group's patterns."""
FOR_DEVELOPERS = frozenset({OTHERS, "Decisions"})
"""The groups of documents about the project itself. Users of the service do not need these documents."""
ELSEWHERE = {"docs": INDEX, "docs/rules": f"{INDEX}#rules", "docs/decisions": f"{INDEX}#decisions"}
ELSEWHERE |= {"openapi/openapi.json": "/openapi.json"}
"""The URL paths of the remaining files and folders that documents link to, keyed by their paths in the project."""


class Document(NamedTuple):
    """A document: its name in URL paths, its path in the project, and its title."""

    name: str
    path: str
    title: str

    @property
    def address(self) -> str:
        """The URL path of the document's page."""
        return f"{INDEX}{self.name}"

    @property
    def text(self) -> str:
        """The document's Markdown."""
        return _read(self.path)


@cache
def documents() -> Mapping[str, Document]:
    """Return all documents, keyed and sorted by name."""
    paths = [file.relative_to(FOLDER).as_posix() for file in (*FOLDER.glob("*.md"), *(FOLDER / "docs").rglob("*.md"))]
    documents_by_name = {name_of(path): path for path in paths}
    return {name: Document(name, path, _title(path)) for name, path in sorted(documents_by_name.items())}


@cache
def pictures() -> Mapping[str, str]:
    """Return each picture's path in the project, keyed by the picture's name."""
    files = sorted((*(FOLDER / "docs" / "pictures").glob("*.svg"), *(FOLDER / "docs" / "board").glob("*.webp")))
    return {f"{file.parent.name}/{file.name}": f"docs/{file.parent.name}/{file.name}" for file in files}


def picture(name: str) -> bytes:
    """Return the SVG or WebP picture with this name."""
    return (FOLDER / pictures()[name]).read_bytes()


def grouped() -> Mapping[str, Sequence[Document]]:
    """Return the documents in each group."""
    documents_by_name = documents()
    groups_by_name = {
        name: group
        for group, patterns in GROUPS.items()
        for pattern in patterns
        for name in fnmatch.filter(documents_by_name, pattern)
    }
    members: dict[str, list[Document]] = {group: [] for group in GROUPS}
    for name in (*groups_by_name, *(name for name in documents_by_name if name not in groups_by_name)):
        members[groups_by_name.get(name, OTHERS)].append(documents_by_name[name])
    return members


def name_of(path: str) -> str:
    """Return the name of the document or picture at a path in the project.

    >>> [name_of(path) for path in ("README.md", "docs/api.md", "docs/rules/cases.md")]
    ['readme', 'api', 'rules/cases']
    """
    name = path.removesuffix(".md")
    return name.removeprefix("docs/") if name.startswith("docs/") else name.lower()


def address_of(path: str) -> str | None:
    """Return the URL path at which the service serves a project file, or None if the service does not serve the file.

    >>> [address_of(path) for path in ("docs/api.md", "docs/rules", "openapi/openapi.json", "examples")]
    ['/guide/api', '/guide/#rules', '/openapi.json', None]
    """
    name = name_of(path)
    served = (path.endswith(".md") and name in documents()) or name in pictures()
    return f"{INDEX}{name}" if served else ELSEWHERE.get(path)


def slug(text: str) -> str:
    """Return the anchor that code hosts such as GitHub generate for a heading.

    >>> slug("What an acknowledged move survives, `in short`")
    'what-an-acknowledged-move-survives-in-short'
    """
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def _title(path: str) -> str:
    return _read(path).partition("\n")[0].lstrip("# ")


def _read(path: str) -> str:
    return (FOLDER / path).read_text(encoding="utf-8")
