// Requests to the API, news, and who is signed in. Everything else of the board reaches the service through this module.

/** @typedef {import("../../../clients/typescript/src/schema.js").components["schemas"]} Schemas */
/** @typedef {import("../../../clients/typescript/src/schema.js").OtherEvent} OtherEvent */
/** @typedef {{token: string, player: string, name: string}} Account who is signed in */
/** @typedef {Schemas["Problem"]} Problem */
/** @typedef {{game: string, seq: number, id?: string, events: Schemas["Event"][]}} Commit */
/** @typedef {import("./types.js").Sent} Sent */

const STORED = "condottiere.account";
/** The recovery code that the player has not noted down yet. It is forgotten with the account. */
export const RECOVERY = "condottiere.recovery";
/** What is the same for everybody, and changes only with a release: the browser keeps it as long as the service says. */
const KEPT = /^\/v1\/editions\//;
/** Before the id of a private game: the secret of its link, for this tab. */
export const LINK = "condottiere.link.";
/** The id that is shown instead of the id of a player whom a game hides. */
export const HIDDEN = "hidden";
const FIRST_PAUSE = 500, LONGEST_PAUSE = 30_000, TRIES = 6;

/** What the browser does not store. @type {Map<string, string>} */
const unstored = new Map();

/** @template T @param {() => T} use of a storage that may be full or blocked @returns {T | null} */
export function attempt(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** Keep a text; without storage, until the page is closed. @param {string} key @param {string} text
 * @param {boolean} [stays] */
export function keepText(key, text, stays = true) {
  unstored.set(key, text);
  attempt(() => ((stays ? localStorage : sessionStorage).setItem(key, text), unstored.delete(key)));
}

/** @param {string} key @returns {string | null} */
export function textAt(key) {
  return unstored.get(key) ?? attempt(() => localStorage.getItem(key) ?? sessionStorage.getItem(key));
}

/** @param {string} key */
export function removeText(key) {
  unstored.delete(key);
  attempt(() => (localStorage.removeItem(key), sessionStorage.removeItem(key)));
}

/** The service refused a request: `problem` says why, and `clause` which rule it is about. */
export class Refused extends Error {
  /** @param {Problem} problem @param {number} seconds to wait before the request is sent again; 0 if that is useless */
  constructor(problem, seconds) {
    super(problem.detail);
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.seconds = seconds;
  }
}

/** Nothing answers, or the answer is not one of the service. */
export class Unreachable extends Error {}

/** @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((done, failed) => {
    if (signal?.aborted) return failed(signal.reason);
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), failed(signal.reason)), { once: true });
  });
}

/** A pause before try number `tries`, in milliseconds: it grows, and differs from client to client.
 * @param {number} tries */
export const backoff = (tries) => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries) * (0.5 + Math.random() / 2);

/** @returns {string} a new Idempotency-Key */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");

/** The requests of one tab. It tells its listeners when somebody signs in or out, and while it waits for the service. */
export class Api extends EventTarget {
  constructor() {
    super();
    /** @type {Account | null} */
    this.account = stored();
    /** What the next try of a request waits for: the time in ms at which it is made, or null. @type {number | null} */
    this.waiting = null;
    /** Whether the service has refused the token of whoever was signed in. */
    this.refused = false;
    /** @type {Map<string, {tag: string, body: unknown}>} */
    this.seen = new Map();
    addEventListener("storage", (event) => {
      if (event.key === STORED) this.take();
    });
    // A page that the browser has kept aside has heard of nothing that happened in other tabs.
    addEventListener("pageshow", () => stored()?.token !== this.account?.token && this.take());
  }

  /** Go on as the player who has signed in in another tab, if anybody has. */
  take() {
    // They are of the player before.
    for (const key of [STORED, RECOVERY]) unstored.delete(key);
    this.change(stored());
  }

  /** Whether the account is forgotten with the page. */
  get unstored() {
    return unstored.has(STORED);
  }

  /** Sign in, on this device for good or until the browser is closed. @param {Account} account @param {boolean} stays */
  signIn(account, stays) {
    this.forget();
    keepText(STORED, JSON.stringify(account), stays);
    this.change(account);
  }

  /** @param {boolean} [refused] whether the service no longer accepts the token */
  signOut(refused = false) {
    this.forget();
    this.change(null, refused);
  }

  forget() {
    removeText(STORED);
    removeText(RECOVERY);
  }

  /** @param {Account | null} account @param {boolean} [refused] */
  change(account, refused = false) {
    this.account = account;
    this.refused = refused;
    // A late answer to the player before must not be kept for this one.
    this.seen = new Map();
    this.dispatchEvent(new Event("account"));
  }

  /** Return the body of a GET; one that has not changed is not sent again. @param {string} path @param {Sent} [sent]
   * @returns {Promise<any>} */
  async get(path, sent = {}) {
    // With a condition of its own, a request does not use what the browser keeps.
    const { seen } = this;
    const known = KEPT.test(path) ? undefined : seen.get(path);
    const response = await this.send("GET", path, sent, known ? { "If-None-Match": known.tag } : {});
    if (response.status === 304 && known) return known.body;
    const body = await json(response);
    const tag = response.headers.get("ETag");
    if (tag && !KEPT.test(path)) seen.set(path, { tag, body });
    return body;
  }

  /** Send a request that changes something, and return the body of the response. @param {string} method
   * @param {string} path @param {Sent} [sent] @returns {Promise<any>} */
  async write(method, path, sent = {}) {
    const headers = { "Idempotency-Key": sent.key ?? newKey() };
    const response = await this.send(method, path, sent, headers);
    return response.status === 204 ? null : json(response);
  }

  /** @param {string} path @param {unknown} body @param {Sent} [sent] @returns {Promise<any>} */
  post(path, body, sent = {}) {
    return this.write("POST", path, { ...sent, body });
  }

  /** Send a request, again if it may succeed later, and return a response that is no problem.
   * Throws: Refused, Unreachable.
   * @param {string} method @param {string} path @param {Sent} sent @param {Record<string, string>} headers
   * @returns {Promise<Response>} */
  async send(method, path, sent, headers) {
    const { account } = this;
    const token = sent.token ?? account?.token;
    for (let tries = 0; ; tries++) {
      try {
        return await this.sendOnce(method, path, sent, headers, token);
      } catch (error) {
        const again = error instanceof Unreachable ? backoff(tries) : error instanceof Refused ? error.seconds * 1000 : 0;
        if (!again || sent.once || tries === TRIES || again > 2 * LONGEST_PAUSE) throw error;
        this.wait(Date.now() + again);
        await pause(again, sent.signal).finally(() => this.wait(null));
        // It is not done for another player.
        if (!sent.token && account && this.account !== account) throw error;
      }
    }
  }

  /** @param {string} method @param {string} path @param {Sent} sent @param {Record<string, string>} headers
   * @param {string} [token] @returns {Promise<Response>} */
  async sendOnce(method, path, sent, headers, token) {
    const all = { ...headers };
    if (token) all["Authorization"] = `Bearer ${token}`;
    const link = textAt(LINK + path.split(/[/?]/)[3]);
    if (link) all["Game-Link"] = link;
    if (sent.match) all["If-Match"] = sent.match;
    if (sent.body !== undefined) all["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(path, {
        method,
        headers: all,
        body: sent.body === undefined ? null : JSON.stringify(sent.body),
        signal: sent.signal ?? null,
        cache: method === "GET" && KEPT.test(path) ? "default" : "no-store",
        credentials: "omit",
      });
    } catch (error) {
      if (sent.signal?.aborted) throw error;
      throw new Unreachable(String(error));
    }
    if (response.ok || response.status === 304) return response;
    const problem = await json(response);
    if (response.status === 401 && token && this.account?.token === token) {
      const done = sent.replaces || (await import("./replacing.js").then(({ settled }) => settled()).catch(() => true));
      if (done && this.account?.token === token && (stored()?.token ?? token) === token) this.signOut(true);
    }
    throw new Refused(problem, retryAfter(response));
  }

  /** @param {number | null} until */
  wait(until) {
    this.waiting = until;
    this.dispatchEvent(new Event("wait"));
  }
}

/** The commits of the games that concern this browser, as they happen. Dispatches `commit` events whose `detail` is a
 * commit, `message` events for messages at tables, `invitation` events for notices about invitations, and `connection`
 * events when `since` changes.
 *
 * A browser opens few connections to one server. So one tab reads the stream of the player's games, and tells the other
 * tabs; the tab that holds the lock is the one that reads. A spectator's tab reads the stream of its game while it is
 * visible. */
export class Live extends EventTarget {
  /** @param {Api} api @param {Promise<unknown>} ready streams are opened after it */
  constructor(api, ready) {
    super();
    this.api = api;
    this.ready = ready;
    /** When the connection was lost, in ms; null while it stands. @type {number | null} */
    this.since = null;
    /** @type {AbortController | null} */
    this.mine = null;
    /** @type {BroadcastChannel | null} */
    this.channel = null;
    /** Whether this tab reads the stream of the player's games. */
    this.reads = false;
    /** The last commit of that stream. */
    this.last = "now";
    this.api.addEventListener("account", () => this.restart());
  }

  /** Follow the games of whoever is signed in; in one tab of the browser only. */
  restart() {
    this.mine?.abort();
    this.channel?.close();
    this.reads = false;
    this.last = "now";
    const account = this.api.account;
    if (!account) return;
    const mine = (this.mine = new AbortController());
    // Browsers have locks only with https, or on the machine of the service; else each tab reads a stream of its own.
    const locks = "locks" in navigator ? navigator.locks : null;
    const channel = (this.channel = locks && new BroadcastChannel(`condottiere.${account.player}`));
    if (channel) channel.onmessage = ({ data }) => ("since" in data ? this.change(data.since) : this.tell(data));
    const read = () => {
      this.reads = true;
      return this.follow("/v1/me/events", this.last, mine.signal, (commit) => {
        channel?.postMessage(commit);
        this.tell(commit);
      });
    };
    const reading = locks ? locks.request(`condottiere.${account.player}`, { signal: mine.signal }, read) : read();
    // A browser that stores nothing may refuse locks.
    reading.catch(({ name }) => (name === "SecurityError" ? read() : undefined)).catch(() => {});
  }

  /** Follow one game that is not of the player's, while the tab is visible. Stops when `signal` is aborted.
   * @param {string} game @param {number} after @param {AbortSignal} signal */
  watch(game, after, signal) {
    /** @type {AbortController | null} */
    let reading = null;
    /** @param {Commit} commit */
    const found = (commit) => {
      after = commit.seq;
      this.tell({ ...commit, game });
    };
    const look = () => {
      if (document.visibilityState === "hidden") reading = (reading?.abort(), null);
      else if (!reading) {
        reading = new AbortController();
        const both = AbortSignal.any([signal, reading.signal]);
        this.follow(`/v1/games/${game}/events`, String(after), both, found).catch(() => {});
      }
    };
    document.addEventListener("visibilitychange", look, { signal });
    look();
  }

  /** @param {Commit} commit */
  tell(commit) {
    this.last = commit.id ?? this.last;
    const type = "message" in commit ? "message" : "invitation" in commit ? "invitation" : "commit";
    this.dispatchEvent(new CustomEvent(type, { detail: commit }));
  }

  /** Read a stream until `signal` is aborted.
   * @param {string} path @param {string} after @param {AbortSignal} signal @param {(commit: any) => void} found */
  async follow(path, after, signal, found) {
    await this.ready;
    for (let tries = 0; !signal.aborted; tries++) {
      const stream = await import("./stream.js").catch(() => null);
      if (stream) return stream.follow(this, path, after, signal, found);
      this.connect(false);
      await pause(backoff(tries), signal);
    }
  }

  /** Tell the listeners, also when the first stream stands: what happened before it is not in it. @param {boolean} stands */
  connect(stands) {
    if (!stands && this.since !== null) return;
    this.change(stands ? null : Date.now());
    if (this.reads) this.channel?.postMessage({ since: this.since });
  }

  /** @param {number | null} since */
  change(since) {
    this.since = since;
    this.dispatchEvent(new Event("connection"));
  }
}

/** @returns {Account | null} */
function stored() {
  return attempt(() => JSON.parse(textAt(STORED) ?? "null"));
}

/** @param {Response} response @returns {Promise<any>} */
async function json(response) {
  try {
    return await response.json();
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

/** Return the seconds after which a request may be sent again; 0 if it should not be. @param {Response} response */
function retryAfter(response) {
  if (response.status !== 429 && response.status !== 503) return 0;
  return Number(response.headers.get("Retry-After")) || 1;
}
