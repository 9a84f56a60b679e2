// A rematch of a game that is over: asks for one, or leads to the one that there is. `result.js` imports this.

import { Refused, Unreachable, newKey } from "./api.js";
import { t } from "./en.screens.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./game.js").Table} Table */

const BOT = "steady";

export class Rematch {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The id of the rematch that there is. @type {string | null} */
    this.game = null;
    /** The id of the game before this one. @type {string | null} */
    this.before = null;
    this.bots = false;
    this.key = newKey();
    this.look();
  }

  async look() {
    const { app, closing, id } = this.table;
    try {
      const table = await app.api.get(`/v1/games/${id}/table`, { signal: closing.signal });
      this.game = table.rematch;
      this.before = table.rematch_of;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !closing.signal.aborted) throw error;
    }
    this.table.changed();
  }

  async propose() {
    const { table } = this;
    if (table.sending) return;
    table.sending = true;
    table.trouble = null;
    table.changed();
    try {
      const body = { bot: this.bots ? BOT : null };
      const game = await table.app.api.post(`/v1/games/${table.id}/rematch`, body, { key: this.key });
      await table.app.go(`/game/${game.id}`);
    } catch (error) {
      this.key = newKey();
      table.trouble = error;
    } finally {
      table.sending = false;
      table.changed();
    }
  }

  /** @returns {Drawn} */
  view() {
    const { sending, view } = this.table;
    const seated = view.you !== null;
    const before = this.before ? html`<p><a href=${`/game/${this.before}`}>${t.guests.rematchOf}</a></p>` : nothing;
    if (!seated && !this.game) return before;
    return html`${before}
    <div class="rematch table-buttons">
      ${seated
        ? html`<button class="primary" aria-disabled=${sending} @click=${() => this.propose()}>
              ${this.game ? t.rematch.agree : t.rematch.propose}
            </button>
            ${this.game
              ? nothing
              : html`<label class="rematch-bots">
                  <input
                    type="checkbox"
                    .checked=${live(this.bots)}
                    @change=${(/** @type {any} */ event) => (this.bots = event.target.checked)}
                  />
                  <span>${t.rematch.bots}</span>
                </label>`}`
        : nothing}
      ${this.game ? html`<a class="button" href=${`/game/${this.game}`}>${t.rematch.go}</a>` : nothing}
    </div>`;
  }
}
