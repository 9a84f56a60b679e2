"""Whatever a client sends, the response is a success or a documented problem, never an internal error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.problems import PROBLEMS

from ...examples import examples
from ..anything import ANY_TEXT, PATIENT, anything, nearly, words_of, written
from .conftest import Json, Person

pytestmark = pytest.mark.hypothesis  # Hypothesis does not notice property tests that are defined inside tests.

DESCRIPTION = json.loads((Path(__file__).parents[3] / "openapi" / "openapi.json").read_text())
"""The description is read from its file, which another test keeps up to date: generating it takes too long."""


def _resolved(parameter: Json) -> Json:
    """Return a parameter, or the parameter to which it refers."""
    if "$ref" not in parameter:
        return parameter
    found: Json = DESCRIPTION["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]]
    return found


WORDS = words_of(DESCRIPTION["components"]["schemas"])
OPERATIONS: dict[str, Json] = {
    operation["operationId"]: {
        **operation,
        "method": method.upper(),
        "path": path,
        "parameters": [_resolved(one) for one in (*item.get("parameters", []), *operation["parameters"])],
    }
    for path, item in DESCRIPTION["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
}
WITH_BODIES = sorted(name for name, operation in OPERATIONS.items() if "requestBody" in operation)
WITH_QUERIES = sorted(
    name
    for name, operation in OPERATIONS.items()
    if any(parameter["in"] == "query" for parameter in operation["parameters"])
)
HEADERS = [
    "Accept",
    "Accept-Encoding",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "Last-Event-ID",
    "Origin",
    "Range",
]
ODD_HEADERS = [
    "",
    "*",
    '"',
    '"7"',
    'W/"7.0"',
    '"7", "8"',
    '"99999999999"',
    "7",
    "-1",
    "bytes=0-",
    "bytes=9-1",
    "bytes=-1",
    "application/json; q=x",
    "*/*;q=nan",
    "Bearer",
    "Bearer ",
    "Bearer p00.x",
    "Basic eA==",
    "application/json; charset=utf-16",
    "null",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Mon, 99 Xyz 99999 99:99:99",
]
HEADER_VALUES = st.one_of(
    st.sampled_from(ODD_HEADERS),
    st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40),
)

ASCII = st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#")
LONG_SEGMENTS = st.integers(1, 3_000).map(lambda length: "9" * length)

Sent = Callable[..., None]


@pytest.fixture
def world(anna: Person, bruno: Person, games: Games) -> dict[str, str]:
    """Ids for paths: of a game with a clock in which it is Anna's turn, and of a webhook with a delivery."""
    bots = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
    game = anna.open_game(bots=bots, clock={"kind": "per-move", "seconds": 86_400})
    while not anna.get(f"/games/{game['id']}")["moves"]:
        assert play_bot_turn(games, game["id"])
    webhook = anna.post("/webhooks", {"url": "https://example.org/"}, 201)
    return {
        "game_id": game["id"],
        "player_id": bruno.id,
        "token_id": anna.post("/me/tokens", {"name": "bot", "scopes": ["read"]}, 201)["id"],
        "webhook_id": webhook["id"],
        "announcement_id": "a0123456789",
        "browser_id": "w07n8k2mq4xz51",
        "message_id": "m0123456789abcdef",
        "report_id": "5c0ffee15a1d",
        "number": "1",
        "key": "zman-2018",
        "one": "zman-2018",
        "other": "ffg-2007",
        "clause": "1.1",
        "open": bruno.open_game()["id"],
    }


@pytest.fixture
def send(anna: Person, world: dict[str, str]) -> Sent:
    """A function that sends a request to an operation and checks the response."""

    def sent(name: str, *, path: str = "", query: str = "", headers: dict[str, str] | None = None, **body: Any) -> None:
        operation = OPERATIONS[name]
        where = path or operation["path"].format(**world)
        asked = f"{where}?{query}" if query else where
        sent = {"If-Match": '"999999"', **(headers or {})} if name == "makeMove" else headers
        with anna.ask(operation["method"], asked.removeprefix("/v1"), headers=sent, **body) as answer:
            if answer.status_code >= 400:
                problem = answer.get_json(force=True)
                assert answer.mimetype == "application/problem+json"
                assert problem["code"] in PROBLEMS, problem
                assert answer.status_code < 500 or name in ("getHealth", "getReadiness"), problem
                assert len(answer.data) < 4_000, "the problem quotes too much of the request"

    return sent


def test_new_operations_are_found() -> None:
    assert {"openGame", "makeMove", "putOrders"} <= set(WITH_BODIES)
    assert {"listGames", "getMyTurns"} <= set(WITH_QUERIES)


@pytest.mark.parametrize("name", WITH_BODIES)
def test_any_json(name: str, send: Sent) -> None:
    example = OPERATIONS[name]["requestBody"]["content"]["application/json"]["example"]

    @settings(PATIENT, max_examples=examples(20))
    @given(st.one_of(nearly(example, WORDS), nearly(example, WORDS), anything(WORDS)))
    def one(body: Any) -> None:
        send(name, data=written(body).encode("utf-8", "surrogatepass"), content_type="application/json")

    one()


@pytest.mark.parametrize("name", WITH_QUERIES)
def test_any_query(name: str, send: Sent) -> None:
    described = {p["name"]: p for p in OPERATIONS[name]["parameters"] if p["in"] == "query"}
    values_shown = [p.get("example", p["schema"].get("example")) for p in described.values()]
    names = st.one_of(st.sampled_from([*described]), ANY_TEXT)
    values = st.one_of(st.sampled_from(values_shown), st.integers(), ANY_TEXT, st.sampled_from(WORDS))

    @settings(PATIENT, max_examples=examples(20))
    @given(st.lists(st.tuples(names, values), max_size=4), st.one_of(st.none(), st.text(ASCII, max_size=20)))
    def one(pairs: list[tuple[str, Any]], raw: str | None) -> None:
        # A valid `wait` would really wait; `test_any_wait` covers the other values.
        known = [(key, str(value).encode("utf-8", "surrogatepass")) for key, value in pairs if key != "wait"]
        encoded = [(key.encode("utf-8", "surrogatepass"), value) for key, value in known]
        send(name, query=urlencode(encoded) if raw is None else raw)

    one()


@pytest.mark.parametrize("wait", ["", "x", "-1", "61", "1e9", "9" * 400, "١", "1.5", "+0", " 0", "0_0", "null", "\x00"])
@pytest.mark.parametrize("name", ["getEvents", "getMyEvents", "getMyTurns"])
def test_any_wait(name: str, wait: str, send: Sent) -> None:
    send(name, query=urlencode({"wait": wait}))


@settings(PATIENT, max_examples=examples(60))
@given(
    name=st.sampled_from(WITH_BODIES),
    body=st.binary(max_size=60),
    media_type=st.one_of(st.just("application/json"), HEADER_VALUES),
)
def test_any_bytes(send: Sent, name: str, body: bytes, media_type: str) -> None:
    send(name, data=body, content_type=media_type)


@settings(PATIENT, max_examples=examples(100))
@given(
    name=st.sampled_from(sorted(OPERATIONS)),
    headers=st.dictionaries(st.sampled_from(HEADERS), HEADER_VALUES, min_size=1, max_size=3),
)
def test_any_header(send: Sent, name: str, headers: dict[str, str]) -> None:
    send(name, headers=headers)


@settings(PATIENT, max_examples=examples(100))
@given(name=st.sampled_from([n for n in sorted(OPERATIONS) if "{" in OPERATIONS[n]["path"]]), data=st.data())
def test_any_path(send: Sent, world: dict[str, str], name: str, data: st.DataObject) -> None:
    segment = st.one_of(st.sampled_from(sorted(world.values())), ANY_TEXT, st.integers().map(str), LONG_SEGMENTS)
    drawn = {place: _quoted(data.draw(segment)) for place in world}
    send(name, path=OPERATIONS[name]["path"].format(**drawn))


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")
