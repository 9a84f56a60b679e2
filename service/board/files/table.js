// What the game screen looks like: functions of its state only. `game.js` keeps the state and does what is clicked.

import { Refused, Unreachable } from "./api.js";
import { t } from "./en.js";
import { mapView } from "./map.js";
import { html, nothing, ref, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["Game"]} Game */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["Position"]} Position */
/** @typedef {Schemas["PositionSeat"]} Seat */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {"take" | "favor" | "turn_up"} Member a part of a move that a second step asks for */
/**
 * @typedef {object} Step a move, with the members that some moves have
 * @property {string} type
 * @property {string} [card]
 * @property {string} [region]
 * @property {string} [take]
 * @property {number} [take_from]
 * @property {string} [favor]
 * @property {string} [turn_up]
 * @property {string[]} [keep]
 * @property {number} [number]
 */
/** @typedef {{member: Member, steps: Step[]}} Question what a second step asks, and a move for each answer */

/** @type {Member[]} */
const MEMBERS = ["take", "favor", "turn_up"];
const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** Return the legal moves of a game, each with all members. @param {{moves: unknown[]}} view */
export const legal = (view) => /** @type {Step[]} */ (view.moves);

/** An answer to a question, as a text that two moves share if they give the same answer.
 * @param {Step} step @param {Member} member */
export const answer = (step, member) =>
  member === "take" ? (step.take ? `${step.take} ${step.take_from ?? ""}` : "") : (step[member] ?? "");

/** Return what is still to be asked before a choice is one move. @param {Step[]} steps @returns {Question | null} */
export function question(steps) {
  if (steps.length < 2) return null;
  for (const member of MEMBERS) {
    const answers = new Map(steps.map((step) => [answer(step, member), step]));
    if (answers.size > 1) return { member, steps: [...answers.values()] };
  }
  return null;
}

/** @param {string} name @param {string} [label] */
const sign = (name, label) =>
  html`<svg class="sign" role=${label ? "img" : "presentation"} aria-label=${label ?? nothing} aria-hidden=${!label}>
    <use href=${`#${name}`}></use>
  </svg>`;

/** The number on a card: "10" of `mercenary-10`, and "" of the others. @param {string} card */
const numberOf = (card) => card.split("-")[1] ?? "";

/** @param {Edition} edition @param {string} card */
export const label = (edition, card) => edition.deck.find((kind) => kind.card === card)?.label ?? card;

/** @param {Edition} edition @param {string} card */
const effect = (edition, card) => edition.deck.find((kind) => kind.card === card)?.effect ?? "";

/** @param {Edition} edition @param {string | null | undefined} key */
export const regionName = (edition, key) => edition.board?.regions.find((region) => region.key === key)?.name ?? key ?? "";

/** @param {Edition} edition @param {string[]} cards */
function sorted(edition, cards) {
  const order = new Map(edition.deck.map((kind, index) => [String(kind.card), index]));
  return [...cards].sort((one, other) => (order.get(one) ?? 99) - (order.get(other) ?? 99));
}

/** A duration, as people say it. @param {number} milliseconds */
export function duration(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left >= 2 * DAY) return t.table.days(Math.floor(left / DAY), Math.floor((left % DAY) / HOUR));
  if (left >= HOUR) return t.table.hours(Math.floor(left / HOUR), Math.floor((left % HOUR) / MINUTE));
  return t.table.minutes(Math.floor(left / MINUTE), Math.floor((left % MINUTE) / 1000));
}

/** The goal of a game. The edition names the goals without options. @param {Game} view @param {Edition} edition */
function goalOf(view, edition) {
  const goal = edition.goals.find(({ seats }) => seats === view.seated.length);
  if (!goal) return null;
  const more = view.options["bigger_kingdoms"] === true ? 1 : 0;
  return { ...goal, adjacent: goal.adjacent === null ? null : goal.adjacent + more };
}

/** The largest group of adjacent regions. @param {Edition} edition @param {string[]} regions @returns {string[]} */
export function largestGroup(edition, regions) {
  const left = new Set(regions);
  /** @type {string[]} */
  let largest = [];
  while (left.size) {
    const group = [...left].slice(0, 1);
    for (const key of group) {
      left.delete(key);
      const neighbours = edition.board?.regions.find((region) => region.key === key)?.neighbours ?? [];
      for (const next of neighbours) if (left.delete(next)) group.push(next);
    }
    if (group.length > largest.length) largest = group;
  }
  return largest;
}

/** What a seat lacks to win. @param {Game} view @param {Edition} edition @param {Seat} seat */
function lacks(view, edition, seat) {
  const goal = goalOf(view, edition);
  if (!goal) return "";
  const ways = [];
  if (goal.adjacent !== null) ways.push(t.table.adjacent(largestGroup(edition, seat.regions).length, goal.adjacent));
  if (goal.total !== null) ways.push(t.table.total(seat.regions.length, goal.total));
  if (goal.battles !== null) ways.push(t.table.battlesWon(seat.battles_won, goal.battles));
  return ways.join(" · ");
}

/** Who has the most strength in a battle, and by how much. @param {Position | Schemas["ForeseenPosition"]} position */
export function lead(position) {
  const strengths = position.seats.map(({ strength }) => strength);
  const most = Math.max(...strengths);
  const leaders = position.seats.filter(({ strength }) => strength === most).map(({ seat }) => seat);
  const second = Math.max(0, ...strengths.filter((_, seat) => !leaders.includes(seat)));
  return { most, leaders, by: leaders.length > 1 ? 0 : most - second };
}

// The bar

/** What the game waits for. @param {Table} table @param {Game} view */
export function headline(table, view) {
  if (table.at !== null) return t.table.replaying(table.at, table.newest);
  if (view.status === "open") return t.table.waitsForPlayers(view.seated.filter((seat) => !taken(seat)).length);
  if (view.status === "cancelled") return t.table.cancelled(view.cancelled?.by_name ?? null);
  const { position } = view;
  if (!position || view.status === "finished") return t.table.over(winners(table, view));
  if (typeof view.clock?.paused_since === "number") return t.table.paused;
  if (position.turn === null) return t.table.waits;
  const duty = t.table.duties[position.phase] ?? position.phase;
  return position.turn === view.you ? t.table.yourTurn(duty) : t.table.turnOf(table.name(position.turn), duty);
}

/** @param {Schemas["Seated"]} seat */
const taken = (seat) => seat.player !== null || seat.bot !== null;

/** @param {Table} table @param {Game} view */
function winners(table, view) {
  return (view.result?.winners ?? []).map((seat) => table.name(seat));
}

/** @param {Table} table @param {Game} view @returns {Drawn} */
function bar(table, view) {
  const mine = table.at === null && view.status === "running" && view.position?.turn === view.you;
  const deadline = table.at === null ? view.clock?.turn?.deadline : null;
  return html`<div class="table-bar" data-mine=${mine && view.you !== null}>
    <p role="status">${headline(table, view)}</p>
    ${typeof deadline === "number"
      ? html`<time datetime=${new Date(deadline).toISOString()} title=${new Date(deadline).toLocaleString(t.language)}
          >${t.table.left(duration(deadline - Date.now()))}</time
        >`
      : nothing}
  </div>`;
}

// The battle

/** @param {Table} table @param {Game} view @param {Position} position @returns {Drawn} */
function battle(table, view, position) {
  const { edition } = table;
  const fought = position.phase === "battle";
  const { leaders, by, most } = lead(position);
  const where = position.contested ? regionName(edition, position.contested) : t.table.noRegion;
  const lines = [];
  if (fought && most > 0) {
    lines.push(
      leaders.length > 1
        ? t.table.level(leaders.map((seat) => table.name(seat)), most)
        : t.table.leads(table.name(leaders[0] ?? 0), most, by),
    );
  }
  const limit = Number(view.options["battle_limit"]);
  if (limit && position.battle > 0.9 * limit) lines.push(t.table.battleLimit(position.battle, limit));
  return html`<header class="table-battle">
    <h2>${fought ? t.table.battleFor(where, position.battle) : t.table.betweenBattles(position.battle)}</h2>
    ${lines.map((line) => html`<p>${line}</p>`)}
    ${position.season
      ? html`<p class="table-season" data-season=${position.season}>
          ${sign(`card-${position.season}`)}<strong>${label(edition, position.season)}</strong>
          ${effect(edition, position.season)}
        </p>`
      : nothing}
    ${position.fighters.length
      ? html`<p class="table-final">
          <strong>${t.table.finalBattle}</strong> ${t.table.fight(position.fighters.map((seat) => table.name(seat)))}
        </p>`
      : nothing}
    ${position.match ? matchStrip(table, position.match) : nothing}
  </header>`;
}

/** @param {Table} table @param {Schemas["Match"]} match @returns {Drawn} */
function matchStrip(table, match) {
  return html`<dl class="table-match">
    <div>
      <dt>${t.table.matchGame(match.game)}</dt>
      <dd>${t.table.matchTarget(match.target)}</dd>
    </div>
    ${match.points.map(
      (points, seat) => html`<div>
        <dt>${chip(seat)} ${table.name(seat)}</dt>
        <dd>${points}</dd>
      </div>`,
    )}
  </dl>`;
}

/** @param {number} seat @returns {Drawn} */
const chip = (seat) => html`<span class="chip" data-seat=${seat}>${sign(`seat-${seat}`)}</span>`;

/** @param {Table} table @param {Game} view @param {Position} position @returns {Drawn} */
function counts(table, view, position) {
  const { edition } = table;
  const rows = [
    [t.table.round, String(position.round)],
    [t.table.battle, String(position.battle)],
    ...(position.deck === null ? [] : [[t.table.deck, String(position.deck)]]),
    [t.table.discard, String(position.discard)],
    [t.table.marker, table.name(position.marker)],
    ...(position.favor ? [[t.table.favor, regionName(edition, position.favor)]] : []),
    ...(position.declines ? [[t.table.declines, String(position.declines)]] : []),
  ];
  return html`<dl class="table-counts">
    ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** The seats: the own one first, the others in playing order. @param {Game} view @param {number} count */
export function order(view, count) {
  const first = view.you ?? 0;
  return Array.from({ length: count }, (_, index) => (first + index) % count);
}

/** @param {Table} table @param {Game} view @param {Position} position @returns {Drawn} */
function seats(table, view, position) {
  const spies = position.seats.map(({ row }) => row.filter((card) => card === "courtesan").length);
  const most = Math.max(...spies);
  return html`<section class="table-seats" aria-label=${t.table.seats} data-count=${position.seats.length}>
    ${battle(table, view, position)}
    <div class="table-rows">
      ${repeat(order(view, position.seats.length), (index) => index, (index) => {
        const seat = position.seats[index];
        if (!seat) return nothing;
        const leads = most > 0 && spies[index] === most && spies.filter((number) => number === most).length === 1;
        return seatView(table, view, position, seat, spies[index] ?? 0, leads);
      })}
    </div>
    ${counts(table, view, position)}
  </section>`;
}

/** @param {Table} table @param {Game} view @param {Position} position @param {Seat} seat @param {number} spies
 * @param {boolean} most has more courtesans than any other seat @returns {Drawn} */
function seatView(table, view, position, seat, spies, most) {
  const { edition } = table;
  const place = view.seated[seat.seat];
  const isTurn = position.turn === seat.seat;
  const strong = position.phase === "battle" && seat.strength > 0 && lead(position).leaders.includes(seat.seat);
  const bystander = position.fighters.length > 0 && !position.fighters.includes(seat.seat);
  const open = table.opened.has(seat.seat);
  const states = [
    isTurn ? t.table.toMove : "",
    position.marker === seat.seat ? t.table.hasMarker : "",
    seat.resigned ? t.table.resigned : position.phase === "battle" && seat.passed ? t.table.passed : "",
    bystander ? t.table.bystander : "",
    place?.player && place.bot ? t.table.playedByBot(place.label ?? place.bot) : "",
  ].filter(Boolean);
  return html`<article
    class="table-seat"
    data-seat=${seat.seat}
    data-turn=${isTurn}
    data-leads=${strong}
    data-out=${bystander || seat.resigned || (position.phase === "battle" && seat.passed)}
    aria-label=${table.name(seat.seat)}
  >
    <h3>
      ${chip(seat.seat)}<span class="table-name">${table.name(seat.seat)}</span>
      ${seat.seat === view.you ? html`<span class="quiet">${t.table.you}</span>` : nothing}
    </h3>
    <button
      class="table-strength"
      aria-expanded=${open}
      aria-label=${t.table.strengthOf(table.name(seat.seat), seat.strength)}
      @click=${() => table.toggle(seat.seat)}
    >
      ${seat.strength}
    </button>
    <p class="table-state">
      ${states.map((state) => html`<span class="table-tag">${state}</span>`)}
      <span>${t.table.cards(seat.hand.count)}</span>
      ${seat.deck === null ? nothing : html`<span>${t.table.ownDeck(seat.deck)}</span>`}
      ${edition.board
        ? html`<span>${t.table.regions(seat.regions.length)}</span>`
        : pennants(view, edition, seat)}
      ${spies
        ? html`<span class=${most ? "table-tag" : ""}
            >${sign("card-courtesan")} ${spies} ${label(edition, "courtesan")}${most ? ` (${t.table.most})` : ""}</span
          >`
        : nothing}
    </p>
    ${rowView(table, view, seat)}
    ${open
      ? html`<div class="table-steps">
          ${seat.explanation.length
            ? html`<ul aria-label=${t.table.steps}>
                ${seat.explanation.map(
                  ({ step, amount }) => html`<li><span>${t.table.stepNames[step] ?? step}</span> ${signed(amount)}</li>`,
                )}
              </ul>`
            : html`<p>${t.table.noSteps}</p>`}
          <p>${lacks(view, edition, seat)}</p>
          ${seat.regions.length
            ? html`<p>${seat.regions.map((region) => regionName(edition, region)).join(", ")}</p>`
            : nothing}
        </div>`
      : html`<p class="table-lacks quiet">${lacks(view, edition, seat)}</p>`}
  </article>`;
}

/** @param {number} amount */
const signed = (amount) => (amount < 0 ? `−${-amount}` : `+${amount}`);

/** @param {Game} view @param {Edition} edition @param {Seat} seat @returns {Drawn} */
function pennants(view, edition, seat) {
  const goal = goalOf(view, edition)?.battles ?? 0;
  return html`<span class="table-pennants" role="img" aria-label=${t.table.battlesWon(seat.battles_won, goal)}>
    ${Array.from({ length: goal }, (_, index) => html`<i data-won=${index < seat.battles_won}>${sign("pennant")}</i>`)}
  </span>`;
}

/** What each mercenary of a row counts in winter, if it can be read from the steps. @param {Seat} seat */
function counted(seat) {
  /** @param {string} step */
  const amount = (step) => seat.explanation.find((line) => line.step === step)?.amount;
  const mercenaries = seat.row.filter((card) => card.startsWith("mercenary")).length;
  const printed = amount("mercenaries"), less = amount("winter");
  if (printed === undefined || less === undefined || !mercenaries) return null;
  const each = (printed + less) / mercenaries;
  return Number.isInteger(each) ? each : null;
}

/** The cards in front of a seat. @param {Table} table @param {Game} view @param {Seat} seat @returns {Drawn} */
function rowView(table, view, seat) {
  const { edition } = table;
  const asked = table.asked();
  const each = counted(seat);
  const hidden = seat.face_down.count - (seat.face_down.cards?.length ?? 0);
  if (!seat.row.length && !seat.face_down.count) return nothing;
  return html`<ul class="table-row" aria-label=${t.table.rowOf(table.name(seat.seat))}>
    ${sorted(edition, seat.row).map((card) => {
      const take = asked?.member === "take" &&
        asked.steps.find((step) => step.take === card && (step.take_from ?? view.you) === seat.seat);
      const face = faceOf(edition, card, each);
      return html`<li>
        ${take
          ? html`<button class="table-card target" aria-label=${t.table.takes(label(edition, card))} @click=${() => table.say(take)}>
              ${face}
            </button>`
          : html`<span class="table-card">${face}</span>`}
      </li>`;
    })}
    ${(seat.face_down.cards ?? []).map((card) => {
      const turn = asked?.member === "turn_up" && asked.steps.find((step) => step.turn_up === card);
      const face = html`${faceOf(edition, card, null)}<span class="spoken">${t.table.faceDown}</span>${sign("closed-eye")}`;
      return html`<li>
        ${turn
          ? html`<button class="table-card down target" aria-label=${t.table.turnsUp(label(edition, card))} @click=${() => table.say(turn)}>
              ${face}
            </button>`
          : html`<span class="table-card down">${face}</span>`}
      </li>`;
    })}
    ${hidden
      ? html`<li><span class="table-card back" role="img" aria-label=${t.table.backs(hidden)}>${sign("back")}${hidden}</span></li>`
      : nothing}
  </ul>`;
}

/** @param {Edition} edition @param {string} card @param {number | null} each what a mercenary counts now
 * @returns {Drawn} */
function faceOf(edition, card, each) {
  const number = numberOf(card);
  return html`${sign(`card-${card}`)}${number
    ? each !== null && String(each) !== number
      ? html`<s>${number}</s> <b>${each}</b>`
      : html`<b>${number}</b>`
    : nothing}<span class="spoken">${label(edition, card)}</span>`;
}

// The hand

/** @param {Table} table @param {Game} view @param {Seat} mine @returns {Drawn} */
function hand(table, view, mine) {
  const { edition, choice } = table;
  const cards = sorted(edition, mine.hand.cards ?? []);
  const keeping = legal(view).some((step) => step.type === "keep-cards");
  /** @type {[string, number][]} */
  const stacks = keeping
    ? cards.map((card) => [card, 1])
    : [...new Set(cards)].map((card) => [card, cards.filter((other) => other === card).length]);
  const playing = legal(view).some((step) => step.type === "play-card" || step.type === "pass");
  const at = Math.min(table.handAt, Math.max(0, stacks.length - 1));
  /** @type {Map<string, number>} */
  const ticked = new Map();
  for (const card of choice?.keep ?? []) ticked.set(card, (ticked.get(card) ?? 0) + 1);
  return html`<section class="hand" aria-labelledby="hand-title">
    <h2 id="hand-title">${t.table.hand(cards.length)}</h2>
    <div
      class="hand-cards"
      role="toolbar"
      aria-labelledby="hand-title"
      data-many=${stacks.length > 10}
      @keydown=${(/** @type {KeyboardEvent} */ event) => arrows(event)}
      @focusin=${(/** @type {FocusEvent} */ event) => table.handFocus(event)}
    >
      ${stacks.map(([card, number], index) => {
        const can = keeping || legal(view).some((step) => step.type === "play-card" && step.card === card);
        const left = ticked.get(card) ?? 0;
        if (keeping && left) ticked.set(card, left - 1);
        const pressed = keeping ? left > 0 : choice?.card === card || table.looked === card;
        const value = numberOf(card);
        return html`<button
          class="hand-card"
          data-card=${card}
          data-index=${index}
          data-dim=${playing && !can}
          tabindex=${index === at ? 0 : -1}
          aria-pressed=${pressed}
          aria-disabled=${!can}
          aria-label=${t.table.card(label(edition, card), number)}
          title=${effect(edition, card)}
          @click=${(/** @type {MouseEvent} */ event) => (keeping ? table.tick(card, pressed) : table.pick(card, event.detail === 0))}
        >
          ${value ? html`<b>${value}</b>` : nothing}${sign(`card-${card}`)}
          <span class="hand-label">${value ? nothing : label(edition, card)}</span>
          ${number > 1 ? html`<span class="hand-number">×${number}</span>` : nothing}
        </button>`;
      })}
    </div>
    ${view.status === "running" ? handSize(view, edition, mine) : nothing}
  </section>`;
}

/** @param {KeyboardEvent} event */
function arrows(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -99, End: 99 }[event.key];
  const bar = /** @type {HTMLElement} */ (event.currentTarget);
  const all = [...bar.querySelectorAll("button")];
  const at = all.findIndex((button) => button === document.activeElement);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = Math.abs(step) === 1 ? (at + step + all.length) % all.length : step < 0 ? 0 : all.length - 1;
  all[next]?.focus();
}

/** How many cards the next deal brings. @param {Game} view @param {Edition} edition @param {Seat} mine */
function handSize(view, edition, mine) {
  if (!edition.cards_a_region || view.options["draw_after_battle"] === true) return nothing;
  return html`<p class="hand-size quiet">
    ${t.table.nextDeal(edition.hand_size, mine.regions.length, edition.cards_a_region)}
  </p>`;
}

// Choosing and confirming

/** @param {Table} table @param {Game} view @returns {Drawn} */
function actions(table, view) {
  const { choice, edition } = table;
  const steps = legal(view);
  const asked = table.asked();
  const kinds = new Set(steps.map(({ type }) => type));
  const move = table.move();
  /** @param {string} type @param {string} text */
  const button = (type, text) =>
    kinds.has(type)
      ? html`<button data-move=${type} aria-disabled=${table.sending} @click=${() => table.start(type)}>${text}</button>`
      : nothing;
  const shownCard = choice?.card ?? table.looked;
  return html`<section class="table-actions" aria-label=${t.table.actions}>
    ${table.note ? html`<p class="table-note" role="status">${table.note}</p>` : nothing}
    ${table.trouble ? refusal(table.trouble, edition) : nothing}
    ${shownCard
      ? html`<p class="table-effect"><strong>${label(edition, shownCard)}</strong> ${effect(edition, shownCard)}</p>`
      : nothing}
    ${asked && !table.asking
      ? html`<div class="table-ask" role="group" aria-label=${t.table.asks[asked.member]}>
          <p>${t.table.asks[asked.member]}</p>
          ${asked.steps.filter((step) => asked.member !== "favor" || !step.favor).map(
            (step) => html`<button data-answer=${answer(step, asked.member)} @click=${() => table.say(step)}>
              ${answerText(table, view, step, asked.member)}
            </button>`,
          )}
        </div>`
      : nothing}
    ${choice?.type === "draw-cards" ? stepper(table, steps) : nothing}
    ${choice?.type === "keep-cards" ? html`<p>${t.table.kept(choice.keep.length, mostKept(steps))}</p>` : nothing}
    ${table.foreseen ? html`<p class="table-preview" role="status">${foreseen(table, view, table.foreseen)}</p>` : nothing}
    <div class="table-buttons">
      ${choice && !asked
        ? html`<button
            class="primary"
            id="confirm"
            aria-busy=${table.sending}
            aria-disabled=${table.sending || !move}
            @click=${() => table.confirm()}
          >
            ${table.sending ? t.table.sending : confirmText(table, move)}
          </button>`
        : nothing}
      ${choice ? html`<button id="back" @click=${() => table.back()}>${t.table.back}</button>` : nothing}
      ${choice
        ? nothing
        : html`${button("pass", t.table.pass)} ${button("decline-region", t.table.decline)}
          ${button("keep-hand", t.table.keepHand)} ${button("discard-hand", t.table.discardHand)}
          ${button("keep-cards", t.table.keepCards)} ${button("draw-cards", t.table.drawCards)}`}
    </div>
    ${!choice && steps.length && view.position
      ? html`<p class="table-hint quiet">${t.table.hints[view.position.phase] ?? ""}</p>`
      : nothing}
  </section>`;
}

/** @param {Step[]} steps */
const mostKept = (steps) => Math.max(0, ...steps.map((step) => step.keep?.length ?? 0));

/** @param {Table} table @param {Step[]} steps @returns {Drawn} */
function stepper(table, steps) {
  const numbers = steps.filter(({ type }) => type === "draw-cards").map((step) => step.number ?? 0);
  return html`<div class="table-ask" role="group" aria-label=${t.table.howMany}>
    <p>${t.table.howMany}</p>
    ${numbers.map(
      (number) => html`<button aria-pressed=${table.choice?.number === number} @click=${() => table.draw(number)}>
        ${number}
      </button>`,
    )}
  </div>`;
}

/** @param {Table} table @param {Game} view @param {Step} step @param {Member} member */
function answerText(table, view, step, member) {
  const { edition } = table;
  if (member === "favor") return step.favor ? regionName(edition, step.favor) : t.table.noFavor;
  if (member === "turn_up") return step.turn_up ? t.table.turnsUp(label(edition, step.turn_up)) : t.table.staysDown;
  if (!step.take) return t.table.takesNone;
  const from = step.take_from;
  const whose = from === undefined || from === view.you ? "" : ` ${t.table.from(table.name(from))}`;
  return t.table.takes(label(edition, step.take)) + whose;
}

/** @param {Table} table @param {Step | null} step */
function confirmText(table, step) {
  const { edition, choice } = table;
  switch (step?.type ?? choice?.type) {
    case "choose-region":
      return t.table.chooses(regionName(edition, step?.region ?? choice?.region));
    case "play-card":
      return t.table.plays(label(edition, step?.card ?? choice?.card ?? ""));
    case "keep-cards":
      return t.table.keeps(choice?.keep.length ?? 0);
    case "draw-cards":
      return t.table.draws(choice?.number ?? 0);
    case "decline-region":
      return t.table.decline;
    case "keep-hand":
      return t.table.keepHand;
    case "discard-hand":
      return t.table.discardHand;
    default:
      return t.table.pass;
  }
}

/** What a move would do, from its dry run. @param {Table} table @param {Game} view @param {Schemas["DryRun"]} dry */
function foreseen(table, view, dry) {
  const { edition } = table;
  const before = view.position, after = dry.game.position;
  if (!before || view.you === null) return "";
  const lines = [];
  for (const event of dry.events) {
    if (event.type === "battle-ended") {
      const where = event.region ? regionName(edition, event.region) : t.table.noRegion;
      lines.push(event.winner === undefined ? t.table.wouldEnd : t.table.wouldWin(table.name(event.winner), where));
    }
    if (event.type === "game-ended") lines.push(t.table.wouldEndGame);
  }
  if (!lines.length && after.phase === "battle" && before.phase === "battle") {
    const mine = before.seats[view.you]?.strength ?? 0, then = after.seats[view.you]?.strength ?? 0;
    const best = Math.max(...after.seats.filter(({ seat }) => seat !== view.you).map(({ strength }) => strength));
    lines.push(t.table.wouldHave(mine, then), then > best ? t.table.wouldLead(then - best) : then < best ? t.table.wouldTrail(best - then) : t.table.wouldTie);
    for (const { seat, strength } of after.seats) {
      const was = before.seats[seat]?.strength ?? 0;
      if (seat !== view.you && was !== strength) lines.push(t.table.othersChange(table.name(seat), was, strength));
    }
  }
  if (dry.stops === "hidden-cards") lines.push(t.table.dependsOnHidden);
  return lines.join(" ");
}

/** Why something was refused, with the clause to open in place. @param {unknown} error @param {Edition} edition
 * @returns {Drawn} */
export function refusal(error, edition) {
  if (error instanceof Unreachable) return html`<p class="trouble" role="alert">${t.site.unreachable}</p>`;
  if (!(error instanceof Refused)) throw error;
  const { title, detail, clause: number } = error.problem;
  const clause = edition.rules.find((rule) => rule.number === number);
  return html`<div class="trouble" role="alert">
    <p><strong>${title}</strong> ${detail}</p>
    ${clause
      ? html`<details>
          <summary>${t.site.clause(clause.number)}</summary>
          <p><strong>${clause.heading}</strong></p>
          <p>${clause.text}</p>
          <p class="quiet">${clause.source}</p>
          <p><a href=${`/rules/${edition.key}#${clause.number}`}>${t.table.allRules}</a></p>
        </details>`
      : nothing}
  </div>`;
}

// Before the start, and after the end

/** @param {Table} table @param {Game} view @returns {Drawn} */
function before(table, view) {
  const { account } = table.app.api;
  const owns = account !== null && view.owner === account.player;
  const free = view.seated.filter((seat) => !taken(seat));
  return html`<section class="table-before">
    <h1>${table.edition.title}</h1>
    ${view.status === "cancelled"
      ? html`<p>${headline(table, view)} ${view.cancelled?.reason ?? ""}</p>`
      : html`<ul class="table-places">
            ${view.seated.map(
              (seat) => html`<li>
                ${chip(seat.seat)}
                <span>${taken(seat) ? table.name(seat.seat) : t.table.freeSeat}</span>
                ${seat.bot && !seat.player ? html`<span class="table-tag">${t.table.bot}</span>` : nothing}
                ${seat.player === view.owner ? html`<span class="table-tag">${t.table.owner}</span>` : nothing}
                ${seat.seat === view.you ? html`<span class="table-tag">${t.table.you}</span>` : nothing}
              </li>`,
            )}
          </ul>
          ${share(table)}
          <div class="table-buttons">
            ${view.you === null && free.length
              ? account
                ? html`<button class="primary" @click=${() => table.request("join", {})}>${t.table.join}</button>`
                : html`<a class="button primary" href=${`/signin?next=${encodeURIComponent(location.pathname)}`}>${t.table.signInToJoin}</a>`
              : nothing}
            ${owns && view.start === "owner"
              ? html`<button class="primary" aria-disabled=${free.length > 0} @click=${() => table.request("start")}>
                  ${t.table.start}
                </button>`
              : nothing}
            ${view.you !== null || owns
              ? html`<button @click=${() => table.request("leave")}>${owns ? t.table.cancelGame : t.table.leave}</button>`
              : nothing}
          </div>
          ${table.trouble ? refusal(table.trouble, table.edition) : nothing}`}
  </section>`;
}

/** @param {Table} table @returns {Drawn} */
function share(table) {
  return html`<div class="table-share">
    <label for="share">${t.table.share}</label>
    <input id="share" readonly .value=${location.origin + location.pathname} />
    <button @click=${() => table.copyLink()}>${table.copied ? t.table.copied : t.table.copy}</button>
  </div>`;
}

/** @param {Table} table @param {Game} view @returns {Drawn} */
function after(table, view) {
  const reasons = (view.result?.reasons ?? []).map((reason) => t.table.reasons[reason] ?? reason);
  return html`<section class="table-result" aria-labelledby="result">
    <h2 id="result">${view.status === "finished" ? t.table.over(winners(table, view)) : headline(table, view)}</h2>
    ${reasons.length ? html`<p>${t.table.because(reasons)}</p>` : nothing}
    <div class="table-buttons">
      <button class="primary" aria-disabled=${table.sending} @click=${() => table.again()}>${t.table.again}</button>
      <a class="button" href=${`/game/${view.id}?at=1`}>${t.table.replay}</a>
      ${table.Verification && !table.parts.verification ? html`<button @click=${() => table.check()}>${t.table.verify}</button>` : nothing}
    </div>
    ${table.trouble ? refusal(table.trouble, table.edition) : nothing}
  </section>`;
}

/** The clock, and what concerns the seat rather than a move. @param {Table} table @param {Game} view @returns {Drawn} */
function more(table, view) {
  const { clock, you } = view;
  const running = view.status === "running" && table.at === null;
  const mine = you === null ? null : view.seated[you];
  const resigned = you !== null && view.position?.seats[you]?.resigned;
  const plays = running && you !== null && !resigned;
  const paused = typeof clock?.paused_since === "number";
  const bank = you === null ? undefined : clock?.banks?.[you];
  const substitute = running && you === null && view.seated.some((seat) => seat.player === null && seat.bot === null);
  return html`<details class="table-more">
    <summary>${t.table.more}</summary>
    ${clock?.turn
      ? html`<p>${t.table.clockOf(table.name(clock.turn.seat))}</p>
          <ul>
            ${clock.turn.why.map((line) => html`<li>${line}</li>`)}
          </ul>`
      : nothing}
    ${bank === undefined ? nothing : html`<p>${t.table.bank(duration(bank))}</p>`}
    ${clock?.pause_asked.length
      ? html`<p>${t.table.pauseAsked(clock.pause_asked.map((seat) => table.name(seat)))}</p>`
      : nothing}
    ${clock?.extension && clock.turn
      ? html`<p>${t.table.extensionAsked(table.name(clock.turn.seat), duration(clock.extension.extra))}</p>`
      : nothing}
    <div class="table-buttons">
      ${plays && clock && !paused && !clock.pause_asked.includes(you)
        ? html`<button @click=${() => table.request("pause")}>${clock.pause_asked.length ? t.table.agreePause : t.table.pause}</button>`
        : nothing}
      ${plays && paused ? html`<button @click=${() => table.request("resume")}>${t.table.resume}</button>` : nothing}
      ${plays && clock?.turn?.seat === you && !paused && !clock.extension
        ? html`<button @click=${() => table.request("extension", { seconds: halfOf(clock) })}>
            ${t.table.moreTime(duration(halfOf(clock) * 1000))}
          </button>`
        : nothing}
      ${plays && clock?.extension && clock.turn && clock.turn.seat !== you && !clock.extension.agreed.includes(you)
        ? html`<button @click=${() => table.request("extension/grant", { seconds: (clock.extension?.extra ?? 0) / 1000 })}>
            ${t.table.grant(duration(clock.extension.extra))}
          </button>`
        : nothing}
      ${substitute && table.app.api.account
        ? html`<button @click=${() => table.request("join", {})}>${t.table.substitute}</button>`
        : nothing}
      ${plays && mine?.bot ? html`<button @click=${() => table.request("return")}>${t.table.takeBack}</button>` : nothing}
      ${plays ? html`<button @click=${() => table.ask("resign")}>${t.table.resign}</button>` : nothing}
      <button @click=${() => table.ask("keys")}>${t.table.keys}</button>
      <a class="button" href=${`/rules/${view.edition}`}>${t.site.rules}</a>
    </div>
    ${options(view, table.edition)} ${share(table)}
  </details>`;
}

/** @param {Schemas["GameClock"]} clock */
const halfOf = ({ settings }) => Math.max(10, Math.floor(settings.seconds / 2));

/** @param {Game} view @param {Edition} edition @returns {Drawn} */
function options(view, edition) {
  const changed = edition.options.filter((option) => view.options[option.key] !== option.default);
  if (!changed.length) return html`<p class="quiet">${edition.title}${edition.year ? `, ${edition.year}` : ""}</p>`;
  return html`<dl class="table-options">
    ${changed.map(
      (option) => html`<div>
        <dt>${option.label}${view.options[option.key] === true ? "" : `: ${String(view.options[option.key])}`}</dt>
        <dd class="quiet">${option.summary}</dd>
      </div>`,
    )}
  </dl>`;
}

// Dialogs

/** @param {Element | undefined} element */
function showModal(element) {
  if (!(element instanceof HTMLDialogElement)) return;
  // The element is part of the page only after this call.
  queueMicrotask(() => element.isConnected && !element.open && element.showModal());
}

/** @param {Table} table @param {Game} view @returns {Drawn} */
function dialog(table, view) {
  const asked = table.asking;
  if (!asked) return nothing;
  const close = () => table.ask(null);
  if (asked === "keys") {
    return html`<dialog class="table-dialog" ${ref(showModal)} @close=${close} aria-labelledby="asks">
      <h2 id="asks">${t.table.keys}</h2>
      <dl>
        ${t.table.keyList.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
      </dl>
      <div class="table-buttons"><button class="primary" @click=${close}>${t.site.close}</button></div>
    </dialog>`;
  }
  if (asked === "resign") {
    const sure = table.typed.trim().toLowerCase() === t.table.resignWord;
    return html`<dialog class="table-dialog" ${ref(showModal)} @close=${close} aria-labelledby="asks">
      <h2 id="asks">${t.table.resignTitle}</h2>
      <p>${t.table.resignText}</p>
      <label for="typed">${t.table.resignType}</label>
      <input id="typed" autocomplete="off" autocapitalize="off" .value=${table.typed}
        @input=${(/** @type {InputEvent} */ event) => table.type(event)} />
      <div class="table-buttons">
        <button class="primary" aria-disabled=${!sure} @click=${() => sure && table.resign()}>${t.table.resign}</button>
        <button @click=${close}>${t.site.cancel}</button>
      </div>
    </dialog>`;
  }
  const question = table.asked();
  return html`<dialog class="table-dialog" ${ref(showModal)} @close=${() => table.back()} aria-labelledby="asks">
    <h2 id="asks">${asked === "pass" ? t.table.passTitle : t.table.discardTitle}</h2>
    <p>${asked === "pass" ? t.table.passText : t.table.discardText}</p>
    ${table.foreseen ? html`<p>${foreseen(table, view, table.foreseen)}</p>` : nothing}
    <div class="table-buttons">
      ${question
        ? question.steps.map(
            (step) => html`<button class="primary" @click=${() => (table.say(step), table.confirm())}>
              ${t.table.pass}: ${answerText(table, view, step, question.member)}
            </button>`,
          )
        : html`<button class="primary" aria-disabled=${table.sending} @click=${() => table.confirm()}>
            ${asked === "pass" ? t.table.pass : t.table.discardHand}
          </button>`}
      <button @click=${() => table.back()}>${t.site.cancel}</button>
    </div>
  </dialog>`;
}

// The whole screen

/** @param {Table} table @param {Game} view @returns {Drawn} */
export function gameView(table, view) {
  const { position } = view;
  const { edition } = table;
  if (!position) return html`<div class="game" data-version=${view.version}>${bar(table, view)}${before(table, view)}</div>`;
  const mine = view.you === null ? undefined : position.seats[view.you];
  const over = view.status === "finished" || view.status === "cancelled";
  const asked = table.asked();
  const choosable = asked?.member === "favor" ? asked.steps : legal(view).filter(({ type }) => type === "choose-region");
  const tab = edition.board ? table.tab() : "battle";
  return html`<div class="game" data-version=${view.version} data-tab=${tab} data-board=${edition.board !== null}
    data-replay=${table.at !== null}>
    <h1 class="spoken">${edition.title}</h1>
    ${bar(table, view)}
    <div class="game-dock">
      ${over && table.at === null ? after(table, view) : nothing}
      ${mine?.hand.cards && (mine.hand.count || !over) ? hand(table, view, mine) : nothing}
      ${over || view.you === null || table.at !== null
        ? table.trouble && !over ? refusal(table.trouble, edition) : nothing
        : actions(table, view)}
    </div>
    ${edition.board
      ? html`<div class="game-tabs" role="group" aria-label=${t.table.shown}>
            <button aria-pressed=${tab === "map"} @click=${() => table.turnTo("map")}>${t.table.mapTab}</button>
            <button aria-pressed=${tab === "battle"} @click=${() => table.turnTo("battle")}>
              ${position.phase === "battle" && position.contested
                ? t.table.battleTab(regionName(edition, position.contested))
                : t.table.seatsTab}
            </button>
          </div>
          <div class="game-map" id="map" tabindex="-1">
            ${mapView({
              board: edition.board,
              edition,
              position,
              names: view.seated.map(({ seat }) => table.name(seat)),
              moves: /** @type {Schemas["Move"][]} */ (choosable),
              chosen: table.choice?.region ?? table.choice?.answers.favor ?? null,
              seat: [...table.opened].at(-1) ?? null,
              onChoose: (region) => table.pickRegion(region),
              onExplain: (region) => table.whyRegion(region),
            })}
          </div>`
      : nothing}
    ${seats(table, view, position)}
    <div class="game-log" id="log" tabindex="-1">
      ${table.parts.replay?.view() ?? nothing} ${table.parts.verification?.view() ?? nothing}
      ${over ? nothing : (table.parts.orders?.view() ?? nothing)} ${more(table, view)}
      ${table.parts.log?.view() ?? nothing}
    </div>
    ${dialog(table, view)}
  </div>`;
}
