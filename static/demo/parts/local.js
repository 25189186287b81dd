// A collection that exists only in this page: documents of a file, encoded by
// the encoder of the page's own collection.

import { Vantage } from '../../lib/index.js';
import { tame } from './corpus/tame.js';

/**
 * @import { FileDocument } from './corpus/read.js'
 * @typedef {{signal: AbortSignal, onProgress: (done: number, total: number) => void}} Way
 */

/** Documents encoded between two reports of progress and checks of the signal. */
const BATCH = 128;

/**
 * Reads a file in a worker of its own.
 * @param {File} file
 * @param {Way} way
 * @returns {Promise<FileDocument[]>}
 */
export function readDocuments(file, { signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./corpus/worker.js', import.meta.url), { type: 'module', name: 'reader' });
    /**
     * @template T
     * @param {(value: T) => void} settle
     * @param {T} value
     */
    const end = (settle, value) => {
      worker.terminate();
      settle(value);
    };
    signal.addEventListener('abort', () => end(reject, signal.reason), { once: true });
    worker.addEventListener('error', (event) =>
      end(
        reject,
        new Error(`${file.name} cannot be read (${event.message ?? 'the reader did not start'}): load the page again`),
      ),
    );
    worker.addEventListener('message', ({ data: { read, total, documents, fault } }) => {
      if (fault) end(reject, new Error(fault));
      else if (documents) end(resolve, documents);
      else onProgress(read, total);
    });
    worker.postMessage(file);
  });
}

/**
 * Encodes documents into an engine of their own.
 * @param {FileDocument[]} documents
 * @param {Vantage} base the collection whose encoder is used
 * @param {Way} way
 * @returns {Promise<{vantage: Vantage, leftOut: number}>} leftOut: fields
 */
export async function searchable(documents, base, { signal, onProgress }) {
  const leftOut = tame(documents);
  const vantage = await Vantage.create({ encoder: base });
  try {
    for (let at = 0; at < documents.length; at += BATCH) {
      onProgress(at, documents.length);
      await vantage.add(documents.slice(at, at + BATCH), { signal, angles: true });
    }
    signal.throwIfAborted();
    return { vantage, leftOut };
  } catch (error) {
    vantage.close();
    throw error;
  }
}

/**
 * Opens a stored collection.
 * @param {string} name
 * @param {Vantage} base
 * @param {{signal: AbortSignal}} way
 */
export async function reopen(name, base, { signal }) {
  const vantage = await Vantage.create({ encoder: base });
  try {
    await vantage.restore(name, { signal });
    return vantage;
  } catch (error) {
    vantage.close();
    throw error;
  }
}
