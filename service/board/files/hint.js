// A hint: which move the strongest bot would make in the player's place. The player asks, waits, and may select the move.

import { Refused, Unreachable, pause } from "./api.js";
import { label } from "./battle.js";
import { t } from "./texts.screens.js";
import { answer, answerText, legal, moveText } from "./hand.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./hand.js").Step} Step */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** Milliseconds between two looks, at first and at most; and after which a hint counts as lost. */
const FIRST_PAUSE = 200, LONGEST_PAUSE = 2_000, LOST = 60_000;

export class Hint {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The hint for the position that is drawn. @type {Schemas["Hint"] | null} */
    this.found = null;
    /** Ends the waiting for a hint; null: none was asked for. @type {AbortController | null} */
    this.asked = null;
  }

  close() {
    this.asked?.abort();
  }

  /** The position has changed: a hint was for the one before. */
  moved() {
    this.close();
    this.found = this.asked = null;
  }

  /** The move that the bot recommends, or null. @returns {Step | null} */
  get hinted() {
    return this.offered && this.found ? /** @type {Step} */ (this.found.move) : null;
  }

  /** Whether the player may ask now. */
  get offered() {
    const { clock, hints, position, seated, status, you } = this.table.view;
    const mine = you !== null && position?.turn === you && !seated[you]?.bot;
    return hints === "allowed" && mine && status === "running" && typeof clock?.paused_since !== "number";
  }

  /** Ask for a hint, and wait until the service has it. */
  async ask() {
    const { table } = this;
    const { api } = table.app;
    if (this.asked || table.sending) return;
    const asked = (this.asked = new AbortController());
    const { signal } = asked;
    const path = `/v1/games/${table.id}/hint`;
    table.trouble = null;
    table.note = "";
    table.app.say(t.hint.thinking);
    table.changed();
    try {
      /** @type {Schemas["Hint"]} */
      let hint = await api.write("POST", path, { signal });
      const until = Date.now() + LOST;
      for (let time = FIRST_PAUSE; !hint.move && Date.now() < until; time = Math.min(LONGEST_PAUSE, time * 1.5)) {
        await pause(time, signal);
        hint = await api.get(path, { signal });
      }
      if (signal.aborted) return;
      if (hint.move) this.found = hint;
      else table.note = t.hint.lost;
      table.app.say(this.text() || t.hint.lost);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      // What the page shows may be out of date.
      if (error instanceof Refused) await table.load();
      table.trouble = error;
    } finally {
      if (this.asked === asked) this.asked = null;
      table.changed();
    }
  }

  /** Select the move that the bot recommends; the player confirms it. */
  follow() {
    const { hinted, table } = this;
    if (!hinted || table.sending) return;
    if (hinted.type === "pass" || hinted.type === "discard-hand") return table.start(hinted.type);
    table.choose(hinted);
    table.focusSoon("#confirm");
  }

  /** The hint in words, or "". */
  text() {
    const { hinted, found, table } = this;
    if (!hinted || !found) return "";
    const { edition, view } = table;
    const alike = legal(view).filter(({ type, card }) => type === hinted.type && card === hinted.card);
    const { take: _, ...rest } = hinted;
    const words = [moveText(edition, rest)];
    for (const member of /** @type {const} */ (["take", "turn_up"])) {
      if (alike.some((step) => answer(step, member))) words.push(answerText(table, view, hinted, member));
    }
    const kept = (hinted.keep ?? []).map((card) => label(edition, card));
    return t.hint.says(found.label ?? found.bot ?? "", words, kept);
  }

  /** @returns {Drawn} */
  view() {
    const text = this.text();
    return text ? html`<p class="hint" id="hint">${text}</p>` : nothing;
  }

  /** The control that asks, and then selects the move: one button, which keeps the focus. @returns {Drawn} */
  control() {
    const { asked, found, hinted, table } = this;
    const selected = hinted !== null && JSON.stringify(table.move()) === JSON.stringify(hinted);
    if (!this.offered || selected) return nothing;
    return html`<button
      class="hint-button"
      aria-busy=${asked !== null}
      aria-disabled=${asked !== null || table.sending}
      data-found=${found !== null}
      @click=${() => (found ? this.follow() : this.ask())}
    >
      ${asked ? t.hint.thinking : found ? t.hint.follow : t.hint.ask}
    </button>`;
  }
}
