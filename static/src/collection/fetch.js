// One bounded download with typed errors; in Node.js also of a file.

/** @import { VantageError } from '../errors.js' */

import { note } from './downloads.js';
import { IntegrityError, NetworkError } from '../errors.js';
import { concat } from './gunzip.js';
import { expectMany, isFile, openFile } from '../node.js';
import { Patience } from './patience.js';
import { messageOf } from '../thrown.js';

/**
 * Downloads a file. A host that is silent for half a minute is a NetworkError.
 * @param {string} url absolute
 * @param {object} options
 * @param {string} options.name of the file, for messages
 * @param {number} options.limit most bytes accepted
 * @param {AbortSignal} [options.signal]
 * @param {RequestCache} [options.cache]
 * @param {(bytes: number) => void} [options.onBytes] receives the length of each
 *   piece
 * @param {typeof VantageError} [options.missing] class of the error if the file is not there
 * @param {typeof VantageError} [options.long] class of the error if it is longer than the limit
 * @returns {Promise<Uint8Array>}
 */
export async function fetchBytes(url, options) {
  expectMany(options.signal);
  const patience = new Patience(url, options.signal);
  try {
    const body = await (isFile(url) ? openBody : fetchBody)(url, patience, options);
    const bytes = await readBody(body, patience, url, options);
    note(url, bytes.length);
    return bytes;
  } finally {
    patience.end();
  }
}

/**
 * @param {string} url
 * @param {Patience} patience
 * @param {{name: string, signal?: AbortSignal, missing?: typeof VantageError}} options
 */
async function openBody(url, patience, { name, signal, missing = NetworkError }) {
  try {
    return await openFile(url, patience.signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const none = Object(cause).code === 'ENOENT';
    throw new (none ? missing : NetworkError)(
      `${name}: cannot be read from ${url} (${messageOf(cause)})${none ? ': copy the whole folder' : ''}`,
      { file: name, url },
    );
  }
}

/**
 * @param {string} url
 * @param {Patience} patience
 * @param {{name: string, signal?: AbortSignal, cache?: RequestCache, missing?: typeof VantageError}} options
 */
async function fetchBody(url, patience, { name, signal, cache, missing = NetworkError }) {
  let response;
  try {
    response = await fetch(url, { signal: patience.signal, cache });
  } catch (cause) {
    signal?.throwIfAborted();
    const advice = url.startsWith('file:')
      ? 'browsers cannot fetch files: serve the folder with `vantage serve` or another web server'
      : 'is the host up and does it send Access-Control-Allow-Origin?';
    throw new NetworkError(
      `${name}: cannot be fetched from ${url}: ${patience.explain(`${messageOf(cause)}: ${advice}`)}`,
      { file: name, url },
    );
  }
  patience.hear();
  if (!response.ok) {
    response.body?.cancel().catch(() => {});
    const none = response.status === 404 || response.status === 410;
    throw new (none ? missing : NetworkError)(
      `${name}: ${url} answered ${response.status} ${response.statusText}`.trim() +
        (none ? ': reload or upload the whole folder' : ''),
      { file: name, url, status: response.status },
    );
  }
  return response.body;
}

/**
 * @param {ReadableStream<Uint8Array>|null} body null: there is none
 * @param {Patience} patience
 * @param {string} url
 * @param {{name: string, limit: number, signal?: AbortSignal, onBytes?: (bytes: number) => void,
 *   long?: typeof VantageError}} options
 */
async function readBody(body, patience, url, { name, limit, signal, onBytes, long = IntegrityError }) {
  const reader = (body ?? new Blob().stream()).getReader();
  /** @type {Uint8Array[]} */
  const chunks = [];
  let length = 0;
  for (;;) {
    let step;
    try {
      step = await reader.read();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new NetworkError(
        `${name}: ${isFile(url) ? 'reading' : 'the connection to'} ${url} broke after ${length} bytes: ` +
          `${patience.explain(`${messageOf(cause)}: try again`)}`,
        { file: name, url },
      );
    }
    patience.hear();
    if (step.done) return concat(chunks, length);
    length += step.value.length;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw new long(`${name}: longer than the ${limit} bytes expected: ${remedy(chunks[0] ?? step.value)}`, {
        file: name,
        url,
        limit,
      });
    }
    chunks.push(step.value);
    onBytes?.(step.value.length);
  }
}

/**
 * The remedy for bytes that are not the expected ones.
 * @param {Uint8Array} bytes
 */
export function remedy(bytes) {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().toLowerCase();
  return start.startsWith('<!doctype html') || start.startsWith('<html')
    ? 'the host answered with an HTML page, perhaps for a missing file: upload the folder again, or check the ' +
        'rewrite rules of the host'
    : 'upload the folder again: the upload may be incomplete';
}
