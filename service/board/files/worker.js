// The service worker: keeps the page and the files of this release, so that the board starts at once, also offline.
// Requests to the API pass it by: it keeps no answer of the API.
//
// A new release has another worker, which waits until no page of an earlier release is open, so that none of them
// misses a file. Then it deletes the files of earlier releases.
//
// It also shows the notifications that the player has asked for, also while no page is open.

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

worker.addEventListener("push", (event) => event.waitUntil(tell(event.data)));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(visit(event.notification.data));
});

/** Show a notification, unless the player is looking at the game that it is about.
 * @param {PushMessageData | null} data */
async function tell(data) {
  if (!data) return;
  const { title, body, game, tag } = data.json();
  const path = game ? `/game/${game}` : "/settings";
  const pages = await worker.clients.matchAll({ type: "window" });
  if (game && pages.some(({ url, focused }) => focused && new URL(url).pathname === path)) return;
  await worker.registration.showNotification(title, { body, tag, data: path, icon: `${RELEASE}/icon-192.png` });
}

/** Show a page of the board, in a tab that shows it already if there is one. @param {string} path */
async function visit(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = pages.find(({ url }) => new URL(url).pathname === path);
  await (found ? found.focus() : worker.clients.openWindow(path));
}

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
