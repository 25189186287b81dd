// Vantage: search by point of view over a collection on any static host.
//
//   import { Vantage } from './lib/index.js';
//   const vantage = await Vantage.open('collection/');
//   const { hits } = await vantage.search({ query: 'Find a claim that opposes the argument: ...' });
//
// Types and every option: index.d.ts.

import { rerank, search } from './query/answer.js';
import { engineSources, isObject } from './collection/encoding.js';
import { VantageError } from './errors.js';
import { base } from './node.js';
import { Session } from './collection/session.js';
import { names, remove } from './collection/storage.js';

export * from './errors.js';
export { shortest } from './query/float32.js';
export { METHODS } from './query/methods.js';

export class Vantage {
  #session;

  /**
   * Opens a collection; resolves as soon as queries can be answered, while
   * its vectors may still be arriving (see `ready` and `coverage`).
   * @param {string|URL} url of the collection's folder
   * @param {import('../lib/index.d.ts').OpenOptions} [options]
   * @returns {Promise<Vantage>}
   */
  static async open(url, options) {
    return start(new URL(url, base()).href, options);
  }

  /**
   * An engine with an encoder and no documents, for texts of the page's own;
   * with the encoder null, one that evaluates and does nothing else.
   * @param {import('../lib/index.d.ts').CreateOptions} options
   * @returns {Promise<Vantage>}
   */
  static async create(options) {
    if (options?.encoder === undefined) {
      throw new VantageError(
        "create needs an encoder: create({ encoder: 'model/' }), or encoder: null to evaluate only",
      );
    }
    return start(null, options);
  }

  /** Use Vantage.open or Vantage.create. */
  constructor(session) {
    this.#session = session;
    /** Whether the engine runs in a worker rather than in the page. */
    this.inWorker = session.engine.inWorker;
  }

  /** Name, size, model and filter fields of the collection. */
  get info() {
    return this.#session.info;
  }

  /** Resolves when all vectors have arrived; rejects with the first fault. */
  get ready() {
    return this.#session.ready;
  }

  /** Rows that answers are drawn from now, and rows of the whole collection. */
  get coverage() {
    return this.#session.coverage;
  }

  /**
   * Ranks; over what has arrived, where vectors still stream in.
   * @param {import('../lib/index.d.ts').SearchQuery} query
   * @returns {Promise<import('../lib/index.d.ts').SearchResult>}
   */
  async search(query) {
    return search(this.#session, query ?? null);
  }

  /**
   * Ranks texts that are given with the question.
   * @param {Iterable<string>} texts
   * @param {import('../lib/index.d.ts').RerankQuery} query
   * @returns {Promise<import('../lib/index.d.ts').RerankResult>}
   */
  async rerank(texts, query) {
    return rerank(this.#session, texts, query ?? null);
  }

  /** Root and perspective in the wording of a query, or null. */
  async split(text) {
    return this.#session.use((engine) => engine.split(text));
  }

  /** The vector of a text by the encoder; of a list of texts, a list. */
  async encode(text, role = 'query') {
    return this.#session.use(async (_, encode) =>
      Array.isArray(text) ? encode(text, role) : (await encode([text], role))[0],
    );
  }

  /**
   * Adds documents, all or none, to every later answer; returns their numbers.
   * @param {Iterable<import('../lib/index.d.ts').LocalDocument>} documents
   * @param {{signal?: AbortSignal}} [options]
   */
  async add(documents, { signal } = {}) {
    return this.#session.add(documents, signal);
  }

  /**
   * Takes documents out of every later answer by their ids, all or none.
   * @param {Iterable<string>} ids
   * @param {{signal?: AbortSignal}} [options]
   */
  async remove(ids, { signal } = {}) {
    return this.#session.remove(ids, signal);
  }

  /** Saves the added documents in the browser's storage; returns how many. */
  async save(name = 'default') {
    return this.#session.save(name);
  }

  /**
   * Adds the documents saved under a name, all or none; returns their numbers.
   * @param {string} [name]
   * @param {{signal?: AbortSignal}} [options]
   */
  async restore(name = 'default', { signal } = {}) {
    return this.#session.restore(name, signal);
  }

  /** Names under which pages of this site have saved documents. */
  static async saved() {
    return names();
  }

  /** Removes what is saved under a name; whether there was anything. */
  static async forget(name = 'default') {
    return remove(name);
  }

  /**
   * Ranks one list of vectors for many queries by several methods.
   * @param {import('../lib/evaluate/evaluation.d.ts').Questions} questions
   * @returns {Promise<{[method: string]: number[][]}>}
   */
  async rankings({ signal, ...questions } = /** @type {any} */ ({})) {
    return this.#session.use((engine) => engine.measure('rankings', questions, signal));
  }

  /**
   * Judges rankings by the metrics of perspective-aware retrieval.
   * @param {import('../lib/evaluate/evaluation.d.ts').Judged} queries
   * @returns {Promise<import('../lib/evaluate/evaluation.d.ts').Judgement>}
   */
  async judge(queries) {
    return this.#session.use((engine) => engine.measure('judge', queries));
  }

  /**
   * Shares of what queries found, by label.
   * @param {import('../lib/evaluate/evaluation.d.ts').Found} queries
   * @returns {Promise<import('../lib/evaluate/evaluation.d.ts').Portions>}
   */
  async portions(queries) {
    return this.#session.use((engine) => engine.measure('portions', queries));
  }

  /**
   * Evaluates a run in TREC's format as trec_eval does.
   * @param {import('../lib/evaluate/evaluation.d.ts').EvaluateOptions} options
   * @returns {Promise<import('../lib/evaluate/evaluation.d.ts').Evaluation>}
   */
  async evaluate({ signal, ...options } = /** @type {any} */ ({})) {
    return this.#session.use((engine) => engine.measure('evaluate', options, signal));
  }

  /**
   * Tests whether runs differ.
   * @param {import('../lib/evaluate/evaluation.d.ts').CompareOptions} options
   * @returns {Promise<import('../lib/evaluate/evaluation.d.ts').Comparison[]>}
   */
  async compare({ signal, ...options } = /** @type {any} */ ({})) {
    return this.#session.use((engine) => engine.measure('compare', options, signal));
  }

  /**
   * Whole documents, metadata included, by their number (`index` of a hit).
   * @param {Iterable<number>} indexes
   * @param {{signal?: AbortSignal}} [options]
   */
  async documents(indexes, { signal } = {}) {
    return this.#session.documents(indexes, signal);
  }

  /** Bytes in use by the engine, and bytes the browser has reserved for it. */
  async memory() {
    return this.#session.use((engine) => engine.memory());
  }

  /** What the engine's worker has fetched; the page's own timeline has the rest. */
  async downloads() {
    return this.#session.use((engine) => engine.downloads());
  }

  /** Ends the engine; every later call fails with a ClosedError. */
  close() {
    this.#session.close();
  }
}

// Relative addresses are the page's, wherever the engine runs.
async function start(url, options) {
  const { worker, workers, core, kernel, shim, encoder, maxBytes, patience, signal, onProgress } = options ?? {};
  const modules = Object.fromEntries(
    Object.entries({ core, kernel, shim })
      .filter(([, source]) => source !== undefined)
      .map(([name, source]) => [
        name,
        typeof source === 'string' || source instanceof URL ? new URL(source, base()).href : source,
      ]),
  );
  const own = isObject(encoder) ? encoder : null;
  if (url === null) await own?.ready; // its model is the engine's
  const model = own
    ? { id: String(own.id ?? 'custom'), revision: String(own.revision ?? ''), kind: 'external', dim: own.dim }
    : undefined;
  const engine = { modules, encoder: engineSources(encoder, base()), model, maxBytes, patience, signal, onProgress };
  return new Vantage(await Session.start(url, engine, { worker, workers, encoder: own }));
}
