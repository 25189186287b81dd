// The worker's end: owns the collection, so that the page never waits for a
// scan. A page may start this file itself, or import it from a worker of its
// own, and hand the worker to Vantage.open. remote.js is the other end.
//
// Page to worker:  {id, call, args}      a call; every id is used once
//                  {id, abort: reason}   gives that call up
// Worker to page:  {id, result}          or {id, error} in the form of toWire
//                  {id, event: 'progress', value, coverage}   while the
//                  {id, event: 'encoder'}           collection that call id
//                  {id, event: 'settled', error}    opened streams in, when its
//                                                   encoder is in or failed, and
//                                                   when all is

import { Collection } from './collection/collection.js';
import { ClosedError } from './errors.js';
import { PROTOCOL, toWire } from './worker/protocol.js';

let collection = null;
const running = new Map(); // id -> AbortController

const calls = {
  hello: () => PROTOCOL,
  async open([url, options], signal, id) {
    calls.close();
    collection = await Collection.open(url, {
      ...options,
      signal,
      onProgress: (value) => postMessage({ id, event: 'progress', value, coverage: collection?.coverage }),
    });
    collection.ready.then(
      () => postMessage({ id, event: 'settled' }),
      (error) => postMessage({ id, event: 'settled', error: toWire(error) }),
    );
    if (collection.encoderPending) {
      collection.encoderReady.catch(() => {}).then(() => postMessage({ id, event: 'encoder' }));
    }
    return collection.opened;
  },
  split: ([text]) => opened().split(text),
  encode: ([texts]) => opened().encode(texts),
  rank: ([ranking]) => opened().rank(ranking),
  explain: ([ranking, hits]) => opened().explain(ranking, hits),
  async loadWords([text]) {
    await opened().loadWords(text); // what that returns stays here
  },
  rankWords: ([text, k, keep]) => opened().rankWords(text, k, keep),
  changeWords: ([texts, removed]) => opened().changeWords(texts, removed),
  fuse: ([fusion, weight, vectors, words]) => opened().fuse(fusion, weight, vectors, words),
  rankAmong: ([vectors, ranking]) => opened().rankAmong(vectors, ranking),
  rankPart: ([ranking, cut]) => opened().rankPart(ranking, cut),
  cut: ([ranking, gates]) => opened().cut(ranking, gates),
  diversify: ([ranking, hits, records]) => opened().diversify(ranking, hits, records),
  ahead: ([ranking, hits]) => opened().ahead(ranking, hits),
  add: ([first, vectors, columns]) => opened().add(first, vectors, columns),
  declare: ([columns]) => opened().declare(columns),
  remove: ([rows]) => opened().remove(rows),
  find: ([ids], signal) => opened().find(ids, signal),
  documents: ([indexes], signal) => opened().documents(indexes, signal),
  measure: ([task, input], signal) => opened().measure(task, input, signal),
  memory: () => opened().memory(),
  downloads: () => opened().downloads(),
  close() {
    collection?.close();
    collection = null;
  },
};

/** Buffers of results that go to the page rather than being copied. */
const given = {
  encode: (texts) => texts.map(({ vector }) => vector.buffer),
  rankPart: ({ gate, records, documents }) =>
    [gate, records, documents].flatMap((array) => (array ? [array.buffer] : [])),
};

function opened() {
  if (!collection) throw new ClosedError('no collection is open');
  return collection;
}

globalThis.addEventListener?.('message', async ({ data }) => {
  const { id, call, args, abort } = data ?? {};
  if (id === undefined) return; // a page's own worker may hear other things
  if (abort) return void running.get(id)?.abort(new DOMException(abort, 'AbortError'));
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const result = await calls[call](args, stop.signal, id);
    postMessage({ id, result }, { transfer: given[call]?.(result) ?? [] });
  } catch (error) {
    postMessage({ id, error: toWire(error) });
  } finally {
    // The signal given to open also governs the shards that still stream in.
    if (call !== 'open') running.delete(id);
  }
});
