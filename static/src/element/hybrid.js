/** @import { Fusion } from '../../lib/index.d.ts' */

/**
 * The option `hybrid` of a search, from the attribute: a fusion, the weight of the words, or both, in this order.
 * Empty: the usual ones. The engine refuses others.
 * @param {string|null} text
 * @returns {boolean|{fusion?: Fusion, weight?: number}|undefined}
 */
export function readHybrid(text) {
  if (text === null) return undefined;
  const names = text.split(/\s+/).filter(Boolean);
  if (names.length === 0 || text === 'true') return true;
  if (text === 'false') return false;
  const weight = Number.isNaN(Number(names.at(-1))) ? undefined : Number(names.pop());
  const fusion = /** @type {Fusion|undefined} */ (names.length > 0 ? names.join(' ') : undefined);
  return { fusion, weight };
}
