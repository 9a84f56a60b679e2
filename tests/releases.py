"""The releases: what each release has fixed permanently, so that games that began under it can be finished."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine import Edition

from .games.files import REVISIONS


class Release(NamedTuple):
    """A release, the commit of its tag, its format of commits, and the newest revision of each edition in it."""

    version: str
    commit: str
    format: int
    revisions: Mapping[str, int]


RELEASES = (
    Release(
        version="0.1.0",
        commit="132ea7961173fccc2f0624cb38408ed105bafae1",
        format=1,
        revisions={
            "zman-2018": 1,
            "zman-2018-classic": 1,
            "zman-2018-duel": 1,
            "ffg-2007": 1,
            "eurogames-revised": 1,
            "eurogames-1995": 1,
        },
    ),
    Release(
        version="0.2.0",
        commit="3173864e4443667981c48c58facd6d8f8abe71d4",
        format=1,
        revisions={
            "zman-2018": 2,
            "zman-2018-classic": 2,
            "zman-2018-duel": 2,
            "ffg-2007": 2,
            "eurogames-revised": 2,
            "eurogames-1995": 2,
        },
    ),
    Release(
        version="0.3.0",
        commit="8213dfda12f3eaf64e881478beb8e369726b1cfe",
        format=1,
        revisions={
            "zman-2018": 2,
            "zman-2018-classic": 2,
            "zman-2018-duel": 2,
            "ffg-2007": 2,
            "eurogames-revised": 2,
            "eurogames-1995": 2,
        },
    ),
)
"""The releases, oldest first."""


def unreleased(names: Sequence[str]) -> Sequence[str]:
    """Return these revisions of editions (`zman-2018@2`), or by default all unreleased ones.

    Exit if one of them was released: its records prove that games that began under it can be continued.
    """
    fixed = {name for name in REVISIONS if _released(REVISIONS[name])}
    if unknown := [name for name in names if name not in REVISIONS]:
        sys.exit(f"there is no revision {', '.join(unknown)}; choose from {', '.join(REVISIONS)}")
    if refused := [name for name in names if name in fixed]:
        sys.exit(f"{', '.join(refused)}: released, so not recorded again; write a new revision to change the rules")
    return names or [name for name in REVISIONS if name not in fixed]


def _released(value: Edition) -> bool:
    return any(release.revisions.get(value.key, 0) >= value.revision for release in RELEASES)
