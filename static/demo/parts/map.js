// A map of the results: how near each passage is to the query, and how far it
// lies along the perspective. It shows both lists, with different shapes.

import { byId, el, number, write } from './dom.js';
import { nameOf } from './hit.js';
import { light } from './light.js';

/**
 * @import { ExplainedHit } from '../../lib/index.js'
 * @import { Answer } from './comparison.js'
 * @import { Asked } from './form.js'
 * @typedef {{key: string, x: number[], y: number[]}} Axes x and y: from, to
 * @typedef {{hit: ExplainedHit, x: number, y: number, ranks: {plain?: number, chosen?: number}}} Point
 */

/** @type {Map<number, HTMLButtonElement>} by number of the document */
const dots = new Map();
/** @type {Axes} */
let axes = { key: '', x: [0, 0], y: [0, 0] };
/** @type {number|null} number of the passage whose dot the Tab key reaches */
let current = null;

/**
 * @param {Answer} answer
 * @param {string} method name of the chosen one
 * @param {number} which perspective the map shows
 */
export function showMap({ query, plain, chosen, places }, method, which) {
  byId('map').hidden = !places;
  if (!places) return;
  /** @type {Map<number, Omit<Point, 'x'> & {x: number|undefined}>} */
  const found = new Map();
  for (const list of /** @type {const} */ (['plain', 'chosen'])) {
    const hits = (list === 'plain' ? plain : chosen)?.hits ?? [];
    for (const hit of hits) {
      const point = found.get(hit.index) ?? { hit, x: places.get(hit.index), y: hit.explain.cosine, ranks: {} };
      point.ranks[list] = hit.rank;
      found.set(hit.index, point);
    }
  }
  const points = [...found.values()].flatMap((point) => (point.x === undefined ? [] : { ...point, x: point.x }));
  widen(JSON.stringify([query.query, query.root, query.perspectives, which, query.k]), points);
  offerAxes(query.perspectives, which);
  write(byId('map-axis'), axisName(query, which));
  write(byId('key-chosen'), `${method} only`);
  for (const [index, dot] of dots) if (!found.has(index)) remove(index, dot);
  for (const point of points) draw(point, method);
  if (current === null || !dots.has(current)) current = points[0]?.hit.index ?? null;
  for (const [index, dot] of dots) dot.tabIndex = index === current ? 0 : -1;
  byId('map-table').ontoggle = () => table(points);
  if (byId('map-table').open) table(points);
}

/** Removes all dots before another collection is shown. */
export function clearMap() {
  for (const [index, dot] of dots) remove(index, dot);
  axes = { key: '', x: [0, 0], y: [0, 0] };
  byId('map').hidden = true;
}

/**
 * @param {number} index
 * @param {Element} dot
 */
function remove(index, dot) {
  dot.remove();
  dots.delete(index);
}

/**
 * While a slider moves, the frame only grows, so that unchanged dots do not
 * move.
 * @param {string} key
 * @param {Point[]} points
 */
function widen(key, points) {
  if (axes.key !== key) axes = { key, x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
  for (const name of /** @type {const} */ (['x', 'y'])) {
    for (const point of points) {
      axes[name] = [Math.min(axes[name][0], point[name]), Math.max(axes[name][1], point[name])];
    }
  }
  for (const name of /** @type {const} */ (['x', 'y'])) {
    axes[name].forEach((end, at) => write(byId(`map-${name}${at}`), Number.isFinite(end) ? number(end, 2) : ''));
  }
}

/**
 * @param {'x'|'y'} name
 * @param {number} value
 */
function share(name, value) {
  const [low, high] = axes[name];
  return high > low ? (value - low) / (high - low) : 0.5;
}

/**
 * @param {Point} point
 * @param {string} method
 */
function draw(point, method) {
  const { hit, x, y, ranks } = point;
  const { index } = hit;
  let dot = dots.get(index);
  if (!dot) {
    const made = (dot = el('button', { type: 'button', className: 'dot' }));
    made.dataset.index = String(index);
    light(made, index);
    for (const type of ['mouseenter', 'focusin']) {
      made.addEventListener(type, () => write(byId('map-caption'), made.title));
    }
    made.addEventListener('focusin', () => pick(index));
    made.addEventListener('click', () => reveal(index));
    dots.set(index, made);
    byId('map-dots').append(made);
  }
  const list = ranks.plain && ranks.chosen ? 'both' : ranks.plain ? 'plain' : 'chosen';
  const where = [ranks.chosen && `${method} rank ${ranks.chosen}`, ranks.plain && `plain rank ${ranks.plain}`]
    .filter(Boolean)
    .join(', ');
  const title = `${nameOf(hit)}: ${where}; along the perspective ${number(x, 2)}, relevance ${number(y, 2)}`;
  if (dot.title !== title) {
    dot.title = title;
    dot.ariaLabel = title;
    dot.className = `dot ${list}${dot.classList.contains('lit') ? ' lit' : ''}`;
  }
  dot.style.left = `${100 * share('x', x)}%`;
  dot.style.bottom = `${100 * share('y', y)}%`;
}

/** @param {number} index */
function pick(index) {
  for (const [at, dot] of dots) dot.tabIndex = at === index ? 0 : -1;
  current = index;
}

/**
 * Scrolls to the passage in its list: the chosen method's if it is in both.
 * @param {number} index
 */
function reveal(index) {
  /** @type {HTMLElement|null} */
  const item =
    document.querySelector(`#chosen [data-index="${index}"]`) ??
    document.querySelector(`#plain [data-index="${index}"]`);
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({
    block: 'nearest',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
}

/**
 * @param {Asked} query
 * @param {number} which
 */
function axisName({ perspectives }, which) {
  return perspectives[which] ?? 'what the query adds to its subject';
}

/**
 * Offers a choice of the axis if there are several perspectives.
 * @param {string[]} perspectives
 * @param {number} which
 */
function offerAxes(perspectives, which) {
  const select = byId('map-which');
  select.hidden = perspectives.length < 2;
  const key = JSON.stringify(perspectives);
  if (select.dataset.of !== key) {
    select.dataset.of = key;
    select.replaceChildren(...perspectives.map((text, i) => el('option', { value: String(i) }, text)));
  }
  select.value = String(which);
}

/** @param {Point[]} points */
function table(points) {
  const sorted = [...points].sort(
    (a, b) =>
      (a.ranks.chosen ?? Infinity) - (b.ranks.chosen ?? Infinity) || (a.ranks.plain ?? 0) - (b.ranks.plain ?? 0),
  );
  byId('map-rows').replaceChildren(
    ...sorted.map(({ hit, x, y, ranks }) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, nameOf(hit)),
        [ranks.chosen ?? '–', ranks.plain ?? '–', number(x, 2), number(y, 2)].map((cell) => el('td', {}, String(cell))),
      ),
    ),
  );
}

/** Lets the arrow keys move from dot to dot, along the perspective. */
export function wireMap() {
  byId('map-dots').addEventListener('keydown', (event) => {
    /** @type {{[key: string]: number}} */
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    const step = steps[event.key];
    if (!step || current === null || !dots.has(current)) return;
    event.preventDefault();
    const order = [...dots]
      .sort(([, a], [, b]) => parseFloat(a.style.left) - parseFloat(b.style.left))
      .map(([index]) => index);
    const next = order[(order.indexOf(current) + step + order.length) % order.length];
    dots.get(next)?.focus();
  });
}
