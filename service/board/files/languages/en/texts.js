// The texts of the board itself, in English; those of the screens around it are in texts.screens.js.

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** "a", "a and b", "a, b and c". @param {string[]} items */
export const listed = (items) => [...items.slice(0, -2), items.slice(-2).join(" and ")].join(", ");

export const t = {
  /** Of dates and times. */
  language: "en",

  site: {
    name: "Condottiere",
    games: "Your games",
    lobby: "Lobby",
    open: "New game",
    rules: "Rules",
    signIn: "Sign in",
    sections: "Sections",
    loading: "Loading",
    notFound: "There is nothing at this address.",
    home: "Go to the start page",
    cancel: "Cancel",
    retry: "Try again",
    reload: "Reload the page",
    newRelease: "The service has been updated.",
    failed: "This page failed. What you see may be out of date.",
    copy: "Copy the report",
    /** @param {string} time */
    lost: (time) => `Connection lost. You see the state of ${time}.`,
    busy: "The service is busy.",
    /** @param {number} seconds */
    waits: (seconds) => `Trying again in ${counted(seconds, "second")}.`,
    tokenRefused: "You were signed out: this device may no longer use your account.",
    unreachable: "The service does not answer. Check your connection.",
    /** @param {string} number */
    clause: (number) => `Rule ${number}`,
  },

  map: {
    label: "Map",
    byOwner: "Regions by owner",
    free: "held by nobody",
    /** @param {string} name */
    heldBy: (name) => `held by ${name}`,
    /** @param {number} count */
    borders: (count) => `borders ${count}`,
    /** @param {string[]} names */
    neighbours: (names) => `borders ${listed(names)}`,
    contested: "battle in progress",
    /** @param {string} bishop the name of the card in the edition */
    favor: (bishop) => `favor marker: no battle may begin here until the next ${bishop}`,
    legal: { battle: "battle may begin here", favor: "the favor marker may move here" },
    /** @param {string} name @param {number} count @param {number} largest how many of the regions are adjacent */
    owns: (name, count, largest) =>
      `${name}: ${counted(count, "region")}${count > 1 ? `, ${largest > 1 ? largest : "none"} adjacent` : ""}`,
    /** @param {number} count */
    unowned: (count) => `Without an owner: ${counted(count, "region")}`,
  },

  table: {
    you: "you",
    deleted: "Deleted player",
    /** @param {number} seat */
    seat: (seat) => `Seat ${seat + 1}`,
    /** @param {string} label @param {number} number */
    botOf: (label, number) => `${label} ${number}`,

    /** What a player does in each phase, as part of a sentence. @type {Record<string, string>} */
    duties: {
      "choose-region": "choose a region",
      battle: "play a card or pass",
      "keep-or-discard": "keep or discard the hand",
      /** Instead of `keep-or-discard`, if the rules do not let the player discard the hand. */
      "keep-hand": "continue",
      "keep-cards": "choose the cards to keep",
      "draw-cards": "draw cards",
    },
    /** @param {string} duty */
    yourTurn: (duty) => `Your turn: ${duty}`,
    /** @param {string} name @param {string} duty */
    turnOf: (name, duty) => `Waiting for ${name} to ${duty}`,
    waits: "Waiting",
    paused: "The game is paused",
    /** @param {number} at @param {number} newest */
    replaying: (at, newest) => `Step ${at} of ${newest}`,
    /** @param {number} free */
    waitsForPlayers: (free) => (free ? `Waiting for ${counted(free, "player")}` : "Ready to start"),
    /** @param {string | null} name */
    cancelled: (name) => (name ? `${name} cancelled the game` : "The game was cancelled"),
    /** The player, among the names of the winners. */
    yourself: "You",
    /** @param {string[]} names */
    over: (names) => (names.length ? `${listed(names)} won` : "Nobody won"),
    /** @param {string} time */
    left: (time) => `${time} left`,
    /** @param {number} count how many other games wait for the player */
    nextGame: (count) => `Next game (${count})`,
    /** @param {number} days @param {number} hours */
    days: (days, hours) => `${days} d ${hours} h`,
    /** @param {number} hours @param {number} minutes */
    hours: (hours, minutes) => `${hours} h ${minutes} min`,
    /** @param {number} minutes @param {number} seconds */
    minutes: (minutes, seconds) => (minutes ? `${minutes} min ${seconds} s` : `${seconds} s`),

    shown: "What is shown",
    mapTab: "Map",
    seatsTab: "Seats",
    /** @param {string} region */
    battleTab: (region) => `Battle: ${region}`,
    seats: "Seats",
    noRegion: "the battle",
    /** @param {string} region @param {number} battle */
    battleFor: (region, battle) => (region === "the battle" ? `Battle ${battle}` : `Battle for ${region}`),
    /** @param {number} battle @param {string} phase */
    betweenBattles: (battle, phase) => `${phase === "choose-region" ? "Before" : "After"} battle ${battle}`,
    /** @param {string} name @param {number} strength @param {number} by */
    leads: (name, strength, by) => `${name} leads by ${by} with a strength of ${strength}`,
    /** @param {string[]} names @param {number} strength */
    level: (names, strength) => `${listed(names)} are level with ${strength}`,
    /** @param {number} battle @param {number} limit */
    battleLimit: (battle, limit) => `Battle ${battle} of at most ${limit}`,
    /** @param {number} battles @param {number} limit */
    stall: (battles, limit) => `No card laid in ${battles} of at most ${limit} battles in a row`,
    /** @param {string} card @param {string} effect */
    about: (card, effect) => `${card}: ${effect}`,
    finalBattle: "Final battle",
    /** @param {string[]} names @param {string} reason why there is a final battle, or "" */
    fight: (names, reason) => {
      const ties = { points: "points", declined: "regions", "no-region-left": "regions" }[reason];
      const why = { declined: ", and every seat declined to choose a region", "no-region-left": ", and no region is left" }[reason];
      return `${listed(names)} are tied${ties ? ` in ${ties}` : ""}${why ?? ""}: they fight for the victory.`;
    },
    /** @param {number} game */
    matchGame: (game) => `Game ${game}`,
    /** @param {number} target */
    matchTarget: (target) => `to ${target} points`,
    /** The points of each game, before their sum. @param {number[]} points */
    points: (points) => `${points.join(" + ")} =`,
    /** @param {string} region */
    onTheMap: (region) => `${region} on the map`,

    round: "Round",
    battle: "Battle",
    deck: "Deck",
    discard: "Discard",
    discardEmpty: "No card was discarded yet.",
    /** @param {number} count */
    discardHidden: (count) => `${counted(count, "card")} from hands, which you may not see.`,
    marker: "Battle marker",
    favor: "Favor marker",
    declines: "Declined",
    toMove: "to move",
    won: "won",
    hasMarker: "battle marker",
    /** @param {boolean} chooses the edition has a map */
    markerMeans: (chooses) =>
      `Has the battle marker: ${chooses ? "chooses the region of a battle, and " : ""}has the first turn in a battle.`,
    takesMarker: "would take the battle marker now",
    next: "next",
    passed: "passed",
    passedForNow: "passed for now",
    resigned: "resigned",
    bystander: "does not fight",
    defends: "defends",
    /** @param {string} bot */
    playedByBot: (bot) => `played by ${bot}`,
    /** @param {string} name @param {number} strength */
    strengthOf: (name, strength) => `Strength of ${name}: ${strength}. Show the steps`,
    steps: "Steps of the strength",
    noSteps: "No card in the row counts.",
    emptyRow: "No card in the row.",
    /** @type {Record<string, string>} */
    stepNames: { mercenaries: "Mercenaries" },
    /** @param {number} count */
    cards: (count) => counted(count, "card"),
    /** @param {number} count */
    ownDeck: (count) => `deck ${count}`,
    /** @param {number} count */
    regions: (count) => counted(count, "region"),
    oneShort: "one short of winning",
    toWin: "To win",
    /** @param {{adjacent: number | null, total: number | null, battles: number | null}} goal */
    goal: ({ adjacent, total, battles }) =>
      [adjacent && `${adjacent} adjacent regions`, total && `${total} in all`, battles && counted(battles, "battle")]
        .filter(Boolean)
        .join(" or "),
    /** @param {string[]} group adjacent regions */
    together: (group) => (group.length > 1 ? `${listed(group)} are adjacent` : `${group}`),
    /** @param {number} now @param {number} goal */
    adjacent: (now, goal) => `${now} of ${goal} adjacent`,
    /** @param {number} now @param {number} goal */
    total: (now, goal) => `${now} of ${goal} in total`,
    /** @param {number} now @param {number} goal */
    battlesWon: (now, goal) => `${now} of ${goal} battles won`,
    /** @param {string} name */
    rowOf: (name) => `Row of ${name}`,
    /** @param {string} name @param {string} card @param {number} count */
    courtesansOf: (name, card, count) => `${card} cards of ${name}: ${count}`,
    faceDown: "face down",
    /** @param {number} count */
    backs: (count) => `${counted(count, "card")} face down`,

    /** @param {number} count */
    hand: (count) => `Your hand: ${counted(count, "card")}`,
    /** @param {string} label @param {number} count */
    card: (label, count) => (count > 1 ? `${label}, ${count} cards` : label),
    /** Follows the name of a card or a region. */
    hinted: ", recommended",
    /** @param {number} size @param {number} regions @param {number} each */
    nextDeal: (size, regions, each) =>
      regions
        ? `Next deal: ${size} + ${counted(regions, "region")}${each > 1 ? ` × ${each}` : ""} = ${size + regions * each}`
        : `Next deal: ${size} cards`,

    actions: "Your move",
    pass: "Pass",
    decline: "Choose no region",
    keepHand: "Keep the hand",
    mustKeep: "Continue",
    discardHand: "Discard the hand",
    whyKeep: "Why can’t I discard it?",
    keepCards: "Choose cards to keep",
    drawCards: "Draw cards",
    back: "Back",
    sending: "Sending …",
    /** @type {Record<string, string>} */
    hints: {
      "choose-region": "Select the region that the next battle is for.",
      battle: "Select a card to see what it does. You confirm before it is played.",
      "keep-cards": "Tick the cards that you keep.",
    },
    /** @param {string} region */
    chooses: (region) => `Choose ${region}`,
    /** @param {string} card @param {string} [where] */
    plays: (card, where) => `Play ${card}${where ? `: ${where}` : ""}`,
    /** @param {number} count */
    keeps: (count) => `Keep ${counted(count, "card")}`,
    /** @param {number} count */
    draws: (count) => (count ? `Draw ${counted(count, "card")}` : "Draw no card"),
    /** @param {number} count @param {number} most */
    kept: (count, most) => `${count} of at most ${most} ticked. You discard the others.`,
    howMany: "How many cards do you draw?",
    asks: {
      take: "Which card do you take back?",
      favor: "Where does the favor marker move? Select a region on the map.",
      turn_up: "Which card do you turn up?",
    },
    /** @param {string} card */
    takes: (card) => `Take back ${card}`,
    /** Follows the name of a card that is played. @param {string} card */
    takesBack: (card) => `take back ${card}`,
    /** @param {string} name */
    from: (name) => `from ${name}`,
    takesNone: "Take no card",
    noFavor: "No region",
    /** @param {string} card */
    turnsUp: (card) => `Turn up ${card}`,
    staysDown: "Turn up no card",

    /** @param {string | null} name */
    movedMeanwhile: (name) => `${name ? `${name} moved` : "The game changed"} while you were thinking. Look again.`,
    /** @param {string | null} name */
    choiceGone: (name) => `${name ? `${name} moved` : "The game changed"}. Your selection is not a legal move now.`,
    allRules: "All rules of this edition",
  },
};
