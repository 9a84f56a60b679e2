// The link to a game, to copy, or to share with what the device has for that.

import { around, copy } from "./clipboard.js";
import { t } from "./texts.screens.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

export class Share {
  /** @param {{changed: () => void}} host @param {() => string | null} [link] the path of a private game, with a secret */
  constructor(host, link = () => null) {
    this.host = host;
    this.link = link;
    this.copied = false;
  }

  get address() {
    return location.origin + (this.link() ?? location.pathname);
  }

  /** @param {Event} event */
  async copy(event) {
    this.copied = await copy(this.address, around(event));
    this.host.changed();
  }

  /** People may change their mind, and a browser may refuse it: the link can still be copied. */
  share() {
    navigator.share({ title: document.title, url: this.address }).catch(() => {});
  }

  /** @returns {Drawn} */
  view() {
    return html`<div class="share">
      <label for="share">${t.share.link}</label>
      <input id="share" readonly .value=${this.address} aria-describedby=${this.link() === null ? nothing : "share-private"} />
      <button @click=${(/** @type {Event} */ event) => this.copy(event)}>${this.copied ? t.share.copied : t.share.copy}</button>
      ${"share" in navigator ? html`<button @click=${() => this.share()}>${t.share.share}</button>` : nothing}
      <output></output>
      ${this.link() === null ? nothing : html`<p class="quiet" id="share-private">${t.share.private}</p>`}
    </div>`;
  }
}
