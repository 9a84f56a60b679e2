// A player: their record, their running games and the finished ones.

import { failure, retry } from "./app.js";
import { t } from "./texts.screens.js";
import { Loading, nameAt, othersAt } from "./parts.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["GameSummary"]} GameSummary */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {"running" | "finished"} Kind */

/** @type {import("./app.js").Opener} */
export function open(app, part) {
  const player = new Player(app, part);
  player.load();
  return {
    title: () => player.name(),
    view: () => player.view(),
    close: () => player.close(),
  };
}

class Player {
  /** @param {App} app @param {string} id */
  constructor(app, id) {
    this.app = app;
    this.id = id;
    this.closed = new AbortController();
    this.loading = new Loading(app);
    /** @type {Schemas["PlayerWithRecord"] | null} */
    this.found = null;
    /** @type {Map<string, string>} */
    this.titles = new Map();
    /** @type {Record<Kind, {games: GameSummary[], next: string | null, error: unknown}>} */
    this.lists = {
      running: { games: [], next: null, error: null },
      finished: { games: [], next: null, error: null },
    };
    /** @type {unknown} */
    this.error = null;
    /** Resolves when the first page of each list is there, or was refused. */
    this.listed = Promise.all([this.more("running"), this.more("finished")]);
  }

  close() {
    this.closed.abort();
    this.loading.stop();
  }

  /** @param {string} path @returns {Promise<any>} */
  get(path) {
    return this.app.api.get(path, { signal: this.closed.signal });
  }

  async load() {
    try {
      const id = encodeURIComponent(this.id);
      const [found, { editions }] = await Promise.all([
        this.get(`/v1/players/${id}`),
        this.get("/v1/editions"),
        this.listed,
      ]);
      this.found = found;
      this.titles = new Map(
        editions.map((/** @type {Schemas["EditionSummary"]} */ one) => [one.key, t.rules.title(one)]),
      );
    } catch (error) {
      if (this.closed.signal.aborted) return;
      this.error = error;
    }
    this.app.changed();
  }

  /** Load the next page of a list. @param {Kind} kind */
  async more(kind) {
    const list = this.lists[kind];
    const query = new URLSearchParams({ player: this.id, status: kind, ...(list.next ? { cursor: list.next } : {}) });
    list.error = null;
    try {
      const page = await this.get(`/v1/games?${query}`);
      list.games.push(...page.games);
      list.next = page.next;
    } catch (error) {
      if (this.closed.signal.aborted) return;
      list.error = error;
    }
    this.app.changed();
  }

  name() {
    return this.found ? (this.found.name ?? t.player.deleted) : t.player.player;
  }

  /** @returns {Drawn} */
  view() {
    if (!this.found)
      return html`<h1>${t.player.player}</h1>
        ${this.error ? failure(this.error, () => this.load()) : this.loading.view()}`;
    const mine = this.app.api.account?.player === this.found.id;
    return html`<h1>${this.name()}</h1>
      ${mine ? html`<p><a class="button" href="/settings">${t.site.settings}</a></p>` : nothing}
      ${this.record(this.found.record)} ${this.list("running", t.player.running)}
      ${this.list("finished", t.player.finished)}`;
  }

  /** @param {Schemas["PlayerRecord"]} record @returns {Drawn} */
  record({ moves, timeouts, move_times }) {
    const [, half = 0, most = 0] = move_times?.quartiles ?? [];
    /** @param {string} name @param {string} value */
    const line = (name, value) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
    return html`<section>
      <h2>${t.player.record}</h2>
      <dl class="player-record">
        ${line(t.player.moves, moves.toLocaleString(t.language))}
        ${line(t.player.timeouts, timeouts.toLocaleString(t.language))}
        ${
          move_times
            ? [
                line(t.player.mean, t.player.duration(move_times.mean)),
                line(t.player.half, t.player.duration(half)),
                line(t.player.most, t.player.duration(most)),
              ]
            : nothing
        }
      </dl>
      ${move_times ? nothing : html`<p class="quiet">${t.player.unmoved}</p>`}
    </section>`;
  }

  /** @param {Kind} kind @param {string} heading @returns {Drawn} */
  list(kind, heading) {
    const { games, next, error } = this.lists[kind];
    return html`<section>
      <h2>${heading}</h2>
      ${games.length || error ? nothing : html`<p class="quiet">${t.player.noGames}</p>`}
      <ul class="player-games">
        ${games.map((game) => this.game(game))}
      </ul>
      ${error
        ? retry(error, () => this.more(kind))
        : next
          ? html`<button @click=${() => this.more(kind)}>${t.player.more}</button>`
          : nothing}
    </section>`;
  }

  /** @param {GameSummary} game @returns {Drawn} */
  game(game) {
    const names = game.seated.map((place) => nameAt(place, game.seated));
    const seat = game.seated.findIndex(({ player }) => player === this.found?.id);
    const others = othersAt(game.seated, seat);
    /** @type {string} */
    let state;
    if (game.result)
      state = game.result.winners.includes(seat)
        ? t.player.won
        : t.player.lost(game.result.winners.map((n) => names[n] ?? ""));
    else state = game.turn ? t.player.awaits(names[game.turn.seat] ?? "") : t.player.paused;
    return html`<li>
      <a href=${`/game/${game.id}`}>
        <strong>${this.titles.get(game.edition) ?? game.edition}</strong>
        ${others.length ? t.player.against(others) : nothing}
      </a>
      <span class="quiet">${state} ${t.player.day(game.changed_at)}</span>
    </li>`;
  }
}
