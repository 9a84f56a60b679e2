"""The tools and resources of the MCP server.

Each tool does one thing through the HTTP API. If the API returns an error, the tool's error says what to do next.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import secrets
import time
from collections.abc import Iterable
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    CallToolResult,
    InputRequiredResult,
    Resource,
    TextContent,
    ToolAnnotations,
)
from pydantic import Field, ValidationError

from ..client import WAIT, Client, ClientError, NoServer, OtherServer, Refused, Unavailable
from ..interrupts import Interrupt
from ..watch import TOKEN
from .account import PLAYER, URL, Account, BadAccount
from .arguments import Edition, Game, Number, Since, Version, Which
from .table import TableTools
from .text import (
    NOTE,
    REASON_LENGTH,
    Words,
    clause_text,
    editions_text,
    game_text,
    games_text,
    quoted,
    rules_text,
    strength_text,
    turns_text,
)

Json = dict[str, Any]

NAME = "condottiere"
RULES = "condottiere://rules/"
"""The beginning of the URI of an edition's rules."""
PATIENCE = 50
"""The maximum number of seconds that one tool call may wait. Many MCP clients cancel a call after a minute."""
DETAIL, KEY = 300, 40
"""The maximum number of characters shown of a problem's detail, and of the problem's code, edition and clause."""
INSTRUCTIONS = f"""\
You play the board game Condottiere. Call list_games to see your games, list_editions and open_game to begin one \
against bots, or list_games with which="open" and join_game to play against people. Then repeat: call look, choose one \
of the numbered legal moves, and call move with its number and the version that look showed; call wait_for_turn while \
it is not your turn. read_clause explains the rules, and explain_strength explains the strength of a row. You may \
negotiate: read_talk and say are for messages, and show_cards shows cards from your hand. {NOTE}"""

UNUSABLE = f"could not use the service's response. Ask the user to check {URL} and the log of this server."
"""The error message of a tool or resource if the service's response has an unexpected shape."""
NEXT_STEPS = {
    "unknown-game": "Call list_games for the ids of games.",
    "unknown-edition": "Call list_editions for the keys of editions.",
    "wrong-seats": "Call list_editions for the numbers of seats.",
    "bad-option": "Leave out `options`, or read the clauses on options in the edition's rules.",
    "stale-version": "The game has changed. Call look, and choose a move again.",
    "not-seated": "You have no seat in this game. Call join_game, or list_games for the games in which you have one.",
    "not-your-turn": "Call wait_for_turn.",
    "game-not-started": "Call wait_for_turn until the other seats are taken.",
    "game-started": "Choose another game with list_games, or call open_game.",
    "game-over": "Call look for the result.",
    "game-cancelled": "Open or join another game.",
    "game-paused": "Ask the user: the game is paused until a player resumes it.",
    "no-invitation": "Call list_invitations.",
    "game-not-over": "Call wait_for_turn until the game is over.",
    "seat-without-player": "A bot has this seat. Leave out `seats` to write to everybody.",
    "private-talk-not-allowed": "Leave out `seats` to write to everybody.",
    "talk-not-allowed": "Play without talk: this game was opened without it.",
    "card-not-in-hand": "Call look for your hand.",
    "seat-with-bot": "Ask the user to take your seat back (POST /v1/games/ID/return).",
    "already-seated": "You already have a seat in this game. Call look.",
    "seat-taken": "Leave out `seat` to get any free seat.",
    "no-free-seat": "Choose another game with list_games, or call open_game.",
    "too-many-open-games": "Finish a game that you already have: call list_games.",
    "too-many-games": "Finish a game that you already have: call list_games.",
    "name-taken": f"Ask the user to set {PLAYER} to another name, or {TOKEN} to the token of that player.",
    "registration-closed": f"Ask the user to set {TOKEN} to the token of a player.",
    "registration-code-required": f"Ask the user to register, and to set {TOKEN} to the token.",
    "scope-missing": "Ask the user for a token with the scopes read and play.",
    "suspended": "Ask the user: the host has suspended this player.",
}
"""What to do about each problem, keyed by the problem's code."""

CHECKS = {
    "open_game": "The game may have been opened: call list_games before you open it again.",
    "join_game": "You may have the seat already: call look before you join again.",
    "move": "The move may have been made: call look before you move again.",
    "say": "The message may have been sent: call read_talk before you repeat it.",
    "show_cards": "The cards may have been shown: call look before you show them again.",
    "ask_to_end": "You may have asked already: call look before you ask again.",
    "answer_invitation": "The answer may have arrived: call list_invitations before you answer again.",
    "propose_rematch": "The rematch may have been proposed: call list_games before you propose it again.",
}
"""For each tool that changes something, by name: what to do if the service's response was lost."""

logger = logging.getLogger(__name__)


class Tools:
    """The tools: each method is a tool, and the model sees its arguments and the first line of its docstring."""

    def __init__(self, account: Account) -> None:
        """Offer tools that play for an account."""
        self._account = account
        self._words: dict[tuple[str, int], Words] = {}
        self._unsure: dict[str, str] = {}
        """The Idempotency-Key of each open-game request whose result is unknown, keyed by the request's arguments. If
        the model tries again, the request has the same key, so that no second game is opened.
        """

    def list_editions(self) -> str:
        """List the game's editions and the bots."""
        client = self._account.reader()
        return editions_text(client.editions(), client.bots())

    def list_games(
        self,
        which: Annotated[
            Which,
            Field(
                description="mine: your open and running games; open: games that you can join; running, finished: games"
                " that you can look at; substitute: running games with a seat that you can take."
            ),
        ] = "mine",
        cursor: Annotated[
            str | None, Field(pattern=r"^[A-Za-z0-9_-]{1,200}$", description="The cursor of the next page.")
        ] = None,
    ) -> str:
        """List games: your own, or games that you can join or watch."""
        client = self._account.player() if which == "mine" else self._account.reader()
        return games_text(client.games(status=which, **({} if cursor is None else {"cursor": cursor})))

    def open_game(
        self,
        edition: Edition,
        seats: Annotated[Number, Field(description="The number of seats. You get the first seat.")],
        bots: Annotated[
            Number | None,
            Field(
                description="The number of seats played by bots. By default, they play every seat except yours, so "
                "the game starts immediately."
            ),
        ] = None,
        bot: Annotated[str, Field(max_length=40, description="The key of the bot.")] = "steady",
        options: Annotated[
            dict[str, bool | int | str] | None,
            Field(description="Options of the edition that differ from the default."),
        ] = None,
    ) -> str:
        """Open a game, which starts when every seat is taken."""
        if bots is not None and bots >= seats:
            raise ToolError("`bots` must be lower than `seats`: you need a seat yourself.")
        if seats > 6:
            raise ToolError("`seats` must be at most 6. Call list_editions for the numbers of seats of each edition.")
        client = self._account.player()
        arguments = json.dumps([edition, seats, options or {}, bot, bots], sort_keys=True)
        key = self._unsure.pop(arguments, None) or secrets.token_hex(8)
        try:
            game = client.open_game(edition, seats, options or {}, bot, bots, key)
        except ClientError as error:
            if not isinstance(error, Refused):
                self._unsure[arguments] = key
            raise
        return self.changed(game, f"Game {game['id']} was opened")

    def join_game(
        self,
        game: Game,
        seat: Annotated[
            Number | None, Field(description="The seat that you want. By default, the first free seat.")
        ] = None,
    ) -> str:
        """Take a seat in a game that has not started, or a free seat in a running game."""
        joined = self._account.player().join(game, seat)
        return self.changed(joined, f"You have joined game {game}")

    def look(self, game: Game, since: Since = None) -> str:
        """Show a game: the position, your hand, and your legal moves with numbers."""
        return self._text(self._account.reader().look(game), since)

    def move(
        self,
        game: Game,
        number: Annotated[Number, Field(description="The number of one of the legal moves that `look` showed.")],
        version: Version,
    ) -> str:
        """Make one of the legal moves that `look` showed, chosen by its number."""
        client = self._account.player()
        before = client.look(game)
        if before["version"] != version:
            raise ToolError(
                f"The game is not at version {version}, so the numbers of its moves may have changed. Choose again:\n"
                + self._text(before, version if version < before["version"] else None)
            )
        if number >= len(before["moves"]):
            last = len(before["moves"]) - 1
            why = f"choose a number from 0 to {last}" if before["moves"] else "you have no legal moves now"
            raise ToolError(f"There is no move {number}: {why}.\n{self._text(before)}")
        after = client.move(game, version, before["moves"][number])
        return self.changed(after, f"The move was made; game {game} is at version {after['version']}", version)

    async def wait_for_turn(
        self,
        game: Annotated[Game | None, Field(description="The id of the game. By default, any of your games.")] = None,
        since: Since = None,
        seconds: Annotated[Number, Field(le=PATIENCE, description="The maximum number of seconds to wait.")] = WAIT,
    ) -> str:
        """Wait until it is your turn, the game is over, or the time has run out, and then show the game."""
        interrupt = Interrupt()
        try:
            return await asyncio.to_thread(self._wait, game, since, seconds, interrupt)
        finally:
            # If the call was cancelled, this ends the waiting request.
            interrupt.fire()

    def read_clause(
        self,
        edition: Edition,
        clause: Annotated[
            str,
            Field(
                pattern=r"^(\d{1,2}(\.\d{1,3})?)?$",
                description="The number of a clause, such as 4.3, or of a section, such as 4. If left out, you get"
                " the headings of all sections.",
            ),
        ] = "",
        revision: Annotated[
            Number | None, Field(description="The revision of the edition. By default, the newest revision.")
        ] = None,
    ) -> str:
        """Read a clause of an edition's rules."""
        rules = self._account.reader().rules(edition, revision)
        text = clause_text(rules, clause)
        if text is None:
            raise ToolError(f"There is no clause {clause}. Choose again:\n{clause_text(rules, '')}")
        return text

    def explain_strength(
        self,
        game: Game,
        seat: Annotated[
            Number | None, Field(description="The seat whose row to explain. By default, every row is explained.")
        ] = None,
    ) -> str:
        """Explain step by step how the strength of a row is calculated."""
        view = self._account.reader().look(game)
        if view["position"] is None:
            raise ToolError("The game has not started, so there are no rows. Call wait_for_turn.")
        if seat is not None and seat >= len(view["seated"]):
            raise ToolError(f"The game has the seats 0 to {len(view['seated']) - 1}. Choose one of them.")
        return strength_text(view, self._words_of(view), seat)

    def _wait(self, game: str | None, since: int | None, seconds: int, interrupt: Interrupt) -> str:
        """Wait for a turn and return the game as text. Raises: ClientError, for example if `interrupt` is fired."""
        until = time.monotonic() + seconds
        with interrupt:
            client = self._account.player()
            if game is None:
                return _wait_for_any(client, until, interrupt)
            view = client.look(game)
            seen = view["version"] if since is None else since
            while view["status"] in ("open", "running") and not view["moves"] and (left := _seconds_left(until)):
                if not client.events(game, view["version"], left)["commits"]:
                    _pause(until, interrupt)
                view = client.look(game)
            return self._text(view, seen)

    def changed(self, game: Json, done: str, since: int | None = None) -> str:
        """Return a game as text after a change. If the game cannot be shown, return what was done."""
        try:
            return self._text(game, since)
        except ClientError as error:
            why = _short(error.code) if isinstance(error, Refused) else error
            return f"{done}. It cannot be shown now ({why}). Do not repeat the call: call look with game {game['id']}."

    def _text(self, game: Json, since: int | None = None) -> str:
        """Return a game as text, with the events since a version. `since` must not be later than the game's version."""
        news: list[Json] = []
        if since is not None and since < game["version"]:
            commits = self._account.reader().events(game["id"], since, 0)["commits"]
            news = [commit for commit in commits if commit["seq"] <= game["version"]]
        return game_text(game, self._words_of(game), news)

    def _words_of(self, game: Json) -> Words:
        key = game["edition"], game["revision"]
        if key not in self._words:
            self._words[key] = Words(self._account.reader().edition(*key))
        return self._words[key]


def _wait_for_any(client: Client, until: float, interrupt: Interrupt) -> str:
    """Wait until a game is waiting for the player."""
    inbox = client.turns()
    while not inbox["turns"] and (left := _seconds_left(until)):
        inbox = client.turns(inbox["next"], left)
        if not inbox["turns"]:
            _pause(until, interrupt)
    if inbox["turns"]:
        return turns_text(inbox)
    return "No game is waiting for you. Call wait_for_turn again, or list_games."


def _seconds_left(until: float) -> int:
    """Return the number of seconds that one request may wait, rounded up, or 0 if the time has run out."""
    return max(0, min(WAIT, math.ceil(until - time.monotonic())))


def _pause(until: float, interrupt: Interrupt) -> None:
    """Wait a second, or until the time runs out, because a service may end a long poll early, without new data."""
    interrupt.wait(max(0.0, min(1.0, until - time.monotonic())))


class Server(MCPServer[None]):
    """The MCP server: its tools report errors that say what to do next, and each edition's rules are a resource."""

    def __init__(self, account: Account, version: str) -> None:
        """Offer the tools for an account."""
        super().__init__(NAME, instructions=INSTRUCTIONS, version=version, log_level="WARNING")
        self._account = account
        tools = Tools(account)
        table = TableTools(account, tools.changed)
        reads = (
            tools.list_editions,
            tools.list_games,
            tools.look,
            tools.wait_for_turn,
            tools.read_clause,
            tools.explain_strength,
            table.list_invitations,
        )
        writes = (
            tools.open_game,
            tools.join_game,
            tools.move,
            table.read_talk,
            table.say,
            table.show_cards,
            table.ask_to_end,
            table.answer_invitation,
            table.propose_rematch,
        )
        for tool in (*reads, *writes):
            hints = ToolAnnotations(read_only_hint=tool in reads, destructive_hint=False)
            self.add_tool(tool, annotations=hints, structured_output=False)
        self.resource(f"{RULES}{{edition}}", name="rules", title="Rules of an edition", mime_type="text/markdown")(
            self._rules
        )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises: ToolError, whose message says what to do next."""
        try:
            result = await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise ToolError(self._account.hide(self._explain(name, error))) from None
        if isinstance(result, CallToolResult):
            for content in result.content:
                if isinstance(content, TextContent):
                    content.text = self._account.hide(content.text)
        return result

    async def list_resources(self) -> list[Resource]:
        """List the editions' rules, one resource for each edition. Raises: `MCPError`."""
        try:
            editions = await asyncio.to_thread(self._account.reader().editions)
            return [
                Resource(
                    uri=f"{RULES}{one['key']}",
                    name=one["key"],
                    title=f"Rules of {one['title']}, {one['publisher']} {one['year'] or ''}".rstrip(),
                    mime_type="text/markdown",
                )
                for one in editions["editions"]
            ]
        except ClientError as error:
            raise MCPError(INTERNAL_ERROR, self._account.hide(advice(error))) from None
        except (LookupError, TypeError, ValueError):
            logger.exception("resources: unexpected error")
            raise MCPError(INTERNAL_ERROR, f"The resources {UNUSABLE}") from None

    def _rules(self, edition: str) -> str:
        """Return an edition's rules, clause by clause."""
        # The key becomes part of a URL path.
        if not re.fullmatch("[a-z0-9-]{1,40}", edition):
            raise ResourceNotFoundError(f"unknown-edition: {NEXT_STEPS['unknown-edition']}")
        try:
            return self._account.hide(rules_text(self._account.reader().rules(edition)))
        except Refused as error:
            raise ResourceNotFoundError(self._account.hide(advice(error))) from None
        except ClientError as error:
            raise ResourceError(self._account.hide(advice(error))) from None
        except (LookupError, TypeError, ValueError):
            logger.exception("rules: unexpected error")
            raise ResourceError(f"The rules {UNUSABLE}") from None

    def _explain(self, name: str, error: ToolError) -> str:
        """Return what went wrong in a tool, and what to do next."""
        match error.__cause__:
            case ValidationError() as cause:
                return f"{name}: {'; '.join(_faults(cause))}. Correct the arguments, and call {name} again."
            case ClientError() as cause:
                return advice(cause, CHECKS.get(name))
            case BadAccount() as cause:
                return f"{cause}. Ask the user to correct the settings of this server."
            case ToolError() as cause:
                return str(cause)
        if isinstance(error, UnexpectedToolError):
            logger.error("%s: unexpected error", name, exc_info=error.__cause__)
            return " ".join(filter(None, [f"{name} {UNUSABLE}", CHECKS.get(name)]))
        return f"{error}. Call one of: {', '.join(tool.name for tool in self._tool_manager.list_tools())}."


def _faults(error: ValidationError) -> Iterable[str]:
    """Yield what is wrong with each argument, without repeating the values."""
    for fault in error.errors(include_input=False, include_url=False):
        yield f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"


def advice(error: ClientError, check: str | None = None) -> str:
    """Return what went wrong at the service, and what to do next.

    `check` says what a model must do first if the request may have changed something.
    """
    match error:
        case NoServer():
            first = f" {check}" if check else ""
            return f"{error}.{first} Ask the user to start the service, or to correct {URL}."
        case Unavailable(seconds=seconds):
            pause = "in a few seconds" if seconds is None else f"in {seconds:.0f} seconds"
            return f"{error}. Continue {pause}. {check}" if check else f"{error}. Call the tool again {pause}."
        case OtherServer():
            first = f" {check}" if check else ""
            return f"{error}.{first} Ask the user to correct {URL}."
        case Refused():
            code = _short(error.code)
            # A reason comes from the host and replaces the problem's detail.
            if reason := error.problem.get("reason"):
                return f"{code}: the host gave the reason {quoted(reason, REASON_LENGTH)}. {_next_step(error)} {NOTE}"
            detail = str(error.problem.get("detail"))[:DETAIL].rstrip(".")
            return f"{code}: {detail}. {_next_step(error)}"
    return str(error)


def _next_step(error: Refused) -> str:
    if error.status == 401:
        return f"Ask the user to correct {TOKEN} or the token file of this server."
    if "clause" in error.problem:
        edition, clause = _short(error.problem.get("edition")), _short(error.problem["clause"])
        return f"Call read_clause with edition {edition} and clause {clause}, or look for your legal moves."
    return NEXT_STEPS.get(error.code, "Correct the arguments, or call look.")


def _short(key: object) -> str:
    """Return a key that the service sent, cut to the maximum length of a key."""
    return str(key)[:KEY]


def run(account: Account, version: str) -> None:
    """Serve on standard input and output until the input ends."""
    Server(account, version).run("stdio")
