// The invitations that wait for the player's answer, on the start page. `home.js` loads this once its lists are there.

import { Refused, Unreachable } from "./api.js";
import { trouble } from "./app.js";
import { t } from "./texts.screens.js";
import { editionName, whileSeen } from "./parts.js";
import { html, nothing, repeat } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./app.js").App} App */
/** @typedef {Schemas["ReceivedInvitation"]} Invitation */

/** Milliseconds between two looks. A long poll would hold one of the few connections that a browser opens to a server. */
const LOOK = 10_000;

export class Invited {
  /** @param {App} app @param {import("./parts.js").Editions} editions @param {AbortSignal} signal stops asking */
  constructor(app, editions, signal) {
    this.app = app;
    this.editions = editions;
    /** @type {Invitation[]} */
    this.invitations = [];
    /** @type {unknown} */
    this.error = null;
    this.busy = false;
    this.begin(signal);
  }

  /** Ask for the list now, and again and again while it can be seen. @param {AbortSignal} signal */
  begin(signal) {
    whileSeen(() => this.load(signal), LOOK, signal);
    this.load(signal);
  }

  /** What cannot be got is got with the next look. @param {AbortSignal} signal */
  async load(signal) {
    if (this.busy) return;
    try {
      this.show((await this.app.api.get("/v1/me/invitations", { signal, once: true })).invitations);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable) && !signal.aborted) throw error;
    }
  }

  /** @param {Invitation[]} invitations */
  show(invitations) {
    if (invitations.length > this.invitations.length) this.app.say(t.invited.count(invitations.length));
    this.invitations = invitations;
    this.app.changed();
  }

  /** @param {Invitation} invitation @param {boolean} accepts @param {string} [reason] why the player declines, or "" */
  async answer({ game }, accepts, reason) {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    this.app.changed();
    try {
      await this.app.api.post(`/v1/games/${game}/invitation/${accepts ? "accept" : "decline"}`, reason ? { reason } : {});
      this.invitations = this.invitations.filter((each) => each.game !== game);
      if (accepts) await this.app.go(`/game/${game}`);
    } catch (error) {
      this.error = error;
    } finally {
      this.busy = false;
      this.app.changed();
    }
  }

  /** @returns {Drawn} */
  view() {
    if (!this.invitations.length) return this.error ? trouble(this.error) : nothing;
    return html`<section aria-labelledby="home-invited">
      <h2 id="home-invited">${t.invited.title}</h2>
      ${this.error ? trouble(this.error) : nothing}
      <ul class="home-list" data-kind="invited">
        ${repeat(this.invitations, ({ game }) => game, (invitation) => html`<li>${this.row(invitation)}</li>`)}
      </ul>
    </section>`;
  }

  /** @param {Invitation} invitation @returns {Drawn} */
  row(invitation) {
    const { by_name: by, edition, game, kind, seats, title } = invitation;
    const name = by ?? t.parts.deleted;
    /** @param {SubmitEvent} event */
    const decline = (event) => {
      event.preventDefault();
      const reason = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("reason");
      this.answer(invitation, false, String(reason));
    };
    const until = new Date(invitation.expires_at).toLocaleString(t.language, { dateStyle: "medium", timeStyle: "short" });
    return html`<div class="home-text">
      <h3><a href=${`/game/${game}`}><bdi>${title ?? editionName(this.editions, edition)}</bdi></a></h3>
      <p>${kind === "rematch" ? t.invited.rematch(name) : t.invited.from(name)}</p>
      <p class="quiet">${title ? `${editionName(this.editions, edition)}, ` : ""}${t.invited.about(seats, until)}</p>
      <p class="home-actions">
        <button class="primary" aria-label=${t.invited.acceptNamed(name)} aria-disabled=${this.busy} @click=${() => this.answer(invitation, true)}>
          ${t.invited.accept}
        </button>
      </p>
      <form class="invited-decline" action="/" @submit=${decline}>
        <label for=${`invited-${game}`}>${t.invited.why}</label>
        <select id=${`invited-${game}`} name="reason">
          <option value="">${t.invited.noReason}</option>
          ${Object.entries(t.invited.reasons).map(([reason, text]) => html`<option value=${reason}>${text}</option>`)}
        </select>
        <button aria-label=${t.invited.declineNamed(name)} aria-disabled=${this.busy}>${t.invited.decline}</button>
      </form>
    </div>`;
  }
}
