// How many hits have which value of the field that says most about them, such
// as their stance: the honest count of what a method does.

import { el } from './dom.js';

/** Most values of a field that is worth counting. */
const MIX_VALUES = 4;

/** The field with few values that the most hits have, or null. */
export function telling(fields, hits, metadata) {
  const has = (field) => hits.filter((hit) => metadata.get(hit.index)?.[field.name] !== undefined).length;
  const candidates = fields.filter(
    (field) => field.type === 'string' && field.values.length > 1 && field.values.length <= MIX_VALUES,
  );
  return candidates.reduce((best, field) => (!best || has(field) > has(best) ? field : best), null);
}

/** Shows the counts in an element, which is left alone if they are what it shows. */
export function showMixture(element, hits, metadata, field) {
  const values = field ? hits.map((hit) => metadata.get(hit.index)?.[field.name]) : [];
  const counts =
    values.length === 0 ? [] : field.values.map((value) => [value, values.filter((other) => other === value).length]);
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
            `${field.name}: `,
            counts.flatMap(([value, n], i) => [
              i > 0 ? ' · ' : '',
              el('span', { className: `key value-${i}` }, `${value} ${n}`),
            ]),
          ),
        ]),
  );
}
