// Counts the hits by the values of one field, such as their stance, which shows
// what a method really does.

import { el } from './dom.js';

/**
 * @import { ExplainedHit } from '../../lib/index.js'
 * @import { Metadata } from './comparison.js'
 * @import { Field } from './hit.js'
 */

/** Most values of a field that is counted. */
const MIX_VALUES = 4;

/**
 * The field with few values that the most hits have, or null.
 * @param {Field[]} fields
 * @param {ExplainedHit[]} hits
 * @param {Metadata} metadata
 */
export function telling(fields, hits, metadata) {
  const has = (/** @type {Field} */ field) =>
    hits.filter((hit) => metadata.get(hit.index)?.[field.name] !== undefined).length;
  const candidates = fields.filter(
    (field) => field.type === 'string' && field.values.length > 1 && field.values.length <= MIX_VALUES,
  );
  return candidates.reduce(
    (best, field) => (!best || has(field) > has(best) ? field : best),
    /** @type {Field|null} */ (null),
  );
}

/**
 * Shows the counts in an element, unless it shows them already.
 * @param {HTMLElement} element
 * @param {ExplainedHit[]} hits
 * @param {Metadata} metadata
 * @param {Field|null} field
 */
export function showMixture(element, hits, metadata, field) {
  const values = field ? hits.map((hit) => metadata.get(hit.index)?.[field.name]) : [];
  /** @type {[value: string, n: number][]} */
  const counts =
    !field || values.length === 0
      ? []
      : field.values.map((value) => [value, values.filter((other) => other === value).length]);
  const key = JSON.stringify([field?.name, counts]);
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  element.replaceChildren(
    ...(counts.length === 0
      ? []
      : [
          el(
            'div',
            { className: 'bar', 'aria-hidden': 'true' },
            counts.map(([, n], i) => {
              const part = el('span', { className: `value-${i}` });
              part.style.flexGrow = String(n);
              return part;
            }),
          ),
          el(
            'p',
            {},
            `${field?.name}: `,
            counts.flatMap(([value, n], i) => [
              i > 0 ? ' · ' : '',
              el('span', { className: `key value-${i}` }, `${value} ${n}`),
            ]),
          ),
        ]),
  );
}
