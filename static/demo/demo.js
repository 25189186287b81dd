// The page: opens the collection beside it, or the one that ?collection=URL
// names, and shows the plain cosine and a perspective method side by side.

import { Vantage } from '../lib/index.js';
import { Comparison } from './parts/comparison.js';
import { readConfig } from './parts/config.js';
import { byId, el } from './parts/dom.js';
import { showFault as faultIn } from './parts/faultbox.js';
import { Files } from './parts/files.js';
import { catchFocus } from './parts/focus.js';
import { Form } from './parts/form.js';
import { Gold } from './parts/gold.js';
import { offerInstallation } from './parts/install.js';
import { Joint } from './parts/joint.js';
import { loadJudgements } from './parts/judgements.js';
import { latest, settled } from './parts/latest.js';
import { identity } from './parts/link.js';
import { clearMap, showMap, wireMap } from './parts/map.js';
import { AUTO, byName, scored, shortName } from './parts/methods.js';
import { begin, failed, keep } from './parts/offline.js';
import { OtherSide } from './parts/otherside.js';
import { showEncoder, showLate, showProgress, showReadings } from './parts/readings.js';
import { clearResults, showResults } from './parts/results.js';
import * as encodeServer from './parts/server.js';
import { Share } from './parts/share.js';
import { Sides, sideAsked } from './parts/sides.js';
import { NO_FILES, listTokens, ranksTokens } from './parts/tokens.js';
import { listWords } from './parts/words.js';

/** @import { Progress } from '../lib/index.js' */

/** Milliseconds since the page's start, and the bytes that have arrived. */
const load = {
  opened: /** @type {number|null} */ (null),
  finished: /** @type {number|null} */ (null),
  early: true, // the form may have been read without the encoder
  progress: /** @type {Progress|null} */ (null),
  fault: /** @type {unknown} */ (null),
  encoder: 0, // bytes of it when everything had loaded
};

/** Results that have been shown for fewer milliseconds may still change: nobody reads them yet. */
const GLANCE = 1000;

/** The query whose answer is shown, since when, and whether the answer lacks something that was still loading. */
const shown = { query: '', at: -Infinity, partial: false };

/**
 * @type {{base: Vantage, vantage: Vantage, name: string, comparison: Comparison, axis: number, server: typeof
 *   encodeServer|null, gold: Gold|null, joint: Joint|null}} any: base, vantage and comparison are set before any answer
 */
const page = {
  base: /** @type {any} */ (null), // the collection that the page came with
  vantage: /** @type {any} */ (null), // the one that is searched
  name: '', // of the visitor's file, if one is searched
  comparison: /** @type {any} */ (null),
  axis: 0, // number of the perspective on the map
  server: null, // parts/server.js, if the site names one
  gold: null, // the panel over judged queries, if the site has some
  joint: null, // the visitor's private contexts, if texts are encoded in the page
};

async function main() {
  catchFocus(byId('results'));
  await begin();
  offerInstallation();
  const config = readConfig();
  const foreign = new URLSearchParams(location.search).get('collection');
  const url = foreign ?? config.collection;
  // The site's encode server and examples are for its own collection.
  const address = foreign === null ? config.server : '';
  const examples = foreign === null ? config.examples : [];
  const server = (page.server = address ? encodeServer : null);
  const opening = (
    server ? server.open(address, url, { onProgress }, encodeAgain) : Vantage.open(url, { onProgress })
  ).then(opened);

  // Visitors can type before the engine is ready; their queries wait for it.
  /** @type {() => Promise<void>} */
  const ask = latest(() => opening.then(() => answer(form, sides, other)).catch(showFault));
  /** @type {Form} */
  const form = new Form(
    (text) => opening.then((vantage) => vantage.split(text)).catch(() => null), // the search will report the fault
    ask,
    () => share.commit(),
  );
  const share = new Share(form, () => (page.vantage ? searched() : ''), { query: examples[0] ?? '' });
  const sides = new Sides(form);
  const other = new OtherSide(form);
  const files = new Files(
    () => (server ? server.apart(url) : opening),
    (vantage, name) => {
      form.leave();
      search(form, vantage ?? page.base, name);
      page.gold?.show(vantage === null);
      share.tell();
      form.onChange();
    },
  );
  offerExamples(examples, form, share);
  wireMap();
  byId('better-show').addEventListener('click', () => {
    byId('results').focus({ preventScroll: true }); // the button disappears
    form.onChange();
  });
  byId('map-which').addEventListener('change', () => {
    page.axis = Number(byId('map-which').value);
    form.onChange();
  });
  share.restore();

  let seen = 0;
  /** @param {Progress} progress */
  function onProgress(progress) {
    load.progress = progress;
    if (load.finished !== null) showLate(progress.encoder, load.encoder);
    showProgress(progress, load.opened !== null);
    if (load.opened !== null && progress.rows > seen) arrived(form, false); // more passages can be searched
    seen = progress.rows;
  }

  function encodeAgain() {
    page.comparison?.vectors.known.clear();
    form.onChange();
  }

  /** @param {Vantage} vantage */
  function opened(vantage) {
    page.base = vantage;
    load.opened = performance.now();
    if (ranksTokens(vantage.info)) files.refuse(NO_FILES);
    else if (server && !server.carriesEncoder(vantage.info)) files.refuse(server.NO_FILES);
    if (vantage.info.encodes && !server) page.joint = new Joint(() => form.onChange());
    search(form, vantage, '');
    share.tell();
    return vantage;
  }

  await opening;
  const { encodes, words } = page.base.info;
  if (!encodes && !words) {
    throw new Error(
      'This collection carries no encoder, so a page cannot turn words into vectors for it. Index it with the ' +
        'built-in model, or use the library with vectors of your own.',
    );
  }
  await page.base.ready.finally(() => {
    load.finished = performance.now();
    load.encoder = load.progress?.encoder.loaded ?? 0;
    arrived(form, true);
  });
  byId('loading').classList.toggle('room', isShown()); // until the next query
  byId('loading').hidden = true;
  keep(url);
  if (foreign === null && encodes && !ranksTokens(page.base.info)) await offerGold(form);
}

/**
 * Searches another collection from now on.
 * @param {Form} form
 * @param {Vantage} vantage
 * @param {string} name
 */
function search(form, vantage, name) {
  Object.assign(page, { vantage, name, comparison: new Comparison(vantage, page.base) });
  Object.assign(window, { vantage });
  clearResults();
  clearMap();
  if (!form.value.query) byId('results').hidden = true; // nothing will be asked
  byId('examples').hidden = name !== '' || byId('examples').querySelector('.example') === null;
  showEncoder(page.base.info);
  form.offer(vantage.info);
  byId('results').classList.toggle('has-angles', vantage.info.angles > 0);
}

const searched = () =>
  identity(
    page.name
      ? { name: page.name, documents: page.vantage.coverage.rows, model: page.base.info.model }
      : page.base.info,
  );

const isShown = () => document.querySelector('#plain .hit, #chosen .hit') !== null;

/**
 * @param {object} query whose answer is shown next
 * @param {boolean} partial
 */
function note(query, partial) {
  const text = JSON.stringify(query);
  if (shown.query !== text || !isShown()) shown.at = performance.now();
  Object.assign(shown, { query: text, partial });
}

/**
 * More of the collection has arrived. What is being read does not move: a button offers the
 * better answer.
 * @param {Form} form
 * @param {boolean} all nothing is missing any more
 */
function arrived(form, all) {
  if (!isShown() || performance.now() - shown.at < GLANCE) form.onChange();
  else if (all && shown.partial) byId('better').hidden = false;
}

/**
 * Asks both methods and shows the answers.
 * @param {Form} form
 * @param {Sides} sides
 * @param {OtherSide} other
 */
async function answer(form, sides, other) {
  await form.reading; // otherwise a query without its perspective would be answered for a moment
  if (load.early && load.finished !== null) {
    load.early = false;
    form.read(); // the encoder may read more than the grammar; this asks again
    return;
  }
  const { value: query, missing, method } = form;
  const { vantage, comparison } = page;
  const { encodes, words } = page.base.info;
  page.server?.asks({ vantage, query: query.query, k: query.k });
  if (!query.query) return;
  byId('fault').hidden = !load.fault; // a loading fault remains
  byId('results').hidden = !encodes && !words; // then nothing can be searched
  byId('better').hidden = true;
  if (load.finished !== null) byId('loading').classList.remove('room');
  if (encodes && (load.finished === null || load.fault) && vantage.info.words) {
    const result = await vantage.search({ query: query.query, k: query.k, method: 'none' }); // or words, for now
    if (page.vantage !== vantage) return; // another collection was opened meanwhile
    if (result.method === 'bm25') {
      note(query, true);
      listWords(result, vantage.info);
      sides.hide();
      return;
    }
  }
  if (encodes && ranksTokens(vantage.info)) {
    const show = await listTokens(vantage, query, missing);
    if (page.vantage !== vantage) return; // another collection was opened meanwhile
    note(query, false);
    sides.hide();
    show();
    return page.joint?.show(vantage, query);
  }
  const asked = await sideAsked(vantage, query);
  const axis = (page.axis = Math.max(0, Math.min(page.axis, query.perspectives.length - 1)));
  const compare = (/** @type {'for'|'against'|''} */ side) => comparison.ask(query, method, missing, axis, side);
  const found =
    encodes &&
    (await compare(asked ? form.side : '')
      .catch((error) => {
        if (!asked || !form.side || Object(error).kind !== 'unavailable') throw error;
        return compare(''); // the buttons stay, and beside them it says why sides cannot be told
      })
      .catch((error) => {
        if (!words || !['unavailable', 'refused'].includes(Object(error).code)) throw error;
        return null; // words may answer
      }));
  if (page.vantage !== vantage) return; // another collection was opened meanwhile
  if (!found) {
    sides.hide();
    return answerByWords(vantage, query);
  }
  const { rows, total } = found.plain.coverage;
  note(query, rows < total);
  const chosen = found.chosen ? byName(found.chosen.method) : method;
  if (found.chosen?.strength !== undefined) form.tellStrength(found.chosen.strength);
  const methods = { plain: scored(byName('none'), found.plain), chosen: scored(chosen, found.chosen ?? found.plain) };
  showResults(found, methods, method === AUTO, vantage.info.fields, missing);
  showMap(found, shortName(chosen), axis);
  showEncoder(page.base.info, found.texts);
  measure(page, load, found);
  page.server?.answered(found.texts, comparison.vectors.time, (found.chosen ?? found.plain).timing);
  page.gold?.changed();
  await page.joint?.show(vantage, query);
  if (form.other !== null && vantage.info.angles > 0) {
    byId('sides').hidden = true;
    other.show(vantage, query, form.other);
    return;
  }
  other.hide();
  const hits = [...found.plain.hits, ...(found.chosen?.hits ?? [])];
  if (asked) sides.show(vantage, query.root, [...new Set(hits.map((hit) => hit.index))]);
  else sides.hide();
}

/**
 * @param {Vantage} vantage
 * @param {{query: string, k: number}} query
 */
async function answerByWords(vantage, { query, k }) {
  const result = await vantage.search({ query, k });
  if (result.method !== 'bm25') return; // an encoder is available again and answers
  listWords(result, vantage.info);
  page.server?.answered([], 0, result.timing);
}

// Measuring fails if the engine is gone, which does not matter here.
const measure = settled((/** @type {Parameters<typeof showReadings>} */ ...args) => {
  showReadings(...args).catch(() => {});
}, 250);

/**
 * Offers to measure both rankings if the site has judged queries.
 * @param {Form} form
 */
async function offerGold(form) {
  const judged = await loadJudgements('judgements.json');
  if (judged.length === 0) return;
  page.gold = new Gold(form, page.base, judged);
  page.gold.show(page.vantage === page.base);
}

/**
 * @param {string[]} examples
 * @param {Form} form
 * @param {Share} share
 */
function offerExamples(examples, form, share) {
  const list = byId('examples');
  for (const text of examples) {
    const button = el('button', { type: 'button', className: 'example', title: text }, text); // a long one is cut
    button.addEventListener('click', async () => {
      await form.setQuery(text);
      share.commit();
    });
    list.append(button);
  }
  list.hidden = examples.length === 0;
}

/** @param {unknown} error */
function showFault(error) {
  byId('loading').hidden = true;
  faultIn(byId('fault'), error);
}

main().catch((error) => {
  load.fault = error;
  showFault(error);
  failed();
});
