// The page's end of a collection that lives in a worker: the same methods as
// Collection, each a message. worker.js describes the messages.

import { ClosedError, LostInstanceError, VersionError } from './errors.js';
import { PROTOCOL, fromWire } from './protocol.js';

/** Ids are unique in the page: one worker may serve it several times. */
let nextId = 1;

export class Remote {
  /**
   * @param {Worker} worker that runs worker.js
   * @param {boolean} owned end the worker on close
   */
  constructor(worker, owned) {
    this.worker = worker;
    this.owned = owned;
    this.pending = new Map(); // id -> {resolve, reject}
    this.openId = 0; // of the call that opened the collection
    this.gone = null; // why no call can succeed any more
    this.coverage = { rows: 0, total: 0 };
    this.ready = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.ready.catch(() => {}); // reported where it is awaited
    this.listeners = {
      message: ({ data }) => this.receive(data),
      error: (event) => this.lose(new LostInstanceError(`the worker failed: ${event.message ?? 'its script cannot be loaded'}: open the collection again`)),
      messageerror: () => this.lose(new LostInstanceError('the worker sent what cannot be read: open the collection again')),
    };
    for (const [type, listener] of Object.entries(this.listeners)) worker.addEventListener(type, listener);
  }

  /** Resolves when the worker's script runs and speaks this protocol. */
  async greet(signal) {
    const protocol = await this.call('hello', [], signal);
    if (protocol !== PROTOCOL) throw new VersionError(`the worker speaks protocol ${protocol}, the page ${PROTOCOL}: the files of the library must be of one version`);
  }

  async open(url, { signal, onProgress, ...options }) {
    this.onProgress = onProgress;
    const { info, coverage } = await this.call('open', [url, options], signal, true);
    this.info = info;
    this.coverage = coverage;
  }

  search(request, signal) {
    return this.call('search', [request], signal);
  }

  split(text) {
    return this.call('split', [text]);
  }

  encode(text) {
    return this.call('encode', [text]);
  }

  documents(indexes, signal) {
    return this.call('documents', [indexes], signal);
  }

  memory() {
    return this.call('memory', []);
  }

  close() {
    if (!this.gone && !this.owned) this.worker.postMessage({ id: nextId++, call: 'close', args: [] });
    this.lose(new ClosedError('the collection was closed'));
  }

  /**
   * @param {boolean} [lasting] the signal stays in force after the answer
   */
  call(name, args, signal, lasting = false) {
    if (this.gone) return Promise.reject(this.gone);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = nextId++;
    if (name === 'open') this.openId = id;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.worker.postMessage({ id, abort: String(signal.reason?.message ?? 'aborted') });
        this.finish(id)?.reject(signal.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const done = () => {
        if (!lasting) signal?.removeEventListener('abort', abort);
      };
      this.pending.set(id, { resolve, reject, done });
      try {
        this.worker.postMessage({ id, call: name, args });
      } catch (error) {
        this.finish(id).reject(error); // an argument that cannot be cloned
      }
    });
  }

  finish(id) {
    const call = this.pending.get(id);
    this.pending.delete(id);
    call?.done();
    return call;
  }

  receive({ id, result, error, event, value }) {
    if (event && id !== this.openId) return; // of a collection closed before
    if (event === 'progress') {
      this.coverage = { rows: value.rows, total: value.totalRows };
      this.onProgress?.(value);
    } else if (event === 'settled') {
      if (error) this.settle.reject(fromWire(error));
      else this.settle.resolve();
    } else if (error) {
      this.finish(id)?.reject(fromWire(error));
    } else {
      this.finish(id)?.resolve(result);
    }
  }

  /** Fails every call, now and later, and lets go of the worker. */
  lose(reason) {
    if (this.gone) return;
    this.gone = reason;
    for (const [type, listener] of Object.entries(this.listeners)) this.worker.removeEventListener(type, listener);
    if (this.owned) this.worker.terminate();
    for (const id of [...this.pending.keys()]) this.finish(id).reject(reason);
    this.settle.reject(reason);
  }
}
