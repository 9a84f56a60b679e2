"""Players: a name belongs to one player, a token belongs to one account, and stored data reveal no token."""

from __future__ import annotations

import threading

import pytest

from service.store import Store
from service.store.errors import NameTaken, UnknownPlayer
from service.store.keys import is_player_id, of_player
from service.store.players import Player
from service.store.tokens import SCOPES, Token, hash_of, id_of, token_of

from .test_log import in_threads


def made(player: Player, name: str) -> tuple[str, Token]:
    """Return a new token for a player, and what is stored about it."""
    text = token_of(player.id, name.encode())
    return text, Token(id_of(hash_of(text)), name, SCOPES, 1)


def test_a_player_is_known_by_id_and_by_token(store: Store) -> None:
    player, token = store.players.register("Anna")
    assert player.name == "Anna"
    assert is_player_id(player.id)
    assert store.players.authenticate(token) == store.players.get(player.id) == player


def test_a_name_is_taken_in_whatever_case(store: Store) -> None:
    store.players.register("Anna")
    for name in ("Anna", "anna", "ANNA"):
        with pytest.raises(NameTaken):
            store.players.register(name)


def test_of_many_who_want_a_name_at_once_one_gets_it(store: Store) -> None:
    barrier = threading.Barrier(8, timeout=30)
    won: list[Player] = []

    def ask(name: str) -> None:
        barrier.wait()
        try:
            won.append(store.players.register(name)[0])
        except NameTaken:
            return

    in_threads(ask, *["Anna", "anna"] * 4)
    assert len(won) == 1
    assert store.players.get(won[0].id) == won[0]


def test_the_old_token_dies_with_the_new_one(store: Store) -> None:
    player, old = store.players.register("Anna")
    new, value = made(player, "new")
    assert store.players.replace_token(player.id, hash_of(old), new, value)
    assert store.players.authenticate(old) is None
    assert store.players.authenticate(new) == player
    assert not store.players.replace_token(player.id, hash_of(old), *made(player, "newer"))


def test_nobody_gets_a_token_by_an_id_that_nobody_has(store: Store) -> None:
    nobody = Player("p17abcdefghjk", "Nobody", 0)
    with pytest.raises(UnknownPlayer):
        store.players.add_token(nobody.id, *made(nobody, "new"))
    assert not store.players.replace_token(nobody.id, "00" * 32, *made(nobody, "new"))
    assert store.players.get(nobody.id) is None


def test_what_is_no_token_is_nobodys(store: Store) -> None:
    player, token = store.players.register("Anna")
    other, _ = store.players.register("Beppe")
    secret = token.partition(".")[2]
    for wrong in ("", ".", player.id, f"{player.id}.", f"{other.id}.{secret}", f"{token}x", f"{token}\xe9", secret):
        assert store.players.authenticate(wrong) is None


def test_only_a_hash_of_the_token_is_stored(store: Store) -> None:
    player, token = store.players.register("Anna")
    names, values = store._server.ask_all([(read, of_player(player.id)) for read in ("HKEYS", "HVALS")])
    assert set(names) == {b"name", b"registered", b"token", b"token-used"}
    assert all(token.partition(".")[2].encode() not in value for value in values)
