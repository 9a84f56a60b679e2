// Table talk: what people write to each other, beside the log. Messages are shown as text only.

import { HIDDEN, Refused, Unreachable } from "./api.js";
import { trouble } from "./app.js";
import { promises } from "./clauses.js";
import { t } from "./texts.screens.js";
import { clockTime } from "./sentences.js";
import { takeBack } from "./unsent.js";
import { html, live, nothing, ref, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["Message"]} Message */
/** @typedef {"table" | "seats" | "spectators"} Room */

/** Milliseconds between two looks at what the stream does not bring, and how many messages are kept. */
const LOOK = 10_000, KEPT = 200;
/** How far from its end, in pixels, a list still counts as being at its end. */
const NEAR = 40;

export class Talk {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.closed = new AbortController();
    /** @type {Message[]} */
    this.messages = [];
    this.next = "";
    /** The messages that are not read, in all rooms. */
    this.unread = 0;
    /** The rooms where the player may write. @type {Room[]} */
    this.writes = [];
    this.open = false;
    this.text = "";
    /** @type {Room | null} */
    this.room = null;
    /** The seats to write to. @type {Set<number>} */
    this.to = new Set();
    /** The list of messages that was scrolled to its end. @type {Element | null} */
    this.placed = null;
    /** The message that the player is reporting. @type {string | null} */
    this.reported = null;
    this.reason = "";
    /** For the owner: who is muted, once it is loaded. @type {Schemas["Mutes"] | null} */
    this.mutes = null;
    this.busy = false;
    this.loading = false;
    /** The standing (see there) of which messages were asked for last, and the one of those that are shown. */
    this.asked = this.shown = this.standing;
    /** Whether a message was announced while messages were loaded. */
    this.stale = false;
    /** @type {unknown} */
    this.error = null;
    Object.assign(this, takeBack(table, "talk"));
    if (this.open && this.owns) this.loadMutes();
    this.begin();
  }

  close() {
    this.closed.abort();
  }

  /** What the player has written and not sent, and where. */
  get unsent() {
    const { open, text, room, to, reported, reason } = this;
    return { open, text, room, to, reported, reason };
  }

  get path() {
    return `/v1/games/${this.table.id}/talk`;
  }

  get player() {
    return this.table.app.api.account?.player;
  }

  /** What a player may read and write depends on it: the player's seat, and whether the game is over. */
  get standing() {
    return `${this.table.latest?.status} ${this.table.latest?.you}`;
  }

  // Loading and news

  /** Messages to a player come with the stream that all tabs share. A spectator has no such stream, and nobody's has what
   * is said among the spectators: while that may be seen, look for it. */
  begin() {
    const { signal } = this.closed;
    const { live } = this.table.app;
    const heard = (/** @type {Event} */ event) => {
      if (/** @type {CustomEvent} */ (event).detail.game === this.table.id) this.load();
    };
    live.addEventListener("message", heard, { signal });
    live.addEventListener("connection", () => live.since === null && this.load(), { signal });
    const looks = setInterval(() => this.open && this.looks && this.load(), LOOK);
    signal.addEventListener("abort", () => clearInterval(looks));
    this.load();
  }

  get looks() {
    const { status, you } = this.table.view;
    return document.visibilityState === "visible" && (you === null || status === "finished" || status === "cancelled");
  }

  /** Load everything again if the player now has another standing. */
  keepUp() {
    if (this.asked === this.standing) return;
    this.asked = this.standing;
    this.load();
  }

  /** Get the newest messages, or those after the last one. What cannot be got is got with the next look. */
  async load() {
    this.stale = true;
    if (this.loading) return;
    this.loading = true;
    const { signal } = this.closed;
    try {
      for (let more = true; more; ) {
        const { standing } = this, anew = standing !== this.shown;
        const after = anew ? "" : this.next;
        this.stale = false;
        const talk = await this.table.app.api.get(`${this.path}?${after ? `after=${after}` : "newest=true"}`, { signal, once: true });
        if (anew) this.messages = [];
        this.shown = standing;
        this.take(talk);
        more = this.stale || (after !== "" && this.next !== after);
      }
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !signal.aborted) throw error;
    } finally {
      this.loading = false;
    }
  }

  /** @param {Schemas["Talk"]} talk */
  take({ messages, next, unread, writes }) {
    const known = new Set(this.messages.map(({ id }) => id));
    const fresh = messages.filter(({ id }) => !known.has(id));
    this.messages = [...this.messages, ...fresh].slice(-KEPT);
    this.next = next;
    this.writes = /** @type {Room[]} */ (writes);
    this.unread = unread.table + unread.seats + unread.spectators;
    const last = fresh.filter(({ player }) => player !== this.player).at(-1);
    if (last && known.size && this.open) this.table.app.say(t.talk.said(this.author(last), last.text ?? t.talk.removed));
    if (this.open) this.mark();
    this.table.changed();
  }

  /** Record that the messages that are shown were read. */
  async mark() {
    if (!this.unread || !this.next) return;
    this.unread = 0;
    await this.ask("PUT", `${this.path}/read`, { upto: this.next });
  }

  /** @param {boolean} open */
  show(open) {
    if (open === this.open) return;
    this.open = open;
    if (open) this.mark();
    if (open && this.owns && !this.mutes) this.loadMutes();
    this.table.changed();
  }

  get owns() {
    return this.table.view.owner === this.player;
  }

  async loadMutes() {
    this.mutes = await this.table.app.api.get(`${this.path}/mutes`, { signal: this.closed.signal }).catch(() => null);
    this.table.changed();
  }

  // What the player does

  /** Send a request; returns its answer, or null if it was refused.
   * @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async ask(method, path, body) {
    const { signal } = this.closed;
    this.error = null;
    try {
      return (await this.table.app.api.write(method, path, { signal, ...(body === undefined ? {} : { body }) })) ?? {};
    } catch (error) {
      if (!signal.aborted) this.error = error;
      return null;
    } finally {
      this.table.changed();
    }
  }

  /** @param {Event} event */
  async send(event) {
    event.preventDefault();
    const text = this.text.trim(), room = this.chosen;
    if (!text || !room || this.busy || (room === "seats" && !this.to.size)) return;
    this.busy = true;
    const sent = await this.ask("POST", this.path, { room, text, ...(room === "seats" ? { seats: [...this.to] } : {}) });
    this.busy = false;
    if (sent) {
      this.text = "";
      if (!this.messages.some(({ id }) => id === sent.id)) this.messages.push(sent);
    }
    this.table.changed();
  }

  /** @param {string} player */
  async block(player) {
    if (await this.ask("PUT", `/v1/me/blocks/${player}`)) this.messages = this.messages.filter((one) => one.player !== player);
    this.table.changed();
  }

  /** @param {Event} event */
  async report(event) {
    event.preventDefault();
    if (!this.reported || !this.reason.trim()) return;
    if (await this.ask("POST", `${this.path}/${this.reported}/report`, { reason: this.reason.trim() })) {
      this.table.app.say(t.talk.reported);
      this.reported = null;
      this.reason = "";
    }
    this.table.changed();
  }

  /** @param {string | null} message */
  startReport(message) {
    this.reported = message;
    this.reason = "";
    this.table.changed();
    if (message) this.table.focusSoon("#talk-reason");
  }

  /** @param {Partial<Schemas["Mutes"]>} change */
  async mute(change) {
    if (!this.mutes) return;
    const muted = await this.ask("PUT", `${this.path}/mutes`, { ...this.mutes, ...change });
    if (muted) this.mutes = muted;
    this.table.changed();
  }

  // What is drawn

  /** The room to write in: the one that was chosen, if that is still allowed. @returns {Room | null} */
  get chosen() {
    return this.room && this.writes.includes(this.room) ? this.room : (this.writes[0] ?? null);
  }

  /** @param {Message} message */
  author({ name, player, seat }) {
    if (player === HIDDEN && seat !== null) return t.table.seat(seat);
    return seat !== null && this.table.view.seated[seat]?.player === player ? this.table.name(seat) : (name ?? t.parts.deleted);
  }

  /** @returns {Drawn} */
  view() {
    const toggle = (/** @type {Event} */ event) => this.show(/** @type {HTMLDetailsElement} */ (event.target).open);
    this.keepUp();
    return html`<details class="talk" id="talk" ?open=${this.open} @toggle=${toggle}>
      <summary>${t.talk.title} ${this.unread ? html`<span class="talk-count">${t.talk.unread(this.unread)}</span>` : nothing}</summary>
      ${this.open ? this.opened() : nothing}
    </details>`;
  }

  /** @returns {Drawn} */
  opened() {
    const { messages } = this;
    return html`${messages.length
        ? html`<ol class="talk-messages" tabindex="0" aria-label=${t.talk.messages} ${ref((list) => this.place(list))}>
            ${repeat(messages, ({ id }) => id, (message) => this.message(message))}
          </ol>`
        : html`<p class="quiet">${t.talk.none}</p>`}
      ${this.error ? trouble(this.error) : nothing} ${this.form()}
      ${this.owns && this.mutes
        ? html`<button @click=${() => this.mute({ everyone: !this.mutes?.everyone })}>
            ${this.mutes.everyone ? t.talk.unmute : t.talk.mute}
          </button>`
        : nothing}
      <p class="quiet">${promises(this.table.edition)} <a href="/guide/talk">${t.talk.about}</a></p>`;
  }

  /** Open the list at the newest message, and stay there while it grows, unless the player has scrolled back. This is called
   * before the new messages are part of the list. @param {Element | undefined} list */
  place(list) {
    if (!list) return;
    const { clientHeight, scrollHeight, scrollTop } = list;
    if (list === this.placed && scrollHeight - scrollTop - clientHeight > NEAR) return;
    this.placed = list;
    requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  }

  /** @param {Message} message @returns {Drawn} */
  message(message) {
    const { at, id, player, room, seats, seat, text } = message;
    const others = seats.filter((other) => other !== seat).map((other) => this.table.name(other));
    const where = room === "seats" ? t.talk.privately(others) : room === "spectators" ? t.talk.amongSpectators : "";
    return html`<li data-room=${room}>
      <div class="talk-who">
        <p><bdi>${this.author(message)}</bdi> ${where} <time>${clockTime(at)}</time></p>
        ${player === this.player
          ? nothing
          : html`<p class="talk-acts">
              ${player === HIDDEN ? nothing : html`<button @click=${() => this.block(player)}>${t.talk.block(this.author(message))}</button>`}
              <button @click=${() => this.startReport(id)}>${t.talk.report}</button> ${this.muting(message)}
            </p>`}
      </div>
      <p class="talk-text" dir="auto">${text ?? t.talk.removed}</p>
      ${this.reported === id ? this.reporting() : nothing}
    </li>`;
  }

  /** For the owner: whether a spectator may write. @param {Message} message @returns {Drawn} */
  muting(message) {
    const { player, room } = message;
    const { seated } = this.table.view;
    if (!this.owns || !this.mutes || room !== "spectators" || player === HIDDEN) return nothing;
    if (seated.some((place) => place.player === player)) return nothing;
    const { players } = this.mutes;
    const others = players.filter((other) => other !== player);
    const muted = others.length < players.length;
    const name = this.author(message);
    return html`<button @click=${() => this.mute({ players: muted ? others : [...players, player] })}>
      ${muted ? t.talk.unmuteOne(name) : t.talk.muteOne(name)}
    </button>`;
  }

  /** @returns {Drawn} */
  reporting() {
    return html`<form class="talk-report" @submit=${(/** @type {Event} */ event) => this.report(event)}>
      <label for="talk-reason">${t.talk.reason}</label>
      <input id="talk-reason" maxlength="500" autocomplete="off" .value=${live(this.reason)}
        @input=${(/** @type {InputEvent} */ event) => (this.reason = /** @type {HTMLInputElement} */ (event.target).value)} />
      <div class="table-buttons">
        <button class="primary">${t.talk.sendReport}</button>
        <button type="button" @click=${() => this.startReport(null)}>${t.site.cancel}</button>
      </div>
    </form>`;
  }

  /** @returns {Drawn} */
  form() {
    const room = this.chosen;
    if (!room) return html`<p class="quiet">${t.talk.closed}</p>`;
    const choose = (/** @type {Event} */ event) => {
      this.room = /** @type {Room} */ (/** @type {HTMLSelectElement} */ (event.target).value);
      this.table.changed();
    };
    /** @param {KeyboardEvent} event */
    const press = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.send(event);
    return html`<form class="talk-form" @submit=${(/** @type {Event} */ event) => this.send(event)} @keydown=${press}>
      <label for="talk-room">${t.talk.to}</label>
      <select id="talk-room" @change=${choose}>
        ${this.writes.map((one) => html`<option value=${one} ?selected=${one === room}>${t.talk.rooms[one]}</option>`)}
      </select>
      ${room === "seats" ? this.recipients() : nothing}
      <label class="spoken" for="talk-text">${t.talk.text}</label>
      <textarea placeholder=${t.talk.text} id="talk-text" rows="2" maxlength="1000" dir="auto" .value=${live(this.text)}
        @input=${(/** @type {InputEvent} */ event) => (this.text = /** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea>
      <button class="primary" aria-disabled=${this.busy}>${t.talk.send}</button>
    </form>`;
  }

  /** The players to whom a private message may go. @returns {Drawn} */
  recipients() {
    const { seated, you } = this.table.view;
    const others = seated.filter(({ player, seat }) => player !== null && seat !== you);
    const tick = (/** @type {number} */ seat) => {
      this.to.has(seat) ? this.to.delete(seat) : this.to.add(seat);
      this.table.changed();
    };
    return html`<fieldset class="talk-to">
      <legend>${t.talk.recipients}</legend>
      ${others.map(
        ({ seat }) => html`<label>
          <input type="checkbox" .checked=${this.to.has(seat)} @change=${() => tick(seat)} /> ${this.table.name(seat)}
        </label>`,
      )}
    </fieldset>`;
  }
}
