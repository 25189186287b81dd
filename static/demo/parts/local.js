// A collection that exists in this page alone: documents of a file, encoded by
// the encoder of the collection that the page came with.

import { Vantage } from '../../lib/index.js';
import { tame } from './corpus/tame.js';

/** Documents encoded between two looks at the clock and the signal. */
const BATCH = 128;

/** An engine without documents that encodes as another collection does. */
function empty(base) {
  const { id, revision, dim } = base.info.model;
  const encode = async (texts, role) => Promise.all(texts.map(async (text) => (await base.encode(text, role)).vector));
  return Vantage.create({ encoder: { id, revision, dim, encode } });
}

/** Reads a file in a worker of its own. */
export function readDocuments(file, { signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./corpus/worker.js', import.meta.url), { type: 'module', name: 'reader' });
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
 * @param {object[]} documents
 * @param {object} base the collection whose encoder is used
 * @returns {Promise<{vantage: object, leftOut: number}>} leftOut: fields
 */
export async function searchable(documents, base, { signal, onProgress }) {
  const leftOut = tame(documents);
  const vantage = await empty(base);
  try {
    for (let at = 0; at < documents.length; at += BATCH) {
      onProgress(at, documents.length);
      await vantage.add(documents.slice(at, at + BATCH), { signal });
    }
    signal.throwIfAborted();
    return { vantage, leftOut };
  } catch (error) {
    vantage.close();
    throw error;
  }
}

/** Opens what was kept. */
export async function reopen(name, base, { signal }) {
  const vantage = await empty(base);
  try {
    await vantage.restore(name, { signal });
    return vantage;
  } catch (error) {
    vantage.close();
    throw error;
  }
}
