// Starts an engine in the place that the page chose: in a worker, or in the page.

import { core } from '../assets.js';
import { Collection } from '../collection/collection.js';
import { InputError } from '../errors.js';
import { startThread, threads } from '../node.js';
import { newWorker } from '../start.js';
import { Remote } from './remote.js';

/** Most workers that one collection is shared among. */
const MAX_WORKERS = 64;

/**
 * The place of each engine.
 * @param {import('../../lib/index.d.ts').OpenOptions['worker']} [worker]
 * @param {number} [workers] how many
 * @returns {(Worker|boolean|undefined)[]} one for each engine
 */
export function places(worker, workers) {
  const given = Array.isArray(worker) ? worker : null;
  const n = workers ?? given?.length ?? 1;
  if (!Number.isInteger(n) || n < 1 || n > MAX_WORKERS) {
    throw new InputError(`workers: ${n} is not a whole number from 1 to ${MAX_WORKERS}`);
  }
  if (given && (given.length !== n || new Set(given).size !== n)) {
    throw new InputError(`worker: ${n} different Workers are expected, ${given.length} were given`);
  }
  if (!given && n > 1 && worker !== undefined && worker !== true) {
    const needed =
      worker === false ? 'workers to run in: leave out worker: false' : 'as many Workers: give a list of them';
    throw new InputError(`workers: ${n} engines need ${needed}`);
  }
  // In Node.js, one engine runs in a thread only on request.
  return given ?? new Array(n).fill(worker ?? (threads && n === 1 ? false : undefined));
}

/**
 * An engine with the collection open.
 * @param {string|null} url absolute, of the collection's folder
 * @param {import('../collection/collection.js').EngineOptions} options
 * @param {Remote|null} remote a worker that answers; null: in the page
 * @returns {Promise<Collection|Remote>}
 */
export async function openEngine(url, options, remote) {
  if (!remote) return Collection.open(url, options);
  try {
    await remote.open(url, options);
    return remote;
  } catch (error) {
    remote.close();
    throw error;
  }
}

/**
 * A worker that answers, or null if the engine runs in the page.
 * @param {any} choice one of places; any: it comes from the page and is checked
 *   here
 * @param {import('../collection/collection.js').EngineOptions} options
 */
export async function startWorker(choice, { signal, patience }) {
  if (choice === false || (choice === undefined && typeof Worker === 'undefined' && !threads)) return null;
  if (choice !== undefined && choice !== true && !(choice?.postMessage && choice.addEventListener)) {
    throw new InputError(
      'worker: true, false, a Worker or a list of Workers is expected; in Node.js, `workers: n` starts threads',
    );
  }
  const given = typeof choice === 'object';
  let remote;
  try {
    remote = new Remote(given ? choice : await start(), !given, patience);
    await remote.greet(signal);
    return remote;
  } catch (error) {
    remote?.close();
    signal?.throwIfAborted();
    // Browsers start no worker from another origin. So a library on a CDN runs
    // in the page, unless the page requires a worker.
    if (choice === undefined) return null;
    throw error;
  }
}

// Bundlers do not recognise a thread's script. Without a bundler, it is beside the
// core.
function start() {
  return threads ? startThread(core) : newWorker();
}
