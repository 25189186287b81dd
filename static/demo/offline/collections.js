// Collections that were opened, from this host or others. Their files are named
// by their content and never change; manifest.json, which names them, comes
// from the network first. A new manifest replaces the stored one only when
// every file of it that is stored in advance is there. So if the network fails
// during an update, the old collection is searched.

import { most } from '../../src/collection/bounds.js';
import { MANIFEST_FORMAT } from '../../src/constants.js';
import { bounded, digest } from './bytes.js';
import { isPayload, keptOf } from './encoders.js';
import { registration } from './scope.js';

/**
 * @import { Manifest, StoredFile } from '../../src/collection/manifest.js'
 * @typedef {{kept: boolean, full: boolean, texts: number, documents: number, bytes: number}} Kept
 */

/** Most bytes of texts and of the index of words that are stored before anybody has read them. */
const AHEAD = 64 << 20;

/** Milliseconds to wait for a manifest before the stored one is used. */
const PATIENCE = 5000;

/** A host may have compressed a file again with other settings. */
const SLACK = 64 << 10;

/** Downloads at a time. */
const PARALLEL = 4;

/** Added to the address of a manifest whose files are still arriving. */
const ARRIVING = '?arriving';

/**
 * Most bytes of a manifest that is stored. A longer one describes millions of documents, and takes many times as much
 * memory when parsed.
 */
const MAX_MANIFEST = 8 << 20;

export class Collections {
  /** @param {Request} request */
  static isFile({ url, mode }) {
    return mode !== 'no-cors' && isHashed(url) && !isPayload(url);
  }

  /** @param {Request} request */
  static isManifest({ url, mode }) {
    const { search } = new URL(url);
    return mode !== 'no-cors' && mode !== 'navigate' && search === '' && namesFiles(url);
  }

  constructor() {
    this.cacheName = `vantage collections ${new URL(registration.scope).pathname}`;
    /** @type {Map<string, Promise<Kept|null>>} by address */
    this.keeping = new Map();
    this.stopping = new AbortController();
  }

  /** Cancels downloads that no page is waiting for. */
  stop() {
    this.stopping.abort();
    this.stopping = new AbortController();
  }

  open() {
    return caches.open(this.cacheName);
  }

  /**
   * A file, stored or fetched. The library uses "reload" if the content was wrong.
   * @param {FetchEvent} event
   */
  async file(event) {
    const { request } = event;
    const cache = await this.open();
    if (request.cache === 'reload') {
      await cache.delete(request.url);
    } else {
      const kept = await cache.match(request.url);
      if (kept) return kept;
    }
    const response = await fetch(request);
    if (response.status === 200) event.waitUntil(this.store(cache, request.url, response.clone()));
    return response;
  }

  /**
   * Stores a file; returns whether it is stored now.
   * @param {Cache} cache
   * @param {string} url
   * @param {Response} response
   * @param {Kept} [state] takes note if there is no room for it
   */
  async store(cache, url, response, state) {
    try {
      await cache.put(url, response);
      return true;
    } catch (error) {
      if (Object(error).name === 'QuotaExceededError') {
        if (state) state.full = true;
        await this.makeRoom(cache, url);
      }
      return false; // or the connection broke
    }
  }

  /**
   * Deletes the collections to which a file does not belong.
   * @param {Cache} cache
   * @param {string} url
   */
  async makeRoom(cache, url) {
    const manifests = (await cache.keys()).filter((key) => namesFiles(key.url));
    await Promise.all(
      manifests.filter((key) => !url.startsWith(new URL('.', key.url).href)).map((key) => cache.delete(key)),
    );
    await sweep(cache);
  }

  /** @param {FetchEvent} event */
  async manifest(event) {
    const { request } = event;
    const cache = await this.open();
    const kept = (await cache.match(request.url)) ?? (await cache.match(request.url + ARRIVING));
    const network = fetch(request);
    event.waitUntil(network.then((response) => note(cache, request.url, response.clone())).catch(() => {}));
    if (!kept) return network;
    const response = await Promise.race([
      network.catch(() => null),
      /** @type {Promise<null>} */ (new Promise((resolve) => setTimeout(resolve, PATIENCE, null))),
    ]);
    return response && response.status < 500 ? response : kept;
  }

  /**
   * A file that may change: from the network, or else as stored.
   * @param {Request} request
   */
  async newest(request) {
    const cache = await this.open();
    const response = await fetch(request).catch(() => null);
    if (response?.ok) await cache.put(request.url, response.clone()).catch(() => {});
    return response ?? (await cache.match(request.url)) ?? Response.error();
  }

  /**
   * Stores the missing files of a collection, so that it can be searched without
   * a network.
   * @param {string} url of manifest.json
   * @returns {Promise<Kept|null>}
   *   whether queries can be answered, whether the browser had no room for a file, how many documents have stored
   *   texts, how many there are, and the bytes of the stored files; null if there is no such collection
   */
  keep(url) {
    const known = this.keeping.get(url);
    if (known) return known;
    const keeping = this.keepNow(url)
      .catch(() => null)
      .finally(() => this.keeping.delete(url));
    this.keeping.set(url, keeping);
    return keeping;
  }

  /** @param {string} url */
  async keepNow(url) {
    const cache = await this.open();
    const find = async () => (await cache.match(url + ARRIVING)) ?? (await cache.match(url));
    if (!(await find())) await note(cache, url, await fetch(url, { cache: 'no-cache' }));
    /** @type {Manifest} */
    const manifest = await (await find())?.json();
    const there = new Set((await cache.keys()).map((key) => key.url));
    const documents = new Map(manifest.docs.map((file) => [file.path, file.count]));
    const { encoder, reader } = manifest;
    const packs = [encoder && 'pack' in encoder ? encoder : null, reader ?? null].filter((pack) => pack !== null);
    let ahead = AHEAD;
    /** @type {Kept} */
    const state = { kept: true, full: false, texts: 0, documents: manifest.documents, bytes: 0 };
    // The files that are needed immediately come first, then those that are read on demand.
    // Angles are read when a query first needs them, and stored then. MaxSim needs no vectors of whole documents.
    const unread = manifest.tokens ? manifest.vectors : [];
    const others = new Set(filesOf([packs.map(({ files }) => files), manifest.angles, unread]).map(({ path }) => path));
    const files = filesOf(manifest).filter(({ path }) => !others.has(path));
    const later = new Set(filesOf([manifest.docs, manifest.terms]).map(({ path }) => path));
    const queue = [...files.filter(({ path }) => !later.has(path)), ...files.filter(({ path }) => later.has(path))];
    let whole = true;
    const take = async () => {
      for (let file = queue.shift(); file; file = queue.shift()) {
        const address = new URL(file.path, url).href;
        let kept = there.has(address);
        if (!kept && (!later.has(file.path) || (ahead -= file.stored) >= 0)) {
          kept = await this.fetched(cache, address, file, state);
          whole &&= kept;
        }
        if (kept) {
          state.bytes += file.stored;
          state.texts += documents.get(file.path) ?? 0;
        } else if (!later.has(file.path)) {
          state.kept = false;
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, take));
    for (const pack of packs) {
      const about = await cache.match(new URL(pack.pack.path, url).href);
      const { whole, bytes } = await keptOf(pack, await about?.json());
      state.kept &&= whole || pack === reader; // without it, the grammar reads queries
      state.bytes += bytes;
    }
    if (whole) await settle(cache, url);
    return state;
  }

  /**
   * Fetches, checks and stores a file; returns whether it is stored now.
   * @param {Cache} cache
   * @param {string} url
   * @param {StoredFile} file
   * @param {Kept} state
   */
  async fetched(cache, url, file, state) {
    for (const mode of /** @type {const} */ (['default', 'reload'])) {
      const response = await fetch(url, { cache: mode, signal: this.stopping.signal }).catch(() => null);
      const body = response?.ok ? await bounded(response.body, Math.max(file.bytes, file.stored) + SLACK) : null;
      if (response && body && (await genuine(body, file))) {
        return this.store(cache, url, new Response(body, { headers: response.headers }), state);
      }
    }
    return false;
  }

  async deleteAll() {
    await caches.delete(this.cacheName);
  }
}

/** @param {string} url */
function isHashed(url) {
  return /\/[0-9a-f]{16,64}\.(safetensors|bin|json)$/.test(new URL(url).pathname);
}

/** @param {string} url */
function namesFiles(url) {
  return new URL(url).pathname.endsWith('/manifest.json');
}

/**
 * Stores a new manifest beside the one whose files are complete.
 * @param {Cache} cache
 * @param {string} url
 * @param {Response} response
 */
async function note(cache, url, response) {
  if (!response.ok) return;
  const { headers } = response;
  const content = await bounded(response.body, MAX_MANIFEST);
  if (!content) return;
  const text = new TextDecoder().decode(content);
  if (JSON.parse(text).format !== MANIFEST_FORMAT) return;
  const kept = await cache.match(url);
  if (kept && (await kept.text()) === text) await cache.delete(url + ARRIVING);
  else await cache.put(url + ARRIVING, new Response(text, { headers }));
}

/**
 * Replaces the stored manifest by the new one, whose files have arrived.
 * @param {Cache} cache
 * @param {string} url
 */
async function settle(cache, url) {
  const arrived = await cache.match(url + ARRIVING);
  if (!arrived) return;
  await cache.put(url, arrived);
  await cache.delete(url + ARRIVING);
  await sweep(cache);
}

/**
 * Deletes files that no manifest names.
 * @param {Cache} cache
 */
async function sweep(cache) {
  const keys = await cache.keys();
  const named = new Set();
  for (const key of keys.filter(({ url }) => namesFiles(url))) {
    for (const address of await namedBy(cache, key.url)) named.add(address);
  }
  await Promise.all(keys.filter(({ url }) => isHashed(url) && !named.has(url)).map((key) => cache.delete(key)));
}

/**
 * Addresses of the files that a stored manifest names. Any link may have led to it: one that cannot be read, or is
 * nested too deep for the stack, names none.
 * @param {Cache} cache
 * @param {string} url
 */
async function namedBy(cache, url) {
  try {
    return filesOf(await (await cache.match(url))?.json()).map(({ path }) => new URL(path, url).href);
  } catch {
    return [];
  }
}

/**
 * Every description of a file in a manifest.
 * @param {any} value
 * @returns {StoredFile[]}
 */
function filesOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value.path === 'string' && typeof value.sha256 === 'string') return [value];
  return Object.values(value).flatMap(filesOf);
}

/**
 * Whether these are the bytes of a file, packed or not.
 * @param {Uint8Array<ArrayBuffer>} body
 * @param {StoredFile} file
 */
async function genuine(body, { bytes, sha256 }) {
  if (body.byteLength === bytes && (await digest(body)) === sha256) return true;
  if (bytes > most(body.byteLength)) return false;
  const content = await bounded(new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip')), bytes);
  return content !== null && (await digest(content)) === sha256;
}
