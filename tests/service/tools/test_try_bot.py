"""`condottiere try-bot`: what it sends, how it judges good and bad endpoints, and what it prints."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from standardwebhooks import Webhook, WebhookVerificationError

from engine import EDITIONS, NEWEST
from engine.cards import NAMES
from engine.phases import PHASES
from service.cli import main
from service.tools.try_bot import run as run_module
from service.tools.try_bot.judging import Judgment, judge
from service.tools.try_bot.requests import (
    AGAIN,
    AGAIN_EVERY,
    CASES,
    FORGED,
    LATE,
    ONCE,
    ROTATED,
    STALE,
    UNKNOWN,
    UNSIGNED,
    UNTRUSTED,
    Request,
    requests,
)
from service.webhooks import sending
from service.webhooks.kinds import KINDS, PING, TURN_STARTED

from ..api.answers import hold_told_against_the_description
from ..webhooks.endpoints import Connection, Endpoint, answer, endpoint, head

Json = dict[str, Any]

SECRET = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NOW = 1_795_000_000_000
DUEL = next(key for key, value in NEWEST.items() if value.most_seats == 2)
Answer = Callable[[Json, dict[str, str]], bytes]


@pytest.fixture(scope="module")
def sent() -> list[Request]:
    """All requests for all editions."""
    return list(requests("http://bot.example/", SECRET, list(EDITIONS), NOW))


def turns(requests: list[Request]) -> Iterator[tuple[Request, Json]]:
    """Yield each turn with the data of its body."""
    for request in requests:
        if request.type == TURN_STARTED:
            yield request, json.loads(request.body)["data"]


# What is sent


def test_every_edition_kind_and_case_is_sent(sent: list[Request]) -> None:
    assert {request.type for request in sent} >= {PING, *KINDS}
    assert {request.case for request in sent} == set(CASES)
    assert {request.edition for request in sent if request.moment} == set(EDITIONS)
    assert 200 < len(sent) < 300


def test_every_phase_is_sent_without_anything_special(sent: list[Request]) -> None:
    assert {request.phase for request, _ in turns(sent) if request.case in (ONCE, LATE)} == set(PHASES)


@pytest.mark.parametrize("key", EDITIONS)
def test_every_card_of_an_edition_may_be_laid_in_a_turn(sent: list[Request], key: str) -> None:
    laid = {
        move["move"]["card"]
        for request, data in turns(sent)
        if request.edition == key
        for move in data["moves"]
        if move["move"]["type"] == "play-card"
    }
    specials = {name for name, number in zip(NAMES, NEWEST[key].deck, strict=True) if number and "-" not in name}
    assert specials <= laid


def test_rare_situations_are_sent(sent: list[Request]) -> None:
    shown = {trait for request in sent if request.moment for trait in request.moment.shows}
    assert shown >= {"a final battle", "a later game of a match", "a seat that resigned", "face-down cards", "winter"}


def test_every_option_is_played(sent: list[Request]) -> None:
    for key, value in NEWEST.items():
        chosen = {name for request in sent if request.edition == key and request.moment for name in _options(request)}
        assert chosen == {option.key for option in value.options}


def _options(request: Request) -> list[str]:
    """Return the options in a request's game that differ from the printed defaults."""
    assert request.moment is not None
    opened = request.moment.game.table.opened
    printed = NEWEST[opened.edition].chosen
    return [name for name, value in opened.options.items() if value != printed[name]]


def test_the_bodies_are_as_the_description_says(sent: list[Request]) -> None:
    for request in sent:
        if b'"imagined"' not in request.body and request.case != UNKNOWN:
            hold_told_against_the_description(json.loads(request.body))


def test_nobody_sees_the_cards_of_others(sent: list[Request]) -> None:
    for request in sent:
        data = json.loads(request.body)["data"]
        view = data.get("view")
        if view is None or view["position"] is None or view["status"] == "finished":
            continue
        others = [seat for seat in view["position"]["seats"] if seat["seat"] != view["you"]]
        assert not any("cards" in seat["hand"] or "cards" in seat["face_down"] for seat in others)
        assert view["fairness"]["seed"] is None


def test_the_player_has_one_seat_in_each_game(sent: list[Request]) -> None:
    seats: dict[str, set[int]] = {}
    for request in sent:
        data = json.loads(request.body)["data"]
        if data.get("seat") is not None:
            seats.setdefault(data["game"], set()).add(data["seat"])
    assert set(map(len, seats.values())) == {1}


def test_every_run_sends_the_same(sent: list[Request]) -> None:
    first = next(iter(EDITIONS))
    again = list(requests("http://bot.example/", SECRET, [first], NOW))
    bodies = [request.body for request in sent if request.edition == first and request.case not in UNTRUSTED]
    assert [request.body for request in again[1 : len(bodies) + 1]] == bodies


def test_only_trusted_requests_have_a_valid_signature(sent: list[Request]) -> None:
    verifier = Webhook(SECRET)
    for request in sent:
        headers = request.headers(_now())
        if request.case in UNTRUSTED:
            with pytest.raises(WebhookVerificationError):
                verifier.verify(request.body, headers)
        else:
            assert verifier.verify(request.body, headers)


def _now() -> int:
    """Return the time in ms; the library compares signatures with the real time."""
    return time.time_ns() // 1_000_000


# Endpoints


def good(event: Json, headers: dict[str, str]) -> bytes:
    """Respond like a bot that checks signatures and chooses the last move."""
    try:
        Webhook(SECRET).verify(json.dumps(event, separators=(",", ":"), ensure_ascii=False), headers)
    except WebhookVerificationError:
        return answer(b"", "401 Unauthorized")
    if event["type"] == PING:
        return answer(json.dumps({"challenge": event["data"]["challenge"]}).encode())
    if event["type"] == TURN_STARTED:
        return answer(json.dumps({"move": event["data"]["moves"][-1]["number"]}).encode())
    return answer(b"", "204 No Content")


def trusting(event: Json, headers: dict[str, str]) -> bytes:  # noqa: ARG001
    """Respond with a move, without checking anything."""
    if event["type"] == TURN_STARTED:
        return answer(json.dumps({"move": event["data"]["moves"][0]["move"]}).encode())
    return answer(json.dumps(event["data"]).encode())


def lying(event: Json, headers: dict[str, str]) -> bytes:
    """Respond with moves that do not exist, and with a different challenge."""
    if event["type"] == PING:
        return answer(b'{"challenge": "guess"}')
    if event["type"] != TURN_STARTED:
        return good(event, headers)
    moves = [99, {"type": "play-card", "card": "\x1b[2J"}, {"type": "pass", "seat": 5}, {"type": []}, "pass", [[[]]]]
    return answer(json.dumps({"move": moves[event["data"]["version"] % len(moves)]}).encode())


def silent(event: Json, headers: dict[str, str]) -> bytes:
    """Do not move now, but later."""
    return answer(b"", "202 Accepted") if event["type"] == TURN_STARTED else good(event, headers)


async def _with(behave: Callable[[Connection], Any], *args: str, env: dict[str, str] | None) -> tuple[Result, Endpoint]:
    env = {"WEBHOOK_SECRET": SECRET} if env is None else env
    async with endpoint(behave) as running:
        words = ["try-bot", running.url(), *args]
        result = await asyncio.to_thread(CliRunner(env={"WEBHOOK_SECRET": None, **env}).invoke, main, words)
    return result, running


def try_bot(answers: Answer, *args: str, env: dict[str, str] | None = None) -> Result:
    """Run the command against an endpoint that responds like this."""

    async def behave(connection: Connection) -> None:
        headers, body = await connection.request()
        await connection.send(answers(json.loads(body), headers))

    return asyncio.run(_with(behave, *args, env=env))[0]


def lines(result: Result) -> list[Json]:
    """Return the JSON lines that were printed."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_good_bot_passes_in_every_edition() -> None:
    result = try_bot(good, "--json")
    assert result.exit_code == 0, result.output
    answers = lines(result)
    assert not any(line["wrong"] for line in answers)
    verdicts = Counter((line["type"] == TURN_STARTED, line["verdict"]) for line in answers)
    assert set(verdicts) == {(True, "legal"), (True, "refused"), (False, "accepted")}
    assert {line["case"] for line in answers if line["verdict"] == "refused"} == {FORGED, STALE, UNSIGNED}
    assert [line["same_move"] for line in answers if line["case"] == AGAIN] == [True] * sum(
        line["case"] == AGAIN for line in answers
    )
    assert {"id", "edition", "seats", "game", "version", "phase", "shows", "status", "latency"} <= set(answers[0])


def test_the_table_counts_all_answers() -> None:
    result = try_bot(good, "--edition", DUEL)
    assert result.exit_code == 0
    heading, *rows = [line.split() for line in result.stdout.splitlines()]
    assert heading == ["requests", "edition", "sent", "legal", "accepted", "refused", "median", "ms", "longest", "ms"]
    assert rows[0][:3] == [PING, "1", "1"]
    assert [row[0] for row in rows][-1] == "all"
    assert {AGAIN, LATE, ROTATED, FORGED} <= {row[0] for row in rows} | {ROTATED}
    total = int(rows[-1][1])
    assert sum(int(row[2] if row[1] == DUEL else row[1]) for row in rows[:-1]) == total


def test_moves_themselves_are_taken_and_a_bot_that_trusts_everybody_fails() -> None:
    result = try_bot(trusting, "--edition", DUEL, "--json")
    assert result.exit_code == 1
    wrong = [(line["case"], line["verdict"]) for line in lines(result) if line["wrong"]]
    assert wrong == [(FORGED, "not-refused"), (STALE, "not-refused"), (UNSIGNED, "not-refused")]
    assert all(line["move"] for line in lines(result) if line["verdict"] == "legal")


def test_moves_that_the_service_would_refuse_are_illegal() -> None:
    result = try_bot(lying, "--edition", DUEL, "--json")
    assert result.exit_code == 1
    answers = lines(result)
    assert answers[0]["verdict"] == "wrong-challenge"
    told = {line["problem"]["code"] for line in answers if line["verdict"] == "illegal"}
    assert told >= {"invalid-request", "not-your-seat"}
    assert not any(line["verdict"] == "legal" for line in answers)


def test_an_answer_cannot_write_to_the_terminal() -> None:
    result = try_bot(lying, *(word for key in list(EDITIONS)[:3] for word in ("--edition", key)))
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "more responses are wrong: --json prints all" in result.output


def test_a_bot_that_moves_later_passes() -> None:
    result = try_bot(silent, "--edition", DUEL)
    assert result.exit_code == 1  # The endpoint accepts forged turns, too.
    assert "no-move" in result.output
    assert "illegal" not in result.output


def test_answers_before_an_interruption_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is pressed while the response to the third request arrives."""
    numbers = itertools.count(1)

    def interrupted(request: Request, result: sending.PostResult) -> Judgment:
        if next(numbers) % 3 == 0:
            raise KeyboardInterrupt
        return judge(request, result)

    monkeypatch.setattr(run_module, "judge", interrupted)
    table, as_json = try_bot(good, "--edition", DUEL), try_bot(good, "--edition", DUEL, "--json")
    assert (table.exit_code, as_json.exit_code) == (1, 1)
    assert table.stderr == as_json.stderr == "interrupted after 2 requests\n"
    assert table.stdout.splitlines()[-1].split()[:2] == ["all", "2"]
    assert len(lines(as_json)) == 2


@pytest.mark.parametrize("content", ["", " \n"])
def test_an_empty_secret_is_refused(tmp_path: Path, content: str) -> None:
    """An empty secret is a configuration error: a generated one would make every request fail."""
    file = tmp_path / "secret"
    file.write_text(content)
    url = "http://127.0.0.1:9/"
    for words, env, source in (
        ([url], {"WEBHOOK_SECRET": content}, "WEBHOOK_SECRET"),
        ([url, "--secret-file", str(file)], {"WEBHOOK_SECRET": SECRET}, "the file"),
    ):
        result = CliRunner(env=env).invoke(main, ["try-bot", *words])
        assert result.exit_code == 2
        assert source in result.stderr
        assert "is empty" in result.stderr
        assert result.stdout == ""


def test_the_secret_is_made_up_and_printed_if_there_is_none() -> None:
    seen: list[dict[str, str]] = []

    def note(event: Json, headers: dict[str, str]) -> bytes:  # noqa: ARG001
        seen.append(headers)
        return answer(b"", "204 No Content")

    result = try_bot(note, "--edition", DUEL, "--json", env={})
    name, _, secret = result.stderr.splitlines()[0].partition("=")
    assert name == "WEBHOOK_SECRET"
    signed = {name: value for name, value in seen[0].items() if name.startswith("webhook-")}
    assert signed
    assert len(lines(result)) == len(seen)
    assert secret not in result.stdout


def test_no_color_and_no_control_characters_in_a_pipe() -> None:
    assert "\x1b" not in try_bot(good, "--edition", DUEL, env={"WEBHOOK_SECRET": SECRET, "FORCE_COLOR": ""}).output


# Endpoints that misbehave


def misbehave(behave: Callable[[Connection], Any], *args: str) -> tuple[Result, Endpoint]:
    """Run the command against an endpoint that does this on every connection."""
    return asyncio.run(_with(behave, "--edition", DUEL, *args, env=None))


async def slow(connection: Connection) -> None:
    """Read the request, and never respond."""
    await connection.request()
    await connection.end()


async def huge(connection: Connection) -> None:
    """Respond with more data than a response may have."""
    await connection.request()
    await connection.send(answer(b"[" + b" " * 2 * sending.ANSWER_BYTES + b"]"))


async def endless(connection: Connection) -> None:
    """Send a response that does not end."""
    await connection.request()
    await connection.send(head("200 OK"))
    while True:
        await connection.send(b" " * 1024)


async def hanging_up(connection: Connection) -> None:
    """Close the connection in the middle of a response."""
    await connection.request()
    await connection.send(head("200 OK", "Content-Length: 100"), b"{")


@pytest.mark.parametrize(
    ("behave", "error"),
    [(slow, "timed-out"), (huge, "answer-too-large"), (endless, "answer-too-large"), (hanging_up, "bad-answer")],
)
def test_an_endpoint_without_answers_is_left_alone_soon(
    monkeypatch: pytest.MonkeyPatch, behave: Callable[[Connection], Any], error: str
) -> None:
    monkeypatch.setattr(sending, "ANSWER_SECONDS", 0.5 if behave is slow else 15.0)
    result, running = misbehave(behave, "--json")
    assert result.exit_code == 1
    assert [line["error"] for line in lines(result)] == [error] * run_module.MOST_FAILURES
    assert running.connections == run_module.MOST_FAILURES
    assert result.stderr == f"stopped after {run_module.MOST_FAILURES} requests in a row without a response\n"


def test_redirects_are_not_followed() -> None:
    async def elsewhere(connection: Connection) -> None:
        await connection.request()
        await connection.send(answer(b"", "307 Temporary Redirect", f"Location: http://127.0.0.1:{other.port}/"))

    async def play() -> None:
        async with endpoint(slow) as running:
            other.port = running.port
            result, _ = await _with(elsewhere, "--edition", DUEL, "--json", env=None)
            assert {line["status"] for line in lines(result)} == {307}
            assert running.connections == 0

    other = Endpoint()
    asyncio.run(play())


def test_nobody_listens() -> None:
    result = CliRunner(env={"WEBHOOK_SECRET": SECRET}).invoke(main, ["try-bot", "http://127.0.0.1:9/"])
    assert result.exit_code == 1
    assert "no-connection" in result.output


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (["ftp://127.0.0.1/"], {"WEBHOOK_SECRET": SECRET}),
        (["http://169.254.169.254/"], {"WEBHOOK_SECRET": SECRET}),
        (["http://127.0.0.1:9/"], {"WEBHOOK_SECRET": "whsec_short"}),
        (["http://127.0.0.1:9/", "--secret-file", "missing"], {}),
        (["http://127.0.0.1:9/", "--edition", "nobody"], {}),
        ([], {}),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(words: list[str], env: dict[str, str]) -> None:
    result = CliRunner(env={"WEBHOOK_SECRET": None, **env}).invoke(main, ["try-bot", *words])
    assert result.exit_code == 2
    assert "Error: " in result.output
    assert SECRET not in result.output


def test_a_quarter_of_the_turns_comes_twice(sent: list[Request]) -> None:
    cases = Counter(request.case for request in sent)
    once = sum(request.type == TURN_STARTED for request in sent) - cases[AGAIN] - len(UNTRUSTED)
    assert cases[AGAIN] == once // AGAIN_EVERY
