// A game after its end: who has won and why, another game like it, the replay, and the verification of the deal.

import { Unreachable } from "./api.js";
import { NARROW, faceOf, headline, regionName, sorted, winners } from "./battle.js";
import { t } from "./texts.screens.js";
import { refusal } from "./refusal.js";
import { groupsOf } from "./map.js";
import { Rematch } from "./rematch.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */

export class Result {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.rematch = new Rematch(table);
    this.ready = this.rematch.ready;
    // A phone shows it at the top of the page.
    table.app.changed().then(() => NARROW.matches && table.at === null && scrollTo(0, 0));
  }

  /** Open another game with the same settings: all that the service names, also those that the view does not show. */
  async again() {
    const { table } = this;
    const view = table.latest;
    if (!view || table.sending) return;
    const { account } = table.app.api;
    if (!account) return table.app.go(`/signin?for=game&next=${encodeURIComponent(location.pathname)}`);
    table.sending = true;
    table.trouble = null;
    table.changed();
    const { api } = table.app;
    try {
      const settings = await api.get(`/v1/games/${view.id}/settings`, { signal: table.closing.signal });
      const opened = await api.post("/v1/games", settings);
      if (!table.closing.signal.aborted) await table.app.go(`/game/${opened.id}`);
    } catch (error) {
      if (!table.closing.signal.aborted) table.trouble = error;
    } finally {
      table.sending = false;
      table.changed();
    }
  }

  async verify() {
    const { table } = this;
    table.trouble = null;
    try {
      const { Verification } = await import("./verify.js");
      const verification = new Verification(table);
      table.parts.verification = verification;
      verification.start();
    } catch (error) {
      table.trouble = new Unreachable(String(error));
      table.changed();
    }
  }

  /** The hand of a seat: after the end all hands are open, also in a replay. @param {Schemas["PositionSeat"]} seat @returns {Drawn} */
  openHand({ hand: { cards }, seat }) {
    const { table } = this;
    if (!cards?.length) return nothing;
    return html`<ul class="table-row result-hand" aria-label=${t.result.handOf(table.name(seat))}>
      <li class="quiet" aria-hidden="true">${t.result.inHand}</li>
      ${sorted(table.edition, cards).map((card) => html`<li><span class="table-card">${faceOf(table.edition, card)}</span></li>`)}
    </ul>`;
  }

  /** Why the game ended, in words; with the adjacent regions that were enough. @param {string} reason */
  why(reason) {
    const { edition, view } = this.table;
    if (reason === "resignation" && view.seated.length === 2) return t.result.oneOfTwo;
    const words = t.result.reasons[reason] ?? reason;
    if (reason !== "adjacent-regions" || !edition.board) return words;
    const { board } = edition;
    const groups = (view.result?.winners ?? []).flatMap((seat) => groupsOf(board, view.position?.seats[seat]?.regions ?? []));
    const enough = groups.filter(({ length }) => length >= (view.goal?.adjacent ?? 1));
    return enough.length ? t.result.named(words, enough.flat().map((region) => regionName(edition, region))) : words;
  }

  /** @returns {Drawn} */
  view() {
    const { table } = this;
    const { edition, trouble, view } = table;
    const reasons = (view.result?.reasons ?? []).map((reason) => this.why(reason));
    return html`<section class="result" aria-labelledby="result">
      <h2 id="result">${view.status === "finished" ? t.table.over(winners(table, view)) : headline(table, view)}</h2>
      ${reasons.length ? html`<p>${t.result.because(reasons)}</p>` : nothing}
      ${view.cancelled?.reason ? html`<p>${t.result.because([view.cancelled.reason])}</p>` : nothing}
      <div class="table-buttons">
        <button class="primary" aria-disabled=${table.sending} @click=${() => this.again()}>${t.result.again}</button>
        <a class="button" href=${`/new?like=${view.id}`}>${t.result.change}</a>
        <a class="button" href=${`/game/${view.id}?at=1`}>${t.result.replay}</a>
        ${view.status === "finished" && !table.parts.verification
          ? html`<button @click=${() => this.verify()}>${t.result.verify}</button>`
          : nothing}
      </div>
      ${this.rematch.view()} ${trouble ? refusal(table, trouble) : nothing} ${table.parts.verification?.view() ?? nothing}
    </section>`;
  }
}
