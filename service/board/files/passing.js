// What the chosen move would do. What passing and keeping or discarding the hand would do: stands beside the buttons, so one
// need not press them to learn that. And what passing and discarding the hand ask first.

import { Refused, Unreachable, pause } from "./api.js";
import { label, lead, regionName, wouldWin } from "./battle.js";
import { t } from "./texts.screens.js";
import { answer, answerText, legal, question, showModal } from "./hand.js";
import { html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** Milliseconds after which the service is asked again what passing would do, if it did not answer. */
const AGAIN = 5_000;

export class Passing {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The version at which the service was asked what passing would do. */
    this.asked = -1;
    /** What it would do at that version, once that is known. @type {Schemas["DryRun"] | null} */
    this.dry = null;
    /** What was clicked last. @type {Element | null} */
    this.clicked = null;
    document.addEventListener("click", (event) => this.click(event), { capture: true, signal: table.closing.signal });
  }

  /** Ignore the second click of a double-click on a card, and on anything that the first one has put in its place.
   * @param {MouseEvent} event */
  click(event) {
    const clicked = event.target instanceof Element ? event.target.closest("button, a") : null;
    if (event.detail > 1 && (clicked !== this.clicked || clicked?.matches(".hand-card"))) {
      event.stopPropagation();
      event.preventDefault();
    } else this.clicked = clicked;
  }

  /** What passing and discarding a hand ask first. @returns {Drawn} */
  view() {
    const { table } = this;
    const { asking, view } = table;
    if (asking !== "pass" && asking !== "discard-hand") return nothing;
    const asks = question(legal(view).filter(({ type }) => type === asking));
    const chosen = asks && table.choice?.answers[asks.member];
    const sure = table.move() !== null && !table.sending;
    return html`<dialog class="table-dialog" ${ref(showModal)} @close=${() => table.back()} aria-labelledby="asks">
      <h2 id="asks">${asking === "pass" ? t.passing.title : t.passing.discardTitle}</h2>
      ${asks
        ? html`<div class="table-ask" role="group" aria-labelledby="asks">
            ${asks.steps.map((step) => {
              const text = answer(step, asks.member);
              return html`<button aria-pressed=${chosen === text} @click=${() => table.decide(asks.member, text)}>
                ${answerText(table, view, step, asks.member)}
              </button>`;
            })}
          </div>`
        : nothing}
      <div class="table-warning">
        <p>${asking === "pass" ? `${this.ends()} ${t.passing.text}`.trim() : t.passing.discardText}</p>
        <p>${table.foreseen ? this.foreseen(table.foreseen) : nothing}</p>
      </div>
      <div class="table-buttons">
        <button class="primary" ?autofocus=${asking === "pass" && this.wins} aria-disabled=${!sure}
          @click=${() => sure && table.confirm()}>
          ${asking === "pass" ? t.table.pass : t.table.discardHand}
        </button>
        <button ?autofocus=${!(asking === "pass" && this.wins)} @click=${() => table.back()}>${t.site.cancel}</button>
      </div>
    </dialog>`;
  }

  /** What the chosen move would do, in words, from its dry run. @param {Schemas["DryRun"]} dry */
  foreseen(dry) {
    const { table } = this;
    const { choice, edition, view } = table;
    const before = view.position, after = dry.game.position, { you } = view;
    if (!before || you === null) return "";
    const lines = [];
    const battle = dry.events.find((event) => event.type === "battle-ended");
    const game = dry.events.find((event) => event.type === "game-ended");
    const wins = game?.type === "game-ended" && game.winners.includes(you);
    const winsBoth = battle?.type === "battle-ended" && battle.winner === you && wins;
    if (battle?.type === "battle-ended") {
      const { region, winner } = battle;
      const where = region ? regionName(edition, region) : t.table.noRegion;
      if (winner === undefined) lines.push(t.foreseen.noWinner);
      else lines.push(winner === you ? t.foreseen.youWin(where, winsBoth) : t.foreseen.wins(table.name(winner), where));
    }
    if (game && !winsBoth) lines.push(wins ? t.foreseen.winsGame : t.foreseen.endsGame);
    if (!lines.length && choice?.type === "pass") {
      const others = stillIn(view, after).map((seat) => table.name(seat));
      lines.push(standing(table, after) || (others.length ? t.foreseen.stillIn(others) : ""));
    }
    if (!battle) lines.push(...this.faceDown(dry, you));
    if (!battle && after.phase === "battle" && before.phase === "battle") {
      const mine = before.seats[you]?.strength ?? 0, then = after.seats[you]?.strength ?? 0;
      const best = Math.max(...after.seats.filter(({ seat }) => seat !== you).map(({ strength }) => strength));
      lines.push(t.foreseen.row(mine, then));
      if (then !== best) lines.push(then > best ? t.foreseen.leads(then - best) : t.foreseen.trails(best - then));
      // On an empty table, nobody is level with anybody.
      else if (best) lines.push(t.foreseen.level);
      for (const { seat, strength } of after.seats) {
        const was = before.seats[seat]?.strength ?? 0;
        if (seat !== you && was !== strength) lines.push(t.foreseen.changes(table.name(seat), was, strength));
      }
    }
    const favor = dry.events.find(({ type }) => type === "favor-moved");
    if (favor && !("region" in favor && favor.region)) lines.push(t.foreseen.favorNowhere);
    if (dry.stops === "hidden-cards") lines.push(t.foreseen.hidden);
    return lines.filter(Boolean).join(" ");
  }

  /** Which of the player's cards the move would lay face down or turn up, in words.
   * @param {Schemas["DryRun"]} dry @param {number} you @returns {string[]} */
  faceDown({ events }, you) {
    const laid = events.some((event) => event.type === "card-laid-face-down" && event.seat === you);
    const turned = events.find((event) => event.type === "card-turned-up" && event.seat === you);
    const up = turned?.type === "card-turned-up" ? turned : null;
    return [
      laid && !up?.newest ? t.foreseen.faceDown : "",
      up ? t.foreseen.turnedUp(label(this.table.edition, up.card)) : "",
    ];
  }

  /** Whether it is certain that passing wins the battle. */
  get wins() {
    const { asked, dry, table } = this;
    if (asked !== table.view.version) return false;
    return dry?.events.some((event) => event.type === "battle-ended" && event.winner === table.view.you) ?? false;
  }

  /** Whether a pass is final, in words; "" until the dry run says so. */
  ends() {
    for (const event of this.table.foreseen?.events ?? []) {
      if (event.type === "seat-passed" && event.seat === this.table.view.you) return event.final ? t.passing.final : t.passing.notFinal;
    }
    return "";
  }

  /** What passing would do, or what a hand is kept for, in words; "" if it is not known, or if it depends on an answer. */
  words() {
    const { table } = this;
    const { moves, position, status, version } = table.view;
    if (position?.phase === "keep-or-discard") {
      return moves.length > 1 ? t.passing.mayDiscard : `${table.parts.log?.lastEnd || t.passing.over} ${t.passing.mustKeep}`;
    }
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
      const { signal } = table.closing;
      if (!(error instanceof Refused || error instanceof Unreachable) && !signal.aborted) throw error;
      if (error instanceof Unreachable) {
        await pause(AGAIN, signal).catch(() => {});
        if (this.asked === version) this.asked = -1;
      }
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
    if (legal(view).some(({ type }) => type === "play-card")) sentences.push(t.passing.alone);
    const game = events.find(({ type }) => type === "game-ended");
    const wins = game?.type === "game-ended" && battle.winner !== undefined && game.winners.includes(battle.winner);
    sentences.push(battle.winner === undefined ? t.passing.nobody : t.passing.ends(own(battle.winner), where, wins));
  } else {
    sentences.push(pass?.type === "seat-passed" && !pass.final ? t.passing.forNow : t.passing.out);
    sentences.push(standing(table, after));
  }
  const kept = after.seats[view.you ?? 0]?.hand.count;
  if (events.some(({ type }) => type === "round-ended")) sentences.push(t.passing.newRound);
  else if (kept && !events.some(({ type }) => type === "game-ended")) sentences.push(t.passing.keeps(kept));
  return sentences.filter(Boolean).join(" ");
}

/** The other seats that may still lay cards. @param {Schemas["Game"]} view @param {Schemas["ForeseenPosition"]} after */
const stillIn = (view, after) =>
  after.seats.filter(({ seat, passed, hand: { count } }) => seat !== view.you && !passed && count).map(({ seat }) => seat);

/** How the battle would end if nobody laid another card after the player's pass, and who may still lay one; "" if that
 * cannot be said. @param {Table} table @param {Schemas["ForeseenPosition"]} after */
function standing(table, after) {
  const { edition, view } = table;
  const { contested, fighters } = /** @type {Schemas["Position"]} */ (view.position);
  const where = contested ? regionName(edition, contested) : t.table.noRegion;
  const { leaders, most } = lead(after);
  const winner = leaders.length === 1 ? view.position?.seats[leaders[0] ?? 0] : undefined;
  const others = stillIn(view, after).filter((seat) => seat !== winner?.seat).map((seat) => table.name(seat));
  if (winner) {
    const wins = fighters.length > 0 || wouldWin(view, edition, winner, contested);
    return t.passing.asItStands(winner.seat === view.you ? null : table.name(winner.seat), where, wins, others);
  }
  // All who are level win a final battle.
  return most && !fighters.length ? t.passing.level(where, others) : "";
}
