// The search of the guides. It reads an index once, when somebody first comes to search, and looks through it here.
// What it shows is set as text: nothing from the index or from the box is ever read as HTML.
"use strict";

const MOST = 20; // results
const BEFORE = 60; // characters of a snippet before its first hit
const LENGTH = 200; // characters of a snippet

const ENDING = /^(\p{L}{4,}?)(?:ing|ed|es|e|s)$/u; // of a word that is found in its other forms too

/** Return the words of a query in lower case, without endings, so that "upgrade" finds "upgrading". */
function wordsOf(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => word.replace(ENDING, "$1"));
}

/** Return the parts that have all words, or where there are none, those that have most of them; best first. */
function find(parts, query) {
  const words = wordsOf(query);
  const phrase = query.toLowerCase().trim();
  const found = [];
  let most = 1;
  for (const part of parts) {
    const { hits, score } = scoreOf(part, words, phrase);
    if (hits > most) [most, found.length] = [hits, 0];
    if (hits === most) found.push({ part, score });
  }
  found.sort((one, other) => other.score - one.score);
  return found.slice(0, MOST).map(({ part }) => part);
}

/** Return how many of the words a part has, and how well it fits: a word counts most in a heading. */
function scoreOf([, title, heading, text, factor], words, phrase) {
  [title, heading, text] = [title, heading, text].map((value) => value.toLowerCase());
  let hits = 0;
  let score = 0;
  for (const word of words) {
    const points = 12 * hit(heading, word) + 4 * hit(title, word) + Math.min(5, text.split(word).length - 1);
    if (points) hits += 1;
    score += points;
  }
  if (heading === phrase) score += 100;
  if (spaced(text).includes(spaced(phrase))) score += 10;
  return { hits, score: score * factor };
}

/** Return a text in which hyphens and underscores do not matter. */
function spaced(text) {
  return text.replace(/[-_]/g, " ");
}

/** Return 2 where a word begins a word of a text, 1 where it stands anywhere else in it, 0 where it does not. */
function hit(text, word) {
  const at = text.indexOf(word);
  return at < 0 ? 0 : at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]) ? 2 : 1;
}

/** Return a stretch of a text around the first of the words, cut between words. */
function snippetOf(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
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
      const place = lower.indexOf(word, at);
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
