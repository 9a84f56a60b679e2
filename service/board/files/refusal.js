// What stands on the game screen when something was refused.

import { Refused, Unreachable } from "./api.js";
import "./advice.js";
import { advice } from "./app.js";
import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./game.js").Table} Table */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */

/** What a detail adds to a title, as a sentence; "" if it only repeats it. @param {string} title @param {string} detail */
function says(title, detail) {
  const text = detail && `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${/[.?!]$/.test(detail) ? "" : "."}`;
  return text === title ? "" : text;
}

/** Why something was refused, with the clause to open in place. @param {Pick<Table, "edition" | "parts">} table
 * @param {unknown} error @returns {Drawn} */
export function refusal({ edition, parts }, error) {
  if (error instanceof Unreachable) return html`<p class="trouble" role="alert">${t.site.unreachable}</p>`;
  if (!(error instanceof Refused)) throw error;
  const { title, detail, clause: number } = error.problem;
  const clause = edition.rules.find((rule) => rule.number === number);
  return html`<div class="trouble" role="alert">
    <p><strong>${title}</strong> ${says(title, advice[error.code] ?? detail ?? "")}</p>
    ${clause
      ? html`<details>
          <summary>${t.site.clause(clause.number)}</summary>
          <p><strong>${clause.heading}</strong></p>
          ${parts.clauses?.clause?.(clause.text) ?? html`<p>${clause.text}</p>`}
          <p class="quiet">${clause.source}</p>
          <p><a href=${`/rules/${edition.key}#${clause.number}`}>${t.table.allRules}</a></p>
        </details>`
      : nothing}
  </div>`;
}
