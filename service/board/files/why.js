// Why a region may not be chosen, beside the region; and which cards are barred from a final battle.

import { NARROW, sign } from "./battle.js";
import { t } from "./texts.screens.js";
import { refusal } from "./refusal.js";
import { legal } from "./hand.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */

/** How far from a city the text is, above and below it, and about how high it is, in units of the board. */
const ABOVE = 70, BELOW = 45, HEIGHT = 220;
/** About which part of the map's width it takes in a wide window; on a phone, it takes all of it. */
const WIDTH = 0.64;
/** What is left free around it, in CSS pixels. */
const MARGIN = 6;

/** Scroll a phone's page if the bar or the panel of the hand would hide an element. @param {Element} element */
function uncover(element) {
  const bar = document.querySelector(".table-bar")?.getBoundingClientRect();
  const dock = document.querySelector(".game-dock");
  if (!bar || !dock || !NARROW.matches || getComputedStyle(dock).position !== "sticky") return;
  const { bottom, top } = element.getBoundingClientRect();
  const below = bottom + MARGIN - dock.getBoundingClientRect().top;
  scrollBy(0, below > 0 ? below : Math.min(0, top - MARGIN - bar.bottom));
}

export class Why {
  /** @param {import("./game.js").Table} table */
  constructor(table) {
    this.table = table;
    /** The refusal that was brought into view. @type {unknown} */
    this.shown = null;
  }

  /** What stands on the cards that may not be laid, if a final battle is the reason; else "". */
  get barred() {
    const { view } = this.table;
    return view.position?.fighters.length && legal(view).length ? t.why.barred : "";
  }

  /** @returns {Drawn} */
  view() {
    const { table } = this;
    const { edition: { board }, forbidden, trouble } = table;
    const city = board?.regions.find(({ key }) => key === forbidden?.region)?.city;
    if (!board || !city || !trouble || trouble !== forbidden?.error) return nothing;
    const { isLow, isRight } = this.free(board, city);
    const place = (/** @type {Element | undefined} */ element) => {
      if (!(element instanceof HTMLElement)) return;
      // The map is as wide as its container.
      element.style.top = `${((isLow ? city.y - ABOVE : city.y + BELOW) * 100) / board.width}cqw`;
      if (this.shown !== trouble) requestAnimationFrame(() => uncover(element));
      this.shown = trouble;
    };
    return html`<div class="map-why" data-low=${isLow} data-right=${isRight} ${ref(place)}>
      ${refusal(table, trouble)}
      <button aria-label=${t.site.close} @click=${() => this.dismiss()}>${sign("cross")}</button>
    </div>`;
  }

  /** Where the text covers the fewest of the regions that may be chosen; if that is all one, away from the nearest edge.
   * @param {NonNullable<Schemas["Edition"]["board"]>} board @param {Schemas["Point"]} city */
  free({ height, regions, width }, city) {
    const keys = new Set(legal(this.table.view).map(({ favor, region }) => favor ?? region));
    const south = city.y > height / 2, east = city.x > width / 2;
    const places = [south, !south].flatMap((isLow) => [east, !east].map((isRight) => ({ isLow, isRight })));
    /** @param {typeof places[number]} place */
    const covered = ({ isLow, isRight }) => {
      const top = isLow ? city.y - ABOVE - HEIGHT : city.y + BELOW;
      if (top < 0 || top + HEIGHT > height) return Infinity;
      return regions.filter(
        ({ city: { x, y }, key }) =>
          keys.has(key) && y > top && y < top + HEIGHT && (isRight ? x > width * (1 - WIDTH) : x < width * WIDTH),
      ).length;
    };
    const least = Math.min(...places.map(covered));
    return places.find((place) => covered(place) === least) ?? { isLow: south, isRight: east };
  }

  dismiss() {
    this.table.trouble = null;
    this.table.changed();
    this.table.focusSoon(`[data-region="${this.table.forbidden?.region}"]`);
  }
}
