// A map of the results: how near each passage is to the query, and how far it
// lies along the perspective. Both lists are on it, told apart by shape.

import { byId, el, number, write } from './dom.js';
import { light } from './light.js';

const dots = new Map(); // views by number of the document
let axes = { key: null, x: null, y: null };
let current = null; // number of the passage whose dot the Tab key reaches

/**
 * @param {object} answer of Comparison.ask
 * @param {string} method name of the chosen one
 * @param {number} which perspective the map shows
 */
export function showMap({ query, plain, chosen, places }, method, which) {
  byId('map').hidden = !places;
  if (!places) return;
  const found = new Map();
  for (const [list, hits] of [
    ['plain', plain.hits],
    ['chosen', chosen?.hits ?? []],
  ]) {
    for (const hit of hits) {
      const point = found.get(hit.index) ?? { hit, x: places.get(hit.index), y: hit.explain.cosine, ranks: {} };
      point.ranks[list] = hit.rank;
      found.set(hit.index, point);
    }
  }
  const points = [...found.values()].filter(({ x }) => x !== undefined);
  widen(JSON.stringify([query.query, query.root, query.perspectives, which, query.k]), points);
  offerAxes(query.perspectives, which);
  write(byId('map-axis'), axisName(query, which));
  write(byId('key-chosen'), `${method} only`);
  for (const [index, dot] of dots) if (!found.has(index)) remove(index, dot);
  for (const point of points) draw(point, method);
  if (!dots.has(current)) current = points[0]?.hit.index ?? null;
  for (const [index, dot] of dots) dot.tabIndex = index === current ? 0 : -1;
  if (byId('map-table').open) table(points);
  else byId('map-table').ontoggle = () => table(points);
}

/** Forgets all dots: another collection follows. */
export function clearMap() {
  for (const [index, dot] of dots) remove(index, dot);
  axes = { key: null };
  byId('map').hidden = true;
}

function remove(index, dot) {
  dot.remove();
  dots.delete(index);
}

// While a slider moves, the frame only grows: dots that stay do not move.
function widen(key, points) {
  if (axes.key !== key) axes = { key, x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
  for (const name of ['x', 'y']) {
    for (const point of points) {
      axes[name] = [Math.min(axes[name][0], point[name]), Math.max(axes[name][1], point[name])];
    }
  }
  for (const [name, at] of [
    ['x', 0],
    ['x', 1],
    ['y', 0],
    ['y', 1],
  ]) {
    write(byId(`map-${name}${at}`), Number.isFinite(axes[name][at]) ? number(axes[name][at], 2) : '');
  }
}

function share(name, value) {
  const [low, high] = axes[name];
  return high > low ? (value - low) / (high - low) : 0.5;
}

function draw(point, method) {
  const { hit, x, y, ranks } = point;
  const { index } = hit;
  if (!dots.has(index)) {
    const made = el('button', { type: 'button', className: 'dot' });
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
  const dot = dots.get(index);
  const list = ranks.plain && ranks.chosen ? 'both' : ranks.plain ? 'plain' : 'chosen';
  const where = [ranks.chosen && `${method} rank ${ranks.chosen}`, ranks.plain && `plain rank ${ranks.plain}`]
    .filter(Boolean)
    .join(', ');
  const title = `${hit.title || hit.id}: ${where}; along the perspective ${number(x, 2)}, relevance ${number(y, 2)}`;
  if (dot.title !== title) {
    dot.title = title;
    dot.ariaLabel = title;
    dot.className = `dot ${list}${dot.classList.contains('lit') ? ' lit' : ''}`;
  }
  dot.style.left = `${100 * share('x', x)}%`;
  dot.style.bottom = `${100 * share('y', y)}%`;
}

function pick(index) {
  if (dots.has(current)) dots.get(current).tabIndex = -1;
  current = index;
  dots.get(index).tabIndex = 0;
}

/** Leads to the passage in the list, the chosen one's if it is in both. */
function reveal(index) {
  const item =
    document.querySelector(`#chosen [data-index="${index}"]`) ??
    document.querySelector(`#plain [data-index="${index}"]`);
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({
    block: 'nearest',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
}

function axisName({ perspectives }, which) {
  return perspectives[which] ?? 'what the query adds to its subject';
}

// Several perspectives: one axis at a time.
function offerAxes(perspectives, which) {
  const select = byId('map-which');
  select.hidden = perspectives.length < 2;
  const key = JSON.stringify(perspectives);
  if (select.dataset.of !== key) {
    select.dataset.of = key;
    select.replaceChildren(...perspectives.map((text, i) => el('option', { value: String(i) }, text)));
  }
  select.value = String(Math.min(which, perspectives.length - 1));
}

function table(points) {
  const sorted = [...points].sort(
    (a, b) => (a.ranks.chosen ?? Infinity) - (b.ranks.chosen ?? Infinity) || a.ranks.plain - b.ranks.plain,
  );
  byId('map-rows').replaceChildren(
    ...sorted.map(({ hit, x, y, ranks }) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, hit.title || hit.id),
        [ranks.chosen ?? '–', ranks.plain ?? '–', number(x, 2), number(y, 2)].map((cell) => el('td', {}, String(cell))),
      ),
    ),
  );
}

/** Arrows go from dot to dot, along the perspective. */
export function wireMap() {
  byId('map-dots').addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step || !dots.has(current)) return;
    event.preventDefault();
    const order = [...dots]
      .sort(([, a], [, b]) => parseFloat(a.style.left) - parseFloat(b.style.left))
      .map(([index]) => index);
    const next = order[(order.indexOf(current) + step + order.length) % order.length];
    dots.get(next).focus();
  });
}
