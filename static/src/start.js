// Starts the library's worker, which lies beside the built file as the assets do. It
// has a file of its own because the worker's scripts must not name the worker:
// bundlers would go round in circles.

/** @returns {Worker} */
export function newWorker() {
  // Bundlers know a worker by exactly this call.
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'vantage' });
}
