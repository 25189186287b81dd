// An encode server (`vantage serve --model`) as the encoder of a page:
//
//   import { ServerEncoder } from './lib/server.js';
//   const encoder = new ServerEncoder('https://encode.example/');
//   const vantage = await Vantage.open('collection/', { encoder });
//
// One socket carries all texts and vectors (docs/protocol.md). A lost connection
// is made again and resumes. Types: server.d.ts.

import { DTYPE, ROLE } from './constants.js';
import { ClosedError, InputError, QueryError, UnavailableError, UnsupportedError } from './errors.js';
import { Exchange } from './server/exchange.js';
import { join } from './server/fallback.js';
import { Job } from './server/job.js';
import { domains, perspectives } from './server/perspectives.js';
import { Queue } from './server/queue.js';
import { mergePerspectives, readerPrompt, sharesOf } from './server/rank.js';
import { BusyError, RefusedError, addresses, headersOf, refusal } from './server/refusal.js';
import { Socket } from './server/socket.js';
import { Status } from './server/status.js';
import { WireError } from './server/wire.js';
import { messageOf } from './thrown.js';

/**
 * @import { ServerEncoder as Declared, ServerModel, ServerOptions, ServerState } from '../lib/server.js'
 * @import { Opened } from './collection/collection.js'
 * @import { TextEncoding } from './collection/encoding.js'
 * @import { VantageError } from './errors.js'
 * @import { Piece } from './server/exchange.js'
 * @import { DType, Frame, PongFrame, Role, WelcomeFrame } from './server/wire.js'
 */

export { BusyError, RefusedError, WireError, mergePerspectives, readerPrompt, sharesOf as perspectiveShares };

const DEADLINE = 30_000;
const PATIENCE = 5000;

/** Most milliseconds before the first attempt to reconnect; each failed attempt doubles it. */
const FIRST_DELAY = 250;
const MAX_DELAY = 30_000;

/** Number of connections lost without an answer; if the next one is lost, too, the server counts as unreachable. */
const MANY = 4;

/** @implements {Declared} */
export class ServerEncoder extends EventTarget {
  #addresses;
  #key;
  #dtype;
  #deadline;
  #patience;

  #status = new Status(() => this.dispatchEvent(new Event('state')));
  /** @type {ServerModel|null} */
  #model = null;
  #exchange = this.#begun();
  /** @type {Set<Exchange>} with servers that said GOODBYE */
  #leaving = new Set();
  /** @type {Socket|null} of #exchange */
  #socket = null;
  #failures = 0; // failed connections since the last answer
  /** @type {ReturnType<typeof setTimeout>|undefined} of the next attempt */
  #timer = undefined;
  #queue = new Queue();
  #life = new AbortController(); // ends the requests for domains and perspectives
  // A page that slept or was offline checks or reconnects immediately.
  #wake = () => {
    if (globalThis.document?.visibilityState === 'hidden') return;
    if (this.#socket) this.#socket.probe();
    else if (this.#timer) this.#connect();
  };

  /**
   * @param {string|URL} url
   * @param {ServerOptions} [options]
   */
  constructor(url, { key, dtype = 'f32', deadline = DEADLINE, patience = PATIENCE } = {}) {
    super();
    if (typeof WebSocket === 'undefined') {
      throw new UnsupportedError(
        'an encode server needs WebSocket, which is missing here: use Node.js 22 or later, or a browser',
      );
    }
    if (!Object.hasOwn(DTYPE, dtype)) {
      throw new InputError(`dtype: ${JSON.stringify(dtype)} is not one of ${Object.keys(DTYPE).join(', ')}`);
    }
    for (const [name, ms] of Object.entries({ deadline, patience })) {
      if (!(ms >= 1 && ms < 2 ** 31)) {
        throw new InputError(`${name}: ${ms} is not a number of milliseconds from 1 to ${2 ** 31 - 1}`);
      }
    }
    this.#addresses = addresses(url);
    this.#key = key;
    this.#dtype = dtype;
    this.#deadline = deadline;
    this.#patience = patience;
    globalThis.addEventListener?.('online', this.#wake);
    globalThis.document?.addEventListener('visibilitychange', this.#wake);
    this.#connect();
  }

  get url() {
    return this.#addresses.base;
  }

  get state() {
    return this.#status.state;
  }

  get error() {
    return this.#status.error;
  }

  get model() {
    return this.#model;
  }

  get id() {
    return this.#model?.id ?? '';
  }

  get revision() {
    return this.#model?.revision ?? '';
  }

  get dim() {
    return this.#model?.dim ?? 0;
  }

  get roundTrip() {
    return this.#socket?.roundTrip ?? 0;
  }

  get ready() {
    return this.reach({ hasty: true });
  }

  /**
   * Resolves when the connection is open. If the server is unreachable, it
   * rejects immediately if `hasty` is set, otherwise at the deadline.
   * @param {{signal?: AbortSignal, hasty?: boolean}} [options]
   */
  async reach({ signal, hasty } = {}) {
    await this.#status.reach(this.#deadline, { signal, hasty });
  }

  /** @type {Declared['encode']} */
  async encode(texts, role = 'query', { signal } = {}) {
    return (await this.ask([...texts], role, { signal })).map(({ vector }) => vector);
  }

  /**
   * Like encode, but with the number of tokens and whether the text was truncated.
   * @param {string[]} texts
   * @param {Role} role
   * @param {{signal?: AbortSignal, hasty?: boolean, model?: ServerModel, dtype?: DType}} [options]
   *   hasty: fail rather than wait for an unreachable server; model: fail if the server has
   *   another one
   */
  async ask(texts, role, { signal, hasty = false, model, dtype = this.#dtype } = {}) {
    signal?.throwIfAborted();
    if (!texts.every((text) => typeof text === 'string')) {
      throw new QueryError('encode takes texts: one of them is not a string');
    }
    if (!Object.hasOwn(ROLE, role)) {
      throw new QueryError(`no role ${JSON.stringify(role)}: there is ${Object.keys(ROLE).join(', ')}`);
    }
    if (hasty || this.#status.final) await this.reach({ signal, hasty });
    if (texts.length === 0) return [];
    const job = new Job(texts, { role, dtype, deadline: this.#deadline, hasty, model, signal }, (ended, failed) =>
      this.#end(ended, failed),
    );
    this.#queue.add(job);
    this.#pump();
    return job.result;
  }

  /** @type {Declared['domains']} */
  async domains({ signal } = {}) {
    await this.reach({ signal, hasty: true });
    return domains(this.#addresses.models, { headers: headersOf(this.#key), life: this.#life.signal, signal });
  }

  /** @type {Declared['perspectives']} */
  async *perspectives(query, options = {}) {
    if (typeof query !== 'string') throw new QueryError('query: a text is needed');
    await this.reach({ signal: options.signal, hasty: true });
    const model = /** @type {ServerModel} */ (this.#model); // known once the server is reached
    const server = { url: this.#addresses.perspectives, headers: headersOf(this.#key), model, life: this.#life.signal };
    yield* perspectives(server, query, options);
  }

  /**
   * Makes this the encoder of a collection: see fallback.js.
   * @param {Opened} opened of an engine
   * @param {TextEncoding} engine encodes by the encoder that the collection carries
   */
  join(opened, engine) {
    return join(this, opened, engine);
  }

  close() {
    if (!this.#status.final) this.#stop('closed', new ClosedError("the encode server's client was closed"));
  }

  /**
   * Fails all calls and closes the connection for good.
   * @param {ServerState} state
   * @param {VantageError} error
   */
  #stop(state, error) {
    clearTimeout(this.#timer);
    this.#life.abort(error);
    globalThis.removeEventListener?.('online', this.#wake);
    globalThis.document?.removeEventListener('visibilitychange', this.#wake);
    this.#status.enter(state, error);
    this.#queue.fail(error);
    for (const exchange of [this.#exchange, ...this.#leaving]) {
      exchange.cancel();
      exchange.socket?.close();
    }
    this.#leaving.clear();
    this.#socket = null;
  }

  #begun() {
    return new Exchange((piece, delay) => {
      if (delay) setTimeout(() => this.#enqueue(piece), delay);
      else this.#enqueue(piece);
    });
  }

  /** @param {Piece} piece */
  #enqueue(piece) {
    this.#queue.putBack(piece);
    this.#pump();
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const exchange = this.#exchange;
    let socket;
    try {
      socket = new Socket(
        this.#addresses.stream,
        { key: this.#key, token: exchange.token, patience: this.#patience },
        {
          welcome: (frame) => this.#welcome(exchange, frame),
          frame: (frame) => this.#receive(exchange, frame),
          end: (error, welcomed) => this.#lost(exchange, error, welcomed),
          busy: () => exchange.requests.size > 0,
        },
      );
    } catch (cause) {
      // the browser forbids the address or the key
      return this.#stop(
        'refused',
        new RefusedError(`the browser does not connect to ${this.#addresses.stream}: ${messageOf(cause)}`),
      );
    }
    exchange.socket = this.#socket = socket;
  }

  /**
   * @param {Exchange} exchange
   * @param {WelcomeFrame} frame
   */
  #welcome(exchange, frame) {
    exchange.welcome(frame);
    // Prompts count, because vectors with others are not comparable. Of one fleet, other facts may differ.
    const [was, is] = [this.#model, exchange.model].map(
      (m) => m && JSON.stringify([m.id, m.revision, m.dim, m.prompts]),
    );
    if (was === is) exchange.model = this.#model;
    else this.#model = exchange.model;
    this.#status.enter('open');
    this.#pump();
  }

  /**
   * @param {Exchange} exchange
   * @param {Exclude<Frame, WelcomeFrame|PongFrame>} frame
   */
  #receive(exchange, frame) {
    this.#failures = 0; // only an answer counts, not an accepted connection
    if (frame.type === 'goodbye') {
      if (exchange === this.#exchange) this.#leave(frame.retry);
      return;
    }
    exchange.receive(frame);
    if (exchange === this.#exchange) this.#pump();
  }

  /**
   * The old server finishes its requests; new ones go to the next server.
   * @param {number} retry
   */
  #leave(retry) {
    this.#leaving.add(this.#exchange);
    this.#socket = null;
    this.#exchange = this.#begun();
    this.#status.enter('connecting');
    this.#again(respite(retry));
  }

  /**
   * @param {Exchange} exchange
   * @param {VantageError} error
   * @param {boolean} welcomed
   */
  async #lost(exchange, error, welcomed) {
    exchange.socket = null;
    const leaving = this.#leaving.delete(exchange);
    if (!leaving) {
      this.#socket = null;
      if (this.#status.state === 'open') this.#status.enter('connecting');
    }
    const broken = !(error instanceof UnavailableError);
    const { silent, retry } = /** @type {{silent?: boolean, retry?: number}} */ (error);
    if (broken) {
      for (const { job } of exchange.requests.values()) job.fail(error);
      exchange.token = undefined;
    }
    if (leaving) return exchange.abandon();
    if (!welcomed || broken || this.#failures >= MANY) {
      // A server that says nothing, or that it is stopping, has not refused the page.
      const refused =
        silent || retry !== undefined ? null : await refusal(this.#addresses.models, this.#key, this.#patience);
      if (this.#status.final) return;
      if (refused) return this.#stop('refused', refused);
      this.#status.enter('down', error);
      const held = new Set([...this.#leaving].flatMap(({ requests }) => [...requests.values()].map(({ job }) => job)));
      this.#queue.fail(error, (job) => job.hasty && !held.has(job));
    }
    // Full jitter: clients that lost a server together do not come back together.
    const delay = Math.random() * Math.min(MAX_DELAY, FIRST_DELAY * 2 ** this.#failures++);
    this.#again(Math.max(delay, respite(retry ?? 0)));
  }

  /** @param {number} delay */
  #again(delay) {
    if (!this.#status.final) this.#timer = setTimeout(() => this.#connect(), delay);
  }

  /** Sends waiting texts while the session has room. */
  #pump() {
    this.#queue.send(() => (this.#status.state === 'open' ? { exchange: this.#exchange, model: this.#model } : null));
  }

  /**
   * @param {Job} job
   * @param {boolean} failed
   */
  #end(job, failed) {
    this.#queue.remove(job);
    if (!failed) return;
    for (const exchange of [this.#exchange, ...this.#leaving]) exchange.cancel(job);
    this.#pump();
  }
}

/**
 * The pause that a stopping server asks for, randomly up to doubled, because all its clients get the same
 * request.
 * @param {number} retry
 */
function respite(retry) {
  return Math.min(retry, MAX_DELAY) * (1 + Math.random());
}
