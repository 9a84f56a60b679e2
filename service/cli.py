"""The `condottiere` command. Each command imports its dependencies only when it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine import DEFAULT, EDITIONS, NEWEST

from . import logs
from .config import Config, ConfigError, listening
from .processes.interrupts import INTERRUPTED, OTHER_LAYOUT_CODE
from .tools.admin.commands import admin

if TYPE_CHECKING:
    from .games.repository import Games

OPTIONS = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an edition option. Repeat to set several.",
)

MCP_MODULES = ("mcp", "mcp_types", "pydantic")
"""The modules that `condottiere mcp` needs from the `mcp` extra."""
MCP_INSTALL = f"{sys.executable} -m pip install 'mcp>=2.3,<3'"
"""A command that installs the libraries of the `mcp` extra. It works even if condottiere-api was not installed
from a package index."""

SEATS = 4
URL_DEFAULT = f"[default: http://{Config.host}:{Config.port}, unless the environment variables HOST and PORT are set]"
DEFAULT_SEATS_HELP = f"[default: {SEATS}, or the edition's maximum if that is lower]"


class CannotRun(click.ClickException):
    """A command could not run or could not finish."""

    exit_code = 2


class BadSetting(CannotRun):
    """A setting is missing or cannot be read."""


class BadLayout(click.ClickException):
    """The store has a layout that this version does not support."""

    exit_code = OTHER_LAYOUT_CODE


class Commands(click.Group):
    """A command group that prints only one line if a setting is wrong, and nothing on Ctrl-C."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command named on the command line."""
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            raise BadSetting(str(error)) from None
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="condottiere-api", prog_name="condottiere")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Play the board game Condottiere over HTTP.

    Settings come from environment variables such as PORT and CONDOTTIERE_DATA; docs/settings.md lists them.
    """
    ctx.obj = _service


main.add_command(admin)


@main.command()
def serve() -> None:
    """Run the whole service, with embedded servers.

    This command runs the web, worker, thinker, clock and deliver processes. It also runs embedded servers, which store
    the games. If REDIS_URL or QUEUE_URL names a server, the command uses that server instead of an embedded one. The
    embedded servers keep their data between runs. If a process exits, the command restarts it. Ctrl-C stops everything.
    """
    config = _settings(embedding=True)
    from .processes.binary import NoBinary
    from .processes.embedded import EmbeddedError
    from .processes.serve import ServeError
    from .processes.serve import serve as run

    try:
        with _report_layout():
            run(config)
    except (NoBinary, EmbeddedError, ServeError) as error:
        raise click.ClickException(str(error)) from None


@main.command()
def web() -> None:
    """Serve HTTP requests on PORT (needs REDIS_URL)."""
    config = _settings()
    from .processes.web import run

    with _layout_of(config):
        run(config)


@main.command()
def worker() -> None:
    """Make moves for quick bots and for seats with standing orders (needs REDIS_URL). You can run several workers."""
    config = _settings()
    from .processes.worker import run

    with _layout_of(config):
        run(config)


@main.command()
def thinker() -> None:
    """Make moves for the slower bots, which search ahead (needs REDIS_URL). You can run several thinkers."""
    config = _settings()
    from .processes.thinker import run

    with _layout_of(config):
        run(config)


@main.command()
def clock() -> None:
    """Record timeouts and reminders, and resend lost messages to workers (needs REDIS_URL). One clock is enough."""
    config = _settings()
    from .processes.clock import run

    with _layout_of(config):
        run(config)


@main.command()
def deliver() -> None:
    """Send deliveries to webhooks (needs REDIS_URL). You can run several `deliver` processes."""
    config = _settings()
    from .processes.deliver import run

    with _layout_of(config):
        run(config)


@main.command()
@click.option("--check", is_flag=True, help="Only report whether a migration is needed (exit code 78 if it is).")
def migrate(check: bool) -> None:
    """Migrate the store to this version's layout (needs REDIS_URL).

    Earlier versions cannot use parts of the store that have already been migrated. If the migration is interrupted, run
    the command again: it continues where it stopped. `condottiere serve` migrates an embedded log server automatically.
    """
    config = _settings()
    from rich.console import Console

    from .tools.migrate import MigrationError, run

    try:
        with _report_layout():
            run(config, Console(), check=check)
    except MigrationError as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--url", help=f"URL of a running server.  {URL_DEFAULT}")
@click.option(
    "--edition", type=click.Choice(list(EDITIONS)), default=DEFAULT, show_default=True, help="The edition to play."
)
@click.option(
    "--seats", type=click.IntRange(2, 6), help=f"Number of seats, including the script's seat.  {DEFAULT_SEATS_HELP}"
)
@OPTIONS
def demo(url: str | None, edition: str, seats: int | None, options: tuple[str, ...]) -> None:
    """Play a complete game over HTTP and print it.

    A simple script plays one seat, and bots play the other seats.
    """
    from rich.console import Console

    from .processes.local_url import local_url
    from .tools.demo import DemoError, play
    from .tools.simulation.games import read_options
    from .tools.simulation.players import BadPlan

    try:
        play(url or local_url(*listening()), edition, seats or _usual_seats(edition), read_options(options), Console())
    except (BadPlan, DemoError) as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.argument("file")
@click.option(
    "--at", "version", type=int, metavar="N", help="Show the position after commit N.  [default: the last commit]"
)
def show(file: str, version: int | None) -> None:
    """Print a position from a game's record.

    The output shows the map, the rows, the hands, and whose turn it is. FILE contains the record, in JSON or
    NDJSON, as GET /v1/games/{id}/record returns it. Use - for standard input.

    Exit codes: 0 if the position was shown, 2 if the record or the version cannot be shown.
    """
    from rich.console import Console

    from .tools.show import ShowError
    from .tools.show import show as run

    try:
        run(file, version, Console())
    except ShowError as error:
        raise CannotRun(str(error)) from None


@main.command()
@click.argument("url")
@click.argument("game", required=False)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="File that contains your token.  [default: the environment variable CONDOTTIERE_TOKEN]",
)
def watch(url: str, game: str | None, token_file: Path | None) -> None:
    """Follow a game in the terminal until it ends.

    URL is the service's address and GAME is the game's id. You can also pass just the game's URL, such as
    http://127.0.0.1:8000/v1/games/GAME. Without a token, you see what a spectator sees. If the connection is lost, the
    command tries to reconnect for up to ten minutes.

    Exit codes: 0 if the game has ended, 1 if the game cannot be followed, 2 if an argument is invalid.
    """
    from rich.console import Console

    from .tools.watch import TOKEN, BadAddress, WatchError, read_address, read_token
    from .tools.watch import watch as run

    try:
        token = read_token(
            os.environ.get(TOKEN, "") if token_file is None else token_file.read_text("ascii", "replace")
        )
        run(read_address(url, game), token, Console(), Console(stderr=True))
    except (BadAddress, OSError) as error:
        raise CannotRun(str(error)) from None
    except WatchError as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--url", help=f"URL of the service. Takes precedence over CONDOTTIERE_URL.  {URL_DEFAULT}")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File that contains your token; created if it does not exist.  [default: the token in CONDOTTIERE_TOKEN, "
    "or a file in ~/.config/condottiere]",
)
def mcp(url: str | None, token_file: Path | None) -> None:
    """Run an MCP server on stdio, so that a language model can play.

    An MCP (Model Context Protocol) host, such as an assistant, starts this command and offers the server's tools to
    the model. The model never sees the token, which comes from the CONDOTTIERE_TOKEN environment variable or from the
    token file. If there is no token, the command registers a player as soon as a tool needs a token, and writes the new
    token to the token file. The player's name comes from CONDOTTIERE_PLAYER. If that variable is not set, the name is
    random.

    The command requires the "mcp" extra; docs/clients.md shows how to configure an MCP host.

    Exit codes: 0 if the host closed standard input, 2 if the command could not run.
    """
    try:
        from .tools.mcp.server import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in MCP_MODULES:
            raise
        raise CannotRun(f"this command needs the extra mcp: {MCP_INSTALL}") from None
    from .processes.local_url import local_url
    from .tools.mcp.account import URL, BadAccount, read_account

    try:
        account = read_account(url or os.environ.get(URL) or local_url(*listening()), token_file, os.environ)
    except BadAccount as error:
        raise CannotRun(str(error)) from None
    run(account, version("condottiere-api"))


@main.command()
@click.option(
    "--edition", default=DEFAULT, show_default=True, help=f"The edition to play: one of {', '.join(EDITIONS)}."
)
@click.option("--seats", type=int, help=f"Number of seats.  {DEFAULT_SEATS_HELP}")
@click.option(
    "--bots",
    default="steady",
    show_default=True,
    help="The bots in seat order, such as steady,random. The list repeats if there are more seats. steady@1 means "
    "revision 1 of steady. my_module:play means the function play in the Python module my_module.",
)
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, help="Number of games.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Random seed: the same seed gives the same games.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of worker processes. Does not affect the results.  [default: one per core]",
)
@OPTIONS
@click.option(
    "--rotate/--no-rotate", default=True, show_default=True, help="Move each bot to the next seat after each game."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "jsonl", "csv"]),
    default="table",
    show_default=True,
    help="Output format.",
)
def simulate(
    edition: str,
    seats: int | None,
    bots: str,
    games: int,
    seed: int,
    jobs: int | None,
    options: tuple[str, ...],
    rotate: bool,
    form: str,
) -> None:
    """Have bots play many games, and report how often each bot wins.

    A bot sees only what a person in its seat would see. If k seats share a victory, each of them gets 1/k of a win. The
    reported intervals are Wilson score intervals. Par is the share of games that a bot would win if all bots and seats
    were equally strong.
    """
    from .tools.simulation.games import make_plan
    from .tools.simulation.jobs import LostProcess, cores
    from .tools.simulation.players import BadPlan
    from .tools.simulation.run import run

    try:
        count = _usual_seats(edition) if seats is None else seats
        plan = make_plan(edition, count, bots.split(","), games, seed, options, rotate)
        complete = run(plan, jobs or cores(), form, sys.stdout)
    except (BadPlan, LostProcess) as error:
        raise click.ClickException(str(error)) from None
    if not complete:
        sys.exit(INTERRUPTED)


@main.command()
@click.option(
    "--bots",
    required=True,
    help="Two or more bots. Each bot plays against every bot listed after it. steady@1 means revision 1 of steady. "
    "my_module:play means the function play in the Python module my_module.",
)
@click.option(
    "--edition",
    "editions",
    multiple=True,
    help=f"Edition to play. Repeat to play several editions.  [default: {DEFAULT}]",
)
@click.option(
    "--seats",
    multiple=True,
    type=click.IntRange(2, 6),
    help="Number of seats per game. Repeat to play games of several sizes. Numbers that an edition does not support "
    "are skipped.  [default: "
    f"{SEATS}, or the edition's maximum if that is lower]",
)
@OPTIONS
@click.option(
    "--deals", type=click.IntRange(min=1), default=100, show_default=True, help="Maximum number of deals per cell."
)
@click.option(
    "--goal",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
    help="Stop a cell as soon as it is clear whether the bot's share of wins is above or below PERCENT.  [default: "
    "play all deals]",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append each deal to this file, and skip deals that are already in it.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed for the deals and the bots.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of worker processes. Does not affect the win shares.  [default: one per core]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def arena(
    bots: str,
    editions: tuple[str, ...],
    seats: tuple[int, ...],
    options: tuple[str, ...],
    deals: int,
    goal: float | None,
    results: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Measure how strong bots are by having them play the same deals from every seat.

    In each cell, one bot plays against copies of another bot, in one edition with a fixed number of seats. Each deal is
    played once from every seat. The 95% intervals are computed from the results of whole deals. With --results,
    you can stop the arena with Ctrl-C and continue it later: run it again with the same file. The new run can add
    deals, bots or editions.

    \b
    Examples:
      condottiere arena --bots skilled,steady,random --seats 3 --seats 4
      condottiere arena --bots my_module:play,skilled --deals 500 --results mine.jsonl
      condottiere arena --bots skilled,steady --goal 80 --deals 1000

    Exit codes: 0 if all cells are finished, 1 if the arena could not run, 130 if you stopped it.
    """
    from .tools.arena.cells import make_cells
    from .tools.arena.results import BadResults
    from .tools.arena.run import run
    from .tools.simulation.jobs import LostProcess, cores
    from .tools.simulation.players import BadPlan

    try:
        keys = editions or (DEFAULT,)
        share = None if goal is None else goal / 100
        cells = [
            cell
            for key in keys
            for cell in make_cells([key], seats or (_usual_seats(key),), bots.split(","), options, seed, deals, share)
        ]
        finished = run(cells, results, jobs or cores(), as_json, sys.stdout)
    except (BadPlan, BadResults, LostProcess, OSError) as error:
        raise click.ClickException(str(error)) from None
    if not finished:
        sys.exit(INTERRUPTED)


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path("openapi"))
def openapi(folder: Path) -> None:
    """Write the OpenAPI document and its examples.

    The files are written to FOLDER (default: openapi).
    """
    from .tools.openapi import write

    write(folder)
    click.echo(f"wrote {folder}/openapi.json and {folder}/examples/")


@main.command()
@click.argument("root", type=click.Path(file_okay=False, exists=True, path_type=Path), default=Path())
def documents(root: Path) -> None:
    """Generate files from the rules and editions.

    The files are written into the project at ROOT (default: the current folder).
    """
    from .tools.documents import write

    write(root)
    click.echo(f"wrote {root / 'service/editions/rules.json'} and {root / 'docs/editions.md'}")


@main.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--check", is_flag=True, help="Report differences without repairing them.")
def rebuild(games: tuple[str, ...], check: bool) -> None:
    """Repair the indexes from the logs (needs REDIS_URL).

    The command rebuilds the indexes from the logs, and repairs any rows that differ. If you pass game ids, the command
    checks only those games. Otherwise, the command checks all games, finds rows that do not belong to any log, and
    compares the statistics with the logs. You can run the command while the service is running. The output has one line
    for each difference, which shows the key and the row.

    Exit codes: 0 if all indexes now match the logs, 1 if a difference was not repaired or a game cannot be read, 2 if
    the command could not run.
    """
    config = _settings()
    from .rebuild.findings import RebuildError
    from .tools.rebuild import run

    try:
        with _layout_of(config):
            complete = run(config, games, check=check)
    except RebuildError as error:
        raise CannotRun(str(error)) from None
    if not complete:
        sys.exit(1)


@main.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--head",
    "heads",
    multiple=True,
    metavar="[VERSION:]HEAD",
    help="Check that the record has this head, which you saved during the game. Repeat to check several heads.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per record.")
def verify(files: tuple[str, ...], heads: tuple[str, ...], as_json: bool) -> None:
    """Verify records of finished games, without contacting a server.

    Each FILE contains one record as JSON, or one or more records as NDJSON. Use - for standard input. The command
    recomputes every commit and reports the first error.

    Exit codes: 0 if all records are valid, 1 if a record is not valid, 2 if a record cannot be read.
    """
    from .problems import Problem
    from .records.report import kept_head
    from .tools.verify import run

    try:
        code = run(files, [kept_head(text) for text in heads], as_json=as_json)
    except Problem as problem:
        raise click.UsageError(problem.detail) from None
    sys.exit(code)


@main.command("try-bot")
@click.argument("url")
@click.option(
    "--secret-file",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="File that contains the webhook's secret.  [default: the environment variable WEBHOOK_SECRET or, if that is "
    "not set, a new secret, which is printed]",
)
@click.option(
    "--edition",
    "editions",
    type=click.Choice(list(EDITIONS)),
    multiple=True,
    help="Send only turns from this edition. Repeat to name several editions.  [default: all editions]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per request.")
def try_bot(url: str, secret_file: Path | None, editions: tuple[str, ...], as_json: bool) -> None:
    """Test a bot's webhook endpoint with turns from many games.

    URL is the endpoint. The command contacts only this address, and does not need a running service. The command sends
    about 250 signed requests, one at a time, and checks the responses. The requests cover turns from every edition, in
    every phase and with every special card. Other requests cover all other types of events. Some requests look hours
    old, and some are sent twice. Some contain JSON members that the endpoint does not know and must ignore. The command
    also sends requests that the endpoint must refuse. At the end, the command prints a table with the number of
    responses of each kind, and how long they took.

    Exit codes: 0 if the service would accept all responses, 1 if a response is wrong or missing, 2 if the command could
    not run.
    """
    from .tools.try_bot.run import TryError, run

    try:
        code = run(url, _webhook_secret(secret_file), editions or tuple(EDITIONS), as_json=as_json)
    except (TryError, OSError) as error:
        raise CannotRun(str(error)) from None
    sys.exit(code)


def _webhook_secret(file: Path | None) -> str | None:
    """Return the webhook's secret from the file or, if there is no file, from the environment. Returns None if the
    environment has no secret. Raises: CannotRun, OSError.
    """
    text = os.environ.get("WEBHOOK_SECRET") if file is None else file.read_text("ascii", "replace")
    secret = None if text is None else text.strip()
    if secret == "":
        source = "the environment variable WEBHOOK_SECRET" if file is None else f"the file {file}"
        raise CannotRun(f"{source} is empty: it must contain the webhook's secret")
    return secret


def _usual_seats(key: str) -> int:
    """Return an edition's default number of seats. Return `SEATS` if the edition is unknown."""
    return min(SEATS, NEWEST[key].most_seats) if key in EDITIONS else SEATS


@contextmanager
def _layout_of(config: Config) -> Iterator[None]:
    """Check that the store has this version's layout, and run the block. Raises: BadLayout."""
    from .processes.layout import check_layout

    with _report_layout():
        check_layout(config)
        yield


@contextmanager
def _report_layout() -> Iterator[None]:
    """Run the block. If the block raises OtherLayout, raise BadLayout instead. A BadLayout is printed as one line."""
    from .processes.layout import OtherLayout

    try:
        yield
    except OtherLayout as error:
        raise BadLayout(str(error)) from None


@contextmanager
def _service() -> Iterator[Games]:
    """Open the games in the store that the settings name.

    If the settings name no store, open the embedded store of the running service that uses the data folder. Raises:
    CannotRun, BadLayout.
    """
    config = _settings(embedding=True)
    from .processes.embedded import EmbeddedError, running_servers
    from .tools.admin.opening import opened

    try:
        full_config = running_servers(config)
    except EmbeddedError as error:
        raise CannotRun(str(error)) from None
    with _layout_of(full_config), opened(full_config) as games:
        yield games


def _settings(*, embedding: bool = False) -> Config:
    config = Config.from_env(embedding=embedding)
    logs.configure(config.log_level, config.log_format, click.get_current_context().info_name or "")
    return config
