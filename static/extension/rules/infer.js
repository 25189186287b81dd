// Finds a page's list of results from its shape if no rule matches the page, or from one result that the reader has
// picked. It takes bounded time on a page of any size, and never throws.

import {
  all,
  attribute,
  classes,
  closest,
  contains,
  heading,
  matches,
  one,
  owner,
  tag,
  text,
  tree,
  value,
} from './dom.js';
import { ancestors, groups, holds, lists, sample, unit } from './groups.js';
import { listSelector, name, partSelector, quality } from './names.js';
import { describes } from './results.js';

/** @typedef {import('../types.d.ts').Rule} Rule */
/** @typedef {import('./groups.js').Group} Group */
/** @typedef {import('./dom.js').Root} Root */

/**
 * @typedef {object} Candidate
 * @property {Rule} rule for pages like this one; its id and name are proposals
 * @property {number} score how much it looks like results, among the candidates of a page
 * @property {number} results how many the rule finds in the page
 */

/** After this many milliseconds no further list is looked at. */
const PATIENCE = 250;

/** Most candidates. */
const MOST = 5;

/** Parameters of addresses that hold queries, the likely ones first. */
const PARAMETERS = 'q query search search_query searchterm term keywords keyword text k s p'.split(' ');

/** Parameters that count pages as often as they hold queries. A number in them is no query. */
const COUNTERS = ['k', 's', 'p'];

const FIELDS =
  'input[type="search"], input[name="q"], input[name="query"], input[name="search"], input[name="s"], ' +
  '[role="searchbox"]';

/**
 * The lists of a page that could be results, the likeliest first, at most five.
 * @param {Document} page
 * @param {string | URL} address of the page
 * @param {Root} root where lists are looked for: the page, or a shadow root in it
 * @returns {Candidate[]}
 */
export function infer(page, address, root = page) {
  const end = performance.now() + PATIENCE;
  /** @type {Group[]} */
  const found = [];
  for (const list of lists(root)) {
    if (performance.now() > end) break;
    found.push(...groups(list).filter((group) => group.items.length >= 3));
  }
  found.sort((a, b) => b.score - a.score);
  /** @type {Candidate[]} */
  const out = [];
  for (const group of found.slice(0, 3 * MOST)) {
    if (out.length === MOST || (out.length > 0 && performance.now() > end + PATIENCE)) break;
    const candidate = candidateOf(group, page, address, root);
    if (candidate && !out.some(({ rule }) => rule.result === candidate.rule.result)) out.push(candidate);
  }
  return out;
}

/**
 * The list that an element of one of its results belongs to.
 * @param {Element} element
 * @param {string | URL} address of its page
 * @returns {Candidate | null}
 */
export function inferFrom(element, address) {
  const page = owner(element);
  const top = tree(element);
  const root = top instanceof ShadowRoot ? top : page;
  const end = performance.now() + PATIENCE;
  /** @type {Group[]} */
  const found = [];
  for (const list of ancestors(element, page)) {
    if (performance.now() > end) break;
    found.push(...groups(list).filter((group) => holds(group, element)));
  }
  // Lists of two items and lists in the navigation count as well: the reader has pointed at one.
  found.sort((a, b) => b.score - a.score);
  for (const group of found.slice(0, MOST)) {
    const candidate = candidateOf(group, page, address, root);
    if (candidate) return candidate;
  }
  return null;
}

/**
 * @param {Group} group
 * @param {Document} page
 * @param {string | URL} address
 * @param {Root} root
 * @returns {Candidate | null}
 */
function candidateOf(group, page, address, root) {
  const items = sample(group.items);
  const units = items.map((item) => unit(group, item));
  const own = name(items[0], group.shared).selector;
  const titles = units.map(titleOf);
  const title = partSelector(units, titles) ?? partSelector(units, units.map(linkIn));
  if (!title) return null;
  const result = listSelector(root, group.list, group.items, own);
  /** @type {Rule} */
  const rule = { ...place(page, new URL(address)), result, title };
  // Each sibling that moves along stands at its own distance behind the item.
  if (group.gap.length) {
    const behind = group.gap.map((_, i) =>
      [own, ...group.gap.slice(0, i + 1).map((kind) => CSS.escape(kind))].join(' + '),
    );
    rule.with = behind.join(', ');
  }
  const links = titles.map((element) => element && (closest(element, 'a[href]') ?? one(element, 'a[href]')));
  if (links.filter(Boolean).length < units.length / 2) {
    const link = partSelector(units, units.map(linkIn));
    if (link) rule.link = link;
  }
  const snippet = partSelector(
    units,
    units.map((elements, i) => snippetOf(elements, titles[i])),
  );
  if (snippet && snippet !== title) rule.snippet = snippet;
  // Text that stands in no element of its own: the whole result is read.
  else if (units.filter((elements, i) => loose(elements[0], titles[i])).length > units.length / 2) rule.snippet = own;
  const { results, titled } = describes(rule, root);
  return results >= 2 && titled >= results / 2 ? { rule, score: group.score, results } : null;
}

/** @param {Element[]} elements the first link with words */
function linkIn(elements) {
  for (const element of elements) {
    const links = matches(element, 'a[href]') ? [element] : all(element, 'a[href]');
    for (let i = 0; i < links.length && i < 20; i++) if (text(links[i], 20).length >= 4) return links[i];
  }
  return null;
}

/**
 * The element of a result that looks most like its title: a heading, something that calls itself a title, or the
 * link with most words.
 * @param {Element[]} elements
 * @returns {Element | null}
 */
function titleOf(elements) {
  let chosen = null;
  let most = 0;
  for (const element of elements) {
    const found = all(
      element,
      'h1, h2, h3, h4, h5, h6, [role="heading"], a[href], [class*="itle"], [class*="eadline"]',
    );
    for (let i = 0; i < found.length && i < 40; i++) {
      const words = text(found[i], 300).length;
      if (words < 4 || words >= 300) continue;
      const score = weight(found[i]) * (0.5 + Math.min(words, 60) / 60);
      if (score > most) {
        most = score;
        chosen = found[i];
      }
    }
  }
  // What calls itself a title may be a box about one: then its main link is the title.
  if (!chosen || /^h[1-6]$/.test(tag(chosen))) return chosen;
  const link = linkIn([chosen]);
  return link && text(link, 300).length >= 0.6 * text(chosen, 300).length ? link : chosen;
}

/** @param {Element} element how much it looks like a title, by its tag and classes */
function weight(element) {
  if (/^h[1-6]$/.test(tag(element)) || attribute(element, 'role') === 'heading') return 3;
  const called = classes(element).some((token) => /(?:^|[-_])(?:head)?(?:title|line)s?(?:$|[-_])|Title/.test(token));
  if (called && !classes(element).some((token) => /sub-?title/i.test(token))) return 2.5;
  return tag(element) === 'a' ? 1 : 0.1;
}

/**
 * The element with most prose outside of the title.
 * @param {Element[]} elements
 * @param {Element | null} title
 * @returns {Element | null}
 */
function snippetOf(elements, title) {
  let chosen = null;
  let most = 30;
  for (const element of elements) {
    const found = all(element, 'p, div, span, td, dd, blockquote, section');
    for (let i = 0; i < found.length && i < 60; i++) {
      const inner = found[i];
      if (title && (contains(inner, title) || contains(title, inner))) continue;
      const words = text(inner, 600).length;
      if (words <= most) continue;
      const links = all(inner, 'a[href]');
      let inLinks = 0;
      for (let j = 0; j < links.length && j < 10; j++) inLinks += text(links[j], 300).length;
      if (inLinks > words / 2) continue;
      most = words;
      chosen = inner;
    }
  }
  // Of elements with the same text, the outermost was found; one within it may have a better name.
  for (let inner = chosen; inner && name(inner).quality < 2;) {
    const only = one(inner, ':scope > *');
    if (!only || text(only, 600).length < 0.9 * most) break;
    inner = only;
    if (name(inner).quality >= 2) chosen = inner;
  }
  return chosen;
}

/** @param {Element} element @param {Element | null} title whether the element has text beside the title */
const loose = (element, title) => text(element, 300).length - (title ? text(title, 300).length : 0) >= 30;

/**
 * What a rule says of the page itself: its name, its address and where its query is.
 * @param {Document} page
 * @param {URL} address
 * @returns {Pick<Rule, 'id' | 'name' | 'matches' | 'path' | 'query' | 'asOf' | 'source'>}
 */
function place(page, address) {
  const host = address.hostname;
  const id =
    host
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'page';
  const parameter = PARAMETERS.find((each) => {
    const asked = address.searchParams.get(each)?.trim();
    return asked && (!COUNTERS.includes(each) || /\p{L}/u.test(asked));
  });
  const [, folder] = address.pathname.split('/');
  const common = {
    id,
    name: host || id,
    asOf: new Date().toISOString().slice(0, 10),
    source: 'inferred from the page',
  };
  if (parameter) {
    const path = /^[\x21-\x7e]{1,200}$/.test(address.pathname) ? address.pathname : '/';
    return { ...common, matches: [`${address.protocol}//${host}${path}*`], query: { parameter } };
  }
  // The list of a front page is on no other.
  const front = ['/', '/?*'];
  const below = /^[\w.~-]{1,100}$/.test(folder) ? [`/${folder}*`] : ['/*'];
  const matching = address.pathname === '/' ? front : below;
  return {
    ...common,
    matches: matching.map((path) => `${address.protocol}//${host}${path}`),
    query: { selector: subject(page) },
  };
}

/** @param {Document} page a selector of what tells the page's subject: a filled search field, the heading, the title */
function subject(page) {
  const fields = all(page, FIELDS);
  for (let i = 0; i < fields.length && i < 20; i++) {
    if (value(fields[i])?.trim()) {
      const called = attribute(fields[i], 'name');
      return called && quality(called) > 0 ? `${tag(fields[i])}[name="${called}"]` : name(fields[i]).selector;
    }
  }
  const first = one(page, 'h1');
  if (first && text(first, 200).length >= 3 && !closest(first, 'header, [role="banner"]')) return 'h1';
  return heading(page).trim() ? 'title' : 'h1';
}
