// The results that a rule finds in a page, and where their texts are.

import { all, attribute, contains, heading, matches, next, one, parent, tag, text, value } from './dom.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

/** How many siblings behind a result may belong to it. */
export const MAX_WITH = 8;

/** How many results are looked at by default. The content script gives a limit of its own. */
const MAX_RESULTS = 2000;

/** Characters of a title, a snippet and a query. */
const MAX_TEXT = 2000;

/**
 * The results of a page, in its order, each as the elements that move together: the one that `rule.result` selects,
 * then those that `rule.with` matches. A result within another one counts as a part of that.
 * @param {Document | DocumentFragment | Element} root
 * @param {Rule} rule
 * @param {number} [limit] how many elements that `rule.result` selects are looked at
 * @returns {Element[][]}
 */
export function results(root, rule, limit = MAX_RESULTS) {
  const found = all(root, rule.result);
  /** @type {Set<Element>} */
  const chosen = new Set();
  const end = Math.min(found.length, limit);
  let last = null;
  for (let i = 0; i < end; i++) {
    // In document order, an element within a result comes right behind it.
    if (last && contains(last, found[i])) continue;
    last = found[i];
    chosen.add(last);
  }
  return [...chosen].map((element) => {
    const unit = [element];
    let sibling = rule.with ? next(element) : null;
    while (sibling && unit.length <= MAX_WITH && !chosen.has(sibling) && matches(sibling, rule.with ?? '')) {
      unit.push(sibling);
      sibling = next(sibling);
    }
    return unit;
  });
}

/**
 * The first element of a result that the selector selects.
 * @param {Element[]} unit what results returned
 * @param {string | undefined} selector
 */
function within(unit, selector) {
  if (!selector) return null;
  for (const element of unit) {
    const found = matches(element, selector) ? element : one(element, selector);
    if (found) return found;
  }
  return null;
}

/**
 * @param {Element[]} unit
 * @param {Rule} rule
 * @returns {{title: Element | null, link: Element | null, snippet: Element | null}}
 */
export function parts(unit, rule) {
  const title = within(unit, rule.title);
  const link = rule.link ? within(unit, rule.link) : title && linkOf(title, unit);
  return { title, link, snippet: within(unit, rule.snippet) };
}

/**
 * The link of a title: itself, within it, or around it.
 * @param {Element} title
 * @param {Element[]} unit
 */
function linkOf(title, unit) {
  for (let element = /** @type {Element | null} */ (title); element; element = parent(element)) {
    if (tag(element) === 'a' && attribute(element, 'href') !== null) return element;
    if (unit.includes(element)) break;
  }
  return one(title, 'a[href]');
}

/**
 * The texts of a result.
 * @param {Element[]} unit
 * @param {Rule} rule
 * @returns {{title: string, snippet: string}}
 */
export function texts(unit, rule) {
  const { title, snippet } = parts(unit, rule);
  return { title: title ? text(title, MAX_TEXT) : '', snippet: snippet ? text(snippet, MAX_TEXT) : '' };
}

/**
 * What the page is about: the query.
 * @param {Document} page
 * @param {URL} address
 * @param {Rule} rule
 * @returns {string} empty if there is none
 */
export function query(page, address, rule) {
  if ('parameter' in rule.query) {
    return (address.searchParams.get(rule.query.parameter) ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
  }
  if (rule.query.selector === 'title') return heading(page).slice(0, MAX_TEXT).trim();
  const field = one(page, rule.query.selector);
  if (!field) return '';
  return (value(field) ?? text(field, MAX_TEXT)).replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
}

/**
 * What a rule finds in a page.
 * @param {Rule} rule
 * @param {import('./dom.js').Root} page
 * @returns {{results: number, titled: number, snippets: number, linked: number}}
 */
export function describes(rule, page) {
  const units = results(page, rule);
  const counts = { results: units.length, titled: 0, snippets: 0, linked: 0 };
  for (const unit of units) {
    const { title, link, snippet } = parts(unit, rule);
    if (title && text(title, 20)) counts.titled++;
    if (snippet && text(snippet, 20)) counts.snippets++;
    if (link) counts.linked++;
  }
  return counts;
}
