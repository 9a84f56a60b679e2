"""Games: opening them, listing them, and what a caller sees of one."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from engine.phases import PHASES

from .clocks import ClockChoiceSchema, ClockSettingsSchema, GameClockSchema
from .common import BOT_KEYS, EDITION_KEYS, MAX_SEATS, CheckedSchema, matching, milliseconds, seat_field
from .moves import MoveSchema

STATUSES = ["open", "running", "finished", "cancelled"]
STARTS = ["auto", "owner"]
REASONS = [
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


def _hexadecimal(fewest: int, most: int, description: str, **kwargs: Any) -> fields.String:
    pattern = f"([0-9a-f]{{2}}){{{fewest},{most}}}"
    return fields.String(
        validate=matching(pattern, f"{fewest} to {most} bytes in lower-case hexadecimal."),
        metadata={"description": description, "pattern": f"^{pattern}$"},
        **kwargs,
    )


def _entropy() -> fields.String:
    description = 'Bytes of your own, in hexadecimal, that go into every draw of the game. null and "": none.'
    return _hexadecimal(0, 64, description, allow_none=True)


class BotSeatSchema(Schema):
    """A seat that is given to a bot."""

    seat = seat_field(required=True)
    bot = fields.String(required=True, validate=validate.OneOf(BOT_KEYS))


class OpeningSchema(CheckedSchema):
    """The game that is asked for."""

    edition = fields.String(required=True, validate=validate.OneOf(EDITION_KEYS))
    seats = fields.Integer(required=True, strict=True, validate=validate.Range(min=1))
    options = fields.Dict(
        keys=fields.String(),
        values=fields.Raw(metadata={"type": ["string", "integer", "boolean"]}),
        load_default=dict,
        metadata={"description": "Options of the edition; those not named take their default."},
    )
    bots = fields.List(
        fields.Nested(BotSeatSchema),
        load_default=list,
        validate=validate.Length(max=MAX_SEATS),
        metadata={"description": "Seats given to bots. You take the first seat that is left, if any."},
    )
    start = fields.String(
        load_default="auto",
        validate=validate.OneOf(STARTS),
        metadata={"description": "auto: as soon as the last seat is taken. owner: when you say so."},
    )
    clock = fields.Nested(
        ClockChoiceSchema,
        load_default=None,
        allow_none=True,
        metadata={"description": "The clock; null or left out: nobody's time is counted."},
    )
    entropy = _entropy()
    seed = _hexadecimal(
        32, 32, "The game's seed, for a game with no other person in it; everybody will see that it was chosen."
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse two bots on one seat."""
        bots = parts["bots"]
        if len({bot["seat"] for bot in bots}) < len(bots):
            raise ValidationError({"bots": ["Two bots are assigned to the same seat."]})


class JoiningSchema(Schema):
    """Where a player wants to sit."""

    seat = seat_field(metadata={"description": "The first free seat if left out."})
    entropy = _entropy()


class SeatedSchema(Schema):
    """Who sits on a seat: a player, a bot, or nobody; with both, the bot moves until the player takes the seat back."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True, allow_none=True)
    bot = fields.String(required=True, allow_none=True)


class ResultSchema(Schema):
    """How a game, or a match of games, ended."""

    winners = fields.List(
        fields.Integer(), required=True, metadata={"description": "Several share the victory; a draw has none."}
    )
    reasons = fields.List(fields.String(validate=validate.OneOf(REASONS)), required=True)


class GameSummarySchema(Schema):
    """A game in a list."""

    id = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    edition = fields.String(required=True)
    options = fields.Dict(required=True)
    owner = fields.String(required=True)
    start = fields.String(required=True, validate=validate.OneOf(STARTS))
    opened_at = milliseconds("When it was opened")
    changed_at = milliseconds("When the list's entry changed last")
    seated = fields.List(fields.Nested(SeatedSchema), required=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    clock = fields.Nested(ClockSettingsSchema, required=True, allow_none=True)


class GamesPageSchema(Schema):
    """A page of games, newest first."""

    games = fields.List(fields.Nested(GameSummarySchema), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata={"description": "Send it as `cursor` for the next page."}
    )


class CardsSchema(Schema):
    """A hand: how many cards, and which where you may know."""

    count = fields.Integer(required=True)
    cards = fields.List(fields.String())


class LineSchema(Schema):
    """One step of how a strength comes about."""

    step = fields.String(
        required=True,
        validate=validate.OneOf(["mercenaries", "winter", "drummer", "spring", "courtesans", "heroines"]),
    )
    amount = fields.Integer(required=True, metadata={"description": "What the step adds."})


class PositionSeatSchema(Schema):
    """What lies before one seat."""

    seat = fields.Integer(required=True)
    hand = fields.Nested(CardsSchema, required=True)
    deck = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Cards in its own deck; null where all share one."}
    )
    row = fields.List(fields.String(), required=True, metadata={"description": "Cards that lie face up."})
    face_down = fields.Nested(CardsSchema, required=True, metadata={"description": "Cards that lie face down."})
    strength = fields.Integer(required=True)
    explanation = fields.List(fields.Nested(LineSchema), required=True)
    regions = fields.List(fields.String(), required=True)
    battles_won = fields.Integer(required=True)
    passed = fields.Boolean(required=True, metadata={"description": "Whether it is out of this battle."})
    resigned = fields.Boolean(required=True, metadata={"description": "Whether it has left the game for good."})


class MatchSchema(Schema):
    """How a match of several games stands."""

    target = fields.Integer(required=True, metadata={"description": "Points that end the match."})
    game = fields.Integer(required=True, metadata={"description": "Number of the game, from 1."})
    points = fields.List(fields.Integer(), required=True, metadata={"description": "In seat order."})


class PositionSchema(Schema):
    """The position, as the caller sees it."""

    phase = fields.String(required=True, validate=validate.OneOf([*PHASES, "over"]))
    turn = fields.Integer(required=True, allow_none=True, metadata={"description": "The seat the game waits for."})
    round = fields.Integer(required=True, metadata={"description": "Number of the round, from 1."})
    battle = fields.Integer(
        required=True,
        metadata={
            "description": "Number of the battle, from 1: the one whose region is being chosen, or that is prepared or "
            "fought, else the last. Within a game it never decreases; each game of a match starts again with 1."
        },
    )
    marker = fields.Integer(required=True, metadata={"description": "The seat that holds the battle marker."})
    contested = fields.String(required=True, allow_none=True)
    favor = fields.String(required=True, allow_none=True, metadata={"description": "Where the favor marker is."})
    season = fields.String(required=True, allow_none=True)
    deck = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Cards in the deck; null where each seat has its own."}
    )
    discard = fields.Integer(required=True, metadata={"description": "Cards in the discard."})
    declines = fields.Integer(
        required=True, metadata={"description": "Seats in a row that have declined to choose a region."}
    )
    fighters = fields.List(
        fields.Integer(), required=True, metadata={"description": "Seats of the final battle; none before it."}
    )
    match = fields.Nested(MatchSchema, required=True, allow_none=True)
    seats = fields.List(fields.Nested(PositionSeatSchema), required=True)


class FairnessSchema(Schema):
    """What lets anyone check that no draw was chosen after the fact."""

    commitment = fields.String(required=True, metadata={"description": "SHA-256 of the seed, in hexadecimal."})
    construction = fields.Integer(required=True, metadata={"description": "How draws are made from the seed."})
    seeded = fields.Boolean(required=True, metadata={"description": "Whether the owner chose the seed."})
    entropies = fields.List(
        fields.String(allow_none=True),
        required=True,
        metadata={"description": "The bytes that each seat added, in hexadecimal; null: none."},
    )
    seed = fields.String(required=True, allow_none=True, metadata={"description": "Revealed when the game is over."})


class GameSchema(GameSummarySchema):
    """A game, as the caller may see it."""

    version = fields.Integer(required=True, metadata={"description": "Send it in `If-Match` with your move."})
    revision = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The edition's revision that it is played by to its end; null before it starts."},
    )
    you = fields.Integer(required=True, allow_none=True, metadata={"description": "Your seat."})
    position = fields.Nested(PositionSchema, required=True, allow_none=True)
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        metadata={"description": "What you may do now, each ready to be posted; empty when it is not your turn."},
    )
    clock = fields.Nested(GameClockSchema, required=True, allow_none=True)
    fairness = fields.Nested(FairnessSchema, required=True)
