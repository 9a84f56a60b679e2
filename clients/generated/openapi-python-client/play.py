"""Play a whole game against two bots: `python play.py URL`."""

import random
import secrets
import sys

from condottiere_api import AuthenticatedClient, Client
from condottiere_api.api.games import get_game, open_game
from condottiere_api.api.moves import make_move
from condottiere_api.api.players import register_player
from condottiere_api.models import BotSeat, Game, Opening, Problem, Registered, Registration
from httpx import Timeout

WAIT = 25
url = sys.argv[1]

name = f"Caterina-{secrets.token_hex(4)}"
player = register_player.sync(client=Client(url), body=Registration(name=name))
assert isinstance(player, Registered), player
client = AuthenticatedClient(url, token=player.token, timeout=Timeout(WAIT + 10))
bots = [BotSeat(seat=1, bot="steady"), BotSeat(seat=2, bot="steady")]
game = open_game.sync(client=client, body=Opening(edition="zman-2018", seats=3, bots=bots))
assert isinstance(game, Game), game
moves = 0
while game.status == "running":
    if game.moves:
        version = f'"{game.version}"'
        answer = make_move.sync(game.id, client=client, body=random.choice(game.moves), if_match=version)
        assert not isinstance(answer, Problem), answer
        moves += 1
    else:
        # get_events() would raise an exception for an event of a type that a later release has added.
        after = {"after": game.version, "wait": WAIT}
        client.get_httpx_client().get(f"/v1/games/{game.id}/events", params=after)
    game = get_game.sync(game.id, client=client)
    assert isinstance(game, Game), game
assert game.result
print(f"{moves} moves; the winners are the seats {game.result.winners}")
