// Two rankings side by side, and what moved between them.

import { because } from './choice.js';
import { byId, count, el, sentence, write } from './dom.js';
import { gliding } from './flip.js';
import { HitView, cosineRank, fate, move, nameOf } from './hit.js';
import { settled } from './latest.js';
import { formula, plainName, settingsOf, shortName } from './methods.js';
import { showMixture, telling } from './mixture.js';

/**
 * @import { ExplainedHit, Method, SearchResult, Stance } from '../../lib/index.js'
 * @import { Answer, Metadata } from './comparison.js'
 * @import { Badge, Field } from './hit.js'
 */

/** @type {{plain: Map<number, HitView>, chosen: Map<number, HitView>}} by number of the document */
const lists = { plain: new Map(), chosen: new Map() };

/** Announces results to screen readers, but not at each step of a slider. Only the last of several is announced. */
export const announce = settled((/** @type {string} */ text) => write(byId('announcement'), text), 600);

/**
 * @param {Answer} answer
 * @param {{plain: Method, chosen: Method}} methods by which the answers were ranked
 * @param {boolean} auto whether nobody chose them
 * @param {Field[]} fields of the collection
 * @param {string|null} missing what the method lacks
 */
export function showResults({ query, plain, chosen, refusal, metadata }, methods, auto, fields, missing) {
  const mix = telling(fields, [...plain.hits, ...(chosen?.hits ?? [])], metadata);
  const ranks = new Map(chosen?.hits.map((hit) => [hit.index, hit.rank]));
  const quiet = { kind: 'none', text: '', meaning: '' };
  fill('plain', plain.hits, methods.plain, metadata, mix, (hit) =>
    chosen ? fate(ranks.get(hit.index), methods.chosen) : quiet,
  );
  fill('chosen', chosen?.hits ?? [], methods.chosen, metadata, mix, move);
  if (!chosen) {
    const lack = `${shortName(methods.chosen)} needs ${missing}: add it above, or choose another method.`;
    byId('chosen').replaceChildren(el('li', { className: 'lack' }, refusal ? `${sentence(refusal)}.` : lack));
  }
  write(byId('plain-title'), sentence(plainName(plain)));
  write(byId('plain-formula'), methods.plain.formula);
  write(byId('chosen-title'), shortName(methods.chosen));
  write(byId('chosen-at'), settingsOf(methods.chosen, { ...query, ...chosen }).join(' · '));
  const why = [auto && chosen && because(chosen), chosen?.notice && `${sentence(chosen.notice)}.`];
  showWhy(why.filter(Boolean).join(' '));
  if (byId('chosen-formula').dataset.of !== methods.chosen.formula) {
    byId('chosen-formula').dataset.of = methods.chosen.formula;
    byId('chosen-formula').replaceChildren(...formula(methods.chosen.formula));
  }
  const text = chosen
    ? summary(plain, chosen)
    : `${count(plain.hits.length, 'passage')} under the ${plainName(plain)}.`;
  write(byId('summary'), text);
  announce(text);
}

/**
 * Says why the method was chosen, and what could not be used; the other column gets a line, too, so that the lists
 * begin at one height.
 * @param {string} why '' if the visitor chose it, and nothing is missing
 */
export function showWhy(why) {
  for (const id of ['plain-why', 'chosen-why']) byId(id).hidden = why === '';
  write(byId('chosen-why'), why);
}

/** Empties the lists before another collection is shown. */
export function clearResults() {
  for (const [id, views] of Object.entries(lists)) {
    views.clear();
    byId(id).replaceChildren();
  }
}

/**
 * Says which side each passage is on.
 * @param {Map<number, Stance|null>} stances by number of the document
 */
export function tellHits(stances) {
  for (const views of Object.values(lists)) views.forEach((view, index) => view.tell(stances.get(index)));
}

/**
 * Passages that remain keep their elements, so that open explanations stay open
 * and the focus does not move.
 * @param {'plain'|'chosen'} id
 * @param {ExplainedHit[]} hits
 * @param {Method} method
 * @param {Metadata} metadata
 * @param {Field|null} mix
 * @param {(hit: ExplainedHit) => Badge} badgeOf
 */
function fill(id, hits, method, metadata, mix, badgeOf) {
  const list = byId(id);
  const views = lists[id];
  const wanted = hits.map((hit) => {
    const view = views.get(hit.index) ?? new HitView(hit.index);
    views.set(hit.index, view);
    view.update(hit, method, metadata.get(hit.index) ?? {}, mix, badgeOf(hit));
    return view.item;
  });
  const shown = new Set(hits.map((hit) => hit.index));
  for (const index of views.keys()) if (!shown.has(index)) views.delete(index);
  if (wanted.length !== list.children.length || wanted.some((item, i) => list.children[i] !== item)) {
    gliding(list, () => arrange(list, wanted));
  }
  showMixture(byId(`${id}-mix`), hits, metadata, mix);
}

/**
 * @param {Element} list
 * @param {Element[]} wanted
 */
function arrange(list, wanted) {
  const keep = new Set(wanted);
  for (const item of [...list.children]) if (!keep.has(item)) item.remove();
  wanted.forEach((item, i) => {
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
}

/**
 * @param {SearchResult<ExplainedHit>} plain
 * @param {SearchResult<ExplainedHit>} chosen
 */
function summary(plain, chosen) {
  const before = new Set(plain.hits.map((hit) => hit.index));
  const shared = chosen.hits.filter((hit) => before.has(hit.index)).length;
  const { rows, total } = chosen.coverage;
  const partly = rows < total ? ` So far ${rows.toLocaleString('en')} of ${count(total, 'passage')} have arrived.` : '';
  if (rows === 0) return 'No passage has arrived yet.';
  if (chosen.hits.length === 0) return `Nothing found.${partly}`;
  const climber = chosen.hits.reduce((best, hit) => (gain(hit) > gain(best) ? hit : best));
  const climbed =
    gain(climber) > 0 ? ` The one that rises most, by ${count(gain(climber), 'place')}: “${nameOf(climber)}”.` : '';
  if (shared === chosen.hits.length && gain(climber) === 0) {
    return `Both sides show the same ${count(shared, 'passage')} in the same order.${partly}`;
  }
  return `${shared} of ${count(chosen.hits.length, 'passage')} are the same on both sides.${climbed}${partly}`;
}

const gain = (/** @type {ExplainedHit} */ hit) => cosineRank(hit) - hit.rank;
