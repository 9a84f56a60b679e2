"""The host's commands, which use the store directly and therefore work even if no web process is running."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from engine.bots import BOTS

from .arguments import (
    check_announcement,
    check_name,
    check_prefix,
    check_reason,
    check_reason_if_any,
    check_title,
    check_token_name,
    milliseconds,
)
from .printing import (
    print_announcements,
    print_game,
    print_json,
    print_list,
    print_player,
    print_reports,
    print_switches,
)
from .texts import text_of, time_of

if TYPE_CHECKING:
    from ...admin.acts import Actor
    from ...games.repository import Games

Json = dict[str, Any]
Command = Callable[..., Any]

PAGE = 100
"""The number of entries in one page."""
STATUSES = ("open", "running", "finished", "cancelled", "substitute")
MODES = ("open", "code", "closed", "setting")
SCOPES = ("read", "play", "webhooks", "account", "admin")

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
limit = click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="Maximum number of entries to show."
)


class Unreachable(click.ClickException):
    """The store cannot be reached or used."""

    exit_code = 2


def reason(who_sees: str, *, required: bool = True) -> Callable[[Command], Command]:
    """Return the `--reason` option, with help text that says who can see the reason."""
    return click.option("--reason", required=required, help=f"The reason, {who_sees}.")


@click.group()
def admin() -> None:
    """Administer players, games, registration and upgrades.

    The commands use the store at REDIS_URL. If REDIS_URL is not set, they use the store of the running `condottiere
    serve` whose data folder is CONDOTTIERE_DATA. Every action is recorded in the audit log with the name of your user
    account. No command shows a hand or a seed.

    Exit codes: 0 if the command succeeded, 1 if the service refused the command, 2 if the command could not run, for
    example because the store cannot be reached.
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
    """List players whose current or earlier name begins with NAME. Without NAME, list all players."""
    from ...admin import players

    with _service() as (games, _):
        found = _all_pages(lambda cursor: players.find(games, check_prefix(name), cursor, PAGE), limit)
    print_list(
        found,
        ("player", "name", "registered", "suspended"),
        lambda player: (player["id"], player["name"], time_of(player["registered"]), player["suspended"]),
        as_json=as_json,
    )


@players.command()
@click.argument("player")
@as_json
def show(player: str, as_json: bool) -> None:
    """Show the player with this id or name."""
    from ...admin import players

    with _service() as (games, _):
        print_player(players.show(games, player), as_json=as_json)


@players.command()
@click.argument("player")
@reason("shown to the player")
@as_json
def suspend(player: str, reason: str, as_json: bool) -> None:
    """Suspend a player.

    The service refuses the player's requests, and disables the player's webhooks. The player's games continue. When the
    player's time runs out, the game's `clock.at_timeout` decides what happens to the seat.
    """
    from ...admin import players

    with _service() as (games, actor):
        print_player(players.suspend(games, actor, player, check_reason(reason)), as_json=as_json)


@players.command()
@click.argument("player")
@reason("shown only in the audit log")
@as_json
def reinstate(player: str, reason: str, as_json: bool) -> None:
    """End a player's suspension. The player's webhooks stay disabled until the player activates them."""
    from ...admin import players

    with _service() as (games, actor):
        print_player(players.reinstate(games, actor, player, check_reason(reason)), as_json=as_json)


@players.command()
@click.argument("player")
@click.argument("name")
@reason("shown only in the audit log")
@as_json
def rename(player: str, name: str, reason: str, as_json: bool) -> None:
    """Rename a player. Earlier names stay reserved for the same player."""
    from ...admin import players

    with _service() as (games, actor):
        print_player(players.rename(games, actor, player, check_name(name), check_reason(reason)), as_json=as_json)


# Games


@admin.group()
def games() -> None:
    """Find, show and cancel games, change their titles, and give seats to bots."""


@games.command("find")
@click.option(
    "--status",
    type=click.Choice(STATUSES),
    help="List only games with this status.  [default: running; with --player, any]",
)
@click.option("--player", help="List only games in which this player (an id or a name) has had a seat.")
@limit
@as_json
def find_games(status: str | None, player: str | None, limit: int, as_json: bool) -> None:
    """List games, most recently changed first."""
    from ...admin import games as hosts_games

    with _service() as (games, _):
        found = _all_pages(lambda cursor: hosts_games.find(games, status, player, cursor, PAGE), limit)
    print_list(
        found,
        ("game", "status", "edition", "owner", "opened", "changed"),
        lambda game: (
            *(game[name] for name in ("id", "status", "edition", "owner")),
            time_of(game["opened_at"]),
            time_of(game["changed_at"]),
        ),
        as_json=as_json,
    )


@games.command("show")
@click.argument("game")
@as_json
def show_game(game: str, as_json: bool) -> None:
    """Show a game's seats, clock, version and times, but no hands, cards or seed."""
    from ...admin import games as hosts_games

    with _service() as (games, _):
        print_game(hosts_games.show(games, game), as_json=as_json)


@games.command()
@click.argument("game")
@reason("shown to the players and kept in the game's events")
@as_json
def cancel(game: str, reason: str, as_json: bool) -> None:
    """Cancel an open or running game. A cancelled game cannot be continued."""
    from ...admin import games as hosts_games

    with _service() as (games, actor):
        print_game(hosts_games.cancel(games, actor, game, check_reason(reason)), as_json=as_json)


@games.command("give-seat")
@click.argument("game")
@click.argument("seat", type=click.IntRange(0))
@click.option(
    "--bot",
    type=click.Choice(list(BOTS)),
    default="steady",
    show_default=True,
    help="The bot that takes over the seat.",
)
@reason("shown only in the audit log")
@as_json
def give_seat(game: str, seat: int, bot: str, reason: str, as_json: bool) -> None:
    """Give a player's seat in a running game to a bot, until the player takes the seat back."""
    from ...admin import games as hosts_games

    with _service() as (games, actor):
        print_game(hosts_games.give_seat(games, actor, game, seat, bot, check_reason(reason)), as_json=as_json)


@games.command("set-title")
@click.argument("game")
@click.argument("title", required=False)
@reason("shown only in the audit log")
@as_json
def set_title(game: str, title: str | None, reason: str, as_json: bool) -> None:
    """Change a game's title. Without TITLE, remove the title."""
    from ...admin import games as hosts_games

    with _service() as (games, actor):
        changed = hosts_games.change_title(games, actor, game, check_title(title), check_reason(reason))
        print_game(changed, as_json=as_json)


# Registration, read-only mode and announcements


@admin.command()
@click.argument("mode", type=click.Choice(MODES), required=False)
@reason("shown only in the audit log", required=False)
@as_json
def registration(mode: str | None, reason: str | None, as_json: bool) -> None:
    """Change who may register, without restarting the service. Without an argument, show the current mode.

    The modes are open (anybody may register), code (only people who have the code from the settings), closed (nobody)
    and setting (the mode from the settings applies).
    """
    from ...admin import switching

    with _service() as (games, actor):
        if mode is None:
            switches = switching.show(games)
        else:
            switches = switching.set_registration(games, actor, mode, check_reason_if_any(reason))
    print_switches(switches, as_json=as_json)


@admin.command("read-only")
@click.argument("switch", type=click.Choice(["on", "off"]), required=False)
@reason("shown only to hosts", required=False)
@as_json
def read_only(switch: str | None, reason: str | None, as_json: bool) -> None:
    """Turn read-only mode on or off, for example for an upgrade. Without `on` or `off`, show the current state.

    While the service is read-only, requests that change anything get a 503. Bots and deliveries wait, and no player's
    time runs out.
    """
    from ...admin import switching

    with _service() as (games, actor):
        if switch is None:
            switches = switching.show(games)
        else:
            act = switching.begin_read_only if switch == "on" else switching.end_read_only
            switches = act(games, actor, check_reason_if_any(reason))
    print_switches(switches, as_json=as_json)


@admin.command()
@click.argument("text")
@click.option("--from", "begin", type=click.DateTime(), help="When the announcement appears, in UTC.  [default: now]")
@click.option(
    "--until", type=click.DateTime(), help="When the announcement disappears, in UTC.  [default: when you remove it]"
)
@as_json
def announce(text: str, begin: datetime | None, until: datetime | None, as_json: bool) -> None:
    """Show TEXT to all users as an announcement."""
    from ...admin import switching

    with _service() as (games, actor):
        announcement = switching.add_announcement(
            games, actor, check_announcement(text), milliseconds(begin), milliseconds(until)
        )
    print_announcements([announcement], as_json=as_json)


@admin.command()
@as_json
def announcements(as_json: bool) -> None:
    """List current and upcoming announcements."""
    from ...admin import switching

    with _service() as (games, _):
        found = switching.announcements(games, all=True)
    print_announcements(found, as_json=as_json)


@admin.command()
@click.argument("announcement")
def withdraw(announcement: str) -> None:
    """Remove the announcement with this id."""
    from ...admin import switching

    with _service() as (games, actor):
        switching.remove_announcement(games, actor, announcement)


# Reported messages


@admin.command()
@as_json
def reports(as_json: bool) -> None:
    """List the message reports that have not been settled yet."""
    from ...admin import reports as hosts_reports

    with _service() as (games, _):
        found = hosts_reports.find(games)
    print_reports(found, as_json=as_json)


@admin.command("settle-report")
@click.argument("report")
@click.option("--remove", is_flag=True, help="Remove the message's text, so that nobody can read it any more.")
@reason("shown only in the audit log")
def settle_report(report: str, remove: bool, reason: str) -> None:
    """Settle the report with this id."""
    from ...admin import reports as hosts_reports

    with _service() as (games, actor):
        hosts_reports.settle(games, actor, report, check_reason(reason), remove=remove)


# The audit log


@admin.command()
@limit
@as_json
def audit(limit: int, as_json: bool) -> None:
    """Show the audit log, newest entry first."""
    from ...admin import auditing

    with _service() as (games, _):
        lines = _all_pages(lambda before: auditing.read(games, before, PAGE), limit)
    print_list(
        lines,
        ("time", "by", "act", "target", "reason", "details"),
        lambda line: (
            time_of(line["at"]),
            line["by"] if line["token"] is None else f"{line['by']} ({line['token']})",
            line["act"],
            line["target"],
            line["reason"],
            " ".join(f"{name}={text_of(value)}" for name, value in line["details"].items()),
        ),
        as_json=as_json,
    )


@admin.command("forget-audit")
@click.option(
    "--before", type=click.DateTime(), required=True, help="Remove the entries written before this time (UTC)."
)
def forget_audit(before: datetime) -> None:
    """Remove old entries from the audit log, which otherwise grows without limit. The log records the removal."""
    from ...admin import auditing

    with _service() as (games, actor):
        count = auditing.forget(games, actor, milliseconds(before) or 0)
    click.echo(f"removed {count:,} {'entry' if count == 1 else 'entries'}")


# Tokens


@admin.group()
def token() -> None:
    """Create, list and revoke players' tokens. Only these commands can create tokens with the admin scope."""


@token.command()
@click.argument("player")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(SCOPES),
    help="The scope to give the token. Repeat to give the token several scopes.  [default: admin]",
)
@click.option("--expires", type=click.DateTime(), help="When the token stops working, in UTC.  [default: never]")
@as_json
def create(player: str, name: str, scopes: tuple[str, ...], expires: datetime | None, as_json: bool) -> None:
    """Create a token called NAME for PLAYER, and print the token. You cannot show the token again later."""
    from ...admin import tokens

    with _service() as (games, actor):
        new_token = tokens.create(
            games, actor, player, check_token_name(name), scopes or ("admin",), milliseconds(expires)
        )
    if as_json:
        print_json(new_token)
    else:
        click.echo(new_token["token"])


@token.command("list")
@click.argument("player")
@as_json
def list_tokens(player: str, as_json: bool) -> None:
    """List the ids, names and scopes of PLAYER's tokens, but not the tokens themselves."""
    from ...admin import tokens

    with _service() as (games, _):
        found = tokens.of_player(games, player)
    print_list(
        found,
        ("token", "name", "scopes", "created", "expires", "last used"),
        lambda one: (
            one["id"],
            one["name"],
            one["scopes"],
            *(time_of(one[name]) for name in ("created_at", "expires_at", "last_used_at")),
        ),
        as_json=as_json,
    )


@token.command()
@click.argument("player")
@click.argument("token")
def revoke(player: str, token: str) -> None:
    """Revoke PLAYER's token with this id."""
    from ...admin import tokens

    with _service() as (games, actor):
        tokens.revoke(games, actor, player, token)


# Helpers


@contextmanager
def _service() -> Iterator[tuple[Games, Actor]]:
    """Yield the service's games and the acting user. Report a refusal or a store failure in one line.

    The object of Click's context must be a function that opens the store and yields its games.
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
        raise click.ClickException("the service is read-only: run `condottiere admin read-only off` first") from None
    except StoreError as error:
        raise Unreachable(str(error)) from None


def _user() -> str:
    """Return the name of the user account that runs the command."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return "unknown"


def _all_pages(read: Callable[[str | None], tuple[list[Json], str | None]], limit: int) -> list[Json]:
    """Return at most `limit` entries, from as many pages as needed."""
    found, cursor = read(None)
    while cursor is not None and len(found) < limit:
        page, cursor = read(cursor)
        found += page
    return found[:limit]
