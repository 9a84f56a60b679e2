// The settings: how the board looks in this browser, and what belongs to the player's account.

import { Unreachable, attempt, pause } from "./api.js";
import { replacing } from "./replacing.js";
import { changeLook, look, retry, trouble } from "./app.js";
import { around, copy } from "./clipboard.js";
import { t } from "./texts.screens.js";
import { Notices } from "./notices.js";
import { Loading } from "./parts.js";
import { SETTINGS, keep, takeBack } from "./unsent.js";
import { html, live, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").Look} Look */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {"email" | "push" | "chats" | "account" | "hours" | "vacation" | "orders" | "blocks" | "token" | "devices" | "recovery" | "data" | "end"} Part */
/**
 * @typedef {object} Question what is asked before something that cannot be taken back
 * @property {string} title
 * @property {string} text
 * @property {string} confirm what the button that does it says
 * @property {string} [word] what must be typed
 * @property {Part} part
 * @property {() => Promise<void>} act
 */

/** Milliseconds for which what belongs to the account waits to be drawn in one go. */
const LONGEST = 4_000;
const ALL = ["read", "play", "webhooks", "account"],
  ONLY_PLAY = ["read", "play"];
/** What is folded up at first. @type {Part[]} */
const TECHNICAL = ["chats", "token", "data"];
/** In milliseconds. */
const SHORTEST_VACATION = 3_600_000;
/** The fields of the settings that are not sent at once, without those for codes and for the address of a chat: with such
 * an address, anybody may write to the chat. */
const WRITTEN = ["zone", "from", "until", "auto", "end", "all", "address", "format"];

/** What has been done, said after the screen was opened again because of it. */
let done = "";

/** @type {import("./app.js").Opener} */
export function open(app) {
  const settings = new Settings(app);
  settings.load();
  return {
    title: () => t.site.settings,
    view: () => settings.view(),
    close: () => (settings.closed.abort(), settings.loading.stop()),
  };
}

class Settings {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.closed = new AbortController();
    this.loading = new Loading(app);
    /** Whether what belongs to the account is drawn: one part that came after the others would move them. */
    this.complete = false;
    /** @type {Schemas["Me"] | null} */
    this.me = null;
    /** @type {Schemas["Token"][] | null} */
    this.tokens = null;
    /** The standing orders in all running games. @type {Schemas["OrdersInGame"][] | null} */
    this.orders = null;
    /** The players whose messages are not shown. @type {Schemas["Block"][] | null} */
    this.blocks = null;
    this.notices = new Notices(this);
    /** Its script is loaded after the screen. @type {import("./chats.js").Chats | null} */
    this.chats = null;
    /** What went wrong, by the part in which it did. @type {Map<Part, unknown>} */
    this.errors = new Map();
    /** The part that waits for the service. @type {Part | null} */
    this.busy = null;
    this.showsToken = false;
    /** Whether the technical settings are shown. */
    this.unfolded = Boolean(done) || TECHNICAL.some((part) => location.hash === `#settings-${part}`);
    /** @type {Schemas["DeviceCode"] | null} */
    this.device = null;
    this.recovery = "";
    /** @type {Question | null} */
    this.question = null;
    /** What is written in the fields and not sent, by their names. @type {Record<string, any>} */
    this.written = takeBack({ app, id: SETTINGS }, "fields") ?? {};
    this.keepWritten();
    /** What has been done, and in which part. @type {{part: Part, text: string} | null} */
    this.done = done ? { part: "token", text: done } : null;
    if (done) app.changed().then(() => this.done && app.say(this.done.text));
    done = "";
  }

  async load() {
    if (!this.app.api.account) return;
    const { signal } = this.closed;
    const loaded = [
      this.try("account", async () => {
        this.me = await this.app.api.get("/v1/me", { signal });
      }),
      this.try("email", () => this.notices.load()),
      this.try("chats", () => this.loadChats()),
      this.try("orders", () => this.loadOrders()),
      this.try("blocks", () => this.loadBlocks()),
      this.try("devices", () => this.loadTokens()),
    ];
    await Promise.race([Promise.all(loaded), pause(LONGEST, signal).catch(() => {})]);
    this.complete = true;
    this.loading.stop();
    this.app.changed();
  }

  /** Keep what is written when the account changes, for the same player. */
  keepWritten() {
    const { api } = this.app;
    const player = api.account?.player;
    const changed = () => player && keep(player, SETTINGS, { fields: this.written });
    api.addEventListener("account", changed, { signal: this.closed.signal });
  }

  /** Something was written in a field or chosen. @param {Event} event */
  write({ target }) {
    const { name, type, value, checked } = /** @type {HTMLInputElement} */ (target);
    if (WRITTEN.includes(name)) this.written[name] = type === "checkbox" ? checked : value;
  }

  /** Fields were sent: they show what the service has. @param {string[]} names */
  sent(...names) {
    for (const name of names) delete this.written[name];
  }

  async loadChats() {
    const { Chats } = await import("./chats.js").catch((error) => {
      throw new Unreachable(String(error));
    });
    this.chats ??= new Chats(this);
    await this.chats.load();
  }

  async loadOrders() {
    /** @type {Schemas["OrdersInGame"][]} */
    const found = [];
    for (let next = ""; next !== null; ) {
      const cursor = next && `?cursor=${next}`;
      const page = await this.app.api.get(`/v1/me/orders${cursor}`, { signal: this.closed.signal });
      found.push(...page.orders);
      next = page.next;
    }
    this.orders = found;
  }

  async loadBlocks() {
    this.blocks = (await this.app.api.get("/v1/me/blocks", { signal: this.closed.signal })).blocks;
  }

  async loadTokens() {
    this.tokens = (await this.app.api.get("/v1/me/tokens", { signal: this.closed.signal })).tokens;
  }

  /** Do something, and keep what goes wrong beside the part that it belongs to.
   * @param {Part} part @param {() => Promise<void>} act @param {string} [text] to say when it is done */
  async try(part, act, text) {
    this.errors.delete(part);
    if (this.done?.part === part) this.done = null;
    this.busy = part;
    this.app.changed();
    try {
      await act();
      if (text) {
        this.done = { part, text };
        this.app.say(text);
      }
    } catch (error) {
      if (this.closed.signal.aborted) return;
      this.errors.set(part, error);
      this.unfolded ||= TECHNICAL.includes(part);
    } finally {
      if (this.busy === part) this.busy = null;
      this.app.changed();
    }
  }

  /** @returns {Drawn} */
  view() {
    const { account } = this.app.api;
    return html`<div class="settings" @input=${(/** @type {Event} */ event) => this.write(event)}>
      <h1>${t.site.settings}</h1>
      ${this.looks()} ${this.notifications()}
      ${
        account && !this.complete
          ? this.loading.view()
          : account
          ? [
              this.account(account.name, account.player),
              this.notices.found ? this.notices.view() : this.part("email", t.notices.email, nothing),
              this.me ? [this.hours(this.me.hours), this.vacation(this.me.hours.vacation)] : nothing,
              this.standingOrders(),
              this.blocked(),
              this.devices(),
              this.recoveryCode(),
              this.end(account.name),
              this.technical(account.token),
            ]
          : html`<p><a class="button primary" href="/signin">${t.site.signIn}</a> ${t.settings.signedOut}</p>`
      }
      ${this.question ? this.dialog(this.question) : nothing}
    </div>`;
  }

  /** What only few players need; shown if something has happened in it. @param {string} token @returns {Drawn} */
  technical(token) {
    return html`<details
      class="settings-technical"
      ?open=${this.unfolded}
      @toggle=${(/** @type {any} */ event) => (this.unfolded = event.target.open)}
    >
      <summary><span>${t.settings.technical} <small class="quiet">${t.settings.aboutTechnical}</small></span></summary>
      ${this.chats?.found ? this.chats.view() : this.part("chats", t.chats.heading, nothing)} ${this.token(token)}
      ${this.data()}
    </details>`;
  }

  /** @param {Part} part @param {string} heading @param {Drawn} content @returns {Drawn} */
  part(part, heading, content) {
    const error = this.errors.get(part);
    return html`<section aria-labelledby=${`settings-${part}`}>
      <h2 id=${`settings-${part}`}>${heading}</h2>
      ${content}
      ${error ? (this.lacks(part) ? retry(error, () => this.load()) : trouble(error)) : nothing}
      ${this.done?.part === part ? html`<p class="settings-done">${this.done.text}</p>` : nothing}
    </section>`;
  }

  /** Whether what a part shows was not loaded. @param {Part} part */
  lacks(part) {
    const { blocks, me: account, orders, tokens: devices } = this;
    /** @type {Partial<Record<Part, unknown>>} */
    const loaded = { account, email: this.notices.found, chats: this.chats?.found, orders, blocks, devices };
    return part in loaded && !loaded[part];
  }

  /** @returns {Drawn} */
  looks() {
    const now = look();
    /** @param {Partial<Look>} changes */
    const change = (changes) => {
      changeLook(changes);
      this.app.changed();
    };
    /** @param {"colours" | "motion"} name @param {Record<string, string>} choices */
    const choice = (name, choices) =>
      html`<fieldset>
        <legend>${t.settings[name]}</legend>
        ${Object.entries(choices).map(
          ([value, text]) =>
            html`<label class="settings-choice">
              <input
                type="radio"
                name=${name}
                value=${value}
                .checked=${live(now[name] === value)}
                @change=${() => change({ [name]: value })}
              />
              ${text}
            </label>`,
        )}
      </fieldset>`;
    return html`<section aria-labelledby="settings-look">
      <h2 id="settings-look">${t.settings.look}</h2>
      <p class="quiet">${t.settings.thisBrowser}</p>
      ${choice("colours", t.settings.colourChoices)} ${choice("motion", t.settings.motionChoices)}
      ${this.tick("quickMoves")} ${this.tick("keys")}
    </section>`;
  }

  /** What tells the player of a turn. @returns {Drawn} */
  notifications() {
    return html`<section aria-labelledby="settings-notifications">
      <h2 id="settings-notifications">${t.settings.notifications}</h2>
      <p class="quiet">${t.settings.thisBrowser}</p>
      ${this.tick("sound")}
    </section>`;
  }

  /** A setting of this browser that is on or off. @param {"quickMoves" | "keys" | "sound"} name @returns {Drawn} */
  tick(name) {
    /** @param {Event} event */
    const change = (event) => {
      changeLook({ [name]: /** @type {HTMLInputElement} */ (event.target).checked });
      this.app.changed();
    };
    return html`<label class="settings-choice">
      <input type="checkbox" .checked=${live(look()[name])} @change=${change} />
      <span>${t.settings[name]} <small class="quiet">${t.settings.about[name]}</small></span>
    </label>`;
  }

  /** @param {string} name @param {string} id @returns {Drawn} */
  account(name, id) {
    return this.part(
      "account",
      t.settings.account,
      html`<p>${t.settings.playsAs} <a href=${`/player/${id}`}>${name}</a></p>
        ${this.app.api.unstored ? html`<p>${t.site.unstored}</p>` : nothing}`,
    );
  }

  /** @param {Schemas["Hours"]} hours @returns {Drawn} */
  hours({ time_zone, sleep, auto_vacation }) {
    const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    /** @param {SubmitEvent} event */
    const save = (event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      const from = String(form.get("from")),
        until = String(form.get("until"));
      const body = {
        time_zone: String(form.get("zone")).trim(),
        sleep: from || until ? { from, until } : null,
        auto_vacation: form.has("auto"),
      };
      const act = async () => {
        this.use(await this.app.api.write("PATCH", "/v1/me", { body }));
        this.sent("zone", "from", "until", "auto");
      };
      this.try("hours", act, t.settings.saved);
    };
    const useHere = () => {
      this.written["zone"] = here;
      this.app.changed();
    };
    const { written } = this;
    return this.part(
      "hours",
      t.settings.hours,
      html`<p class="quiet">${t.settings.aboutHours}</p>
        <form class="settings-form" action="/" @submit=${save}>
          <label
            >${t.settings.zone}
            <input name="zone" list="settings-zones" autocomplete="off" required .value=${live(written["zone"] ?? time_zone)}
          /></label>
          <datalist id="settings-zones">
            ${Intl.supportedValuesOf("timeZone").map((zone) => html`<option value=${zone}></option>`)}
          </datalist>
          ${here === time_zone
            ? nothing
            : html`<button type="button" @click=${useHere}>${t.settings.useHere(here)}</button>`}
          <label>${t.settings.from} <input type="time" name="from" .value=${live(written["from"] ?? sleep?.from ?? "")} /></label>
          <label>${t.settings.until} <input type="time" name="until" .value=${live(written["until"] ?? sleep?.until ?? "")} /></label>
          <label class="settings-choice">
            <input type="checkbox" name="auto" .checked=${live(written["auto"] ?? auto_vacation)} />
            <span>${t.settings.autoVacation}</span>
          </label>
          <button class="primary" ?disabled=${this.busy === "hours"}>${t.settings.save}</button>
        </form>`,
    );
  }

  /** @param {Schemas["Hours"]} hours that the service has now */
  use(hours) {
    if (this.me) this.me = { ...this.me, hours };
  }

  /** @param {Schemas["Vacation"]} vacation @returns {Drawn} */
  vacation({ left, away, until }) {
    /** @param {SubmitEvent} event */
    const begin = (event) => {
      event.preventDefault();
      const end = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("end");
      const body = end ? { until: new Date(String(end)).getTime() } : {};
      const act = async () => {
        this.use(await this.app.api.post("/v1/me/vacation", body));
        this.sent("end");
      };
      this.try("vacation", act, t.settings.begun);
    };
    const comeBack = () =>
      this.try(
        "vacation",
        async () => this.use(await this.app.api.write("DELETE", "/v1/me/vacation")),
        t.settings.ended,
      );
    return this.part(
      "vacation",
      t.settings.vacation,
      html`<p>${t.settings.left(t.player.duration(left))}</p>
        ${
          away
            ? html`<p>${t.settings.away(until === null ? "" : t.settings.moment(until))}</p>
                <button ?disabled=${this.busy === "vacation"} @click=${comeBack}>${t.settings.comeBack}</button>`
            : html`<form class="settings-form" action="/" @submit=${begin}>
                <label>${t.settings.vacationUntil} <input type="datetime-local" name="end" .value=${live(this.written["end"] ?? "")} /></label>
                <button
                  ?disabled=${this.busy === "vacation" || left < SHORTEST_VACATION}
                  aria-describedby=${left < SHORTEST_VACATION ? "too-short" : nothing}
                >
                  ${t.settings.goAway}
                </button>
                ${left < SHORTEST_VACATION ? html`<p id="too-short" class="quiet">${t.settings.tooShort}</p>` : nothing}
              </form>`
        }`,
    );
  }

  /** @returns {Drawn} */
  standingOrders() {
    return this.part(
      "orders",
      t.orders.heading,
      html`<p class="quiet">${t.settings.aboutOrders}</p>
        ${this.orders?.length === 0 ? html`<p>${t.settings.noOrders}</p>` : nothing}
        <ul class="settings-tokens">
          ${(this.orders ?? []).map((orders) => this.ordersIn(orders))}
        </ul>`,
    );
  }

  /** @param {Schemas["OrdersInGame"]} orders @returns {Drawn} */
  ordersIn({ game, battle, after_battle: after, version }) {
    const withdraw = () =>
      this.try("orders", async () => {
        try {
          await this.app.api.write("DELETE", `/v1/games/${game}/orders`, { match: `"${version}"` });
        } finally {
          await this.loadOrders();
        }
      });
    const texts = [battle && t.settings.inBattle(t.orders.kinds[battle.type]), after && t.orders.after[after]];
    return html`<li>
      <div>
        <a href=${`/game/${game}`}>${t.settings.game(game)}</a>
        <p class="quiet">${texts.filter(Boolean).join(" ")}</p>
      </div>
      <button ?disabled=${this.busy === "orders"} aria-label=${t.settings.withdrawIn(game)} @click=${withdraw}>
        ${t.orders.withdraw}
      </button>
    </li>`;
  }

  /** @returns {Drawn} */
  blocked() {
    return this.part(
      "blocks",
      t.settings.blocks,
      html`<p class="quiet">${t.settings.aboutBlocks} <a href="/guide/talk#people-you-do-not-want-to-hear">${t.talk.about}</a></p>
        ${this.blocks?.length === 0 ? html`<p>${t.settings.noBlocks}</p>` : nothing}
        <ul class="settings-tokens">
          ${(this.blocks ?? []).map((block) => this.block(block))}
        </ul>`,
    );
  }

  /** @param {Schemas["Block"]} block @returns {Drawn} */
  block({ name, player }) {
    const known = name ?? t.parts.deleted;
    const unblock = () =>
      this.try("blocks", async () => {
        await this.app.api.write("DELETE", `/v1/me/blocks/${player}`);
        await this.loadBlocks();
      }, t.settings.unblocked(known));
    return html`<li>
      <bdi>${known}</bdi>
      <button ?disabled=${this.busy === "blocks"} @click=${unblock}>${t.settings.unblock(known)}</button>
    </li>`;
  }

  /** @param {string} token @returns {Drawn} */
  token(token) {
    const show = () => {
      this.showsToken = !this.showsToken;
      this.app.changed();
    };
    /** @type {() => Promise<void>} */
    const swap = async () => {
      const { api } = this.app;
      const { account } = api;
      const stays = attempt(() => localStorage.getItem("condottiere.account")) !== null;
      const answer = await api.post("/v1/me/token", {}, { replaces: true });
      if (api.account !== account) return;
      // If this screen is still shown, this opens it again. The earlier token no longer works, so this happens anyway.
      if (!this.closed.signal.aborted) done = t.settings.tokenReplaced;
      api.signIn({ token: answer.token, player: answer.id, name: answer.name }, stays);
    };
    const replace = () => replacing(swap);
    const ask = () => this.ask({ ...t.settings.askReplace, part: "token", act: replace });
    return this.part(
      "token",
      t.settings.token,
      html`<p class="quiet">${t.settings.aboutToken}</p>
        ${this.showsToken ? this.secret(token) : nothing}
        <div class="settings-buttons">
          <button aria-expanded=${String(this.showsToken)} @click=${show}>
            ${this.showsToken ? t.settings.hideToken : t.settings.showToken}
          </button>
          <button @click=${ask}>${t.settings.replaceToken}</button>
        </div>`,
    );
  }

  /** @returns {Drawn} */
  devices() {
    const { device } = this;
    /** @param {SubmitEvent} event */
    const add = (event) => {
      event.preventDefault();
      const all = new FormData(/** @type {HTMLFormElement} */ (event.target)).has("all");
      this.try("devices", async () => {
        this.device = await this.app.api.post("/v1/me/devices", { scopes: all ? ALL : ONLY_PLAY });
        this.app.say(t.settings.codeMade);
      });
    };
    return this.part(
      "devices",
      t.settings.devices,
      html`<p class="quiet">${t.settings.aboutDevices}</p>
        <ul class="settings-tokens">
          ${(this.tokens ?? []).map((token) => this.oneToken(token))}
        </ul>
        <form class="settings-form" action="/" @submit=${add}>
          <label class="settings-choice">
            <input type="checkbox" name="all" .checked=${live(this.written["all"] ?? true)} /> <span>${t.settings.everything}</span>
          </label>
          <button ?disabled=${this.busy === "devices"}>${t.settings.addDevice}</button>
        </form>
        ${
          device
            ? html`<p>${t.settings.codeFor(`${location.origin}/signin`, t.settings.moment(device.expires_at))}</p>
                ${this.secret(device.code)}`
            : nothing
        }`,
    );
  }

  /** @param {Schemas["Token"]} token @returns {Drawn} */
  oneToken({ id, name: given, scopes, created_at, expires_at, last_used_at, current }) {
    // A device that a player has named keeps its name.
    const unnamed = Object.hasOwn(t.settings.tokens, given);
    const name = !unnamed ? given : current ? t.settings.thisDevice : (t.settings.tokens[given] ?? given);
    const act = async () => {
      await this.app.api.write("DELETE", `/v1/me/tokens/${id}`);
      await this.loadTokens();
    };
    const ask = () => this.ask({ ...t.settings.askRevoke(name), part: "devices", act });
    return html`<li>
      <div>
        <strong>${name}</strong> ${current && !unnamed ? t.settings.current : nothing}
        <p class="quiet">
          ${t.settings.scopes(scopes)} ${t.settings.made(t.settings.moment(created_at))}
          ${last_used_at === null ? t.settings.unused : t.settings.used(t.settings.moment(last_used_at))}
          ${expires_at === null ? nothing : t.settings.expires(t.settings.moment(expires_at))}
        </p>
      </div>
      ${current
        ? nothing
        : html`<button aria-label=${t.settings.revokeOne(name)} @click=${ask}>${t.settings.revoke}</button>`}
    </li>`;
  }

  /** @returns {Drawn} */
  recoveryCode() {
    const act = async () => {
      this.recovery = (await this.app.api.post("/v1/me/recovery-code", undefined)).recovery_code;
    };
    const ask = () => this.ask({ ...t.settings.askRecovery, part: "recovery", act });
    return this.part(
      "recovery",
      t.settings.recovery,
      html`<p class="quiet">${t.settings.aboutRecovery}</p>
        ${
          this.recovery
            ? html`<p>${t.settings.keepRecovery}</p>
                ${this.secret(this.recovery)}`
            : nothing
        }
        <button ?disabled=${this.busy === "recovery"} @click=${ask}>${t.settings.newRecovery}</button>`,
    );
  }

  /** @returns {Drawn} */
  data() {
    const load = () =>
      this.try("data", async () => {
        const found = await this.app.api.get("/v1/me/export");
        const address = URL.createObjectURL(new Blob([JSON.stringify(found, null, 2)], { type: "application/json" }));
        const link = Object.assign(document.createElement("a"), { href: address, download: "condottiere.json" });
        link.click();
        URL.revokeObjectURL(address);
      });
    return this.part(
      "data",
      t.settings.data,
      html`<p class="quiet">${t.settings.aboutData}</p>
        <button ?disabled=${this.busy === "data"} @click=${load}>${t.settings.load}</button>`,
    );
  }

  /** @param {string} name @returns {Drawn} */
  end(name) {
    const { api } = this.app;
    const { account } = api;
    const leave = async () => {
      api.signOut();
      await this.app.go("/");
    };
    const remove = async () => {
      await api.write("DELETE", "/v1/me", { body: { name } });
      if (api.account === account) await leave();
    };
    return this.part(
      "end",
      t.settings.end,
      html`<div class="settings-buttons">
        <button @click=${() => this.ask({ ...t.settings.askLeave, part: "end", act: leave })}>${t.site.signOut}</button>
        <button
          class="settings-delete"
          @click=${() => this.ask({ ...t.settings.askDelete, word: name, part: "end", act: remove })}
        >
          ${t.settings.remove}
        </button>
      </div>`,
    );
  }

  /** A text that gives access to the account: selectable, and with a button that copies it. @param {string} text
   * @returns {Drawn} */
  secret(text) {
    const press = async (/** @type {Event} */ event) => {
      if (await copy(text, around(event))) this.app.say(t.settings.copied);
    };
    return html`<p class="settings-secret">
      <code>${text}</code> <button @click=${press}>${t.settings.copy}</button> <output></output>
    </p>`;
  }

  /** @param {Question} question */
  ask(question) {
    this.question = question;
    this.app.changed();
  }

  /** @param {Question} question @returns {Drawn} */
  dialog({ title, text, confirm, word, part, act }) {
    /** @param {Element | undefined} element */
    const show = (element) => {
      // An element can be shown once all of the page is drawn.
      queueMicrotask(() => element instanceof HTMLDialogElement && !element.open && element.showModal());
    };
    /** @param {Event} event */
    const close = (event) => /** @type {Element} */ (event.target).closest("dialog")?.close();
    const closed = () => {
      this.question = null;
      this.app.changed();
    };
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      const typed = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("word");
      if (word && typed !== word) return;
      close(event);
      this.try(part, act);
    };
    return html`<dialog class="settings-question" aria-labelledby="settings-question" ${ref(show)} @close=${closed}>
      <form action="/" @submit=${submit}>
        <h2 id="settings-question">${title}</h2>
        <p>${text}</p>
        ${
          word
            ? html`<label
                >${t.settings.typeName(word)} <input name="word" required autocomplete="off" pattern=${escaped(word)}
              /></label>`
            : nothing
        }
        <div class="settings-buttons">
          <button class="primary">${confirm}</button>
          <button type="button" @click=${close}>${t.site.cancel}</button>
        </div>
      </form>
    </dialog>`;
  }
}

/** @param {string} text @returns {string} a pattern that only this text fits */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
