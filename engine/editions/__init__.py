"""The editions, one per module, and the functions that look them up.

To add an edition, or a later revision of an edition, add a module here that defines `EDITION`. Modules without an
`EDITION` contain functions shared by several editions.
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


def _load_editions() -> Iterator[Edition]:
    """Yield the `EDITION` of each module in this package that defines one."""
    for module in iter_modules(__path__):
        value: Edition | None = getattr(import_module(f"{__name__}.{module.name}"), "EDITION", None)
        if value is not None:
            yield value


def _by_revision(values: Iterable[Edition]) -> Iterator[tuple[str, Mapping[int, Edition]]]:
    """Yield the key and the revisions of each edition, newest edition first. Editions of one year are sorted by key."""
    ordered = sorted(values, key=lambda value: (-value.listed_year, value.key, value.revision))
    for key, revisions in groupby(ordered, lambda value: value.key):
        by_number = {value.revision: value for value in revisions}
        assert list(by_number) == list(range(1, len(by_number) + 1)), f"{key} has revisions 1 and up, each once"
        yield key, by_number


EDITIONS: Mapping[str, Mapping[int, Edition]] = dict(_by_revision(_load_editions()))
"""Every edition by key and revision, with default options.

The newest edition comes first. The revisions of each edition are in ascending order.
"""

NEWEST: Mapping[str, Edition] = {key: revisions[max(revisions)] for key, revisions in EDITIONS.items()}
"""The newest revision of each edition, by key. New games use these revisions."""

DEFAULT = zman_2018.EDITION.key
"""The key of the default edition."""


def edition(key: str, revision: int | None = None, options: Mapping[str, object] | None = None) -> Edition:
    """Return an edition with these options; all other options have their default values.

    `revision` defaults to the newest revision. Raises: UnknownEdition for an unknown key or revision, and BadOption for
    an unknown option, a value that the option does not allow, or options that cannot be combined.

    >>> edition("eurogames-1995", options={"scarecrow_targets": "any"}).chosen["scarecrow_targets"]
    'any'
    """
    for name, choice in (options or {}).items():
        if type(name) is not str or type(choice) not in (str, int, bool):
            quoted = cut(name) if type(name) is str else short(name)
            message = f"{quoted} must be a string, an integer or a boolean, not {short(choice)}"
            raise BadOption(message, quoted, edition=key)
    # The cache key includes the type of each value, because True equals 1.
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
        value = _apply_option(value, name, choice)
    for conflict in value.conflicts:
        if all(value.chosen[name] for name in conflict.options):
            clause = value.clauses["bad-option"]
            raise BadOption(conflict.reason, conflict.options[0], edition=value.key, clause=clause)
    return value


def _apply_option(value: Edition, name: str, choice: object) -> Edition:
    option = next((option for option in value.options if option.key == name), None)
    if option is None:
        known = ", ".join(option.key for option in value.options)
        raise BadOption(f"{value.key} has no option {cut(name)}; its options are {known}", cut(name), edition=value.key)
    if type(choice) is not type(option.default) or choice not in option.values:
        raise BadOption(f"{name} must be {_describe_values(option)}, not {short(choice)}", name, edition=value.key)
    if choice == option.default:
        return value
    return replace(option.apply(value, choice), chosen={**value.chosen, name: choice})


def _describe_values(option: Option) -> str:
    values = option.values
    if isinstance(values, range):
        return f"{values[0]} to {values[-1]}"
    return " or ".join(str(value).lower() for value in values)
