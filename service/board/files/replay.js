// The replay of a game: any version of it, by its address, by a slider, by steps, and played.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./log.js").Host} Host */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./log.js").Commit} Commit */

import { t } from "./texts.screens.js";
import { refusal } from "./refusal.js";
import { historyOf, isAtEnd, playThrough, sentence, stopAtAnyKey } from "./log.js";
import { html, live, nothing, ref } from "./vendor/lit-html.js";

/** How long the replay of a whole game takes at most, in ms. */
const LONGEST = 600_000;
/** What a round ends with, so that the next one begins, and the game. */
const ROUNDS = new Set(["round-ended", "game-ended"]);
/** What a battle begins with. Without a map, it begins when the rows of the one before are discarded. */
const BATTLES = new Set(["region-chosen", "final-battle-started"]), BATTLES_WITHOUT_MAP = new Set(["rows-discarded"]);

/** Draw a version of a game, and let the address name it; null: the newest one, without a replay.
 * @param {Table} table @param {number | null} at */
export async function show(table, at) {
  name(at);
  await drawAt(table, at);
}

/** Draw a version of a game; null: the newest one, without a replay. @param {Table} table @param {number | null} at */
export async function drawAt(table, at) {
  // An address may name a version that the game does not have.
  if (at !== null) at = Math.min(at, table.newest);
  table.at = at;
  table.reset();
  if (at === null) {
    table.parts.replay?.close?.();
    delete table.parts.replay;
    table.past = table.tabChosen = null;
    return table.changed();
  }
  const enters = !table.parts.replay;
  // On a phone, the phase of each step chooses the tab, until a tab is chosen by hand.
  if (enters) table.tabChosen = null;
  table.parts.replay ??= new Replay(table);
  try {
    const game = table.app.api.get(`/v1/games/${table.id}?version=${at}`, { signal: table.closing.signal });
    // The words of the replay come with the commits.
    const [past] = await Promise.all([game, historyOf(table).ready]);
    if (table.at === at) table.past = { ...past, moves: [] };
  } catch (error) {
    if (table.closing.signal.aborted || table.at !== at) return;
    // What is drawn stays, and so does the address: the version before, or the newest one.
    table.past ??= { .../** @type {Game} */ (table.latest), moves: [] };
    table.at = table.past.version;
    name(table.at);
    table.trouble = error;
  }
  await table.app.changed();
  if (enters) showControls();
}

/** Begin where the replay is controlled: the page may be scrolled to the log, or to the end of a long result. */
function showControls() {
  const box = document.querySelector(".replay")?.getBoundingClientRect();
  const under = document.querySelector(".table-bar")?.getBoundingClientRect().bottom ?? 0;
  if (box && (box.top < under || box.bottom > innerHeight)) scrollTo(0, 0);
}

/** Let the address name a version; null: the newest. @param {number | null} at */
function name(at) {
  const address = new URL(location.href);
  if (at === null) address.searchParams.delete("at");
  else address.searchParams.set("at", String(at));
  history.replaceState(null, "", address);
}

/** Mark a text as long as there is more of it below. @param {{currentTarget: EventTarget | null}} event */
function mark({ currentTarget: box }) {
  if (box instanceof HTMLElement) box.toggleAttribute("data-more", !isAtEnd(box, 2));
}

/** The replay of the game screen: it chooses the version, and the screen draws it. */
export class Replay {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.history = historyOf(host);
    /** The version that is asked for, while the screen loads it. @type {number | null} */
    this.wanted = null;
    /** @type {AbortController | null} */
    this.playing = null;
    this.closed = false;
    /** The text that was drawn last. */
    this.placed = "";
    this.history.ready.then(() => {
      if (!this.closed && this.at < this.first) this.show(this.first);
    });
  }

  close() {
    this.closed = true;
    this.playing?.abort();
  }

  /** What ends the playing, also of what has happened since your last move; null: nothing plays. */
  get player() {
    return this.playing ?? this.host.parts.log?.playing ?? null;
  }

  get at() {
    return this.wanted ?? this.host.at ?? this.host.newest;
  }

  /** The version at which the game started: there is no position before it. */
  get first() {
    const started = this.history.commits.find(({ events }) => events.some(({ type }) => type === "game-started"));
    return started?.seq ?? 1;
  }

  /** Show a version; of those that are asked for while one is loaded, only the last one. @param {number} version */
  async show(version) {
    const busy = this.wanted !== null;
    this.wanted = Math.min(this.host.newest, Math.max(this.first, version));
    this.host.changed();
    if (busy) return;
    try {
      for (let shown = 0; shown !== this.wanted; ) {
        shown = this.wanted;
        await this.host.show(shown);
      }
    } finally {
      this.wanted = null;
      this.host.changed();
    }
  }

  /** The version to which a button leads, or null: a step, or the first one of a battle or a round.
   * @param {string} part @param {1 | -1} way @returns {number | null} */
  next(part, way) {
    const { at, first, host } = this;
    const battles = host.edition.board ? BATTLES : BATTLES_WITHOUT_MAP;
    const begins = part === "step" ? null : part === "battle" ? battles : ROUNDS;
    for (let version = at + way; version >= first && version <= host.newest; version += way) {
      const found = !begins || this.history.at(version)?.events.some(({ type }) => begins.has(type));
      if (found || version === first || version === host.newest) return version;
    }
    return null;
  }

  async play() {
    if (this.player) return this.player.abort();
    const playing = (this.playing = new AbortController());
    const { host } = this;
    const from = this.at >= host.newest ? this.first : this.at + 1;
    stopAtAnyKey(playing);
    host.changed();
    try {
      await playThrough(from, host.newest, LONGEST, playing.signal, async (version) => {
        await this.show(version);
        if (host.trouble) playing.abort();
      });
    } finally {
      playing.abort();
      this.playing = null;
      host.changed();
    }
  }

  /** @returns {Drawn} */
  view() {
    const { at, first, host, player } = this;
    const commit = this.history.at(at);
    const text = commit ? sentence(commit, host) : "";
    return html`<section class="replay" aria-labelledby="replay-title">
      <h2 id="replay-title" class="spoken">${t.replay.title}</h2>
      <input type="range" min=${first} max=${host.newest} .value=${live(String(at))} aria-label=${t.replay.version}
        aria-valuetext=${t.replay.at(at, host.newest, text)}
        @input=${(/** @type {InputEvent} */ event) =>
          this.show(Number(/** @type {HTMLInputElement} */ (event.target).value))} />
      <div class="replay-buttons">
        ${["round", "battle", "step"].map((part) => this.button(part, -1))}
        <button class="primary replay-play" aria-label=${player ? t.replay.pause : t.replay.play}
          @click=${() => this.play()}>
          <svg class="log-sign" aria-hidden="true"><use href=${player ? "#pause" : "#play"}></use></svg>
        </button>
        ${["step", "battle", "round"].map((part) => this.button(part, 1))}
        <button @click=${() => host.show(null)}>${t.replay.close}</button>
      </div>
      <p class="replay-text" tabindex="0" ${ref((box) => this.place(box, text))} @scroll=${mark}><strong>${host.parts.log?.stop}</strong> ${text}</p>
      ${host.trouble ? refusal(host, host.trouble) : nothing}
    </section>`;
  }

  /** Begin the text of each step at its top. @param {Element | undefined} box @param {string} text that it is going to have */
  place(box, text) {
    if (!box) return;
    requestAnimationFrame(() => {
      if (this.placed !== text) box.scrollTop = 0;
      this.placed = text;
      mark({ currentTarget: box });
    });
  }

  /** @param {string} part @param {1 | -1} way @returns {Drawn} */
  button(part, way) {
    const to = this.next(part, way);
    const names = way < 0 ? t.replay.previous : t.replay.next;
    const arrow = html`<svg class="log-sign" data-way=${way} aria-hidden="true"><use href="#arrow"></use></svg>`;
    return html`<button aria-label=${names[part] ?? part} aria-disabled=${String(to === null)}
      @click=${() => to !== null && this.show(to)}>
      ${way < 0 ? arrow : nothing}${t.replay.parts[part]}${way > 0 ? arrow : nothing}
    </button>`;
  }
}
