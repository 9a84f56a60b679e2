"""Descriptions of events and their members. A member usually has the same meaning in all events."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "seat": "The number of the seat.",
    "player": "The id of the player, or `hidden` if the game hides its players.",
    "owner": "The id of the player who opened the game, or `hidden` if the game hides its players.",
    "bot": "The key of the bot that plays the seat.",
    "revision": "The revision of the bot. Omitted in games from release 0.3.0 and earlier, where the revision is 1.",
    "edition": "The edition of the game.",
    "options": "The value of each option of the edition, by its key.",
    "seats": "The number of seats in the game.",
    "start": "How the game starts.",
    "commitment": "The SHA-256 of the game's secret seed, in hexadecimal.",
    "construction": "The number of the method that derives draws from the seed.",
    "seeded": "Whether the owner chose the seed.",
    "clock": "The clock that was chosen when the game was opened. Omitted if the game has no clock.",
    "hints": "Whether players may ask for hints. Omitted if hints are not allowed.",
    "showing": "Whether seats may show each other cards. Omitted if showing cards is not allowed.",
    "to": "The seats that were shown the cards, in ascending order.",
    "talk": "Who can receive players' messages. Omitted if it is `all`.",
    "names": "Whether everybody can see who has which seat. Omitted if it is `shown`.",
    "version": "The version of the game at which the seat asked for a hint.",
    "entropy": "The random bytes that the player added, in hexadecimal. The bytes influence every draw of the "
    "game. Empty if the player added none.",
    "by": "Who cancelled the game.",
    "outcome": "The outcome that the seat wants. `none`: the game ends without a result. `leaders`: the leading "
    "seats win.",
    "deadline": "When the time for the turn runs out, in milliseconds since 1970-01-01 UTC.",
    "allowance": "The time allowed for the turn, in milliseconds.",
    "stops": "The periods before the deadline during which the clock is stopped.",
    "zone": "The time zone of the seat's player, as a name from the IANA time zone database.",
    "sleep": "When the night of the seat's player begins and ends. Omitted if the player has not set a night.",
    "used": "The time that the clock counted, in milliseconds.",
    "bank": "The time left in the seat's bank for its next turn, in milliseconds.",
    "extra": "The total extra time that the other players have granted for the turn, in milliseconds.",
    "left": "The percentage of the turn's time that is left.",
    "misses": "How many times the seat's time has run out since its last move.",
    "hands": "The cards that each seat was dealt, in seat order. You see only your own cards.",
    "draw": "The number of the draw.",
    "card": "The card.",
    "place": "Where the card went. `row`: the card stays in the seat's row. `discard`: the card was discarded "
    "immediately. "
    "`season`: the card replaces the season in force.",
    "take": "The mercenary that the card takes back. Omitted if the card takes back no mercenary.",
    "take_from": "The seat from whose row the card takes the mercenary. Omitted if the card takes back no mercenary.",
    "favor": "The region to which the card moves the favor marker. Omitted if the card does not move the marker.",
    "turn_up": "The kind of card that the seat chose to turn up. Omitted if the seat had no choice, or you "
    "cannot see the card.",
    "newest": "Whether this is the card that the seat laid last, if the seat had two cards face down. Omitted if you "
    "cannot know which card it is.",
    "taken_from": "The seat from whose row the mercenary was taken.",
    "counts": "How many cards were removed from each seat's row, in seat order.",
    "final": "Whether the pass is final. After a final pass, the seat lays no more cards in this battle.",
    "forced": "Whether the seat had no choice.",
    "cause": "Why the battle ended: `passes`, `surrender` or `bishop`.",
    "strengths": "The strength of each seat's row, in seat order. Omitted if the rows were not compared.",
    "leaders": "The seats with the highest strength. If the rows were not compared, the list has all seats in "
    "the battle.",
    "winner": "The seat that won the battle. Omitted if no seat won it.",
    "battles": "The number of consecutive battles in which no card was laid.",
    "phase": "What the game is waiting for.",
    "step": "The index of the current step in the edition's sequence of steps, from 0. Omitted if this step "
    "occurs only once in the sequence.",
    "fighters": "The seats in the final battle.",
    "winners": "The seats that won. If there is more than one, they share the victory. In a draw, the list is empty.",
    "reasons": "Why the game or the match ended.",
    "gained": "The points that each seat gained, in seat order.",
    "points": "The points of each seat, in seat order.",
}
SPECIAL: Mapping[str, Mapping[str, str]] = {
    "battle-ended": {"region": "The region of the battle. Omitted if the battle had no region."},
    "card-laid-face-down": {"card": "The kind of card. Omitted if you cannot see the card."},
    "cards-drawn": {
        "cards": "The cards that the seat drew. Only this seat sees the cards.",
        "draw": "The number of the draw. Omitted if the seat drew no cards.",
        "number": "How many cards the seat was supposed to draw. If the deck ran out, `cards` has fewer "
        "cards, and a second event has the rest.",
    },
    "cards-kept": {"cards": "The cards that the seat kept. Only this seat sees the cards."},
    "cards-shown": {
        "cards": "The cards that the seat showed. Only this seat and the seats in `to` see the cards.",
        "version": "The version of the game at which the seat held the cards.",
    },
    "deadline-moved": {"reason": "Why the deadline moved: `vacation`, `outage`, `extension` or `pause`."},
    "end-asked": {"version": "The version of the game when the seat asked to end it."},
    "extension-asked": {"extra": "How much more time the seat asked for, in milliseconds."},
    "favor-moved": {
        "region": "The region to which the favor marker moved. Omitted if the marker is no longer on the board."
    },
    "final-battle-started": {"reason": "Why the game or the match ended in a tie."},
    "game-cancelled": {
        "reason": "Why the game was cancelled: the host's reason, or a sentence which says that nobody "
        "joined or that the players agreed to end the game."
    },
    "game-started": {"revision": "The revision of the edition."},
    "hand-discarded": {"cards": "The cards that the seat discarded. Only this seat sees the cards."},
    "marker-taken": {
        "draw": "The number of the draw for the lot. Omitted if no lot was drawn.",
        "reason": "Why this seat has the battle marker now. `lot`: the seat was drawn by lot. `victory`: the "
        "seat won the battle. `courtesans`: the seat has the most courtesans. `owner`: the seat owns "
        "the contested region. `holder`: the seat already had the marker. `left`: the seat is to the "
        "left of the previous holder, or of a seat that has resigned. `declined`: the previous holder "
        "declined to choose a region.",
    },
    "region-chosen": {"region": "The region of the next battle."},
    "seat-closed": {"seat": "The number of the removed seat. The numbers of all later seats decrease by one."},
    "table-handed-over": {"player": "The id of the new owner, or `hidden` if the game hides its players."},
    "seat-passed": {"forced": "Whether the seat passed because its hand is empty."},
}
"""Exceptions to `MEANINGS`, by type of event and member."""

SUMMARIES: Mapping[str, str] = {
    "end-asked": "A seat asked to end the game, or agreed to end it.",
    "extension-asked": "The seat to move asked for more time.",
    "favor-moved": "The favor marker moved to a region, or off the board.",
    "hand-discarded": "A seat discarded cards from its hand.",
    "seat-reminded": "The server reminded a player of how much time is left for the turn.",
    "seat-timed-out": "The time for a turn ran out.",
    "turn-started": "The game is now waiting for a seat's move.",
}
"""Summaries by type of event, which replace class docstrings that describe Python values."""


def summary(event: str, text: str) -> str:
    """Return the meaning of a type of event.

    For most types, the meaning is the first sentence of `text`, which is the docstring of the event class.

    >>> summary("seat-passed", "A seat passed. After a pass that is not `final`, the seat may still lay cards.")
    'A seat passed.'
    """
    return SUMMARIES.get(event, " ".join(text.split()).split(". ")[0].removesuffix(".") + ".")


def meaning(event: str, member: str) -> str:
    """Return the meaning of a member of a type of event. Raises: KeyError if this module does not describe the member.

    >>> meaning("region-chosen", "region")
    'The region of the next battle.'
    """
    return SPECIAL.get(event, {}).get(member) or MEANINGS[member]
