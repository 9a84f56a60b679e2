// Play a whole game against two bots: `tsx play.ts URL`.
import { getEvents, getGame, makeMove, openGame, registerPlayer } from "./generated/api";

process.env.CONDOTTIERE_URL = process.argv[2];

const name = `Caterina-${crypto.randomUUID().slice(0, 8)}`;
const player = await registerPlayer({ name }, {});
const options = { headers: { Authorization: `Bearer ${player.token}` } };

const bots = [{ seat: 1, bot: "steady" }, { seat: 2, bot: "steady" }];
let game = await openGame({ edition: "zman-2018", seats: 3, bots }, {}, options);
let moves = 0;
while (game.status === "running") {
  if (game.moves.length > 0) {
    const move = game.moves[Math.floor(Math.random() * game.moves.length)];
    await makeMove(game.id, move, { "If-Match": `"${game.version}"` }, {}, options);
    moves += 1;
  } else {
    await getEvents(game.id, { after: game.version, wait: 25 }, {}, options);
  }
  game = await getGame(game.id, {}, {}, options);
}
console.log(`${moves} moves; the winners are the seats ${game.result?.winners}`);
