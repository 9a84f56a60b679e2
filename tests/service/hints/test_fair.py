"""Which hint is taken next: games with people before games of bots, and owners in rotation."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import redis

from service.hints.fair import BOTS, KEYS, PEOPLE, SHARE, THINKING_KEYS, Hint
from service.hints.queue import KINDS, QUEUE, QUICK, THINKING, THINKING_QUEUE, Hints, Kind

from ..store.games import NOW, game_id

ANNA, BRUNO, CATERINA = "p07annaannaan", "p08brunobruno", "p09caterinaca"
MANY = 300
QUEUE_KEY, THINKING_QUEUE_KEY = f"rq:queue:{QUEUE}", f"rq:queue:{THINKING_QUEUE}"


def bots(owner: str, *numbers: int) -> list[Hint]:
    """Return hints for games of bots only."""
    return [Hint(game_id(0, number), NOW, owner, people=False) for number in numbers]


def people(owner: str, *numbers: int) -> list[Hint]:
    """Return hints for games in which a person is waiting."""
    return [hint._replace(people=True) for hint in bots(owner, *numbers)]


def thinking(hints: list[Hint]) -> list[Hint]:
    """Return the same hints for turns of bots that search."""
    return [hint._replace(searches=True) for hint in hints]


def taken(hints: Hints, kind: Kind = QUICK) -> Iterator[Hint]:
    """Take hints until none are left."""
    while hint := hints.take(kind):
        yield hint


def places(server: redis.Redis, line: str) -> dict[str, int]:
    """Return the recorded places of a line."""
    return {name.decode(): int(place) for name, place in server.hgetall(f"{line}:places").items()}


def test_whoever_opens_many_games_keeps_nobody_waiting(hints: Hints) -> None:
    hints.put(bots(ANNA, *range(MANY)))
    hints.put(people(BRUNO, MANY))
    assert hints.take() == people(BRUNO, MANY)[0]


def test_owners_take_turns(hints: Hints) -> None:
    hints.put(people(ANNA, 0, 1, 2, 3))
    first = hints.take()
    hints.put(people(BRUNO, 10, 11))
    hints.put(people(CATERINA, 20))
    assert first == people(ANNA, 0)[0]
    rounds = [{hint.owner for hint in part} for part in _in_parts(taken(hints), 3, 2, 1)]
    assert rounds == [{ANNA, BRUNO, CATERINA}, {ANNA, BRUNO}, {ANNA}]


def test_who_comes_back_waits_for_those_who_came_before(hints: Hints) -> None:
    """Otherwise two owners with fast games could keep a third owner waiting forever."""
    hints.put(people(ANNA, *range(MANY)))
    served = []
    for number in range(10):
        hints.put(people(BRUNO, MANY + number))
        served += [hint.owner for hint in (hints.take(), hints.take()) if hint]
    assert served.count(ANNA) == served.count(BRUNO) == 10


def test_the_hints_of_an_owner_are_taken_as_they_came(hints: Hints) -> None:
    numbers = random.Random(7).sample(range(MANY), 30)
    for number in numbers:
        hints.put(people(ANNA, number) + bots(BRUNO, number))
    order = list(taken(hints))
    assert [hint for hint in order if hint.owner == ANNA] == people(ANNA, *numbers)
    assert [hint for hint in order if hint.owner == BRUNO] == bots(BRUNO, *numbers)


def test_while_people_wait_some_hints_are_for_bots(hints: Hints) -> None:
    hints.put(bots(ANNA, *range(3)) + people(BRUNO, *range(10, 10 + 3 * SHARE)))
    order = [hint.people for hint in taken(hints)]
    assert [at + 1 for at, waited_for in enumerate(order) if not waited_for] == [SHARE, 2 * SHARE, 3 * SHARE]


def test_while_no_person_waits_all_hints_are_for_bots(hints: Hints) -> None:
    hints.put(bots(ANNA, 0, 1, 2))
    assert list(taken(hints)) == bots(ANNA, 0, 1, 2)


def test_a_hint_that_waits_is_not_put_twice(hints: Hints) -> None:
    for _ in range(2):
        hints.put(people(ANNA, 0, 1, 0))
    assert list(taken(hints)) == people(ANNA, 0, 1)
    hints.put(people(ANNA, 0))
    assert list(taken(hints)) == people(ANNA, 0)


@pytest.mark.parametrize("line", [PEOPLE, BOTS])
def test_of_an_owner_for_whom_nothing_waits_nothing_is_kept(hints: Hints, server: redis.Redis, line: str) -> None:
    """The record is deleted even if the line is never empty."""
    some = people if line == PEOPLE else bots
    hints.put(some(ANNA, 0))
    for number in range(1, MANY):
        hints.put(some(f"p{number % 64:02d}{number:010d}", number))
        hints.take()
        assert set(places(server, line)) - {"taken"} <= {hint.owner for hint in hints.waiting()}
    assert len(list(taken(hints))) == 1
    assert set(places(server, line)) <= {"taken"}
    hints.put(some(ANNA, 0))
    assert places(server, line) == {ANNA: 1}, "an empty line starts again from place 1"


# Bots that search


def test_the_hints_of_each_kind_are_taken_by_workers_of_that_kind(hints: Hints) -> None:
    quick, slow = people(ANNA, 0, 1) + bots(BRUNO, 2), thinking(people(ANNA, 3) + bots(BRUNO, 4, 5))
    hints.put([*slow[:2], *quick, *slow[2:]])
    assert hints.waiting() == {*quick, *slow}
    assert list(taken(hints)) == quick
    assert hints.waiting() == set(slow)
    assert list(taken(hints, THINKING)) == slow


def test_the_order_of_thinking_turns_is_as_fair(hints: Hints) -> None:
    """Owners take turns, games with people come first, and some turns are for games of bots only."""
    hints.put(thinking(bots(ANNA, *range(MANY)) + people(BRUNO, *range(MANY, MANY + 2 * SHARE))))
    hints.put(thinking(people(CATERINA, 2 * MANY)))
    order = [hint for _ in range(2 * SHARE) if (hint := hints.take(THINKING))]
    assert [at + 1 for at, hint in enumerate(order) if not hint.people] == [SHARE, 2 * SHARE]
    assert CATERINA in {hint.owner for hint in order[:2]}


def test_a_turn_may_wait_in_both_pairs_of_lines(hints: Hints) -> None:
    """An earlier release that runs at the same time knows only one pair."""
    hints.put(people(ANNA, 0) + thinking(people(ANNA, 0)))
    assert [*taken(hints), *taken(hints, THINKING)] == people(ANNA, 0) + thinking(people(ANNA, 0))


def test_a_person_in_a_thinking_line_keeps_no_quick_job_from_its_game(hints: Hints) -> None:
    hints.put(thinking(people(ANNA, 0)))
    assert not hints.people_wait()
    hints.put(people(ANNA, 1))
    assert hints.people_wait()


# What is lost


@pytest.mark.parametrize("key", [*KEYS, QUEUE_KEY, *THINKING_KEYS, THINKING_QUEUE_KEY])
@pytest.mark.parametrize("kind", ["string", "list", "set", "hash", "zset"])
def test_a_key_of_a_wrong_type_is_mended(hints: Hints, server: redis.Redis, key: str, kind: str) -> None:
    write = {
        "string": lambda: server.set(key, "wrong"),
        "list": lambda: server.rpush(key, "wrong"),
        "set": lambda: server.sadd(key, "wrong"),
        "hash": lambda: server.hset(key, "wrong", "wrong"),
        "zset": lambda: server.zadd(key, {"wrong": 1}),
    }[kind]
    uses = (
        hints.waiting,
        lambda: [hints.take(of) for of in KINDS],
        lambda: hints.put(people(BRUNO, 9) + thinking(people(BRUNO, 9))),
    )
    for use in uses:
        server.flushdb()
        some = people(ANNA, 0, 1) + bots(ANNA, 2, 3)
        hints.put(some + thinking(some))
        server.delete(key)
        write()
        if key in (QUEUE_KEY, THINKING_QUEUE_KEY):
            hints.waiting()
        use()
    wanted = people(CATERINA, 4) + bots(CATERINA, 5) + thinking(people(CATERINA, 6) + bots(CATERINA, 7))
    hints.put(wanted)
    assert set(wanted) <= hints.waiting()
    assert set(wanted) <= {hint for _ in range(20) for of in KINDS if (hint := hints.take(of))}


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_lost_those_who_wait_are_taken_once(hints: Hints, server: redis.Redis, seed: int) -> None:
    """Lines, places and the queue may each be lost at any moment."""
    chance = random.Random(seed)
    wait: set[Hint] = set()
    for number in range(MANY):
        owner = chance.choice([ANNA, BRUNO, CATERINA])
        hint = chance.choice([people, bots])(owner, number)[0]
        hints.put([hint])
        wait.add(hint)
        if chance.random() < 0.4:
            found = hints.take()
            assert found in wait
            wait.discard(found)
        if chance.random() < 0.1:
            lost = chance.choice([*KEYS, QUEUE_KEY])
            server.delete(lost)
            wait = {hint for hint in wait if lost != (PEOPLE if hint.people else BOTS)}
        assert hints.waiting() == wait
        assert server.llen(QUEUE_KEY) >= len(wait)
    rest = list(taken(hints))
    assert len(rest) == len(set(rest))
    assert set(rest) == wait


def test_when_places_are_lost_nobody_comes_before_those_who_wait(hints: Hints, server: redis.Redis) -> None:
    hints.put(people(ANNA, *range(MANY)))
    for _ in range(MANY // 2):
        hints.take()
    server.delete(f"{PEOPLE}:places")
    hints.put(people(BRUNO, *range(MANY, MANY + 10)))
    assert [hints.take() for _ in range(20)].count(None) == 0
    assert len([hint for hint in hints.waiting() if hint.owner == BRUNO]) == 0


def _in_parts(hints: Iterator[Hint], *sizes: int) -> list[list[Hint]]:
    return [[next(hints) for _ in range(size)] for size in sizes]
