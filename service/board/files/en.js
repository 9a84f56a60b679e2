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
/** What two editions can differ in. @type {Record<string, string>} */
const topics = {
  seats: "Number of players",
  board: "Map",
  deck_each: "A deck for each player",
  hand_size: "Cards in a full hand",
  cards_a_region: "More cards for each region",
  cards_kept: "Cards kept at the end of a round",
  opening: "Before the first battle",
  contestable: "Regions that may be chosen",
  may_decline: "Choosing no region is allowed",
  pass_is_final: "Passing",
  strength: "How strength is computed",
  marker: "Who takes the battle marker",
  aftermath: "After a battle",
  standing: "What decides if nobody reaches the goal",
  final_battle: "Final battle",
  barred_in_the_final_battle: "Not allowed in a final battle",
  winners_of_the_final_battle: "Who wins a final battle",
  options: "Options",
};

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

  rules: {
    /** What an edition is called here. @param {{title: string, year: number | null, publisher: string}} edition */
    title: ({ title, year, publisher }) => `${title} (${year ?? publisher})`,
    all: "All rules of this edition",
    sources: "Source:",
    editions: "Editions",
    contents: "Contents",
    compareWith: "Compare with",
    nothingElse: "no other edition",
    compare: "Compare",
    /** @param {number} cards @param {boolean} each */
    deck: (cards, each) => (each ? `The deck: ${cards} cards for each player` : `The deck: ${cards} cards`),
    card: "Card",
    count: "Number",
    effect: "Effect",
    goals: "How to win",
    /** @param {{seats: number, adjacent?: number | null, total?: number | null, battles?: number | null}} goal */
    goal: ({ seats, adjacent, total, battles }) => {
      const ways = [
        adjacent ? `${adjacent} adjacent regions` : "",
        total ? `${total} regions` : "",
        battles ? `${battles} battles won` : "",
      ];
      return `With ${seats} players: ${ways.filter(Boolean).join(", or ")}.`;
    },
    options: "Options",
    house: "(house rule)",
    /** @param {string} value */
    usually: (value) => `Default: ${value}.`,
    yes: "yes",
    no: "no",
    absent: "none",
    /** @param {number} count */
    differences: (count) => (count ? counted(count, "difference") : "No differences"),
    topic: "Topic",
    same: "same in both",
    differs: "different",
    none: "This edition has no such clause.",
    table: "Table",
    /** What a difference is about. @param {string} topic @param {(card: string) => string} label */
    about: (topic, label) => {
      const [kind = "", part = ""] = topic.split(".");
      if (kind === "deck" && part) return `Number of cards: ${label(part)}`;
      if (kind === "label") return `Name of the card ${part}`;
      if (kind === "special") return `What ${label(part)} does`;
      if (kind === "goals") return `Goal with ${part} players`;
      return topics[kind] ?? kind.replaceAll("_", " ");
    },
    /** @param {string} member of a value in a comparison */
    member: (member) => `${member.replaceAll("_", " ")}:`,
  },

  player: {
    player: "Player",
    deleted: "Deleted player",
    free: "free seat",
    record: "Record",
    moves: "Moves",
    timeouts: "Timeouts",
    mean: "Mean time for a move",
    half: "Half of the moves within",
    most: "Three quarters within",
    unmoved: "This player has not moved yet.",
    running: "Running games",
    finished: "Finished games",
    noGames: "No games.",
    more: "Show more",
    won: "Won.",
    /** @param {string[]} names */
    lost: (names) => (names.length ? `Won by ${listed(names)}.` : "Nobody won."),
    /** @param {string} name */
    awaits: (name) => `Waiting for ${name}.`,
    paused: "Paused.",
    /** @param {string[]} names */
    against: (names) => `against ${listed(names)}`,
    /** @param {number} moment in ms since 1970 UTC */
    day: (moment) => new Date(moment).toLocaleDateString("en", { dateStyle: "medium" }),
    /** A time in its two largest units. @param {number} milliseconds */
    duration: (milliseconds) => {
      const seconds = Math.round(milliseconds / 1000);
      const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24;
      const minutes = Math.floor(seconds / 60) % 60;
      if (days) return `${days} d ${hours} h`;
      if (hours) return `${hours} h ${minutes} min`;
      return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
    },
  },

  settings: {
    signedOut: "to see the settings of your account.",
    look: "Look and feel",
    thisBrowser: "These settings are for this browser only.",
    colours: "Colours",
    colourChoices: { auto: "As the system", light: "Light", dark: "Dark" },
    motion: "Motion",
    motionChoices: { auto: "As the system", on: "On", off: "Off" },
    quickMoves: "Quick moves",
    keys: "Keys",
    sound: "Sound",
    about: {
      quickMoves: "One tap makes a move, without a second tap to confirm it.",
      keys: "Single keys act on the game screen: h for the hand, m for the map, l for the log, p to pass.",
      sound: "Play a sound when your turn begins.",
    },
    account: "Account",
    playsAs: "You play as",
    hours: "Hours",
    aboutHours: "Your clocks stop during your night in games that allow this. A change applies from your next turn on.",
    zone: "Time zone",
    /** @param {string} zone */
    useHere: (zone) => `Use ${zone}`,
    from: "Night from",
    until: "Night until",
    autoVacation: "Begin a vacation automatically a minute before my time runs out",
    save: "Save",
    saved: "Saved.",
    vacation: "Vacation",
    /** @param {string} time */
    left: (time) => `You have ${time} of vacation left. You earn three hours a day. A vacation lasts at least an hour.`,
    /** @param {string} until */
    away: (until) => (until ? `You are on vacation until ${until}.` : "You are on vacation."),
    vacationUntil: "Until (optional)",
    goAway: "Begin vacation",
    comeBack: "End vacation",
    begun: "Your vacation has begun.",
    ended: "Your vacation is over.",
    token: "Token of this browser",
    aboutToken: "The token signs you in. Anybody who has it can play as you: keep it secret.",
    showToken: "Show token",
    hideToken: "Hide token",
    replaceToken: "Replace token",
    tokenReplaced: "The token is replaced. The earlier token no longer works.",
    askReplace: {
      title: "Replace the token?",
      text: "The current token of this browser stops working everywhere. Your other devices stay signed in.",
      confirm: "Replace token",
    },
    devices: "Devices and programs",
    aboutDevices: "Each device has its own token. Revoke a token to sign the device out.",
    current: "(this browser)",
    /** @param {string[]} scopes */
    scopes: (scopes) => `May use: ${scopes.join(", ")}.`,
    /** @param {string} time */
    made: (time) => `Created ${time}.`,
    /** @param {string} time */
    used: (time) => `Last used ${time}.`,
    unused: "Not used yet.",
    /** @param {string} time */
    expires: (time) => `Expires ${time}.`,
    revoke: "Revoke",
    /** @param {string} name */
    revokeOne: (name) => `Revoke ${name}`,
    /** @param {string} name */
    askRevoke: (name) => ({
      title: `Revoke ${name}?`,
      text: "The device or program with this token is signed out at once.",
      confirm: "Revoke",
    }),
    everything: "The device may also change the account",
    addDevice: "Get a code for another device",
    codeMade: "The code for the other device is shown.",
    /** @param {string} address @param {string} until */
    codeFor: (address, until) => `On the other device, open ${address} and enter this code by ${until}. It works once.`,
    recovery: "Recovery code",
    aboutRecovery: "If you lose all your devices, the recovery code and your name let you in again. Keep it on paper.",
    newRecovery: "Get a new recovery code",
    keepRecovery: "Write this code down. It is shown only once.",
    askRecovery: {
      title: "Get a new recovery code?",
      text: "Your earlier recovery code stops working.",
      confirm: "Get a new code",
    },
    data: "Your data",
    aboutData: "Everything that the server holds about you, as one JSON file.",
    load: "Download your data",
    end: "Leave",
    askLeave: {
      title: "Sign out?",
      text:
        "This browser forgets your token. To sign in again you need a code from another device, your recovery code, " +
        "or the token itself.",
      confirm: "Sign out",
    },
    remove: "Delete the account",
    askDelete: {
      title: "Delete the account?",
      text: "You leave your games, and your name is free for others. This cannot be undone.",
      confirm: "Delete the account",
    },
    /** @param {string} name */
    typeName: (name) => `Type ${name} to confirm`,
    copy: "Copy",
    copied: "Copied.",
    /** @param {number} time in ms since 1970 UTC */
    moment: (time) => new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" }),
  },

  verify: {
    heading: "Verify the deal",
    about:
      "Before the game, the server committed itself to a secret number, from which every deal and every lot follows. " +
      "Your browser can now check that the server kept to it, and that nobody has changed the log since.",
    start: "Verify the deal",
    working: "Checking",
    ok: "correct",
    notOk: "wrong",
    names: { commitment: "Commitment", chain: "Log", head: "Head", draws: "Deals and lots" },
    limits:
      "This check does not repeat the moves. The command condottiere verify also checks every move against the rules.",
    /** @param {boolean} ok */
    outcome: (ok) => (ok ? "The deal is correct." : "The record of this game is wrong."),
    noCrypto:
      "Your browser checks hashes only on pages with https. Open the board at an https address to verify the deal.",
    /** @param {number} format */
    otherFormat: (format) => `This page cannot read records of format ${format}. Reload the page and try again.`,
    notOpen: "The record shows all cards only when the game is over. You can verify the deal then.",
    noSeed: "The record has no seed of 32 bytes.",
    /** @param {string} commitment */
    wrongCommitment: (commitment) => `The commitment ${commitment} does not fit the seed.`,
    /** @param {string} commitment */
    rightCommitment: (commitment) => `The seed has the commitment ${commitment}.`,
    construction: "The record uses a method of drawing that this page does not know.",
    /** @param {number} commit @param {number} number */
    number: (commit, number) => `Commit ${commit} has the number ${number}.`,
    /** @param {number} commit */
    hash: (commit) => `Commit ${commit}: the hash does not fit the commit.`,
    /** @param {number} commit @param {string} problem */
    atCommit: (commit, problem) => `Commit ${commit}: ${problem}`,
    /** @param {number} count @param {number} version */
    count: (count, version) => `The log has ${counted(count, "commit")}, but the version is ${version}.`,
    /** @param {number} count */
    rightChain: (count) => `The hashes of ${counted(count, "commit")} are correct.`,
    wrongHead: "The head of the record does not fit its log.",
    rightHead: "The head fits the log.",
    entropies: "The random contributions of the players are not those of the log.",
    /** @param {number} count */
    rightDraws: (count) => `${counted(count, "draw")} repeated, with the same cards and lots.`,
    nothingToDraw: "there is nothing to draw from.",
    /** @param {number} cards */
    deckHas: (cards) => `the deck has only ${counted(cards, "card")}.`,
    seats: "a table has 2 to 6 seats.",
    /** @param {string} seat */
    noSeat: (seat) => `there is no seat ${seat}.`,
    notStarted: "the game has not started.",
    /** @param {number} draw @param {number} drawn @param {number} said */
    lot: (draw, drawn, said) => `draw ${draw}: the lot falls on seat ${drawn}, not ${said}.`,
    /** @param {number} draw @param {string[]} drawn @param {string[]} said */
    hand: (draw, drawn, said) => `draw ${draw}: the cards are ${drawn.join(", ")}, not ${said.join(", ")}.`,
    /** @param {number} expected @param {string} found */
    nextDraw: (expected, found) => `the next draw is ${expected}, not ${found}.`,
  },

  orders: {
    heading: "Standing orders",
    active: "(active)",
    about: "A standing order moves for you as soon as it is your turn. Nobody else sees that you have one.",
    nothing: "You have no orders: you decide each move.",
    passes: "On your next turn in this battle, you pass.",
    /** @param {number} strength @param {string} card */
    exceeds: (strength, card) =>
      `On your next turn in this battle, you pass if the strongest row exceeds ${strength}; otherwise you lay ${card}.`,
    /** @param {string} first @param {boolean} pass @param {string[]} later */
    lays: (first, pass, later) =>
      (first ? `On your next turn in this battle, you lay ${first} if you do not lead. ` : "All cards are laid. ") +
      (pass ? "If you lead, you pass." : "If you lead, you decide.") +
      (later.length ? ` Then: ${later.join(", ")}.` : ""),
    after: {
      keep: "After each battle, you keep your hand.",
      discard: "After each battle, you discard your hand if the rules allow it.",
    },
    battle: "In this battle",
    noBattle: "You can give orders for a battle once it has begun.",
    kinds: {
      "": "I decide each move",
      pass: "Pass on my turns",
      "pass-if-exceeds": "Pass if a row is too strong, otherwise lay a card",
      "lay-until-lead": "Lay cards until I lead",
    },
    strength: "Pass if the strongest row exceeds",
    otherwise: "Otherwise lay",
    choose: "Choose a card",
    cards: "Cards in the order in which they are laid",
    add: "Add a card",
    remove: "Remove",
    /** @param {string} card */
    removeOne: (card) => `Remove ${card}`,
    lead: "While I lead",
    thens: { ask: "I decide", pass: "Pass" },
    afterBattle: "After each battle",
    afters: { "": "I decide", keep: "Keep my hand", discard: "Discard my hand if the rules allow it" },
    save: "Give these orders",
    withdraw: "Withdraw all orders",
    history: "What your orders did",
    /** @param {string} card @param {string} [take] @param {string} [favor] @param {string} [up] */
    card: (card, take, favor, up) =>
      card +
      (take ? `, taking back ${take}` : "") +
      (favor ? `, favor to ${favor}` : "") +
      (up ? `, turning up ${up}` : ""),
    /** @param {number} version @param {string} move @param {string} card */
    moved: (version, move, card) => {
      /** @type {Record<string, string>} */
      const did = { pass: "you passed", "keep-hand": "you kept your hand", "discard-hand": "you discarded your hand" };
      return `Version ${version}: ${card ? `you laid ${card}` : (did[move] ?? move)}.`;
    },
    /** @param {number} version @param {string} reason */
    cancelled: (version, reason) => {
      /** @type {Record<string, string>} */
      const why = {
        "battle-over": "the battle is over",
        "already-passed": "you have passed",
        "card-not-in-hand": "the next card is not in your hand",
        "not-legal": "the rules no longer allow the card",
        "out-of-cards": "all cards are laid, and you do not lead",
        "seat-with-bot": "a bot is playing your seat",
        resigned: "you have resigned",
        "game-over": "the game is over",
      };
      return `Version ${version}: the order was cancelled: ${why[reason] ?? reason}.`;
    },
  },

  table: {
    you: "you",
    bot: "bot",
    owner: "owner",
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
      "keep-cards": "choose the cards to keep",
      "draw-cards": "draw cards",
    },
    /** @param {string} duty */
    yourTurn: (duty) => `Your turn: ${duty}`,
    /** @param {string} name @param {string} duty */
    turnOf: (name, duty) => `Waiting for ${name}: ${duty}`,
    waits: "Waiting",
    paused: "The game is paused",
    /** @param {number} at @param {number} newest */
    replaying: (at, newest) => `Replay: version ${at} of ${newest}`,
    /** @param {number} free */
    waitsForPlayers: (free) => (free ? `Waiting for ${counted(free, "player")}` : "Ready to start"),
    /** @param {string | null} name */
    cancelled: (name) => (name ? `${name} cancelled the game` : "The game was cancelled"),
    /** @param {string[]} names */
    over: (names) => (names.length ? `${listed(names)} won` : "Nobody won"),
    /** @param {string} time */
    left: (time) => `${time} left`,
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
    /** @param {number} battle */
    betweenBattles: (battle) => `Battle ${battle}`,
    /** @param {string} name @param {number} strength @param {number} by */
    leads: (name, strength, by) => `${name} leads with ${strength}, by ${by}`,
    /** @param {string[]} names @param {number} strength */
    level: (names, strength) => `${listed(names)} are level with ${strength}`,
    /** @param {number} battle @param {number} limit */
    battleLimit: (battle, limit) => `Battle ${battle} of at most ${limit}`,
    finalBattle: "Final battle",
    /** @param {string[]} names */
    fight: (names) => `${listed(names)} are tied and fight for the victory.`,
    /** @param {number} game */
    matchGame: (game) => `Game ${game}`,
    /** @param {number} target */
    matchTarget: (target) => `to ${target} points`,

    round: "Round",
    battle: "Battle",
    deck: "Deck",
    discard: "Discard",
    marker: "Battle marker",
    favor: "Favor marker",
    declines: "Declined",
    toMove: "to move",
    hasMarker: "battle marker",
    passed: "passed",
    resigned: "resigned",
    bystander: "does not fight",
    most: "most",
    /** @param {string} bot */
    playedByBot: (bot) => `played by ${bot}`,
    /** @param {string} name @param {number} strength */
    strengthOf: (name, strength) => `Strength of ${name}: ${strength}. Show the steps`,
    steps: "Steps of the strength",
    noSteps: "No card in the row counts yet.",
    /** @type {Record<string, string>} */
    stepNames: {
      mercenaries: "Mercenaries",
      winter: "Winter",
      drummer: "Drummer",
      spring: "Spring",
      courtesans: "Courtesans",
      heroines: "Heroines",
    },
    /** @param {number} count */
    cards: (count) => counted(count, "card"),
    /** @param {number} count */
    ownDeck: (count) => `deck ${count}`,
    /** @param {number} count */
    regions: (count) => counted(count, "region"),
    /** @param {number} now @param {number} goal */
    adjacent: (now, goal) => `${now} of ${goal} adjacent`,
    /** @param {number} now @param {number} goal */
    total: (now, goal) => `${now} of ${goal} in total`,
    /** @param {number} now @param {number} goal */
    battlesWon: (now, goal) => `${now} of ${goal} battles won`,
    /** @param {string} name */
    rowOf: (name) => `Row of ${name}`,
    faceDown: "face down",
    /** @param {number} count */
    backs: (count) => `${counted(count, "card")} face down`,

    /** @param {number} count */
    hand: (count) => `Your hand: ${counted(count, "card")}`,
    /** @param {string} label @param {number} count */
    card: (label, count) => (count > 1 ? `${label}, ${count} cards` : label),
    /** @param {number} size @param {number} regions @param {number} each */
    nextDeal: (size, regions, each) =>
      regions
        ? `Next deal: ${size} + ${counted(regions, "region")} × ${each} = ${size + regions * each} cards`
        : `Next deal: ${size} cards`,

    actions: "Your move",
    pass: "Pass",
    decline: "Choose no region",
    keepHand: "Keep the hand",
    discardHand: "Discard the hand",
    keepCards: "Choose cards to keep",
    drawCards: "Draw cards",
    back: "Back",
    sending: "Sending …",
    /** @type {Record<string, string>} */
    hints: {
      "choose-region": "Select a region on the map.",
      battle: "Select a card to see what it does. You confirm before it is played.",
      "keep-cards": "Tick the cards that you keep.",
    },
    /** @param {string} region */
    chooses: (region) => `Choose ${region}`,
    /** @param {string} card */
    plays: (card) => `Play ${card}`,
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
    /** @param {string} name */
    from: (name) => `from ${name}`,
    takesNone: "Take no card",
    noFavor: "No region",
    /** @param {string} card */
    turnsUp: (card) => `Turn up ${card}`,
    staysDown: "Turn up no card",

    /** @param {number} now @param {number} then */
    wouldHave: (now, then) => (now === then ? `Your row stays at ${now}.` : `Your row: ${now} → ${then}.`),
    /** @param {number} by */
    wouldLead: (by) => `You would lead by ${by}.`,
    /** @param {number} by */
    wouldTrail: (by) => `You would trail by ${by}.`,
    wouldTie: "You would be level.",
    /** @param {string} name @param {number} now @param {number} then */
    othersChange: (name, now, then) => `${name}: ${now} → ${then}.`,
    /** @param {string} name @param {string} region */
    wouldWin: (name, region) => `The battle would end: ${name} would win ${region}.`,
    wouldEnd: "The battle would end without a winner.",
    wouldEndGame: "This would end the game.",
    dependsOnHidden: "What follows depends on cards that you do not see.",
    /** @param {string | null} name */
    movedMeanwhile: (name) => `${name ? `${name} moved` : "The game changed"} while you were thinking. Look again.`,
    /** @param {string | null} name */
    choiceGone: (name) => `${name ? `${name} moved` : "The game changed"}. Your selection is not a legal move now.`,
    allRules: "All rules of this edition",

    passTitle: "Pass?",
    passText: "You lay no card. You cannot take this back.",
    discardTitle: "Discard the hand?",
    discardText: "You discard all cards of your hand. You cannot take this back.",
    resign: "Resign",
    resignTitle: "Resign this game?",
    resignText: "You lose this game for good. Nobody can undo a resignation.",
    resignWord: "resign",
    resignType: "Type “resign” to confirm.",

    freeSeat: "Free seat",
    share: "Link to this game",
    copy: "Copy",
    copied: "Copied",
    join: "Join",
    signInToJoin: "Sign in to join",
    start: "Start the game",
    leave: "Leave",
    cancelGame: "Cancel the game",
    again: "New game with these settings",
    replay: "Replay",
    verify: "Verify the deal",
    /** @param {string[]} reasons */
    because: (reasons) => `Why the game ended: ${listed(reasons)}.`,
    /** @type {Record<string, string>} */
    reasons: {
      "adjacent-regions": "enough adjacent regions",
      "total-regions": "enough regions in total",
      "battles-won": "enough battles won",
      "no-region-left": "no region was left",
      declined: "every seat declined to choose a region",
      "final-battle": "the final battle",
      "out-of-cards": "no seat had cards left",
      stall: "the battles led nowhere",
      "battle-limit": "the limit of battles was reached",
      resignation: "all other seats resigned",
      points: "enough points",
      "no-points": "no seat gained points in the last game",
    },

    more: "Clock, options and more",
    /** @param {string} name */
    clockOf: (name) => `The clock of ${name}:`,
    /** @param {string} time */
    bank: (time) => `Your bank at your last turn: ${time}`,
    /** @param {string[]} names */
    pauseAsked: (names) => `${listed(names)} asked for a pause.`,
    /** @param {string} name @param {string} time */
    extensionAsked: (name, time) => `${name} asked for ${time} more.`,
    pause: "Ask for a pause",
    agreePause: "Agree to the pause",
    resume: "End the pause",
    /** @param {string} time */
    moreTime: (time) => `Ask for ${time} more`,
    /** @param {string} time */
    grant: (time) => `Grant ${time} more`,
    substitute: "Take the free seat",
    takeBack: "Take my seat back",
    keys: "Keys",
    /** @type {[string, string][]} */
    keyList: [
      ["h", "to your hand"],
      ["m", "to the map"],
      ["l", "to the log"],
      ["p", "pass (asks first)"],
      ["← →", "to the next card, or the next region"],
      ["Enter", "select, then confirm"],
      ["Esc", "one step back"],
      ["?", "this list"],
    ],
  },
};
