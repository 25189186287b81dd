// A page's use of one collection: its engines, its encoder, and the additions
// and removals, which a restarted engine receives again.

import { remembering } from './asked.js';
import { byEngine, byNobody, byPage, byWhole, checkCanaries, checkedOnce } from './encoding.js';
import { MAXSIM } from '../constants.js';
import { Branch } from './branch.js';
import { ClosedError, QueryError, UnavailableError } from '../errors.js';
import { Fields } from './fields.js';
import { Fleet } from '../worker/fleet.js';
import { LocalDocuments, anglesOf, encodedText, runs, vectorsOf } from './local.js';
import { hasDocuments } from './range.js';
import { listOf } from '../query/list.js';
import { isBroken } from '../thrown.js';
import { until } from '../until.js';

/**
 * @import { CollectionInfo, Document } from '../../lib/index.d.ts'
 * @import { OpenOptions, PageEncoder } from '../../lib/index.d.ts'
 * @import { Engine } from '../worker/operations.js'
 * @import { EngineOptions, Opened } from './collection.js'
 * @import { TextEncoding } from './encoding.js'
 */

/**
 * The page's own encoder. If it has `join`, that method makes it the collection's encoder: see fallback.js. If it has
 * a `branch`, that gives angles: see branch.js.
 * @typedef {PageEncoder & {
 *   join?: (opened: Opened, engine: TextEncoding) => Promise<TextEncoding>,
 *   branch?: Branch,
 * }} OwnEncoder
 */

export class Session {
  /** @type {Fleet} any: start sets it */
  engine = /** @type {any} */ (null);
  /** @type {TextEncoding} */
  encode = byNobody;
  /** @type {TextEncoding} by the encoder in the engines */
  carried = byNobody;
  /** @type {CollectionInfo} any: meet sets it */
  collection = /** @type {any} */ (null);
  fields = new Fields([]);
  /** @type {LocalDocuments|null} once the engines have described the collection */
  known = null;

  /**
   * @param {string|null} url absolute, of the collection's folder
   * @param {import('./collection.js').EngineOptions} options for each engine
   * @param {Pick<OpenOptions, 'worker'|'workers'> & {encoder?: OwnEncoder|null}} choice
   *   where engines run, and the page's own encoder
   */
  static async start(url, options, { encoder, ...choice }) {
    const session = new Session(encoder);
    session.engine = await Fleet.open(url, options, choice, (engine, owns) => session.refill(engine, owns));
    try {
      await session.meet(session.engine);
      return session;
    } catch (error) {
      session.engine.close();
      options.signal?.throwIfAborted();
      throw error;
    }
  }

  /** @param {OwnEncoder|null} [encoder] */
  constructor(encoder) {
    this.own = encoder ?? null;
    this.branch = new Branch(this);
    /** @type {ClosedError|null} */
    this.closed = null;
    /** @type {Promise<unknown>} additions and removals, one after the other */
    this.changes = Promise.resolve();
    this.settled = 0; // how many numbers of added documents were ever used
    /** @type {number[]} indexes of documents, in the order in which they were removed */
    this.removals = [];
    /**
     * @type {WeakMap<Engine, {added: number, removed: number}>} the changes that each engine's words have
     * received
     */
    this.told = new WeakMap();
  }

  /**
   * Learns the collection's properties from the engines.
   * @param {Fleet} engine
   */
  async meet(engine) {
    const { own } = this;
    const { info, checks, encoderDim, encoderLate, encoderPending } = engine.opened;
    const encode = remembering(checkedOnce(byEngine(engine), checks, encoderDim || checks.model.dim));
    this.carried = (texts, role, signal) => until(encode(texts, role, signal), signal); // the encoder may be loading
    const late = info.score === MAXSIM;
    if (late && (own ? own.join : encoderDim > 0 && !encoderLate)) {
      this.encode = byWhole(own?.id ?? info.model.id);
    } else if (own?.join) {
      this.encode = await own.join(engine.opened, byEngine(engine)); // join checks the model, now and later
    } else if (own) this.encode = checkedOnce(byPage(own, late), checks, own.dim);
    else if (encoderDim > 0) this.encode = this.carried;
    const vouched = this.vouched();
    vouched.catch(() => {}); // if words answer meanwhile, whoever encodes gets the error
    if (!encoderPending) await vouched;
    // Without rows of its own, the collection takes the angles that another collection's encoder gives.
    const angles = info.documents === 0 ? (own?.branch?.dim ?? 0) : info.angles;
    this.collection = { ...info, encodes: this.encode !== byNobody, angles };
    this.fields = new Fields(info.fields);
    this.known = new LocalDocuments(info);
  }

  /** What was added and removed. */
  get local() {
    return /** @type {LocalDocuments} */ (this.known);
  }

  /**
   * Whether words may answer a query that could not be encoded: its encoder is out of reach, or
   * is the collection's and cannot be used.
   * @param {unknown} error
   */
  wordsReplace(error) {
    if (error instanceof UnavailableError) return true;
    return !this.own && isBroken(error);
  }

  /** Whether texts stay in the page: the engines encode them, or an encoder of the page that promises it. */
  get encodesHere() {
    return this.own === null || this.own.local === true;
  }

  /**
   * Reads a query as soon as the encoder is there, whose reader may read more than the grammar. If it cannot be had,
   * whoever encodes gets the error.
   * @param {string} text
   */
  async split(text) {
    await this.vouched().catch(() => {});
    return this.engine.call('split', [text]);
  }

  /** Settles when the encoder has been checked. */
  async vouched() {
    if (this.encode !== byNobody && !this.own?.join) await this.encode([], 'query');
  }

  /**
   * Gives a restarted engine the rows that it owns.
   * @param {Engine} engine
   * @param {(row: number) => boolean} owns
   */
  async refill(engine, owns) {
    const { checks, encoderDim, encoderPending } = engine.opened;
    // While the encoder loads again, words answer. Its files have the same hashes as before.
    if (encoderDim > 0 && !encoderPending) await checkCanaries(byEngine(engine), checks, encoderDim);
    if (!this.known) return; // nothing can have been added
    const { entries, removed } = this.known;
    await engine.call('declare', [this.fields.blank]);
    for (const run of runs(entries.filter(({ row }) => owns(row)))) {
      const { columns } = this.fields.columns(run.map((entry) => entry.document));
      await engine.call('add', [run[0].row, vectorsOf(run), columns, anglesOf(run)]);
    }
    const gone = [...removed].filter(owns);
    if (gone.length > 0) await engine.call('remove', [gone]);
  }

  /** The current name, size, model and filter fields of the collection. */
  get info() {
    return { ...this.collection, fields: this.fields.list };
  }

  get coverage() {
    return this.engine.coverage;
  }

  get ready() {
    return this.engine.ready.then(() => this.vouched());
  }

  /**
   * Runs body with the engines and their encoder.
   * @template T
   * @param {(engine: Fleet, encode: TextEncoding) => T|Promise<T>} body
   * @returns {Promise<T>}
   */
  async use(body) {
    if (this.closed) throw this.closed;
    return body(this.engine, this.encode);
  }

  /**
   * Runs one change after the other.
   * @template T
   * @param {() => T|Promise<T>} body
   * @returns {Promise<T>}
   */
  change(body) {
    const result = this.changes.then(body);
    this.changes = result.catch(() => {});
    return result;
  }

  /**
   * Runs body with the engine that has the words, once it knows all additions
   * and removals.
   * @template T
   * @param {(engine: Engine) => T|Promise<T>} body
   */
  withWords(body) {
    return this.engine.first(async (engine) => {
      await this.tell(engine);
      return body(engine);
    });
  }

  /**
   * Sends the additions and removals that it lacks to the engine that has the words.
   * @param {Engine} engine
   */
  async tell(engine) {
    const { added, removed } = this.told.get(engine) ?? { added: 0, removed: 0 };
    if (added === this.settled && removed === this.removals.length) return;
    const texts = Array.from({ length: this.settled - added }, (_, i) => {
      const entry = this.local.byIndex.get(this.collection.documents + added + i);
      return entry ? encodedText(entry.document) : null;
    });
    this.told.set(engine, { added: this.settled, removed: this.removals.length });
    try {
      await engine.call('changeWords', [texts, this.removals.slice(removed)]);
    } catch (error) {
      this.told.set(engine, { added, removed }); // nothing has arrived
      throw error;
    }
  }

  /**
   * Whole documents by index, in the given order.
   * @param {Iterable<number>} indexes
   * @param {AbortSignal} [signal]
   */
  documents(indexes, signal) {
    return this.use(async (engine) => {
      const wanted = listOf(indexes, 'documents takes a list of indexes: documents([0, 1])');
      const { documents } = this.collection;
      const local = wanted.map((index) => {
        if (index >= 0 && index < documents) return null;
        const entry = this.local.byIndex.get(index);
        if (!entry) {
          throw new QueryError(`document ${index}: ${hasDocuments(documents)}, and none was added under this number`);
        }
        return structuredClone(entry.document);
      });
      const read = wanted.filter((_, i) => !local[i]);
      const rest = read.length > 0 ? await engine.call('documents', [read], signal) : [];
      return local.map((document) => document ?? /** @type {Document} */ (rest.shift()));
    });
  }

  close() {
    this.closed ??= new ClosedError('the collection was closed');
    this.engine.close();
  }
}
