// The search of the guides. The script loads an index once, when a visitor first uses the search, and searches the
// index in the browser. Results are set as text: nothing from the index or from the search box is ever parsed as HTML.
"use strict";

const MOST = 20; // results
const BEFORE = 60; // characters of a snippet before its first hit
const LENGTH = 200; // characters of a snippet

const ENDING = /^(\p{L}{4,}?)(?:ing|ed|es|e|s)$/u; // the ending that is ignored, so that a word is found with any ending

const SHORT = 4; // a word of up to this length is found only at the beginning of a word: "rate" is not in "generated"

const STOP_WORDS = new Set("a an are can do does how i if in is my of the to what".split(" "));

/** Return all words of a query in lower case, without endings, so that "upgrade" finds "upgrading". */
function stemsOf(query) {
  const words = query.toLowerCase().split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  return words.filter(Boolean).map((word) => word.replace(ENDING, "$1"));
}

/** Return a query's words except stop words, without endings, or all words if all are stop words. */
function wordsOf(query) {
  const stems = stemsOf(query);
  const kept = stems.filter((word) => !STOP_WORDS.has(word));
  return kept.length ? kept : stems;
}

/** Return words in the form in which a query is compared with headings and synonyms. */
function phraseOf(words) {
  return ` ${spaced(words.join(" "))} `;
}

/** Return the parts with all words of a query or, if there are none, the parts with the most words; best first. */
function find(parts, query) {
  const words = wordsOf(query);
  const [phrase, whole] = [phraseOf(words), phraseOf(stemsOf(query))];
  const exact = query.trim().toLowerCase();
  const found = [];
  let most = 1;
  for (const part of parts) {
    const { hits, score } = scoreOf(part, words, { exact, phrase, whole });
    if (hits > most) [most, found.length] = [hits, 0];
    if (hits === most) found.push({ part, score });
  }
  found.sort((one, other) => other.score - one.score);
  return found.slice(0, MOST).map(({ part }) => part);
}

/**
 * Return how many of the words a part has, and the part's score. A word scores most in a heading. A heading that equals
 * the query scores more than any word, and a synonym in the query scores most of all.
 */
function scoreOf([, title, heading, text, factor, synonyms = []], words, { exact, phrase, whole }) {
  const same = synonyms.map(stemsOf).filter((stems) => whole.includes(phraseOf(stems)));
  const isHeading = phrase === phraseOf(wordsOf(heading));
  [title, heading, text] = [title, heading, text].map((value) => value.toLowerCase());
  let hits = 0;
  let score = 0;
  for (const word of words) {
    const points = 12 * hit(heading, word) + 4 * hit(title, word) + Math.min(5, countOf(text, word));
    if (points || same.some((stems) => stems.includes(word))) hits += 1;
    score += points;
  }
  if (isHeading) score += heading === exact ? 120 : 100;
  if (placeOf(spaced(text), phrase.trim()) >= 0) score += 10;
  return { hits, score: score * factor + (same.length ? 150 : 0) };
}

/** Return a text with spaces instead of hyphens and underscores, so that they do not matter. */
function spaced(text) {
  return text.replace(/[-_]/g, " ");
}

/** Return 2 if a word of the text begins with this word, 1 if this word is elsewhere in the text, otherwise 0. */
function hit(text, word) {
  const at = placeOf(text, word);
  return at < 0 ? 0 : begins(text, at) ? 2 : 1;
}

/** Return how often a text contains a word. */
function countOf(text, word) {
  let count = 0;
  for (let at = placeOf(text, word); at >= 0; at = placeOf(text, word, at + word.length)) count += 1;
  return count;
}

/** Return the first position of a word in a text, or -1; a short word must begin a word of the text. */
function placeOf(text, word, from = 0) {
  let at = text.indexOf(word, from);
  while (at >= 0 && word.length <= SHORT && !begins(text, at)) at = text.indexOf(word, at + 1);
  return at;
}

/** Return whether a word of a text begins at a position. */
function begins(text, at) {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]);
}

/** Return an excerpt of a text around the first of these words, cut between words. */
function snippetOf(text, words) {
  const places = words.map((word) => placeOf(text.toLowerCase(), word)).filter((at) => at >= 0);
  const first = Math.max(0, (places.length ? Math.min(...places) : 0) - BEFORE);
  const from = first ? text.indexOf(" ", first) + 1 : 0;
  const rest = text.slice(from, from + LENGTH);
  const whole = from + LENGTH >= text.length;
  return (from ? "… " : "") + (whole ? rest : rest.slice(0, rest.lastIndexOf(" ")) + " …");
}

/** Return a text in pieces, each as [piece, whether the piece is one of the words]. */
function marked(text, words) {
  const pieces = [];
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    let next = text.length;
    let length = 0;
    for (const word of words) {
      const place = placeOf(lower, word, at);
      if (place >= 0 && place < next) [next, length] = [place, word.length];
    }
    if (next > at) pieces.push([text.slice(at, next), false]);
    if (length) pieces.push([text.slice(next, next + length), true]);
    at = next + length;
  }
  return pieces;
}

function setUp(search) {
  const input = search.querySelector("input");
  const panel = search.querySelector(".results");
  const status = search.querySelector("[role=status]");
  const list = search.querySelector("ol");
  let index = null;

  const element = (name, ...content) => {
    const made = document.createElement(name);
    made.append(...content);
    return made;
  };
  const highlighted = (name, text, words) =>
    element(name, ...marked(text, words).map(([piece, isWord]) => (isWord ? element("mark", piece) : piece)));

  const load = () => {
    index ??= fetch("/guide/index.json").then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.json();
    });
    return index;
  };

  const show = async () => {
    const query = input.value;
    const words = wordsOf(query);
    panel.hidden = !words.length;
    if (!words.length) return;
    if (!status.textContent) status.textContent = "Loading the index …";
    try {
      const found = find(await load(), query);
      if (query !== input.value) return;
      status.textContent = found.length === MOST ? `The best ${MOST} results` : found.length === 1 ? "1 result" : `${found.length} results`;
      list.replaceChildren(
        ...found.map(([address, title, heading, text]) => {
          const link = element("a", highlighted("strong", heading, words));
          link.href = address;
          if (title !== heading) link.append(element("span", title));
          link.append(highlighted("p", snippetOf(text, words), words));
          return element("li", link);
        }),
      );
    } catch {
      index = null;
      list.replaceChildren();
      status.textContent = "The index could not be loaded. Try again.";
    }
  };

  const close = () => {
    panel.hidden = true;
    input.focus();
  };
  const move = (by) => {
    const stops = [input, ...list.querySelectorAll("a")];
    stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length].focus();
  };

  input.addEventListener("focus", () => load().catch(() => (index = null)));
  input.addEventListener("input", show);
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Escape" && !panel.hidden) close();
    else if (event.key === "Enter" && event.target === input) list.querySelector("a")?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    panel.hidden = true;
    // The reference reads its anchor only when the page is loaded.
    if (link.hash.startsWith("#/") && link.pathname === location.pathname) setTimeout(() => location.reload());
  });
  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || writes || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  document.addEventListener("click", (event) => {
    if (!search.contains(event.target)) panel.hidden = true;
  });
  search.hidden = false;
}

if (typeof document !== "undefined") setUp(document.querySelector(".search"));
