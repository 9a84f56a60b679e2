// What all players must agree to: a pause, more time, or the end of a game that nobody wants to finish. Beside the hand
// stands who has asked for it, and the way to agree; a dialog asks for an end.

import { duration } from "./battle.js";
import { t } from "./texts.screens.js";
import { showModal } from "./hand.js";
import { request } from "./request.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
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

  /** Whether the player is asked when somebody asks for something. */
  get decides() {
    const { at, view } = this.table;
    return at === null && view.status === "running" && view.you !== null && this.people.includes(view.you);
  }

  /** Whether the player may ask for an end, or agree to one. */
  get offered() {
    return this.decides && this.people.length > 1;
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

  /** Beside the hand, while there is a pause, or somebody asks for something. @returns {Drawn} */
  view() {
    const { table } = this;
    const { clock } = table.view;
    return html`${clock && typeof clock.paused_since === "number" ? this.paused() : nothing}
      ${clock && this.decides ? this.time(clock) : nothing}
      ${this.offered
        ? html`${OUTCOMES.map((outcome) => this.end(outcome))}
            ${table.asking === "end" ? this.dialog() : nothing}`
        : nothing}`;
  }

  /** @returns {Drawn} */
  paused() {
    const { table } = this;
    const { position, you } = table.view;
    if (table.at !== null || you === null || position?.seats[you]?.resigned) return nothing;
    return html`<div class="table-note consent">
      <p>${t.ending.paused}</p>
      <button aria-disabled=${table.sending} @click=${() => request(table, "resume")}>${t.ending.resume}</button>
    </div>`;
  }

  /** What somebody asks for about the clock. @param {Schemas["GameClock"]} clock @returns {Drawn} */
  time({ extension, pause_asked: asked, turn }) {
    const { table } = this;
    const time = extension ? duration(extension.extra) : "";
    return html`${asked.length
        ? this.asked(t.ending.pauseAsked(this.names(asked)), asked, t.ending.agreePause, () => request(table, "pause"), t.ending.pauseLapses)
        : nothing}
      ${extension && turn
        ? this.asked(
            t.ending.extensionAsked(this.names([turn.seat])[0] ?? "", time),
            [turn.seat, ...extension.agreed],
            t.ending.grant(time),
            () => request(table, "extension/grant", { seconds: extension.extra / 1000 }),
          )
        : nothing}`;
  }

  /** @param {Outcome} outcome @returns {Drawn} */
  end(outcome) {
    const asked = this.askedFor(outcome);
    if (!asked.length) return nothing;
    const text = t.ending.asked(this.names(asked), asked.length === 1 && asked[0] !== this.table.view.you, outcome, this.leaders);
    return this.asked(text, asked, t.ending.agree, () => this.ask(outcome));
  }

  /** @param {number[]} seats */
  names(seats) {
    return seats.map((seat) => (seat === this.table.view.you ? t.table.yourself : this.table.name(seat)));
  }

  /** What somebody has asked for, who has not agreed yet, and the way to agree.
   * @param {string} text @param {number[]} asked the seats that have asked for it, or agreed @param {string} word
   * @param {() => unknown} agree @param {string} [own] what else to know about an own request @returns {Drawn} */
  asked(text, asked, word, agree, own = "") {
    const { people, table } = this;
    const { you } = table.view;
    const missing = people.filter((seat) => !asked.includes(seat)).map((seat) => table.name(seat));
    return html`<div class="table-note consent">
      <p>${text}</p>
      ${you !== null && asked.includes(you)
        ? html`<p class="quiet">${t.ending.missing(missing)} ${own}</p>`
        : html`<button aria-disabled=${table.sending} @click=${agree}>${word}</button>`}
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
