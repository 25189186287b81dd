// Files of runs and judgements that a page gives, read into the engine.

import { FormatError, LimitError, QueryError } from '../errors.js';
import { gunzip, isGzip } from '../collection/gunzip.js';
import { Scope } from '../engine/scope.js';
import { isNamed, messageOf } from '../thrown.js';

/**
 * @import { Core } from '../engine/core.js'
 * @typedef {{name: string, content: Blob|Uint8Array}} NamedFile
 * @typedef {{qrels: NamedFile, runs: NamedFile[], measures: string}} Files
 * @typedef {{qrels: number, runs: number[]}} Handles of files that the engine has read
 * @typedef {'qrels'|'run'} Kind of a file
 */

/** Most characters of a name, which goes into messages. */
const MAX_NAME = 300;

/** Most bytes that a gzipped file may hold; others are bounded by the engine's memory. */
const MAX_GUNZIPPED = 2 ** 29;

/**
 * Reads the files into the engine, one after the other, and releases them when
 * body has ended.
 * @template T
 * @param {Core} core
 * @param {Files} files
 * @param {AbortSignal|undefined} signal
 * @param {(handles: Handles) => T} body
 * @returns {Promise<T>}
 */
export async function opened(core, { qrels, runs, measures }, signal, body) {
  /** @type {[Kind, number][]} */
  const open = [];
  /**
   * @param {Kind} kind
   * @param {NamedFile} file
   * @param {...string} texts
   */
  const read = async (kind, file, ...texts) => {
    const handle = await readFile(core, kind, file, texts, signal);
    open.push([kind, handle]);
    return handle;
  };
  try {
    const judgements = await read('qrels', qrels, measures); // the measures decide whether subtopics are read
    const handles = [];
    for (const run of runs) handles.push(await read('run', run));
    return body({ qrels: judgements, runs: handles });
  } finally {
    if (!core.lost) for (const [kind, handle] of open) core.checked(`${kind}_close`, handle);
  }
}

/**
 * @param {Core} core
 * @param {Kind} kind
 * @param {NamedFile} file
 * @param {string[]} texts
 * @param {AbortSignal} [signal]
 */
async function readFile(core, kind, { name, content: stored }, texts, signal) {
  const scope = new Scope(core);
  try {
    const content = await unpacked(name, stored);
    signal?.throwIfAborted();
    if (core.lost) throw core.lost;
    const length = content instanceof Blob ? content.size : content.byteLength;
    const pointer = scope.reserve(length);
    if (content instanceof Blob) await fill(core, pointer, name, content, signal);
    else core.bytes(pointer, length).set(content);
    return core.checked(`${kind}_open`, pointer, length, ...[name, ...texts].flatMap((text) => scope.text(text)));
  } catch (error) {
    throw located(error, name);
  } finally {
    scope.close();
  }
}

/**
 * The unpacked content of a file, which may be gzipped whatever its name is.
 * @param {string} name
 * @param {NamedFile['content']} content
 */
async function unpacked(name, content) {
  try {
    const head = content instanceof Blob ? new Uint8Array(await content.slice(0, 2).arrayBuffer()) : content;
    if (!isGzip(head)) return content;
    const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
    return await gunzip(bytes, MAX_GUNZIPPED, name);
  } catch (error) {
    if (error instanceof LimitError) {
      const { limit } = Object(error); // a smaller one if the file is short: see bounds.js
      throw new LimitError(
        `${name}: expands beyond ${limit} bytes: unpack it, split it by queries, or use the vantage command`,
        { file: name, limit },
      );
    }
    if (!isNamed(error, 'NotReadableError') && !isNamed(error, 'NotFoundError')) throw error;
    throw unreadable(name, error);
  }
}

/**
 * @param {string} name
 * @param {unknown} cause
 */
const unreadable = (name, cause) =>
  new FormatError(`${name}: it cannot be read (${messageOf(cause)}): was it changed or moved?`, { file: name });

/**
 * Copies a file into the engine in pieces, so that it is never in memory twice.
 * @param {Core} core
 * @param {number} pointer
 * @param {string} name
 * @param {Blob} blob
 * @param {AbortSignal} [signal]
 */
async function fill(core, pointer, name, blob, signal) {
  const reader = blob.stream().getReader();
  for (let at = pointer; ;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw unreadable(name, cause);
    });
    if (signal?.aborted) await reader.cancel();
    signal?.throwIfAborted();
    if (core.lost) throw core.lost;
    if (done) return;
    core.bytes(at, value.length).set(value);
    at += value.length;
  }
}

/**
 * The name and bytes of a file that the page gives.
 * @param {string} what
 * @param {any} file any: it comes from the page and is checked here; a File has become { name, content }
 * @returns {NamedFile}
 */
export function named(what, file) {
  const { name, content } = file ?? {};
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) {
    throw new QueryError(
      `${what}: a File, or { name, content }, is expected; the name has 1 to ${MAX_NAME} characters`,
    );
  }
  if (content instanceof Blob || content instanceof Uint8Array) return { name, content };
  if (content instanceof ArrayBuffer) return { name, content: new Uint8Array(content) };
  if (typeof content === 'string') return { name, content: new TextEncoder().encode(content) };
  throw new QueryError(`${what}: the content of ${name} must be a text, a Blob, an ArrayBuffer or a Uint8Array`);
}

/**
 * Adds file and line to an error about a file.
 * @param {any} error any: a catch clause may catch anything
 * @param {string} file
 */
function located(error, file) {
  const known = error.file !== undefined;
  if (error instanceof LimitError && !known) {
    return new LimitError(
      `${file}: too large for the engine's memory (${error.message.split(':')[1].trim()}): split it by queries, or ` +
        `use the vantage command`,
      { ...error, file },
    );
  }
  if (!(error instanceof FormatError) || known) return error;
  const line = error.message.startsWith(`${file}:`) ? /^:(\d+): /.exec(error.message.slice(file.length)) : null;
  return new FormatError(error.message, { ...error, file, ...(line && { line: Number(line[1]) }) });
}
