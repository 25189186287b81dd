// Starts the library's worker, whose script is beside the built file. This is a
// module of its own because the worker's scripts must not name the worker: bundlers
// would follow the cycle.

/** @returns {Worker} */
export function newWorker() {
  // Bundlers know a worker by exactly this call.
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'vantage' });
}
