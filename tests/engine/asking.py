"""Every command that a seat could send, valid or not."""

from collections.abc import Iterable
from itertools import product
from random import Random

from engine import (
    Chance,
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    KeepCards,
    KeepHand,
    Pass,
    PlayCard,
    Refusal,
    State,
    decide,
)
from engine.cards import KINDS


def accepted(state: State, command: Command, chance: Chance) -> bool:
    """Return whether a command is accepted; if it is refused, check that the state has not changed."""
    try:
        decide(state, command, chance)
    except Refusal:
        return False
    return True


def hand(*kinds: int) -> tuple[int, ...]:
    """Return these kinds of card as counts by kind."""
    return tuple(kinds.count(kind) for kind in range(KINDS))


def one_of_each(seat: int) -> list[Command]:
    """Return one command of each type."""
    answers: list[Command] = [Pass(seat), KeepHand(seat), DiscardHand(seat), DeclineRegion(seat)]
    return [*answers, ChooseRegion(seat, 3), PlayCard(seat, 0), KeepCards(seat, hand()), DrawCards(seat, 0)]


def everything(seat: int, seats: int) -> Iterable[Command]:
    """Yield every command of this seat, except plays of a card with more than two arguments."""
    yield from (Pass(seat), KeepHand(seat), DiscardHand(seat), DeclineRegion(seat))
    yield from (ChooseRegion(seat, region) for region in range(17))
    yield from (DrawCards(seat, number) for number in range(-1, 5))
    for size in range(4):
        yield from (KeepCards(seat, hand(*kinds)) for kinds in product(range(KINDS), repeat=size))
    kinds, owners, places = [None, *range(KINDS)], [None, *range(seats)], [None, *range(17)]
    for card in range(KINDS):
        yield Pass(seat, card)
        yield from (PlayCard(seat, card, take, owner) for take, owner in product(kinds, owners))
        yield from (PlayCard(seat, card, favor=favor, turn_up=up) for favor, up in product(places, kinds))
        yield from (PlayCard(seat, card, take=take, turn_up=up) for take, up in product(kinds, kinds))
        yield from (PlayCard(seat, card, take=take, favor=favor) for take, favor in product(kinds, places))


def anything(seat: int, seats: int, random: Random) -> Command:
    """Return a random command of this seat."""
    card = random.randrange(KINDS)
    take, up = random.choice([None, *range(KINDS)]), random.choice([None, *range(KINDS)])
    owner, favor = random.choice([None, *range(seats)]), random.choice([None, *range(17)])
    plays: list[Command] = [PlayCard(seat, card, take, owner, favor, up), PlayCard(seat, card)]
    return random.choice([*plays, Pass(seat, card), *one_of_each(seat), ChooseRegion(seat, random.randrange(17))])
