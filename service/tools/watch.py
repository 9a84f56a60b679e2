"""`condottiere watch`: follows a game in the terminal, from its first commit until it ends.

A game's stream may end at any time. The next stream begins after the last commit that was printed, so no commit is
missed or printed twice. While the service is unreachable, the pauses between attempts become longer.
"""

from __future__ import annotations

import re
import time
from random import uniform
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape

from .client import Client, ClientError, NoServer, Refused, Unavailable
from .narration import Narrator

Json = dict[str, Any]

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds between two attempts to reach the service. Each pause is about twice as long as the previous pause."""
GIVE_UP = 600.0
"""Seconds without a response after which `watch` stops trying."""
TOKEN = "CONDOTTIERE_TOKEN"
"""The environment variable that may contain the caller's token."""

_ADDRESS = re.compile(
    r"(https?://[^/?#@\s]+(?:/[^?#\s]*?)??)(?:/v1)?(?:/games/([0-9a-z]+)(?:/events(?:/stream)?)?)?/*(?:[?#]\S*)?"
)
_TOKEN = re.compile(r"[!-~]+")


class WatchError(Exception):
    """The game cannot be followed. The message tells the user what to do."""


class BadAddress(WatchError):
    """The arguments do not name a game, or the token is malformed."""


class Watched(NamedTuple):
    """A game to follow: the URL of its service, and its id."""

    url: str
    game: str


def read_address(url: str, game: str | None) -> Watched:
    """Return the game that the arguments name, either by a service's URL and an id or by the game's own URL.

    Raises: BadAddress.

    >>> read_address("http://127.0.0.1:8000/v1/games/17abc", None)
    Watched(url='http://127.0.0.1:8000', game='17abc')
    >>> read_address("https://example.org/play/", "17abc")
    Watched(url='https://example.org/play', game='17abc')
    """
    found = _ADDRESS.fullmatch(url)
    if found is None:
        raise BadAddress("URL must be the address of a service, such as http://127.0.0.1:8000, or of a game")
    game_id = found[2] if game is None else game
    if game_id is None:
        raise BadAddress("name the game: condottiere watch URL GAME, or the game's full URL")
    if not re.fullmatch("[0-9a-z]+", game_id):
        raise BadAddress("GAME must be a game id: lower-case letters and digits")
    return Watched(found[1], game_id)


def read_token(text: str) -> str | None:
    """Return the token in a string, or None if the string is empty.

    Raises: BadAddress, whose message does not repeat the string.
    """
    token = text.strip()
    if token and not _TOKEN.fullmatch(token):
        raise BadAddress("the token must be one word of ASCII characters, as the service showed it")
    return token or None


def watch(watched: Watched, token: str | None, output: Console, notes: Console) -> Json:
    """Print a game until it ends, and return its last view. Messages about lost connections go to `notes`.

    Raises: WatchError.
    """
    client = Client(watched.url, token)
    try:
        game = client.look(watched.game)
        edition = client.edition(game["edition"])
        narrator = Narrator(output, edition, [f"seat {seat['seat']}" for seat in game["seated"]])
        narrator.announce(game)
        game = _follow(client, watched.game, narrator, notes)
    except ClientError as error:
        raise WatchError(f"{error}: {_advice(error, watched, token)}") from None
    except (LookupError, TypeError) as error:
        raise WatchError(f"{watched.url} does not respond like a Condottiere server: check the URL") from error
    if game["status"] == "finished":
        narrator.conclude(game)
    else:
        narrator.conclude_cancelled(game)
    return game


def _follow(client: Client, game: str, narrator: Narrator, notes: Console) -> Json:
    """Print a game until it ends, opening as many streams as needed. Return its last view. Raises: ClientError."""
    seen, pauses = 0, _Pauses()
    while True:
        error: Unavailable | None = None
        try:
            for commit in client.follow(game, seen):
                pauses = _Pauses()
                if commit is not None:
                    seen = commit["seq"]
                    narrator.narrate(commit["events"], table=True)
            view = client.look(game)
            if view["status"] in ("finished", "cancelled") and view["version"] <= seen:
                return view
        except Unavailable as lost:
            error = lost
        seconds = pauses.next(error)
        if error is not None:
            notes.print(f"{escape(str(error))}; trying again in {seconds:.0f} s", highlight=False, soft_wrap=True)
        time.sleep(seconds)


class _Pauses:
    """The growing pauses between attempts to reach a service. The pauses are short again once the service responds."""

    def __init__(self) -> None:
        self._pause = FIRST_PAUSE
        self._since: float | None = None

    def next(self, error: Unavailable | None) -> float:
        """Return the seconds until the next attempt.

        Raises: `error` if no server has responded for `GIVE_UP` seconds.
        """
        if error is not None:
            now = time.monotonic()
            self._since = now if self._since is None else self._since
            if now - self._since > GIVE_UP:
                raise error
        seconds = self._pause * uniform(0.8, 1.2)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return max(seconds, (error and error.seconds) or 0.0)


def _advice(error: ClientError, watched: Watched, token: str | None) -> str:
    """Return advice on what to do about an error."""
    match error:
        case NoServer():
            return "check the URL, or start the service with `condottiere serve`"
        case Unavailable():
            return "run the command again later"
        case Refused(code="unknown-game"):
            return f"{watched.url}/v1/games?status=running lists the running games"
        case Refused(status=401 | 403) if token is not None:
            return f"check the token in {TOKEN} or --token-file, or watch as a spectator without a token"
        case Refused():
            return "check the URL and the id of the game"
    return "check the URL"
