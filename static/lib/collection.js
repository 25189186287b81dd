// A collection in one engine: opens it, streams its shards in, answers.
// This runs in the worker, or in the page where there is none.

import * as abi from './abi.js';
import { Core } from './core.js';
import { Encoder } from './encoder.js';
import { ClosedError, FormatError, LostInstanceError, QueryError, VantageError } from './errors.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { loadModules } from './modules.js';
import { Progress } from './progress.js';
import { normalize, toVectors } from './query.js';
import { Rows } from './rows.js';
import { readColumns } from './safetensors.js';
import { Store } from './store.js';

/** Shards under way at a time: browsers hold six connections to an HTTP/1 host. */
const PARALLEL = 4;

export class Collection {
  /**
   * Resolves once queries can be answered: manifest read, encoder checked.
   * The vectors go on streaming in; see `ready`.
   * @param {string} url absolute, of the collection's folder
   * @param {{modules?: object, maxBytes?: number, signal?: AbortSignal, onProgress?: (p: object) => void}} [options]
   */
  static async open(url, { modules, maxBytes, signal, onProgress } = {}) {
    const stop = new AbortController();
    const chain = () => stop.abort(signal.reason);
    signal?.addEventListener('abort', chain, { once: true });
    let collection;
    try {
      signal?.throwIfAborted();
      const [core, store] = await Promise.all([
        loadModules(modules, stop.signal).then((compiled) => Core.boot(compiled, { maxBytes })),
        Store.open(url, stop.signal),
      ]);
      collection = new Collection(core, store, stop, onProgress);
      await collection.start();
      return collection;
    } catch (error) {
      stop.abort(error); // no download outlives a failed opening
      collection?.close();
      signal?.throwIfAborted();
      throw error;
    }
  }

  constructor(core, store, stop, onProgress) {
    this.core = core;
    this.store = store;
    this.manifest = store.manifest;
    this.stop = stop;
    this.progress = new Progress(this.manifest, onProgress);
    this.rows = new Rows(core, this.manifest.dim, this.manifest.dtype === 'I8' ? abi.ROWS_I8 : abi.ROWS_F32, this.manifest.rows);
    this.encoder = null;
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
    const files = this.manifest.encoder;
    if (!files) return;
    const [tokenizer, weights, config] = await Promise.all([files.tokenizer, files.weights, files.config].map((file) => this.read(file)));
    const encoder = naming('encoder', () => new Encoder(this.core, { tokenizer, weights, config }));
    encoder.check(this.manifest.canaries, this.manifest.model);
    this.encoder = encoder;
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
      this.rows.setColumn(i, values);
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
          this.progress.arrived(naming(shard.path, () => this.rows.load(shard.first_row, file)));
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

  /** What the page may know of the collection. */
  get info() {
    const { name = '', generator = '', documents, rows, dim, dtype, model, encoder, columns } = this.manifest;
    const fields = (columns?.fields ?? []).map(({ name, type, values }) => ({ name, type, values }));
    return { name, generator, documents, rows, dim, dtype, model, encodes: encoder != null, fields, bytes: this.progress.total };
  }

  /** Rows that answers are drawn from now, and rows of the whole collection. */
  get coverage() {
    return { rows: this.progress.rows, total: this.manifest.rows };
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

  /** A text's vector, and what became of its tokens. */
  encode(text) {
    if (!this.encoder) throw new QueryError('this collection carries no encoder: give vectors in place of texts');
    return this.encoder.encode(text);
  }

  /** @see SearchQuery and SearchResult in index.d.ts */
  async search(request, signal) {
    const started = performance.now();
    signal?.throwIfAborted();
    const query = normalize(request, (text) => this.split(text));
    const filters = compileFilter(request.filter, this.manifest.columns?.fields ?? []);
    if (filters.length > 0) await this.columns;
    const vectors = toVectors(query, (text) => this.encode(text), this.manifest.dim);
    const encoded = performance.now();
    const { coverage } = this;
    const hits = this.rows.search({ ...vectors, lambda: query.lambda, k: query.k, mmr: query.mmr, filters });
    const ranked = performance.now();
    const documents = await this.store.documents(hits.map((hit) => hit.document), signal);
    return {
      method: vectors.method,
      lambda: shortest(Math.fround(query.lambda)),
      k: query.k,
      encoder: { id: this.manifest.model.id, revision: this.manifest.model.revision ?? '' },
      hits: hits.map((hit, i) => present(hit, i + 1, documents[i])),
      coverage,
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: ranked - encoded, documents: performance.now() - ranked },
    };
  }

  documents(indexes, signal) {
    return this.store.documents(indexes, signal);
  }

  memory() {
    return this.core.memory();
  }

  close() {
    const closed = new ClosedError('the collection was closed');
    this.stop.abort(closed);
    this.core.close(closed);
  }
}

function present(hit, rank, { _id, title, text }) {
  const explain = {};
  for (const name of ['x', 'y', 'norm', 'numerator', 'denominator', 'cosine']) explain[name] = shortest(hit[name]);
  explain.cosine_rank = hit.cosineRank;
  return { rank, id: _id, index: hit.document, score: shortest(hit.score), title, text, explain };
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
