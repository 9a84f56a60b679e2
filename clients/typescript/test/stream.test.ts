import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import {
  Client, type components, type Event, NotFound, type OtherEvent, Problem, Unauthorized, UnexpectedResponse,
} from "../src/index.js";
import { fake, json, lost, refusal, stream } from "./fake.js";

const commit = (seq: number, text = "") => `id: ${seq}\ndata: ${JSON.stringify({ seq, events: [], text })}\n\n`;
type CardName = components["schemas"]["CardName"];
const END = "event: end\ndata: {}\n\n";

async function all(commits: AsyncIterable<{ seq: number }>): Promise<number[]> {
  const numbers = [];
  for await (const { seq } of commits) numbers.push(seq);
  return numbers;
}

test("a stream yields the commits of a game, and ends with the game", async (t) => {
  const service = await fake(t, stream([": hello\n\n", commit(4), commit(5), ":\n\n", END, commit(6)]));
  assert.deepEqual(await all(new Client(service.url, "token").game("g1").events({ after: 3 })), [4, 5]);
  const [{ url, headers } = {} as never] = service.seen;
  assert.deepEqual([url, headers.accept, headers.authorization], ["/v1/games/g1/events/stream?after=3", "text/event-stream", "Bearer token"]);
  assert.equal(headers["last-event-id"], undefined);
});

test("events of other types are not commits", async (t) => {
  const named = (type: string, seq: number) => `event: ${type}\n${commit(seq)}`;
  const parts = ["event: notice\ndata: not JSON\n\n", commit(1), named("later", 2), named("message", 3), END];
  const service = await fake(t, stream(parts));
  assert.deepEqual(await all(new Client(service.url, "token").game("g1").events()), [1, 3]);
});

test("a broken stream is reopened after the last commit", async (t) => {
  const service = await fake(
    t, stream([commit(1), commit(2), "id: 3\ndata: {\"seq\":"]), lost, refusal(503, "too-many-waits", {}, { "retry-after": "2" }),
    stream([]), stream([commit(3)]), (response) => response.writeHead(204).end(),
  );
  assert.deepEqual(await all(new Client(service.url, "token", service.options).game("g1").events()), [1, 2, 3]);
  assert.deepEqual(service.seen.map(({ headers }) => headers["last-event-id"]), [undefined, "2", "2", "2", "2", "3"]);
  assert.ok(service.waits.some((wait) => wait >= 2_000));
});

test("after each commit, the delays start from the shortest again", async (t) => {
  t.mock.method(Math, "random", () => 0.5);
  const service = await fake(t, stream([commit(1)]), stream([]), stream([commit(2)]), stream([commit(3)]), stream([END]));
  await all(new Client(service.url, "token", service.options).game("g1").events());
  assert.deepEqual(service.waits, [250, 500, 250, 250]);
});

test("after a heartbeat, too, the delays start from the shortest again", async (t) => {
  t.mock.method(Math, "random", () => 0.5);
  const quiet = stream([":\n\n"]);
  const service = await fake(t, stream([commit(1)]), quiet, quiet, lost, stream([]), quiet, stream([END]));
  assert.deepEqual(await all(new Client(service.url, "token", service.options).game("g1").events()), [1]);
  assert.deepEqual(service.waits, [250, 250, 250, 500, 1_000, 250]);
});

test("a silent stream is closed and reopened", async (t) => {
  let closed: Promise<unknown> | undefined;
  const silent = stream([commit(1)], true);
  const service = await fake(t, (response, seen) => [(closed = once(response, "close")), silent(response, seen)], stream([END]));
  assert.deepEqual(await all(new Client(service.url, "token", { ...service.options, timeout: 100 }).game("g1").events()), [1]);
  await closed;
  assert.ok(service.seen.slice(1).every(({ headers }) => headers["last-event-id"] === "1"));
});

test("heartbeats keep a stream open, and so does a slow reader", async (t) => {
  const service = await fake(t, (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).write(commit(1));
    let beats = 0;
    const beat = setInterval(() => {
      response.write(++beats < 8 ? ":\n\n" : END);
      if (beats === 8) clearInterval(beat);
    }, 200);
  });
  for await (const _ of new Client(service.url, "token", { timeout: 1_000 }).game("g1").events())
    await new Promise((wake) => setTimeout(wake, 1_100));
  assert.equal(service.seen.length, 1);
});

test("leaving a loop closes the stream", async (t) => {
  let closed: Promise<unknown> | undefined;
  const open = stream([commit(1)], true);
  const service = await fake(t, (response, seen) => [(closed = once(response, "close")), open(response, seen)]);
  for await (const _ of new Client(service.url, "token").game("g1").events()) break;
  await closed;
});

test("a signal ends a stream", async (t) => {
  const stop = new AbortController();
  const service = await fake(t, stream([commit(1)], true));
  const commits = new Client(service.url, "token").game("g1").events({ signal: stop.signal });
  await commits.next();
  const next = commits.next();
  stop.abort();
  await assert.rejects(next, { name: "AbortError" });
});

test("a refused stream is an error, even when it is reopened", async (t) => {
  const unknown = await fake(t, refusal(404, "unknown-game"));
  await assert.rejects(all(new Client(unknown.url).game("g1").events()), NotFound);
  const service = await fake(t, stream([commit(1)]), refusal(401, "token-unknown"));
  await assert.rejects(all(new Client(service.url, "token", service.options).game("g1").events()), Unauthorized);
  const busy = await fake(t, refusal(503, "too-many-waits"));
  await assert.rejects(all(new Client(busy.url, "token", busy.options).game("g1").events()), Problem);
  assert.equal(busy.seen.length, 7);
});

test("events are parsed according to the HTML standard, however they are split into parts", async (t) => {
  const text = "\ufeffid: 1\r\ndata: {\"seq\":1,\r\ndata:\"text\":\"è\"}\r\n\r\nid:2\rdata:{\"seq\":2}\rx: y\rretry: 0\r\r" +
    "id\nevent: other\ndata:  {\"seq\":3}\n\nevent: end\n\n: no data\n\nid: a\u0000b\ndata: {\"seq\":4}\n\ndata: {\"seq\":5}";
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 7, bytes.length]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
    const service = await fake(t, (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const next = (): unknown => (parts.length ? response.write(parts.shift()!, () => setImmediate(next)) : response.end());
      next();
    }, stream([END]));
    assert.deepEqual(await all(new Client(service.url, "token", service.options).game("g1").events()), [1, 2, 4]);
    assert.equal(service.seen[1]?.headers["last-event-id"], "2");
  }
});

test("a response that is not a stream is refused", async (t) => {
  const hostile = [json({}), stream(["data: [1]\n\n"]), stream(["data: {\n\n"]), stream(Array(20).fill("x".repeat(2 ** 16)), true)];
  hostile.push(stream(Array(20).fill(`data: ${"x".repeat(2 ** 16)}\n`), true));
  for (const reply of hostile) {
    const service = await fake(t, reply);
    await assert.rejects(all(new Client(service.url, "token", service.options).game("g1").events()), UnexpectedResponse);
    assert.equal(service.seen.length, 1);
  }
});

test("an id that cannot be sent in a header is ignored", async (t) => {
  const strange = ["id: é\n", `id: ${"9".repeat(201)}\n`, "id: 1 2\n"].map((id) => `${id}data: {"seq":1}\n\n`);
  const service = await fake(t, stream(strange), stream([END]));
  assert.deepEqual(await all(new Client(service.url, "token", service.options).game("g1").events()), [1, 1, 1]);
  assert.equal(service.seen[1]?.headers["last-event-id"], undefined);
});

test("events after 'now' begin at a cursor, so none is lost if the first stream breaks", async (t) => {
  const service = await fake(t, json({ commits: [], next: "c7" }), stream([]), stream([commit(1)], true));
  for await (const _ of new Client(service.url, "token", service.options).events({ after: "now" })) break;
  const urls = service.seen.map(({ url }) => url);
  assert.deepEqual(urls, ["/v1/me/events?after=now", "/v1/me/events/stream?after=c7", "/v1/me/events/stream?after=c7"]);
});

test("an event of an unknown type is yielded as a plain record", async (t) => {
  const events = [{ type: "card-played", seat: 1, card: "winter", place: "season" }, { type: "card-blessed", seat: 1, grace: 7 }];
  const { url } = await fake(t, stream([`id: 1\ndata: ${JSON.stringify({ seq: 1, events })}\n\n`, "event: end\ndata: {}\n\n"]));
  const blessed: OtherEvent["type"][] = [];
  const found: unknown[] = [];
  for await (const commit of new Client(url).game("g1").events())
    for (const event of commit.events) {
      // The type of `card` proves that the comparison excludes other events.
      const played: CardName | undefined = event.type === "card-played" ? event.card : undefined;
      const plain: Record<string, unknown> = event;
      if (event.type === ("card-blessed" as OtherEvent["type"])) blessed.push(event.type);
      found.push([played, plain.grace]);
    }
  assert.deepEqual(found, [["winter", undefined], [undefined, 7]]);
  assert.deepEqual(blessed, ["card-blessed"]);
});

test("comparing an event's type separates the known types from OtherEvent", () => {
  const seatOf = (event: Event): number | unknown => {
    switch (event.type) {
      case "card-played":
        return event.seat satisfies number;
      case "rows-discarded":
        return undefined;
      default:
        return (event as OtherEvent).seat;
    }
  };
  assert.equal(seatOf({ type: "card-played", seat: 1, card: "winter", place: "season" }), 1);
  assert.equal(seatOf({ type: "seat-blessed" as OtherEvent["type"], seat: 2 }), 2);
});

test("news also contains talk and invitations, starting now", async (t) => {
  const service = await fake(t, json({ commits: [], next: "AQ7" }), stream([commit(1)]), stream([]));
  for await (const item of new Client(service.url, "token", service.options).news({ after: "now" })) {
    assert.equal("seq" in item && item.seq, 1);
    break;
  }
  const urls = service.seen.slice(0, 2).map(({ url }) => new URL(url, service.url));
  assert.deepEqual(urls.map(({ pathname }) => pathname), ["/v1/me/events", "/v1/me/events/stream"]);
  assert.deepEqual(urls.map(({ searchParams }) => searchParams.get("after")), ["now", "AQ7"]);
  for (const { searchParams } of urls)
    assert.deepEqual([searchParams.get("talk"), searchParams.get("invitations")], ["true", "true"]);
});

test("a message goes to everybody or to some seats", async (t) => {
  const service = await fake(t, json({ id: "m1" }, 201));
  const game = new Client(service.url, "token").game("g1");
  assert.equal((await game.say("Hello")).id, "m1");
  await game.say("Psst", [2]);
  const bodies = service.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)]);
  const path = "/v1/games/g1/talk";
  assert.deepEqual(bodies, [
    ["POST", path, { text: "Hello" }],
    ["POST", path, { room: "seats", seats: [2], text: "Psst" }],
  ]);
});
