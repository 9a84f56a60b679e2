// Why a region may not be chosen, beside the region; and which cards are barred from a final battle.

import { t } from "./texts.screens.js";
import { legal, refusal } from "./hand.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** How far from a city the text is, above and below it, in units of the board. */
const ABOVE = 70, BELOW = 45;

export class Why {
  /** @param {import("./game.js").Table} table */
  constructor(table) {
    this.table = table;
    this.region = "";
    /** The refusal that is about the region. @type {unknown} */
    this.error = null;
  }

  /** The last refusal was about a region. @param {string} region */
  about(region) {
    this.region = region;
    this.error = this.table.trouble;
  }

  /** What stands on the cards that may not be laid, if a final battle is the reason; else "". */
  get barred() {
    const { view } = this.table;
    return view.position?.fighters.length && legal(view).length ? t.why.barred : "";
  }

  /** @returns {Drawn} */
  view() {
    const { edition: { board }, trouble } = this.table;
    const city = board?.regions.find(({ key }) => key === this.region)?.city;
    if (!board || !city || !trouble || trouble !== this.error) return nothing;
    const isLow = city.y > board.height / 2;
    // The map is as wide as its container.
    const place = (/** @type {Element | undefined} */ element) =>
      element instanceof HTMLElement && (element.style.top = `${((isLow ? city.y - ABOVE : city.y + BELOW) * 100) / board.width}cqw`);
    return html`<div class="map-why" data-low=${isLow} ${ref(place)}>${refusal(this.table, trouble)}</div>`;
  }
}
