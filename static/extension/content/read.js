// The results of a page by a rule, in the order of the document, with the texts of the first of them.

import { bodyOf, children, firstElementOf, lastElementOf, parentOf, typeOf, valueOf } from './dom.js';
import { openRoots } from './roots.js';
import { attribute, text } from '../rules/dom.js';
import { parts, results as unitsOf } from '../rules/results.js';

/** @import { Rule } from '../types.js' */

/** How many results are looked at. */
const MOST = 10_000;

/** How many results of a page are ranked. The texts of no others are read. */
export const RANKED = 200;

/** Characters that are read of a title, a snippet and a link. */
const TITLE = 300;
const SNIPPET = 1_000;
const LINK = 2_000;

/** Most wrappers around a result that are looked through. */
const WRAPPERS = 4;

/**
 * @typedef {object} Result
 * @property {Element} element
 * @property {Element[]} companions siblings right behind it that belong to it
 * @property {Element} mover the element that moves: the result, or a wrapper that holds nothing else
 * @property {Element | null} heading the title's element, for results that are ranked
 * @property {string} title
 * @property {string} snippet
 * @property {string} link
 */

/**
 * Returns the results in the order of the document, at most MOST. Only the first RANKED have texts. If the document has
 * none, those of one open shadow root count, the one with most.
 * @param {Rule} rule
 * @returns {Result[]}
 */
export function read(rule) {
  let units = unitsOf(document, rule, MOST);
  for (const root of units.length > 0 ? [] : openRoots()) {
    const others = unitsOf(root, rule, MOST);
    if (others.length > units.length) units = others;
  }
  return units.map((unit, at) => {
    const [element, ...companions] = unit;
    const mover = companions.length > 0 ? element : lift(element);
    const result = { element, companions, mover, heading: null, title: '', snippet: '', link: '' };
    return at < RANKED ? { ...result, ...textsOf(unit, rule) } : result;
  });
}

/**
 * @param {Element[]} unit
 * @param {Rule} rule
 */
function textsOf(unit, rule) {
  const { title, snippet, link } = parts(unit, rule);
  return {
    heading: title,
    title: title ? text(title, TITLE) : '',
    // Without title and snippet, the whole result is the text.
    snippet: snippet || !title ? text(snippet ?? unit[0], SNIPPET) : '',
    link: ((link && attribute(link, 'href')) ?? '').slice(0, LINK),
  };
}

/**
 * A result that is alone in a wrapper cannot change places with others unless the wrapper moves.
 * @param {Element} element
 */
function lift(element) {
  const body = bodyOf(document);
  let mover = element;
  for (let level = 0; level < WRAPPERS; level++) {
    const parent = parentOf(mover);
    if (!(parent instanceof Element) || parent === body) return element; // alone in the page
    if (firstElementOf(parent) !== lastElementOf(parent) || speaks(parent)) return mover;
    mover = parent;
  }
  return mover;
}

/** @param {Element} element whether it has text of its own, beside its children's */
function speaks(element) {
  for (const child of children(element)) {
    if (typeOf(child) === Node.TEXT_NODE && /\S/.test(valueOf(child) ?? '')) return true;
  }
  return false;
}

/**
 * What a result is, whichever element shows it: a page may build its elements anew.
 * @param {Result} result
 */
export const keyOf = (result) => `${result.link}\n${result.title}`;

/**
 * Whether two readings have the same results, in the same order, with the same texts.
 * @param {Result[]} one
 * @param {Result[]} other
 */
export function same(one, other) {
  return one.length === other.length && one.every((result, at) => isSame(result, other[at]));
}

/** @param {Result} one @param {Result} other */
function isSame(one, other) {
  return (
    one.element === other.element &&
    one.mover === other.mover &&
    one.heading === other.heading &&
    one.title === other.title &&
    one.snippet === other.snippet &&
    one.companions.length === other.companions.length &&
    one.companions.every((companion, at) => companion === other.companions[at])
  );
}
