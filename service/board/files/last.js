// The battle that ended last. Its rows stay in sight, in grey, until the next region is contested, a card is laid or a key
// is pressed; how it ended can be looked up until the next one ends.

import { about, chip, courtesans, faceOf, hasLaid, named, numberOf, sorted, withoutCourtesans } from "./battle.js";
import { t } from "./texts.screens.js";
import { historyOf, lastEnd } from "./log.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./log.js").Commit} Commit */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {{seq: number, rows: string[][], strengths: number[] | null, season: string | null, turned: Turned[],
 *   winner: number | null}} Ended a battle at its end; rows and strengths by seat; null: the rows were not compared */
/** @typedef {{seat: number, card: string}} Turned a card that lay face down */

/** Return the battle that ended last, as its events say, or null. @param {Commit[]} commits @param {number} seats
 * @returns {Ended | null} */
export function lastBattle(commits, seats) {
  const empty = () => Array.from({ length: seats }, () => /** @type {string[]} */ ([]));
  let rows = empty();
  /** @type {string | null} */
  let season = null;
  /** @type {Turned[]} */
  let turned = [];
  /** @type {Ended | null} */
  let ended = null;
  /** @param {number} seat @param {string} card */
  const lay = (seat, card) => rows[seat]?.push(card);
  /** @param {number} seat @param {string} card @param {number} [count] */
  const remove = (seat, card, count = 1) => {
    for (let left = count; left > 0; left--) rows[seat]?.splice(rows[seat].indexOf(card), 1);
  };
  for (const { events, seq } of commits) {
    for (const event of events) {
      if (event.type === "card-played" && event.place === "row") lay(event.seat, event.card);
      else if (event.type === "card-played" && event.place === "season") season = event.card;
      else if (event.type === "card-turned-up") lay(event.seat, event.card), turned.push(event);
      else if (event.type === "card-taken-back") remove(event.taken_from, event.card);
      else if (event.type === "mercenaries-removed") event.counts.forEach((count, seat) => remove(seat, event.card, count));
      else if (event.type === "battle-ended") {
        ended = { seq, rows: rows.map((row) => [...row]), strengths: event.strengths ?? null, season, turned, winner: event.winner ?? null };
      }
      else if (event.type === "rows-discarded") (rows = empty()), (season = null), (turned = []);
    }
  }
  return ended;
}

/** What the season of a battle has made of a mercenary in it, or null. @param {Ended} ended @param {string} card */
function worth({ rows, season }, card) {
  const number = Number(numberOf(card));
  if (!number) return null;
  if (season === "winter") return 1;
  const isHighest = rows.flat().every((other) => Number(numberOf(other)) <= number);
  return season === "spring" && isHighest ? number + 3 : null;
}

export class LastBattle {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.history = historyOf(table);
    /** The battle that is known, and up to which version. @type {{version: number, ended: Ended | null}} */
    this.known = { version: 0, ended: null };
    /** The version up to which battles are no longer shown. */
    this.hidden = 0;
    this.closing = new AbortController();
    document.addEventListener("keydown", () => this.hide(), { signal: this.closing.signal });
  }

  close() {
    this.closing.abort();
  }

  hide() {
    if (!this.ended) return;
    this.hidden = this.ended.seq;
    this.table.changed();
  }

  /** The battle that is shown, or null. @returns {Ended | null} */
  get ended() {
    const { history, table } = this;
    const { position, status, version } = table.view;
    const begun = position?.seats.some(hasLaid);
    if (!position || begun || position.contested || status !== "running" || table.at !== null || history.last < version) return null;
    const { ended } = this.latest();
    return ended && ended.seq > this.hidden && ended.rows.some(({ length }) => length) ? ended : null;
  }

  /** The battle that ended last, and the version up to which that is known. */
  latest() {
    const { history, table } = this;
    if (this.known.version !== history.last) {
      this.known = { version: history.last, ended: lastBattle(history.commits, table.view.seated.length) };
    }
    return this.known;
  }

  /** The season in which the battle ended, or null. */
  get season() {
    return this.ended?.season ?? null;
  }

  /** What a seat had in the battle that ended, or null. @param {number} seat
   * @returns {{strength: number | null, row: Drawn, label: string, won: boolean} | null} */
  of(seat) {
    const { ended, table } = this;
    if (!ended) return null;
    const laid = ended.rows[seat] ?? [], cards = withoutCourtesans(laid);
    const row = cards.length
      ? html`<ul class="table-row" aria-label=${t.table.lastRowOf(table.name(seat))}>
          ${sorted(table.edition, cards).map((card) => html`<li data-named=${named(card)}><span class="table-card" title=${about(table.edition, card)} @click=${() => table.look(card)}>${faceOf(table.edition, card, worth(ended, card))}</span></li>`)}
        </ul>`
      : nothing;
    const strength = this.strength(ended, seat);
    const label = t.table.lastStrengthOf(table.name(seat), strength);
    return { strength, label, won: ended.winner === seat, row: html`${row} ${courtesans(table, seat, laid)}` };
  }

  /** For a phone that shows the map, and not the rows: how the last battle ended, to be opened. @returns {Drawn} */
  view() {
    const outcome = lastEnd(this.history.commits, this.table, true);
    return outcome ? this.summary(outcome) : nothing;
  }

  /** The last battle, to be opened: how it ended, and what each seat had, the strongest first.
   * @param {string} [title] @returns {Drawn} */
  summary(title = t.last.title) {
    const { history, table } = this;
    const { edition, view } = table;
    const { ended } = this.latest();
    if (!ended || table.at !== null) return nothing;
    const seats = ended.rows.map((_, seat) => seat).sort((one, other) => (this.strength(ended, other) ?? 0) - (this.strength(ended, one) ?? 0));
    return html`<details class="table-discard last">
      <summary>${title}</summary>
      <p>${lastEnd(history.commits, table)}</p>
      <ul aria-label=${t.last.seats}>
        ${seats.map((seat) => {
          const cards = sorted(edition, ended.rows[seat] ?? []);
          return html`<li>
            ${chip(seat)} <span>${seat === view.you ? t.table.yourself : table.name(seat)}</span> <b>${this.strength(ended, seat) ?? nothing}</b>
            ${cards.map((card) => html`<span class="table-card">${faceOf(edition, card, worth(ended, card))}</span>`)}
          </li>`;
        })}
      </ul>
      ${ended.turned.length
        ? html`<p>${t.last.turned}</p>
            <ol aria-label=${t.last.turned}>
              ${ended.turned.map(
                ({ seat, card }) => html`<li>
                  ${chip(seat)} <span>${seat === view.you ? t.table.yourself : table.name(seat)}</span>
                  <span class="table-card">${faceOf(edition, card)}</span>
                </li>`,
              )}
            </ol>`
        : nothing}
    </details>`;
  }

  /** What a row counted; null if the rows were not compared. @param {Ended} ended @param {number} seat */
  strength({ strengths }, seat) {
    return strengths?.[seat] ?? null;
  }
}
