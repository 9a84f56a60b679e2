// The link to a game, to copy.

import { copy } from "./clipboard.js";
import { t } from "./texts.screens.js";
import { html } from "./vendor/lit-html.js";

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

  async copy() {
    await copy(this.address);
    this.copied = true;
    this.host.changed();
  }

  /** @returns {Drawn} */
  view() {
    return html`<div class="share">
      <label for="share">${t.share.link}</label>
      <input id="share" readonly .value=${this.address} />
      <button @click=${() => this.copy()}>${this.copied ? t.share.copied : t.share.copy}</button>
    </div>`;
  }
}
