"""`condottiere migrate`: brings the store to the layout of this version, and shows how far it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..config import Config
from ..store import Store
from ..store.errors import OtherLayout, StoreError
from ..store.keys import SHARDS
from ..store.layout import LAYOUT

LINES = 8
"""How many lines say how far it is where there is no terminal."""
DONE = f"the store has layout {LAYOUT}"


class MigrationError(Exception):
    """The store does not answer, or something in it is damaged; what was migrated is."""


def run(config: Config, console: Console, *, check: bool) -> None:
    """Migrate what is left to migrate, or only check that nothing is.

    Raises: OtherLayout where something is, where the store has a later layout, or where no steps lead from the one that
    it has; MigrationError.
    """
    with closing(Store(config)) as store:
        try:
            if check:
                store.check_layout()
            else:
                _migrate(store, console)
        except OtherLayout:
            raise
        except StoreError as error:
            raise MigrationError(f"{error}; run the command again: it continues where it stopped") from error
    console.print(DONE, highlight=False)


def _migrate(store: Store, console: Console) -> None:
    done = store.migrate()
    if next(done) < SHARDS:
        (_show_bar if console.is_terminal else _print_lines)(done, console)


def _show_bar(done: Iterator[int], console: Console) -> None:
    columns = (TextColumn("migrating"), BarColumn(), MofNCompleteColumn(), TextColumn("shards"), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("", total=SHARDS)
        for count in done:
            progress.update(bar, completed=count)


def _print_lines(done: Iterator[int], console: Console) -> None:
    said = 0
    for count in done:
        if count >= said + SHARDS // LINES:
            said = count
            console.print(f"{count} of {SHARDS} shards are migrated", highlight=False)
