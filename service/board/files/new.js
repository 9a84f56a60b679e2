// Opening a game: the edition, who plays, the clock and the options.

import { Refused, Unreachable, newKey } from "./api.js";
import { focusAfterDrawing } from "./account.js";
import { failure, trouble } from "./app.js";
import { t } from "./texts.screens.js";
import {
  Loading, clockWords, described, editionName, field, fieldErrors, loadEditions, signInAddress, usualBot,
} from "./parts.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Screen} Screen */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["Option"]} Option */
/** @typedef {{kind: string, seconds: number} & Record<string, unknown>} Clock */

const FIRST_SEATS = 3, FEWEST = 2, SHORT = 12 * 3600;

/** The clocks to choose from, by their names in `t.opening.clocks`. @type {Record<string, Clock | null>} */
const CLOCKS = {
  none: null,
  live: { kind: "per-move", seconds: 300 },
  day: { kind: "per-move", seconds: 86_400 },
  days: { kind: "per-move", seconds: 259_200 },
};
const COPIED = "copied";

/** Which field a problem without `errors` is about. @type {Record<string, string>} */
const ABOUT = { "wrong-seats": "seats", "bad-bot": "bots", "bad-option": "options", "unknown-edition": "edition" };

/** The settings that are folded up at first, by the names of the API. */
const MORE = ["title", "private", "hints", "showing", "talk", "names", "start"];

/** What somebody has chosen who is not signed in, or no longer, until they come back. It is not shown to another player.
 * @type {Partial<Opening> | null} */
let draft = null;

/** @type {import("./app.js").Opener} */
export function open(app) {
  return new Opening(app);
}

/** Return the number in a field; the text itself if it is none, which the service refuses. @param {string} text */
const numberIn = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text));

/** @implements {Screen} */
class Opening {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.closed = new AbortController();
    this.loading = new Loading(app);
    /** The player who has filled in the form; undefined if that may be anybody. @type {string | undefined} */
    this.writer = app.api.account?.player;
    app.api.addEventListener("account", () => this.keep(), { signal: this.closed.signal });
    /** @type {import("./parts.js").Editions} */
    this.editions = new Map();
    /** @type {Schemas["Bot"][]} */
    this.bots = [];
    /** The chosen edition's key, and its rules once they are loaded. */
    this.key = "";
    /** @type {Edition | null} */
    this.edition = null;
    this.seats = FIRST_SEATS;
    /** The bot of each seat but the player's, which is the first; "" is a seat for a player. @type {string[]} */
    this.places = Array.from({ length: 5 }, () => "");
    this.clock = "none";
    /** The clock of the game whose settings are copied. @type {Clock | null} */
    this.copied = null;
    this.nights = true;
    this.vacations = true;
    this.atTimeout = "pass";
    /** The bot that plays for somebody whose time ran out. */
    this.standIn = "";
    /** A number, or "" while the field is empty. @type {number | string} */
    this.misses = 1;
    /** Chosen values that differ from the defaults. @type {Record<string, unknown>} */
    this.options = {};
    /** Whether the options are shown. */
    this.shown = false;
    /** Whether the settings that fewer players need are shown. */
    this.more = false;
    this.hints = false;
    /** Whether cards may be shown; null: as the rulebook has it. @type {boolean | null} */
    this.showing = null;
    this.talk = "all";
    this.names = "shown";
    this.start = "auto";
    this.caption = "";
    this.private = false;
    this.busy = false;
    this.ready = false;
    /** The edition of the game whose settings are copied; "" if none are. */
    this.like = "";
    /** @type {unknown} */
    this.error = null;
    /** Why the rules of the edition that was chosen last were not loaded. @type {unknown} */
    this.unread = null;
    this.sent = { body: "", key: "" };
    /** What the address asks for. */
    this.query = location.search;
    this.load();
  }

  title() {
    return `${t.opening.title} · ${t.site.name}`;
  }

  close() {
    this.closed.abort();
    this.loading.stop();
    if (!this.app.api.account) this.keep();
  }

  keep() {
    if (!this.ready) return;
    const { writer, query, key, seats, places, clock, copied, nights, vacations, atTimeout, standIn, misses, options, shown, more, hints, showing, talk, names, start, caption } = this;
    draft = { writer, query, key, seats, places, clock, copied, nights, vacations, atTimeout, standIn, misses, options, shown, more, hints, showing, talk, names, start, caption, private: this.private };
  }

  async load() {
    const { api } = this.app;
    const { signal } = this.closed;
    const query = new URLSearchParams(this.query);
    const like = query.get("like");
    this.error = null;
    try {
      const [editions, bots, game, settings] = await Promise.all([
        loadEditions(this.app, signal),
        api.get("/v1/bots", { signal }),
        like ? api.get(`/v1/games/${encodeURIComponent(like)}`, { signal }).catch(this.unless("unknown-game")) : null,
        like ? api.get(`/v1/games/${encodeURIComponent(like)}/settings`, { signal }).catch(this.unless("unknown-game")) : null,
      ]);
      this.editions = editions;
      this.bots = bots.bots;
      this.standIn = usualBot(this.bots);
      if (!query.has("with")) this.places.fill(this.standIn);
      const wanted = query.get("edition") ?? "";
      const newest = [...editions.keys()][0] ?? "";
      const player = api.account?.player;
      const others = player && draft?.writer && draft.writer !== player;
      const linked = game || wanted;
      const kept = others || (linked && draft?.query !== this.query) ? null : draft;
      await this.choose(kept?.key ?? game?.edition ?? (editions.has(wanted) ? wanted : newest));
      if (game) this.copy(game);
      if (game && settings) Object.assign(this, { caption: settings.title ?? "", private: settings.private });
      this.more = this.changed() > 0;
      Object.assign(this, kept);
      this.writer = player ?? this.writer;
      draft = null;
      this.ready = true;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.error = error;
    }
    this.app.changed();
  }

  /** Show a refusal with a certain code beside the form, and go on without the data. @param {string} code */
  unless(code) {
    return (/** @type {unknown} */ error) => {
      if (!(error instanceof Refused) || error.code !== code) throw error;
      this.error = error;
      return null;
    };
  }

  /** @param {string} key */
  async choose(key) {
    this.key = key;
    this.edition = null;
    this.options = {};
    const { fewest, most } = this.editions.get(key)?.seats ?? { fewest: this.seats, most: this.seats };
    this.seats = Math.min(Math.max(this.seats, fewest), most);
    this.app.changed();
    const edition = await this.app.api.get(`/v1/editions/${key}`, { signal: this.closed.signal });
    if (this.key === key) this.edition = edition;
    this.app.changed();
  }

  /** Choose an edition by hand; one whose rules are refused is not chosen. @param {string} key */
  pick(key) {
    const { key: before, edition, options, seats } = this;
    this.error = this.unread = null;
    this.choose(key).catch((unread) => {
      if (this.closed.signal.aborted || this.key !== key) return;
      Object.assign(this, { key: before, edition, options, seats, unread });
      this.app.changed();
    });
  }

  /** Take the settings of a game. @param {Schemas["Game"]} game */
  copy(game) {
    this.like = game.edition;
    this.seats = game.seated.length;
    // The first seat is the player's; seats of bots may lie anywhere in the other game.
    const bots = game.seated.flatMap(({ player, bot }) => (player === null && bot !== null ? [bot] : []));
    const people = Math.max(0, this.seats - 1 - bots.length);
    this.places = this.places.map((_, index) => (index < people ? "" : (bots[index - people] ?? "")));
    this.hints = game.hints === "allowed";
    this.showing = game.showing === "allowed";
    this.talk = game.talk;
    this.names = game.names;
    this.start = game.start;
    for (const { key, default: normal } of this.edition?.options ?? []) {
      if (key in game.options && game.options[key] !== normal) this.options[key] = game.options[key];
    }
    this.shown = Object.keys(this.options).length > 0;
    if (!game.clock) return;
    const { kind, seconds, increment, cap, days_off, sleep_hours, vacation, at_timeout, misses, bot } = game.clock.settings;
    this.copied = { kind, seconds, days_off, ...(kind === "bank" ? { increment, cap } : {}) };
    const same = Object.entries(CLOCKS).find(([, clock]) => clock?.kind === kind && clock.seconds === seconds);
    this.clock = same && !days_off.length ? same[0] : COPIED;
    this.nights = sleep_hours;
    this.vacations = vacation;
    this.atTimeout = at_timeout;
    this.standIn = bot;
    this.misses = misses;
  }

  /** Return the chosen clock without the settings that every clock has. @returns {Clock | null} */
  chosenClock() {
    return this.clock === COPIED ? this.copied : (CLOCKS[this.clock] ?? null);
  }

  /** The request that opens the game. */
  body() {
    const clock = this.chosenClock();
    const bots = this.places.slice(0, this.seats - 1).map((bot, index) => ({ seat: index + 1, bot }));
    return {
      edition: this.key,
      seats: this.seats,
      options: this.options,
      bots: bots.filter(({ bot }) => bot),
      hints: this.hints ? "allowed" : "none",
      ...(this.showing === null ? {} : { showing: this.showing ? "allowed" : "none" }),
      talk: this.talk,
      names: this.names,
      start: this.start,
      title: this.caption.trim() || null,
      private: this.private,
      clock: clock && {
        ...clock,
        sleep_hours: this.nights,
        vacation: this.vacations,
        at_timeout: this.atTimeout,
        misses: this.misses,
        bot: this.standIn,
      },
    };
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (this.busy || !this.app.api.account) return;
    const body = this.body();
    const text = JSON.stringify(body);
    if (this.sent.body !== text) this.sent = { body: text, key: newKey() };
    this.busy = true;
    this.error = null;
    this.app.changed();
    try {
      const game = await this.app.api.post("/v1/games", body, { key: this.sent.key });
      if (!this.closed.signal.aborted) this.app.go(`/game/${game.id}`);
    } catch (error) {
      this.error = error;
      this.shown ||= this.wrong("options") !== nothing;
      this.more ||= MORE.some((part) => this.wrong(part) !== nothing);
      const first = Object.keys(this.errors())[0];
      if (first) focusAfterDrawing(this.controlOf(first));
    } finally {
      this.busy = false;
      this.app.changed();
    }
  }

  /** What is wrong with each field, by the names of the API. @returns {Record<string, string>} */
  errors() {
    if (!(this.error instanceof Refused)) return {};
    const { code, problem } = this.error;
    const place = ABOUT[code];
    if (!place) return fieldErrors(this.error);
    return { [problem.option ? `options.${problem.option}` : place]: problem.detail };
  }

  /** The texts at a field and at its parts. @param {string} part @returns {Drawn} */
  wrong(part) {
    const texts = Object.entries(this.errors()).filter(([name]) => name === part || name.startsWith(`${part}.`));
    return texts.length ? texts.map(([, text]) => html`<p>${text}</p>`) : nothing;
  }

  /** The id of the control that an error is about. @param {string} part */
  controlOf(part) {
    const [top, second] = part.split(".");
    if (top === "options" && second) return `new-option-${second}`;
    if (top === "bots") return "new-seat-1";
    if (top === "clock") return second === "misses" ? "new-misses" : "new-clock-none";
    return `new-${top}`;
  }

  /** @returns {Drawn} */
  view() {
    const marked = Object.keys(this.errors()).length > 0;
    return html`<h1>${t.opening.title}</h1>
      ${this.like ? html`<p class="quiet">${t.opening.copiedFrom(editionName(this.editions, this.like))}</p>` : nothing}
      ${!this.ready
        ? this.error
          ? failure(this.error, () => this.load())
          : this.loading.view()
        : html`<form class="new" novalidate @submit=${(/** @type {Event} */ event) => this.submit(event)}>
            ${this.editionField()} ${this.playersFields()} ${this.clockFields()} ${this.optionFields()} ${this.moreFields()}
            ${marked
              ? html`<p class="trouble" role="alert">${t.opening.check}</p>`
              : this.error
                ? trouble(this.error)
                : nothing}
            <div class="new-submit">
              <p role="status">${this.startText()}</p>
              ${this.app.api.account
                ? html`<button class="primary" type="submit" aria-disabled=${this.busy ? "true" : "false"}>
                    ${this.busy ? t.opening.creating : this.startsAtOnce ? t.opening.startNow : t.opening.create}
                  </button>`
                : html`<a class="button primary" href=${signInAddress()}>${t.opening.signIn}</a>`}
            </div>
          </form>`}`;
  }

  /** How many seats are for other players. */
  get free() {
    return this.places.slice(0, this.seats - 1).filter((bot) => !bot).length;
  }

  get startsAtOnce() {
    return this.start === "auto" && !this.free;
  }

  /** When the game starts. */
  startText() {
    if (this.startsAtOnce) return t.opening.startsAtOnce;
    return this.start === "owner" ? t.opening.startsByYou : t.opening.startsWhen(this.free);
  }

  /** @returns {Drawn} */
  editionField() {
    return html`${field({
      id: "new-edition",
      label: t.opening.edition,
      control: html`<select
        id="new-edition"
        aria-describedby=${described("new-edition")}
        .value=${live(this.key)}
        @change=${(/** @type {any} */ event) => this.pick(event.target.value)}
      >
        ${[...this.editions.keys()].map(
          (key) => html`<option value=${key} .selected=${key === this.key}>${editionName(this.editions, key)}</option>`,
        )}
      </select>`,
      help: this.about(),
      error: this.unread ? trouble(this.unread) : this.wrong("edition"),
    })}`;
  }

  /** What is different in the chosen edition, in four lines. @returns {Drawn} */
  about() {
    const { edition } = this;
    if (!edition) return html`<ul class="new-about" aria-busy="true"></ul>`;
    const { deck, publisher, year, seats, hand_size, cards_a_region, options } = edition;
    const goal = edition.goals.find((each) => each.seats === this.seats) ?? edition.goals[0];
    const specials = deck.filter(({ card }) => !card.startsWith("mercenary-")).map(({ label }) => label);
    const variants = options.filter(({ house }) => !house).map(({ label }) => label);
    return html`<ul class="new-about">
        <li>${t.opening.box(publisher, year, seats.fewest, seats.most)} ${t.opening.hand(hand_size, cards_a_region)}</li>
        <li>${goal ? t.opening.goal(goal.total, goal.adjacent, goal.battles) : nothing}</li>
        <li>${t.opening.specials(specials)}</li>
        <li>${t.opening.variants(variants, options.length > 0)}</li>
      </ul>
      <a class="new-rules" href=${`/rules/${edition.key}`}>${t.opening.read}</a>`;
  }

  /** @returns {Drawn} */
  tableFields() {
    const error = this.wrong("title");
    return html`${field({
        id: "new-title",
        label: t.opening.caption,
        control: html`<input
          id="new-title"
          maxlength="60"
          autocomplete="off"
          aria-describedby=${described("new-title")}
          aria-invalid=${error === nothing ? "false" : "true"}
          .value=${live(this.caption)}
          @input=${(/** @type {any} */ event) => this.set({ caption: event.target.value })}
        />`,
        help: t.opening.captionHelp,
        error,
      })}
      ${this.checkbox("new-private", t.opening.private, t.opening.privateHelp, this.private, (chosen) => this.set({ private: chosen }))}`;
  }

  /** @returns {Drawn} */
  playersFields() {
    const { fewest, most } = this.editions.get(this.key)?.seats ?? { fewest: FEWEST, most: FEWEST };
    const numbers = Array.from({ length: most - FEWEST + 1 }, (_, index) => index + FEWEST);
    const wrong = this.wrong("bots");
    return html`${field({
        id: "new-seats",
        label: t.opening.seats,
        control: html`<select
          id="new-seats"
          aria-describedby=${described("new-seats")}
          aria-invalid=${this.wrong("seats") === nothing ? "false" : "true"}
          @change=${(/** @type {any} */ event) => this.set({ seats: Number(event.target.value) })}
        >
          ${numbers.map(
            (seats) => html`<option value=${seats} .selected=${seats === this.seats}>
              ${seats < fewest ? t.opening.rarely(seats) : seats}
            </option>`,
          )}
        </select>`,
        error: this.wrong("seats"),
      })}
      <fieldset aria-describedby="new-bots-help">
        <legend>${t.opening.players}</legend>
        <ol class="new-places">
          <li><span>${t.opening.seat(0)}</span> <span>${t.opening.you}</span></li>
          ${Array.from({ length: this.seats - 1 }, (_, index) => this.place(index))}
        </ol>
        <div class="parts-error" role="alert">${wrong}</div>
        <details>
          <summary>${t.opening.aboutBots}</summary>
          <ul class="new-bots quiet" id="new-bots-help">
            ${this.bots.map((bot) => html`<li><strong>${bot.label}:</strong> ${bot.summary}</li>`)}
          </ul>
        </details>
      </fieldset>`;
  }

  /** A seat for a player or a bot. @param {number} index @returns {Drawn} */
  place(index) {
    const id = `new-seat-${index + 1}`;
    const chosen = this.places[index];
    return html`<li>
      <label for=${id}>${t.opening.seat(index + 1)}</label>
      <select
        id=${id}
        @change=${(/** @type {any} */ event) => {
          this.places[index] = event.target.value;
          this.set({});
        }}
      >
        <option value="" .selected=${!chosen}>${t.opening.person}</option>
        ${this.bots.map(
          ({ key, label }) => html`<option value=${key} .selected=${key === chosen}>${t.opening.bot(label)}</option>`,
        )}
      </select>
    </li>`;
  }

  /** Change something that is chosen; what was wrong before may be right now.
   * @param {Partial<Opening>} changed */
  set(changed) {
    Object.assign(this, changed);
    this.error = null;
    this.app.changed();
  }

  /** @returns {Drawn} */
  clockFields() {
    const names = [...Object.keys(CLOCKS), ...(this.copied && this.clock === COPIED ? [COPIED] : [])];
    const clock = this.chosenClock();
    /** @param {string} name */
    const words = (name) =>
      name === COPIED && this.copied
        ? t.opening.copied(clockWords(/** @type {any} */ ({ increment: 0, cap: 0, ...this.copied })))
        : t.opening.clocks[/** @type {keyof typeof t.opening.clocks} */ (name)];
    return html`<fieldset aria-describedby="new-clock-help">
      <legend>${t.opening.clock}</legend>
      <div class="new-choices">
        ${names.map((name) =>
          this.radio("clock", `new-clock-${name}`, words(name) ?? name, this.clock === name, () => this.chooseClock(name)),
        )}
      </div>
      <div class="parts-error" role="alert">${this.wrong("clock")}</div>
      <p class="quiet" id="new-clock-help">${t.opening.clockHelp}</p>
      ${clock ? this.timeoutFields() : nothing}
    </fieldset>`;
  }

  /** @param {string} name */
  chooseClock(name) {
    const long = (CLOCKS[name]?.seconds ?? SHORT) >= SHORT;
    this.set({ clock: name, nights: long, vacations: long });
  }

  /** @returns {Drawn} */
  timeoutFields() {
    return html`${this.checkbox("new-nights", t.opening.nights, t.opening.nightsHelp, this.nights, (nights) => this.set({ nights }))}
      ${this.checkbox("new-vacations", t.opening.vacations, nothing, this.vacations, (vacations) => this.set({ vacations }))}
      ${field({
        id: "new-timeout",
        label: t.opening.atTimeout,
        control: html`<select
          id="new-timeout"
          aria-describedby=${described("new-timeout")}
          @change=${(/** @type {any} */ event) => this.set({ atTimeout: event.target.value })}
        >
          ${Object.entries(t.opening.timeouts).map(
            ([key, text]) => html`<option value=${key} .selected=${key === this.atTimeout}>${text}</option>`,
          )}
        </select>`,
      })}
      ${this.atTimeout === "bot" ? this.standInField() : nothing}
      ${field({
        id: "new-misses",
        label: t.opening.misses,
        control: html`<input
          id="new-misses"
          type="number"
          min="1"
          max="10"
          inputmode="numeric"
          aria-describedby=${described("new-misses")}
          .value=${String(this.misses)}
          @input=${(/** @type {any} */ event) => this.set({ misses: numberIn(event.target.value) })}
        />`,
      })}`;
  }

  /** @returns {Drawn} */
  standInField() {
    const standIn = this.bots.find(({ key }) => key === this.standIn);
    return field({
      id: "new-bot",
      label: t.opening.standIn,
      control: html`<select
        id="new-bot"
        aria-describedby=${described("new-bot")}
        @change=${(/** @type {any} */ event) => this.set({ standIn: event.target.value })}
      >
        ${this.bots.map(({ key, label }) => html`<option value=${key} .selected=${key === this.standIn}>${label}</option>`)}
      </select>`,
      help: standIn?.summary ?? nothing,
    });
  }

  /** @returns {Drawn} */
  optionFields() {
    const options = this.edition?.options ?? [];
    const changed = Object.keys(this.options).length;
    if (!options.length) return html`<p class="quiet">${this.edition ? t.opening.noOptions : nothing}</p>`;
    return html`<details
      class="new-options"
      ?open=${this.shown}
      @toggle=${(/** @type {any} */ event) => (this.shown = event.target.open)}
    >
      <summary>${t.opening.optionsChanged(changed)}</summary>
      ${Object.keys(this.errors()).includes("options")
        ? html`<div class="parts-error" role="alert">${this.wrong("options")}</div>`
        : nothing}
      ${options.map((option) => this.option(option))}
      ${options.some(({ house }) => house) ? html`<p class="quiet">${t.opening.houseHelp}</p>` : nothing}
    </details>`;
  }

  /** @param {Option} option @returns {Drawn} */
  option(option) {
    const id = `new-option-${option.key}`;
    const value = this.options[option.key] ?? option.default;
    const label = html`${option.label} ${option.house ? html`<span class="new-house">${t.opening.house}</span>` : nothing}`;
    /** @param {unknown} chosen */
    const choose = (chosen) => {
      const options = { ...this.options, [option.key]: chosen };
      if (chosen === option.default) delete options[option.key];
      this.set({ options });
    };
    const error = this.wrong(`options.${option.key}`);
    const invalid = error === nothing ? "false" : "true";
    if (typeof option.default === "boolean") {
      return html`${this.checkbox(id, label, option.summary, value === true, choose)}
        <div class="parts-error" role="alert">${error}</div>`;
    }
    const control = option.values?.length
      ? html`<select
          id=${id}
          aria-describedby=${described(id)}
          aria-invalid=${invalid}
          @change=${(/** @type {any} */ event) => choose(event.target.value)}
        >
          ${option.values.map((each) => html`<option value=${each} .selected=${each === value}>${t.parts.value(each)}</option>`)}
        </select>`
      : html`<input
          id=${id}
          type="number"
          inputmode="numeric"
          min=${option.minimum ?? nothing}
          max=${option.maximum ?? nothing}
          aria-describedby=${described(id)}
          aria-invalid=${invalid}
          .value=${String(value)}
          @input=${(/** @type {any} */ event) => choose(numberIn(event.target.value))}
        />`;
    return html`<div class="parts-field">
      <label for=${id}>${label}</label>
      ${control}
      <div id=${`${id}-error`} class="parts-error" role="alert">${error}</div>
      <div id=${`${id}-help`} class="parts-help quiet">${option.summary}</div>
    </div>`;
  }

  /** How many of the settings that fewer players need are not the usual ones. */
  changed() {
    const { caption, edition, hints, names, showing, start, talk } = this;
    const shows = showing !== null && showing !== (edition?.shows_cards ?? false);
    return [caption.trim(), this.private, hints, shows, talk !== "all", names !== "shown", start !== "auto"].filter(Boolean).length;
  }

  /** The settings that fewer players need. @returns {Drawn} */
  moreFields() {
    return html`<details
      class="new-options"
      ?open=${this.more}
      @toggle=${(/** @type {any} */ event) => (this.more = event.target.open)}
    >
      <summary><span>${t.opening.more(this.changed())} <small class="quiet">${t.opening.moreHelp}</small></span></summary>
      ${this.tableFields()} ${this.hintFields()} ${this.showingFields()} ${this.talkFields()} ${this.nameFields()}
      ${this.startFields()}
    </details>`;
  }

  /** @returns {Drawn} */
  hintFields() {
    return html`<fieldset>
      <legend>${t.opening.hints}</legend>
      ${this.checkbox("new-hints", t.opening.allowHints, t.opening.hintsHelp, this.hints, (hints) => this.set({ hints }))}
    </fieldset>`;
  }

  /** @returns {Drawn} */
  showingFields() {
    const allowed = this.showing ?? this.edition?.shows_cards ?? false;
    return html`<fieldset>
      <legend>${t.opening.showing}</legend>
      ${this.checkbox("new-showing", t.opening.allowShowing, t.showing.allowedHelp, allowed, (showing) => this.set({ showing }))}
    </fieldset>`;
  }

  /** @returns {Drawn} */
  talkFields() {
    return html`<fieldset>
      <legend>${t.talk.title}</legend>
      <div class="new-choices">
        ${Object.entries(t.opening.talk).map(([rule, text]) =>
          this.radio("talk", `new-talk-${rule}`, text, this.talk === rule, () => this.set({ talk: rule })),
        )}
      </div>
    </fieldset>`;
  }

  /** @returns {Drawn} */
  nameFields() {
    const hides = this.names === "hidden";
    return html`<fieldset>
      <legend>${t.opening.names}</legend>
      ${this.checkbox("new-names", t.opening.hideNames, t.opening.hiddenHelp, hides, (on) => this.set({ names: on ? "hidden" : "shown" }))}
    </fieldset>`;
  }

  /** @returns {Drawn} */
  startFields() {
    return html`<fieldset>
      <legend>${t.opening.start}</legend>
      <div class="new-choices">
        ${this.radio("start", "new-start-auto", t.opening.auto, this.start === "auto", () => this.set({ start: "auto" }))}
        ${this.radio("start", "new-start-owner", t.opening.byOwner, this.start === "owner", () => this.set({ start: "owner" }))}
      </div>
    </fieldset>`;
  }

  /** @param {string} name @param {string} id @param {string} text @param {boolean} chosen @param {() => void} choose
   * @returns {Drawn} */
  radio(name, id, text, chosen, choose) {
    return html`<label class="new-check" for=${id}>
      <input type="radio" name=${name} id=${id} .checked=${live(chosen)} @change=${choose} /> <span>${text}</span>
    </label>`;
  }

  /** @param {string} id @param {Drawn} text @param {Drawn} help @param {boolean} chosen
   * @param {(chosen: boolean) => void} choose @returns {Drawn} */
  checkbox(id, text, help, chosen, choose) {
    return html`<div class="new-option">
      <label class="new-check" for=${id}>
        <input
          type="checkbox"
          id=${id}
          aria-describedby=${`${id}-help`}
          .checked=${live(chosen)}
          @change=${(/** @type {any} */ event) => choose(event.target.checked)}
        />
        <span>${text}</span>
      </label>
      <p class="quiet parts-help" id=${`${id}-help`}>${help}</p>
    </div>`;
  }
}
