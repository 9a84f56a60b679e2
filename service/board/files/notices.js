// What tells the player of a turn while no page is open: e-mail, and notifications of browsers.

import { t } from "./texts.screens.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {"email" | "push"} Way */
/**
 * @typedef {object} Settings the part of the screen that draws these parts
 * @property {App} app
 * @property {unknown} busy
 * @property {AbortController} closed
 * @property {Record<string, any>} written what is written in fields and not sent
 * @property {(...names: string[]) => void} sent
 * @property {(part: Way, heading: string, content: Drawn) => Drawn} part
 * @property {(part: Way, act: () => Promise<void>, text?: string) => Promise<void>} try
 */

const PATH = "/v1/me/notices";
const EVENTS = /** @type {const} */ ([
  "turn.started",
  "turn.reminder",
  "turn.expired",
  "game.started",
  "game.ended",
  "invitation.received",
  "rematch.proposed",
  "message.received",
]);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export class Notices {
  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    /** @type {Schemas["Notices"] | null} */
    this.found = null;
    /** The address of this browser at its push service, or "". */
    this.endpoint = "";
  }

  async load() {
    this.found = await this.settings.app.api.get(PATH, { signal: this.settings.closed.signal });
    this.endpoint = (await subscription())?.endpoint ?? "";
  }

  /** @returns {Drawn[]} */
  view() {
    if (!this.found) return [];
    return [this.email(this.found.email), this.push(this.found.push)];
  }

  /** Send the whole choice, with some of it changed, which is shown at once.
   * @param {Way} way @param {Partial<Schemas["EmailWishes"]>} changes */
  change(way, changes) {
    const { found, settings } = this;
    if (!found) return;
    this.found = { ...found, [way]: { ...found[way], ...changes } };
    const { email, push } = this.found;
    const body = { email: { events: email.events, digest: email.digest }, push: { events: push.events } };
    const act = async () => {
      try {
        this.use(await settings.app.api.write("PUT", PATH, { body }));
      } catch (error) {
        this.use(found);
        throw error;
      }
    };
    settings.try(way, act, t.settings.saved);
  }

  /** @param {Schemas["Notices"]} found */
  use(found) {
    this.found = found;
  }

  /** @param {Schemas["EmailNotices"]} email @returns {Drawn} */
  email(email) {
    return this.settings.part(
      "email",
      t.notices.email,
      html`<p class="quiet">${email.available ? t.notices.aboutEmail : t.notices.noEmail}</p>
        ${email.available || email.address ? this.address(email) : nothing}
        ${email.verified_at === null || email.stopped ? nothing : [this.choices("email", email.events), this.digest(email)]}`,
    );
  }

  /** @param {Schemas["EmailNotices"]} email @returns {Drawn} */
  address({ address, verified_at: verified, stopped }) {
    const { api } = this.settings.app;
    /** @param {SubmitEvent} event */
    const send = (event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const body = { address: String(new FormData(form).get("address")).trim() };
      const act = async () => {
        this.use(await api.write("PUT", `${PATH}/email`, { body }));
        this.settings.sent("address");
      };
      this.settings.try("email", act, t.notices.sent);
    };
    /** @param {SubmitEvent} event */
    const confirm = (event) => {
      event.preventDefault();
      const body = { code: new FormData(/** @type {HTMLFormElement} */ (event.target)).get("code") };
      const act = async () => this.use(await api.post(`${PATH}/email/confirm`, body));
      this.settings.try("email", act, t.notices.confirmed);
    };
    const remove = () =>
      this.settings.try(
        "email",
        async () => {
          await api.write("DELETE", `${PATH}/email`);
          await this.load();
        },
        t.notices.removed,
      );
    const busy = this.settings.busy === "email";
    if (address && verified !== null && !stopped) {
      return html`<p>${t.notices.sentTo(address)}</p>
        <button ?disabled=${busy} @click=${remove}>${t.notices.remove}</button>`;
    }
    return html`${stopped ? html`<p>${t.notices.stopped[stopped] ?? stopped}</p>` : nothing}
      <form class="settings-form" action="/" @submit=${send}>
        <label
          >${t.notices.address}
          <input type="email" name="address" autocomplete="email" required .value=${live(this.settings.written["address"] ?? address ?? "")}
        /></label>
        <button ?disabled=${busy}>${t.notices.send}</button>
      </form>
      ${address && !stopped
        ? html`<form class="settings-form" action="/" @submit=${confirm}>
              <label>${t.notices.code} <input name="code" autocomplete="one-time-code" required /></label>
              <button class="primary" ?disabled=${busy}>${t.notices.confirm}</button>
            </form>
            <button ?disabled=${busy} @click=${remove}>${t.notices.remove}</button>`
        : nothing}`;
  }

  /** @param {Way} way @param {string[]} chosen @returns {Drawn} */
  choices(way, chosen) {
    /** @param {Event} event @param {string} kind */
    const change = ({ target }, kind) => {
      const others = chosen.filter((other) => other !== kind);
      const { checked } = /** @type {HTMLInputElement} */ (target);
      this.change(way, { events: checked ? [...others, kind] : others });
    };
    return html`<fieldset>
      <legend>${t.notices.choose}</legend>
      ${EVENTS.map(
        (kind) =>
          html`<label class="settings-choice">
            <input
              type="checkbox"
              .checked=${live(chosen.includes(kind))}
              @change=${(/** @type {Event} */ event) => change(event, kind)}
            />
            ${t.notices.events[kind]}
          </label>`,
      )}
    </fieldset>`;
  }

  /** @param {Schemas["EmailNotices"]} email @returns {Drawn} */
  digest({ digest }) {
    /** @param {Event} event */
    const change = ({ target }) => {
      const { value } = /** @type {HTMLSelectElement} */ (target);
      const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      this.change("email", { digest: value ? { hour: Number(value), time_zone: zone } : null });
    };
    return html`<form class="settings-form" action="/">
      <label
        >${t.notices.digest}
        <select name="digest" @change=${change}>
          <option value="" .selected=${live(digest === null)}>${t.notices.never}</option>
          ${HOURS.map(
            (hour) =>
              html`<option value=${hour} .selected=${live(digest?.hour === hour)}>${t.notices.atHour(hour)}</option>`,
          )}
        </select></label
      >
      ${digest ? html`<p class="quiet">${t.notices.inZone(digest.time_zone)}</p>` : nothing}
    </form>`;
  }

  /** @param {Schemas["PushNotices"]} push @returns {Drawn} */
  push({ browsers, events, key }) {
    const own = browsers.find(({ endpoint }) => endpoint === this.endpoint);
    const on = () => this.settings.try("push", () => this.switchOn(key), t.notices.isOn);
    const button = own
      ? nothing
      : html`<button class="primary" ?disabled=${this.settings.busy === "push"} @click=${on}>${t.notices.on}</button>`;
    return this.settings.part(
      "push",
      t.notices.push,
      html`<p class="quiet">${t.notices.aboutPush}</p>
        ${canShow() ? button : html`<p>${t.notices.cannot}</p>`}
        <ul class="settings-tokens">
          ${browsers.map((browser) => this.browser(browser, browser === own))}
        </ul>
        ${browsers.length ? this.choices("push", events) : nothing}`,
    );
  }

  /** @param {Schemas["Browser"]} browser @param {boolean} own whether it is this one @returns {Drawn} */
  browser({ id, name, created_at: created, stopped }, own) {
    const off = () =>
      this.settings.try(
        "push",
        async () => {
          if (own) await (await subscription())?.unsubscribe();
          await this.settings.app.api.write("DELETE", `${PATH}/push/${id}`);
          await this.load();
        },
        t.notices.isOff,
      );
    return html`<li>
      <div>
        <strong>${name || t.notices.unnamed}</strong> ${own ? t.settings.current : nothing}
        <p class="quiet">
          ${t.settings.made(t.settings.moment(created))} ${stopped ? (t.notices.stopped[stopped] ?? stopped) : nothing}
        </p>
      </div>
      <button ?disabled=${this.settings.busy === "push"} aria-label=${t.notices.offIn(name)} @click=${off}>
        ${t.notices.off}
      </button>
    </li>`;
  }

  /** Ask the player, then the browser, and then the service. @param {string} key of the service */
  async switchOn(key) {
    if ((await Notification.requestPermission()) !== "granted") throw new Error(t.notices.refused);
    const { pushManager } = await navigator.serviceWorker.ready;
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = made.toJSON();
    await this.settings.app.api.post(`${PATH}/push`, { endpoint, keys, name: nameOfBrowser() });
    await this.load();
  }
}

/** Whether this browser can show notifications of a page that is not open. */
const canShow = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** @returns {Promise<PushSubscription | null>} that of this browser, if there is one */
async function subscription() {
  if (!canShow()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @returns {string} a name by which the player recognises this browser */
function nameOfBrowser() {
  const { userAgent } = navigator;
  const browser = ["Firefox", "Edg", "OPR", "Chrome", "Safari"].find((name) => userAgent.includes(name)) ?? "";
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"].find((name) => userAgent.includes(name)) ?? "";
  const names = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera" });
  return [names[browser] ?? browser, system].filter(Boolean).join(", ");
}
