// Replaces ../start.js in vantage.min.js. There, the worker runs the same file, which the browser has in its cache.

/** The fragment by which the file sees that it runs as the worker. */
export const HASH = '#vantage-worker';

/** @returns {Worker} */
export function newWorker() {
  return new Worker(new URL(HASH, import.meta.url), { type: 'module', name: 'vantage' });
}
