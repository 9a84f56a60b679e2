"""The differences between editions: each edition's value for each topic, and the topics on which editions differ.

A topic is the name of an edition's field, or of one part of a field (`deck.spring`, `special.bishop`, `goals.4`). If
the field contains a function, the value is the function's name, which reads as a phrase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from engine import Edition
from engine.cards import NAMES
from engine.edition import Special

Json = dict[str, Any]


def compare(one: Edition, other: Edition) -> Json:
    """Return the topics on which two editions differ, with both editions' values, and the topics on which they agree.

    If only one edition has a topic, the other edition's value is null.

    >>> from engine import NEWEST
    >>> compare(*list(NEWEST.values())[:2])["differences"][0]
    {'topic': 'deck.mercenary-1', 'one': 10, 'other': 15}
    """
    first, second = describe(one), describe(other)
    topics = in_order(first, second)
    differ = [topic for topic in topics if first.get(topic) != second.get(topic)]
    return {
        "editions": [one.key, other.key],
        "differences": [{"topic": topic, "one": first.get(topic), "other": second.get(topic)} for topic in differ],
        "same": [topic for topic in topics if topic not in differ],
    }


def in_order(*topic_lists: Iterable[str]) -> list[str]:
    """Return the topics of several editions without duplicates, keeping the order that the topics have in each edition.

    >>> in_order(["seats", "goals.3", "options"], ["seats", "goals.2", "goals.3"])
    ['seats', 'goals.2', 'goals.3', 'options']
    """
    topics: list[str] = []
    for own_topics in topic_lists:
        place = 0
        for topic in own_topics:
            if topic not in topics:
                topics.insert(place, topic)
            place = topics.index(topic) + 1
    return topics


@cache
def _words(rule: Callable[..., object]) -> str:
    return rule.__name__.replace("_", " ")


def _steps(rules: Iterable[Callable[..., object]]) -> list[str]:
    return [_words(rule) for rule in rules]


def describe(value: Edition) -> Mapping[str, Any]:
    """Return an edition's value for each topic, in the order of a rulebook's table of contents."""
    deck = {f"deck.{name}": count for name, count in zip(NAMES, value.deck, strict=True) if count}
    final = value.final_battle
    return {
        "seats": {"fewest": value.fewest_seats, "most": value.most_seats},
        "board": value.board.key if value.board else None,
        **deck,
        "deck_each": value.deck_each,
        "open_discard": value.open_discard,
        **{f"label.{name}": label for name, label in value.labels.items()},
        "shows_cards": value.shows_cards,
        "hand_size": value.hand_size,
        "cards_a_region": value.cards_a_region,
        "cards_kept": value.cards_kept,
        "opening": _steps(value.opening),
        "contestable": _words(value.contestable),
        "may_decline": value.may_decline,
        "pass_is_final": _words(value.pass_is_final),
        **{f"special.{NAMES[kind]}": _special(special) for kind, special in sorted(value.specials.items())},
        "strength": [step.name for step in value.strength],
        "marker": [claim.reason for claim in value.marker],
        "aftermath": _steps(value.aftermath),
        **{f"goals.{seats}": _goal(goal) for seats, goal in value.goals.items()},
        "standing": _words(value.standing),
        "final_battle": None if final is None else _steps(final.steps),
        "barred_in_the_final_battle": [] if final is None else [NAMES[kind] for kind in sorted(final.barred)],
        "winners_of_the_final_battle": None if final is None else _words(final.winners),
        "options": [option.key for option in value.options],
    }


def _special(special: Special) -> Json:
    return {
        "lies": special.place,
        "offers": _words(special.offers),
        "effect": _words(special.effect),
        "ends_the_battle": special.ends is not None,
    }


def _goal(goal: Any) -> Json:
    return {name: number for name, number in goal._asdict().items() if number is not None}
