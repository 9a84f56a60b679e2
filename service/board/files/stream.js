// Reads a stream of commits, and connects again whenever it is lost; behind a proxy that holds a stream back, it polls.
// `api.js` loads this once a screen is drawn.

/** @typedef {import("./api.js").Live} Live */

import { Refused, Unreachable, backoff, pause } from "./api.js";

/** Milliseconds, and the seconds of a poll. A stream sends its first line at once, and then one every 15 seconds. One that
 * was hidden for `HIDDEN` is opened again when it is seen. */
const BEGINNING = 20_000, SILENCE = 40_000, HIDDEN = 300_000, BETWEEN_POLLS = 1_000, POLL = 25;

/** A stream that has not begun: something between the service and the browser holds it back. */
class HeldBack extends Error {}
/** A stream of a tab that was hidden for a long time: the browser may have frozen it. */
class Stale extends Error {}
/** A stream of a game that is over: nothing can follow. */
class Over extends Error {}

/** Read a stream until `signal` is aborted, and connect again whenever it is lost.
 * @param {Live} live @param {string} path @param {string} after @param {AbortSignal} signal
 * @param {(commit: any) => void} found */
export async function follow(live, path, after, signal, found) {
  let tries = 0, polling = false;
  const extras = path === "/v1/me/events" ? "&talk=true&invitations=true" : "";
  while (!signal.aborted) {
    try {
      const commits = polling ? pages(live, path, extras, after, signal) : lines(live, `${path}/stream?after=${after}${extras}`, signal);
      for await (const commit of commits) {
        tries = 0;
        if (!commit) continue;
        after = String(commit.id ?? commit.seq);
        found(commit);
      }
      // The service ends its streams when it stops, and the stream of a game that is over. The next request tells which.
      await pause(backoff(tries++), signal).catch(() => {});
    } catch (error) {
      if (signal.aborted || error instanceof Over || (error instanceof Refused && !error.seconds && error.status < 500)) return;
      if (error instanceof Stale) continue;
      polling = error instanceof HeldBack;
      if (polling) continue;
      live.connect(false);
      await pause((error instanceof Refused && error.seconds * 1000) || backoff(tries++), signal).catch(() => {});
      await visible(signal);
    }
  }
}

/** Yield the commits of a stream, and null for each sign of life. @param {Live} live @param {string} path
 * @param {AbortSignal} signal */
async function* lines(live, path, signal) {
  const silent = new AbortController();
  let begun = false, isLost = false, isStale = false, hidden = 0;
  let timer = setTimeout(() => silent.abort(), BEGINNING);
  const lost = () => ((isLost = true), silent.abort());
  const look = () => {
    if (document.visibilityState === "hidden") hidden = Date.now();
    else if (hidden && Date.now() - hidden >= HIDDEN) (isStale = true), silent.abort();
  };
  addEventListener("offline", lost);
  document.addEventListener("visibilitychange", look);
  try {
    const headers = { Accept: "application/x-ndjson" };
    const sent = { signal: AbortSignal.any([signal, silent.signal]), once: true };
    const response = await live.api.send("GET", path, sent, headers);
    if (response.status === 204) {
      live.connect(true);
      throw new Over();
    }
    let text = "";
    for await (const bytes of chunks(response)) {
      if (!begun) live.connect(true);
      begun = true;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
      text += bytes;
      const whole = text.split("\n");
      text = whole.pop() ?? "";
      for (const line of whole) yield line ? JSON.parse(line) : null;
    }
  } catch (error) {
    if (error instanceof Refused || error instanceof Over || signal.aborted) throw error;
    if (isStale) throw new Stale();
    throw !begun && !isLost && silent.signal.aborted ? new HeldBack() : new Unreachable(String(error));
  } finally {
    clearTimeout(timer);
    removeEventListener("offline", lost);
    document.removeEventListener("visibilitychange", look);
    silent.abort();
  }
}

/** Yield the commits, messages and notices after one, page by page, and null for each page. @param {Live} live
 * @param {string} path @param {string} extras @param {string} after @param {AbortSignal} signal */
async function* pages(live, path, extras, after, signal) {
  while (!signal.aborted) {
    const sent = { signal: AbortSignal.any([signal, AbortSignal.timeout(SILENCE)]), once: true };
    const { commits, messages = [], invitations = [], next } = await live.api.get(`${path}?after=${after}&wait=${POLL}${extras}`, sent);
    live.connect(true);
    yield* commits;
    yield* messages;
    yield* invitations;
    yield null;
    after = String(next);
    // The events of a game that is over are answered at once.
    if (!commits.length && !messages.length && !invitations.length) await pause(BETWEEN_POLLS, signal);
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
