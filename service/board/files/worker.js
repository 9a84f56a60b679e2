// The service worker: keeps the page and the files of this release, so that the board starts at once, also offline.
// Requests to the API pass it by: it keeps no answer of the API.
//
// A new release has another worker, which waits until no page of an earlier release is open, so that none of them
// misses a file. Then it deletes the files of earlier releases.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const RELEASE = "{static}";
const FILES = "{files}".split(" ");
const PAGE = "/";
const CACHE = `condottiere ${RELEASE}`;
const SCREENS = /^\/(|lobby|new|settings|signin|(game|rules|player)\/[^/]+)$/;

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forget()));
worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith(`${RELEASE}/`)) event.respondWith(kept(event.request));
  else if (mode === "navigate" && SCREENS.test(pathname)) event.respondWith(page(event.request));
});

/** Load everything, all or nothing. */
async function keep() {
  const cache = await caches.open(CACHE);
  const answer = await fetch(PAGE, { cache: "no-cache", credentials: "omit" });
  if (!answer.ok || !(await answer.clone().text()).includes(`${RELEASE}/`)) throw new Error("this is another release");
  await Promise.all([cache.put(PAGE, answer), cache.addAll(FILES)]);
}

/** Delete what earlier releases have kept. */
async function forget() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("condottiere ") && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** @param {Request} request of a file, whose address changes with its content @returns {Promise<Response>} */
async function kept(request) {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** @param {Request} request of a screen @returns {Promise<Response>} the page from the network, if there is one */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await (await caches.open(CACHE)).match(PAGE);
    if (found) return found;
    throw error;
  }
}
