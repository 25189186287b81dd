// Collections that were opened, of this host or of others. Their files are
// named by their content and never change; manifest.json, which names them,
// comes from the network first. A manifest takes the place of the one kept
// before only when everything it names has been kept: a collection that changed
// while the network went away is searched as it was.

import { most } from '../../src/collection/bounds.js';
import { MANIFEST_FORMAT } from '../../src/constants.js';
import { bounded, digest } from './bytes.js';

/** Texts that nobody has read yet are kept ahead up to so many bytes. */
const AHEAD = 64 << 20;

/** Milliseconds after which a manifest that was kept does for one that does not arrive. */
const PATIENCE = 5000;

/** A host may have compressed a file again with other settings. */
const SLACK = 64 << 10;

/** Downloads at a time. */
const PARALLEL = 4;

/** Added to the address of a manifest whose files are still arriving. */
const ARRIVING = '?arriving';

/** A manifest with more bytes is not kept: it is of millions of documents, and parsed it takes many times as much. */
const MAX_MANIFEST = 8 << 20;

export class Collections {
  static isFile({ url, mode }) {
    return mode !== 'no-cors' && isHashed(url);
  }

  static isManifest({ url, mode }) {
    const { search } = new URL(url);
    return mode !== 'no-cors' && mode !== 'navigate' && search === '' && namesFiles(url);
  }

  constructor() {
    this.cacheName = `vantage collections ${new URL(registration.scope).pathname}`;
    this.keeping = new Map(); // promise of keep by address
    this.stopping = new AbortController();
  }

  /** Ends downloads that no page is waiting for. */
  stop() {
    this.stopping.abort();
    this.stopping = new AbortController();
  }

  open() {
    return caches.open(this.cacheName);
  }

  /** A file, kept or fetched. The library asks with "reload" if it found the content to be wrong. */
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

  /** Whether the browser had room for it. */
  async store(cache, url, response) {
    try {
      await cache.put(url, response);
      return true;
    } catch (error) {
      if (error.name === 'QuotaExceededError') await this.makeRoom(cache, url);
      return false; // or the connection broke
    }
  }

  /** Gives up the collections to which a file does not belong. */
  async makeRoom(cache, url) {
    const manifests = (await cache.keys()).filter((key) => namesFiles(key.url));
    await Promise.all(
      manifests.filter((key) => !url.startsWith(new URL('.', key.url).href)).map((key) => cache.delete(key)),
    );
    await sweep(cache);
  }

  async manifest(event) {
    const { request } = event;
    const cache = await this.open();
    const kept = (await cache.match(request.url)) ?? (await cache.match(request.url + ARRIVING));
    const network = fetch(request);
    event.waitUntil(network.then((response) => note(cache, request.url, response.clone())).catch(() => {}));
    if (!kept) return network;
    const response = await Promise.race([
      network.catch(() => null),
      new Promise((resolve) => setTimeout(resolve, PATIENCE, null)),
    ]);
    return response && response.status < 500 ? response : kept;
  }

  /** A file that may change: from the network, else as it was. */
  async newest(request) {
    const cache = await this.open();
    const response = await fetch(request).catch(() => null);
    if (response?.ok) await cache.put(request.url, response.clone()).catch(() => {});
    return response ?? (await cache.match(request.url)) ?? Response.error();
  }

  /**
   * Keeps what a collection lacks, so that it can be searched without a network.
   * @param {string} url of manifest.json
   * @returns {Promise<{kept: boolean, texts: number, documents: number, bytes: number}|null>}
   *   whether queries can be answered, documents of which the texts are there,
   *   and bytes in all; null if there is no such collection
   */
  keep(url) {
    if (!this.keeping.has(url)) {
      this.keeping.set(
        url,
        this.keepNow(url)
          .catch(() => null)
          .finally(() => this.keeping.delete(url)),
      );
    }
    return this.keeping.get(url);
  }

  async keepNow(url) {
    const cache = await this.open();
    const find = async () => (await cache.match(url + ARRIVING)) ?? (await cache.match(url));
    if (!(await find())) await note(cache, url, await fetch(url, { cache: 'no-cache' }));
    const manifest = await (await find()).json();
    const there = new Set((await cache.keys()).map((key) => key.url));
    const documents = new Map(manifest.docs.map((file) => [file.path, file.count]));
    let ahead = AHEAD;
    const state = { kept: true, texts: 0, documents: manifest.documents, bytes: 0 };
    // What is read at once comes first, then what is read on demand.
    const files = filesOf(manifest);
    const later = new Set(filesOf([manifest.docs, manifest.terms]).map(({ path }) => path));
    const queue = [...files.filter(({ path }) => !later.has(path)), ...files.filter(({ path }) => later.has(path))];
    let whole = true;
    const take = async () => {
      for (let file = queue.shift(); file; file = queue.shift()) {
        const address = new URL(file.path, url).href;
        let kept = there.has(address);
        if (!kept && (!later.has(file.path) || (ahead -= file.stored) >= 0)) {
          kept = await this.fetched(cache, address, file);
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
    if (whole) await settle(cache, url);
    return state;
  }

  /** Fetches, checks and stores a file; whether it is there now. */
  async fetched(cache, url, file) {
    for (const mode of ['default', 'reload']) {
      const response = await fetch(url, { cache: mode, signal: this.stopping.signal }).catch(() => null);
      const body = response?.ok ? await bounded(response.body, Math.max(file.bytes, file.stored) + SLACK) : null;
      if (body && (await genuine(body, file))) {
        return this.store(cache, url, new Response(body, { headers: response.headers }));
      }
    }
    return false;
  }

  async deleteAll() {
    await caches.delete(this.cacheName);
  }
}

function isHashed(url) {
  return /\/[0-9a-f]{16,64}\.(safetensors|bin)$/.test(new URL(url).pathname);
}

function namesFiles(url) {
  return new URL(url).pathname.endsWith('/manifest.json');
}

/** Remembers a manifest, beside the one that is whole. */
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

/** What has arrived takes the place of what was kept before. */
async function settle(cache, url) {
  const arrived = await cache.match(url + ARRIVING);
  if (!arrived) return;
  await cache.put(url, arrived);
  await cache.delete(url + ARRIVING);
  await sweep(cache);
}

/** Deletes files that no manifest names. */
async function sweep(cache) {
  const keys = await cache.keys();
  const named = new Set();
  for (const key of keys.filter(({ url }) => namesFiles(url))) {
    const manifest = await (await cache.match(key)).json();
    for (const { path } of filesOf(manifest)) named.add(new URL(path, key.url).href);
  }
  await Promise.all(keys.filter(({ url }) => isHashed(url) && !named.has(url)).map((key) => cache.delete(key)));
}

/** Everything in a manifest that describes a file. */
function filesOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value.path === 'string' && typeof value.sha256 === 'string') return [value];
  return Object.values(value).flatMap(filesOf);
}

/** Whether bytes are a file's, packed or not. */
async function genuine(body, { bytes, sha256 }) {
  if (body.byteLength === bytes && (await digest(body)) === sha256) return true;
  if (bytes > most(body.byteLength)) return false;
  const content = await bounded(new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip')), bytes);
  return content !== null && (await digest(content)) === sha256;
}
