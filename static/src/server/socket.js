// One WebSocket to an encode server, from HELLO to its end. It reports each
// message as a frame, and notices if the server falls silent.

import { UnavailableError } from '../errors.js';
import { WireError, decode, encodeHello, encodePing, protocols } from './wire.js';

/**
 * @import { VantageError } from '../errors.js'
 * @import { Frame, PongFrame, WelcomeFrame } from './wire.js'
 */

/** Milliseconds between checks of a connection without requests. */
const IDLE = 25_000;

/** The close code of a normal end. */
const NORMAL = 1000;
const MALFORMED = 4002;

/**
 * @typedef {object} Listener
 * @property {(frame: WelcomeFrame) => void} welcome the first frame
 * @property {(frame: Exclude<Frame, WelcomeFrame|PongFrame>) => void} frame every later one; may throw a WireError
 * @property {(error: VantageError, welcomed: boolean) => void} end called once, unless the socket was closed from
 *   here
 * @property {() => boolean} busy whether requests are under way
 */

export class Socket {
  /** @type {WebSocket|null} null once it is closed */
  #ws;
  #timer;
  #patience;
  #on;
  #asked = performance.now(); // when HELLO or a PING was sent
  #waits = false; // for the answer to it
  #heard = false; // a message arrived since the last beat
  #resting = false; // nothing is under way: the next beat is after IDLE

  /** Milliseconds of the last measured round trip. */
  roundTrip = 0;
  welcomed = false;

  /**
   * @param {string} url ws: or wss:
   * @param {{key?: string, token?: Uint8Array, patience: number}} options token of
   *   the session to be resumed; patience: milliseconds of silence after which the
   *   server counts as dead
   * @param {Listener} on
   */
  constructor(url, { key, token, patience }, on) {
    this.#on = on;
    this.#patience = patience;
    const ws = (this.#ws = new WebSocket(url, protocols(key)));
    ws.binaryType = 'arraybuffer';
    ws.onopen = () => {
      this.#ask(encodeHello(token));
    };
    ws.onmessage = ({ data }) => this.#receive(data);
    ws.onclose = ({ code, reason }) =>
      this.#end(
        new UnavailableError(
          this.welcomed
            ? `the connection to the encode server broke (${reason || code})`
            : 'the encode server cannot be reached',
        ),
      );
    this.#timer = setTimeout(() => this.#end(silence(patience)), patience);
  }

  /** @param {Uint8Array<ArrayBuffer>} frame */
  send(frame) {
    this.#ws?.send(frame);
    if (this.#resting) this.#rearm();
  }

  /** Checks now whether the server still answers. */
  probe() {
    if (!this.welcomed || this.#waits) return;
    this.#ask(encodePing(new Uint8Array(8)));
    this.#rearm();
  }

  close() {
    this.#drop(NORMAL);
  }

  /** @param {Uint8Array<ArrayBuffer>} frame */
  #ask(frame) {
    this.#asked = performance.now();
    this.#waits = true;
    this.#ws?.send(frame);
  }

  #answered() {
    this.#waits = false;
    this.roundTrip = performance.now() - this.#asked;
  }

  /** @param {ArrayBuffer} data */
  #receive(data) {
    try {
      const frame = decode(data);
      if (frame.type === 'fault' && frame.id === 0) {
        throw new WireError(`the encode server refuses a frame: ${frame.message}`);
      }
      if (frame.type === 'goodbye' && !this.welcomed) {
        throw new UnavailableError('the encode server is about to stop', { retry: frame.retry });
      }
      if ((frame.type === 'welcome') === this.welcomed) {
        throw new WireError(`${frame.type.toUpperCase()} ${this.welcomed ? 'a second time' : 'before WELCOME'}`);
      }
      this.#heard = true;
      if (frame.type === 'pong') {
        this.#answered();
      } else if (frame.type === 'welcome') {
        this.#answered();
        this.welcomed = true;
        this.#on.welcome(frame);
        this.#rearm();
      } else {
        this.#on.frame(frame);
      }
    } catch (error) {
      this.#end(/** @type {VantageError} */ (error)); // of decode, or of who listens
    }
  }

  #rearm() {
    if (!this.#ws) return; // a callback has closed it
    const awaited = this.#waits || this.#on.busy();
    this.#resting = !awaited;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#beat(), awaited ? this.#patience / 2 : IDLE);
  }

  // Silence is counted in beats and not by the clock, so that a page that slept
  // asks the server before it counts it as dead.
  #beat() {
    const heard = this.#heard;
    this.#heard = false;
    if (!heard && this.#waits) return this.#end(silence(this.#patience));
    if (!heard) this.#ask(encodePing(new Uint8Array(8)));
    this.#rearm();
  }

  /** @param {VantageError} error */
  #end(error) {
    if (!this.#ws) return;
    this.#drop(error instanceof WireError ? MALFORMED : NORMAL);
    this.#on.end(error, this.welcomed);
  }

  /** @param {number} code */
  #drop(code) {
    clearTimeout(this.#timer);
    const ws = this.#ws;
    this.#ws = null;
    if (!ws) return;
    ws.onopen = ws.onmessage = ws.onclose = null;
    ws.close(code);
  }
}

/** @param {number} patience */
function silence(patience) {
  return new UnavailableError(`the encode server has not answered for ${patience} ms`, { silent: true });
}
