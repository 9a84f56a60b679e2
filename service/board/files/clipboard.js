// Copying a text, also where browsers have no clipboard for pages: at http addresses of other machines.

/** @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { className: "spoken", value: text, readOnly: true });
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
}

/** Copy a report that says where the code failed: no token, no hand, no name. @param {unknown} fault
 * @param {string} path of the page */
export async function copyReport(fault, path) {
  const stack = fault instanceof Error ? (fault.stack ?? "") : "";
  const lines = stack.split("\n").slice(1, 12).map((line) => line.trim());
  const name = fault instanceof Error ? fault.name : "Error";
  await copy([name, path.split("/")[1], navigator.userAgent, ...lines].join("\n"));
}
