// The map: what each seat owns, where the battle is, and which regions a move may name.

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {import("./vendor/lit-html.js").Drawn} Drawn */
/** @typedef {Schemas["Board"]} Board */
/** @typedef {Schemas["Region"]} Region */
/** @typedef {Schemas["Position"]} Position */
/** @typedef {"battle" | "favor"} Purpose what a move does in a region: begin a battle, or put the favor marker there */
/** @typedef {import("./types.js").MapOptions} MapOptions */
/** @typedef {import("./types.js").Drawing} Drawing */

import { t } from "./texts.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

/** What surrounds a board: the land beyond it, a compass rose, and the names of the seas.
 * @type {Record<string, {land: string, rose: string, seas: [string, number, number, number][]}>} */
const AROUND = {
  italy: {
    land: "M0 0H1020V136C980 116 950 138 922 114C892 98 862 136 820 152L720 160 250 320 10 422C4 430 2 436 0 444Z",
    rose: "M120 920 131 979 190 990 131 1001 120 1060 109 1001 50 990 109 979ZM120 950a40 40 0 1 0 .1 0Z",
    seas: [["Mare Ligure", 118, 610, 62], ["Mare Tirreno", 310, 975, 34], ["Mare Adriatico", 870, 560, 40]],
  },
};
const LABEL = 41;
/** The radius of what lies in a region, and the size of the sign in it. */
const TOKENS = /** @type {const} */ ({ owner: [24, 36], battle: [31, 46], favor: [28, 42] });
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {WeakMap<Board, Map<string, Region>>} */
const maps = new WeakMap();
/** @type {WeakMap<Board, Drawing>} */
const drawings = new WeakMap();
/** The region that the keyboard is at: the map is one stop of the Tab key. @type {string | null} */
let current = null;

/** The map with a button a region, and the same in words; or the room for it.
 * @param {MapOptions} options @param {boolean} [isDrawn] @returns {Drawn} */
export function mapView(options, isDrawn = true) {
  const { board, position } = options;
  const regions = regionsOf(board);
  if (!current || !regions.has(current)) current = position?.contested ?? board.regions[0]?.key ?? null;
  const legal = legalRegions(options.moves);
  // Chromium lets the Tab key stop at an SVG element that listens to the focus.
  return html`<div class="map" @focusin=${(/** @type {FocusEvent} */ event) => arrive(event)}>
    <svg class="map-picture" viewBox="0 0 ${board.width} ${board.height}" role="group" aria-label=${t.map.label}
      @keydown=${(/** @type {KeyboardEvent} */ event) => press(event, options, legal)}>
      ${isDrawn ? svg`${picture(options, legal, "map")} ${board.regions.map((region) => button(region, options, legal))}` : nothing}
    </svg>
    ${regionList(options, isDrawn)}
  </div>`;
}

/** A small picture of one region and what surrounds it, which is not a control; or the room for it.
 * @param {MapOptions} options @param {string} key @param {boolean} [isDrawn] @returns {Drawn} */
export function mapInset(options, key, isDrawn = true) {
  const region = regionsOf(options.board).get(key);
  if (!region) return nothing;
  const xs = region.outline.map(({ x }) => x), ys = region.outline.map(({ y }) => y);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) + 60;
  /** Where the picture begins: the region is in its middle, unless it would leave the board.
   * @param {number[]} places @param {number} most */
  const begin = (places, most) =>
    Math.min(most - size, Math.max(0, (Math.max(...places) + Math.min(...places) - size) / 2));
  const left = begin(xs, options.board.width), top = begin(ys, options.board.height);
  return html`<svg class="map-inset" viewBox="${left} ${top} ${size} ${size}" role="img" aria-label=${region.name}>
    ${isDrawn ? picture(options, new Map(), "inset") : nothing}
  </svg>`;
}

/** All that the map says, as a list by owner; or only its heading.
 * @param {MapOptions} options @param {boolean} [isDrawn] @returns {Drawn} */
export function regionList(options, isDrawn = true) {
  const { board, position, names } = options;
  const regions = regionsOf(board);
  const legal = legalRegions(options.moves);
  const owners = ownersOf(position);
  /** @param {string} heading @param {Region[]} held @param {number} [seat] */
  const part = (heading, held, seat) => html`<li>
    ${seat === undefined ? nothing : html`${chip(seat)} `}<strong>${heading}</strong>
    <ul>${held.map((region) => html`<li>${describe(region, options, legal, regions, owners, false)}</li>`)}</ul>
  </li>`;
  const free = board.regions.filter(({ key }) => !owners.has(key));
  return html`<details class="map-list">
    <summary>${t.map.byOwner}</summary>
    ${isDrawn
      ? html`<ul>
          ${(position?.seats ?? []).map(({ seat, regions: held }) => {
            const largest = Math.max(0, ...groupsOf(board, held).map((group) => group.length));
            return part(t.map.owns(names[seat] ?? "", held.length, largest), inOrder(board, held), seat);
          })}
          ${free.length ? part(t.map.unowned(free.length), free) : nothing}
        </ul>`
      : nothing}
  </details>`;
}

/** The colour and shape of a seat, as on the map. @param {number} seat @returns {Drawn} */
function chip(seat) {
  return html`<span class="chip" data-seat=${seat}
    ><svg aria-hidden="true"><use href="#seat-${seat}"></use></svg
  ></span>`;
}

/** The groups of adjacent regions among `held`, the largest first. @param {Board} board @param {readonly string[]} held
 * @returns {string[][]} */
export function groupsOf(board, held) {
  const regions = regionsOf(board);
  let left = [...held];
  const groups = [];
  while (left.length) {
    const group = left.splice(0, 1);
    for (const member of group) {
      /** @type {string[]} */
      const neighbours = regions.get(member)?.neighbours ?? [];
      const joined = left.filter((key) => neighbours.includes(key));
      group.push(...joined);
      left = left.filter((key) => !joined.includes(key));
    }
    groups.push(group);
  }
  return groups.sort((one, other) => other.length - one.length);
}

/** Return the neighbour to which an arrow key leads: the nearest one in its direction, or null.
 * @param {Board} board @param {string} from @param {string} key @returns {string | null} */
export function neighbourAt(board, from, key) {
  const regions = regionsOf(board);
  const region = regions.get(from), arrow = ARROWS[key];
  if (!region || !arrow) return null;
  let best = null, least = Infinity;
  for (const neighbour of region.neighbours) {
    const city = regions.get(neighbour)?.city ?? region.city;
    const x = city.x - region.city.x, y = city.y - region.city.y;
    const along = x * arrow[0] + y * arrow[1], across = Math.abs(x * arrow[1] - y * arrow[0]);
    // A neighbour at more than 45 degrees is taken only if it is by far the nearest.
    const distance = Math.hypot(x, y) * (across > along ? 3 : 1);
    if (along > 0 && across <= 3 * along && distance < least) [best, least] = [neighbour, distance];
  }
  return best;
}

/** @param {readonly Schemas["Move"][]} moves @returns {Map<string, Purpose>} */
function legalRegions(moves) {
  /** @type {Map<string, Purpose>} */
  const legal = new Map();
  for (const move of moves) {
    if (move.type === "choose-region") legal.set(move.region, "battle");
    else if (move.type === "play-card" && move.favor) legal.set(move.favor, "favor");
  }
  return legal;
}

/** @param {Position | null} position @returns {Map<string, number>} the seat that owns each region */
function ownersOf(position) {
  return new Map((position?.seats ?? []).flatMap(({ seat, regions }) => regions.map((key) => [key, seat])));
}

/** @param {Board} board @param {readonly string[]} keys */
const inOrder = (board, keys) => board.regions.filter(({ key }) => keys.includes(key));

/** @param {Board} board */
function regionsOf(board) {
  const regions = maps.get(board) ?? new Map(board.regions.map((region) => [region.key, region]));
  maps.set(board, regions);
  return regions;
}

/** @param {Board} board @returns {Drawing} */
function drawingOf(board) {
  let drawing = drawings.get(board);
  if (!drawing) {
    const outlines = board.regions.map(({ outline }) => outline);
    drawing = {
      paths: new Map(board.regions.map(({ key, outline }) => [key, pathOf(outline)])),
      borders: linesOf(outlines, true),
      coast: linesOf(outlines, false),
    };
    drawings.set(board, drawing);
  }
  return drawing;
}

/** @param {readonly Schemas["Point"][]} outline */
const pathOf = (outline) => `M${outline.map(({ x, y }) => `${x} ${y}`).join("L")}Z`;

/** The lines that two of these outlines share, or those that belong to one of them only.
 * @param {readonly Schemas["Point"][][]} outlines @param {boolean} shared */
function linesOf(outlines, shared) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  /** @param {Schemas["Point"]} one @param {Schemas["Point"]} other */
  const name = (one, other) =>
    one.x < other.x || (one.x === other.x && one.y < other.y)
      ? `${one.x} ${one.y}L${other.x} ${other.y}`
      : `${other.x} ${other.y}L${one.x} ${one.y}`;
  for (const outline of outlines) {
    outline.forEach((point, number) => {
      const line = name(point, outline[(number + 1) % outline.length] ?? point);
      seen.set(line, (seen.get(line) ?? 0) + 1);
    });
  }
  return [...seen].flatMap(([line, count]) => (count > 1 === shared ? [`M${line}`] : [])).join("");
}

/** Everything that is seen; the buttons lie over it. @param {MapOptions} options @param {Map<string, Purpose>} legal
 * @param {string} ids what the ids in this picture begin with @returns {Drawn} */
function picture({ board, position, chosen, hinted, marked, seat }, legal, ids) {
  const { paths, borders, coast } = drawingOf(board);
  const owners = ownersOf(position);
  const around = AROUND[board.key];
  const path = (/** @type {string} */ key) => paths.get(key) ?? "";
  // In a final battle the map is about the fighters only.
  const fighters = position?.fighters ?? [];
  const aside = (/** @type {string} */ key) => fighters.length > 0 && !fighters.includes(owners.get(key) ?? -1);
  const contested = position?.contested ?? null, favor = position?.favor ?? null;
  return svg`<g class="map-drawing" aria-hidden="true">
    <defs>
      <pattern id="${ids}-hatch" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="map-hatch" d="M7 0V14"/>
      </pattern>
      ${[...legal.keys(), ...(contested ? [contested] : [])].map((key) => svg`<clipPath id="${ids}-${key}"><path d=${path(key)}/></clipPath>`)}
    </defs>
    <rect class="map-sea" width=${board.width} height=${board.height}/>
    <path class="map-shallows" d=${coast}/>
    <path class="map-shallows" data-near d=${coast}/>
    ${around ? svg`<path class="map-beyond" d=${around.land}/><path class="map-rose" d=${around.rose}/>` : nothing}
    ${(around?.seas ?? []).map(
      ([name, x, y, turn]) =>
        svg`<text class="map-sea-name" transform="translate(${x} ${y}) rotate(${turn})">${name}</text>`,
    )}
    ${board.regions.map(
      ({ key }) => svg`<path class="map-land" data-seat=${aside(key) ? nothing : (owners.get(key) ?? nothing)} d=${path(key)}/>`,
    )}
    ${favor ? svg`<path fill="url(#${ids}-hatch)" d=${path(favor)}/>` : nothing}
    <path class="map-borders" d=${borders}/>
    ${[...legal.keys()].map((key) => band(`${ids}-${key}`, path(key), "legal"))}
    ${contested ? band(`${ids}-${contested}`, path(contested), "contested") : nothing}
    <path class="map-coast" d=${coast}/>
    ${seat === null || seat === undefined ? nothing : groups(board, position, seat)}
    ${board.regions.map(({ key }) => (marked?.has(key) ? cased("map-marked", path(key)) : nothing))}
    ${hinted && legal.has(hinted) ? cased("map-hinted", path(hinted)) : nothing}
    ${chosen ? cased("map-chosen", path(chosen)) : nothing}
    ${board.regions.map((region) =>
      signs(region, owners.get(region.key), region.key === contested, region.key === favor, aside(region.key)),
    )}
  </g>`;
}

/** A line inside a region's outline. @param {string} clip @param {string} path @param {string} kind */
const band = (clip, path, kind) => svg`<g clip-path="url(#${clip})">
  <path class="map-band" d=${path}/><path class="map-band" data-kind=${kind} d=${path}/>
</g>`;

/** @param {Board} board @param {Position | null} position @param {number} seat */
function groups(board, position, seat) {
  const regions = regionsOf(board);
  const all = groupsOf(board, position?.seats[seat]?.regions ?? []);
  return all
    .filter((group) => group.length === all[0]?.length)
    .map((group) => linesOf(group.map((key) => regions.get(key)?.outline ?? []), false))
    .map((lines) => cased("map-group", lines));
}

/** A line over a light one, which can be seen on every colour. @param {string} name @param {string} path */
const cased = (name, path) => svg`<path class=${name} data-under d=${path}/><path class=${name} d=${path}/>`;

/** The name of a region, and what lies in it: its owner's marker, the battle, the favor marker; else its city.
 * @param {Region} region @param {number | undefined} owner @param {boolean} contested @param {boolean} favor
 * @param {boolean} aside whether its owner does not fight */
function signs({ name, city }, owner, contested, favor, aside) {
  /** @type {[keyof typeof TOKENS, string][]} */
  const tokens = [];
  if (owner !== undefined) tokens.push(["owner", `seat-${owner}`]);
  if (contested) tokens.push(["battle", "swords"]);
  if (favor) tokens.push(["favor", "mitre"]);
  let x = tokens.reduce((left, [kind]) => left - TOKENS[kind][0], city.x);
  return svg`
    <text class="map-name" data-hatched=${favor ? "" : nothing} x=${city.x} y=${city.y - LABEL}>${name}</text>
    ${tokens.length ? nothing : svg`<circle class="map-city" cx=${city.x} cy=${city.y} r="7"/>`}
    ${tokens.map(([kind, sign]) => {
      const [radius, size] = TOKENS[kind];
      const middle = (x += radius), low = city.y + radius - TOKENS.owner[0];
      x += radius;
      return svg`<g class="map-token" data-kind=${kind} ?data-aside=${aside && kind === "owner"} data-seat=${kind === "owner" ? (owner ?? "") : nothing}>
        <circle cx=${middle} cy=${low} r=${radius}/>
        <use href="#${sign}" x=${middle - size / 2} y=${low - size / 2} width=${size} height=${size}/>
      </g>`;
    })}`;
}

/** @param {Region} region @param {MapOptions} options @param {Map<string, Purpose>} legal */
function button(region, options, legal) {
  const { key } = region;
  const { paths } = drawingOf(options.board);
  const may = legal.has(key);
  return svg`<g class="map-region" role="button" data-region=${key} tabindex=${key === current ? 0 : -1}
    aria-label=${describe(region, options, legal, regionsOf(options.board), ownersOf(options.position), true)}
    aria-disabled=${String(!may)} aria-pressed=${may ? String(options.chosen === key) : nothing}
    @click=${() => choose(key, options, legal)}><path d=${paths.get(key) ?? ""}/></g>`;
}

/** "Milano, held by Anna, borders 6, battle may begin here"; at length, its neighbours are named.
 * @param {Region} region @param {MapOptions} options @param {Map<string, Purpose>} legal
 * @param {Map<string, Region>} regions @param {Map<string, number>} owners @param {boolean} short */
function describe(region, { edition, hinted, position, names }, legal, regions, owners, short) {
  const owner = owners.get(region.key), purpose = legal.get(region.key);
  const bishop = edition.deck.find(({ card }) => card === "bishop")?.label ?? "";
  return [
    region.name,
    ...(short ? [owner === undefined ? t.map.free : t.map.heldBy(names[owner] ?? "")] : []),
    short
      ? t.map.borders(region.neighbours.length)
      : t.map.neighbours(region.neighbours.map((key) => regions.get(key)?.name ?? key)),
    ...(position?.contested === region.key ? [t.map.contested] : []),
    ...(position?.favor === region.key ? [t.map.favor(bishop)] : []),
    ...(purpose ? [t.map.legal[purpose]] : []),
  ].join(", ") + (purpose && hinted === region.key ? t.table.hinted : "");
}

/** @param {string} key @param {MapOptions} options @param {Map<string, Purpose>} legal */
function choose(key, options, legal) {
  current = key;
  (legal.has(key) ? options.onChoose : options.onExplain)(key);
}

/** @param {FocusEvent} event */
function arrive({ target }) {
  const key = target instanceof Element ? target.getAttribute("data-region") : null;
  if (key) move(target instanceof Element ? target : null, key);
}

/** Make a region the one at which the Tab key stops. @param {Element | null} within @param {string} key */
function move(within, key) {
  current = key;
  for (const other of within?.closest("svg")?.querySelectorAll("[data-region]") ?? []) {
    other.setAttribute("tabindex", other.getAttribute("data-region") === key ? "0" : "-1");
  }
}

/** @param {KeyboardEvent} event @param {MapOptions} options @param {Map<string, Purpose>} legal */
function press(event, options, legal) {
  const from = event.target instanceof Element ? event.target.getAttribute("data-region") : null;
  if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") choose(from, options, legal);
  else {
    const to = destination(options.board, from, event.key);
    if (to === null) return;
    const found = /** @type {Element} */ (event.target).closest("svg")?.querySelector(`[data-region="${to}"]`);
    if (found instanceof SVGElement) found.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}

/** Return the region to which a key leads: an arrow to a neighbour, Home, End, or the first letter of a name.
 * @param {Board} board @param {string} from @param {string} key @returns {string | null} */
function destination({ regions, ...board }, from, key) {
  if (key in ARROWS) return neighbourAt({ regions, ...board }, from, key) ?? from;
  if (key === "Home") return regions[0]?.key ?? null;
  if (key === "End") return regions.at(-1)?.key ?? null;
  if (key.length !== 1) return null;
  const here = regions.findIndex((region) => region.key === from);
  const after = [...regions.slice(here + 1), ...regions.slice(0, here + 1)];
  return after.find(({ name }) => name.toLowerCase().startsWith(key.toLowerCase()))?.key ?? null;
}
