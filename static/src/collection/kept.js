// Files of encoders that this browser keeps for all pages and collections of the
// origin, under their SHA-256. An interrupted download continues with the first file that
// is missing here.

import { Storage } from './storage.js';
import { sha256 } from './sha256.js';

/** @import { StoredFile } from './manifest.js' */

/** Most files that are kept. Each has at most a megabyte. */
const MOST = 160;

/** Whether the files are in the package of a browser extension, so that a copy would save nothing. */
const packaged = () => /-extension:$/.test(globalThis.location?.protocol ?? '');

class KeptFiles {
  /** @param {Storage} storage */
  constructor(storage) {
    this.storage = storage;
  }

  /**
   * @param {StoredFile} file
   * @returns {Promise<Uint8Array|null>} null if it is not kept, or has changed
   */
  async load({ sha256: name, bytes }) {
    if (packaged()) return null;
    const content = await this.storage.load(name).catch(() => null); // then it is fetched
    if (content?.length === bytes && (await sha256(content)) === name) return content;
    return null;
  }

  /**
   * Keeps a file if the browser has room for it.
   * @param {StoredFile} file
   * @param {Uint8Array} content as verified
   */
  async store({ sha256: name }, content) {
    if (packaged()) return;
    await this.storage.store(name, content).catch(() => {}); // the next load fetches it again
  }

  /**
   * Deletes the files of other encoders if there are too many. Otherwise the files of every
   * encoder that a site ever had would stay.
   * @param {StoredFile[]} files of the encoder in use
   */
  async tidy(files) {
    if (packaged()) return;
    const used = new Set(files.map((file) => file.sha256));
    const names = await this.storage.names().catch(() => []);
    if (names.length <= MOST) return;
    await Promise.allSettled(names.filter((name) => !used.has(name)).map((name) => this.storage.remove(name)));
  }

  /** Makes room for what cannot be done without. */
  async clear() {
    const names = await this.storage.names().catch(() => []);
    await Promise.allSettled(names.map((name) => this.storage.remove(name)));
  }
}

export const kept = new KeptFiles(new Storage('vantage-encoders'));
