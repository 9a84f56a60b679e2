"""The `condottiere` command. Each command imports what it needs when it is run."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from engine import DEFAULT, EDITIONS, NEWEST

from .config import Config, ConfigError, listening
from .processes.interrupts import INTERRUPTED, OTHER_LAYOUT_CODE

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

OPTIONS = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the edition; repeat it for more."
)

SEATS = 4
URL_DEFAULT = f"[default: http://{Config.host}:{Config.port}, or as HOST and PORT of the environment say]"
SEATS_SAID = f"[default: {SEATS}, or as many as the edition takes]"


class CannotRun(click.ClickException):
    """A command could not do what it is for, and cannot tell how that would have ended."""

    exit_code = 2


class BadSetting(CannotRun):
    """A setting is missing or cannot be read."""


class BadLayout(click.ClickException):
    """The store has a layout that this version does not work with."""

    exit_code = OTHER_LAYOUT_CODE


class Commands(click.Group):
    """A group that tells in one line what is wrong with the settings, and says nothing at Ctrl-C."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            raise BadSetting(str(error)) from None
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="condottiere-api", prog_name="condottiere")
def main() -> None:
    """Play the board game Condottiere over HTTP.

    Settings are read from the environment, such as PORT and CONDOTTIERE_DATA; docs/settings.md lists them.
    """


@main.command()
def serve() -> None:
    """Run everything: web, worker, clock, deliver, and servers to keep the games.

    The servers are embedded where REDIS_URL and QUEUE_URL name no others; their data are found again at the next start.
    A process that ends is started again. Ctrl-C stops it all.
    """
    config = _settings(embedding=True)
    from .processes.binary import NoBinary
    from .processes.embedded import EmbeddedError
    from .processes.serve import ServeError
    from .processes.serve import serve as run

    try:
        with _layout_refused():
            run(config)
    except (NoBinary, EmbeddedError, ServeError) as error:
        raise click.ClickException(str(error)) from None


@main.command()
def web() -> None:
    """Answer HTTP requests on PORT (needs REDIS_URL)."""
    config = _settings()
    from .processes.web import run

    with _layout_of(config):
        run(config)


@main.command()
def worker() -> None:
    """Let bots act, one job after the other (needs REDIS_URL). Run as many as you like."""
    config = _settings()
    from .processes.worker import run

    with _layout_of(config):
        run(config)


@main.command()
def clock() -> None:
    """Write timeouts and reminders, and ask again for bots that should have acted (needs REDIS_URL). One is enough."""
    config = _settings()
    from .processes.clock import run

    with _layout_of(config):
        run(config)


@main.command()
def deliver() -> None:
    """Tell webhooks what happens in games (needs REDIS_URL). Several share the work."""
    config = _settings()
    from .processes.deliver import run

    with _layout_of(config):
        run(config)


@main.command()
@click.option("--check", is_flag=True, help="Only say whether there is anything to migrate; exit code 78 if there is.")
def migrate(check: bool) -> None:
    """Bring the store to the layout of this version (needs REDIS_URL).

    What is migrated already is closed to earlier versions. If you interrupt it, run it again: it goes on where it was.
    `condottiere serve` does this by itself where the log server is embedded.
    """
    config = _settings()
    from rich.console import Console

    from .tools.migrate import MigrationError, run

    try:
        with _layout_refused():
            run(config, Console(), check=check)
    except MigrationError as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--url", help=f"Address of a running server.  {URL_DEFAULT}")
@click.option("--edition", type=click.Choice(list(EDITIONS)), default=DEFAULT, show_default=True)
@click.option("--seats", type=click.IntRange(2, 6), help=f"Players at the table: you and SEATS - 1 bots.  {SEATS_SAID}")
@OPTIONS
def demo(url: str | None, edition: str, seats: int | None, options: tuple[str, ...]) -> None:
    """Play one whole game over HTTP and print it: a scripted person against bots."""
    from rich.console import Console

    from .processes.local_url import local_url
    from .tools.demo import DemoError, play
    from .tools.simulation.games import BadPlan, read_options

    try:
        play(url or local_url(*listening()), edition, seats or _usual_seats(edition), read_options(options), Console())
    except (BadPlan, DemoError) as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--edition", default=DEFAULT, show_default=True, help=f"One of {', '.join(EDITIONS)}.")
@click.option("--seats", type=int, help=SEATS_SAID)
@click.option("--bots", default="steady", show_default=True, help="Seat by seat, as in steady,random; then again.")
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Processes; the result does not depend on it.  [default: all cores]"
)
@OPTIONS
@click.option("--rotate/--no-rotate", default=True, show_default=True, help="Shift the bots by one seat a game.")
@click.option("--format", "form", type=click.Choice(["table", "jsonl", "csv"]), default="table", show_default=True)
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
    """Let bots play many games against each other, and tell who wins how often.

    A bot sees what a person in its seat would see. A victory that k seats share counts 1/k for each. The interval is
    Wilson's; the par is what a bot would win if all seats were equal.
    """
    from .tools.simulation.games import BadPlan, make_plan
    from .tools.simulation.jobs import LostProcess, cores
    from .tools.simulation.run import run

    try:
        taken = _usual_seats(edition) if seats is None else seats
        plan = make_plan(edition, taken, bots.split(","), games, seed, options, rotate)
        complete = run(plan, jobs or cores(), form, sys.stdout)
    except (BadPlan, LostProcess) as error:
        raise click.ClickException(str(error)) from None
    if not complete:
        sys.exit(INTERRUPTED)


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path("openapi"))
def openapi(folder: Path) -> None:
    """Write the API's description and its examples into FOLDER (openapi)."""
    from .tools.openapi import write

    write(folder)
    click.echo(f"wrote {folder}/openapi.json and {folder}/examples/")


@main.command()
@click.argument("root", type=click.Path(file_okay=False, exists=True, path_type=Path), default=Path())
def documents(root: Path) -> None:
    """Write what is made of the rules documents and the editions into the project at ROOT (here)."""
    from .tools.documents import write

    write(root)
    click.echo(f"wrote {root / 'service/editions/rules.json'} and {root / 'docs/editions.md'}")


@main.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--check", is_flag=True, help="Only report what differs; write nothing.")
def rebuild(games: tuple[str, ...], check: bool) -> None:
    """Derive the indexes of each GAME from its log again, and mend what differs (needs REDIS_URL).

    Without GAME it does so for all games. It then also finds rows that follow from no log, and compares statistics. The
    service may run meanwhile. Each difference is one line on standard output, which names the key and the row.

    Exit code 0: everything follows from the logs now. 1: something differs and was not mended, or cannot be read.
    2: the command could not run.
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


def _usual_seats(key: str) -> int:
    """Return with how many seats an edition is played where nobody says it; of an unknown one others will say so."""
    return min(SEATS, NEWEST[key].most_seats) if key in EDITIONS else SEATS


@contextmanager
def _layout_of(config: Config) -> Iterator[None]:
    """Run a process within the block, if the store has the layout of this version."""
    from .processes.layout import check_layout

    with _layout_refused():
        check_layout(config)
        yield


@contextmanager
def _layout_refused() -> Iterator[None]:
    """Say in one line that the store has another layout."""
    from .processes.layout import OtherLayout

    try:
        yield
    except OtherLayout as error:
        raise BadLayout(str(error)) from None


def _settings(*, embedding: bool = False) -> Config:
    config = Config.from_env(embedding=embedding)
    logging.basicConfig(level=config.log_level.upper(), format=LOG_FORMAT)
    return config
