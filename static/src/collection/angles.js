// The angles of an engine's rows: their second vectors, which arrive when a query first needs them.

import { naming } from '../engine/core.js';

/**
 * @import { Ranking } from '../engine/request.js'
 * @import { Rows } from '../engine/rows.js'
 * @import { Files } from './files.js'
 * @import { Manifest, Shard } from './manifest.js'
 */

/** @typedef {{row: number, angle: Float32Array}} Slant the angle of a row that was added */

export class Angles {
  /**
   * @param {Manifest} manifest
   * @param {Shard[]} shards that the engine holds
   * @param {Files} files
   * @param {() => Rows} rows
   */
  constructor(manifest, shards, files, rows) {
    this.files = files;
    this.rows = rows;
    /** Files with angles of this engine's rows that it has not read. */
    this.missing = anglesOf(manifest, shards);
    /** @type {Promise<void>|null} null: not asked for yet, or failed */
    this.loading = null;
    this.loaded = false; // all files are read
    /** @type {Map<number, Float32Array>} angles by added row that wait for the files, which determine their type */
    this.waiting = new Map();
    /** @type {Set<number>} added rows whose angles are set */
    this.angled = new Set();
  }

  /**
   * Waits for the angles of this engine's rows if the ranking needs them. The first such ranking loads them. If that
   * fails, the next one continues with the first file that is missing.
   * @param {Pick<Ranking, 'angles'|'only'>} ranking
   * @returns {Promise<void>}
   */
  needAngles({ angles = [], only }) {
    if (angles.length === 0 && !only) return Promise.resolve();
    this.loading ??= this.load().catch((error) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  async load() {
    for (let file = this.missing[0]; file; file = this.missing[0]) {
      const { path, first_row: first } = file;
      const content = await this.files.read(file);
      naming(path, () => this.rows().loadAngles(first, content));
      this.missing.shift();
    }
    this.loaded = true;
    this.set();
  }

  /**
   * Gives added rows their angles, now or when the files are read.
   * @param {Slant[]} slants
   */
  add(slants) {
    for (const { row, angle } of slants) if (!this.angled.has(row)) this.waiting.set(row, angle);
    this.set();
  }

  /**
   * Forgets the angle of an added row that is still waiting for the files.
   * @param {number} row
   */
  forget(row) {
    this.waiting.delete(row);
  }

  /** Sets the angles of added rows that wait. */
  set() {
    if (!this.loaded) return;
    for (const [row, angle] of this.waiting) {
      this.rows().addAngle(row, angle);
      this.waiting.delete(row);
      this.angled.add(row);
    }
  }
}

/**
 * The files with angles of rows in these files of vectors. The two kinds of files may be divided at different rows.
 * @param {Manifest} manifest
 * @param {Shard[]} shards
 */
function anglesOf({ angles }, shards) {
  return (angles?.files ?? []).filter(({ first_row: first, rows }) =>
    shards.some((shard) => shard.first_row < first + rows && first < shard.first_row + shard.rows),
  );
}
