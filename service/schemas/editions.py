"""Editions: schemas for their components, rules and sentences."""

from marshmallow import Schema, fields

from .named import CARD_NAME, EDITION_KEY, MEMBER_KIND, REGION_NAME, SENTENCE_TEST, Named


class SeatsSchema(Schema):
    """The smallest and largest number of seats that an edition supports."""

    fewest = fields.Integer(required=True, metadata={"description": "The smallest number of seats."})
    most = fields.Integer(required=True, metadata={"description": "The largest number of seats."})


class EditionSummarySchema(Schema):
    """An edition in a list."""

    key = Named(EDITION_KEY, required=True, metadata={"description": "The key of the edition."})
    revision = fields.Integer(
        required=True,
        metadata={
            "description": "The revision of the edition's implementation, from 1. New games use the newest revision."
        },
    )
    title = fields.String(required=True, metadata={"description": "The title of the edition."})
    year = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The year in which the edition was published, or `null` if its rules do not give a year."
        },
    )
    publisher = fields.String(required=True, metadata={"description": "The publisher of the edition."})
    seats = fields.Nested(
        SeatsSchema,
        required=True,
        metadata={"description": "The smallest and largest number of seats that the edition supports."},
    )


class DeckCardSchema(Schema):
    """A kind of card in an edition's deck."""

    card = Named(CARD_NAME, required=True, metadata={"description": "The kind of card."})
    label = fields.String(required=True, metadata={"description": "The name that the edition prints on the card."})
    count = fields.Integer(required=True, metadata={"description": "How many cards of this kind are in the deck."})
    effect = fields.String(required=True, metadata={"description": "What the card does."})


class PointSchema(Schema):
    """A point on the map, in pixels. x increases to the right, and y increases downwards."""

    x = fields.Integer(required=True, metadata={"description": "The distance from the left edge, in pixels."})
    y = fields.Integer(required=True, metadata={"description": "The distance from the top edge, in pixels."})


class RegionSchema(Schema):
    """A region of the board."""

    key = Named(REGION_NAME, required=True, metadata={"description": "The key of the region."})
    name = fields.String(required=True, metadata={"description": "The name of the region's city, for display."})
    city = fields.Nested(
        PointSchema,
        required=True,
        metadata={"description": "The position of the city. A marker that is 52 pixels wide fits at this point."},
    )
    outline = fields.List(
        fields.Nested(PointSchema),
        required=True,
        metadata={
            "description": "The corners of the region, in order. Neighbouring regions share the corners along their "
            "border."
        },
    )
    neighbours = fields.List(
        Named(REGION_NAME), required=True, metadata={"description": "The regions that share a border with this region."}
    )


class BoardSchema(Schema):
    """The board, with the data that a client needs to draw it."""

    key = fields.String(required=True, metadata={"description": "The key of the board."})
    width = fields.Integer(required=True, metadata={"description": "The width of the board, in pixels."})
    height = fields.Integer(required=True, metadata={"description": "The height of the board, in pixels."})
    regions = fields.List(
        fields.Nested(RegionSchema), required=True, metadata={"description": "The regions of the board."}
    )
    borders = fields.List(
        # This field does not have a named type, because some generators write code that fails for lists of lists of an
        # enum.
        fields.List(fields.String(metadata={"description": "The key of a region (see `RegionName`)."})),
        required=True,
        metadata={"description": "The pairs of neighbouring regions. Each pair is listed once."},
    )


class OptionSchema(Schema):
    """An option that a player can set when opening a game."""

    key = fields.String(
        required=True,
        metadata={"description": "The key of the option, for use in `options` when you open a game."},
    )
    label = fields.String(required=True, metadata={"description": "The name of the option in the edition."})
    summary = fields.String(required=True, metadata={"description": "What the option changes."})
    values = fields.List(
        fields.Raw(metadata={"type": ["string", "boolean"]}),
        metadata={"description": "The allowed values, unless the option is a number."},
    )
    minimum = fields.Integer(metadata={"description": "The smallest allowed number, if the option is a number."})
    maximum = fields.Integer(metadata={"description": "The largest allowed number, if the option is a number."})
    default = fields.Raw(
        required=True,
        metadata={
            "description": "The default value of the option.",
            "type": ["string", "integer", "boolean"],
        },
    )
    house = fields.Boolean(
        required=True,
        metadata={"description": "Whether the option was added by this service and is not in the rulebook."},
    )


class GoalSchema(Schema):
    """The goal of the game for a given number of seats."""

    seats = fields.Integer(required=True, metadata={"description": "The number of seats to which this goal applies."})
    adjacent = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The number of adjacent regions with which a seat wins the game. `null` if adjacent regions "
            "are not a goal."
        },
    )
    total = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The number of regions, adjacent or not, with which a seat wins the game. `null` if the "
            "total is not a goal."
        },
    )
    battles = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "How many battles a seat must win to win the game. `null` if winning battles is not a goal."
        },
    )


class ConflictSchema(Schema):
    """Options that cannot be combined."""

    options = fields.List(fields.String(), required=True, metadata={"description": "The keys of the options."})
    reason = fields.String(required=True, metadata={"description": "Why the options cannot be combined."})


class AdviceSchema(Schema):
    """Options that the rulebook advises against combining. A game can still combine such options."""

    options = fields.List(fields.String(), required=True, metadata={"description": "The keys of the options."})
    note = fields.String(
        required=True, metadata={"description": "Why the rulebook advises against combining the options."}
    )


class ClauseSchema(Schema):
    """A clause of an edition's rules, in the project's own words."""

    number = fields.String(required=True, metadata={"description": "The number of the clause."})
    heading = fields.String(
        required=True, metadata={"description": "The heading of the section that contains the clause."}
    )
    text = fields.String(required=True, metadata={"description": "The text of the clause, in Markdown."})
    source = fields.String(
        required=True,
        metadata={
            "description": "The source of the clause: a section of the rulebook, an interpretation of one, or a "
            "house rule."
        },
    )


class EditionClauseSchema(ClauseSchema):
    """A clause with its edition and revision."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The key of the edition."})
    revision = fields.Integer(required=True, metadata={"description": "The number of the revision."})


class EditionSchema(EditionSummarySchema):
    """One revision of an edition."""

    revisions = fields.List(
        fields.Integer(), required=True, metadata={"description": "The numbers of all revisions of the edition."}
    )
    sources = fields.List(
        fields.String(), required=True, metadata={"description": "The documents on which the rules are based."}
    )
    shows_cards = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the rulebook lets players show each other cards. If `true`, a game's `showing` "
            "is `allowed` by default."
        },
    )
    hand_size = fields.Integer(
        required=True,
        metadata={"description": "How many cards each seat is dealt, not counting additional cards for regions."},
    )
    cards_a_region = fields.Integer(
        required=True,
        metadata={"description": "How many additional cards each seat is dealt for every region that it holds."},
    )
    deck = fields.List(
        fields.Nested(DeckCardSchema), required=True, metadata={"description": "The cards in the deck, by kind."}
    )
    deck_each = fields.Boolean(
        required=True, metadata={"description": "Whether each seat draws from its own copy of the deck."}
    )
    goals = fields.List(
        fields.Nested(GoalSchema),
        required=True,
        metadata={"description": "The goal for each number of seats, with every option at its default."},
    )
    options = fields.List(
        fields.Nested(OptionSchema),
        required=True,
        metadata={"description": "The options that you can set when you open a game."},
    )
    conflicts = fields.List(
        fields.Nested(ConflictSchema),
        required=True,
        metadata={"description": "The sets of options that cannot be combined."},
    )
    advice = fields.List(
        fields.Nested(AdviceSchema),
        required=True,
        metadata={"description": "The sets of options that the rulebook advises against combining."},
    )
    board = fields.Nested(
        BoardSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The board, or `null` if the edition has no board."},
    )
    rules = fields.List(
        fields.Nested(ClauseSchema), required=True, metadata={"description": "The clauses of the rules, in order."}
    )
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "The problem codes for moves that the rules forbid, each with the number of its clause."
        },
    )


class ConditionSchema(Schema):
    """A test of one member of an event."""

    member = fields.String(required=True, metadata={"description": "The name of the member."})
    test = Named(
        SENTENCE_TEST,
        required=True,
        metadata={"description": "What must be true of the member for the condition to be met."},
    )
    value = fields.String(
        metadata={"description": "The text for the `is` test, or the name of the other member for the `same` test."}
    )


class SentenceSchema(Schema):
    """A sentence that describes events of one type, if all its conditions are met."""

    key = fields.String(
        required=True, metadata={"description": "The key of the sentence. The key is the same in every language."}
    )
    event = fields.String(required=True, metadata={"description": "The type of the event."})
    when = fields.List(
        fields.Nested(ConditionSchema),
        required=True,
        metadata={
            "description": "The conditions, all of which must be met. The last sentence for a type of "
            "event has no conditions."
        },
    )
    routine = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether a displayed log can omit the sentence, because it repeats another "
            "event of the commit, or only says whose turn it is or what the clock does."
        },
    )
    text = fields.String(
        required=True,
        metadata={
            "description": "The text of the sentence. A placeholder such as `{seat}` stands for a member of the "
            "event, here `seat`."
        },
    )
    members = fields.Dict(
        keys=fields.String(),
        values=Named(MEMBER_KIND),
        required=True,
        metadata={"description": "How to show each member that the text contains."},
    )


class PluralSchema(Schema):
    """How to show a number with a noun, for each Unicode plural category.

    Some languages need more categories than `one` and `other`.
    """

    one = fields.String(metadata={"description": "The text for the category `one`. `{count}` stands for the number."})
    other = fields.String(
        required=True,
        metadata={"description": "The text for every category that is not listed. `{count}` stands for the number."},
    )


class JoinsSchema(Schema):
    """The text to put between the items of a list."""

    other = fields.String(
        required=True, metadata={"description": "The text between two items, except before the last item."}
    )
    last = fields.String(required=True, metadata={"description": "The text between the last two items."})


class EditionSentencesSchema(Schema):
    """Sentences in one language that describe events, and the words that fill in their placeholders."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The key of the edition."})
    revision = fields.Integer(required=True, metadata={"description": "The number of the revision."})
    language = fields.String(required=True, metadata={"description": "The language of the sentences."})
    languages = fields.List(
        fields.String(), required=True, metadata={"description": "The languages in which sentences are available."}
    )
    sentences = fields.List(
        fields.Nested(SentenceSchema),
        required=True,
        metadata={
            "description": "The sentences. For an event, show the first sentence for its type whose "
            "conditions are all met."
        },
    )
    words = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.String()),
        required=True,
        metadata={"description": "The word for each value of the kinds `card`, `region` and `end-reason`."},
    )
    plurals = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(PluralSchema),
        required=True,
        metadata={"description": "How to show a number of cards or battles, for the kinds `cards` and `battles`."},
    )
    counts = fields.String(
        required=True,
        metadata={
            "description": "How to show a seat and a count, for the kind `counts`. `{seat}` stands for the seat, and "
            "`{count}` stands for the count."
        },
    )
    joins = fields.Nested(
        JoinsSchema, required=True, metadata={"description": "The text to put between the items of a list."}
    )


class DifferenceSchema(Schema):
    """A rule that differs between two editions."""

    topic = fields.String(required=True, metadata={"description": "What the rule is about, such as `deck.spring`."})
    one = fields.Raw(required=True, metadata={"description": "The rule of the first edition."})
    other = fields.Raw(required=True, metadata={"description": "The rule of the second edition."})


class ComparisonSchema(Schema):
    """How two editions differ."""

    editions = fields.List(Named(EDITION_KEY), required=True, metadata={"description": "The keys of the two editions."})
    differences = fields.List(
        fields.Nested(DifferenceSchema),
        required=True,
        metadata={"description": "The rules that differ between the two editions."},
    )
    same = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The topics of the rules on which the two editions agree."},
    )


class EditionListSchema(Schema):
    """The editions, newest first."""

    editions = fields.List(
        fields.Nested(EditionSummarySchema), required=True, metadata={"description": "The editions, newest first."}
    )
