// A collection in one engine: opens it, loads its shards, answers queries. This
// runs in the worker, or in the page if there is none.

import * as abi from '../engine/abi.js';
import { choose } from '../engine/auto.js';
import { Columns } from './columns.js';
import { Core, naming } from '../engine/core.js';
import { downloads } from './downloads.js';
import { AUTO, MAXSIM } from '../constants.js';
import { ClosedError, QueryError, UnavailableError } from '../errors.js';
import { Encoder } from '../engine/encoder.js';
import { describe, fetchFiles, openEncoder, readFiles } from '../engine/files.js';
import { loadModules } from '../engine/modules.js';
import { judge } from '../evaluate/judge.js';
import { portions } from '../evaluate/portions.js';
import { rankings } from '../evaluate/rankings.js';
import { compare, evaluate } from '../evaluate/trec.js';
import { isPack } from './manifest/model.js';
import { Pack } from './pack.js';
import { Progress } from './progress.js';
import { Rows } from '../engine/rows.js';
import { survey, tell, vectorsOf } from '../engine/sides.js';
import { filesOf } from '../worker/share.js';
import { Store } from './store.js';
import { Tokens } from '../engine/tokens.js';
import { Words, fuse, holds, noWords, shares } from '../engine/words.js';

/**
 * The model of an engine without documents, until an encoder is known: such an engine cannot
 * encode or search.
 * @type {Model}
 */
const UNKNOWN = { id: '', kind: 'external', dim: 0, normalize: false };

/** Shards that load at a time: browsers open six connections to an HTTP/1 host. */
const PARALLEL = 4;

/** Shards that load at a time while the encoder loads and words answer. */
const BESIDE_ENCODER = 2;

/**
 * The sides that a query may ask for, as the core numbers them.
 * @type {Reading['side'][]}
 */
const SIDES = [null, 'for', 'against'];
/** Stands for any angle where it only matters that one is needed. */
const NONE = new Float32Array();

/** The functions of `measure`, by name. */
const MEASURES = { compare, evaluate, judge, portions, rankings };

/** @typedef {keyof typeof MEASURES} Task */

/**
 * @import { CollectionInfo, Coverage, Document, Progress as Report, Reading, TextRole } from '../../lib/index.d.ts'
 * @import { Asked } from '../engine/auto.js'
 * @import { ModuleSources } from '../engine/modules.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { Poll, Root } from '../engine/sides.js'
 * @import { TokenQuery } from '../engine/tokens.js'
 * @import { WordHit } from '../engine/words.js'
 * @import { EncoderFiles } from '../engine/files.js'
 * @import { Model as EngineModel } from '../engine/model.js'
 * @import { Condition } from '../query/filter.js'
 * @import { EngineEncoding } from './encoding.js'
 * @import { ColumnValues } from './fields.js'
 * @import { CarriedEncoder, Canary, Manifest, Model, Shard, StoredFile } from './manifest.js'
 */

/**
 * Of a static encoder that the page names.
 * @typedef {EncoderFiles<import('../../lib/index.d.ts').FileSource> & {id?: string, revision?: string}} EncoderSources
 */

/**
 * What an encoder must give.
 * @typedef {{role: TextRole, model: Model, canaries: Canary[], late: boolean}} Checks late: its vectors are those of a
 *   text's tokens, and a canary's is their mean
 */

/**
 * What an encoder says about angles: its tables, such as wordings of for and against.
 * @typedef {object} Hearing
 * @property {string} id of the encoder
 * @property {string} problem why it gives none; empty: it does
 * @property {{[name: string]: number[]}} numbers
 * @property {{[name: string]: string[]}} texts
 */

/**
 * What the page receives when a collection is open.
 * @typedef {object} Opened
 * @property {CollectionInfo} info
 * @property {Coverage} coverage
 * @property {Checks} checks
 * @property {number} encoderDim 0: no encoder
 * @property {boolean} encoderLate it gives the vectors of a text's tokens, one behind the other
 * @property {boolean} encoderPending words answer meanwhile
 * @property {boolean} carries the collection has an encoder
 */

/**
 * Which documents may be hits by words: a byte for each; or those of the
 * collection that meet the filters, and these of the count that were added, from 0.
 * @typedef {{keep: Uint8Array, filters?: undefined}|{filters: Condition[], added: number[], count: number}} Keep
 */

/** @typedef {{row: number, angle: Float32Array}} Slant the angle of a row that was added */

/**
 * The contribution of an engine that holds a part of the rows to an answer.
 * @typedef {object} Part
 * @property {Float32Array} [gate] scores that the cut of a gated method is found from
 * @property {Hit[]} hits
 * @property {Uint8Array|null} [records] of the hits, for MMR
 * @property {Uint8Array|null} [documents] on request, a byte for each: whether it may be a hit
 * @property {Coverage} coverage
 * @property {number} version of the rows
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
  /** @type {Rows} of the collection, or none: any, because only engines with vectors receive calls that need rows */
  rows = /** @type {any} */ (null);
  /** @type {Promise<void>} settles when the encoder has loaded, or there is none */
  encoderReady = Promise.resolve();
  /** @type {Promise<void>} settles when all shards and the encoder have loaded; rejects with the first fault */
  ready = Promise.resolve();
  /** @type {Promise<void>} settles when the columns have loaded */
  columns = Promise.resolve();
  encoderPending = false; // words answer meanwhile
  encoderBroke = false; // it could not be fetched, and perhaps can be later
  /** @type {(() => void)|null} called if an encoder that could not be fetched has come after all */
  onEncoder = null;
  /**
   * @type {((error: import('../errors.js').LostInstanceError) => void)|null} never called: the engine runs in this
   * thread
   */
  onLost = null;

  /**
   * Resolves once queries can be answered, when manifest and encoder have
   * loaded. The vectors continue to load; see `ready`.
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
    this.store = store;
    this.stop = stop;
    this.sources = encoder;
    this.manifest = store?.manifest ?? blank(model);
    this.share = share;
    const reads = filesOf(this.manifest, encoder, share);
    this.shards = reads.shards;
    this.progress = new Progress(reads, onProgress);
    /** @type {Encoder|EngineModel|null} */
    this.encoder = null;
    /** @type {Pack|null} of the encoder, as far as it has been read */
    this.pack = null;
    this.branch = false; // whether the encoder's branch was asked for
    /** Files with angles of this engine's rows that it has not read. */
    this.angles = anglesOf(this.manifest, this.shards);
    /** @type {Promise<void>|null} null: not asked for yet, or failed */
    this.anglesReady = null;
    this.anglesRead = false; // all files are read
    /** @type {Map<number, Float32Array>} angles by added row that wait for the files, which determine their type */
    this.slants = new Map();
    /** @type {Set<number>} added rows whose angles are set */
    this.angled = new Set();
    /** @type {Promise<void>|null} an encoder that was not loaded on opening */
    this.spare = null;
    const { terms = null, documents } = this.manifest;
    this.words =
      share?.leads !== false && (terms || !store)
        ? new Words(core, terms, documents, (file) => /** @type {Store} */ (store).read(file, { signal: stop.signal }))
        : null;
    this.fields = new Columns(this.manifest);
    /** @type {Promise<Tokens>|null} null: documents are compared by one vector each */
    this.tokens = null;
    /** @type {Shard[]} whose vectors of tokens have arrived */
    this.held = [];
    this.live = 0; // rows that can be searched
    this.version = 0; // of the rows: changes when rows are added or removed
    this.added = 0; // rows added at run time, and not removed
    /** @type {Set<number>} rows of the collection, arrived or not */
    this.removed = new Set();
    if (this.manifest.dim) this.openRows();
  }

  openRows() {
    const { dim, dtype, rows } = this.manifest;
    this.rows = new Rows(this.core, dim, dtype === 'I8' ? abi.ROWS_I8 : abi.ROWS_F32, rows);
  }

  async start() {
    this.encoderReady = this.loadEncoder().catch((error) => {
      this.encoderBroke = !this.sources && error instanceof UnavailableError;
      throw error;
    });
    // Words answer while the encoder is still loading, if there are any.
    const loads = this.sources === undefined ? this.manifest.encoder : this.sources;
    this.encoderPending = Boolean(this.store && this.words && loads);
    this.columns = this.loadColumns();
    this.tokens = this.openTokens();
    this.tokens?.catch(() => {}); // whoever needs them gets the error
    this.ready = Promise.all([this.loadShards(), this.encoderReady]).then(() => {});
    // Errors are reported to those who await the promises.
    for (const promise of [this.columns, this.ready, this.encoderReady]) promise.catch(() => {});
    if (!this.encoderPending) return this.encoderReady;
    this.encoderReady
      .catch(() => {})
      .then(() => {
        this.encoderPending = false;
      });
  }

  async loadEncoder() {
    const { manifest, sources } = this;
    if (sources) {
      const files = await fetchFiles(sources, this.stop.signal);
      this.encoder = openEncoder(this.core, files);
      if (manifest.model !== UNKNOWN) return;
      manifest.dim = this.encoder.dim;
      manifest.model = await describe(sources, files, this.encoder.dim);
      this.openRows();
    } else if (sources === undefined && manifest.encoder) {
      await this.loadCarried(manifest.encoder, true);
    }
  }

  /**
   * @param {CarriedEncoder} carried by the collection
   * @param {boolean} counted as a part of the progress
   */
  async loadCarried(carried, counted) {
    const onBytes = (/** @type {number} */ bytes) => counted && this.progress.receivedOfEncoder(bytes);
    const read = (/** @type {StoredFile} */ file, told = onBytes) => this.fetch(file, told);
    if (!isPack(carried)) {
      this.encoder = openEncoder(this.core, await readFiles(carried, (file) => read(file)));
      return;
    }
    if (!this.pack) {
      this.pack = await Pack.open(this.core, carried, this.manifest, read);
      if (counted) this.progress.expectOfEncoder(-this.pack.branchStored); // until a query needs it
    }
    await this.pack.load('trunk', onBytes);
    this.encoder = this.pack.model;
    this.progress.finish();
  }

  async loadColumns() {
    const { columns } = this.manifest;
    if (!columns) return;
    // If there are several engines, each needs the columns, but they count once.
    this.fields.load(await this.read(columns.file, this.share?.leads !== false), (column, values) =>
      this.rows.setColumn(column, 0, values),
    );
  }

  openTokens() {
    const { dim, documents, tokens } = this.manifest;
    if (!tokens) return null;
    const { path } = tokens.codebook;
    return this.read(tokens.codebook).then((file) =>
      naming(path, () => new Tokens(this.core, { dim, documents, tokens }, file)),
    );
  }

  /**
   * @param {Shard} shard
   * @param {Uint8Array} file
   * @param {Tokens|null} tokens null: the file has one vector for each document
   */
  loadShard(shard, file, tokens) {
    if (!tokens) return this.rows.load(shard.first_row, file);
    tokens.load({ first: shard.first_row, count: shard.rows }, file);
    this.held.push(shard);
    return shard.rows;
  }

  // If a shard fails, the others still load: rows that have arrived can be
  // searched, and the answer says how many.
  async loadShards() {
    const queue = [...this.shards];
    const tokens = await this.tokens;
    /** @type {unknown} */
    let fault;
    const take = async () => {
      for (let shard = queue.shift(); shard; shard = queue.shift()) {
        try {
          const file = await this.read(shard);
          const rows = naming(shard.path, () => this.loadShard(shard, file, tokens));
          this.live += rows;
          this.version++;
          for (const row of this.removed) if (row >= shard.first_row && row < shard.first_row + rows) this.take(row);
          this.progress.arrived(rows);
        } catch (error) {
          fault ??= error;
          if (this.stop.signal.aborted || this.core.lost) return;
        }
      }
    };
    // The encoder's three files, two shards: one connection is left for words.
    const later = this.encoderPending ? this.encoderReady.catch(() => {}) : null;
    const lanes = Math.max(1, Math.floor(PARALLEL / (this.share?.of ?? 1)));
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) => (later && lane >= BESIDE_ENCODER ? later.then(take) : take())),
    );
    this.progress.finish();
    if (fault) throw fault;
  }

  /**
   * Waits for the angles of this engine's rows if the ranking needs them. The first such ranking loads them. If that
   * fails, the next one goes on with the file that is missing.
   * @param {Pick<Ranking, 'angles'|'only'>} ranking
   * @returns {Promise<void>}
   */
  needAngles({ angles = [], only }) {
    if (angles.length === 0 && !only) return Promise.resolve();
    this.anglesReady ??= this.loadAngles().catch((error) => {
      this.anglesReady = null;
      throw error;
    });
    return this.anglesReady;
  }

  async loadAngles() {
    for (let file = this.angles[0]; file; file = this.angles[0]) {
      const { path, first_row: first } = file;
      const content = await this.fetch(file);
      naming(path, () => this.rows.loadAngles(first, content));
      this.angles.shift();
    }
    this.anglesRead = true;
    this.setAngles();
  }

  /** Sets the angles of added rows that wait. */
  setAngles() {
    if (!this.anglesRead) return;
    for (const [row, angle] of this.slants) {
      this.rows.addAngle(row, angle);
      this.slants.delete(row);
      this.angled.add(row);
    }
  }

  /**
   * @param {StoredFile} file
   * @returns {Promise<Uint8Array>}
   */
  read(file, counted = true) {
    return this.fetch(file, counted ? (bytes) => this.progress.received(bytes) : undefined);
  }

  /**
   * @param {StoredFile} file
   * @param {(bytes: number) => void} [onBytes]
   */
  fetch(file, onBytes) {
    return /** @type {Store} */ (this.store).read(file, { signal: this.stop.signal, onBytes });
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
      encoderDim: this.encoder?.dim ?? (this.encoderPending ? this.manifest.dim : 0),
      encoderLate: !this.sources && this.manifest.model.kind === 'pack' && checks.late,
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
      encodes: this.encoder !== null,
      words: this.words !== null,
      angles: this.manifest.angles?.dim ?? 0,
      close: this.manifest.close ?? 0,
      chosen: chosenOf(this.manifest),
      fields,
      bytes: this.progress.total,
    };
  }

  /** Rows that can be searched now, and rows of the whole collection. */
  get coverage() {
    return { rows: this.live, total: this.progress.totalRows - this.removed.size + this.added };
  }

  /**
   * What a query's wording asks for, or null.
   * @param {string} text
   * @returns {Reading|null}
   */
  split(text) {
    return this.core.scoped((scope) => {
      const found = scope.reserve(abi.SplitInfo.size);
      if (this.core.checked('query_split', ...scope.text(text), found) === 0) return null;
      const field = abi.SplitInfo;
      const view = this.core.view(found, field.size);
      /**
       * @param {number} at
       * @param {number} length
       */
      const read = (at, length) => this.core.text(view.getUint32(at, true), view.getUint32(length, true));
      return {
        root: read(field.root, field.rootLength),
        perspective: read(field.perspective, field.perspectiveLength),
        kind: read(field.kind, field.kindLength),
        side: SIDES[view.getUint32(field.side, true)],
        both: view.getUint32(field.both, true) === 1,
      };
    });
  }

  /**
   * Which side a perspective asks for: 1 to support, -1 to oppose, 0 neither.
   * @param {string} text
   */
  stance(text) {
    return this.core.scoped((scope) => [0, 1, -1][this.core.checked('query_stance', ...scope.text(text))]);
  }

  /**
   * What the collection's encoder says about angles, or why it has none.
   * @returns {Promise<Hearing>}
   */
  async hearing() {
    const encoder = await this.loaded();
    return this.describe(encoder instanceof Encoder ? null : encoder);
  }

  /**
   * @param {EngineModel|null} model the encoder, if it can have angles
   * @returns {Hearing}
   */
  describe(model) {
    const { id } = this.manifest.model;
    const { numbers = {}, texts = {} } = model?.pack ?? {};
    const problem = `the encoder ${id} hears no sides: use another method, or an encoder whose pack has a branch`;
    return { id, problem: model?.angleDim ? '' : problem, numbers, texts };
  }

  /**
   * How to rank a query that names no method.
   * @param {Omit<Asked, 'sides'>} asked angles: whether passages have some
   * @param {Hearing|null} hearing of the page's encoder; null: the collection's encodes
   */
  async choose(asked, hearing) {
    if (!hearing && !this.pack) await this.encoderReady.catch(() => {}); // without it, vectors can be ranked
    const { id, problem, texts } = hearing ?? this.describe(this.pack?.model ?? null);
    const angles = asked.angles && !problem;
    const sides = Boolean(texts.for?.length && texts.against?.length);
    const { auto } = this.manifest;
    const [whose, table] = auto ? ['manifest.json', auto.table] : [`the encoder ${id}`, texts[AUTO] ?? []];
    return naming(whose, () => choose(this.core, { ...asked, angles, sides }, table));
  }

  /**
   * Vectors of texts, with counts of their tokens.
   * @param {string[]} texts
   * @param {TextRole} role
   * @param {import('../engine/model.js').Parts} [parts] 'both' and 'angle': with the vectors of the encoder's branch
   * @returns {Promise<EngineEncoding[]>}
   */
  async encode(texts, role, parts = 'vector') {
    const encoder = await this.loaded();
    if (parts === 'vector') return texts.map((text) => encoder.encode(text, role));
    const { pack } = this;
    if (encoder instanceof Encoder || !pack || encoder.angleDim === 0) {
      throw new QueryError("the collection's encoder has no vectors of the angle: index with one that has a branch");
    }
    if (!this.branch) {
      this.branch = true;
      this.progress.expectOfEncoder(pack.branchStored);
    }
    await pack.load('branch', (bytes) => this.progress.receivedOfEncoder(bytes));
    this.progress.finish();
    return texts.map((text) => encoder.encode(text, role, parts));
  }

  /**
   * The encoder, once it has loaded. If it could not be fetched before, or the page's own one
   * cannot encode, it is fetched now.
   */
  async loaded() {
    if (!this.encoder && !this.encoderBroke) await this.encoderReady;
    const carried = this.manifest.encoder;
    if (!this.encoder && carried) {
      await (this.spare ??= this.loadCarried(carried, this.encoderBroke).finally(() => {
        this.spare = null;
      }));
      this.encoderBroke = false;
      this.onEncoder?.();
    }
    if (!this.encoder) throw new QueryError('no encoder is loaded');
    return this.encoder;
  }

  /**
   * Hits over the rows that have arrived, and how many those are.
   * @param {Ranking} ranking
   */
  async rank(ranking) {
    if (ranking.filters.length > 0) await this.columns;
    await this.needAngles(ranking);
    const { coverage } = this;
    return { hits: this.rows.search(ranking), coverage };
  }

  /**
   * Hits by MaxSim over the documents that have arrived, the vectors that were compared with them, and which documents
   * may be hits, if not all.
   * @param {TokenQuery} query
   * @param {Condition[]} filters
   */
  async rankTokens(query, filters) {
    const tokens = await this.byTokens();
    if (filters.length > 0) await this.columns;
    const { coverage } = this;
    const allowed = this.allowed(filters);
    const sum = tokens.sum(query);
    return { hits: tokens.search(sum, query.k, allowed), vectors: sum.vectors, allowed, coverage };
  }

  /**
   * MaxSim of queries with documents that have arrived.
   * @param {Float32Array[]} queries
   * @param {number[]} documents
   */
  async scoreTokens(queries, documents) {
    const tokens = await this.byTokens();
    return queries.map((vectors) => tokens.score(vectors, documents));
  }

  async byTokens() {
    const tokens = await this.tokens;
    if (!tokens) throw new QueryError('the collection has no vectors of tokens');
    return tokens;
  }

  /**
   * A byte for each document, 1 if it may be a hit; null: all may.
   * @param {Condition[]} filters
   */
  allowed(filters) {
    if (filters.length === 0 && this.removed.size === 0) return null;
    const { documents } = this.manifest;
    const allowed = new Uint8Array(documents).fill(1);
    if (filters.length > 0) allowed.set(this.rows.mask(filters).subarray(0, documents));
    for (const row of this.removed) allowed[row] = 0;
    return allowed;
  }

  /**
   * Explains hits of any ranking; the row of a hit that this engine lacks is MISSING_ROW.
   * @param {Ranking} ranking
   * @param {Partial<Hit>[]} hits with row and document
   */
  async explain(ranking, hits) {
    if (ranking.filters.length > 0) await this.columns;
    await this.needAngles(ranking);
    return { hits: this.rows.explain(ranking, hits), version: this.version };
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
    const method = /** @type {(...args: unknown[]) => any} any: Result has the type of each method */ (this[name]);
    return method.call(this, ...args, signal);
  }

  /**
   * Hits by words over the collection and the added documents.
   * @param {string} text
   * @param {number} k
   * @param {Keep|null} keep which documents may be hits
   */
  async rankWords(text, k, keep) {
    if (!this.words) throw noWords();
    if (keep?.filters) await this.columns;
    await this.words.load(text);
    return this.words.search(text, k, keep?.filters ? this.passing(keep) : (keep?.keep ?? null));
  }

  /**
   * Fetches the missing files that the words of a text need.
   * @param {string} text
   */
  async loadWords(text) {
    if (!this.words) throw noWords();
    await this.words.load(text);
  }

  /**
   * Whether one of the documents holds all words of one of the texts.
   * @param {string[]} documents
   * @param {string[]} texts
   */
  holds(documents, texts) {
    return documents.some((document) => texts.some((text) => holds(this.core, document, text)));
  }

  /**
   * Whether one of the documents shares words with a text.
   * @param {string[]} documents
   * @param {string} text
   */
  shares(documents, text) {
    return documents.some((document) => shares(this.core, document, text));
  }

  /** @param {{filters: Condition[], added: number[], count: number}} keep */
  passing({ filters, added, count }) {
    const { rows } = this.manifest;
    const keep = new Uint8Array(rows + count);
    if (rows > 0) keep.set(this.rows.mask(filters).subarray(0, rows)); // row i is document i
    for (const i of added) keep[rows + i] = 1;
    return keep;
  }

  /**
   * Adds and removes documents among the words: see Words.change.
   * @param {(string|null)[]} texts
   * @param {number[]} removed
   */
  changeWords(texts, removed) {
    this.words?.change(texts, removed);
  }

  /**
   * @param {string} fusion
   * @param {number} weight
   * @param {WordHit[]} vectors
   * @param {WordHit[]} words
   */
  fuse(fusion, weight, vectors, words) {
    return fuse(this.core, fusion, weight, vectors, words);
  }

  /**
   * This engine's contribution to an answer over all parts. If a gated method has
   * no cut yet, it is the scores from which the cut is found; otherwise the best
   * hits, not explained, with their records for MMR. On request, also a byte for
   * each document: whether it may be a hit. merge.js combines the parts.
   * @param {Ranking} ranking
   * @param {number|null} cut
   * @returns {Promise<Part>}
   */
  async rankPart(ranking, cut) {
    if (ranking.filters.length > 0) await this.columns;
    await this.needAngles(ranking);
    const { coverage, version } = this;
    const gate = cut === null ? this.rows.gate(ranking) : null;
    if (gate && gate.length > 0) return { gate, hits: [], coverage, version };
    const hits = this.rows.searchPart(ranking, cut);
    const records = ranking.mmr === null ? null : this.rows.records(hits.map(({ row }) => row));
    const documents = ranking.documents ? this.rows.documents(ranking) : null;
    return { hits, records, documents, coverage, version };
  }

  /**
   * The cut of a gated method from the gate scores of all parts.
   * @param {Ranking} ranking
   * @param {Float32Array[]} gates
   */
  cut(ranking, gates) {
    return this.rows.cut(ranking, gates);
  }

  /**
   * The hits of all parts, best first, that MMR chooses by their records.
   * @param {Ranking} ranking
   * @param {Hit[]} hits
   * @param {Uint8Array} records
   */
  diversify(ranking, hits, records) {
    return this.rows.diversify(ranking, hits, records);
  }

  /**
   * For each hit of all parts, the number of this engine's rows that the plain
   * cosine ranks before it.
   * @param {Ranking} ranking
   * @param {Partial<Hit>[]} hits
   */
  ahead(ranking, hits) {
    return { ahead: this.rows.ahead(ranking, hits), version: this.version };
  }

  /**
   * Hits over the given vectors only, as float32.
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts; none unless the ranking needs them
   * @param {Ranking} ranking
   */
  rankAmong(vectors, angles, ranking) {
    return this.among(vectors, angles, (rows) => rows.search(ranking));
  }

  /**
   * @template T
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts, or none
   * @param {(rows: Rows) => T} body
   */
  among(vectors, angles, body) {
    const rows = new Rows(this.core, this.manifest.dim, abi.ROWS_F32, 0);
    try {
      rows.add(0, vectors);
      angles.forEach((angle, row) => rows.addAngle(row, angle));
      return body(rows);
    } finally {
      rows.close();
    }
  }

  /**
   * The sides of the rows that have arrived towards a root.
   * @param {Poll} poll
   */
  async survey(poll) {
    if (poll.filters.length > 0) await this.columns;
    await this.needAngles(poll);
    const { coverage } = this;
    return { sides: survey(this.rows, poll), coverage };
  }

  /**
   * The sides of hits of any ranking towards a root; the row of a hit that this engine lacks is MISSING_ROW.
   * @param {Root} root
   * @param {{row: number, document: number}[]} hits
   */
  async tell(root, hits) {
    await this.needAngles(root);
    return tell(this.rows, root, hits);
  }

  /**
   * The vectors of a document; null if this engine lacks it.
   * @param {number} document
   * @param {number} angleDim
   */
  async vectorsOf(document, angleDim) {
    await this.needAngles({ angles: [NONE] });
    try {
      return vectorsOf(this.rows, document, angleDim);
    } catch (error) {
      if (error instanceof QueryError) return null;
      throw error;
    }
  }

  /**
   * The sides of the given vectors only, as float32, towards a root.
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts
   * @param {Poll} poll
   */
  surveyAmong(vectors, angles, poll) {
    return this.among(vectors, angles, (rows) => survey(rows, poll));
  }

  /**
   * The side of each of the given vectors, as float32, towards a root.
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts
   * @param {Root} root
   */
  tellAmong(vectors, angles, root) {
    return this.among(vectors, angles, (rows) => {
      const hits = vectors.map((_, row) => ({ row, document: row }));
      return tell(rows, root, hits);
    });
  }

  /**
   * Adds rows after all existing ones.
   * @param {number} first row of the first one, which the others follow
   * @param {Float32Array[]} vectors
   * @param {ColumnValues[]} columns one value for each row
   * @param {(Float32Array|null)[]} angles one for each row, if it is known
   */
  add(first, vectors, columns, angles) {
    this.rows.add(first, vectors);
    try {
      this.addAngles(angles.flatMap((angle, i) => (angle ? [{ row: first + i, angle }] : [])));
    } catch (error) {
      vectors.forEach((_, i) => {
        this.slants.delete(first + i);
        if (!this.core.lost) this.rows.remove(first + i);
      });
      throw error;
    }
    this.live += vectors.length;
    this.added += vectors.length;
    this.version++;
    for (const { column, values } of columns) this.rows.setColumn(column, first, values);
    return { coverage: this.coverage };
  }

  /**
   * Gives added rows their angles.
   * @param {Slant[]} slants
   */
  addAngles(slants) {
    for (const { row, angle } of slants) if (!this.angled.has(row)) this.slants.set(row, angle);
    this.setAngles();
    this.version++;
  }

  /**
   * Declares columns that have values in rows of other engines.
   * @param {ColumnValues[]} columns
   */
  declare(columns) {
    for (const { column, values } of columns) this.rows.setColumn(column, 0, values.subarray(0, 0));
  }

  /**
   * Excludes rows from every later answer, including rows that have not arrived
   * yet.
   * @param {number[]} rows
   */
  remove(rows) {
    for (const row of rows) {
      if (row < this.manifest.rows) this.removed.add(row);
      else this.added--;
      this.take(row);
    }
    return { coverage: this.coverage };
  }

  /** @param {number} row */
  take(row) {
    const had = this.tokens
      ? this.held.some(({ first_row: first, rows }) => first <= row && row < first + rows)
      : this.rows.remove(row);
    if (!had) return;
    this.live--;
    this.version++;
  }

  /**
   * Indexes of the collection's documents that have these ids, null for none.
   * @param {string[]} ids
   * @param {AbortSignal|undefined} signal
   */
  async find(ids, signal) {
    return this.store ? this.store.find(ids, signal) : ids.map(() => null);
  }

  /**
   * @param {number[]} indexes
   * @param {AbortSignal|undefined} signal
   * @returns {Promise<Document[]>}
   */
  async documents(indexes, signal) {
    return this.store ? this.store.documents(indexes, signal) : [];
  }

  /**
   * Judges, evaluates or compares: see evaluation.d.ts.
   * @param {Task} task
   * @param {any} input any: what a page gives is checked there
   * @param {AbortSignal|undefined} signal
   * @returns {Promise<any>} any: Vantage has the type of each
   */
  async measure(task, input, signal) {
    return MEASURES[task](this.core, input, signal);
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

  /**
   * Ends the engine; calls under way and later ones fail with this error.
   * @param {import('../errors.js').VantageError} error
   */
  discard(error) {
    this.stop.abort(error);
    this.core.close(error);
  }
}

/**
 * The files with angles of rows in these files of vectors. Their borders need not be the same.
 * @param {Manifest} manifest
 * @param {Shard[]} shards
 */
function anglesOf({ angles }, shards) {
  return (angles?.files ?? []).filter(({ first_row: first, rows }) =>
    shards.some((shard) => shard.first_row < first + rows && first < shard.first_row + shard.rows),
  );
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
 * Of an engine without documents.
 * @param {Model} [model]
 * @returns {Manifest}
 */
function blank(model = UNKNOWN) {
  return { documents: 0, rows: 0, dim: model.dim, dtype: 'F32', model, canaries: [], vectors: [], docs: [] };
}
