"""The editions, one value a file, and how a game finds its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..edition import Edition
from ..errors import BadOption, UnknownEdition
from .eurogames_1995 import EUROGAMES_1995
from .zman_2018 import ZMAN_2018

EDITIONS: Mapping[str, Edition] = {value.key: value for value in (ZMAN_2018, EUROGAMES_1995)}
"""Every edition by its key, with default options; newest first."""

DEFAULT = ZMAN_2018.key
"""Key of the edition for those who need one and have no wish."""


def edition(key: str, revision: int | None = None, options: Mapping[str, object] | None = None) -> Edition:
    """Return an edition with these options in force; options that are not named take their default.

    Raises: UnknownEdition for a key or a revision that does not exist, BadOption for an option that the edition does
    not have or a value that the option does not take.

    >>> edition("eurogames-1995", options={"scarecrow_targets": "any"}).chosen["scarecrow_targets"]
    'any'
    """
    for name, choice in (options or {}).items():
        if type(name) is not str or type(choice) not in (str, int):
            raise BadOption(f"{name} takes a word or a whole number, not {choice!r}", str(name))
    return _edition(key, revision, tuple(sorted((options or {}).items())))


@lru_cache(maxsize=256)
def _edition(key: str, revision: int | None, options: tuple[tuple[str, object], ...]) -> Edition:
    value = EDITIONS.get(key)
    if value is None:
        raise UnknownEdition(f"no edition is called {key}; there are {', '.join(EDITIONS)}")
    if revision not in (None, value.revision):
        raise UnknownEdition(f"{key} has no revision {revision}")
    for name, choice in options:
        value = _choose(value, name, choice)
    return value


def _choose(value: Edition, name: str, choice: object) -> Edition:
    option = next((option for option in value.options if option.key == name), None)
    if option is None:
        known = ", ".join(option.key for option in value.options)
        raise BadOption(f"{value.key} has no option {name}; it has {known}", name)
    if choice not in option.values:
        values = option.values
        takes = f"{values.start} to {values[-1]}" if isinstance(values, range) else ", ".join(values)
        raise BadOption(f"{name} takes {takes}, not {choice!r}", name)
    return option.apply(value, choice)
