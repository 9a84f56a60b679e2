// The rules of an edition: its deck, goals, options and clauses, alone or beside another edition.

import { failure, retry } from "./app.js";
import { links, markdown } from "./clauses.js";
import { t } from "./texts.screens.js";
import { Loading } from "./parts.js";
import { classMap, html, nothing, ref } from "./vendor/lit-html.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["Edition"]} Edition */
/** @typedef {Schemas["Clause"]} Clause */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {{heading: string, clauses: Clause[]}} Section clauses under one heading */

/** @type {import("./app.js").Opener} */
export function open(app, part) {
  const rules = new Rules(app, part);
  rules.load();
  return {
    title: () => rules.title(),
    view: () => rules.view(),
    moved: () => rules.moved(),
    close: () => rules.close(),
  };
}

/** Whether the contents are beside the rules, as in `screens.css`. */
const WIDE = matchMedia("(min-width: 60rem)");

/** What wins, in a sentence for each run of numbers of players with the same goal. @param {Edition} edition */
function goalsOf({ goals }) {
  /** @type {{fewest: number, most: number, goal: Edition["goals"][number]}[]} */
  const runs = [];
  for (const goal of goals) {
    const last = runs.at(-1);
    const isSame = last?.goal.adjacent === goal.adjacent && last.goal.total === goal.total && last.goal.battles === goal.battles;
    if (last && isSame && last.most === goal.seats - 1) last.most = goal.seats;
    else runs.push({ fewest: goal.seats, most: goal.seats, goal });
  }
  return runs.map(({ fewest, most, goal }) => t.rules.goal(fewest, most, goal));
}

class Rules {
  /** @param {App} app @param {string} key of the edition */
  constructor(app, key) {
    this.app = app;
    this.key = key;
    this.closed = new AbortController();
    this.loading = new Loading(app);
    /** @type {Schemas["EditionSummary"][]} */
    this.editions = [];
    /** @type {Edition | null} */
    this.edition = null;
    /** The other edition, and how the two differ.
     * @type {{edition: Edition, comparison: Schemas["Comparison"]} | null} */
    this.other = null;
    /** @type {unknown} */
    this.error = null;
    /** Whether a narrow page shows the contents. */
    this.unfolded = false;
    WIDE.addEventListener("change", () => app.changed(), { signal: this.closed.signal });
    this.chosen = fragment();
    /** Whether the page still has to be scrolled to the chosen clause. */
    this.scrolls = true;
  }

  close() {
    this.closed.abort();
    this.loading.stop();
  }

  title() {
    return this.edition ? t.rules.title(this.edition) : t.site.rules;
  }

  /** Load what the address asks for. */
  async load() {
    const { key } = this,
      other = besides();
    const sent = { signal: this.closed.signal };
    const { api } = this.app;
    try {
      const one = encodeURIComponent(key),
        two = encodeURIComponent(other);
      const [list, edition, found, comparison] = await Promise.all([
        api.get("/v1/editions", sent),
        api.get(`/v1/editions/${one}`, sent),
        other ? api.get(`/v1/editions/${two}`, sent) : null,
        other ? api.get(`/v1/editions/${one}/compare/${two}`, sent) : null,
      ]);
      if (besides() !== other) return;
      this.editions = list.editions;
      this.edition = edition;
      this.other = other ? { edition: found, comparison } : null;
      this.error = null;
    } catch (error) {
      if (this.closed.signal.aborted || besides() !== other) return;
      this.error = error;
    }
    this.app.changed();
  }

  moved() {
    this.chosen = fragment();
    this.scrolls = true;
    if (besides() !== (this.other?.edition.key ?? "")) this.load();
    else this.error = null;
  }

  /** @returns {Drawn} */
  view() {
    const { edition, error, other } = this;
    const again = () => this.load();
    if (!edition)
      return html`<div class="rules">
        <h1>${t.site.rules}</h1>
        ${error ? failure(error, again) : this.loading.view()}
      </div>`;
    return html`<div class="rules">
      <h1>${this.title()}</h1>
      ${this.back()} ${this.index(edition)} ${other ? nothing : this.short(edition)}
      <p class="quiet">${edition.publisher}. ${t.rules.sources} ${edition.sources.join("; ")}.</p>
      ${this.choice(edition)} ${error ? retry(error, again) : nothing}
      ${other ? this.differences(edition, other) : this.facts(edition)}
      ${other ? this.pairs(edition, other.edition) : sections(edition).map((section) => this.section(section, edition))}
    </div>`;
  }

  /** The way back to the game from which somebody has come. @returns {Drawn} */
  back() {
    const game = new URLSearchParams(location.search).get("game");
    if (!game || !/^[0-9a-z]+$/.test(game)) return nothing;
    return html`<p><a class="button" href=${`/game/${game}`}>${t.rules.back}</a></p>`;
  }

  /** What somebody needs who has never played. @param {Edition} edition @returns {Drawn} */
  short(edition) {
    return html`<section aria-labelledby="rules-short">
      <h2 id="rules-short">${t.rules.short}</h2>
      <ul>
        ${t.rules.inShort(edition.board !== null).map((sentence) => html`<li>${sentence}</li>`)}
        <li>${t.rules.goals}: ${goalsOf(edition).join(" ")}</li>
      </ul>
    </section>`;
  }

  /** The other editions, and the one to compare with. @param {Edition} edition @returns {Drawn} */
  choice(edition) {
    const others = this.editions.filter(({ key }) => key !== edition.key);
    /** @param {SubmitEvent} event */
    const compare = (event) => {
      event.preventDefault();
      const key = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("with") ?? "");
      this.app.go(`/rules/${edition.key}${key ? `?with=${key}` : ""}${location.hash}`);
    };
    const now = this.other?.edition.key ?? "";
    return html`<nav class="rules-editions" aria-label=${t.rules.editions}>
        ${this.editions.map(
          (one) =>
            html`<a href=${`/rules/${one.key}`} aria-current=${one.key === edition.key ? "page" : "false"}
              >${t.rules.title(one)}</a
            >`,
        )}
      </nav>
      <form class="rules-compare" action="/" @submit=${compare}>
        <label for="rules-with">${t.rules.compareWith}</label>
        <select id="rules-with" name="with">
          <option value="" ?selected=${now === ""}>${t.rules.nothingElse}</option>
          ${others.map(
            (one) => html`<option value=${one.key} ?selected=${now === one.key}>${t.rules.title(one)}</option>`,
          )}
        </select>
        <button>${t.rules.compare}</button>
      </form>`;
  }

  /** The headings of the page: beside the rules, or to be unfolded over them. @param {Edition} edition @returns {Drawn} */
  index(edition) {
    const facts = this.other
      ? [["differences", t.rules.allDifferences]]
      : [["short", t.rules.short], ["deck", t.rules.theDeck], ["goals", t.rules.goals], ["options", t.rules.options]];
    /** @param {any} event */
    const toggle = ({ target }) => (this.unfolded = target.open && !WIDE.matches);
    return html`<nav class="rules-index" aria-label=${t.rules.contents}>
      <details ?open=${WIDE.matches || this.unfolded} @toggle=${toggle}>
        <summary>${t.rules.contents}</summary>
        ${facts.map(([id, heading]) => html`<a href=${`#rules-${id}`}>${heading}</a>`)}
        ${sections(edition).map(
          ({ heading, clauses: [first] }) =>
            html`<a href=${`#${first?.number}`}><span>${first?.number.split(".")[0]}. ${heading}</span></a>`,
        )}
      </details>
    </nav>`;
  }

  /** What the edition has: cards, goals, options. @param {Edition} edition @returns {Drawn} */
  facts(edition) {
    return html`<section>
        <h2 id="rules-deck">
          ${t.rules.deck(
            edition.deck.reduce((sum, { count }) => sum + count, 0),
            edition.deck_each,
          )}
        </h2>
        <div class="rules-wide rules-deck" tabindex="0" role="group" aria-labelledby="rules-deck">
          <table>
            <thead>
              <tr>
                <th scope="col">${t.rules.card}</th>
                <th scope="col">${t.rules.count}</th>
                <th scope="col">${t.rules.effect}</th>
              </tr>
            </thead>
            <tbody>
              ${edition.deck.map(
                ({ label, count, effect }) =>
                  html`<tr>
                    <th scope="row">${label}</th>
                    <td>${count} <span class="rules-unit">${t.rules.unit(count)}</span></td>
                    <td>${effect}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </section>
      <section>
        <h2 id="rules-goals">${t.rules.goals}</h2>
        <ul>
          ${goalsOf(edition).map((goal) => html`<li>${goal}</li>`)}
        </ul>
      </section>
      <section>
        <h2 id="rules-options">${t.rules.options}</h2>
        <dl>
          ${edition.options.map(
            (option) =>
              html`<dt>${option.label}${option.house ? html` <small>${t.rules.house}</small>` : nothing}</dt>
                <dd>${option.summary} ${t.rules.usually(typeof option.default === "string" ? t.parts.value(option.default) : said(option.default))}</dd>`,
          )}
        </dl>
      </section>`;
  }

  /** @param {Edition} edition @param {{edition: Edition, comparison: Schemas["Comparison"]}} other @returns {Drawn} */
  differences(edition, other) {
    const [one, two] = [edition, other.edition];
    /** @param {unknown} value @param {Edition} of */
    const cell = (value, of) => written(value, (word) => of.options.find(({ key }) => key === word)?.label ?? word);
    /** @param {string} card */
    const label = (card) => [...one.deck, ...two.deck].find((kind) => kind.card === card)?.label ?? card;
    return html`<section>
      <h2 id="rules-differences">${t.rules.differences(other.comparison.differences.length)}</h2>
      <div class="rules-wide" tabindex="0" role="group" aria-labelledby="rules-differences">
        <table>
          <thead>
            <tr>
              <th scope="col">${t.rules.topic}</th>
              ${[one, two].map((edition) => html`<th scope="col">${t.rules.title(edition)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${other.comparison.differences.map(
              (found) =>
                html`<tr>
                  <th scope="row">${t.rules.about(found.topic, label)}</th>
                  <td>${cell(found.one, one)}</td>
                  <td>${cell(found.other, two)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  /** @param {Section} section @param {Edition} edition @returns {Drawn} */
  section({ heading, clauses }, edition) {
    return html`<section>
      <h2>${heading}</h2>
      ${clauses.map((clause) => this.clause(clause, edition, true, ""))}
    </section>`;
  }

  /** The sections of two editions, each beside the one with the same heading. @param {Edition} one @param {Edition} two
   * @returns {Drawn[]} */
  pairs(one, two) {
    const left = sections(one),
      right = sections(two);
    const headings = [...new Set([...left, ...right].map(({ heading }) => heading))];
    return headings.map((heading) => {
      /** @param {Section[]} all */
      const of = (all) => all.find((section) => section.heading === heading)?.clauses ?? [];
      /** @param {Clause[]} clauses @param {Clause[]} others @param {Edition} edition @param {boolean} first */
      const column = (clauses, others, edition, first) =>
        html`<div>
          <p class="rules-of">${t.rules.title(edition)}</p>
          ${clauses.map((clause) =>
            this.clause(
              clause,
              edition,
              first,
              others.some(({ text }) => text === clause.text) ? t.rules.same : t.rules.differs,
            ),
          )}
          ${clauses.length ? nothing : html`<p class="quiet">${t.rules.none}</p>`}
        </div>`;
      return html`<section>
        <h2>${heading}</h2>
        <div class="rules-pair">
          ${column(of(left), of(right), one, true)}${column(of(right), of(left), two, false)}
        </div>
      </section>`;
    });
  }

  /** @param {Clause} clause @param {Edition} edition @param {boolean} first whether the address can be about it
   * @param {string} compared whether the other edition has the same clause @returns {Drawn} */
  clause(clause, edition, first, compared) {
    const chosen = first && clause.number === this.chosen;
    /** @param {Element | undefined} element */
    const reach = (element) => {
      if (!element || !chosen || !this.scrolls) return;
      this.scrolls = false;
      // The element is in the document once all of the page is drawn.
      queueMicrotask(() => {
        element.scrollIntoView({ block: "center" });
        if (element instanceof HTMLElement) element.focus({ preventScroll: true });
      });
    };
    return html`<article
      class=${classMap({ "rules-clause": true, "rules-chosen": chosen, "rules-same": compared === t.rules.same })}
      id=${first ? clause.number : nothing}
      tabindex="-1"
      aria-current=${chosen ? "true" : nothing}
      aria-label=${t.site.clause(clause.number)}
      ${ref(reach)}
    >
      <p class="rules-number">
        ${first ? html`<a href=${`#${clause.number}`}>${clause.number}</a>` : clause.number}
        ${compared ? html`<small>${compared}</small>` : nothing}
      </p>
      <div>
        ${markdown(clause.text, links(edition, ""))}
        <p class="quiet"><small>${clause.source}</small></p>
      </div>
    </article>`;
  }
}

/** @param {Edition} edition @returns {Section[]} */
function sections({ rules }) {
  /** @type {Section[]} */
  const found = [];
  for (const clause of rules) {
    const last = found.at(-1);
    if (last?.heading === clause.heading) last.clauses.push(clause);
    else found.push({ heading: clause.heading, clauses: [clause] });
  }
  return found;
}

/** Draw a value of a comparison. @param {unknown} value @param {(word: string) => string} word @returns {Drawn} */
function written(value, word) {
  if (Array.isArray(value))
    return html`<ol>
      ${value.map((item) => html`<li>${written(item, word)}</li>`)}
    </ol>`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return html`<ul>
      ${members.map(([name, member]) => html`<li>${t.rules.member(name)} ${written(member, word)}</li>`)}
    </ul>`;
  }
  return typeof value === "string" ? word(value) : said(value);
}

/** @param {unknown} value */
function said(value) {
  if (value === null || value === undefined) return t.rules.absent;
  return typeof value === "boolean" ? (value ? t.rules.yes : t.rules.no) : String(value);
}

const fragment = () => decodeURIComponent(location.hash.slice(1));
const besides = () => new URLSearchParams(location.search).get("with") ?? "";
