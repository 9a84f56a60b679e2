"""The model of the writes that accompany a log gives the same result as the log server."""

from __future__ import annotations

import re
from importlib.resources import files
from random import Random

import pytest

from service.store import Store
from service.store.effects import KINDS, Effects, Row, UnknownCommand, holds
from service.store.indexes import FAMILIES, family_of
from service.store.keys import of_shard
from service.store.transport import Command

ANNA = "p17abcdefghjk"
ROWS = {"hash": f"turns:{ANNA}", "zset": "open", "list": f"feed:{ANNA}"}


def anything(random: Random, name: str) -> Command:
    """Return a command with this name for one of a few rows."""
    key, member = of_shard(17, ROWS[KINDS[name]]), f"game-{random.randrange(4)}"
    match name:
        case "HSET":
            return (name, key, member, b"%d" % random.randrange(9))
        case "ZADD":
            return (name, key, 1_795_000_000_000 + random.randrange(9), member)
        case "HINCRBY":
            return (name, of_shard(17, f"record:{ANNA}"), member, random.randrange(3))
    return (name, key, member)


@pytest.mark.parametrize("seed", range(3))
def test_the_model_leaves_behind_what_the_server_does(store: Store, seed: int) -> None:
    random, written = Random(seed), Effects()
    for _ in range(60):
        command = anything(random, random.choice([*KINDS]))
        written.write(command)
        store._server.ask(*command)
    for kind, rest in ROWS.items():
        key = of_shard(17, rest)
        found = dict(store.indexes.rows_of(key))
        if kind == "list":
            assert [row for row, _ in store.indexes.rows_of(key)] == written.feeds[key]
            continue
        rows = {row.member: command for row, command in written.rows.items() if row.key == key}
        assert found.keys() <= rows.keys()
        assert all(holds(command, found.get(member, b"")) for member, command in rows.items())
    key = of_shard(17, f"record:{ANNA}")
    counts = {member: int(count) for member, count in store.indexes.rows_of(key)}
    assert counts == dict(written.counts[key])


def test_the_append_writes_the_commands_that_the_model_knows() -> None:
    """It also knows the type of each command's key."""
    text = files("service.store").joinpath("scripts", "append.lua").read_text()
    (kinds,) = re.findall(r"local kinds = \{(.*)\}", text)
    assert dict(re.findall(r"(\w+) = '(\w+)'", kinds)) == KINDS


def test_what_holds_a_row_is_the_last_command() -> None:
    written = Effects()
    written.write(("HSET", "turns", "17", b"1"))
    written.write(("HDEL", "turns", "17"))
    assert written.rows == {Row("turns", "17"): ("HDEL", "turns", "17")}


@pytest.mark.parametrize(
    "command",
    [
        ("LPUSH", "feed", "17 1"),
        ("DEL", "feed"),
        ("HSET", "turns", "17", b"1", "18", b"2"),
        ("HDEL", "turns", "17", "18"),
        ("ZADD", "open", "NX", 7, "17"),
        ("RPUSH", "feed", "17 1", "17 2"),
        ("HINCRBY", "record", "moves", "1"),
    ],
    ids=lambda command: " ".join(map(str, command)),
)
def test_a_command_that_the_model_does_not_know_is_refused(command: Command) -> None:
    """Otherwise the comparison would be with a guess."""
    with pytest.raises(UnknownCommand, match=command[0]):
        Effects().write(command)


def test_every_index_is_of_one_kind() -> None:
    assert {FAMILIES[family_of(of_shard(17, rest))]: rest for rest in ROWS.values()} == ROWS
