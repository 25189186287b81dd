// Tests a rule against a page: an open tab, or pasted HTML. Either is parsed without running anything of it.

import { isFor } from '../rules/match.js';
import { describes, query, results, texts } from '../rules/results.js';
import { text } from '../text.js';
import { byId, make, messageOf, say } from './page.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

const STATUS = 'test-status';
const MAX_HTML = 20_000_000; // characters
const SHOWN = 5;

/** @param {() => Rule | null} checked the rule that the editor shows; null if it has problems */
export function listenTest(checked) {
  byId('test-html', HTMLButtonElement).addEventListener('click', () => {
    clearTest();
    const rule = checked();
    const html = byId('html', HTMLTextAreaElement).value;
    if (!rule) say(STATUS, text('optionsTestFix'), true);
    else if (!html.trim()) say(STATUS, text('optionsTestEmpty'), true);
    else report(rule, html, addressOf(byId('tab', HTMLInputElement).value));
  });
  byId('test-tab', HTMLButtonElement).addEventListener('click', () => void inTab(checked()));
}

export function clearTest() {
  say(STATUS, '');
  byId('found', HTMLElement).replaceChildren();
}

/** @param {string} typed */
const addressOf = (typed) => (URL.canParse(typed.trim()) ? new URL(typed.trim()) : null);

/** @param {Rule | null} rule */
async function inTab(rule) {
  clearTest();
  const address = addressOf(byId('tab', HTMLInputElement).value);
  if (!rule) return say(STATUS, text('optionsTestFix'), true);
  if (!address || !/^https?:$/.test(address.protocol)) return say(STATUS, text('optionsTestAddress'), true);
  const origin = `${address.protocol}//${address.hostname}/*`;
  try {
    // The browser asks the user, so nothing may be awaited before.
    if (!(await chrome.permissions.request({ origins: [origin] }))) {
      return say(STATUS, text('optionsSiteDenied', origin), true);
    }
    const tabs = await chrome.tabs.query({ url: origin });
    const tab = tabs.find(({ url }) => url?.split('#')[0] === address.href.split('#')[0]);
    if (tab?.id === undefined) return say(STATUS, text('optionsTestNoTab'), true);
    const [{ result }] = await chrome.scripting.executeScript({
      target: { tabId: tab.id },
      args: [MAX_HTML + 1], // one more, so that a page that is too large is told from one that just fits
      func: (most) => document.documentElement.outerHTML.slice(0, most),
    });
    report(rule, String(result ?? ''), address);
  } catch (error) {
    say(STATUS, text('optionsTestFailed', messageOf(error)), true);
  }
}

/**
 * Says what the rule finds.
 * @param {Rule} rule
 * @param {string} html
 * @param {URL | null} address null if none was given
 */
function report(rule, html, address) {
  if (html.length > MAX_HTML) return say(STATUS, text('optionsTestLarge', MAX_HTML / 1_000_000), true);
  const page = new DOMParser().parseFromString(html, 'text/html');
  const found = describes(rule, page);
  const lines = [text('optionsTestFound', found.results, found.titled, found.snippets, found.linked)];
  if (found.results < 2) lines.push(text('optionsTestFew'));
  if (address) {
    const words = query(page, address, rule);
    lines.push(words ? text('optionsTestQuery', words.slice(0, 200)) : text('optionsTestNoQuery'));
    if (!isFor(rule, address)) lines.push(text('optionsTestOther'));
  }
  say(STATUS, lines.join('\n'), found.results < 2 || found.titled === 0);
  const shown = results(page, rule, SHOWN).map((unit) => texts(unit, rule));
  byId('found', HTMLElement).replaceChildren(
    ...shown.map(({ title, snippet }) =>
      make('li', {}, make('strong', {}, title.slice(0, 200) || '—'), ` ${snippet.slice(0, 200)}`),
    ),
  );
}
