// What the background does: it starts and ends the engine, keeps the content script registered for the sites that
// the user has allowed, and opens the options. It may be stopped at any time, and nothing is lost.

import { isDocument, ours } from '../platform.js';
import { readSettings } from '../settings.js';
import { register, start } from './sites.js';

/** What content scripts may ask for. The rest is the engine's: what it is told, and when it ends. */
const FROM_PAGES = ['engine', 'options'];

/**
 * Registers all listeners, to be called at the top level.
 * @param {{ensure: () => Promise<void>, close: () => Promise<void>}|null} engine null: it is a part of this page
 */
export function listen(engine) {
  chrome.runtime.onMessage.addListener((message, sender, answer) => {
    if (!ours(sender) || message?.to !== 'background') return;
    // A content script is in a page's process, which a hostile page may have taken over.
    if (!isDocument(sender) && !FROM_PAGES.includes(message.type)) return;
    handle(/** @type {import('../types.js').ToBackground} */ (message), engine).then(
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
 * @param {Parameters<typeof listen>[0]} engine
 * @returns {Promise<object|void>} the answer
 */
async function handle(message, engine) {
  switch (message.type) {
    case 'engine':
      await engine?.ensure();
      return;
    case 'idle':
      await engine?.close();
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
