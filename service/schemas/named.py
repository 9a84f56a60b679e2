"""Named types: the names and words that many members share, each described once in the OpenAPI document.

A type is closed or open. The values of a closed type stay the same within `/v1`. A later release may add values to an
open type, so a client must accept values that it does not know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from marshmallow import fields, validate

from engine import EDITIONS
from engine.bots import BOTS
from engine.cards import NAMES
from engine.italy import ITALY
from engine.phase_names import OVER
from engine.phases import PHASES

from ..problems import PROBLEMS
from ..webhooks.kinds import KINDS, PING

CARDS = list(NAMES)
REGIONS = [region.key for region in ITALY.regions]
EDITION_KEYS = list(EDITIONS)
BOT_KEYS = list(BOTS)
EVENT_TYPES = [*KINDS, PING]
END_REASONS = [
    "adjacent-regions",
    "total-regions",
    "battles-won",
    "no-region-left",
    "declined",
    "final-battle",
    "out-of-cards",
    "stall",
    "battle-limit",
    "resignation",
    "points",
    "no-points",
]


class NamedType(NamedTuple):
    """A type of string that has a name in the OpenAPI document; `is_open` is whether later releases may add values."""

    name: str
    meaning: str
    values: list[str]
    is_open: bool = False

    def describe(self) -> dict[str, Any]:
        """Return the type's schema: an enum if the type is closed, otherwise any string, with the known values."""
        if not self.is_open:
            return {"type": "string", "description": self.meaning, "enum": self.values}
        known = ", ".join(f"`{value}`" for value in self.values)
        text = f"{self.meaning} Later releases may add values: a client must accept values that it does not know."
        return {
            "type": "string",
            "description": f"{text} Known values: {known}.",
            "examples": self.values,
            "x-extensible-enum": self.values,
        }


CARD_NAME = NamedType("CardName", "A kind of card.", CARDS)
REGION_NAME = NamedType("RegionName", "A region of the board.", REGIONS)
PHASE = NamedType(
    "Phase",
    "What a game waits for: a kind of move, or nothing any more (`over`). A turn never has the phase `over`.",
    [*PHASES, OVER],
)
EDITION_KEY = NamedType("EditionKey", "The key of an edition, as in `GET /v1/editions`.", EDITION_KEYS, is_open=True)
BOT_KEY = NamedType("BotKey", "The key of a bot, as in `GET /v1/bots`.", BOT_KEYS, is_open=True)
EVENT_TYPE = NamedType(
    "EventType", "The type of event that a delivery to a webhook is about.", EVENT_TYPES, is_open=True
)
END_REASON = NamedType("EndReason", "A reason for which a game or a match ended.", END_REASONS, is_open=True)
PROBLEM_CODE = NamedType(
    "ProblemCode",
    "The kind of problem. `/problems` explains each code. The meaning of a code never changes.",
    list(PROBLEMS),
    is_open=True,
)


class Named(fields.String):
    """A field whose value has a named type. It does not check the value unless it has a validator."""

    def __init__(self, named: NamedType, **kwargs: Any) -> None:
        """Take the type, and the arguments of `fields.String`."""
        super().__init__(**kwargs)
        self.named = named


def _checked(named: NamedType, **kwargs: Any) -> Named:
    return Named(named, validate=validate.OneOf(named.values), **kwargs)


def card_field(**kwargs: Any) -> Named:
    """Return a field that names a kind of card."""
    return _checked(CARD_NAME, **kwargs)


def region_field(**kwargs: Any) -> Named:
    """Return a field that names a region."""
    return _checked(REGION_NAME, **kwargs)


def phase_field(**kwargs: Any) -> Named:
    """Return a field that names a phase."""
    return _checked(PHASE, **kwargs)


def edition_field(**kwargs: Any) -> Named:
    """Return a field that holds the key of an edition."""
    return _checked(EDITION_KEY, **kwargs)


def bot_field(**kwargs: Any) -> Named:
    """Return a field that holds the key of a bot."""
    return _checked(BOT_KEY, **kwargs)


def event_type_field(**kwargs: Any) -> Named:
    """Return a field that holds a type of event to which a webhook may subscribe."""
    return Named(EVENT_TYPE, validate=validate.OneOf(list(KINDS)), **kwargs)
