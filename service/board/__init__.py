"""The board: a browser client, made up of the static files in `files` and the frame of the board's pages.

The board uses the service only through the API. The URL path of each file contains a hash of all files, so browsers can
cache a file forever, and a page never mixes the files of two releases.

A folder in `files/languages` contains everything that is written in one language: the frame, the texts and the
manifest. A page gets the files of its language as if they were in the same folder as the common files. Scripts
therefore do not have to name a language.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}
"""The media types of the files, by suffix."""
LANGUAGES = "languages"
"""The folder that contains one folder for each language, named after the language's tag, such as `en` or `pt-BR`."""
DEFAULT_LANGUAGE = "en"
"""The language for browsers that do not ask for any of the board's languages."""
FRAME = "index.html"
"""The file that is the frame of every page."""
MAIN = "app.js"
"""The script that every page starts."""
IMPORT = re.compile(r'^(?:import|\}) (?:.*from )?"\./([^"]+)";$', re.MULTILINE)
"""A pattern for the last line of an import. The path of the imported script is relative to the folder of all scripts.
"""
SYMBOLS = "art.svg"
"""The file with the drawings. The frame includes the drawings, so they are available when the first page is shown."""

WORKER = "worker.js"
"""The file with the service worker, which has its own URL path."""


@cache
def languages() -> tuple[str, ...]:
    """Return the tags of the languages that the board has."""
    return tuple(sorted({path.split("/")[1] for path in _contents() if path.startswith(f"{LANGUAGES}/")}))


@cache
def assets(language: str = DEFAULT_LANGUAGE) -> dict[str, bytes]:
    """Return the files that are served unchanged, keyed by the end of their URL path, such as `vendor/lit-html.js`."""
    filled = {FRAME, SYMBOLS, WORKER}
    return {
        path: content
        for path, content in _files(language).items()
        if PurePosixPath(path).suffix in TYPES and path not in filled
    }


def base(language: str = DEFAULT_LANGUAGE) -> str:
    """Return the URL path under which this release's files are served, such as `/static/5f2a0c1d9b3e4a67/en`."""
    return f"/static/{_release()}/{language}"


def frame(script: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the HTML of a page. `script` names the script that draws the page's screen.

    The HTML begins with a list of every script that the screen needs, so browsers load all scripts in parallel.
    """
    needed = [path for path in _imports(language, MAIN, script) if path != MAIN]
    preloads = [f'<link rel="modulepreload" href="{base(language)}/{path}">' for path in needed]
    symbols = _contents()[SYMBOLS].decode()
    return _filled(FRAME, language).replace("{preloads}", "\n".join(preloads)).replace("{symbols}", symbols)


def worker(language: str = DEFAULT_LANGUAGE) -> str:
    """Return the service worker's script, which caches this release's files."""
    paths = [f"{base(language)}/{path}" for path in sorted(assets(language))]
    return _filled(WORKER, language).replace("{files}", " ".join(paths))


def media_type(path: str) -> str:
    """Return the media type of a file.

    >>> media_type("vendor/lit-html.js")
    'text/javascript'
    """
    return TYPES[PurePosixPath(path).suffix]


def _imports(language: str, *scripts: str) -> list[str]:
    """Return these scripts and all scripts that they import on loading, directly or indirectly."""
    found = list(scripts)
    for path in found:
        names = IMPORT.findall(_files(language)[path].decode())
        found += [name for name in dict.fromkeys(names) if name not in found]
    return found


def _filled(name: str, language: str) -> str:
    return _files(language)[name].decode().replace("{static}", base(language))


@cache
def _release() -> str:
    digest = hashlib.sha256()
    for path, content in sorted(_contents().items()):
        digest.update(f"{path} {len(content)} ".encode() + content)
    return digest.hexdigest()[:16]


@cache
def _files(language: str) -> dict[str, bytes]:
    """Return the common files, together with the files of one language."""
    own = f"{LANGUAGES}/{language}/"
    return {
        path.removeprefix(own): content
        for path, content in _contents().items()
        if path.startswith(own) or not path.startswith(f"{LANGUAGES}/")
    }


@cache
def _contents() -> dict[str, bytes]:
    return dict(_walk(files(__package__).joinpath("files"), ""))


def _walk(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{path}{item.name}/")
        elif not item.name.startswith("."):
            found.append((f"{path}{item.name}", item.read_bytes()))
    return found
