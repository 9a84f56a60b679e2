// The board's start: which screen an address shows, the frame around it, and when the page is drawn again.

import { Api, Live, Refused, Unreachable, keepText, textAt } from "./api.js";
import { t } from "./texts.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./types.js").Screen} Screen */
/** @typedef {(app: App, part: string) => Screen} Opener opens a screen; `part` is the last part of its address */
/** @typedef {import("./types.js").Look} Look */

/** @type {[RegExp, () => Promise<{open: Opener}>][]} */
const SCREENS = [
  [/^\/$/, () => styled(import("./home.js"))],
  [/^\/lobby$/, () => styled(import("./lobby.js"))],
  [/^\/new$/, () => styled(import("./new.js"))],
  [/^\/game\/([^/]+)$/, () => import("./game.js")],
  [/^\/rules\/([^/]+)$/, () => styled(import("./rules.js"))],
  [/^\/player\/([^/]+)$/, () => styled(import("./player.js"))],
  [/^\/settings$/, () => styled(import("./settings.js"))],
  [/^\/signin$/, () => styled(import("./signin.js"))],
];

/** @type {Promise<unknown> | null} */
let styles = null;

/** Return what a module has, once the styles of what is not needed for the board itself are there too.
 * @template T @param {Promise<T>} module @returns {Promise<T>} */
export async function styled(module) {
  styles ??= new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", onload: done });
    // What needs them may ask again.
    link.onerror = () => failed((styles = null));
    link.href = new URL("screens.css", import.meta.url).href;
    document.head.append(link);
  });
  // Together: a module that fails before the styles are there must not fail unheard.
  const [loaded] = await Promise.all([module, styles]);
  return loaded;
}

const LOOK = "condottiere.look";

/** @type {Look} */
const PLAIN = { colours: "auto", motion: "auto", quickMoves: false, keys: true, sound: false };

/** When turns are counted, in milliseconds after news, and after the start: then the screen comes first. */
const SOON = 700, LATER = 2500;
/** Milliseconds that a page has the network for itself. */
const PAGE_FIRST = 3_000;

/** One tab. Screens get it, and use `api`, `live`, `go`, `changed` and `say`. */
export class App {
  constructor() {
    this.api = new Api();
    /** Ends the start. */
    this.begin = () => {};
    this.live = new Live(this.api, new Promise((done) => (this.begin = () => done(null))));
    /** @type {Screen | null} */
    this.screen = null;
    /** What stands in place of the screen: a text, or null. @type {string | null} */
    this.instead = null;
    this.path = "";
    /** The next drawing, once something has changed. @type {Promise<void> | null} */
    this.drawing = null;
    /** @type {unknown} */
    this.fault = null;
    /** The timer of the next count of turns; 0 if none is due. */
    this.counting = 0;
    /** The games that wait for the player, most urgent first; null until they were counted. @type {string[] | null} */
    this.games = null;
    /** What the screen has drawn last. @type {Drawn} */
    this.drawn = nothing;
    /** The timer that counts down while a request waits. */
    this.ticking = 0;
  }

  /** The number of turns that wait for the player, for the title of the tab. */
  get turns() {
    return this.games?.length ?? 0;
  }

  /** Take over which games wait for the player. A new one makes a sound if the player has chosen that.
   * @param {{game: string}[]} turns */
  takeTurns(turns) {
    const before = this.games?.length ?? Infinity;
    this.games = turns.map(({ game }) => game);
    if (this.turns > before && look().sound) import("./sound.js").then(({ ring }) => ring(), () => {});
    const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    if (icon) icon.href = icon.href.replace(/icon[^/]*$/, this.turns ? "icon-turn.svg" : "icon.svg");
  }

  async start() {
    followLook();
    document.addEventListener("click", (event) => this.click(event));
    addEventListener("popstate", () => this.show());
    addEventListener("error", (event) => this.fail(event.error ?? event.message));
    addEventListener("unhandledrejection", (event) => this.fail(event.reason));
    this.api.addEventListener("account", () => {
      this.takeTurns([]);
      this.games = null;
      this.count();
      this.show(true);
    });
    this.api.addEventListener("wait", () => this.countDown());
    this.live.addEventListener("connection", () => this.changed());
    this.live.addEventListener("commit", () => this.count());
    this.live.restart();
    this.count(LATER);
    await this.show(true);
    await this.screen?.usable;
    await this.changed();
    this.begin();
  }

  /** Open an address of the board. @param {string} address @param {{replace?: boolean}} [how] */
  go(address, how = {}) {
    if (how.replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    return this.show();
  }

  /** Draw the page soon: call it after each change of a state that a view reads. Resolves when it is drawn. */
  changed() {
    return (this.drawing ??= new Promise((done) => {
      /** @param {() => void} draw */
      const soon = (draw) => (document.hidden ? setTimeout(draw) : requestAnimationFrame(draw));
      soon(() => {
        this.drawing = null;
        this.draw();
        done();
      });
    }));
  }

  /** Count the turns that wait, for the title of the tab; the start page does so by itself.
   * @param {number} [delay] in milliseconds: news that arrive meanwhile are counted with it */
  count(delay = SOON) {
    if (this.counting || !this.api.account) return;
    this.counting = setTimeout(async () => {
      this.counting = 0;
      const { account } = this.api;
      if (this.path === "/" || !account) return;
      try {
        const { turns } = await this.api.get("/v1/me/turns", { once: true });
        if (this.api.account !== account) return;
        this.takeTurns(turns);
        this.changed();
      } catch (error) {
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      }
    }, delay);
  }

  /** Draw the seconds until the next try of a request. */
  countDown() {
    clearInterval(this.ticking);
    if (this.api.waiting !== null) this.ticking = setInterval(() => this.changed(), 1000);
    this.changed();
  }

  /** Tell people who use a screen reader. @param {string} text @param {boolean} [urgent] */
  say(text, urgent = false) {
    const place = document.getElementById(urgent ? "urgent" : "spoken");
    if (place) place.textContent = text;
  }

  /** Follow links within the board without loading a page. @param {MouseEvent} event */
  click(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
    if (!SCREENS.some(([pattern]) => pattern.test(link.pathname))) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }

  /** Show the screen of the address. @param {boolean} [anew] open it again even if the path is the same */
  async show(anew = false) {
    const path = location.pathname;
    if (!anew && path === this.path && this.screen) {
      this.screen.moved?.();
      return this.changed();
    }
    this.path = path;
    const found = SCREENS.find(([pattern]) => pattern.test(path));
    if (!found) return this.replace(null, t.site.notFound);
    let module;
    try {
      module = await found[1]();
    } catch {
      // Another release has other addresses for its files.
      return this.replace(null, t.site.newRelease);
    }
    if (this.path !== path) return;
    const part = decodeURIComponent(found[0].exec(path)?.[1] ?? "");
    const first = this.screen === null && this.instead === null;
    this.replace(module.open(this, part), null);
    if (!first && !anew) document.getElementById("content")?.focus({ preventScroll: true });
    if (!location.hash) scrollTo(0, 0);
  }

  /** @param {Screen | null} screen @param {string | null} instead */
  replace(screen, instead) {
    this.screen?.close?.();
    // It may be a secret.
    this.say("");
    this.say("", true);
    this.drawn = nothing;
    this.screen = screen;
    this.instead = instead;
    this.fault = null;
    this.changed();
  }

  /** @param {unknown} fault */
  fail(fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") return;
    this.fault = fault;
    console.error(fault);
    this.changed();
  }

  draw() {
    const place = document.getElementById("app");
    if (!place) return;
    if (!place.hasAttribute("data-drawn")) place.replaceChildren();
    place.setAttribute("data-drawn", "");
    try {
      render(this.view(), place);
    } catch (fault) {
      // The notice stands before the screen, so it is drawn even if the screen fails again.
      if (!this.fault) this.fail(fault);
    }
  }

  /** @returns {Drawn} */
  view() {
    const content = this.content();
    return html`${this.bar()}${this.notice()}
      <main id="content" tabindex="-1">${content}</main>`;
  }

  /** What the screen shows; if it fails, what it has shown last. @returns {Drawn} */
  content() {
    const { instead, screen } = this;
    try {
      document.title = (this.turns ? `(${this.turns}) ` : "") + (screen?.title() || t.site.name);
      this.drawn = instead === null ? (screen?.view() ?? nothing) : this.replacement(instead);
    } catch (fault) {
      if (!this.fault) console.error(fault);
      this.fault ??= fault;
    }
    return this.drawn;
  }

  /** @returns {Drawn} */
  bar() {
    const { account } = this.api;
    /** @param {string} address @param {string} text */
    const link = (address, text) =>
      html`<a href=${address} aria-current=${this.path === address ? "page" : "false"}>${text}</a>`;
    return html`<header class="bar">
      <a class="home" href="/">${t.site.name}</a>
      <nav aria-label=${t.site.sections}>
        ${account ? link("/", t.site.games) : nothing} ${link("/lobby", t.site.lobby)} ${link("/new", t.site.open)}
        ${account
          ? html`<a class="account" href="/settings" aria-current=${this.path === "/settings" ? "page" : "false"}
              ><span>${account.name}</span></a
            >`
          : this.path === "/" || this.path === "/signin"
            ? link("/signin", t.site.signIn)
            : html`<a href=${`/signin?next=${encodeURIComponent(this.path + location.search)}`}>${t.site.signIn}</a>`}
      </nav>
    </header>`;
  }

  /** What concerns every screen: a lost connection, a busy service, a fault of the page. @returns {Drawn} */
  notice() {
    if (this.fault) {
      return html`<div class="notice error" role="alert">
        <p>${t.site.failed}</p>
        <button @click=${this.copyReport}>${t.site.copy}</button>
        <button @click=${() => location.reload()}>${t.site.reload}</button>
      </div>`;
    }
    if (this.api.refused && this.path !== "/signin") {
      return html`<p class="notice" role="alert">${t.site.tokenRefused}
        <a href=${`/signin?next=${encodeURIComponent(this.path + location.search)}`}>${t.site.signIn}</a></p>`;
    }
    return this.screen?.hasBar?.() ? nothing : this.delay();
  }

  /** A lost connection, or a busy service. @returns {Drawn} */
  delay() {
    if (this.live.since !== null) {
      const time = new Date(this.live.since).toLocaleTimeString(t.language, { hour: "2-digit", minute: "2-digit" });
      return html`<p class="notice" role="status">${t.site.lost(time)}</p>`;
    }
    if (this.api.waiting !== null) {
      const seconds = Math.max(1, Math.round((this.api.waiting - Date.now()) / 1000));
      return html`<p class="notice"><span role="status">${t.site.busy}</span> ${t.site.waits(seconds)}</p>`;
    }
    return nothing;
  }

  /** @param {string} text @returns {Drawn} */
  replacement(text) {
    const reload = text === t.site.newRelease;
    return html`<section class="empty">
      <p>${text}</p>
      ${reload
        ? html`<button class="primary" @click=${() => location.reload()}>${t.site.reload}</button>`
        : html`<a class="button primary" href="/">${t.site.home}</a>`}
    </section>`;
  }

  copyReport = async (/** @type {any} */ { target }) =>
    (await import("./clipboard.js")).copyReport(this.fault, this.path, target.parentElement);
}

/** What to do about problems, by their codes, where the service says it in terms of the API; `advice.js` fills it.
 * @type {Record<string, string>} */
export const advice = {};

/** What went wrong, beside the thing that it is about: what it means, this case, what to do, and the clause.
 * @param {unknown} error @param {string} [edition] whose rules the clause belongs to @returns {Drawn} */
export function trouble(error, edition) {
  if (error instanceof Refused) {
    const { title, detail, clause } = error.problem;
    const rules = error.problem.edition ?? edition;
    return html`<div class="trouble" role="alert">
      <p><strong>${title}</strong> ${advice[error.code] ?? detail}</p>
      ${clause && rules ? html`<a href=${`/rules/${rules}#${clause}`}>${t.site.clause(clause)}</a>` : nothing}
    </div>`;
  }
  if (error instanceof Unreachable) return html`<p class="trouble" role="alert">${t.site.unreachable}</p>`;
  throw error;
}

/** What went wrong, and a button that tries again. @param {unknown} error @param {() => unknown} again
 * @returns {Drawn} */
export const retry = (error, again) =>
  html`${trouble(error)}
    <p><button @click=${again}>${t.site.retry}</button></p>`;

/** A screen that has nothing to show: why, another try, and the way out.
 * @param {unknown} error @param {() => unknown} again @returns {Drawn} */
export const failure = (error, again) =>
  html`<section class="empty">
    ${retry(error, again)}
    <p><a class="button" href="/">${t.site.home}</a></p>
  </section>`;

/** @returns {Look} what is chosen in this browser now */
export function look() {
  try {
    return { ...PLAIN, ...JSON.parse(textAt(LOOK) ?? "{}") };
  } catch {
    return { ...PLAIN };
  }
}

/** Choose something else, for all tabs of this browser. @param {Partial<Look>} changes */
export function changeLook(changes) {
  keepText(LOOK, JSON.stringify({ ...look(), ...changes }));
  apply();
}

/** Let the page look as chosen, also when another tab chooses something else. */
export function followLook() {
  apply();
  addEventListener("storage", (event) => {
    if (event.key === LOOK || event.key === null) apply();
  });
}

function apply() {
  const { colours, motion } = look();
  Object.assign(document.documentElement.dataset, { colours, motion });
}

/** Let the service worker keep the files, once the page has what it needs itself. Without it, the board works as well. */
function keepFiles() {
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", () => setTimeout(() => import("./keeping.js").catch(() => {}), PAGE_FIRST));
}

if (document.getElementById("app")) {
  keepFiles();
  new App().start();
}
