// Types of server.js: an encode server (`vantage serve --model`) as an encoder.
import {
  type PageEncoder,
  type TextRole,
  InputError,
  IntegrityError,
  UnavailableError,
  VantageError,
} from './index.js';

/** A frame from the server violates the protocol. */
export class WireError extends IntegrityError {}

export interface ServerOptions {
  /** One of the server's keys, if it requires one. */
  key?: string;
  /**
   * Type of the vectors in transit: exact ("f32", the default), or rounded to half or a quarter of the bytes.
   */
  dtype?: 'f32' | 'f16' | 'int8';
  /** Milliseconds that a call may take in all, reconnections included; default 30000. */
  deadline?: number;
  /** Milliseconds of silence after which a connection counts as dead; default 5000. */
  patience?: number;
}

/**
 * - `connecting`: for the first time, or again after the connection was lost;
 * - `open`;
 * - `down`: unreachable; tried again, at least every 30 seconds;
 * - `refused`: for good (see `error`);
 * - `closed`: by `close`.
 */
export type ServerState = 'connecting' | 'open' | 'down' | 'refused' | 'closed';

/** What a server says about its model. */
export interface ServerModel {
  id: string;
  /** A hash of its files; '' if it has none. */
  revision: string;
  dim: number;
  normalize?: boolean;
  max_length?: number;
  pooling?: string;
  prompts?: { [role: string]: string };
}

/** The server refuses this page: the key, the origin or the address is wrong. */
export class RefusedError extends InputError {
  readonly status?: number;
}

/** The server or its chat model has too much to do, or the budget of a client is used up. */
export class BusyError extends UnavailableError {
  /** Of HTTP: 408, 429 or from 500. */
  readonly status: number;
  /** The server's name for the reason, such as "budget_exceeded"; '' if it gives none. */
  readonly reason: string;
  /** Seconds after which to try again, if the server says so. */
  readonly retryAfter: number | null;
}

export interface PerspectivesOptions {
  /** A domain of `domains()`. It may be left out if the server offers only one. */
  domain?: string;
  /** θ, from 0 to below 1: only scores above it count. The server's default is 0.5. */
  threshold?: number;
  /** Cancels the request, and with it the calls of the chat model. */
  signal?: AbortSignal;
}

/** The first event: how much each perspective of the domain matters for the query. */
export interface PerspectiveVector {
  type: 'vector';
  domain: string;
  chatModel: string;
  /** The encoder of the queries to come. Search only a collection whose `info.model.revision` is this `revision`. */
  model: string;
  revision: string;
  threshold: number;
  /** Scores are from 0 to 1. The weight is the score, or 0 if it is not above the threshold. */
  perspectives: { name: string; score: number; weight: number }[];
  /** The chat model's scores could not be used, and are 0. */
  refused: boolean;
}

/** The query as a perspective asks it, as soon as it is written. */
export interface PerspectiveQuery {
  type: 'query';
  /** Index in the perspective vector. −1: none counts, and this is the query as it was asked. */
  perspective: number;
  /** Above 0. */
  weight: number;
  query: string;
  vector: Float32Array;
  /** The text was longer than the encoder takes. */
  truncated: boolean;
}

/** What the chat model wrote for a perspective could not be used, so the perspective has no weight. */
export interface PerspectiveRefused {
  type: 'refused';
  perspective: number;
}

/** The last event. */
export interface PerspectivesDone {
  type: 'done';
  /** What the chat model has used. */
  usage: { requests: number; promptTokens: number; replyTokens: number };
}

/** A vector, then a query or a refusal for each perspective with a weight, in any order, then the end. */
export type PerspectivesEvent = PerspectiveVector | PerspectiveQuery | PerspectiveRefused | PerspectivesDone;

/** A perspective whose ranking is merged with those of others. */
export interface PerspectiveView {
  perspective: number;
  /** Above 0. */
  weight: number;
}

/** A document that a perspective found: its index in the corpus, and its cosine. A `Hit` is one. */
export interface PerspectiveHit {
  index: number;
  score: number;
}

/** A document of the merged ranking. */
export interface PerspectiveFound {
  index: number;
  /** Its cosine times the weight of the perspective (Eq. 4 of the paper), the greatest over the perspectives. */
  rel: number;
  /** The perspective of this view, the first of several. */
  perspective: number;
}

/**
 * How many documents each view adds to a merged ranking of `k`: ⌈k·w_i/Σw⌉, at least 1. A
 * `k` that is not a whole number of at least 1, or a weight that is not above 0, gives a
 * QueryError.
 */
export function perspectiveShares(views: readonly Pick<PerspectiveView, 'weight'>[], k: number): number[];

/**
 * Merges the rankings of views, best first, into one (MVRAG, Chen, Yu and Sha 2024, §3.4): each is cut after its share
 * of `k`, a document that several find keeps its greatest `rel`, and equal ones follow their indexes. There may be
 * somewhat more than `k` documents, since shares are rounded up, or fewer. A missing ranking counts as empty, so you
 * can merge what has arrived. The result is that of the Go program; errors are those of `perspectiveShares`.
 */
export function mergePerspectives(
  views: readonly PerspectiveView[],
  rankings: readonly (readonly PerspectiveHit[])[],
  k: number,
): PerspectiveFound[];

/** The reader's prompt (Eq. 5): the query and the documents, each between lines of backticks that it cannot close. */
export function readerPrompt(query: string, documents: readonly string[]): string;

/**
 * Encodes texts on a server. With `Vantage.open`, the server must have the model of the collection; otherwise
 * there is an EncoderMismatchError. While the server is unreachable, the collection's own encoder or its words
 * answer, and `notice` of the result says so.
 *
 * Calls of one encoder share a socket. Calls under way continue after a lost connection. The event `state` is
 * dispatched whenever `state` changes.
 */
export class ServerEncoder extends EventTarget implements PageEncoder {
  /** Begins to connect. A relative address is resolved against the page. */
  constructor(url: string | URL, options?: ServerOptions);
  readonly url: string;
  readonly state: ServerState;
  /** Why the state is `down`, `refused` or `closed`. */
  readonly error: VantageError | null;
  /** null until the server has answered for the first time. */
  readonly model: ServerModel | null;
  /** Values of the model; '' and 0 until they are known. */
  readonly id: string;
  readonly revision: string;
  readonly dim: number;
  /** Milliseconds of the last measured round trip to the server; 0: not measured yet. */
  readonly roundTrip: number;
  /**
   * Resolves when the connection is open, and rejects if the server is unreachable now. Read it again for a later
   * answer.
   */
  readonly ready: Promise<void>;
  /**
   * Returns one vector for each text, in order. It waits for a server that is unreachable or overloaded until the
   * deadline, and then fails with an UnavailableError.
   */
  encode(
    texts: Iterable<string>,
    role?: TextRole | 'none',
    options?: { signal?: AbortSignal },
  ): Promise<Float32Array[]>;
  /** The domains for `perspectives`; none if the server asks no chat model. Errors are those of `perspectives`. */
  domains(options?: { signal?: AbortSignal }): Promise<string[]>;
  /**
   * Lets the server's chat model weigh the perspectives of a domain for a query, and rewrite the query for those that
   * count. Each event is there as soon as it is known: search by the first query while the last is being written. The
   * query goes to the server and the host of its chat model. Leaving the loop cancels the request.
   *
   * A QueryError names a domain that is not offered. A RefusedError (401, 403) asks for a key, a BusyError (408, 429, 5xx)
   * for patience. An UnsupportedError says that there is no chat model, or no such path at the address.
   */
  perspectives(query: string, options?: PerspectivesOptions): AsyncGenerator<PerspectivesEvent, void, void>;
  /** Ends the connection; calls under way, and later ones, fail with a ClosedError. */
  close(): void;
}
