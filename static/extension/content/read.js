// Reads the results of a page by a rule: elements in the page's order, and texts of the first of them.

import { attribute, bodyOf, childCount, children, contains, find, findAll } from './dom.js';
import { matches, nextElementOf, parentOf, tagOf, typeOf, valueOf } from './dom.js';

/** @import { Rule } from '../types.js' */

/** No more results than this are looked at. */
export const MOST = 10_000;

/** So many results of a page are ranked: their texts are read. */
export const RANKED = 200;

/** Characters that are read of a title and of a snippet. */
const TITLE = 300;
const SNIPPET = 1_000;

/** Siblings that belong to a result, at most, and wrappers around it. */
const COMPANIONS = 8;
const WRAPPERS = 4;

/** Nodes that are visited for one text. */
const NODES = 2_000;

/** Whose text nobody sees. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'math']);

/**
 * @typedef {object} Result
 * @property {Element} element
 * @property {Element[]} companions siblings right behind it that belong to it
 * @property {Element} mover the element that moves: the result, or a wrapper that holds nothing else
 * @property {Element | null} heading the title's element, for ranked results
 * @property {string} title
 * @property {string} snippet
 * @property {string} link
 */

/**
 * Returns the results in the order of the document. A result inside another one belongs to that one. Only the first
 * RANKED have texts. Throws a SyntaxError if a selector is not one.
 * @param {Rule} rule
 * @param {Document} [root]
 * @returns {Result[]}
 */
export function read(rule, root = document) {
  /** @type {Result[]} */
  const results = [];
  const found = findAll(root, rule.result);
  /** @type {Element | null} */
  let last = null;
  for (let at = 0; at < found.length && results.length < MOST; at++) {
    const element = found[at];
    if (last && contains(last, element)) continue;
    last = element;
    const companions = rule.with ? behind(element, rule.with, rule.result) : [];
    const result = {
      element,
      companions,
      mover: companions.length > 0 ? element : lift(element),
      heading: null,
      title: '',
      snippet: '',
      link: '',
    };
    results.push(results.length < RANKED ? withTexts(result, rule) : result);
  }
  return results;
}

/**
 * The siblings that belong to a result.
 * @param {Element} element
 * @param {string} selector
 * @param {string} result
 */
function behind(element, selector, result) {
  const companions = [];
  for (let next = nextElementOf(element); next && companions.length < COMPANIONS; next = nextElementOf(next)) {
    if (!matches(next, selector) || matches(next, result)) break;
    companions.push(next);
  }
  return companions;
}

/**
 * A result that is alone in a wrapper cannot change places with others unless the wrapper moves.
 * @param {Element} element
 */
function lift(element) {
  let mover = element;
  for (let level = 0; level < WRAPPERS; level++) {
    const parent = parentOf(mover);
    if (!parent || typeOf(parent) !== Node.ELEMENT_NODE || parent === bodyOf(document)) break;
    const wrapper = /** @type {Element} */ (parent);
    if (childCount(wrapper) !== 1 || speaks(wrapper)) break;
    mover = wrapper;
  }
  // Alone in the page, too: then nothing has to be lifted.
  const parent = parentOf(mover);
  return parent && typeOf(parent) === Node.ELEMENT_NODE && parent !== bodyOf(document) ? mover : element;
}

/** @param {Element} element whether it has text of its own, beside its children's */
function speaks(element) {
  for (const child of children(element)) {
    if (typeOf(child) === Node.TEXT_NODE && /\S/.test(valueOf(child) ?? '')) return true;
  }
  return false;
}

/**
 * @param {Result} result
 * @param {Rule} rule
 * @returns {Result}
 */
function withTexts(result, rule) {
  const heading = within(result, rule.title);
  const snippet = rule.snippet ? within(result, rule.snippet) : null;
  const link = rule.link ? within(result, rule.link) : linkOf(heading, result.element);
  result.heading = heading;
  result.title = heading ? textOf(heading, TITLE) : '';
  // Without a title, the whole result is the text.
  result.snippet = snippet ? textOf(snippet, SNIPPET) : heading ? '' : textOf(result.element, SNIPPET);
  result.link = (link && attribute(link, 'href')?.slice(0, 2_048)) ?? '';
  return result;
}

/**
 * The first match in a result or in its companions.
 * @param {Result} result
 * @param {string} selector
 */
function within(result, selector) {
  for (const element of [result.element, ...result.companions]) {
    const found = matches(element, selector) ? element : find(element, selector);
    if (found) return found;
  }
  return null;
}

/**
 * The link in a title, or around it.
 * @param {Element | null} heading
 * @param {Element} result
 */
function linkOf(heading, result) {
  if (!heading) return find(result, 'a[href]');
  if (matches(heading, 'a[href]')) return heading;
  const inside = find(heading, 'a[href]');
  if (inside) return inside;
  const around = Element.prototype.closest.call(heading, 'a[href]');
  return around && contains(result, around) ? around : null;
}

/**
 * The text of an element as a reader sees it, roughly: without scripts, and with single spaces.
 * @param {Element} element
 * @param {number} most characters
 */
export function textOf(element, most) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    typeOf(node) === Node.ELEMENT_NODE && SILENT.has(tagOf(/** @type {Element} */ (node)))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  let text = '';
  for (let visited = 0; visited < NODES && text.length < 4 * most && walker.nextNode(); visited++) {
    const node = walker.currentNode;
    if (typeOf(node) === Node.TEXT_NODE) text += valueOf(node)?.slice(0, 4 * most) ?? '';
    else if (BREAKS.has(tagOf(/** @type {Element} */ (node)))) text += ' ';
  }
  const cut = text.replace(/\s+/g, ' ').trim().slice(0, most);
  return cut.replace(/[\ud800-\udbff]$/, ''); // half a character
}

/** Elements that begin a new line, so that words do not grow together. */
const BREAKS = new Set(['br', 'div', 'p', 'li', 'td', 'dd', 'dt', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section']);

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
  return (
    one.length === other.length &&
    one.every((result, at) => {
      const that = other[at];
      return (
        result.element === that.element &&
        result.mover === that.mover &&
        result.heading === that.heading &&
        result.title === that.title &&
        result.snippet === that.snippet &&
        result.companions.length === that.companions.length
      );
    })
  );
}
