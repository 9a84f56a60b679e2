// What a part of a game's page that is loaded later may have. This is a type for `game.js`, so no page loads this file.

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./api.js").Commit} Commit */
/** @typedef {import("./hand.js").Step} Step */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/**
 * @typedef {object} Part
 * @property {() => Drawn} view
 * @property {(commit: Commit) => string | void} [heard] called for each commit of this game; returns it in words
 * @property {() => void} [close]
 * @property {() => void} [follow] says who leads, if that is news
 * @property {() => void} [catchUp] gets the commits of the view that have not been heard
 * @property {(sentence: string) => void} [speak] says what others do
 * @property {number[][]} [gained] the points of each seat in the games of a match
 * @property {() => Drawn} [count] how the points of the last game of a match were gained
 * @property {string} [lastEnd] how the last battle ended, or ""
 * @property {AbortController | null} [playing] ends what is shown of what has happened
 * @property {string} [stop] how to stop what has happened from being shown
 * @property {string} [final] why there is a final battle
 * @property {Set<number>} [waiting] the seats that have passed, and may still lay cards in this battle
 * @property {(text: string) => Drawn} [clause] draws the text of a clause
 * @property {(error: unknown) => Drawn} [refusal] draws why something was refused
 * @property {(seat: Schemas["PositionSeat"]) => Drawn} [openHand] the open hand of a seat, after the end
 * @property {() => Drawn | null} [news] what has happened since the own last move
 * @property {() => Drawn | null} [moves] what others have done since the own last move
 * @property {(seat: number) => {strength: number | null, row: Drawn, label: string, won: boolean} | null} [of] what a seat had in the last battle
 * @property {() => Drawn} [summary] of the last battle
 * @property {object | null} [ended] the last battle, while its rows are shown
 * @property {() => void} [hide] shows the rows of the last battle no longer
 * @property {string | null} [season] in which the last battle ended
 * @property {() => Drawn} [endButton] among the buttons of the seat
 * @property {() => Drawn} [away] what stands over the hand while a bot plays the own seat
 * @property {() => Drawn} [control] what stands beside the buttons of the move
 * @property {Step | null} [hinted] the move that a bot recommends in this position
 * @property {() => string} [words] what passing would do
 * @property {(dry: Schemas["DryRun"]) => string} [foreseen] what the chosen move would do
 * @property {Promise<void>} [ready] resolves when it has what it shows
 * @property {() => void} [moved] called when the position has changed
 * @property {string} [barred] what stands on the cards that may not be laid
 * @property {object} [unsent] what the player has written and not sent
 */

export {};
