// What an engine reads of its collection: files, with their progress, and documents.

import { downloads } from './downloads.js';

/**
 * @import { Document } from '../../lib/index.d.ts'
 * @import { StoredFile } from './manifest.js'
 * @import { Progress } from './progress.js'
 * @import { Store } from './store.js'
 */

export class Files {
  /**
   * @param {Store|null} store null: a collection without documents
   * @param {Progress} progress
   * @param {AbortSignal} signal ends what is loaded in advance
   * @param {AbortSignal} closing ends what a query needs, too
   */
  constructor(store, progress, signal, closing) {
    this.store = store;
    this.progress = progress;
    this.signal = signal;
    this.closing = closing;
  }

  /**
   * @param {StoredFile} file
   * @param {(bytes: number) => void} [onBytes]
   * @returns {Promise<Uint8Array>}
   */
  read(file, onBytes) {
    const signal = this.signal.aborted ? this.closing : this.signal;
    return /** @type {Store} */ (this.store).read(file, { signal, onBytes });
  }

  /**
   * Reads a file whose bytes are a part of the progress.
   * @param {StoredFile} file
   */
  async readCounted(file) {
    let told = 0;
    try {
      return await this.read(file, (bytes) => {
        told += bytes;
        this.progress.received(bytes);
      });
    } catch (error) {
      this.progress.received(-told); // they may come again
      throw error;
    }
  }

  /**
   * Indexes of the collection's documents that have these ids, null for none.
   * @param {string[]} ids
   * @param {AbortSignal|undefined} signal
   */
  async find(ids, signal) {
    return this.store ? this.store.find(ids, signal) : ids.map(() => null);
  }

  /**
   * @param {number[]} indexes
   * @param {AbortSignal|undefined} signal
   * @returns {Promise<Document[]>}
   */
  async documents(indexes, signal) {
    return this.store ? this.store.documents(indexes, signal) : [];
  }

  downloads() {
    return downloads();
  }
}
