// The content script. The browser may run it more than once in a page: by its registration, and from the popup. Only
// the first run does something.

import { Page } from './page.js';
import { ours } from '../platform.js';

/** @import { ToContent } from '../types.js' */

// A symbol, because elements with an id are properties of the window.
const STARTED = Symbol.for('vantage.content');
const here = /** @type {{[STARTED]?: boolean}} */ (globalThis);

if (!here[STARTED]) {
  here[STARTED] = true;
  const page = new Page();
  chrome.runtime.onMessage.addListener((message, sender, answer) => {
    if (!ours(sender) || message?.to !== 'content') return;
    page.hear(/** @type {ToContent} */ (message)).then(answer, () => answer(page.state));
    return true; // answered later
  });
}
