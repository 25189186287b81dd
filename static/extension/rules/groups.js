// Repeated siblings in a page: the lists that could be results, and how much each looks like a list of results.

import {
  all,
  attribute,
  body,
  children,
  classes,
  closest,
  contains,
  inner,
  matches,
  next,
  parent,
  seen,
  tag,
  text,
} from './dom.js';
import { APART, best, quality } from './names.js';
import { MAX_WITH } from './results.js';

/**
 * @typedef {object} Group
 * @property {Element} list the parent
 * @property {Element[]} items
 * @property {string[]} shared the class that all items share and that names them, if there is one
 * @property {string[]} gap the tags of the siblings behind each item that belong to it
 * @property {number} score
 */

/** Most links of a page, and most children of a list, that are looked at. */
const MAX_LINKS = 5000;
const MAX_CHILDREN = 2000;
const MAX_LISTS = 150;
/** How many levels above a link its list may be. */
const MAX_CLIMB = 12;
const SAMPLE = 12;

/**
 * The elements that have links in at least three of their children, those with most such children first.
 * @param {import('./dom.js').Root} root
 * @returns {Element[]}
 */
export function lists(root) {
  const links = all(root, 'a[href]');
  /** @type {Map<Element, Set<Element>>} */
  const below = new Map();
  for (const link of spread(links, MAX_LINKS)) {
    let child = link;
    for (let climbed = 0; climbed < MAX_CLIMB; climbed++) {
      const above = parent(child);
      if (!above) break;
      const seen = below.get(above) ?? new Set();
      below.set(above, seen.add(child));
      child = above;
    }
  }
  return [...below]
    .filter(([, seen]) => seen.size >= 3)
    .sort(([, a], [, b]) => b.size - a.size)
    .slice(0, MAX_LISTS)
    .map(([list]) => list);
}

/**
 * The groups of like children of a list that could be results: by tag, and by tag and class.
 * @param {Element} list
 * @returns {Group[]}
 */
export function groups(list) {
  const offspring = children(list);
  /** @type {Map<string, {kind: string, token: string, places: number[]}>} */
  const kinds = new Map();
  for (let i = 0; i < offspring.length && i < MAX_CHILDREN; i++) {
    const kind = tag(offspring[i]);
    for (const token of ['', ...new Set(classes(offspring[i]).slice(0, 12))]) {
      const key = `${kind} ${token}`;
      const known = kinds.get(key);
      if (known) known.places.push(i);
      else if (kinds.size < 200) kinds.set(key, { kind, token, places: [i] });
    }
  }
  // Classes that the same children have make one group, which takes the best name.
  /** @type {Map<string, {tokens: string[], places: number[]}>} */
  const distinct = new Map();
  for (const { kind, token, places } of kinds.values()) {
    if (places.length < 2) continue;
    const key = `${kind} ${places.join(' ')}`;
    const known = distinct.get(key) ?? { tokens: [], places };
    if (token) known.tokens.push(token);
    distinct.set(key, known);
  }
  /** @type {Group[]} */
  const out = [];
  for (const { tokens, places } of distinct.values()) {
    const items = places.map((i) => offspring[i]);
    const gap = between(items);
    if (gap === 'peers') continue;
    const group = { list, items, shared: best(tokens).slice(0, 1), gap, score: 0 };
    group.score = score(group);
    if (group.score > 0) out.push(group);
  }
  return out;
}

/** @param {Element} element the kinds of elements in it */
function shape(element) {
  const below = inner(element);
  const out = new Set();
  for (let i = 0, e = below[0]; e && i < 24; e = below[++i]) out.add(`${tag(e)}.${classes(e)[0] ?? ''}`);
  return out;
}

/** @param {Set<unknown>} a @param {Set<unknown>} b the share of what both have in all that they have */
function likeness(a, b) {
  const both = [...a].filter((each) => b.has(each)).length;
  return a.size + b.size === 0 ? 1 : both / (a.size + b.size - both);
}

/**
 * What stands between the items. Tags, if the same ones stand behind nearly every item and are unlike the items (a <dd>
 * behind a <dt>); 'peers', if what stands there is like the items (the even rows between the odd ones).
 * @param {Element[]} items
 * @returns {string[] | 'peers'}
 */
function between(items) {
  const members = new Set(items);
  const first = items.slice(0, 30);
  const gaps = first.length - 1;
  /** @type {Map<string, number>} */
  const counts = new Map();
  let peers = 0;
  for (const item of first.slice(0, -1)) {
    const gap = [];
    for (let e = next(item); e && !members.has(e) && gap.length <= MAX_WITH; e = next(e)) gap.push(e);
    if (gap.length === 0 || gap.length > MAX_WITH) continue;
    const key = gap.map(tag).join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (gap.some((e) => tag(e) === tag(item) && likeness(shape(e), shape(item)) >= 0.7)) peers++;
  }
  if (gaps > 0 && peers >= 0.6 * gaps) return 'peers';
  const [[key, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return gaps >= 2 && count >= 0.8 * gaps ? key.split(' ') : [];
}

/**
 * The elements of an item: itself and what follows it and belongs to it.
 * @param {Group} group
 * @param {Element} item
 */
export function unit({ gap }, item) {
  const out = [item];
  for (const kind of gap) {
    const following = next(out[out.length - 1]);
    if (!following || tag(following) !== kind) break;
    out.push(following);
  }
  return out;
}

/**
 * At most so many of a list, spread over it.
 * @template T
 * @param {ArrayLike<T>} list
 * @param {number} most
 */
function spread(list, most) {
  const n = Math.min(list.length, most);
  return Array.from({ length: n }, (_, i) => list[Math.floor((i * list.length) / n)]);
}

/** @template T @param {T[]} list at most SAMPLE of them, spread over the list */
export const sample = (list) => spread(list, SAMPLE);

/**
 * How much a group looks like a list of results: many items, each with a link of its own and with text outside of
 * links. Lists of links alone, and lists in a page's navigation, score low. The scale is arbitrary.
 * @param {Group} group
 * @returns {number} 0 if it is no list of results
 */
function score(group) {
  const units = sample(group.items).map((item) => unit(group, item));
  const lengths = [];
  const targets = new Set();
  let linked = 0;
  let prose = 0;
  for (const elements of units) {
    const length = elements.reduce((sum, e) => sum + text(e, 600).length, 0);
    let inLinks = 0;
    let own = false;
    for (const element of elements) {
      const links = matches(element, 'a[href]') ? [element] : all(element, 'a[href]');
      for (let i = 0; i < links.length && i < 20; i++) {
        const words = text(links[i], 300).length;
        inLinks += words;
        if (words < 4) continue;
        if (!own) targets.add(attribute(links[i], 'href'));
        own = true;
      }
    }
    if (own) linked++;
    lengths.push(length);
    prose += length ? Math.max(0, 1 - inLinks / length) : 0;
  }
  const share = linked / units.length;
  const distinct = targets.size / Math.max(1, linked);
  const median = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)];
  if (share < 0.6 || distinct < 0.5 || median < 15) return 0;
  const named = group.shared.length && quality(group.shared[0]) >= 2 ? 1.3 : 1;
  const apart = closest(group.list, APART) ? 0.1 : 1;
  const visible = seen(group.list) ? 1 : 0.1;
  const few = group.items.length < 3 ? 0.3 : 1;
  const many = Math.sqrt(Math.min(group.items.length, 60));
  const much = Math.min(median, 400) * (0.25 + (0.75 * prose) / units.length);
  return many * much * share * distinct * named * apart * visible * few;
}

/**
 * The ancestors of an element, from its parent up to the body, at most 24.
 * @param {Element} element
 * @param {Document} page
 */
export function ancestors(element, page) {
  const out = [];
  for (let e = parent(element); e && out.length < 24; e = parent(e)) {
    out.push(e);
    if (e === body(page)) break;
  }
  return out;
}

/** @param {Group} group @param {Element} element whether an item holds it */
export const holds = (group, element) =>
  group.items.some((item) => unit(group, item).some((part) => contains(part, element)));
