// What the screens around the board share: seats, clocks and times in words, fields of forms, and the line while
// data loads.

import "./advice.js";
import { HIDDEN, Refused } from "./api.js";
import { trouble } from "./app.js";
import { t } from "./texts.screens.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Map<string, Schemas["EditionSummary"]>} Editions the editions, by their keys */

const NOTICEABLE = 400;

/** A line that says that data is loading, once that takes long enough to be noticed. */
export class Loading {
  /** @param {App} app */
  constructor(app) {
    this.seen = false;
    this.timer = setTimeout(() => {
      this.seen = true;
      app.changed();
    }, NOTICEABLE);
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** @returns {Drawn} */
  view() {
    return html`<p class="parts-loading quiet" role="status">${this.seen ? `${t.site.loading} …` : nothing}</p>`;
  }
}

/** @param {App} app @param {AbortSignal} signal @returns {Promise<Editions>} */
export async function loadEditions(app, signal) {
  /** @type {Schemas["EditionList"]} */
  const list = await app.api.get("/v1/editions", { signal });
  return new Map(list.editions.map((edition) => [edition.key, edition]));
}

/** The bot that plays where nobody has chosen another one; the middle one at a service without it.
 * @param {Schemas["Bot"][]} bots weakest first */
export const usualBot = (bots) => (bots.find(({ key }) => key === "steady") ?? bots[bots.length >> 1])?.key ?? "";

/** A choice of bots, with one of them selected. @param {Schemas["Bot"][]} bots @param {string} chosen
 * @param {string} label @param {(bot: string) => unknown} [choose] @returns {Drawn} */
export const levels = (bots, chosen, label, choose = () => {}) =>
  html`<select aria-label=${label} @change=${(/** @type {any} */ { target }) => choose(target.value)}>
    ${bots.map(({ key, label: name }) => html`<option value=${key} .selected=${key === chosen}>${name}</option>`)}
  </select>`;

/** @param {Editions} editions @param {string} key */
export function editionName(editions, key) {
  const edition = editions.get(key);
  return edition ? t.parts.edition(edition.title, edition.year, edition.publisher) : key;
}

/** The name of a seat. Bots of one kind have the numbers that they have at the table.
 * @param {Schemas["Seated"]} place @param {Schemas["Seated"][]} seated all seats of the game */
export function nameAt({ seat, player, name, bot, label }, seated) {
  if (player !== null) return name ?? (player === HIDDEN ? t.parts.seat(seat) : t.parts.deleted);
  if (bot === null) return t.parts.free;
  const twins = seated.filter((other) => other.label === label && !other.name).map((other) => other.seat);
  const kind = label ?? bot;
  return twins.length > 1 ? t.table.botOf(kind, twins.indexOf(seat) + 1) : kind;
}

/** Who sits on a seat, and who plays it. @param {Schemas["Seated"]} place @param {Schemas["Seated"][]} seated */
export function seatName(place, seated) {
  const { bot, label, player } = place;
  const name = nameAt(place, seated);
  return player === null || bot === null ? name : t.parts.standIn(name, label ?? bot);
}

/** Return the names at the table without one seat's: people first, and bots of the same kind counted.
 * @param {Schemas["Seated"][]} seated @param {number | null} seat */
export function othersAt(seated, seat) {
  const others = seated.filter((place) => place.seat !== seat && !isFree(place));
  const people = others.filter(({ player }) => player !== null).map((place) => seatName(place, seated));
  const bots = others.filter(({ player }) => player === null).map(({ bot, label }) => label ?? bot ?? "");
  const counted = [...new Set(bots)].map((name) => {
    const { length } = bots.filter((other) => other === name);
    return length > 1 ? t.parts.bots(length, name) : name;
  });
  return [...people, ...counted];
}

/** @param {Schemas["Seated"]} place */
export const isFree = (place) => place.player === null && place.bot === null;

/** The colour and shape of a seat. @param {number} seat @returns {Drawn} */
export const chip = (seat) =>
  html`<span class="chip" data-seat=${seat} aria-hidden="true">
    <svg viewBox="0 0 24 24"><use href=${`#seat-${seat}`}></use></svg>
  </span>`;

/** All seats of a game, each with its colour and its name. @param {Schemas["Seated"][]} seated @param {string} label
 * @returns {Drawn} */
export function seats(seated, label) {
  return html`<ul class="parts-seats" aria-label=${label}>
    ${seated.map(
      (place) => html`<li class=${isFree(place) ? "quiet" : ""}>${chip(place.seat)} <span>${seatName(place, seated)}</span></li>`,
    )}
  </ul>`;
}

/** @param {Schemas["ClockSettings"] | null} clock */
export function clockWords(clock) {
  if (clock === null) return t.parts.noClock;
  const { kind, seconds, increment, cap } = clock;
  const [time, more, most] = [seconds, increment, cap].map((each) => t.parts.duration(each * 1000));
  return kind === "bank" ? t.parts.bank(time ?? "", more ?? "", most ?? "") : t.parts.perMove(time ?? "");
}

/** How long there is until a deadline. @param {number | null} deadline @returns {Drawn} */
export function timeLeft(deadline) {
  if (deadline === null) return nothing;
  const left = deadline - Date.now();
  const exact = new Date(deadline);
  return html`<time
    class="parts-left"
    data-urgent=${left < 3_600_000}
    datetime=${exact.toISOString()}
    title=${exact.toLocaleString(t.language)}
    >${t.parts.left(t.parts.duration(Math.max(0, left)))}</time
  >`;
}

/** What is wrong with the fields of a form, by their names, as a problem says. @param {unknown} error
 * @returns {Record<string, string>} */
export function fieldErrors(error) {
  if (!(error instanceof Refused)) return {};
  const found = Object.entries(error.problem.errors ?? {});
  return Object.fromEntries(found.map(([part, what]) => [part, Array.isArray(what) ? what.join(" ") : String(what)]));
}

/**
 * @typedef {object} FieldParts
 * @property {string} id the id of the control, which is described by `<id>-help` and `<id>-error`
 * @property {string} label
 * @property {Drawn} control
 * @property {Drawn} [help]
 * @property {Drawn} [error]
 */

/** A control with its label, what to know, and what is wrong with it. @param {FieldParts} parts @returns {Drawn} */
export function field({ id, label, control, help = nothing, error = nothing }) {
  return html`<div class="parts-field">
    <label for=${id}>${label}</label>
    ${control}
    <div id=${`${id}-error`} class="parts-error" role="alert">${error}</div>
    <div id=${`${id}-help`} class="parts-help quiet">${help}</div>
  </div>`;
}

/** The value of a control's aria-describedby. @param {string} id */
export const described = (id) => `${id}-error ${id}-help`;

/** An error beside a field in place of beside the form: one line. @param {unknown} error @param {string} name
 * @returns {Drawn} */
export function beside(error, name) {
  if (!error) return nothing;
  const text = fieldErrors(error)[name];
  return text ? html`<p>${text}</p>` : trouble(error);
}

/** Run `task` again and again while the page can be seen, and when it is seen again.
 * @param {() => void} task @param {number} milliseconds @param {AbortSignal} signal ends it */
export function whileSeen(task, milliseconds, signal) {
  const look = () => document.visibilityState === "visible" && task();
  const looks = setInterval(look, milliseconds);
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => clearInterval(looks));
}

/** Return a function that runs `task` at most once in `milliseconds`, and once after the last call.
 * @param {() => void} task @param {number} milliseconds @param {AbortSignal} signal */
export function gathered(task, milliseconds, signal) {
  let timer = 0;
  signal.addEventListener("abort", () => clearTimeout(timer));
  return () => {
    if (timer || signal.aborted) return;
    timer = setTimeout(() => {
      timer = 0;
      task();
    }, milliseconds);
  };
}

/** Return an address of this origin, from a text that anybody may have written; null if it leads elsewhere.
 * @param {string | null} text */
export function inside(text) {
  if (!text?.startsWith("/")) return null;
  let url;
  try {
    url = new URL(text, location.origin);
  } catch {
    return null;
  }
  if (url.origin !== location.origin || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search + url.hash;
}

/** The address of the screen that signs in and comes back to where one is. */
export const signInAddress = () => `/signin?next=${encodeURIComponent(location.pathname + location.search)}`;
