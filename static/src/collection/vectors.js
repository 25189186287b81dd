// The rows of one engine: they arrive shard by shard, with their columns, and can be searched as they come.

import * as abi from '../engine/abi.js';
import { naming } from '../engine/core.js';
import { QueryError, UnavailableError, VantageError } from '../errors.js';
import { Rows } from '../engine/rows.js';
import { Tokens } from '../engine/tokens.js';
import { Angles } from './angles.js';
import { Columns } from './columns.js';
import { once } from './once.js';

/**
 * @import { Core } from '../engine/core.js'
 * @import { Ranking } from '../engine/request.js'
 * @import { Condition } from '../query/filter.js'
 * @import { Share } from '../worker/share.js'
 * @import { Files } from './files.js'
 * @import { Manifest, Shard } from './manifest.js'
 */

/** Shards that load at a time: browsers open six connections to an HTTP/1 host. */
const PARALLEL = 4;

/** Shards that load at a time while the encoder loads and words answer. */
const BESIDE_ENCODER = 2;

export class Vectors {
  /** @type {Rows} any: only engines with vectors receive calls that need rows */
  rows = /** @type {any} */ (null);

  /**
   * @param {Core} core
   * @param {Manifest} manifest
   * @param {Files} files
   * @param {Shard[]} shards that this engine holds
   * @param {Share} [share] of the collection; left out: all of it
   */
  constructor(core, manifest, files, shards, share) {
    this.core = core;
    this.manifest = manifest;
    this.files = files;
    this.shards = shards;
    this.share = share;
    this.fields = new Columns(manifest);
    this.angles = new Angles(manifest, shards, files, () => this.rows);
    /** Waits for the columns. */
    this.needColumns = once(() => this.loadColumns());
    /** Waits for what loads vectors of tokens; null: documents are compared by one vector each. */
    this.needTokens = once(() => this.openTokens());
    /** @type {Shard[]} that could not be fetched, and are not being fetched again */
    this.missing = [];
    /** @type {Promise<void>|null} settles when those have been fetched again; null: none was missing */
    this.again = null;
    /** @type {Shard[]} whose vectors of tokens have arrived */
    this.held = [];
    this.live = 0; // rows that can be searched
    this.version = 0; // of the rows: changes when rows come or go, or added ones get angles
    this.added = 0; // rows added at run time, and not removed
    /** @type {Set<number>} rows of the collection, arrived or not */
    this.removed = new Set();
    if (manifest.dim) this.open();
  }

  /** Makes room for the rows, once their dimension is known. */
  open() {
    const { dim, dtype, rows } = this.manifest;
    this.rows = new Rows(this.core, dim, dtype === 'I8' ? abi.ROWS_I8 : abi.ROWS_F32, rows);
  }

  /**
   * Begins to load columns and shards.
   * @param {Promise<unknown>|null} encoder null: no words answer while an encoder loads; otherwise fewer shards load at
   *   a time until this settles
   * @returns {Promise<void>} settles when all shards have loaded; rejects with the first fault
   */
  load(encoder) {
    this.needColumns().catch(() => {}); // whoever needs them gets the error
    return this.loadShards(this.shards, encoder);
  }

  /**
   * Begins to fetch shards again that could not be fetched. Only an engine that has nothing to search waits for them.
   */
  async fetchMissing() {
    const { missing } = this;
    if (missing.length > 0) {
      this.missing = [];
      this.again = this.loadShards(missing, null, true).catch(() => {}); // coverage says what is missing
    }
    if (this.live === 0) await this.again;
  }

  async loadColumns() {
    const { columns } = this.manifest;
    if (!columns) return;
    // If there are several engines, each needs the columns, but they count once.
    const counted = this.share?.leads !== false;
    const file = await (counted ? this.files.readCounted(columns.file) : this.files.read(columns.file));
    this.fields.load(file, (column, values) => this.rows.setColumn(column, 0, values));
  }

  async openTokens() {
    const { dim, documents, tokens } = this.manifest;
    if (!tokens) return null;
    const { codebook } = tokens;
    const file = await this.files.readCounted(codebook);
    return naming(codebook.path, () => new Tokens(this.core, { dim, documents, tokens }, file));
  }

  // If a shard fails, the others still load: rows that have arrived can be
  // searched, and the answer says how many.
  /**
   * @param {Shard[]} shards
   * @param {Promise<unknown>|null} encoder
   * @param {boolean} [again] whether they could not be fetched before: if the host is still away, one try is enough
   */
  async loadShards(shards, encoder, again = false) {
    const queue = [...shards];
    /** @type {Shard[]} */
    const lost = [];
    /** @type {unknown} */
    let fault;
    const take = async () => {
      for (let shard = queue.shift(); shard; shard = queue.shift()) {
        try {
          if (!again) this.files.signal.throwIfAborted();
          await this.loadShard(shard);
        } catch (error) {
          fault ??= error;
          if (!(error instanceof VantageError) || this.core.lost) return;
          if (!(error instanceof UnavailableError)) continue;
          lost.push(shard);
          if (again) lost.unshift(...queue.splice(0)); // the next query begins with these
        }
      }
    };
    // The encoder's three files, two shards: one connection is left for words.
    const later = encoder?.catch(() => {});
    const lanes = Math.max(1, Math.floor(PARALLEL / (this.share?.of ?? 1)));
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) => (later && lane >= BESIDE_ENCODER ? later.then(take) : take())),
    );
    this.missing = lost;
    this.files.progress.finish();
    if (fault) throw fault;
  }

  /** @param {Shard} shard */
  async loadShard(shard) {
    const { path, first_row: first } = shard;
    const tokens = await this.needTokens();
    const file = await this.files.readCounted(shard);
    const rows = naming(path, () => {
      if (!tokens) return this.rows.load(first, file);
      tokens.load({ first, count: shard.rows }, file);
      this.held.push(shard);
      return shard.rows;
    });
    this.live += rows;
    this.version++;
    for (const row of this.removed) if (row >= first && row < first + rows) this.take(row);
    this.files.progress.arrived(rows);
  }

  /**
   * Removes a row, if it has arrived.
   * @param {number} row
   */
  take(row) {
    const had = this.manifest.tokens
      ? this.held.some(({ first_row: first, rows }) => first <= row && row < first + rows)
      : this.rows.remove(row);
    if (!had) return;
    this.live--;
    this.version++;
  }

  /** Rows of this engine that can be searched now, and all its rows. */
  get coverage() {
    return { rows: this.live, total: this.files.progress.totalRows - this.removed.size + this.added };
  }

  /**
   * Waits for the columns and angles that a ranking needs, and for vectors if there are none.
   * @param {Pick<Ranking, 'filters'|'angles'|'only'>} ranking
   */
  async prepare(ranking) {
    if (ranking.filters.length > 0) await this.needColumns();
    await this.fetchMissing();
    await this.angles.needAngles(ranking);
  }

  /** The vectors of tokens, once they can be searched. */
  async byTokens() {
    const tokens = await this.needTokens();
    if (!tokens) throw new QueryError('the collection has no vectors of tokens');
    await this.fetchMissing();
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
}
