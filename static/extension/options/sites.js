// The sites that the user has allowed. The browser keeps the list.

import { BUNDLED } from '../rules/bundled.js';
import { originsOf } from '../rules/match.js';
import { text } from '../text.js';
import { attempt, button, byId, make, messageOf, say } from './page.js';

const STATUS = 'sites-status';

export function showSites() {
  const known = byId('known-sites', HTMLDataListElement);
  for (const rule of BUNDLED) {
    // Of all subdomains, www has the search; Wikipedia has one for each language.
    const subdomain = rule.id === 'wikipedia' ? 'en.' : 'www.';
    const origin = originsOf(rule)[0].replace('*.', subdomain).replace(/\*$/, '');
    known.append(make('option', { value: origin }, rule.name));
  }
  byId('site', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    allow();
  });
  const show = () => void attempt(STATUS, list, 'optionsNotRead');
  chrome.permissions.onAdded.addListener(show);
  chrome.permissions.onRemoved.addListener(show);
  show();
}

async function list() {
  const { origins = [] } = await chrome.permissions.getAll();
  byId('no-sites', HTMLElement).hidden = origins.length > 0;
  byId('sites', HTMLElement).replaceChildren(
    ...origins.sort().map((origin) => {
      const remove = button(text('optionsRemove'), text('optionsRemoveSite', origin), async () => {
        try {
          await chrome.permissions.remove({ origins: [origin] });
          say(STATUS, text('optionsSiteRemoved', origin));
        } catch (error) {
          say(STATUS, text('optionsSiteKept', origin, messageOf(error)), true);
        }
      });
      return make('li', {}, make('code', { class: 'what' }, origin), remove);
    }),
  );
}

/** Asks the browser for the site that is typed: the browser asks the user, so nothing may be awaited before. */
async function allow() {
  const field = byId('origin', HTMLInputElement);
  const origin = originOf(field.value.trim());
  field.setAttribute('aria-invalid', String(origin === null));
  if (origin === null) {
    field.focus();
    say(STATUS, text('optionsSiteInvalid'), true);
    return;
  }
  try {
    const granted = await chrome.permissions.request({ origins: [origin] });
    say(STATUS, text(granted ? 'optionsSiteAllowed' : 'optionsSiteDenied', origin), !granted);
    if (granted) field.value = '';
  } catch (error) {
    say(STATUS, text('optionsSiteKept', origin, messageOf(error)), true);
  }
}

/** A scheme; what stands before a port is a host. */
const SCHEME = /^[\w-]+:(?!\d+(?:[/?#]|$))/;

/** @param {string} typed an address, or a host with or without a port */
function originOf(typed) {
  const address = SCHEME.test(typed) ? typed : `https://${typed}`;
  if (!typed || !URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && hostname ? `${protocol}//${hostname}/*` : null;
}
