// The hand, and the choice of a move: what is selected, what is still to be asked, and what the move would do.

import { about, effect, label, numberOf, regionName, sign, sorted } from "./battle.js";
import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["Game"]} Game */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["PositionSeat"]} Seat */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {"take" | "favor" | "turn_up"} Member a part of a move that a second step asks for */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {{member: Member, steps: Step[]}} Question what a second step asks, and a move for each answer */

/** @type {Member[]} */
const MEMBERS = ["take", "favor", "turn_up"];

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

// The hand

/** @param {Table} table @param {Game} view @param {Seat} mine @returns {Drawn} */
export function hand(table, view, mine) {
  const { edition, choice } = table;
  const cards = sorted(edition, mine.hand.cards ?? []);
  const keeping = legal(view).some((step) => step.type === "keep-cards");
  /** @type {[string, number][]} */
  const stacks = keeping
    ? cards.map((card) => [card, 1])
    : [...new Set(cards)].map((card) => [card, cards.filter((other) => other === card).length]);
  const playing = legal(view).some((step) => step.type === "play-card" || step.type === "pass");
  const at = Math.min(table.handAt, Math.max(0, stacks.length - 1));
  const recommended = [table.hinted?.card, ...(table.hinted?.keep ?? [])];
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
        const pressed = keeping ? left > 0 : (choice ? choice.card : table.looked) === card;
        const value = numberOf(card);
        const hinted = recommended.includes(card);
        const barred = (!can && table.parts.why?.barred) || "";
        if (hinted) recommended.splice(recommended.indexOf(card), 1);
        return html`<button
          class="hand-card"
          data-card=${card}
          data-index=${index}
          data-dim=${playing && !can}
          ?data-hinted=${hinted}
          tabindex=${index === at ? 0 : -1}
          aria-pressed=${pressed}
          aria-disabled=${!can}
          aria-label=${t.table.card(label(edition, card), number) + (hinted ? t.table.hinted : barred && `, ${barred}`)}
          title=${about(edition, card)}
          @click=${(/** @type {MouseEvent} */ event) => (keeping ? table.tick(card, pressed) : table.pick(card, event.detail === 0))}
        >
          ${value ? html`<b>${value}</b>` : nothing}${sign(`card-${card}`)}
          <span class="hand-label">${value ? nothing : label(edition, card)}</span>
          ${number > 1 ? html`<span class="hand-number">×${number}</span>` : nothing}
          ${barred ? html`<span class="hand-barred">${barred}</span>` : nothing}
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
export function actions(table, view) {
  const { choice, edition, hinted } = table;
  const { hint } = table.parts;
  const passing = !choice && table.parts.passing?.words?.();
  const steps = legal(view);
  const asked = table.asked();
  const kinds = new Set(steps.map(({ type }) => type));
  const move = table.move();
  /** @param {string} type @param {string} text */
  const button = (type, text) =>
    kinds.has(type)
      ? html`<button
          data-move=${type}
          ?data-hinted=${hinted?.type === type}
          aria-describedby=${hinted?.type === type ? "hint" : nothing}
          aria-disabled=${table.sending}
          @click=${() => table.start(type)}
        >
          ${text}
        </button>`
      : nothing;
  const shownCard = table.looked ?? choice?.card;
  return html`<section class="table-actions" aria-label=${t.table.actions}>
    ${table.note ? html`<p class="table-note" role="status">${table.note}</p>` : nothing}
    ${table.trouble && !(table.parts.why && table.trouble === table.forbidden?.error) ? table.refusal() : nothing}
    ${hint?.view() ?? nothing}
    <div class="table-told">
    ${shownCard
      ? html`<p class="table-effect"><strong>${label(edition, shownCard)}</strong> ${effect(edition, shownCard)}</p>`
      : nothing}
    ${asked && !table.asking
      ? html`<div class="table-ask" role="group" aria-label=${t.table.asks[asked.member]}>
          <p>${t.table.asks[asked.member]}</p>
          ${asked.steps.filter((step) => asked.member !== "favor" || !step.favor).map(
            (step) => html`<button
              data-answer=${answer(step, asked.member)}
              ?data-hinted=${hinted && hinted.card === step.card && answer(hinted, asked.member) === answer(step, asked.member)}
              @click=${() => table.say(step)}
            >
              ${answerText(table, view, step, asked.member)}
            </button>`,
          )}
        </div>`
      : nothing}
    ${choice?.type === "draw-cards" ? stepper(table, steps) : nothing}
    ${choice?.type === "keep-cards" ? html`<p>${t.table.kept(choice.keep.length, mostKept(steps))}</p>` : nothing}
    ${move && !table.asking
      ? html`<p class="table-preview" role="status">${(table.foreseen && table.parts.passing?.foreseen?.(table.foreseen)) || nothing}</p>`
      : nothing}
    ${!choice && steps.length && view.position
      ? html`<p class="table-hint quiet" data-phase=${passing ? "pass" : view.position.phase}>${passing || (t.table.hints[view.position.phase] ?? "")}</p>`
      : nothing}
    </div>
    <div class="table-buttons">
      ${choice && !asked
        ? html`<button
            class="primary"
            id="confirm"
            aria-busy=${table.sending}
            aria-disabled=${table.sending || !move}
            @click=${(/** @type {MouseEvent} */ event) => event.detail < 2 && table.confirm()}
          >
            ${table.sending ? t.table.sending : moveText(edition, move ?? choice)}
          </button>`
        : nothing}
      ${choice ? html`<button @click=${() => table.back()}>${t.table.back}</button>` : nothing}
      ${choice
        ? nothing
        : html`${button("pass", t.table.pass)} ${button("decline-region", t.table.decline)}
          ${button("keep-hand", kinds.has("discard-hand") ? t.table.keepHand : t.table.mustKeep)} ${button("discard-hand", t.table.discardHand)}
          ${kinds.has("keep-hand") && !kinds.has("discard-hand")
            ? html`<button class="table-why" @click=${() => table.explain({ type: "discard-hand" })}>${t.table.whyKeep}</button>`
            : nothing}
          ${button("keep-cards", t.table.keepCards)} ${button("draw-cards", t.table.drawCards)}`}
      ${hint?.control ? hint.control() : steps.length && view.hints === "allowed" ? html`<i class="hint-button"></i>` : nothing}
    </div>
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
      (number) => html`<button aria-pressed=${table.choice?.number === number} ?data-hinted=${table.hinted?.number === number}
        @click=${() => table.draw(number)}>
        ${number}
      </button>`,
    )}
  </div>`;
}

/** @param {Table} table @param {Game} view @param {Step} step @param {Member} member */
export function answerText(table, view, step, member) {
  const { edition } = table;
  if (member === "favor") return step.favor ? regionName(edition, step.favor) : t.table.noFavor;
  if (member === "turn_up") return step.turn_up ? t.table.turnsUp(label(edition, step.turn_up)) : t.table.staysDown;
  if (!step.take) return t.table.takesNone;
  const from = step.take_from;
  const whose = from === undefined || from === view.you ? "" : ` ${t.table.from(table.name(from))}`;
  return t.table.takes(label(edition, step.take)) + whose;
}

/** What the button of a move says. @param {Edition} edition @param {Step} step */
export function moveText(edition, { type, card = "", region, favor, take, keep, number = 0 }) {
  switch (type) {
    case "choose-region":
      return t.table.chooses(regionName(edition, region));
    case "play-card":
      return t.table.plays(label(edition, card), favor ? regionName(edition, favor) : take && t.table.takesBack(label(edition, take)));
    case "keep-cards":
      return t.table.keeps(keep?.length ?? 0);
    case "draw-cards":
      return t.table.draws(number);
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

/** @param {Element | undefined} element */
export function showModal(element) {
  if (!(element instanceof HTMLDialogElement)) return;
  // The element is part of the page only after this call.
  queueMicrotask(() => element.isConnected && !element.open && element.showModal());
}
