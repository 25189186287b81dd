// All that the extension stores in storage.local. Every part is checked when it is read: what is unusable counts as
// absent, so that no stored value can break a page.

import { MAX_RULE, MAX_RULES } from './rules/limits.js';

/** @import { Rule, Settings } from './types.js' */

const MAX_ID = 64;
const MAX_WORDS = 200;
const MAX_URL = 2_000;
const MAX_KEY = 500;

/** @returns {Settings} */
function defaults() {
  return {
    rules: [],
    off: [],
    encoder: { kind: 'builtin' },
    bar: { folded: false, place: '', time: '', audience: '', own: '' },
  };
}

/** @typedef {keyof Settings['bar']} BarField */

/**
 * The storage has an entry for each field of the bar, so that what is typed in one tab leaves what is typed in another.
 * @param {BarField | string} field
 */
const entryOf = (field) => `bar.${field}`;

const FIELDS = /** @type {BarField[]} */ (Object.keys(defaults().bar));

/** @returns {Promise<Settings>} */
export async function readSettings() {
  const stored = await chrome.storage.local.get([...Object.keys(defaults()), ...FIELDS.map(entryOf)]);
  const bar = Object.fromEntries(FIELDS.map((field) => [field, stored[entryOf(field)]]));
  return checkSettings({ ...stored, bar });
}

/**
 * Replaces parts of the settings, and of the bar the given fields only. What is unusable is stored as absent.
 * @param {Partial<Omit<Settings, 'bar'>> & {bar?: Partial<Settings['bar']>}} parts
 */
export async function writeSettings(parts) {
  const { bar, ...checked } = checkSettings(parts);
  const fields = FIELDS.filter((field) => field in Object(parts.bar));
  await chrome.storage.local.set({
    ...Object.fromEntries(Object.entries(checked).filter(([name]) => name in parts)),
    ...Object.fromEntries(fields.map((field) => [entryOf(field), bar[field]])),
  });
}

/**
 * Calls `changed` with all settings when some have changed, in this or another part of the extension.
 * @param {(settings: Settings) => void} changed
 * @returns {() => void} ends it
 */
export function onSettings(changed) {
  const listener = (/** @type {object} */ _, /** @type {string} */ area) => {
    if (area === 'local') readSettings().then(changed, () => {}); // an extension that was removed cannot read
  };
  chrome.storage.onChanged.addListener(listener);
  return () => chrome.storage.onChanged.removeListener(listener);
}

/**
 * The usable parts of stored settings. Rules are checked in depth where they are used, in rules/.
 * @param {any} stored any: it may have been written by another version
 * @returns {Settings}
 */
export function checkSettings(stored) {
  const { rules, off, encoder, bar } = Object(stored);
  const none = defaults();
  return {
    rules: list(rules, MAX_RULES).filter(isRule),
    off: list(off, MAX_RULES).filter((id) => isText(id, MAX_ID)),
    encoder: checkEncoder(encoder) ?? none.encoder,
    bar: checkBar(bar),
  };
}

/**
 * @param {unknown} value
 * @param {number} most
 * @returns {any[]} any: its items are checked next
 */
const list = (value, most) => (Array.isArray(value) ? value.slice(0, most) : []);

/**
 * @param {unknown} value
 * @param {number} most
 * @returns {value is string}
 */
const isText = (value, most) => typeof value === 'string' && value.length <= most;

/**
 * @param {any} rule any: see above
 * @returns {rule is Rule}
 */
function isRule(rule) {
  return (
    typeof rule === 'object' && rule !== null && isText(rule.id, MAX_ID) && JSON.stringify(rule).length <= MAX_RULE
  );
}

/** @param {any} encoder any: see above */
function checkEncoder(encoder) {
  const { kind, url, key } = Object(encoder);
  if (kind !== 'server') return null;
  const address = serverAddress(url);
  if (address === null || !isText(key, MAX_KEY)) return null;
  return { kind, url: address, key };
}

/**
 * The address of an encode server in its normal form: wss:, or ws: on this machine. `https:` and `http:` are taken for
 * these. null: no such address, or one that would send texts unprotected.
 * @param {unknown} url
 * @returns {string|null}
 */
export function serverAddress(url) {
  if (!isText(url, MAX_URL) || !URL.canParse(url)) return null;
  const address = new URL(url);
  address.protocol = address.protocol.replace(/^http/, 'ws');
  const { protocol, hostname, username, password } = address;
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  if (protocol !== 'wss:' && !(protocol === 'ws:' && here)) return null;
  if (username !== '' || password !== '') return null;
  address.search = address.hash = '';
  return address.href;
}

/**
 * @param {any} bar any: see above
 * @returns {Settings['bar']}
 */
function checkBar(bar) {
  const none = defaults().bar;
  const { folded, ...words } = Object(bar);
  const text = (/** @type {'place'|'time'|'audience'|'own'} */ name) =>
    isText(words[name], MAX_WORDS) ? words[name] : none[name];
  return {
    folded: folded === true,
    place: text('place'),
    time: text('time'),
    audience: text('audience'),
    own: text('own'),
  };
}
