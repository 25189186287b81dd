// A collection in one engine: opens it, loads its shards, answers queries. This
// runs in the worker, or in the page if there is none.

import { Core } from '../engine/core.js';
import { MAXSIM } from '../constants.js';
import { ClosedError } from '../errors.js';
import { loadModules } from '../engine/modules.js';
import { Wording } from '../engine/wording.js';
import { Measures } from '../evaluate/measures.js';
import { operation } from '../worker/operations.js';
import { filesOf } from '../worker/share.js';
import { Changes } from './changes.js';
import { CollectionEncoder, UNKNOWN } from './encoder.js';
import { Files } from './files.js';
import { Lexicon } from './lexicon.js';
import { Progress } from './progress.js';
import { Ranker } from './ranker.js';
import { Store } from './store.js';
import { Surveyor } from './surveyor.js';
import { Vectors } from './vectors.js';

/**
 * @import { CollectionInfo, Coverage, Progress as Report, TextRole } from '../../lib/index.d.ts'
 * @import { ModuleSources } from '../engine/modules.js'
 * @import { EncoderSources } from './encoder.js'
 * @import { Canary, Manifest, Model } from './manifest.js'
 */

/**
 * What an encoder must give.
 * @typedef {{role: TextRole, model: Model, canaries: Canary[], late: boolean}} Checks late: its vectors are those of a
 *   text's tokens, and a canary's is their mean
 */

/**
 * What the page receives when a collection is open.
 * @typedef {object} Opened
 * @property {CollectionInfo} info
 * @property {Coverage} coverage
 * @property {Checks} checks
 * @property {number} encoderDim 0: no encoder
 * @property {boolean} encoderLate it gives the vectors of a text's tokens, one after the
 * other
 * @property {boolean} encoderPending words answer meanwhile
 * @property {boolean} carries the collection has an encoder
 */

/**
 * @typedef {object} EngineOptions
 * @property {ModuleSources} [modules] sources of core, kernel and shim
 * @property {EncoderSources|null} [encoder] sources of a static encoder's files to use
 *   in place of the collection's; null: none is needed here
 * @property {Model} [model] of a collection without documents whose encoder is the page's
 * @property {Manifest} [manifest] of the collection, if the page has read it
 * @property {import('../worker/share.js').Share} [share] of the vectors that this
 *   engine holds; left out: all
 * @property {number} [maxBytes]
 * @property {AbortSignal} [signal]
 * @property {number} [patience] milliseconds of a worker's silence; see remote.js
 * @property {(progress: Report) => void} [onProgress]
 */

export class Collection {
  /** @type {Promise<void>} settles when all shards and the encoder have loaded; rejects with the first fault */
  ready = Promise.resolve();
  encoderPending = false; // words answer meanwhile
  /**
   * @type {(() => void)|null} called if the collection's encoder has come after all: it could not be fetched before, or
   * was not needed
   */
  onEncoder = null;
  /**
   * @type {((error: import('../errors.js').LostInstanceError) => void)|null} never called: the engine runs in this
   * thread
   */
  onLost = null;

  /**
   * Resolves once queries can be answered: when the manifest has loaded, and the encoder unless
   * words answer meanwhile. The vectors continue to load; see `ready`.
   * @param {string|null} url absolute, of the collection's folder; null: a
   *   collection without documents
   * @param {EngineOptions} [options]
   */
  static async open(url, options = {}) {
    const { modules, manifest, maxBytes, signal } = options;
    const stop = new AbortController();
    const chain = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', chain, { once: true });
    /** @type {Collection|undefined} */
    let collection;
    try {
      signal?.throwIfAborted();
      const [core, store] = await Promise.all([
        loadModules(modules, stop.signal).then((compiled) => Core.boot(compiled, { maxBytes })),
        url === null ? null : Store.open(url, stop.signal, manifest),
      ]);
      collection = new Collection(core, store, stop, options);
      await collection.start();
      return collection;
    } catch (error) {
      stop.abort(error); // no download outlives a failed opening
      collection?.close();
      signal?.throwIfAborted();
      throw error;
    }
  }

  /** The engine runs in its caller's thread. */
  inWorker = false;

  /**
   * @param {Core} core
   * @param {Store|null} store
   * @param {AbortController} stop
   * @param {EngineOptions} options
   */
  constructor(core, store, stop, { encoder, model, share, onProgress }) {
    this.core = core;
    this.stop = stop;
    this.closing = new AbortController();
    this.manifest = store?.manifest ?? blank(model);
    const reads = filesOf(this.manifest, encoder, share);
    this.progress = new Progress(reads, onProgress);
    // Each operation is a method of one of these: see operations.js.
    this.files = new Files(store, this.progress, stop.signal, this.closing.signal);
    this.vectors = new Vectors(core, this.manifest, this.files, reads.shards, share);
    this.angles = this.vectors.angles;
    this.changes = new Changes(this.vectors);
    this.ranker = new Ranker(this.vectors);
    this.surveyor = new Surveyor(this.vectors);
    this.lexicon = new Lexicon(this.vectors, this.files);
    this.encoder = new CollectionEncoder(this.vectors, this.files, encoder, reads.reader, () => this.onEncoder?.());
    this.wording = new Wording(core, this.encoder);
    this.measures = new Measures(core);
  }

  async start() {
    this.encoder.start();
    // Words answer while the encoder is still loading, if there are any.
    this.encoderPending = Boolean(this.files.store && this.lexicon.words && this.encoder.loads);
    const loaded = this.vectors.load(this.encoderPending ? this.encoderReady : null);
    this.ready = Promise.all([loaded, this.encoderReady, this.encoder.readable]).then(() => {});
    this.ready.catch(() => {}); // whoever awaits it gets the error
    if (!this.encoderPending) return this.encoderReady;
    this.encoderReady
      .catch(() => {})
      .then(() => {
        this.encoderPending = false;
      });
  }

  /** Settles when the encoder has loaded, or there is none. */
  get encoderReady() {
    return this.encoder.ready;
  }

  /** Whether the encoder could not be fetched, and perhaps can be later. */
  get encoderBroke() {
    return this.encoder.broke;
  }

  get coverage() {
    return this.vectors.coverage;
  }

  /** @returns {Opened} */
  get opened() {
    const { model, canaries, query_model, query_canaries } = this.manifest;
    /** @type {Checks} */
    const checks = query_model
      ? { role: 'query', model: query_model, canaries: query_canaries ?? [], late: false }
      : { role: 'document', model, canaries, late: this.manifest.score === MAXSIM };
    return {
      info: this.info,
      coverage: this.coverage,
      checks,
      encoderDim: this.encoder.current?.dim ?? (this.encoderPending ? this.manifest.dim : 0),
      encoderLate: !this.encoder.sources && this.manifest.model.kind === 'pack' && checks.late,
      encoderPending: this.encoderPending,
      carries: Boolean(this.manifest.encoder),
    };
  }

  /**
   * The collection's properties, for the page.
   * @returns {CollectionInfo}
   */
  get info() {
    const { name = '', generator = '', documents, rows, dim, dtype, score, model, columns } = this.manifest;
    const fields = (columns?.fields ?? []).map(({ name, type, values }) => ({ name, type, values }));
    return {
      name,
      generator,
      documents,
      rows,
      dim,
      dtype,
      score: score || 'cosine',
      model,
      encodes: this.encoder.current !== null,
      words: this.lexicon.words !== null,
      angles: this.manifest.angles?.dim ?? 0,
      close: this.manifest.close ?? 0,
      chosen: chosenOf(this.manifest),
      fields,
      bytes: this.progress.total,
    };
  }

  /**
   * Runs one of OPERATIONS.
   * @template {import('../worker/operations.js').Name} N
   * @param {N} name
   * @param {import('../worker/operations.js').Args<N>} args
   * @param {AbortSignal} [signal]
   * @returns {Promise<import('../worker/operations.js').Result<N>>}
   */
  async call(name, args, signal) {
    /** @type {any} any: Result has the type of each method */
    const part = this[operation(name).by];
    return part[name](...args, signal);
  }

  close() {
    this.discard(new ClosedError('the collection was closed'));
  }

  /**
   * Ends the engine; calls under way and later ones fail with this error.
   * @param {import('../errors.js').VantageError} error
   */
  discard(error) {
    this.stop.abort(error);
    this.closing.abort(error);
    this.core.close(error);
  }
}

/**
 * What judged queries chose, for the page.
 * @param {Manifest} manifest
 * @returns {CollectionInfo['chosen']}
 */
function chosenOf({ auto }) {
  return auto ? { on: auto.chosen_on, measured: auto.measured_on, before: auto.before, after: auto.after } : null;
}

/**
 * The manifest of an engine without documents.
 * @param {Model} [model]
 * @returns {Manifest}
 */
function blank(model = UNKNOWN) {
  return { documents: 0, rows: 0, dim: model.dim, dtype: 'F32', model, canaries: [], vectors: [], docs: [] };
}
