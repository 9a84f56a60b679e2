// Play a whole game against two bots: `tsx play.ts URL`.
import { getEvents, getGame, makeMove, openGame, registerPlayer } from "./generated";
import { client } from "./generated/client.gen";

client.setConfig({ baseUrl: process.argv[2] });
const throwOnError = true;

const name = `Caterina-${crypto.randomUUID().slice(0, 8)}`;
const { data: player } = await registerPlayer({ body: { name }, throwOnError });
client.setConfig({ auth: player.token });

const bots = [{ seat: 1, bot: "steady" }, { seat: 2, bot: "steady" }];
let { data: game } = await openGame({ body: { edition: "zman-2018", seats: 3, bots }, throwOnError });
const path = { game_id: game.id };
let moves = 0;
while (game.status === "running") {
  if (game.moves.length > 0) {
    const move = game.moves[Math.floor(Math.random() * game.moves.length)];
    await makeMove({ path, headers: { "If-Match": `"${game.version}"` }, body: move, throwOnError });
    moves += 1;
  } else {
    await getEvents({ path, query: { after: game.version, wait: 25 }, throwOnError });
  }
  ({ data: game } = await getGame({ path, throwOnError }));
}
console.log(`${moves} moves; the winners are the seats ${game.result?.winners}`);
