// How the board looks and behaves in this browser: what the settings choose, before the first page is drawn.

/**
 * @typedef {object} Look
 * @property {"auto" | "light" | "dark"} colours auto: as the system says
 * @property {"auto" | "on" | "off"} motion auto: as the system says
 * @property {boolean} quickMoves whether one tap makes a move, without a second one that confirms it
 * @property {boolean} keys whether single keys do something
 * @property {boolean} sound whether a sound is heard when a turn begins
 */

const STORED = "condottiere.look";

/** @type {Look} */
const DEFAULTS = { colours: "auto", motion: "auto", quickMoves: false, keys: true, sound: false };

/** @returns {Look} what is chosen in this browser now */
export function look() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORED) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** Choose something else, for all tabs of this browser. @param {Partial<Look>} changes */
export function changeLook(changes) {
  localStorage.setItem(STORED, JSON.stringify({ ...look(), ...changes }));
  apply();
}

/** Let the page look as chosen, also when another tab chooses something else. */
export function followLook() {
  apply();
  addEventListener("storage", (event) => {
    if (event.key === STORED || event.key === null) apply();
  });
}

function apply() {
  const { colours, motion } = look();
  Object.assign(document.documentElement.dataset, { colours, motion });
}
