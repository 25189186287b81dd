// Results only by words, if nothing can turn the query into a vector.

import { byId, el, write } from './dom.js';
import { HitView } from './hit.js';
import { clearMap } from './map.js';
import { plainName } from './methods.js';
import { clearResults, showWhy } from './results.js';

/**
 * @param {import('../../lib/index.js').SearchResult} result with a notice that says why words
 * answer
 * @param {import('../../lib/index.js').CollectionInfo} info of the collection
 */
export function listWords({ notice = '', hits }, info) {
  clearResults();
  clearMap();
  const why = `${notice.charAt(0).toUpperCase()}${notice.slice(1)}.`;
  for (const id of ['summary', 'announcement']) write(byId(id), why);
  for (const id of ['plain-mix', 'chosen-mix', 'chosen-at']) byId(id).replaceChildren();
  showWhy('');
  const plain = plainName(info);
  write(byId('plain-title'), `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`);
  write(byId('chosen-title'), 'Words');
  byId('chosen-formula').dataset.of = 'words';
  byId('chosen-formula').replaceChildren('BM25');
  byId('plain').replaceChildren(el('li', { className: 'lack' }, `The ${plain} needs a vector of the query.`));
  byId('chosen').replaceChildren(
    ...hits.map((hit) => {
      const view = new HitView(hit.index);
      view.update(hit, null, {}, null, { kind: 'none', text: '', meaning: '' });
      view.details.hidden = true;
      return view.item;
    }),
  );
}
