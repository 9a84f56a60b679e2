// The texts of the screens around the board, and of the parts of the game that are loaded later, in English.

import { counted, listed, t as board } from "./texts.js";

/** A time in words, rounded down: the largest two units at most. @param {number} milliseconds */
function duration(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return `${Math.floor(milliseconds / 1000)} s`;
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days) return hours && days < 3 ? `${days} d ${hours} h` : `${days} d`;
  if (hours) return rest && hours < 3 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${minutes} min`;
}

/** Follows what a battle would end with. @param {string[]} names of those who may still lay cards */
const stillIn = (names) =>
  names.length ? `, but ${names.length > 2 ? `${names.length} others` : listed(names)} may still lay cards` : "";

/** The values of options that are words. @type {Record<string, string>} */
const values = {
  own: "your own",
  any: "any seat’s",
  french: "as in the French rulebook",
  english: "as in the English rulebook",
};

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
  ...board,
  /** The language of the log's sentences: one in which the service has them. */
  sentences: "en",

  site: {
    ...board.site,
    settings: "Settings",
    signOut: "Sign out",
    unstored: "This browser cannot remember that you are signed in. When you close or reload this page, you will have to sign in again.",
    close: "Close",
  },

  /** What to do about a problem, by its code, in place of what the service says. @type {Record<string, string>} */
  advice: {
    "unknown-game": "If the game is private, open it with its link, which the owner can copy from the game’s page.",
    "token-required": "Sign in first.",
    "game-paused": "End the pause, then go on.",
    "seat-with-bot": "Take your seat back, then go on.",
    "stale-version": "Look again.",
    "not-seated": "Somebody else may have taken it over.",
    "already-seated": "Reload the page to see it.",
    "seat-taken": "Reload the page to see which seats are free.",
    "seats-open": "Wait for more players, or give free seats to bots.",
    "no-hint": "Ask for one on your turn.",
    "no-extension-asked": "The request may have changed: look again.",
    "no-battle": "Until the next battle, you can order only what to do with your hand.",
    "unknown-token": "It may have been removed already. Reload the page.",
    "unknown-webhook": "It may have been removed already. Reload the page.",
    "unknown-browser": "It may have been removed already. Reload the page.",
  },

  /** The parts of a game that are loaded later. */
  table: {
    ...board.table,
    skip: "Skip to your hand",
    /** @param {number} game */
    counts: (game) => `The points of game ${game}:`,
    /** @param {string} name @param {number} regions @param {number} gained */
    gains: (name, regions, gained) =>
      `${name}: ${counted(regions, "region")}${gained > regions ? ` + ${gained - regions} for the victory` : ""} = ${gained}`,
    /** @param {string} name @param {number | null} strength null: the rows were not compared */
    lastStrengthOf: (name, strength) => `Strength of ${name} in the last battle: ${strength ?? "none"}. Show what the seat holds`,
    /** @param {string} name */
    lastRowOf: (name) => `Row of ${name} in the last battle`,
  },

  why: {
    barred: "barred",
  },

  log: {
    title: "Log",
    lastBattle: "Last battle:",
    /** @param {string | null} name @param {string | null} region */
    won: (name, region) => `${name ?? "Nobody"} won the battle${region ? ` for ${region}` : ""}.`,
    /** @param {string} name */
    agreesToPause: (name) => `${name} agrees to the pause.`,
    /** @param {string} card that has ended a battle without a winner @param {string | null} region */
    stopped: (card, region) => `${card} ended the battle${region ? ` for ${region}` : ""}: nobody won.`,
    /** The player, within a sentence. */
    you: "you",
    /** @param {string} name of the seat that still had cards at the end of a round */
    onlyLeft: (name) => `Only ${name} had cards left`,
    noneLeft: "Nobody had cards left",
    /** @param {number} battles */
    noneLaid: (battles) => `No card was laid in ${counted(battles, "battle")}`,
    /** @param {string} why the last round ended, or "" */
    newRound: (why) => `${why ? `${why}, so a` : "A"} new round begins.`,
    /** @param {string | null} name null: the player @param {number} count */
    keeps: (name, count) => `${name ? `${name} keeps` : "You keep"} ${count ? counted(count, "card") : "none"}.`,
    /** @param {string} name @param {number} count */
    dealtTo: (name, count) => `${count} for ${name}`,
    /** @param {string[]} each how many cards for whom */
    dealt: (each) => `New cards: ${listed(each)}.`,
    playIt: "Show what happened",
    anyKey: "Press any key to stop.",
    tap: "Tap to stop.",
    details: "All details",
    since: "Since your last move",
    /** Stands before what others have done. */
    sinceMove: "Since your move:",
    /** The same, before the player's first move. */
    soFar: "So far:",
    /** Follows a name, and precedes what the seat has done. @param {string} name */
    did: (name) => `${name}:`,
    /** @param {number} count */
    discarded: (count) => `discarded ${counted(count, "card")}`,
    /** @param {number} version */
    showVersion: (version) => `Show step ${version}`,
    /** @param {string} type */
    unknown: (type) => `Something happened that this page does not know: ${type}.`,
  },

  passing: {
    title: "Pass?",
    text: "You cannot take this back.",
    final: "You lay no more cards in this battle; your row still counts.",
    notFinal: "You may still lay cards later in this battle.",
    discardTitle: "Discard the hand?",
    discardText: "You discard all cards of your hand. You cannot take this back.",
    out: "If you pass, you lay no more cards in this battle.",
    forNow: "If you pass, you may still lay cards later in this battle.",
    alone: "Only you may still lay cards.",
    nobody: "If you pass, the battle ends without a winner.",
    /** @param {string | null} name null: the player @param {string} region @param {boolean} game whether this wins the game, too */
    ends: (name, region, game) =>
      `If you pass, the battle ends, and ${name ? `${name} wins` : "you win"} ${region}${game ? " and the game" : ""}.`,
    /** @param {string | null} name null: the player @param {string} region @param {boolean} game whether this wins the game, too
     * @param {string[]} others who may still lay cards */
    asItStands: (name, region, game, others) =>
      `As it stands, ${name ? `${name} wins` : "you win"} ${region}${game ? " and the game" : ""}${stillIn(others)}.`,
    /** @param {string} region @param {string[]} others who may still lay cards */
    level: (region, others) => `As it stands, the strongest rows are level, and nobody wins ${region}${stillIn(others)}.`,
    /** @param {number} count */
    keeps: (count) => `You keep your ${count === 1 ? "card" : `${count} cards`}.`,
    newRound: "Then a new round begins.",
    over: "The battle is over.",
    mustKeep: "You keep this hand for the next battles of this round.",
    mayDiscard: "What you keep is for the next battles of this round. New cards are dealt once at most one player has cards left.",
  },

  /** What the chosen move would do. */
  foreseen: {
    /** @param {number} now @param {number} then */
    row: (now, then) => (now === then ? `Your row stays at ${now}.` : `Your row: from ${now} to ${then}.`),
    /** @param {number} by */
    leads: (by) => `You would lead by ${by}.`,
    /** @param {number} by */
    trails: (by) => `You would trail by ${by}.`,
    level: "You would be level.",
    /** @param {string} name @param {number} now @param {number} then */
    changes: (name, now, then) => `${name}: from ${now} to ${then}.`,
    /** @param {string} name @param {string} region */
    wins: (name, region) => `The battle would end: ${name} would win ${region}.`,
    /** @param {string} region @param {boolean} game whether the player would win it, too */
    youWin: (region, game) => `The battle would end: you would win ${region}${game ? " and the game" : ""}.`,
    noWinner: "The battle would end without a winner.",
    endsGame: "This would end the game.",
    winsGame: "You would win the game.",
    /** @param {string[]} names */
    stillIn: (names) => `${listed(names)} may still lay cards.`,
    faceDown: "The card would lie face down, and would not count yet.",
    /** @param {string} card */
    turnedUp: (card) => `Your ${card} would be turned up.`,
    favorNowhere: "No region would have the favor marker.",
    hidden: "What follows depends on cards that you do not see.",
  },

  last: {
    title: "Last battle",
    seats: "Strengths and rows, the strongest first",
    turned: "Hidden cards, in the order in which they were turned up",
  },

  replay: {
    title: "Replay",
    version: "Step",
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
    /** @param {number} count @param {string} label */
    bots: (count, label) => `${count} ${label} bots`,
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
    value: (value) => (value === true ? "on" : value === false ? "off" : (values[String(value)] ?? String(value))),
  },

  talk: {
    title: "Talk",
    /** @param {number} count */
    unread: (count) => `${count > 99 ? "99+" : count} new`,
    messages: "Messages",
    none: "Nobody has written anything yet.",
    removed: "This message was removed.",
    /** @param {string} name @param {string} text */
    said: (name, text) => `${name}: ${text}`,
    /** @param {string[]} names */
    privately: (names) => `privately to ${listed(names)}`,
    amongSpectators: "among the spectators",
    to: "Write to",
    /** @type {Record<string, string>} */
    rooms: { table: "everybody at the table", seats: "some players only", spectators: "the spectators" },
    recipients: "Who can read it",
    text: "Your message",
    send: "Send",
    closed: "You cannot write here now.",
    /** @param {string} name */
    block: (name) => `Block ${name}`,
    report: "Report",
    reason: "What is wrong with this message? The host will read it.",
    sendReport: "Send the report",
    reported: "Your report was sent to the host.",
    mute: "Mute all spectators",
    unmute: "Let spectators write again",
    about: "Who can read what",
    /** @param {string} name */
    muteOne: (name) => `Mute ${name}`,
    /** @param {string} name */
    unmuteOne: (name) => `Let ${name} write again`,
    /** What a game allows, if that is not everything: in short, and in a sentence. @type {Record<string, [string, string]>} */
    rules: {
      "public-only": ["Public talk only", "Players can write to everybody at the table, but no private messages."],
      none: ["No talk", "Nobody can write anything in this game."],
    },
    promises: "You may promise anything: the game does not enforce promises.",
  },

  /** A game before its start. */
  hint: {
    ask: "Ask for a hint",
    thinking: "The bot is thinking …",
    follow: "Select this move",
    /** @param {string} bot @param {string[]} words the move, and what it says besides @param {string[]} kept cards */
    says: (bot, words, kept) => `The bot ${bot} recommends: ${words.join(". ")}${kept.length ? `: ${listed(kept)}` : ""}.`,
    lost: "The hint did not arrive. You can ask again.",
    allowed: "Hints allowed",
    about: "On your turn, you can ask which move the strongest bot would make. Everybody sees that you asked.",
  },

  /** Showing cards to other players. */
  showing: {
    title: "Shown cards",
    show: "Show cards",
    cards: "Cards of your hand",
    to: "Show them to",
    about:
      "You keep the cards. Everybody sees how many cards you show and to whom, but only these players see which cards.",
    /** @param {string} name @param {number} number of this copy @param {number} all copies */
    card: (name, number, all) => (all > 1 ? `${name} (${number} of ${all})` : name),
    /** @param {string[]} cards @param {string[]} names */
    summary: (cards, names) => `You show ${listed(cards)} to ${listed(names)}.`,
    /** @param {number} number */
    confirm: (number) => (number === 0 ? "Show" : number === 1 ? "Show 1 card" : `Show ${number} cards`),
    cancel: "Cancel",
    /** @param {number} number how often */
    toYou: (number) => `Shown to you: ${number}`,
    since: "The players may have played these cards since.",
    /** @param {string} name @param {string[]} cards */
    showed: (name, cards) => `${name} showed you ${listed(cards)}`,
    /** @param {number} version */
    at: (version) => `at version ${version}`,
    allowed: "Cards may be shown",
    allowedHelp: "At any moment, players can show each other cards. Everybody sees to whom and how many, but not which.",
  },

  waiting: {
    free: "Free seat",
    rules: "Rules of this edition",
    /** @param {string} label @param {unknown} value */
    option: (label, value) => (value === true ? label : `${label} (${t.parts.value(value)})`),
    time: "Time",
    /** @param {string} words @param {string} timeout what happens if the time runs out, or "" */
    clock: (words, timeout) => `${words}${timeout ? `; when time runs out, ${timeout}` : ""}.`,
    bot: "bot",
    owner: "owner",
    join: "Join",
    signIn: "Sign in to join",
    start: "Start the game",
    leave: "Leave",
    cancel: "Cancel the game",
  },

  share: {
    link: "Link to this game",
    copy: "Copy",
    copied: "Copied",
    share: "Share",
    private: "The address in the address bar is not enough to open this private game. Send this link.",
  },

  /** Where the browser does not let the page copy a text. */
  copying: {
    hold: "Press and hold the text to copy it.",
    press: "Press Ctrl+C to copy it (on a Mac ⌘C).",
    report: "Report",
  },

  /** The table of a game that has not started. */
  guests: {
    public: "Public",
    publicHelp: "Everybody can see and join this game.",
    private: "Private",
    privateHelp: "Only people with the link or a code can see and join this game.",
    /** @param {number} seat */
    seat: (seat) => `seat ${seat + 1}`,
    bot: "Bot",
    /** @param {string} seat */
    botAt: (seat) => `Give ${seat} to a bot`,
    /** @param {string} seat */
    level: (seat) => `Level of the bot for ${seat}`,
    close: "Close",
    /** @param {string} seat */
    closeNamed: (seat) => `Close ${seat}`,
    rematchOf: "This is a rematch.",
    /** @param {string} name */
    keptFor: (name) => `Kept for ${name}`,
    codeIs: "Code to join:",
    codeLasts: "Enter it in the lobby. It is valid for a day.",
    makeCode: "Get a code to read out",
    anotherCode: "Get another code",
    invite: "Invite players",
    name: "Name of a player",
    send: "Invite",
    invited: "Invitations",
    /** @type {Record<string, string>} */
    statuses: { pending: "no answer yet", accepted: "has a seat", declined: "declined", expired: "expired" },
    /** @type {Record<string, string>} */
    reasons: {
      "no-time": "has no time",
      "not-interested": "does not want to play",
      pace: "wants another clock",
      edition: "wants another edition or other options",
      unspecified: "gave no reason",
    },
    withdraw: "Withdraw",
    /** @param {string} name */
    withdrawNamed: (name) => `Withdraw the invitation of ${name}`,
    retitle: "Title",
    save: "Change the title",
    replace: "Replace the link and all codes",
    handOver: "New owner",
    hand: "Hand the table over",
  },

  /** Invitations on the start page. */
  invited: {
    title: "Invitations",
    /** @param {number} count */
    count: (count) => `You have ${counted(count, "invitation")}.`,
    /** @param {string} name */
    from: (name) => `${name} invites you`,
    /** @param {string} name */
    rematch: (name) => `${name} asks for a rematch`,
    /** @param {number} seats @param {string} until */
    about: (seats, until) => `${seats} seats, until ${until}`,
    accept: "Accept",
    decline: "Decline",
    /** @param {string} name */
    acceptNamed: (name) => `Accept the invitation of ${name}`,
    /** @param {string} name */
    declineNamed: (name) => `Decline the invitation of ${name}`,
    why: "If you decline, why?",
    noReason: "I give no reason",
    /** @type {Record<string, string>} */
    reasons: {
      "no-time": "I have no time",
      "not-interested": "I do not want to play",
      pace: "I want another clock",
      edition: "I want another edition or other options",
    },
  },

  rematch: {
    propose: "Ask for a rematch",
    /** @param {string} name */
    asks: (name) => `${name} asks for a rematch`,
    agree: "Agree to the rematch",
    go: "Go to the rematch",
    bots: "Bots play for those who do not agree",
    level: "Level of these bots",
  },

  /** A game after its end. */
  result: {
    again: "New game with these settings",
    replay: "Replay",
    verify: "Verify the deal",
    change: "Change the settings first",
    /** @param {string} name */
    handOf: (name) => `Hand of ${name}`,
    inHand: "In hand:",
    /** @param {string[]} reasons */
    because: (reasons) => `Why the game ended: ${listed(reasons)}.`,
    /** @param {string} reason @param {string[]} regions */
    named: (reason, regions) => `${reason} (${listed(regions)})`,
    oneOfTwo: "a seat resigned",
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
      resignation: "only one seat that could still win was left",
      consent: "the players agreed to end it",
      points: "enough points",
      "no-points": "no seat gained points in the last game",
    },
  },

  /** The clock, options, and what concerns a seat rather than a move. */
  more: {
    title: "Clock, options and more",
    withoutClock: "Options and more",
    /** @param {string} name */
    clockOf: (name) => `The clock of ${name}:`,
    /** @param {string} time */
    bank: (time) => `Your bank at your last turn: ${time}`,
    pause: "Ask for a pause",
    /** @param {string} time */
    moreTime: (time) => `Ask for ${time} more`,
    substitute: "Take the free seat",
    takeBack: "Take my seat back",
    /** @param {string} bot @param {number | null} misses how often the time ran out; null: the seat was given away */
    away: (bot, misses) =>
      misses === null
        ? `${bot} plays your seat.`
        : `${bot} plays your seat, because your time ran out${misses > 1 ? ` ${misses} times in a row` : ""}. The clock of this game says so.`,
    watching: "You are watching this game.",
    aboutAway: "Who is away, and what happens then",
    resign: "Resign",
    resignTitle: "Resign this game?",
    resignText: "You lose this game for good. Nobody can undo a resignation.",
    resignWord: "resign",
    resignType: "Type “resign” to confirm.",
    keys: "Keys",
    /** @type {[string, string][]} */
    keyList: [
      ["h", "to your hand"],
      ["m", "to the map"],
      ["l", "to the log"],
      ["p", "pass (asks first)"],
      ["Arrow keys", "to the next card, or the next region"],
      ["Enter", "select, then confirm"],
      ["Esc", "one step back"],
      ["Ctrl+Enter", "send your message"],
      ["?", "this list"],
    ],
  },

  /** Ending a game by consent. */
  ending: {
    end: "End the game …",
    title: "End this game for everybody?",
    about: "The game ends once all players have asked for the same end during this battle. You cannot take this back.",
    more: "How a game ends by consent",
    how: "How should it end?",
    /** @param {string[]} leaders */
    leaders: (leaders) => (leaders.length > 1 ? `As it stands: ${listed(leaders)} share the win` : `As it stands: ${listed(leaders)} wins`),
    none: "Without a result",
    confirm: "Ask for this end",
    agree: "Agree …",
    /** @param {string[]} names @param {boolean} one whether it is one other player
     * @param {"leaders" | "none"} outcome @param {string[]} leaders */
    asked: (names, one, outcome, leaders) => {
      const end = outcome === "none" ? "without a result" : `as it stands, with ${listed(leaders)} as the winner${leaders.length > 1 ? "s" : ""}`;
      return `${listed(names)} ${one ? "wants" : "want"} to end the game ${end}.`;
    },
    /** @param {string[]} names */
    missing: (names) => `Still to agree: ${listed(names)}.`,
    /** @param {string[]} names */
    pauseAsked: (names) => `${listed(names)} asked for a pause.`,
    pauseLapses: "Your request ends with your next move.",
    agreePause: "Agree to the pause",
    paused: "Nobody can move until a player ends the pause.",
    resume: "End the pause",
    /** @param {string} name @param {string} time */
    extensionAsked: (name, time) => `${name} asked for ${time} more.`,
    /** @param {string} time */
    grant: (time) => `Grant ${time} more`,
  },

  /** Registration, and the recovery code. */
  account: {
    name: "Your name",
    nameHelp: "2 to 20 letters (A to Z, no accents), digits, hyphens or underscores, starting with a letter or digit. Others see it, and may watch your games; nobody sees your hand before the end. You need no password or e‑mail.",
    noName: "Enter a name.",
    badName: "Use 2 to 20 letters (A to Z, no accents), digits, hyphens or underscores, starting with a letter or digit.",
    /** @param {string} name */
    take: (name) => `Use ${name}`,
    taken: "Choose another name, or sign in if it is yours.",
    operatorCode: "Registration code",
    operatorCodeHelp: "Ask the operator of this service for the code.",
    busy: "One moment …",
    recoveryTitle: "Keep your recovery code",
    recoveryText:
      "You have no password. If you lose this device, sign in with your name and this code. It is shown only here.",
    copyCode: "Copy the code",
    codeKept: "I have saved it",
  },

  /** A game against bots with one tap. */
  opponents: {
    count: "Opponents",
    level: "Level",
    /** @param {number} count */
    bots: (count) => counted(count, "bot"),
    /** @param {string} edition */
    edition: (edition) => `You play ${edition}.`,
  },

  home: {
    lead: "Play the board game Condottiere in your browser, against bots or other people, in one sitting or over days.",
    playNow: "Play now",
    about: {
      title: "What the game is about",
      sentences: [
        "You lead mercenaries in the Italy of the Renaissance, and fight battles with the cards of your hand for one region after the other.",
        "In a battle, the players lay cards in turn, one at a time, or pass. When all have passed, the strongest row wins the region.",
        "Cards that you have laid are gone until new ones are dealt: choose which battles are worth them.",
        "Whoever first has enough regions side by side, or enough in all, wins the game.",
      ],
      /** The name of the card in the picture. */
      card: "Drummer",
      caption: "A drummer doubles the mercenaries in its row: 20 wins against 15.",
    },
    unread: "Messages to you",
    someGame: "A game",
    play: "Play",
    playBots: "Play against bots",
    have: "Have you played here before?",
    starting: "Your game is being set up.",
    runningNow: "A game that is being played",
    finishedLast: "The last finished game",
    others: "Games of other players",
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
    next: "Next turn",
    open: "New game",
    nothing: "It is not your turn in any game.",
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
    paces: { none: "No clock", live: "Live: under 12 hours a turn", correspondence: "Correspondence: 12 hours or more" },
    refresh: "Refresh",
    /** @param {number} free @param {number} all */
    taken: (free, all) => `${all - free} of ${all} seats taken`,
    owner: "opened by",
    /** @param {string} name @param {number} moves @param {number} timeouts */
    record: (name, moves, timeouts) =>
      `${name}: ${moves ? `${counted(moves, "move")}, ${counted(timeouts, "timeout")}` : "no move yet"}`,
    nobody: "a deleted player",
    hidden: "a hidden player",
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
    code: "Code of a private game",
    find: "Find the game",
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
    caption: "Title",
    captionHelp: "Lists of games show the title. You can leave it empty.",
    private: "Private game",
    privateHelp: "Only people to whom you give the link or a code, or whom you invite, can see and join the game.",
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
    specials: (labels) => `Special cards: ${labels.join(", ")}.`,
    /** @param {string[]} labels @param {boolean} house whether there are house rules */
    variants: (labels, house) =>
      labels.length
        ? `Optional rules: ${labels.join(", ")}.`
        : house ? "The only options are house rules." : "The rulebook has no optional rules.",
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
    misses: "Only after this many timeouts in a row",
    standIn: "Which bot plays",
    options: "Options",
    /** @param {number} changed */
    optionsChanged: (changed) => (changed ? `Options (${changed} changed)` : "Options"),
    noOptions: "This edition has no options.",
    house: "House rule",
    houseHelp: "A house rule is not in the rulebook: this service adds it.",
    /** @param {number} changed how many settings differ from the usual ones */
    more: (changed) => (changed ? `More settings (${changed} changed)` : "More settings"),
    moreHelp: "Title, private game, hints, showing cards, talk, names and start",
    aboutBots: "How well each bot plays",
    hints: "Hints",
    allowHints: "Allow hints",
    hintsHelp: "On their turn, players can ask which move the strongest bot would make. Everybody sees that they asked.",
    showing: "Showing cards",
    allowShowing: "Players may show each other cards",
    /** @type {Record<string, string>} */
    talk: {
      all: "Everything is allowed, also private messages",
      "public-only": "Public messages only",
      none: "Nobody can write anything",
    },
    names: "Names",
    hideNames: "Hide who plays in which seat",
    hidden: "Names are hidden",
    hiddenHelp: "Until the game is over, players see each other as seats, and not by name.",
    start: "Start",
    auto: "When the last seat is taken",
    byOwner: "When I start it",
    create: "Open the game",
    /** If the game starts at once. */
    startNow: "Start the game",
    creating: "Opening …",
    signIn: "Sign in to open the game",
    check: "The game was not opened. Check the marked fields.",
    /** @param {string} edition */
    copiedFrom: (edition) => `The settings are those of another game (${edition}).`,
  },

  signin: {
    title: "Sign in",
    forGame: "To open a game with these settings, sign in or choose a name. Then the page of the game is shown again.",
    stays: "Stay signed in on this device",
    staysHelp: "Otherwise you are signed out when you close the browser.",
    fresh: "You are new here",
    register: "Create an account",
    device: "You are signed in on another device",
    deviceHelp: "Open Settings on that device and create a code for this one.",
    code: "One-time code",
    deviceName: "Name of this device",
    browser: "Browser",
    token: "You have a token",
    tokenHelp: "A token is a long text that signs a device or a program in. Paste all of it; it stays in this browser.",
    tokenLabel: "Token",
    lost: "You have a recovery code",
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
    back: "Back to the game",
    short: "In short",
    /** @param {boolean} onMap whether battles are for regions of a map */
    inShort: (onMap) => [
      onMap
        ? "The players fight battles, one after the other, for the regions of Italy. Whoever holds the battle marker chooses the region."
        : "Two players fight battles, one after the other.",
      "In turn, each player lays one card in front of them, or passes. Whoever passes lays no more cards in this battle, but their row still counts.",
      "When everybody has passed, the strongest row wins. If two rows are equally strong, usually nobody wins.",
      "Mercenaries count as printed. Special cards change what rows count, or end the battle: tap a card to read what it does.",
      onMap
        ? "The end of a battle brings no new cards: your hand is for all battles of a round, so save some."
        : "After each battle you draw from your own deck, which is never refilled: save some cards.",
    ],
    sources: "Source:",
    editions: "Editions",
    contents: "Contents",
    /** In the contents. */
    theDeck: "The deck",
    allDifferences: "Differences",
    compareWith: "Compare with",
    nothingElse: "no other edition",
    compare: "Compare",
    /** @param {number} cards @param {boolean} each */
    deck: (cards, each) => (each ? `The deck: ${cards} cards for each player` : `The deck: ${cards} cards`),
    card: "Card",
    count: "Number",
    /** After a number of cards, without the heading of its column. @param {number} count */
    unit: (count) => (count === 1 ? "card" : "cards"),
    effect: "Effect",
    goals: "How to win",
    /** @param {number} fewest @param {number} most the numbers of players with this goal
     * @param {{adjacent?: number | null, total?: number | null, battles?: number | null}} goal */
    goal: (fewest, most, { adjacent, total, battles }) => {
      const ways = [
        adjacent ? `${adjacent} adjacent regions` : "",
        total ? `${total} regions` : "",
        battles ? `${battles} battles won` : "",
      ];
      const players = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
      return `With ${players} players: ${ways.filter(Boolean).join(", or ")}.`;
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
    notifications: "Notifications",
    blocks: "Blocked players",
    aboutBlocks: "You do not see the messages of these players. They do not learn about it.",
    noBlocks: "You have not blocked anybody.",
    /** @param {string} name */
    unblock: (name) => `Unblock ${name}`,
    /** @param {string} name */
    unblocked: (name) => `You see the messages of ${name} again.`,
    technical: "Technical settings",
    aboutTechnical: "Chats, the token, and your data as a file",
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
    tooShort: "You can begin a vacation when you have at least an hour left.",
    comeBack: "End vacation",
    begun: "Your vacation has begun.",
    ended: "Your vacation is over.",
    aboutOrders: "You give standing orders in a game, beside your hand. Here are those that are active.",
    noOrders: "You have no active orders.",
    /** @param {string} id */
    game: (id) => `Game ${id}`,
    /** @param {string} order */
    inBattle: (order) => `In this battle: ${order}.`,
    /** @param {string} id */
    withdrawIn: (id) => `Withdraw all orders in game ${id}`,
    token: "Sign-in of this browser",
    aboutToken: "A secret text, the token, signs you in here; a program can use it too. Anybody who has it can play as you: keep it secret.",
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
    aboutDevices: "All of these are signed in as you. Sign out what you no longer use.",
    current: "(this browser)",
    thisDevice: "This device",
    /** The names that the service gives to devices. @type {Record<string, string>} */
    tokens: { registration: "First device", recovery: "Device that used a recovery code" },
    /** @param {string[]} scopes */
    scopes: (scopes) => `May use: ${scopes.join(", ")}.`,
    /** @param {string} time */
    made: (time) => `Created ${time}.`,
    /** @param {string} time */
    used: (time) => `Last used ${time}.`,
    unused: "Not used yet.",
    /** @param {string} time */
    expires: (time) => `Expires ${time}.`,
    revoke: "Sign out",
    /** @param {string} name */
    revokeOne: (name) => `Sign out ${name}`,
    /** @param {string} name */
    askRevoke: (name) => ({
      title: `Sign out ${name}?`,
      text: "This device or program is signed out at once.",
      confirm: "Sign out",
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
      text: "To sign in again you need a code from another device, or your recovery code.",
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

  notices: {
    email: "E-mail",
    aboutEmail: "The server can write to you when a game is waiting for you. Its letters contain no cards and no moves.",
    noEmail: "This server sends no e-mail.",
    /** @param {string} address */
    sentTo: (address) => `E-mail is sent to ${address}.`,
    address: "Your address",
    send: "Send me a code",
    sent: "A code is on its way to your address.",
    code: "Code from the e-mail",
    confirm: "Confirm",
    confirmed: "Your address is confirmed.",
    remove: "Remove the address",
    removed: "The address is removed.",
    choose: "Tell me when",
    events: {
      "turn.started": "it is my turn",
      "turn.reminder": "my time is running out",
      "turn.expired": "my time has run out",
      "game.started": "a game starts",
      "game.ended": "a game ends",
      "invitation.received": "somebody invites me",
      "rematch.proposed": "somebody wants a rematch",
      "message.received": "somebody writes to me",
    },
    digest: "A daily list of the games that are waiting for me",
    never: "Never",
    /** @param {number} hour */
    atHour: (hour) => `At ${String(hour).padStart(2, "0")}:00`,
    /** @param {string} zone */
    inZone: (zone) => `In the time zone ${zone}.`,
    /** @type {Record<string, string>} */
    stopped: {
      failing: "Nothing is sent any more, because nothing arrived for five days.",
      refused: "Nothing is sent any more, because the mail server refuses this address.",
      gone: "Nothing is sent any more, because this browser no longer accepts it.",
      unsubscribed: "Nothing is sent any more, because you unsubscribed.",
      suspended: "Nothing is sent any more, because the host had suspended you.",
    },
    push: "Notifications on your devices",
    aboutPush: "A device can show a notification when a game is waiting for you, also while the board is closed.",
    cannot: "This browser cannot show notifications here. On an iPhone or iPad, add the board to the home screen first.",
    on: "Show notifications on this device",
    isOn: "This device shows notifications.",
    off: "Switch off",
    isOff: "The device shows no more notifications.",
    /** @param {string} name */
    offIn: (name) => `Switch off ${name}`,
    unnamed: "A browser",
    refused: "The browser does not allow notifications for this page. Allow them in the browser's settings for this site.",
  },

  /** Chats that are told of games, in the settings. */
  chats: {
    heading: "Chats",
    about: "The server can write to a chat when a game is waiting for you. Its messages contain no cards and no moves.",
    guide: "More about chats",
    format: "Kind of chat",
    /** What a kind is called, and where its address is found. @type {Record<string, {name: string, help: string}>} */
    formats: {
      discord: { name: "Discord", help: "In the settings of the channel, under Integrations, create a webhook and copy its URL." },
      slack: { name: "Slack or Mattermost", help: "Create an incoming webhook for the channel, and copy its URL." },
      ntfy: { name: "ntfy", help: "The address of a topic with a name that is hard to guess, such as ntfy.sh/7hills-k7qm3xrt." },
      text: { name: "Plain text", help: "Any https address that accepts a POST of plain text." },
    },
    url: "Address (URL)",
    add: "Add the chat",
    added: "A code is on its way to the chat.",
    /** @param {string} format @param {string} host */
    at: (format, host) => `${format} at ${host}`,
    isConfirmed: "Confirmed.",
    /** @param {string} chat */
    code: (chat) => `Code shown by ${chat}`,
    confirm: "Confirm",
    confirmed: "The chat is confirmed.",
    again: "Send the code again",
    remove: "Remove",
    /** @param {string} chat */
    removeNamed: (chat) => `Remove ${chat}`,
    removed: "The chat gets no more messages.",
    paused: "Nothing is sent at present.",
    /** @type {Record<string, string>} */
    stopped: {
      failing: "Nothing is sent any more, because nothing arrived for five days.",
      gone: "Nothing is sent any more, because the chat no longer has this address.",
      suspended: "Nothing is sent any more, because the host had suspended you.",
    },
    resume: "Send messages again",
    resumed: "Messages are sent again.",
  },

  verify: {
    heading: "Verify the deal",
    about:
      "Before the game, the server committed itself to a secret number, from which every deal and every lot follows. " +
      "Your browser checks that the server kept to it, and that nobody has changed the log since.",
    how: "How your browser checks it",
    start: "Verify the deal",
    working: "Checking",
    ok: "correct",
    notOk: "wrong",
    names: { commitment: "Commitment", chain: "Log", head: "Head", draws: "Deals and lots" },
    limits:
      "This check does not repeat the moves. The command condottiere verify also checks every move against the rules.",
    /** @param {boolean} ok */
    outcome: (ok) =>
      ok
        ? "The cards were dealt fairly: your browser has checked it."
        : "The record of this game is wrong: your browser cannot confirm that the cards were dealt fairly.",
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
      return `Step ${version}: ${card ? `you laid ${card}` : (did[move] ?? move)}.`;
    },
    /** @param {number} version @param {string} reason */
    cancelled: (version, reason) => {
      /** @type {Record<string, string>} */
      const why = {
        "battle-over": "the battle is over",
        "already-passed": "you have passed",
        "card-not-in-hand": "the next card is not in your hand",
        "not-legal": "the next card cannot be laid as you ordered it",
        "out-of-cards": "all cards are laid, and you do not lead",
        "seat-with-bot": "a bot is playing your seat",
        resigned: "you have resigned",
        "game-over": "the game is over",
      };
      return `Step ${version}: the order was cancelled: ${why[reason] ?? reason}.`;
    },
  },
};
