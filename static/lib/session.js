// Keeps an engine at hand. One that is lost is started again, with the
// documents that had been added to it: calls under way fail with a
// LostInstanceError, the next ones are answered by the new engine.

import { connect } from './connect.js';
import { byEngine, byNobody, byPage, checkCanaries } from './encoding.js';
import { ClosedError, LostInstanceError, QueryError, StorageError } from './errors.js';
import { Fields } from './fields.js';
import { LocalDocuments, encodedText } from './local.js';
import { pack, unpack } from './saved.js';
import { load, store } from './storage.js';

export class Session {
  /**
   * @param {string|null} url absolute, of the collection's folder
   * @param {import('./collection.js').EngineOptions} options for each engine
   * @param {{worker?: Worker|boolean, encoder?: object}} choice where engines run, and the page's own encoder
   */
  static async start(url, options, choice) {
    const session = new Session(url, options, choice);
    await session.launch();
    return session;
  }

  constructor(url, options, { worker, encoder }) {
    this.url = url;
    this.options = options;
    this.worker = worker;
    this.own = encoder ? { encode: byPage(encoder), dim: encoder.dim } : null;
    this.engine = null; // while it is lost, or closed
    this.starting = null; // promise of the next one
    this.complete = false; // all vectors had arrived
    this.closed = null;
    this.covered = { rows: 0, total: 0 }; // as last known
    this.changes = Promise.resolve(); // additions and removals, one after the other
  }

  // The first launch says what the collection is; later ones bring back what
  // was added and removed since.
  async launch() {
    const { signal, ...rest } = this.options;
    const engine = await connect(this.url, { ...rest, signal: this.local && signal?.aborted ? undefined : signal }, this.worker);
    try {
      const { info, canaries } = engine.opened;
      const encode = this.encoding(engine);
      if (encode !== byNobody) await checkCanaries(encode, canaries, info.model, this.own?.dim ?? engine.opened.encoderDim);
      if (this.local) {
        await this.replay(engine);
        if (this.complete) await engine.ready.catch(() => {}); // what is missing then, coverage tells
      } else {
        this.collection = { ...info, encodes: encode !== byNobody };
        this.fields = new Fields(info.fields);
        this.local = new LocalDocuments(info.documents);
      }
      if (this.closed) throw this.closed;
    } catch (error) {
      engine.close();
      signal?.throwIfAborted();
      throw error;
    }
    this.engine = engine;
    engine.onLost = (error) => this.lost(engine, error);
    engine.ready.then(() => {
      if (this.engine === engine) this.complete = true;
    }, () => {});
    return engine;
  }

  async replay(engine) {
    const { entries, removed } = this.local;
    this.local.displace();
    if (entries.length > 0) {
      const { row } = await engine.add(entries.map((entry) => entry.vector), this.fields.columns(entries.map((entry) => entry.document)).columns);
      this.local.place(entries, row);
    }
    if (removed.size > 0) await engine.remove([...removed]);
  }

  /** Name, size, model and filter fields of the collection, as they are now. */
  get info() {
    return { ...this.collection, fields: this.fields.list };
  }

  get coverage() {
    if (this.engine) this.covered = this.engine.coverage;
    return this.covered;
  }

  get ready() {
    return this.engine ? this.engine.ready : this.current().then((engine) => engine.ready);
  }

  /** Who encodes texts for an engine. */
  encoding(engine) {
    return this.own?.encode ?? (engine.opened.encoderDim > 0 ? byEngine(engine) : byNobody);
  }

  /** The engine; the next one where it was lost. */
  async current() {
    if (this.closed) throw this.closed;
    if (this.engine) return this.engine;
    this.starting ??= this.launch().finally(() => {
      this.starting = null;
    });
    return this.starting;
  }

  /** Runs body with the engine, and starts another if it proves to be lost. */
  async use(body) {
    const engine = await this.current();
    try {
      return await body(engine, this.encoding(engine));
    } catch (error) {
      if (error instanceof LostInstanceError) this.lost(engine, error);
      throw error;
    }
  }

  lost(engine, error) {
    if (this.engine !== engine) return;
    this.engine = null;
    engine.discard(error);
    this.current().catch(() => {}); // the next call tries again, and says what is wrong
  }

  /** Runs one change after the other. */
  change(body) {
    const result = this.changes.then(body);
    this.changes = result.catch(() => {});
    return result;
  }

  /**
   * Adds documents, all or none.
   * @param {Iterable<object>} documents as the page writes them
   * @returns {Promise<number[]>} their indexes
   */
  add(documents, signal) {
    return this.insert(() => this.local.check(documents, this.info.dim), signal);
  }

  /** Saves the added documents under a name; returns how many they are. */
  async save(name) {
    if (this.closed) throw this.closed;
    const { entries } = this.local;
    await store(name, await pack(entries, this.info.model));
    return entries.length;
  }

  /** Adds the documents saved under a name, all or none; returns their indexes. */
  async restore(name, signal) {
    const bytes = await load(name);
    if (!bytes) throw new StorageError(`${name}: nothing is saved under this name`);
    const { documents, vectors } = await unpack(bytes, name, this.info.model);
    return this.insert(() => {
      const entries = this.local.check(documents, this.info.dim);
      entries.forEach((entry, i) => {
        entry.vector ??= vectors[i];
      });
      return entries;
    }, signal);
  }

  /** @param {() => import('./local.js').Entry[]} check what is to be added */
  insert(check, signal) {
    return this.change(() => this.use(async (engine, encode) => {
      const entries = check();
      const { columns, commit } = this.fields.columns(entries.map((entry) => entry.document));
      await fill(entries, encode, signal);
      if (entries.length === 0) return [];
      const { row } = await engine.add(entries.map((entry) => entry.vector), columns);
      if (this.engine !== engine) throw this.closed ?? new LostInstanceError('the engine stopped while documents were added: add them again');
      this.local.insert(entries, row);
      commit();
      return entries.map((entry) => entry.index);
    }));
  }

  /**
   * Removes documents by id, all or none: added ones, else the collection's.
   * @param {Iterable<string>} ids
   */
  remove(ids, signal) {
    return this.change(() => this.use(async (engine) => {
      if (typeof ids === 'string' || typeof ids?.[Symbol.iterator] !== 'function') throw new QueryError('remove takes a list of ids: remove(["note-1"])');
      const wanted = [...ids];
      const unknown = (id) => new QueryError(`remove: there is no document of the id ${JSON.stringify(id)}`);
      if (new Set(wanted).size !== wanted.length) throw new QueryError('remove: an id occurs twice');
      const entries = wanted.map((id) => this.local.byId.get(id)).filter(Boolean);
      const others = wanted.filter((id) => !this.local.byId.has(id));
      const found = others.length > 0 ? await engine.find(others, signal) : [];
      found.forEach((index, i) => {
        if (index === null || this.local.removed.has(index)) throw unknown(others[i]);
      });
      signal?.throwIfAborted();
      await engine.remove([...entries.map((entry) => entry.row), ...found]);
      if (this.engine !== engine) throw this.closed ?? new LostInstanceError('the engine stopped while documents were removed: remove them again');
      for (const entry of entries) this.local.delete(entry);
      for (const index of found) this.local.removed.add(index);
    }));
  }

  /** Whole documents by index, in the order asked. */
  documents(indexes, signal) {
    return this.use(async (engine) => {
      const { documents } = this.collection;
      const wanted = [...indexes];
      const local = wanted.map((index) => {
        if (index < documents) return null;
        const entry = this.local.byIndex.get(index);
        if (!entry) throw new QueryError(`document ${index}: the collection has documents 0 to ${documents - 1}, and none was added under this number`);
        return structuredClone(entry.document);
      });
      const read = wanted.filter((_, i) => !local[i]);
      const rest = read.length > 0 ? await engine.documents(read, signal) : [];
      return local.map((document) => document ?? rest.shift());
    });
  }

  close() {
    this.closed ??= new ClosedError('the collection was closed');
    const { engine } = this;
    this.engine = null;
    engine?.close();
  }
}

/** Encodes the entries that have no vector yet. */
export async function fill(entries, encode, signal) {
  const open = entries.filter((entry) => !entry.vector);
  const encoded = open.length > 0 ? await encode(open.map((entry) => encodedText(entry.document)), 'document', signal) : [];
  signal?.throwIfAborted();
  open.forEach((entry, i) => {
    entry.vector = encoded[i].vector;
  });
}
