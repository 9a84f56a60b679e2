// On a phone, a swipe turns from the map to the battle and back.

import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** What a finger moves sideways at least, in CSS pixels, and how much more sideways than up or down. */
const FAR = 48, LEVEL = 2;
/** Where a finger may begin: the two parts between which a phone chooses, but not a field in them. */
const PANES = ".game[data-board='true'] :is(.game-map, .table-seats)";

export class Swipe {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.closing = new AbortController();
    /** Ends the swipe under way. */
    this.ended = new AbortController();
    document.addEventListener("pointerdown", (event) => this.begin(event), { signal: this.closing.signal });
  }

  close() {
    this.closing.abort();
    this.ended.abort();
  }

  /** @param {PointerEvent} event */
  begin({ clientX: x, clientY: y, isPrimary, pointerId, pointerType, target }) {
    this.ended.abort();
    if (pointerType === "mouse" || !isPrimary || !(target instanceof Element) || !target.closest(PANES)) return;
    this.ended = new AbortController();
    const { signal } = this.ended;
    // A browser that begins to scroll cancels the pointer.
    document.addEventListener("pointercancel", () => this.ended.abort(), { signal });
    document.addEventListener(
      "pointerup",
      (event) => {
        this.ended.abort();
        const right = event.clientX - x, down = event.clientY - y;
        if (event.pointerId !== pointerId || Math.abs(right) < Math.max(FAR, LEVEL * Math.abs(down))) return;
        this.turn(right > 0 ? "map" : "battle");
      },
      { signal },
    );
  }

  /** @param {"map" | "battle"} tab */
  turn(tab) {
    const { table } = this;
    if (table.tab() === tab) return;
    table.turnTo(tab);
    table.swiped = tab;
  }

  /** @returns {Drawn} */
  view() {
    return nothing;
  }
}
