// A query as the perspectives of a domain ask it: POST /v1/perspectives of a server with a chat model
// (docs/serve.md). The answer is lines of JSON, each of which is there as soon as the server knows it.

import { parseJSON } from '../collection/bounds.js';
import { InputError, LimitError, QueryError, UnavailableError, UnsupportedError } from '../errors.js';
import { messageOf } from '../thrown.js';
import { BusyError, RefusedError } from './refusal.js';
import { WireError } from './wire.js';

/** @import { PerspectivesEvent, PerspectivesOptions, ServerModel } from '../../lib/server.d.ts' */

/** Most characters of a line, in addition to its vector, and of an error. */
const LINE = 1 << 20;

/**
 * @param {{url: string, headers: {[name: string]: string}, model: ServerModel, life: AbortSignal}} server life: ends
 *   with the client
 * @param {string} query
 * @param {PerspectivesOptions} options
 * @returns {AsyncGenerator<PerspectivesEvent, void, void>}
 */
export async function* perspectives({ url, headers, model, life }, query, { domain, threshold, signal }) {
  const asked = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, domain, threshold, model: model.id, encoding_format: 'base64' }),
  };
  yield* read(answered(url, asked, [life, signal], LINE + 8 * model.dim), model);
}

/**
 * The names of the domains that the server offers.
 * @param {string} url of the list of models
 * @param {{headers: {[name: string]: string}, life: AbortSignal, signal?: AbortSignal}} options life: ends with the
 *   client
 * @returns {Promise<string[]>}
 */
export async function domains(url, { headers, life, signal }) {
  const { data } = await body(answered(url, { headers }, [life, signal], LINE));
  if (!Array.isArray(data)) throw new WireError('the server does not list its models');
  const names = Object(data[0]).domains ?? []; // servers of older versions do not say
  if (!Array.isArray(names) || !names.every(isText)) throw new WireError("the server's domains are not a list");
  return names;
}

/**
 * The lines of a server's answer: see linesOf.
 * @param {string} url
 * @param {RequestInit} asked
 * @param {(AbortSignal|undefined)[]} signals each of which ends the request
 * @param {number} most characters of a line
 */
async function* answered(url, asked, signals, most) {
  const stop = new AbortController();
  const follow = (/** @type {Event} */ { target }) => stop.abort(/** @type {AbortSignal} */ (target).reason);
  for (const other of signals) {
    if (other?.aborted) stop.abort(other.reason);
    other?.addEventListener('abort', follow);
  }
  try {
    const response = await fetch(url, { ...asked, cache: 'no-store', signal: stop.signal });
    if (!response.ok) throw await refused(response);
    yield* linesOf(response, most);
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    // fetch and the body of its answer reject with a TypeError if the connection is lost
    if (error instanceof TypeError) throw new UnavailableError(`the encode server cannot be reached: ${error.message}`);
    throw error;
  } finally {
    for (const other of signals) other?.removeEventListener('abort', follow);
    stop.abort(); // whoever leaves early cancels the call of the chat model
  }
}

/**
 * @param {AsyncIterable<string>} lines
 * @param {ServerModel} model
 * @returns {AsyncGenerator<PerspectivesEvent, void, void>}
 */
async function* read(lines, model) {
  let count = -1; // of the perspectives, once the vector is there
  const seen = new Set();
  for await (const text of lines) {
    /** @type {{[name: string]: any}} any: checked below */
    const line = text.endsWith('\n') ? objectOf(text) : lastOf(text);
    if ((line.object === 'vector') !== count < 0 && line.object !== 'error') {
      throw new WireError('the perspective vector is not the first line, or not the only one');
    }
    if (line.object === 'error') {
      if (!(Number.isInteger(line.status) && line.status >= 400)) throw new WireError('an error without its status');
      throw errorOf(line.status, Object(line.error));
    } else if (line.object === 'vector') {
      const event = vectorOf(line);
      if (event.revision !== model.revision) throw new UnavailableError('the encode server has another model now');
      count = event.perspectives.length;
      yield event;
    } else if (line.object === 'query' || line.object === 'refused') {
      const { index: perspective } = line;
      if (!Number.isInteger(perspective) || perspective < -1 || perspective >= count || seen.has(perspective)) {
        throw new WireError(`a query of the perspective ${perspective} of ${count}`);
      }
      seen.add(perspective);
      yield line.object === 'refused' ? { type: 'refused', perspective } : queryOf(line, model.dim);
    } else if (line.object === 'done') {
      return yield doneOf(line);
    }
  }
  throw endedEarly();
}

const endedEarly = () => new UnavailableError('the answer of the encode server ended too early');

/**
 * The last line of an answer, without a line feed: some gateway took it away, or the answer was cut off.
 * @param {string} text
 */
function lastOf(text) {
  try {
    return objectOf(text);
  } catch {
    throw endedEarly();
  }
}

/** @param {{[name: string]: any}} line */
function vectorOf({ domain, chat_model: chatModel, model, revision, threshold, perspectives: list, refused = false }) {
  const good =
    [domain, chatModel, model, revision].every(isText) &&
    isShare(threshold) &&
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((one) => isText(one?.name) && isShare(one.score) && isShare(one.weight));
  if (!good) throw new WireError('an invalid perspective vector');
  return {
    type: /** @type {const} */ ('vector'),
    domain,
    chatModel,
    model,
    revision,
    threshold,
    perspectives: list.map(({ name, score, weight }) => ({ name, score, weight })),
    refused: refused === true,
  };
}

/**
 * @param {{[name: string]: any}} line
 * @param {number} dim
 */
function queryOf({ index: perspective, weight, query, embedding, truncated = false }, dim) {
  if (!isShare(weight) || weight === 0 || !isText(query)) throw new WireError('an invalid rewritten query');
  return {
    type: /** @type {const} */ ('query'),
    perspective,
    weight,
    query,
    vector: floatsOf(embedding, dim),
    truncated: truncated === true,
  };
}

/** @param {{[name: string]: any}} line */
function doneOf({ usage }) {
  const { requests, prompt_tokens: promptTokens, completion_tokens: replyTokens } = Object(usage);
  if (![requests, promptTokens, replyTokens].every((n) => Number.isSafeInteger(n) && n >= 0)) {
    throw new WireError('the end of the perspectives without their usage');
  }
  return { type: /** @type {const} */ ('done'), usage: { requests, promptTokens, replyTokens } };
}

/**
 * The numbers of base64 of little-endian float32.
 * @param {unknown} text
 * @param {number} dim
 */
function floatsOf(text, dim) {
  let bytes = '';
  try {
    bytes = isText(text) ? atob(text) : '';
  } catch {
    // no base64: it has the wrong length
  }
  if (bytes.length !== 4 * dim) throw new WireError(`an embedding that is not base64 of ${dim} numbers`);
  const view = new DataView(Uint8Array.from(bytes, (c) => c.charCodeAt(0)).buffer);
  const vector = Float32Array.from({ length: dim }, (_, i) => view.getFloat32(4 * i, true));
  if (!vector.every(Number.isFinite)) throw new WireError('an embedding with numbers that are not finite');
  return vector;
}

const isText = (/** @type {unknown} */ value) => typeof value === 'string';

const isShare = (/** @type {unknown} */ value) => typeof value === 'number' && value >= 0 && value <= 1;

/**
 * The lines of an answer, each as soon as it is there, with their line feeds. The last one may lack it.
 * @param {Response} response
 * @param {number} most characters of a line
 */
async function* linesOf(response, most) {
  if (!response.body) throw new WireError("the encode server's answer is empty");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end + 1);
      text = text.slice(end + 1);
    }
    if (text.length > most) throw new WireError(`a line of the answer has more than ${most} characters`);
  }
  text += decoder.decode();
  if (text) yield text;
}

/**
 * @param {string} text
 * @returns {{[name: string]: unknown}}
 */
function objectOf(text) {
  try {
    return Object(parseJSON(text, 'a line', 'ask for a shorter query'));
  } catch (error) {
    throw new WireError(`the encode server's answer is not JSON: ${messageOf(error)}`);
  }
}

/** @param {AsyncIterable<string>} lines of an object of JSON */
async function body(lines) {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length > LINE) throw new WireError(`an answer has more than ${LINE} characters`);
  }
  return objectOf(text);
}

/**
 * The error of an answer without lines.
 * @param {Response} response
 */
async function refused(response) {
  const { error } = await body(linesOf(response, LINE)).catch(() => /** @type {{[name: string]: unknown}} */ ({}));
  const wait = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return errorOf(response.status, Object(error), Number.isNaN(wait) ? null : wait);
}

/**
 * @param {number} status of HTTP
 * @param {{[name: string]: unknown}} error in the server's words
 * @param {number|null} [retryAfter] seconds
 */
function errorOf(status, { message, code }, retryAfter = null) {
  const said = isText(message) ? `the encode server says: ${message}` : `the encode server answers ${status}`;
  const details = { status, reason: isText(code) ? code : '' };
  switch (status) {
    case 400:
      return new QueryError(said, details);
    case 401:
    case 403:
      return new RefusedError(said, details);
    case 404:
    case 405: // a host of files
      if (code === 'model_not_found') return new UnavailableError('the encode server has another model now', details);
      return new UnsupportedError(
        code === 'no_chat_model'
          ? 'this encode server asks no chat model: start it with --chat-model'
          : `${said}: check its address, and whether a proxy passes the path on`,
        details,
      );
    case 413:
      return new LimitError(said, details);
  }
  if (status === 408 || status === 429 || status >= 500) return new BusyError(said, { ...details, retryAfter });
  return new InputError(said, details);
}
