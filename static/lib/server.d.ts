// Types of server.js: an encode server (`vantage serve --model`) as an encoder.
import { type PageEncoder, type TextRole, VantageError } from './index.js';

/** A frame of the server that is not as the protocol says. */
export class WireError extends VantageError {}

export interface ServerOptions {
  /** One of the server's keys, if it wants one. */
  key?: string;
  /**
   * Of the vectors on their way: exact, rounded to half the bytes, or to a
   * quarter; default "f32".
   */
  dtype?: 'f32' | 'f16' | 'int8';
  /** Milliseconds that a call may take in all, a lost connection included; default 30000. */
  deadline?: number;
  /** Milliseconds of silence after which a connection is taken for dead; default 5000. */
  patience?: number;
}

/**
 * - `connecting`: for the first time, or again after the connection was lost;
 * - `open`;
 * - `down`: out of reach; tried again by and by, at longest every 30 seconds;
 * - `refused`: for good (see `error`);
 * - `closed`: by `close`.
 */
export type ServerState = 'connecting' | 'open' | 'down' | 'refused' | 'closed';

/** What a server says of its model. */
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

/** The server turns this page away: the key, the origin or the address is wrong. */
export class RefusedError extends VantageError {
  readonly status?: number;
}

/**
 * Texts encoded by a server. With `Vantage.open` the server must have the model
 * of the collection (EncoderMismatchError); while it is out of reach the
 * collection's own encoder answers, or its words, and `notice` of the result
 * says so.
 *
 * Calls of one encoder share a socket. What was under way when the connection
 * was lost goes on when there is another. The event `state` is dispatched
 * whenever `state` has changed.
 */
export class ServerEncoder extends EventTarget implements PageEncoder {
  /** Begins to connect. A relative address is the page's. */
  constructor(url: string | URL, options?: ServerOptions);
  readonly url: string;
  readonly state: ServerState;
  /** Why the state is `down`, `refused` or `closed`. */
  readonly error: VantageError | null;
  /** null until the server has answered for the first time. */
  readonly model: ServerModel | null;
  /** Of the model; '' and 0 until it is known. */
  readonly id: string;
  readonly revision: string;
  readonly dim: number;
  /** Milliseconds to the server and back, as last measured; 0: not yet. */
  readonly roundTrip: number;
  /**
   * Resolves when the connection is open; rejects if the server is out of reach now. Ask again for a later answer.
   */
  readonly ready: Promise<void>;
  /**
   * One vector for each text, in order. Waits, up to the deadline, for a server
   * that is out of reach or has too much to do: then UnavailableError.
   */
  encode(
    texts: Iterable<string>,
    role?: TextRole | 'none',
    options?: { signal?: AbortSignal },
  ): Promise<Float32Array[]>;
  /** Ends the connection; calls under way, and later ones, fail with a ClosedError. */
  close(): void;
}
