import { Client } from "condottiere-client";

const client = await Client.register(process.argv[2], `Bot-${Date.now() % 1e9}`);
const game = await client.openGame({ edition: "zman-2018-duel", seats: 2, bots: [{ seat: 1, bot: "steady" }] });
const choose = ({ moves }) => moves[Math.floor(Math.random() * moves.length)];
for await (const turn of game.turns()) await turn.play(choose(turn.view));
const { status, result } = await game.get();
console.log(status, JSON.stringify(result));
