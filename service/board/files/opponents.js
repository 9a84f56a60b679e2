// A game against bots with one tap: how many they are, and how well they play.

import { t } from "./texts.screens.js";
import { described, editionName, field, loadEditions, usualBot } from "./parts.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

const USUAL = 2;

export class Opponents {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {import("./parts.js").Editions} */
    this.editions = new Map();
    /** @type {Schemas["Bot"][]} */
    this.bots = [];
    this.count = USUAL;
    /** The key of the bot that plays all other seats. */
    this.bot = "";
    /** Resolves when the editions and the bots are there. */
    this.loaded = this.load();
    this.loaded.catch(() => {});
  }

  async load() {
    const { api } = this.app;
    const { signal } = new AbortController();
    const [editions, { bots }] = await Promise.all([loadEditions(this.app, signal), api.get("/v1/bots")]);
    this.editions = editions;
    this.bots = bots;
    this.bot ||= usualBot(bots);
    this.app.changed();
  }

  /** The edition that is played: the newest one for as many. */
  get edition() {
    const seats = this.count + 1;
    return [...this.editions.values()].find(({ seats: { fewest, most } }) => fewest <= seats && seats <= most);
  }

  /** The request that opens the game. Throws: Refused, Unreachable. */
  async body() {
    // Signing in draws another screen, and what could not be loaded before is loaded now.
    await this.loaded.catch(() => (this.loaded = this.load()));
    const bots = Array.from({ length: this.count }, (_, index) => ({ seat: index + 1, bot: this.bot }));
    return { edition: this.edition?.key, seats: this.count + 1, bots };
  }

  /** @param {Partial<Opponents>} chosen */
  set(chosen) {
    Object.assign(this, chosen);
    this.app.changed();
  }

  /** @returns {Drawn} */
  view() {
    const { bots, edition, editions } = this;
    const bot = bots.find(({ key }) => key === this.bot);
    const most = Math.max(USUAL + 1, ...[...editions.values()].map(({ seats }) => seats.most)) - 1;
    return html`<div class="opponents">
        ${field({
          id: "opponents-count",
          label: t.opponents.count,
          control: html`<select id="opponents-count" @change=${(/** @type {any} */ { target }) => this.set({ count: Number(target.value) })}>
            ${Array.from({ length: most }, (_, index) => index + 1).map(
              (count) => html`<option value=${count} .selected=${live(count === this.count)}>${t.opponents.bots(count)}</option>`,
            )}
          </select>`,
        })}
        ${field({
          id: "opponents-bot",
          label: t.opponents.level,
          control: html`<select
            id="opponents-bot"
            aria-describedby=${described("opponents-bot")}
            @change=${(/** @type {any} */ { target }) => this.set({ bot: target.value })}
          >
            ${bots.map(({ key, label }) => html`<option value=${key} .selected=${live(key === this.bot)}>${label}</option>`)}
          </select>`,
        })}
      </div>
      <p class="opponents-about quiet">
        ${bot?.summary ?? nothing}
        ${edition ? t.opponents.edition(editionName(editions, edition.key)) : ""}
      </p>`;
  }
}
