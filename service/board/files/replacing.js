// Replacing the token of a player. Meanwhile, the service may refuse a request of any tab, because it has the earlier token.

import { pause } from "./api.js";

/** The lock that a tab holds while it replaces the token. */
const LOCK = "condottiere.account";
/** The longest wait for another tab, in milliseconds. */
const LONGEST = 30_000;
/** Milliseconds after which a tab has been told what another tab has stored. */
const TOLD = 250;

/** Replace the token, so that no tab takes the refusal of the earlier one for the end of the session.
 * @param {() => Promise<void>} replace */
export async function replacing(replace) {
  let begun = false;
  try {
    await navigator.locks.request(LOCK, () => ((begun = true), replace()));
  } catch (error) {
    if (begun) throw error;
    // The browser has no locks, or refuses them.
    await replace();
  }
}

/** Wait until no tab replaces the token. Returns whether this came to an end. */
export async function settled() {
  try {
    await navigator.locks.request(LOCK, { mode: "shared", signal: AbortSignal.timeout(LONGEST) }, () => {});
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") return false;
  }
  await pause(TOLD);
  return true;
}
