// Starts the workers of a collection, and deals its rows among them.

import { startWorker } from './connect.js';
import { loadModules } from '../engine/modules.js';
import { Progress, TotalProgress } from '../collection/progress.js';
import { Shares, filesOf } from './share.js';
import { Store } from '../collection/store.js';

/**
 * @import { EngineOptions } from '../collection/collection.js'
 * @import { Progress as Report } from '../../lib/index.d.ts'
 * @import { Remote } from './remote.js'
 * @typedef {Worker|boolean|undefined} Place where an engine runs: see places of connect.js
 */

/**
 * No rows to deal: there is no collection, or one engine has all of it.
 * @type {import('./share.js').Parts}
 */
export const NOTHING = { vectors: [], rows: 0 };

/**
 * A worker for each place, or only null if the engine runs in the page.
 * @param {Place[]} where
 * @param {EngineOptions} options
 * @returns {Promise<(Remote|null)[]>}
 */
export async function startWorkers(where, options) {
  const started = await Promise.allSettled(where.map((place) => startWorker(place, options)));
  const remotes = started.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
  const fault = started.find((one) => one.status === 'rejected');
  if (!fault && remotes.length === where.length) return remotes;
  for (const remote of remotes) remote.close();
  if (fault?.status === 'rejected') throw fault.reason;
  return [null]; // several engines in the page would not be faster than one
}

/**
 * The options of each engine, and the rows that it holds. For workers, the manifest is
 * read once, so that all have the same collection, and the modules are compiled once.
 * @param {string|null} url
 * @param {EngineOptions} options
 * @param {(Remote|null)[]} remotes
 * @returns {Promise<{shares: Shares, engines: EngineOptions[]}>}
 */
export async function deal(url, options, remotes) {
  if (remotes[0] === null) return { shares: new Shares(NOTHING, 1), engines: [{ ...options }] };
  const [modules, store] = await Promise.all([
    loadModules(options.modules, options.signal),
    url === null ? null : Store.open(url, options.signal),
  ]);
  // Candidates for MaxSim are chosen among all documents, so one engine has all of them.
  if (store?.manifest.tokens) for (const remote of remotes.splice(1)) remote?.close();
  const n = remotes.length;
  if (n === 1) {
    return { shares: new Shares(NOTHING, 1), engines: [{ ...options, modules, manifest: store?.manifest }] };
  }
  const manifest = store?.manifest ?? NOTHING;
  const shares = new Shares(manifest, n);
  const blank = Array.from({ length: n }, (_, i) => new Progress(filesOf(manifest, options.encoder, shares.of(i))).now);
  const total = new TotalProgress(blank, options.onProgress);
  const engines = blank.map((_, i) => ({
    ...options,
    modules,
    manifest: store?.manifest,
    share: shares.of(i),
    encoder: i === 0 ? options.encoder : null,
    onProgress: (/** @type {Report} */ progress) => total.set(i, progress),
  }));
  return { shares, engines };
}
