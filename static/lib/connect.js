// Starts an engine where the page wants it: in a worker, or in the page.

import { Collection } from './collection.js';
import { VantageError } from './errors.js';
import { Remote } from './remote.js';

/**
 * An engine with the collection open.
 * @param {string|null} url absolute, of the collection's folder
 * @param {import('./collection.js').EngineOptions} options
 * @param {Worker|boolean} [choice] see OpenOptions in index.d.ts
 * @returns {Promise<Collection|Remote>}
 */
export async function connect(url, options, choice) {
  const remote = await start(choice, options);
  if (!remote) return Collection.open(url, options);
  try {
    await remote.open(url, options);
    return remote;
  } catch (error) {
    remote.close();
    throw error;
  }
}

/** A worker that answers, or null where the engine is to run in the page. */
async function start(choice, { signal, patience }) {
  if (choice === false || (choice === undefined && typeof Worker === 'undefined')) return null;
  if (choice !== undefined && choice !== true && typeof choice?.postMessage !== 'function') throw new VantageError('worker: true, false or a Worker is expected');
  const given = typeof choice === 'object';
  let remote;
  try {
    remote = new Remote(given ? choice : new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'vantage' }), !given, patience);
    await remote.greet(signal);
    return remote;
  } catch (error) {
    remote?.close();
    signal?.throwIfAborted();
    // Browsers start no worker from another origin: a library on a CDN runs in
    // the page, unless the page insists.
    if (choice === undefined) return null;
    throw error;
  }
}
