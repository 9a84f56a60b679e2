"""Secret keys: a copy of the store is useless without them, and the host can replace them."""

from __future__ import annotations

import logging
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from service import idempotency
from service.games.repository import Games
from service.processes.secret_keys import key_in
from service.store.deliveries import NO_GAME, Lane
from service.store.errors import DamagedData
from service.store.keyring import Keyring, Unreadable
from service.store.keys import SHARDS, of_player, of_webhook, player_id_from
from service.store.tokens import hash_of, token_of

from ..api.conftest import Json, Person
from ..api.test_tokens import KEY, with_token
from ..api.test_webhooks import add
from ..servers import Valkey
from .conftest import NEW, OLD, dumped, text_of
from .test_recovery import recover, registered

Start = Callable[..., Games]


def seal_all(games: Games) -> int:
    """Encrypt all stored secrets with the current key."""
    changed = sum(games.store.sealing.seal_shard(shard) for shard in range(SHARDS))
    games.store.sealing.note_done()
    return changed


def fields_of(server: Valkey, player: str) -> set[str]:
    """Return the names of the token fields in a player's hash, including tokens of release 0.3.0."""
    with server.client() as client:
        fields = client.hgetall(of_player(player))
    old = {b"token:" + fields[b"token"]} if fields[b"token"] else set[bytes]()
    return {name.decode() for name in {*fields, *old} if name.startswith(b"token:")}


def test_a_hash_is_keyed(with_keys: Start, person: Callable[..., Person], log_server: Valkey) -> None:
    with_keys(NEW)
    carla = person("Carla")
    (field,) = fields_of(log_server, carla.id)
    assert field != f"token:{hash_of(text_of(carla))}"
    assert carla.get("/me")["id"] == carla.id
    with_keys(OLD)
    assert carla.get("/me", 401)["code"] == "token-unknown"


def test_tokens_survive_every_step_of_a_rotation(
    with_keys: Start, person: Callable[..., Person], log_server: Valkey
) -> None:
    """The rotation starts without a key, adds one, adds a second one, and finally drops the first."""
    with_keys()
    carla = person("Carla")
    fields = [fields_of(log_server, carla.id)]
    for keys in ([OLD], [OLD, NEW], [NEW, OLD], [NEW]):
        with_keys(*keys)
        assert carla.get("/me")["id"] == carla.id
        assert carla.get("/me")["id"] == carla.id
        fields.append(fields_of(log_server, carla.id))
        assert len(fields[-1]) == 1
    assert fields[1] == fields[2] != fields[0]
    assert fields[3] == fields[4] != fields[1]
    assert len(carla.get("/me/tokens")["tokens"]) == 1


def test_a_token_of_release_0_3_0_gets_a_keyed_hash(anna: Person, with_keys: Start, log_server: Valkey) -> None:
    text = token_of(anna.id, b"as long ago")
    with log_server.client() as client:
        client.hset(of_player(anna.id), "token", hash_of(text))
    with_keys(NEW)
    assert with_token(anna, text).get("/me")["id"] == anna.id
    assert not any(hash_of(text).encode() in value for value in dumped(log_server).values())


def test_webhook_secrets_are_stored_encrypted(
    with_keys: Start, person: Callable[..., Person], log_server: Valkey
) -> None:
    games = with_keys(NEW)
    carla = person("Carla")
    made = add(carla)
    replaced = carla.post(f"/webhooks/{made['id']}/secret", status=201)
    stored = games.store.webhooks.get(made["id"])
    assert stored is not None
    assert stored.valid_secrets(0) == [replaced["secret"], made["secret"]]
    paused = carla.post("/me/token", {"webhooks": "pause"}, 201)["webhooks"][0]
    for secret in (made["secret"], replaced["secret"], paused["secret"]):
        assert not any(secret.encode() in value for value in dumped(log_server).values())


def test_a_secret_belongs_to_its_webhook() -> None:
    keyring = Keyring([NEW])
    sealed = keyring.seal("whsec_x", "webhook a")
    assert keyring.open(sealed, "webhook a") == "whsec_x"
    for wrong in (sealed, sealed[:-4] + "AAAA"):
        with pytest.raises(Unreadable, match="changed"):
            keyring.open(wrong, "webhook b")
    with pytest.raises(Unreadable, match="does not contain"):
        Keyring([OLD]).open(sealed, "webhook a")
    assert "02" * 8 not in repr(keyring)


def test_secrets_in_clear_are_encrypted_in_the_background(
    anna: Person, spectator: Person, with_keys: Start, log_server: Valkey
) -> None:
    made, code = add(anna), registered(spectator)["recovery_code"]
    games = with_keys(OLD)
    assert not games.store.sealing.is_done()
    assert seal_all(games) == 3, "a webhook, and the recovery codes of two players"
    assert games.store.sealing.is_done()
    assert games.store.sealing.missing_key() is None
    lost = with_keys(NEW).store.sealing.missing_key()
    assert lost == with_keys().store.sealing.missing_key() == Keyring([OLD]).current
    assert seal_all(games) == 0
    assert not any(made["secret"].encode() in value for value in dumped(log_server).values())
    games = with_keys(NEW, OLD)
    assert not games.store.sealing.is_done()
    assert seal_all(games) == 3
    games = with_keys(NEW)
    stored = games.store.webhooks.get(made["id"])
    assert stored is not None
    assert stored.valid_secrets(0) == [made["secret"]]
    assert recover(spectator, name="Carla", code=code).status_code == 201


def test_a_secret_whose_key_is_missing_is_named_and_sends_nothing(
    with_keys: Start, person: Callable[..., Person], caplog: pytest.LogCaptureFixture
) -> None:
    """When the key is back, the secret works again: nothing is lost."""
    with_keys(OLD)
    carla = person("Carla")
    made = add(carla)
    games = with_keys(NEW)
    with caplog.at_level(logging.ERROR):
        stored = games.store.webhooks.get(made["id"])
    assert stored is not None
    assert stored.valid_secrets(0) == []
    assert made["id"] in caplog.text
    with pytest.raises(DamagedData) as raised:
        games.store.deliveries.first(Lane(made["id"], NO_GAME))
    assert raised.value.key == of_webhook(made["id"], "webhook")
    assert seal_all(games) == 0
    first = with_keys(OLD).store.deliveries.first(Lane(made["id"], NO_GAME))
    assert first.webhook is not None
    assert first.webhook.valid_secrets(0) == [made["secret"]]


def test_a_copy_of_the_store_and_a_known_key_give_no_token(
    with_keys: Start, spectator: Person, log_server: Valkey
) -> None:
    """With both, one can derive what release 0.3.0 derived, but not the token."""
    games = with_keys(NEW)
    player = registered(spectator, **{"Idempotency-Key": KEY})
    thief = with_keys()
    body = idempotency.fingerprint_of({"name": "Carla"})
    with log_server.client() as client:
        client.delete(*client.scan_iter("*:registration:*"))
    attempt = idempotency.begin_registration(thief.store, KEY, body)
    assert player_id_from("Carla", attempt.derive("player")) != player["id"]
    assert token_of(player["id"], attempt.derive("token")) != player["token"]
    assert games.store.secret.read() == thief.store.secret.read()


def test_a_request_is_repeated_across_a_rotation(with_keys: Start, spectator: Person) -> None:
    """The server needs the key under which the request was first sent. If there was none, it needs no key."""
    headers = {"Idempotency-Key": KEY}
    first = registered(spectator, **headers)
    for keys in ([OLD], [NEW, OLD], [NEW]):
        with_keys(*keys)
        assert registered(spectator, **headers) == first
    other = {"Idempotency-Key": KEY[::-1]}
    with_keys(OLD)
    second = registered(spectator, "Dario", **other)
    with_keys(NEW, OLD)
    assert registered(spectator, "Dario", **other) == second
    with_keys(NEW)
    refused = spectator.ask("POST", "/players", json={"name": "Dario"}, headers=other)
    problem: Json = refused.get_json(force=True)
    assert (refused.status_code, problem["code"]) == (422, "key-reused")
    assert "no longer has" in problem["detail"]


def test_a_key_is_made_once_in_the_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    key = key_in(folder)
    assert len(bytes.fromhex(key)) == 32
    assert key_in(folder) == key
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
