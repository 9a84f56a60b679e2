// Ending a game that nobody wants to finish: what the players have asked for, and the dialog to ask or to agree.

import { t } from "./texts.screens.js";
import { showModal } from "./hand.js";
import { request } from "./request.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {"leaders" | "none"} Outcome */

/** @type {Outcome[]} */
const OUTCOMES = ["leaders", "none"];

export class Ending {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Outcome | null} */
    this.outcome = null;
  }

  /** The seats whose players make their own moves. All of them must agree. @returns {number[]} */
  get people() {
    const { position, seated } = this.table.view;
    const people = seated.filter(({ bot, player, seat }) => player !== null && bot === null && !position?.seats[seat]?.resigned);
    return people.map(({ seat }) => seat);
  }

  /** Whether the player may ask for an end, or agree to one. */
  get offered() {
    const { at, view } = this.table;
    const { people } = this;
    return at === null && view.status === "running" && view.you !== null && people.includes(view.you) && people.length > 1;
  }

  /** The names of the seats that would win if the game ended as it stands. */
  get leaders() {
    return (this.table.view.ending?.leaders ?? []).map((seat) => this.table.name(seat));
  }

  /** The seats that have asked for an outcome. @param {Outcome} outcome */
  askedFor(outcome) {
    const asked = this.table.view.ending?.asked ?? [];
    return asked.filter((one) => one.outcome === outcome).map(({ seat }) => seat);
  }

  /** Open the dialog. @param {Outcome | null} [outcome] */
  ask(outcome = null) {
    this.outcome = outcome;
    this.table.ask("end");
  }

  /** @param {Outcome} outcome */
  choose(outcome) {
    this.outcome = outcome;
    this.table.changed();
  }

  agree() {
    const { outcome, table } = this;
    if (!outcome) return;
    table.ask(null);
    request(table, "end", { outcome });
  }

  /** Among the buttons of the seat. @returns {Drawn} */
  endButton() {
    return this.offered ? html`<button @click=${() => this.ask()}>${t.ending.end}</button>` : nothing;
  }

  /** Beside the hand, while somebody wants to end the game. @returns {Drawn} */
  view() {
    if (!this.offered) return nothing;
    return html`${OUTCOMES.map((outcome) => this.asked(outcome))} ${this.table.asking === "end" ? this.dialog() : nothing}`;
  }

  /** Who has asked for an outcome, who has not yet, and the way to agree. @param {Outcome} outcome @returns {Drawn} */
  asked(outcome) {
    const { people, table } = this;
    const { you } = table.view;
    const asked = this.askedFor(outcome);
    if (!asked.length || you === null) return nothing;
    const names = asked.map((seat) => (seat === you ? t.table.yourself : table.name(seat)));
    const missing = people.filter((seat) => seat !== you && !asked.includes(seat)).map((seat) => table.name(seat));
    return html`<div class="table-note">
      <p>${t.ending.asked(names, asked.length === 1 && asked[0] !== you, outcome, this.leaders)}</p>
      ${asked.includes(you)
        ? html`<p class="quiet">${t.ending.missing(missing)}</p>`
        : html`<button aria-disabled=${table.sending} @click=${() => this.ask(outcome)}>${t.ending.agree}</button>`}
    </div>`;
  }

  /** @returns {Drawn} */
  dialog() {
    const { outcome, table } = this;
    const close = () => table.ask(null);
    return html`<dialog class="table-dialog ending" ${ref(showModal)} @close=${close} aria-labelledby="asks">
      <h2 id="asks">${t.ending.title}</h2>
      <p>${t.ending.about} <a href="/guide/tables#ending-a-game-by-consent" target="_blank">${t.ending.more}</a></p>
      <fieldset>
        <legend>${t.ending.how}</legend>
        ${OUTCOMES.map(
          (each) => html`<label for=${`end-${each}`}>
            <input type="radio" name="end" id=${`end-${each}`} .checked=${each === outcome} @change=${() => this.choose(each)} />
            <span>${each === "leaders" ? t.ending.leaders(this.leaders) : t.ending.none}</span>
          </label>`,
        )}
      </fieldset>
      <div class="table-buttons">
        <button class="primary" aria-disabled=${outcome === null} @click=${() => this.agree()}>${t.ending.confirm}</button>
        <button @click=${close}>${t.site.cancel}</button>
      </div>
    </dialog>`;
  }
}
