import random
import sys

from condottiere_client import Client

with Client.register(sys.argv[1], sys.argv[2]) as client:
    game = client.open_game(edition="zman-2018-duel", seats=2, bots=[{"seat": 1, "bot": "steady"}])
    for turn in client.turns(game["id"]):
        turn.play(random.choice(turn.view["moves"]))
    print(client.game(game["id"])["result"])
