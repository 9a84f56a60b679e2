"""Rematches: the players of a finished game can play again, with the same settings and rotated seats.

The first player who asks for a rematch opens the new game. The new game's id is derived from the finished game's id.
Therefore, if several players ask at the same time, or a request is repeated after a crash, the requests lead to the
same game. Every other player's seat is reserved until that player agrees or declines, or until the time to answer runs
out. If a player asks for a rematch that already exists, the request counts as agreement.

The references between the two games are stored outside their logs, so the finished game's log, record and ETag do not
change.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from engine.bots import BOTS

from ..games.access import is_private
from ..games.events import Event, bot_seated
from ..games.game import Game, StartedGame
from ..games.repository import Answer, Games, load
from ..games.table import CANCELLED, OPEN, OVER
from ..idempotency import Attempt
from ..play import seating
from ..play.attempts import change_once
from ..play.guards import seat_of
from ..play.seating import Opening, Rematch, with_start
from ..problems import Problem
from ..store.keys import game_id_from
from ..store.tables import StoredTable, new_link
from ..timekeeping.deadlines import current
from . import invitations
from .invitations import REMATCH, SECOND, new_invitation

USUAL_BOT = "steady"
"""The bot that replaces a bot that this release no longer has."""


def propose(
    games: Games, game_id: str, player: str, bot: str | None, seconds: int, attempt: Attempt | None = None
) -> Answer:
    """Propose a rematch of a finished game, or agree to an existing proposal. Return the new game.

    After `seconds`, `bot` gets the seats of all players who have not agreed. The seat of a player who declines goes to
    `bot` immediately. If `bot` is None, anybody can take these seats. Raises: Problem (not-seated, game-not-over,
    no-rematch, and the problems of `seating.open_game` and `seating.join`), StoreError.
    """
    over = _require_over(current(games, game_id), player)
    stored = games.store.tables.read(game_id)
    number, rematch = max(1, stored.rematches), None
    while rematch is None:
        new_id = id_of(games, game_id, number)
        opening, table = _opening(games, over, stored, player, bot, games.now() + seconds * SECOND)
        opened = stored.rematches < number and seating.open_rematch(
            games, player, opening, Rematch(new_id, table), attempt
        )
        rematch = load(games, new_id)
        if not opened and rematch.status == CANCELLED:
            number, rematch = number + 1, None
    games.store.tables.note_rematch(game_id, number, new_id)
    if rematch.table.seat_of(player) is None:
        return _agree(games, rematch, player, attempt)
    if rematch.table.opened.owner == player and rematch.status == OPEN:
        _ask_others(games, rematch, player)
        settle(games, rematch.id)
        rematch = load(games, rematch.id)
    return Answer(rematch, repeated=attempt is not None and attempt.begun)


def decline(games: Games, game_id: str, player: str, reason: str, attempt: Attempt | None = None) -> None:
    """Decline an invitation. Declining an invitation to a rematch also ends the reservation of the player's seat.

    Raises: Problem (no-invitation), StoreError.
    """
    invitation = invitations.decline(games, game_id, player, reason, attempt)
    if invitation["kind"] == REMATCH:
        settle(games, game_id)


def settle(games: Games, game_id: str) -> None:
    """If the proposer chose a bot, give this bot every free seat that is no longer reserved.

    Raises: Problem, StoreError.
    """
    stored, now = games.store.tables.read(game_id), games.now()
    bot = stored.bot
    if bot is not None and bot in BOTS:
        reserved = set(stored.reserved.values()) if stored.reserved_until > now else set[int]()

        def fill(game: Game) -> Sequence[Event]:
            free = [seat for seat in game.table.free_seats if seat not in reserved] if game.status == OPEN else []
            return with_start(game, [bot_seated(seat, bot) for seat in free]) if free else []

        change_once(games, game_id, load(games, game_id).table.opened.owner, None, fill)
    if stored.reserved_until <= now:
        games.store.tables.end_proposal(game_id)


def id_of(games: Games, game_id: str, number: int) -> str:
    """Return the id of a game's rematch. `number` counts the game's rematches from 1. Raises: StoreError."""
    data = f"rematch\n{game_id}\n{number}".encode()
    return game_id_from(hmac.digest(games.store.secret.read(), data, "sha256"), private=is_private(game_id))


def _require_over(game: Game, player: str) -> StartedGame:
    """Return the game, after checking that it has ended and that the player has a seat in it. Raises: Problem."""
    seat_of(game, player)
    if game.status not in OVER:
        raise Problem("game-not-over", "the game is not over yet: wait until it ends", game=game.id)
    if not isinstance(game, StartedGame):
        raise Problem("no-rematch", "this game was cancelled before it started: open another game", game=game.id)
    return game


def _opening(
    games: Games, over: StartedGame, stored: StoredTable, proposer: str, bot: str | None, until: int
) -> tuple[Opening, StoredTable]:
    """Return a rematch's settings and its table data. Each player moves to the next seat."""
    opened, seats = over.table.opened, len(over.table.seats)
    rotated = {(number + 1) % seats: seat for number, seat in enumerate(over.table.seats)}
    players = {seat.player: number for number, seat in rotated.items() if seat.player is not None}
    accounts = {player: games.store.players.get(player) for player in players if player != proposer}
    gone = {player for player, account in accounts.items() if account is None or not account.name}
    clock = over.table.clock
    opening = Opening(
        edition=opened.edition,
        options=opened.options,
        seats=seats,
        bots={
            number: seat.bot if seat.bot in BOTS else USUAL_BOT
            for number, seat in rotated.items()
            if seat.player is None and seat.bot is not None
        },
        start="auto",
        entropy=b"",
        seed=None,
        clock=None if clock is None else clock.settings,
        hints=over.table.hints,
        showing=over.table.showing,
        talk=over.table.talk,
        private=is_private(over.id),
        title=stored.title,
        owner_seat=players[proposer],
    )
    return opening, StoredTable(
        title=stored.title,
        link=new_link() if opening.private else None,
        rematch_of=over.id,
        reserved={player: seat for player, seat in players.items() if player not in {proposer, *gone}},
        reserved_until=until,
        bot=bot,
    )


def _agree(games: Games, rematch: Game, player: str, attempt: Attempt | None) -> Answer:
    """Give a player the seat that an existing rematch reserves for that player. Raises: Problem."""
    if rematch.status != OPEN:
        raise Problem(
            "no-rematch",
            "the rematch of this game has already started without you: open another game",
            game=rematch.id,
        )
    seat = games.store.tables.read(rematch.id).reserved.get(player)
    wanted = seat if seat in rematch.table.free_seats else None
    try:
        return seating.join(games, rematch.id, player, wanted, b"", attempt)
    except Problem:
        # Another request from the same player may have agreed to the rematch in the meantime.
        now = load(games, rematch.id)
        if now.table.seat_of(player) is None:
            raise
        return Answer(now, repeated=False)


def _ask_others(games: Games, rematch: Game, proposer: str) -> None:
    """Invite the players for whom seats are reserved, except players who have already been invited."""
    stored = games.store.tables.read(rematch.id)
    now = games.now()
    for player, seat in stored.reserved.items():
        if rematch.table.seat_of(player) is None and stored.reserved_until > now:
            invitations.store_invitation(
                games,
                new_invitation(
                    rematch.id,
                    player,
                    proposer,
                    now,
                    stored.reserved_until,
                    kind=REMATCH,
                    seat=seat,
                    rematch_of=stored.rematch_of,
                ),
            )
