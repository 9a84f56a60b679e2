"""The Python client: requests and retries, turns, streams and errors, in its blocking and its asynchronous form."""

from __future__ import annotations

import ast
import asyncio
import copy
import inspect
import json
import pickle
import random
import runpy
import tomllib
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from condottiere_client import AsyncClient, AsyncTurn, Client, Problem, Turn, _async, _sync, errors
from condottiere_client._version import VERSION

from .servers import END, URL, Awaited, Chunks, Json, Script, event, good, problem, stream

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "clients" / "python"
LINES = 420
"""Maximum number of handwritten lines of code, not counting docstrings, comments and empty lines."""

Make = Callable[..., Any]


@pytest.fixture(params=["blocking", "asynchronous"])
def client(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Create a client that talks to a script."""
    loop = asyncio.new_event_loop()

    def make(script: Script, **options: Any) -> Any:
        given = {"token": "secret", "transport": httpx.MockTransport(script), "trust_env": False, **options}
        return Client(URL, **given) if request.param == "blocking" else Awaited(AsyncClient(URL, **given), loop)

    yield make
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that a client would make; each has the greatest possible length."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(_async, "sleep", sleep)
    monkeypatch.setattr(_sync, "sleep", found.append)
    monkeypatch.setattr(random, "uniform", lambda _, high: high)
    return found


def game(version: int, *, mine: bool, status: str = "running", game_id: str = "g1") -> Json:
    """Return the members of a game that the client reads."""
    return {"id": game_id, "version": version, "status": status, "moves": [{"type": "pass"}] if mine else []}


def turn(game_id: str = "g1", since: int = 1) -> Json:
    """Return the members of a turn in the inbox that the client reads."""
    return {"game": game_id, "since": since}


def inbox(*turns: Json) -> httpx.Response:
    """Return an inbox."""
    return good({"turns": list(turns), "next": "n"})


# The package


def test_its_version_is_that_of_the_service() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """The module that generates a part of the package."""
    spec = spec_from_file_location("generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_are_those_of_the_description(generate: ModuleType) -> None:
    assert generate.TYPES.read_text().startswith(generate.head()), "run `make types`"


def test_the_blocking_client_is_the_asynchronous_one(generate: ModuleType) -> None:
    assert generate.SYNC.read_text() == generate.blocking(), "run `make types`"
    assert "sync" not in generate.blocking().partition("\n")[2]


def test_what_is_written_by_hand_is_short() -> None:
    files = [file for file in (FOLDER / "condottiere_client").glob("*.py") if file.name not in ("types.py", "_sync.py")]
    assert 0 < sum(lines_of_code(file.read_text()) for file in files) <= LINES


def lines_of_code(text: str) -> int:
    """Return how many lines of a module are not empty, comments or docstrings."""
    texts = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
    texts = [node for node in texts if isinstance(node.value, ast.Constant)]
    prose = {line for node in texts for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = [line for number, line in enumerate(text.splitlines(), 1) if number not in prose]
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in lines)


def test_docstrings_comments_and_empty_lines_are_not_code() -> None:
    assert lines_of_code('"""Two\nlines."""\n\n# Why.\nx = """a\nb"""  # Both.\n"""About x."""\n') == 2


@pytest.mark.parametrize(("blocking", "asynchronous"), [(Client, AsyncClient), (Turn, AsyncTurn)])
def test_both_forms_have_the_same_methods(blocking: type, asynchronous: type) -> None:
    names = {name for name in vars(blocking) if not name.startswith("_")}
    assert names == {name for name in vars(asynchronous) if not name.startswith("_")}
    for name in names:
        one, other = getattr(blocking, name), getattr(asynchronous, name)
        if callable(one):
            assert inspect.signature(one).parameters == inspect.signature(other).parameters, name


# Requests


def test_a_request_carries_the_token_and_who_sends_it(client: Make) -> None:
    script = Script(good({"games": []}))
    assert client(script).request("GET", "/games", status="mine") == {"games": []}
    assert script.sent == ["GET /v1/games?status=mine"]
    headers = script.requests[0].headers
    assert headers["Authorization"] == "Bearer secret"
    assert headers["User-Agent"] == f"condottiere-client/{VERSION}"
    assert "Idempotency-Key" not in headers


def test_an_id_cannot_leave_its_path(client: Make) -> None:
    script = Script(good({}))
    client(script).game("../me?x#y")
    assert script.sent == ["GET /v1/games/..%2Fme%3Fx%23y"]


def test_registering_uses_the_new_token() -> None:
    account = {"id": "p1", "name": "Caterina", "token": "new", "recovery_code": "r"}
    script = Script(httpx.ConnectError("refused"), good(account, 201), good({}))
    with Client.register(URL, "Caterina", transport=httpx.MockTransport(script)) as client:
        client.game("g1")
    assert client.account == account
    first, second, third = script.requests
    assert "Authorization" not in first.headers
    assert len(first.headers["Idempotency-Key"]) >= 22
    assert second.headers["Idempotency-Key"] == first.headers["Idempotency-Key"]
    assert third.headers["Authorization"] == "Bearer new"


def test_registering_takes_a_code_and_a_key() -> None:
    script = Script(good({"token": "new"}, 201))
    key = "k" * 22
    Client.register(URL, "Caterina", code="c", key=key, transport=httpx.MockTransport(script)).close()
    assert json.loads(script.requests[0].content) == {"name": "Caterina", "code": "c"}
    assert script.requests[0].headers["Idempotency-Key"] == key


def test_a_refused_registration_leaves_no_connection_open(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[object] = []
    monkeypatch.setattr(Client, "close", lambda client: closed.append(client))
    with pytest.raises(Problem, match="name-taken"):
        Client.register(URL, "Caterina", transport=httpx.MockTransport(Script(problem(409, "name-taken"))))
    assert len(closed) == 1


def test_registering_with_asyncio() -> None:
    script = Script(good({"token": "new"}, 201), good({}))

    async def play() -> None:
        async with await AsyncClient.register(URL, "Caterina", transport=httpx.MockTransport(script)) as client:
            await client.game("g1")

    asyncio.run(play())
    assert script.requests[1].headers["Authorization"] == "Bearer new"


@pytest.mark.parametrize(
    "failure",
    [
        *(problem(status) for status in (408, 429, 500, 501, 502, 503, 504, 520)),
        httpx.Response(502, text="<h1>Bad Gateway</h1>"),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("closed"),
    ],
)
def test_a_request_that_may_succeed_later_is_repeated(
    client: Make, pauses: list[float], failure: httpx.Response | Exception
) -> None:
    """The client repeats it with the same key; the maximum pause doubles each time."""
    script = Script(failure, failure, good(game(1, mine=True), 201))
    assert client(script).open_game(edition="zman-2018", seats=3)["version"] == 1
    assert len({request.headers["Idempotency-Key"] for request in script.requests}) == 1
    assert len({request.content for request in script.requests}) == 1
    assert pauses == [1, 2]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        *((status, "some-code") for status in (400, 401, 403, 404, 409, 412, 413, 422, 428)),
        *((500, code) for code in ("corrupt-log", "corrupt-data", "unknown-format")),
        (508, "loop-detected"),
    ],
)
def test_any_other_refusal_is_raised_at_once(client: Make, pauses: list[float], status: int, code: str) -> None:
    """The codes are those of docs/errors.md, "When to repeat a request"."""
    script = Script(problem(status, code))
    with pytest.raises(Problem) as raised:
        client(script).game("g1")
    assert (raised.value.status, raised.value.code, pauses) == (status, code, [])


def test_each_request_has_a_key_of_its_own(client: Make) -> None:
    script = Script(good({}), good({}))
    talking = client(script)
    talking.request("POST", "/games/g1/resign")
    talking.request("DELETE", "/webhooks/w1")
    assert len({request.headers["Idempotency-Key"] for request in script.requests}) == 2


def test_the_client_waits_as_long_as_the_server_asks(client: Make, pauses: list[float]) -> None:
    script = Script(problem(429, "rate-limited", {"Retry-After": "7"}), good({}))
    client(script).game("g1")
    assert pauses == [8]


def test_a_wait_that_is_too_long_is_an_error_at_once(client: Make, pauses: list[float]) -> None:
    script = Script(problem(429, "rate-limited", {"Retry-After": "1912"}, limit="opening"))
    with pytest.raises(errors.RateLimited) as raised:
        client(script).open_game(edition="zman-2018", seats=3)
    assert (raised.value.retry_after, raised.value.body["limit"], pauses) == (1912, "opening", [])


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Thu, 01 Jan 2026 00:01:30 GMT", 90),
        ("Thursday, 01-Jan-26 00:01:30 GMT", 90),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0),
        ("9" * 5000, 10**9),
        *((text, 0) for text in ("", "-1", "1.5", "soon", "Thu, 99 Jan 2026 00:00:00 GMT")),
    ],
)
def test_retry_after_is_a_number_or_a_date(monkeypatch: pytest.MonkeyPatch, header: str, seconds: int) -> None:
    monkeypatch.setattr(errors.time, "time", lambda: 1767225600.0)
    assert errors.seconds_until(header) == seconds


def test_a_loop_waits_an_hour_at_most(client: Make, pauses: list[float]) -> None:
    refusal = problem(503, "read-only", {"Retry-After": "9" * 30})
    script = Script(inbox(), refusal, inbox(turn()), good(game(3, mine=True)))
    assert next(client(script).turns()).view["version"] == 3
    assert pauses == [3601]


def test_patience_ends(client: Make, pauses: list[float]) -> None:
    script = Script(*[httpx.ConnectError("refused")] * 6)
    with pytest.raises(errors.Unreachable, match="refused") as raised:
        client(script, patience=25).game("g1")
    assert isinstance(raised.value.__cause__, httpx.ConnectError)
    assert (pauses, script.over) == ([1, 2, 4, 8, 10], True)


@pytest.mark.parametrize("kind", [httpx.LocalProtocolError, httpx.TooManyRedirects, httpx.DecodingError])
def test_any_other_failure_is_an_error_at_once(client: Make, pauses: list[float], kind: type[httpx.HTTPError]) -> None:
    """The error does not quote the failure, whose text may contain a header with the token."""
    with pytest.raises(errors.Unreachable, match=kind.__name__) as raised:
        client(Script(kind("Bearer hidden"))).game("g1")
    assert "hidden" not in str(raised.value)
    assert (raised.value.__cause__ is None, raised.value.__suppress_context__) == (
        kind is httpx.LocalProtocolError,
        True,
    )
    assert pauses == []


@pytest.mark.parametrize("token", ["", "hidden\n", "hid den", "hiddén"])
def test_a_token_that_is_no_header_is_refused_without_showing_it(client: Make, token: str) -> None:
    with pytest.raises(ValueError, match=r"^this is not a valid token$"):
        client(Script(), token=token)


@pytest.mark.parametrize(
    "url",
    ["localhost:8000", "condottiere.example", "ftp://a", "http://", "http://a:b", "http://a/?b", "https://a#b", ""],
)
def test_the_url_of_a_service_is_checked(url: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match=r"^this is not the URL of a service"):
            kind(url)


@pytest.mark.parametrize("game_id", ["", ".", ".."])
def test_a_path_is_not_an_id(client: Make, game_id: str) -> None:
    made = client(Script())
    for call in (made.game, made.turns, made.events):
        with pytest.raises(ValueError, match="is not an id"):
            call(game_id)


def test_headers_and_the_timeout_can_be_chosen(client: Make) -> None:
    script = Script(good({}), inbox())
    made = client(script, headers={"X-Trace": "t", "user-agent": "mine", "authorization": "other"}, timeout=3)
    made.game("g1")
    made.request("GET", "/me/turns?wait=20")
    headers = script.requests[0].headers
    assert (headers["X-Trace"], headers["User-Agent"], headers["Authorization"]) == ("t", "mine", "Bearer secret")
    assert [request.extensions["timeout"]["read"] for request in script.requests] == [3, 23]


def test_a_path_may_be_a_link_of_a_response(client: Make) -> None:
    """Such a path begins with /v1 and may have a query."""
    script = Script(*[good({})] * 3)
    made = client(script)
    made.request("GET", "/v1/games/g1?version=2")
    made.request("GET", "/games?status=mine&after=a%2Fb", limit=3)
    made.request("GET", "/v1x/v1/y")
    assert script.sent == [
        "GET /v1/games/g1?version=2",
        "GET /v1/games?status=mine&after=a%2Fb&limit=3",
        "GET /v1/v1x/v1/y",
    ]


@pytest.mark.parametrize("where", ["http://other.example/v1/games", "games", ""])
def test_a_request_stays_at_the_service(client: Make, where: str) -> None:
    with pytest.raises(ValueError, match="must begin with a slash"):
        client(Script()).request("GET", where)


def test_a_caller_may_choose_the_key_and_other_headers(client: Make) -> None:
    script = Script(problem(503), good({}))
    client(script).request("POST", "/games", {}, headers={"idempotency-key": "mine", "If-Match": '"3"'})
    for request in script.requests:
        assert request.headers.get_list("Idempotency-Key") == ["mine"]
        assert request.headers["If-Match"] == '"3"'


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(200, text="Welcome"), httpx.Response(200), httpx.Response(302, headers={"Location": "/"})],
)
def test_another_server_is_recognised(client: Make, answer: httpx.Response) -> None:
    with pytest.raises(errors.Unreachable, match="does not respond like a Condottiere service"):
        client(Script(answer)).game("g1")


# Errors


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (problem(401, "token-unknown"), errors.Unauthorized),
        (problem(404, "unknown-game"), errors.NotFound),
        (problem(409, "not-your-turn"), errors.NotYourTurn),
        (problem(409, "not-your-turn", clause="1.5"), errors.NotYourTurn),
        (problem(422, "wrong-seats", clause="1.1"), Problem),
        (problem(409, "card-not-in-hand", clause="4.3"), errors.IllegalMove),
        (problem(409, "seat-taken"), Problem),
        (problem(412, "stale-version"), errors.StaleVersion),
        (problem(429, "too-many-own-waits", {"Retry-After": "99"}), errors.RateLimited),
        (problem(499, "of-a-later-release"), Problem),
        (httpx.Response(404, text="not here"), errors.NotFound),
        (httpx.Response(403, json=["not", "a", "problem"]), Problem),
    ],
)
def test_errors_have_classes(client: Make, answer: httpx.Response, kind: type[Problem]) -> None:
    with pytest.raises(Problem) as raised:
        client(Script(answer)).game("g1")
    assert type(raised.value) is kind


def test_an_error_says_what_the_problem_says(client: Make) -> None:
    legal = [{"type": "pass"}]
    answer = problem(409, "card-not-in-hand", edition="zman-2018", clause="4.3", legal=legal, new_member=1)
    with pytest.raises(errors.IllegalMove) as raised:
        client(Script(answer)).game("g1")
    error = raised.value
    assert str(error) == "409 card-not-in-hand (clause 4.3 of zman-2018): about card-not-in-hand"
    assert (error.clause, error.edition, error.legal, error.request) == ("4.3", "zman-2018", legal, "r1")
    assert error.body["new_member"] == 1
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(twin), twin.body) == (errors.IllegalMove, error.body)


# Turns


def test_turns_come_from_the_inbox(client: Make) -> None:
    """A turn that has been played in the meantime is skipped.

    Each turn is played at the version that the client received.
    """
    script = Script(
        inbox(turn("g1"), turn("g2")),
        good(game(7, mine=False)),
        good(game(3, mine=True, game_id="g2")),
        good(game(4, mine=False, game_id="g2"), 201),
        inbox(turn("g1", since=5)),
        good(game(9, mine=True)),
    )
    turns = client(script).turns()
    first = next(turns)
    assert first.view["id"] == "g2"
    assert first.play({"type": "pass"})["version"] == 4
    assert next(turns).view["version"] == 9
    turns.close()
    assert script.sent == [
        "GET /v1/me/turns",
        "GET /v1/games/g1",
        "GET /v1/games/g2",
        "POST /v1/games/g2/moves",
        "GET /v1/me/turns?after=n&wait=25",
        "GET /v1/games/g1",
    ]
    assert script.requests[3].headers["If-Match"] == '"3"'
    assert script.requests[4].extensions["timeout"]["read"] == 40


@pytest.mark.parametrize(
    "answer",
    [
        problem(412, "stale-version"),
        *(problem(409, code) for code in ("not-your-turn", "game-over", "game-paused", "seat-with-bot")),
        problem(403, "not-seated"),
    ],
)
def test_a_turn_that_is_gone_is_skipped(client: Make, answer: httpx.Response) -> None:
    script = Script(inbox(turn()), good(game(3, mine=True)), answer)
    assert next(client(script).turns()).play({"type": "pass"}) is None


def test_a_turn_that_is_not_played_comes_again_when_it_has_changed(client: Make) -> None:
    mine = good(game(3, mine=True))
    script = Script(inbox(turn()), mine, inbox(turn()), inbox(turn(since=2)), good(game(5, mine=True)))
    turns = client(script).turns()
    assert [next(turns).view["version"], next(turns).view["version"]] == [3, 5]


def test_a_turn_whose_move_was_refused_comes_again_after_a_long_poll(client: Make) -> None:
    mine = good(game(3, mine=True))
    script = Script(inbox(turn()), mine, problem(409, "wrong-phase", clause="3.1"), inbox(turn()), mine)
    turns = client(script).turns()
    with pytest.raises(errors.IllegalMove):
        next(turns).play({"type": "pass"})
    assert next(turns).view["version"] == 3


@pytest.mark.parametrize(
    "unreadable",
    [problem(404, "unknown-game"), *(problem(500, code) for code in ("corrupt-log", "corrupt-data", "unknown-format"))],
)
def test_a_game_that_cannot_be_read_does_not_end_the_turns_of_others(
    client: Make, pauses: list[float], caplog: pytest.LogCaptureFixture, unreadable: httpx.Response
) -> None:
    """The failure does not make the client busy-wait either: it tries again only after the next long poll."""
    two = inbox(turn("bad"), turn("good"))
    script = Script(
        two, unreadable, good(game(3, mine=True)), two, unreadable, inbox(turn("bad")), good(game(5, mine=True))
    )
    turns = client(script).turns()
    assert [next(turns).view["version"], next(turns).view["version"]] == [3, 5]
    assert [sent for sent in script.sent if "turns" in sent] == [
        "GET /v1/me/turns",
        *["GET /v1/me/turns?after=n&wait=25"] * 2,
    ]
    assert (script.over, pauses) == (True, [])
    assert caplog.text.count("game bad is skipped") == 2


def test_a_refused_move_can_be_corrected(client: Make) -> None:
    refused, played = problem(409, "wrong-phase", clause="3.1"), good(game(4, mine=False), 201)
    script = Script(inbox(turn()), good(game(3, mine=True)), refused, played)
    mine = next(client(script).turns())
    with pytest.raises(errors.IllegalMove):
        mine.play({"type": "decline-region"})
    assert mine.play({"type": "pass"})["version"] == 4
    assert [request.headers["If-Match"] for request in script.requests[2:]] == ['"3"', '"3"']


def test_waiting_for_turns_outlives_any_restart(client: Make, pauses: list[float]) -> None:
    failures = [httpx.ConnectError("refused")] * 50
    answers = (inbox(), inbox(turn()), good(game(3, mine=True)), good(game(4, mine=False)))
    script = Script(answers[0], *(one for answer in answers[1:] for one in (*failures, answer)))
    assert next(client(script).turns()).play({"type": "pass"})["version"] == 4
    assert len(pauses) == 150


def test_a_wrong_address_is_an_error(client: Make) -> None:
    """Even an endless iterator raises it: the iterator retries forever only after its first success."""
    with pytest.raises(errors.Unreachable):
        next(client(Script(*[httpx.ConnectError("refused")] * 20)).turns())


def test_a_revoked_token_ends_the_turns(client: Make) -> None:
    turns = client(Script(inbox(), problem(401, "token-unknown"))).turns()
    with pytest.raises(errors.Unauthorized):
        next(turns)


@pytest.mark.parametrize("status", ["finished", "cancelled"])
def test_turns_of_one_game_end_with_it(client: Make, status: str) -> None:
    script = Script(
        good(game(1, mine=True)),
        good(game(2, mine=True), 201),
        good(game(3, mine=False), 201),
        good({"commits": [], "next": 3}),
        good(game(3, mine=False)),
        good({"commits": [{}], "next": 5}),
        good(game(5, mine=False, status=status)),
    )
    played = [turn.play({"type": "pass"})["version"] for turn in client(script).turns("g1")]
    assert (played, script.over) == ([2, 3], True)
    assert script.sent[3] == "GET /v1/games/g1/events?after=3&wait=25"


def test_a_turn_of_one_game_comes_again_only_if_its_move_was_refused(client: Make) -> None:
    mine, nothing = game(1, mine=True), {"commits": [], "next": 1}
    refused = problem(409, "wrong-phase", clause="3.1")
    script = Script(good(mine), good(nothing), good(mine), good(nothing), good(game(2, mine=True)), refused)
    turns = client(script).turns("g1")
    assert next(turns).view["version"] == 1
    second = next(turns)
    assert second.view["version"] == 2
    with pytest.raises(errors.IllegalMove):
        second.play({"type": "pass"})
    script._answers += [good(nothing), good(game(2, mine=True))]
    assert next(turns).view["version"] == 2


# Streams


def test_a_stream_continues_after_the_last_commit(client: Make, pauses: list[float]) -> None:
    """The stream may break, end or be refused, in the middle of a line or even of a character."""
    whole = event(3, text="é\u2028\x85").encode()
    script = Script(
        stream(": hello\n\n", event(1), event(2)[:9], breaks=True),
        httpx.ConnectError("refused"),
        problem(503, "store-unavailable", {"Retry-After": "2"}),
        stream(event(2)),
        stream(*(bytes([byte]) for byte in whole + END.encode())),
    )
    commits = list(client(script).events("g1"))
    assert [commit["seq"] for commit in commits] == [1, 2, 3]
    assert commits[2]["text"] == "é\u2028\x85"
    assert [request.headers["Last-Event-ID"] for request in script.requests] == ["0", "1", "1", "1", "2"]
    assert {request.headers["Accept"] for request in script.requests} == {"text/event-stream"}
    assert script.requests[0].extensions["timeout"]["read"] == 30
    assert pauses == [1, 2, 6, 1]


def test_nothing_is_left_of_a_game_that_is_over(client: Make) -> None:
    script = Script(httpx.Response(204))
    assert list(client(script).events("g1", after=40)) == []
    assert script.sent == ["GET /v1/games/g1/events/stream"]
    assert script.requests[0].headers["Last-Event-ID"] == "40"


def test_events_of_an_unknown_name_are_left_out(client: Make) -> None:
    script = Script(stream(f"event: news\n{event(7)}", event(1), END))
    assert [commit["seq"] for commit in client(script).events("g1")] == [1]


def test_an_event_of_a_later_type_passes_with_all_its_members(client: Make) -> None:
    """The event is a plain record; the example prints its type."""
    played = {"type": "card-played", "seat": 1, "card": "winter", "place": "season"}
    blessed = {"type": "card-blessed", "seat": 1, "grace": 7}
    (commit,) = client(Script(stream(event(1, events=[played, blessed]), END))).events("g1")
    assert commit["events"] == [played, blessed]
    text = runpy.run_path(str(FOLDER / "examples" / "follow.py"))["text"]
    assert [text(one) for one in commit["events"]] == ["seat 1 plays winter", "card-blessed"]


def test_a_refused_stream_is_an_error(client: Make, pauses: list[float]) -> None:
    with pytest.raises(errors.NotFound):
        next(client(Script(problem(404, "unknown-game"))).events("g1"))
    with pytest.raises(errors.Unreachable, match="does not respond with a stream"):
        next(client(Script(good({"commits": []}))).events("g1"))
    with pytest.raises(errors.Unreachable, match="does not respond like"):
        next(client(Script(httpx.Response(200))).events("g1"))
    assert pauses == []


def test_the_stream_of_all_games_begins_now_or_after_a_cursor(client: Make) -> None:
    """To start now, the client first gets the current cursor.

    It misses nothing even if the connection is lost before a commit.
    """
    script = Script(good({"commits": [], "next": "AQ7"}), stream(breaks=True), stream(event(1)))
    assert next(client(script).my_events())["seq"] == 1
    assert script.sent == ["GET /v1/me/events?after=now", *["GET /v1/me/events/stream"] * 2]
    assert [request.headers.get("Last-Event-ID") for request in script.requests] == [None, "AQ7", "AQ7"]
    for cursor, sent in (("AQ9", "AQ9"), ("", None)):
        script = Script(stream(event(1)))
        assert next(client(script).my_events(cursor))["seq"] == 1
        assert script.requests[0].headers.get("Last-Event-ID") == sent


def test_news_has_talk_and_invitations_too(client: Make) -> None:
    script = Script(good({"commits": [], "next": "AQ7"}), stream(event(1)))
    assert next(client(script).my_news())["seq"] == 1
    extras = "talk=true&invitations=true"
    assert script.sent == [f"GET /v1/me/events?after=now&{extras}", f"GET /v1/me/events/stream?{extras}"]


def test_a_message_goes_to_everybody_or_to_some_seats(client: Make) -> None:
    script = Script(good({"id": "m1"}), good({"id": "m2"}))
    player = client(script)
    assert player.say("g1", "Hello")["id"] == "m1"
    assert player.say("g1", "Psst", [2])["id"] == "m2"
    assert script.sent == ["POST /v1/games/g1/talk"] * 2
    bodies = [json.loads(request.content) for request in script.requests]
    assert bodies == [{"text": "Hello"}, {"text": "Psst", "room": "seats", "seats": [2]}]


def test_a_stream_that_is_left_is_closed() -> None:
    """Its connection is then available for other requests."""
    answer = stream(event(1), event(2))
    with Client(URL, transport=httpx.MockTransport(Script(answer))) as client:
        commits = client.events("g1")
        assert next(commits)["seq"] == 1
        assert isinstance(answer.stream, Chunks)
        assert not answer.stream.closed
        commits.close()
        assert answer.stream.closed


# Its guide


def test_the_readme_has_every_method_and_error() -> None:
    text = (FOLDER / "README.md").read_text()
    for name in [name for name in vars(Client) if not name.startswith("_") and name not in ("account", "close")]:
        assert f"{name}(" in text, name
    kinds = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert [name for name in kinds if f"`{name}`" not in text] == []
