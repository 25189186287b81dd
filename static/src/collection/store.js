// Verified reads of a collection over fetch: every file that is returned has
// the length and the SHA-256 of the manifest.

import { expansion, measure, most } from './bounds.js';
import { JSON_VALUES, MANIFEST_NAME, MAX_MANIFEST_BYTES } from '../constants.js';
import {
  FormatError,
  InputError,
  IntegrityError,
  LimitError,
  OutdatedError,
  QueryError,
  UnsupportedError,
} from '../errors.js';
import { fetchBytes, remedy } from './fetch.js';
import { gunzip, isGzip } from './gunzip.js';
import { parseManifest } from './manifest.js';
import { hasDocuments } from './range.js';
import { Recent } from '../recent.js';
import { Shared } from './shared.js';
import { sha256 } from './sha256.js';
import { messageOf } from '../thrown.js';

/**
 * @import { Document } from '../../lib/index.d.ts'
 * @import { Block, Manifest, StoredFile } from './manifest.js'
 */

/** Bytes by which a file may be longer than the manifest says: a host may have compressed it with other settings. */
const SLACK = 64 << 10;

/** Bytes of document blocks that are kept. */
const CACHE_BYTES = 32 << 20;

/** Number of values of each document that do not count towards the bound for all documents of an answer. */
const ORDINARY = 64;

export class Store {
  /**
   * @param {string} url of the collection's folder or of its manifest.json
   * @param {AbortSignal} [signal]
   * @param {Manifest} [manifest] if it was read before
   * @returns {Promise<Store>}
   */
  static async open(url, signal, manifest) {
    const base = new URL(url);
    if (!base.pathname.endsWith('/')) {
      base.pathname = base.pathname.endsWith(`/${MANIFEST_NAME}`)
        ? base.pathname.slice(0, -MANIFEST_NAME.length)
        : `${base.pathname}/`;
    }
    return new Store(base, manifest ?? (await readManifest(base, signal)));
  }

  /**
   * @param {URL} base
   * @param {Manifest} manifest
   */
  constructor(base, manifest) {
    this.base = base;
    this.manifest = manifest;
    /** @type {Recent<number, string[]>} blocks of documents as lines of JSON, by number */
    this.blocks = new Recent(CACHE_BYTES);
    /** @type {Shared<string[]>} blocks that are being read, by number */
    this.reading = new Shared();
  }

  /**
   * The uncompressed, verified content of a file.
   * @param {StoredFile} file
   * @param {{signal?: AbortSignal, onBytes?: (bytes: number) => void}} [options]
   *   onBytes receives increments that add up to `stored`, however the host
   *   sends the file
   */
  async read(file, { signal, onBytes } = {}) {
    let told = 0;
    const tell = (/** @type {number} */ bytes) => {
      const part = Math.min(bytes, file.stored - told);
      told += part;
      if (part > 0) onBytes?.(part);
    };
    const fetched = async (/** @type {RequestCache|undefined} */ cache = undefined) =>
      verify(
        file,
        await fetchBytes(new URL(file.path, this.base).href, {
          name: file.path,
          limit: Math.max(file.bytes, file.stored) + SLACK,
          signal,
          onBytes: tell,
          cache,
          missing: IntegrityError,
        }),
      );
    const content = await fetched().catch((error) => {
      if (!(error instanceof IntegrityError)) throw error;
      // A cache may keep wrong bytes or a 404 forever: these names never change.
      return fetched('reload').catch((again) => this.explain(again, file, signal));
    });
    tell(file.stored - told);
    return content;
  }

  /**
   * Throws the error of a file that is gone or another one, or an OutdatedError: whoever publishes a new version
   * deletes the files of the old one, which a page that has been open since before still asks for.
   * @param {unknown} error
   * @param {StoredFile} file
   * @param {AbortSignal} [signal]
   * @returns {Promise<never>}
   */
  async explain(error, { path }, signal) {
    const now = error instanceof IntegrityError && (await readManifest(this.base, signal).catch(() => null));
    if (!now || JSON.stringify(now) === JSON.stringify(this.manifest)) throw error;
    throw new OutdatedError(`${path}: gone, because the collection was updated: open it again, or reload the page`, {
      file: path,
    });
  }

  /**
   * Documents by number, in the given order.
   * @param {number[]} indexes
   * @param {AbortSignal} [signal]
   */
  async documents(indexes, signal) {
    /** @type {Map<number, Promise<string[]>>} */
    const blocks = new Map();
    for (const index of indexes) {
      if (!Number.isInteger(index) || index < 0 || index >= this.manifest.documents) {
        throw new QueryError(`document ${index}: ${hasDocuments(this.manifest.documents)}`);
      }
      const number = this.blockOf(index);
      if (!blocks.has(number)) blocks.set(number, this.block(number, signal));
    }
    await Promise.all(blocks.values());
    /** @type {Map<number, Document>} */
    const documents = new Map();
    const budget = { values: JSON_VALUES };
    for (const index of new Set(indexes)) {
      const number = this.blockOf(index);
      const lines = /** @type {string[]} */ (await blocks.get(number));
      documents.set(index, parseDocument(this.manifest.docs[number], lines, index, budget));
    }
    return indexes.map((index) => /** @type {Document} */ (documents.get(index)));
  }

  /**
   * Indexes of the documents with these ids, null if there is none. The
   * manifest does not list ids, so this reads the documents until all are found.
   * @param {string[]} ids
   * @param {AbortSignal} [signal]
   */
  async find(ids, signal) {
    /** @type {Map<string, number|null>} */
    const found = new Map(ids.map((id) => [id, null]));
    let left = found.size;
    for (let number = 0; number < this.manifest.docs.length && left > 0; number++) {
      const file = this.manifest.docs[number];
      const lines = await this.block(number, signal);
      for (let index = file.first; index < file.first + lines.length; index++) {
        const { _id } = parseDocument(file, lines, index, { values: JSON_VALUES });
        if (found.get(_id) !== null) continue;
        found.set(_id, index);
        left--;
      }
    }
    return ids.map((id) => found.get(id) ?? null);
  }

  /** @param {number} index */
  blockOf(index) {
    const { docs } = this.manifest;
    let low = 0;
    let high = docs.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (docs[middle].first + docs[middle].count > index) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * @param {number} number
   * @param {AbortSignal} [signal]
   * @returns {Promise<string[]>}
   */
  async block(number, signal) {
    const known = this.blocks.get(number);
    if (known) return known;
    const file = this.manifest.docs[number];
    const read = async (/** @type {AbortSignal} */ stop) => {
      const lines = linesOf(file, await this.read(file, { signal: stop }));
      this.blocks.set(number, lines, file.bytes);
      return lines;
    };
    return this.reading.get(number, read, signal);
  }
}

/**
 * All other files are named by their content. Only this one can change under its name, so caches must revalidate it.
 * Nothing describes it in advance, so any fault in it is a fault of the input (docs/faults.md).
 * @param {URL} base
 * @param {AbortSignal} [signal]
 */
async function readManifest(base, signal) {
  const bytes = await fetchBytes(new URL(MANIFEST_NAME, base).href, {
    name: MANIFEST_NAME,
    limit: MAX_MANIFEST_BYTES,
    signal,
    cache: 'no-cache',
    missing: InputError,
    long: InputError,
  });
  return parseManifest(bytes);
}

/**
 * A vector file may begin with the two bytes of gzip by chance, and a host may
 * have unpacked a packed file. So the hash decides whether the bytes are
 * packed.
 * @param {StoredFile} file
 * @param {Uint8Array} raw
 */
async function verify(file, raw) {
  if (raw.length === file.bytes && (await sha256(raw)) === file.sha256) return raw;
  /**
   * @param {string} what
   * @param {string} expected
   * @param {string} got
   */
  const fault = (what, expected, got) =>
    new IntegrityError(`${file.path}: ${what}: expected ${expected}, got ${got}: ${remedy(raw)}`, {
      file: file.path,
      expected,
      got,
    });
  let content = raw;
  if (isGzip(raw)) {
    // The bound on memory uses the stored lengths in the manifest, so these must be roughly right.
    if (raw.length < Math.floor(file.stored / 2)) {
      throw fault('stored length', `${file.stored} bytes`, `${raw.length} bytes`);
    }
    if (file.bytes > most(raw.length)) {
      throw fault('expansion', `at most ${most(raw.length)} bytes (${expansion})`, `${file.bytes}`);
    }
    try {
      content = await gunzip(raw, file.bytes, file.path, true);
    } catch (error) {
      if (error instanceof UnsupportedError) throw error;
      throw fault(
        'compression',
        `${file.bytes} bytes in ${file.stored} stored`,
        `${raw.length} stored bytes (${messageOf(error)})`,
      );
    }
  }
  if (content.length !== file.bytes) throw fault('length', `${file.bytes} bytes`, `${content.length} bytes`);
  const digest = await sha256(content);
  if (digest !== file.sha256) throw fault('SHA-256', file.sha256, digest);
  return content;
}

/**
 * The lines are kept as text: a parsed document takes many times as much
 * memory, and few documents of a block are needed.
 * @param {Block} file
 * @param {Uint8Array} content
 */
function linesOf(file, content) {
  const lines = new TextDecoder()
    .decode(content)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length !== file.count) {
    throw new FormatError(`${file.path}: ${lines.length} documents, expected ${file.count}: index the corpus again`, {
      file: file.path,
    });
  }
  return lines;
}

/**
 * @param {Block} file
 * @param {string[]} lines
 * @param {number} index
 * @param {{values: number}} budget values that the documents of an answer may still have beyond
 *   ORDINARY
 * @returns {Document}
 */
function parseDocument(file, lines, index, budget) {
  const line = lines[index - file.first];
  const { values, problem } = measure(line);
  if (problem) {
    throw new LimitError(
      `${file.path}: document ${index}: ${problem}: leave nested metadata out, and index the corpus again`,
      { file: file.path },
    );
  }
  budget.values -= Math.max(0, values - ORDINARY);
  if (budget.values < 0) {
    throw new LimitError(
      `${file.path}: document ${index}, with those before it, has more than ${JSON_VALUES} values: ask for fewer ` +
        `documents at a time`,
      { file: file.path },
    );
  }
  try {
    const { _id, title, text, metadata } = JSON.parse(line);
    return { _id: String(_id ?? ''), title: String(title ?? ''), text: String(text ?? ''), metadata: metadata ?? {} };
  } catch (cause) {
    throw new FormatError(
      `${file.path}: document ${index} is not a JSON object (${messageOf(cause)}): index the corpus again`,
      { file: file.path },
    );
  }
}
