// Counts the bytes and rows that have arrived, and reports them to the page at intervals.

/**
 * @import { Progress as Report } from '../../lib/index.d.ts'
 * @import { StoredFile } from './manifest.js'
 */

/** Least milliseconds between two reports of bytes alone. */
const INTERVAL = 50;

export class Progress {
  /**
   * @param {import('../worker/share.js').Reads} reads
   * @param {(progress: Report) => void} [report]
   *   bytes as stored on the host, and rows that can be searched
   */
  constructor({ shards, files, encoder }, report) {
    this.total = stored(files) + stored(encoder);
    this.totalRows = shards.reduce((sum, shard) => sum + shard.rows, 0);
    this.loaded = 0;
    this.rows = 0;
    this.encoder = { loaded: 0, total: stored(encoder) };
    this.report = report;
    this.last = -Infinity;
  }

  /** @param {number} bytes */
  received(bytes) {
    this.loaded += bytes;
    if (performance.now() - this.last >= INTERVAL) this.tell();
  }

  /**
   * Counts bytes of the encoder, which are also among all bytes.
   * @param {number} bytes below 0: a file that broke will come again
   */
  receivedOfEncoder(bytes) {
    this.encoder.loaded += bytes;
    this.received(bytes);
  }

  /**
   * The encoder will take more bytes than was known, or fewer.
   * @param {number} bytes
   */
  expectOfEncoder(bytes) {
    this.encoder.total += bytes;
    this.total += bytes;
    this.tell();
  }

  /** @param {number} rows */
  arrived(rows) {
    this.rows += rows;
    this.tell();
  }

  finish() {
    this.tell();
  }

  tell() {
    this.last = performance.now();
    this.report?.(this.now);
  }

  get now() {
    const { loaded, total, rows, totalRows, encoder } = this;
    return { loaded, total, rows, totalRows, encoder: { ...encoder } };
  }
}

/** @param {Pick<StoredFile, 'stored'>[]} files */
function stored(files) {
  return files.reduce((sum, file) => sum + file.stored, 0);
}

/** Adds up the reports of several engines. */
export class TotalProgress {
  /**
   * @param {Report[]} parts before anything has arrived
   * @param {(progress: Report) => void} [report]
   */
  constructor(parts, report) {
    this.parts = parts;
    this.report = report;
    this.last = -Infinity;
    this.rows = 0;
  }

  get total() {
    return this.sum('total');
  }

  /**
   * Takes the report of one part.
   * @param {number} part
   * @param {Report} progress
   */
  set(part, progress) {
    this.parts[part] = progress;
    const now = {
      loaded: this.sum('loaded'),
      total: this.total,
      rows: this.sum('rows'),
      totalRows: this.sum('totalRows'),
      encoder: this.parts[0].encoder, // the first one loads it
    };
    if (now.rows === this.rows && now.loaded < now.total && performance.now() - this.last < INTERVAL) return;
    this.rows = now.rows;
    this.last = performance.now();
    this.report?.(now);
  }

  /** @param {'loaded'|'total'|'rows'|'totalRows'} field */
  sum(field) {
    return this.parts.reduce((sum, part) => sum + part[field], 0);
  }
}
