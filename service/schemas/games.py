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
GAME_STATUS = NamedType("GameStatus", "The status of a game.", STATUSES)
START_MODE = NamedType(
    "StartMode", "auto: the game starts when the last seat is taken. owner: the game's owner starts it.", STARTS
)
HINT_RULE = NamedType(
    "HintRule",
    "none: nobody may ask for a hint. allowed: the player whose turn it is may ask for one, and everybody sees this.",
    HINT_RULES,
)
SHOWING_RULE = NamedType(
    "ShowingRule",
    "none: no seat may show its cards. allowed: each seat may show cards of its hand to other seats, and everybody "
    "sees to whom and how many.",
    SHOWING_RULES,
)
TALK_RULE = NamedType(
    "TalkRule",
    "all: the players may talk to everybody, to some seats, or to one. public-only: only to everybody. none: nobody "
    "can talk, and there is no spectators' room.",
    TALK_RULES,
)
NAME_RULE = NamedType(
    "NameRule",
    "shown: everybody can see who has which seat. hidden: until the game is over, nobody can, and `hidden` is shown "
    "instead of the id of each player, with the name null.",
    NAME_RULES,
)

STRENGTH_STEP = NamedType(
    "StrengthStep",
    "A step in the calculation of a strength.",
    ["mercenaries", "winter", "drummer", "spring", "courtesans", "heroines"],
    is_open=True,
)


def hexadecimal(fewest: int, most: int, description: str, **kwargs: Any) -> fields.String:
    """Return a field for `fewest` to `most` bytes, in hexadecimal."""
    pattern = f"([0-9a-f]{{2}}){{{fewest},{most}}}"
    return fields.String(
        validate=matching(pattern, f"{fewest} to {most} bytes in lower-case hexadecimal."),
        metadata={"description": description, "pattern": f"^{pattern}$"},
        **kwargs,
    )


def entropy_field() -> fields.String:
    """Return a field for the entropy that a player contributes."""
    description = 'Your own random bytes, in hexadecimal, which influence every draw of the game. null or "": no bytes.'
    return hexadecimal(0, MOST_ENTROPY, description, allow_none=True)


class BotSeatSchema(Schema):
    """A seat that is assigned to a bot."""

    seat = seat_field(required=True, metadata={"description": "The seat."})
    bot = Named(BOT_KEY, required=True, metadata={"description": "The bot that plays the seat."})


class OptionValue(fields.Raw):
    """The value of an option: a string, a whole number or a boolean. The edition checks it."""

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
        values=OptionValue(metadata={"type": ["string", "integer", "boolean"], "description": "The value."}),
        load_default=dict,
        metadata={"description": "Options of the edition. Options that you leave out take the edition's `default`."},
    )
    bots = fields.List(
        fields.Nested(BotSeatSchema),
        load_default=list,
        validate=validate.Length(max=MAX_SEATS),
        metadata={
            "description": "Seats that bots play. You get the first of the other seats, if there is one. If left out, "
            "there are no bots."
        },
    )
    start = Named(
        START_MODE,
        load_default="auto",
        metadata={
            "description": "auto: the game starts when the last seat is taken. owner: you start it with "
            "`POST /v1/games/{id}/start`. If left out, `auto`."
        },
    )
    clock = fields.Nested(
        ClockChoiceSchema,
        load_default=None,
        allow_none=True,
        metadata={"description": "The clock of the game. null or left out: no clock."},
    )
    hints = Named(
        HINT_RULE,
        load_default=NO_HINTS,
        metadata={"description": "Whether players may ask for hints. If left out, `none`."},
    )
    showing = Named(
        SHOWING_RULE,
        load_default=None,
        metadata={
            "description": "Whether seats may show each other cards. If left out, `allowed` in editions with "
            "`shows_cards`, and `none` in the others."
        },
    )
    title = Title(
        allow_none=True, load_default=None, metadata={"description": "The game's title. null or left out: no title."}
    )
    private = Flag(
        load_default=False,
        metadata={
            "description": "Whether the game exists only for the people at the table, and for those who have its link "
            "(see `GET /v1/games/{id}/table`). If left out, `false`. This cannot be changed later."
        },
    )
    talk = Named(
        TALK_RULE,
        load_default=TALK_ALL,
        metadata={"description": "Who may talk to whom. If left out, `all`."},
    )
    names = Named(
        NAME_RULE,
        load_default=NAMES_SHOWN,
        metadata={"description": "Whether everybody can see who has which seat. If left out, `shown`."},
    )
    entropy = entropy_field()
    seed = hexadecimal(
        32,
        32,
        "The seed of the game. Allowed only if no other person plays. The game is then marked as `seeded` for "
        "everybody.",
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse two bots in the same seat."""
        bots = parts["bots"]
        if len({bot["seat"] for bot in bots}) < len(bots):
            raise ValidationError({"bots": ["Two bots are assigned to the same seat."]})


class JoiningSchema(Schema):
    """The seat that a player wants to take."""

    seat = seat_field(metadata={"description": "The seat that you want. If left out, you get the first free seat."})
    entropy = entropy_field()


class SeatedSchema(Schema):
    """A seat, with its player and its bot, if there are any.

    If the seat has both, the bot plays until the player takes the seat back.
    """

    seat = fields.Integer(required=True, metadata={"description": "The seat."})
    player = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the player, or `hidden`. null: the seat has no player."},
    )
    name = name_field()
    bot = Named(
        BOT_KEY,
        required=True,
        allow_none=True,
        metadata={"description": "The key of the bot. null: the seat has no bot."},
    )
    label = label_field(allow_none=True)


class ResultSchema(Schema):
    """How a game, or a match of games, ended."""

    winners = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The seats that won. Several winners share the victory; a draw has no winner."},
    )
    reasons = fields.List(
        Named(END_REASON), required=True, metadata={"description": "Why the game or the match ended."}
    )


class GameHeaderSchema(Schema):
    """The identity of a game, and the players in its seats."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    owner = fields.String(required=True, metadata={"description": "The id of the game's owner, or `hidden`."})
    owner_name = name_field("the player was deleted")
    start = Named(START_MODE, required=True, metadata={"description": "Who starts the game."})
    hints = Named(HINT_RULE, required=True, metadata={"description": "Whether players may ask for hints."})
    showing = Named(SHOWING_RULE, required=True, metadata={"description": "Whether seats may show each other cards."})
    talk = Named(TALK_RULE, required=True, metadata={"description": "Who may talk to whom."})
    names = Named(NAME_RULE, required=True, metadata={"description": "Whether everybody can see who has which seat."})
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When this summary last changed")
    seated = fields.List(
        fields.Nested(SeatedSchema),
        required=True,
        metadata={"description": "The player or bot in each seat, in seat order."},
    )
    result = fields.Nested(
        ResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How the game ended. null: the game is not over, or was cancelled."},
    )
    version = fields.Integer(
        required=True,
        metadata={"description": "The version of the game. Send this version in `If-Match` with your move."},
    )
    you = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Your seat. null: you have no seat in the game."}
    )


class SummaryTurnSchema(Schema):
    """The turn that a game is waiting for."""

    seat = fields.Integer(required=True, metadata={"description": "The seat whose turn it is."})
    phase = Named(PHASE, required=True, metadata={"description": "What the game is waiting for."})
    since = milliseconds("When the turn began; for a bot's turn, when the game last changed")
    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the player's time runs out, in milliseconds since 1970-01-01 UTC. null: the game has "
            "no clock, or a bot is to move.",
            "format": "int64",
        },
    )


class GameSummarySchema(GameHeaderSchema):
    """A game in a list."""

    turn = fields.Nested(
        SummaryTurnSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The turn that the game is waiting for. null: the game is not running, or is paused."},
    )
    round = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the round, from 1. null: the game has not started."},
    )
    battle = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the battle, as in `position`. null: the game has not started."},
    )
    clock = fields.Nested(
        ClockSettingsSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The clock, as chosen when the game was opened. null: no clock."},
    )
    title = Title(required=True, allow_none=True, metadata={"description": "The game's title. null: no title."})
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
        metadata={"description": "Send `next` as `cursor` to get the next page. null: this is the last page."},
    )


class CardListSchema(Schema):
    """A hand: the number of cards, and the cards themselves if you may see them."""

    count = fields.Integer(required=True, metadata={"description": "How many cards are in the hand."})
    cards = fields.List(Named(CARD_NAME), metadata={"description": "The cards. Left out if you may not see the cards."})


class LineSchema(Schema):
    """One step in the calculation of a strength."""

    step = Named(STRENGTH_STEP, required=True, metadata={"description": "What the step counts."})
    amount = fields.Integer(required=True, metadata={"description": "What the step adds to the strength."})


class PositionSeatSchema(Schema):
    """The cards in front of one seat."""

    seat = fields.Integer(required=True, metadata={"description": "The seat."})
    hand = fields.Nested(CardListSchema, required=True, metadata={"description": "The seat's hand."})
    deck = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of cards in the seat's own deck. null: all seats share one deck."},
    )
    row = fields.List(Named(CARD_NAME), required=True, metadata={"description": "Cards in the row that are face up."})
    face_down = fields.Nested(
        CardListSchema, required=True, metadata={"description": "Cards in the row that are face down."}
    )
    strength = fields.Integer(
        required=True, metadata={"description": "The strength of the cards in the row that are face up."}
    )
    explanation = fields.List(
        fields.Nested(LineSchema),
        required=True,
        metadata={"description": "The steps in the calculation of the strength, in order."},
    )
    regions = fields.List(
        Named(REGION_NAME), required=True, metadata={"description": "The regions with the seat's control markers."}
    )
    battles_won = fields.Integer(required=True, metadata={"description": "How many battles the seat has won."})
    passed = fields.Boolean(required=True, metadata={"description": "Whether the seat is out of this battle."})
    resigned = fields.Boolean(required=True, metadata={"description": "Whether the seat has resigned."})


class MatchSchema(Schema):
    """The state of a match of several games."""

    target = fields.Integer(required=True, metadata={"description": "The number of points that ends the match."})
    game = fields.Integer(
        required=True, metadata={"description": "The number of the current game in the match, from 1."}
    )
    points = fields.List(
        fields.Integer(), required=True, metadata={"description": "The points of each seat, in seat order."}
    )


class PositionSchema(Schema):
    """The position, as the caller may see it."""

    phase = Named(PHASE, required=True, metadata={"description": "What the game is waiting for."})
    turn = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that the game is waiting for."}
    )
    round = fields.Integer(required=True, metadata={"description": "The number of the round, from 1."})
    battle = fields.Integer(
        required=True,
        metadata={
            "description": "The number of the battle, from 1. This is the battle whose region is being chosen, or "
            "which is being prepared or fought. If there is no such battle, this is the last battle. The number "
            "never decreases during a game. Each game of a match starts at 1."
        },
    )
    marker = fields.Integer(required=True, metadata={"description": "The seat that holds the battle marker."})
    contested = Named(
        REGION_NAME,
        required=True,
        allow_none=True,
        metadata={
            "description": "The region of the battle. null: no battle is in progress, or the battle has no region."
        },
    )
    favor = Named(
        REGION_NAME,
        required=True,
        allow_none=True,
        metadata={"description": "The region with the favor marker. null: the marker is not on the board."},
    )
    season = Named(
        CARD_NAME,
        required=True,
        allow_none=True,
        metadata={"description": "The season in force: `winter` or `spring`. null: no season."},
    )
    deck = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of cards in the deck. null: each seat has its own deck."},
    )
    discard = fields.Integer(required=True, metadata={"description": "The number of cards in the discard."})
    discarded = fields.List(
        Named(CARD_NAME),
        required=True,
        allow_none=True,
        metadata={
            "description": "The cards in the discard, except cards that were discarded from hands. After the game is "
            "over, the list contains all cards in the discard. null: the rules of the edition do not let anybody see "
            "them."
        },
    )
    declines = fields.Integer(
        required=True, metadata={"description": "How many seats in a row have declined to choose a region."}
    )
    fighters = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The seats in the final battle; empty before the final battle."},
    )
    match = fields.Nested(
        MatchSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The match. null: the game does not belong to a match."},
    )
    seats = fields.List(
        fields.Nested(PositionSeatSchema),
        required=True,
        metadata={"description": "The cards in front of each seat, in seat order."},
    )


class FairnessSchema(Schema):
    """Data for checking that no draw was chosen after the fact."""

    commitment = fields.String(required=True, metadata={"description": "The SHA-256 of the seed, in hexadecimal."})
    construction = fields.Integer(
        required=True, metadata={"description": "The number of the method that derives draws from the seed."}
    )
    seeded = fields.Boolean(required=True, metadata={"description": "Whether the owner chose the seed."})
    entropies = fields.List(
        fields.String(allow_none=True),
        required=True,
        metadata={"description": "The entropy that each seat added, in hexadecimal. null: the seat added none."},
    )
    seed = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seed, once the game is over. null: the game is not over, or was cancelled before it "
            "started."
        },
    )


class CancellationSchema(Schema):
    """Who cancelled a game, and why."""

    by = fields.String(
        required=True,
        metadata={
            "description": "The id of the owner who left the game, `host` if the host cancelled it, `clock` if "
            "nobody joined in time, or `players` if the players agreed to end it without a result."
        },
    )
    by_name = name_field("no player cancelled the game, or the owner was deleted")
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The host's reason. null: the owner left the game, which needs no reason."},
    )


class GameSchema(GameHeaderSchema):
    """A game, as the caller may see it."""

    revision = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The revision of the edition, which the game keeps to its end. null: the game has not "
            "started."
        },
    )
    goal = fields.Nested(
        GoalSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "What a seat needs to win, given the number of seats and the options of the game. null: "
            "the game has not started."
        },
    )
    position = fields.Nested(
        PositionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The position. null: the game has not started."},
    )
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        metadata={"description": "Your legal moves, each ready to be posted; empty if it is not your turn."},
    )
    shown = fields.List(
        fields.Nested(ShownSchema),
        required=True,
        metadata={
            "description": "The cards that other seats have shown you in this game (in a match: in its current game), "
            "oldest first. The list does not say whether the seats still hold them. Empty if you have no seat."
        },
    )
    ending = fields.Nested(
        EndingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who has asked to end the game, and who leads. null: the game is not running."},
    )
    cancelled = fields.Nested(
        CancellationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who cancelled the game, and why. null: the game was not cancelled."},
    )
    clock = fields.Nested(
        GameClockSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The clock. null: the game has no clock."},
    )
    fairness = fields.Nested(
        FairnessSchema, required=True, metadata={"description": "The data for checking the draws."}
    )
    head = fields.String(
        required=True,
        validate=validate.Length(equal=64),
        metadata={
            "description": "The head of the chain of hashes over the commits up to this version, in hexadecimal. If "
            "you keep the head, you can check after the game that none of these commits was changed."
        },
    )
