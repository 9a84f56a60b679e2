"""The editions, one value a file, and how a game finds its own.

A file that states an `EDITION` is all that an edition, or a later revision of one, needs here; the other files hold
what several editions share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from pkgutil import iter_modules

from ..edition import Edition, Option
from ..errors import BadOption, UnknownEdition
from ..values import cut, short
from . import zman_2018


def _stated() -> Iterator[Edition]:
    """Yield the edition that each file of this folder states, where it states one."""
    for module in iter_modules(__path__):
        value: Edition | None = getattr(import_module(f"{__name__}.{module.name}"), "EDITION", None)
        if value is not None:
            yield value


def _by_revision(values: Iterable[Edition]) -> Iterator[tuple[str, Mapping[int, Edition]]]:
    """Yield each edition's key and its revisions; newest edition first, and those of one year by their keys."""
    listed = sorted(values, key=lambda value: (-value.listed_year, value.key, value.revision))
    for key, revisions in groupby(listed, lambda value: value.key):
        numbered = {value.revision: value for value in revisions}
        assert list(numbered) == list(range(1, len(numbered) + 1)), f"{key} has revisions 1 and up, each once"
        yield key, numbered


EDITIONS: Mapping[str, Mapping[int, Edition]] = dict(_by_revision(_stated()))
"""Every edition, by its key and its revision, with default options; newest edition first, and oldest revision."""

NEWEST: Mapping[str, Edition] = {key: revisions[max(revisions)] for key, revisions in EDITIONS.items()}
"""The newest revision of every edition: what new games are played by."""

DEFAULT = zman_2018.EDITION.key
"""Key of the edition for those who need one and have no wish."""


def edition(key: str, revision: int | None = None, options: Mapping[str, object] | None = None) -> Edition:
    """Return an edition with these options in force; options that are not named take their default.

    Without a revision it is the newest.

    Raises: UnknownEdition for a key or a revision that does not exist, BadOption for an option that the edition does
    not have, a value that the option does not take, or options that the rulebook does not allow together.

    >>> edition("eurogames-1995", options={"scarecrow_targets": "any"}).chosen["scarecrow_targets"]
    'any'
    """
    for name, choice in (options or {}).items():
        if type(name) is not str or type(choice) not in (str, int, bool):
            named = cut(name) if type(name) is str else short(name)
            message = f"{named} must be a string, an integer or a boolean, not {short(choice)}"
            raise BadOption(message, named, edition=key)
    # True equals 1: the type keeps them apart in the cache.
    return _edition(key, revision, tuple(sorted((name, type(o).__name__, o) for name, o in (options or {}).items())))


@lru_cache(maxsize=1024)
def _edition(key: str, revision: int | None, options: tuple[tuple[str, str, object], ...]) -> Edition:
    revisions = EDITIONS.get(key)
    if revisions is None:
        raise UnknownEdition(f"there is no edition {cut(key)}; choose one of {', '.join(EDITIONS)}")
    value = NEWEST[key] if revision is None else revisions.get(revision)
    if value is None:
        raise UnknownEdition(f"{key} has no revision {revision}; choose {' or '.join(map(str, revisions))}")
    for name, _, choice in options:
        value = _choose(value, name, choice)
    for conflict in value.conflicts:
        if all(value.chosen[name] for name in conflict.options):
            clause = value.clauses["bad-option"]
            raise BadOption(conflict.reason, conflict.options[0], edition=value.key, clause=clause)
    return value


def _choose(value: Edition, name: str, choice: object) -> Edition:
    option = next((option for option in value.options if option.key == name), None)
    if option is None:
        known = ", ".join(option.key for option in value.options)
        raise BadOption(f"{value.key} has no option {cut(name)}; its options are {known}", cut(name), edition=value.key)
    if type(choice) is not type(option.default) or choice not in option.values:
        raise BadOption(f"{name} must be {_takes(option)}, not {short(choice)}", name, edition=value.key)
    if choice == option.default:
        return value
    return replace(option.apply(value, choice), chosen={**value.chosen, name: choice})


def _takes(option: Option) -> str:
    values = option.values
    if isinstance(values, range):
        return f"{values[0]} to {values[-1]}"
    return " or ".join(str(value).lower() for value in values)
