// How the page speaks of the scoring methods.

import { METHODS } from '../../lib/index.js';
import { el } from './dom.js';

/** Methods most people want, before all the others. */
const COMMON = ['pap+', 'pap', 'add', 'concat', 'root'];

export const shortName = (method) => method.aliases[0] ?? method.name;

export const byName = (name) => METHODS.find((method) => method.name === name || method.aliases.includes(name));

/** The options of a menu of methods; the plain cosine is not one of them. */
export function methodOptions() {
  const group = (label, methods) =>
    el(
      'optgroup',
      { label },
      methods.map((method) => el('option', { value: shortName(method) }, shortName(method))),
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

/** A formula with its subscripts set low. */
export function formula(text) {
  return text
    .replaceAll(' - ', ' − ')
    .split(/_(\p{L})/u)
    .map((part, i) => (i % 2 ? el('sub', {}, part) : part));
}
