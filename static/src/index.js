// Vantage: search by point of view over a collection on any static host.
//
//   import { Vantage } from './lib/index.js';
//   const vantage = await Vantage.open('collection/');
//   const { hits } = await vantage.search({ query: 'Find a claim that opposes the argument: ...' });
//
// Types and every option: index.d.ts.

import { rerank, search } from './query/answer.js';
import { otherSide } from './query/otherside.js';
import { sides, sidesOf, stances } from './query/sides.js';
import { ROLES, engineSources, isObject } from './collection/encoding.js';
import { moduleSources } from './engine/modules.js';
import { MAXSIM } from './constants.js';
import { InputError, QueryError, UnsupportedError } from './errors.js';
import { base } from './node.js';
import * as additions from './collection/additions.js';
import { Session } from './collection/session.js';
import { isText, shown } from './query/values.js';
import { saved } from './collection/storage.js';

export * from './errors.js';
export { shortest } from './query/float32.js';
export { METHODS } from './constants.js';

/**
 * @import { CollectionInfo, OpenOptions, SearchQuery, TextRole, Vantage as Declared } from '../lib/index.d.ts'
 * @import { EngineOptions } from './collection/collection.js'
 * @import { OwnEncoder } from './collection/session.js'
 * @import { None } from './worker/operations.js'
 */

/**
 * Public members that index.d.ts does not declare; the types do not compile if there is one.
 * @typedef {None<Exclude<keyof Vantage, keyof Declared> | Exclude<keyof typeof Vantage, keyof typeof Declared>>}
 *   Undeclared
 */

/** @implements {Declared} */
export class Vantage {
  #session;

  /** @type {typeof Declared.open} */
  static async open(url, options) {
    return Vantage.#start(new URL(url, base()).href, options);
  }

  /** @type {typeof Declared.create} */
  static async create(options) {
    if (options?.encoder === undefined) {
      throw new InputError("create needs an encoder: create({ encoder: 'model/' }), or encoder: null to evaluate only");
    }
    const { encoder } = options;
    if (encoder instanceof Vantage && encoder.info.score === MAXSIM) {
      throw new UnsupportedError(
        `create: the encoder of ${encoder.info.name || 'the collection'} gives each token a vector (maxsim), and a ` +
          'document that a page adds has one: give an encoder of whole texts',
      );
    }
    return Vantage.#start(null, options);
  }

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.inWorker = session.engine.inWorker;
  }

  get info() {
    const { info, fields, removals, local } = this.#session;
    return removals.length > 0 ? { ...info, fields: fields.held(local.entries) } : info;
  }

  get ready() {
    return this.#session.ready;
  }

  get coverage() {
    return this.#session.coverage;
  }

  /**
   * The encoder of this collection, for another one.
   * @returns {OwnEncoder}
   */
  get #encoder() {
    const { branch } = this.#session;
    const { id, revision = '', dim } = this.info.model;
    return {
      id,
      revision,
      dim,
      local: this.#session.encodesHere,
      ...(branch.dim > 0 && { branch }),
      encode: (texts, role, { signal } = {}) =>
        this.#session.use(async (_, encode) => (await encode(texts, role, signal)).map(({ vector }) => vector)),
    };
  }

  /**
   * The page's own encoder among what `encoder` may be; null if there is none.
   * @param {OpenOptions['encoder']|null} [encoder]
   * @returns {OwnEncoder|null}
   */
  static #own(encoder) {
    if (encoder instanceof Vantage) return encoder.#encoder;
    return isObject(encoder) ? /** @type {OwnEncoder} */ (encoder) : null;
  }

  /**
   * Resolves relative addresses against the page, wherever the engine runs.
   * @param {string|null} url
   * @param {Omit<OpenOptions, 'encoder'> & {encoder?: OpenOptions['encoder']|null}} [options]
   */
  static async #start(url, options) {
    const { worker, workers, core, kernel, shim, encoder, maxBytes, patience, signal, onProgress } = options ?? {};
    if (maxBytes !== undefined && !(maxBytes > 0)) {
      throw new InputError(`maxBytes: ${maxBytes} is not a number of bytes`);
    }
    // For a timer, a longer time is none.
    if (patience !== undefined && !(Number.isFinite(patience) && patience >= 0 && patience < 2 ** 31)) {
      throw new InputError(`patience: ${patience} is not a number of milliseconds from 0 (never) to ${2 ** 31 - 1}`);
    }
    const own = Vantage.#own(encoder);
    if (url === null) await own?.ready; // the engine takes the encoder's model
    /** @type {CollectionInfo['model']|undefined} */
    const model = own
      ? { id: String(own.id ?? 'custom'), revision: String(own.revision ?? ''), kind: 'external', dim: own.dim }
      : undefined;
    /** @type {EngineOptions} */
    const engine = {
      modules: moduleSources({ core, kernel, shim }, base()),
      encoder: engineSources(encoder, base()),
      model,
      maxBytes,
      patience,
      signal,
      onProgress,
    };
    return new Vantage(await Session.start(url, engine, { worker, workers, encoder: own }));
  }

  /** @type {Declared['search']} */
  async search(query) {
    return search(this.#session, query ?? null);
  }

  /**
   * @param {Iterable<import('../lib/index.d.ts').RerankText>} texts
   * @param {import('../lib/index.d.ts').RerankQuery} query
   * @returns {Promise<any>} any: a RerankResult, with explained hits unless `explain` is
   *   false
   */
  async rerank(texts, query) {
    return rerank(this.#session, texts, query ?? null);
  }

  /** @type {Declared['split']} */
  async split(text) {
    return this.#session.use((engine) => engine.call('split', [text]));
  }

  /**
   * @param {string|readonly string[]} text
   * @param {TextRole} [role]
   * @param {{angle?: boolean}} [options]
   * @returns {Promise<any>} any: an Encoding for a text, a list of them for a
   *   list
   */
  async encode(text, role = 'query', { angle = false } = {}) {
    const texts = Array.isArray(text) ? [...text] : [text];
    if (!texts.every(isText)) throw new QueryError('encode takes a text or a list of texts');
    if (!ROLES.includes(role)) throw new QueryError(`no role ${shown(role)}: there is ${ROLES.join(', ')}`);
    const encoded = await (angle
      ? this.#session.branch.encode(texts, role)
      : this.#session.use((_, encode) => encode(texts, role)));
    return Array.isArray(text) ? encoded : encoded[0];
  }

  /** @type {Declared['stance']} */
  async stance(perspective) {
    const side = await this.#session.use((engine) => engine.call('stance', [perspective]));
    return side === 0 ? null : side > 0 ? 'for' : 'against';
  }

  /** @type {Declared['sides']} */
  async sides(root, options) {
    return sides(this.#session, root, options ?? {});
  }

  /** @type {Declared['sidesOf']} */
  async sidesOf(root, texts, options) {
    return sidesOf(this.#session, root, texts, options ?? {});
  }

  /** @type {Declared['stances']} */
  async stances(root, documents, { signal } = {}) {
    return stances(this.#session, root, documents, signal);
  }

  /** @type {Declared['otherSide']} */
  async otherSide(document, options) {
    return otherSide(this.#session, document, options ?? {});
  }

  /** @type {Declared['add']} */
  async add(documents, options) {
    return additions.add(this.#session, documents, options);
  }

  /** @type {Declared['remove']} */
  async remove(ids, { signal } = {}) {
    return additions.remove(this.#session, ids, signal);
  }

  /** @type {Declared['save']} */
  async save(name = 'default') {
    return additions.save(this.#session, name);
  }

  /** @type {Declared['restore']} */
  async restore(name = 'default', { signal } = {}) {
    return additions.restore(this.#session, name, signal);
  }

  /** @type {typeof Declared.saved} */
  static async saved() {
    return saved.names();
  }

  /** @type {typeof Declared.forget} */
  static async forget(name = 'default') {
    return saved.remove(name);
  }

  /** @type {Declared['rankings']} */
  async rankings(questions) {
    return this.#measure('rankings', questions);
  }

  /** @type {Declared['judge']} */
  async judge(queries) {
    return this.#measure('judge', queries);
  }

  /** @type {Declared['portions']} */
  async portions(queries) {
    return this.#measure('portions', queries);
  }

  /** @type {Declared['evaluate']} */
  async evaluate(options) {
    return this.#measure('evaluate', options);
  }

  /** @type {Declared['compare']} */
  async compare(options) {
    return this.#measure('compare', options);
  }

  /**
   * Separates the signal from the input, because a signal cannot be sent to a
   * worker.
   * @param {import('./evaluate/measures.js').Task} task
   * @param {object} input
   */
  #measure(task, input) {
    const { signal, qrels, run, runs, ...rest } = /** @type {any} any: the task checks it */ (input ?? {});
    const sent = { ...rest, qrels: named(qrels), run: named(run), runs: runs?.map?.(named) };
    return this.#session.use((engine) => engine.call('measure', [task, sent], signal));
  }

  /** @type {Declared['documents']} */
  async documents(indexes, { signal } = {}) {
    return this.#session.documents(indexes, signal);
  }

  async memory() {
    return this.#session.use((engine) => engine.call('memory', []));
  }

  async downloads() {
    return this.#session.use((engine) => engine.call('downloads', []));
  }

  close() {
    this.#session.close();
  }
}

/**
 * A File with its name beside it, which Node.js 20 does not send to a thread. Other values stay as they are.
 * @param {unknown} value
 */
function named(value) {
  return value instanceof Blob ? { name: /** @type {File} */ (value).name, content: value } : value;
}
