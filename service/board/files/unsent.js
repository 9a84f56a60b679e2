// What a player has selected or written and not sent yet, in a game or in the settings. When the player is signed out or
// gets another token, the screen is opened again. Until the same player sees it again, all this is kept in the tab, and
// shown to nobody else. Codes, tokens and other secrets are not kept.

import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {"choice" | "talk" | "orders" | "fields"} Kind */
/** @typedef {Partial<Record<Kind, any>>} Found */

/** The settings, as a place beside the ids of games. */
export const SETTINGS = "settings";

/** @type {{player: string, place: string, version: number} & Found | null} */
let kept = null;

/** Return what was kept of a kind, once; undefined if there is nothing, or if it is another player's.
 * @param {{app: App, id: string}} place a game, or the settings @param {Kind} kind */
export function takeBack({ app, id }, kind) {
  const player = app.api.account?.player;
  if (player && kept?.player !== player) kept = null;
  if (!player || kept?.place !== id) return undefined;
  const found = kept[kind];
  delete kept[kind];
  return found;
}

/** Keep what a player has not sent in a place. @param {string} player @param {string} place @param {Found} found
 * @param {number} [version] of the game */
export function keep(player, place, found, version = 0) {
  const before = kept?.player === player && kept.place === place ? kept : {};
  kept = { ...before, ...found, player, place, version };
}

/** Keeps what is not sent when the account changes, and selects a move again. The other parts take back what is theirs. */
export class Unsent {
  /** @param {Table} table */
  constructor(table) {
    const { account } = table.app.api;
    const keepAll = () => account && this.keep(account.player);
    this.table = table;
    table.app.api.addEventListener("account", keepAll, { signal: table.closing.signal });
    const choice = takeBack(table, "choice");
    if (choice && !table.choice && table.at === null) this.select(choice, kept?.version === table.newest);
  }

  /** @returns {import("./vendor/lit-html.js").Drawn} */
  view() {
    return nothing;
  }

  /** @param {string} player */
  keep(player) {
    const { choice, id, newest, parts } = this.table;
    /** @type {Found} */
    const found = choice ? { choice } : {};
    for (const kind of /** @type {const} */ (["talk", "orders"])) if (parts[kind]?.unsent) found[kind] = parts[kind].unsent;
    keep(player, id, found, newest);
  }

  /** @param {import("./game.js").Choice} choice @param {boolean} same whether nothing has happened in the game */
  select(choice, same) {
    const { table } = this;
    table.choice = choice;
    table.reconsider();
    if (same && table.choice) table.note = "";
    if (table.choice && (choice.type === "pass" || choice.type === "discard-hand")) table.ask(choice.type);
    table.changed();
  }
}
