// Signing in: by a new name, by another device's one-time code, by a token, or by the recovery code.

import { newKey } from "./api.js";
import { Naming, enter } from "./account.js";
import { t } from "./texts.screens.js";
import { beside, described, field, fieldErrors, inside } from "./parts.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Screen} Screen */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {{token: string, id: string, name: string | null, recovery_code?: string}} Known a player with a token, as the API returns them */
/** @typedef {"device" | "token" | "recovery"} Way */

const LONGEST = { code: 60, name: 40, token: 400, device: 40 };

/** @type {import("./app.js").Opener} */
export function open(app) {
  return new SignIn(app);
}

/** @implements {Screen} */
class SignIn {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.stays = true;
    this.naming = new Naming(app, t.signin.register, (made) => this.enter(made));
    /** The form that is being sent. @type {Way | null} */
    this.busy = null;
    /** What was wrong with a form. @type {{way: Way, error: unknown} | null} */
    this.failed = null;
    /** The last request of a form and its key, which is sent again with the same request only. */
    this.sent = { body: "", key: "" };
    /** A code in the fragment of the address, which no server sees. */
    this.code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  }

  title() {
    return `${t.signin.title} · ${t.site.name}`;
  }

  /** Where the player came from. */
  next() {
    return inside(new URLSearchParams(location.search).get("next")) ?? "/";
  }

  /** @param {Known} known */
  enter(known) {
    const next = this.next(), isShown = this.app.screen === this;
    enter(this.app, known, this.stays);
    if (isShown) this.app.go(next, { replace: true });
  }

  /** Send one of the forms. @param {Event} event @param {Way} way @param {(fields: FormData) => Promise<Known>} send */
  async submit(event, way, send) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = way;
    this.failed = null;
    this.app.changed();
    try {
      this.enter(await send(new FormData(/** @type {HTMLFormElement} */ (event.target))));
    } catch (error) {
      this.failed = { way, error };
    } finally {
      this.busy = null;
      this.app.changed();
    }
  }

  /** Send a request whose response contains a token. @param {string} path @param {Record<string, string>} body */
  post(path, body) {
    const text = path + JSON.stringify(body);
    if (this.sent.body !== text) this.sent = { body: text, key: newKey() };
    return this.app.api.post(path, body, { key: this.sent.key });
  }

  /** @param {FormData} fields */
  device = async (fields) =>
    this.post("/v1/devices", { code: textOf(fields, "code"), name: textOf(fields, "device") || t.signin.browser });

  /** @param {FormData} fields */
  token = async (fields) => {
    const token = textOf(fields, "token").replace(/^Bearer\s+/i, "");
    const me = await this.app.api.get("/v1/me", { token });
    return { token, id: me.id, name: me.name };
  };

  /** @param {FormData} fields */
  recovery = async (fields) =>
    this.post("/v1/recovery", { name: textOf(fields, "name"), code: textOf(fields, "code") });

  /** @returns {Drawn} */
  view() {
    const { account } = this.app.api;
    if (account) {
      return html`<h1>${t.signin.title}</h1>
        <p>${t.signin.already(account.name)}</p>
        <p class="home-actions">
          <a class="button primary" href=${this.next()}>${t.signin.onward}</a>
          <button @click=${() => this.app.api.signOut()}>${t.site.signOut}</button>
        </p>`;
    }
    const reason = new URLSearchParams(location.search).get("for") === "game" ? t.signin.forGame : "";
    return html`<h1>${t.signin.title}</h1>
      ${reason ? html`<p>${reason}</p>` : nothing}
      <p class="signin-stays">
        <label>
          <input
            type="checkbox"
            .checked=${this.stays}
            @change=${(/** @type {any} */ event) => (this.stays = event.target.checked)}
          />
          ${t.signin.stays}
        </label>
        <span class="quiet">${t.signin.staysHelp}</span>
      </p>
      <div class="signin-ways">
        <section aria-labelledby="signin-new">
          <h2 id="signin-new">${t.signin.fresh}</h2>
          ${this.naming.view()}
        </section>
        ${this.form("device", t.signin.device, t.signin.deviceHelp, t.signin.submit, this.device, [
          { name: "code", label: t.signin.code, longest: LONGEST.code, value: this.code },
          { name: "device", label: t.signin.deviceName, longest: LONGEST.device, value: t.signin.browser, part: "name" },
        ])}
        ${this.form("recovery", t.signin.lost, t.signin.lostHelp, t.signin.recover, this.recovery, [
          { name: "name", label: t.signin.name, longest: LONGEST.name, complete: "username" },
          { name: "code", label: t.signin.recovery, longest: LONGEST.code },
        ])}
        ${this.form("token", t.signin.token, t.signin.tokenHelp, t.signin.submit, this.token, [
          { name: "token", label: t.signin.tokenLabel, longest: LONGEST.token, secret: true },
        ])}
      </div>`;
  }

  /** @typedef {{name: string, label: string, longest: number, value?: string, secret?: boolean, complete?: string,
   * part?: string}} Line a field; `part` is its name in a problem, if that is another one */

  /** @param {Way} way @param {string} heading @param {string} help @param {string} action
   * @param {(fields: FormData) => Promise<Known>} send @param {Line[]} lines @returns {Drawn} */
  form(way, heading, help, action, send, lines) {
    const error = this.failed?.way === way ? this.failed.error : null;
    const wrong = lines.filter(({ name, part }) => fieldErrors(error)[part ?? name] !== undefined);
    return html`<section aria-labelledby=${`signin-${way}`}>
      <h2 id=${`signin-${way}`}>${heading}</h2>
      <p class="quiet">${help}</p>
      <form novalidate @submit=${(/** @type {Event} */ event) => this.submit(event, way, send)}>
        ${lines.map((line, index) => {
          const id = `signin-${way}-${line.name}`;
          const mine = error && (wrong.length ? wrong.includes(line) : index === lines.length - 1);
          return field({
            id,
            label: line.label,
            control: html`<input
              id=${id}
              name=${line.name}
              type=${line.secret ? "password" : "text"}
              autocomplete=${line.complete ?? "off"}
              autocapitalize="off"
              spellcheck="false"
              maxlength=${line.longest}
              value=${line.value ?? ""}
              aria-describedby=${described(id)}
              aria-invalid=${mine ? "true" : "false"}
            />`,
            error: mine ? beside(error, line.part ?? line.name) : nothing,
          });
        })}
        <button class="primary" type="submit" aria-disabled=${this.busy ? "true" : "false"}>
          ${this.busy === way ? t.account.busy : action}
        </button>
      </form>
    </section>`;
  }
}

/** @param {FormData} fields @param {string} name */
const textOf = (fields, name) => String(fields.get(name) ?? "").trim();
