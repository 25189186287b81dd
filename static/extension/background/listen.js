// What the background does: it starts and ends the engine, keeps the content script registered for the sites that
// the user has allowed, and opens the options. It may be stopped at any time, and nothing is lost.

import { offscreen, ours } from '../platform.js';
import { readSettings } from '../settings.js';
import { close, ensure } from './offscreen.js';
import { register, start } from './sites.js';

/** Registers all listeners, to be called at the top level. */
export function listen() {
  chrome.runtime.onMessage.addListener((message, sender, answer) => {
    if (!ours(sender) || message?.to !== 'background') return;
    handle(/** @type {import('../types.js').ToBackground} */ (message)).then(
      (reply) => answer(reply ?? {}),
      (error) => answer({ key: 'engineNotStarted', detail: String(error?.message ?? error) }),
    );
    return true; // answered later
  });
  chrome.runtime.onInstalled.addListener(register);
  chrome.runtime.onStartup.addListener(register);
  chrome.permissions.onRemoved.addListener(register);
  chrome.permissions.onAdded.addListener(async ({ origins = [] }) => {
    await register();
    await start(origins);
  });
}

/**
 * @param {import('../types.js').ToBackground} message
 * @returns {Promise<object|void>} the answer
 */
async function handle(message) {
  switch (message.type) {
    case 'engine':
      if (offscreen()) await ensure();
      return;
    case 'idle':
      if (offscreen()) await close();
      return;
    case 'encoder':
      return (await readSettings()).encoder;
    case 'options':
      await chrome.runtime.openOptionsPage();
      return;
    default:
      throw new Error('no such message');
  }
}
