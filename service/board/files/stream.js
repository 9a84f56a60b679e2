// Reads a stream of commits, and connects again whenever it is lost. `api.js` loads this once a screen is drawn.

/** @typedef {import("./api.js").Live} Live */

import { Refused, Unreachable, backoff, pause } from "./api.js";

const SILENCE = 40_000, HIDDEN = 300_000;

/** Read a stream until `signal` is aborted, and connect again whenever it is lost.
 * @param {Live} live @param {string} path @param {string} after @param {AbortSignal} signal
 * @param {(commit: any) => void} found */
export async function follow(live, path, after, signal, found) {
  let tries = 0;
  while (!signal.aborted) {
    try {
      for await (const commit of lines(live, `${path}/stream?after=${after}`, signal)) {
        tries = 0;
        if (!commit) continue;
        after = String(commit.id ?? commit.seq);
        found(commit);
      }
      if (path.startsWith("/v1/games/")) return;
    } catch (error) {
      if (signal.aborted || (error instanceof Refused && !error.seconds)) return;
      live.connect(false);
      await pause(error instanceof Refused ? error.seconds * 1000 : backoff(tries++), signal).catch(() => {});
      await visible(signal);
    }
  }
}

/** Yield the commits of a stream, and null for each sign of life. @param {Live} live @param {string} path
 * @param {AbortSignal} signal */
async function* lines(live, path, signal) {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE);
  const lost = () => silent.abort();
  addEventListener("offline", lost);
  try {
    const headers = { Accept: "application/x-ndjson" };
    const sent = { signal: AbortSignal.any([signal, silent.signal]), once: true };
    const response = await live.api.send("GET", path, sent, headers);
    live.connect(true);
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
