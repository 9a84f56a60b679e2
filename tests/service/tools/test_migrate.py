"""`condottiere migrate` on a terminal: a progress bar, without colours if NO_COLOR is set."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console

from service.store.keys import SHARDS, of_shard
from service.store.layout import LAYOUT
from service.store.migration import MIGRATIONS, Batch
from service.tools.migrate import run

from ..servers import Valkey
from ..store.games import config

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")


@pytest.mark.parametrize("coloured", [True, False])
def test_a_bar_says_how_far_a_migration_is(log_server: Valkey, monkeypatch: pytest.MonkeyPatch, coloured: bool) -> None:
    monkeypatch.setitem(MIGRATIONS, 0, [lambda *_: Batch([], None)])
    monkeypatch.setenv("TERM", "xterm-256color")
    with log_server.client() as client:
        for shard in range(SHARDS):
            client.set(of_shard(shard, "layout"), "0")
    shown = StringIO()
    console = Console(file=shown, force_terminal=True, width=80, no_color=not coloured)
    run(config(log_server.url), console, check=False)
    assert f"{SHARDS}/{SHARDS}" in shown.getvalue()
    assert f"the store has layout {LAYOUT}" in shown.getvalue()
    assert bool(COLOUR.search(shown.getvalue())) == coloured
