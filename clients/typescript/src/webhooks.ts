import { InvalidDelivery } from "./errors.js";
import type { Move, Payload, Payloads } from "./shapes.js";

type NodeHeaders = Record<string, string | string[] | undefined>;
/** A secret, or a list of secrets while you replace one. */
export type Secrets = string | readonly string[];
/** The answer to a turn: a move, the number of a move, or null if you move later. */
export type TurnAnswer = number | Move | null;
/** A handler for each type of event. `id` is the same if a delivery arrives twice. */
export type Handlers = {
  [T in Exclude<keyof Payloads, "turn.started" | "ping">]?: (event: Payloads[T], id: string) => unknown;
} & { "turn.started"?: (event: Payloads["turn.started"], id: string) => TurnAnswer | Promise<TurnAnswer> };
/** A request of Node's `http` or of Express. `body` is the result of a body parser, if there is one. */
export type NodeRequest = AsyncIterable<Uint8Array> & { headers: NodeHeaders; body?: unknown };
export type NodeResponse = { writeHead(status: number, headers: NodeHeaders): unknown; end(body: string): unknown };
/** `tolerance` is the number of seconds by which the clocks of the service and of your machine may differ (by default,
 *  300). `onError` (by default, `console.error`) gets what a handler throws. The service then sends the delivery again. */
export type WebhookOptions = { tolerance?: number; onError?: (error: unknown) => void };

/** The largest delivery, in bytes. */
const LARGEST = 2 ** 22;

/** Return the event of a delivery if the delivery is signed with one of the secrets. Throws InvalidDelivery. */
export async function verify(
  body: Uint8Array | string, headers: Headers | NodeHeaders, secrets: Secrets, { tolerance = 300 }: WebhookOptions = {},
): Promise<Payload> {
  const [id, sent] = [header(headers, "webhook-id"), header(headers, "webhook-timestamp")];
  if (!/^\d{1,12}$/.test(sent) || Math.abs(Date.now() / 1000 - Number(sent)) > tolerance)
    throw new InvalidDelivery("webhook-timestamp is missing, or too far from now");
  const content = await new Blob([`${id}.${sent}.`, body as BlobPart]).arrayBuffer();
  const signatures = header(headers, "webhook-signature").split(" ", 8).map(decode);
  for (const bits of keys(secrets)) {
    const key = await crypto.subtle.importKey("raw", bits, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    // WebCrypto compares in constant time.
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, content))) {
        const event = await new Blob([body as BlobPart]).text().then(JSON.parse).catch(() => undefined);
        if (typeof event?.type === "string" && event.data instanceof Object) return event;
      }
  }
  throw new InvalidDelivery("no signature is valid, or the body is not an event");
}

/** Return an endpoint: `node` handles requests of Node's `http` and Express, and `fetch` handles web-standard requests, as
 *  in Hono. */
export function webhook(secrets: Secrets, handlers: Handlers, options: WebhookOptions = {}) {
  keys(secrets);
  async function answer(body: unknown, headers: Headers | NodeHeaders): Promise<[number, string]> {
    try {
      const event = await verify(await collect(body), headers, secrets, options);
      if (event.type === "ping") return [200, JSON.stringify({ challenge: event.data.challenge })];
      const handler = new Map<string, unknown>(Object.entries(handlers)).get(event.type) as Handlers["game.moved"];
      const move = await handler?.(event as Payloads["game.moved"], header(headers, "webhook-id"));
      return event.type === "turn.started" && move != null ? [200, JSON.stringify({ move })] : [202, "{}"];
    } catch (error) {
      if (error instanceof InvalidDelivery) return [401, JSON.stringify({ error: error.message })];
      (options.onError ?? console.error)(error);
      return [500, "{}"];
    }
  }
  const type = { "content-type": "application/json" };
  return {
    async node(request: NodeRequest, response: NodeResponse): Promise<void> {
      const [status, reply] = await answer(request.body ?? request, request.headers);
      response.writeHead(status, type);
      response.end(reply);
    },
    async fetch(request: Request): Promise<Response> {
      const [status, reply] = await answer(request.body ?? "", request.headers);
      return new Response(reply, { status, headers: type });
    },
  };
}

function header(headers: Headers | NodeHeaders, name: string): string {
  return String((typeof headers.get === "function" ? headers.get(name) : (headers as NodeHeaders)[name]) ?? "");
}

/** Decode secrets. Throws a TypeError that does not show them. */
function keys(secrets: Secrets): Uint8Array<ArrayBuffer>[] {
  return [secrets?.length ? secrets : ""].flat().map((secret) => {
    const bits = decode(String(secret));
    if (!bits || bits.length < 24) throw new TypeError("a webhook's secret is whsec_ and at least 24 bytes in base64");
    return bits;
  });
}

/** Decode the base64 after a prefix. Return undefined if the text has another form. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = /^(?:whsec_|v1,)((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)$/.exec(text)?.[1];
  return base64 ? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) : undefined;
}

/** Return the exact bytes of a body, from the stream or from a body parser that has kept them. */
async function collect(source: unknown): Promise<Uint8Array | string> {
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  if (!(Symbol.asyncIterator in Object(source)))
    throw new TypeError("a parser has changed the body of the delivery: add the webhook before express.json()");
  const parts: BlobPart[] = [];
  try {
    let left = LARGEST;
    for await (const part of source as AsyncIterable<Uint8Array>)
      if ((left -= part.length) >= 0) parts.push(part as BlobPart);
      else throw new RangeError(`it has more than ${LARGEST} bytes`);
  } catch (cause) {
    throw new InvalidDelivery("the body cannot be read", { cause });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
