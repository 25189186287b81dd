// Lists that the extension finds by itself, if no rule is for the page or its rule finds nothing any more.

import { read } from './read.js';
import { openRoots } from './roots.js';
import { checkRule } from '../rules/check.js';
import { all, one } from '../rules/dom.js';
import { infer } from '../rules/infer.js';
import { isFor } from '../rules/match.js';
import { MAX_RULES } from '../rules/limits.js';
import { readSettings, writeSettings } from '../settings.js';
import { text } from '../text.js';

/** @import { Rule } from '../types.js' */

/** A list without snippets counts as the page's results only if it has this many entries: shorter ones may be menus. */
const LONG = 5;

/** After this many milliseconds no further shadow root is looked at. */
const PATIENCE = 250;

/** @returns {Rule[]} the likeliest first */
export function candidates() {
  const found = infer(document, location.href);
  const end = performance.now() + PATIENCE;
  for (const root of openRoots()) {
    if (performance.now() > end) break;
    // What a rule selects in the document comes before what it selects in a shadow root.
    const inner = infer(document, location.href, root).filter(({ rule }) => !one(document, rule.result));
    found.push(...inner);
  }
  return found.sort((a, b) => b.score - a.score).map(({ rule }) => rule);
}

/** Pixels of a frame that may hold a list, each way: smaller ones are parts of a page, such as buttons. */
const FRAME = 200;

/** Whether the page shows frames, in which nothing is looked for. */
export const hasFrames = () =>
  [...all(document, 'iframe, frame, object, embed')].some((frame) => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(frame);
    return width >= FRAME && height >= FRAME;
  });

/**
 * The list on a page whose rule finds nothing. Without one, the page has no results, as far as anyone can tell.
 * @returns {Rule | null}
 */
export function unmatched() {
  return candidates().find((rule) => rule.snippet || read(rule).length >= LONG) ?? null;
}

/**
 * Adds a rule for this page to the user's, before any other that is for it: the first one is used.
 * @param {Rule} proposed
 * @returns {Promise<string>} why it is not kept; empty if it is
 */
export async function save(proposed) {
  const { rules } = await readSettings();
  if (rules.length >= MAX_RULES) return text('ruleListLong', rules.length + 1, MAX_RULES);
  const taken = new Set(rules.map(({ id }) => id));
  let id = proposed.id;
  for (let count = 2; taken.has(id); count++) id = `${proposed.id}-${count}`;
  const { rule } = checkRule({ ...proposed, id });
  if (!rule) return text('barNotSaved');
  const address = new URL(location.href);
  const others = rules.findIndex((given) => {
    const { rule: other } = checkRule(given);
    return other && isFor(other, address);
  });
  await writeSettings({ rules: rules.toSpliced(others < 0 ? rules.length : others, 0, rule) });
  return '';
}
