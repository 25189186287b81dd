// The popup: what can be done with the page of this tab.

import { attempt, byId, make, say, translate } from '../options/page.js';
import { ruleFor } from '../rules/match.js';
import { readSettings } from '../settings.js';
import { text } from '../text.js';

/** @typedef {import('../types.d.ts').ContentState} ContentState */
/** @typedef {import('../types.d.ts').ToContent} ToContent */
/** @typedef {{id: number, address: URL, origin: string, rule: string | null, allowed: boolean}} Place */

translate();
byId('options', HTMLButtonElement).addEventListener('click', () => {
  void attempt('status', () => chrome.runtime.openOptionsPage().then(() => window.close()), 'popupFailed');
});

/** Says what there is, and offers what can be done. */
async function show() {
  const place = await here();
  if (!place) {
    about(text('popupNoScripts'));
    actions();
    return;
  }
  const state = await tell(place, { to: 'content', type: 'state' }).catch(() => null);
  const rule = state?.rule?.name ?? place.rule;
  if (rule === null) {
    about(text('popupNoRule', place.address.hostname));
    actions(find(place), pick(place));
    return;
  }
  about(state?.shown ? text('popupShown', rule, state.results) : text('popupRule', rule));
  const buttons = [toggle(place, state?.shown === true)];
  // Without a rule for the address, the bar would not come back on a later visit.
  if (place.rule !== null) buttons.push(place.allowed ? forbid(place) : allow(place));
  actions(...buttons, ...(state?.shown ? [] : [pick(place)]));
}

/** @returns {Promise<Place | null>} null: no scripts can run in the tab's page */
async function here() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined || !tab.url || !URL.canParse(tab.url)) return null;
  const address = new URL(tab.url);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return null;
  const origin = `${address.protocol}//${address.hostname}/*`;
  const [settings, allowed, runs] = await Promise.all([
    readSettings(),
    chrome.permissions.contains({ origins: [origin] }),
    chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => true }).catch(() => null),
  ]);
  if (!runs) return null; // a store, a policy, an error page
  return { id: tab.id, address, origin, rule: ruleFor(address, settings)?.rule.name ?? null, allowed };
}

/**
 * @param {Place} place
 * @param {ToContent} message
 * @returns {Promise<ContentState | null>}
 */
const tell = (place, message) => chrome.tabs.sendMessage(place.id, message);

/**
 * Starts the content script, unless it runs, and tells it something.
 * @param {Place} place
 * @param {ToContent} message
 */
async function start(place, message) {
  // It runs once in a page, however often it is started.
  await chrome.scripting.executeScript({ target: { tabId: place.id }, files: ['content.js'] });
  return tell(place, message);
}

/** @param {string} words */
function about(words) {
  byId('about', HTMLElement).textContent = words;
}

/** @param {...HTMLElement} buttons the first is the main one */
function actions(...buttons) {
  buttons[0]?.classList.add('main');
  byId('actions', HTMLElement).replaceChildren(...buttons);
}

/**
 * @param {string} label a key
 * @param {string} hint a key
 * @param {() => Promise<void>} pressed
 */
function action(label, hint, pressed) {
  const element = make('button', { type: 'button' }, text(label), make('small', {}, text(hint)));
  element.addEventListener('click', () => {
    say('status', '');
    void attempt('status', pressed, 'popupFailed');
  });
  return element;
}

/** @param {Place} place @param {boolean} shown */
const toggle = (place, shown) =>
  action(shown ? 'popupHide' : 'popupShow', shown ? 'popupHideHint' : 'popupShowHint', async () => {
    await start(place, { to: 'content', type: 'show', on: !shown });
    window.close();
  });

/** @param {Place} place */
const find = (place) =>
  action('popupFind', 'popupFindHint', async () => {
    await start(place, { to: 'content', type: 'infer' });
    const state = await tell(place, { to: 'content', type: 'state' });
    if (state?.rule) window.close();
    else say('status', text('popupNotFound'), true);
  });

/** @param {Place} place */
const pick = (place) =>
  action('popupPick', 'popupPickHint', async () => {
    await start(place, { to: 'content', type: 'pick' });
    window.close();
  });

/**
 * In Firefox the popup closes when the browser asks the user. The background then starts the script.
 * @param {Place} place
 */
const allow = (place) =>
  action('popupAlways', 'popupAlwaysHint', async () => {
    const granted = await chrome.permissions.request({ origins: [place.origin] });
    if (granted) await show();
    else say('status', text('popupDenied'), true);
  });

/** @param {Place} place */
const forbid = (place) =>
  action('popupNever', 'popupNeverHint', async () => {
    await chrome.permissions.remove({ origins: [place.origin] });
    await show();
  });

await attempt('status', show, 'popupFailed');
