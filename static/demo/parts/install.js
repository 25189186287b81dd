// A button for browsers that can install the page; hidden in others.

import { byId } from './dom.js';

/** @typedef {Event & {prompt: () => Promise<unknown>}} Offer */

/** Shows the button when the browser offers the installation. */
export function offerInstallation() {
  const button = byId('install');
  /** @type {Offer|null} */
  let offer = null;
  const take = (/** @type {Offer|null} */ event) => {
    offer = event;
    button.hidden = !event;
  };
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // the button offers it instead
    take(/** @type {Offer} */ (event));
  });
  addEventListener('appinstalled', () => take(null));
  button.addEventListener('click', async () => {
    const event = offer;
    take(null); // an offer can be used once
    await event?.prompt();
  });
}
