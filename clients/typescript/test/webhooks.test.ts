import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { InvalidDelivery, verify, webhook } from "../src/index.js";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const SECRET = secretOf(7);
const ID = "msg_w07m4x0yr3nzb5_1";
const PING = JSON.stringify({ type: "ping", timestamp: "2026-11-21T08:00:00.000Z", data: { webhook: "w1", challenge: "3q9mXf0C" } });
const TURN = JSON.stringify({ type: "turn.started", data: { game: "g1", version: 7, moves: [{ number: 0, move: { type: "pass" } }] } });
const now = () => Math.floor(Date.now() / 1000);

/** The headers of a delivery, signed with the secrets as docs/webhooks.md describes. */
function signed(body: string, secrets = [SECRET], sent: number | string = now()) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${ID}.${sent}.`).update(body).digest("base64")}`;
  });
  return { "webhook-id": ID, "webhook-timestamp": String(sent), "webhook-signature": signatures.join(" ") };
}

test("a signed delivery is verified, as text or bytes, with headers of either kind", async () => {
  const headers = signed(PING);
  for (const body of [PING, Buffer.from(PING), new TextEncoder().encode(PING)])
    for (const given of [headers, new Headers(headers)])
      assert.equal((await verify(body, given, SECRET)).type, "ping");
});

test("while a secret is replaced, one valid signature by one of the secrets is enough", async () => {
  const both = signed(PING, [secretOf(1), secretOf(2)]);
  for (const secrets of [secretOf(1), secretOf(2), [secretOf(3), secretOf(2)]]) await verify(PING, both, secrets);
  await assert.rejects(verify(PING, both, [secretOf(3), secretOf(4)]), InvalidDelivery);
});

test("a delivery that was changed, is old, or is not signed is refused", async () => {
  const headers = signed(PING);
  const signature = headers["webhook-signature"];
  const bad: [string, Record<string, string | string[] | undefined>][] = [
    [`${PING} `, headers],
    [PING, { ...headers, "webhook-id": "msg_w07m4x0yr3nzb5_2" }],
    [PING, { ...headers, "webhook-timestamp": String(now() + 1) }],
    [PING, { ...headers, "webhook-signature": signature.slice(3) }],
    [PING, { ...headers, "webhook-signature": signature.replace("v1,", "v1a,") }],
    [PING, { ...headers, "webhook-signature": signature.slice(0, -8) }],
    [PING, { ...headers, "webhook-signature": "v1, v1,= v1,a v1,%%% v1,é" }],
    [PING, { ...headers, "webhook-signature": `${"v1,bm90 ".repeat(8)}${signature}` }],
    [PING, { ...headers, "webhook-signature": undefined }],
    [PING, { ...headers, "webhook-timestamp": undefined }],
    [PING, signed(PING, [SECRET], now() - 301)],
    [PING, signed(PING, [SECRET], now() + 310)],
    [PING, signed(PING, [SECRET], "NaN")],
    [PING, signed(PING, [SECRET], `${now()}.5`)],
    [PING, signed(PING, [SECRET], -1)],
    [PING, {}],
  ];
  for (const [body, given] of bad) await assert.rejects(verify(body, given, SECRET), InvalidDelivery, JSON.stringify(given));
  await verify(PING, signed(PING, [SECRET], now() - 1_000), SECRET, { tolerance: 2_000 });
});

test("a signed body that is not an event is refused", async () => {
  for (const body of ["", "{", "null", "[]", "7", '{"type":7,"data":{}}', '{"type":"ping"}', "\u0000"])
    await assert.rejects(verify(body, signed(body), SECRET), InvalidDelivery);
});

test("a malformed secret causes an error that does not show it", () => {
  const short = `whsec_c2Vj${Buffer.alloc(20).toString("base64")}`;
  for (const secret of ["", "whsec_", "whsec_%%%", "c2VjcmV0", short, undefined as unknown as string])
    assert.throws(() => webhook([SECRET, secret], {}), (error) => error instanceof TypeError && !/c2Vj|%%/.test(error.message));
  for (const none of ["", [], undefined as unknown as string]) assert.throws(() => webhook(none, {}), TypeError);
});

/** Serve a listener, and return a function that posts a delivery to it. */
async function served(t: TestContext, listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => [server.closeAllConnections(), server.close()]);
  const { port } = server.address() as AddressInfo;
  const post = async (body: string, headers: Record<string, string> = signed(body)) => {
    const type = { "content-type": "application/json" };
    const response = await fetch(`http://127.0.0.1:${port}/hook`, { method: "POST", body, headers: { ...type, ...headers } });
    return [response.status, await response.json()];
  };
  return { post, port };
}

const seen: unknown[] = [];
const bot = webhook(SECRET, { "turn.started": ({ data }) => data.moves?.[0]?.number ?? null, "game.ended": (_, id) => seen.push(id) });
const SERVERS: Record<string, () => RequestListener> = {
  "Node's http": () => bot.node,
  Express: () => express().post("/hook", bot.node),
  "Express after express.raw": () => express().use(express.raw({ type: "*/*" })).post("/hook", bot.node),
  "Express after express.text": () => express().use(express.text({ type: "*/*" })).post("/hook", bot.node),
  Hono: () => getRequestListener(new Hono().post("/hook", (c) => bot.fetch(c.req.raw)).fetch),
};

for (const [name, listener] of Object.entries(SERVERS)) {
  test(`${name} answers a ping and a turn, and accepts other events`, async (t) => {
    const { post } = await served(t, listener());
    assert.deepEqual(await post(PING), [200, { challenge: "3q9mXf0C" }]);
    assert.deepEqual(await post(TURN), [200, { move: 0 }]);
    assert.deepEqual(await post(TURN.replace(/"moves.*/, "\"view\":{\"name\":\"è\"}}}")), [202, {}]);
    assert.deepEqual(await post('{"type":"game.ended","data":{}}'), [202, {}]);
    assert.equal(seen.pop(), ID);
    for (const type of ["game.moved", "of.a.later.version", "constructor", "__proto__"])
      assert.deepEqual(await post(`{"type":"${type}","data":{}}`), [202, {}]);
  });

  test(`${name} refuses unsigned and incomplete requests, and continues to work`, async (t) => {
    const { post, port } = await served(t, listener());
    for (const headers of [{}, signed("other"), signed(PING, [secretOf(9)])]) assert.equal((await post(PING, headers))[0], 401);
    const cut = connect(port, "127.0.0.1").end("POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{");
    await new Promise((closed) => cut.resume().on("error", () => {}).on("close", closed));
    assert.deepEqual(await post(PING), [200, { challenge: "3q9mXf0C" }]);
  });
}

test("a body that is too large is refused before all of it is read", async () => {
  let parts = 0;
  async function* endless() {
    for (;; parts++) yield new Uint8Array(2 ** 20);
  }
  const request = Object.assign(endless(), { headers: signed("") });
  const answers: unknown[] = [];
  await bot.node(request, { writeHead: (status) => answers.push(status), end: () => {} });
  assert.deepEqual([answers, parts], [[401], 4]);
});

test("a body that express.json has changed causes an error that says what to do", async (t) => {
  const errors: unknown[] = [];
  const late = webhook(SECRET, {}, { onError: (error) => errors.push(error) });
  const { post } = await served(t, express().use(express.json()).post("/hook", late.node));
  assert.deepEqual(await post(PING), [500, {}]);
  assert.match(String(errors), /before express.json/);
});

test("an error in a handler is reported, and the service sends the delivery again", async (t) => {
  const errors: unknown[] = [];
  const failing = webhook(SECRET, { "turn.started": async () => { throw new Error("no idea"); } }, { onError: (error) => errors.push(error) });
  const { post } = await served(t, failing.node);
  assert.deepEqual(await post(TURN), [500, {}]);
  assert.match(String(errors), /no idea/);
});

test("a handler may answer with a move, and its event has a type", async (t) => {
  const typed = webhook(SECRET, {
    "turn.started": ({ data: { moves = [] } }) => moves[0]?.move ?? null,
    // @ts-expect-error: a version is a number.
    "game.moved": ({ data }) => data.version.trim(),
  });
  const { post } = await served(t, typed.node);
  assert.deepEqual(await post(TURN), [200, { move: { type: "pass" } }]);
});
