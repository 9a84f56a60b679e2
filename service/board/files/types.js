// Types that scripts share. They are here because no page loads this file, and each page loads the comments of its scripts.

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./api.js").Commit} Commit */
/** @typedef {import("./hand.js").Member} Member */
/** @typedef {Schemas["Board"]} Board */
/** @typedef {Schemas["Position"]} Position */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/**
 * @typedef {object} Part what a part of a game's page that is loaded later may have
 * @property {() => Drawn} view
 * @property {(commit: Commit) => string | void} [heard] called for each commit of this game; returns it in words
 * @property {() => void} [close]
 * @property {() => void} [follow] says who leads, if that is news
 * @property {(before: Schemas["Game"], view: Schemas["Game"]) => void} [mark] marks what others have changed, for a moment
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

/**
 * @typedef {object} Sent what goes with a request
 * @property {unknown} [body] the body, sent as JSON
 * @property {string} [match] the value of If-Match
 * @property {string} [key] the Idempotency-Key: the same for every try of the same request
 * @property {string} [token] in place of the token of whoever is signed in
 * @property {AbortSignal} [signal]
 * @property {boolean} [once] do not try again by itself
 * @property {boolean} [replaces] the request replaces the token of whoever is signed in
 */

/**
 * @typedef {object} Screen what a screen's module makes for one address
 * @property {() => string} title the title of the tab
 * @property {() => Drawn} view what is drawn now, from the screen's own state
 * @property {Promise<unknown>} [usable] resolves when the screen has what it shows first: streams are opened after that
 * @property {() => void} [close] called when another screen is opened
 * @property {() => boolean} [hasBar] whether the view has a bar, which shows `app.delay()`
 * @property {() => void} [moved] called when only the query or the fragment of the address has changed
 */

/**
 * @typedef {object} Look how the board looks and behaves in this browser
 * @property {"auto" | "light" | "dark"} colours auto: as the system says
 * @property {"auto" | "on" | "off"} motion auto: as the system says
 * @property {boolean} quickMoves whether one tap makes a move, without a second one that confirms it
 * @property {boolean} keys whether single keys do something
 * @property {boolean} sound whether a sound is heard when a turn begins
 */

/** @typedef {"waiting" | "result" | "more" | "news" | "clauses" | "swipe" | "log" | "last" | "replay" | "orders" | "ending" | "hint" | "passing" | "showing" | "verification" | "talk" | "unsent" | "why"} PartName */
/**
 * @typedef {object} Choice what is selected and not yet posted
 * @property {string} type of the move
 * @property {string} [card]
 * @property {string} [region]
 * @property {Partial<Record<Member, string>>} answers what the second steps have asked
 * @property {string[]} keep the cards that are ticked
 * @property {number} [number] of cards to draw
 * @property {string} key the Idempotency-Key, the same for every try
 */

/** @typedef {"pass" | "discard-hand" | "resign" | "end" | "keys" | null} Asking which dialog is open */
/** @typedef {"map" | "battle"} Tab what a phone shows */
/**
 * @typedef {object} Step a move, with the members that some moves have
 * @property {string} type
 * @property {string} [card]
 * @property {string} [region]
 * @property {string} [take]
 * @property {number} [take_from]
 * @property {string} [favor]
 * @property {string} [turn_up]
 * @property {string[]} [keep]
 * @property {number} [number]
 */

/**
 * @typedef {object} MapOptions
 * @property {Board} board
 * @property {Schemas["Edition"]} edition
 * @property {Position | null} position null before the game starts
 * @property {string[]} names the name of each seat, in seat order
 * @property {readonly Schemas["Move"][]} moves the moves that name a region, if a region is to be chosen now
 * @property {string | null} [chosen] the region that is selected and not yet confirmed
 * @property {string | null} [hinted] the region that a bot recommends
 * @property {number | null} [seat] the seat whose largest groups of adjacent regions are outlined
 * @property {ReadonlySet<unknown>} [marked] the regions that others have won a moment ago
 * @property {(region: string) => void} onChoose called with a region that one of `moves` names
 * @property {(region: string) => void} onExplain called with any other region
 */

/**
 * @typedef {object} Drawing what is derived from a board once
 * @property {Map<string, string>} paths the outline of each region
 * @property {string} borders
 * @property {string} coast
 */

export {};
