// The service worker, built into one script. It keeps the page, the library and the collections that
// were read in this browser, so that searching goes on without a network.
//
// The page and the library are kept as one set that is exchanged as a whole
// (offline/shell.js). Files of a collection are named by their content and kept
// as they are read; its manifest.json comes from the network if there is one
// (offline/collections.js). Everything else goes its way untouched.

import { Collections } from './offline/collections.js';
import { Shell } from './offline/shell.js';

importScripts('offline/files.js'); // each site's own

const shell = new Shell(self.VANTAGE_FILES);
const collections = new Collections();
const judgements = new URL('judgements.json', registration.scope).href; // each site's own, and not of the set
let retired = false; // the site is gone

addEventListener('install', (event) => event.waitUntil(shell.fill()));

addEventListener('activate', (event) => event.waitUntil(shell.deleteOthers()));

addEventListener('fetch', (event) => {
  const { request } = event;
  if (retired || request.method !== 'GET' || request.headers.has('range')) return;
  const name = shell.nameOf(request);
  if (name) {
    event.respondWith(shell.answer(name, request));
    if (request.mode === 'navigate') event.waitUntil(retireIfGone());
  } else if (request.url === judgements) {
    event.respondWith(collections.newest(request));
  } else if (Collections.isFile(request)) {
    event.respondWith(collections.file(event));
  } else if (Collections.isManifest(request)) {
    event.respondWith(collections.manifest(event));
  }
});

// Calls of the page, with a port for the answer; see parts/offline.js.
addEventListener('message', (event) => {
  const { call, url } = event.data ?? {};
  if (Object.hasOwn(calls, call)) {
    event.waitUntil(calls[call](url).then((answer) => event.ports[0]?.postMessage(answer)));
  }
});

const calls = {
  async keep(url) {
    if (retired) return null;
    await collections.newest(new Request(judgements, { cache: 'no-cache' }));
    return collections.keep(url);
  },

  // Asked of the worker that serves the page: is that the only one? The page that
  // it took the place of still counts for a moment.
  async makeWay() {
    for (let tries = 0; tries < 10; tries++) {
      if ((await clients.matchAll({ type: 'window' })).length <= 1) {
        collections.stop();
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  },

  // Asked of the one that waits.
  takeOver: () => skipWaiting(),
};

// If a site is taken down, or something else takes its place, the browser
// would go on with this worker forever. A host that no longer has the script is
// taken at its word.
async function retireIfGone() {
  const response = await fetch('sw.js', { cache: 'no-cache' }).catch(() => null);
  if (response?.status !== 404 && response?.status !== 410) return;
  retired = true;
  await registration.unregister();
  await Promise.all([shell.deleteAll(), collections.deleteAll()]);
}
