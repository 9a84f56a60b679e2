"""Named types: string types that are described once in the OpenAPI document and used by many fields.

A type is closed or open. The values of a closed type never change within `/v1`. A later release may add values to an
open type, so a client must accept values that it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from marshmallow import fields, validate

from engine import EDITIONS
from engine.bots import BOTS
from engine.cards import NAMES
from engine.italy import ITALY
from engine.phase_names import OVER
from engine.phases import PHASES

from ..editions.sentences import KINDS as KINDS_OF_MEMBERS
from ..editions.sentences import TESTS
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
    "consent",
    "points",
    "no-points",
]


class NamedType(NamedTuple):
    """A string type with a name in the OpenAPI document. `is_open` says whether later releases may add values."""

    name: str
    meaning: str
    values: Sequence[str]
    is_open: bool = False

    def describe(self) -> dict[str, Any]:
        """Return the type's schema: an enum for a closed type, or a string with its known values for an open type."""
        if not self.is_open:
            return {"type": "string", "description": self.meaning, "enum": list(self.values)}
        known = ", ".join(f"`{value}`" for value in self.values)
        text = f"{self.meaning} Later releases may add values, so a client must accept values that it does not know."
        return {
            "type": "string",
            "description": f"{text} Known values: {known}.",
            "examples": list(self.values),
            "x-extensible-enum": list(self.values),
        }


CARD_NAME = NamedType("CardName", "A kind of card.", CARDS)
REGION_NAME = NamedType("RegionName", "A region of the board.", REGIONS)
PHASE = NamedType(
    "Phase",
    "What the game is waiting for. `over` means that the game has ended. A turn never has the `over` phase.",
    [*PHASES, OVER],
)
EDITION_KEY = NamedType(
    "EditionKey", "The key of an edition. `GET /v1/editions` lists all keys.", EDITION_KEYS, is_open=True
)
BOT_KEY = NamedType("BotKey", "The key of a bot. `GET /v1/bots` lists all keys.", BOT_KEYS, is_open=True)
EVENT_TYPE = NamedType("EventType", "The type of event that a webhook delivery is about.", EVENT_TYPES, is_open=True)
END_REASON = NamedType("EndReason", "A reason why a game or a match ended.", END_REASONS, is_open=True)
SENTENCE_TEST = NamedType(
    "SentenceTest",
    f"What must be true of a member of an event. {' '.join(f'`{test}`: {means}.' for test, means in TESTS.items())}",
    list(TESTS),
)
MEMBER_KIND = NamedType(
    "MemberKind",
    "How to show a member of an event. "
    f"{' '.join(f'`{kind}`: {means}.' for kind, means in KINDS_OF_MEMBERS.items())} Unless the kind is `counts`, "
    "show a list by showing each item and joining the results.",
    list(KINDS_OF_MEMBERS),
    is_open=True,
)
PROBLEM_CODE = NamedType(
    "ProblemCode",
    "The kind of problem. The page `/problems` explains every code. The meaning of a code never changes.",
    list(PROBLEMS),
    is_open=True,
)


class Named(fields.String):
    """A field whose value has a named type. The field accepts the values that this release knows."""

    def __init__(self, named: NamedType, values: Sequence[str] | None = None, **kwargs: Any) -> None:
        """Accept only `values`, which by default are all known values of the type `named`.

        All other arguments are those of `fields.String`.
        """
        super().__init__(validate=validate.OneOf(named.values if values is None else values), **kwargs)
        self.named = named
