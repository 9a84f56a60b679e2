// What others do in a game, said to people who use a screen reader; and the link with which the page begins for them.

import { leadLine } from "./battle.js";
import { t } from "./texts.screens.js";
import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** Milliseconds between two announcements. */
const SPEECH = 2_000;

export class News {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {string[]} */
    this.unsaid = [];
    this.spoken = 0;
    /** Who leads, in words. */
    this.led = this.leader();
    if (table.latest?.you !== null) this.leadToHand();
  }

  /** @returns {Drawn} */
  view() {
    return nothing;
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
