"""Every operation that the board uses is refused in a test of the board, or listed here with the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import board

from .refusing import DESCRIPTION

TESTS = ("test_problems.py", "test_problems_of_reading.py")
"""The tests in which a page's requests are refused."""
BY_ITSELF = "Nobody clicks for it. The page goes on without it, and asks again when it next looks for news."
EXCEPTIONS = {
    "getMutes": "Nobody clicks for it. Without it, the owner sees no buttons that mute, and the talk stays.",
    "getMyEvents": "Nobody clicks for it: it keeps the page up to date, see `test_live`.",
    "getMyTalk": BY_ITSELF,
    "getTable": "Nobody clicks for it. A game is shown without what it names, and asks with the next change.",
    "getTalk": BY_ITSELF,
    "listMyInvitations": BY_ITSELF,
    "markTalk": "Nobody clicks for it: it follows what is shown.",
}
"""Operations that those tests do not refuse, with the reasons."""
OPERATIONS = {
    (method.upper(), path): str(operation["operationId"])
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
    if isinstance(operation, dict)
}
SCRIPTS = {
    name: content.decode()
    for name, content in board.assets().items()
    if name.endswith(".js") and not name.startswith("vendor/")
}
ABOUT_A_GAME = "/v1/games/${id}/"
"""The prefix that `request` and the owner's `ask` put before their paths."""
CALL = re.compile(
    r"\.(?P<verb>get|post|write|ask|follow)\(\s*(?:\"(?P<method>[A-Z]+)\",?\s*)?"
    r"(?:\"(?P<plain>[^\"]*)\"|`(?P<template>[^`]*)|(?P<named>(?:this\.)?(?:path|PATH)\b)|(?P<none>\)))?"
)
NAMED = re.compile(r"(?:(?:const|get) )(?:PATH|path)(?:\(\) \{\s*return| =) (?:\"([^\"]*)\"|`([^`]*))")
WRAPPED = re.compile(r"\brequest\((?:this\.)?table, \"([\w/-]+)\"|\bbutton\([^\"`]*t\.more\.[^\"`]*, \"([\w/]+)\"")
SENDS = re.compile(
    r"\bapi\.(?:get|post|write)\((?!method\b|path\b|`\$\{path\}|\"POST\", `/v1/games/\$\{table\.id\}/\$\{what\}`)"
)
"""A request whose method and path are both given in the call, or in a constant of the script."""
CHOICE = re.compile(r"\$\{[^}`?]*\? \"(\w+)\" : \"(\w+)\"\}")


def asked(script: str) -> Iterator[tuple[str, str, int]]:
    """Yield the method, path and position of each request in a script; a path has `{}` for its variable parts."""
    found = NAMED.search(script)
    named = "" if found is None else found[1] or found[2]
    for call in CALL.finditer(script):
        method = call["method"] or {"get": "GET", "follow": "GET", "post": "POST"}.get(call["verb"], "")
        path = call["plain"] or call["template"] or ""
        if (
            call["named"]
            or (call["none"] and call["method"])
            or (call["verb"] == "write" and call["method"] and not path)
        ):
            path = named
        path = re.sub(r"\$\{(?:this\.)?(?:path|PATH)\}", lambda _: named, path)
        if call["verb"] == "ask" and method and not path.startswith("/"):
            path = ABOUT_A_GAME + path
        if method and path.startswith("/v1/") and not path.endswith("${what}"):
            yield from ((method, each, call.start()) for each in written_out(path))
    for call in WRAPPED.finditer(script):
        yield from (("POST", each, call.start()) for each in written_out(ABOUT_A_GAME + (call[1] or call[2])))


def written_out(path: str) -> list[str]:
    """Return the paths that a string in a script stands for, without their queries."""
    found = CHOICE.search(path)
    if found is not None:
        return [one for part in found.groups() for one in written_out(path.replace(found[0], part))]
    path = re.sub(r"\$\{[^{}]*\}", "{}", path)
    return [re.sub(r"(?<=[\w}])\{\}$", "", re.split(r"\?|\$\{", path)[0])]


def operation(method: str, path: str) -> str:
    """Return the operation with this path, whose variable parts may be anything."""
    same = [key for key in OPERATIONS if key[0] == method and re.sub(r"\{\w+\}", "{}", key[1]) == path]
    assert same, f"the API has no {method} {path}"
    return OPERATIONS[same[0]]


USED = sorted({operation(method, path) for script in SCRIPTS.values() for method, path, _ in asked(script)})


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_request_of_a_script_is_found(name: str) -> None:
    """The tests below would otherwise overlook such a request."""
    script = SCRIPTS[name]
    places = {place for _, _, place in asked(script)}
    sent = [found for found in SENDS.finditer(script) if name != "api.js"]
    assert [script[each.start() : each.end() + 60] for each in sent if each.start() + 3 not in places] == []


@pytest.mark.parametrize("name", USED)
def test_an_operation_is_refused_in_a_test_or_stands_among_the_exceptions(name: str) -> None:
    tests = "".join((Path(__file__).parent / file).read_text() for file in TESTS)
    assert (f'"{name}"' in tests) != (name in EXCEPTIONS)


def test_the_exceptions_are_operations_that_the_board_uses() -> None:
    assert EXCEPTIONS.keys() <= set(USED)
    assert all(EXCEPTIONS.values())
