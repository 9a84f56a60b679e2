"""Schemas for editions: their components and their rules."""

from marshmallow import Schema, fields

from .named import CARD_NAME, EDITION_KEY, MEMBER_KIND, REGION_NAME, SENTENCE_TEST, Named


class SeatsSchema(Schema):
    """The numbers of seats that an edition supports."""

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
            "description": "When the edition was published. null: unknown, because the edition's rules do not give a "
            "year."
        },
    )
    publisher = fields.String(required=True, metadata={"description": "The publisher of the edition."})
    seats = fields.Nested(
        SeatsSchema, required=True, metadata={"description": "The numbers of seats that the edition supports."}
    )


class DeckCardSchema(Schema):
    """A kind of card in an edition's deck."""

    card = Named(CARD_NAME, required=True, metadata={"description": "The kind of card."})
    label = fields.String(required=True, metadata={"description": "The name that the edition prints on the card."})
    count = fields.Integer(required=True, metadata={"description": "How many of these cards are in the deck."})
    effect = fields.String(required=True, metadata={"description": "What the card does."})


class PointSchema(Schema):
    """A point on the map, in pixels: x increases to the right, and y increases downwards."""

    x = fields.Integer(required=True, metadata={"description": "Pixels from the left edge."})
    y = fields.Integer(required=True, metadata={"description": "Pixels from the top edge."})


class RegionSchema(Schema):
    """A region of the board."""

    key = Named(REGION_NAME, required=True, metadata={"description": "The key of the region."})
    name = fields.String(required=True, metadata={"description": "The name of the region's city, for people."})
    city = fields.Nested(
        PointSchema,
        required=True,
        metadata={"description": "The position of the city. A marker that is 52 pixels wide fits at this point."},
    )
    outline = fields.List(
        fields.Nested(PointSchema),
        required=True,
        metadata={
            "description": "The corners of the region, in order. Neighbouring regions have the same corners along "
            "their border."
        },
    )
    neighbours = fields.List(
        Named(REGION_NAME), required=True, metadata={"description": "The regions that share a border with this one."}
    )


class BoardSchema(Schema):
    """The board, with the data needed to draw it."""

    key = fields.String(required=True, metadata={"description": "The key of the board."})
    width = fields.Integer(required=True, metadata={"description": "The width of the board, in pixels."})
    height = fields.Integer(required=True, metadata={"description": "The height of the board, in pixels."})
    regions = fields.List(
        fields.Nested(RegionSchema), required=True, metadata={"description": "The regions of the board."}
    )
    borders = fields.List(
        # This field is not of a named type, because some generators write code that fails for lists of lists of an
        # enum.
        fields.List(fields.String(metadata={"description": "The key of a region, as in `RegionName`."})),
        required=True,
        metadata={"description": "Each pair of neighbouring regions, once."},
    )


class OptionSchema(Schema):
    """A choice made when a game is opened."""

    key = fields.String(
        required=True,
        metadata={"description": "The key of the option. Use this key in `options` when you open a game."},
    )
    label = fields.String(required=True, metadata={"description": "The name of the option in the edition."})
    summary = fields.String(required=True, metadata={"description": "What the option changes."})
    values = fields.List(
        fields.Raw(metadata={"type": ["string", "boolean"]}), metadata={"description": "The allowed values."}
    )
    minimum = fields.Integer(metadata={"description": "The smallest allowed number."})
    maximum = fields.Integer(metadata={"description": "The largest allowed number."})
    default = fields.Raw(
        required=True,
        metadata={
            "description": "The value of the option if you leave it out.",
            "type": ["string", "integer", "boolean"],
        },
    )
    house = fields.Boolean(
        required=True,
        metadata={"description": "true: the option is a house option of this service, and is not in the rulebook."},
    )


class GoalSchema(Schema):
    """The goal of the game for a given number of seats."""

    seats = fields.Integer(required=True, metadata={"description": "The number of seats for which this is the goal."})
    adjacent = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "How many adjacent regions win the game. null: this is not a goal."},
    )
    total = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "How many regions in total win the game. null: this is not a goal."},
    )
    battles = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "How many won battles win the game. null: this is not a goal."},
    )


class ConflictSchema(Schema):
    """Options that cannot be combined."""

    options = fields.List(fields.String(), required=True, metadata={"description": "The keys of the options."})
    reason = fields.String(required=True, metadata={"description": "Why the options cannot be combined."})


class AdviceSchema(Schema):
    """Options that the rulebook advises against combining. A game may be opened with both options."""

    options = fields.List(fields.String(), required=True, metadata={"description": "The keys of the options."})
    note = fields.String(
        required=True, metadata={"description": "Why the rulebook advises against combining the options."}
    )


class ClauseSchema(Schema):
    """A clause of an edition's rules, in the project's own words."""

    number = fields.String(required=True, metadata={"description": "The number of the clause."})
    heading = fields.String(required=True, metadata={"description": "The heading of its section."})
    text = fields.String(required=True, metadata={"description": "The clause, in Markdown."})
    source = fields.String(
        required=True,
        metadata={
            "description": "Where the clause comes from: a section of the rulebook, an interpretation of it, or a "
            "house rule."
        },
    )


class EditionClauseSchema(ClauseSchema):
    """A clause, and the edition and revision to which it belongs."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The key of the edition."})
    revision = fields.Integer(required=True, metadata={"description": "The number of the revision."})


class EditionSchema(EditionSummarySchema):
    """One revision of an edition."""

    revisions = fields.List(fields.Integer(), required=True, metadata={"description": "The numbers of all revisions."})
    sources = fields.List(
        fields.String(), required=True, metadata={"description": "The documents from which the rules were taken."}
    )
    shows_cards = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the rulebook lets players show each other cards. Games are then opened with "
            "`showing` set to `allowed`, unless their opening says otherwise."
        },
    )
    hand_size = fields.Integer(
        required=True, metadata={"description": "How many cards a seat is dealt, not counting additional cards."}
    )
    cards_a_region = fields.Integer(
        required=True, metadata={"description": "How many additional cards a seat is dealt for each of its regions."}
    )
    deck = fields.List(
        fields.Nested(DeckCardSchema), required=True, metadata={"description": "The kinds of card in the deck."}
    )
    deck_each = fields.Boolean(
        required=True, metadata={"description": "Whether each seat has its own copy of the deck."}
    )
    goals = fields.List(
        fields.Nested(GoalSchema),
        required=True,
        metadata={"description": "The goal for each number of seats, with every option at its default."},
    )
    options = fields.List(
        fields.Nested(OptionSchema), required=True, metadata={"description": "The options from which you may choose."}
    )
    conflicts = fields.List(
        fields.Nested(ConflictSchema), required=True, metadata={"description": "The options that cannot be combined."}
    )
    advice = fields.List(
        fields.Nested(AdviceSchema),
        required=True,
        metadata={"description": "The options that the rulebook advises against combining."},
    )
    board = fields.Nested(
        BoardSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The board. null: the edition has no board."},
    )
    rules = fields.List(
        fields.Nested(ClauseSchema), required=True, metadata={"description": "The clauses of the rules, in order."}
    )
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "The code of each refusal, with the number of the clause that it cites."},
    )


class ConditionSchema(Schema):
    """A test of one member of an event."""

    member = fields.String(required=True, metadata={"description": "The name of the member."})
    test = Named(SENTENCE_TEST, required=True, metadata={"description": "What must be true of the member."})
    value = fields.String(
        metadata={"description": "For the test `is`: the text. For the test `same`: the name of the other member."}
    )


class SentenceSchema(Schema):
    """A sentence that describes an event of one type, if all the sentence's conditions hold."""

    key = fields.String(
        required=True, metadata={"description": "The key of the sentence, which is the same in every language."}
    )
    event = fields.String(required=True, metadata={"description": "The type of the event."})
    when = fields.List(
        fields.Nested(ConditionSchema),
        required=True,
        metadata={"description": "The conditions, which must all hold. The last sentence of a type has no conditions."},
    )
    routine = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether a log may leave out the sentence, because another event of the commit says the "
            "same, or because the sentence is about the clock or about whose turn it is."
        },
    )
    text = fields.String(
        required=True,
        metadata={"description": "The sentence, in which `{seat}` stands for the member `seat` of the event."},
    )
    members = fields.Dict(
        keys=fields.String(),
        values=Named(MEMBER_KIND),
        required=True,
        metadata={"description": "How to show each member that the text contains."},
    )


class PluralSchema(Schema):
    """How to show a number with a noun, for each Unicode (CLDR) plural category. Languages may add categories."""

    one = fields.String(metadata={"description": "For the category `one`. `{count}` stands for the number."})
    other = fields.String(
        required=True,
        metadata={"description": "For every category that is not listed. `{count}` stands for the number."},
    )


class JoinsSchema(Schema):
    """What to write between the items of a list."""

    other = fields.String(required=True, metadata={"description": "Between two items, except the last two."})
    last = fields.String(required=True, metadata={"description": "Between the last two items."})


class EditionSentencesSchema(Schema):
    """A sentence for each event, in one language, with everything needed to fill in the sentences."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The key of the edition."})
    revision = fields.Integer(required=True, metadata={"description": "The number of the revision."})
    language = fields.String(required=True, metadata={"description": "The language of the sentences."})
    languages = fields.List(
        fields.String(), required=True, metadata={"description": "The languages that you can ask for."}
    )
    sentences = fields.List(
        fields.Nested(SentenceSchema),
        required=True,
        metadata={
            "description": "The sentences. Show the first sentence for the event's type whose conditions all hold."
        },
    )
    words = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.String()),
        required=True,
        metadata={"description": "For the kinds `card`, `region` and `end-reason`: the word for each value."},
    )
    plurals = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(PluralSchema),
        required=True,
        metadata={"description": "For the kinds `cards` and `battles`: how to show a number of cards or battles."},
    )
    counts = fields.String(
        required=True,
        metadata={
            "description": "For the kind `counts`: how to show a seat, as `{seat}`, with its number, as `{count}`."
        },
    )
    joins = fields.Nested(
        JoinsSchema, required=True, metadata={"description": "What to write between the items of a list."}
    )


class DifferenceSchema(Schema):
    """A rule on which two editions differ."""

    topic = fields.String(required=True, metadata={"description": "The topic of the rule, such as `deck.spring`."})
    one = fields.Raw(required=True, metadata={"description": "The rule of the first edition."})
    other = fields.Raw(required=True, metadata={"description": "The rule of the second edition."})


class ComparisonSchema(Schema):
    """How two editions differ."""

    editions = fields.List(Named(EDITION_KEY), required=True, metadata={"description": "The keys of the two editions."})
    differences = fields.List(
        fields.Nested(DifferenceSchema),
        required=True,
        metadata={"description": "The rules in which the two editions differ."},
    )
    same = fields.List(
        fields.String(), required=True, metadata={"description": "Topics on which the two editions agree."}
    )


class EditionListSchema(Schema):
    """The editions, newest first."""

    editions = fields.List(
        fields.Nested(EditionSummarySchema), required=True, metadata={"description": "The editions, newest first."}
    )
