// What a player has selected or written in a game and not sent yet. When the player is signed out or gets another token, the
// screen is opened again. Until the same player sees it again, all this is kept in the tab, and shown to nobody else.

import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {"choice" | "talk" | "orders"} Kind */

/** @type {{player: string, game: string, version: number} & Partial<Record<Kind, any>> | null} */
let kept = null;

/** Return what was kept of a kind, once; undefined if there is nothing, or if it is another player's.
 * @param {Pick<Table, "app" | "id">} table @param {Kind} kind */
export function takeBack({ app, id }, kind) {
  const player = app.api.account?.player;
  if (player && kept?.player !== player) kept = null;
  if (!player || kept?.game !== id) return undefined;
  const found = kept[kind];
  delete kept[kind];
  return found;
}

/** Keeps what is not sent when the account changes, and selects a move again. The other parts take back what is theirs. */
export class Unsent {
  /** @param {Table} table */
  constructor(table) {
    const { account } = table.app.api;
    const keep = () => account && this.keep(account.player);
    this.table = table;
    table.app.api.addEventListener("account", keep, { signal: table.closing.signal });
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
    const before = kept?.player === player && kept.game === id ? kept : {};
    kept = { ...before, player, game: id, version: newest };
    if (choice) kept.choice = choice;
    for (const kind of /** @type {const} */ (["talk", "orders"])) if (parts[kind]?.unsent) kept[kind] = parts[kind].unsent;
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
