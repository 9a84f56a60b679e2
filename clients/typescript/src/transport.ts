import { ClientError, Problem, problem, UnexpectedResponse } from "./errors.js";
import type { RequestOptions } from "./shapes.js";
import { arriving, events, type Watch, watch } from "./stream.js";

/** Settings of a client. */
export interface Options {
  /** The function that sends requests instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** The maximum number of times that a failed request is repeated (default: 6). */
  retries?: number;
  /** The time limit for an attempt, not counting the wait of a long poll, and for silence in a stream.
   *  The default is 30,000 ms. */
  timeout?: number;
  /** The function that waits between attempts instead of a timer. For tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}
/** A request, without the types of its operation. */
export type Sent = RequestOptions & { path?: object | undefined; query?: object | undefined; body?: unknown };
type Receive = (response: Response, watch: Watch) => AsyncIterable<unknown>;

const FIRST_DELAY = 500;
const LONGEST_DELAY = 30_000;
/** A request fails immediately if the Retry-After in a response is longer than this, in ms. */
const LONGEST_WAIT = 60_000;
/** The longest time that an endless request waits because of a Retry-After, in ms. */
const LONGEST_ENDLESS_WAIT = 3_600_000;

/** Sends requests and follows streams of one service. */
export class Transport {
  readonly #url: string;
  readonly #authorization: Record<string, string>;
  readonly #options: Required<Options>;

  /** `url` is the address of the service, without `/v1`. Without a token, you are a spectator. */
  constructor(url: string, token?: string, options: Options = {}) {
    const { protocol, origin, pathname } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError("the URL of a service begins with http:// or https://");
    // A header with other characters would fail with an error that shows the token.
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError("this is not a valid token");
    this.#url = origin + pathname.replace(/\/+$/, "");
    this.#authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { retries = 6, timeout = 30_000 } = options;
    this.#options = { fetch: (...request) => fetch(...request), sleep, ...options, retries, timeout };
  }

  /** Send a request until it succeeds, and return the JSON of the response. Throws the error of the last attempt. */
  protected async json(method: string, path: string, sent: Sent): Promise<unknown> {
    const call = { ...sent, key: sent.key ?? (method === "get" ? undefined : newKey()) };
    const ms = this.#options.timeout + 1000 * Number(Object(sent.query).wait ?? 0);
    for await (const body of this.#attempts(method, path, call, ms, receive)) return body;
  }

  /** Yield the data of a stream's events. If a stream that was open breaks, open it again after the last event. */
  stream(path: string, sent: Sent): AsyncGenerator<unknown, void, undefined> {
    const call: Sent = { ...sent, headers: { ...sent.headers, accept: "text/event-stream" } };
    return this.#attempts("get", path, call, this.#options.timeout, (response, watch) => follow(response, watch, call));
  }

  /** Send a request until a whole response has been received. Each part of the response must arrive within `ms`. */
  async *#attempts(method: string, path: string, sent: Sent, ms: number, receive: Receive) {
    for (let failures = 0; ; failures++) {
      const [url, init] = this.#request(method, path, sent);
      const limit = watch(ms, sent.signal);
      try {
        const response = await arriving(this.#options.fetch(url, { ...init, signal: limit.signal }));
        if (!response.ok) {
          const body = await response.text().then(parse).catch(() => ({}));
          throw problem(response.status, body, retryAfter(response.headers.get("retry-after") ?? ""));
        }
        yield* receive(response, limit);
        return;
      } catch (error) {
        // After any part of the stream, even a heartbeat, the next delay is the shortest one again.
        if (limit.heard) failures = 0;
        await this.#pause(failures, error, sent);
      } finally {
        limit.end();
      }
    }
  }

  /** Wait before the next attempt. Throws the error if there is no next attempt, or the reason of an aborted signal. */
  async #pause(failures: number, error: unknown, { endless, signal }: Sent): Promise<void> {
    signal?.throwIfAborted();
    const asked = error instanceof Problem ? (error.retryAfter ?? 0) : 0;
    const isOver = !endless && (failures >= this.#options.retries || asked > LONGEST_WAIT);
    if (isOver || !(error instanceof ClientError && error.temporary)) throw error;
    const jitter = Math.random() * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** failures);
    await this.#options.sleep(Math.min(LONGEST_ENDLESS_WAIT, asked) + jitter, signal);
  }

  #request(method: string, path: string, { path: ids = {}, query = {}, headers, body, key }: Sent): [URL, RequestInit] {
    const url = new URL(this.#url + path.replace(/\{(\w+)\}/g, (_, name) => segment(Object(ids)[name])));
    for (const [name, value] of Object.entries(query)) if (value != null) url.searchParams.set(name, String(value));
    const all = new Headers({ accept: "application/json", ...this.#authorization, ...headers });
    if (key !== undefined && !all.has("idempotency-key")) all.set("idempotency-key", key);
    if (body !== undefined) all.set("content-type", "application/json");
    // A redirect could send the request to another server or change its method, so a redirect is an error.
    return [url, { method: method.toUpperCase(), headers: all, redirect: "manual", body: JSON.stringify(body) }];
  }
}

async function* receive(response: Response) {
  yield response.status === 204 ? undefined : parse(await arriving(response.text()));
}

/** Yield the data of a stream's events, and note in `call` how to open the next stream. */
async function* follow(response: Response, watch: Watch, call: Sent) {
  if (response.status === 204) return;
  if (!response.headers.get("content-type")?.startsWith("text/event-stream") || !response.body)
    throw new UnexpectedResponse("the response is not a stream");
  call.endless = true;
  for await (const { id, type, data } of events(response.body, watch)) {
    if (type === "end") return;
    if (id) call.headers = { ...call.headers, "last-event-id": id };
    if (type === "" || type === "message") yield parse(data);
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (value instanceof Object && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {} // Text that is not JSON is refused in the same way as JSON of another type.
  throw new UnexpectedResponse("the response is not a JSON object");
}

/** Return the ms in a Retry-After header (RFC 9110, section 10.2.3), or undefined if it is malformed or in the past. */
function retryAfter(header: string): number | undefined {
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms >= 0 ? ms : undefined;
}

/** Encode an id for a path. Throws a TypeError if the id would lead to another path. */
function segment(id: unknown): string {
  if (/^\.{0,2}$/.test(String(id))) throw new TypeError(`${JSON.stringify(id)} is not an id`);
  return encodeURIComponent(String(id));
}

/** Return 128 random bits in hexadecimal, because a key must be that long if the response contains a token. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const limit = watch(ms, signal);
  await new Promise((wake) => limit.signal.addEventListener("abort", wake));
  limit.end();
  signal?.throwIfAborted();
}
