// Play a whole game against two bots: `tsx play.ts URL`.
import { Configuration, EventsApi, GameFromJSON, GamesApi, MovesApi, PlayersApi } from "./generated";

const basePath = process.argv[2];
const name = `Caterina-${crypto.randomUUID().slice(0, 8)}`;
const players = new PlayersApi(new Configuration({ basePath }));
const { token } = await players.registerPlayer({ registration: { name } });

const configuration = new Configuration({ basePath, accessToken: token });
const [games, moves, events] = [new GamesApi(configuration), new MovesApi(configuration), new EventsApi(configuration)];
const bots = [{ seat: 1, bot: "steady" }, { seat: 2, bot: "steady" }];
let game = await games.openGame({ opening: { edition: "zman-2018", seats: 3, bots } });
const gameId = game.id;
let made = 0;
while (game.status === "running") {
  if (game.moves.length > 0) {
    const move = game.moves[Math.floor(Math.random() * game.moves.length)];
    // makeMove() takes every response for that of a dry run.
    const { raw } = await moves.makeMoveRaw({ gameId, ifMatch: `"${game.version}"`, move });
    game = GameFromJSON(await raw.json());
    made += 1;
  } else {
    await events.getEvents({ gameId, after: game.version, wait: 25 });
    game = await games.getGame({ gameId });
  }
}
console.log(`${made} moves; the winners are the seats ${game.result?.winners}`);
