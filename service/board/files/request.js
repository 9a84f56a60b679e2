// What players ask of a game that is not a move: a seat, the start, a pause, more time, resigning.

import { Refused, Unreachable } from "./api.js";

/** @typedef {import("./game.js").Table} Table */

/** How many requests the page of a game has sent. @type {WeakMap<Table, number>} */
const sent = new WeakMap();

/** Send a request about the game or the seat, and draw the answer. @param {Table} table @param {string} what
 * @param {unknown} [body] */
export async function request(table, what, body) {
  if (table.sending) return;
  const number = (sent.get(table) ?? 0) + 1;
  sent.set(table, number);
  table.sending = true;
  table.trouble = null;
  table.changed();
  try {
    await table.app.api.write("POST", `/v1/games/${table.id}/${what}`, body === undefined ? {} : { body });
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    table.trouble = error;
  } finally {
    table.sending = false;
  }
  const { trouble: refused } = table;
  await table.load();
  // A newer view removes the trouble of an older one; that of a later request stays.
  if (number !== sent.get(table)) return;
  table.trouble = refused;
  table.changed();
}
