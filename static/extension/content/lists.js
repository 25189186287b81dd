// Lists that the extension finds by itself, if no rule is for the page or its rule finds nothing any more.

import { read } from './read.js';
import { checkRule } from '../rules/check.js';
import { infer } from '../rules/infer.js';
import { readSettings, writeSettings } from '../settings.js';

/** @import { Rule } from '../types.js' */

/** A list without snippets counts as the page's results only if it has this many entries: shorter ones may be menus. */
const LONG = 5;

/** @returns {Rule[]} the likeliest first */
export const candidates = () => infer(document, location.href).map(({ rule }) => rule);

/**
 * The list on a page whose rule finds nothing. Without one, the page has no results, as far as anyone can tell.
 * @returns {Rule | null}
 */
export function unmatched() {
  return candidates().find((rule) => rule.snippet || read(rule).length >= LONG) ?? null;
}

/**
 * Adds a rule to the user's.
 * @param {Rule} proposed
 * @returns {Promise<boolean>} whether it is a rule that can be kept
 */
export async function save(proposed) {
  const { rules } = await readSettings();
  const taken = new Set(rules.map(({ id }) => id));
  let id = proposed.id;
  for (let count = 2; taken.has(id); count++) id = `${proposed.id}-${count}`;
  const { rule } = checkRule({ ...proposed, id });
  if (!rule) return false;
  await writeSettings({ rules: [...rules, rule] });
  return (await readSettings()).rules.some((kept) => kept.id === id);
}
