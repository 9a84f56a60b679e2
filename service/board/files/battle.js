// The battle: the bar over it, the rows of the seats with their strengths, and the counts. `hand.js` uses its signs.

import { t } from "./texts.js";
import { groupsOf } from "./map.js";
import { html, nothing, ref, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["Game"]} Game */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["Position"]} Position */
/** @typedef {Schemas["PositionSeat"]} Seat */
/** @typedef {Seat["regions"][number]} Region */
/** @typedef {import("./game.js").Table} Table */

/** Whether there is room for the map or the battle only, as in `style.css`. */
export const NARROW = matchMedia("(max-width: 44.99rem)");
/** Milliseconds in which a strength counts to a new one. */
const COUNTING = 200;
const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

// Signs and names

/** @param {string} name @param {string} [label] */
export const sign = (name, label) =>
  html`<svg class="sign" role=${label ? "img" : "presentation"} aria-label=${label ?? nothing} aria-hidden=${!label}>
    <use href=${`#${name}`}></use>
  </svg>`;

/** The number on a card: "10" of `mercenary-10`, and "" of the others. @param {string} card */
export const numberOf = (card) => card.split("-")[1] ?? "";

/** @param {Edition} edition @param {string} card */
export const label = (edition, card) => edition.deck.find((kind) => kind.card === card)?.label ?? card;

/** @param {Edition} edition @param {string} card */
export const effect = (edition, card) => edition.deck.find((kind) => kind.card === card)?.effect ?? "";

/** @param {Edition} edition @param {string} card */
export const about = (edition, card) => t.table.about(label(edition, card), effect(edition, card));

/** @param {Edition} edition @param {string | null | undefined} key */
export const regionName = (edition, key) => edition.board?.regions.find((region) => region.key === key)?.name ?? key ?? "";

/** @param {Edition} edition @param {string[]} cards */
export function sorted(edition, cards) {
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

/** What a seat has of each thing that wins the game, and what it needs of it. @typedef {[(now: number, goal: number) => string, number, number]} Way */

/** The ways in which a seat may win. @param {Game} view @param {Edition} edition @param {Seat} seat @returns {Way[]} */
function waysToWin({ goal }, { board }, seat) {
  const largest = board ? groupsOf(board, seat.regions)[0] : null;
  /** @type {[(now: number, goal: number) => string, number, number | null | undefined][]} */
  const ways = [
    [t.table.adjacent, largest?.length ?? 0, goal?.adjacent],
    [t.table.total, seat.regions.length, goal?.total],
    [t.table.battlesWon, seat.battles_won, goal?.battles],
  ];
  return /** @type {Way[]} */ (ways.filter(([, , needed]) => typeof needed === "number"));
}

/** Whether a seat would reach a goal with one more region, or with one more battle won.
 * @param {Game} view @param {Edition} edition @param {Seat} seat @param {Region | null} region */
export function wouldWin(view, edition, seat, region) {
  const { battles_won: won, regions } = seat;
  const more = { ...seat, battles_won: won + 1, regions: region && !regions.includes(region) ? [...regions, region] : regions };
  return waysToWin(view, edition, more).some(([, now, needed]) => now >= needed);
}

/** Whether a battle has ended in a game. @param {Position} position */
export const hasEnded = ({ battle, match, phase }) =>
  battle > 1 || (match?.game ?? 1) > 1 || !["battle", "choose-region"].includes(phase);

/** Whether the rows of the last battle may still be shown. @param {Table} table @param {Game} view @param {Position} position */
const isBetween = (table, view, position) =>
  table.at === null && view.status === "running" && !position.contested && hasEnded(position) && !position.seats.some(hasLaid);

/** @param {Seat} seat */
export const hasLaid = ({ face_down: down, row }) => row.length + down.count > 0;

/** Who has the most strength in a battle, and by how much. @param {Position | Schemas["ForeseenPosition"]} position */
export function lead(position) {
  const strengths = position.seats.map(({ strength }) => strength);
  const most = Math.max(...strengths);
  const leaders = position.seats.filter(({ strength }) => strength === most).map(({ seat }) => seat);
  const second = Math.max(0, ...strengths.filter((_, seat) => !leaders.includes(seat)));
  return { most, leaders, by: leaders.length > 1 ? 0 : most - second };
}

/** Who leads in the battle, in words; "" if nobody does. @param {Table} table @param {Position} position */
export function leadLine(table, position) {
  const { leaders, by, most } = lead(position);
  if (position.phase !== "battle" || most === 0) return "";
  if (leaders.length > 1) return t.table.level(leaders.map((seat) => table.name(seat)), most);
  return t.table.leads(table.name(leaders[0] ?? 0), most, by);
}

// The bar

/** What the game waits for. @param {Table} table @param {Game} view */
export function headline(table, view) {
  if (table.at !== null) return t.table.replaying(table.at, table.newest);
  if (view.status === "open") return t.table.waitsForPlayers(view.seated.filter((seat) => !isTaken(seat)).length);
  if (view.status === "cancelled") return t.table.cancelled(view.cancelled?.by_name ?? null);
  const { position } = view;
  if (!position || view.status === "finished") return t.table.over(winners(table, view));
  if (typeof view.clock?.paused_since === "number") return t.table.paused;
  if (position.turn === null) return t.table.waits;
  const mustKeep = position.phase === "keep-or-discard" && view.moves.length === 1;
  const duty = t.table.duties[mustKeep ? "keep-hand" : position.phase] ?? position.phase;
  return position.turn === view.you ? t.table.yourTurn(duty) : t.table.turnOf(table.name(position.turn), duty);
}

/** @param {Schemas["Seated"]} seat */
export const isTaken = (seat) => seat.player !== null || seat.bot !== null;

/** @param {Table} table @param {Game} view */
export function winners(table, view) {
  return (view.result?.winners ?? []).map((seat) => (seat === view.you ? t.table.yourself : table.name(seat)));
}

/** @param {Table} table @param {Game} view @returns {Drawn} */
export function bar(table, view) {
  const mine = table.at === null && view.status === "running" && view.position?.turn === view.you;
  const deadline = table.at === null ? view.clock?.turn?.deadline : null;
  const others = (table.app.games ?? []).filter((game) => game !== table.id);
  const [next] = others;
  return html`<div class="table-bar" data-mine=${mine && view.you !== null}>
    <p role="status" aria-live=${mine ? "off" : nothing}>${headline(table, view)}</p>
    ${next && !mine
      ? html`<a class="button table-next" href=${`/game/${next}`} title=${t.table.nextGame(others.length)}
          ><span>${t.table.nextGame(others.length)}</span> <b aria-hidden="true">${others.length}</b> ${sign("arrow")}</a
        >`
      : nothing}
    ${view.position ? html`<a href=${`/rules/${table.edition.key}?game=${view.id}`}>${t.site.rules}</a>` : nothing}
    ${typeof deadline === "number"
      ? html`<span class="table-clock">${sign("clock")}
          <time datetime=${new Date(deadline).toISOString()} title=${new Date(deadline).toLocaleString(t.language)}
            >${t.table.left(duration(deadline - Date.now()))}</time
          ></span
        >`
      : nothing}
    ${table.app.delay()}
  </div>`;
}

// The battle

/** @param {Table} table @param {Game} view @param {Position} position @param {Drawn} picture @returns {Drawn} */
function battle(table, view, position, picture) {
  const { edition } = table;
  const fought = position.phase === "battle";
  const lines = [leadLine(table, position)].filter(Boolean);
  const season = position.season ?? table.parts.last?.season ?? null;
  const plays = table.at === null && view.you !== null && view.status === "running";
  const moved = (plays && table.parts.log?.moves?.()) || null;
  const limit = Number(view.options["battle_limit"]);
  if (limit && position.battle > 0.9 * limit) lines.push(t.table.battleLimit(position.battle, limit));
  const { stall } = position;
  if (stall?.battles && stall.battles >= stall.limit - 2) lines.push(t.table.stall(stall.battles, stall.limit));
  return html`<header class="table-battle">
    ${picture}
    <h2>${title(table, position)}</h2>
    ${lines.map((line) => html`<p>${line}</p>`)} ${news(table, view, position)}
    ${moved || (fought && plays) ? html`<div class="table-moves">${moved}</div>` : nothing}
    ${season
      ? html`<p class="table-season" data-season=${season}>
          ${sign(`card-${season}`)}<strong>${label(edition, season)}</strong> ${effect(edition, season)}
        </p>`
      : nothing}
    ${position.fighters.length
      ? html`<p class="table-final">
          <strong>${t.table.finalBattle}</strong>
          ${t.table.fight(position.fighters.map((seat) => table.name(seat)), table.parts.log?.final ?? "")}
        </p>`
      : nothing}
    ${position.match ? matchStrip(table, position.match, table.parts.log?.gained ?? []) : nothing}
    ${table.parts.log?.count?.() ?? nothing}
  </header>`;
}

/** What is fought for; or between which battles the game is, also while the rows of the last one are still shown.
 * @param {Table} table @param {Position} position */
function title(table, { battle, contested, phase }) {
  if (phase !== "battle") return t.table.betweenBattles(battle, phase);
  if (table.parts.last?.ended) return t.table.betweenBattles(battle - 1, phase);
  return t.table.battleFor(contested ? regionName(table.edition, contested) : t.table.noRegion, battle);
}

/** How the last battle ended, in room for it from the start: it is known only when the log is there.
 * @param {Table} table @param {Game} view @param {Position} position */
function news(table, view, position) {
  const told = table.parts.log?.news?.();
  const mine = view.you === null ? undefined : position.seats[view.you];
  const acted = mine && position.phase === "battle" && (mine.passed || hasLaid(mine));
  if (told === null || table.at !== null || acted || view.status !== "running" || !hasEnded(position)) return told;
  return html`<div class="table-news" data-fights=${position.phase === "battle"}>${told}</div>`;
}

/** The points of a match: those of each game, once the log is there, and their sums.
 * @param {Table} table @param {Schemas["Match"]} match @param {number[][]} gained by each seat in each game
 * @returns {Drawn} */
function matchStrip(table, match, gained) {
  return html`<dl class="table-match">
    <div>
      <dt>${t.table.matchGame(match.game)}</dt>
      <dd>${t.table.matchTarget(match.target)}</dd>
    </div>
    ${match.points.map(
      (points, seat) => html`<div>
        <dt>${chip(seat)} ${table.name(seat)}</dt>
        <dd>
          ${gained.length > 1 ? html`<span class="quiet">${t.table.points(gained.map((game) => game[seat] ?? 0))}</span>` : nothing}
          ${points}
        </dd>
      </div>`,
    )}
  </dl>`;
}

/** @param {number} seat @returns {Drawn} */
export const chip = (seat) => html`<span class="chip" data-seat=${seat}>${sign(`seat-${seat}`)}</span>`;

/** @param {Table} table @param {Game} view @param {Position} position @returns {Drawn} */
function counts(table, view, position) {
  const { edition } = table;
  const rows = [
    ...(view.goal ? [[t.table.toWin, t.table.goal(view.goal)]] : []),
    [t.table.round, String(position.round)],
    [t.table.battle, String(position.battle)],
    ...(position.deck === null ? [] : [[html`${sign("deck")} ${t.table.deck}`, String(position.deck)]]),
    ...(position.discarded ? [] : [[t.table.discard, String(position.discard)]]),
    [html`${sign("marker")} ${t.table.marker}`, table.name(position.marker)],
    ...(position.favor ? [[t.table.favor, regionName(edition, position.favor)]] : []),
    ...(position.declines ? [[t.table.declines, String(position.declines)]] : []),
  ];
  return html`<div class="table-foot">
    <dl class="table-counts">
      ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>
    ${position.discarded ? discard(edition, position.discard, position.discarded) : nothing}
    ${table.at === null && hasEnded(position) ? html`<div class="table-last">${table.parts.last?.summary?.() ?? nothing}</div>` : nothing}
  </div>`;
}

/** The discard, where the rules let everybody see it: how many cards of each kind lie in it.
 * @param {Edition} edition @param {number} count @param {string[]} cards those that may be seen @returns {Drawn} */
function discard(edition, count, cards) {
  const hidden = count - cards.length;
  return html`<details class="table-discard">
    <summary>${t.table.discard} <b>${count}</b></summary>
    <ul aria-label=${t.table.discard}>
      ${[...new Set(sorted(edition, cards))].map((card) => {
        const number = cards.filter((other) => other === card).length;
        return html`<li class="table-card">${sign(`card-${card}`)} ${label(edition, card)} <b>×${number}</b></li>`;
      })}
    </ul>
    ${hidden || !count ? html`<p>${count ? t.table.discardHidden(hidden) : t.table.discardEmpty}</p>` : nothing}
  </details>`;
}

/** The seats: the own one first, the others in playing order; those that do not fight in a final battle come last.
 * @param {Game} view @param {Position} position */
function order(view, { fighters, seats: { length } }) {
  const first = view.you ?? 0;
  const all = Array.from({ length }, (_, index) => (first + index) % length);
  const aside = fighters.length ? all.filter((seat) => !fighters.includes(seat)) : [];
  return [...all.filter((seat) => !aside.includes(seat)), ...aside];
}

/** @param {Table} table @param {Game} view @param {Position} position @param {Drawn} picture of the contested region
 * @returns {Drawn} */
export function seats(table, view, position, picture) {
  const numbers = position.seats.map(({ row }) => courtesansIn(row));
  const most = Math.max(...numbers);
  const ahead = numbers.filter((number) => number === most).length === 1 && most > 0 && view.status === "running";
  return html`<section class="table-seats" aria-label=${t.table.seats} data-count=${position.seats.length}>
    ${battle(table, view, position, picture)}
    <div class="table-rows" data-between=${isBetween(table, view, position)}>
      ${repeat(order(view, position), (index) => index, (index) => {
        const seat = position.seats[index];
        if (!seat) return nothing;
        return seatView(table, view, position, seat, ahead && numbers[index] === most);
      })}
    </div>
    ${counts(table, view, position)}
  </section>`;
}

/** @param {Table} table @param {Game} view @param {Position} position @param {Seat} seat
 * @param {boolean} takes has more courtesans than any other seat @returns {Drawn} */
function seatView(table, view, position, seat, takes) {
  const { edition } = table;
  const place = view.seated[seat.seat];
  const isTurn = position.turn === seat.seat;
  const strong = position.phase === "battle" && seat.strength > 0 && lead(position).leaders.includes(seat.seat);
  const bystander = position.fighters.length > 0 && !position.fighters.includes(seat.seat);
  const open = table.opened.has(seat.seat);
  const last = table.parts.last?.of?.(seat.seat) ?? null;
  const ways = waysToWin(view, edition, seat);
  const lacks = ways.map(([text, now, needed]) => text(now, needed)).join(" · ");
  const free = edition.board?.regions.filter(({ key }) => key === position.contested || !position.seats.some(({ regions }) => regions.includes(key)));
  const near = view.status === "running" &&
    (ways.some(([, now, needed]) => needed - now === 1) || free?.some(({ key }) => wouldWin(view, edition, seat, key)));
  const strength = last ? last.strength : seat.strength;
  const steps = seat.explanation.map(({ step, amount }) => [stepName(edition, step), signed(amount)]);
  const states = [
    view.result?.winners.includes(seat.seat) ? html`${sign("crown")} ${t.table.won}` : "",
    isTurn ? t.table.toMove : "",
    position.marker === seat.seat ? withMarker(t.table.hasMarker) : "",
    seat.resigned ? t.table.resigned : position.phase === "battle" ? passed(table, seat) : "",
    bystander ? t.table.bystander : "",
    near ? t.table.oneShort : "",
    position.phase === "battle" && position.contested && seat.regions.includes(position.contested) ? t.table.defends : "",
    place?.player && place.bot ? t.table.playedByBot(place.label ?? place.bot) : "",
  ].filter(Boolean);
  return html`<article
    class="table-seat"
    data-seat=${seat.seat}
    data-turn=${isTurn}
    data-leads=${strong || Boolean(last?.won)}
    data-marked=${table.marked.has(seat.seat)}
    data-last=${last !== null}
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
      aria-label=${last?.label ?? t.table.strengthOf(table.name(seat.seat), seat.strength)}
      @click=${() => table.toggle(seat.seat)}
      ><span ${ref((figure) => figure && count(figure, strength, table.at === null && table.previous !== null))}></span
    ></button>
    <p class="table-state">
      ${states.map((state) => html`<span class="table-tag">${state}</span>`)}
      <span>${t.table.cards(seat.hand.count)}</span>
      ${seat.deck === null ? nothing : html`<span>${sign("deck")} ${t.table.ownDeck(seat.deck)}</span>`}
      ${edition.board ? html`<span>${t.table.regions(seat.regions.length)}</span>` : pennants(view, seat)}
    </p>
    <div class="table-front">${last ? last.row : front(table, view, seat, takes)}</div>
    ${table.parts.result?.openHand?.(seat) ?? nothing}
    ${open
      ? html`<div class="table-steps">
          ${steps.length
            ? html`<ul aria-label=${t.table.steps}>
                ${steps.map(([name, amount]) => html`<li><span>${name}</span> ${amount}</li>`)}
              </ul>`
            : last
              ? nothing
              : html`<p>${hasLaid(seat) ? t.table.noSteps : t.table.emptyRow}</p>`}
          ${position.marker === seat.seat ? html`<p>${t.table.markerMeans(Boolean(edition.board))}</p>` : nothing}
          <p>${lacks}</p>
          <p>${(edition.board ? groupsOf(edition.board, seat.regions) : [])
            .map((group) => t.table.together(group.map((region) => regionName(edition, region))))
            .join(" · ")}</p>
        </div>`
      : html`${steps.length > (courtesansIn(seat.row) ? 2 : 1) ? html`<p class="table-sum">${steps.map((step) => step.join(" ")).join(", ")}</p>` : nothing}
          <p class="table-lacks quiet">${lacks}</p>`}
  </article>`;
}

/** What a step of a strength comes from: the cards that the edition's deck calls so, or the mercenaries.
 * @param {Edition} edition @param {string} step */
function stepName({ deck }, step) {
  return deck.find(({ card }) => card === step || `${card}s` === step)?.label ?? t.table.stepNames[step] ?? step;
}

/** Whether a seat has passed in this battle, in words. @param {Table} table @param {Seat} seat */
function passed({ parts }, seat) {
  if (seat.passed) return t.table.passed;
  return parts.log?.waiting?.has(seat.seat) ? t.table.passedForNow : "";
}

/** The battle marker, and whether a seat has it or would take it: a line has room for the sign, and a short word.
 * @param {string} words @param {string} [short] @returns {Drawn} */
const withMarker = (words, short = "") =>
  html`<span title=${words}>${sign("marker")}<span class="spoken">${words}</span><span aria-hidden="true">${short}</span></span>`;

/** The number that a figure shows in the end. @type {WeakMap<Element, number | null>} */
const figures = new WeakMap();

/** Let a figure show a number, or that there is none; if the number has just changed, count from the one before.
 * @param {Element} figure @param {number | null} to @param {boolean} counts */
function count(figure, to, counts) {
  const from = figures.get(figure) ?? to, begun = performance.now();
  if (figures.get(figure) === to) return;
  figures.set(figure, to);
  const step = () => {
    if (figures.get(figure) !== to) return;
    const part = counts && animates() ? Math.min(1, (performance.now() - begun) / COUNTING) : 1;
    figure.textContent = to === null ? "–" : String(Math.round(Number(from) + (to - Number(from)) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  step();
}

/** Whether things move: as chosen in the settings, or as the system says. */
export function animates() {
  const { motion } = document.documentElement.dataset;
  return motion === "on" || (motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
}

/** @param {number} amount */
const signed = (amount) => (amount < 0 ? `−${-amount}` : `+${amount}`);

/** @param {Game} view @param {Seat} seat @returns {Drawn} */
function pennants(view, seat) {
  const goal = view.goal?.battles ?? 0;
  return html`<span class="table-pennants" role="img" aria-label=${t.table.battlesWon(seat.battles_won, goal)}>
    ${Array.from({ length: goal }, (_, index) => html`<i data-won=${index < seat.battles_won}>${sign("pennant")}</i>`)}
  </span>`;
}

/** What the season makes of the mercenaries of a row, by card, if it can be read from the steps. @param {Seat} seat
 * @returns {Map<string, number>} */
function counted(seat) {
  /** @param {string} step */
  const amount = (step) => seat.explanation.find((line) => line.step === step)?.amount ?? 0;
  const mercenaries = seat.row.filter((card) => card.startsWith("mercenary"));
  const least = (amount("mercenaries") + amount("winter")) / mercenaries.length;
  if (amount("winter") && Number.isInteger(least)) return new Map(mercenaries.map((card) => [card, least]));
  const highest = Math.max(...mercenaries.map((card) => Number(numberOf(card))));
  const copies = mercenaries.filter((card) => Number(numberOf(card)) === highest);
  return new Map(amount("spring") ? copies.map((card) => [card, highest + amount("spring") / copies.length]) : []);
}

/** What a seat has laid: its row, and its courtesans beside it. @param {Table} table @param {Game} view
 * @param {Seat} seat @param {boolean} takes would take the battle marker now @returns {Drawn} */
function front(table, view, seat, takes) {
  const before = table.at === null ? table.previous?.position?.seats[seat.seat]?.row : undefined;
  const isNew = before !== undefined && courtesansIn(seat.row) > courtesansIn(before);
  return html`${rowView(table, view, seat, before)} ${courtesans(table, seat.seat, seat.row, takes, isNew)}`;
}

/** The cards in front of a seat, without its courtesans. @param {Table} table @param {Game} view @param {Seat} seat
 * @param {string[] | undefined} before its row a moment ago @returns {Drawn} */
function rowView(table, view, seat, before) {
  const { edition } = table;
  const asked = table.asked();
  const worth = counted(seat);
  const hidden = seat.face_down.count - (seat.face_down.cards?.length ?? 0);
  /** @type {Map<string, number>} */
  const copies = new Map();
  const cards = sorted(edition, withoutCourtesans(seat.row)).map((card) => {
    const copy = (copies.get(card) ?? 0) + 1;
    copies.set(card, copy);
    return { card, copy, isNew: before !== undefined && copy > before.filter((other) => other === card).length };
  });
  if (!cards.length && !seat.face_down.count) return nothing;
  return html`<ul class="table-row" aria-label=${t.table.rowOf(table.name(seat.seat))}>
    ${repeat(cards, ({ card, copy }) => `${card} ${copy}`, ({ card, isNew }) => {
      const take = asked?.member === "take" &&
        asked.steps.find((step) => step.take === card && (step.take_from ?? view.you) === seat.seat);
      const face = faceOf(edition, card, worth.get(card));
      const look = () => table.look(card);
      return html`<li data-laid=${isNew ? "" : nothing} data-named=${named(card)}>
        ${take
          ? html`<button class="table-card target" aria-label=${t.table.takes(label(edition, card))} @click=${() => table.say(take)}>
              ${face}
            </button>`
          : html`<span class="table-card" title=${about(edition, card)} @click=${look}>${face}</span>`}
      </li>`;
    })}
    ${(seat.face_down.cards ?? []).map((card) => {
      const turn = asked?.member === "turn_up" && asked.steps.find((step) => step.turn_up === card);
      const face = html`${faceOf(edition, card)}<span class="spoken">${t.table.faceDown}</span>${sign("closed-eye")}`;
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

/** @param {string[]} cards */
export const withoutCourtesans = (cards) => cards.filter((card) => card !== "courtesan");

/** @param {string[]} cards */
const courtesansIn = (cards) => cards.length - withoutCourtesans(cards).length;

/** The column of the courtesans that a seat has laid, if any. @param {Table} table @param {number} seat
 * @param {string[]} row @param {boolean} [takes] would take the battle marker now
 * @param {boolean} [isNew] has just laid one @returns {Drawn} */
export function courtesans(table, seat, row, takes = false, isNew = false) {
  const { edition } = table;
  const card = "courtesan", number = courtesansIn(row);
  if (!number) return nothing;
  return html`<div class="table-courtesans" role="group" aria-label=${t.table.courtesansOf(table.name(seat), label(edition, card), number)}>
    <span class="table-card" data-laid=${isNew ? "" : nothing} title=${about(edition, card)} @click=${() => table.look(card)}
      >${faceOf(edition, card)}<b>×${number}</b></span
    >${takes ? html`<span class="table-tag">${withMarker(t.table.takesMarker, t.table.next)}</span>` : nothing}
  </div>`;
}

/** Where the name of a card is beside its sign: everywhere, if it acts on the whole row or ends the battle; otherwise where
 * there is room. @param {string} card */
export const named = (card) =>
  ["heroine", "drummer", "surrender"].includes(card) ? "" : numberOf(card) ? nothing : "wide";

/** @param {Edition} edition @param {string} card @param {number | null} [each] what a mercenary counts now
 * @returns {Drawn} */
export function faceOf(edition, card, each = null) {
  const number = numberOf(card);
  return html`${sign(`card-${card}`)}${number
    ? each !== null && String(each) !== number
      ? html`<s>${number}</s> <b>${each}</b>`
      : html`<b>${number}</b>`
    : nothing}<span class="spoken">${label(edition, card)}</span>`;
}
