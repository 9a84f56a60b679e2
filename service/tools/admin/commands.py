"""The commands of the host. They use the store directly, so they also work while no web process is running."""

from __future__ import annotations

import getpass
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from engine.bots import BOTS

if TYPE_CHECKING:
    from ...admin.acts import Actor
    from ...games.repository import Games

Json = dict[str, Any]
Command = Callable[..., Any]

PAGE = 100
"""How many entries are read at a time."""
STATUSES = ("open", "running", "finished", "cancelled", "substitute")
MODES = ("open", "code", "closed", "setting")
SCOPES = ("read", "play", "webhooks", "account", "admin")

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
limit = click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="The maximum number of entries."
)


class Unreachable(click.ClickException):
    """The store cannot be used."""

    exit_code = 2


def reason(who_sees: str, *, required: bool = True) -> Callable[[Command], Command]:
    """Return the option for a reason."""
    return click.option("--reason", required=required, help=f"The reason. {who_sees}")


@click.group()
def admin() -> None:
    """Administer the service: players, games, registration, upgrades.

    The commands use the store at REDIS_URL or, if that is not set, the store of the `condottiere serve` that is running
    with the data folder CONDOTTIERE_DATA. Every action is recorded in the audit log with the name of your user account.
    No command shows a hand or a seed.

    Exit code 0: done. 1: refused. 2: the command could not run, for example because no store answers.
    """


# Players


@admin.group()
def players() -> None:
    """Find, show, suspend and rename players."""


@players.command()
@click.argument("name", default="")
@limit
@as_json
def find(name: str, limit: int, as_json: bool) -> None:
    """List players whose current name or earlier name begins with NAME; without NAME, list all players."""
    from ...admin import players

    with _service() as (games, _):
        found = _all_pages(lambda cursor: players.find(games, _prefix(name), cursor, PAGE), limit)
    _print_list(
        found,
        ("player", "name", "registered", "suspended"),
        lambda player: (player["id"], player["name"], _time(player["registered"]), player["suspended"]),
        as_json=as_json,
    )


@players.command()
@click.argument("player")
@as_json
def show(player: str, as_json: bool) -> None:
    """Show a player, by id or name."""
    from ...admin import players

    with _service() as (games, _):
        _print_player(players.show(games, player), as_json=as_json)


@players.command()
@click.argument("player")
@reason("The player sees it.")
@as_json
def suspend(player: str, reason: str, as_json: bool) -> None:
    """Suspend a player: the player's tokens stop working, and the player's webhooks are disabled.

    The player's games continue; each game's absence rule decides what happens to the player's seat.
    """
    from ...admin import players

    with _service() as (games, actor):
        _print_player(players.suspend(games, actor, player, _checked(reason)), as_json=as_json)


@players.command()
@click.argument("player")
@reason("Only the audit log shows it.")
@as_json
def reinstate(player: str, reason: str, as_json: bool) -> None:
    """End a player's suspension. The player's webhooks stay disabled until the player activates them."""
    from ...admin import players

    with _service() as (games, actor):
        _print_player(players.reinstate(games, actor, player, _checked(reason)), as_json=as_json)


@players.command()
@click.argument("player")
@click.argument("name")
@reason("Only the audit log shows it.")
@as_json
def rename(player: str, name: str, reason: str, as_json: bool) -> None:
    """Rename a player. Earlier names stay reserved for the same player."""
    from ...admin import players

    with _service() as (games, actor):
        _print_player(players.rename(games, actor, player, _name(name), _checked(reason)), as_json=as_json)


# Games


@admin.group()
def games() -> None:
    """Find, show and cancel games, and give seats to bots."""


@games.command("find")
@click.option("--status", type=click.Choice(STATUSES), help="[default: running; with --player, any]")
@click.option("--player", help="Id or name of a player: only games in which the player has had a seat.")
@limit
@as_json
def find_games(status: str | None, player: str | None, limit: int, as_json: bool) -> None:
    """List games, last changed first."""
    from ...admin import games as hosts_games

    with _service() as (games, _):
        found = _all_pages(lambda cursor: hosts_games.find(games, status, player, cursor, PAGE), limit)
    _print_list(
        found,
        ("game", "status", "edition", "owner", "opened", "changed"),
        lambda game: (
            *(game[name] for name in ("id", "status", "edition", "owner")),
            _time(game["opened_at"]),
            _time(game["changed_at"]),
        ),
        as_json=as_json,
    )


@games.command("show")
@click.argument("game")
@as_json
def show_game(game: str, as_json: bool) -> None:
    """Show a game: seats, clock, version and times; no hand, card or seed."""
    from ...admin import games as hosts_games

    with _service() as (games, _):
        _print_game(hosts_games.show(games, game), as_json=as_json)


@games.command()
@click.argument("game")
@reason("The players see it, and it stays in the game's events.")
@as_json
def cancel(game: str, reason: str, as_json: bool) -> None:
    """Cancel an open or running game. It cannot be continued."""
    from ...admin import games as hosts_games

    with _service() as (games, actor):
        _print_game(hosts_games.cancel(games, actor, game, _checked(reason)), as_json=as_json)


@games.command("give-seat")
@click.argument("game")
@click.argument("seat", type=click.IntRange(0))
@click.option("--bot", type=click.Choice(list(BOTS)), default="steady", show_default=True, help="The bot.")
@reason("Only the audit log shows it.")
@as_json
def give_seat(game: str, seat: int, bot: str, reason: str, as_json: bool) -> None:
    """Give a player's seat in a running game to a bot, until the player takes it back."""
    from ...admin import games as hosts_games

    with _service() as (games, actor):
        _print_game(hosts_games.give_seat(games, actor, game, seat, bot, _checked(reason)), as_json=as_json)


# Switches


@admin.command()
@click.argument("mode", type=click.Choice(MODES), required=False)
@reason("Only the audit log shows it.", required=False)
@as_json
def registration(mode: str | None, reason: str | None, as_json: bool) -> None:
    """Choose how players may register while the service is running; without MODE, show the current mode.

    open: anybody may register. code: anybody who has the code in the settings. closed: nobody. setting: as the settings
    say.
    """
    from ...admin import switching

    with _service() as (games, actor):
        if mode is None:
            shown = switching.show(games)
        else:
            shown = switching.set_registration(games, actor, mode, _checked_if_any(reason))
    _print_switches(shown, as_json=as_json)


@admin.command("read-only")
@click.argument("switch", type=click.Choice(["on", "off"]), required=False)
@reason("Only hosts see it.", required=False)
@as_json
def read_only(switch: str | None, reason: str | None, as_json: bool) -> None:
    """Make the service read-only for an upgrade, or writable again; without `on` or `off`, show the current state.

    While it is read-only, writes get 503, bots and deliveries wait, and no player's time runs out.
    """
    from ...admin import switching

    with _service() as (games, actor):
        if switch is None:
            shown = switching.show(games)
        else:
            act = switching.begin_read_only if switch == "on" else switching.end_read_only
            shown = act(games, actor, _checked_if_any(reason))
    _print_switches(shown, as_json=as_json)


@admin.command()
@click.argument("text")
@click.option("--from", "begin", type=click.DateTime(), help="The time from which it is shown, in UTC.  [default: now]")
@click.option(
    "--until", type=click.DateTime(), help="When the announcement disappears, in UTC.  [default: when it is withdrawn]"
)
@as_json
def announce(text: str, begin: datetime | None, until: datetime | None, as_json: bool) -> None:
    """Announce TEXT to everybody."""
    from ...admin import switching

    with _service() as (games, actor):
        made = switching.add_announcement(games, actor, _announcement(text), _millis(begin), _millis(until))
    _print_announcements([made], as_json=as_json)


@admin.command()
@as_json
def announcements(as_json: bool) -> None:
    """List the announcements that have not ended."""
    from ...admin import switching

    with _service() as (games, _):
        found = switching.announcements(games, all=True)
    _print_announcements(found, as_json=as_json)


@admin.command()
@click.argument("announcement")
def withdraw(announcement: str) -> None:
    """Remove an announcement, by its id."""
    from ...admin import switching

    with _service() as (games, actor):
        switching.remove_announcement(games, actor, announcement)


# The audit log


@admin.command()
@limit
@as_json
def audit(limit: int, as_json: bool) -> None:
    """Show the audit log, newest entry first."""
    from ...admin import auditing

    with _service() as (games, _):
        lines = _all_pages(lambda before: auditing.read(games, before, PAGE), limit)
    _print_list(
        lines,
        ("time", "by", "act", "target", "reason", "details"),
        lambda line: (
            _time(line["at"]),
            line["by"] if line["token"] is None else f"{line['by']} ({line['token']})",
            line["act"],
            line["target"],
            line["reason"],
            " ".join(f"{name}={_text(value)}" for name, value in line["details"].items()),
        ),
        as_json=as_json,
    )


@admin.command("forget-audit")
@click.option("--before", type=click.DateTime(), required=True, help="Lines from before this time (UTC) are removed.")
def forget_audit(before: datetime) -> None:
    """Remove the oldest part of the audit log, which otherwise grows for ever. The removal is recorded."""
    from ...admin import auditing

    with _service() as (games, actor):
        count = auditing.forget(games, actor, _millis(before) or 0)
    click.echo(f"removed {count:,} {'line' if count == 1 else 'lines'}")


# Tokens


@admin.group()
def token() -> None:
    """Create, list and revoke players' tokens. Only these commands create tokens with the scope admin."""


@token.command()
@click.argument("player")
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="May be repeated.  [default: admin]")
@click.option("--expires", type=click.DateTime(), help="When the token stops working, in UTC.  [default: never]")
@as_json
def create(player: str, name: str, scopes: tuple[str, ...], expires: datetime | None, as_json: bool) -> None:
    """Create a token called NAME for PLAYER, and print the token. It is shown only once."""
    from ...admin import tokens

    with _service() as (games, actor):
        made = tokens.create(games, actor, player, _token_name(name), scopes or ("admin",), _millis(expires))
    if as_json:
        _print_json(made)
    else:
        click.echo(made["token"])


@token.command("list")
@click.argument("player")
@as_json
def list_tokens(player: str, as_json: bool) -> None:
    """List PLAYER's tokens, without their texts."""
    from ...admin import tokens

    with _service() as (games, _):
        found = tokens.of_player(games, player)
    _print_list(
        found,
        ("token", "name", "scopes", "created", "expires", "last used"),
        lambda one: (
            one["id"],
            one["name"],
            one["scopes"],
            *(_time(one[name]) for name in ("created_at", "expires_at", "last_used_at")),
        ),
        as_json=as_json,
    )


@token.command()
@click.argument("player")
@click.argument("token")
def revoke(player: str, token: str) -> None:
    """Revoke one of PLAYER's tokens, by the token's id."""
    from ...admin import tokens

    with _service() as (games, actor):
        tokens.revoke(games, actor, player, token)


# Parts


@contextmanager
def _service() -> Iterator[tuple[Games, Actor]]:
    """Yield the service's games and the acting user; report a refusal or a failing store in one line.

    The context's object is the function that opens the games.
    """
    from ...admin.acts import COMMAND_LINE, Actor
    from ...problems import Problem
    from ...store.errors import ReadOnlyMode, StoreError

    try:
        with click.get_current_context().obj() as games:
            yield games, Actor(COMMAND_LINE, _user())
    except Problem as problem:
        raise click.ClickException(problem.detail) from None
    except ReadOnlyMode:
        raise click.ClickException("the service is read-only: `condottiere admin read-only off` ends that") from None
    except StoreError as error:
        raise Unreachable(str(error)) from None


def _user() -> str:
    """Return the name of the user account that runs the command."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return "unknown"


def _all_pages(read: Callable[[str | None], tuple[list[Json], str | None]], limit: int) -> list[Json]:
    """Return the entries of as many pages as `limit` entries need."""
    found, cursor = read(None)
    while cursor is not None and len(found) < limit:
        page, cursor = read(cursor)
        found += page
    return found[:limit]


def _checked(reason: str) -> str:
    return _fitting(reason, 200, "--reason")


def _checked_if_any(reason: str | None) -> str | None:
    return None if reason is None else _checked(reason)


def _announcement(text: str) -> str:
    return _fitting(text, 500, "TEXT")


def _token_name(name: str) -> str:
    return _fitting(name, 40, "NAME")


def _fitting(text: str, most: int, what: str) -> str:
    if not (1 <= len(text) <= most and text.isprintable()):
        raise click.BadParameter(f"must be 1 to {most} characters, without control characters", param_hint=what)
    return text


def _prefix(name: str) -> str:
    return _matching(name, "[A-Za-z0-9_-]{0,20}", "must be at most 20 ASCII letters, digits, _ or -")


def _name(name: str) -> str:
    rule = "must be 2 to 20 ASCII letters, digits, _ or -, and a letter or digit first"
    return _matching(name, "[A-Za-z0-9][A-Za-z0-9_-]{1,19}", rule)


def _matching(name: str, pattern: str, rule: str) -> str:
    if not re.fullmatch(pattern, name):
        raise click.BadParameter(rule, param_hint="NAME")
    return name


def _millis(at: datetime | None) -> int | None:
    return None if at is None else int(at.replace(tzinfo=UTC).timestamp() * 1000)


def _time(at: int | None) -> str | None:
    from .output import time_of

    return time_of(at)


def _text(value: Any) -> str:
    from .output import text_of

    return text_of(value)


def _print_json(value: Any) -> None:
    from .output import print_json

    print_json(value)


def _print_list(
    entries: list[Json], columns: tuple[str, ...], row: Callable[[Json], tuple[Any, ...]], *, as_json: bool
) -> None:
    from .output import print_table

    if as_json:
        _print_json(entries)
    else:
        print_table(columns, map(row, entries), "none")


def _print_members(value: Json, members: Json, *, as_json: bool) -> None:
    from .output import print_members

    if as_json:
        _print_json(value)
    else:
        print_members(members)


def _print_player(player: Json, *, as_json: bool) -> None:
    members = {
        "player": player["id"],
        "name": player["name"],
        "registered": _time(player["registered"]),
        "suspended": player["suspended"],
        "webhooks": f"{player['webhooks']}, {player['active_webhooks']} active",
    }
    games = {f"game {game['id']}": f"{game['status']}, {game['edition']}" for game in player["games"]}
    _print_members(player, {**members, **games}, as_json=as_json)


def _print_game(game: Json, *, as_json: bool) -> None:
    clock, cancelled = game["clock"], game["cancelled"]
    members = {
        "game": game["id"],
        "status": game["status"],
        "edition": game["edition"],
        "version": game["version"],
        "owner": f"{game['owner']['player']} ({game['owner']['name']})",
        "opened": _time(game["opened_at"]),
        "changed": _time(game["changed_at"]),
        "seat to act": game["seat_to_act"],
        "deadline": clock and _time(clock["deadline"]),
        "paused since": clock and _time(clock["paused_since"]),
        "cancelled": cancelled and f"by {cancelled['by']}: {_text(cancelled['reason'])}",
    }
    seats = {f"seat {seat['seat']}": _seat(seat) for seat in game["seats"]}
    _print_members(game, {**members, **seats}, as_json=as_json)


def _seat(seat: Json) -> str:
    player = None if seat["player"] is None else f"{seat['player']} ({_text(seat['name'])})"
    bot = None if seat["bot"] is None else f"bot {seat['bot']}"
    return ", ".join(filter(None, [player, bot, "resigned" if seat["resigned"] else None])) or "free"


def _print_switches(switches: Json, *, as_json: bool) -> None:
    read_only = switches["read_only"]
    since = read_only and f"since {_text(_time(read_only['since']))}, reason: {_text(read_only['reason'])}"
    _print_members(switches, {"registration": switches["registration"], "read-only": since or "off"}, as_json=as_json)


def _print_announcements(found: list[Json], *, as_json: bool) -> None:
    _print_list(
        found,
        ("announcement", "from", "until", "text"),
        lambda one: (one["id"], _time(one["from"]), _time(one["until"]), one["text"]),
        as_json=as_json,
    )
