// The search page of a site. A small script answers first, by words alone. Then the engine loads, which ranks by
// meaning and by point of view.

import { mountAbout } from '../about/panel.js';
import { readConfig } from '../demo/parts/config.js';
import { byId, write } from '../demo/parts/dom.js';
import { catchFocus } from '../demo/parts/focus.js';
import { begin, failed, keep } from '../demo/parts/offline.js';
import { Attention } from './parts/attention.js';
import { openEngine } from './parts/engine.js';
import { wireKeys } from './parts/keys.js';
import { answerByWords, openWords } from './parts/light.js';
import { Sides } from './parts/sides.js';
import { Address, read } from './parts/state.js';
import { View } from './parts/view.js';

/**
 * @import { Answer } from './parts/engine.js'
 * @import { Asked } from './parts/state.js'
 * @typedef {Awaited<ReturnType<typeof openEngine>>} Engine
 */

/** Results at first, and how many more each time. */
const STEP = 10;

/** Milliseconds after a key until the engine is asked. Most queries are not complete before that. */
const SETTLED = 100;

/** Milliseconds after a key until the page says that no document has the words. The last word may be half typed. */
const PATIENCE = 300;

const MEANING = 'Nothing has these words. Looking by meaning …';
const LOADING = 'Loading what tells sides apart …';

/** Milliseconds without anything to show after which the page says what it waits for. */
const SLOW = 1000;

/** @type {Answer} */
const NOTHING = { kind: 'list', groups: [], more: false, result: null, root: '', side: '', contexts: 0 };

const config = readConfig();
const input = /** @type {HTMLInputElement} */ (byId('query'));
const view = new View();
const attention = new Attention(byId('results'));
const address = new Address();
const sides = new Sides((chosen) => ask({ ...page.asked, ...chosen }, 'step'));
const light = openWords(config.collection);

/** @type {NodeListOf<HTMLAnchorElement>} links to the lab, which takes the query over */
const labs = document.querySelectorAll('a[href="lab.html"]');

/** The visitor's private contexts; null on a site with an encode server, because they must not leave the page. */
const about = config.server
  ? null
  : mountAbout(byId('about'), { onChange: () => page.engine && ask(page.asked, 'back') });
light.then(({ words, fault }) => {
  if (Object(fault).kind === 'unavailable') lose(fault); // the engine still tries: the host may be back
  if (words?.info.encodes === false) about?.unmount(); // nothing can compare contexts
  byId('about').classList.remove('waiting');
});

const page = {
  asked: /** @type {Asked} */ ({ query: '', side: '', from: '' }),
  want: STEP,
  /** Cancels the searches for the current query. */
  stop: new AbortController(),
  /** @type {Answer|null} the answer that is on the screen */
  shown: null,
  /** @type {Answer|null} a better answer, which is held back because it would move what is being read */
  better: null,
  /** Whether the visitor has asked for results although they are not close to the query. */
  nearest: false,
  /** Whether the engine has begun to load. */
  started: false,
  /** @type {Engine|null} the engine, once it has loaded everything */
  engine: null,
  /** Whether bytes are on their way that the engine needs. */
  loading: false,
  /** Whether the engine could not be loaded, which the page says until it is loaded again. */
  lost: false,
};

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const progress = /** @type {HTMLProgressElement} */ (byId('progress'));

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/**
 * Shows the answer to a query, and puts the query into the address.
 * @param {Asked} asked
 * @param {'key'|'step'|'back'} by what changed the query: typing; a click or Escape; or something that is no new step
 *   of the history: the history itself, the loading of the page, or a change of the private contexts
 */
function ask(asked, by) {
  page.stop.abort();
  page.stop = new AbortController();
  Object.assign(page, { asked, want: STEP, shown: null, better: null, nearest: false });
  byId('better').hidden = true;
  if (page.engine) progress.hidden = true;
  if (!page.lost) byId('fault').hidden = true; // it was of the last query
  attention.reset();
  view.announce('');
  if (by !== 'key' && input.value !== asked.query) input.value = asked.query;
  if (by === 'key') address.type(asked);
  if (by === 'step') address.step(asked);
  sides.show(asked);
  const query = asked.query.trim();
  const examples = document.getElementById('examples');
  if (examples) examples.hidden = query !== '';
  for (const lab of labs) lab.hash = query && String(new URLSearchParams({ q: query })); // it may be long
  byId('empty').hidden = input.value === '';
  byId('slash').hidden = input.value !== '';
  document.title = query ? `${query} · ${config.name}` : config.name;
  if (!query) {
    sides.ask(false);
    return view.clear();
  }
  const { signal } = page.stop;
  const tell = teller(signal);
  setTimeout(() => {
    const blank = !page.shown && byId('bar').hidden && byId('fault').hidden;
    if (blank && !signal.aborted) view.wait('Waiting for the host of this search …');
  }, SLOW);
  // If the engine is loaded, words are needed only while the visitor types, and they know nothing of sides.
  const words = (!page.engine || (by === 'key' && !asked.side)) && askWords({ ...asked, query }, signal);
  askEngine({ ...asked, query }, signal, by === 'key', words).catch(tell);
}

/**
 * Returns a function that shows an error, unless its query is no longer asked.
 * @param {AbortSignal} signal
 */
function teller(signal) {
  return (/** @type {unknown} */ error) => !signal.aborted && lose(error);
}

/**
 * Shows an error.
 * @param {unknown} error
 */
function lose(error) {
  if (!page.shown) {
    // Nothing answers the query. Beside the buttons, the visitor can choose another side.
    if (view.sided && (page.asked.side || page.asked.from)) view.wait('');
    else view.clear();
  }
  if (Object(error).code === 'outdated') page.lost = true; // other queries would fail, too
  view.fault(error);
}

/**
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
async function askWords(asked, signal) {
  const { words } = await light;
  if (signal.aborted) return;
  if (words) {
    const answer = await answerByWords(words, asked, page.want, signal).catch(() => null); // the engine reports it
    if (signal.aborted || page.shown) return;
    if (answer?.groups.length) show(answer);
    else setTimeout(() => !signal.aborted && !page.shown && byId('fault').hidden && view.wait(MEANING), PATIENCE);
    await painted();
  }
  start();
}

/**
 * @param {Asked} asked
 * @param {AbortSignal} signal
 * @param {boolean} typing
 * @param {Promise<void>|false} byWords the answer by words
 */
async function askEngine(asked, signal, typing, byWords) {
  const { words } = await light;
  if (!words) start();
  if (typing) await pause(SETTLED);
  if (signal.aborted) return;
  const engine = await opening.catch(() => null);
  if (words) await engine?.vantage.ready.catch(() => {}); // until then the answer by words stays
  if (signal.aborted) return;
  const whole = words || page.engine;
  if (engine) arrived(await reply(engine, asked, signal), signal);
  else {
    await byWords; // it may be slower
    if (words && !signal.aborted && !page.shown) show(NOTHING);
  }
  if (whole) return;
  await engine?.vantage.ready.catch(() => {});
  if (engine && !signal.aborted) arrived(await reply(engine, asked, signal), signal);
}

/**
 * The engine's answer. The first one for a side needs megabytes more. If that takes long, the page says so in place of
 * the last query's results.
 * @param {Engine} engine
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
async function reply(engine, asked, signal) {
  const slow = setTimeout(() => {
    if (signal.aborted || !page.engine) return;
    progress.hidden = !page.loading;
    const sides = page.loading || (asked.side && !engine.told);
    if (page.shown) sides && view.announce(LOADING);
    else if (byId('fault').hidden) view.wait(sides ? LOADING : 'Still looking …');
  }, SLOW);
  try {
    return await engine.answer(asked, page.want, signal);
  } finally {
    clearTimeout(slow);
    if (!signal.aborted) {
      page.loading = false; // unless more bytes come
      progress.hidden ||= page.engine !== null;
    }
  }
}

/** @type {(engine: Promise<Engine>) => void} */
let begun;

/** @type {Promise<Engine>} the engine, once it can answer; start begins to load it */
const opening = new Promise((resolve) => (begun = resolve));
opening.catch(() => {}); // start reports it

/** Loads the engine, once. */
async function start() {
  if (page.started) return;
  page.started = true;
  progress.hidden = false;
  begun(
    openEngine(
      config,
      (loaded, total) => {
        progress.value = total > 0 ? loaded / total : 0;
        page.loading = loaded < total;
      },
      () => about?.contexts ?? [],
    ),
  );
  try {
    const engine = await opening;
    view.sided = engine.tellsSides;
    byId('fault').hidden = true; // the host has answered
    // Each answer says what is missing.
    await engine.vantage.ready.catch((error) => Object(error).code === 'outdated' && lose(error));
    page.engine = engine;
    Object.assign(window, { vantage: engine.vantage });
    keep(config.collection);
  } catch (error) {
    page.lost = true;
    lose(error);
    failed();
  }
  progress.hidden = true;
}

/**
 * Takes an answer of the engine. If the visitor is reading already, the results stay where they are, and a button
 * offers the better order.
 * @param {Answer} answer
 * @param {AbortSignal} signal of its query
 */
function arrived(answer, signal) {
  if (signal.aborted) return;
  if (!page.shown || !attention.paid) return show(answer, { move: page.shown !== null });
  page.better = null;
  byId('better').hidden = true;
  if (view.adopt(answer, { ...page.asked, query: page.asked.query.trim() })) {
    page.shown = answer;
    return;
  }
  if (!view.narrow.matches) view.showSides(); // a wide screen has kept room for them
  page.better = answer;
  const better = view.has(answer) ? 'Show the better answer' : 'Show the better order';
  write(byId('better'), answer.kind === 'both' ? 'Show both sides' : better);
  byId('better').hidden = false;
}

/**
 * @param {Answer} answer
 * @param {{move?: boolean, further?: boolean}} [how]
 */
async function show(answer, how = {}) {
  page.shown = answer;
  const { terms } = await light;
  const { asked, shown, nearest } = page;
  if (shown === answer) view.show(answer, { ...asked, query: asked.query.trim() }, terms, { ...how, nearest });
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
  if (answer && page.shown === shown) show(answer, { further: true });
}

/** The query that has just been typed. A new query asks for all sides. */
const typed = () => ({ query: input.value, side: /** @type {const} */ (''), from: '' });

function empty() {
  input.value = '';
  ask(typed(), 'step');
  input.focus();
}

input.addEventListener('input', () => ask(typed(), 'key'));
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
  page.better = null;
  if (better) show(better, { move: true });
});
byId('nearest').addEventListener('click', () => {
  page.nearest = true;
  if (page.shown) show(page.shown);
});
byId('more-results').addEventListener('click', () => showMore().catch(teller(page.stop.signal)));
for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.example'))) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // it opens in another tab or window
    event.preventDefault();
    input.value = link.textContent ?? '';
    ask(typed(), 'step');
    input.focus();
  });
}
addEventListener('popstate', () => {
  address.left();
  const asked = read();
  const same = JSON.stringify(asked) === JSON.stringify(page.asked); // only the fragment has changed
  if (!same) ask(asked, 'back');
});
wireKeys(input, empty);
catchFocus(byId('results'));
if (config.server) {
  const { host } = new URL(config.server, document.baseURI);
  write(byId('server'), `What you type goes to ${host}, which turns it into vectors.`);
  byId('server').hidden = false;
}

await begin();
// Something may have been typed before this script ran.
if (input.value) ask(typed(), 'key');
else ask(read(), 'back');
