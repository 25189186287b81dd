// The worker's end: owns the collection, so that the page never waits for a
// scan. remote.js is the other end.
//
// Page to worker:  {id, call, args, of}   a call; every id is used once; of: the call
//                                         that opened the collection it is meant for
//                  {id, abort: reason}    cancels that call
// Worker to page:  {id, result}           the answer to a call,
//                  {id, error}            or its error, in the form of toWire
// Worker to page, of the collection that call id opened:
//                  {id, event: 'progress', value, coverage}   more of it has arrived
//                  {id, event: 'encoder', broke}              its encoder has loaded or failed
//                                                             (broke: a later try may succeed)
//                  {id, event: 'settled', error}              all of it has loaded or failed

import { Collection } from '../collection/collection.js';
import { ClosedError, VersionError } from '../errors.js';
import { OPERATIONS, operation } from './operations.js';
import { PROTOCOL, toWire } from './protocol.js';

/** @type {Collection|null} */
let collection = null;
/** Id of the last call of open: a page may open another collection before it closes this one. */
let current = 0;
/** @type {Map<number, AbortController>} by the call's id */
const running = new Map();

/**
 * Calls beside OPERATIONS.
 * @type {{[name: string]: (args: any, signal: AbortSignal, id: number, of: number) => unknown}} any: as the page sent
 *   them
 */
const calls = {
  hello: () => PROTOCOL,
  async open([url, options], signal, id) {
    shut();
    current = id;
    const opened = await Collection.open(url, {
      ...options,
      signal,
      onProgress: (value) => postMessage({ id, event: 'progress', value, coverage: collection?.coverage }),
    });
    if (current !== id) {
      opened.close();
      throw replaced();
    }
    collection = opened;
    opened.ready.then(
      () => postMessage({ id, event: 'settled' }),
      (error) => postMessage({ id, event: 'settled', error: toWire(error) }),
    );
    opened.onEncoder = () => postMessage({ id, event: 'encoder', broke: opened.encoderBroke });
    if (opened.encoderPending) opened.encoderReady.catch(() => {}).then(opened.onEncoder);
    return opened.opened;
  },
  close(_, __, ___, of) {
    if (of === current) shut();
  },
};

function shut() {
  collection?.close();
  collection = null;
}

const replaced = () => new ClosedError('its worker has opened another collection');

/**
 * @param {import('./operations.js').Name} name
 * @param {any} args as the page has sent them
 * @param {AbortSignal} signal
 * @param {number} of
 */
async function operate(name, args, signal, of) {
  if (!Object.hasOwn(OPERATIONS, name)) throw new VersionError(`the worker knows no operation ${name}`);
  if (of !== current) throw replaced();
  if (!collection) throw new ClosedError('no collection is open');
  const result = await collection.call(name, args, signal);
  return { result, transfer: operation(name).returns?.(/** @type {never} */ (result)) ?? [] };
}

/** Answers the page's messages. */
export function listen() {
  globalThis.addEventListener?.('message', async ({ data }) => {
    const { id, call, args, abort, of } = data ?? {};
    if (id === undefined) return; // a page's own worker may receive other messages
    if (abort !== undefined) return void running.get(id)?.abort(new DOMException(abort, 'AbortError'));
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const { result, transfer } = Object.hasOwn(calls, call)
        ? { result: await calls[call](args, stop.signal, id, of), transfer: [] }
        : await operate(call, args, stop.signal, of);
      postMessage({ id, result }, { transfer });
    } catch (error) {
      postMessage({ id, error: toWire(error) });
    } finally {
      // The signal given to open also governs the shards that still stream in.
      if (call !== 'open') running.delete(id);
    }
  });
}
