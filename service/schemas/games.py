"""Games: schemas for opening and listing games, and for a game as players see it."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..games.events import (
    HINT_RULES,
    MOST_ENTROPY,
    NAME_RULES,
    NAMES_SHOWN,
    NO_HINTS,
    SHOWING_RULES,
    STARTS,
    TALK_ALL,
    TALK_RULES,
)
from .clocks import ClockChoiceSchema, ClockSettingsSchema, GameClockSchema
from .common import (
    MAX_SEATS,
    CheckedSchema,
    Flag,
    Title,
    Whole,
    label_field,
    matching,
    milliseconds,
    name_field,
    seat_field,
    without_fraction,
)
from .editions import GoalSchema
from .ending import EndingSchema
from .moves import MoveSchema
from .named import BOT_KEY, CARD_NAME, EDITION_KEY, END_REASON, PHASE, REGION_NAME, Named, NamedType
from .showing import ShownSchema

STATUSES = ["open", "running", "finished", "cancelled"]
GAME_STATUS = NamedType(
    "GameStatus", "The status of a game: open for players, running, finished, or cancelled.", STATUSES
)
START_MODE = NamedType(
    "StartMode", "`auto`: the game starts when the last seat is taken. `owner`: the game's owner starts it.", STARTS
)
HINT_RULE = NamedType(
    "HintRule",
    "`none`: nobody may ask for a hint. `allowed`: the player to move may ask for a hint, and everybody "
    "sees that the player asked.",
    HINT_RULES,
)
SHOWING_RULE = NamedType(
    "ShowingRule",
    "`none`: no seat may show its cards. `allowed`: each seat may show cards from its hand to other seats. "
    "Everybody sees how many cards a seat showed, and to whom.",
    SHOWING_RULES,
)
TALK_RULE = NamedType(
    "TalkRule",
    "`all`: players may write to the whole table and to chosen seats. `public-only`: players may write only to "
    "the whole table. `none`: nobody can write, and there is no spectators' room.",
    TALK_RULES,
)
NAME_RULE = NamedType(
    "NameRule",
    "`shown`: everybody can see who has which seat. `hidden`: nobody can see who has which seat until the game is "
    "over. While players are hidden, each player's id is `hidden`, and each name is `null`.",
    NAME_RULES,
)

STRENGTH_STEP = NamedType(
    "StrengthStep",
    "A step in the calculation of a row's strength.",
    ["mercenaries", "winter", "drummer", "spring", "courtesans", "heroines"],
    is_open=True,
)


def hexadecimal(fewest: int, most: int, description: str, **kwargs: Any) -> fields.String:
    """Return a field for `fewest` to `most` bytes, in hexadecimal."""
    pattern = f"([0-9a-f]{{2}}){{{fewest},{most}}}"
    return fields.String(
        validate=matching(pattern, f"Must be {fewest} to {most} bytes in lower-case hexadecimal."),
        metadata={"description": description, "pattern": f"^{pattern}$"},
        **kwargs,
    )


def entropy_field() -> fields.String:
    """Return a field for the random bytes (entropy) that a player contributes to the game's draws."""
    description = (
        "Random bytes of your choice, in hexadecimal, which influence every draw of the game. By "
        "default, you add no bytes."
    )
    return hexadecimal(0, MOST_ENTROPY, description, allow_none=True)


class BotSeatSchema(Schema):
    """A seat that is assigned to a bot."""

    seat = seat_field(required=True, metadata={"description": "The number of the seat."})
    bot = Named(BOT_KEY, required=True, metadata={"description": "The key of the bot that plays the seat."})


class OptionValue(fields.Raw):
    """A field for the value of an option: a string, a whole number or a boolean. The edition validates the value."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return without_fraction(value)


class OpeningSchema(CheckedSchema):
    """The game to open."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition to play."})
    seats = Whole(
        required=True,
        validate=validate.Range(min=1),
        metadata={"description": "The number of seats, which the edition must support."},
    )
    options = fields.Dict(
        keys=fields.String(),
        values=OptionValue(
            metadata={"type": ["string", "integer", "boolean"], "description": "The value of the option."}
        ),
        load_default=dict,
        metadata={
            "description": "The options of the edition, by key. An option that you leave out has its default value."
        },
    )
    bots = fields.List(
        fields.Nested(BotSeatSchema),
        load_default=list,
        validate=validate.Length(max=MAX_SEATS),
        metadata={
            "description": "The seats that bots play. You get the first seat that no bot plays, if there is one. By "
            "default, no bots play."
        },
    )
    start = Named(
        START_MODE,
        load_default="auto",
        metadata={
            "description": "`auto`: the game starts when the last seat is taken. `owner`: you start the game with "
            "`POST /v1/games/{id}/start`. The default is `auto`."
        },
    )
    clock = fields.Nested(
        ClockChoiceSchema,
        load_default=None,
        allow_none=True,
        metadata={"description": "The clock of the game. If omitted or `null`, the game has no clock."},
    )
    hints = Named(
        HINT_RULE,
        load_default=NO_HINTS,
        metadata={"description": "Whether players may ask for hints. The default is `none`."},
    )
    showing = Named(
        SHOWING_RULE,
        load_default=None,
        metadata={
            "description": "Whether seats may show each other cards. The default is `allowed` in editions whose "
            "`shows_cards` is true, and `none` in all others."
        },
    )
    title = Title(
        allow_none=True,
        load_default=None,
        metadata={"description": "The game's title. If omitted or `null`, the game has no title."},
    )
    private = Flag(
        load_default=False,
        metadata={
            "description": "Whether only people at the table, and people with the game's link, can see the game (see "
            "`GET /v1/games/{id}/table`). You cannot change this later. The default is `false`."
        },
    )
    talk = Named(
        TALK_RULE,
        load_default=TALK_ALL,
        metadata={"description": "To whom players may write messages. The default is `all`."},
    )
    names = Named(
        NAME_RULE,
        load_default=NAMES_SHOWN,
        metadata={"description": "Whether everybody can see who has which seat. The default is `shown`."},
    )
    entropy = entropy_field()
    seed = hexadecimal(
        32,
        32,
        "The seed of the game. You may choose the seed only if no other person plays. If you choose it, everybody "
        "can see that the game is `seeded`.",
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Reject two bots in the same seat. Raises: ValidationError."""
        bots = parts["bots"]
        if len({bot["seat"] for bot in bots}) < len(bots):
            raise ValidationError({"bots": ["Two bots are assigned to the same seat."]})


class JoiningSchema(Schema):
    """The seat that a player wants to take."""

    seat = seat_field(metadata={"description": "The seat that you want. By default, you get the first free seat."})
    entropy = entropy_field()


class SeatedSchema(Schema):
    """A seat, with its player and its bot, if any.

    If a seat has both a player and a bot, the bot plays until the player takes the seat back.
    """

    seat = fields.Integer(required=True, metadata={"description": "The number of the seat."})
    player = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The id of the player, `hidden` if the game hides its players, or `null` if the seat "
            "has no player."
        },
    )
    name = name_field()
    bot = Named(
        BOT_KEY,
        required=True,
        allow_none=True,
        metadata={"description": "The key of the bot, or `null` if the seat has no bot."},
    )
    label = label_field(allow_none=True)


class ResultSchema(Schema):
    """How a game, or a match of games, ended."""

    winners = fields.List(
        fields.Integer(),
        required=True,
        metadata={
            "description": "The seats that won. If there is more than one, they share the victory. In a draw, the list "
            "is empty."
        },
    )
    reasons = fields.List(
        Named(END_REASON), required=True, metadata={"description": "Why the game or the match ended."}
    )


class GameHeaderSchema(Schema):
    """The members shared by a single game and a game in a list."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    owner = fields.String(
        required=True,
        metadata={"description": "The id of the game's owner, or `hidden` if the game hides its players."},
    )
    owner_name = name_field("the player was deleted")
    start = Named(START_MODE, required=True, metadata={"description": "How the game starts."})
    hints = Named(HINT_RULE, required=True, metadata={"description": "Whether players may ask for hints."})
    showing = Named(SHOWING_RULE, required=True, metadata={"description": "Whether seats may show each other cards."})
    talk = Named(TALK_RULE, required=True, metadata={"description": "To whom players may write messages."})
    names = Named(NAME_RULE, required=True, metadata={"description": "Whether everybody can see who has which seat."})
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When the game last changed")
    seated = fields.List(
        fields.Nested(SeatedSchema),
        required=True,
        metadata={"description": "The player or bot in each seat, in seat order."},
    )
    result = fields.Nested(
        ResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How the game ended, or `null` if the game is not over or was cancelled."},
    )
    version = fields.Integer(
        required=True,
        metadata={"description": "The version of the game. Send this version in `If-Match` with your move."},
    )
    you = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Your seat, or `null` if you have no seat in the game."},
    )


class SummaryTurnSchema(Schema):
    """The turn that a game is waiting for."""

    seat = fields.Integer(required=True, metadata={"description": "The seat whose turn it is."})
    phase = Named(PHASE, required=True, metadata={"description": "What the game is waiting for."})
    since = milliseconds("When the turn began (for a bot's turn, when the game last changed)")
    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the player's time runs out, in milliseconds since 1970-01-01 UTC. `null` if the "
            "game has no clock or it is a bot's turn.",
            "format": "int64",
        },
    )


class GameSummarySchema(GameHeaderSchema):
    """A game in a list."""

    turn = fields.Nested(
        SummaryTurnSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The turn that the game is waiting for, or `null` if the game is not running or is paused."
        },
    )
    round = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the round, from 1, or `null` if the game has not started."},
    )
    battle = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the battle, as in `position`, or `null` if the game has not started."},
    )
    clock = fields.Nested(
        ClockSettingsSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The clock that was chosen when the game was opened, or `null` if the game has no clock."
        },
    )
    title = Title(
        required=True, allow_none=True, metadata={"description": "The game's title, or `null` if it has no title."}
    )
    private = Flag(required=True, metadata={"description": "Whether the game is private."})


class GamesPageSchema(Schema):
    """A page of games, most recently changed first."""

    games = fields.List(
        fields.Nested(GameSummarySchema),
        required=True,
        metadata={"description": "The games on the page, most recently changed first."},
    )
    next = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The value to send as `cursor` to get the next page, or `null` if this is the last page."
        },
    )


class CardListSchema(Schema):
    """The number of cards and, if you may see them, the cards themselves."""

    count = fields.Integer(required=True, metadata={"description": "The number of cards."})
    cards = fields.List(Named(CARD_NAME), metadata={"description": "The cards. Omitted if you cannot see the cards."})


class LineSchema(Schema):
    """A step in the calculation of a row's strength."""

    step = Named(STRENGTH_STEP, required=True, metadata={"description": "The kind of step."})
    amount = fields.Integer(required=True, metadata={"description": "How much the step adds to the strength."})


class PositionSeatSchema(Schema):
    """A seat in a position: its cards, its strength and its regions."""

    seat = fields.Integer(required=True, metadata={"description": "The number of the seat."})
    hand = fields.Nested(CardListSchema, required=True, metadata={"description": "The seat's hand."})
    deck = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of cards in the seat's own deck, or `null` if all seats share one deck."},
    )
    row = fields.List(Named(CARD_NAME), required=True, metadata={"description": "The face-up cards in the row."})
    face_down = fields.Nested(
        CardListSchema, required=True, metadata={"description": "The face-down cards in the row."}
    )
    strength = fields.Integer(required=True, metadata={"description": "The strength of the face-up cards in the row."})
    explanation = fields.List(
        fields.Nested(LineSchema),
        required=True,
        metadata={"description": "How the strength is calculated, step by step."},
    )
    regions = fields.List(
        Named(REGION_NAME), required=True, metadata={"description": "The regions with the seat's control markers."}
    )
    battles_won = fields.Integer(required=True, metadata={"description": "How many battles the seat has won."})
    passed = fields.Boolean(required=True, metadata={"description": "Whether the seat is out of this battle."})
    resigned = fields.Boolean(required=True, metadata={"description": "Whether the seat has resigned."})


class MatchSchema(Schema):
    """The state of a match, which consists of several games."""

    target = fields.Integer(required=True, metadata={"description": "The number of points that ends the match."})
    game = fields.Integer(
        required=True, metadata={"description": "The number of the current game in the match, from 1."}
    )
    points = fields.List(
        fields.Integer(), required=True, metadata={"description": "The points of each seat, in seat order."}
    )


class StallSchema(Schema):
    """How close a game is to a stall, which ends the round or the game (house rule)."""

    battles = fields.Integer(
        required=True,
        metadata={"description": "The number of consecutive battles, up to now, in which no card has been laid."},
    )
    limit = fields.Integer(
        required=True,
        metadata={
            "description": "The value of `battles` at which the game stalls: two for each seat that has not resigned."
        },
    )
    rounds = fields.Integer(
        required=True,
        metadata={
            "description": "The number of consecutive rounds that have ended with a stall. Laying a card resets the "
            "number to 0. If the number is not 0, the next stall ends the game. In an edition without rounds, every "
            "stall ends the game."
        },
    )


class PositionSchema(Schema):
    """The position. Cards that the caller cannot see are left out."""

    phase = Named(PHASE, required=True, metadata={"description": "What the game is waiting for."})
    turn = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that the game is waiting for."}
    )
    round = fields.Integer(required=True, metadata={"description": "The number of the round, from 1."})
    battle = fields.Integer(
        required=True,
        metadata={
            "description": "The number of the battle that is being prepared or fought, from 1. Between battles, this "
            "is the number of the last battle. The number never decreases during a game. Each game "
            "of a match starts at 1."
        },
    )
    marker = fields.Integer(required=True, metadata={"description": "The seat that holds the battle marker."})
    contested = Named(
        REGION_NAME,
        required=True,
        allow_none=True,
        metadata={
            "description": "The region of the battle, or `null` if no battle is in progress or the battle has no "
            "region."
        },
    )
    favor = Named(
        REGION_NAME,
        required=True,
        allow_none=True,
        metadata={"description": "The region with the favor marker, or `null` if the marker is not on the board."},
    )
    season = Named(
        CARD_NAME,
        required=True,
        allow_none=True,
        metadata={"description": "The season in force: `winter`, `spring`, or `null` if there is none."},
    )
    deck = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of cards in the deck, or `null` if each seat has its own deck."},
    )
    discard = fields.Integer(required=True, metadata={"description": "The number of cards in the discard pile."})
    discarded = fields.List(
        Named(CARD_NAME),
        required=True,
        allow_none=True,
        metadata={
            "description": "The cards in the discard pile, except those that were discarded from hands. When the "
            "game is over, the list contains all cards in the pile. `null` if the edition's rules "
            "do not let anybody see these cards."
        },
    )
    declines = fields.Integer(
        required=True, metadata={"description": "How many consecutive seats have declined to choose a region."}
    )
    stall = fields.Nested(
        StallSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How close the game is to a stall, or `null` in a final battle, which cannot stall."},
    )
    fighters = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The seats in the final battle. Empty before the final battle."},
    )
    match = fields.Nested(
        MatchSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The match that the game belongs to, or `null` if it belongs to none."},
    )
    seats = fields.List(
        fields.Nested(PositionSeatSchema),
        required=True,
        metadata={"description": "The cards, strength and regions of each seat, in seat order."},
    )


class FairnessSchema(Schema):
    """Data for checking that nobody tampered with the draws."""

    commitment = fields.String(required=True, metadata={"description": "The SHA-256 of the seed, in hexadecimal."})
    construction = fields.Integer(
        required=True, metadata={"description": "The number of the method that derives draws from the seed."}
    )
    seeded = fields.Boolean(required=True, metadata={"description": "Whether the owner chose the seed."})
    entropies = fields.List(
        fields.String(allow_none=True),
        required=True,
        metadata={
            "description": "The random bytes (entropy) that each seat added, in hexadecimal. An entry is `null` if "
            "the seat added no bytes."
        },
    )
    seed = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seed from which draws are derived. `null` if the game is not over, or was cancelled "
            "before it started."
        },
    )


class CancellationSchema(Schema):
    """Who cancelled a game, and why."""

    by = fields.String(
        required=True,
        metadata={
            "description": "Who cancelled the game: the id of the owner who left it, `host`, `clock` if nobody "
            "joined in time, or `players` if the players agreed to end it without a result."
        },
    )
    by_name = name_field("no player cancelled the game, or the owner was deleted")
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The host's reason, a sentence which says that nobody joined or that the players agreed "
            "to end the game, or `null` if the owner left the game."
        },
    )


class GameSchema(GameHeaderSchema):
    """A game. Cards that the caller cannot see are left out."""

    revision = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The revision of the edition, which does not change during the game. `null` if the game "
            "has not started."
        },
    )
    goal = fields.Nested(
        GoalSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "What a seat needs to win, given the game's number of seats and its options. `null` if "
            "the game has not started."
        },
    )
    position = fields.Nested(
        PositionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The position, or `null` if the game has not started."},
    )
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        metadata={
            "description": "Your legal moves, each in the form in which you can post it. Empty if it is not your turn."
        },
    )
    shown = fields.List(
        fields.Nested(ShownSchema),
        required=True,
        metadata={
            "description": "The cards that other seats have shown you in this game, oldest first. In a match, the "
            "list covers only the current game. A seat may no longer hold the cards that it showed. "
            "Empty if you have no seat."
        },
    )
    ending = fields.Nested(
        EndingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who has asked to end the game, and who leads. `null` if the game is not running."},
    )
    cancelled = fields.Nested(
        CancellationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who cancelled the game, and why. `null` if the game was not cancelled."},
    )
    clock = fields.Nested(
        GameClockSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The clock, or `null` if the game has no clock."},
    )
    fairness = fields.Nested(
        FairnessSchema,
        required=True,
        metadata={"description": "Data for checking that nobody tampered with the draws."},
    )
    head = fields.String(
        required=True,
        validate=validate.Length(equal=64),
        metadata={
            "description": "A hash, in hexadecimal, that covers all commits up to this version. If you "
            "keep this hash, you can check after the game that none of these commits was "
            "changed."
        },
    )
