// Results of a collection that is ranked by the vectors of tokens, beside the results by words. MaxSim has no cosine to
// explain and no λ, so the lab's comparison with the plain cosine is left out.

import { METHODS } from '../../lib/index.js';
import { byId, el, write } from './dom.js';
import { HitView } from './hit.js';
import { clearMap } from './map.js';
import { byName, shortName } from './methods.js';
import { clearResults, showWhy } from './results.js';

/**
 * @import { Hit, Vantage } from '../../lib/index.js'
 * @import { Asked } from './form.js'
 */

const MAXSIM = 'maxsim';

/** Why the visitor's files cannot be searched beside such a collection. */
export const NO_FILES =
  'this collection compares the vectors of tokens (MaxSim), by centroids that the index learned from its documents.';

/** @param {{score: string}} info of a collection */
export const ranksTokens = ({ score }) => score === MAXSIM;

/**
 * Asks such a collection by the chosen method, or by the whole query if that is not a sum of scores or lacks something.
 * @param {Vantage} vantage
 * @param {Asked} asked
 * @param {string|null} missing what the method lacks
 */
export async function listTokens(vantage, { query, root, perspectives, method, k }, missing) {
  const usable = !missing && METHODS.some(({ name, sums }) => sums && name === byName(method).name);
  const asked = usable ? { query, root, perspectives, method, k } : { query, k, method: 'none' };
  const found = await vantage.search(asked);
  const words = vantage.info.words ? await vantage.search({ query, k, method: 'bm25' }) : null;
  return () => {
    clearResults();
    clearMap();
    const why =
      'MaxSim adds up, for each token of the query, its best match in a passage. λ, MMR and methods that add, ' +
      'subtract or project vectors do not apply.';
    for (const id of ['summary', 'announcement']) write(byId(id), why);
    for (const id of ['plain-mix', 'chosen-mix', 'chosen-at']) byId(id).replaceChildren();
    showWhy('');
    write(byId('plain-title'), 'Words');
    byId('plain-formula').replaceChildren('BM25');
    const by = shortName(byName(found.method));
    write(byId('chosen-title'), by === 'none' ? 'MaxSim' : `MaxSim, ${by}`);
    byId('chosen-formula').dataset.of = MAXSIM;
    byId('chosen-formula').replaceChildren('Σ max (q · c)');
    const lack = el('li', { className: 'lack' }, 'The collection has no index of words.');
    byId('plain').replaceChildren(...(words ? itemsOf(words.hits) : [lack]));
    byId('chosen').replaceChildren(...itemsOf(found.hits));
  };
}

/** @param {Hit[]} hits */
function itemsOf(hits) {
  return hits.map((hit) => {
    const view = new HitView(hit.index);
    view.update(hit, null, {}, null, { kind: 'none', text: '', meaning: '' });
    view.details.hidden = true;
    return view.item;
  });
}
