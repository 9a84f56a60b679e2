// Chats that are told of the player's games: webhooks with messages for people. `settings.js` loads this later.

import { t } from "./texts.screens.js";
import { html, live, nothing, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["Webhook"]} Webhook */
/**
 * @typedef {object} Settings the part of the screen that draws this part
 * @property {App} app
 * @property {unknown} busy
 * @property {AbortController} closed
 * @property {Record<string, any>} written what is written in fields and not sent
 * @property {(part: "chats", heading: string, content: Drawn) => Drawn} part
 * @property {(part: "chats", act: () => Promise<void>, text?: string) => Promise<void>} try
 */

const PATH = "/v1/webhooks";
/** The format for programs, whose webhooks are not listed here. */
const PROGRAM = "json";

export class Chats {
  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    /** @type {Webhook[] | null} */
    this.found = null;
    /** The kind of chat that the player is about to add. */
    this.format = settings.written["format"] ?? Object.keys(t.chats.formats)[0] ?? "";
  }

  async load() {
    /** @type {Schemas["WebhookList"]} */
    const { webhooks } = await this.settings.app.api.get(PATH, { signal: this.settings.closed.signal });
    this.found = webhooks.filter(({ format }) => format !== PROGRAM);
  }

  /** @param {() => Promise<unknown>} act @param {string} text to say when it is done */
  change(act, text) {
    return this.settings.try(
      "chats",
      async () => {
        await act();
        await this.load();
      },
      text,
    );
  }

  /** @returns {Drawn} */
  view() {
    const { found } = this;
    const list = found?.length
      ? html`<ul class="settings-tokens">
          ${repeat(found, ({ id }) => id, (chat) => html`<li>${this.chat(chat)}</li>`)}
        </ul>`
      : nothing;
    return this.settings.part(
      "chats",
      t.chats.heading,
      html`<p class="quiet">${t.chats.about} <a href="/guide/notices#a-chat">${t.chats.guide}</a></p>
        ${list} ${found ? this.form() : nothing}`,
    );
  }

  /** The form that adds a chat. @returns {Drawn} */
  form() {
    const { api } = this.settings.app;
    /** @param {SubmitEvent} event */
    const add = (event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const body = { url: String(new FormData(form).get("url")).trim(), format: this.format };
      this.change(async () => {
        await api.post(PATH, body);
        form.reset();
      }, t.chats.added);
    };
    /** @param {Event} event */
    const choose = (event) => {
      this.format = /** @type {HTMLSelectElement} */ (event.target).value;
      this.settings.app.changed();
    };
    return html`<form class="settings-form" action="/" @submit=${add}>
      <label
        >${t.chats.format}
        <select name="format" @change=${choose}>
          ${Object.entries(t.chats.formats).map(
            ([format, { name }]) => html`<option value=${format} .selected=${live(format === this.format)}>${name}</option>`,
          )}
        </select></label
      >
      <label
        >${t.chats.url}
        <input type="url" name="url" autocomplete="off" required maxlength="2000" aria-describedby="chats-help"
      /></label>
      <p class="quiet" id="chats-help">${t.chats.formats[this.format]?.help}</p>
      <button ?disabled=${this.settings.busy === "chats"}>${t.chats.add}</button>
    </form>`;
  }

  /** Addresses let anybody write to a chat, so only the host is shown. @param {Webhook} chat @returns {Drawn} */
  chat({ active, created_at: created, disabled, format, id, url, verified_at: verified }) {
    const { api } = this.settings.app;
    const busy = this.settings.busy === "chats";
    const name = t.chats.at(t.chats.formats[format]?.name ?? format, new URL(url).host);
    const stopped = disabled ? (t.chats.stopped[disabled] ?? disabled) : active ? "" : t.chats.paused;
    const remove = () => this.change(() => api.write("DELETE", `${PATH}/${id}`), t.chats.removed);
    const resume = () => this.change(() => api.write("PATCH", `${PATH}/${id}`, { body: { active: true } }), t.chats.resumed);
    return html`<div>
        <strong>${name}</strong>
        <p class="quiet">${t.settings.made(t.settings.moment(created))} ${verified === null ? nothing : t.chats.isConfirmed} ${stopped}</p>
        ${stopped ? html`<button ?disabled=${busy} @click=${resume}>${t.chats.resume}</button>` : nothing}
        ${verified === null && !stopped ? this.unconfirmed(id, name) : nothing}
      </div>
      <button ?disabled=${busy} aria-label=${t.chats.removeNamed(name)} @click=${remove}>${t.chats.remove}</button>`;
  }

  /** A chat shows a code, which the player sends back. @param {string} id @param {string} name @returns {Drawn} */
  unconfirmed(id, name) {
    const { api } = this.settings.app;
    const busy = this.settings.busy === "chats";
    /** @param {SubmitEvent} event */
    const confirm = (event) => {
      event.preventDefault();
      const code = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("code");
      this.change(() => api.post(`${PATH}/${id}/confirm`, { code }), t.chats.confirmed);
    };
    const again = () => this.change(() => api.post(`${PATH}/${id}/ping`, undefined), t.chats.added);
    return html`<form class="settings-form" action="/" @submit=${confirm}>
      <label>${t.chats.code(name)} <input name="code" autocomplete="off" maxlength="40" required /></label>
      <div class="settings-buttons">
        <button class="primary" ?disabled=${busy}>${t.chats.confirm}</button>
        <button type="button" ?disabled=${busy} @click=${again}>${t.chats.again}</button>
      </div>
    </form>`;
  }
}
