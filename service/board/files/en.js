// The texts of the board, in English. Another language is another file with the same members.

/** @param {number} count @param {string} one @param {string} [many] */
const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

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
};
