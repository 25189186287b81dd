// Answers the questions that come through ports. Each port has one question at a time: a new one cancels the other.

import { PORT, ours } from '../platform.js';
import { stayAwake } from './awake.js';
import { checkQuestion } from './check.js';
import { Engine } from './engine.js';
import { faultOf } from './faults.js';

/**
 * @import { FromEngine } from '../types.js'
 */

const engine = new Engine();

/** Registers the listener, to be called at the top level. */
export function serve() {
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== PORT || !ours(port.sender)) return;
    /** @type {{id: number, stop: AbortController}|null} */
    let current = null;
    let open = true;
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError; // read, so that no error is logged: the page went to the back/forward cache
      open = false;
      current?.stop.abort();
    });
    port.onMessage.addListener((message) => {
      const { type, id } = Object(message);
      if (!Number.isSafeInteger(id)) return;
      if (type === 'cancel' && id === current?.id) current?.stop.abort();
      if (type !== 'rank') return;
      current?.stop.abort();
      const stop = new AbortController();
      current = { id, stop };
      answer(message, stop.signal, (reply) => {
        if (open && !stop.signal.aborted) port.postMessage(reply);
      });
    });
  });
}

/**
 * @param {any} message any: it comes from a page's process and is checked here
 * @param {AbortSignal} signal
 * @param {(reply: FromEngine) => void} tell
 */
async function answer(message, signal, tell) {
  const { id } = message;
  const done = stayAwake();
  try {
    const question = checkQuestion(message);
    await engine.rank(question, signal, (reply) => tell({ ...reply, id }));
    tell({ type: 'done', id });
  } catch (error) {
    if (signal.aborted) return;
    const { key, detail } = faultOf(error);
    tell({ type: 'failed', id, key, detail });
  } finally {
    done();
  }
}
