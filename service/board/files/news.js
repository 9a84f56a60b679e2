// What others do in a game: marked for a moment, and said to people who use a screen reader. And the link with which the page
// begins for them.

import { leadLine } from "./battle.js";
import { t } from "./texts.screens.js";
import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** Milliseconds between two announcements, and for which a change is marked. */
const SPEECH = 2_000, MARKED = 1_000;

export class News {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {string[]} */
    this.unsaid = [];
    this.spoken = 0;
    this.unmarking = 0;
    /** Who leads, in words. */
    this.led = this.leader();
    if (table.latest?.you !== null) this.leadToHand();
  }

  /** @returns {Drawn} */
  view() {
    return nothing;
  }

  close() {
    clearTimeout(this.unmarking);
  }

  /** Mark, for a moment, the other seats whose cards, strength or regions are not as they were, and these regions.
   * @param {Game} before @param {Game} view */
  mark(before, view) {
    const { table } = this;
    /** @param {Schemas["PositionSeat"] | undefined} seat */
    const shown = (seat) => seat && JSON.stringify([seat.row, seat.face_down, seat.strength, seat.passed, seat.regions]);
    for (const seat of view.position?.seats ?? []) {
      const was = before.position?.seats[seat.seat];
      if (!was || seat.seat === view.you) continue;
      if (shown(was) !== shown(seat)) table.marked.add(seat.seat);
      for (const region of seat.regions) if (!was.regions.includes(region)) table.marked.add(region);
    }
    table.previous = before;
    clearTimeout(this.unmarking);
    this.unmarking = setTimeout(() => (table.marked.clear(), (table.previous = null), table.changed()), MARKED);
  }

  leader() {
    const position = this.table.latest?.position;
    return position ? leadLine(this.table, position) : "";
  }

  /** Say who leads, if that is news. */
  follow() {
    const led = this.leader();
    if (led && led !== this.led) this.speak(led);
    this.led = led;
  }

  /** Say what others do, at most once in two seconds. @param {string} sentence */
  speak(sentence) {
    this.unsaid.push(sentence);
    if (this.unsaid.length > 1) return;
    const { app, closing } = this.table;
    const wait = Math.max(0, this.spoken + SPEECH - Date.now());
    setTimeout(() => {
      this.spoken = Date.now();
      if (!closing.signal.aborted) app.say(this.unsaid.join(" "));
      this.unsaid = [];
    }, wait);
  }

  /** Let the first link of the page lead to the hand while this screen is open. */
  leadToHand() {
    const link = document.querySelector(".skip");
    if (!link) return;
    const { signal } = this.table.closing, before = link.textContent;
    link.textContent = t.table.skip;
    signal.addEventListener("abort", () => (link.textContent = before));
    const press = (/** @type {Event} */ event) => (event.preventDefault(), this.table.focusSoon(".hand-card[tabindex='0']"));
    link.addEventListener("click", press, { signal });
  }
}
