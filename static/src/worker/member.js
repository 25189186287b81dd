// One engine of a fleet. A lost engine is replaced: calls under way fail with a
// LostInstanceError, and the new engine answers the next ones.

import { LostInstanceError } from '../errors.js';

/**
 * @import { Opened } from '../collection/collection.js'
 * @import { Engine } from './operations.js'
 */

export class Member {
  /**
   * @param {(again: boolean) => Promise<Engine>} open an engine with its part of the collection
   * @param {(engine: Engine, enter: () => void) => Promise<void>} refill gives a reopened
   *   engine the additions and removals, and then calls enter
   */
  constructor(open, refill) {
    this.open = open;
    this.refill = refill;
    /** @type {Engine|null} null: lost or closed */
    this.engine = null;
    /** @type {Promise<Engine>|null} the next one */
    this.starting = null;
    this.again = false; // there was one before
    /** @type {Opened} the first engine's description of the collection; any: start sets it */
    this.opened = /** @type {any} */ (null);
    this.complete = false; // all of its vectors had arrived
    /** @type {Error|null} */
    this.closed = null;
    this.covered = { rows: 0, total: 0 }; // when the engine was lost
  }

  /** Loaded rows, and all rows of this part. */
  get coverage() {
    return this.engine ? this.engine.coverage : { rows: 0, total: this.covered.total };
  }

  get ready() {
    return this.engine ? this.engine.ready : this.current().then((engine) => engine.ready);
  }

  /**
   * The engine, or the next one if it was lost.
   * @returns {Promise<Engine>}
   */
  async current() {
    if (this.closed) throw this.closed;
    if (this.engine) return this.engine;
    this.starting ??= this.start().finally(() => {
      this.starting = null;
    });
    return this.starting;
  }

  /** @returns {Promise<Engine>} */
  async start() {
    const { again } = this;
    const engine = await this.open(again);
    const enter = () => {
      if (this.closed) throw this.closed;
      this.engine = engine;
    };
    try {
      if (again) {
        if (this.complete) await engine.ready.catch(() => {}); // coverage says if vectors are missing
        await this.refill(engine, enter);
      } else {
        this.opened = engine.opened;
        this.again = true;
        enter();
      }
    } catch (error) {
      engine.close();
      throw error;
    }
    engine.onLost = (error) => this.lost(engine, error);
    engine.ready.then(
      () => {
        if (this.engine === engine) this.complete = true;
      },
      () => {},
    );
    return engine;
  }

  /**
   * Runs body with the engine, once there is one.
   * @template T
   * @param {(engine: Engine) => T|Promise<T>} body
   * @returns {Promise<T>}
   */
  async use(body) {
    await this.current();
    return this.asker()(body);
  }

  /**
   * Returns a function that runs bodies with the current engine, and fails if
   * that engine is lost.
   * @returns {import('./merge.js').Ask}
   */
  asker() {
    const { engine } = this;
    return async (body) => {
      if (!engine) throw this.closed ?? new LostInstanceError('an engine stopped: it restarts, repeat the call');
      try {
        return await body(engine);
      } catch (error) {
        if (error instanceof LostInstanceError) this.lost(engine, error);
        throw error;
      }
    };
  }

  /**
   * @param {Engine} engine
   * @param {LostInstanceError} error
   */
  lost(engine, error) {
    if (this.engine !== engine) return;
    this.covered = engine.coverage;
    this.engine = null;
    engine.discard(error);
    this.current().catch(() => {}); // the next call tries again, and reports a fault
  }

  /** @param {Error} error */
  close(error) {
    this.closed ??= error;
    const { engine } = this;
    this.engine = null;
    engine?.close();
  }
}
