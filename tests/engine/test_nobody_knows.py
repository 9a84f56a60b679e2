"""Nobody can know the next draw, and no card can pass from one hand to another."""

from collections.abc import Iterator
from random import Random
from typing import get_args

from engine import EDITIONS, Command, Event, RandomChance, State, advance, decide, evolve, legal_commands, replay, start
from engine.events import CardsDrawn, CardTakenBack, HandsDealt

from .cases import FFG, PRINTED, REVISED, in_editions, proves
from .games import seats_near


def moves(edition: str) -> Iterator[tuple[State, Command]]:
    """Yield every position of five random games, each with the command that follows."""
    for seed in range(5):
        chance, random = chance_of(seed), Random(seed)
        state = replay(start(edition, seats_near(edition, 3), chance, {"battle_limit": 12}))
        while commands := legal_commands(state):
            command = random.choice(commands)
            yield state, command
            state = evolve(state, *decide(state, command, chance))


def chance_of(seed: int) -> RandomChance:
    """Return a chance that depends on the seed."""
    return RandomChance(Random(seed))


def drawn(events: list[Event]) -> list[object]:
    """Return the cards that these events dealt or drew."""
    deals = [event.hands for event in events if isinstance(event, HandsDealt)]
    return [*deals, *(event.cards for event in events if isinstance(event, CardsDrawn))]


@proves("11.5", *PRINTED)
@in_editions("next-draw", *PRINTED)
def test_no_position_says_which_cards_come_next(edition: str) -> None:
    """The deck has no order: in the same position, a different chance draws different cards."""
    state, command = next((state, one) for state, one in moves(edition) if drawn(decide(state, one, chance_of(1))))
    draws = [drawn(decide(state, command, chance_of(seed))) for seed in range(8)]
    assert any(draw != draws[0] for draw in draws)


@proves("11.6", *PRINTED)
@in_editions("no-gifts", *PRINTED)
def test_no_card_is_given_or_exchanged(edition: str) -> None:
    """A card enters a hand only by a deal, by a draw, or by the seat's own scarecrow."""
    for state, command in moves(edition):
        after = state.copy()
        for event in advance(after, command, chance_of(1)):
            before, state = state, evolve(state, event)
            grown = [seat for seat in range(state.seats) if _more(before.hands[seat], state.hands[seat])]
            taken_back = isinstance(event, CardTakenBack) and grown == [event.seat] == [command.seat]
            assert not grown or taken_back or isinstance(event, HandsDealt | CardsDrawn)
        assert state == after


def _more(before: list[int], after: list[int]) -> bool:
    return any(now > was for was, now in zip(before, after, strict=True))


@proves("11.6", *PRINTED)
def test_no_command_shows_a_card_to_another_seat() -> None:
    """Even players who agree to show cards have no command for it."""
    assert {command.__name__ for command in get_args(Command)} == {
        "ChooseRegion",
        "DeclineRegion",
        "DiscardHand",
        "DrawCards",
        "KeepCards",
        "KeepHand",
        "Pass",
        "PlayCard",
    }


@proves("11.6", *PRINTED)
def test_two_rulebooks_let_players_show_cards() -> None:
    """The service lets seats show cards in games of these editions, unless the game's opening says otherwise."""
    showing = {key for key, revisions in EDITIONS.items() for edition in revisions.values() if edition.shows_cards}
    assert showing == {FFG, REVISED}
