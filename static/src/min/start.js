// In place of ../start.js in vantage.min.js: its worker is the same file, which the browser has in its cache.

/** Tells the file that it is the worker's script. */
export const HASH = '#vantage-worker';

/** @returns {Worker} */
export function newWorker() {
  return new Worker(new URL(HASH, import.meta.url), { type: 'module', name: 'vantage' });
}
