// The engines of a collection behind one interface: a single engine, or several
// in workers that each hold a part of the rows.

import { openEngine, places, startWorker } from './connect.js';
import { NOTHING, deal, startWorkers } from './deal.js';
import { ClosedError } from '../errors.js';
import { Member } from './member.js';
import { add, rankParts } from './merge.js';
import { operation } from './operations.js';
import { settled } from './settled.js';
import { Shares } from './share.js';

/**
 * @import { EngineOptions } from '../collection/collection.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { Coverage, OpenOptions } from '../../lib/index.d.ts'
 * @import { Ask } from './merge.js'
 * @import { Place } from './deal.js'
 * @import { Engine } from './operations.js'
 * @import { Remote } from './remote.js'
 * @typedef {(engine: Engine, owns: (row: number) => boolean) => Promise<void>} Refill
 */

export class Fleet {
  /**
   * @param {string|null} url absolute, of the collection's folder
   * @param {import('../collection/collection.js').EngineOptions} options for each engine
   * @param {Pick<OpenOptions, 'worker'|'workers'>} choice where engines run
   * @param {Refill} refill gives a reopened engine the additions and removals
   * @returns {Promise<Fleet>}
   */
  static async open(url, options, { worker, workers }, refill) {
    const where = places(worker, workers);
    const remotes = await startWorkers(where, options);
    const fleet = new Fleet();
    fleet.inWorker = remotes[0] !== null;
    try {
      const { shares, engines } = await deal(url, options, remotes);
      fleet.shares = shares;
      fleet.members = engines.map((own, i) =>
        fleet.member(url, own, where[i], remotes[i], (engine) => refill(engine, (row) => shares.ownerOf(row) === i)),
      );
      const [first] = fleet.members;
      if (url === null) {
        // The engine with the encoder knows the vectors' dimension.
        await first.current();
        for (const own of engines.slice(1)) own.model = first.opened.info.model;
      }
      await Promise.all(fleet.members.map((member) => member.current()));
      fleet.columns = first.opened.info.fields.length;
      return fleet;
    } catch (error) {
      fleet.close();
      for (const remote of remotes) remote?.close();
      options.signal?.throwIfAborted();
      throw error;
    }
  }

  constructor() {
    this.inWorker = false;
    /** @type {Shares} */
    this.shares = new Shares(NOTHING, 1);
    /** @type {Member[]} the first one has the encoder */
    this.members = [];
    this.columns = 0; // of metadata that every engine knows
    /** @type {Promise<unknown>} additions, removals and refills, one after the other */
    this.changes = Promise.resolve();
    /** @type {Set<Promise<unknown>>} answers under way; changes wait for them */
    this.answers = new Set();
  }

  /**
   * @param {string|null} url
   * @param {EngineOptions} own
   * @param {Place} place
   * @param {Remote|null} remote
   * @param {(engine: Engine) => Promise<void>} refill
   */
  member(url, own, place, remote, refill) {
    const open = async (/** @type {boolean} */ again) => {
      const options = again && own.signal?.aborted ? { ...own, signal: undefined } : own;
      const engine = await openEngine(url, options, again ? await startWorker(place, options) : remote);
      remote = null;
      return engine;
    };
    return new Member(open, (engine, enter) =>
      this.change(async () => {
        await refill(engine);
        enter();
      }),
    );
  }

  /** What the page receives when the collection is open. */
  get opened() {
    const { opened } = this.members[0];
    return {
      ...opened,
      info: { ...opened.info, bytes: this.members.reduce((sum, member) => sum + member.opened.info.bytes, 0) },
    };
  }

  get coverage() {
    return add(this.members.map((member) => member.coverage));
  }

  /** Settles when all vectors and the encoder have loaded; rejects with the first fault. */
  get ready() {
    return settled(this.members.map((member) => member.ready)).then(() => {});
  }

  /** Whether the encoder is still loading. */
  get encoderPending() {
    return this.members[0].engine?.encoderPending ?? false;
  }

  /** Whether the encoder could not be fetched. The next call of encode tries again. */
  get encoderBroke() {
    return this.members[0].engine?.encoderBroke ?? false;
  }

  /**
   * Runs an operation with the engines that its row of OPERATIONS names.
   * @template {import('./operations.js').Asking<'any'|'first'|'all'>} N
   * @param {N} name
   * @param {import('./operations.js').Args<N>} args
   * @param {AbortSignal} [signal]
   * @returns {Promise<import('./operations.js').Result<N>>}
   */
  async call(name, args, signal) {
    const { asks, merge } = operation(name);
    /** @param {Engine} engine */
    const ask = (engine) => engine.call(name, args, signal);
    if (asks === 'any') return this.any(ask);
    if (!merge) return this.first(ask);
    const each = await Promise.all(this.members.map((member) => member.use(ask)));
    return /** @type {Awaited<ReturnType<typeof ask>>} */ (merge(/** @type {never[]} */ (each)));
  }

  /**
   * Runs body with the engine that has the encoder and the words.
   * @template T
   * @param {(engine: Engine) => T|Promise<T>} body
   */
  first(body) {
    return this.members[0].use(body);
  }

  /**
   * Runs body with an engine that is up, if possible the first, whose caches
   * are warm.
   * @template T
   * @param {(engine: Engine) => T|Promise<T>} body
   */
  any(body) {
    return (this.members.find(({ engine }) => engine) ?? this.members[0]).use(body);
  }

  /**
   * Hits over the rows that are loaded, and how many those are.
   * @param {Ranking} ranking
   * @param {AbortSignal} [signal]
   * @returns {Promise<{hits: Hit[], coverage: Coverage}>}
   */
  async rank(ranking, signal) {
    if (this.members.length === 1) return this.members[0].use((engine) => engine.call('rank', [ranking], signal));
    return this.answer((parts) => rankParts(parts, ranking, signal));
  }

  /**
   * Makes one answer from the engines' results, while no rows are added or removed. It lacks the rows of an engine
   * that is being replaced.
   * @template {{coverage: Coverage}} A
   * @param {(parts: Ask[]) => Promise<A|null>} make the answer from the engines that are up; null: rows have arrived
   *   meanwhile, so it is made again
   * @param {{words?: boolean}} [needs] whether the first of them must be the one with the words
   * @returns {Promise<A>}
   */
  async answer(make, { words = false } = {}) {
    for (;;) {
      for (let last; last !== this.changes;) await (last = this.changes); // until no change is under way or waiting
      const up = this.members.filter(({ engine }) => engine);
      const down = this.members.filter(({ engine }) => !engine);
      for (const member of down) member.current().catch(() => {}); // tries to start it again
      if (up.length === 0 || (words && down[0] === this.members[0])) {
        await down[0].current();
        continue;
      }
      const asked = make(up.map((member) => member.asker()));
      this.answers.add(asked);
      const answer = await asked.finally(() => this.answers.delete(asked));
      if (answer) return { ...answer, coverage: add([answer.coverage, ...down.map(({ coverage }) => coverage)]) };
    }
  }

  /**
   * Runs changes of the rows one after the other, and none while an answer is
   * made.
   * @template T
   * @param {() => T|Promise<T>} body
   * @returns {Promise<T>}
   */
  change(body) {
    const result = this.changes.then(async () => {
      await Promise.allSettled(this.answers);
      return body();
    });
    this.changes = result.catch(() => {});
    return result;
  }

  /**
   * Runs a change that involves these members.
   * @param {Member[]} members
   * @param {(ask: (member: Member) => Ask) => Promise<void>} body
   */
  async changing(members, body) {
    // Before the change, because a refill is a change, too.
    await Promise.all(members.map((member) => member.current()));
    await this.change(() => body((member) => member.asker()));
  }

  close() {
    for (const member of this.members) member.close(new ClosedError('the collection was closed'));
  }
}
