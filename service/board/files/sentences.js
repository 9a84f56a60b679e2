// Events as sentences: the templates of the API, filled with the members of events.

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["EditionSentences"]} Sentences */
/** @typedef {Schemas["Sentence"]} Sentence */
/** @typedef {(seat: number) => string} NameOf the name of the player or the bot of a seat */
/** @typedef {{text: string, routine: boolean}} Said a sentence, and whether a log may leave it out */

import { t } from "./texts.screens.js";

const MIXES = /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** The sentences of an edition. @param {import("./api.js").Api} api @param {string} edition
 * @param {number | null} revision null: the newest @param {AbortSignal} [signal] @returns {Promise<Sentences>} */
export function loadSentences(api, edition, revision, signal) {
  const path = `/v1/editions/${edition}/sentences?language=${t.sentences}${revision ? `&revision=${revision}` : ""}`;
  return api.get(path, signal ? { signal } : {});
}

/** What happened, or null if the type of the event has no sentence.
 * @param {Sentences} sentences @param {{type: string}} event @param {NameOf} name @returns {Said | null} */
export function said(sentences, event, name) {
  const members = /** @type {Record<string, any>} */ (event);
  const ofType = sentences.sentences.filter((sentence) => sentence.event === event.type);
  const found = ofType.find(({ when }) => when.every((condition) => holds(condition, members)));
  if (!found) return null;
  const text = filled(found.text, (member) => shown(sentences, found.members[member] ?? "", members[member], name));
  return { text, routine: found.routine };
}

/** @param {Sentence["when"][number]} condition @param {Record<string, any>} event @returns {boolean} */
function holds({ member, test, value }, event) {
  const found = event[member];
  if (test === "absent") return found === undefined || found === null;
  if (test === "empty") return !found || found.length === 0;
  if (test === "one") return Array.isArray(found) && found.length === 1;
  if (test === "is") return found === value;
  return test === "same" && found === event[value ?? ""];
}

/** @param {Sentences} sentences @param {string} kind @param {any} value @param {NameOf} name @returns {string} */
function shown(sentences, kind, value, name) {
  const { counts, plurals, words } = sentences;
  if (kind === "counts") {
    const each = (/** @type {any} */ number, /** @type {number} */ seat) =>
      filled(counts, (part) => (part === "seat" ? isolated(name(seat)) : String(number.count ?? number)));
    return value.map(each).join(sentences.joins.other);
  }
  if (Array.isArray(value)) return listed(sentences, value.map((item) => shown(sentences, kind, item, name)));
  if (kind === "seat") return isolated(name(value));
  const forms = plurals[kind];
  if (forms) return counted(sentences, forms, value.count ?? value) + kinds(sentences, value.cards ?? []);
  if (words[kind]) return words[kind][value] ?? value;
  if (kind === "duration") return t.parts.duration(value);
  return kind === "time" ? clockTime(value) : isolated(String(value));
}

/** The cards that are known of a number of cards: " (2 × Spy and Winter)".
 * @param {Sentences} sentences @param {string[]} cards */
function kinds(sentences, cards) {
  const texts = [...new Set(cards)].map((card) => {
    const number = cards.filter((other) => other === card).length;
    const word = sentences.words["card"]?.[card] ?? card;
    return number > 1 ? `${number} × ${word}` : word;
  });
  return texts.length ? ` (${listed(sentences, texts)})` : "";
}

/** @param {Sentences} sentences @param {Schemas["Plural"]} forms @param {number} count */
function counted({ language }, forms, count) {
  /** @type {Record<string, string | undefined>} */
  const all = forms;
  return filled(all[new Intl.PluralRules(language).select(count)] ?? forms.other, () => String(count));
}

/** @param {Sentences} sentences @param {string[]} items */
const listed = ({ joins }, items) => [...items.slice(0, -2), items.slice(-2).join(joins.last)].join(joins.other);

/** @param {string} text @param {(member: string) => string} show */
const filled = (text, show) => text.replace(/\{(\w+)\}/g, (_, member) => show(member));

/** A name whose direction of writing must not change the sentence around it. @param {string} name */
const isolated = (name) => (MIXES.test(name) ? `\u2068${name}\u2069` : name);

// To make a format takes a hundred times as long as to use it, and a log has hundreds of times.
const TODAY = new Intl.DateTimeFormat(t.language, { hour: "2-digit", minute: "2-digit" });
const OTHER_DAY = new Intl.DateTimeFormat(t.language, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

/** @param {number} time in ms @returns {string} */
export function clockTime(time) {
  const now = new Date();
  return (now.setHours(0, 0, 0, 0) <= time && time < now.setHours(24, 0, 0, 0) ? TODAY : OTHER_DAY).format(time);
}
