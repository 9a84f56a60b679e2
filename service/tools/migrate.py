"""`condottiere migrate`: migrates the store to this version's layout, and shows the progress."""

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
"""The number of progress lines if there is no terminal."""
DONE = f"the store has layout {LAYOUT}"


class MigrationError(Exception):
    """The store does not respond or contains damaged data. Shards that were already migrated stay migrated."""


def run(config: Config, console: Console, *, check: bool) -> None:
    """Migrate the rest of the store, or only check that there is nothing to migrate.

    Raises: MigrationError, OtherLayout. OtherLayout is raised if a check finds something to migrate, if the store has a
    later layout, or if there is no migration from the store's layout.
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
    last_count = 0
    for count in done:
        if count >= last_count + SHARDS // LINES:
            last_count = count
            console.print(f"{count} of {SHARDS} shards are migrated", highlight=False)
