// Types of server.js: an encode server (`vantage serve --model`) as an encoder.
import { type PageEncoder, type TextRole, InputError, IntegrityError, VantageError } from './index.js';

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
  /** Ends the connection; calls under way, and later ones, fail with a ClosedError. */
  close(): void;
}
