// Registers the service worker, which keeps the board's files.

const WORKER = "/worker.js";

/** @param {string} address */
const createScriptURL = (address) => {
  if (address !== WORKER) throw new TypeError(`not a service worker of the board: ${address}`);
  return address;
};
const { trustedTypes } = /** @type {any} */ (window);
const address = trustedTypes?.createPolicy("service-worker", { createScriptURL }).createScriptURL(WORKER) ?? WORKER;
// Some browsers refuse it.
navigator.serviceWorker.register(address, { updateViaCache: "none" }).catch(() => {});

export {};
