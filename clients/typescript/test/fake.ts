/** A fake service, which sends the responses that a test specifies and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
export type Reply = (response: ServerResponse, seen: Seen) => unknown;

export interface Fake {
  url: string;
  seen: Seen[];
  /** How long the client waited before each of its attempts, in ms. */
  waits: number[];
  options: { sleep: (ms: number) => Promise<void> };
}

/** Send the replies in order. All requests after that get the last reply. */
export async function fake(test: TestContext, ...replies: Reply[]): Promise<Fake> {
  const seen: Seen[] = [];
  const waits: number[] = [];
  const server = createServer(async (request, response) => {
    const parts = await request.toArray();
    const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() };
    seen.push(one);
    (replies.length > 1 ? replies.shift() : replies[0])?.(response, one);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const sleep = async (ms: number) => void waits.push(ms);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, waits, options: { sleep } };
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Reply => (response) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export const refusal = (status: number, code: string, members: object = {}, headers: Record<string, string> = {}): Reply =>
  json({ type: `/problems/${code}`, title: "Title.", status, detail: "what is wrong", code, request: "r1", ...members }, status, headers);

/** Break the connection instead of responding. */
export const lost: Reply = (response) => response.destroy();

/** Break the connection in the middle of a response. */
export const cut: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"id":');
  setImmediate(() => response.destroy());
};

/** Send a stream in parts. If `open` is true, leave the stream open. */
export const stream = (parts: (string | Uint8Array)[], open = false): Reply => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const part of parts) response.write(part);
  if (!open) response.end();
};

export const game = (version: number, members: object = {}) =>
  ({ id: "g1", version, status: "running", moves: [{ type: "pass" }], ...members });
