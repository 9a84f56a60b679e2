// News: the commits of the games that concern this browser, as they happen.
//
// A browser opens few connections to one server. So one tab reads the stream of the player's games, and tells the other
// tabs; the tab that holds the lock is the one that reads. A spectator's tab reads the stream of its game while it is
// visible.

/** @typedef {import("./api.js").Api} Api */
/** @typedef {{game: string, seq: number, events: import("./api.js").Schemas["Event"][]}} Commit */

import { Refused, Unreachable, backoff, pause } from "./api.js";

const SILENCE = 40_000, HIDDEN = 300_000;

/** Dispatches `commit` events whose `detail` is a commit, and `connection` events when `since` changes. */
export class Live extends EventTarget {
  /** @param {Api} api */
  constructor(api) {
    super();
    this.api = api;
    /** When the connection was lost, in ms; null while it stands. @type {number | null} */
    this.since = null;
    /** @type {AbortController | null} */
    this.mine = null;
    /** @type {BroadcastChannel | null} */
    this.channel = null;
    this.api.addEventListener("account", () => this.restart());
  }

  /** Follow the games of whoever is signed in; in one tab of the browser only. */
  restart() {
    this.mine?.abort();
    this.channel?.close();
    const account = this.api.account;
    if (!account) return;
    const mine = (this.mine = new AbortController());
    const channel = (this.channel = new BroadcastChannel(`condottiere.${account.player}`));
    channel.onmessage = ({ data }) => this.tell(data);
    const read = () =>
      this.follow("/v1/me/events", "now", mine.signal, (commit) => {
        channel.postMessage(commit);
        this.tell(commit);
      });
    navigator.locks.request(`condottiere.${account.player}`, { signal: mine.signal }, read).catch(() => {});
  }

  /** Follow one game that is not of the player's. Stops when `signal` is aborted.
   * @param {string} game @param {number} after @param {AbortSignal} signal */
  watch(game, after, signal) {
    this.follow(`/v1/games/${game}/events`, String(after), signal, (commit) => this.tell({ ...commit, game })).catch(
      () => {},
    );
  }

  /** @param {Commit} commit */
  tell(commit) {
    this.dispatchEvent(new CustomEvent("commit", { detail: commit }));
  }

  /** Read a stream until `signal` is aborted, and connect again whenever it is lost.
   * @param {string} path @param {string} after @param {AbortSignal} signal @param {(commit: any) => void} found */
  async follow(path, after, signal, found) {
    let tries = 0;
    while (!signal.aborted) {
      try {
        for await (const commit of this.lines(`${path}/stream?after=${after}`, signal)) {
          tries = 0;
          if (!commit) continue;
          after = String(commit.id ?? commit.seq);
          found(commit);
        }
        if (path.startsWith("/v1/games/")) return;
      } catch (error) {
        if (signal.aborted || (error instanceof Refused && !error.seconds)) return;
        this.connect(false);
        await pause(error instanceof Refused ? error.seconds * 1000 : backoff(tries++), signal).catch(() => {});
        await visible(signal);
      }
    }
  }

  /** Yield the commits of a stream, and null for each sign of life. @param {string} path @param {AbortSignal} signal */
  async *lines(path, signal) {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE);
    const lost = () => silent.abort();
    addEventListener("offline", lost);
    try {
      const headers = { Accept: "application/x-ndjson" };
      const response = await this.api.send("GET", path, { signal: AbortSignal.any([signal, silent.signal]), once: true }, headers);
      this.connect(true);
      yield null;
      let text = "";
      for await (const bytes of chunks(response)) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE);
        text += bytes;
        const whole = text.split("\n");
        text = whole.pop() ?? "";
        for (const line of whole) yield line ? JSON.parse(line) : null;
      }
    } catch (error) {
      if (error instanceof Refused || signal.aborted) throw error;
      throw new Unreachable(String(error));
    } finally {
      clearTimeout(timer);
      removeEventListener("offline", lost);
      silent.abort();
    }
  }

  /** Tell the listeners, also when the first stream stands: what happened before it is not in it. @param {boolean} stands */
  connect(stands) {
    if (!stands && this.since !== null) return;
    this.since = stands ? null : Date.now();
    this.dispatchEvent(new Event("connection"));
  }
}

/** @param {Response} response @returns {AsyncGenerator<string>} */
async function* chunks(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Resolve when the tab is visible, or was hidden for a short time only. @param {AbortSignal} signal */
function visible(signal) {
  return new Promise((done) => {
    if (document.visibilityState === "visible") return done(undefined);
    const look = () => document.visibilityState === "visible" && (clearTimeout(timer), done(undefined));
    const timer = setTimeout(done, HIDDEN);
    document.addEventListener("visibilitychange", look, { signal });
  });
}
