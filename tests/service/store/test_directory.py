"""The directory: players are found by their current and former names, suspended, and renamed."""

from __future__ import annotations

import pytest

from service.store import Store
from service.store.errors import BadCursor, NameTaken, UnknownPlayer

NOBODY = "p17abcdefghjk"


def names_with(store: Store, prefix: str, limit: int = 100) -> list[str]:
    """Return the names on all pages."""
    found, cursor = store.directory.search(prefix, None, limit)
    while cursor is not None:
        page, cursor = store.directory.search(prefix, cursor, limit)
        found += page
    return sorted({account.name for account in found})


def test_players_of_all_shards_are_found_by_prefix(store: Store) -> None:
    for number in range(40):
        store.players.register(f"Anna-{number:02d}")
    store.players.register("Bruno")
    assert names_with(store, "ANNA-") == [f"Anna-{number:02d}" for number in range(40)]
    assert names_with(store, "Anna-1", limit=1) == [f"Anna-{number:02d}" for number in range(10, 20)]
    assert names_with(store, "bruno") == ["Bruno"]
    assert len(names_with(store, "")) == 41


@pytest.mark.parametrize("cursor", ["", "64-0", "1", "-1-0", "0-x"])
def test_a_cursor_that_no_page_gave_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(BadCursor):
        store.directory.search("a", cursor, 10)


def test_an_account_is_found_by_id_and_by_every_name_that_it_had(store: Store) -> None:
    player, _ = store.players.register("Anna")
    assert store.directory.rename(player.id, "Annie")
    for known in (player.id, "anna", "ANNIE"):
        account = store.directory.account(known)
        assert account is not None
        assert account == (player.id, "Annie", player.registered, None)
    assert store.directory.account("Bruno") is None
    assert store.directory.account(NOBODY) is None
    assert store.directory.names([player.id, NOBODY, "nonsense"]) == {player.id: "Annie"}
    assert names_with(store, "an") == ["Annie"]


def test_a_name_belongs_to_the_player_who_first_had_it(store: Store) -> None:
    anna, bruno = (store.players.register(name)[0] for name in ("Anna", "Bruno"))
    assert store.directory.rename(anna.id, "Annie")
    assert not store.directory.rename(bruno.id, "ANNA")
    assert not store.directory.rename(bruno.id, "annie")
    with pytest.raises(NameTaken):
        store.players.register("anna")
    assert store.directory.rename(anna.id, "Anna")
    assert store.directory.rename(anna.id, "anna")


def test_a_suspension_is_read_with_the_token(store: Store) -> None:
    player, token = store.players.register("Anna")
    store.directory.suspend(player.id, "insults")
    seen = store.players.authenticate(token)
    assert seen is not None
    assert seen.suspended == "insults"
    store.directory.suspend(player.id, None)
    seen = store.players.authenticate(token)
    assert seen is not None
    assert seen.suspended is None


def test_a_deleted_player_gets_no_new_name(store: Store) -> None:
    player, _ = store.players.register("Anna")
    store.players.delete(player.id, player.registered)
    with pytest.raises(UnknownPlayer):
        store.directory.rename(player.id, "Annie")
    with pytest.raises(UnknownPlayer):
        store.directory.suspend(player.id, "insults")
    assert store.directory.account(player.id) is None


@pytest.mark.parametrize("player", [NOBODY, "nonsense"])
def test_nobody_is_changed_who_does_not_exist(store: Store, player: str) -> None:
    with pytest.raises(UnknownPlayer):
        store.directory.suspend(player, "insults")
    with pytest.raises(UnknownPlayer):
        store.directory.rename(player, "Anna")
    assert store.directory.account(player) is None
