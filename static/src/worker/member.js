// One engine of a fleet, at hand for as long as the fleet is. One that is lost
// is started again: calls under way fail with a LostInstanceError, the next
// ones are answered by the new engine.

import { LostInstanceError } from '../errors.js';

/**
 * @import { Opened } from '../collection/collection.js'
 * @import { Engine } from './operations.js'
 */

export class Member {
  /**
   * @param {(again: boolean) => Promise<Engine>} open an engine with its part of the collection
   * @param {(engine: Engine, enter: () => void) => Promise<void>} refill gives
   *   an engine that was opened again what was added and removed since, and
   *   then calls enter
   */
  constructor(open, refill) {
    this.open = open;
    this.refill = refill;
    /** @type {Engine|null} null: it is lost, or closed */
    this.engine = null;
    /** @type {Promise<Engine>|null} the next one */
    this.starting = null;
    this.again = false; // there was one before
    /** @type {Opened} what the first one was told on opening: any, since nobody asks before */
    this.opened = /** @type {any} */ (null);
    this.complete = false; // all of its vectors had arrived
    /** @type {Error|null} */
    this.closed = null;
    this.covered = { rows: 0, total: 0 }; // when the engine was lost
  }

  /** Rows at hand, and rows of this part. */
  get coverage() {
    return this.engine ? this.engine.coverage : { rows: 0, total: this.covered.total };
  }

  get ready() {
    return this.engine ? this.engine.ready : this.current().then((engine) => engine.ready);
  }

  /**
   * The engine; the next one where it was lost.
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
        if (this.complete) await engine.ready.catch(() => {}); // what is missing then, coverage tells
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
   * Runs bodies with the engine of this moment; each notices if it is lost.
   * @returns {import('./merge.js').Ask}
   */
  asker() {
    const { engine } = this;
    return async (body) => {
      if (!engine) throw this.closed ?? new LostInstanceError('an engine stopped: it is started again, ask again');
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
    this.current().catch(() => {}); // the next call tries again, and says what is wrong
  }

  /** @param {Error} error */
  close(error) {
    this.closed ??= error;
    const { engine } = this;
    this.engine = null;
    engine?.close();
  }
}
