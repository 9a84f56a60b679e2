import asyncio
import random
import sys

from condottiere_client import AsyncClient


async def main() -> None:
    async with await AsyncClient.register(sys.argv[1], sys.argv[2]) as client:
        game = await client.open_game(edition="zman-2018-duel", seats=2, bots=[{"seat": 1, "bot": "steady"}])
        async for turn in client.turns(game["id"]):
            await turn.play(random.choice(turn.view["moves"]))
        print((await client.game(game["id"]))["result"])


asyncio.run(main())
