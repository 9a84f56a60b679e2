// On a phone, a swipe turns from the map to the battle and back, and the page scrolls while the panel of a selected card would
// hide the rows.

import { NARROW } from "./battle.js";
import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** What a finger moves sideways at least, in CSS pixels, and how much more sideways than up or down. */
const FAR = 48, LEVEL = 2;
/** Where a finger may begin: the two parts between which a phone chooses, but not a field in them. */
const PANES = ".game[data-board='true'] :is(.game-map, .table-seats)";
/** What is left free below the last row and above the first, in CSS pixels. */
const MARGIN = 6;
/** Whether a page is scrolled to a place, apart from fractions of a pixel. @param {number} y @param {number} place */
const isAt = (y, place) => Math.abs(y - place) < 2;

export class Swipe {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.closing = new AbortController();
    /** Ends the swipe under way. */
    this.ended = new AbortController();
    /** From where to where the page was scrolled for a selected card. @type {{from: number, to: number} | null} */
    this.scrolled = null;
    const { signal } = this.closing;
    document.addEventListener("pointerdown", (event) => this.begin(event), { signal });
    const dock = document.querySelector(".game-dock");
    if (!dock) return;
    const observer = new ResizeObserver(() => this.uncover(dock));
    observer.observe(dock);
    const turned = new MutationObserver(() => this.reveal());
    const game = document.querySelector(".game[data-board='true']");
    if (game) turned.observe(game, { attributeFilter: ["data-tab"] });
    signal.addEventListener("abort", () => (observer.disconnect(), turned.disconnect()));
  }

  /** Scroll up to what the phase of the game has turned to, unless the player looks at the log. */
  reveal() {
    const tabs = document.querySelector(".game-tabs")?.getBoundingClientRect();
    const bar = document.querySelector(".table-bar")?.getBoundingClientRect();
    const log = document.querySelector(".game-log")?.getBoundingClientRect();
    if (!tabs?.height || !bar || !log || this.table.tabChosen || this.table.choice || log.top < innerHeight / 2) return;
    scrollBy(0, Math.min(0, tabs.top - bar.height));
  }

  /** Note how high the panel of the hand is, and scroll so that a selected card hides as few rows as possible, and not the
   * first one. @param {Element} dock */
  uncover(dock) {
    document.documentElement.style.setProperty("--dock", `${dock.getBoundingClientRect().height}px`);
    if (!this.table.choice) return this.restore();
    const rows = document.querySelector(".table-rows")?.getBoundingClientRect();
    const bar = document.querySelector(".table-bar")?.getBoundingClientRect();
    if (this.table.asking || !rows?.height || !bar || !NARROW.matches || getComputedStyle(dock).position !== "sticky") return;
    const hidden = rows.bottom - dock.getBoundingClientRect().top;
    const before = scrollY, { scrolled } = this;
    scrollBy(0, Math.max(0, Math.min(hidden + MARGIN, rows.top - bar.height - MARGIN)));
    if (scrollY > before) this.scrolled = { from: scrolled && isAt(before, scrolled.to) ? scrolled.from : before, to: scrollY };
  }

  /** Scroll back once no card is selected, unless the player has scrolled meanwhile. */
  restore() {
    const { scrolled } = this;
    this.scrolled = null;
    // The page may have become shorter with the panel.
    const end = document.documentElement.scrollHeight - innerHeight;
    if (scrolled && isAt(scrollY, Math.min(scrolled.to, end))) scrollTo(0, scrolled.from);
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
