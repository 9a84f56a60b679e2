import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, NotFound, type Problem, Refused, Unauthorized } from "../src/index.js";
import { fake, game, json, lost, refusal } from "./fake.js";

const inbox = (next: string, ...games: string[]) => json({ turns: games.map((id) => ({ game: id, version: 3 })), next });

test("turns come from one long poll for all games, with the view of each", async (t) => {
  const service = await fake(
    t, inbox("n1", "g1", "g2"), json(game(3)), json(game(4), 201), json(game(5, { moves: [] })), inbox("n2", "g3"), json(game(9)),
  );
  for await (const turn of new Client(service.url, "token", service.options).turns()) {
    if (turn.view.version === 9) break;
    assert.equal((await turn.play(turn.view.moves[0]!))?.version, 4);
  }
  assert.deepEqual(service.seen.map(({ method, url }) => `${method} ${url}`), [
    "GET /v1/me/turns", "GET /v1/games/g1", "POST /v1/games/g1/moves", "GET /v1/games/g2", "GET /v1/me/turns?after=n1&wait=25",
    "GET /v1/games/g3",
  ]);
  const { headers, body } = service.seen[2]!;
  assert.deepEqual([headers["if-match"], body], ['"3"', '{"type":"pass"}']);
});

for (const [status, code] of [[412, "stale-version"], [409, "not-your-turn"], [409, "game-over"], [409, "seat-with-bot"], [403, "not-seated"]] as const)
  test(`a turn that is over is skipped: ${code}`, async (t) => {
    const service = await fake(t, inbox("n1", "g1"), json(game(3)), refusal(status, code), inbox("n2", "g1"), json(game(6)));
    const played = [];
    for await (const turn of new Client(service.url, "token", service.options).turns()) {
      if (turn.view.version === 6) break;
      played.push(await turn.play({ type: "pass" }));
    }
    assert.deepEqual(played, [null]);
  });

test("a move that the rules forbid throws an error with the clause", async (t) => {
  const service = await fake(t, inbox("n1", "g1"), json(game(3)), refusal(409, "card-not-in-hand", { clause: "4.3" }));
  await assert.rejects(
    async () => {
      for await (const turn of new Client(service.url, "token").turns()) await turn.play({ type: "play-card", card: "heroine" });
    },
    (error) => error instanceof Refused && error.clause === "4.3",
  );
});

test("once connected, a loop survives any failure of the service, and a move is made only once", async (t) => {
  const away = Array(9).fill(lost);
  const service = await fake(t, inbox("n1", "g1"), ...away, json(game(3)), ...away, json(game(4), 201), ...away, inbox("n2", "g2"), json(game(9)));
  for await (const turn of new Client(service.url, "token", service.options).turns()) {
    if (turn.view.version === 9) break;
    await turn.play({ type: "pass" });
  }
  const keys = service.seen.filter(({ method }) => method === "POST").map(({ headers }) => headers["idempotency-key"]);
  assert.deepEqual([keys.length, new Set(keys).size], [10, 1]);
  assert.ok(Math.max(...service.waits) <= 30_000);
});

test("a loop that never connected fails, and so does a loop whose token was replaced", async (t) => {
  const away = await fake(t, lost);
  await assert.rejects(new Client(away.url, "token", away.options).turns().next());
  assert.equal(away.seen.length, 7);
  const service = await fake(t, inbox("n1"), refusal(401, "token-unknown"));
  await assert.rejects(new Client(service.url, "token", service.options).turns().next(), Unauthorized);
});

for (const [status, code] of [[500, "corrupt-log"], [500, "corrupt-data"], [500, "unknown-format"], [508, "loop-detected"], [404, "unknown-game"]] as const)
  test(`a game that cannot be read does not block the other games: ${code}`, async (t) => {
    const service = await fake(
      t, inbox("n1", "bad", "good"), refusal(status, code), json(game(3)), json(game(4), 201), inbox("n2", "bad"), refusal(status, code),
      inbox("n3", "good"), json(game(9)),
    );
    const skipped: unknown[] = [];
    const onError = (problem: Problem, gameId: string) => skipped.push([gameId, problem.status, problem.code]);
    for await (const turn of new Client(service.url, "token", service.options).turns({ onError })) {
      if (turn.view.version === 9) break;
      await turn.play({ type: "pass" });
    }
    assert.deepEqual(skipped, [["bad", status, code], ["bad", status, code]]);
    assert.deepEqual(service.seen.map(({ url }) => url.replace(/.*\/games/, "")), [
      "/v1/me/turns", "/bad", "/good", "/good/moves", "/v1/me/turns?after=n1&wait=25", "/bad", "/v1/me/turns?after=n2&wait=25", "/good",
    ]);
  });

test("without onError, a skipped game is reported on the console; an error in onError ends the loop", async (t) => {
  const skipping = [inbox("n1", "bad\u001b[2J", "good"), refusal(404, "unknown-game"), json(game(3))];
  const warned = t.mock.method(console, "warn", () => undefined);
  const { url, options } = await fake(t, ...skipping);
  for await (const turn of new Client(url, "token", options).turns()) {
    assert.equal(turn.view.version, 3);
    break;
  }
  assert.deepEqual(warned.mock.calls.map((call) => call.arguments), [
    ['skipped game "bad\\u001b[2J": 404 unknown-game: what is wrong'],
  ]);
  const again = await fake(t, ...skipping);
  const onError = (problem: Problem) => {
    throw problem;
  };
  await assert.rejects(new Client(again.url, "token", again.options).turns({ onError }).next(), NotFound);
});

test("a game that the token may not see ends the loop", async (t) => {
  const service = await fake(t, inbox("n1", "g1"), refusal(403, "missing-scope"));
  await assert.rejects(new Client(service.url, "token").turns().next(), { status: 403 });
});

for (const from of ["all games", "one game"])
  test(`a signal ends the loop over ${from} during a move, and a move may have a separate signal`, async (t) => {
    const [stop, own] = [new AbortController(), new AbortController()];
    const view = from === "one game" ? [] : [inbox("n1", "g1")];
    const service = await fake(t, ...view, json(game(3)), (response, seen) => [own.abort("own"), lost(response, seen)], (response, seen) => [stop.abort("stop"), lost(response, seen)]);
    const client = new Client(service.url, "token", service.options);
    const turns = from === "one game" ? client.game("g1").turns({ signal: stop.signal }) : client.turns({ signal: stop.signal });
    const { value: turn } = await turns.next();
    assert.ok(turn);
    await assert.rejects(turn.play({ type: "pass" }, { signal: own.signal }), (reason) => reason === "own");
    await assert.rejects(turn.play({ type: "pass" }), (reason) => reason === "stop");
    assert.equal(service.seen.filter(({ method }) => method === "POST").length, 2);
  });

test("after an illegal move, the same turn accepts another move", async (t) => {
  const service = await fake(t, inbox("n1", "g1"), json(game(3)), refusal(409, "card-not-in-hand"), json(game(4), 201));
  const { value: turn } = await new Client(service.url, "token").turns().next();
  await assert.rejects(turn!.play({ type: "play-card", card: "heroine" }), Refused);
  assert.equal((await turn!.play({ type: "pass" }))?.version, 4);
  const keys = service.seen.filter(({ method }) => method === "POST").map(({ headers }) => headers["idempotency-key"]);
  assert.equal(new Set(keys).size, 2);
});

test("a loop waits for the time in Retry-After, but at most an hour", async (t) => {
  t.mock.method(Math, "random", () => 0);
  const after = (value: string) => refusal(503, "busy", {}, { "retry-after": value });
  const replies = ["1800", "86400", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"].map(after);
  const service = await fake(t, inbox("n1"), ...replies, inbox("n2", "g1"), json(game(3)));
  await new Client(service.url, "token", service.options).turns().next();
  assert.deepEqual(service.waits, [1_800_000, 3_600_000, 3_600_000, 3_600_000]);
});

test("a signal ends the loop while it waits", async (t) => {
  const stop = new AbortController();
  const service = await fake(t, inbox("n1"), () => stop.abort());
  await assert.rejects(new Client(service.url, "token").turns({ signal: stop.signal }).next(), { name: "AbortError" });
});

test("the turns of one game end with the game; between them the client waits for events", async (t) => {
  const service = await fake(
    t, json(game(1, { status: "open", moves: [] })), json({ commits: [], next: 1 }), json(game(2)), json(game(3), 201),
    json(game(3)), json(game(4), 201), json(game(4, { moves: [] })), json({ commits: [], next: 4 }), json(game(5, { status: "finished" })),
  );
  const versions = [];
  for await (const turn of new Client(service.url, "token").game("g1").turns()) {
    versions.push(turn.view.version);
    await turn.play({ type: "pass" });
  }
  assert.deepEqual(versions, [2, 3]);
  assert.deepEqual(service.seen.filter(({ url }) => url.includes("events")).map(({ url }) => url), [
    "/v1/games/g1/events?after=1&wait=25", "/v1/games/g1/events?after=4&wait=25",
  ]);
});

test("a turn that is not played is yielded again after a wait", async (t) => {
  const service = await fake(t, json(game(2)), json(game(2)), json({ commits: [], next: 2 }), json(game(2)), json(game(3, { status: "cancelled" })));
  const versions = [];
  for await (const turn of new Client(service.url, "token").game("g1").turns()) versions.push(turn.view.version);
  assert.deepEqual(versions, [2, 2]);
  assert.deepEqual(service.seen.map(({ url }) => url.slice("/v1/games/g1".length)), ["", "", "/events?after=2&wait=25", "", ""]);
});
