"""Sentences that describe events.

Each sentence has a key, and each language has a text for each key. To describe an event, the service uses the first
sentence for the event's type whose conditions are all met. Each language has a file `sentences.LANGUAGE.json`, which
contains the text for each key, words for member values, plurals, and the words that join the items of a list. In a
text, `{seat}` stands for a member of the event, and `[bishop]` stands for the edition's label for a card.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import orjson

from engine import Edition

Json = dict[str, Any]

LANGUAGES = ("en",)
"""The languages that have a file."""
ABSENT, EMPTY, ONE, IS, SAME = "absent", "empty", "one", "is", "same"
TESTS: Mapping[str, str] = {
    ABSENT: "the event does not have the member, or it is null",
    EMPTY: "the member is false, 0, an empty text or an empty list",
    ONE: "the member is a list with one item",
    IS: "the member is the text `value`",
    SAME: "the member is equal to the member that `value` names",
}
"""The tests of a condition, and the meaning of each."""
SEAT, CARD, REGION, REASON, CARDS, BATTLES = "seat", "card", "region", "end-reason", "cards", "battles"
COUNTS, DURATION, TIME, NUMBER, TEXT = "counts", "duration", "time", "number", "text"
KINDS: Mapping[str, str] = {
    SEAT: "the name of the player in that seat, or the label of the bot",
    CARD: "the word for the card",
    REGION: "the word for the region",
    REASON: "the word for the reason",
    CARDS: "the text of `plurals` for the member's `count`",
    BATTLES: "the text of `plurals` for the number",
    COUNTS: "a number, or an object with `count`, for each seat, in seat order",
    DURATION: "a duration in milliseconds",
    TIME: "a moment in milliseconds since 1970-01-01 UTC",
    NUMBER: "a number",
    TEXT: "a text that the service does not translate, such as a name",
}
"""The ways to show a member of an event, and the text that each way produces."""


class Condition(NamedTuple):
    """A condition on one member of an event. `value` is used only by the tests `is` and `same`."""

    member: str
    test: str
    value: str | None = None

    def holds(self, event: Mapping[str, Any]) -> bool:
        """Return whether an event meets the condition."""
        found = event.get(self.member)
        match self.test:
            case "absent":
                return found is None
            case "empty":
                return not found
            case "one":
                return len(found or ()) == 1
            case "is":
                return bool(found == self.value)
        return bool(found == event.get(self.value or ""))


class Sentence(NamedTuple):
    """A sentence: its key, which begins with the type of its event, and the conditions under which it is used.

    `routine` is true if a displayed log may omit the sentence. This is the case if the event repeats another event of
    the commit, or if the event involves no decision.
    """

    key: str
    when: tuple[Condition, ...] = ()
    routine: bool = False

    @property
    def event(self) -> str:
        """The type of the events that the sentence is about."""
        return self.key.partition(".")[0]


def _absent(*members: str) -> tuple[Condition, ...]:
    return tuple(Condition(member, ABSENT) for member in members)


def _each(event: str, member: str, values: Sequence[str], *, routine: bool = False) -> list[Sentence]:
    """Return one sentence for each of these values of a member, and one sentence for all other values."""
    sentences = [Sentence(f"{event}.{value}", (Condition(member, IS, value),), routine) for value in values]
    return [*sentences, Sentence(event, (), routine)]


def _for_player(event: str, member: str = "name") -> list[Sentence]:
    """Return the sentence for a deleted player, who has no name, and the sentence for any other player."""
    return [Sentence(f"{event}.nameless", _absent(member)), Sentence(event)]


def _ended(event: str) -> list[Sentence]:
    """Return the sentences for a draw, for one winner, and for several winners."""
    draw, one = ((Condition("winners", test),) for test in (EMPTY, ONE))
    return [Sentence(f"{event}.draw", draw), Sentence(f"{event}.won", one), Sentence(event)]


SENTENCES: Sequence[Sentence] = (
    # The table
    *_for_player("table-opened", "owner_name"),
    *_for_player("seat-taken"),
    Sentence("bot-seated"),
    *_for_player("seat-left"),
    Sentence("seat-closed"),
    *_for_player("table-handed-over"),
    *_for_player("table-cancelled"),
    Sentence("game-cancelled.expired", (Condition("by", "is", "clock"),)),
    Sentence("game-cancelled.agreed", (Condition("by", "is", "players"),)),
    Sentence("game-cancelled.unexplained", (Condition("reason", EMPTY),)),
    Sentence("game-cancelled"),
    *_each("end-asked", "outcome", ("none",)),
    Sentence("hint-asked"),
    Sentence("cards-shown"),
    Sentence("seat-resigned"),
    Sentence("seat-given-to-bot"),
    Sentence("seat-taken-back"),
    *_for_player("seat-opened"),
    *_for_player("seat-substituted"),
    # The clock
    Sentence("clock-started", routine=True),
    Sentence("clock-stopped", routine=True),
    *_each("deadline-moved", "reason", ("vacation", "outage", "extension", "pause")),
    Sentence("seat-reminded"),
    Sentence("seat-timed-out"),
    Sentence("pause-asked"),
    Sentence("game-paused"),
    Sentence("game-resumed"),
    Sentence("extension-asked"),
    Sentence("extension-granted"),
    Sentence("clock-advanced"),
    # The game
    Sentence("game-started"),
    *_each("marker-taken", "reason", ("lot", "victory", "courtesans", "owner", "holder", "left", "declined")),
    Sentence("hands-dealt"),
    Sentence("cards-drawn.none", (Condition("number", EMPTY),)),
    Sentence("cards-drawn"),
    Sentence("discard-reshuffled"),
    Sentence("region-chosen"),
    Sentence("region-declined"),
    *_each(
        "turn-started",
        "phase",
        ("choose-region", "battle", "keep-or-discard", "keep-cards", "draw-cards"),
        routine=True,
    ),
    # The battle
    Sentence("card-played.alone", _absent("take", "favor")),
    Sentence("card-played.favor", _absent("take")),
    Sentence("card-played.own", (Condition("take_from", SAME, "seat"),)),
    Sentence("card-played"),
    Sentence("card-laid-face-down.hidden", _absent("card")),
    Sentence("card-laid-face-down"),
    Sentence("card-turned-up"),
    Sentence("card-taken-back.own", (Condition("taken_from", SAME, "seat"),), routine=True),
    Sentence("card-taken-back", routine=True),
    Sentence("mercenaries-removed"),
    Sentence("favor-moved.off", _absent("region")),
    Sentence("favor-moved", routine=True),
    Sentence("seat-passed.provisional", (Condition("final", EMPTY),)),
    Sentence("seat-passed.chosen", (Condition("forced", EMPTY),)),
    Sentence("seat-passed"),
    Sentence("battle-ended.stopped-nowhere", _absent("strengths", "region")),
    Sentence("battle-ended.stopped", _absent("strengths")),
    Sentence("battle-ended.tied-nowhere", _absent("winner", "region")),
    Sentence("battle-ended.tied", _absent("winner")),
    Sentence("battle-ended.nowhere", _absent("region")),
    Sentence("battle-ended"),
    # Between battles
    Sentence("rows-discarded", routine=True),
    Sentence("hand-kept"),
    Sentence("hand-discarded"),
    Sentence("cards-kept"),
    Sentence("round-stalled"),
    Sentence("round-ended"),
    Sentence("final-battle-started"),
    *_ended("game-ended"),
    Sentence("match-scored"),
    *_ended("match-ended"),
)
"""All sentences. The sentences for one type of event are listed in the order in which their conditions are tested. The
last sentence for a type has no conditions."""

_MEMBERS: Mapping[str, str] = {
    **dict.fromkeys(("seat", "take_from", "taken_from", "to", "winner", "winners", "fighters"), SEAT),
    **dict.fromkeys(("card", "take"), CARD),
    **dict.fromkeys(("region", "favor"), REGION),
    **dict.fromkeys(("hands", "strengths", "points"), COUNTS),
    **dict.fromkeys(("extra", "used", "by"), DURATION),
    **dict.fromkeys(("reason", "reasons"), REASON),
    **dict.fromkeys(("name", "owner_name", "label"), TEXT),
    "cards": CARDS,
    "battles": BATTLES,
    "deadline": TIME,
    "left": NUMBER,
}
_SPECIAL = {("game-cancelled", "reason"): TEXT}

_BY_EVENT: Mapping[str, Sequence[Sentence]] = {
    event: [sentence for sentence in SENTENCES if sentence.event == event]
    for event in dict.fromkeys(sentence.event for sentence in SENTENCES)
}


def sentence_of(event: Mapping[str, Any]) -> Sentence | None:
    """Return the sentence that describes an event, or None if there is no sentence for its type.

    >>> sentence_of({"type": "seat-passed", "seat": 2, "final": True, "forced": False}).key
    'seat-passed.chosen'
    """
    of_type = _BY_EVENT.get(event["type"], ())
    return next((sentence for sentence in of_type if all(test.holds(event) for test in sentence.when)), None)


def kind_of(event: str, member: str) -> str:
    """Return the kind (see `KINDS`) of a member of this type of event. Raises: KeyError if no sentence has the member.

    >>> kind_of("card-played", "take_from")
    'seat'
    """
    return _SPECIAL.get((event, member)) or _MEMBERS[member]


def text_of(sentence: Sentence, labels: Mapping[str, str], language: str = LANGUAGES[0]) -> str | None:
    """Return the text of a sentence. `labels` are an edition's labels for cards.

    Returns None if the edition lacks one of the cards in the text.

    >>> text_of(Sentence("battle-ended.stopped-nowhere"), {"bishop": "Bishop"})
    'The Bishop ends the battle, and nobody wins it.'
    """
    text: str = _read(language)["texts"][sentence.key]
    if not labels.keys() >= set(re.findall(r"\[([\w-]+)\]", text)):
        return None
    return re.sub(r"\[([\w-]+)\]", lambda card: labels[card[1]], text)


def filled(text: str, show: Callable[[str], str]) -> str:
    """Replace each placeholder in a sentence, such as `{seat}`, with what `show` returns for the placeholder's name.

    >>> filled("{seat} lays {card}.", {"seat": "Anna", "card": "Winter"}.__getitem__)
    'Anna lays Winter.'
    """
    return re.sub(r"\{(\w+)\}", lambda member: show(member[1]), text)


def plural(kind: str, number: int) -> str:
    """Return a number with its noun, in English.

    >>> plural("cards", 1), plural("cards", 0)
    ('1 card', '0 cards')
    """
    forms: Mapping[str, str] = _read("en")["plurals"][kind]
    return forms["one" if number == 1 else "other"].replace("{count}", str(number))


def show_sentences(value: Edition, language: str) -> Json:
    """Return an edition's sentences as JSON, with all words and rules that a client needs to fill them in."""
    content = _read(language)
    regions = value.board.regions if value.board else ()
    return {
        "edition": value.key,
        "revision": value.revision,
        "language": language,
        "languages": list(LANGUAGES),
        "sentences": [
            {
                "key": sentence.key,
                "event": sentence.event,
                "when": [
                    {name: part for name, part in condition._asdict().items() if part is not None}
                    for condition in sentence.when
                ],
                "routine": sentence.routine,
                "text": text,
                "members": {name: kind_of(sentence.event, name) for name in re.findall(r"\{(\w+)\}", text)},
            }
            for sentence in SENTENCES
            if (text := text_of(sentence, value.labels, language)) is not None
        ],
        "words": {CARD: dict(value.labels), REGION: {each.key: each.name for each in regions}, **content["words"]},
        "plurals": content["plurals"],
        "counts": content["counts"],
        "joins": content["joins"],
    }


@cache
def _read(language: str) -> Json:
    content: Json = orjson.loads(files(__package__).joinpath(f"sentences.{language}.json").read_bytes())
    return content
