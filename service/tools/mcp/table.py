"""The tools for everything except moves: talk, showing cards, ending a game, invitations and rematches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from .account import Account
from .arguments import Game, Number
from .text import MESSAGE_LENGTH, invitations_text, talk_text

Json = dict[str, Any]

NEWEST = 30
"""The maximum number of messages that `read_talk` shows."""

Seats = Annotated[list[Number], Field(max_length=6)]
Reason = Literal["no-time", "not-interested", "pace", "edition", "unspecified"]


class TableTools:
    """The tools: each method is a tool, and the model sees its arguments and the first line of its docstring."""

    def __init__(self, account: Account, changed: Callable[[Json, str], str]) -> None:
        """Offer tools that play for an account. `changed` returns a game as text, given the game and what was done."""
        self._account = account
        self._changed = changed

    def read_talk(self, game: Game) -> str:
        """Show the newest messages that you can read at a table, and mark them as read."""
        client = self._account.player()
        page = client.talk(game, NEWEST)
        client.mark_talk(game, page["next"])
        return talk_text(game, page)

    def say(
        self,
        game: Game,
        text: Annotated[str, Field(min_length=1, max_length=MESSAGE_LENGTH, description="The message, as plain text.")],
        seats: Annotated[
            Seats | None, Field(description="The seats that can read the message. By default, everybody can read it.")
        ] = None,
    ) -> str:
        """Write a message to the whole table, or privately to some seats. Promises are not binding."""
        message = self._account.player().say(game, text, seats or ())
        others = [str(seat) for seat in message["seats"] if seat != message["seat"]]
        readers = f"the seats {', '.join(others)}" if others else "everybody"
        return f"The message was sent to {readers}. Call read_talk for the replies."

    def show_cards(
        self,
        game: Game,
        cards: Annotated[
            list[Annotated[str, Field(max_length=40)]],
            Field(min_length=1, max_length=40, description="The keys of cards from your hand, such as mercenary-10."),
        ],
        seats: Annotated[Seats, Field(min_length=1, description="The seats that see the cards.")],
    ) -> str:
        """Show cards from your hand to other seats, if the game allows it. You keep the cards."""
        after = self._account.player().show_cards(game, cards, seats)
        return self._changed(after, "The cards were shown")

    def ask_to_end(
        self,
        game: Game,
        outcome: Annotated[
            Literal["none", "leaders"],
            Field(description="none: the game ends without a result; leaders: the seats that lead now win."),
        ],
    ) -> str:
        """Ask to end a running game, or agree to end it. The game ends when all players have asked to end it."""
        after = self._account.player().ask_to_end(game, outcome)
        return self._changed(after, "You have asked to end the game")

    def list_invitations(self) -> str:
        """List the invitations to games, and to rematches, that are waiting for your answer."""
        return invitations_text(self._account.player().invitations())

    def answer_invitation(
        self,
        game: Game,
        accept: Annotated[bool, Field(description="true: take a seat; false: decline.")],
        reason: Annotated[Reason, Field(description="Why you decline.")] = "unspecified",
    ) -> str:
        """Accept an invitation and take a seat in the game, or decline the invitation."""
        client = self._account.player()
        if accept:
            return self._changed(client.accept(game), f"You have joined game {game}")
        client.decline(game, reason)
        return f"You have declined the invitation to game {game}."

    def propose_rematch(
        self,
        game: Game,
        bot: Annotated[
            str | None,
            Field(
                max_length=40,
                description="The key of a bot that takes the seats of those who do not agree. By default, none.",
            ),
        ] = None,
    ) -> str:
        """Propose a rematch of a finished game, or agree to the rematch that was proposed."""
        rematch = self._account.player().rematch(game, bot)
        return self._changed(rematch, f"The rematch is game {rematch['id']}")
