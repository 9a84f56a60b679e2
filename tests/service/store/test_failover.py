"""Failover: the address leads to another server, or the server no longer accepts writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from service.hints.fair import Hint
from service.hints.queue import Hints
from service.store import Store
from service.store.errors import StoreForbids, StoreUnavailable

from ..servers import DURABLE, Address, Valkey, folder_for_data, free_port, until
from .games import GAME, NOW, OTHER, append, config

pytestmark = pytest.mark.slow

Two = tuple[Valkey, Valkey]
AT_ONCE = ("--repl-diskless-sync-delay", "0")
"""Replication to a new replica starts without a delay."""


@pytest.fixture
def pair() -> Iterator[Two]:
    """A primary and its replica."""
    with folder_for_data("valkey-") as first, folder_for_data("valkey-") as second:
        primary = Valkey(Path(first), *DURABLE, *AT_ONCE, port=free_port())
        replica = Valkey(Path(second), *DURABLE, *AT_ONCE, port=free_port())
        follow(replica, primary)
        yield primary, replica
        replica.stop()
        primary.stop()


@pytest.fixture
def address(pair: Two) -> Iterator[Address]:
    """The address of the primary."""
    made = Address(pair[0])
    yield made
    made.close()


@pytest.fixture
def far(address: Address) -> Iterator[Store]:
    """A store that uses the address."""
    made = Store(config(address.url), recheck=600)
    yield made
    made.close()


def follow(replica: Valkey, primary: Valkey) -> None:
    """Make a server the replica of another one, and wait until it has all data."""
    with replica.client() as client:
        client.replicaof("127.0.0.1", str(primary.port))
        until(lambda: client.info("replication")["master_link_status"] == "up")


def fail_over(address: Address, pair: Two) -> None:
    """Promote the replica, lead the address to it, and demote the primary; connections stay open."""
    primary, replica = pair
    with replica.client() as client:
        client.replicaof("NO", "ONE")
    address.lead_to(replica)
    follow(primary, replica)


def test_the_first_write_after_a_failover_finds_the_new_primary(far: Store, address: Address, pair: Two) -> None:
    """Every later write finds it too, and nobody has to close a connection."""
    assert append(far, GAME, 0)
    fail_over(address, pair)
    assert append(far, GAME, 1)
    assert far.log.length(GAME) == 2
    assert far.readiness().ready


def test_whoever_waits_is_woken_by_the_new_primary(far: Store, address: Address, pair: Two) -> None:
    """Waiters are woken even if the old primary was cut off and would never have announced anything."""
    append(far, GAME, 0)
    woken: list[Sequence[str] | None] = []
    far.waits.subscribe(woken.append)
    until(lambda: None in woken)
    fail_over(address, pair)
    with pair[0].client() as client:
        client.replicaof("127.0.0.1", str(free_port()))
    woken.clear()
    append(far, GAME, 1)
    until(lambda: None in woken)
    append(far, OTHER, 0)
    until(lambda: any(topics is not None and OTHER in topics for topics in woken))


def test_the_queue_is_found_after_a_failover_too(address: Address, pair: Two) -> None:
    hints = Hints(config(address.url), job="tests.service.hints.marks.mark")
    assert hints.send(Hint(GAME, NOW))
    fail_over(address, pair)
    # The first hint goes to the old primary and is lost, which is allowed for hints.
    hints.send(Hint(GAME, NOW))
    assert hints.send(Hint(OTHER, NOW))
    hints.close()


def out_of_memory(server: Valkey) -> Callable[[], object]:
    """Let a server run out of memory, and return a function that ends this."""
    client = server.client()
    client.config_set("maxmemory", "1")
    return lambda: client.config_set("maxmemory", "0")


def without_replicas(server: Valkey) -> Callable[[], object]:
    """Require more replicas than a server has, and return a function that ends this."""
    client = server.client()
    client.config_set("min-replicas-to-write", "3")
    return lambda: client.config_set("min-replicas-to-write", "0")


def demoted(server: Valkey) -> Callable[[], object]:
    """Make a server the replica of a server that does not exist, and return a function that ends this."""
    client = server.client()
    client.replicaof("127.0.0.1", str(free_port()))
    return lambda: client.replicaof("NO", "ONE")


@pytest.mark.parametrize("trouble", [out_of_memory, without_replicas, demoted])
def test_a_server_that_takes_no_writes_is_not_ready(
    pair: Two, trouble: Callable[[Valkey], Callable[[], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    primary, _ = pair
    store = Store(config(primary.url))
    assert store.readiness().writable
    end = trouble(primary)
    with pytest.raises(StoreUnavailable):
        append(store, GAME, 0)
    found = store.readiness()
    assert (found.ready, found.writable) == (False, False)
    assert found.problems
    end()
    assert append(store, GAME, 0)
    # A refused write is remembered for some seconds.
    monkeypatch.setattr("service.store.durability.REFUSAL_SECONDS", 0)
    assert store.readiness().ready
    store.close()


def test_a_replica_and_a_full_server_are_known_without_a_write(pair: Two) -> None:
    for server, word in ((pair[1], "replica"), (pair[0], "memory")):
        if word == "memory":
            out_of_memory(server)
        store = Store(config(server.url))
        (problem,) = store.readiness().problems
        assert word in problem
        store.close()


def test_what_the_server_forbids_is_unavailable_and_not_a_fault(pair: Two) -> None:
    """The test covers a forbidden command, a forbidden command in a script, and a forbidden key."""
    store = Store(config(pair[0].url))
    assert append(store, GAME, 0)
    with pair[0].client() as client:
        for rules in (["-evalsha", "-eval"], ["-rpush"], ["resetkeys", "~*{s01}*"]):
            client.execute_command("ACL", "SETUSER", "default", *rules)
            with pytest.raises(StoreForbids):
                append(store, GAME, 1)
            client.execute_command("ACL", "SETUSER", "default", "+@all", "allkeys")
    assert append(store, GAME, 1)
    store.close()
