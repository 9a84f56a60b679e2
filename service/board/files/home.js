// The start page: a first game for a newcomer, and for a player the games that wait.

import { Refused, Unreachable, keepText, textAt } from "./api.js";
import { Naming, enter, recoveryNotice } from "./account.js";
import { retry, trouble } from "./app.js";
import { t } from "./texts.screens.js";
import { Opponents } from "./opponents.js";
import {
  Loading, chip, clockWords, editionName, gathered, isFree, loadEditions, nameAt, othersAt, seatName, seats, timeLeft,
  whileSeen,
} from "./parts.js";
import { html, nothing, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Screen} Screen */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["GameSummary"]} GameSummary */
/** @typedef {{seq: number, text: string}} Happened what a commit did, and the version after it */

const TICK = 15_000, SAFETY = 60_000, GATHER = 400, PAGE = 100, SHOWN_LOBBY = 3, LOOKED_UP = 12;
/** Two rows of a battle, for newcomers. */
const EXAMPLE = [
  { row: [6, 4], special: "drummer", strength: 20, wins: true },
  { row: [10, 5], special: "", strength: 15, wins: false },
];
const VISIT = 30 * 60_000, FIRST_VISIT = 7 * 24 * 3_600_000;

/** Signing in opens this screen again, while the newcomer's first game is being opened.
 * @type {{busy: boolean, error: unknown}} */
const first = { busy: false, error: null };

/** @type {import("./app.js").Opener} */
export function open(app) {
  return app.api.account ? new Inbox(app) : new Welcome(app);
}

/** The page of somebody who is not signed in. @implements {Screen} */
class Welcome {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.closed = new AbortController();
    this.naming = new Naming(app, t.home.play, (made) => this.begin(made));
    this.opponents = new Opponents(app);
    /** A game to look at, once one is found. @type {GameSummary | null} */
    this.game = null;
    this.looked = false;
    this.look().catch(() => {});
  }

  title() {
    return "";
  }

  close() {
    this.closed.abort();
  }

  get editions() {
    return this.opponents.editions;
  }

  /** Sign a new player in and open the first game. @param {Schemas["Registered"]} made */
  async begin(made) {
    const { app } = this;
    first.busy = true;
    enter(app, made, true);
    const { account } = app.api;
    /** @type {Schemas["Game"] | null} */
    let game = null;
    try {
      game = await app.api.post("/v1/games", await this.opponents.body());
    } catch (error) {
      if (app.api.account === account) first.error = error;
    }
    first.busy = false;
    // The player may have opened another screen, and somebody else may have signed in.
    if (app.path !== "/") return;
    if (game && app.api.account === account) await app.go(`/game/${game.id}`);
    else await app.show(true);
  }

  /** Find a game that is being played, or one that was, and follow it. */
  async look() {
    const { api, live } = this.app;
    const { signal } = this.closed;
    for (const status of ["running", "finished"]) {
      /** @type {Schemas["GamesPage"]} */
      const page = await api.get(`/v1/games?status=${status}&limit=1`, { signal });
      this.game = page.games[0] ?? null;
      if (this.game) break;
    }
    await this.opponents.loaded.catch(() => {});
    this.looked = true;
    this.app.changed();
    if (this.game?.status !== "running") return;
    const { id, version } = this.game;
    const refresh = gathered(() => this.refresh(id).catch(() => {}), GATHER, signal);
    const heard = (/** @type {any} */ { detail }) => detail.game === id && refresh();
    live.addEventListener("commit", heard);
    signal.addEventListener("abort", () => live.removeEventListener("commit", heard));
    live.watch(id, version, signal);
  }

  /** @param {string} id */
  async refresh(id) {
    /** @type {Schemas["Game"]} */
    const { version, status, result, position } = await this.app.api.get(`/v1/games/${id}`, { signal: this.closed.signal });
    if (!this.game || !position) return;
    const { round, battle, turn, phase } = position;
    const now = Date.now();
    const summaryTurn = turn === null || result ? null : { seat: turn, phase, since: now, deadline: null };
    this.game = { ...this.game, version, status, result, round, battle, turn: summaryTurn };
    this.app.changed();
  }

  /** @returns {Drawn} */
  view() {
    const { edition } = this.opponents;
    const rules = edition ? `/rules/${edition.key}` : "/guide/";
    return html`<div class="home-welcome">
      <h1>${t.site.name}</h1>
      <p class="home-lead">${t.home.lead}</p>
      <section class="home-play" aria-labelledby="home-play">
        <h2 id="home-play">${t.home.playNow}</h2>
        ${this.naming.view(this.opponents.view())}
        <p>${t.home.have} <a href="/signin">${t.site.signIn}</a></p>
      </section>
      ${this.about()}
      <section class="home-live" aria-labelledby="home-live">${this.looked ? this.live() : nothing}</section>
      <nav class="home-links" aria-label=${t.home.learn}>
        <a href=${rules}>${t.home.rules}</a> <a href="/guide/">${t.home.guides}</a>
        <a href="/developers">${t.home.developers}</a>
      </nav>
    </div>`;
  }

  /** What the game is about, with two rows of a battle as an example. @returns {Drawn} */
  about() {
    const { card, caption, sentences, title } = t.home.about;
    const sign = (/** @type {string} */ id) => html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><use href=${`#${id}`}></use></svg>`;
    return html`<section class="home-about" aria-labelledby="home-about">
      <h2 id="home-about">${title}</h2>
      ${sentences.slice(0, 2).map((sentence) => html`<p>${sentence}</p>`)}
      <figure>
        <div aria-hidden="true">
          ${EXAMPLE.map(
            ({ row, strength, special, wins }, seat) => html`<p>
              ${chip(seat)} ${row.map((number) => html`<span class="table-card">${sign(`card-mercenary-${number}`)}<b>${number}</b></span>`)}
              ${special ? html`<span class="table-card">${sign(`card-${special}`)}${card}</span>` : nothing}
              <b>${strength}</b> ${wins ? sign("crown") : nothing}
            </p>`,
          )}
        </div>
        <figcaption>${caption}</figcaption>
      </figure>
      ${sentences.slice(2).map((sentence) => html`<p>${sentence}</p>`)}
    </section>`;
  }

  /** A game that is being played, or the one that ended last. @returns {Drawn} */
  live() {
    const { game } = this;
    if (!game) {
      return html`<h2 id="home-live">${t.home.others}</h2>
        <p>${t.home.noneRuns}</p>
        <p><a class="button" href="/lobby">${t.home.lobby}</a></p>`;
    }
    const running = game.status === "running";
    return html`<h2 id="home-live">${running ? t.home.runningNow : t.home.finishedLast}</h2>
      <p>
        ${editionName(this.editions, game.edition)}${game.round && game.battle
          ? ` · ${t.home.progress(game.round, game.battle)}`
          : nothing}
      </p>
      ${seats(game.seated, t.parts.seats)}
      <p>${running ? awaited(game) : outcome(game)}</p>
      <p><a class="button" href=${`/game/${game.id}`}>${running ? t.home.watch : t.home.replay}</a></p>`;
  }
}

/** Whom a running game waits for. @param {GameSummary} game */
function awaited(game) {
  const place = game.turn && game.seated[game.turn.seat];
  return place ? t.home.waits(seatName(place, game.seated)) : t.home.paused;
}

/** The time that is left, after other words. @param {number | null} deadline @returns {Drawn} */
const after = (deadline) => (deadline === null ? nothing : html` · ${timeLeft(deadline)}`);

/** How a game ended. @param {GameSummary} game */
function outcome({ status, result, you, seated }) {
  if (status === "cancelled" || !result) return t.home.cancelled;
  if (you !== null && result.winners.includes(you)) return result.winners.length > 1 ? t.home.wonToo : t.home.won;
  return t.home.winners(seated.filter(({ seat }) => result.winners.includes(seat)).map((place) => nameAt(place, seated)));
}

/** The games of a player. @implements {Screen} */
class Inbox {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.closed = new AbortController();
    this.loading = new Loading(app);
    this.loaded = false;
    /** @type {unknown} */
    this.error = null;
    /** Why older games were not loaded. @type {unknown} */
    this.withheld = null;
    /** Why the first game was not opened. @type {unknown} */
    this.failed = first.error;
    first.error = null;
    /** @type {import("./parts.js").Editions} */
    this.editions = new Map();
    /** @type {Schemas["Turn"][]} */
    this.turns = [];
    /** The player's games by their ids, as far as they were loaded. @type {Map<string, GameSummary>} */
    this.games = new Map();
    /** The cursor of the next page of games. @type {string | null} */
    this.next = null;
    /** Open games that the player may join. @type {GameSummary[]} */
    this.lobby = [];
    /** @type {Schemas["Notice"][]} */
    this.notices = [];
    /** @type {Map<string, Happened>} */
    this.last = new Map();
    this.since = visit(app.api.account?.player ?? "");
    this.opponents = new Opponents(app);
    this.opening = false;
    /** @type {import("./invited.js").Invited | null} */
    this.invited = null;
    /** @type {import("./unread.js").UnreadTalk | null} */
    this.unread = null;
    this.listen();
    if (!first.busy) this.load();
  }

  title() {
    return t.home.title;
  }

  close() {
    this.closed.abort();
    this.loading.stop();
  }

  listen() {
    const { signal } = this.closed;
    const { live } = this.app;
    const refresh = gathered(() => this.load(), GATHER, signal);
    const heard = (/** @type {any} */ { detail }) => {
      this.note(detail.game, detail).then(() => this.app.changed());
      refresh();
    };
    const connected = () => live.since === null && refresh();
    live.addEventListener("commit", heard);
    live.addEventListener("connection", connected);
    // Nothing comes from a stream that the service refuses.
    whileSeen(refresh, SAFETY, signal);
    const timer = setInterval(() => this.app.changed(), TICK);
    signal.addEventListener("abort", () => {
      live.removeEventListener("commit", heard);
      live.removeEventListener("connection", connected);
      clearInterval(timer);
    });
  }

  async load() {
    const { api } = this.app;
    const { signal } = this.closed;
    try {
      const [turns, games, editions, me] = await Promise.all([
        api.get("/v1/me/turns", { signal }),
        api.get(`/v1/games?status=mine&limit=${PAGE}`, { signal }),
        this.editions.size ? this.editions : loadEditions(this.app, signal),
        this.loaded ? null : api.get("/v1/me", { signal }),
      ]);
      this.editions = editions;
      this.turns = turns.turns;
      this.add(games, !this.loaded);
      if (me) this.notices = me.notices;
      if (!this.turns.length && !this.lobby.length) {
        const found = await api.get(`/v1/games?status=open&free_seat=true&limit=${SHOWN_LOBBY}`, { signal });
        this.lobby = found.games.filter((/** @type {GameSummary} */ game) => game.you === null);
      }
      this.app.takeTurns(this.turns);
      this.loaded = true;
      this.error = null;
      this.app.changed();
      await Promise.all([this.lookBack(), this.ask()]);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.error = error;
    } finally {
      this.app.changed();
    }
  }

  /** Show the invitations and what is unread, and what comes. Without a module, the page is shown without its list. */
  async ask() {
    if (this.invited && this.unread) return;
    const { app, closed: { signal }, editions } = this;
    const [invited, unread] = await Promise.all([
      import("./invited.js").catch(() => null),
      import("./unread.js").catch(() => null),
    ]);
    if (signal.aborted) return;
    if (invited) this.invited ??= new invited.Invited(app, editions, signal);
    if (unread) this.unread ??= new unread.UnreadTalk(app, (game) => this.nameOf(game), signal);
  }

  /** A game in words. @param {string} id */
  nameOf(id) {
    const game = this.games.get(id);
    return game ? (game.title ?? editionName(this.editions, game.edition)) : t.home.someGame;
  }

  /** Open a game against bots. */
  async play() {
    if (this.opening) return;
    this.opening = true;
    this.failed = null;
    this.app.changed();
    try {
      const game = await this.app.api.post("/v1/games", await this.opponents.body());
      if (!this.closed.signal.aborted) await this.app.go(`/game/${game.id}`);
    } catch (error) {
      this.failed = error;
    } finally {
      this.opening = false;
      this.app.changed();
    }
  }

  /** @param {Schemas["GamesPage"]} page @param {boolean} follows whether the page follows the games that are known */
  add(page, follows) {
    for (const game of page.games) this.games.set(game.id, game);
    if (follows) this.next = page.next;
  }

  async older() {
    const { signal } = this.closed;
    try {
      this.add(await this.app.api.get(`/v1/games?status=mine&limit=${PAGE}&cursor=${this.next}`, { signal }), true);
      this.withheld = null;
    } catch (error) {
      if (!signal.aborted) this.withheld = error;
    }
    this.app.changed();
  }

  /** Find what happened last in the games that wait for the player. */
  async lookBack() {
    const missing = this.turns.slice(0, LOOKED_UP).filter(({ game, version }) => (this.last.get(game)?.seq ?? 0) < version);
    await Promise.all(
      missing.map(async ({ game, version }) => {
        /** @type {Schemas["Events"]} */
        const { commits } = await this.app.api.get(`/v1/games/${game}/events?after=${version - 1}`, {
          signal: this.closed.signal,
        });
        const commit = commits[commits.length - 1];
        if (commit) await this.note(game, commit);
      }),
    );
  }

  /** Remember what a commit did. @param {string} id @param {{seq: number, events: Schemas["Event"][]}} commit */
  async note(id, { seq, events }) {
    const turn = this.turns.find(({ game }) => game === id);
    const game = this.games.get(id);
    const seated = turn?.seated ?? game?.seated;
    const edition = turn?.edition ?? game?.edition;
    if (!seated || !edition || seq <= (this.last.get(id)?.seq ?? 0)) return;
    // Without the sentences, the list is shown without what happened.
    const module = await import("./sentences.js").catch(() => null);
    const sentences = await module?.loadSentences(this.app.api, edition, null, this.closed.signal).catch(() => null);
    if (!module || !sentences) return;
    const name = (/** @type {number} */ seat) => (seated[seat] ? seatName(seated[seat], seated) : t.parts.seat(seat));
    const told = events.flatMap((event) => {
      const line = module.said(sentences, event, name);
      return line && !line.routine ? [{ type: event.type, text: line.text }] : [];
    });
    const text = (told.find(({ type }) => type === "battle-ended") ?? told[0])?.text;
    if (text) this.last.set(id, { seq, text });
  }

  /** @returns {Drawn} */
  view() {
    if (first.busy) return html`<h1>${t.home.title}</h1><p role="status">${t.home.starting}</p>`;
    return html`<div class="home-heading">
        <h1>${t.home.title}</h1>
        <p class="home-actions">
          ${this.turns[0]
            ? html`<a class="button primary" href=${`/game/${this.turns[0].game}`}>${t.home.next}</a>`
            : nothing}
          <a class="button" href="/new">${t.home.open}</a>
        </p>
      </div>
      ${this.failed ? trouble(this.failed) : nothing} ${this.error ? retry(this.error, () => this.load()) : nothing}
      ${this.app.api.unstored ? html`<p class="home-nothing">${t.site.unstored}</p>` : nothing}
      ${recoveryNotice(this.app)} ${this.loaded ? this.lists() : this.error ? nothing : this.loading.view()}`;
  }

  /** @returns {Drawn} */
  lists() {
    const waiting = new Set(this.turns.map(({ game }) => game));
    const games = [...this.games.values()];
    const running = games.filter(({ id, status }) => status === "running" && !waiting.has(id)).sort(byAwaited);
    const before = games.filter(({ status }) => status === "open");
    const over = games
      .filter(({ status, changed_at }) => (status === "finished" || status === "cancelled") && changed_at > this.since)
      .sort((one, other) => other.changed_at - one.changed_at);
    const count = this.turns.length;
    return html`${this.noticeList()} ${this.invited?.view() ?? nothing} ${this.unread?.view() ?? nothing}
      ${count
        ? section("turns", t.home.yourTurn(count), this.turns, ({ game }) => game, (turn) => this.turn(turn))
        : html`<p class="home-nothing">${t.home.nothing}</p>`}
      ${section("running", t.home.waiting, running, ({ id }) => id, (game) =>
        this.row(game, html`${awaited(game)}${after(game.turn?.deadline ?? null)}`),
      )}
      ${section("before", t.home.notStarted, before, ({ id }) => id, (game) =>
        this.row(game, html`${t.home.missing(game.seated.filter(isFree).length)}`),
      )}
      ${section("over", t.home.finished, over, ({ id }) => id, (game) => this.row(game, html`${outcome(game)}`))}
      ${this.withheld ? trouble(this.withheld) : nothing}
      ${this.next ? html`<p><button @click=${() => this.older()}>${t.home.older}</button></p>` : nothing}
      ${count || !this.lobby.length
        ? nothing
        : html`${section("lobby", t.home.openGames, this.lobby, ({ id }) => id, (game) =>
              this.row(game, html`${t.lobby.taken(game.seated.filter(isFree).length, game.seated.length)} · ${clockWords(game.clock)}`),
            )}`}
      ${count ? nothing : html`<p class="home-links"><a href="/lobby">${t.home.lobby}</a></p>`} ${this.against()}`;
  }

  /** A game against bots. @returns {Drawn} */
  against() {
    return html`<section class="home-play" aria-labelledby="home-play">
      <h2 id="home-play">${t.home.playBots}</h2>
      ${this.opponents.view()}
      <button aria-disabled=${this.opening ? "true" : "false"} @click=${() => this.play()}>
        ${this.opening ? t.opening.creating : t.home.play}
      </button>
    </section>`;
  }

  /** @returns {Drawn} */
  noticeList() {
    const texts = this.notices.map((notice) => {
      if (notice.type === "announcement") return html`${notice.text}`;
      if (notice.type === "webhook-disabled") return html`${t.home.webhook}`;
      if (notice.type !== "seat-with-bot") return nothing;
      return html`${t.home.standIn("")}<a href=${`/game/${notice.game}`}>${t.home.takeBack}</a>`;
    });
    const shown = texts.filter((text) => text !== nothing);
    if (!shown.length) return nothing;
    return html`<ul class="home-notices" aria-label=${t.home.notices}>
      ${shown.map((text) => html`<li>${text}</li>`)}
    </ul>`;
  }

  /** @param {Schemas["Turn"]} turn @returns {Drawn} */
  turn(turn) {
    const others = othersAt(turn.seated, turn.seat);
    return html`${chip(turn.seat)}
      <div class="home-text">
        <h3><a href=${`/game/${turn.game}`}>${editionName(this.editions, turn.edition)}</a></h3>
        <p class="home-urgent">
          ${t.home.turn(t.parts.phases[turn.phase] ?? t.parts.someMove)}${after(turn.deadline)}
        </p>
        <p class="quiet">${t.home.you(turn.seat)}, ${t.home.against(others)}</p>
        <p class="home-last quiet">${this.last.get(turn.game)?.text ?? nothing}</p>
      </div>`;
  }

  /** @param {GameSummary} game @param {Drawn} state @returns {Drawn} */
  row(game, state) {
    return html`${game.you === null ? nothing : chip(game.you)}
      <div class="home-text">
        <h3><a href=${`/game/${game.id}`}>${editionName(this.editions, game.edition)}</a></h3>
        ${game.title ? html`<p><bdi>${game.title}</bdi></p>` : nothing}
        <p>${state}</p>
        <p class="quiet">${t.home.against(othersAt(game.seated, game.you))}</p>
      </div>`;
  }
}

/** Games that wait for people come first, by name, then those that wait for bots, then those that are paused.
 * @param {GameSummary} one @param {GameSummary} other */
function byAwaited(one, other) {
  const key = (/** @type {GameSummary} */ { turn, seated }) => {
    const place = turn && seated[turn.seat];
    return place ? `${place.player === null ? 1 : 0}${seatName(place, seated)}` : "2";
  };
  return key(one).localeCompare(key(other)) || (one.turn?.deadline ?? Infinity) - (other.turn?.deadline ?? Infinity) || 0;
}

/** A heading and a list of games; nothing without games.
 * @template T @param {string} key @param {string} heading @param {T[]} items @param {(item: T) => string} id
 * @param {(item: T) => Drawn} row @returns {Drawn} */
function section(key, heading, items, id, row) {
  if (!items.length) return nothing;
  return html`<section aria-labelledby=${`home-${key}`}>
    <h2 id=${`home-${key}`}>${heading}</h2>
    <ul class="home-list" data-kind=${key}>
      ${repeat(items, id, (item) => html`<li>${row(item)}</li>`)}
    </ul>
  </section>`;
}

/** Return when the player was here last, in ms, before this visit. A visit ends when nobody looks for half an hour.
 * @param {string} player */
function visit(player) {
  const key = `condottiere.visit.${player}`;
  const now = Date.now();
  /** @type {{since: number, seen: number}} */
  const known = JSON.parse(textAt(key) ?? "null") ?? { since: now - FIRST_VISIT, seen: now };
  const since = now - known.seen > VISIT ? known.seen : known.since;
  keepText(key, JSON.stringify({ since, seen: now }));
  return since;
}
