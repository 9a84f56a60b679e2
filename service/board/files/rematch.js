// A rematch of a game that is over: asks for one, or leads to the one that there is. `result.js` imports this.

import { Refused, Unreachable, newKey } from "./api.js";
import { t } from "./texts.screens.js";
import { levels, usualBot } from "./parts.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */

export class Rematch {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The id of the rematch that there is. @type {string | null} */
    this.game = null;
    /** Who asks the player for the rematch, or "". */
    this.asks = "";
    /** The id of the game before this one. @type {string | null} */
    this.before = null;
    /** Whether bots play for those who do not agree. */
    this.withBots = false;
    /** The bots to choose from, once they are loaded. @type {Schemas["Bot"][]} */
    this.bots = [];
    /** The key of the bot that plays for those who do not agree. */
    this.bot = "";
    /** Resolves when the bots are loaded, if they are needed. @type {Promise<void>} */
    this.loaded = Promise.resolve();
    this.key = newKey();
    /** Resolves when it is known whether there is a rematch. */
    this.ready = this.look();
    const { app, closing: { signal }, id } = table;
    const heard = (/** @type {Event} */ event) => {
      const { invitation } = /** @type {CustomEvent} */ (event).detail;
      if (invitation.rematch_of === id) this.look().then(() => this.asks && app.say(t.rematch.asks(this.asks)));
    };
    app.live.addEventListener("invitation", heard, { signal });
    app.live.addEventListener("connection", () => app.live.since === null && this.look(), { signal });
  }

  async look() {
    const { app, closing: { signal }, id } = this.table;
    try {
      const table = await app.api.get(`/v1/games/${id}/table`, { signal });
      this.game = table.rematch;
      this.before = table.rematch_of;
      const asked = app.api.account && this.game;
      const { invitations } = asked ? await app.api.get("/v1/me/invitations", { signal }) : { invitations: [] };
      const found = /** @type {Schemas["ReceivedInvitation"][]} */ (invitations).find(({ game }) => game === this.game);
      this.asks = found ? (found.by_name ?? t.parts.deleted) : "";
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !signal.aborted) throw error;
    }
    this.table.changed();
  }

  /** Let bots play for those who do not agree, or not. @param {boolean} play */
  letBotsPlay(play) {
    this.withBots = play;
    if (play && !this.bots.length) this.loaded = this.loadBots();
    this.table.changed();
  }

  async loadBots() {
    const { app, closing } = this.table;
    try {
      this.bots = (await app.api.get("/v1/bots", { signal: closing.signal })).bots;
      this.bot = usualBot(this.bots);
    } catch (error) {
      this.withBots = false;
      if (!closing.signal.aborted) this.table.trouble = error;
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
      await this.loaded;
      const body = { bot: this.withBots ? this.bot : null };
      const game = await table.app.api.post(`/v1/games/${table.id}/rematch`, body, { key: this.key });
      if (!table.closing.signal.aborted) await table.app.go(`/game/${game.id}`);
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
    // Bots always agree: a new game with these settings is the same without a question.
    const seated = view.you !== null && view.seated.some(({ player, seat }) => player !== null && seat !== view.you);
    const before = this.before ? html`<p><a href=${`/game/${this.before}`}>${t.guests.rematchOf}</a></p>` : nothing;
    if (!seated && !this.game) return before;
    return html`${before}
    ${this.asks ? html`<p><strong>${t.rematch.asks(this.asks)}.</strong></p>` : nothing}
    <div class="rematch table-buttons">
      ${seated
        ? html`<button class=${this.asks ? "primary" : nothing} aria-disabled=${sending} @click=${() => this.propose()}>
              ${this.game ? t.rematch.agree : t.rematch.propose}
            </button>
            ${this.game
              ? nothing
              : html`<label class="rematch-bots">
                  <input
                    type="checkbox"
                    .checked=${live(this.withBots)}
                    @change=${(/** @type {any} */ event) => this.letBotsPlay(event.target.checked)}
                  />
                  <span>${t.rematch.bots}</span>
                </label>
                ${this.withBots && this.bots.length
                  ? levels(this.bots, this.bot, t.rematch.level, (bot) => (this.bot = bot))
                  : nothing}`}`
        : nothing}
      ${this.game ? html`<a class="button" href=${`/game/${this.game}`}>${t.rematch.go}</a>` : nothing}
    </div>`;
  }
}
