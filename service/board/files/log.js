// The log of a game: a sentence for each event, where your last move was, and what has happened since, step by step.

/** @typedef {import("./api.js").Schemas} Schemas */
/**
 * @typedef {object} Host what the parts of the game screen get (log, replay, standing orders)
 * @property {import("./app.js").App} app
 * @property {string} id of the game
 * @property {Schemas["Game"]} view the game that is drawn: the newest version, or the one at `at`
 * @property {Schemas["Edition"]} edition in the revision of the game
 * @property {number | null} at the version that a replay shows; null: the newest
 * @property {number} newest the newest version that is known
 * @property {unknown} trouble why the last thing was refused, or null
 * @property {import("./game.js").Table["parts"]} parts
 * @property {(at: number | null) => Promise<void>} show draw another version, and put it in the address (`?at=`)
 * @property {(seat: number) => string} name of the player or the bot of a seat
 * @property {(step: import("./hand.js").Step) => void} choose select a move and preview it; `Play` confirms it
 * @property {(move: Schemas["Move"]) => void} explain ask the service why a move is not allowed, and show the answer
 * @property {() => void} changed draw the page soon
 */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Exclude<import("./api.js").Schemas["Event"], import("./api.js").OtherEvent>} Happening an event of a known type */
/** @typedef {{seq: number, events: Happening[], at?: number, by?: string, cause?: string}} Commit */
/** @typedef {{key: string, seat: number, seq: number, what: string}} Made what a seat has done in a battle, or before it with its hand */
/** @typedef {{text: string, seat: number | null, routine: boolean, type: string}} Line one event in words */

import { HIDDEN, pause } from "./api.js";
import { trouble } from "./app.js";
import { animates, chip, hasLaid, label, numberOf, regionName } from "./battle.js";
import { t } from "./texts.screens.js";
import { clockTime, loadSentences, said } from "./sentences.js";
import { isTouched } from "./touch.js";
import { html, nothing, ref, repeat } from "./vendor/lit-html.js";

/** Events that begin or end a part of the game. */
const MAJOR = new Set([
  "battle-ended",
  "final-battle-started",
  "game-ended",
  "game-started",
  "match-ended",
  "round-ended",
]);
/** What a player does beside the game, without moving. @type {Set<string>} */
const BESIDE = new Set([
  "cards-shown",
  "clock-advanced",
  "end-asked",
  "extension-asked",
  "extension-granted",
  "game-paused",
  "game-resumed",
  "hint-asked",
  "pause-asked",
  "seat-substituted",
  "seat-taken-back",
  "table-handed-over",
]);
/** What a seat does in a battle. */
const FOUGHT = new Set(["card-played", "seat-passed", "card-turned-up"]);
/** Milliseconds from one move of others to the next, as they appear over the rows. */
const PACE = 500, APPEARING = 160;
/** How many moves are shown there, and how many with names. */
const MOST_MOVES = 8, NAMED = 4;
/** The shadow around a row that lights up. */
const LIT = "var(--lit)";
/** Milliseconds: what has happened is shown in `PLAY_IT` at most, and no step, nor the last one, longer than `SLOWEST`. */
const PLAY_IT = 8_000, SLOWEST = 1_200;

/** @type {WeakMap<Host, History>} */
const histories = new WeakMap();

/** The commits of a game, which its log and its replay share. */
export class History {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Commit[]} */
    this.commits = [];
    /** The players of each seat, one after the other. @type {Map<number, {since: number, name: string | null, player: string}[]>} */
    this.players = new Map();
    /** The sentences of the edition, once they are loaded. @type {import("./sentences.js").Sentences | null} */
    this.sentences = null;
    /** The commits in words, by version, as long as the names are the same. @type {Map<number, Line[]>} */
    this.lines = new Map();
    /** @type {unknown} */
    this.failed = null;
    this.loading = this.stale = false;
    /** Resolves when the commits up to now are there, or could not be loaded. */
    this.ready = this.load();
  }

  get last() {
    return this.commits.at(-1)?.seq ?? 0;
  }

  /** Get the sentences, and all commits after the last one that is known. */
  async load() {
    if (this.loading) {
      this.stale = true;
      return;
    }
    this.loading = true;
    this.failed = null;
    try {
      for (let more = true; more; ) {
        this.stale = false;
        const { app, edition, id } = this.host;
        const [page, sentences] = await Promise.all([
          app.api.get(`/v1/games/${id}/events?after=${this.last}`),
          this.sentences ?? loadSentences(app.api, edition.key, edition.revision),
        ]);
        this.sentences = sentences;
        more = (this.add(page.commits) || this.stale) && this.last < this.host.newest;
        this.host.changed();
      }
    } catch (error) {
      this.failed = error;
    } finally {
      this.loading = false;
      this.host.changed();
    }
  }

  /** Add the commits that follow the last one, and return whether there was one. @param {Commit[]} commits */
  add(commits) {
    const { last } = this;
    for (const commit of commits) {
      if (commit.seq !== this.last + 1) continue;
      this.commits.push(commit);
      for (const event of commit.events) this.seat(event, commit.seq);
    }
    return this.last > last;
  }

  /** @param {Happening} event @param {number} since */
  seat(event, since) {
    if (!event.type.startsWith("seat-") && event.type !== "bot-seated") return;
    this.lines.clear();
    if (event.type !== "seat-taken" && event.type !== "seat-substituted") return;
    this.players.set(event.seat, [...(this.players.get(event.seat) ?? []), { since, name: event.name, player: event.player }]);
  }

  /** @param {Commit} commit */
  hear(commit) {
    if (commit.seq > this.last && !this.add([commit])) this.load();
  }

  /** The commit that made a version. @param {number} version */
  at(version) {
    return this.commits[version - 1] ?? null;
  }
}

/** @param {Host} host @returns {History} */
export function historyOf(host) {
  const history = histories.get(host) ?? new History(host);
  histories.set(host, history);
  return history;
}

/** What a commit did, in one text: for a label or an announcement. Empty until the sentences are loaded.
 * @param {Commit} commit @param {Host} host */
export function sentence(commit, host) {
  const lines = linesOf(commit, host);
  const told = lines.filter(({ routine }) => !routine);
  return (told.length ? told : lines).map(({ text }) => text).join(" ");
}

/** @param {Commit} commit @param {Host} host @returns {Line[]} */
function linesOf(commit, host) {
  const { lines, sentences } = historyOf(host);
  const known = lines.get(commit.seq);
  if (known || !sentences) return known ?? [];
  const name = namesAt(commit.seq, host);
  const holder = holderIn(commit.events);
  const stalled = commit.events.some(({ type }) => type === "round-stalled");
  const why = stalled ? "" : `${holder === undefined ? t.log.noneLeft : t.log.onlyLeft(name(holder))}.`;
  const made = commit.events.map((event) => {
    const { text, routine } = said(sentences, numbered(event, host), name) ?? { text: t.log.unknown(event.type), routine: false };
    const told = event.type === "pause-asked" && isPauseAsked(commit.seq, host) ? t.log.agreesToPause(name(event.seat)) : text;
    return { text: `${event.type === "round-ended" ? why : ""} ${told}`.trim(), routine, seat: seatOf(event), type: event.type };
  });
  lines.set(commit.seq, made);
  return made;
}

/** Whether a seat had asked for a pause before a commit, and not moved since: then another one agrees to it.
 * @param {number} seq @param {Host} host */
function isPauseAsked(seq, host) {
  /** @type {Set<number>} */
  const asked = new Set();
  for (const event of historyOf(host).commits.slice(0, seq - 1).flatMap(({ events }) => events)) {
    if (event.type === "pause-asked") asked.add(event.seat);
    else if (event.type === "clock-stopped" || event.type === "seat-substituted") asked.delete(event.seat);
    else if (event.type === "game-paused") asked.clear();
  }
  return asked.size > 0;
}

/** The seat that still had cards when a round ended, or undefined. @param {Happening[]} events since its last battle */
function holderIn(events) {
  const held = events.find((event) => event.type === "cards-kept" || (event.type === "hand-discarded" && event.forced));
  return held && "seat" in held ? held.seat : undefined;
}

/** The new round that began after a battle, in words: why, who keeps cards, and how many cards each seat is dealt.
 * @param {Happening[]} events since the end of the battle @param {Host} host @param {boolean} brief only why */
function newRound(events, host, brief) {
  const dealt = events.find((event) => event.type === "hands-dealt");
  if (!dealt) return "";
  /** @param {number} seat */
  const own = (seat) => (seat === host.view.you ? null : host.name(seat));
  const stalled = events.find((event) => event.type === "round-stalled");
  const ended = events.some(({ type }) => type === "round-ended");
  const holder = stalled ? undefined : holderIn(events);
  const kept = events.find((event) => event.type === "cards-kept");
  const left = holder === undefined ? t.log.noneLeft : t.log.onlyLeft(own(holder) ?? t.log.you);
  const why = t.log.newRound(stalled ? t.log.noneLaid(stalled.battles) : ended ? left : "");
  if (brief) return why;
  const sentences = [
    why,
    ended && holder !== undefined ? t.log.keeps(own(holder), kept?.cards.count ?? 0) : "",
    t.log.dealt(dealt.hands.map(({ count }, seat) => t.log.dealtTo(own(seat) ?? t.log.you, count))),
  ];
  return sentences.filter(Boolean).join(" ");
}

/** How the last battle of some commits ended, and the new round after it, in words; or "".
 * @param {Commit[]} commits @param {Host} host @param {boolean} [brief] */
export function lastEnd(commits, host, brief = false) {
  const events = commits.flatMap((commit) => commit.events);
  const last = events.findLastIndex(({ type }) => type === "battle-ended");
  const battle = events[last];
  if (battle?.type !== "battle-ended") return "";
  const { cause, winner } = battle;
  const { edition, view } = host;
  const region = battle.region ? regionName(edition, battle.region) : null;
  const name = winner === undefined ? null : winner === view.you ? t.table.yourself : host.name(winner);
  const round = newRound(events.slice(last), host, brief);
  const end = cause === "bishop" && !name ? t.log.stopped(label(edition, cause), region) : t.log.won(name, region);
  return `${end} ${round}`.trim();
}

/** The seat that an event is about, or null. @param {Happening} event @returns {number | null} */
function seatOf(event) {
  if ("seat" in event) return event.seat;
  if (event.type === "battle-ended") return event.winner ?? null;
  return "winners" in event && event.winners.length === 1 ? (event.winners[0] ?? null) : null;
}

/** What a seat has done in a battle, or with its hand after it, in a word or two; "" if the event is about something else.
 * @param {Happening} event @param {Schemas["Edition"]} edition */
function didInBattle(event, edition) {
  switch (event.type) {
    case "card-played":
    case "card-turned-up":
      return numberOf(event.card) || label(edition, event.card);
    case "card-laid-face-down":
      return t.table.faceDown;
    case "seat-passed":
      return t.table.passed;
    case "hand-discarded":
      return event.forced ? "" : t.log.discarded(event.cards.count);
    default:
      return "";
  }
}

/** An event that seats a bot, with the bot's name at the table, such as "Steady 2", if it still has the seat.
 * @param {Happening} event @param {Host} host @returns {Happening} */
function numbered(event, host) {
  if (event.type !== "bot-seated") return event;
  const seat = host.view.seated[event.seat];
  return seat?.label === event.label && !seat.player ? { ...event, label: host.name(event.seat) } : event;
}

/** How seats were called at a version: a seat that was taken over had another player before.
 * @param {number} version @param {Host} host @returns {import("./sentences.js").NameOf} */
function namesAt(version, host) {
  const { players } = historyOf(host);
  return (seat) => {
    const all = players.get(seat) ?? [];
    const then = all.findLastIndex((player) => player.since <= version);
    if (then < 0 || then === all.length - 1) return host.name(seat);
    return all[then]?.player === HIDDEN ? t.table.seat(seat) : (all[then]?.name ?? t.table.deleted);
  };
}

/** Show one version after the other, and stop at any key or tap.
 * @param {number} from @param {number} to @param {number} longest in ms
 * @param {AbortSignal} signal @param {(version: number) => Promise<void>} show */
export async function playThrough(from, to, longest, signal, show) {
  const begun = performance.now(), steps = to - from + 1;
  const all = Math.min(longest, steps * SLOWEST);
  for (let version = from; version <= to && !signal.aborted; ) {
    await show(version);
    if (version === to) return;
    const passed = performance.now() - begun;
    const next = Math.min(to, Math.max(version + 1, from + Math.floor((passed * steps) / all)));
    const due = ((next - from) * all) / steps;
    await pause(Math.max(0, due - passed), signal).catch(() => {});
    version = next;
  }
}

/** Abort at any key or tap, except on the button that pauses. @param {AbortController} playing */
export function stopAtAnyKey(playing) {
  const { signal } = playing;
  const stop = (/** @type {Event} */ { target }) =>
    (target instanceof Element && target.closest(".replay-play")) || playing.abort();
  for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, stop, { signal, capture: true });
}

/** The log of the game screen. */
export class Log {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.history = historyOf(host);
    this.detailed = false;
    this.closing = new AbortController();
    const { signal } = this.closing;
    document.addEventListener("toggle", ({ target }) => this.unfold(target), { capture: true, signal });
    /** The list, once it was scrolled to where your last move is. @type {Element | null} */
    this.placed = null;
    /** Whether the log stays at its end while it grows: from your move on, until you scroll back. */
    this.follows = true;
    /** The version that a replay showed when the log was last drawn. @type {number | null} */
    this.at = null;
    /** Your last move when the log was last drawn. */
    this.followed = 0;
    /** Whether you have scrolled the log since it was last put in its place. A change of the layout scrolls it, too. */
    this.scrolled = false;
    /** @type {AbortController | null} */
    this.playing = null;
    /** The version up to which moves are shown at once: they are older than the page. */
    this.old = host.newest;
    /** What shows the moves of others. @type {WeakSet<Element>} */
    this.appeared = new WeakSet();
    /** When the last one of them appears. */
    this.due = 0;
  }

  close() {
    this.closing.abort();
    this.playing?.abort();
  }

  /** Resolves when the log is there, or could not be loaded. */
  get ready() {
    return this.history.ready;
  }

  /** A new commit of this game; returns it in words. @param {import("./api.js").Commit} heard @returns {string} */
  heard(heard) {
    const commit = /** @type {Commit} */ (heard);
    this.history.hear(commit);
    // The view of a newer version is on its way, and is drawn with its lines.
    if (heard.seq <= this.host.newest) this.host.changed();
    return sentence(commit, this.host);
  }

  /** Get the commits of a view that came without them, for example after a lost connection. */
  catchUp() {
    if (this.history.last < this.host.newest) this.history.load();
  }

  /** Your last move that you posted yourself: its version, or 0. */
  get mine() {
    return this.history.commits.findLast((commit) => this.isMine(commit))?.seq ?? 0;
  }

  /** Whether a commit is a move that you posted yourself. @param {Commit} commit */
  isMine({ by, cause, events }) {
    return by !== undefined && by === this.host.app.api.account?.player && !cause && !BESIDE.has(events[0]?.type ?? "");
  }

  /** What has been done in the last battle since your last move, in this order; stands over the rows.
   * @returns {Drawn | null} */
  moves() {
    const { history, host, mine } = this;
    const made = this.made();
    if (!made.length) return null;
    const started = history.commits.find(({ events }) => events.some(({ type }) => type === "game-started"));
    const newest = made.slice(-MOST_MOVES);
    return html`<div class="log-moves" data-many=${made.length > NAMED}>
      <span class="quiet">${mine > (started?.seq ?? 0) ? t.log.sinceMove : t.log.soFar}</span>
      <ol ${ref((list) => list && queueMicrotask(() => this.appear(list, newest)))}>
        ${repeat(
          newest,
          ({ key }) => key,
          ({ seat, what }) => html`<li>
            ${chip(seat)}<span class="log-who">${t.log.did(seat === host.view.you ? t.table.yourself : host.name(seat))}</span>
            <b>${what}</b>
          </li>`,
        )}
      </ol>
    </div>`;
  }

  /** The moves in the last battle since your last move, and the hands that were discarded before it. @returns {Made[]} */
  made() {
    const { edition, view } = this.host;
    /** @type {Made[]} */
    const made = [];
    let over = false;
    for (const { events, seq } of this.history.commits.slice(this.mine)) {
      if (seq > view.version) break;
      for (const [at, event] of events.entries()) {
        if (event.type === "battle-ended") over = true;
        const what = didInBattle(event, edition);
        if (over && (what || event.type === "region-chosen")) {
          made.length = 0;
          over = false;
        }
        if (what && "seat" in event) made.push({ key: `${seq} ${at}`, seat: event.seat, seq, what });
      }
    }
    return made;
  }

  /** Let the moves that are new and have room appear, and their rows light up, one after the other. Nothing waits for that.
   * @param {Element} list of items, as drawn @param {Made[]} made */
  appear(list, made) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    // The newest one is laid out first, from the right.
    items.forEach((item, index) => (item.style.order = String(-index)));
    const bottom = list.getBoundingClientRect().bottom;
    for (const [index, { seat, seq }] of made.entries()) {
      const item = items[index];
      if (!item || this.appeared.has(item)) continue;
      this.appeared.add(item);
      if (seq <= this.old || !animates() || item.getBoundingClientRect().top >= bottom) continue;
      const now = performance.now();
      this.due = Math.min(now + PLAY_IT, Math.max(now, this.due + PACE));
      const delay = this.due - now;
      item.animate({ opacity: [0, 1] }, { delay, duration: APPEARING, fill: "backwards" });
      const row = document.querySelector(`.table-seat[data-seat="${seat}"]`);
      row?.animate({ boxShadow: [LIT, LIT] }, { delay, duration: PACE });
    }
  }

  /** How the last battle ended, until you act in the next one; stands over the rows. Null: it needs no room. After a page is
   * loaded the room stays, because the view does not say that a player who has only played a season has acted.
   * @returns {Drawn | null} */
  news() {
    const { fights, history, host, lastEnd: end } = this;
    if (!end) return host.view.version > this.old && history.last >= host.view.version ? null : nothing;
    // In a duel, the next battle begins at once.
    const text = host.view.position?.phase === "battle" ? `${t.log.lastBattle} ${end}` : end;
    if (fights) return html`<p>${text}</p>`;
    return html`<div class="log-news"><p><strong>${text}</strong></p>${this.playButton()}</div>`;
  }

  /** Whether the next battle has begun, whose rows need the room: one without a region begins with its first card. */
  get fights() {
    const { position } = this.host.view;
    if (position?.phase !== "battle") return false;
    return Boolean(position.contested) || position.seats.some(hasLaid);
  }

  /** Who won a battle that ended at your last card or pass, or after it, and whether the round ended with it; or "". */
  get lastEnd() {
    const { history, host } = this;
    if (host.at !== null) return "";
    // Until your own move is in the history, its last battle may be the one before.
    if (host.view.position?.phase === "keep-or-discard" && history.last < host.view.version) return "";
    const acted = history.commits.findLastIndex((commit) => this.isMine(commit) && FOUGHT.has(commit.events[0]?.type ?? ""));
    return lastEnd(history.commits.slice(Math.max(0, acted)), host);
  }

  /** Shows what has happened since your last move, step by step. @returns {Drawn} */
  playButton() {
    const { history, host, mine } = this;
    if (!mine || history.last === mine || host.at !== null) return nothing;
    return html`<button @click=${() => this.play()}>
      <svg class="log-sign" aria-hidden="true"><use href="#play"></use></svg>${t.log.playIt}
    </button>`;
  }

  /** How to stop what is shown, in words; "" if nothing is shown. */
  get stop() {
    return !this.playing ? "" : isTouched() ? t.log.tap : t.log.anyKey;
  }

  /** The points that each seat has gained in each game of a match that is over. @returns {number[][]} */
  get gained() {
    const { at } = this.host;
    const commits = this.history.commits.filter(({ seq }) => at === null || seq <= at);
    return commits.flatMap(({ events }) => events.flatMap((event) => (event.type === "match-scored" ? [event.gained] : [])));
  }

  /** Why the last final battle began, or "". */
  get final() {
    const events = this.history.commits.flatMap((commit) => commit.events);
    return events.findLast((event) => event.type === "final-battle-started")?.reason ?? "";
  }

  /** The seats whose pass is not final: they may still lay cards in this battle. @returns {Set<number>} */
  get waiting() {
    const { version } = this.host.view;
    /** @type {Set<number>} */
    const seats = new Set();
    for (const { events, seq } of this.history.commits) {
      if (seq > version) break;
      for (const event of events) {
        if (event.type === "seat-passed" && !event.final) seats.add(event.seat);
        else if (event.type === "card-played") seats.delete(event.seat);
        else if (event.type === "battle-ended") seats.clear();
      }
    }
    return seats;
  }

  /** How the points of the game of a match that ended at your last move or after it were gained. @returns {Drawn} */
  count() {
    const { history, host, mine } = this;
    let games = 0, ended = 0;
    /** The owner of each region in the game. @type {Map<string, number>} */
    const owners = new Map();
    /** @type {Drawn} */
    let shown = nothing;
    for (const { events, seq } of host.at === null ? history.commits : []) {
      for (const event of events) {
        if (event.type === "battle-ended" && event.region && event.winner !== undefined) owners.set(event.region, event.winner);
        if (event.type !== "match-scored") continue;
        const held = [...owners.values()];
        const lines = event.gained.map((gained, seat) =>
          t.table.gains(host.name(seat), held.filter((owner) => owner === seat).length, gained),
        );
        games += 1;
        ended = seq;
        owners.clear();
        shown = html`<div class="log-count">
          <strong>${t.table.counts(games)}</strong>
          <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
        </div>`;
      }
    }
    return ended && ended >= mine ? shown : nothing;
  }

  /** Show what has happened since your last move. */
  async play() {
    if (this.playing) return;
    const playing = (this.playing = new AbortController());
    const { host } = this;
    stopAtAnyKey(playing);
    this.host.changed();
    try {
      const show = async (/** @type {number} */ version) => {
        await host.show(version);
        if (host.trouble) playing.abort();
      };
      await playThrough(this.mine + 1, this.history.last, PLAY_IT - SLOWEST, playing.signal, show);
      await pause(SLOWEST, playing.signal).catch(() => {});
    } finally {
      playing.abort();
      this.playing = null;
      // The replay says why a version was refused.
      if (!this.closing.signal.aborted && !host.trouble) await host.show(null);
    }
  }

  /** @returns {Drawn} */
  view() {
    const { history, host, mine } = this;
    // What is above the lines depends on them.
    if (!history.last && !history.failed) return nothing;
    const since = mine ? history.last - mine : 0;
    return html`<section class="log" aria-labelledby="log-title">
      <div class="log-tools">
        <h2 id="log-title">${t.log.title}</h2>
        <div class="log-again" data-elsewhere=${Boolean(this.lastEnd && !this.fights)}>${this.playButton()}</div>
        <label>
          <input type="checkbox" .checked=${this.detailed} @change=${() => this.detail()} /> ${t.log.details}
        </label>
      </div>
      ${history.failed
        ? html`${trouble(history.failed)}<button @click=${() => history.load()}>${t.site.retry}</button>`
        : nothing}
      <div class="log-lines" role="log" aria-live="off" aria-label=${t.log.title} tabindex="0">
        <ol ${ref((list) => this.place(list))}>
          ${repeat(
            this.drawn(),
            ([commit]) => commit.seq,
            ([commit, lines]) => this.entry(commit, lines, commit.seq === mine && since > 0),
          )}
        </ol>
      </div>
    </section>`;
  }

  /** The commits of which something is shown. @returns {[Commit, Line[]][]} */
  drawn() {
    /** @type {[Commit, Line[]][]} */
    const all = this.history.commits.map((commit) => [
      commit,
      linesOf(commit, this.host).filter(({ routine }) => this.detailed || !routine),
    ]);
    return all.filter(([{ seq }, lines]) => lines.length || seq === this.mine);
  }

  /** @param {Commit} commit @param {Line[]} lines @param {boolean} last whether it is your last move
   * @returns {Drawn} */
  entry(commit, lines, last) {
    const { host } = this;
    const time = commit.at === undefined ? "" : clockTime(commit.at);
    const address = `/game/${host.id}?at=${commit.seq}`;
    const show = (/** @type {MouseEvent} */ event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      host.show(commit.seq);
    };
    return html`<li class="log-entry" ?data-shown=${host.at === commit.seq}>
        <a class="log-at" href=${address} aria-label=${t.log.showVersion(commit.seq)} title=${time} @click=${show}
          >${commit.seq}</a
        >
        <div>${lines.map(
          ({ text, seat, type, routine }) => html`<p
            class="log-line" ?data-major=${MAJOR.has(type)} ?data-minor=${routine}>
            ${seat === null
              ? nothing
              : html`<span class="chip log-chip" data-seat=${seat}
                  ><svg aria-hidden="true"><use href="#seat-${seat}"></use></svg
                ></span>`}<span>${text}</span>
          </p>`,
        )}</div>
      </li>
      ${last ? html`<li class="log-since">${t.log.since}</li>` : nothing}`;
  }

  detail() {
    this.detailed = !this.detailed;
    this.host.changed();
  }

  /** Scroll to a part beside the log that was just opened. @param {EventTarget | null} part */
  async unfold(part) {
    if (!this.placed || !(part instanceof HTMLDetailsElement && part.open && part.matches(".game-parts > *"))) return;
    await this.host.app.changed();
    // At the bottom of a phone's window, the hand would hide it.
    part.scrollIntoView({ block: matchMedia("(min-width: 60rem)").matches ? "nearest" : "start" });
    const bar = document.querySelector(".table-bar"), dock = document.querySelector(".game-dock");
    if (!bar || !dock || getComputedStyle(dock).position !== "sticky") return;
    const { bottom, top } = part.getBoundingClientRect();
    const hidden = bottom - dock.getBoundingClientRect().top, room = top - bar.getBoundingClientRect().bottom;
    scrollBy(0, Math.max(0, Math.min(hidden, room)));
  }

  /** Open the log where your last move is, else at its end; and stay at the end while it grows.
   * @param {Element | undefined} list */
  place(list) {
    const box = list?.parentElement;
    if (!list || !box || this.history.loading) return;
    const first = this.placed !== list;
    const toEnd = () => (box.scrollTop = box.scrollHeight);
    if (first) {
      for (const type of ["wheel", "touchmove", "pointerdown", "keydown"]) {
        box.addEventListener(type, () => (this.scrolled = true), { passive: true });
      }
      box.addEventListener("scroll", () => this.scrolled && (this.follows = isAtEnd(box, 80)), { passive: true });
      // Whatever takes room from the log, or gives it back, leaves the newest line in sight.
      new ResizeObserver(() => this.follows && this.at === null && toEnd()).observe(box);
    } else if (this.mine > this.followed) this.follows = true;
    this.followed = this.mine;
    const { at } = this.host, replays = at !== null, steps = at !== this.at;
    this.at = at;
    if (!first && (replays ? !steps : !this.follows)) return;
    this.placed = list;
    this.scrolled = false;
    // A new list is not part of the page yet.
    requestAnimationFrame(() => {
      const line = list.querySelector("[data-shown]") ?? (first ? list.querySelector(".log-since") : null);
      if (!line && replays && !first) return;
      if (line) box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top;
      else toEnd();
      // If all that has happened since then fits, the newest line stays in sight.
      if (first) this.follows = !line || isAtEnd(box, 1);
    });
  }
}

/** @param {Element} box @param {number} most how far it may be from its end, in pixels */
export const isAtEnd = ({ clientHeight, scrollHeight, scrollTop }, most) => scrollHeight - scrollTop - clientHeight <= most;
