"""The record of a game, generated from its log: its members, and that its chain is the log's chain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from itertools import repeat
from typing import Any

import orjson
import pytest

from engine import EDITIONS, commitment, to_notation
from service.games.game import Game, rebuild
from service.records.document import as_json, as_lines
from service.store.chain import head
from service.store.commits import Commits

from ...logs.files import FOLDER, read
from ..games.logs import GAME, PLAYERS, SEED, whole_game

Json = dict[str, Any]
MEMBERS = [
    *("record", "game", "edition", "revision", "options", "seats", "status", "version", "open", "seat", "clock"),
    *("result", "fairness", "head", "commits"),
]
STORED = sorted(FOLDER.rglob("*.log"))


def stored_game(path: Any) -> Game:
    """Return a game whose log an earlier release has written, without hashes."""
    stored = read(path)
    return rebuild(Commits(stored.id, stored.rows), stored.seed)


def recompute(record: Json) -> None:
    """Verify the hashes, the head and the commitment of an open record, as a stranger does."""
    hash_ = "0" * 64
    for commit in record["commits"]:
        assert list(commit) == ["seq", "at", "by", "revision", "events", "hash", "position"]
        line = {name: commit[name] for name in list(commit)[:5]}
        text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
        hash_ = hashlib.sha256(hash_.encode() + text.encode()).hexdigest()
        assert commit["hash"] == hash_
    seed = bytes.fromhex(record["fairness"]["seed"])
    assert record["head"] == head(seed, hash_)
    assert record["fairness"]["commitment"] == commitment(seed)


@cache
def played(key: str) -> Commits:
    """Return the log of a whole game of an edition."""
    return Commits.of(GAME, [commit for commit, _ in whole_game(key)])


def at(key: str, version: int | None = None) -> Game:
    """Return a game of an edition at a version, or at its end."""
    return rebuild(played(key)[:version], SEED)


def moments(key: str) -> Iterator[Game]:
    """Yield a game of an edition at some versions: at the start, while it runs, and at its end."""
    return map(at, repeat(key), (1, 7, None))


@pytest.mark.parametrize("key", EDITIONS)
def test_the_record_of_a_finished_game_is_open(key: str) -> None:
    game = at(key)
    positions = [hashlib.sha256(to_notation(state).encode()).hexdigest() for _, state in whole_game(key)]
    record = json.loads(as_json(game, None))
    assert list(record) == MEMBERS
    assert (record["open"], record["seat"], record["status"]) == (True, None, "finished")
    assert record["version"] == len(record["commits"]) == game.version
    assert [commit["position"] for commit in record["commits"]] == positions
    assert [commit["events"] for commit in record["commits"]] == [commit["events"] for commit in game.commits]
    recompute(record)
    for player in PLAYERS:
        assert as_json(game, player) == as_json(game, None)


@pytest.mark.parametrize("key", EDITIONS)
def test_the_record_of_a_running_game_has_no_hash(key: str) -> None:
    game = at(key, 5)
    for player in (*PLAYERS, None):
        record = json.loads(as_json(game, player))
        assert list(record) == MEMBERS
        assert (record["open"], record["status"], record["fairness"]["seed"]) == (False, "running", None)
        assert record["seat"] == game.table.seat_of(player or "")
        assert [list(commit) for commit in record["commits"]] == [["seq", "at", "by", "revision", "events"]] * 5
        text = as_json(game, player)
        assert game.hash.encode() not in text
        assert SEED.hex().encode() not in text


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_record_of_a_log_without_hashes_has_them(path: Any) -> None:
    game = stored_game(path)
    record = json.loads(as_json(game, None))
    assert record["open"] == game.revealed
    if game.revealed:
        recompute(record)
        assert record["commits"][-1]["hash"] == game.hash
        notation = to_notation(game.state) if game.state else ""
        assert record["commits"][-1]["position"] == hashlib.sha256(notation.encode()).hexdigest()


def test_there_are_stored_games_of_each_kind() -> None:
    statuses = {stored_game(path).status for path in STORED}
    assert statuses == {"open", "running", "finished", "cancelled"}


@pytest.mark.parametrize("key", EDITIONS)
def test_the_lines_of_a_record_are_the_same_record(key: str) -> None:
    for game in moments(key):
        first, *commits = [orjson.loads(line) for line in as_lines(game, PLAYERS[0])]
        assert {**first, "commits": commits} == json.loads(as_json(game, PLAYERS[0]))
        assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in as_lines(game, None))


def test_names_are_in_a_record_on_request_only() -> None:
    game = at("zman-2018", 1)
    record = json.loads(as_json(game, None, {PLAYERS[0]: "Anna", PLAYERS[1]: None}))
    assert record["names"] == {PLAYERS[0]: "Anna", PLAYERS[1]: None}
    assert "names" not in json.loads(as_json(game, None))


@pytest.mark.parametrize("key", EDITIONS)
def test_no_key_and_no_fingerprint_is_in_a_record(key: str) -> None:
    for game in moments(key):
        text = as_json(game, PLAYERS[0])
        assert b'"key"' not in text
        assert b'"fingerprint"' not in text
        assert b"key-1" not in text
