// Vantage: search by point of view over a collection on any static host.
//
//   import { Vantage } from './lib/index.js';
//   const vantage = await Vantage.open('collection/');
//   const { hits } = await vantage.search({ query: 'Find a claim that opposes the argument: ...' });
//
// Types and every option: index.d.ts.

import { Collection } from './collection.js';
import { VantageError } from './errors.js';
import { Remote } from './remote.js';

export * from './errors.js';
export { shortest } from './float32.js';
export { METHODS } from './methods.js';

export class Vantage {
  #engine;

  /**
   * Opens a collection; resolves as soon as queries can be answered, while
   * its vectors may still be arriving (see `ready` and `coverage`).
   * @param {string|URL} url of the collection's folder
   * @param {import('./index.d.ts').OpenOptions} [options]
   * @returns {Promise<Vantage>}
   */
  static async open(url, options) {
    const { worker, core, kernel, shim, maxBytes, signal, onProgress } = options ?? {};
    const base = globalThis.document?.baseURI ?? globalThis.location.href;
    const at = new URL(url, base).href;
    const modules = Object.fromEntries(
      Object.entries({ core, kernel, shim })
        .filter(([, source]) => source !== undefined)
        .map(([name, source]) => [name, typeof source === 'string' || source instanceof URL ? new URL(source, base).href : source]),
    );
    const engine = { modules, maxBytes, signal, onProgress };
    const remote = await connect(worker, signal);
    if (!remote) return new Vantage(await Collection.open(at, engine), false);
    try {
      await remote.open(at, engine);
    } catch (error) {
      remote.close();
      throw error;
    }
    return new Vantage(remote, true);
  }

  /** Use Vantage.open. */
  constructor(engine, inWorker) {
    this.#engine = engine;
    /** Name, size, model and filter fields of the collection. */
    this.info = engine.info;
    /** Whether the engine runs in a worker rather than in the page. */
    this.inWorker = inWorker;
  }

  /** Resolves when all vectors have arrived; rejects with the first fault. */
  get ready() {
    return this.#engine.ready;
  }

  /** Rows that answers are drawn from now, and rows of the whole collection. */
  get coverage() {
    return this.#engine.coverage;
  }

  /**
   * Ranks; over what has arrived, where vectors still stream in.
   * @param {import('./index.d.ts').SearchQuery} query
   * @returns {Promise<import('./index.d.ts').SearchResult>}
   */
  async search(query) {
    const { signal, ...rest } = query ?? {};
    return this.#engine.search(rest, signal);
  }

  /** Root and perspective in the wording of a query, or null. */
  async split(text) {
    return this.#engine.split(text);
  }

  /** The vector of a text by the collection's encoder. */
  async encode(text) {
    return this.#engine.encode(text);
  }

  /** Whole documents, metadata included, by their number (`index` of a hit). */
  async documents(indexes, { signal } = {}) {
    return this.#engine.documents(indexes, signal);
  }

  /** Bytes in use by the engine, and bytes the browser has reserved for it. */
  async memory() {
    return this.#engine.memory();
  }

  /** Ends the engine; every later call fails with a ClosedError. */
  close() {
    this.#engine.close();
  }
}

/**
 * A worker that answers, or null where the engine is to run in the page.
 * @param {Worker|boolean|undefined} choice
 */
async function connect(choice, signal) {
  if (choice === false || (choice === undefined && typeof Worker === 'undefined')) return null;
  if (choice !== undefined && choice !== true && typeof choice?.postMessage !== 'function') throw new VantageError('worker: true, false or a Worker is expected');
  const given = typeof choice === 'object';
  let remote;
  try {
    remote = new Remote(given ? choice : new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'vantage' }), !given);
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
