// Registration: a name is enough. And the recovery code, which is shown until the player has noted it down.

import { RECOVERY, Refused, keepText, newKey, removeText, textAt } from "./api.js";
import { copy } from "./clipboard.js";
import { t } from "./texts.screens.js";
import { described, field, fieldErrors } from "./parts.js";
import { trouble } from "./app.js";
import { html, live, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas["Registered"]} Registered */

const LONGEST_NAME = 20;

/** A form that registers a player by a name, and asks for the operator's code if the service requires one. */
export class Naming {
  /** @param {App} app @param {string} action the text of the button
   * @param {(made: Registered) => void} then what happens with the new player, who is not signed in yet */
  constructor(app, action, then) {
    this.app = app;
    this.action = action;
    this.then = then;
    this.name = "";
    this.code = "";
    this.needsCode = false;
    this.closed = false;
    this.busy = false;
    /** @type {unknown} */
    this.error = null;
    /** A name in place of one that is taken. @type {string | null} */
    this.other = null;
    /** The request that was sent last, and its key: the same request is never sent with another key. */
    this.sent = { body: "", key: "" };
  }

  /** @param {Event} [event] */
  async register(event) {
    event?.preventDefault();
    if (this.busy || this.closed) return;
    const body = this.needsCode ? { name: this.name, code: this.code } : { name: this.name };
    if (this.sent.body !== JSON.stringify(body)) this.sent = { body: JSON.stringify(body), key: newKey() };
    this.busy = true;
    this.error = this.other = null;
    this.app.changed();
    try {
      /** @type {Registered} */
      const made = await this.app.api.post("/v1/players", body, { key: this.sent.key });
      this.then(made);
    } catch (error) {
      this.error = error;
      if (error instanceof Refused) {
        this.closed = error.code === "registration-closed";
        if (error.code === "name-taken") this.other = otherName(this.name);
        this.needsCode ||= error.code.startsWith("registration-code");
      }
      focusAfterDrawing(this.aboutCode() ? "naming-code" : "naming-name");
    } finally {
      this.busy = false;
      this.app.changed();
    }
  }

  aboutCode() {
    return this.error instanceof Refused && this.error.code.startsWith("registration-code");
  }

  /** What to do about a name that is taken. @returns {Drawn} */
  taken() {
    const { title } = /** @type {Refused} */ (this.error).problem;
    return html`<p><strong>${title}</strong> ${t.account.taken}</p>
      ${this.app.path === "/signin" ? nothing : html`<p><a href="/signin">${t.site.signIn}</a></p>`}`;
  }

  /** What is wrong with the name. @returns {Drawn} */
  refused() {
    if (!fieldErrors(this.error)["name"]) return trouble(this.error);
    return html`<p>${this.name.trim() ? t.account.badName : t.account.noName}</p>`;
  }

  /** @param {string} text */
  write(text) {
    this.name = text;
    this.other = null;
    if (!this.closed) this.error = null;
    this.app.changed();
  }

  /** @param {Drawn} [more] what stands over the button @returns {Drawn} */
  view(more = nothing) {
    const wrong = this.error !== null && !this.aboutCode();
    const { other } = this;
    return html`<form class="naming" @submit=${(/** @type {Event} */ event) => this.register(event)} novalidate>
      ${field({
        id: "naming-name",
        label: t.account.name,
        control: html`<input
          id="naming-name"
          name="name"
          autocomplete="username"
          autocapitalize="off"
          spellcheck="false"
          maxlength=${LONGEST_NAME}
          aria-describedby=${described("naming-name")}
          aria-invalid=${wrong ? "true" : "false"}
          .value=${live(this.name)}
          @input=${(/** @type {any} */ event) => this.write(event.target.value)}
        />`,
        help: this.closed ? nothing : t.account.nameHelp,
        error: wrong
          ? html`${other === null ? this.refused() : this.taken()}
            ${other
              ? html`<button type="button" @click=${() => (this.write(other), focusAfterDrawing("naming-name"))}>
                  ${t.account.take(other)}
                </button>`
              : nothing}`
          : nothing,
      })}
      ${this.needsCode
        ? field({
            id: "naming-code",
            label: t.account.operatorCode,
            control: html`<input
              id="naming-code"
              name="code"
              autocomplete="off"
              maxlength="200"
              aria-describedby=${described("naming-code")}
              aria-invalid=${this.aboutCode() ? "true" : "false"}
              .value=${live(this.code)}
              @input=${(/** @type {any} */ event) => (this.code = event.target.value)}
            />`,
            help: t.account.operatorCodeHelp,
            error: this.aboutCode() ? trouble(this.error) : nothing,
          })
        : nothing}
      ${more}
      <button class="primary" type="submit" aria-disabled=${this.busy || this.closed ? "true" : "false"}>
        ${this.busy ? t.account.busy : this.action}
      </button>
    </form>`;
  }
}

/** Return a name like one that is taken. @param {string} name */
const otherName = (name) => `${name.slice(0, LONGEST_NAME - 4)}-${100 + Math.floor(Math.random() * 900)}`;

/** Move the focus to a control once it is drawn. @param {string} id */
export function focusAfterDrawing(id) {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));
}

/** Sign a player in who was registered or recovered, and keep the recovery code until it is noted down.
 * @param {App} app @param {{id: string, name: string | null, token: string, recovery_code?: string}} made
 * @param {boolean} stays whether the player stays signed in when the browser is closed */
export function enter(app, made, stays) {
  app.api.signIn({ token: made.token, player: made.id, name: made.name ?? "" }, stays);
  if (made.recovery_code) keepText(RECOVERY, made.recovery_code, stays);
}

/** The recovery code, until the player has noted it down. @param {App} app @returns {Drawn} */
export function recoveryNotice(app) {
  const code = app.api.account && textAt(RECOVERY);
  if (!code) return nothing;
  const forget = () => {
    removeText(RECOVERY);
    app.changed();
  };
  const press = (/** @type {any} */ { currentTarget: button }) => copy(code, button.closest(".recovery"));
  return html`<section class="recovery" aria-labelledby="recovery-heading">
    <h2 id="recovery-heading">${t.account.recoveryTitle}</h2>
    <p>${t.account.recoveryText}</p>
    <p><code class="recovery-code">${code}</code></p>
    <p class="home-actions">
      <button @click=${press}>${t.account.copyCode}</button>
      <button @click=${forget}>${t.account.codeKept}</button>
      <output></output>
    </p>
  </section>`;
}
