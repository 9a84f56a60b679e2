// The screen of one game: loads it, hears the news, and says which move is chosen. `table.js` draws it.

import { t } from "./en.js";
import { html } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["Game"]} Game */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["Move"]} Move */
/**
 * @typedef {object} Host what the parts of the game screen get (log, replay, standing orders)
 * @property {App} app
 * @property {string} id of the game
 * @property {Game} view the game that is drawn: the newest version, or the one at `at`
 * @property {Edition} edition in the revision of the game
 * @property {number | null} at the version that a replay shows; null: the newest
 * @property {number} newest the newest version that is known
 * @property {(at: number | null) => Promise<void>} show draw another version, and put it in the address (`?at=`)
 * @property {(seat: number) => string} name of the player or the bot of a seat
 * @property {(move: Move) => void} choose select a move and preview it; `Play` confirms it
 * @property {(move: Move) => void} explain ask the service why a move is not allowed, and show the answer
 * @property {() => void} changed draw the page soon
 *
 * `new Log(host)` has `view()` and `heard(commit)`, which is called for each new commit of this game; `new Replay(host)`
 * has `view()` and `close()`; `new Orders(host)` has `view()`.
 */

/** @type {import("./app.js").Opener} */
export function open() {
  return { title: () => t.site.name, view: () => html`<h1>${t.site.name}</h1>` };
}
