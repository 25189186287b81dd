// The page's side of the service worker: it asks the worker to store what is
// open, says how much works without a network, and lets a newer version take
// over if nothing can be lost. Over plain http, browsers have no service
// workers, and the page works without one.

import { byId, bytes, count } from './dom.js';

/**
 * What the service worker answers.
 * @typedef {{kept: boolean, full: boolean, texts: number, documents: number, bytes: number}} Kept
 */

const workers = container();
const script = new URL('sw.js', document.baseURI);

// If the browser may not store anything, even asking is an error.
function container() {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

// This site's own worker, if it serves this page; null if another one does, such as that of a site in a folder above.
const own = () => (workers?.controller?.scriptURL === script.href ? workers.controller : null);

async function registrationOf() {
  const registration = await workers?.getRegistration(script).catch(() => null);
  return registration?.scope === new URL('.', script).href ? registration : null;
}

/** @type {Promise<ServiceWorkerRegistration>|null} */
let registered = null;
let faulty = false;

/** Milliseconds to wait for the newer version; after that, this load uses the older one. */
const PATIENCE = 1500;

/**
 * Must be awaited before anything else: if a newer version is waiting, it takes
 * over and the page is loaded again. Later, the visitor could lose input, and
 * browsers keep the older worker alive for requests under way.
 */
export async function begin() {
  if (!workers) return;
  if (own()) workers.addEventListener('controllerchange', () => location.reload(), { once: true });
  byId('newer-use').addEventListener('click', async () => {
    if (!(await loadNewer())) {
      byId('newer-text').textContent = 'The new version is used once the other tabs of this page are closed.';
    }
  });
  const registration = await registrationOf();
  if (!registration) return;
  watch(registration);
  if (registration.waiting && (await alone())) {
    registration.waiting.postMessage({ call: 'takeOver' });
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  }
}

/** Called if the page cannot open its collection: a newer version may be able to. */
export function failed() {
  faulty = true;
  loadNewer();
}

/**
 * Stores the page, the library and a collection in this browser, and shows the
 * outcome.
 * @param {string} url of the collection
 */
export async function keep(url) {
  if (!workers) return;
  const status = byId('offline');
  status.textContent = 'Storing the page for use without a network …';
  status.hidden = false;
  const worker = await activated();
  const folder = new URL(url, document.baseURI);
  if (!/\/(manifest\.json)?$/.test(folder.pathname)) folder.pathname += '/';
  const state = worker && (await ask(worker, { call: 'keep', url: new URL('manifest.json', folder).href }));
  status.textContent = describe(worker, state);
  status.dataset.state = state?.kept ? 'kept' : 'refused';
}

/**
 * @param {ServiceWorker|null} worker
 * @param {Kept|null} state
 */
function describe(worker, state) {
  if (!worker) return 'Needs the network: this browser could not keep the page, or the host changes its files.';
  if (!state) return 'Needs the network: the collection could not be kept.';
  if (!state.kept) {
    const why = state.full ? 'this browser has no room for the collection' : 'not all of the collection could be kept';
    return `Needs the network: ${why} (${bytes(state.bytes)} were kept).`;
  }
  const there = `Works without a network: page and collection are kept in this browser (${bytes(state.bytes)})`;
  if (state.texts === state.documents) return `${there}.`;
  return (
    `${there}, but of the ${count(state.documents, 'text')} only ${state.texts.toLocaleString('en')}: answers ` +
    `that show others need the network.`
  );
}

// The worker, once it runs; null if it could not be installed.
async function activated() {
  if (!workers) return null;
  registered ??= workers.register(script, { updateViaCache: 'none' });
  const registration = await registered.catch(() => null);
  if (!registration) return null;
  watch(registration);
  if (registration.active) {
    registration.update().catch(() => {}); // finds a newer worker, if the host can be reached
  } else await settled(registration.installing ?? registration.waiting, 'activated');
  return registration.active;
}

/**
 * Resolves when a worker has reached a state, or has failed.
 * @param {ServiceWorker|null} worker
 * @param {string} state
 * @returns {Promise<void>}
 */
function settled(worker, state) {
  return new Promise((resolve) => {
    const look = () => [state, 'redundant'].includes(worker?.state ?? 'redundant') && resolve();
    worker?.addEventListener('statechange', look);
    look();
  });
}

/** @type {WeakSet<ServiceWorkerRegistration>} */
const watched = new WeakSet();

/** @param {ServiceWorkerRegistration} registration */
function watch(registration) {
  if (watched.has(registration)) return;
  watched.add(registration);
  const look = async () => {
    const { installing } = registration;
    if (installing) await settled(installing, 'installed');
    if (!registration.waiting || !own()) return;
    if (faulty) await loadNewer();
    byId('newer').hidden = false;
  };
  registration.addEventListener('updatefound', look);
  look();
}

// Loads the page again if a newer version can then take over; returns whether it can.
async function loadNewer() {
  const registration = await registrationOf();
  if (!registration?.waiting || !(await alone())) return false;
  location.reload();
  return true;
}

// Pages under the older version must not get files of the newer one, so the
// newer one takes over only if this is the only open page.
async function alone() {
  const worker = own();
  return worker ? ask(worker, { call: 'makeWay' }) : false;
}

/**
 * @param {ServiceWorker} worker
 * @param {{call: string, url?: string}} message
 * @returns {Promise<any>}
 */
function ask(worker, message) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage(message, [port2]);
  });
}
