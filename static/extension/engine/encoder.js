// Which encoder the user has chosen. Offscreen documents cannot read the extension's storage, so they ask the
// background.

import { readSettings } from '../settings.js';

/** @returns {Promise<import('../types.js').Settings['encoder']>} */
export async function encoderOf() {
  if (chrome.storage) return (await readSettings()).encoder;
  return chrome.runtime.sendMessage({ to: 'background', type: 'encoder' });
}
