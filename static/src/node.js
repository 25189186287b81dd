// What Node.js has in place of a browser's features: a working folder, files,
// threads. Its modules come from the process and are not imported, because bundlers
// for browsers would look for them.

/**
 * @param {string} name
 * @returns {any} the module: any, since the types of Node.js are not at hand
 */
const load = (name) => process?.getBuiltinModule(`node:${name}`);

/** @typedef {{versions?: {node?: string}, cwd: () => string, getBuiltinModule: (name: string) => unknown}} Process */

/** @type {Process|undefined} of Node.js, whose types are not at hand */
const process = Object(globalThis).process;

/** Whether this is Node.js, even if it simulates a page's `document`, as test runners do. */
const here = typeof process?.versions?.node === 'string';

/**
 * The base of relative addresses: the page's address, or the working folder's.
 * @returns {string|undefined}
 */
export function base() {
  return Object(globalThis).document?.baseURI ?? globalThis.location?.href ?? workingFolder();
}

function workingFolder() {
  if (!process || !here) return undefined;
  const url = new URL('file:///');
  url.pathname = `${process.cwd().replaceAll('%', '%25')}/`;
  return url.href;
}

/**
 * Whether an address names a file that can be opened here.
 * @param {string} url
 */
export function isFile(url) {
  return here && new URL(url).protocol === 'file:';
}

/**
 * @param {string} url of a file
 * @param {AbortSignal} [signal]
 * @returns {Promise<ReadableStream<Uint8Array>>} its content
 */
export async function openFile(url, signal) {
  const [{ createReadStream }, { Readable }, { once }] = ['fs', 'stream', 'events'].map(load);
  const file = createReadStream(new URL(url), { signal });
  await once(file, 'open');
  return Readable.toWeb(file);
}

/**
 * Lets many downloads listen to one signal: Node.js warns of more than ten.
 * @param {AbortSignal} [signal]
 */
export function expectMany(signal) {
  if (here && signal) load('events').setMaxListeners(0, signal);
}

/** Whether engines can run in threads, if there are no workers. */
export const threads = here && typeof Worker === 'undefined';

/** The script of a thread: the package's name for worker/thread.js. */
const SCRIPT = 'thread.js';

/**
 * Starts a thread with the interface of a worker.
 * @param {string} beside address of a file of the library
 * @returns {Thread}
 */
export function startThread(beside) {
  const { Worker } = load('worker_threads');
  return new Thread(new Worker(new URL(SCRIPT, beside)));
}

class Thread extends EventTarget {
  /** @param {any} thread a Worker of Node.js, whose types are not at hand */
  constructor(thread) {
    super();
    this.thread = thread;
    const fail = (/** @type {string} */ message) => this.dispatchEvent(Object.assign(new Event('error'), { message }));
    thread.on('message', (/** @type {unknown} */ data) => this.dispatchEvent(new MessageEvent('message', { data })));
    thread.on('messageerror', () => this.dispatchEvent(new Event('messageerror')));
    thread.on('error', (/** @type {Error} */ error) => fail(error.message));
    thread.on('exit', (/** @type {number} */ code) => fail(`its thread ended with code ${code}`));
  }

  /**
   * @param {unknown} message
   * @param {{transfer?: ArrayBuffer[]}} [options]
   */
  postMessage(message, options) {
    this.thread.postMessage(message, options?.transfer);
  }

  terminate() {
    this.thread.terminate();
  }
}
