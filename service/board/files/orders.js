// Standing orders, beside the hand: what they say, what they will do next, and what they have done.

import { retry, trouble } from "./app.js";
import { sign } from "./battle.js";
import { t } from "./texts.screens.js";
import { takeBack } from "./unsent.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["PlayCard"]} PlayCard */
/**
 * @typedef {object} Host what of the game screen is used
 * @property {import("./app.js").App} app
 * @property {string} id of the game
 * @property {Schemas["Game"]} view
 * @property {Schemas["Edition"]} edition
 * @property {() => void} changed
 */
/**
 * @typedef {object} Draft the orders that the player is choosing
 * @property {"" | "keep" | "discard"} after
 * @property {"" | "pass" | "pass-if-exceeds" | "lay-until-lead"} kind
 * @property {number} strength
 * @property {PlayCard | null} otherwise
 * @property {PlayCard[]} cards
 * @property {"ask" | "pass"} then
 */

const SHOWN = 5;

export class Orders {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.closed = new AbortController();
    /** The orders that the service has. @type {Schemas["Orders"] | null} */
    this.orders = null;
    /** @type {unknown} */
    this.error = null;
    /** Null: nothing was chosen since the orders were loaded. @type {Draft | null} */
    this.draft = takeBack(host, "orders") ?? null;
    /** Whether the orders are open at first: what the player has chosen before is to be seen. */
    this.opened = this.draft !== null;
    this.busy = false;
    const heard = (/** @type {Event} */ event) => {
      if (/** @type {CustomEvent} */ (event).detail.game === host.id) this.load();
    };
    host.app.live.addEventListener("commit", heard, { signal: this.closed.signal });
    this.load();
  }

  close() {
    this.closed.abort();
  }

  /** What the player has chosen and not sent. */
  get unsent() {
    return this.draft ?? undefined;
  }

  get path() {
    return `/v1/games/${this.host.id}/orders`;
  }

  async load() {
    if (this.host.view.you === null || this.host.view.status !== "running") return;
    const before = this.orders;
    try {
      /** @type {Schemas["Orders"]} */
      const found = await this.host.app.api.get(this.path, { signal: this.closed.signal });
      // Orders that were given meanwhile are newer than an answer that comes late.
      if (this.orders && found.version < this.orders.version) return;
      this.orders = found;
      if (before === null) this.error = null;
      else if (before.version === found.version) return;
    } catch (error) {
      if (this.closed.signal.aborted) return;
      this.error = error;
    }
    this.host.changed();
  }

  /** Replace all orders, unless they have changed since they were drawn.
   * @param {string} method @param {unknown} [body] */
  async write(method, body) {
    const { app, changed } = this.host;
    this.busy = true;
    this.error = null;
    changed();
    try {
      const match = `"${this.orders?.version ?? 0}"`;
      const answer = await app.api.write(method, this.path, { match, ...(body === undefined ? {} : { body }) });
      this.orders = answer;
      this.draft = null;
      app.say(this.next().join(" "));
    } catch (error) {
      this.error = error;
      await this.load();
    }
    this.busy = false;
    changed();
  }

  /** Give the orders that are chosen, and close them once the service has them. @param {SubmitEvent} event */
  async save(event) {
    event.preventDefault();
    const box = /** @type {Element} */ (event.target).closest("details");
    const { after, kind, strength, otherwise, cards, then } = this.chosen();
    /** @type {Schemas["BattleOrder"] | null} */
    let battle = null;
    if (kind === "pass") battle = { type: kind };
    if (kind === "pass-if-exceeds" && otherwise) battle = { type: kind, strength, otherwise };
    if (kind === "lay-until-lead") battle = { type: kind, cards, then };
    await this.write("PUT", { after_battle: after || null, battle });
    if (this.error || !box) return;
    box.open = false;
    box.querySelector("summary")?.focus();
  }

  /** @returns {Draft} what is chosen now */
  chosen() {
    if (this.draft) return this.draft;
    const battle = this.orders?.battle ?? null;
    return {
      after: this.orders?.after_battle ?? "",
      kind: battle?.type ?? "",
      strength: battle?.type === "pass-if-exceeds" ? battle.strength : 0,
      otherwise: battle?.type === "pass-if-exceeds" ? battle.otherwise : null,
      cards: battle?.type === "lay-until-lead" ? battle.cards : [],
      then: battle?.type === "lay-until-lead" ? (battle.then ?? "ask") : "ask",
    };
  }

  /** @param {Partial<Draft>} changes */
  change(changes) {
    this.draft = { ...this.chosen(), ...changes };
    this.host.changed();
  }

  /** The cards that an order can name: as a move would, where the service lists the moves; else those of the hand.
   * @returns {PlayCard[]} */
  offers() {
    const { moves } = this.host.view;
    const plays = /** @type {PlayCard[]} */ (moves.filter(({ type }) => type === "play-card"));
    const listed = new Set(plays.map(({ card }) => card));
    const rest = new Set(this.hand().filter((card) => !listed.has(card)));
    return [...plays, .../** @type {PlayCard[]} */ ([...rest].map((card) => ({ type: "play-card", card })))];
  }

  /** @returns {readonly Schemas["CardName"][]} */
  hand() {
    const { you, position } = this.host.view;
    return (you === null ? undefined : position?.seats[you]?.hand.cards) ?? [];
  }

  /** @param {PlayCard} move */
  label({ card, take, favor, turn_up }) {
    const { deck, board } = this.host.edition;
    /** @param {string} one */
    const name = (one) => deck.find((kind) => kind.card === one)?.label ?? one;
    const region = board?.regions.find(({ key }) => key === favor)?.name ?? favor;
    return t.orders.card(name(card), take && name(take), region, turn_up && name(turn_up));
  }

  /** @returns {string[]} a sentence for each order: what it does on the next turn, or after the battle */
  next() {
    const { battle = null, after_battle = null } = this.orders ?? {};
    const said = [];
    if (battle?.type === "pass") said.push(t.orders.passes);
    if (battle?.type === "pass-if-exceeds") said.push(t.orders.exceeds(battle.strength, this.label(battle.otherwise)));
    if (battle?.type === "lay-until-lead") {
      const [first, ...later] = battle.cards.map((card) => this.label(card));
      said.push(t.orders.lays(first ?? "", battle.then === "pass", later));
    }
    if (after_battle) said.push(t.orders.after[after_battle]);
    return said.length ? said : [t.orders.nothing];
  }

  /** @returns {Drawn} */
  view() {
    const { you, status } = this.host.view;
    if (you === null || status !== "running") return nothing;
    const { orders } = this;
    const active = [orders?.battle, orders?.after_battle].filter(Boolean).length;
    return html`<details class="orders" ?open=${this.opened}>
      <summary>
        ${t.orders.heading}
        ${active ? html`<strong>(${active})</strong>` : nothing}
      </summary>
      <p class="quiet">${t.orders.about}</p>
      ${orders
        ? html`<p>${this.next().join(" ")}</p>
          ${this.form()}
          ${this.error ? trouble(this.error, this.host.edition.key) : nothing}`
        : this.error
          ? retry(this.error, () => this.load())
          : html`<p class="quiet">${t.site.loading} …</p>`}
      ${orders?.history.length ? this.history(orders.history) : nothing}
    </details>`;
  }

  /** @returns {Drawn} */
  form() {
    const chosen = this.chosen(),
      { battle = null, after_battle = null } = this.orders ?? {};
    /** @param {"after" | "kind" | "then"} name @param {Record<string, string>} choices
     * @param {(value: string) => Drawn} [more] what stands under the one that is chosen */
    const radios = (name, choices, more = () => nothing) =>
      Object.entries(choices).map(
        ([value, text]) =>
          html`<label class="orders-choice">
              <input
                type="radio"
                name=${`orders-${name}`}
                value=${value}
                .checked=${live(chosen[name] === value)}
                @change=${() => this.change({ [name]: value })}
              />
              ${text}
            </label>
            ${chosen[name] === value ? more(value) : nothing}`,
      );
    const lead = () =>
      html`<fieldset>
        <legend>${t.orders.lead}</legend>
        ${radios("then", t.orders.thens)}
      </fieldset>`;
    /** @param {string} kind */
    const more = (kind) => {
      if (kind === "pass-if-exceeds") return this.limit(chosen);
      return kind === "lay-until-lead" ? this.list(chosen, lead()) : nothing;
    };
    const fights = this.host.view.position?.phase === "battle";
    const incomplete =
      (chosen.kind === "pass-if-exceeds" && !chosen.otherwise) ||
      (chosen.kind === "lay-until-lead" && !chosen.cards.length);
    return html`<form action="/" @submit=${(/** @type {SubmitEvent} */ event) => this.save(event)}>
      ${
        fights
          ? html`<fieldset>
              <legend>${t.orders.battle}</legend>
              ${radios("kind", t.orders.kinds, more)}
            </fieldset>`
          : html`<p class="quiet">${t.orders.noBattle}</p>`
      }
      <fieldset>
        <legend>${t.orders.afterBattle}</legend>
        ${radios("after", t.orders.afters)}
      </fieldset>
      <div class="orders-buttons">
        <button class="primary" ?disabled=${this.busy || incomplete}>${t.orders.save}</button>
        <button type="button" ?disabled=${this.busy || (!battle && !after_battle)} @click=${() => this.write("DELETE")}>
          ${t.orders.withdraw}
        </button>
      </div>
    </form>`;
  }

  /** @param {Draft} chosen @returns {Drawn} */
  limit({ strength, otherwise }) {
    /** @param {Event} event */
    const value = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
    const offers = this.offers(),
      now = JSON.stringify(otherwise);
    return html`<div class="orders-more">
      <label>
        ${t.orders.strength}
        <input
          type="number"
          min="0"
          max="1000"
          required
          .value=${live(String(strength))}
          @change=${(/** @type {Event} */ event) => this.change({ strength: Number(value(event)) })}
        />
      </label>
      <label>
        ${t.orders.otherwise}
        <select
          @change=${(/** @type {Event} */ event) => this.change({ otherwise: offers[Number(value(event))] ?? null })}
        >
          <option value="" ?selected=${!otherwise}>${t.orders.choose}</option>
          ${offers.map(
            (move, n) =>
              html`<option value=${n} ?selected=${JSON.stringify(move) === now}>${this.label(move)}</option>`,
          )}
        </select>
      </label>
    </div>`;
  }

  /** @param {Draft} chosen @param {Drawn} lead @returns {Drawn} */
  list({ cards }, lead) {
    /** @param {string} card */
    const left = (card) =>
      this.hand().filter((one) => one === card).length - cards.filter((one) => one.card === card).length;
    return html`<div class="orders-more">
      <p id="orders-cards">${t.orders.cards}</p>
      <ol aria-labelledby="orders-cards">
        ${cards.map((move, n) => {
          const remove = () => this.change({ cards: cards.filter((_, other) => other !== n) });
          return html`<li>
            ${this.label(move)}
            <button type="button" aria-label=${t.orders.removeOne(this.label(move))} @click=${remove}>
              ${t.orders.remove}
            </button>
          </li>`;
        })}
      </ol>
      <div class="orders-buttons" role="group" aria-label=${t.orders.add}>
        ${this.offers().map((move) =>
          left(move.card) > 0
            ? html`<button type="button" @click=${() => this.change({ cards: [...cards, move] })}>
                ${sign("cross")} ${this.label(move)}
              </button>`
            : nothing,
        )}
      </div>
      ${lead}
    </div>`;
  }

  /** @param {Schemas["Orders"]["history"]} history @returns {Drawn} */
  history(history) {
    return html`<h3>${t.orders.history}</h3>
      <ul>
        ${history.slice(-SHOWN).map(({ version, happened, move, reason }) => {
          const play = move?.type === "play-card" ? this.label(move) : "";
          return html`<li>
            ${happened === "moved"
              ? t.orders.moved(version, move?.type ?? "", play)
              : t.orders.cancelled(version, reason ?? "")}
          </li>`;
        })}
      </ul>`;
  }
}
