// Which rule is for an address.

import { BUNDLED } from './bundled.js';
import { checkRule } from './check.js';
import { MAX_STEPS, matchesPath, matchesPattern, parsePath, parsePattern, stepsOfPath } from './patterns.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

/**
 * Whether one of a rule's match patterns fits an address.
 * @param {Rule} rule
 * @param {URL} address
 */
const fits = (rule, address) =>
  rule.matches.some((text) => {
    const parsed = parsePattern(text);
    return parsed !== null && matchesPattern(parsed, address);
  });

/**
 * Whether a rule is for an address.
 * @param {Rule} rule
 * @param {URL} address
 */
export function isFor(rule, address) {
  if (!fits(rule, address)) return false;
  if (rule.path === undefined) return true;
  const path = parsePath(rule.path);
  return path instanceof RegExp && matchesPath(path, address);
}

/**
 * The rule for an address: the first of the user's, else the first of the bundled ones that are not switched off. Each
 * of the user's is checked before it is used: what was stored by another version, or by hand, may be unusable.
 * Together, their paths take no more steps than one may: rules that would take more are passed over.
 * @param {string | URL} address
 * @param {{rules: Rule[], off: string[]}} settings
 * @returns {{rule: Rule, bundled: boolean} | null}
 */
export function ruleFor(address, { rules, off }) {
  if (!URL.canParse(String(address))) return null;
  const url = new URL(address);
  let left = MAX_STEPS;
  for (const given of rules) {
    const { rule } = checkRule(given);
    if (!rule || !fits(rule, url)) continue;
    const steps = rule.path === undefined ? 0 : stepsOfPath(rule.path);
    if (steps > left) continue;
    left -= steps;
    if (isFor(rule, url)) return { rule, bundled: false };
  }
  const bundled = BUNDLED.find((rule) => !off.includes(rule.id) && isFor(rule, url));
  return bundled ? { rule: bundled, bundled: true } : null;
}

/**
 * The origins of a rule's pages as match patterns, for permissions: "https://*.example.org/*".
 * @param {Rule} rule
 * @returns {string[]}
 */
export function originsOf(rule) {
  const origins = rule.matches.map((text) => {
    const parsed = parsePattern(text);
    return parsed && `${parsed.scheme}://${parsed.below ? '*.' : ''}${parsed.host}/*`;
  });
  return [...new Set(origins.filter((origin) => origin !== null))];
}
