// Names and descriptions of the scoring methods.

import { METHODS } from '../../lib/index.js';
import { el } from './dom.js';

/** @import { Method } from '../../lib/index.js' */

/** The most useful methods, which the menu lists first. */
const COMMON = ['pap+', 'pap', 'add', 'concat', 'root', 'contrast'];

export const shortName = (/** @type {Method} */ method) => method.aliases[0] ?? method.name;

/**
 * @param {string} name one that is in METHODS
 * @returns {Method}
 */
export const byName = (name) =>
  METHODS.find((method) => method.name === name || method.aliases.includes(name)) ?? METHODS[0];

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
    group('Common', common),
    group(
      'More',
      METHODS.filter((method) => !common.includes(method) && shortName(method) !== 'none'),
    ),
  ];
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
