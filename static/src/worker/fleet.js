// The engines of a collection behind one interface: a single engine, or several
// in workers that each hold a part of the rows.

import { openEngine, places, startWorker } from './connect.js';
import { ClosedError, LostInstanceError } from '../errors.js';
import { Member } from './member.js';
import { add, rankParts } from './merge.js';
import { operation } from './operations.js';
import { loadModules } from '../engine/modules.js';
import { Progress, TotalProgress } from '../collection/progress.js';
import { Shares, filesOf } from './share.js';
import { Store } from '../collection/store.js';

/**
 * @import { EngineOptions } from '../collection/collection.js'
 * @import { Condition } from '../query/filter.js'
 * @import { Slant } from '../collection/angles.js'
 * @import { ColumnValues } from '../collection/fields.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { Coverage, OpenOptions, Progress as Report } from '../../lib/index.d.ts'
 * @import { Ask } from './merge.js'
 * @import { Engine } from './operations.js'
 * @import { Remote } from './remote.js'
 * @typedef {(engine: Engine, owns: (row: number) => boolean) => Promise<void>} Refill
 * @typedef {Worker|boolean|undefined} Place where an engine runs: see places of connect.js
 */

/**
 * The manifest's part for an engine without a collection.
 * @type {import('./share.js').Parts}
 */
const NOTHING = { vectors: [], rows: 0 };

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

  /** Settles when all vectors have loaded; rejects with the first fault. */
  get ready() {
    return settled(this.members.map((member) => member.ready)).then(() => {});
  }

  /** Whether the encoder is still loading. */
  get encoderPending() {
    return this.members[0].engine?.encoderPending ?? false;
  }

  /** Whether the encoder could not be fetched; if it encodes nevertheless, it is fetched again. */
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
   * Adds rows, all or none.
   * @param {number} first row of the first new row, after all earlier ones
   * @param {Float32Array[]} vectors
   * @param {ColumnValues[]} columns one value for each row
   * @param {(Float32Array|null)[]} angles one for each row, if it is known
   */
  async add(first, vectors, columns, angles) {
    const runs = this.shares.runs(first, vectors.length);
    const fresh = this.members.length > 1 ? columns.filter(({ column }) => column >= this.columns) : [];
    await this.changing(
      fresh.length > 0 ? this.members : runs.map(({ worker }) => this.members[worker]),
      async (ask) => {
        const added = await Promise.allSettled(
          runs.map(({ worker, from, end }) =>
            ask(this.members[worker])((engine) =>
              engine.call('add', [
                from,
                vectors.slice(from - first, end - first),
                columns.map(({ column, values }) => ({ column, values: values.slice(from - first, end - first) })),
                angles.slice(from - first, end - first),
              ]),
            ),
          ),
        );
        /** @type {PromiseSettledResult<unknown>|undefined} */
        let fault = added.find(({ status }) => status === 'rejected');
        if (!fault && fresh.length > 0) {
          const told = await Promise.allSettled(
            this.members.map((member) => ask(member)((engine) => engine.call('declare', [fresh]))),
          );
          fault = told.find(({ status }) => status === 'rejected');
        }
        if (!fault) return;
        await Promise.allSettled(
          runs
            .filter((_, i) => added[i].status === 'fulfilled')
            .map(({ worker, from, end }) =>
              ask(this.members[worker])((engine) =>
                engine.call('remove', [Array.from({ length: end - from }, (_, i) => from + i)]),
              ),
            ),
        );
        throw /** @type {PromiseRejectedResult} */ (fault).reason;
      },
    );
    for (const { column } of fresh) this.columns = Math.max(this.columns, column + 1);
  }

  /**
   * Gives added rows their angles.
   * @param {Slant[]} slants
   * @param {(slant: Slant) => void} given called for each that an engine has taken, even if another fails
   */
  async addAngles(slants, given) {
    const owner = (/** @type {Slant} */ { row }) => this.members[this.shares.ownerOf(row)];
    const members = [...new Set(slants.map(owner))];
    await this.changing(members, async (ask) => {
      const each = members.map(async (member) => {
        const own = slants.filter((slant) => owner(slant) === member);
        await ask(member)((engine) => engine.call('addAngles', [own]));
        own.forEach(given);
      });
      await settled(each);
    });
  }

  /**
   * Excludes rows from every later answer, including rows that have not arrived
   * yet.
   * @param {Iterable<number>} rows
   */
  async remove(rows) {
    /** @type {Map<Member, number[]>} */
    const parts = new Map();
    for (const row of rows) {
      const member = this.members[this.shares.ownerOf(row)];
      const own = parts.get(member);
      if (own) own.push(row);
      else parts.set(member, [row]);
    }
    await this.changing([...parts.keys()], async (ask) => {
      const removed = await Promise.allSettled(
        [...parts].map(([member, own]) => ask(member)((engine) => engine.call('remove', [own]))),
      );
      // If an engine is lost meanwhile, its rows are removed too, because it is
      // refilled without them.
      const some = removed.some(({ status }) => status === 'fulfilled');
      const fault = removed.find(
        (one) => one.status === 'rejected' && !(some && one.reason instanceof LostInstanceError),
      );
      if (fault?.status === 'rejected') throw fault.reason;
    });
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

/**
 * A worker for each place, or only null if the engine runs in the page.
 * @param {Place[]} where
 * @param {EngineOptions} options
 * @returns {Promise<(Remote|null)[]>}
 */
async function startWorkers(where, options) {
  const started = await Promise.allSettled(where.map((place) => startWorker(place, options)));
  const remotes = started.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
  const fault = started.find((one) => one.status === 'rejected');
  if (!fault && remotes.length === where.length) return remotes;
  for (const remote of remotes) remote.close();
  if (fault?.status === 'rejected') throw fault.reason;
  return [null]; // several engines in the page would not be faster than one
}

/**
 * The options of each engine, and the rows that it holds. For workers, the manifest is
 * read once, so that all have the same collection, and the modules are compiled once.
 * @param {string|null} url
 * @param {EngineOptions} options
 * @param {(Remote|null)[]} remotes
 * @returns {Promise<{shares: Shares, engines: EngineOptions[]}>}
 */
async function deal(url, options, remotes) {
  if (remotes[0] === null) return { shares: new Shares(NOTHING, 1), engines: [{ ...options }] };
  const [modules, store] = await Promise.all([
    loadModules(options.modules, options.signal),
    url === null ? null : Store.open(url, options.signal),
  ]);
  // Candidates for MaxSim are chosen among all documents, so one engine has all of them.
  if (store?.manifest.tokens) for (const remote of remotes.splice(1)) remote?.close();
  const n = remotes.length;
  if (n === 1) {
    return { shares: new Shares(NOTHING, 1), engines: [{ ...options, modules, manifest: store?.manifest }] };
  }
  const manifest = store?.manifest ?? NOTHING;
  const shares = new Shares(manifest, n);
  const blank = Array.from({ length: n }, (_, i) => new Progress(filesOf(manifest, options.encoder, shares.of(i))).now);
  const total = new TotalProgress(blank, options.onProgress);
  const engines = blank.map((_, i) => ({
    ...options,
    modules,
    manifest: store?.manifest,
    share: shares.of(i),
    encoder: i === 0 ? options.encoder : null,
    onProgress: (/** @type {Report} */ progress) => total.set(i, progress),
  }));
  return { shares, engines };
}

/**
 * The values of promises, once all have settled; throws the first fault, if there is
 * one.
 * @template T
 * @param {Promise<T>[]} promises
 * @returns {Promise<T[]>}
 */
async function settled(promises) {
  const results = await Promise.allSettled(promises);
  return results.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
