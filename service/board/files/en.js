// The texts of the board, in English. Another language is another file with the same members.

/** @typedef {import("./log.js").Happening} Happening */
/** @typedef {import("./log.js").Names} Names */

/** @param {number} count @param {string} one @param {string} [many] */
const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** "a", "a and b", "a, b and c". @param {string[]} items */
const listed = (items) => [...items.slice(0, -2), items.slice(-2).join(" and ")].join(", ");

/** Texts for values that the API may add to later. @type {Record<string, Record<string, string>>} */
const logReasons = {
  deadline: { vacation: "vacation", outage: "the service was down", extension: "an extension", pause: "a pause" },
  marker: {
    lot: "by lot",
    victory: "won the battle",
    owner: "owns the region",
    holder: "nobody else takes it",
    left: "next seat in playing order",
    declined: "the last holder chose no region",
  },
  phase: {
    "choose-region": "choose a region",
    battle: "play a card or pass",
    "keep-or-discard": "keep or discard the hand",
    "keep-cards": "choose the cards to keep",
    "draw-cards": "draw cards",
  },
  end: {
    "adjacent-regions": "enough adjacent regions",
    "total-regions": "enough regions",
    "battles-won": "enough battles won",
    "no-region-left": "no region is left",
    declined: "nobody chose a region",
    "final-battle": "final battle",
    "out-of-cards": "out of cards",
    stall: "no cards were played",
    "battle-limit": "the limit of battles was reached",
    resignation: "the others resigned",
    points: "enough points",
    "no-points": "nobody gained points",
  },
};

/** @param {Record<string, string> | undefined} texts @param {string} key */
const said = (texts, key) => texts?.[key] ?? key.replaceAll("-", " ");

/** A duration in words: the two largest units. @param {number} ms */
function lasting(ms) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const units = /** @type {const} */ ([["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]]);
  const parts = units.map(([name, size], at) => {
    const whole = Math.floor((at ? seconds % (units[at - 1]?.[1] ?? 1) : seconds) / size);
    return whole ? counted(whole, name) : "";
  });
  return parts.filter((part) => part).slice(0, 2).join(" ");
}

/** ": Anna (21) and Bruno (18)", the highest first; seats with nothing are left out.
 * @param {readonly number[]} numbers by seat @param {Names} names */
function numbered(numbers, names) {
  const some = numbers.map((number, seat) => ({ number, seat })).filter(({ number }) => number);
  some.sort((one, other) => other.number - one.number);
  return some.length ? `: ${listed(some.map(({ number, seat }) => `${names.seat(seat)} (${number})`))}` : "";
}

/** @param {{count: number, cards?: readonly string[]}} list @param {Names} names */
function cards({ count, cards: seen = [] }, names) {
  const kinds = [...new Set(seen)].map((kind) => {
    const number = seen.filter((card) => card === kind).length;
    return number > 1 ? `${number} × ${names.card(kind)}` : names.card(kind);
  });
  return counted(count, "card") + (kinds.length ? `: ${listed(kinds)}` : "");
}

/** @param {readonly number[]} winners @param {readonly string[]} reasons @param {string} what @param {Names} names */
function ended(winners, reasons, what, names) {
  const why = reasons.map((reason) => said(logReasons.end, reason)).join(", ");
  return `${winners.length ? `${names.seats(winners)} won the ${what}` : `The ${what} ended in a draw`} (${why}).`;
}

/** A time in words, rounded down: the largest two units at most. @param {number} milliseconds */
function duration(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return `${Math.floor(milliseconds / 1000)} s`;
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days) return hours && days < 3 ? `${days} d ${hours} h` : `${days} d`;
  if (hours) return rest && hours < 3 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${minutes} min`;
}

export const t = {
  /** Set in the `lang` of the page. */
  language: "en",

  site: {
    name: "Condottiere",
    inbox: "Your games",
    lobby: "Lobby",
    open: "New game",
    rules: "Rules",
    guides: "Guides",
    settings: "Settings",
    signIn: "Sign in",
    signOut: "Sign out",
    sections: "Sections",
    loading: "Loading",
    notFound: "There is nothing at this address.",
    home: "Go to the start page",
    cancel: "Cancel",
    close: "Close",
    retry: "Try again",
    reload: "Reload the page",
    newRelease: "The service has been updated.",
    failed: "This page failed. What you see may be out of date.",
    copy: "Copy the report",
    /** @param {string} time */
    lost: (time) => `Connection lost. You see the state of ${time}.`,
    /** @param {number} seconds */
    waits: (seconds) => `The service is busy. Trying again in ${counted(seconds, "second")}.`,
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

  log: {
    title: "Log",
    playIt: "Play it",
    anyKey: "Press any key to stop.",
    details: "All details",
    since: "Since your last move",
    deleted: "a deleted player",
    listed,
    /** @param {number} version */
    showVersion: (version) => `Show version ${version}`,
    /** @param {string} type */
    unknown: (type) => `Something happened that this page does not know: ${type}.`,

    /** A sentence for each type of event.
     * @type {{[E in Happening as E["type"]]: (event: E, names: Names) => string}} */
    events: {
      "table-opened": (e, n) => `${n.player(e.owner_name)} opened the game: ${n.edition}, ${e.seats} seats.`,
      "seat-taken": (e, n) => `${n.player(e.name)} joined.`,
      "bot-seated": (e, n) => `${n.seat(e.seat)}, a bot, joined.`,
      "seat-left": (e, n) => `${n.player(e.name)} left.`,
      "table-cancelled": (e, n) => `${n.player(e.name)} cancelled the game.`,
      "game-cancelled": (e) => `The host cancelled the game${e.reason ? `: ${e.reason}` : "."}`,
      "clock-started": (e, n) => `${n.seat(e.seat)} has until ${n.time(e.deadline)}.`,
      "clock-stopped": (e, n) => `${n.seat(e.seat)} used ${lasting(e.used)}.`,
      "deadline-moved": (e, n) =>
        `${n.seat(e.seat)} has until ${n.time(e.deadline)} now (${said(logReasons.deadline, e.reason)}).`,
      "seat-reminded": (e, n) => `${n.seat(e.seat)} was reminded: ${e.left} % of the time is left.`,
      "seat-timed-out": (e, n) => `Time ran out for ${n.seat(e.seat)}.`,
      "seat-given-to-bot": (e, n) => `A bot, ${e.label}, now plays for ${n.seat(e.seat)}.`,
      "seat-taken-back": (e, n) => `${n.seat(e.seat)} came back and plays again.`,
      "seat-opened": (e, n) => `${n.player(e.name)} lost the seat. Another player may take it.`,
      "seat-substituted": (e, n) => `${n.player(e.name)} took over the seat.`,
      "pause-asked": (e, n) => `${n.seat(e.seat)} asked for a pause.`,
      "game-paused": () => "The game was paused.",
      "game-resumed": (e, n) => `${n.seat(e.seat)} resumed the game.`,
      "extension-asked": (e, n) => `${n.seat(e.seat)} asked for ${lasting(e.extra)} more.`,
      "extension-granted": (e, n) => `${n.seat(e.seat)} agreed to more time.`,
      "clock-advanced": (e) => `The owner advanced the clock by ${lasting(e.by)} for a test.`,
      "game-started": (e, n) => `The game started: ${n.edition}, ${e.seats} seats.`,
      "marker-taken": (e, n) =>
        `${n.seat(e.seat)} ${e.reason === "holder" ? "kept" : "took"} the battle marker` +
        (e.reason === "courtesans"
          ? `, with the most ${n.card("courtesan")} cards.`
          : ` (${said(logReasons.marker, e.reason)}).`),
      "hands-dealt": (e, n) => `Cards were dealt${numbered(e.hands.map(({ count }) => count), n)}.`,
      "cards-drawn": (e, n) => `${n.seat(e.seat)} drew ${cards(e.cards, n)}.`,
      "discard-reshuffled": () => "The discard was shuffled into the deck.",
      "region-chosen": (e, n) => `${n.seat(e.seat)} chose ${n.region(e.region)}.`,
      "region-declined": (e, n) => `${n.seat(e.seat)} chose no region.`,
      "card-played": (e, n) => `${n.seat(e.seat)} played ${n.card(e.card)}.`,
      "card-laid-face-down": (e, n) => `${n.seat(e.seat)} laid ${e.card ? n.card(e.card) : "a card"} face down.`,
      "card-turned-up": (e, n) => `${n.seat(e.seat)} turned up ${n.card(e.card)}.`,
      "card-taken-back": (e, n) =>
        e.taken_from === e.seat
          ? `${n.seat(e.seat)} took ${n.card(e.card)} back.`
          : `${n.seat(e.seat)} took ${n.card(e.card)} from ${n.seat(e.taken_from)}.`,
      "mercenaries-removed": (e, n) => `${n.card(e.card)} was removed from all rows${numbered(e.counts, n)}.`,
      "favor-moved": (e, n) =>
        e.region ? `The favor marker moved to ${n.region(e.region)}.` : "The favor marker was taken off the map.",
      "seat-passed": (e, n) =>
        e.forced
          ? `${n.seat(e.seat)} has no card left and passed.`
          : `${n.seat(e.seat)} passed${e.final ? "" : ", and may still play"}.`,
      "seat-resigned": (e, n) => `${n.seat(e.seat)} resigned.`,
      "battle-ended": (e, n) => {
        const how = e.cause === "passes" ? "" : `${n.card(e.cause)} ended the battle. `;
        const prize = e.region ? n.region(e.region) : "the battle";
        const strengths = e.strengths ? numbered(e.strengths, n) : "";
        return `${how}${e.winner === undefined ? "Nobody" : n.seat(e.winner)} won ${prize}${strengths}.`;
      },
      "rows-discarded": () => "All rows were discarded.",
      "hand-kept": (e, n) => `${n.seat(e.seat)} kept the hand.`,
      "hand-discarded": (e, n) => `${n.seat(e.seat)} discarded ${cards(e.cards, n)}.`,
      "cards-kept": (e, n) => `${n.seat(e.seat)} kept ${cards(e.cards, n)}.`,
      "round-stalled": (e) => `No card was played in ${counted(e.battles, "battle")} in a row.`,
      "round-ended": () => "The round ended.",
      "turn-started": (e, n) => `Waiting for ${n.seat(e.seat)}: ${said(logReasons.phase, e.phase)}.`,
      "final-battle-started": (e, n) =>
        `${n.seats(e.fighters)} fight a final battle (${said(logReasons.end, e.reason)}).`,
      "game-ended": (e, n) => ended(e.winners, e.reasons, "game", n),
      "match-scored": (e, n) =>
        `Points: ${listed(e.points.map((points, seat) => `${n.seat(seat)} (${points}, +${e.gained[seat] ?? 0})`))}.`,
      "match-ended": (e, n) => ended(e.winners, e.reasons, "match", n),
    },
  },

  replay: {
    title: "Replay",
    version: "Version",
    play: "Play",
    pause: "Pause",
    close: "Now",
    /** @type {Record<string, string>} */
    parts: { step: "Step", battle: "Battle", round: "Round" },
    /** @type {Record<string, string>} */
    previous: { step: "Previous step", battle: "Previous battle", round: "Previous round" },
    /** @type {Record<string, string>} */
    next: { step: "Next step", battle: "Next battle", round: "Next round" },
    /** @param {number} version @param {number} newest @param {string} what */
    at: (version, newest, what) => `${version} of ${newest}${what ? `: ${what}` : ""}`,
  },

  /** What the screens around the board share. */
  parts: {
    duration,
    listed,
    /** @param {string} title @param {number | null} year @param {string} publisher */
    edition: (title, year, publisher) => `${title} (${year ?? publisher})`,
    free: "free",
    deleted: "a deleted player",
    /** @param {string} name @param {string} bot */
    standIn: (name, bot) => `${name} (${bot} is playing)`,
    /** @param {number} seat */
    seat: (seat) => `seat ${seat + 1}`,
    seats: "Who has the seats",
    noClock: "no clock",
    /** @param {string} time */
    perMove: (time) => `${time} for each move`,
    /** @param {string} time @param {string} more @param {string} most */
    bank: (time, more, most) => `${time} in the bank, ${more} more with each move, at most ${most}`,
    /** @param {string} time */
    left: (time) => `${time} left`,
    /** @type {Record<string, string>} */
    phases: {
      "choose-region": "choose a region",
      battle: "play a card or pass",
      "keep-or-discard": "keep or discard your hand",
      "keep-cards": "choose the cards that you keep",
      "draw-cards": "draw cards",
    },
    someMove: "make a move",
    /** The value of an option. @param {unknown} value */
    value: (value) => (value === true ? "on" : value === false ? "off" : String(value)),
  },

  /** Registration, and the recovery code. */
  account: {
    name: "Your name",
    nameHelp: "2 to 20 letters, digits, hyphens and underscores. Other players see it.",
    /** @param {string} name */
    take: (name) => `Use ${name}`,
    operatorCode: "Registration code",
    operatorCodeHelp: "Ask the operator of this service for the code.",
    busy: "One moment …",
    recoveryTitle: "Keep your recovery code",
    recoveryText:
      "You have no password. If you lose this device, sign in with your name and this code. It is shown only here.",
    copyCode: "Copy the code",
    codeKept: "I have kept it",
  },

  home: {
    lead: "Play the board game Condottiere in your browser, against bots or other people, in one sitting or over days.",
    playNow: "Play now",
    play: "Play",
    /** @param {string} edition */
    playHelp: (edition) => `You play ${edition} against two bots. You need no password and no e-mail address.`,
    have: "Have you played here before?",
    starting: "Your game is being set up.",
    runningNow: "A game that is being played",
    finishedLast: "The last finished game",
    watch: "Watch this game",
    replay: "Look at this game",
    noneRuns: "No game is being played right now.",
    learn: "Read more",
    rules: "Rules",
    developers: "For developers",
    guides: "Guides",
    /** @param {number} round @param {number} battle */
    progress: (round, battle) => `Round ${round}, battle ${battle}`,
    title: "Your games",
    next: "Next game",
    open: "New game",
    nothing: "Nothing waits for you.",
    /** @param {number} count */
    yourTurn: (count) => `Your turn in ${counted(count, "game")}`,
    waiting: "Waiting for others",
    notStarted: "Not started",
    finished: "Finished since your last visit",
    openGames: "Open games",
    lobby: "All open games",
    older: "Show older games",
    notices: "Notices",
    /** @param {string} what */
    turn: (what) => `Your turn: ${what}`,
    /** @param {string} name */
    waits: (name) => `Waiting for ${name}`,
    paused: "Paused",
    /** @param {number} free */
    missing: (free) => (free ? `Waiting for ${counted(free, "more player")}` : "All seats are taken; the owner starts the game"),
    /** @param {string[]} names */
    against: (names) => (names.length ? `with ${listed(names)}` : "nobody else yet"),
    /** @param {number} seat */
    you: (seat) => `You have seat ${seat + 1}`,
    won: "You won",
    wonToo: "You won, with others",
    /** @param {string[]} names */
    winners: (names) => (names.length ? `${listed(names)} won` : "Nobody won"),
    cancelled: "Cancelled",
    /** @param {string} bot */
    standIn: (bot) => `A bot is playing your seat. ${bot}`,
    takeBack: "Go to the game to take it back",
    webhook: "One of your webhooks was disabled.",
    /** What happened last in a game, by type of event; `who` is a name or "You", `what` a card or a region.
     * @type {Record<string, (who: string, what: string) => string>} */
    happened: {
      "game-started": () => "The game started",
      "battle-ended": (who, what) => (who ? `${who} won the battle for ${what}` : `The battle for ${what} ended without a winner`),
      "region-chosen": (who, what) => `${who} chose ${what}`,
      "region-declined": (who) => `${who} declined to choose a region`,
      "card-played": (who, what) => `${who} played ${what}`,
      "card-laid-face-down": (who) => `${who} laid a card face down`,
      "seat-passed": (who) => `${who} passed`,
      "seat-resigned": (who) => `${who} resigned`,
      "hand-kept": (who) => `${who} kept the hand`,
      "hand-discarded": (who) => `${who} discarded the hand`,
      "cards-kept": (who) => `${who} kept some cards`,
      "game-resumed": () => "The game was resumed",
      "seat-timed-out": (who) => `Time ran out for ${who}`,
    },
    youDid: "You",
  },

  lobby: {
    title: "Lobby",
    kinds: "Which games",
    open: "Open games",
    substitute: "Seats to take over",
    substituteHelp: "These games are running. A player is gone, and you can take over the seat.",
    filters: "Filters",
    edition: "Edition",
    seats: "Seats",
    pace: "Pace",
    any: "Any",
    /** @type {Record<string, string>} */
    paces: { none: "No clock", live: "Live: under 12 hours a turn", correspondence: "By correspondence: 12 hours or more" },
    refresh: "Refresh",
    /** @param {number} free @param {number} all */
    taken: (free, all) => `${all - free} of ${all} seats taken`,
    owner: "opened by",
    nobody: "a deleted player",
    opened: "opened",
    /** @param {string} time */
    ago: (time) => `${time} ago`,
    join: "Join",
    /** @param {string} name */
    joinNamed: (name) => `Join: ${name}`,
    joining: "Joining …",
    signIn: "Sign in to join",
    look: "Look",
    watch: "Watch",
    own: "Go to your game",
    options: "Options",
    defaults: "All options are as the edition sets them.",
    empty: "No open game: open one.",
    emptyFiltered: "No open game like that.",
    emptySubstitute: "No seat waits for a substitute.",
    clear: "Show all",
    openOne: "Open a game",
    more: "More games",
    /** @type {Record<string, string>} What to do when a game is no longer as the list shows it. */
    gone: {
      "no-free-seat": "Somebody took the last seat. You can watch the game, or join another one.",
      "seat-taken": "Somebody took the last seat. You can watch the game, or join another one.",
      "game-started": "The game started without you. You can watch it, or join another one.",
      "game-cancelled": "Its owner cancelled the game. Join another one.",
      "unknown-game": "This game no longer exists. Join another one.",
    },
  },

  opening: {
    title: "New game",
    edition: "Edition",
    /** @param {string} publisher @param {number | null} year @param {number} fewest @param {number} most */
    box: (publisher, year, fewest, most) =>
      `${publisher}${year ? `, ${year}` : ""}. ${fewest === most ? fewest : `${fewest} to ${most}`} seats.`,
    /** @param {number | null} total @param {number | null} adjacent @param {number | null} battles */
    goal: (total, adjacent, battles) => {
      const goals = [];
      if (total !== null) goals.push(counted(total, "region"));
      if (adjacent !== null) goals.push(`${counted(adjacent, "adjacent region")}`);
      if (battles !== null) goals.push(counted(battles, "won battle"));
      return goals.length ? `To win you need ${goals.join(" or ")}.` : "";
    },
    /** @param {number} cards @param {number} more */
    hand: (cards, more) => `You are dealt ${counted(cards, "card")}${more ? `, and ${more} more for each region` : ""}.`,
    /** @param {string[]} labels */
    variants: (labels) => (labels.length ? `Optional rules: ${labels.join(", ")}.` : "The rulebook has no optional rules."),
    read: "Read the rules",
    seats: "Seats",
    /** @param {number} seats */
    rarely: (seats) => `${seats} (only with an option)`,
    you: "You",
    players: "Who plays",
    /** @param {number} seat */
    seat: (seat) => `Seat ${seat + 1}`,
    person: "A player",
    /** @param {string} label */
    bot: (label) => `Bot: ${label}`,
    startsAtOnce: "The game starts at once.",
    /** @param {number} free */
    startsWhen: (free) => `The game starts when ${counted(free, "player has", "players have")} joined.`,
    startsByYou: "You start the game when every seat is taken.",
    clock: "Time for a move",
    clocks: {
      none: "No limit",
      live: "5 minutes: play live",
      day: "A day",
      days: "Three days",
    },
    /** @param {string} words */
    copied: (words) => `As in the other game: ${words}`,
    clockHelp: "Bots have no clock. The time counts for each decision.",
    nights: "Nights do not count",
    nightsHelp: "A player's clock stops during the night that the player has set.",
    vacations: "Vacations do not count",
    atTimeout: "When time runs out",
    /** @type {Record<string, string>} */
    timeouts: {
      pass: "the server makes a move",
      bot: "a bot plays until the player is back",
      "open-seat": "another player may take the seat",
      resign: "the player resigns, for good",
    },
    misses: "After this many timeouts in a row",
    options: "Options",
    /** @param {number} changed */
    optionsChanged: (changed) => (changed ? `Options (${changed} changed)` : "Options"),
    noOptions: "This edition has no options.",
    house: "House rule",
    houseHelp: "A house rule is not in the rulebook: this service adds it.",
    start: "Start",
    auto: "When the last seat is taken",
    byOwner: "When I start it",
    create: "Open the game",
    creating: "Opening …",
    signIn: "Sign in to open the game",
    check: "The game was not opened. Check the marked fields.",
    /** @param {string} edition */
    copiedFrom: (edition) => `The settings are those of another game (${edition}).`,
  },

  signin: {
    title: "Sign in",
    stays: "Stay signed in on this device",
    staysHelp: "Otherwise you are signed out when you close the browser.",
    fresh: "You are new here",
    register: "Register",
    device: "You are signed in on another device",
    deviceHelp: "Open Settings on that device and create a code for this one.",
    code: "One-time code",
    deviceName: "Name of this device",
    browser: "Browser",
    token: "You have a token",
    tokenHelp: "Paste the whole token. It stays in this browser.",
    tokenLabel: "Token",
    lost: "You have lost your token",
    lostHelp: "All your other devices are signed out, and you get a new recovery code.",
    name: "Your name",
    recovery: "Recovery code",
    recover: "Recover",
    submit: "Sign in",
    /** @param {string} name */
    already: (name) => `You are signed in as ${name}.`,
    onward: "Continue",
  },
};
