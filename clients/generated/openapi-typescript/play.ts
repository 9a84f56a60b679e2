// Play a whole game against two bots: `tsx play.ts URL`.
import createClient from "openapi-fetch";
import type { paths } from "./generated/schema";

const api = createClient<paths>({ baseUrl: process.argv[2] });

function successful<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const name = `Caterina-${crypto.randomUUID().slice(0, 8)}`;
const { token } = successful(await api.POST("/v1/players", { body: { name } }));
api.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${token}`) });

const bots = [{ seat: 1, bot: "steady" }, { seat: 2, bot: "steady" }];
let game = successful(await api.POST("/v1/games", { body: { edition: "zman-2018", seats: 3, bots } }));
const path = { game_id: game.id };
let moves = 0;
while (game.status === "running") {
  if (game.moves.length > 0) {
    const move = game.moves[Math.floor(Math.random() * game.moves.length)];
    const header = { "If-Match": `"${game.version}"` };
    successful(await api.POST("/v1/games/{game_id}/moves", { params: { path, header }, body: move }));
    moves += 1;
  } else {
    const query = { after: game.version, wait: 25 };
    successful(await api.GET("/v1/games/{game_id}/events", { params: { path, query } }));
  }
  game = successful(await api.GET("/v1/games/{game_id}", { params: { path } }));
}
console.log(`${moves} moves; the winners are the seats ${game.result?.winners}`);
