/** Tests with a real service, whose address is in SERVICE. The service must be able to send webhooks to this machine
 *  (WEBHOOK_NETWORKS). */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { Client, type Opening, Problem, StaleVersion, webhook } from "../src/index.js";

const url = process.env.SERVICE ?? "";
const live = { skip: !url, timeout: 120_000 };
// The service limits how many players one address may register.
let registered: Promise<Client> | undefined;
const register = () => (registered ??= Client.register(url, `Live-${randomBytes(5).toString("hex")}`));
const DUEL: Opening = { edition: "zman-2018-duel", seats: 2, bots: [{ seat: 1, bot: "steady" }] };

test("one loop plays two games while a stream follows both to their end", live, async () => {
  const client = await register();
  const stop = new AbortController();
  const games = [await client.openGame(DUEL), await client.openGame(DUEL)];
  const player = (async () => {
    for await (const turn of client.turns({ signal: stop.signal })) await turn.play(turn.view.moves[0]!);
  })();
  const running = new Set(games.map(({ id }) => id));
  for await (const { game, events } of client.events()) {
    if (events.some(({ type }) => type === "game-ended")) running.delete(game);
    if (running.size === 0) break;
  }
  stop.abort();
  await assert.rejects(player, { name: "AbortError" });
  for (const game of games) {
    const versions = [];
    for await (const { seq } of game.events({ after: 1 })) versions.push(seq);
    const { status, version } = await game.get();
    assert.deepEqual([status, versions.length, versions.at(-1)], ["finished", version - 1, version]);
  }
});

test("a repeated move is made only once, and a stale move is refused", live, async () => {
  const client = await register();
  const game = await client.openGame(DUEL);
  for await (const { view } of game.turns()) {
    const move = view.moves[0]!;
    const first = await game.play(move, view.version, { key: "1" });
    assert.equal((await game.play(move, view.version, { key: "1" })).version, first.version);
    await assert.rejects(game.play(move, view.version), StaleVersion);
    break;
  }
  await assert.rejects(game.join(), (error) => error instanceof Problem && error.status === 409);
});

test("bots in Node's http, Express and Hono play a game by webhook", live, async (t) => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const bot = webhook(secret, { "turn.started": ({ data }) => data.moves?.[0]?.number ?? null });
  const listeners: RequestListener[] = [
    bot.node,
    express().post("/", bot.node),
    getRequestListener(new Hono().post("/", (c) => bot.fetch(c.req.raw)).fetch),
  ];
  for (const listener of listeners) {
    const server = createServer(listener);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    t.after(() => [server.closeAllConnections(), server.close()]);
    const client = await register();
    const { port } = server.address() as AddressInfo;
    const { id } = await client.request("post", "/v1/webhooks", { body: { url: `http://127.0.0.1:${port}/`, secret } });
    const game = await client.openGame(DUEL);
    let last;
    for await (const { events } of game.events()) last = events.at(-1)?.type;
    assert.equal(last, "game-ended");
    await client.request("delete", "/v1/webhooks/{webhook_id}", { path: { webhook_id: id } });
  }
});
