// Match patterns of addresses, and the regular expressions that rules put on paths.

import { stepsOf } from './steps.js';

/** How many characters of an address's path and search are compared with a rule's `path`. */
const MAX_ADDRESS = 600;

/** Most steps that a rule's `path` may take on the worst address: about a second. */
export const MAX_STEPS = 100_000_000;

/**
 * @typedef {object} Pattern
 * @property {'http' | 'https' | '*'} scheme
 * @property {string} host without the "*."
 * @property {boolean} below whether hosts below this one match as well
 * @property {string} path with stars
 */

const PATTERN = /^(https?|\*):\/\/(\*\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(\/[\x21-\x7e]*)$/;

/**
 * Reads a match pattern such as "https://*.example.org/search*". It is stricter than browsers are: a host must be
 * named, in lower case, without a port (any port matches).
 * @param {string} pattern
 * @returns {Pattern | null} null if it is none
 */
export function parsePattern(pattern) {
  const match = PATTERN.exec(pattern);
  if (!match) return null;
  const [, scheme, below, host, path] = match;
  return { scheme: /** @type {Pattern['scheme']} */ (scheme), host, below: below !== undefined, path };
}

/**
 * @param {Pattern} pattern
 * @param {URL} address
 */
export function matchesPattern(pattern, address) {
  const scheme = address.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'http') return false;
  if (pattern.scheme !== '*' && pattern.scheme !== scheme) return false;
  const host = address.hostname;
  if (host !== pattern.host && !(pattern.below && host.endsWith(`.${pattern.host}`))) return false;
  return matchesGlob(pattern.path, address.pathname + address.search);
}

/**
 * Whether the text has the form of the glob, in which a star stands for any characters. It takes at most
 * glob × text steps.
 * @param {string} glob
 * @param {string} text
 */
function matchesGlob(glob, text) {
  let g = 0;
  let t = 0;
  let star = -1; // the last star, and how far it reaches
  let reach = 0;
  while (t < text.length) {
    if (glob[g] === '*') {
      star = g++;
      reach = t;
    } else if (g < glob.length && glob[g] === text[t]) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++reach;
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}

/**
 * Reads a rule's `path`. Only expressions that take bounded time are accepted: without repeated groups and
 * back-references, and with MAX_STEPS at most.
 * @param {string} source
 * @returns {RegExp | 'invalid' | 'slow'} 'slow': it might take too long
 */
export function parsePath(source) {
  let expression;
  try {
    expression = new RegExp(source, 'u');
  } catch {
    return 'invalid';
  }
  return stepsOfPath(source) <= MAX_STEPS ? expression : 'slow';
}

/**
 * Most steps that a rule's `path` may take on any address.
 * @param {string} source a valid expression
 */
export const stepsOfPath = (source) => stepsOf(source, MAX_ADDRESS);

/**
 * @param {RegExp} path what parsePath returned
 * @param {URL} address
 */
export const matchesPath = (path, address) => path.test((address.pathname + address.search).slice(0, MAX_ADDRESS));
