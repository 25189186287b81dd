// Names and descriptions of the scoring methods.

import { METHODS } from '../../lib/index.js';
import { el, number } from './dom.js';

/**
 * @import { Method, Score, SearchResult } from '../../lib/index.js'
 * @typedef {Method & {by?: string}} Scored by: how vectors are compared, if not by their cosine
 */

/** The most useful methods, which the menu lists first. */
const COMMON = ['pap+', 'pap', 'add', 'concat', 'root', 'contrast'];

/**
 * The first entry of the menu: the library chooses one of the others.
 * @type {Method}
 */
export const AUTO = {
  name: 'auto',
  aliases: [],
  summary: 'Takes what measured best for the kind of perspective that the query has.',
  formula: '',
  needs: [],
  lambda: false,
  angles: 0,
  strength: 0,
  sums: true,
};

export const shortName = (/** @type {Method} */ method) => method.aliases[0] ?? method.name;

/**
 * @param {string} name one that is in METHODS, or AUTO's
 * @returns {Method}
 */
export const byName = (name) =>
  name === AUTO.name
    ? AUTO
    : (METHODS.find((method) => method.name === name || method.aliases.includes(name)) ?? METHODS[0]);

/**
 * The Greek letter of the strength of a method's angles.
 * @param {Method} method
 */
export const letterOf = ({ formula }) => formula.match(/[βγ]/u)?.[0] ?? '';

/**
 * The settings of a ranking; the sliders may have moved since.
 * @param {Method} method
 * @param {{lambda: number|null, strength?: number|null, mmr: number|null, hybrid?: unknown}} settings
 * @returns {string[]}
 */
export function settingsOf(method, { lambda, strength = null, mmr, hybrid }) {
  return [
    method.lambda && lambda !== null && `λ ${number(lambda)}`,
    method.angles > 0 && strength !== null && `${letterOf(method)} ${number(strength)}`,
    hybrid && 'words',
    mmr !== null && `MMR ${number(mmr)}`,
  ].filter((part) => typeof part === 'string');
}

/** The options of a menu of methods; the plain cosine is not one of them. */
export function methodOptions() {
  /**
   * @param {string} label
   * @param {Method[]} methods
   */
  const group = (label, methods) =>
    el(
      'optgroup',
      { label },
      methods.map((method) => {
        const off = method.angles > 0; // until a collection with angles is searched
        return el('option', { value: shortName(method), hidden: off, disabled: off }, shortName(method));
      }),
    );
  const common = COMMON.map(byName);
  return [
    el('option', { value: AUTO.name }, 'Automatic'),
    group('Common', common),
    group(
      'More',
      METHODS.filter((method) => !common.includes(method) && shortName(method) !== 'none'),
    ),
  ];
}

/**
 * A method as a result ranked by it, whose formula has dot products if those were compared.
 * @param {Method} method
 * @param {Pick<SearchResult, 'score'>|null|undefined} result
 * @returns {Scored}
 */
export function scored(method, result) {
  return result?.score === 'dot' ? { ...method, formula: dotted(method.formula), by: BY_DOT } : method;
}

const BY_DOT = 'dot product';

/** What the ranking by the query alone is called, in a result or in a whole collection. */
export const plainName = (/** @type {{score?: Score}} */ { score }) => `plain ${score === 'dot' ? BY_DOT : 'cosine'}`;

/**
 * A formula with a·b in place of each cos(a, b) of vectors. Cosines of angles, which have the index "angle" there, stay
 * under either score. Rows that a gate excludes get a lower score, as in perspective/gate.go.
 * @param {string} text
 */
function dotted(text) {
  const both = /cos\((\[[^\]]*\]|(?:[^,()]|\([^()]*\))*), (\[[^\]]*\]|(?:[^,()]|\([^()]*\))*)\)/gu;
  const factor = (/** @type {string} */ side) => (/^\[|^[^ ]*$/u.test(side) ? side : `(${side})`);
  return text
    .replace('-100', '-1e38')
    .replace(both, (whole, a, b) => (a.includes('angle') ? whole : `${factor(a)}·${factor(b)}`));
}

/**
 * A formula with its subscripts set low.
 * @param {string} text
 */
export function formula(text) {
  return text
    .replaceAll(' - ', ' − ')
    .split(/_(\p{L}+)/u)
    .map((part, i) => (i % 2 ? el('sub', {}, part) : part));
}
