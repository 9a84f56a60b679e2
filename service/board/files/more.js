// What concerns the seat rather than a move: the clock, asking for a pause or for more time, resigning, taking a seat back;
// the options of the game, its link, and the keys.

import { Refused, Unreachable } from "./api.js";
import { duration } from "./battle.js";
import { t } from "./texts.screens.js";
import { showModal } from "./hand.js";
import { request } from "./request.js";
import { Share } from "./share.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {Schemas["GameClock"]} Clock */

export class More {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.share = new Share(table, () => this.about?.link?.url ?? null);
    this.typed = "";
    /** What is stored beside the game's log, once it is loaded. @type {Schemas["Table"] | null} */
    this.about = null;
  }

  /** Get the link of a private game, and of which game this one is a rematch, once somebody opens this part. */
  async look() {
    if (this.about) return;
    const { app, closing, id } = this.table;
    try {
      this.about = await app.api.get(`/v1/games/${id}/table`, { signal: closing.signal, once: true });
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !closing.signal.aborted) throw error;
    }
    this.table.changed();
  }

  /** @returns {Drawn} */
  view() {
    const { asking, edition, view } = this.table;
    const before = this.about?.rematch_of;
    const toggle = (/** @type {Event} */ event) => /** @type {HTMLDetailsElement} */ (event.target).open && this.look();
    return html`<details class="more" @toggle=${toggle}>
        <summary>${view.clock ? t.more.title : t.more.withoutClock}</summary>
        ${this.share.view()} ${view.clock ? this.clock(view.clock) : nothing} ${options(view, edition)}
        ${before && view.status === "running" ? html`<p><a href=${`/game/${before}`}>${t.guests.rematchOf}</a></p>` : nothing}
        ${this.buttons()}
      </details>
      ${asking === "resign" ? this.resigning() : asking === "keys" ? this.keys() : nothing}`;
  }

  /** @param {Clock} clock @returns {Drawn} */
  clock({ banks, turn }) {
    const { table } = this;
    const { you } = table.view;
    const bank = you === null ? undefined : banks?.[you];
    return html`${turn
      ? html`<p>${t.more.clockOf(table.name(turn.seat))}</p>
          <ul>
            ${turn.why.map((line) => html`<li>${line}</li>`)}
          </ul>`
      : nothing}
    ${bank === undefined ? nothing : html`<p>${t.more.bank(duration(bank))}</p>`}`;
  }

  /** Over the hand, while a bot plays the own seat: why, and the way back. In place of the hand, if there is no own seat:
   * why there is none. @returns {Drawn} */
  away() {
    const { table } = this;
    const { clock, position, seated, status, you } = table.view;
    if (you === null) return status === "running" && table.at === null ? html`<p class="more-watching">${t.more.watching}</p>` : nothing;
    const place = seated[you];
    if (!place?.bot || status !== "running" || table.at !== null || position?.seats[place.seat]?.resigned) return nothing;
    const misses = clock?.settings.at_timeout === "bot" ? clock.settings.misses : null;
    return html`<div class="table-note more-away">
      <p>${t.more.away(place.label ?? place.bot, misses)}</p>
      <p><a href="/guide/correspondence#who-is-away">${t.more.aboutAway}</a></p>
      <button class="primary" aria-disabled=${table.sending} @click=${() => request(table, "return")}>${t.more.takeBack}</button>
    </div>`;
  }

  /** @returns {Drawn} */
  buttons() {
    const { table } = this;
    const { clock, position, seated, status, you } = table.view;
    const running = status === "running" && table.at === null;
    const plays = running && you !== null && !position?.seats[you]?.resigned;
    const substitutes = running && you === null && seated.some(({ player, bot }) => player === null && bot === null);
    /** @param {string} text @param {string} what @param {unknown} [body] */
    const button = (text, what, body) => html`<button @click=${() => request(table, what, body)}>${text}</button>`;
    return html`<div class="table-buttons">
      ${plays && clock ? this.time(clock, you, button) : nothing}
      ${substitutes && table.app.api.account ? button(t.more.substitute, "join", {}) : nothing}
      <button class="more-keys" @click=${() => this.ask("keys")}>${t.more.keys}</button>
      ${table.parts.ending?.endButton?.() ?? nothing}
      ${plays ? html`<button @click=${() => this.ask("resign")}>${t.more.resign}</button>` : nothing}
    </div>`;
  }

  /** What a player may ask for about the clock; agreeing to it is beside the hand.
   * @param {Clock} clock @param {number} you
   * @param {(text: string, what: string, body?: unknown) => Drawn} button @returns {Drawn} */
  time({ extension, pause_asked: asked, paused_since: since, settings, turn }, you, button) {
    const paused = typeof since === "number", half = Math.max(10, Math.floor(settings.seconds / 2));
    return html`${paused || asked.length ? nothing : button(t.more.pause, "pause")}
    ${turn?.seat === you && !paused && !extension
      ? button(t.more.moreTime(duration(half * 1000)), "extension", { seconds: half })
      : nothing}`;
  }

  // Dialogs

  /** @param {"resign" | "keys"} what */
  ask(what) {
    this.typed = "";
    this.table.ask(what);
  }

  /** @param {InputEvent} event */
  type(event) {
    this.typed = /** @type {HTMLInputElement} */ (event.target).value;
    this.table.changed();
  }

  resign() {
    this.table.ask(null);
    request(this.table, "resign");
  }

  /** @returns {Drawn} */
  resigning() {
    const sure = this.typed.trim().toLowerCase() === t.more.resignWord;
    const close = () => this.table.ask(null);
    return html`<dialog class="table-dialog" ${ref(showModal)} @close=${close} aria-labelledby="asks">
      <h2 id="asks">${t.more.resignTitle}</h2>
      <p>${t.more.resignText}</p>
      <label for="typed">${t.more.resignType}</label>
      <input id="typed" autocomplete="off" autocapitalize="off" .value=${this.typed}
        @input=${(/** @type {InputEvent} */ event) => this.type(event)} />
      <div class="table-buttons">
        <button class="primary" aria-disabled=${!sure} @click=${() => sure && this.resign()}>${t.more.resign}</button>
        <button @click=${close}>${t.site.cancel}</button>
      </div>
    </dialog>`;
  }

  /** @returns {Drawn} */
  keys() {
    const close = () => this.table.ask(null);
    return html`<dialog class="table-dialog" ${ref(showModal)} @close=${close} aria-labelledby="asks">
      <h2 id="asks">${t.more.keys}</h2>
      <dl>
        ${t.more.keyList.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
      </dl>
      <div class="table-buttons"><button class="primary" @click=${close}>${t.site.close}</button></div>
    </dialog>`;
  }
}

/** @param {Schemas["Game"]} view @param {Schemas["Edition"]} edition @returns {Drawn} */
function options(view, edition) {
  const changed = edition.options.filter((option) => view.options[option.key] !== option.default);
  const hints = view.hints === "allowed";
  const showing = view.showing === "allowed";
  const hidden = view.names === "hidden";
  const talk = t.talk.rules[view.talk];
  if (!changed.length && !hints && !showing && !hidden && !talk) return html`<p class="quiet">${edition.title}${edition.year ? `, ${edition.year}` : ""}</p>`;
  return html`<dl class="more-options">
    ${changed.map(
      (option) => html`<div>
        <dt>${option.label}${view.options[option.key] === true ? "" : `: ${String(view.options[option.key])}`}</dt>
        <dd class="quiet">${option.summary}</dd>
      </div>`,
    )}
    ${hints ? html`<div><dt>${t.hint.allowed}</dt><dd class="quiet">${t.hint.about}</dd></div>` : nothing}
    ${hidden ? html`<div><dt>${t.opening.hidden}</dt><dd class="quiet">${t.opening.hiddenHelp}</dd></div>` : nothing}
    ${talk ? html`<div><dt>${talk[0]}</dt><dd class="quiet">${talk[1]}</dd></div>` : nothing}
    ${showing ? html`<div><dt>${t.showing.allowed}</dt><dd class="quiet">${t.showing.allowedHelp}</dd></div>` : nothing}
  </dl>`;
}
