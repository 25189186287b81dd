// The requests of one session with an encode server: their ids, the frames that
// belong to them, and the texts that are sent again after a lost connection.

import { CODE, CODE_KIND, DTYPE, MAX_DIM, WHOLE_REQUEST } from '../constants.js';
import { LimitError, UnavailableError } from '../errors.js';
import { CLASSES } from '../kinds.js';
import { WireError, encodeAck, encodeCancel, encodeResume, encodeTexts, floats } from './wire.js';

/**
 * @import { ServerModel } from '../../lib/server.d.ts'
 * @import { Job } from './job.js'
 * @import { Socket } from './socket.js'
 * @import { DoneFrame, FaultFrame, VectorFrame, WelcomeFrame } from './wire.js'
 */

/** Most cancelled requests that are cancelled again in a resumed session, because the frame may have been lost. */
const CANCELLED = 64;

/** Least milliseconds before a text is sent again that the server did not take now: see LATER. */
const LEAST_RETRY = 50;

/** Bytes of ENCODE and VECTOR beside texts and components. */
const HEAD = 32;

/** @type {Map<number, keyof typeof CODE>} */
const NAMES = new Map(Object.entries(CODE).map(([name, code]) => [code, /** @type {keyof typeof CODE} */ (name)]));
/** @type {Set<number>} */
const LATER = new Set([CODE.overloaded, CODE.rate_limited, CODE.shutting_down]);

/**
 * The server's limits, by its names.
 * @typedef {{message_bytes: number, text_bytes: number, texts: number, pending_bytes: number}} Limits
 */

/**
 * @typedef {object} Request texts that are under way
 * @property {number} id
 * @property {Job} job
 * @property {number[]} places of the texts in the job
 * @property {number} bytes as the server counts them
 * @property {Set<number>} have texts that have been answered
 * @property {number[]} again places of texts to send again
 * @property {number} retry milliseconds to wait before that
 */

/**
 * @typedef {object} Piece texts of a job that are to be sent
 * @property {import('./job.js').Job} job
 * @property {number[]} places of the texts in the job
 */

export class Exchange {
  /** @type {Uint8Array|undefined} of the session, once there is one */
  token;
  /** @type {Socket|null} null while there is none */
  socket = null;
  /** @type {ServerModel|null} once the server has sent it */
  model = null;
  /** @type {Limits|null} likewise */
  limits = null;
  /** @type {Map<number, Request>} by id */
  requests = new Map();

  #nextId = 1;
  #bytes = 0; // as the server counts them
  /** @type {number[]} */
  #cancelled = [];
  #requeue;

  /**
   * @param {(piece: Piece, delay?: number) => void} requeue takes texts to send again after a delay in milliseconds
   */
  constructor(requeue) {
    this.#requeue = requeue;
  }

  /**
   * Begins or resumes the session by WELCOME.
   * @param {WelcomeFrame} frame
   */
  welcome({ resumed, token, facts }) {
    const { model, limits } = readFacts(facts);
    this.token = token;
    this.model = model;
    this.limits = limits;
    if (!resumed) return this.abandon();
    for (const id of this.#cancelled) this.socket?.send(encodeCancel(id));
    for (const { id, places, have } of this.requests.values()) this.socket?.send(encodeResume(id, places.length, have));
  }

  /** Sends all unanswered texts again, because this session is gone. */
  abandon() {
    // In reverse, because each goes to the front of the queue.
    for (const request of [...this.requests.values()].reverse()) this.#anew(request);
    this.#cancelled = [];
  }

  /**
   * Sends as much of a piece as the limits allow beside what is unacknowledged.
   * @param {Piece} piece
   * @returns {Piece|null} the rest
   */
  send({ job, places }) {
    if (!this.limits || !this.model) return { job, places };
    const { text_bytes: longest, message_bytes: message, texts: most, pending_bytes: pending } = this.limits;
    const answer = HEAD + this.model.dim * { f32: 4, f16: 2, int8: 1 }[job.dtype];
    let frame = HEAD;
    let bytes = 0;
    let n = 0;
    for (; n < places.length && n < most; n++) {
      const { length } = job.texts[places[n]];
      const limit = Math.min(longest, message - HEAD - 4, pending - answer);
      if (length > limit) {
        throw new LimitError(`text ${places[n]} has ${length} bytes, the encode server takes ${limit}: shorten it`, {
          limit,
        });
      }
      if (frame + 4 + length > message || this.#bytes + bytes + length + answer > pending) break;
      frame += 4 + length;
      bytes += length + answer;
    }
    if (n === 0) return { job, places };
    /** @type {Request} */
    const request = {
      id: this.#nextId++,
      job,
      places: places.slice(0, n),
      bytes,
      have: new Set(),
      again: [],
      retry: 0,
    };
    this.requests.set(request.id, request);
    this.#bytes += bytes;
    this.socket?.send(
      encodeTexts({
        id: request.id,
        texts: request.places.map((place) => job.texts[place]),
        role: job.role,
        dtype: job.dtype,
        deadline: job.left,
      }),
    );
    return n < places.length ? { job, places: places.slice(n) } : null;
  }

  /**
   * Cancels the requests of a job, or all requests.
   * @param {Job} [job]
   */
  cancel(job) {
    for (const request of this.requests.values()) {
      if (job && request.job !== job) continue;
      this.#forget(request);
      this.#cancelled.push(request.id);
      if (this.socket?.welcomed) this.socket.send(encodeCancel(request.id)); // otherwise WELCOME sends it
    }
    this.#cancelled.splice(0, this.#cancelled.length - CANCELLED);
  }

  /**
   * @param {VectorFrame|FaultFrame|DoneFrame} frame
   * @throws {WireError} if the frame answers no request
   */
  receive(frame) {
    const { type, id } = frame;
    const index = 'index' in frame ? frame.index : undefined;
    if (id >= this.#nextId) throw new WireError(`${type.toUpperCase()} of a request ${id} that was never sent`);
    const request = this.requests.get(id);
    if (!request) return; // cancelled while the frame was under way
    if (index !== undefined && index !== WHOLE_REQUEST) {
      if (index >= request.places.length || request.have.has(index)) {
        throw new WireError(
          `${type.toUpperCase()} of text ${index}, ` +
            `${index < request.places.length ? 'which has its answer' : `of ${request.places.length}`}`,
        );
      }
      request.have.add(index);
    }
    if (frame.type === 'vector') this.#vector(request, frame);
    else if (frame.type === 'fault') this.#fault(request, frame);
    else this.#done(request, frame);
  }

  /**
   * @param {Request} request
   * @param {VectorFrame} frame
   */
  #vector({ job, places }, frame) {
    if (frame.dtype !== DTYPE[job.dtype] || frame.components.length !== this.model?.dim) {
      throw new WireError(
        `VECTOR of ${frame.components.length} components and dtype ${frame.dtype}, expected ${this.model?.dim} ` +
          `of ${job.dtype}`,
      );
    }
    const vector = floats(frame);
    if (!vector.every(Number.isFinite)) throw new WireError('VECTOR with a component that is not a finite number');
    job.take(places[frame.index], { vector, tokens: frame.tokens, truncated: frame.truncated });
  }

  /**
   * @param {Request} request
   * @param {FaultFrame} frame
   */
  #fault(request, { index, code, retry, message }) {
    const { job, places } = request;
    if (index === WHOLE_REQUEST) {
      if (code !== CODE.unknown_request && !LATER.has(code)) return job.fail(errorOf(code, message));
      return this.#anew(request, this.#after(job, code, retry, message));
    }
    if (!LATER.has(code)) return job.fail(errorOf(code, message));
    request.again.push(places[index]);
    request.retry = Math.max(request.retry, this.#after(job, code, retry, message));
  }

  /**
   * Milliseconds after which to send a text again, with jitter; fails a job that has no
   * time left.
   * @param {Job} job
   * @param {number} code
   * @param {number} retry
   * @param {string} message
   */
  #after(job, code, retry, message) {
    const delay = Math.max(retry, LEAST_RETRY) * (1 + Math.random() / 2);
    if (delay > job.left) job.fail(errorOf(code, message, retry));
    return delay;
  }

  /**
   * @param {Request} request
   * @param {DoneFrame} frame
   */
  #done(request, { vectors, faults }) {
    const { id, job, places, have, again, retry } = request;
    if (have.size < places.length || vectors + faults !== places.length) {
      throw new WireError(
        `DONE with ${vectors} vectors and ${faults} faults, ${have.size} of ${places.length} texts were answered`,
      );
    }
    this.#forget(request);
    this.socket?.send(encodeAck(id));
    if (again.length > 0) this.#requeue({ job, places: again }, retry);
  }

  /**
   * @param {Request} request
   * @param {number} [delay]
   */
  #anew(request, delay) {
    const { job, places, have, again } = request;
    this.#forget(request);
    this.#requeue({ job, places: [...again, ...places.filter((_, i) => !have.has(i))] }, delay);
  }

  /** @param {Request} request */
  #forget({ id, bytes }) {
    if (this.requests.delete(id)) this.#bytes -= bytes;
  }
}

/**
 * A FAULT as an error of the library.
 * @param {number} code
 * @param {string} message
 * @param {number} [retry]
 */
function errorOf(code, message, retry) {
  const name = NAMES.get(code);
  const kind = name ? CODE_KIND[name] : 'internal';
  if (kind === 'limit' || kind === 'query') return new CLASSES[kind](`the encode server: ${message}`);
  // Another encoder may answer, so the error is UnavailableError whatever the code.
  return new UnavailableError(`the encode server does not encode now (${name ?? code}: ${message})`, {
    fault: name ?? code,
    retry,
  });
}

/**
 * The facts of WELCOME that this client relies on, checked.
 * @param {WelcomeFrame['facts']} facts
 * @returns {{model: ServerModel, limits: Limits}}
 */
function readFacts(facts) {
  /** @type {any} any: it comes from the server and is checked here */
  const { model, limits } = facts;
  const { id, revision = '', dim } = Object(model);
  if (typeof id !== 'string' || typeof revision !== 'string' || !Number.isInteger(dim) || dim < 1 || dim > MAX_DIM) {
    throw new WireError('WELCOME does not name the model');
  }
  for (const name of ['message_bytes', 'text_bytes', 'texts', 'pending_bytes']) {
    if (!Number.isInteger(limits?.[name]) || limits[name] < 1) {
      throw new WireError(
        `WELCOME: limits.${name} is ${JSON.stringify(limits?.[name])}, must be a whole number from 1`,
      );
    }
  }
  return { model: { ...model, id, revision, dim }, limits };
}
