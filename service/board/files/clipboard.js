// Copying a text. Browsers have no clipboard for pages at http addresses of other machines, and may refuse it anywhere.

import { t } from "./texts.screens.js";
import { isTouched } from "./touch.js";

/** The part of the page around a pressed button. @param {Event} event */
export const around = ({ currentTarget: button }) => /** @type {Element} */ (/** @type {Element} */ (button).parentElement);

/** Copy a text, and return whether the browser has let us. If not, select it where the page shows it, and say beside
 * the button how to copy it.
 * @param {string} text @param {Element} part holds the text, in an `input`, `textarea` or `code`, and an `output` */
export async function copy(text, part) {
  const copied = await write(text);
  if (!copied) select(part);
  const said = part.querySelector("output");
  if (said) said.textContent = copied ? "" : isTouched() ? t.copying.hold : t.copying.press;
  return copied;
}

/** @param {string} text */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeWithoutClipboard(text);
  }
}

/** @param {string} text */
function writeWithoutClipboard(text) {
  const area = Object.assign(document.createElement("textarea"), { className: "spoken", value: text, readOnly: true });
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

/** @param {Element} part */
function select(part) {
  const shown = part.querySelector("input, textarea, code");
  if (shown instanceof HTMLInputElement || shown instanceof HTMLTextAreaElement) shown.select();
  else if (shown) getSelection()?.selectAllChildren(shown);
}

/** Copy a report that says where the code failed: no token, no hand, no name. If that is refused, show the report.
 * @param {unknown} fault @param {string} path of the page @param {Element} notice where the report is shown */
export async function copyReport(fault, path, notice) {
  const stack = fault instanceof Error ? (fault.stack ?? "") : "";
  const lines = stack.split("\n").slice(1, 12).map((line) => line.trim());
  const name = fault instanceof Error ? fault.name : "Error";
  const report = [name, path.split("/")[1], navigator.userAgent, ...lines].join("\n");
  if (await write(report)) return;
  const area = Object.assign(document.createElement("textarea"), { readOnly: true, rows: 4, ariaLabel: t.copying.report });
  area.value = report;
  notice.querySelector("textarea")?.remove();
  notice.querySelector("output")?.remove();
  notice.append(area, document.createElement("output"));
  await copy(report, notice);
}
