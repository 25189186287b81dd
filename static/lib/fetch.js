// One bounded download with typed errors.

import { IntegrityError, NetworkError } from './errors.js';
import { concat } from './gunzip.js';
import { Patience } from './patience.js';

/**
 * Downloads a file. A host that is silent for half a minute is a NetworkError.
 * @param {string} url absolute
 * @param {object} options
 * @param {string} options.name of the file, for messages
 * @param {number} options.limit most bytes accepted
 * @param {AbortSignal} [options.signal]
 * @param {RequestCache} [options.cache]
 * @param {(bytes: number) => void} [options.onBytes] told the length of each piece
 * @returns {Promise<Uint8Array>}
 */
export async function fetchBytes(url, options) {
  const patience = new Patience(url, options.signal);
  try {
    return await download(url, patience, options);
  } finally {
    patience.end();
  }
}

async function download(url, patience, { name, limit, signal, cache, onBytes }) {
  let response;
  try {
    response = await fetch(url, { signal: patience.signal, cache });
  } catch (cause) {
    signal?.throwIfAborted();
    const why = patience.explain(`${cause.message}: is the host up, and does it send Access-Control-Allow-Origin to other origins?`);
    throw new NetworkError(`${name}: cannot be fetched from ${url}: ${why}`, { file: name, url });
  }
  patience.hear();
  if (!response.ok) {
    response.body?.cancel().catch(() => {});
    throw new NetworkError(`${name}: ${url} answered ${response.status} ${response.statusText}`.trim() + (response.status === 404 ? ': upload the whole folder' : ''), { file: name, url, status: response.status });
  }
  return readBody(response, patience, { name, url, limit, signal, onBytes });
}

async function readBody(response, patience, { name, url, limit, signal, onBytes }) {
  const reader = response.body.getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    let step;
    try {
      step = await reader.read();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new NetworkError(`${name}: the connection to ${url} broke after ${length} bytes: ${patience.explain(`${cause.message}: try again`)}`, { file: name, url });
    }
    patience.hear();
    if (step.done) return concat(chunks, length);
    length += step.value.length;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw new IntegrityError(`${name}: longer than the ${limit} bytes expected: ${remedy(chunks[0] ?? step.value)}`, { file: name, url, limit });
    }
    chunks.push(step.value);
    onBytes?.(step.value.length);
  }
}

/** What to do about bytes that are not the expected ones. */
export function remedy(bytes) {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().toLowerCase();
  return start.startsWith('<!doctype html') || start.startsWith('<html')
    ? 'the host answered with an HTML page, perhaps for a missing file: upload the folder again, or check the rewrite rules of the host'
    : 'upload the folder again: the upload may be torn';
}
