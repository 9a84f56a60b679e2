// The search of the guides. It reads an index once, when somebody first comes to search, and looks through it here.
// What it shows is set as text: nothing from the index or from the box is ever read as HTML.
"use strict";

const MOST = 20; // results
const BEFORE = 60; // characters of a snippet before its first hit
const LENGTH = 200; // characters of a snippet

const ENDING = /^(\p{L}{4,}?)(?:ing|ed|es|e|s)$/u; // of a word that is found in its other forms too

const SHORT = 4; // letters of a word that is found only where a word begins: "rate" is not in "generated"

const STOP_WORDS = new Set("a an are can do does how i if in is my of the to what".split(" "));

/** Return all words of a query in lower case, without endings, so that "upgrade" finds "upgrading". */
function stemsOf(query) {
  const words = query.toLowerCase().split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  return words.filter(Boolean).map((word) => word.replace(ENDING, "$1"));
}

/** Return the words of a query that matter, without endings; all of them if none matters. */
function wordsOf(query) {
  const stems = stemsOf(query);
  const kept = stems.filter((word) => !STOP_WORDS.has(word));
  return kept.length ? kept : stems;
}

/** Return a query in the form in which it is compared with headings and synonyms. */
function phraseOf(words) {
  return ` ${spaced(words.join(" "))} `;
}

/** Return the parts that have all words, or where there are none, those that have most of them; best first. */
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
 * Return how many of the words a part has, and how well it fits: a word counts most in a heading, a heading that equals
 * the query more than that, and a synonym that is in the query most.
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

/** Return a text in which hyphens and underscores do not matter. */
function spaced(text) {
  return text.replace(/[-_]/g, " ");
}

/** Return 2 if a word of a text begins with a word, 1 if it is elsewhere in the text, 0 if it is not in it. */
function hit(text, word) {
  const at = placeOf(text, word);
  return at < 0 ? 0 : begins(text, at) ? 2 : 1;
}

/** Return how often a text has a word. */
function countOf(text, word) {
  let count = 0;
  for (let at = placeOf(text, word); at >= 0; at = placeOf(text, word, at + word.length)) count += 1;
  return count;
}

/** Return the first place of a word in a text, -1 if it has none; a short word must begin a word of the text. */
function placeOf(text, word, from = 0) {
  let at = text.indexOf(word, from);
  while (at >= 0 && word.length <= SHORT && !begins(text, at)) at = text.indexOf(word, at + 1);
  return at;
}

/** Return whether a word of a text begins at a place. */
function begins(text, at) {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]);
}

/** Return a stretch of a text around the first of the words, cut between words. */
function snippetOf(text, words) {
  const places = words.map((word) => placeOf(text.toLowerCase(), word)).filter((at) => at >= 0);
  const first = Math.max(0, (places.length ? Math.min(...places) : 0) - BEFORE);
  const from = first ? text.indexOf(" ", first) + 1 : 0;
  const rest = text.slice(from, from + LENGTH);
  const whole = from + LENGTH >= text.length;
  return (from ? "… " : "") + (whole ? rest : rest.slice(0, rest.lastIndexOf(" ")) + " …");
}

/** Return a text in pieces, [piece, whether it is one of the words]. */
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
    // The reference looks at its anchor only when it is loaded.
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
