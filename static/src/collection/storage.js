// Named byte strings that outlive the page: files of the origin private file
// system, or records of IndexedDB if a page may not write such files (plain
// http, private windows, Safari before 26).

import { InputError, LimitError, StorageError, UnsupportedError, VantageError } from '../errors.js';
import { isNamed, messageOf } from '../thrown.js';

/**
 * @typedef {object} Backend byte strings by key
 * @property {(key: string) => Promise<Uint8Array|null>} load
 * @property {(key: string, bytes: Uint8Array) => Promise<unknown>} store
 * @property {(key: string) => Promise<boolean>} remove whether there was something
 * @property {() => Promise<string[]>} keys
 */

/** Every key ends with it. */
const SUFFIX = '.vantage';
const MAX_NAME = 200;

/** A folder of byte strings. */
export class Storage {
  /** @type {Promise<Backend>|undefined} */
  #chosen;

  /** @param {string} folder of the origin; others have their own names */
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * @param {string} name
   * @returns {Promise<Uint8Array|null>} null: nothing was stored under this name
   */
  load(name) {
    return this.#guarded(`${name} cannot be read`, (backend) => backend.load(keyOf(name)));
  }

  /**
   * Replaces what was stored, either completely or not at all.
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  store(name, bytes) {
    return this.#guarded(`${name} cannot be saved`, (backend) => backend.store(keyOf(name), bytes));
  }

  /**
   * Whether there was something to remove.
   * @param {string} name
   */
  remove(name) {
    return this.#guarded(`${name} cannot be removed`, (backend) => backend.remove(keyOf(name)));
  }

  /** @returns {Promise<string[]>} in order */
  async names() {
    const keys = await this.#guarded('the saved names cannot be read', (backend) => backend.keys());
    return keys
      .filter((key) => key.endsWith(SUFFIX))
      .map((key) => decodeURIComponent(key.slice(0, -SUFFIX.length)))
      .sort();
  }

  /**
   * @template T
   * @param {string} what
   * @param {(backend: Backend) => Promise<T>} body
   */
  async #guarded(what, body) {
    try {
      return await body(await this.#backend());
    } catch (cause) {
      if (cause instanceof VantageError) throw cause;
      if (isNamed(cause, 'QuotaExceededError')) {
        throw new LimitError(
          `${what}: the browser grants this site no more storage: remove what was saved, or free space`,
        );
      }
      throw new StorageError(`${what}: ${messageOf(cause)}: does the browser allow this site to store data?`);
    }
  }

  #backend() {
    this.#chosen ??= files(this.folder)
      .catch(() => null)
      .then((found) => found ?? database(this.folder))
      .catch((error) => {
        this.#chosen = undefined; // the next call tries again
        throw error;
      });
    return this.#chosen;
  }
}

/** What pages have saved. */
export const saved = new Storage('vantage');

/** @param {string} name */
function keyOf(name) {
  if (typeof name !== 'string' || name === '') {
    throw new InputError('the name to save under must be a text that is not empty');
  }
  const key = encodeURIComponent(name) + SUFFIX;
  if (key.length > MAX_NAME) {
    throw new LimitError(
      `${name.slice(0, 40)}…: the name takes ${key.length} bytes, at most ${MAX_NAME}: choose a shorter one`,
    );
  }
  return key;
}

/**
 * @param {string} name of the folder
 * @returns {Promise<Backend|null>} null: this browser has none
 */
async function files(name) {
  if (!globalThis.FileSystemFileHandle?.prototype.createWritable) return null;
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  const absent = (/** @type {unknown} */ error) => {
    if (isNamed(error, 'NotFoundError')) return null;
    throw error;
  };
  return {
    async load(key) {
      const handle = await folder.getFileHandle(key).catch(absent);
      return handle && new Uint8Array(await (await handle.getFile()).arrayBuffer());
    },
    async store(key, bytes) {
      // The new content is written beside the file and replaces it on close.
      const writable = await (await folder.getFileHandle(key, { create: true })).createWritable();
      try {
        await writable.write(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
        await writable.close();
      } catch (error) {
        await writable.abort().catch(() => {});
        throw error;
      }
    },
    remove: (key) =>
      folder.removeEntry(key).then(
        () => true,
        (error) => absent(error) ?? false,
      ),
    async keys() {
      /** @type {string[]} */
      const keys = [];
      for await (const key of folder.keys()) keys.push(key);
      return keys;
    },
  };
}

/**
 * @param {string} name of the database, and of its only store
 * @returns {Promise<Backend>}
 */
async function database(name) {
  if (typeof indexedDB === 'undefined') {
    throw new UnsupportedError(
      'documents are saved in the storage of a browser, which is missing here: keep what `documents` returns',
    );
  }
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(name);
  const db = await done(request);
  /**
   * Resolves when the transaction is durable, not when the request is done.
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(records: IDBObjectStore) => IDBRequest<T>} body
   * @returns {Promise<T>}
   */
  const within = (mode, body) =>
    new Promise((resolve, reject) => {
      const transaction = db.transaction(name, mode);
      const result = body(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(result.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? result.error);
    });
  return {
    load: async (key) => (await within('readonly', (records) => records.get(key))) ?? null,
    store: (key, bytes) => within('readwrite', (records) => records.put(bytes, key)),
    async remove(key) {
      const there = (await within('readonly', (records) => records.count(key))) > 0;
      if (there) await within('readwrite', (records) => records.delete(key));
      return there;
    },
    keys: async () => (await within('readonly', (records) => records.getAllKeys())).map(String),
  };
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
