// The games in which messages wait to be read, on the start page. `home.js` loads this once its lists are there.

import { Refused, Unreachable } from "./api.js";
import { t } from "./texts.screens.js";
import { whileSeen } from "./parts.js";
import { html, nothing, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {Schemas["News"]["games"][number]} Unread */

/** Milliseconds between two looks, for what the stream has not brought. */
const LOOK = 30_000;

export class UnreadTalk {
  /** @param {App} app @param {(game: string) => string} nameOf a game in words @param {AbortSignal} signal stops asking */
  constructor(app, nameOf, signal) {
    this.app = app;
    this.nameOf = nameOf;
    this.signal = signal;
    /** @type {Unread[]} */
    this.games = [];
    const load = () => this.load();
    app.live.addEventListener("message", load, { signal });
    whileSeen(load, LOOK, signal);
    this.load();
  }

  /** What cannot be got is got with the next look. */
  async load() {
    const { app, signal } = this;
    try {
      this.games = (await app.api.get("/v1/me/talk", { signal, once: true })).games;
      app.changed();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !signal.aborted) throw error;
    }
  }

  /** @returns {Drawn} */
  view() {
    if (!this.games.length) return nothing;
    return html`<section aria-labelledby="home-unread">
      <h2 id="home-unread">${t.home.unread}</h2>
      <ul class="home-list" data-kind="unread">
        ${repeat(this.games, ({ game }) => game, (unread) => html`<li>${this.row(unread)}</li>`)}
      </ul>
    </section>`;
  }

  /** @param {Unread} unread @returns {Drawn} */
  row({ game, unread: { seats, spectators, table } }) {
    return html`<div class="home-text">
      <h3><a href=${`/game/${game}`}><bdi>${this.nameOf(game)}</bdi></a></h3>
      <p>${t.talk.unread(seats + spectators + table)}</p>
    </div>`;
  }
}
