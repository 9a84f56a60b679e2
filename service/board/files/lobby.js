// The lobby: games that wait for players, and seats that wait for substitutes.

import { HIDDEN, LINK, Refused, Unreachable, keepText } from "./api.js";
import { retry, trouble } from "./app.js";
import { t } from "./texts.screens.js";
import { Loading, clockWords, editionName, isFree, loadEditions, seats, signInAddress } from "./parts.js";
import { html, nothing, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Screen} Screen */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["GameSummary"]} GameSummary */

const FILTERS = ["edition", "seats", "pace"];
const SEATS = [2, 3, 4, 5, 6];
/** With filters a page of games may be empty although there are more: so many are read at once. */
const EMPTY_PAGES = 5;

/** @type {import("./app.js").Opener} */
export function open(app) {
  return new Lobby(app);
}

/** @implements {Screen} */
class Lobby {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Why no game was found by its code. @type {unknown} */
    this.codeError = null;
    this.closed = new AbortController();
    /** Aborts the requests of a list that is no longer wanted. */
    this.asked = new AbortController();
    this.loading = new Loading(app);
    /** @type {import("./parts.js").Editions} */
    this.editions = new Map();
    /** @type {GameSummary[] | null} */
    this.games = null;
    /** @type {string | null} */
    this.next = null;
    /** Why the list was not loaded, and its next page. @type {{list: unknown, more: unknown}} */
    this.errors = { list: null, more: null };
    /** The id of the game that is being joined. */
    this.joining = "";
    /** Why a game was not joined, by its id. @type {Map<string, unknown>} */
    this.troubles = new Map();
    /** Rules of editions, as far as somebody has asked for them. @type {Map<string, Schemas["Edition"]>} */
    this.rules = new Map();
    /** Why the rules of an edition were not loaded. @type {Map<string, unknown>} */
    this.unexplained = new Map();
    /** The records of the owners, by their ids. @type {Map<string, Schemas["PlayerRecord"] | null>} */
    this.records = new Map();
    const seen = () => document.visibilityState === "visible" && this.load();
    document.addEventListener("visibilitychange", seen, { signal: this.closed.signal });
    this.editionsLoaded = loadEditions(app, this.closed.signal).then(
      (editions) => {
        this.editions = editions;
        app.changed();
      },
      () => {},
    );
    this.load();
  }

  title() {
    return `${t.lobby.title} · ${t.site.name}`;
  }

  close() {
    this.closed.abort();
    this.asked.abort();
    this.loading.stop();
  }

  /** The query of the address has changed. */
  moved() {
    this.games = null;
    this.loading.stop();
    this.loading = new Loading(this.app);
    this.load();
  }

  query() {
    return new URLSearchParams(location.search);
  }

  substitutes() {
    return this.query().get("status") === "substitute";
  }

  /** Load the first page of the list, or the next one. @param {string | null} [cursor] */
  async load(cursor = null) {
    const more = cursor !== null;
    this.asked.abort();
    const { signal } = (this.asked = new AbortController());
    const wanted = new URLSearchParams({ status: this.substitutes() ? "substitute" : "open", free_seat: "true" });
    for (const key of FILTERS) {
      const value = this.query().get(key);
      if (value) wanted.set(key, value);
    }
    /** @type {GameSummary[]} */
    const found = [];
    try {
      for (let pages = 0; pages < EMPTY_PAGES && !found.length; pages++) {
        if (cursor) wanted.set("cursor", cursor);
        /** @type {Schemas["GamesPage"]} */
        const page = await this.app.api.get(`/v1/games?${wanted}`, { signal });
        found.push(...page.games);
        this.next = page.next;
        if (!page.next) break;
        cursor = page.next;
      }
      await this.editionsLoaded;
      const known = more ? (this.games ?? []) : [];
      const ids = new Set(known.map(({ id }) => id));
      this.games = [...known, ...found.filter(({ id }) => !ids.has(id))];
      this.errors = { list: null, more: null };
      this.loadRecords();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.errors[more ? "more" : "list"] = error;
    }
    this.app.changed();
  }

  /** Load the record of each owner, once the list is shown. Without it the list is complete as well. */
  async loadRecords() {
    const owners = new Set(this.games?.flatMap(({ owner, owner_name }) => (owner && owner_name !== null ? [owner] : [])));
    for (const owner of owners) {
      if (this.records.has(owner)) continue;
      this.records.set(owner, null);
      try {
        const { record } = await this.app.api.get(`/v1/players/${owner}`, { signal: this.closed.signal, once: true });
        this.records.set(owner, record);
      } catch {
        this.records.delete(owner);
        return;
      }
      this.app.changed();
    }
  }

  /** Load the list again; a seat that was taken may be free now. */
  refresh() {
    this.troubles.clear();
    this.app.changed();
    this.load();
  }

  /** @param {string} key @param {string} value */
  filter(key, value) {
    const query = this.query();
    if (value) query.set(key, value);
    else query.delete(key);
    this.app.go(`/lobby${query.size ? `?${query}` : ""}`, { replace: true });
  }

  /** @param {GameSummary} game */
  async join({ id }) {
    if (this.joining) return;
    this.joining = id;
    this.troubles.delete(id);
    this.app.changed();
    try {
      await this.app.api.post(`/v1/games/${id}/join`, {});
      this.app.go(`/game/${id}`);
    } catch (error) {
      if (error instanceof Refused && error.code === "already-seated") this.app.go(`/game/${id}`);
      else this.troubles.set(id, error);
    } finally {
      this.joining = "";
      this.app.changed();
    }
  }

  /** Load the rules of an edition, for the names of its options. @param {string} key */
  async explain(key) {
    if (this.rules.has(key)) return;
    try {
      this.rules.set(key, await this.app.api.get(`/v1/editions/${key}`, { signal: this.closed.signal }));
    } catch (error) {
      if (this.closed.signal.aborted) return;
      this.unexplained.set(key, error);
    }
    this.app.changed();
  }

  /** @returns {Drawn} */
  view() {
    const substitutes = this.substitutes();
    /** @param {string} status @param {string} text @param {boolean} current */
    const kind = (status, text, current) => {
      const query = this.query();
      if (status) query.set("status", status);
      else query.delete("status");
      const address = `/lobby${query.size ? `?${query}` : ""}`;
      return html`<a class="button" href=${address} aria-current=${current ? "true" : "false"}>${text}</a>`;
    };
    return html`<div class="home-heading">
        <h1>${t.lobby.title}</h1>
        <p class="home-actions">
          <button @click=${() => this.refresh()}>${t.lobby.refresh}</button>
          <a class="button" href="/new?with=players">${t.lobby.openOne}</a>
        </p>
      </div>
      <nav class="lobby-kinds" aria-label=${t.lobby.kinds}>
        ${kind("", t.lobby.open, !substitutes)} ${kind("substitute", t.lobby.substitute, substitutes)}
      </nav>
      ${this.codeForm()} ${this.filters()} ${substitutes ? html`<p class="quiet">${t.lobby.substituteHelp}</p>` : nothing}
      ${this.errors.list ? trouble(this.errors.list) : nothing} ${this.list()}`;
  }

  /** Find a private game by its code. @param {Event} event */
  async find(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const code = /** @type {HTMLInputElement} */ (form.elements[0]).value;
    this.codeError = null;
    try {
      const { game, link } = await this.app.api.post("/v1/codes/find", { code });
      keepText(LINK + game, link.secret, false);
      await this.app.go(`/game/${game}`);
    } catch (error) {
      this.codeError = error;
      this.app.changed();
    }
  }

  /** @returns {Drawn} */
  codeForm() {
    if (!this.app.api.account) return nothing;
    return html`<form class="lobby-code" @submit=${(/** @type {Event} */ event) => this.find(event)}>
      <label for="lobby-code">${t.lobby.code}</label>
      <input id="lobby-code" autocomplete="off" autocapitalize="characters" maxlength="40" required />
      <button>${t.lobby.find}</button>
      ${this.codeError ? trouble(this.codeError) : nothing}
    </form>`;
  }

  /** @returns {Drawn} */
  filters() {
    /** @param {string} key @param {string} label @param {[string, string][]} choices */
    const choice = (key, label, choices) => {
      const value = this.query().get(key) ?? "";
      const known = value && !choices.some(([each]) => each === value) ? [...choices, [value, value]] : choices;
      return html`<div class="lobby-filter">
        <label for=${`lobby-${key}`}>${label}</label>
        <select id=${`lobby-${key}`} @change=${(/** @type {any} */ event) => this.filter(key, event.target.value)}>
          <option value="" .selected=${!value}>${t.lobby.any}</option>
          ${known.map(([each, text]) => html`<option value=${each} .selected=${each === value}>${text}</option>`)}
        </select>
      </div>`;
    };
    return html`<form class="lobby-filters" role="search" aria-label=${t.lobby.filters}>
      ${choice("edition", t.lobby.edition, [...this.editions.keys()].map((key) => [key, editionName(this.editions, key)]))}
      ${choice("seats", t.lobby.seats, SEATS.map((seats) => [String(seats), String(seats)]))}
      ${choice("pace", t.lobby.pace, Object.entries(t.lobby.paces))}
    </form>`;
  }

  /** @returns {Drawn} */
  list() {
    const { list, more } = this.errors;
    if (this.games === null) return list ? nothing : this.loading.view();
    if (!this.games.length && !this.next) return this.empty();
    return html`<ul class="home-list lobby-list">
        ${repeat(this.games, ({ id }) => id, (game) => html`<li>${this.row(game)}</li>`)}
      </ul>
      ${more ? trouble(more) : nothing}
      ${this.next ? html`<p><button @click=${() => this.load(this.next)}>${t.lobby.more}</button></p>` : nothing}`;
  }

  /** @returns {Drawn} */
  empty() {
    const filtered = FILTERS.some((key) => this.query().has(key));
    return html`<section class="empty">
      <p>${filtered ? t.lobby.emptyFiltered : this.substitutes() ? t.lobby.emptySubstitute : t.lobby.empty}</p>
      <p class="home-actions">
        ${filtered ? html`<a class="button" href="/lobby">${t.lobby.clear}</a>` : nothing}
        <a class="button primary" href="/new?with=players">${t.lobby.openOne}</a>
      </p>
    </section>`;
  }

  /** @param {GameSummary} game @returns {Drawn} */
  row(game) {
    const name = editionName(this.editions, game.edition);
    const free = game.seated.filter(isFree).length;
    const error = this.troubles.get(game.id);
    const gone = error instanceof Refused ? t.lobby.gone[error.code] : undefined;
    const age = t.parts.duration(Math.max(0, Date.now() - game.opened_at));
    return html`<div class="home-text">
      <h2>${name}</h2>
      ${game.title ? html`<p><bdi>${game.title}</bdi></p>` : nothing}
      <p>
        ${t.lobby.taken(free, game.seated.length)} ·
        ${clockWords(game.clock)}${game.hints === "allowed" ? ` · ${t.hint.allowed}` : nothing}
        ${game.showing === "allowed" ? ` · ${t.showing.allowed}` : nothing}
        ${game.talk in t.talk.rules ? ` · ${t.talk.rules[game.talk]?.[0]}` : nothing}
        ${game.names === "hidden" ? ` · ${t.opening.hidden}` : nothing}
      </p>
      ${seats(game.seated, t.parts.seats)}
      <p class="quiet">
        ${t.lobby.owner}
        ${game.owner_name === null
          ? game.owner === HIDDEN ? t.lobby.hidden : t.lobby.nobody
          : html`<a class="lobby-owner" href=${`/player/${game.owner}`}>${game.owner_name}</a>`},
        ${t.lobby.ago(age)}
      </p>
      ${game.owner_name === null ? nothing : html`<p class="lobby-record quiet">${this.record(game)}</p>`}
      ${this.options(game)}
      ${gone ? html`<p class="trouble" role="alert">${gone}</p>` : error ? trouble(error) : nothing}
      <p class="home-actions">${this.actions(game, name, Boolean(gone))}</p>
    </div>`;
  }

  /** How the owner has played. @param {GameSummary} game */
  record({ owner, owner_name }) {
    const record = owner && this.records.get(owner);
    return record ? t.lobby.record(owner_name ?? "", record.moves, record.timeouts) : nothing;
  }

  /** @param {GameSummary} game @param {string} name @param {boolean} gone @returns {Drawn} */
  actions(game, name, gone) {
    const running = game.status === "running";
    const look = html`<a class="button" href=${`/game/${game.id}`}>${running || gone ? t.lobby.watch : t.lobby.look}</a>`;
    if (game.you !== null) return html`<a class="button primary" href=${`/game/${game.id}`}>${t.lobby.own}</a>`;
    if (gone) return look;
    if (!this.app.api.account) return html`<a class="button primary" href=${signInAddress()}>${t.lobby.signIn}</a> ${look}`;
    const busy = this.joining === game.id;
    return html`<button
        class="primary"
        aria-label=${t.lobby.joinNamed(name)}
        aria-disabled=${this.joining ? "true" : "false"}
        @click=${() => this.join(game)}
      >
        ${busy ? t.lobby.joining : t.lobby.join}
      </button>
      ${look}`;
  }

  /** The options that differ from the edition's defaults, once somebody opens them. @param {GameSummary} game
   * @returns {Drawn} */
  options(game) {
    if (!Object.keys(game.options).length) return nothing;
    const rules = this.rules.get(game.edition), error = this.unexplained.get(game.edition);
    const changed = rules?.options.filter(({ key, default: normal }) => game.options[key] !== normal);
    return html`<details
      class="lobby-options"
      @toggle=${(/** @type {any} */ event) => event.target.open && this.explain(game.edition)}
    >
      <summary>${t.lobby.options}</summary>
      ${!changed
        ? error
          ? retry(error, () => this.explain(game.edition))
          : html`<p class="quiet">${t.site.loading} …</p>`
        : !changed.length
          ? html`<p>${t.lobby.defaults}</p>`
          : html`<ul>
              ${changed.map(
                ({ key, label, summary }) => html`<li><strong>${label}: ${t.parts.value(game.options[key])}.</strong> ${summary}</li>`,
              )}
            </ul>`}
    </details>`;
  }
}
