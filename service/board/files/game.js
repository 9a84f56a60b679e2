// The screen of one game: loads it, hears the news, and keeps what is chosen. What is needed only before the start, after
// the end, or beside the battle is loaded later: see `loadRoom`, `loadParts` and `replay.js`.

import { HIDDEN, LINK, Refused, Unreachable, keepText, newKey, pause } from "./api.js";
import { failure, look, styled, trouble } from "./app.js";
import { NARROW, bar, hasEnded, headline, regionName, seats } from "./battle.js";
import { t } from "./texts.js";
import { actions, answer, hand, legal, question } from "./hand.js";
import { mapInset, mapView } from "./map.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {import("./api.js").Commit} Commit */
/** @typedef {import("./hand.js").Step} Step */
/** @typedef {import("./hand.js").Member} Member */
/** @typedef {Schemas["Game"]} Game */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["Move"]} Move */
/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").PartName} PartName */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").Asking} Asking */
/** @typedef {import("./types.js").Tab} Tab */

const SAFETY = 30_000, SETTLED = 3_000;
/** The parts beside the heading of the log, in this order. @type {PartName[]} */
const BESIDE_LOG = ["talk", "more"];

/** The game screen of one tab. */
export class Table {
  /** @param {App} app @param {string} id */
  constructor(app, id) {
    this.app = app;
    this.id = id;
    /** @type {Game | null} */
    this.latest = null;
    /** What a replay shows. @type {Game | null} */
    this.past = null;
    /** @type {number | null} */
    this.at = null;
    /** @type {Edition | null} */
    this.rules = null;
    /** Why there is nothing to draw. @type {unknown} */
    this.failed = null;
    /** @type {Choice | null} */
    this.choice = null;
    /** A card that was tapped and cannot be played. @type {string | null} */
    this.looked = null;
    /** What the chosen move would do. @type {Schemas["DryRun"] | null} */
    this.foreseen = null;
    /** Why the last thing was refused. @type {unknown} */
    this.trouble = null;
    this.note = "";
    this.sending = false;
    /** @type {Asking} */
    this.asking = null;
    /** @type {Set<number>} */
    this.opened = new Set();
    this.handAt = 0;
    /** @type {Tab | null} */
    this.tabChosen = null;
    /** The tab to which the last swipe has led. @type {Tab | null} */
    this.swiped = null;
    /** What is loaded later, once it is there. @type {Partial<Record<PartName, Part>>} */
    this.parts = {};
    /** The names of those that are there, or come. @type {Set<PartName>} */
    this.wanted = new Set();
    /** Their scripts. @type {Promise<unknown>[]} */
    this.coming = [];
    this.closing = new AbortController();
    /** Resolves when the newest view is there. @type {Promise<void> | null} */
    this.loading = null;
    this.stale = this.entering = false;
    /** Resolves when all of a game that is over is there. @type {Promise<void> | null} */
    this.settled = null;
    this.shownTime = "";
    /** Whether the map is drawn: it takes a task of its own, after the one in which the first card is drawn. */
    this.hasMap = false;
    /** The player who has made the last commit that was heard. @type {string | undefined} */
    this.by = undefined;
    /** The version at which the own turn was last announced. */
    this.announced = -1;
    /** The seats that others have changed a moment ago, and the regions. @type {Set<number | string>} */
    this.marked = new Set();
    /** The move whose refusal is to be explained. @type {Move | null} */
    this.explaining = null;
    /** The last region that was refused, and the refusal. @type {{region: string, error: unknown} | null} */
    this.forbidden = null;
    /** The view before the one that came a moment ago: what differs moves. @type {Game | null} */
    this.previous = null;
    /** What had the focus before a dialog was opened. @type {Element | null} */
    this.before = null;
  }

  get view() {
    return /** @type {Game} */ (this.past ?? this.latest);
  }

  get edition() {
    return /** @type {Edition} */ (this.rules);
  }

  get newest() {
    return this.latest?.version ?? 0;
  }

  /** The move that a bot recommends now, or null. @returns {Step | null} */
  get hinted() {
    return (this.at === null && this.parts.hint?.hinted) || null;
  }

  changed = () => void this.app.changed();

  // Loading and news

  begin() {
    const { signal } = this.closing;
    const { live } = this.app;
    live.addEventListener("commit", (event) => this.hear(/** @type {CustomEvent<Commit>} */ (event).detail), { signal });
    live.addEventListener("connection", () => live.since === null && this.connected(), { signal });
    document.addEventListener("keydown", (event) => this.press(event), { signal });
    NARROW.addEventListener("change", this.changed, { signal });
    document.addEventListener("visibilitychange", () => this.load(), { signal });
    const ticks = setInterval(() => this.countDown(), 1000);
    // A commit can be missed while a stream is opened, or while another tab takes the stream over.
    const safety = setInterval(() => document.visibilityState === "visible" && this.load(), SAFETY);
    signal.addEventListener("abort", () => (clearInterval(ticks), clearInterval(safety)));
    return this.enter();
  }

  /** Get the game, and then the version that the address names. Resolves between the two. */
  enter() {
    const loaded = this.load();
    // Nothing is drawn before the version that is to be shown.
    this.entering = location.search.includes("at=");
    loaded.then(() => this.moved());
    return loaded;
  }

  /** Get all that is shown of a game that is over, unless that takes long. @param {Game} view */
  async settle(view) {
    const all = async () => {
      await this.loadParts(view);
      await Promise.all([this.parts.log?.ready, this.parts.result?.ready]);
    };
    await this.soon(all()).catch((fault) => this.app.fail(fault));
    // A version that the address names is still to come.
    if (location.search.includes("at=")) return;
    this.entering = false;
    this.changed();
  }

  /** Resolves when all of something is there, or takes long. @param {Promise<unknown>} all */
  soon(all) {
    return Promise.race([all, pause(SETTLED, this.closing.signal).catch(() => {})]);
  }

  close() {
    this.closing.abort();
    for (const part of Object.values(this.parts)) part.close?.();
  }

  /** The connection is back: see what has happened, and forget that the service did not answer. */
  connected() {
    if (this.trouble instanceof Unreachable) this.trouble = null;
    return this.load();
  }

  /** Get the newest view; one request at a time. */
  load() {
    if (this.loading) this.stale = true;
    else this.loading = this.fetch().finally(() => this.fetched());
    return this.loading;
  }

  /** A view is there, or was refused: that of a private game without its link, which may have come in between. */
  fetched() {
    this.loading = null;
    this.changed();
    return this.stale ? this.load() : undefined;
  }

  async fetch() {
    try {
      do {
        this.stale = false;
        /** @type {Game} */
        const view = await this.app.api.get(`/v1/games/${this.id}`, { signal: this.closing.signal });
        await Promise.all([this.loadRules(view), this.latest ? null : this.soon(this.loadRoom(view))]);
        this.take(view);
      } while (this.stale);
      this.failed = null;
    } catch (error) {
      if (this.closing.signal.aborted) return;
      if (!this.latest) {
        await import("./advice.js").catch(() => {});
        this.failed = error;
      } else if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    }
  }

  /** @param {Game} view */
  async loadRules({ edition, revision }) {
    if (this.rules?.key === edition && (!revision || this.rules.revision === revision)) return;
    const query = revision ? `?revision=${revision}` : "";
    this.rules = await this.app.api.get(`/v1/editions/${edition}${query}`, { signal: this.closing.signal });
  }

  /** Draw a newer view, and keep a choice that is still allowed. @param {Game} view */
  take(view) {
    const before = this.latest;
    if (before && before.version > view.version) return;
    this.latest = view;
    if (before?.position?.phase !== view.position?.phase) this.tabChosen = null;
    if (before && (before.position?.battle !== view.position?.battle || before.status !== view.status)) this.opened.clear();
    if (before && before.version !== view.version) {
      this.parts.news?.mark?.(before, view);
      this.looked = null;
      this.trouble = this.explaining = null;
      // Asking for a hint or a pause, for example, leaves the position as it was.
      if (JSON.stringify(before.position) !== JSON.stringify(view.position)) {
        this.parts.hint?.moved?.();
        this.reconsider();
      }
    }
    if (!before && view.you === null) this.app.live.watch(this.id, view.version, this.closing.signal);
    const mine = view.you !== null && view.position?.turn === view.you && view.status === "running";
    if (mine && this.announced < view.version && before?.position?.turn !== view.you) {
      this.announced = view.version;
      this.app.say(headline(this, view), true);
    }
    this.parts.news?.follow?.();
    this.parts.log?.catchUp?.();
    this.loadRoom(view);
    if (!before && view.position && view.status !== "running") {
      // Nobody waits for the first card, so all is drawn in one go.
      this.entering = true;
      this.settled = this.settle(view);
    }
    this.app.changed().then(() => setTimeout(() => this.complete(view)));
  }

  /** Once the first card is drawn: draw the map, and load what stands beside the battle. @param {Game} view */
  complete(view) {
    this.hasMap = true;
    this.app.changed().then(() => setTimeout(() => this.loadParts(view)));
  }

  reconsider() {
    if (this.sending || !this.choice) return;
    this.foreseen = null;
    const { seated, you } = this.view;
    const place = seated.find(({ player, seat }) => player === this.by && player !== HIDDEN && seat !== you);
    const mover = this.by && place ? this.name(place.seat) : null;
    this.choice.key = newKey();
    if (this.candidates().length) {
      this.note = t.table.movedMeanwhile(mover);
      this.preview();
    } else {
      this.choice = null;
      this.asking = null;
      this.note = t.table.choiceGone(mover);
    }
  }

  /** @param {Commit} commit */
  hear(commit) {
    if (commit.game !== this.id) return;
    const by = /** @type {{by?: string}} */ (commit).by;
    this.by = by;
    if (commit.seq > this.newest) this.load();
    const sentence = this.parts.log?.heard?.(commit);
    if (sentence && by !== this.app.api.account?.player) this.parts.news?.speak?.(sentence);
  }

  /** Draw the page when the time that is left reads differently. */
  countDown() {
    const deadline = this.latest?.clock?.turn?.deadline;
    if (typeof deadline !== "number") return;
    const left = deadline - Date.now();
    const time = left > 3_600_000 ? String(Math.floor(left / 60_000)) : String(Math.floor(left / 1000));
    if (time !== this.shownTime) {
      this.shownTime = time;
      this.changed();
    }
    if (left < 0 && left > -1100) this.load();
  }

  /** Load what shows a game before the start, or after the end. @param {Game} view */
  async loadRoom({ position, status }) {
    if (!position) await this.add("waiting", async () => (await import("./waiting.js")).Waiting);
    else if (status !== "running") await this.add("result", async () => (await import("./result.js")).Result);
  }

  /** Load what stands beside the battle. @param {Game} view */
  async loadParts({ hints, position, showing, status, talk, you }) {
    const { account } = this.app.api;
    const plays = position && you !== null && status === "running";
    await Promise.all([
      account && talk !== "none" && this.add("talk", async () => (await import("./talk.js")).Talk),
      account && this.add("unsent", async () => (await import("./unsent.js")).Unsent),
      position && this.add("log", async () => (await import("./log.js")).Log),
      position && this.add("news", async () => (await import("./news.js")).News),
      position && this.add("last", async () => (await import("./last.js")).LastBattle),
      position && this.add("more", async () => (await import("./more.js")).More),
      position && this.add("clauses", async () => (await import("./clauses.js")).Clauses),
      position && this.add("swipe", async () => (await import("./swipe.js")).Swipe),
      plays && this.add("why", async () => (await import("./why.js")).Why),
      plays && this.add("ending", async () => (await import("./ending.js")).Ending),
      plays && this.add("passing", async () => (await import("./passing.js")).Passing),
      plays && this.add("orders", async () => (await import("./orders.js")).Orders),
      plays && hints === "allowed" && this.add("hint", async () => (await import("./hint.js")).Hint),
      plays && showing === "allowed" && this.add("showing", async () => (await import("./showing.js")).Showing),
    ]);
  }

  /** Add a part once it is loaded, with the others that come, unless they take long: each by itself would move the rest.
   * One that cannot be loaded is tried again with the next view.
   * @param {PartName} name @param {() => Promise<new (table: Table) => Part>} load */
  async add(name, load) {
    if (this.wanted.has(name) || this.closing.signal.aborted) return;
    this.wanted.add(name);
    const loaded = styled(load()).catch(() => null);
    this.coming.push(loaded);
    const Made = await loaded;
    await this.soon(Promise.all(this.coming));
    if (this.closing.signal.aborted) return;
    if (Made) this.parts[name] = new Made(this);
    else this.wanted.delete(name);
    this.changed();
  }

  /** Show the version that the address names, if it is another one: what is selected is for the one that is shown. */
  async moved() {
    if (!this.latest) return;
    await this.settled;
    const named = new URLSearchParams(location.search).get("at") ?? "";
    const at = /^\d+$/.test(named) ? Number(named) : null;
    const draw = async () => {
      const replay = await styled(import("./replay.js")).catch(() => null);
      if (!this.closing.signal.aborted) await replay?.drawAt(this, at);
    };
    // If the replay takes long, the newest version is there until it comes.
    if (at !== this.at) await this.soon(draw());
    this.entering = false;
    this.changed();
  }

  /** @param {number | null} at */
  async show(at) {
    const replay = await styled(import("./replay.js")).catch((error) => new Unreachable(String(error)));
    if (this.closing.signal.aborted) return;
    if (!(replay instanceof Unreachable)) return replay.show(this, at);
    this.trouble = replay;
    this.changed();
  }

  /** Why the last thing was refused: in short, until the part that shows its clause is there. @returns {Drawn} */
  refusal() {
    return this.parts.clauses?.refusal?.(this.trouble) ?? trouble(this.trouble, this.rules?.key);
  }

  /** Select nothing, close a dialog, and forget what was refused. */
  reset() {
    this.choice = this.foreseen = this.trouble = this.explaining = this.asking = null;
    this.note = "";
  }

  // What is drawn

  title() {
    if (!this.latest) return t.site.name;
    const { you, position, status } = this.latest;
    const mine = you !== null && status === "running" && position?.turn === you;
    return `${mine && !this.app.turns ? "(1) " : ""}${headline(this, this.view)} · ${t.site.name}`;
  }

  draws() {
    if (this.failed) return failure(this.failed, () => this.enter());
    if (!this.latest || !this.rules || this.entering) return html`<p class="game-loading quiet" role="status">${t.site.loading}</p>`;
    return screen(this, this.view);
  }

  /** @param {number} seat */
  name(seat) {
    const place = this.view.seated[seat];
    if (!place) return t.table.seat(seat);
    if (place.name) return place.name;
    const twins = this.view.seated.filter(({ label: other, name }) => other === place.label && !name);
    if (place.label) return twins.length > 1 ? t.table.botOf(place.label, twins.indexOf(place) + 1) : place.label;
    return place.player && place.player !== HIDDEN ? t.table.deleted : t.table.seat(seat);
  }

  /** @returns {Tab} */
  tab() {
    if (this.tabChosen) return this.tabChosen;
    return this.view.position?.phase === "choose-region" || this.asked()?.member === "favor" ? "map" : "battle";
  }

  /** @param {Tab} tab */
  turnTo(tab) {
    this.tabChosen = tab;
    this.swiped = null;
    this.changed();
  }

  /** @param {number} seat */
  toggle(seat) {
    if (!this.opened.delete(seat)) this.opened.add(seat);
    this.changed();
  }

  /** @param {FocusEvent} event */
  handFocus(event) {
    const index = event.target instanceof HTMLElement ? event.target.dataset["index"] : undefined;
    if (index === undefined || Number(index) === this.handAt) return;
    this.handAt = Number(index);
    this.changed();
  }

  // Choosing

  /** The legal moves that fit what is chosen. @returns {Step[]} */
  candidates() {
    const { choice } = this;
    if (!choice) return [];
    return legal(this.view).filter(
      (step) =>
        step.type === choice.type &&
        (choice.card === undefined || step.card === choice.card) &&
        (choice.region === undefined || step.region === choice.region) &&
        Object.entries(choice.answers).every(([member, text]) => answer(step, /** @type {Member} */ (member)) === text),
    );
  }

  /** What is to be asked next. */
  asked() {
    const { choice } = this;
    if (!choice || choice.type === "keep-cards" || choice.type === "draw-cards") return null;
    return question(this.candidates());
  }

  /** The one move that is chosen, or null. @returns {Step | null} */
  move() {
    const { choice } = this;
    const steps = this.candidates();
    if (!choice) return null;
    if (choice.type === "draw-cards") return steps.find((step) => step.number === choice.number) ?? null;
    if (choice.type === "keep-cards") {
      const ticked = [...choice.keep].sort().join();
      return steps.find((step) => [...(step.keep ?? [])].sort().join() === ticked) ?? null;
    }
    return steps.length === 1 ? (steps[0] ?? null) : null;
  }

  /** @param {Partial<Choice> & {type: string}} chosen */
  select(chosen) {
    if (this.sending) return;
    this.choice = { answers: {}, keep: [], key: newKey(), ...chosen };
    this.looked = this.foreseen = this.trouble = this.explaining = null;
    this.note = "";
    if (this.asked()?.member === "favor") this.tabChosen = null;
    this.preview();
    this.changed();
  }

  /** A card of the hand was tapped. @param {string} card @param {boolean} [byKey] with the keyboard */
  pick(card, byKey = false) {
    if (legal(this.view).some((step) => step.type === "play-card" && step.card === card)) {
      if (this.choice?.card === card) return this.back();
      this.parts.last?.hide?.();
      this.select({ type: "play-card", card });
      if (this.quick() && this.move()) return this.confirm();
      if (byKey) this.focusSoon(this.asked()?.member === "favor" ? "#map [tabindex='0']" : ".table-ask button, #confirm");
      return;
    }
    this.choice = this.foreseen = null;
    this.trouble = null;
    this.note = "";
    this.looked = this.looked === card ? null : card;
    if (this.looked && this.at === null && this.view.status === "running") this.explain({ type: "play-card", card: /** @type {any} */ (card) });
    this.changed();
  }

  /** A card in a row was tapped: say what it does. @param {string} card */
  look(card) {
    this.looked = this.looked === card ? null : card;
    this.trouble = null;
    this.changed();
  }

  /** @param {string} region */
  pickRegion(region) {
    const asked = this.asked();
    const step = asked?.member === "favor" && asked.steps.find(({ favor }) => favor === region);
    if (step) return this.say(step);
    this.select({ type: "choose-region", region });
    if (this.quick() && this.move()) return this.confirm();
    this.focusSoon("#confirm");
  }

  /** @param {string} region */
  whyRegion(region) {
    if (this.view.you === null || this.view.status !== "running" || this.at !== null) return;
    const asked = this.asked();
    const { choice } = this;
    const move = asked?.member === "favor" && choice ? { type: "play-card", card: choice.card, favor: region } : { type: "choose-region", region };
    this.explain(/** @type {Move} */ (move)).then((error) => error && (this.forbidden = { region, error }));
  }

  /** A button that begins a move without a card or a region. @param {string} type */
  start(type) {
    const steps = legal(this.view).filter((step) => step.type === type);
    if (!steps.length) return;
    this.select({ type, ...(type === "draw-cards" ? { number: steps[0]?.number ?? 0 } : {}) });
    if (type === "pass" || type === "discard-hand") this.ask(type);
    // There is nothing to see before it.
    else if (type === "keep-hand") this.confirm();
    else this.focusSoon(".table-ask button, #confirm");
  }

  /** Answer the question of a second step. @param {Step} step */
  say(step) {
    const asked = this.asked();
    if (!asked || !this.choice) return;
    this.choice.answers[asked.member] = answer(step, asked.member);
    this.choice.key = newKey();
    this.trouble = null;
    this.preview();
    this.focusSoon(".table-ask button, #confirm");
    this.changed();
  }

  /** Answer the question of a dialog, or answer it in another way. @param {Member} member @param {string} text */
  decide(member, text) {
    if (!this.choice) return;
    this.choice.answers[member] = text;
    this.choice.key = newKey();
    this.preview();
    this.changed();
  }

  /** @param {string} card @param {boolean} pressed */
  tick(card, pressed) {
    if (this.choice?.type !== "keep-cards") this.select({ type: "keep-cards" });
    if (!this.choice) return;
    const { keep } = this.choice;
    if (pressed) keep.splice(keep.indexOf(card), 1);
    else keep.push(card);
    this.choice.key = newKey();
    this.trouble = null;
    this.preview();
    this.changed();
  }

  /** @param {number} number */
  draw(number) {
    if (!this.choice) return;
    this.choice.number = number;
    this.choice.key = newKey();
    this.preview();
    this.changed();
  }

  /** Go one step back. */
  back() {
    const { choice } = this;
    if (this.sending) return;
    if (!choice) return this.ask(null);
    const members = /** @type {Member[]} */ (Object.keys(choice.answers));
    const last = members.at(-1);
    this.looked = this.foreseen = this.trouble = this.explaining = null;
    if (last && !this.asking) {
      delete choice.answers[last];
      choice.key = newKey();
    } else {
      const asked = this.asking;
      this.choice = null;
      this.ask(null);
      if (asked) this.focusSoon(`[data-move="${choice.type}"]`);
      else if (choice.card) this.focusSoon(`.hand-card[data-card="${choice.card}"]`);
      else if (choice.region) this.focusSoon(`[data-region="${choice.region}"]`);
    }
    this.changed();
  }

  /** For other parts of the screen: select a move, with the answers to all that its second steps ask.
   * @param {Step} step */
  choose(step) {
    if (this.sending) return;
    const { type, card, region, keep = [], number } = step;
    this.select({ type, keep: [...keep], ...(card && { card }), ...(region && { region }), ...(number !== undefined && { number }) });
    for (let asked; this.choice && (asked = this.asked()); this.preview()) {
      this.choice.answers[asked.member] = answer(step, asked.member);
    }
  }

  /** Show what the chosen move would do. */
  async preview() {
    const move = this.move();
    const { choice } = this;
    this.foreseen = null;
    if (!move || !choice) return;
    try {
      const dry = await this.dryRun(move);
      if (this.choice === choice && this.move() === move) this.foreseen = dry;
    } catch (error) {
      if (error instanceof Refused && error.code === "stale-version") this.load();
      // Without a preview the move can still be made.
    }
    this.changed();
  }

  /** Say why a move is refused. Returns the refusal, or null if something else was chosen or happened before it came.
   * @param {Move} move @returns {Promise<unknown>} */
  async explain(move) {
    this.trouble = null;
    this.explaining = move;
    const error = await this.dryRun(move).then(() => null, (error) => error);
    if (this.closing.signal.aborted || this.explaining !== move) return null;
    if (error instanceof Refused && error.code === "stale-version") return this.load().then(() => null);
    this.trouble = error;
    this.changed();
    return error;
  }

  /** @param {Move | Step} move @returns {Promise<Schemas["DryRun"]>} */
  dryRun(move) {
    const match = `"${this.newest}"`;
    return this.app.api.post(`/v1/games/${this.id}/moves?dry_run=true`, move, { match, once: true, signal: this.closing.signal });
  }

  /** Whether one tap makes a move: a setting, for games in which a turn is short. */
  quick() {
    const settings = this.latest?.clock?.settings;
    return look().quickMoves && settings !== undefined && settings.seconds <= 3600;
  }

  /** Post the chosen move. It is never posted again by itself after the game has changed. */
  async confirm() {
    const { choice } = this;
    const move = this.move();
    if (!choice || !move || this.sending || this.at !== null) return;
    this.sending = true;
    this.asking = null;
    this.trouble = null;
    this.note = "";
    this.changed();
    try {
      const match = `"${this.newest}"`;
      const view = await this.app.api.post(`/v1/games/${this.id}/moves`, move, { match, key: choice.key, once: this.app.live.since !== null });
      this.choice = this.foreseen = null;
      this.tabChosen = null;
      this.take(view);
      this.focusSoon(view.status === "running" ? ".hand-card[tabindex='0']" : "#content", true);
    } catch (error) {
      await this.refused(error, choice);
    } finally {
      this.sending = false;
      this.changed();
    }
  }

  /** @param {unknown} error @param {Choice} choice */
  async refused(error, choice) {
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
    if (error instanceof Refused && error.code === "stale-version") {
      this.sending = false;
      choice.key = newKey();
      await this.load();
      this.note ||= this.choice ? t.table.movedMeanwhile(null) : t.table.choiceGone(null);
    } else {
      this.trouble = error;
      if (error instanceof Refused && error.status === 409) await this.load().then(() => (this.trouble = error));
    }
  }

  // Dialogs

  /** Open or close a dialog. @param {Asking} what */
  ask(what) {
    if (what && !this.asking) this.before = document.activeElement;
    if (!what && this.asking && this.before instanceof HTMLElement && this.before.isConnected) this.before.focus();
    this.asking = what;
    this.changed();
  }

  // Keys

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "Escape") return this.choice ? this.back() : undefined;
    if (!look().keys) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      h: () => focus(".hand-card[tabindex='0']"),
      m: () => (this.turnTo("map"), this.focusSoon("#map [tabindex='0']")),
      l: () => focus("#log"),
      p: () => this.start("pass"),
      "?": () => this.ask("keys"),
    };
    const act = keys[event.key];
    if (!act || !this.latest) return;
    event.preventDefault();
    act();
  }

  /** Move the focus after the next drawing. @param {string} where @param {boolean} [ifLost] only if nothing has it */
  focusSoon(where, ifLost = false) {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (ifLost && document.activeElement && document.activeElement !== document.body) return;
        focus(where, ifLost);
      }),
    );
  }
}

/** @param {string} where @param {boolean} [inPlace] without scrolling */
function focus(where, inPlace = false) {
  const found = document.querySelector(where);
  if (found instanceof HTMLElement || found instanceof SVGElement) found.focus({ preventScroll: inPlace });
}

// What is drawn: where each part stands

/** @param {Table} table @param {Game} view @returns {Drawn} */
function screen(table, view) {
  const { position } = view;
  const { edition } = table;
  const { ending, last, log, more, orders, replay, result, showing, waiting, why } = table.parts;
  if (!position) {
    return html`<div class="game" data-version=${view.version}>${bar(table, view)} ${waiting?.view() ?? nothing}</div>`;
  }
  const mine = view.you === null ? undefined : position.seats[view.you];
  const over = table.latest?.status !== "running";
  const asked = table.asked();
  const choosable = asked?.member === "favor" ? asked.steps : legal(view).filter(({ type }) => type === "choose-region");
  const tab = edition.board ? table.tab() : "battle";
  const map = edition.board && {
    board: edition.board,
    edition,
    position,
    names: view.seated.map(({ seat }) => table.name(seat)),
    moves: /** @type {Schemas["Move"][]} */ (choosable),
    chosen: table.choice?.region ?? table.choice?.answers.favor ?? null,
    hinted: table.hinted?.region ?? table.hinted?.favor ?? null,
    seat: [...table.opened].at(-1) ?? view.result?.winners[0] ?? null,
    marked: table.marked,
    onChoose: (/** @type {string} */ region) => table.pickRegion(region),
    onExplain: (/** @type {string} */ region) => table.whyRegion(region),
  };
  return html`<div class="game" data-version=${view.version} data-tab=${tab} data-board=${edition.board !== null}
    data-replay=${table.at !== null} data-over=${over} data-swiped=${table.swiped === tab ? tab : nothing}>
    <h1 class="spoken">${edition.title}</h1>
    ${bar(table, view)} ${replay?.view() ?? nothing}
    <div class="game-dock">
      ${over && table.at === null ? (result?.view() ?? nothing) : nothing} ${more?.away?.() ?? nothing}
      ${over ? nothing : (ending?.view() ?? nothing)}
      ${mine?.hand.cards && !over ? hand(table, view, mine) : nothing}
      ${over || table.at !== null
        ? nothing
        : view.you === null
          ? table.trouble ? table.refusal() : nothing
          : html`${actions(table, view)} ${orders ? orders.view() : html`<i class="orders"></i>`} ${showing?.view() ?? nothing}`}
    </div>
    ${edition.board
      ? html`<div class="game-tabs" role="group" aria-label=${t.table.shown}>
            <button aria-pressed=${tab === "map"} @click=${() => table.turnTo("map")}>${t.table.mapTab}</button>
            <button aria-pressed=${tab === "battle"} @click=${() => table.turnTo("battle")}>
              ${position.phase === "battle" && position.contested
                ? t.table.battleTab(regionName(edition, position.contested))
                : t.table.seatsTab}
            </button>
          </div>
          ${tab === "map" && NARROW.matches && table.at === null && position.phase !== "battle" && hasEnded(position)
            ? html`<div class="last-map">${last?.view() ?? nothing}</div>`
            : nothing}
          <div class="game-map" id="map" tabindex="-1">${why?.view() ?? nothing}
            ${map && (tab === "map" || !NARROW.matches) ? mapView(map, table.hasMap) : nothing}
          </div>`
      : nothing}
    <div class="game-side">
      ${seats(table, view, position, map && NARROW.matches ? inset(table, map, position.contested) : nothing)}
      <div class="game-log" id="log" tabindex="-1">
        <div class="game-parts">${BESIDE_LOG.map((name) => table.parts[name]?.view() ?? nothing)}</div>
        ${log?.view() ?? nothing}
      </div>
    </div>
    ${table.parts.passing?.view() ?? nothing}
  </div>`;
}

/** The contested region, beside the battle: leads to the map. @param {Table} table
 * @param {import("./map.js").MapOptions} map @param {string | null} region @returns {Drawn} */
function inset(table, map, region) {
  if (!region) return nothing;
  return html`<button class="game-inset" aria-label=${t.table.onTheMap(regionName(table.edition, region))}
    @click=${() => table.turnTo("map")}>${mapInset(map, region, table.hasMap)}</button>`;
}

/** Keep the secret of a private game's link, and take it out of the address. Returns whether the address had one.
 * @param {string} game */
function takeLink(game) {
  const link = /^#link=([\w-]+)$/.exec(location.hash)?.[1];
  if (!link) return false;
  keepText(LINK + game, link, false);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

/** @type {import("./app.js").Opener} */
export function open(app, part) {
  takeLink(part);
  const table = new Table(app, part);
  return {
    usable: table.begin(),
    title: () => table.title(),
    view: () => table.draws(),
    close: () => table.close(),
    moved: () => void (takeLink(part) ? table.enter() : table.moved()),
    hasBar: () => Boolean(table.latest && table.rules && !table.failed),
  };
}
