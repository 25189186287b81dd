// A collection in one engine: opens it, streams its shards in, answers.
// This runs in the worker, or in the page where there is none.

import * as abi from './abi.js';
import { Core } from './core.js';
import { downloads } from './downloads.js';
import { Encoder } from './encoder.js';
import { ClosedError, FormatError, LostInstanceError, QueryError, VantageError } from './errors.js';
import { concat } from './gunzip.js';
import { loadBytes, loadModules } from './modules.js';
import { Progress } from './progress.js';
import { Rows } from './rows.js';
import { readColumns } from './safetensors.js';
import { sha256 } from './sha256.js';
import { Store } from './store.js';

/** Shards under way at a time: browsers hold six connections to an HTTP/1 host. */
const PARALLEL = 4;

/** Most bytes of one file of an encoder that the page names. */
const ENCODER_LIMIT = 2 ** 30;

/**
 * @typedef {object} EngineOptions
 * @property {object} [modules] sources of core, kernel and shim
 * @property {object|null} [encoder] sources of a static encoder's files to use
 *   in place of the collection's; null: none is needed here
 * @property {{id: string, revision: string, dim: number}} [model] of a collection
 *   without documents whose encoder is the page's
 * @property {number} [maxBytes]
 * @property {AbortSignal} [signal]
 * @property {(progress: object) => void} [onProgress]
 */

export class Collection {
  /**
   * Resolves once queries can be answered: manifest and encoder read. The
   * vectors go on streaming in; see `ready`.
   * @param {string|null} url absolute, of the collection's folder; null: a
   *   collection without documents
   * @param {EngineOptions} [options]
   */
  static async open(url, options = {}) {
    const { modules, maxBytes, signal } = options;
    const stop = new AbortController();
    const chain = () => stop.abort(signal.reason);
    signal?.addEventListener('abort', chain, { once: true });
    let collection;
    try {
      signal?.throwIfAborted();
      const [core, store] = await Promise.all([
        loadModules(modules, stop.signal).then((compiled) => Core.boot(compiled, { maxBytes })),
        url === null ? null : Store.open(url, stop.signal),
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

  /** The engine runs where its caller does. */
  inWorker = false;

  constructor(core, store, stop, { encoder, model, onProgress }) {
    this.core = core;
    this.store = store;
    this.stop = stop;
    this.sources = encoder;
    this.manifest = store?.manifest ?? { documents: 0, rows: 0, dim: model?.dim, dtype: 'F32', model, canaries: [], vectors: [], docs: [] };
    this.progress = new Progress(this.manifest, onProgress);
    this.encoder = null;
    this.rows = null;
    this.live = 0; // rows that can be searched
    this.added = 0; // rows added at run time, and not removed
    this.removed = new Set(); // rows of the collection, arrived or not
    if (this.manifest.dim) this.openRows();
  }

  openRows() {
    const { dim, dtype, rows } = this.manifest;
    this.rows = new Rows(this.core, dim, dtype === 'I8' ? abi.ROWS_I8 : abi.ROWS_F32, rows);
  }

  async start() {
    const encoder = this.loadEncoder();
    this.columns = this.loadColumns();
    /** Settles when all shards are in; rejects with the first fault. */
    this.ready = this.loadShards();
    for (const promise of [this.columns, this.ready]) promise.catch(() => {}); // reported where they are awaited
    await encoder;
  }

  async loadEncoder() {
    const files = this.sources === undefined ? await this.carriedEncoder() : await this.givenEncoder();
    if (!files) return;
    this.encoder = naming('encoder', () => new Encoder(this.core, files));
    if (this.manifest.model) return;
    const { id = 'custom', revision } = this.sources;
    const hash = async () => (await sha256(concat([files.tokenizer, files.weights, files.config], files.tokenizer.length + files.weights.length + files.config.length))).slice(0, 16);
    this.manifest.dim = this.encoder.dim;
    this.manifest.model = { id, revision: revision ?? (await hash()), kind: 'static', dim: this.encoder.dim };
    this.openRows();
  }

  carriedEncoder() {
    return this.manifest.encoder ? byPart(this.manifest.encoder, (file) => this.read(file)) : null;
  }

  givenEncoder() {
    return this.sources && byPart(this.sources, (source, part) => loadBytes(`encoder's ${part}`, source, ENCODER_LIMIT, this.stop.signal));
  }

  async loadColumns() {
    const { columns } = this.manifest;
    if (!columns) return;
    const tensors = readColumns(await this.read(columns.file), columns.file.path);
    columns.fields.forEach((field, i) => {
      const values = tensors.get(field.tensor);
      const Type = field.type === 'string' ? Uint32Array : Float64Array;
      if (!(values instanceof Type) || values.length !== this.manifest.rows) {
        throw new FormatError(`${columns.file.path}: no tensor ${JSON.stringify(field.tensor)} of ${this.manifest.rows} values for field ${JSON.stringify(field.name)}: index the corpus again`);
      }
      this.rows.setColumn(i, 0, values);
    });
  }

  // A shard that fails does not keep the others from arriving: what is there
  // can be searched, and the answer says how much that is.
  async loadShards() {
    const queue = [...this.manifest.vectors];
    let fault;
    const take = async () => {
      for (let shard = queue.shift(); shard; shard = queue.shift()) {
        try {
          const file = await this.read(shard);
          const rows = naming(shard.path, () => this.rows.load(shard.first_row, file));
          this.live += rows;
          for (const row of this.removed) if (row >= shard.first_row && row < shard.first_row + rows) this.take(row);
          this.progress.arrived(rows);
        } catch (error) {
          fault ??= error;
          if (this.stop.signal.aborted || this.core.lost) return;
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, take));
    this.progress.finish();
    if (fault) throw fault;
  }

  read(file) {
    return this.store.read(file, { signal: this.stop.signal, onBytes: (bytes) => this.progress.received(bytes) });
  }

  /** What the page is told when the collection is open. */
  get opened() {
    return { info: this.info, coverage: this.coverage, canaries: this.manifest.canaries, encoderDim: this.encoder?.dim ?? 0 };
  }

  /** What the page may know of the collection. */
  get info() {
    const { name = '', generator = '', documents, rows, dim, dtype, model, columns } = this.manifest;
    const fields = (columns?.fields ?? []).map(({ name, type, values }) => ({ name, type, values }));
    return { name, generator, documents, rows, dim, dtype, model, encodes: this.encoder !== null, fields, bytes: this.progress.total };
  }

  /** Rows that answers are drawn from now, and rows of the whole collection. */
  get coverage() {
    return { rows: this.live, total: this.manifest.rows - this.removed.size + this.added };
  }

  /** Root and perspective in a query's wording, or null. */
  split(text) {
    return this.core.scoped((scope) => {
      const found = scope.reserve(abi.SplitInfo.size);
      if (this.core.checked('query_split', ...scope.text(text), found) === 0) return null;
      const field = abi.SplitInfo;
      const view = this.core.view(found, field.size);
      const read = (at, length) => this.core.text(view.getUint32(at, true), view.getUint32(length, true));
      return { root: read(field.root, field.rootLength), perspective: read(field.perspective, field.perspectiveLength) };
    });
  }

  /** Vectors of texts, and what became of their tokens. */
  encode(texts) {
    if (!this.encoder) throw new QueryError('no encoder is loaded');
    return texts.map((text) => this.encoder.encode(text));
  }

  /**
   * Hits over the rows that have arrived, and how many those are.
   * @param {import('./rows.js').Ranking} ranking
   */
  async rank(ranking) {
    if (ranking.filters.length > 0) await this.columns;
    const { coverage } = this;
    return { hits: this.rows.search(ranking), coverage };
  }

  /**
   * Hits over these vectors alone, as float32.
   * @param {Float32Array[]} vectors
   * @param {import('./rows.js').Ranking} ranking
   */
  rankAmong(vectors, ranking) {
    const rows = new Rows(this.core, this.manifest.dim, abi.ROWS_F32, 0);
    try {
      rows.add(vectors);
      return rows.search(ranking);
    } finally {
      rows.close();
    }
  }

  /**
   * Adds rows behind the collection's.
   * @param {Float32Array[]} vectors
   * @param {{column: number, values: Float64Array|Uint32Array}[]} columns one value for each row
   * @returns {{row: number, coverage: object}} the first one's row, which the others follow
   */
  add(vectors, columns) {
    const row = this.rows.add(vectors);
    this.live += vectors.length;
    this.added += vectors.length;
    for (const { column, values } of columns) this.rows.setColumn(column, row, values);
    return { row, coverage: this.coverage };
  }

  /** Takes rows out of every later answer, also those that have yet to arrive. */
  remove(rows) {
    for (const row of rows) {
      if (row < this.manifest.rows) this.removed.add(row);
      else this.added--;
      this.take(row);
    }
    return { coverage: this.coverage };
  }

  take(row) {
    if (this.rows.remove(row)) this.live--;
  }

  /** Indexes of the collection's documents that have these ids, null for none. */
  async find(ids, signal) {
    return this.store ? this.store.find(ids, signal) : ids.map(() => null);
  }

  async documents(indexes, signal) {
    return this.store ? this.store.documents(indexes, signal) : [];
  }

  /** One of the tasks of evaluation.js. */
  async measure(task, input, signal) {
    const { tasks } = await import('./evaluation.js');
    return tasks[task](this.core, input, signal);
  }

  memory() {
    return this.core.memory();
  }

  downloads() {
    return downloads();
  }

  close() {
    this.discard(new ClosedError('the collection was closed'));
  }

  /** Ends everything; calls under way and later ones fail with this error. */
  discard(error) {
    this.stop.abort(error);
    this.core.close(error);
  }
}

/** The three files of an encoder, each read from its source. */
async function byPart(sources, read) {
  const parts = ['tokenizer', 'weights', 'config'];
  const files = await Promise.all(parts.map((part) => read(sources[part], part)));
  return Object.fromEntries(parts.map((part, i) => [part, files[i]]));
}

/** Runs body; what the engine finds wrong gets the name of the file. */
function naming(file, body) {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof VantageError) || error instanceof LostInstanceError) throw error;
    throw new error.constructor(`${file}: ${error.message}`, { ...error, file });
  }
}
