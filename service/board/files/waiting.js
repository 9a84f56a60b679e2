// A game before its start: who has a seat, joining, leaving and starting, what the game is like, the link to share, and
// the owner's table.

import { HIDDEN } from "./api.js";
import { chip, headline, isTaken } from "./battle.js";
import { Guests } from "./guests.js";
import { clockWords } from "./parts.js";
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
    this.guests.look();
    // What is loaded last would move the rest.
    if (!this.guests.ready) return nothing;
    return html`<section class="waiting">
      <h1>${t.parts.edition(edition.title, edition.year, edition.publisher)}</h1>
      ${this.guests.heading()}
      ${view.status === "cancelled"
        ? html`<p>${headline(table, view)} ${view.cancelled?.reason ?? ""}</p>`
        : html`${this.places()} ${this.buttons()} ${trouble ? refusal(table, trouble) : nothing}
          ${this.facts().map(([word, text]) => html`<p><strong>${word}:</strong> ${text}</p>`)}
          <p><a href=${`/rules/${edition.key}`}>${t.waiting.rules}</a></p>
          ${this.share.view()} ${this.guests.view()}`}
    </section>
    ${table.parts.talk?.view() ?? nothing}`;
  }

  /** What the game is like, each in a word or two and in a sentence. @returns {string[][]} */
  facts() {
    const { edition, view } = this.table;
    const settings = view.clock?.settings ?? null;
    const { allowed, about } = t.hint;
    const { private: isPrivate } = this.guests.about ?? { private: false };
    const options = edition.options.filter(({ default: usual, key }) => view.options[key] !== usual);
    const talk = t.talk.rules[view.talk];
    return [
      ...options.map(({ key, label, summary }) => [t.waiting.option(label, view.options[key]), summary]),
      [t.waiting.time, t.waiting.clock(clockWords(settings), settings ? (t.opening.timeouts[settings.at_timeout] ?? "") : "")],
      isPrivate ? [t.guests.private, t.guests.privateHelp] : [t.guests.public, t.guests.publicHelp],
      ...(view.hints === "allowed" ? [[allowed, about]] : []),
      ...(view.names === "hidden" ? [[t.opening.hidden, t.opening.hiddenHelp]] : []),
      ...(talk ? [talk] : []),
      ...(view.showing === "allowed" ? [[t.showing.allowed, t.showing.allowedHelp]] : []),
    ];
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
