"""The host's actions, tested through the functions that the command line and HTTP call.

Each action adds a line to the audit log.
"""

from __future__ import annotations

from typing import Any

import pytest

from service.accounts import players as accounts
from service.admin import auditing, games, players, switching
from service.admin.acts import COMMAND_LINE, Actor
from service.games.repository import Games
from service.problems import Problem
from service.store.directory import EXAMINED
from service.store.errors import DamagedData
from service.store.keys import of_shard
from service.store.webhooks import Webhook

from ..correspondence.weeks import HOUR, Weeks, per_move

HOST = Actor(COMMAND_LINE, "root")
REASON = "insults"


@pytest.fixture
def service(weeks: Weeks) -> Games:
    """A service, in simulated time."""
    return weeks.games


def lines(service: Games) -> list[dict[str, Any]]:
    """Return the lines of the audit log, oldest first."""
    return auditing.read(service, None, 100)[0][::-1]


def acts(service: Games) -> list[str]:
    """Return the names of all recorded actions, oldest first."""
    return [line["act"] for line in lines(service)]


def code_of(raised: pytest.ExceptionInfo[Problem]) -> str:
    """Return the code of a problem."""
    return raised.value.code


# Players


def test_players_are_found_by_name_id_and_prefix(service: Games) -> None:
    ids = {name: service.store.players.register(name)[0].id for name in ("Anna", "Annabel", "Bruno")}
    assert players.require(service, "ANNA").id == players.require(service, ids["Anna"]).id == ids["Anna"]
    found, following = players.find(service, "ann", None, 10)
    assert ({player["name"] for player in found}, following) == ({"Anna", "Annabel"}, None)
    assert players.find(service, "x", None, 10) == ([], None)
    with pytest.raises(Problem) as raised:
        players.require(service, "Carla")
    assert code_of(raised) == "unknown-player"


def test_a_search_goes_on_where_it_ended(service: Games) -> None:
    names = {f"Player-{number:04d}" for number in range(1_500)}
    for name in names:
        service.store.players.register(name)
    found, cursor, pages = set[str](), None, 0
    while True:
        page, cursor = players.find(service, "player-", cursor, 100)
        found |= {player["name"] for player in page}
        pages += 1
        if cursor is None:
            break
    assert found == names
    assert 1 < pages < EXAMINED
    with pytest.raises(Problem) as raised:
        players.find(service, "player-", "65-0", 100)
    assert code_of(raised) == "invalid-request"


def test_a_player_is_shown_with_games_and_webhooks_and_nothing_secret(weeks: Weeks) -> None:
    player, token = weeks.games.store.players.register("Anna")
    game_id = weeks.open(None, player.id, seats=2)
    weeks.games.store.webhooks.add(_webhook(player.id))
    shown = players.show(weeks.games, "anna")
    assert shown == {
        "id": player.id,
        "name": "Anna",
        "registered": player.registered,
        "suspended": None,
        "webhooks": 1,
        "active_webhooks": 1,
        "games": [{"id": game_id, "status": "running", "edition": "zman-2018-duel"}],
    }
    assert token.partition(".")[2] not in str(shown)


def test_a_suspended_player_has_no_active_webhooks_until_they_activate_them(service: Games) -> None:
    player, _ = service.store.players.register("Anna")
    service.store.webhooks.add(webhook := _webhook(player.id))
    shown = players.suspend(service, HOST, "Anna", REASON)
    assert (shown["suspended"], shown["active_webhooks"]) == (REASON, 0)
    stored = service.store.webhooks.get(webhook.id)
    assert stored is not None
    assert (stored.active, stored.disabled) == (False, "suspended")
    assert players.reinstate(service, HOST, player.id, "talked to her")["suspended"] is None
    assert players.show(service, "Anna")["active_webhooks"] == 0
    assert [(line["act"], line["target"], line["reason"], line["by"]) for line in lines(service)] == [
        ("suspend", player.id, REASON, "root"),
        ("reinstate", player.id, "talked to her", "root"),
    ]


def test_a_renamed_player_keeps_the_token_and_the_former_name(service: Games) -> None:
    player, token = service.store.players.register("Rude")
    service.store.players.register("Bruno")
    assert players.rename(service, HOST, "Rude", "Polite", REASON)["name"] == "Polite"
    authenticated = service.store.players.authenticate(token)
    assert authenticated is not None
    assert (authenticated.id, authenticated.name) == (player.id, "Polite")
    assert players.require(service, "rude").name == "Polite"
    for taken in ("RUDE", "polite"):
        with pytest.raises(Problem) as raised:
            accounts.register(service, taken)
        assert code_of(raised) == "name-taken"
    with pytest.raises(Problem) as raised:
        players.rename(service, HOST, "Polite", "BRUNO", REASON)
    assert code_of(raised) == "name-taken"
    assert service.store.directory.earlier_names(player.id) == ["Rude"]
    assert players.rename(service, HOST, "Polite", "Rude", "sorry")["name"] == "Rude"
    assert service.store.directory.earlier_names(player.id) == ["Polite"]
    assert {player["name"] for player in players.find(service, "", None, 10)[0]} == {"Rude", "Bruno"}
    assert [line["details"] for line in lines(service)] == [
        {"before": "Rude", "after": "Polite"},
        {"before": "Polite", "after": "Rude"},
    ]


def test_a_rename_that_was_interrupted_is_completed(service: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    service.store.players.register("Rude")

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(service.store.directory, "_change", die)
        with pytest.raises(KeyboardInterrupt):
            players.rename(service, HOST, "Rude", "Polite", REASON)
    assert players.require(service, "Polite").name == "Rude"
    with pytest.raises(Problem):
        accounts.register(service, "Polite")
    assert players.rename(service, HOST, "Rude", "Polite", REASON)["name"] == "Polite"


# Games


def test_games_are_found_by_status_and_player(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    first = weeks.open(None, anna, bruno)
    second = weeks.open(None, anna, seats=2)
    games.cancel(weeks.games, HOST, second, REASON)
    assert [game["id"] for game in games.find(weeks.games, None, None, None, 10)[0]] == [first]
    assert [game["id"] for game in games.find(weeks.games, "cancelled", "Anna", None, 10)[0]] == [second]
    (found,) = games.find(weeks.games, None, bruno, None, 10)[0]
    assert (found["id"], found["owner"], found["owner_name"]) == (first, anna, "Anna")
    with pytest.raises(Problem) as raised:
        games.find(weeks.games, "cancelled", None, None, 10)
    assert code_of(raised) == "invalid-request"


def test_a_game_is_shown_with_what_the_host_needs(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game_id = weeks.open(per_move(3600), anna, bruno)
    shown = games.show(weeks.games, game_id)
    game = weeks.game(game_id)
    assert (shown["status"], shown["version"], shown["owner"]) == ("running", 2, {"player": anna, "name": "Anna"})
    assert [(seat["player"], seat["name"], seat["bot"]) for seat in shown["seats"]] == [
        (anna, "Anna", None),
        (bruno, "Bruno", None),
    ]
    assert shown["clock"]["deadline"] > weeks.now
    assert shown["seat_to_act"] == game.seat_to_act
    assert game.seed.hex() not in str(shown)
    given = games.give_seat(weeks.games, HOST, game_id, 1, "steady", "asked for it")
    assert given["seats"][1]["bot"] == "steady"
    cancelled = games.cancel(weeks.games, HOST, game_id, REASON)
    assert cancelled["cancelled"] == {"by": "host", "by_name": None, "reason": REASON}
    assert acts(weeks.games) == ["give-seat", "cancel"]


def test_an_act_that_cannot_be_is_not_recorded(weeks: Weeks) -> None:
    game_id = weeks.open(None, weeks.player("Anna"), seats=2)
    games.cancel(weeks.games, HOST, game_id, REASON)
    with pytest.raises(Problem):
        games.cancel(weeks.games, HOST, game_id, REASON)
    with pytest.raises(Problem):
        games.give_seat(weeks.games, HOST, game_id, 0, "steady", REASON)
    with pytest.raises(Problem):
        games.cancel(weeks.games, HOST, "nonsense", REASON)
    assert acts(weeks.games) == ["cancel"]


def test_an_act_that_fails_after_its_line_has_a_second_line(weeks: Weeks) -> None:
    game_id = weeks.open(None, weeks.player("Anna"), seats=2)
    with pytest.raises(Problem):
        games.give_seat(weeks.games, HOST, game_id, 1, "steady", REASON)
    first, second = lines(weeks.games)
    assert (first["act"], second["act"]) == ("give-seat", "not-carried-out")
    assert second["details"] == {"line": first["id"], "error": "seat-not-given"}


@pytest.mark.parametrize("name", ["cancel", "suspend", "rename", "registration", "read-only", "announce"])
def test_without_its_line_no_act_is_carried_out(weeks: Weeks, name: str) -> None:
    service, anna = weeks.games, weeks.player("Anna")
    game_id = weeks.open(None, anna, seats=2)
    service.store.audit._server.ask("SET", of_shard(0, "audit"), "damaged")
    deeds = {
        "cancel": lambda: games.cancel(service, HOST, game_id, REASON),
        "suspend": lambda: players.suspend(service, HOST, anna, REASON),
        "rename": lambda: players.rename(service, HOST, anna, "Polite", REASON),
        "registration": lambda: switching.set_registration(service, HOST, "closed", None),
        "read-only": lambda: switching.begin_read_only(service, HOST, None),
        "announce": lambda: switching.add_announcement(service, HOST, "Hello", None, None),
    }
    with pytest.raises(DamagedData):
        deeds[name]()
    assert weeks.game(game_id).status == "running"
    shown = players.show(service, anna)
    assert (shown["name"], shown["suspended"]) == ("Anna", None)
    assert switching.show(service) == {"registration": "setting", "read_only": None}
    assert switching.announcements(service, all=True) == []


# Switching


def test_registration_is_switched_and_reset(service: Games) -> None:
    assert switching.registration_override(service) is None
    assert switching.set_registration(service, HOST, "closed", "too many")["registration"] == "closed"
    assert switching.registration_override(service) == "closed"
    assert switching.set_registration(service, HOST, "setting", None)["registration"] == "setting"
    assert switching.registration_override(service) is None


def test_read_only_mode_is_switched_on_and_off(weeks: Weeks) -> None:
    service = weeks.games
    shown = switching.begin_read_only(service, HOST, "upgrade")
    begun = weeks.now
    assert shown["read_only"] == {"since": begun, "reason": "upgrade"}
    weeks.time[0] += HOUR
    assert switching.begin_read_only(service, HOST, "a long upgrade")["read_only"] == {
        "since": begun,
        "reason": "a long upgrade",
    }
    with pytest.raises(Exception, match="read-only"):
        players.suspend(service, HOST, weeks.games.store.players.register("Anna")[0].id, REASON)
    assert switching.end_read_only(service, HOST, None)["read_only"] is None
    assert acts(service) == ["read-only", "read-only", "read-only"]


def test_announcements_are_shown_from_one_time_until_another(weeks: Weeks) -> None:
    service = weeks.games
    now = weeks.now
    at_once = switching.add_announcement(service, HOST, "Welcome", None, None)
    later = switching.add_announcement(service, HOST, "Upgrade tonight", now + HOUR, now + 2 * HOUR)
    assert at_once == {"id": at_once["id"], "text": "Welcome", "from": now, "until": None}
    assert switching.announcements(service) == [at_once]
    assert switching.announcements(service, all=True) == [at_once, later]
    weeks.time[0] = now + HOUR
    assert switching.announcements(service) == [at_once, later]
    assert [notice["announcement"] for notice in switching.notices(service)] == [at_once["id"], later["id"]]
    weeks.time[0] = now + 2 * HOUR
    assert switching.announcements(service) == [at_once]
    switching.remove_announcement(service, HOST, at_once["id"])
    assert switching.announcements(service) == []
    with pytest.raises(Problem) as raised:
        switching.remove_announcement(service, HOST, at_once["id"])
    assert code_of(raised) == "unknown-announcement"


def test_announcements_are_bounded_and_those_that_are_over_make_room(weeks: Weeks) -> None:
    service, now = weeks.games, weeks.now
    for number in range(switching.MAX_ANNOUNCEMENTS):
        switching.add_announcement(service, HOST, f"number {number}", None, now + HOUR)
    with pytest.raises(Problem) as raised:
        switching.add_announcement(service, HOST, "one too many", None, None)
    assert code_of(raised) == "too-many-announcements"
    weeks.time[0] = now + HOUR
    switching.add_announcement(service, HOST, "there is room", None, None)
    assert len(service.store.switches.read().announcements) == 1
    for until in (now, now + HOUR):
        with pytest.raises(Problem):
            switching.add_announcement(service, HOST, "never", now + 2 * HOUR, until)


# The audit log


def test_the_audit_log_is_shortened_by_the_host_alone(service: Games) -> None:
    switching.set_registration(service, HOST, "closed", None)
    (first,) = lines(service)
    assert auditing.forget(service, HOST, first["at"] + 1) >= 1
    assert "registration" not in acts(service)
    with pytest.raises(Problem) as raised:
        auditing.read(service, "nonsense", 10)
    assert code_of(raised) == "invalid-request"


def _webhook(player: str) -> Webhook:
    return Webhook(
        id=f"w{player[1:3]}0123456789",
        player=player,
        url="https://bots.example.org/",
        events=["turn.started"],
        games=None,
        payload="thin",
        active=True,
        created=0,
        secrets=[("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", 0)],
    )
