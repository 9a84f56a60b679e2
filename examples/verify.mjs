// Verifies the record of a game that is over: the commitment, the chain of hashes, heads, and every draw. Needs Node 18.
//     node verify.mjs FILE... [[VERSION:]HEAD...]        FILE is JSON or NDJSON; - reads standard input
// Prints a line for each error. Exit code: 0 if there are no errors, 2 if a file cannot be checked, otherwise 1.
// It does not check the moves against the rules; `condottiere verify` does.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const CARDS = [..."123456"].map((value) => `mercenary-${value}`);
CARDS.push("mercenary-10", "heroine", "drummer", "courtesan", "winter", "spring", "bishop", "scarecrow", "surrender");
// How many cards of each kind a deck has, in the order above: the rows `deck.*` of docs/editions.md.
const LARGE = [10, 8, 8, 8, 8, 8, 8, 3, 6, 12, 3, 3, 6, 16, 3];
const OLD = [15, 8, 8, 8, 8, 8, 8, 3, 6, 0, 3, 0, 3, 15, 3];
const DUEL = [2, 2, 2, 2, 2, 2, 2, 1, 1, 0, 1, 1, 1, 3, 1];
const DECKS = { "zman-2018": LARGE, "zman-2018-classic": OLD, "zman-2018-duel": DUEL, "ffg-2007": LARGE };
Object.assign(DECKS, { "eurogames-revised": OLD, "eurogames-1995": OLD });

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const byKind = (one, other) => CARDS.indexOf(one) - CARDS.indexOf(other);
const bigEndian = (number, length) => Buffer.from(number.toString(16).padStart(2 * length, "0"), "hex");
// Prints a line, with any control characters escaped, so that the text cannot control the terminal.
const print = (line) => console.log(line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`));

// Returns a function of n that returns a draw's next random number, from 0 to n - 1.
function numbers(key, draw) {
  let drawKey = hmac(key, bigEndian(draw, 8)), block = 0, words = [];
  return function below(n) {
    while (n > 0) {
      if (!words.length) {
        const stream = sha256(drawKey, bigEndian(block++, 4));
        words = [0, 4, 8, 12, 16, 20, 24, 28].map((start) => stream.readUInt32BE(start));
      }
      const word = words.shift();
      if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
    }
    throw new Error("there is nothing to draw from");
  };
}

// Tracks which cards are in the deck, and repeats every draw. Throws at the first draw that is wrong.
class Table {
  constructor(seed) {
    Object.assign(this, { seed, entropies: [], draws: 0, gone: new Set(), isLost: false });
  }
  apply(event) {
    const { type, seat, card } = event;
    if (type === "table-opened" && ![2, 3, 4, 5, 6].includes(event.seats)) throw new Error("a table has 2 to 6 seats");
    if (type === "table-opened") this.entropies = Array(event.seats).fill("");
    if (typeof this.entropies[seat ?? 0] !== "string") throw new Error(`there is no seat ${JSON.stringify(seat)}`);
    if (["seat-taken", "bot-seated", "seat-left"].includes(type)) this.entropies[seat] = String(event.entropy ?? "");
    if (type === "seat-closed") this.entropies.splice(seat, 1);
    if (type === "game-started") this.start(event);
    if (type === "seat-resigned") this.gone.add(seat);
    if (type === "battle-ended") this.leaders = event.leaders;
    if (type === "marker-taken" && (event.reason === "lot" || "draw" in event)) this.lot(event);
    if (type === "hands-dealt") this.deal(event, this.decks[0], event.hands);
    if (type === "cards-drawn" && (event.cards.count || "draw" in event))
      this.deal(event, this.decks[seat % this.decks.length], [event.cards]);
    if (type === "card-turned-up" || (type === "card-played" && event.place === "row")) this.rows.push(card);
    if (type === "card-played" && event.place === "discard") this.discard.push(card);
    if (type === "card-played" && event.place === "season") this.discard.push(...this.season.splice(0, 1, card));
    if (type === "card-taken-back") this.rows.splice(this.rows.indexOf(card), 1);
    if (type === "mercenaries-removed") this.discard.push(...this.rows.filter((other) => other === card));
    if (type === "mercenaries-removed") this.rows = this.rows.filter((other) => other !== card);
    if (type === "rows-discarded") this.discard.push(...this.rows.splice(0), ...this.season.splice(0));
    if (type === "hand-discarded") this.discard.push(...event.cards.cards);
    if (type === "round-ended" || type === "discard-reshuffled") this.decks[0].push(...this.discard.splice(0));
  }
  start({ edition }) {
    const entropies = this.entropies.map((text) => Buffer.from(text, "hex"));
    this.key = Buffer.concat([this.seed, ...entropies.flatMap((entropy) => [Buffer.from([entropy.length]), entropy])]);
    const deck = () => CARDS.flatMap((card, kind) => Array(DECKS[edition][kind]).fill(card));
    this.decks = Array.from({ length: DECKS[edition] === DUEL ? entropies.length : 1 }, deck);
    Object.assign(this, { seats: [...entropies.keys()], leaders: null, rows: [], season: [], discard: [] });
  }
  // The first lot of a game is drawn among all seats, and later lots among the battle's leaders; resigned seats take no part.
  lot(event) {
    const left = (seats) => seats.filter((seat) => !this.gone.has(seat)), leaders = left(this.leaders ?? []);
    const seats = leaders.length ? leaders : left(this.seats), drawn = seats[this.next(event)(seats.length)];
    if (drawn !== event.seat) throw new Error(`draw ${event.draw}: the lot falls on seat ${drawn}, not ${event.seat}`);
  }
  deal(event, deck, hands) {
    const below = this.next(event);
    deck.sort(byKind);
    for (const [n, { count, cards }] of hands.entries()) {
      if (!(count >= 0 && count <= deck.length)) throw new Error(`draw ${event.draw}: the deck has ${deck.length} cards`);
      const hand = Array.from({ length: count }, () => {
        const i = below(deck.length), card = deck[i], last = deck.pop();
        if (i < deck.length) deck[i] = last;
        return card;
      });
      const drawn = hand.sort(byKind).join();
      if (drawn !== cards.join()) throw new Error(`draw ${event.draw}: hand ${n} is ${drawn}, not ${cards}`);
    }
  }
  next({ type, draw }) {
    if (draw !== this.draws) throw new Error(`${type}: the next draw is ${this.draws}, not ${draw}`);
    return numbers(this.key, this.draws++);
  }
}

function* findings({ fairness, commits, version: last, head: ownHead }, heads) {
  const seed = Buffer.from(String(fairness.seed), "hex"), opened = commits[0].events[0];
  const table = new Table(seed), hashes = ["0".repeat(64)];
  for (const commitment of new Set([fairness.commitment, opened.commitment]))
    if (sha256(seed).toString("hex") !== commitment) yield `the commitment ${commitment} is not that of the seed`;
  if (fairness.construction !== 1 || opened.construction !== 1) yield "the construction of the draws is not 1";
  if (commits.length !== last) yield `there are ${commits.length} commits, not ${last}`;
  for (const [n, { seq, at, by, revision, events, hash }] of commits.entries()) {
    hashes.push(sha256(hashes[n], JSON.stringify({ seq, at, by, revision, events })).toString("hex"));
    if (seq !== n + 1) yield `commit ${n + 1} has the number ${seq}`;
    if (hash !== hashes[n + 1]) yield `commit ${n + 1}: the hash is ${hashes[n + 1]}, not ${hash}`;
    try {
      for (const event of table.isLost ? [] : events) table.apply(event);
    } catch (error) {
      table.isLost = true; // From now on, the content of the deck is unknown.
      yield `commit ${n + 1}: ${error.message}`;
    }
  }
  const entropies = fairness.entropies.map((entropy) => entropy ?? "").join();
  if (!table.isLost && table.entropies.join() !== entropies) yield `the entropies are ${table.entropies}, not ${entropies}`;
  for (const text of [`${last}:${ownHead}`, ...heads]) {
    const [head, version = last] = text.split(":").reverse(), hash = hashes[version] ?? "";
    if (hmac(hmac(seed, "head"), hash).toString("hex") !== head) yield `the head at version ${version} is not ${head}`;
  }
}

function read(path) {
  const text = readFileSync(path === "-" ? 0 : path, "utf8"), [first, ...lines] = text.trim().split(/[\r\n]+/);
  if (!lines.length || !/^\{.*\}$/.test(first)) return JSON.parse(text);
  return { ...JSON.parse(first), commits: lines.map((line) => JSON.parse(line)) };
}

// Prints the errors in a record, and returns the exit code.
function check(path, heads) {
  try {
    const record = read(path);
    if (record.record !== 1 || !record.open) throw new Error("this is not an open record of format 1");
    const found = [...findings(record, heads)];
    for (const line of found.length ? found : [`${record.commits.length} commits are right`]) print(`${path}: ${line}`);
    return found.length ? 1 : 0;
  } catch (error) {
    print(`${path}: ${error.message}`);
    return 2;
  }
}

const words = process.argv.slice(2), isHead = (word) => /^(\d+:)?[0-9a-f]{64}$/.test(word);
const paths = words.filter((word) => !isHead(word));
process.exitCode = Math.max(paths.length ? 0 : 2, ...paths.map((path) => check(path, words.filter(isHead))));
