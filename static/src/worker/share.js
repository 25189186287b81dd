// Shares a collection's rows among workers, and lists the files that each
// fetches.

/**
 * Rows added at run time are shared in stretches of this length, so that
 * neighbouring rows stay together and each worker gets its part of many rows.
 */
const STRETCH = 1024;

/**
 * @import { EngineOptions } from '../collection/collection.js'
 * @import { Manifest, PackFiles, Shard, StoredFile } from '../collection/manifest.js'
 * @typedef {Pick<Manifest, 'vectors'|'rows'> &
 *   Partial<Pick<Manifest, 'encoder'|'reader'|'columns'|'tokens'>>} Parts of a manifest
 */

/**
 * @typedef {object} Share of a collection's files
 * @property {number[]} shards places in the manifest's `vectors`
 * @property {number} of how many workers
 * @property {boolean} leads whether it also has the encoder and the index of words
 */

/**
 * What an engine reads on opening.
 * @typedef {{shards: Shard[], files: StoredFile[], encoder: StoredFile[], reader: PackFiles|null}} Reads shards: of
 *   vectors, or of token vectors if documents are compared by those; files: of vectors, centroids and columns; encoder:
 *   of the encoder and the reader of queries; reader: the latter, if something encodes queries
 */

export class Shares {
  /**
   * @param {Parts} manifest
   * @param {number} workers
   */
  constructor({ vectors, rows }, workers) {
    this.rows = rows;
    this.firsts = vectors.map((shard) => shard.first_row);
    this.held = new Array(workers).fill(0); // rows, by worker
    this.shards = vectors.map((shard) => this.give(shard.rows)); // worker, by shard
    /** @type {number[]} worker, by stretch of added rows */
    this.stretches = [];
  }

  /**
   * Gives rows to the worker that has the fewest; returns it.
   * @param {number} rows
   */
  give(rows) {
    const worker = this.held.indexOf(Math.min(...this.held));
    this.held[worker] += rows;
    return worker;
  }

  /**
   * @param {number} worker
   * @returns {Share}
   */
  of(worker) {
    return {
      shards: this.shards.flatMap((owner, i) => (owner === worker ? [i] : [])),
      of: this.held.length,
      leads: worker === 0,
    };
  }

  /**
   * The worker that holds a row, or will hold it once it is added.
   * @param {number} row
   * @returns {number}
   */
  ownerOf(row) {
    if (row < this.rows) {
      let low = 0;
      let high = this.firsts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.firsts[middle] <= row) low = middle;
        else high = middle - 1;
      }
      return this.shards[low];
    }
    return (this.stretches[Math.floor((row - this.rows) / STRETCH)] ??= this.give(STRETCH));
  }

  /**
   * Splits a range of rows that are to be added, at the places where the worker that will hold them changes.
   * @param {number} first
   * @param {number} count
   */
  runs(first, count) {
    const runs = [];
    for (let row = first; row < first + count;) {
      const end = Math.min(first + count, this.rows + STRETCH * (Math.floor((row - this.rows) / STRETCH) + 1));
      runs.push({ worker: this.ownerOf(row), from: row, end });
      row = end;
    }
    return runs;
  }
}

/**
 * The files that an engine reads on opening and that count towards its progress. For a pack
 * these are all its files, because only pack.json says which of them belong to its branch.
 * @param {Parts} manifest
 * @param {EngineOptions['encoder']} encoder as in EngineOptions
 * @param {Share} [share] absent: all
 * @returns {Reads}
 */
export function filesOf({ vectors, tokens, encoder: carried, reader, columns }, encoder, share) {
  const rows = tokens ? tokens.files.map((file) => ({ ...file, first_row: file.first, rows: file.count })) : vectors;
  const shards = share ? share.shards.map((i) => rows[i]) : rows;
  if (share && !share.leads) return { shards, files: shards, encoder: [], reader: null };
  const own = (encoder === undefined && carried) || null;
  const reads = own || encoder !== undefined ? (reader ?? null) : null;
  return {
    shards,
    files: [...shards, ...(tokens ? [tokens.codebook] : []), ...(columns ? [columns.file] : [])],
    encoder: [own, reads].flatMap((files) => Object.values(files ?? {}).flat()),
    reader: reads,
  };
}
