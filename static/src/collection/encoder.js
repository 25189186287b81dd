// The encoder of one engine: the one that the collection carries, or a static encoder that the page names. It turns
// texts into vectors, and knows which methods suit them.

import { choose } from '../engine/auto.js';
import { naming } from '../engine/core.js';
import { AUTO } from '../constants.js';
import { Encoder } from '../engine/encoder.js';
import { describe, fetchFiles, openEncoder, readFiles } from '../engine/files.js';
import { QueryError, UnavailableError, VantageError } from '../errors.js';
import { isUnusable, messageOf } from '../thrown.js';
import { isPack } from './manifest/model.js';
import { Pack } from './pack.js';

/**
 * @import { TextRole } from '../../lib/index.d.ts'
 * @import { Asked } from '../engine/auto.js'
 * @import { EncoderFiles } from '../engine/files.js'
 * @import { Model as EngineModel, Parts } from '../engine/model.js'
 * @import { EngineEncoding } from './encoding.js'
 * @import { Files } from './files.js'
 * @import { CarriedEncoder, Model, PackFiles, StoredFile } from './manifest.js'
 * @import { Vectors } from './vectors.js'
 */

/**
 * The files of a static encoder that the page names.
 * @typedef {EncoderFiles<import('../../lib/index.d.ts').FileSource> & {id?: string, revision?: string}} EncoderSources
 */

/**
 * What an encoder says about angles: its tables, such as wordings of for and against.
 * @typedef {object} SideTables
 * @property {string} id of the encoder
 * @property {string} problem why it gives none; empty: it does
 * @property {{[name: string]: number[]}} numbers
 * @property {{[name: string]: string[]}} texts
 */

/**
 * The model of an engine without documents, until an encoder is known: such an engine cannot
 * encode or search.
 * @type {Model}
 */
export const UNKNOWN = { id: '', kind: 'external', dim: 0, normalize: false };

export class CollectionEncoder {
  /** @type {Promise<void>} settles when the encoder has loaded, or there is none */
  ready = Promise.resolve();
  /** @type {Encoder|EngineModel|null} */
  current = null;
  /** @type {Pack|null} the encoder, as far as it has been read */
  pack = null;
  /** @type {Pack|null} what reads queries, as far as it has been read: of the collection, or else the encoder */
  reader = null;
  /** @type {Promise<void>} settles when the collection's reader has loaded, or cannot be used, or there is none */
  readable = Promise.resolve();
  branch = false; // whether the encoder's branch was asked for
  broke = false; // it could not be fetched, and perhaps can be later
  /** @type {unknown} why the reader of queries cannot be used, so that the grammar alone reads */
  unread = null;
  /** @type {PackFiles|null} of a reader that could not be fetched, and perhaps can be later */
  lost = null;
  /** @type {Promise<void>|null} an encoder that was not loaded on opening */
  spare = null;
  /** Whether the load that began on opening is under way. */
  opening = false;

  /**
   * @param {Vectors} vectors that queries are compared with
   * @param {Files} files
   * @param {EncoderSources|null|undefined} sources of an encoder to use in place of the collection's; null: none is
   *   needed
   * @param {PackFiles|null} beside a reader of queries beside the encoder; null: there is none, or it is not needed
   * @param {() => void} onLate called if the collection's encoder has come after all: it could not be fetched before,
   *   or was not needed
   */
  constructor(vectors, files, sources, beside, onLate) {
    this.core = vectors.core;
    this.manifest = vectors.manifest;
    this.vectors = vectors;
    this.files = files;
    this.sources = sources;
    this.beside = beside;
    this.onLate = onLate;
  }

  /** Whether opening the collection loads an encoder. */
  get loads() {
    return Boolean(this.sources === undefined ? this.manifest.encoder : this.sources);
  }

  /** Begins to load the encoder and the reader of queries, if there are any. */
  start() {
    this.opening = true;
    if (this.beside) this.readable = this.loadReader(this.beside, true);
    this.readable.catch(() => {}); // as below
    this.ready = this.load().catch((error) => {
      this.broke = !this.sources && error instanceof UnavailableError;
      throw error;
    });
    this.ready.catch(() => {}); // whoever awaits it gets the error
    Promise.allSettled([this.ready, this.readable]).then(() => {
      this.opening = false;
    });
  }

  /**
   * Reads a file of the collection's encoder or reader. If opening is cancelled, it reads no further one.
   * @param {StoredFile} file
   * @param {(bytes: number) => void} [onBytes]
   */
  async read(file, onBytes) {
    if (this.opening) this.files.signal.throwIfAborted();
    return this.files.read(file, onBytes);
  }

  async load() {
    const { manifest, sources } = this;
    if (sources) {
      const files = await fetchFiles(sources, this.files.signal);
      const encoder = openEncoder(this.core, files);
      await this.readable;
      this.current = encoder;
      if (manifest.model !== UNKNOWN) return;
      manifest.dim = this.current.dim;
      manifest.model = await describe(sources, files, this.current.dim);
      this.vectors.open();
    } else if (sources === undefined && manifest.encoder) {
      await this.loadCarried(manifest.encoder, true);
    }
  }

  /**
   * @param {CarriedEncoder} carried by the collection
   * @param {boolean} counted as a part of the progress
   */
  async loadCarried(carried, counted) {
    const onBytes = (/** @type {number} */ bytes) => counted && this.files.progress.receivedOfEncoder(bytes);
    if (isPack(carried)) {
      const { core, manifest, files } = this;
      if (!this.pack) {
        this.pack = await Pack.open(core, carried, manifest, (file, told) => this.read(file, told), onBytes);
        if (counted) files.progress.expectOfEncoder(-this.pack.missing('branch')); // until a query needs it
      }
      await this.pack.load('trunk', onBytes);
      if (!this.beside) await this.loadReader(carried, counted);
      await this.readable;
      this.current = this.pack.model;
      return;
    }
    const read = (/** @type {StoredFile} */ file) => this.read(file, onBytes);
    const encoder = openEncoder(this.core, await readFiles(carried, read));
    await this.readable;
    this.current = encoder;
  }

  /**
   * Loads the reader of queries. If it cannot be used, the encoder still can: the grammar reads, as for a collection
   * without a reader.
   * @param {PackFiles} carried by the collection: its reader, or its encoder
   * @param {boolean} counted as a part of the progress
   */
  async loadReader(carried, counted) {
    const { core, files } = this;
    const { progress } = files;
    const onBytes = (/** @type {number} */ bytes) => counted && progress.receivedOfEncoder(bytes);
    try {
      const own = carried === this.beside ? this.reader : this.pack;
      this.reader = own ?? (await Pack.open(core, carried, null, (file, told) => this.read(file, told), onBytes));
      await this.reader.load('trunk', onBytes);
      await this.reader.load('reader', onBytes);
      this.unread = null;
    } catch (error) {
      if (!isUnusable(error)) throw error;
      this.unread = error;
      if (error instanceof UnavailableError) this.lost = carried;
      if (counted) progress.expectOfEncoder(-this.missing(carried));
    }
    progress.finish();
  }

  /** Begins to load the reader of queries again, if it could not be fetched. */
  mend() {
    const { lost } = this;
    if (!lost) return;
    this.lost = null;
    this.files.progress.expectOfEncoder(this.missing(lost));
    this.loadReader(lost, true).catch(() => {}); // the engine has ended
  }

  /**
   * Bytes of a reader of queries that the engine has not read, as stored on the host.
   * @param {PackFiles} files
   */
  missing({ pack, files }) {
    if (this.reader) return this.reader.missing('trunk') + this.reader.missing('reader');
    return [pack, ...files].reduce((sum, file) => sum + file.stored, 0);
  }

  /** The handle of the model that reads queries, as soon as it has been loaded; 0: the grammar alone reads them. */
  get reading() {
    return this.reader?.model.handle ?? 0;
  }

  /**
   * The encoder, once it has loaded. If the collection's could not be fetched before, or is needed
   * because the page's own one cannot encode, it is fetched now.
   */
  async loaded() {
    if (!this.current && !this.broke) {
      await this.ready.catch((error) => {
        if (error instanceof VantageError) throw error;
        // Not this call, but opening the collection.
        throw new UnavailableError('the loading of the encoder was cancelled');
      });
    }
    const carried = this.manifest.encoder;
    if (!this.current && carried) {
      await (this.spare ??= this.loadCarried(carried, this.broke).finally(() => {
        this.spare = null;
      }));
      this.broke = false;
      this.onLate();
    }
    if (!this.current) throw new QueryError('no encoder is loaded');
    return this.current;
  }

  /**
   * Vectors of texts, with counts of their tokens.
   * @param {string[]} texts
   * @param {TextRole} role
   * @param {Parts} [parts] 'both' and 'angle': with the vectors of the encoder's branch
   * @returns {Promise<EngineEncoding[]>}
   */
  async encode(texts, role, parts = 'vector') {
    const encoder = await this.loaded();
    const { pack, unread } = this;
    const { progress } = this.files;
    const onBytes = (/** @type {number} */ bytes) => progress.receivedOfEncoder(bytes);
    const told = {};
    if (unread && texts.length > 0 && role !== 'document') {
      const lost = 'the reader of queries cannot be used, so that the grammar alone reads them';
      Object.assign(told, { notice: `${lost} (${messageOf(unread)})` });
    }
    if (parts === 'vector') return texts.map((text) => ({ ...encoder.encode(text, role), ...told }));
    if (encoder instanceof Encoder || !pack || encoder.angleDim === 0) {
      throw new QueryError("the collection's encoder has no vectors of the angle: index with one that has a branch");
    }
    if (!this.branch) {
      this.branch = true;
      progress.expectOfEncoder(pack.missing('branch'));
    }
    await pack.load('branch', onBytes);
    progress.finish();
    return texts.map((text) => ({ ...encoder.encode(text, role, parts), ...told }));
  }

  /**
   * What the collection's encoder says about angles, or why it has none.
   * @returns {Promise<SideTables>}
   */
  async sideTables() {
    const encoder = await this.loaded();
    return this.describe(encoder instanceof Encoder ? null : encoder);
  }

  /**
   * @param {EngineModel|null} model the encoder, if it can have angles
   * @returns {SideTables}
   */
  describe(model) {
    const { id } = this.manifest.model;
    const { numbers = {}, texts = {} } = model?.pack ?? {};
    const remedy = 'use another method, or an encoder whose pack has a branch';
    const problem = `the encoder ${id} cannot tell sides apart: ${remedy}`;
    return { id, problem: model?.angleDim ? '' : problem, numbers, texts };
  }

  /**
   * How to rank a query that names no method.
   * @param {Omit<Asked, 'sides'>} asked angles: whether passages have some
   * @param {SideTables|null} tables of the page's encoder; null: the collection's encodes
   */
  async choose(asked, tables) {
    const { auto, model } = this.manifest;
    // If the encoder failed, given vectors can still be ranked.
    if (!tables && !this.pack && model.kind === 'pack') await this.ready.catch(() => {});
    const { id, problem, texts } = tables ?? this.describe(this.pack?.model ?? null);
    const angles = asked.angles && !problem;
    const sides = Boolean(texts.for?.length && texts.against?.length);
    const [whose, table] = auto ? ['manifest.json', auto.table] : [`the encoder ${id}`, texts[AUTO] ?? []];
    return naming(whose, () => choose(this.core, { ...asked, angles, sides }, table));
  }
}
