"""Play a whole game against two bots: `python play.py URL`."""

import random
import secrets
import sys

from condottiere_api import (
    ApiClient,
    BotSeat,
    Configuration,
    EventsApi,
    GamesApi,
    MovesApi,
    Opening,
    PlayersApi,
    Registration,
)

WAIT = 25
url = sys.argv[1]

with ApiClient(Configuration(host=url)) as client:
    name = f"Caterina-{secrets.token_hex(4)}"
    client.configuration.access_token = PlayersApi(client).register_player(Registration(name=name)).token
    games, moves, events = GamesApi(client), MovesApi(client), EventsApi(client)
    bots = [BotSeat(seat=1, bot="steady"), BotSeat(seat=2, bot="steady")]
    game = games.open_game(Opening(edition="zman-2018", seats=3, bots=bots))
    made = 0
    while game.status == "running":
        if game.moves:
            moves.make_move(f'"{game.version}"', game.id, random.choice(game.moves))
            made += 1
        else:
            # get_events() would raise an exception for an event of a type that a later release has added.
            events.get_events_without_preload_content(game.id, after=game.version, wait=WAIT).read()
        game = games.get_game(game.id)
assert game.result
print(f"{made} moves; the winners are the seats {game.result.winners}")
