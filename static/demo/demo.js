// The page: opens the collection beside it, or the one that ?collection=URL
// names, and shows the plain cosine and a perspective method side by side.

import { Vantage } from './lib/index.js';
import { byId, el } from './parts/dom.js';
import { Form } from './parts/form.js';
import { latest } from './parts/latest.js';
import { byName, formula } from './parts/methods.js';
import { showEncoder, showProgress, showReadings } from './parts/readings.js';
import { showLack, showResults } from './parts/results.js';

/** Queries for the bundled corpus, each with a short name. */
const EXAMPLES = {
  'against night trains': 'reasons against: Night trains deserve public subsidy',
  'for repairable products': 'Find something that speaks in favour of the law: Manufacturers should be obliged to make their products repairable',
  'numbers on social media': 'Find survey results or counts in the debate on the limit: Children under sixteen should be kept off social media',
  'Lisbon on e-scooters': 'Find evidence from Lisbon concerning the proposal: Cities should allow rental e-scooters on their streets',
  'a parent on four days': 'what a parent would say about this: A four-day working week should become the norm',
};

/** Milliseconds since the page's start, and how much has arrived. */
const load = { opened: null, finished: null, progress: null, fault: null };

async function main() {
  foldSettings();
  const url = new URLSearchParams(location.search).get('collection') ?? 'collection/';
  const opening = Vantage.open(url, { onProgress });

  // People can type before the engine is there; what they ask waits for it.
  const form = new Form(
    (text) => opening.then((vantage) => vantage.split(text)).catch(() => null), // the search will say what is wrong
    latest(() => opening.then((vantage) => answer(vantage, form)).catch(showFault)),
  );
  offerExamples(form);
  form.setQuery(Object.values(EXAMPLES)[0]);

  let seen = 0;
  function onProgress(progress) {
    load.progress = progress;
    showProgress(progress, load.opened !== null);
    if (load.opened !== null && progress.rows > seen) form.onChange(); // there is more to answer from
    seen = progress.rows;
  }

  const vantage = await opening;
  window.vantage = vantage;
  load.opened = performance.now();
  showEncoder(vantage.info);
  if (!vantage.info.encodes) {
    throw new Error('This collection carries no encoder, so a page cannot turn words into vectors for it. Index it with the built-in model, or use the library with vectors of your own.');
  }
  byId('results').hidden = false;
  await vantage.ready.finally(() => {
    load.finished = performance.now();
    form.onChange();
  });
  byId('loading').hidden = true;
}

/** Settings are folded on a phone and always there on a wide screen. */
function foldSettings() {
  const narrow = matchMedia('(max-width: 46rem)');
  const fold = () => {
    byId('settings').open = !narrow.matches;
  };
  narrow.addEventListener('change', fold);
  fold();
}

/** Asks both methods and shows the answers. */
async function answer(vantage, form) {
  const query = form.value;
  if (!query.query || !vantage.info.encodes) return;
  byId('fault').hidden = !load.fault; // what is missing stays missing
  const methods = { plain: byName('none'), chosen: form.method };
  const { missing } = form;
  const plain = await vantage.search({ ...query, method: 'none', mmr: null, lambda: 1 });
  const chosen = missing ? null : await vantage.search(query);
  if (plain.notice || chosen?.notice) {
    const titles = (plain.notice ? plain : chosen).hits.slice(0, 3).map(({ title, id }) => `“${title || id}”`);
    byId('summary').textContent = `While the rest loads, by words alone: ${titles.join(', ') || 'nothing found'}.`;
    return;
  }
  const metadata = await readMetadata(vantage, plain, chosen);
  byId('chosen-title').textContent = query.method;
  byId('chosen-formula').replaceChildren(...formula(form.method.formula));
  if (chosen) showResults(plain, chosen, methods, metadata, vantage.info.fields);
  else showLack(plain, methods, missing, metadata, vantage.info.fields);
  showEncoder(vantage.info, (chosen ?? plain).texts);
  await showReadings(vantage, load, plain, chosen);
}

async function readMetadata(vantage, plain, chosen) {
  const indexes = [...new Set([...plain.hits, ...(chosen?.hits ?? [])].map((hit) => hit.index))];
  const documents = await vantage.documents(indexes);
  return new Map(indexes.map((index, i) => [index, documents[i].metadata]));
}

function offerExamples(form) {
  const list = byId('examples');
  for (const [name, text] of Object.entries(EXAMPLES)) {
    const button = el('button', { type: 'button', className: 'example', title: text }, name);
    button.addEventListener('click', () => form.setQuery(text));
    list.append(button);
  }
  list.hidden = false;
}

function showFault(error) {
  byId('loading').hidden = true;
  const fault = byId('fault');
  fault.replaceChildren(el('strong', {}, `${error.name ?? 'Error'}: `), error.message);
  fault.hidden = false;
}

main().catch((error) => {
  load.fault = error;
  showFault(error);
});
