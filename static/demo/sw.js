// The service worker, built into one script. It keeps the page, the library and the collections that
// were read in this browser, so that searches work without a network.
//
// The page and the library are kept as one set that is replaced as a whole
// (offline/shell.js). Files of a collection are named by their content and kept
// when they are read; its manifest.json comes from the network if there is one
// (offline/collections.js), and so do judgements.json and the owner's theme.css.
// All other requests go to the network unchanged.

import { Collections } from './offline/collections.js';
import { Shell } from './offline/shell.js';
import { clients, registration, scope } from './offline/scope.js';

scope.importScripts('offline/files.js'); // sets VANTAGE_FILES, differs between sites

const shell = new Shell(Object(scope).VANTAGE_FILES);
const collections = new Collections();
// Files that their owner may change at any time, and that are not in the set.
const judgements = new URL('judgements.json', registration.scope).href;
const theme = new URL('theme.css', registration.scope).href;
let retired = false; // the site is gone

scope.addEventListener('install', (event) => event.waitUntil(shell.fill()));

scope.addEventListener('activate', (event) => event.waitUntil(shell.deleteOthers()));

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (retired || request.method !== 'GET' || request.headers.has('range')) return;
  const name = shell.nameOf(request);
  if (name) {
    event.respondWith(shell.answer(name, request));
    if (request.mode === 'navigate') event.waitUntil(retireIfGone());
  } else if (request.url === judgements || request.url === theme) {
    event.respondWith(collections.newest(request));
  } else if (Collections.isFile(request)) {
    event.respondWith(collections.file(event));
  } else if (Collections.isManifest(request)) {
    event.respondWith(collections.manifest(event));
  }
});

// Calls of the page, with a port for the answer; see parts/offline.js.
scope.addEventListener('message', (event) => {
  const { call, url } = event.data ?? {};
  if (Object.hasOwn(calls, call)) {
    event.waitUntil(calls[call](url).then((answer) => event.ports[0]?.postMessage(answer)));
  }
});

/** @type {{[call: string]: (url: string) => Promise<unknown>}} */
const calls = {
  async keep(url) {
    if (retired) return null;
    for (const file of [judgements, theme]) await collections.newest(new Request(file, { cache: 'no-cache' }));
    return collections.keep(url);
  },

  // Sent to the worker that serves the page: is this page the only one? The page
  // that it replaced still counts for a moment.
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

  // Sent to the waiting worker.
  takeOver: () => scope.skipWaiting(),
};

// If a site is taken down or replaced, the browser would keep this worker
// forever. So the worker deletes itself if the host no longer has its script.
async function retireIfGone() {
  const response = await fetch('sw.js', { cache: 'no-cache' }).catch(() => null);
  if (response?.status !== 404 && response?.status !== 410) return;
  retired = true;
  await registration.unregister();
  await Promise.all([shell.deleteAll(), collections.deleteAll()]);
}
