// A game before its start: who has a seat, the link to share, joining, leaving and starting, and the owner's table.

import { HIDDEN } from "./api.js";
import { chip, headline, isTaken } from "./battle.js";
import { Guests } from "./guests.js";
import { refusal } from "./refusal.js";
import { request } from "./request.js";
import { Share } from "./share.js";
import { t } from "./texts.screens.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./game.js").Table} Table */

export class Waiting {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.guests = new Guests(table);
    this.share = new Share(table, () => this.guests.link);
  }

  /** @returns {Drawn} */
  view() {
    const { table } = this;
    const { edition, trouble, view } = table;
    const talk = t.talk.rules[view.talk];
    this.guests.look();
    // What is loaded last would move the rest.
    if (!this.guests.ready) return nothing;
    return html`<section class="waiting">
      <h1>${edition.title}</h1>
      ${this.guests.heading()}
      ${view.status === "cancelled"
        ? html`<p>${headline(table, view)} ${view.cancelled?.reason ?? ""}</p>`
        : html`${this.places()} ${view.hints === "allowed" ? html`<p><strong>${t.hint.allowed}:</strong> ${t.hint.about}</p>` : nothing}
          ${view.names === "hidden" ? html`<p><strong>${t.opening.hidden}:</strong> ${t.opening.hiddenHelp}</p>` : nothing}
          ${talk ? html`<p><strong>${talk[0]}:</strong> ${talk[1]}</p>` : nothing}
          ${view.showing === "allowed" ? html`<p><strong>${t.showing.allowed}:</strong> ${t.showing.allowedHelp}</p>` : nothing}
          ${this.share.view()} ${this.guests.view()} ${this.buttons()} ${trouble ? refusal(table, trouble) : nothing}`}
    </section>
    ${table.parts.talk?.view() ?? nothing}`;
  }

  /** @returns {Drawn} */
  places() {
    const { view } = this.table;
    return html`<ul class="waiting-places" aria-label=${t.table.seats}>
      ${view.seated.map(
        (seat) => html`<li>
          ${chip(seat.seat)}
          <span>${isTaken(seat) ? this.table.name(seat.seat) : this.guests.free(seat.seat)}</span>
          ${seat.bot && !seat.player ? html`<span class="table-tag">${t.waiting.bot}</span>` : nothing}
          ${seat.player === view.owner && seat.player !== HIDDEN ? html`<span class="table-tag">${t.waiting.owner}</span>` : nothing}
          ${seat.seat === view.you ? html`<span class="table-tag">${t.table.you}</span>` : nothing}
          ${isTaken(seat) ? nothing : this.guests.place(seat.seat)}
        </li>`,
      )}
    </ul>`;
  }

  /** @returns {Drawn} */
  buttons() {
    const { table } = this;
    const { view } = table;
    const { account } = table.app.api;
    const owns = account !== null && view.owner === account.player;
    const isFull = view.seated.every(isTaken);
    return html`<div class="table-buttons">
      ${view.you !== null || isFull
        ? nothing
        : account
          ? html`<button class="primary" @click=${() => request(table, "join", {})}>${t.waiting.join}</button>`
          : html`<a class="button primary" href=${`/signin?next=${encodeURIComponent(location.pathname)}`}
              >${t.waiting.signIn}</a
            >`}
      ${owns && view.start === "owner"
        ? html`<button class="primary" aria-disabled=${!isFull} @click=${() => request(table, "start")}>
            ${t.waiting.start}
          </button>`
        : nothing}
      ${view.you !== null || owns
        ? html`<button @click=${() => request(table, "leave")}>${owns ? t.waiting.cancel : t.waiting.leave}</button>`
        : nothing}
    </div>`;
  }
}
