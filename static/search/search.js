// The search page of a site. Words answer first, from a small script; the engine is loaded behind them, and ranks by
// meaning and by point of view.

import { mountAbout } from '../about/panel.js';
import { byId, write } from '../demo/parts/dom.js';
import { begin, failed, keep } from '../demo/parts/offline.js';
import { Attention } from './parts/attention.js';
import { readConfig } from './parts/config.js';
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

/** Milliseconds after a key before the engine is asked: most queries are not finished yet. */
const SETTLED = 100;

/** Milliseconds after a key before the page says that no document has the words: the last one may be half typed. */
const PATIENCE = 300;

/** @type {Answer} */
const NOTHING = { kind: 'list', groups: [], more: false, result: null, root: '' };

const config = readConfig();
const input = /** @type {HTMLInputElement} */ (byId('query'));
const view = new View();
const attention = new Attention(byId('results'));
const address = new Address();
const sides = new Sides((chosen) => ask({ ...page.asked, ...chosen }, 'step'));
const light = openWords(config.collection);

/** The visitor's private contexts. They are encoded only in the page, so a site with an encode server has none. */
const about = config.server
  ? null
  : mountAbout(byId('about'), { onChange: () => page.engine && ask(page.asked, 'back') });

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
  Object.assign(page, { asked, want: STEP, shown: null, better: null, nearest: false });
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
  if (!query) {
    sides.ask(false);
    return view.clear();
  }
  const { signal } = page.stop;
  const tell = (/** @type {unknown} */ error) => {
    if (!signal.aborted) view.fault(error);
  };
  // An engine that is ready answers soon enough, unless the query is still typed; and words tell no sides.
  if (!page.engine || (by === 'key' && !asked.side)) askWords({ ...asked, query }, signal).catch(tell);
  askEngine({ ...asked, query }, signal, by === 'key').catch(tell);
}

/**
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
async function askWords(asked, signal) {
  const { words } = await light;
  if (signal.aborted) return;
  if (words) {
    const answer = await answerByWords(words, asked, page.want, signal).catch(() => null); // the engine says why
    if (signal.aborted || page.shown) return;
    if (answer?.groups.length) show(answer);
    else setTimeout(() => !signal.aborted && !page.shown && view.waitForMeaning(), PATIENCE);
    await painted();
  }
  start();
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
  if (words) await engine?.vantage.ready.catch(() => {}); // words answer meanwhile
  if (signal.aborted) return;
  if (engine) arrived(await engine.answer(asked, page.want, signal), signal);
  else if (!page.shown) show(NOTHING);
  if (words || page.engine) return;
  await engine?.vantage.ready.catch(() => {});
  if (engine && !signal.aborted) arrived(await engine.answer(asked, page.want, signal), signal);
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
    openEngine(
      config,
      (loaded, total) => {
        bar.value = total > 0 ? loaded / total : 0;
      },
      () => about?.contexts ?? [],
    ),
  );
  try {
    const engine = await opening;
    view.sided = engine.hearsSides;
    if (!engine.vantage.info.encodes) about?.unmount(); // nothing can compare contexts
    await engine.vantage.ready.catch(() => {}); // the answers say what is missing
    page.engine = engine;
    Object.assign(window, { vantage: engine.vantage });
    keep(config.collection);
  } catch (error) {
    view.fault(error);
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
  if (!page.shown || !attention.paid) return show(answer, { move: page.shown !== null });
  if (!view.narrow.matches) view.showSides(); // there they have their room already
  if (view.has(answer)) return;
  page.better = answer;
  write(byId('better'), answer.kind === 'both' ? 'Show both sides' : 'Show the better order');
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

/** What is typed is another query, of all sides. */
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
  byId('results').focus({ preventScroll: true }); // the button disappears
  page.better = null;
  if (better) show(better, { move: true });
});
byId('nearest').addEventListener('click', () => {
  page.nearest = true;
  if (page.shown) show(page.shown);
  byId('results').focus({ preventScroll: true });
});
byId('more-results').addEventListener('click', () => showMore().catch((error) => view.fault(error)));
for (const link of document.querySelectorAll('.example')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    input.value = link.textContent ?? '';
    ask(typed(), 'step');
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
if (config.server) {
  const { host } = new URL(config.server, document.baseURI);
  write(byId('server'), `What you type goes to ${host}, which turns it into vectors.`);
  byId('server').hidden = false;
}

await begin();
// Something may have been typed before this script ran.
if (input.value) ask(typed(), 'key');
else ask(read(), 'back');
