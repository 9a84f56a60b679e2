"""The guard: which requests are refused and which are not, with a clock that the test sets."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest

from service.gateway import guard as guards
from service.gateway import verifying
from service.gateway.crowd import OF_ONE_ADDRESS as CONNECTIONS
from service.gateway.guard import BURST, LATELY, PATIENCE, RATE, Caller, Guard
from service.gateway.refusals import DELAY
from service.gateway.shares import ALWAYS, Shares
from service.gateway.verifying import Verifier
from service.problems import Problem

from .clocks import Clock

HERE, THERE = "192.0.2.7", "2001:db8::/64"


@pytest.fixture
def guard(clock: Clock) -> Guard:
    return Guard(clock)


def admitted(guard: Guard, many: int, token: str = "", network: str = HERE) -> int:
    """Send `many` requests, and return how many were admitted without waiting."""
    callers = (guard.caller(network, f"Bearer {token}" if token else None) for _ in range(many))
    return sum(guard.admit(caller, 0) is not None for caller in callers)


def test_a_burst_and_then_a_rate(guard: Guard, clock: Clock) -> None:
    assert admitted(guard, BURST + 10) == BURST
    clock.now += 1
    assert admitted(guard, BURST) == RATE
    clock.now += 3600
    assert admitted(guard, 2 * BURST) == BURST


def test_a_request_that_is_early_waits_and_one_that_is_much_too_early_is_refused(guard: Guard, clock: Clock) -> None:
    """A client that sends one request after another is therefore slowed down to the rate, and never refused."""
    caller = guard.caller(HERE, None)
    waits = [guard.admit(caller) for _ in range(BURST + round(RATE * PATIENCE) + 1)]
    assert waits[:BURST] == [0] * BURST
    assert waits[BURST:-1] == pytest.approx([number / RATE for number in range(1, round(RATE * PATIENCE) + 1)])
    assert waits[-1] is None
    begin = clock.now
    for _ in range(1000):
        wait = guard.admit(caller)
        if wait is None:
            wait = PATIENCE
        clock.now += wait
    assert clock.now - begin == pytest.approx(1000 / RATE, rel=0.05)


def test_each_address_has_its_own(guard: Guard) -> None:
    assert admitted(guard, BURST + 10, network=HERE) == admitted(guard, BURST + 10, network=THERE) == BURST


def test_invented_tokens_are_charged_to_the_address(guard: Guard) -> None:
    assert sum(admitted(guard, 1, f"p17abc.{number}") for number in range(5 * BURST)) == BURST


def test_an_accepted_token_has_its_own_whatever_its_address_sends(guard: Guard) -> None:
    guard.accept("good", "p17abc")
    assert admitted(guard, 5 * BURST) == BURST
    assert admitted(guard, BURST, "good") == BURST
    assert admitted(guard, 1, "good") == 0
    assert guard.caller(HERE, "Bearer good") == Caller(HERE, "good", "p17abc")


@pytest.mark.parametrize("header", ["Bearer good", "bearer good", "Bearer   good ", "BEARER good"])
def test_a_token_has_one_burst_however_it_is_written(guard: Guard, header: str) -> None:
    guard.accept("good", "p17abc")
    admitted(guard, BURST, "good")
    assert guard.admit(guard.caller(HERE, header), 0) is None


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic good", "good"])
def test_anything_else_is_no_token(guard: Guard, header: str | None) -> None:
    guard.accept("good", "p17abc")
    assert guard.caller(HERE, header) == Caller(HERE)


def test_a_refused_token_and_one_that_was_accepted_long_ago_are_unknown(guard: Guard, clock: Clock) -> None:
    for token in ("revoked", "old"):
        guard.accept(token, "p17abc")
    guard.forget("revoked")
    assert not guard.caller(HERE, "Bearer revoked").player
    clock.now += LATELY + 1
    assert not guard.caller(HERE, "Bearer old").player


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, guard: Guard, clock: Clock) -> None:
    """Callers that have sent nothing recently are forgotten first, then the oldest."""
    monkeypatch.setattr(guards, "MOST_CALLERS", 100)
    monkeypatch.setattr(guards, "MOST_TOKENS", 100)
    admitted(guard, 1, network="quiet")
    clock.now += 3600
    admitted(guard, BURST, network="busy")
    for number in range(1000):
        guard.accept(f"token-{number}", "p17abc")
        admitted(guard, 1, network=f"network-{number}")
    assert len(guard._whole_at) <= 100
    assert len(guard._tokens) <= 100
    assert guard.caller(HERE, "Bearer token-999").player


def test_a_request_that_takes_long_counts_as_several(guard: Guard, clock: Clock) -> None:
    guard.accept("token", "p17abc")
    caller = guard.caller(HERE, "Bearer token")
    assert guard.admit(caller) == 0
    guard.charge(caller, guards.USUAL_CPU / 2)
    guard.charge(caller, 10 * guards.USUAL_CPU)
    assert admitted(guard, BURST, "token") == BURST - 10
    for _ in range(1000):
        guard.charge(caller, 3600)
    clock.now += guards.LONGEST_DEBT
    assert admitted(guard, 1, "token") == 0
    clock.now += 1
    assert admitted(guard, 1, "token") == 1


def test_expensive_requests_one_after_the_other_wait_and_are_never_refused(guard: Guard, clock: Clock) -> None:
    caller = guard.caller(HERE, None)
    waits = []
    for _ in range(100):
        wait = guard.admit(caller)
        assert wait is not None
        waits.append(wait)
        clock.now += wait
        guard.charge(caller, 60)
    assert waits[-1] == pytest.approx(PATIENCE)


def test_all_tokens_of_a_player_count_together(guard: Guard) -> None:
    for number in range(3):
        guard.accept(f"token-{number}", "p17abc")
    assert sum(admitted(guard, BURST, f"token-{number}") for number in range(3)) == BURST


def test_a_waiting_token_is_checked_with_all_others_at_once() -> None:
    checks = []

    def check(tokens: Collection[str]) -> dict[str, str]:
        checks.append(sorted(tokens))
        return {"good": "p17abc"}

    async def ask() -> list[str]:
        verifier = Verifier(check)
        return await asyncio.gather(*(verifier.player_of(HERE, token) for token in ("good", "bad", "good")))

    assert asyncio.run(ask()) == ["p17abc", "", "p17abc"]
    assert checks == [["bad", "good"]]


def test_one_address_does_not_fill_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "OF_ONE_ADDRESS", 2)

    async def ask() -> list[str]:
        verifier = Verifier(lambda tokens: dict.fromkeys(tokens, "p17abc"))
        flood = [verifier.player_of(HERE, f"bad-{number}") for number in range(5)]
        return await asyncio.gather(*flood, verifier.player_of(THERE, "good"))

    assert asyncio.run(ask()) == ["p17abc"] * 2 + [""] * 3 + ["p17abc"]


def test_the_connections_of_an_address_cannot_fill_its_part_of_a_check() -> None:
    """Each connection sends one token in DELAY seconds, because refusals are delayed."""
    assert CONNECTIONS * verifying.PAUSE / DELAY < verifying.OF_ONE_ADDRESS


def test_a_check_that_fails_refuses_and_the_next_one_does_not() -> None:
    answers = [OSError("no store"), {"good": "p17abc"}]

    def check(_: Collection[str]) -> dict[str, str]:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer  # type: ignore[return-value]

    async def ask() -> list[str]:
        verifier = Verifier(check)
        return [await verifier.player_of(HERE, "good"), await verifier.player_of(HERE, "good")]

    assert asyncio.run(ask()) == ["", "p17abc"]


def test_a_player_has_a_share_of_the_places_and_some_in_any_case() -> None:
    shares = Shares(of_one_player=6, of_one_address=8)
    for _ in range(6):
        shares.take(HERE, "noisy")
    with pytest.raises(Problem, match="each player may have at most 6") as caught:
        shares.take(HERE, "noisy")
    assert (caught.value.code, caught.value.kind.status, caught.value.members["cap"]) == ("too-many-own-waits", 429, 6)
    for _ in range(2):
        shares.take(HERE, None)
    with pytest.raises(Problem, match="each address may have at most 8"):
        shares.take(HERE, None)
    for _ in range(ALWAYS):
        shares.take(HERE, "quiet")
    with pytest.raises(Problem, match="each address may have at most 8"):
        shares.take(HERE, "quiet")
    shares.take(THERE, None)
    for network, player, many in ((HERE, "noisy", 6), (HERE, None, 2), (HERE, "quiet", ALWAYS), (THERE, None, 1)):
        for _ in range(many):
            shares.give_back(network, player)
    assert not shares._counts
