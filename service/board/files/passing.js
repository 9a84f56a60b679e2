// What passing would do, or discarding the hand: stands beside the button, so one need not press it to learn that.

import { Refused, Unreachable } from "./api.js";
import { lead, regionName } from "./battle.js";
import { t } from "./texts.screens.js";
import { legal } from "./hand.js";
import { nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

export class Passing {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The version at which the service was asked what passing would do. */
    this.asked = -1;
    /** What it would do at that version, once that is known. @type {Schemas["DryRun"] | null} */
    this.dry = null;
  }

  /** @returns {Drawn} */
  view() {
    return nothing;
  }

  /** What passing would do, or what a hand is kept for, in words; "" if it is not known, or if it depends on an answer. */
  words() {
    const { table } = this;
    const { moves, position, status, version } = table.view;
    if (position?.phase === "keep-or-discard") return moves.length > 1 ? t.passing.mayDiscard : t.passing.mustKeep;
    const passes = legal(table.view).filter(({ type }) => type === "pass");
    if (passes.length !== 1 || table.at !== null || status !== "running" || position?.phase !== "battle") return "";
    if (this.asked !== version) this.ask(version);
    return this.dry ? foretold(table, this.dry) : "";
  }

  /** @param {number} version */
  async ask(version) {
    const { table } = this;
    this.asked = version;
    this.dry = null;
    try {
      const dry = await table.dryRun({ type: "pass" });
      if (this.asked === version) this.dry = dry;
    } catch (error) {
      // Without it, one can still pass.
      if (!(error instanceof Refused || error instanceof Unreachable) && !table.closing.signal.aborted) throw error;
    }
    table.changed();
  }
}

/** @param {Table} table @param {Schemas["DryRun"]} dry */
function foretold(table, { events, game: { position: after } }) {
  const { edition, view } = table;
  const { contested, fighters } = /** @type {Schemas["Position"]} */ (view.position);
  const where = contested ? regionName(edition, contested) : t.table.noRegion;
  /** @param {number} seat */
  const own = (seat) => (seat === view.you ? null : table.name(seat));
  const pass = events.find((event) => event.type === "seat-passed" && event.seat === view.you);
  const battle = events.find(({ type }) => type === "battle-ended");
  const sentences = [];
  if (battle?.type === "battle-ended") {
    sentences.push(battle.winner === undefined ? t.passing.nobody : t.passing.ends(own(battle.winner), where));
  } else {
    sentences.push(pass?.type === "seat-passed" && !pass.final ? t.passing.forNow : t.passing.out);
    const { leaders, most } = lead(after);
    const left = after.seats.filter(({ seat, passed, hand: { count } }) => seat !== view.you && !passed && count);
    const others = left.map(({ seat }) => table.name(seat));
    if (leaders.length === 1) sentences.push(t.passing.asItStands(own(leaders[0] ?? 0), where, others));
    // All who are level win a final battle.
    else if (most && !fighters.length) sentences.push(t.passing.level(where, others));
  }
  const kept = after.seats[view.you ?? 0]?.hand.count;
  if (events.some(({ type }) => type === "round-ended")) sentences.push(t.passing.newRound);
  else if (kept && !events.some(({ type }) => type === "game-ended")) sentences.push(t.passing.keeps(kept));
  return sentences.join(" ");
}
