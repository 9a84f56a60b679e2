"""Moves in a record: the moves of players and bots, and the moves that the server makes for vacant seats."""

from __future__ import annotations

from engine import Command, EngineError, Event, State, advance, command_of, legal_commands, view_for
from engine.bots import Situation, bot_of, least_committing

from ..games.events import game_events
from ..games.game import ABSENT, Snapshot
from .checks import Case, Cause, Commit, is_paused, name_of, require_author
from .report import UncheckedBot, Wrong


def move(case: Case) -> Cause:
    """Return the events that a move must produce, and the position after them.

    The move is made by a player, by a bot, or by the server for a vacant seat. Raises: Wrong.
    """
    game, state, histories, commit, _, searches = case
    if is_paused(game):
        raise Wrong("clock", "a move was made while the game was paused", 0)
    seat = state.turn
    holder = game.table.seats[seat]
    author = f"bot:{seat}" if holder.bot is not None else holder.player or f"{ABSENT}:{seat}"
    require_author(commit, author)
    command = _command(commit)
    events, after = decided(state, command, game)
    if holder.bot is not None:
        revision = 1 if holder.revision is None else holder.revision
        bot = bot_of(holder.bot, revision)
        if bot is not None and bot.searches and not searches:
            bot = None
        if bot is not None:
            history = histories[seat] if bot.uses_history else ()
            random = game.chance.bot_random(game.version)
            chosen = bot.choose(Situation(view_for(state, seat), history, random, bot.iterations))
            _require_choice(f"the bot {holder.bot} (revision {revision})", command, chosen)
        return Cause(events, after, UncheckedBot(holder.bot, revision), repeated=bot is not None)
    if holder.player is None:
        _require_choice("the server, moving for a vacant seat,", command, least_committing(legal_commands(state)))
    return Cause(events, after)


def decided(state: State, command: Command, game: Snapshot) -> tuple[list[Event], State]:
    """Return the events that follow from a command, and the position after them. Raises: Wrong."""
    after = state.copy()
    try:
        return advance(after, command, game.chance), after
    except EngineError as error:
        raise Wrong("command", f"the rules do not allow this move: {error}", 0) from None


def _command(commit: Commit) -> Command:
    first = commit.events[0]
    command = command_of(game_events([first])[0])
    if command is None:
        raise Wrong("command", f"no move can begin with the event {name_of(first)}", 0)
    return command


def _require_choice(who: str, command: Command, chosen: Command) -> None:
    if command != chosen:
        raise Wrong("bot", f"{who} would have chosen {chosen}, not {command}", 0)
