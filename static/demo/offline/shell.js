// The page and the library, stored as one set. Every file is checked against
// its hash in the list of this worker (offline/files.js, written when the site
// is published), when it is stored and whenever it is served. So a page never
// gets a core of another version, whatever the host has meanwhile.

import { kept as encoders } from '../../src/collection/kept.js';
import { digest } from './bytes.js';
import { registration } from './scope.js';

/** How often it is tried to store a set for which the browser has no room. */
const ATTEMPTS = 3;

export class Shell {
  /**
   * @param {{version: string, files: Record<string, string>}} list first half of the
   *   SHA-256 of each file; of a packed file also that of its content, because hosts
   *   may unpack it
   */
  constructor({ version, files }) {
    this.files = files;
    this.prefix = `vantage shell ${new URL(registration.scope).pathname} `;
    this.cacheName = this.prefix + version;
  }

  /**
   * The name of a file of the set, or null.
   * @param {Request} request
   */
  nameOf({ url, mode }) {
    const { origin, pathname, search } = new URL(url);
    const path = origin + pathname;
    if (!path.startsWith(registration.scope)) return null;
    const name = path.slice(registration.scope.length);
    if (mode === 'navigate') {
      const page = [name || 'index.html', `${name}.html`].find((page) => Object.hasOwn(this.files, page));
      return page?.endsWith('.html') ? page : null; // hosts may leave .html out
    }
    return search === '' && Object.hasOwn(this.files, name) ? name : null;
  }

  /**
   * Hosts may redirect index.html to the folder.
   * @param {string} name
   */
  urlOf(name) {
    return registration.scope + (name === 'index.html' ? '' : name);
  }

  /**
   * Stores the whole set or nothing. Encoders make room for it if there is none, because without the page nothing
   * answers offline. A page may be storing one meanwhile, so that this is tried more than once.
   */
  async fill() {
    try {
      for (let left = ATTEMPTS; left > 0; left--) {
        try {
          const cache = await caches.open(this.cacheName);
          await Promise.all(
            Object.keys(this.files).map(async (name) => (await this.kept(cache, name)) ?? this.fetched(cache, name)),
          );
          return;
        } catch (error) {
          if (left === 1 || Object(error).name !== 'QuotaExceededError') throw error;
          await encoders.clear();
        }
      }
    } catch (error) {
      await caches.delete(this.cacheName);
      throw error;
    }
  }

  /**
   * @param {string} name
   * @param {Request} request
   */
  async answer(name, request) {
    if (!(await caches.has(this.cacheName))) return fetch(request);
    const cache = await caches.open(this.cacheName);
    const kept = await this.kept(cache, name);
    if (kept) return kept;
    try {
      return await this.fetched(cache, name); // the stored file was lost or damaged
    } catch (error) {
      // The host has another version by now, so this set cannot be repaired.
      // From now on everything comes from the host, until the next worker.
      if (error instanceof OtherVersion) await caches.delete(this.cacheName);
      return fetch(request);
    }
  }

  /**
   * @param {Cache} cache
   * @param {string} name
   */
  async kept(cache, name) {
    const response = await cache.match(this.urlOf(name));
    if (!response) return null;
    const body = await response.arrayBuffer();
    return (await this.genuine(name, body)) ? new Response(body, response) : null;
  }

  /**
   * @param {Cache} cache
   * @param {string} name
   */
  async fetched(cache, name) {
    for (const mode of /** @type {const} */ (['no-cache', 'reload'])) {
      // again if the browser's own cache has the wrong bytes
      const response = await fetch(this.urlOf(name), { cache: mode });
      const body = response.ok ? await response.arrayBuffer() : null;
      if (!body || !(await this.genuine(name, body))) continue;
      const { headers } = response;
      await cache.put(this.urlOf(name), new Response(body, { headers }));
      return new Response(body, { headers });
    }
    throw new OtherVersion(`${name} is not the file of this version`);
  }

  /**
   * @param {string} name
   * @param {ArrayBuffer} body
   */
  async genuine(name, body) {
    const hash = await digest(body);
    return this.files[name].includes(hash.slice(0, hash.length / 2));
  }

  /**
   * Deletes the sets of other versions, but not those of other sites on this host.
   */
  async deleteOthers() {
    const names = await caches.keys();
    await Promise.all(
      names
        .filter((name) => name.startsWith(this.prefix) && name !== this.cacheName)
        .map((name) => caches.delete(name)),
    );
  }

  async deleteAll() {
    await Promise.all([this.deleteOthers(), caches.delete(this.cacheName)]);
  }
}

class OtherVersion extends Error {}
