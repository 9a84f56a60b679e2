// Showing cards: what others have shown the player, and the dialog in which the player shows cards to others.

import { Refused, Unreachable, newKey } from "./api.js";
import { chip, label, sorted } from "./battle.js";
import { promises } from "./clauses.js";
import { t } from "./texts.screens.js";
import { refusal } from "./refusal.js";
import { showModal } from "./hand.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {{key: string, card: string, text: string}} Copy one card of the hand */

export class Showing {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.open = false;
    /** The copies that are ticked. @type {Set<string>} */
    this.cards = new Set();
    /** The seats that are ticked. @type {Set<number>} */
    this.to = new Set();
    this.sending = false;
    /** Why showing was refused. @type {unknown} */
    this.trouble = null;
    this.key = "";
  }

  /** The cards of the hand, each by itself. @returns {Copy[]} */
  get hand() {
    const { edition, view } = this.table;
    const cards = view.you === null ? [] : sorted(edition, view.position?.seats[view.you]?.hand.cards ?? []);
    return cards.map((card, place) => {
      const all = cards.filter((other) => other === card).length;
      const number = place - cards.indexOf(card) + 1;
      return { key: `${card} ${number}`, card, text: t.showing.card(label(edition, card), number, all) };
    });
  }

  /** The seats of other players. Bots do not react to cards. @returns {number[]} */
  get others() {
    const { position, seated, you } = this.table.view;
    const others = seated.filter(({ player, seat }) => player !== null && seat !== you && !position?.seats[seat]?.resigned);
    return others.map(({ seat }) => seat);
  }

  /** Whether the player may show cards now. */
  get offered() {
    const { at, view } = this.table;
    const mine = view.you === null ? undefined : view.seated[view.you];
    const plays = at === null && view.status === "running" && mine?.bot === null;
    return plays && !view.position?.seats[mine.seat]?.resigned && this.hand.length > 0 && this.others.length > 0;
  }

  /** The copies that are ticked and still in the hand. @returns {Copy[]} */
  get ticked() {
    return this.hand.filter(({ key }) => this.cards.has(key));
  }

  /** The seats that are ticked and may still be shown cards. @returns {number[]} */
  get chosen() {
    return this.others.filter((seat) => this.to.has(seat));
  }

  /** @template T @param {Set<T>} set @param {T} item */
  tick(set, item) {
    if (this.sending) return;
    if (!set.delete(item)) set.add(item);
    this.trouble = null;
    this.key = newKey();
    this.table.changed();
  }

  ask() {
    const [first, second] = this.others;
    this.open = true;
    this.key = newKey();
    if (first !== undefined && second === undefined) this.to.add(first);
    this.table.changed();
  }

  close() {
    if (!this.open) return;
    this.open = false;
    this.cards.clear();
    this.to.clear();
    this.trouble = null;
    this.table.changed();
    this.table.focusSoon("#show-cards");
  }

  async show() {
    const { chosen, key, table, ticked } = this;
    if (this.sending || !ticked.length || !chosen.length) return;
    this.sending = true;
    this.trouble = null;
    table.changed();
    const said = this.summary();
    try {
      const body = { to: chosen, cards: ticked.map(({ card }) => card) };
      const view = await table.app.api.post(`/v1/games/${table.id}/shown`, body, { key });
      // On another screen, or to another player, the cards are a secret.
      if (table.closing.signal.aborted) return;
      table.take(view);
      this.close();
      table.app.say(said);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.trouble = error;
      if (error instanceof Refused) this.key = newKey();
    } finally {
      this.sending = false;
      table.changed();
    }
  }

  /** What would be shown to whom, in words, or "". */
  summary() {
    const { chosen, table, ticked } = this;
    if (!ticked.length || !chosen.length) return "";
    return t.showing.summary(
      this.named(ticked.map(({ card }) => card)),
      chosen.map((seat) => table.name(seat)),
    );
  }

  /** Cards in words, each kind once. @param {string[]} cards */
  named(cards) {
    return [...new Set(cards)].map((card) => {
      const number = cards.filter((other) => other === card).length;
      return `${number > 1 ? `${number} × ` : ""}${label(this.table.edition, card)}`;
    });
  }

  /** @returns {Drawn} */
  view() {
    const { offered, table } = this;
    const lines = [...table.view.shown].reverse().map((shown) => this.line(shown));
    if (!offered && !lines.length) return nothing;
    return html`<section class="showing" aria-label=${t.showing.title}>
      ${offered ? html`<button id="show-cards" @click=${() => this.ask()}>${t.showing.show}</button>` : nothing}
      ${lines.length
        ? html`<div>
            ${lines[0]}
            <details>
              <summary>${t.showing.toYou(lines.length)}</summary>
              <p class="quiet">${t.showing.since}</p>
              <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
            </details>
          </div>`
        : nothing}
      ${offered && this.open ? this.dialog() : nothing}
    </section>`;
  }

  /** What somebody has shown. @param {Table["view"]["shown"][number]} shown @returns {Drawn} */
  line({ cards, seat, version }) {
    const { table } = this;
    const names = this.named(cards);
    return html`<p>
      ${chip(seat)} ${t.showing.showed(table.name(seat), names)}
      <a href=${`/game/${table.id}?at=${version}`}>${t.showing.at(version)}</a>
    </p>`;
  }

  /** @returns {Drawn} */
  dialog() {
    const { chosen, sending, table, ticked } = this;
    const ready = ticked.length > 0 && chosen.length > 0;
    return html`<dialog class="table-dialog" ${ref(showModal)} @close=${() => this.close()} aria-labelledby="showing-title">
      <h2 id="showing-title">${t.showing.show}</h2>
      <p>${t.showing.about}</p>
      <p>${promises(table.edition)}</p>
      <fieldset class="showing-cards">
        <legend>${t.showing.cards}</legend>
        ${this.hand.map(({ key, text }) => this.box(`show-${key.replace(" ", "-")}`, text, this.cards.has(key), () => this.tick(this.cards, key)))}
      </fieldset>
      <fieldset>
        <legend>${t.showing.to}</legend>
        ${this.others.map((seat) => this.box(`show-to-${seat}`, table.name(seat), this.to.has(seat), () => this.tick(this.to, seat)))}
      </fieldset>
      <p role="status">${this.summary()}</p>
      ${this.trouble ? refusal(table, this.trouble) : nothing}
      <div class="table-buttons">
        <button class="primary" aria-busy=${sending} aria-disabled=${sending || !ready} @click=${() => this.show()}>
          ${t.showing.confirm(ticked.length)}
        </button>
        <button @click=${() => this.close()}>${t.showing.cancel}</button>
      </div>
    </dialog>`;
  }

  /** @param {string} id @param {string} text @param {boolean} ticked @param {() => void} tick @returns {Drawn} */
  box(id, text, ticked, tick) {
    return html`<label for=${id}><input type="checkbox" id=${id} .checked=${ticked} @change=${tick} /> <span>${text}</span></label>`;
  }
}
