// A button for browsers that offer to install the page; hidden in the others.

import { byId } from './dom.js';

/** @typedef {Event & {prompt: () => Promise<unknown>}} Offer */

/** Waits for the browser's offer. */
export function offerInstallation() {
  const button = byId('install');
  /** @type {Offer|null} */
  let offer = null;
  const take = (/** @type {Offer|null} */ event) => {
    offer = event;
    button.hidden = !event;
  };
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // it is made by the button instead
    take(/** @type {Offer} */ (event));
  });
  addEventListener('appinstalled', () => take(null));
  button.addEventListener('click', async () => {
    const event = offer;
    take(null); // an offer can be used once
    await event?.prompt();
  });
}
