// The search page of a site. Words answer first, from a small script; the engine is loaded behind them, and ranks by
// meaning and by point of view.

import { byId, el, write } from '../demo/parts/dom.js';
import { begin, failed, keep } from '../demo/parts/offline.js';
import { Attention } from './parts/attention.js';
import { Both } from './parts/both.js';
import { readConfig } from './parts/config.js';
import { openEngine } from './parts/engine.js';
import { wordsOf } from './parts/excerpt.js';
import { wireKeys } from './parts/keys.js';
import { answerByWords, openWords } from './parts/light.js';
import { List } from './parts/list.js';
import { announcementOf, isEmpty, noticeOf, summaryOf } from './parts/said.js';
import { Sides } from './parts/sides.js';
import { Address, read } from './parts/state.js';

/**
 * @import { Answer } from './parts/engine.js'
 * @import { Asked } from './parts/state.js'
 * @typedef {Awaited<ReturnType<typeof openEngine>>} Engine
 */

/** Results at first, and how many more each time. */
const STEP = 10;

/** Milliseconds after a key before the engine is asked: most queries are not finished yet. */
const SETTLED = 100;

/** Milliseconds that words wait for an engine that is ready, so that results do not change twice for each key. */
const COURTESY = 30;

/** Milliseconds after which an answer is announced: sooner, a screen reader would speak at each key. */
const SPOKEN = 700;

/** The browser's timeline says when the first results were there. */
const FIRST = 'vantage-first-results';

const config = readConfig();
const input = /** @type {HTMLInputElement} */ (byId('query'));
const list = new List(byId('list'), 'h2');
const both = new Both();
const attention = new Attention(byId('results'));
const address = new Address();
const sides = new Sides((view) => ask({ ...page.asked, ...view }, 'step'));
const light = openWords(config.collection);

const page = {
  asked: /** @type {Asked} */ ({ query: '', side: '', from: '' }),
  want: STEP,
  /** Cancels what is under way for the query. */
  stop: new AbortController(),
  /** @type {Answer|null} to the query */
  shown: null,
  /** @type {Answer|null} a better one, that would move what is being read */
  better: null,
  /** Whether the visitor wants to see results that are not close. */
  nearest: false,
  /** Whether the engine was asked for. */
  started: false,
  /** @type {Engine|null} when it has everything */
  engine: null,
};

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/**
 * @param {Asked} asked
 * @param {'key'|'step'|'back'} by what changed it
 */
function ask(asked, by) {
  page.stop.abort();
  page.stop = new AbortController();
  Object.assign(page, { asked, want: STEP, better: null, nearest: false });
  byId('better').hidden = true;
  attention.reset();
  if (by !== 'key' && input.value !== asked.query) input.value = asked.query;
  if (by === 'key') address.type(asked);
  if (by === 'step') address.step(asked);
  sides.show(asked);
  const query = asked.query.trim();
  const examples = document.getElementById('examples');
  if (examples) examples.hidden = query !== '';
  byId('empty').hidden = input.value === '';
  byId('slash').hidden = input.value !== '';
  document.title = query ? `${query} · ${config.name}` : config.name;
  if (!query) return clear();
  const { signal } = page.stop;
  page.shown = null;
  const quiet = (/** @type {unknown} */ error) => {
    if (!signal.aborted) showFault(error);
  };
  askWords({ ...asked, query }, signal).catch(quiet);
  askEngine({ ...asked, query }, signal, by === 'key').catch(quiet);
}

/** An emptied query empties the results. */
function clear() {
  page.shown = null;
  for (const id of ['bar', 'both', 'nothing', 'notice', 'more-results']) byId(id).hidden = true;
  sides.ask(false);
  list.show([], () => false, '', false);
  announce('');
}

/**
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
async function askWords(asked, signal) {
  const { words } = await light;
  if (signal.aborted || (page.engine && asked.side)) return;
  if (words) {
    const answer = await answerByWords(words, asked, page.want, signal).catch(() => null); // the engine says why
    if (page.engine) await pause(COURTESY);
    if (signal.aborted || page.shown) return;
    if (answer?.groups.length) show(answer, false);
    else waitForMeaning();
    await painted();
  }
  start();
}

/** No document has the words; the engine may find what they mean. */
async function waitForMeaning() {
  const { signal } = page.stop;
  await pause(3 * SETTLED); // the last word may be half typed
  if (signal.aborted || page.shown) return;
  list.show([], () => false, '', false);
  byId('bar').hidden = false;
  write(byId('summary'), 'Nothing has these words. Looking by meaning …');
}

/**
 * @param {Asked} asked
 * @param {AbortSignal} signal
 * @param {boolean} typing
 */
async function askEngine(asked, signal, typing) {
  const { words } = await light;
  if (!words) start();
  if (typing) await pause(SETTLED);
  if (signal.aborted) return;
  const engine = await opening.catch(() => null);
  if (!engine) return;
  if (words) await engine.vantage.ready.catch(() => {}); // words answer meanwhile
  if (signal.aborted) return;
  arrived(await engine.answer(asked, page.want, signal), signal);
  if (words || page.engine) return;
  await engine.vantage.ready.catch(() => {});
  if (!signal.aborted) arrived(await engine.answer(asked, page.want, signal), signal);
}

/** @type {(engine: Promise<Engine>) => void} */
let begun;

/** @type {Promise<Engine>} the engine, once it is asked for and can answer */
const opening = new Promise((resolve) => (begun = resolve));
opening.catch(() => {}); // start reports it

/** Loads the engine, once. */
async function start() {
  if (page.started) return;
  page.started = true;
  const bar = /** @type {HTMLProgressElement} */ (byId('progress'));
  bar.hidden = false;
  begun(
    openEngine(config, (loaded, total) => {
      bar.value = total > 0 ? loaded / total : 0;
    }),
  );
  try {
    const engine = await opening;
    await engine.vantage.ready.catch(() => {}); // the answers say what is missing
    page.engine = engine;
    Object.assign(window, { vantage: engine.vantage });
    keep(config.collection);
  } catch (error) {
    showFault(error);
    failed();
  }
  bar.hidden = true;
}

/**
 * The engine has answered. What is being read does not move.
 * @param {Answer} answer
 * @param {AbortSignal} signal of its query
 */
function arrived(answer, signal) {
  if (signal.aborted) return;
  if (!page.shown || !attention.paid) return show(answer, page.shown !== null);
  if (answer.kind === 'list' && page.shown.kind === 'list' && list.has(answer.groups)) return;
  page.better = answer;
  write(byId('better'), answer.kind === 'both' ? 'Show both sides' : 'Show the better order');
  byId('better').hidden = false;
}

/**
 * @param {Answer} answer
 * @param {boolean} move whether results glide to their places
 * @param {boolean} [further] whether results are added to those that are shown
 */
async function show(answer, move, further = false) {
  page.shown = answer;
  const { asked, nearest } = page;
  const query = asked.query.trim();
  const { terms } = await light;
  if (page.shown !== answer) return;
  const words = wordsOf(answer.kind === 'both' ? answer.root : query, terms);
  const nothing = isEmpty(answer) && !nearest;
  const sided = answer.kind === 'both' && !nothing;
  byId('both').hidden = !sided;
  byId('list').hidden = sided;
  if (sided) both.show(answer, words, query, further);
  else if (further && answer.kind === 'list') focusOn(list.extend(answer.groups, words, query));
  else list.show(nothing || answer.kind === 'both' ? [] : answer.groups, words, query, move);
  if (!nothing && performance.getEntriesByName(FIRST).length === 0) performance.mark(FIRST);
  byId('nothing').hidden = !nothing;
  write(byId('nothing-title'), `Nothing close enough to “${query}”`);
  byId('nearest').hidden = answer.kind === 'both' || answer.groups.length === 0;
  byId('more-results').hidden = nothing || !answer.more;
  byId('bar').hidden = false;
  byId('sides').hidden = !page.engine?.hearsSides;
  write(byId('summary'), nothing ? '' : summaryOf(answer, asked));
  const notice = noticeOf(answer);
  write(byId('notice'), notice);
  byId('notice').hidden = notice === '';
  announce(nothing ? `Nothing close enough to “${query}”.` : announcementOf(answer, asked));
}

/** @param {HTMLElement|undefined} item */
function focusOn(item) {
  /** @type {HTMLElement|null|undefined} */ (item?.querySelector('.stop'))?.focus();
}

/** @type {ReturnType<typeof setTimeout>|undefined} */
let speaking;

/** @param {string} text */
function announce(text) {
  clearTimeout(speaking);
  speaking = setTimeout(() => write(byId('announcement'), text), SPOKEN);
}

async function showMore() {
  const { shown, asked, stop, engine } = page;
  page.want += STEP;
  const { words } = await light;
  const query = { ...asked, query: asked.query.trim() };
  const byWords = shown?.kind === 'list' && shown.result === null && words;
  const answer = byWords
    ? await answerByWords(words, query, page.want, stop.signal)
    : await engine?.answer(query, page.want, stop.signal);
  if (answer && page.shown === shown) show(answer, false, true);
}

/** @param {unknown} error */
function showFault(error) {
  const { name = 'Error', message } = Object(error);
  byId('fault').replaceChildren(el('strong', {}, `${name}: `), String(message));
  byId('fault').hidden = false;
}

function empty() {
  input.value = '';
  ask({ query: '', side: '', from: '' }, 'step');
  input.focus();
}

input.addEventListener('input', () => ask({ query: input.value, side: '', from: '' }, 'key'));
input.addEventListener('blur', () => address.finish());
byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  address.finish();
  if (matchMedia('(pointer: coarse)').matches) input.blur(); // the keyboard covers the results
});
byId('empty').addEventListener('click', empty);
byId('results').addEventListener('click', () => address.finish());
byId('better').addEventListener('click', () => {
  const { better } = page;
  byId('better').hidden = true;
  byId('results').focus({ preventScroll: true }); // the button disappears
  page.better = null;
  if (better) show(better, true);
});
byId('nearest').addEventListener('click', () => {
  page.nearest = true;
  if (page.shown) show(page.shown, false);
  byId('results').focus({ preventScroll: true });
});
byId('more-results').addEventListener('click', () => showMore().catch(showFault));
for (const link of document.querySelectorAll('.example')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    ask({ query: link.textContent ?? '', side: '', from: '' }, 'step');
    input.focus();
  });
}
addEventListener('popstate', () => {
  address.left();
  const asked = read();
  const same = JSON.stringify(asked) === JSON.stringify(page.asked); // only the fragment is another
  if (!same) ask(asked, 'back');
});
wireKeys(input, empty);

await begin();
// Something may have been typed before this script ran.
if (input.value) ask({ query: input.value, side: '', from: '' }, 'key');
else ask(read(), 'back');
