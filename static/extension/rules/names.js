// Short selectors of elements that are likely to keep working: words that a person wrote come first, names that a build
// generated come last, and no selector counts elements (:nth-child).

import { all, attribute, classes, closest, matches, parent, previous, tag } from './dom.js';

/** Attributes that pages have for tests and for programs, and so seldom change. */
const TELLING = ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-result', 'itemprop'];
/** Classes that say how something looks or where it stands, not what it is. */
const LOOKS = new RegExp(
  '^(?:[mpwhzdg][trblxyse]?-|flex|grid|block|inline|hidden|show|visible|active|selected|current|first|last|odd' +
    '|even|alt$|text-|bg-|font-|border|rounded|shadow|items-|justify-|gap-|space-|col|row|clearfix|is-|has-|js-' +
    '|css-|sc-|jsx-|svelte|emotion|ng-)',
);

/**
 * How likely a class is to stay the same: 3 for words in lower case, 2 for other words, 1 for looks, 0 for all others.
 * @param {string} token
 */
export function quality(token) {
  if (token.length < 2 || token.length > 60 || /\d/.test(token)) return 0;
  if (LOOKS.test(token)) return 1;
  if (/^[a-z]{3,}(?:[-_]{1,2}[a-z]{2,})*$/.test(token)) return 3;
  return /^[a-z][a-z_-]*$/i.test(token) ? 2 : 0;
}

/** @param {string[]} tokens the best first; equals keep their order */
export const best = (tokens) => tokens.toSorted((a, b) => quality(b) - quality(a));

/**
 * An element's name: its tag with its best class, or with a telling attribute, or the tag alone.
 * @param {Element} element
 * @param {string[]} [among] the classes to choose from; without it the element's own
 * @returns {{selector: string, quality: number}}
 */
export function name(element, among) {
  const kind = CSS.escape(tag(element));
  const [first] = best(among ?? classes(element));
  const grade = first === undefined ? -1 : quality(first);
  if (grade < 2 && !among) {
    for (const telling of TELLING) {
      const value = attribute(element, telling);
      if (value && quality(value) >= 2) return { selector: `${kind}[${telling}="${value}"]`, quality: 3 };
    }
  }
  if (grade < 0) return { selector: kind, quality: -1 };
  return { selector: `${kind}.${CSS.escape(first)}`, quality: grade };
}

/** @param {Element} element whether it has an id that is likely to stay the same: a word without digits */
function lasting(element) {
  const id = attribute(element, 'id');
  return id !== null && id.length <= 60 && /^[a-z][a-z_-]*$/i.test(id);
}

/**
 * A selector of a list's items: the shortest that selects, in the whole document, little else than children of
 * lists of this kind. It names as many of the ancestors as necessary, up to six.
 * @param {import('./dom.js').Root} page
 * @param {Element} list the items' parent
 * @param {Element[]} items
 * @param {string} own what the items are called
 * @returns {string}
 */
export function listSelector(page, list, items, own) {
  const kin = name(list).selector;
  let selector = own;
  let telling = own.includes('.'); // whether the selector has a word of the page
  /** @type {Element | null} */
  let scope = list;
  for (let depth = 0; scope && depth < 6; depth++) {
    const enough = telling || depth >= 3;
    if (enough && strangers(page, selector, list, kin) <= items.length / 5) return selector;
    /** @type {string} */
    const called = lasting(scope) ? `#${CSS.escape(attribute(scope, 'id') ?? '')}` : name(scope).selector;
    telling ||= /[#.[]/.test(called);
    selector = `${called} > ${selector}`;
    scope = called.startsWith('#') ? null : parent(scope);
  }
  return selector;
}

/**
 * How many elements a selector selects in other places than in lists of this kind.
 * @param {import('./dom.js').Root} page
 * @param {string} selector
 * @param {Element} list
 * @param {string} kin the name of such lists
 */
function strangers(page, selector, list, kin) {
  const found = all(page, selector);
  let count = 0;
  for (let i = 0; i < found.length && i < 5000; i++) {
    const above = parent(found[i]);
    // Lists that have only their tag in common are not of one kind.
    if (above !== list && !(above && kin.includes('.') && matches(above, kin) && !closest(above, APART))) count++;
  }
  return count;
}

/** Parts of a page that hold no results. */
export const APART =
  'nav, header, footer, aside, menu, form, [role="navigation"], [role="banner"], [role="contentinfo"], ' +
  '[role="complementary"], [role="menu"], [role="menubar"], [role="tablist"], [role="toolbar"], ' +
  '[role="dialog"], [hidden]';

/**
 * A selector by which each of these units finds its own part first.
 * @param {Element[][]} units
 * @param {(Element | null)[]} wanted of each unit
 * @returns {string | null} null if fewer than half of the units find it so
 */
export function partSelector(units, wanted) {
  /** @type {Map<string, number>} */
  const tried = new Map();
  units.forEach((unit, i) => {
    let element = wanted[i];
    let selector = '';
    for (let depth = 0; element && depth < 3 && !unit.includes(element); depth++) {
      const before = previous(element);
      selector = selector ? `${name(element).selector} > ${selector}` : name(element).selector;
      if (!tried.has(selector)) tried.set(selector, found(units, wanted, selector));
      const behind = before && `${name(before).selector} + ${selector}`;
      if (behind && !tried.has(behind)) tried.set(behind, found(units, wanted, behind));
      element = parent(element);
    }
  });
  let chosen = null;
  let most = units.length / 2;
  for (const [selector, count] of tried) {
    // Of one unit, the first are the shortest.
    if (count >= most && (chosen === null || count > most)) {
      chosen = selector;
      most = count;
    }
  }
  return chosen;
}

/**
 * In how many units the selector finds the wanted part first.
 * @param {Element[][]} units
 * @param {(Element | null)[]} wanted
 * @param {string} selector
 */
function found(units, wanted, selector) {
  let count = 0;
  units.forEach((unit, i) => {
    for (const element of unit) {
      const first = matches(element, selector) ? element : all(element, selector)[0];
      if (!first) continue;
      if (first === wanted[i]) count++;
      break;
    }
  });
  return count;
}
