"""What events and their members mean. In most events, members with the same name mean the same thing."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "seat": "The seat.",
    "player": "The id of the player, or `hidden`.",
    "owner": "The id of the player who opened the game, or `hidden`.",
    "bot": "The bot that plays the seat.",
    "revision": "The revision of the bot. Left out in games of release 0.3.0 and earlier, where the revision is 1.",
    "edition": "The edition of the game.",
    "options": "The value of each option of the edition, by its key.",
    "seats": "How many seats the game has.",
    "start": "Who starts the game.",
    "commitment": "The SHA-256 of the game's secret seed, in hexadecimal.",
    "construction": "The number of the method that derives draws from the seed.",
    "seeded": "Whether the owner chose the seed.",
    "clock": "The clock, as chosen when the game was opened. Left out: no clock.",
    "hints": "Whether players may ask for hints. If it is left out, they may not.",
    "showing": "Whether seats may show each other cards. If it is left out, they may not.",
    "to": "The seats that were shown the cards, in ascending order.",
    "talk": "Who may talk to whom. If it is left out, `all`.",
    "names": "Whether everybody can see who has which seat. If it is left out, `shown`.",
    "version": "The version of the game for which the seat asked for a hint.",
    "entropy": "The player's own random bytes, which influence every draw of the game, in hexadecimal. Empty: none.",
    "by": "Who cancelled the game.",
    "outcome": "How the seat wants the game to end. none: without a result. leaders: as it stands, so that the seats "
    "that lead win.",
    "deadline": "When the time for the turn runs out, in milliseconds since 1970-01-01 UTC.",
    "allowance": "The time given for the turn, in milliseconds.",
    "stops": "The periods before the deadline that do not count.",
    "zone": "The time zone of the seat's player: a name in the IANA time zone database.",
    "sleep": "When the night of the seat's player begins and ends. Left out: no night.",
    "used": "The time that the clock counted, in milliseconds.",
    "bank": "The time that is left for the seat's next turn, in milliseconds.",
    "extra": "All extra time that the other players have granted for the turn, in milliseconds.",
    "left": "The percentage of the turn's time that is left.",
    "misses": "How many times the seat's time has run out since its last move.",
    "hands": "The cards that each seat was dealt, in seat order. You see only your own.",
    "draw": "The number of the draw.",
    "card": "The card.",
    "place": "Where the card went. row: the card stays in the seat's row. discard: the card was discarded at once. "
    "season: the card replaces the season in force.",
    "take": "The mercenary that the card takes back. Left out: none.",
    "take_from": "The seat from whose row the card takes the mercenary. Left out: none.",
    "favor": "The region to which the card moves the favor marker. Left out: none.",
    "turn_up": "The kind of card that the seat chose to turn up. Left out: the seat had no choice, or you may not see "
    "it.",
    "newest": "Whether the seat had two cards face down and laid this card last. Left out: you may not see this.",
    "taken_from": "The seat from whose row the mercenary was taken.",
    "counts": "How many cards were removed from each seat's row, in seat order.",
    "final": "Whether the seat is out of this battle. If not, the seat may still lay cards.",
    "forced": "Whether the seat had no choice.",
    "cause": "Why the battle ended: passes, surrender or bishop.",
    "strengths": "The strength of each seat's row, in seat order. Left out: the rows were not compared.",
    "leaders": "The seats with the highest strength, or all seats in the battle if the rows were not compared.",
    "winner": "The seat that won the battle. Left out: no seat won it.",
    "battles": "The number of consecutive battles in which no card was laid.",
    "phase": "What the game is waiting for.",
    "step": "The index, from 0, of the current step in the edition's sequence of steps. Left out if the sequence has "
    "this step only once.",
    "fighters": "The seats in the final battle.",
    "winners": "The seats that won. Several winners share the victory; a draw has no winner.",
    "reasons": "Why the game or the match ended.",
    "gained": "The points that each seat gained, in seat order.",
    "points": "The points of each seat, in seat order.",
}
SPECIAL: Mapping[str, Mapping[str, str]] = {
    "battle-ended": {"region": "The region of the battle. Left out: the battle had no region."},
    "card-laid-face-down": {"card": "The card. Left out: you may not see it."},
    "cards-drawn": {
        "cards": "The cards that the seat drew. You see only your own.",
        "draw": "The number of the draw. Left out: the seat drew no cards.",
        "number": "How many cards the seat should draw. If the deck ran out, this number is larger than the number of "
        "`cards`, and another event has the remaining cards.",
    },
    "cards-kept": {"cards": "The cards that the seat kept. You see only your own."},
    "cards-shown": {
        "cards": "The cards that the seat showed. Only the seat and the seats in `to` see them.",
        "version": "The version of the game at which the seat held the cards.",
    },
    "deadline-moved": {"reason": "Why the deadline moved: vacation, outage, extension or pause."},
    "end-asked": {"version": "The version of the game at which the seat asked."},
    "extension-asked": {"extra": "How much more time the seat asked for, in milliseconds."},
    "favor-moved": {
        "region": "The region to which the favor marker moved. Left out: the marker is no longer on the board."
    },
    "final-battle-started": {"reason": "Why the game or the match ended with a tie."},
    "game-cancelled": {
        "reason": "The host's reason, or that nobody joined, or that the players agreed to end the game."
    },
    "game-started": {"revision": "The revision of the edition."},
    "hand-discarded": {"cards": "The cards that the seat discarded. You see only your own."},
    "marker-taken": {
        "draw": "The number of the lot. Left out: no lot was drawn.",
        "reason": "Why this seat has the battle marker now. lot: a lot was drawn. victory: the seat won the battle. "
        "courtesans: the seat has the most courtesans. owner: the seat owns the contested region. holder: the seat "
        "keeps the marker. left: the seat is to the left of the last holder, or of a seat that has resigned. declined: "
        "the last holder chose no region.",
    },
    "region-chosen": {"region": "The region of the next battle."},
    "seat-closed": {"seat": "The seat. The numbers of all later seats decrease by one."},
    "table-handed-over": {"player": "The id of the new owner, or `hidden`."},
    "seat-passed": {"forced": "Whether the seat passed because its hand is empty."},
}
"""The members that have a different meaning in one type of event."""

SUMMARIES: Mapping[str, str] = {
    "end-asked": "A seat asked to end the game, or agreed to end it.",
    "extension-asked": "The seat to act asked for more time.",
    "favor-moved": "The favor marker moved to a region, or off the board.",
    "hand-discarded": "A seat discarded cards from its hand.",
    "seat-reminded": "A player was reminded of the time left for the turn.",
    "seat-timed-out": "The time for a turn ran out.",
    "turn-started": "The game is now waiting for a seat's move.",
}
"""The meanings of events, by type, for events whose class docstrings describe Python values."""


def summary(event: str, text: str) -> str:
    """Return the meaning of a type of event.

    For most types, it is the first sentence of `text`, the docstring of the event class.

    >>> summary("seat-passed", "A seat passed. After a pass that is not `final`, the seat may still lay cards.")
    'A seat passed.'
    """
    return SUMMARIES.get(event, " ".join(text.split()).split(". ")[0].removesuffix(".") + ".")


def meaning(event: str, member: str) -> str:
    """Return what a member of a type of event means. Raises: KeyError if this module does not describe it.

    >>> meaning("region-chosen", "region")
    'The region of the next battle.'
    """
    return SPECIAL.get(event, {}).get(member) or MEANINGS[member]
