// The user's own encode server, `vantage serve --model`, in place of the bundled transformer.

import { Vantage } from '../../lib/index.js';
import { ServerEncoder } from '../../lib/server.js';
import { Cached } from './encode.js';
import { Fault } from './faults.js';
import { rankBy } from './stage.js';

/**
 * @import { Ask, Settings } from '../types.js'
 * @import { Known } from './encode.js'
 * @import { Tell } from './engine.js'
 */

/** Milliseconds that a server may take for a call. Then the bundled transformer ranks. */
const DEADLINE = 4_000;

export class Server {
  /** @type {Connection|null} */
  #connection = null;

  /**
   * Connects to the server of the settings, or closes the connection to an earlier one. A server that refused is asked
   * again: its keys may have changed.
   * @param {Settings['encoder']} encoder
   */
  use(encoder) {
    const same = JSON.stringify(encoder) === JSON.stringify(this.#connection?.setting);
    if (!same || this.#connection?.server.state === 'refused') this.close();
    if (encoder.kind === 'server') this.#connection ??= new Connection(encoder);
  }

  close() {
    this.#connection?.close();
    this.#connection = null;
  }

  /**
   * @param {Ask} ask
   * @param {string[]} texts
   * @param {AbortSignal} signal
   * @param {Tell} tell
   * @returns null if the server cannot be used now; the reader has been told why
   */
  async rank(ask, texts, signal, tell) {
    const connection = this.#connection;
    if (!connection) return null;
    const { host } = connection;
    try {
      const vantage = await connection.vantage();
      signal.throwIfAborted();
      tell({ type: 'sending', host, now: true });
      try {
        return await rankBy(vantage, connection.encoder, ask, texts, signal);
      } finally {
        tell({ type: 'sending', host, now: false });
      }
    } catch (error) {
      signal.throwIfAborted();
      console.warn(`Vantage: the server ${host} cannot be used:`, error);
      tell({ type: 'notice', key: noticeOf(error), host });
      return null;
    }
  }
}

/**
 * The locale key of what the bar says: that the server refuses the user's key, or that it is down or does not allow the
 * extension. After any other refusal, a failure to load the library or a malformed answer, the bar says only that the
 * server could not be used. The console has the error in every case.
 * @param {unknown} error
 */
function noticeOf(error) {
  if (error instanceof Fault) return error.key;
  const { kind, status } = Object(error);
  if (status === 401) return 'engineServerRefused';
  return kind === 'unavailable' || status === 403 ? 'engineServerDown' : 'engineServerFailed';
}

class Connection {
  /** @type {Promise<Vantage>|null} */
  #opening = null;

  /** @param {Extract<Settings['encoder'], {kind: 'server'}>} setting */
  constructor(setting) {
    this.setting = setting;
    this.host = new URL(setting.url).host;
    const key = setting.key === '' ? {} : { key: setting.key };
    this.server = new ServerEncoder(setting.url, { ...key, dtype: 'f16', deadline: DEADLINE });
    this.encoder = new Cached(async (texts, _, signal, keep) => {
      const vectors = await this.server.encode(texts, 'document', { signal });
      keep(texts.map((text, i) => ({ text, vector: vectors[i] })));
    });
  }

  /** An engine that ranks by the server's vectors. */
  async vantage() {
    await this.server.ready;
    this.#opening ??= Vantage.create({ encoder: this.server, worker: true }).catch((error) => {
      this.#opening = null;
      throw new Fault('engineServerFailed', String(error)); // the server has answered: the library failed to load
    });
    return this.#opening;
  }

  close() {
    this.server.close();
    this.encoder.clear();
    this.#opening?.then((vantage) => vantage.close()).catch(() => {});
  }
}
