// game
import { t } from "./en.js";
import { html } from "./vendor/lit-html.js";

/** @type {import("./app.js").Opener} */
export function open() {
  return { title: () => t.site.name, view: () => html`<h1>${t.site.name}</h1>` };
}
