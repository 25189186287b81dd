// Replaces ../start.js in vantage.min.js. There, the worker runs the same file, which the browser has in its cache.

import { UnsupportedError } from '../errors.js';

/** The fragment by which the file sees that it runs as the worker. */
const HASH = '#vantage-worker';

/** Whether this is the worker. */
export const started = typeof document === 'undefined' && globalThis.location?.hash === HASH;

/** @returns {Worker} */
export function newWorker() {
  const url = new URL(import.meta.url);
  // In a bundle, the worker would run the page's program, which starts the next one.
  if (started || !url.pathname.includes('/vantage.min')) {
    throw new UnsupportedError('no worker in a bundle: import index.js');
  }
  url.hash = HASH;
  return new Worker(url, { type: 'module', name: 'vantage' });
}
