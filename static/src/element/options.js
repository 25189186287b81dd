// The options of a search, from the element's attributes. The engine refuses wrong ones.

/** @import { Fusion, SearchQuery } from '../../lib/index.d.ts' */

/**
 * The number in an attribute; undefined, which means the default, if it is not one. An attribute that a page's template
 * left empty is not 0, and visitors cannot mend what its author has written.
 * @param {Element} element
 * @param {string} name
 */
export function numberOf(element, name) {
  const text = element.getAttribute(name)?.trim();
  if (!text) return undefined;
  const number = Number(text);
  if (!Number.isNaN(number)) return number;
  console.warn(`<vantage-search> ${name}="${text}" is not a number, so the default holds`);
  return undefined;
}

/**
 * @param {Element} element
 * @returns {Partial<SearchQuery>}
 */
export function optionsOf(element) {
  const perspectives = (element.getAttribute('perspectives') ?? '')
    .split('|')
    .map((text) => text.trim())
    .filter(Boolean);
  return {
    method: element.getAttribute('method'),
    perspectives,
    lambda: numberOf(element, 'lambda'),
    mmr: numberOf(element, 'mmr'),
    k: numberOf(element, 'k'),
    hybrid: hybridOf(element.getAttribute('hybrid')),
  };
}

/**
 * Reads the attribute "hybrid": a fusion, the weight of the words, or both, in this order. If it is empty, the engine's
 * defaults hold.
 * @param {string|null} text
 * @returns {boolean|{fusion?: Fusion, weight?: number}|undefined}
 */
function hybridOf(text) {
  if (text === null) return undefined;
  const names = text.split(/\s+/).filter(Boolean);
  if (names.length === 0 || text === 'true') return true;
  if (text === 'false') return false;
  const weight = Number.isNaN(Number(names.at(-1))) ? undefined : Number(names.pop());
  const fusion = /** @type {Fusion|undefined} */ (names.length > 0 ? names.join(' ') : undefined);
  return { fusion, weight };
}
