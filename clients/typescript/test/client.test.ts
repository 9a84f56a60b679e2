import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Client, ConnectionFailed, NotFound, NotYourTurn, Problem, RateLimited, Refused, StaleVersion, Unauthorized } from "../src/index.js";
import { UnexpectedResponse } from "../src/index.js";
import { cut, fake, game, json, lost, refusal, type Reply } from "./fake.js";

const PLAYER = { id: "p1", name: "Anna", token: "p1.secret", recovery_code: "ABCD" };
const OPENING = { edition: "zman-2018-duel", seats: 2 } as const;
const html = (status: number): Reply => (response) =>
  response.writeHead(status, { "content-type": "text/html" }).end("<h1>Welcome</h1>");

test("a registered player's requests have the token, and logging the client does not show it", async (t) => {
  const service = await fake(t, json(PLAYER, 201), json(game(1)));
  const client = await Client.register(`${service.url}/`, "Anna", service.options);
  await client.game("g1").get();
  assert.deepEqual(service.seen.map(({ method, url }) => `${method} ${url}`), ["POST /v1/players", "GET /v1/games/g1"]);
  assert.equal(service.seen[0]?.body, '{"name":"Anna"}');
  assert.match(String(service.seen[0]?.headers["idempotency-key"]), /^[0-9a-f]{32}$/);
  assert.equal(service.seen[1]?.headers.authorization, "Bearer p1.secret");
  assert.deepEqual(client.player, PLAYER);
  assert.doesNotMatch(inspect(client, { depth: 9 }) + JSON.stringify(client) + inspect(client.game("g1")), /secret|ABCD/);
});

test("a registration has the operator's code and a chosen key", async (t) => {
  const service = await fake(t, json(PLAYER, 201));
  const key = "0123456789abcdef012345";
  await Client.register(service.url, "Anna", { ...service.options, code: "open", key });
  assert.deepEqual(service.seen.map(({ headers, body }) => [headers["idempotency-key"], body]), [[key, '{"name":"Anna","code":"open"}']]);
  // @ts-expect-error: a registration takes no headers.
  const withHeaders = () => Client.register(service.url, "Anna", { headers: {} });
  assert.ok(withHeaders);
});

test("a key in the caller's headers takes precedence", async (t) => {
  const service = await fake(t, json(game(1), 201));
  await new Client(service.url, "token").openGame(OPENING, { headers: { "Idempotency-Key": "mine" } });
  assert.equal(service.seen[0]?.headers["idempotency-key"], "mine");
});

test("a link from a response keeps its query", async (t) => {
  const service = await fake(t, json(game(3)));
  await new Client(`${service.url}/below`).request("get", "/v1/games/g1?version=3" as "/v1/games", { query: { limit: 5 } });
  assert.equal(service.seen[0]?.url, "/below/v1/games/g1?version=3&limit=5");
});

test("a request is repeated with the same key and body, after random delays whose limit grows", async (t) => {
  t.mock.method(Math, "random", () => 0.25);
  const replies = [lost, cut, refusal(503, "busy"), html(502), html(504), refusal(429, "rate-limited")];
  const service = await fake(t, ...replies, json(game(1), 201));
  await new Client(service.url, "token", service.options).openGame(OPENING);
  assert.equal(service.seen.length, 7);
  assert.equal(new Set(service.seen.map(({ headers, body }) => headers["idempotency-key"] + body)).size, 1);
  assert.deepEqual(service.waits, [125, 250, 500, 1_000, 2_000, 4_000]);
});

test("two calls have two keys, and a key can be chosen", async (t) => {
  const service = await fake(t, json(game(1), 201));
  const client = new Client(service.url, "token");
  await client.openGame(OPENING);
  await client.openGame(OPENING);
  await client.openGame(OPENING, { key: "mine" });
  const keys = service.seen.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], "mine");
});

test("a request fails with its last error after six retries", async (t) => {
  const service = await fake(t, html(502));
  await assert.rejects(new Client(service.url, undefined, service.options).game("g1").get(), (error) => {
    assert.ok(error instanceof Problem && error.status === 502 && error.code === undefined && error.temporary);
    return true;
  });
  assert.equal(service.seen.length, 7);
  const away = await fake(t, lost);
  await assert.rejects(new Client(away.url, undefined, { ...away.options, retries: 1 }).game("g1").get(), ConnectionFailed);
  assert.equal(away.seen.length, 2);
  const unset = { ...away.options, retries: undefined, timeout: undefined } as never;
  await assert.rejects(new Client(away.url, undefined, unset).game("g1").get(), ConnectionFailed);
  assert.equal(away.seen.length, 9);
});

test("requests can be sent with another fetch function", async () => {
  const sent: unknown[] = [];
  const other: typeof fetch = async (url, init) => [sent.push(String(url), init?.method), Response.json(game(1))][1] as Response;
  await new Client("https://bots.example", "token", { fetch: other }).game("g1").get();
  assert.deepEqual(sent, ["https://bots.example/v1/games/g1", "GET"]);
});

test("Retry-After is obeyed, in seconds or as a date", async (t) => {
  const date = new Date(Date.now() + 20_000).toUTCString();
  const after = (value: string) => refusal(429, "rate-limited", {}, { "retry-after": value });
  const service = await fake(t, after("7"), after(date), after("-5"), after("soon"), json(game(1)));
  await new Client(service.url, undefined, service.options).game("g1").get();
  const [seconds = 0, later = 0, ...others] = service.waits;
  assert.ok(seconds >= 7_000 && seconds <= 7_500, String(seconds));
  assert.ok(later >= 18_000 && later <= 21_000, String(later));
  assert.ok(others.every((wait) => wait <= 4_000));
});

test("a Retry-After of more than a minute fails the request immediately", async (t) => {
  const service = await fake(t, refusal(429, "rate-limited", { limit: "opening" }, { "retry-after": "1800" }));
  await assert.rejects(new Client(service.url, "token", service.options).openGame(OPENING), (error) => {
    assert.ok(error instanceof RateLimited && error.retryAfter === 1_800_000 && error.body.limit === "opening");
    return true;
  });
  assert.equal(service.seen.length, 1);
});

for (const [status, code, kind] of [
  [401, "token-unknown", Unauthorized], [404, "unknown-game", NotFound], [409, "region-owned", Refused],
  [409, "not-your-turn", NotYourTurn], [412, "stale-version", StaleVersion], [422, "a-later-code", Problem],
  [500, "corrupt-log", Problem], [508, "loop-detected", Problem],
] as const)
  test(`${status} ${code} is a ${kind.name}, and not repeated`, async (t) => {
    const service = await fake(t, refusal(status, code, { clause: "3.2", edition: "zman-2018" }));
    await assert.rejects(new Client(service.url, "token", service.options).game("g1").play({ type: "pass" }, 7), (error) => {
      assert.ok(error instanceof kind && error.name === kind.name);
      const { code: same, detail, request, edition, clause, message, temporary } = error;
      assert.deepEqual([same, detail, request, edition, clause], [code, "what is wrong", "r1", "zman-2018", "3.2"]);
      assert.deepEqual([message, temporary], [`${status} ${code}: what is wrong`, false]);
      return true;
    });
    assert.equal(service.seen.length, 1);
    assert.equal(service.seen[0]?.headers["if-match"], '"7"');
  });

test("408 is repeated", async (t) => {
  const service = await fake(t, refusal(408, "request-timeout"), json(game(1)));
  await new Client(service.url, undefined, service.options).game("g1").get();
  assert.equal(service.seen.length, 2);
});

test("a redirect is not followed", async (t) => {
  const other = await fake(t, json(game(1)));
  const service = await fake(t, (response) => response.writeHead(307, { location: other.url }).end());
  await assert.rejects(new Client(service.url, "token", service.options).game("g1").get(), Problem);
  assert.deepEqual([service.seen.length, other.seen.length], [1, 0]);
});

test("a response that is not from a Condottiere service is refused", async (t) => {
  for (const reply of [html(200), json([1]), json("text"), json(null)]) {
    const service = await fake(t, reply);
    await assert.rejects(new Client(service.url, undefined, service.options).game("g1").get(), UnexpectedResponse);
    assert.equal(service.seen.length, 1);
  }
});

test("a problem with strange members has a message that a terminal can show", async (t) => {
  const service = await fake(t, json({ code: { a: 1 }, detail: "\u001b[2Jgone\u202e", clause: 3 }, 409));
  await assert.rejects(new Client(service.url).game("g1").get(), (error) => {
    assert.ok(error instanceof Refused && error.code === undefined && error.clause === undefined);
    assert.equal(error.message, "409 : ?[2Jgone?");
    return true;
  });
});

test("a token, an address or an id that is not valid is refused without a request", async (t) => {
  const service = await fake(t, json(game(1)));
  for (const token of ["secret\r\nx: y", "secret ", "", "sécret"])
    assert.throws(() => new Client(service.url, token), (error) => error instanceof TypeError && !/s.cret/.test(error.message));
  for (const url of ["localhost:8000", "ftp://localhost", "file:///v1"]) assert.throws(() => new Client(url), TypeError);
  for (const id of ["", ".", ".."]) await assert.rejects(new Client(service.url).game(id).get(), TypeError);
  await assert.rejects(new Client(service.url, "token").openGame(OPENING, { key: "a\nb" }), TypeError);
  assert.equal(service.seen.length, 0);
  await new Client(`${service.url}/below/`).game("../me?x#y%2f").get();
  assert.equal(service.seen[0]?.url, "/below/v1/games/..%2Fme%3Fx%23y%252f");
});

test("any request of the API can be sent, with its types", async (t) => {
  const service = await fake(t, json({ games: [], next: null }), (response) => response.writeHead(204).end());
  const client = new Client(service.url, "token");
  const page = await client.request("get", "/v1/games", { query: { status: "mine", limit: 5 } });
  const none: undefined = await client.request("delete", "/v1/webhooks/{webhook_id}", { path: { webhook_id: "w1" } });
  assert.deepEqual([page.games, none], [[], undefined]);
  assert.deepEqual(service.seen.map(({ url }) => url), ["/v1/games?status=mine&limit=5", "/v1/webhooks/w1"]);
  // @ts-expect-error: the path needs an id.
  const withoutId = () => client.request("delete", "/v1/webhooks/{webhook_id}");
  // @ts-expect-error: there is no such path for this method.
  const withoutPath = () => client.request("put", "/v1/games", {});
  // @ts-expect-error: a seat is a number.
  const withText = () => client.openGame({ edition: "zman-2018", seats: "3" });
  assert.equal([withoutId, withoutPath, withText].length, 3);
});

test("an attempt that takes too long is repeated, and the wait of a long poll does not count", async (t) => {
  const service = await fake(t, () => {}, json(game(1)));
  await new Client(service.url, undefined, { ...service.options, timeout: 100 }).game("g1").get();
  assert.ok(service.seen.length >= 2);
  const slow = await fake(t, (response) => setTimeout(() => json({ commits: [], next: 1 })(response, slow.seen[0]!), 150));
  const call = { path: { game_id: "g1" }, query: { after: 1, wait: 5 } };
  await new Client(slow.url, undefined, { timeout: 50, retries: 0 }).request("get", "/v1/games/{game_id}/events", call);
});

test("a timeout may be infinite", async (t) => {
  const service = await fake(t, (response, seen) => setTimeout(() => json(game(1))(response, seen), 50));
  await new Client(service.url, undefined, { timeout: Infinity, retries: 0 }).game("g1").get();
  assert.equal(service.seen.length, 1);
});

test("a signal ends a request and a delay, with its reason", async (t) => {
  const reason = new Error("enough");
  const stop = new AbortController();
  const silent = await fake(t, () => stop.abort(reason));
  const client = new Client(silent.url, undefined, silent.options);
  await assert.rejects(client.game("g1").get({ signal: stop.signal }), reason);
  await assert.rejects(client.game("g1").get({ signal: AbortSignal.abort(reason) }), reason);
  const again = new AbortController();
  const busy = await fake(t, (response, seen) => {
    refusal(503, "busy", {}, { "retry-after": "50" })(response, seen);
    setTimeout(() => again.abort(reason), 50);
  });
  await assert.rejects(new Client(busy.url).game("g1").get({ signal: again.signal }), reason);
  assert.deepEqual([silent.seen.length, busy.seen.length, silent.waits], [1, 1, []]);
});
