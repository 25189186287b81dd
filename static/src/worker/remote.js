// The page's end of a collection in a worker: each call is a message (see
// listen.js).

import { ClosedError, LostInstanceError, VersionError } from '../errors.js';
import { operation } from './operations.js';
import { PROTOCOL, fromWire } from './protocol.js';

/**
 * @import { EngineOptions, Opened } from '../collection/collection.js'
 * @import { Progress } from '../../lib/index.d.ts'
 * @typedef {{resolve: (result: unknown) => void, reject: (error: unknown) => void, done: () => void}} Pending
 */

/** Ids are unique in the page: one worker may serve it several times. */
let nextId = 1;

/** Browsers send no event when a worker has ended, so silence must show it. */
const PATIENCE = 30_000;

/**
 * Silence is counted in ticks and not by the clock, so that a page that slept
 * does not count its worker, which slept too, as dead.
 */
const TICKS = 5;

export class Remote {
  /**
   * @param {Worker} worker that runs worker.js
   * @param {boolean} owned end the worker on close
   * @param {number} [patience] milliseconds of silence, while calls are under
   *   way, after which the worker counts as dead; 0: never
   */
  constructor(worker, owned, patience = PATIENCE) {
    this.patience = patience;
    this.timer = 0;
    this.silent = 0; // ticks since the worker was last heard
    /** @type {((error: LostInstanceError) => void)|null} called if the engine is lost rather than closed */
    this.onLost = null;
    /** @type {((progress: Progress) => void)|undefined} */
    this.onProgress = undefined;
    this.inWorker = true;
    this.worker = worker;
    this.owned = owned;
    /** @type {Map<number, Pending>} by id */
    this.pending = new Map();
    this.openId = 0; // of the call that opened the collection
    /** @type {Error|null} why no call can succeed any more */
    this.gone = null;
    /** @type {Opened} any: nobody reads it before the collection is open */
    this.opened = /** @type {any} */ (null);
    this.coverage = { rows: 0, total: 0 };
    this.encoderPending = false; // words answer meanwhile
    this.encoderCame = false;
    this.encoderBroke = false; // it could not be fetched, and perhaps can be later
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      /** @type {{resolve: () => void, reject: (error: unknown) => void}} */
      this.settle = { resolve, reject };
    });
    this.ready.catch(() => {}); // whoever awaits it reports the error
    /** @type {{[type: string]: (event: any) => void}} */
    this.listeners = {
      message: ({ data }) => this.receive(data ?? {}), // a page's own worker may send other messages
      error: (event) =>
        this.lose(new LostInstanceError(`the worker failed: ${event.message ?? 'its script cannot be loaded'}`)),
      messageerror: () => this.lose(new LostInstanceError('the worker sent a message that cannot be read')),
    };
    for (const [type, listener] of Object.entries(this.listeners)) worker.addEventListener(type, listener);
  }

  /**
   * Resolves when the worker's script runs and speaks this protocol.
   * @param {AbortSignal} [signal]
   */
  async greet(signal) {
    const protocol = await this.send('hello', [], signal);
    if (protocol !== PROTOCOL) {
      throw new VersionError(
        `the worker speaks protocol ${protocol}, the page ${PROTOCOL}: the files of the library must be of one version`,
      );
    }
  }

  /**
   * @param {string|null} url
   * @param {EngineOptions} options
   */
  async open(url, { signal, onProgress, patience, ...options }) {
    this.onProgress = onProgress;
    this.opened = await this.send('open', [url, options], signal, { lasting: true });
    this.coverage = this.opened.coverage;
    this.encoderPending = this.opened.encoderPending && !this.encoderCame;
  }

  /**
   * Runs an operation in the worker.
   * @template {import('./operations.js').Name} N
   * @param {N} name
   * @param {import('./operations.js').Args<N>} args
   * @param {AbortSignal} [signal]
   * @returns {Promise<import('./operations.js').Result<N>>}
   */
  async call(name, args, signal) {
    const { sends, changes } = operation(name);
    const result = await this.send(name, args, signal, { transfer: sends?.(/** @type {never} */ (args)) });
    if (changes) this.coverage = result.coverage;
    return result;
  }

  close() {
    this.discard(new ClosedError('the collection was closed'));
  }

  /**
   * Ends the engine; calls under way and later ones fail with this error.
   * @param {Error} error
   */
  discard(error) {
    if (!this.gone && !this.owned) this.worker.postMessage({ id: nextId++, call: 'close', args: [], of: this.openId });
    this.lose(error);
  }

  /**
   * @param {string} name of a call that listen.js knows
   * @param {unknown[]} args
   * @param {AbortSignal} [signal]
   * @param {{lasting?: boolean, transfer?: ArrayBufferLike[]}} [options] lasting: the signal
   *   stays in force after the answer; transfer: buffers that are moved to the worker and
   *   not copied
   * @returns {Promise<any>} any: the worker's answer; its files have the same version as
   *   these
   */
  send(name, args, signal, { lasting = false, transfer = [] } = {}) {
    if (this.gone) return Promise.reject(this.gone);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = nextId++;
    if (name === 'open') this.openId = id;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.worker.postMessage({ id, abort: String(signal?.reason?.message ?? 'aborted') });
        this.finish(id)?.reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const done = () => {
        if (!lasting) signal?.removeEventListener('abort', abort);
      };
      this.pending.set(id, { resolve, reject, done });
      this.watch();
      try {
        this.worker.postMessage({ id, call: name, args, of: this.openId }, { transfer });
      } catch (error) {
        this.finish(id)?.reject(error); // an argument that cannot be cloned
      }
    });
  }

  /** Drops the worker if it no longer answers. */
  watch() {
    if (this.timer || this.patience === 0) return;
    this.silent = 0;
    this.timer = setInterval(() => {
      if (this.pending.size === 0) this.rest();
      else if (this.silent === TICKS) {
        this.lose(new LostInstanceError(`the worker has not answered for ${this.patience} ms`));
      } else if (this.silent++ === 0) this.worker.postMessage({ id: nextId++, call: 'hello', args: [] });
    }, this.patience / TICKS);
  }

  rest() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  /** @param {number} id */
  finish(id) {
    const call = this.pending.get(id);
    this.pending.delete(id);
    call?.done();
    return call;
  }

  /** @param {any} message */
  receive({ id, result, error, event, value, coverage, broke }) {
    this.silent = 0;
    if (event && id !== this.openId) return; // of a collection that was closed before
    if (event === 'progress') {
      this.coverage = coverage ?? this.coverage; // none while it opens
      this.onProgress?.(value);
    } else if (event === 'encoder') {
      this.encoderCame = true; // or it failed, which the next call that needs it reports
      this.encoderPending = false;
      this.encoderBroke = broke;
    } else if (event === 'settled') {
      if (error) this.settle.reject(fromWire(error));
      else this.settle.resolve();
    } else if (error) {
      this.finish(id)?.reject(fromWire(error));
    } else {
      this.finish(id)?.resolve(result);
    }
  }

  /**
   * Fails every call, now and later, and drops the worker.
   * @param {Error} reason
   */
  lose(reason) {
    if (this.gone) return;
    this.gone = reason;
    this.rest();
    for (const [type, listener] of Object.entries(this.listeners)) this.worker.removeEventListener(type, listener);
    if (this.owned) this.worker.terminate();
    for (const id of [...this.pending.keys()]) this.finish(id)?.reject(reason);
    this.settle.reject(reason);
    if (reason instanceof LostInstanceError) this.onLost?.(reason);
  }
}
