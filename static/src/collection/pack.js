// Loads the pack that a collection carries. Its files come from this browser's storage or
// from the host, a few at a time. The engine reads them in their order, as soon as all parts
// of a tensor are there.

import { naming } from '../engine/core.js';
import { IntegrityError } from '../errors.js';
import { Model } from '../engine/model.js';
import { measure } from './bounds.js';
import { kept } from './kept.js';

/**
 * @import { Core } from '../engine/core.js'
 * @import { SectionName } from '../engine/model.js'
 * @import { Manifest, PackFiles, StoredFile } from './manifest.js'
 * @typedef {(file: StoredFile, onBytes?: (bytes: number) => void) => Promise<Uint8Array>} Read fetches and verifies
 */

/** Most files that are fetched at a time. Browsers open six connections to an HTTP/1 host. */
const PARALLEL = 3;

/** @typedef {'trunk'|'branch'|'reader'} Part what is loaded at once */

/**
 * The sections that the vector of a text needs, its angle in addition, and the wording of a query, in the order in
 * which collections list their files.
 * @type {{[part in Part]: SectionName[]}}
 */
const PARTS = { trunk: ['vocabulary', 'trunk'], branch: ['branch'], reader: ['reader'] };

const ALL = Object.values(PARTS).flat();

const NOTHING = new Uint8Array();

export class Pack {
  /**
   * Reads pack.json.
   * @param {Core} core
   * @param {PackFiles} carried
   * @param {Pick<Manifest, 'model'|'angles'|'tokens'>|null} collection whose encoder it is; null: it only reads queries
   * @param {Read} read
   * @param {(bytes: number) => void} onBytes receives the stored length of pack.json, once it can be used
   * @throws {IntegrityError} if it does not fit the collection
   */
  static async open(core, carried, collection, read, onBytes) {
    const { path, stored } = carried.pack;
    const json = await read(carried.pack);
    const { problem } = measure(new TextDecoder().decode(json));
    if (problem) throw unfit(path, problem);
    const model = naming(path, () => new Model(core, json));
    const pack = new Pack(core, carried, model, read);
    try {
      pack.check(collection);
    } catch (error) {
      model.close();
      throw error;
    }
    onBytes(stored);
    return pack;
  }

  /**
   * @param {Core} core
   * @param {PackFiles} carried
   * @param {Model} model
   * @param {Read} read
   */
  constructor(core, { pack, files }, model, read) {
    this.core = core;
    this.path = pack.path;
    this.files = files;
    this.model = model;
    this.read = read;
    /** Files of each section that the engine has read. */
    this.done = { vocabulary: 0, trunk: 0, branch: 0, reader: 0 };
    /** @type {{[part in Part]: Promise<void>|null}} null: not begun, or failed */
    this.loading = { trunk: null, branch: null, reader: null };
    /** @type {Promise<void>} one load after the other, because the engine begins a section anew after another one */
    this.loads = Promise.resolve();
    /** @type {Set<StoredFile>} of whose bytes the progress knows */
    this.counted = new Set();
  }

  /**
   * pack.json and the collection's manifest must agree. All files of the pack
   * are in the manifest, in the order of ALL.
   * @param {Pick<Manifest, 'model'|'angles'|'tokens'>|null} collection
   */
  check(collection) {
    const { model, path } = this;
    const { pack } = model;
    if (collection) this.checkModel(collection);
    else if (!model.section('reader')) throw unfit(path, 'it has no reader of queries');
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const own = ALL.flatMap((name) => model.files(name));
    const empty = pack.sections.find(({ files }) => !files?.length);
    if (empty) throw unfit(path, `its section ${empty.name} has no files`);
    const same =
      own.length === this.files.length &&
      own.every(({ path, bytes, sha256 }, i) => {
        const file = this.files[i];
        return file.path === folder + path && file.bytes === bytes && file.sha256 === sha256;
      });
    if (!same) throw unfit(path, 'it names other files than manifest.json');
  }

  /** @param {Pick<Manifest, 'model'|'angles'|'tokens'>} collection */
  checkModel({ model: { id, revision, dim }, angles, tokens }) {
    const { model, path } = this;
    const { pack } = model;
    if (pack.id !== id || pack.revision !== revision) {
      throw unfit(path, `it is ${pack.id} ${pack.revision}, the manifest's model is ${id} ${revision}`);
    }
    if (Boolean(model.tokens) !== Boolean(tokens)) {
      throw unfit(path, 'one of pack and collection has vectors of tokens (maxsim), the other of whole texts');
    }
    if (model.dim !== dim) throw unfit(path, `its vectors have ${model.dim} components, the collection's have ${dim}`);
    if (angles && angles.dim !== model.angleDim) {
      throw unfit(path, `its branch has ${model.angleDim} components, the collection's angles have ${angles.dim}`);
    }
  }

  /**
   * The files of sections, as the collection names them.
   * @param {SectionName[]} sections
   */
  filesOf(sections) {
    let at = 0;
    return ALL.flatMap((section) => {
      const files = this.files.slice(at, (at += this.model.files(section).length));
      return sections.includes(section) ? files.map((file) => ({ section, file })) : [];
    });
  }

  /**
   * The files of sections that the engine has not read, each with the place in this list of
   * the last one that must be there before the engine reads it.
   * @param {SectionName[]} sections
   */
  queueOf(sections) {
    /** @type {{section: SectionName, file: StoredFile, last: number}[]} */
    const queue = [];
    for (const section of sections) {
      const first = this.done[section];
      const before = queue.length - first;
      const companions = this.model.companions(section);
      for (const [i, { file }] of this.filesOf([section]).entries()) {
        if (i >= first) queue.push({ section, file, last: before + companions[i] });
      }
    }
    return queue;
  }

  /**
   * Bytes of a part that the engine has not read, as stored on the host.
   * @param {Part} what
   */
  missing(what) {
    return this.queueOf(PARTS[what]).reduce((sum, { file }) => sum + file.stored, 0);
  }

  /**
   * Loads what encodes texts, which is vocabulary and trunk, or the branch, or the reader. Calls for the same share one
   * load. If it fails, the next call continues with the first file that is missing.
   * @param {Part} what
   * @param {(bytes: number) => void} onBytes receives increments that add up to `stored`
   * @returns {Promise<void>}
   */
  load(what, onBytes) {
    const { loading, loads } = this;
    const load = () => this.loadSections(PARTS[what], onBytes);
    loading[what] ??= this.loads = loads.then(load, load).catch((error) => {
      loading[what] = null;
      throw error;
    });
    return loading[what];
  }

  /**
   * @param {SectionName[]} sections
   * @param {(bytes: number) => void} onBytes
   */
  async loadSections(sections, onBytes) {
    const { model, done } = this;
    const missing = sections.filter((section) => done[section] < model.files(section).length);
    const memory = missing.reduce((sum, section) => sum + (done[section] === 0 ? model.memory(section) : 0), 0);
    naming(this.path, () => this.core.expect(memory, 'raise maxBytes, or choose a smaller encoder'));
    const queue = this.queueOf(missing);
    /** @type {Promise<unknown>[]} */
    const storing = [];
    /** @type {Promise<Uint8Array>[]} */
    const coming = [];
    let next = 0; // place in the queue of the first file that the engine has not read
    try {
      for (const i of queue.keys()) {
        for (const { file } of queue.slice(coming.length, i + PARALLEL)) {
          const taken = this.take(file, onBytes, storing);
          taken.catch(() => {}); // reported in its turn
          coming.push(taken);
        }
        await coming[i];
        for (; next <= i && queue[next].last <= i; next++) {
          const { section, file } = queue[next];
          const content = await coming[next];
          naming(file.path, () => this.feed(section, content));
          coming[next] = Promise.resolve(NOTHING); // so that the content can be freed
        }
      }
    } finally {
      // What is on the way is kept, even if a file before it failed.
      await Promise.allSettled(coming);
      await Promise.all(storing);
      // What the engine has not read is counted again when the load goes on.
      for (const { file } of this.queueOf(missing)) if (this.counted.delete(file)) onBytes(-file.stored);
    }
    kept.tidy(this.files);
  }

  /**
   * @param {StoredFile} file
   * @param {(bytes: number) => void} onBytes
   * @param {Promise<unknown>[]} storing receives a promise that settles when the file is kept
   */
  async take(file, onBytes, storing) {
    const own = await kept.load(file);
    if (own) {
      onBytes(file.stored);
      this.counted.add(file);
      return own;
    }
    let told = 0;
    try {
      const content = await this.read(file, (bytes) => {
        told += bytes;
        onBytes(bytes);
      });
      storing.push(kept.store(file, content));
      this.counted.add(file);
      return content;
    } catch (error) {
      onBytes(-told);
      throw error;
    }
  }

  /**
   * @param {SectionName} section
   * @param {Uint8Array} content
   */
  feed(section, content) {
    try {
      this.model.read(section, content);
      this.done[section]++;
    } catch (error) {
      this.done[section] = 0; // the engine begins the section anew
      throw error;
    }
  }
}

/**
 * @param {string} path
 * @param {string} problem
 */
function unfit(path, problem) {
  return new IntegrityError(`${path}: ${problem}: upload the whole folder again, or index the corpus again`, {
    file: path,
  });
}
