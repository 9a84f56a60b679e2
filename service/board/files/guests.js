// The table of a game that has not started: its title, the link and the code of a private game, invitations, and what the
// owner may do with the seats. `waiting.js` imports this, so it is loaded only where it is needed.

import { Refused, Unreachable } from "./api.js";
import { isTaken } from "./battle.js";
import { t } from "./texts.screens.js";
import { levels, usualBot } from "./parts.js";
import { request } from "./request.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */

export class Guests {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** What is stored beside the game's log, once it is loaded. @type {Schemas["Table"] | null} */
    this.about = null;
    /** The version of the game for which it was loaded. */
    this.version = 0;
    /** Whether it was loaded, or could not be. */
    this.ready = false;
    /** @type {Schemas["Bot"][]} */
    this.bots = [];
    /** @type {Schemas["JoinCode"] | null} */
    this.code = null;
  }

  get owns() {
    const { account } = this.table.app.api;
    return account !== null && this.table.view.owner === account.player;
  }

  /** The path of the game with the secret of its link; null if the game is not private, or the link is not known. */
  get link() {
    return this.about?.link?.url ?? null;
  }

  /** Load the table again if the game has changed. */
  look() {
    const { version } = this.table.view;
    if (version === this.version) return;
    this.version = version;
    this.load();
  }

  async load() {
    const { app, closing, id } = this.table;
    try {
      this.about = await app.api.get(`/v1/games/${id}/table`, { signal: closing.signal });
      if (this.owns && !this.bots.length) this.bots = (await app.api.get("/v1/bots", { signal: closing.signal })).bots;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !closing.signal.aborted) throw error;
    }
    this.ready = true;
    this.table.changed();
  }

  /** Send a request about the table, which the game itself does not show, and draw it again.
   * @param {string} method @param {string} what @param {unknown} [body] @returns {Promise<any>} */
  async ask(method, what, body) {
    const { table } = this;
    if (table.sending) return null;
    table.sending = true;
    table.trouble = null;
    table.changed();
    try {
      return await table.app.api.write(method, `/v1/games/${table.id}/${what}`, body === undefined ? {} : { body });
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      table.trouble = error;
      return null;
    } finally {
      table.sending = false;
      await this.load();
    }
  }

  async replaceLink() {
    if (await this.ask("POST", "link")) this.code = null;
    this.table.changed();
  }

  async makeCode() {
    this.code = (await this.ask("POST", "code")) ?? this.code;
    this.table.changed();
  }

  /** Send the text of a form's only field. @param {Event} event @param {(text: string) => Promise<unknown>} send */
  async submit(event, send) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (form.elements[0]);
    await send(field.value.trim());
    if (!this.table.trouble && field instanceof HTMLInputElement) field.value = "";
  }

  /** The title. @returns {Drawn} */
  heading() {
    return this.about?.title ? html`<p class="guests-title"><bdi>${this.about.title}</bdi></p>` : nothing;
  }

  /** What the owner may do with a free seat. @param {number} seat @returns {Drawn} */
  place(seat) {
    const { table } = this;
    const { seats } = table.edition;
    if (!this.owns) return nothing;
    const name = t.guests.seat(seat);
    const closes = table.view.seated.length > seats.fewest;
    return html`<span class="guests-place">
      ${this.bots.length
        ? html`<form @submit=${(/** @type {Event} */ event) => this.submit(event, (bot) => request(table, "seat-bot", { seat, bot }))}>
            ${levels(this.bots, usualBot(this.bots), t.guests.level(name))}
            <button aria-label=${t.guests.botAt(name)} aria-disabled=${table.sending}>${t.guests.bot}</button>
          </form>`
        : nothing}
      ${closes
        ? html`<button
            aria-label=${t.guests.closeNamed(name)}
            aria-disabled=${table.sending}
            @click=${() => request(table, "close-seat", { seat })}
          >
            ${t.guests.close}
          </button>`
        : nothing}
    </span>`;
  }

  /** @returns {Drawn} */
  view() {
    const { about } = this;
    if (!about) return nothing;
    return html`${about.rematch_of ? html`<p><a href=${`/game/${about.rematch_of}`}>${t.guests.rematchOf}</a></p>` : nothing}
      ${about.link ? this.codes() : nothing} ${this.owns ? this.owner(about) : nothing}`;
  }

  /** What a free seat is: in a rematch, it may be kept for a player. @param {number} seat */
  free(seat) {
    const kept = this.about?.reserved.find((place) => place.seat === seat);
    return kept ? t.guests.keptFor(kept.name ?? t.parts.deleted) : t.waiting.free;
  }

  /** @returns {Drawn} */
  codes() {
    return html`<p class="guests-code" role="status">
      ${this.code ? html`${t.guests.codeIs} <strong>${this.code.code}</strong>. ${t.guests.codeLasts}` : nothing}
      <button aria-disabled=${this.table.sending} @click=${() => this.makeCode()}>
        ${this.code ? t.guests.anotherCode : t.guests.makeCode}
      </button>
    </p>`;
  }

  /** @param {Schemas["Table"]} about @returns {Drawn} */
  owner(about) {
    const { seated, owner } = this.table.view;
    const others = seated.filter((seat) => isTaken(seat) && seat.player !== null && seat.player !== owner);
    const busy = this.table.sending;
    return html`<section class="guests" aria-labelledby="guests">
      <h2 id="guests">${t.guests.invite}</h2>
      <form @submit=${(/** @type {Event} */ event) => this.submit(event, (player) => this.ask("POST", "invitations", { player }))}>
        <label for="guests-name">${t.guests.name}</label>
        <input id="guests-name" autocomplete="off" maxlength="20" required />
        <button aria-disabled=${busy}>${t.guests.send}</button>
      </form>
      ${about.invitations.length
        ? html`<ul class="guests-invited" aria-label=${t.guests.invited}>
            ${about.invitations.map((invitation) => this.invited(invitation))}
          </ul>`
        : nothing}
      <form
        @submit=${(/** @type {Event} */ event) => this.submit(event, (title) => this.ask("PATCH", "table", { title: title || null }))}
      >
        <label for="guests-retitle">${t.guests.retitle}</label>
        <input id="guests-retitle" autocomplete="off" maxlength="60" placeholder=${about.title ?? ""} />
        <button aria-disabled=${busy}>${t.guests.save}</button>
      </form>
      ${about.link ? html`<p><button aria-disabled=${busy} @click=${() => this.replaceLink()}>${t.guests.replace}</button></p>` : nothing}
      ${others.length
        ? html`<form @submit=${(/** @type {Event} */ event) => this.submit(event, (seat) => request(this.table, "hand-over", { seat: Number(seat) }))}>
            <label for="guests-heir">${t.guests.handOver}</label>
            <select id="guests-heir">
              ${others.map(({ seat }) => html`<option value=${seat}>${this.table.name(seat)}</option>`)}
            </select>
            <button aria-disabled=${busy}>${t.guests.hand}</button>
          </form>`
        : nothing}
    </section>`;
  }

  /** @param {Schemas["Invitation"]} invitation @returns {Drawn} */
  invited({ name, player, reason, status }) {
    const shown = name ?? t.parts.deleted;
    return html`<li>
      <span>${shown}</span> <span class="table-tag">${t.guests.statuses[status]}</span>
      ${reason ? html`<span class="quiet">${t.guests.reasons[reason] ?? reason}</span>` : nothing}
      ${status === "pending"
        ? html`<button
            aria-label=${t.guests.withdrawNamed(shown)}
            aria-disabled=${this.table.sending}
            @click=${() => this.ask("DELETE", `invitations/${player}`)}
          >
            ${t.guests.withdraw}
          </button>`
        : nothing}
    </li>`;
  }
}
