// A fault, as a visitor reads it: what happened, and a button if loading the page again may help. The error itself is
// for the owner of the site, who finds it below.

import { el, sentence } from './dom.js';

const AGAIN = 'Try again';

/** What is said of an error, by its code or kind, and the button's text. */
const SAID = /** @type {{[of: string]: string[]|undefined}} */ ({
  outdated: ['This site was updated while this page was open.', 'Reload the page'],
  unavailable: ['The host of this search does not answer. Is your network working?', AGAIN],
  unsupported: ['This browser lacks something that this search needs. A newer one may have it.'],
});

/**
 * @param {HTMLElement} place
 * @param {unknown} error
 */
export function showFault(place, error) {
  const { name = 'Error', message, code, kind } = Object(error);
  const [said, again] =
    location.protocol === 'file:' // some browsers load modules from files, but by default none fetches
      ? ['This page was opened from a file: serve its folder with “vantage serve” or another web server.']
      : (SAID[code] ?? SAID[kind] ?? ['Something went wrong in this search.', AGAIN]);
  const text = kind === 'query' ? `${sentence(message)}.` : `${said} `;
  // A screen reader does not hear the same again after each key.
  if (place.hidden || place.firstChild?.textContent !== text) {
    place.replaceChildren(
      text,
      ...(kind === 'query' ? [] : [again ? reloads(again) : '', forOwner(`${name}: ${message}`)]),
    );
  }
  place.hidden = false;
}

/** @param {string} text */
function reloads(text) {
  const button = el('button', { type: 'button', className: 'plain quiet' }, text);
  button.addEventListener('click', () => location.reload());
  return button;
}

/**
 * A text that helps the owner of the site, and not its visitors.
 * @param {string} text
 */
export function forOwner(text) {
  return el('details', {}, el('summary', {}, 'Details for the owner of this site'), text);
}
