// The addresses of an encode server, and whether it refuses this page: a
// WebSocket hides why it was refused, an HTTP request does not.

import { InputError, UnavailableError } from '../errors.js';
import { base as page } from '../node.js';

/** The server will not answer this page, now or later: a key, an address or a setting is wrong. */
export class RefusedError extends InputError {
  static label = 'RefusedError';
  static code = 'refused';
}

/** The server has too much to do, or a budget is used up. */
export class BusyError extends UnavailableError {
  static label = 'BusyError';
  static code = 'busy';
}

/** @type {{[status: number]: string}} */
const REMEDIES = {
  401: 'give a key that the server knows',
  403: 'start the server with --origin of this page',
  404: 'give the address of `vantage serve --model`',
};

/**
 * The addresses of a server, of its stream, of its list of models and of its perspectives.
 * @param {string|URL} url
 */
export function addresses(url) {
  const base = new URL(url, page());
  base.protocol = base.protocol.replace(/^ws/, 'http');
  if (base.protocol !== 'http:' && base.protocol !== 'https:') {
    throw new InputError(`${base.href} is not the address of an encode server: http: or https: is expected`);
  }
  base.search = base.hash = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const stream = new URL('v1/stream', base);
  stream.protocol = stream.protocol.replace(/^http/, 'ws');
  const [models, perspectives] = ['models', 'perspectives'].map((name) => new URL(`v1/${name}`, base).href);
  return { base: base.href, stream: stream.href, models, perspectives };
}

/**
 * @param {string|undefined} key
 * @returns {{[name: string]: string}} of an HTTP request
 */
export function headersOf(key) {
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

/**
 * Why the server refuses the page for good; null if it does not, or is
 * unreachable.
 * @param {string} models
 * @param {string|undefined} key
 * @param {number} patience
 * @returns {Promise<RefusedError|null>}
 */
export async function refusal(models, key, patience) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    const { status, body } = await fetch(models, {
      headers: headersOf(key),
      cache: 'no-store',
      signal: stop.signal,
    });
    body?.cancel().catch(() => {});
    return status in REMEDIES
      ? new RefusedError(`the encode server refuses this page (${status}): ${REMEDIES[status]}`, {
          url: models,
          status,
        })
      : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
