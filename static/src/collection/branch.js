// The branch of a collection's encoder, by whose angles it is told which side of a root a text is on. It encodes the
// angles of texts and of added documents, and remembers the roots of earlier questions.

import { byEngine } from './encoding.js';
import { encodedText } from './local.js';
import { Recent } from '../recent.js';
import { until } from '../until.js';
import { addAngles } from '../worker/changes.js';

/**
 * @import { AngleEncoding, TextRole } from '../../lib/index.d.ts'
 * @import { SideTables } from './encoder.js'
 * @import { Entry } from './local.js'
 * @import { Session } from './session.js'
 * @typedef {{topic: Float32Array, angles: Float32Array[]}} RootVectors those of a root: its topic, and the angles of
 *   two queries, one for texts that support it and one for texts that oppose it
 */

/** Most roots whose vectors are cached. */
const ROOTS = 64;

/** Added documents whose angles are encoded and set at a time. */
const BATCH = 64;

export class Branch {
  /** Whether a query has needed angles. From then on, added documents get theirs at once. */
  awake = false;
  /** Whether a query has already used the angles of the collection's rows. */
  used = false;
  /** @type {Recent<string, RootVectors>} */
  roots = new Recent(ROOTS);

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /** The branch of the encoder that the page has given, if it is a collection with angles. */
  get others() {
    return this.session.own?.branch;
  }

  /** Number of components of an angle; 0 if the collection has no angles. */
  get dim() {
    return this.session.info.angles;
  }

  /**
   * Whether the encoder that gives angles also makes the vectors of rows, so that one pass over a text gives both.
   * @returns {boolean}
   */
  get whole() {
    return this.session.own ? (this.others?.whole ?? false) : true;
  }

  /**
   * What the encoder says about angles, or why it has none.
   * @param {AbortSignal} [signal]
   * @returns {Promise<SideTables>}
   */
  async tables(signal) {
    return this.others
      ? this.others.tables(signal)
      : this.session.use((engine) => engine.call('sideTables', [], signal));
  }

  /**
   * The vectors of texts by the collection's encoder, with those of its branch.
   * @param {string[]} texts
   * @param {TextRole} role
   * @param {{alone?: boolean, signal?: AbortSignal}} [options] alone: the angles alone, which is faster
   * @returns {Promise<AngleEncoding[]>} with empty vectors if alone
   */
  async encode(texts, role, { alone = false, signal } = {}) {
    if (this.others) return this.others.encode(texts, role, { alone, signal });
    const encoded = this.session.use(async (engine) => {
      await this.session.carried([], role); // checks it
      return byEngine(engine, alone ? 'angle' : 'both')(texts, role, signal);
    });
    return /** @type {AngleEncoding[]} */ (await until(encoded, signal)); // the branch may be loading, too
  }

  /**
   * Encodes the angles of added documents that have none, and their vectors if the same pass gives them.
   * @param {Entry[]} entries
   * @param {AbortSignal} [signal]
   */
  async fill(entries, signal) {
    const open = entries.filter(({ angle }) => !angle);
    const texts = open.map(({ document }) => encodedText(document));
    const alone = !this.whole || open.every(({ vector }) => vector);
    const encoded = open.length > 0 ? await this.encode(texts, 'document', { alone, signal }) : [];
    open.forEach((entry, i) => {
      entry.angle = encoded[i].angle;
      if (!alone) entry.vector ??= encoded[i].vector;
    });
  }

  /**
   * Encodes the angles that added documents lack. A query that needs angles waits for this.
   * @param {AbortSignal} [signal]
   */
  async open(signal) {
    this.awake = true;
    const { session } = this;
    if (session.local.entries.every(({ angle }) => angle)) return;
    await session.change(async () => {
      const open = session.local.entries.filter(({ angle }) => !angle);
      for (let at = 0; at < open.length; at += BATCH) {
        const entries = open.slice(at, at + BATCH);
        const texts = entries.map(({ document }) => encodedText(document));
        const encoded = await this.encode(texts, 'document', { alone: true, signal });
        signal?.throwIfAborted();
        const byRow = new Map(entries.map((entry) => [entry.row, entry]));
        const slants = entries.map(({ row }, i) => ({ row, angle: encoded[i].angle }));
        await session.use((engine) =>
          addAngles(engine, slants, ({ row, angle }) => {
            /** @type {Entry} */ (byRow.get(row)).angle = angle;
          }),
        );
      }
    });
  }
}
