// Answers the questions that come through ports.

import { PORT, ours } from '../platform.js';

/** Registers the listener, to be called at the top level. */
export function serve() {
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== PORT || !ours(port.sender)) return;
    port.onMessage.addListener((message) => port.postMessage({ type: 'done', id: message.id }));
  });
}
