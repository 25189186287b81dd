// Two rankings side by side, and what moved between them.

import { byId, count, el } from './dom.js';
import { explanation } from './explain.js';
import { shortName } from './methods.js';

/** Most values of a field that is worth counting, such as a stance. */
const MIX_VALUES = 4;

/** Most metadata values shown with a hit. */
const MAX_TAGS = 5;

/**
 * @param {object} plain result under the plain cosine
 * @param {object} chosen result under the chosen method
 * @param {{plain: object, chosen: object}} methods as METHODS describes them
 * @param {Map<number, object>} metadata of documents by number
 * @param {object[]} fields of the collection
 */
export function showResults(plain, chosen, methods, metadata, fields) {
  const ranks = new Map(chosen.hits.map((hit) => [hit.index, hit.rank]));
  const mix = telling(fields, [...plain.hits, ...chosen.hits], metadata);
  fill('plain', plain.hits, methods.plain, metadata, mix, (hit) => fate(hit, ranks, methods.chosen));
  fill('chosen', chosen.hits, methods.chosen, metadata, mix, move);
  byId('summary').textContent = summary(plain, chosen);
}

/** In place of the chosen column, where the method lacks something. */
export function showLack(plain, methods, missing, metadata, fields) {
  const mix = telling(fields, plain.hits, metadata);
  fill('plain', plain.hits, methods.plain, metadata, mix, () => null);
  byId('chosen').replaceChildren(el('li', { className: 'lack' }, `${shortName(methods.chosen)} needs ${missing}: add it above, or choose another method.`));
  byId('chosen-mix').replaceChildren();
  byId('summary').textContent = `${count(plain.hits.length, 'passage')} under the plain cosine.`;
}

// The field that says most about the hits, such as their stance: few values,
// and hardly a hit without one.
function telling(fields, hits, metadata) {
  const has = (field) => hits.filter((hit) => metadata.get(hit.index)?.[field.name] !== undefined).length;
  const candidates = fields.filter((field) => field.type === 'string' && field.values.length > 1 && field.values.length <= MIX_VALUES);
  return candidates.reduce((best, field) => (!best || has(field) > has(best) ? field : best), null);
}

// Open explanations stay open while a slider moves.
function fill(id, hits, method, metadata, mix, badgeOf) {
  const list = byId(id);
  const open = new Set(Array.from(list.querySelectorAll('details[open]'), (details) => details.closest('li').dataset.index));
  list.replaceChildren(...hits.map((hit) => {
    const item = hitElement(hit, method, tagList(metadata.get(hit.index) ?? {}, mix), badgeOf(hit));
    item.querySelector('details').open = open.has(item.dataset.index);
    return item;
  }));
  byId(`${id}-mix`).replaceChildren(...mixture(hits, metadata, mix));
}

function hitElement(hit, method, tags, badge) {
  const item = el('li', { className: 'hit' },
    el('div', { className: 'hit-head' }, el('span', { className: 'rank', 'aria-hidden': 'true' }, String(hit.rank)), el('h3', {}, hit.title || hit.id), badge),
    el('p', { className: 'text' }, hit.text),
    el('div', { className: 'hit-foot' }, tags,
      el('details', {}, el('summary', {}, el('span', { className: 'score' }, hit.score.toFixed(3)), ' why?'), explanation(hit, method))));
  item.dataset.index = String(hit.index);
  // The same passage lights up in the other column.
  const light = (on) => document.querySelectorAll(`.hit[data-index="${hit.index}"]`).forEach((twin) => twin.classList.toggle('lit', on));
  for (const [type, on] of [['mouseenter', true], ['mouseleave', false], ['focusin', true], ['focusout', false]]) item.addEventListener(type, () => light(on));
  return item;
}

/** How far a hit has come from its rank under the plain cosine. */
function move(hit) {
  const from = hit.explain.cosine_rank;
  const by = from - hit.rank;
  if (by === 0) return badge('same', '=', `at rank ${from} on both sides`);
  if (by > 0) return badge('up', `▲ ${by}`, `up ${count(by, 'place')}, from rank ${from}`);
  return badge('down', `▼ ${-by}`, `down ${count(-by, 'place')}, from rank ${from}`);
}

/** Where a hit of the plain cosine went. */
function fate(hit, ranks, method) {
  const to = ranks.get(hit.index);
  if (to === undefined) return badge('out', 'out', `not among the results of ${shortName(method)}`);
  return badge('to', `→ ${to}`, `at rank ${to} on the other side`);
}

function badge(kind, text, meaning) {
  return el('span', { className: `move ${kind}`, title: meaning }, el('span', { 'aria-hidden': 'true' }, text), el('span', { className: 'spoken' }, meaning));
}

function tagList(metadata, mix) {
  const shown = Object.entries(metadata).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  shown.sort(([a], [b]) => (b === mix?.name) - (a === mix?.name));
  return el('ul', { className: 'tags', 'aria-label': 'Metadata' }, shown.slice(0, MAX_TAGS).map(([name, value]) => {
    const colour = name === mix?.name ? ` value-${mix.values.indexOf(value)}` : '';
    return el('li', { className: `tag${colour}`, title: name }, String(value));
  }));
}

/** How many hits have which value of the telling field: the honest count. */
function mixture(hits, metadata, field) {
  if (!field || hits.length === 0) return [];
  const values = hits.map((hit) => metadata.get(hit.index)?.[field.name]);
  const counts = field.values.map((value) => [value, values.filter((other) => other === value).length]);
  const bar = el('div', { className: 'bar', 'aria-hidden': 'true' }, counts.map(([, n], i) => {
    const part = el('span', { className: `value-${i}` });
    part.style.flexGrow = String(n);
    return part;
  }));
  const legend = el('p', {}, `${field.name}: `, counts.flatMap(([value, n], i) => [i > 0 ? ' · ' : '', el('span', { className: `key value-${i}` }, `${value} ${n}`)]));
  return [bar, legend];
}

function summary(plain, chosen) {
  const before = new Set(plain.hits.map((hit) => hit.index));
  const shared = chosen.hits.filter((hit) => before.has(hit.index)).length;
  const { rows, total } = chosen.coverage;
  const partly = rows < total ? ` So far ${rows.toLocaleString('en')} of ${count(total, 'passage')} have arrived.` : '';
  if (rows === 0) return 'No passage has arrived yet.';
  if (chosen.hits.length === 0) return `Nothing found.${partly}`;
  const climber = chosen.hits.reduce((best, hit) => (gain(hit) > gain(best) ? hit : best));
  const climbed = gain(climber) > 0 ? ` The one that rises most, by ${count(gain(climber), 'place')}: “${climber.title || climber.id}”.` : '';
  if (shared === chosen.hits.length && gain(climber) === 0) return `Both sides show the same ${count(shared, 'passage')} in the same order.${partly}`;
  return `${shared} of ${count(chosen.hits.length, 'passage')} are the same on both sides.${climbed}${partly}`;
}

const gain = (hit) => hit.explain.cosine_rank - hit.rank;
