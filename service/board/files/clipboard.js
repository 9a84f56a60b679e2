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
