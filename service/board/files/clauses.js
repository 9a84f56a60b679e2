// Clauses of the rules: their texts, which are Markdown, with links to other clauses; and a clause in place, beside a refusal.

import { refusal } from "./refusal.js";
import { t } from "./texts.screens.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["Edition"]} Edition */

/** The clause about what players say to each other. */
const PROMISES = "11.6";

/** What the game screen needs for a clause: it draws its text, and a refusal that names it. */
export class Clauses {
  /** @param {import("./game.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @returns {Drawn} */
  view() {
    return nothing;
  }

  /** Draw why something was refused. @param {unknown} error @returns {Drawn} */
  refusal(error) {
    return refusal(this.table, error);
  }

  /** Draw the text of a clause. @param {string} text @returns {Drawn} */
  clause(text) {
    const { edition } = this.table;
    return html`${markdown(text, links(edition, `/rules/${edition.key}`))}`;
  }
}

/** That promises bind nobody, with the clause that says so, if the edition has it. @param {Edition} edition @returns {Drawn} */
export function promises({ key, rules }) {
  const says = rules.some(({ number }) => number === PROMISES);
  return html`${t.talk.promises}
  ${says ? html`<a href=${`/rules/${key}#${PROMISES}`} target="_blank">${t.site.clause(PROMISES)}</a>` : nothing}`;
}

/** Return how the numbers of clauses in a text are drawn: as links, if the edition has them.
 * @param {Edition} edition @param {string} page @returns {(text: string) => Drawn[]} */
export function links(edition, page) {
  const numbers = new Set(edition.rules.map(({ number }) => number));
  return (text) =>
    text
      .split(/\b(\d{1,2}\.\d{1,2})\b/)
      .map((part, n) => (n % 2 && numbers.has(part) ? html`<a href=${`${page}#${part}`}>${part}</a>` : part));
}

/** Draw a text in Markdown, as far as clauses use it: paragraphs, lists, tables, code and emphasis.
 * @param {string} text @param {(words: string) => Drawn[]} [plain] draws text without any marks @returns {Drawn[]} */
export function markdown(text, plain = (words) => [words]) {
  /** @param {string} line @returns {Drawn[]} */
  const inline = (line) =>
    line.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).flatMap((part, n) => {
      if (n % 2 === 0) return plain(part);
      if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
      if (part.startsWith("**")) return html`<strong>${plain(part.slice(2, -2))}</strong>`;
      return html`<em>${plain(part.slice(1, -1))}</em>`;
    });
  /** @param {string} line */
  const cells = (line) =>
    line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => inline(cell.trim()));
  return text.split(/\n\n+/).map((block) => {
    // A line that begins with spaces continues the one before it.
    const lines = block.replace(/\n +/g, " ").split("\n");
    if (lines.every((line) => line.startsWith("|"))) {
      const [head = "", , ...body] = lines;
      return html`<div class="rules-wide" tabindex="0" role="group" aria-label=${t.rules.table}>
        <table>
          <thead>
            <tr>
              ${cells(head).map((cell) => html`<th scope="col">${cell}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${body.map(
              (line) =>
                html`<tr>
                  ${cells(line).map((cell) => html`<td>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    }
    if (lines.every((line) => /^\d+\. /.test(line))) {
      return html`<ol>
        ${lines.map((line) => html`<li>${inline(line.replace(/^\d+\. /, ""))}</li>`)}
      </ol>`;
    }
    if (lines.every((line) => /^[-*] /.test(line))) {
      return html`<ul>
        ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
      </ul>`;
    }
    return html`<p>${inline(lines.join(" "))}</p>`;
  });
}
