// Verifies in the browser that the cards of a finished game were dealt as the service had committed itself to: the
// commitment, the chain of hashes, the head, and every draw. The guide on records says how each of them is computed.
// It does not know the rules of the game: the service and `condottiere verify` also decide every move again.

import { trouble } from "./app.js";
import { t } from "./texts.screens.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Api} Api */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["GameRecord"]} GameRecord */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {{name: string, ok: boolean, detail: string}} Check what was checked, and the first thing that is wrong */
/** @typedef {Record<string, any>} Event one event of a record, whose members are not trusted */

/** The cards in the order in which a deal lists the deck. */
const CARDS = [..."123456"]
  .map((value) => `mercenary-${value}`)
  .concat(["mercenary-10", "heroine", "drummer", "courtesan", "winter", "spring", "bishop", "scarecrow", "surrender"]);
const CONSTRUCTION = 1,
  FORMAT = 1,
  SEED_BYTES = 32;

/** Something that cannot be checked, in words. */
export class Unverifiable extends Error {}

/** Load the record of a finished game and check it. Throws: Unverifiable, Refused, Unreachable.
 * @param {Api} api @param {string} id of the game @param {(done: number, all: number) => void} [progress] in commits
 * @returns {Promise<Check[]>} the checks, each with what is wrong */
export async function verifyGame(api, id, progress) {
  if (!globalThis.crypto?.subtle) throw new Unverifiable(t.verify.noCrypto);
  /** @type {GameRecord} */
  const record = await api.get(`/v1/games/${encodeURIComponent(id)}/record`);
  if (record.record !== FORMAT) throw new Unverifiable(t.verify.otherFormat(record.record));
  if (!record.open) throw new Unverifiable(t.verify.notOpen);
  const edition = await api.get(
    `/v1/editions/${record.edition}${record.revision ? `?revision=${record.revision}` : ""}`,
  );
  return verifyRecord(record, edition, progress);
}

/** Check an open record. @param {GameRecord} record @param {Pick<Schemas["Edition"], "deck" | "deck_each">} edition
 * @param {(done: number, all: number) => void} [progress] @returns {Promise<Check[]>} */
export async function verifyRecord(record, edition, progress = () => {}) {
  const { fairness, commits, version, head } = record;
  const seed = bytes(String(fairness.seed));
  if (seed.length !== SEED_BYTES) throw new Unverifiable(t.verify.noSeed);
  const opened = /** @type {Event} */ (commits[0]?.events[0] ?? {});
  const table = new Table(seed, edition);
  /** @type {{commitment: string, chain: string, head: string, draws: string}} what is wrong, "" if nothing is */
  const wrong = { commitment: "", chain: "", head: "", draws: "" };

  const commitment = hex(await sha256(seed));
  if (fairness.commitment !== commitment) wrong.commitment = t.verify.wrongCommitment(fairness.commitment);
  else if (opened["commitment"] !== commitment)
    wrong.commitment = t.verify.wrongCommitment(String(opened["commitment"]));
  if (fairness.construction !== CONSTRUCTION || opened["construction"] !== CONSTRUCTION)
    wrong.draws = t.verify.construction;

  let hash = "0".repeat(64);
  for (const [n, commit] of commits.entries()) {
    const { seq, at, by, revision, events } = commit;
    hash = hex(await sha256(utf8(hash + JSON.stringify({ seq, at, by, revision, events }))));
    if (seq !== n + 1) wrong.chain ||= t.verify.number(n + 1, seq);
    if (commit.hash !== hash) wrong.chain ||= t.verify.hash(n + 1);
    try {
      if (!wrong.draws) for (const event of /** @type {Event[]} */ (events)) await table.apply(event);
    } catch (error) {
      // Which cards are in the deck is unknown from here on.
      wrong.draws = t.verify.atCommit(n + 1, error instanceof Error ? error.message : String(error));
    }
    if (n % 10 === 9) progress(n + 1, commits.length);
  }
  progress(commits.length, commits.length);
  if (commits.length !== version) wrong.chain ||= t.verify.count(commits.length, version);
  if (hex(await hmac(await hmac(seed, utf8("head")), utf8(hash))) !== head) wrong.head = t.verify.wrongHead;
  const entropies = fairness.entropies.map((entropy) => entropy ?? "").join();
  if (table.entropies.join() !== entropies) wrong.draws ||= t.verify.entropies;

  const right = {
    commitment: t.verify.rightCommitment(commitment),
    chain: t.verify.rightChain(commits.length),
    head: t.verify.rightHead,
    draws: t.verify.rightDraws(table.draws),
  };
  const names = /** @type {(keyof typeof wrong)[]} */ (Object.keys(wrong));
  return names.map((name) => ({ name: t.verify.names[name], ok: !wrong[name], detail: wrong[name] || right[name] }));
}

/** The numbers of one draw: 32-bit words of a stream of blocks. */
export class Numbers {
  /** @param {Uint8Array} key of all draws @param {number} draw */
  constructor(key, draw) {
    this.key = hmac(key, bigEndian(draw, 8));
    this.block = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /** @returns {Promise<number>} the next word */
  async word() {
    if (!this.words.length) {
      const stream = new DataView((await sha256(join(await this.key, bigEndian(this.block++, 4)))).buffer);
      this.words = [0, 4, 8, 12, 16, 20, 24, 28].map((start) => stream.getUint32(start));
    }
    return /** @type {number} */ (this.words.shift());
  }

  /** @param {number} n @returns {Promise<number>} the next number below n */
  async below(n) {
    if (!(n > 0)) throw new Error(t.verify.nothingToDraw);
    for (;;) {
      const word = await this.word();
      if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
    }
  }
}

/** Draw hands from a deck, and take their cards from it. @param {Numbers} numbers @param {string[]} deck in any order
 * @param {number[]} sizes @returns {Promise<string[][]>} */
export async function deal(numbers, deck, sizes) {
  deck.sort(byKind);
  const hands = [];
  for (const size of sizes) {
    if (!(size >= 0 && size <= deck.length)) throw new Error(t.verify.deckHas(deck.length));
    /** @type {string[]} */
    const hand = [];
    while (hand.length < size) {
      const place = await numbers.below(deck.length),
        card = deck[place],
        last = deck.pop();
      if (place < deck.length && last !== undefined) deck[place] = last;
      if (card !== undefined) hand.push(card);
    }
    hands.push(hand.sort(byKind));
  }
  return hands;
}

/** Return the key of all draws. @param {Uint8Array} seed @param {string[]} entropies of the seats, in hexadecimal */
export const keyOf = (seed, entropies) =>
  join(seed, ...entropies.map(bytes).flatMap((entropy) => [new Uint8Array([entropy.length]), entropy]));

/** Follows the cards that leave the deck and come back, and repeats every draw. */
class Table {
  /** @param {Uint8Array} seed @param {Pick<Schemas["Edition"], "deck" | "deck_each">} edition */
  constructor(seed, edition) {
    this.seed = seed;
    this.edition = edition;
    /** @type {string[]} */
    this.entropies = [];
    this.draws = 0;
    this.key = seed;
    /** @type {Set<number>} seats that have resigned */
    this.gone = new Set();
    /** @type {string[][]} */
    this.decks = [];
    /** @type {number[] | null} */
    this.leaders = null;
    /** @type {string[]} */
    this.rows = [];
    /** @type {string[]} */
    this.season = [];
    /** @type {string[]} */
    this.discard = [];
  }

  /** Throws an error with what is wrong. @param {Event} event */
  async apply(event) {
    const { type, seat, card } = event;
    if (type === "table-opened") {
      if (![2, 3, 4, 5, 6].includes(event["seats"])) throw new Error(t.verify.seats);
      this.entropies = Array(event["seats"]).fill("");
    }
    if (typeof this.entropies[seat ?? 0] !== "string") throw new Error(t.verify.noSeat(JSON.stringify(seat)));
    if (["seat-taken", "bot-seated", "seat-left"].includes(type)) this.entropies[seat] = String(event["entropy"] ?? "");
    if (type === "seat-closed") this.entropies.splice(seat, 1);
    if (type === "game-started") this.start();
    if (type === "seat-resigned") this.gone.add(seat);
    if (type === "battle-ended") this.leaders = event["leaders"];
    if (type === "marker-taken" && (event["reason"] === "lot" || "draw" in event)) await this.lot(event);
    if (type === "hands-dealt") await this.deal(event, this.deckOf(0), event["hands"]);
    if (type === "cards-drawn" && (event["cards"].count || "draw" in event)) {
      await this.deal(event, this.deckOf(seat), [event["cards"]]);
    }
    if (type === "card-turned-up" || (type === "card-played" && event["place"] === "row")) this.rows.push(card);
    if (type === "card-played" && event["place"] === "discard") this.discard.push(card);
    if (type === "card-played" && event["place"] === "season") this.discard.push(...this.season.splice(0, 1, card));
    if (type === "card-taken-back") this.rows.splice(this.rows.indexOf(card), 1);
    if (type === "mercenaries-removed") {
      this.discard.push(...this.rows.filter((other) => other === card));
      this.rows = this.rows.filter((other) => other !== card);
    }
    if (type === "rows-discarded") this.discard.push(...this.rows.splice(0), ...this.season.splice(0));
    if (type === "hand-discarded") this.discard.push(...event["cards"].cards);
    if (type === "round-ended" || type === "discard-reshuffled") this.deckOf(0).push(...this.discard.splice(0));
  }

  start() {
    const full = this.edition.deck.flatMap(({ card, count }) => Array(count).fill(card));
    this.key = keyOf(this.seed, this.entropies);
    this.decks = Array.from({ length: this.edition.deck_each ? this.entropies.length : 1 }, () => [...full]);
    Object.assign(this, { leaders: null, rows: [], season: [], discard: [] });
  }

  /** @param {number} seat @returns {string[]} the deck from which a seat draws */
  deckOf(seat) {
    const deck = this.decks[seat % this.decks.length];
    if (!deck) throw new Error(t.verify.notStarted);
    return deck;
  }

  /** The first lot of a game is among all seats, a later one among the leaders of the battle.
   * @param {Event} event */
  async lot(event) {
    /** @param {number[]} seats */
    const left = (seats) => seats.filter((seat) => !this.gone.has(seat));
    const leaders = left(this.leaders ?? []);
    const seats = leaders.length ? leaders : left([...this.entropies.keys()]);
    const drawn = seats[await this.next(event).below(seats.length)];
    if (drawn !== event["seat"]) throw new Error(t.verify.lot(event["draw"], Number(drawn), event["seat"]));
  }

  /** @param {Event} event @param {string[]} deck @param {{count: number, cards: string[]}[]} hands */
  async deal(event, deck, hands) {
    const numbers = this.next(event);
    const drawn = await deal(
      numbers,
      deck,
      hands.map(({ count }) => count),
    );
    const place = drawn.findIndex((hand, n) => hand.join() !== hands[n]?.cards.join());
    if (place >= 0) throw new Error(t.verify.hand(event["draw"], drawn[place] ?? [], hands[place]?.cards ?? []));
  }

  /** @param {Event} event @returns {Numbers} */
  next({ draw }) {
    if (draw !== this.draws) throw new Error(t.verify.nextDraw(this.draws, String(draw)));
    return new Numbers(this.key, this.draws++);
  }
}

/** The verification on the game screen, after the end: what it would check, a button, and what it has found. */
export class Verification {
  /** @param {{app: App, id: string, changed: () => void, closing: AbortController}} host */
  constructor(host) {
    this.host = host;
    /** @type {{done: number, all: number} | null} */
    this.progress = null;
    /** @type {Check[] | null} */
    this.checks = null;
    /** @type {unknown} */
    this.error = null;
  }

  /** Verify the game. It cannot fail: what goes wrong is shown. */
  async start() {
    const { app, id, changed, closing } = this.host;
    this.error = this.checks = null;
    this.progress = { done: 0, all: 0 };
    changed();
    try {
      this.checks = await verifyGame(app.api, id, (done, all) => {
        this.progress = { done, all };
        changed();
      });
      if (!closing.signal.aborted) app.say(t.verify.outcome(this.checks.every(({ ok }) => ok)));
    } catch (error) {
      this.error = error;
    }
    this.progress = null;
    changed();
  }

  /** @returns {Drawn} */
  view() {
    const { progress, checks, error } = this;
    return html`<section class="verify" aria-labelledby="verify-heading">
      <h2 id="verify-heading">${t.verify.heading}</h2>
      ${
        progress
          ? html`<p role="status">
              <label>${t.verify.working} <progress max=${progress.all || 1} value=${progress.done}></progress></label>
            </p>`
          : nothing
      }
      ${checks ? html`<p><strong>${t.verify.outcome(checks.every(({ ok }) => ok))}</strong></p>` : nothing}
      ${
        error instanceof Unverifiable
          ? html`<p class="trouble" role="alert">${error.message}</p>`
          : error
            ? trouble(error)
            : nothing
      }
      <details ?open=${checks?.some(({ ok }) => !ok) ?? false}>
        <summary>${t.verify.how}</summary>
        <p class="quiet">${t.verify.about}</p>
        ${checks ? this.found(checks) : nothing}
      </details>
      ${
        progress || checks
          ? nothing
          : html`<button @click=${() => this.start()}>${error ? t.site.retry : t.verify.start}</button>`
      }
    </section>`;
  }

  /** Each step of the verification. @param {Check[]} checks @returns {Drawn} */
  found(checks) {
    const items = checks.map(
      ({ detail, name, ok }) =>
        html`<li data-ok=${String(ok)}><strong>${name}: ${ok ? t.verify.ok : t.verify.notOk}</strong> <span>${detail}</span></li>`,
    );
    return html`<ul class="verify-checks">${items}</ul>
      <p class="quiet">${t.verify.limits}</p>`;
  }
}

/** @param {string} one @param {string} other */
const byKind = (one, other) => CARDS.indexOf(one) - CARDS.indexOf(other);

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** @param {string} text in hexadecimal @returns {Uint8Array} as far as it is */
function bytes(text) {
  const pairs = /^([0-9a-f]{2})*/i.exec(text)?.[0].match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} all */
const hex = (all) => Array.from(all, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} number @param {number} length in bytes */
const bigEndian = (number, length) => bytes(number.toString(16).padStart(2 * length, "0"));

/** @param {...Uint8Array} parts */
function join(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} message */
async function sha256(message) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (message)));
}

/** @param {Uint8Array} key @param {Uint8Array} message */
async function hmac(key, message) {
  const use = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (key), use, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, /** @type {BufferSource} */ (message)));
}
