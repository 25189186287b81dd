// The lists of rules: the user's, and the bundled ones.

import { BUNDLED } from '../rules/bundled.js';
import { MAX_FILE, checkFile, checkRules, exported } from '../rules/check.js';
import { MAX_RULES } from '../rules/limits.js';
import { onSettings, readSettings, writeSettings } from '../settings.js';
import { text } from '../text.js';
import { edit } from './editor.js';
import { attempt, button, byId, make, messageOf, say, sentence } from './page.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

const STATUS = 'rules-status';
const SHOWN_PROBLEMS = 8;

/** @type {Rule[]} as they are stored */
let own = [];
/** @type {string[]} ids of the bundled rules that are switched off, as they are stored */
let off = [];
/** @type {Rule[] | null} before the last change, for undo */
let before = null;
/** @type {Promise<void>} Changes follow each other: each begins with what is stored by then. */
let last = Promise.resolve();

/** @param {() => Promise<void>} change */
function inTurn(change) {
  const made = last.then(change);
  last = made.catch(() => {});
  return made;
}

/**
 * @param {() => Promise<void>} change
 * @param {string} [key] of the text that tells of a failure
 */
const tryInTurn = (change, key) => attempt(STATUS, () => inTurn(change), key);

/** @param {import('../types.d.ts').Settings} settings */
export function showRules(settings) {
  ({ rules: own, off } = settings);
  onSettings(() => void tryInTurn(refresh, 'optionsNotRead'));
  const { problems } = checkRules(own);
  if (problems.length) say(STATUS, problems.slice(0, SHOWN_PROBLEMS).map(sentence).join('\n'), true);
  byId('add', HTMLButtonElement).addEventListener('click', () => open({}, null));
  byId('import', HTMLButtonElement).addEventListener('click', () => byId('file', HTMLInputElement).click());
  byId('file', HTMLInputElement).addEventListener('change', take);
  byId('export', HTMLButtonElement).addEventListener('click', save);
  byId('undo', HTMLButtonElement).addEventListener('click', () => {
    void tryInTurn(async () => {
      if (!before) return;
      await store(before);
      before = null;
      draw();
      say(STATUS, text('optionsUndone'));
      byId('add', HTMLButtonElement).focus();
    });
  });
  draw();
  drawBundled();
}

/** Shows what another part of the extension has stored: a page's bar, or the options in another tab. */
async function refresh() {
  const settings = await readSettings();
  if (!same(own, settings.rules)) {
    own = settings.rules;
    before = null; // undoing would lose that change
    draw();
  }
  if (!same(off, settings.off)) {
    ({ off } = settings);
    drawBundled();
  }
}

/** @param {unknown} one @param {unknown} other both as they are stored: the browser sorts the fields of objects */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {Rule[]} rules */
async function store(rules) {
  await writeSettings({ rules });
  own = (await readSettings()).rules;
}

/**
 * Changes the user's rules. Undo then brings the ones before back.
 * @param {(rules: Rule[]) => Rule[]} alter what is stored
 */
async function change(alter) {
  const { rules } = await readSettings();
  await store(alter(rules));
  before = rules;
}

function draw() {
  byId('no-own', HTMLElement).hidden = own.length > 0;
  byId('export', HTMLButtonElement).disabled = own.length === 0;
  byId('undo', HTMLButtonElement).hidden = before === null;
  byId('own', HTMLElement).replaceChildren(
    ...own.map((rule) => {
      const called = String(rule.name || rule.id);
      const alter = button(text('optionsEdit'), text('optionsEditRule', called), () => open(rule, rule));
      const remove = button(text('optionsDelete'), text('optionsDeleteRule', called), () => {
        void tryInTurn(async () => {
          await change((rules) => rules.filter((other) => !same(other, rule)));
          draw();
          say(STATUS, text('optionsDeleted', called));
          byId('undo', HTMLButtonElement).focus();
        });
      });
      return make('li', {}, describe(rule), alter, remove);
    }),
  );
}

function drawBundled() {
  byId('bundled', HTMLElement).replaceChildren(
    ...BUNDLED.map((rule) => {
      const on = /** @type {HTMLInputElement} */ (make('input', { type: 'checkbox', role: 'switch' }));
      on.checked = !off.includes(rule.id);
      on.setAttribute('aria-label', text('optionsUseRule', rule.name));
      on.addEventListener('change', async () => {
        const { checked } = on;
        const made = await tryInTurn(async () => {
          const others = (await readSettings()).off.filter((id) => id !== rule.id);
          await writeSettings({ off: checked ? others : [...others, rule.id] });
          ({ off } = await readSettings());
          say(STATUS, text(checked ? 'optionsOn' : 'optionsOff', rule.name));
        });
        if (!made) on.checked = !checked;
      });
      const copy = button(text('optionsDuplicate'), text('optionsDuplicateRule', rule.name), () =>
        open({ ...rule, id: unused(rule.id), name: text('optionsCopyOf', rule.name) }, null),
      );
      return make('li', {}, on, describe(rule), copy);
    }),
  );
}

/** @param {Rule} rule */
function describe(rule) {
  const matches = Array.isArray(rule.matches) ? rule.matches : [];
  const more = matches.length > 1 ? text('optionsMore', matches.length - 1) : '';
  const known = rule.asOf ? text('optionsKnown', rule.asOf, rule.source ?? text('optionsUnknown')) : '';
  return make(
    'div',
    { class: 'what' },
    make('strong', {}, String(rule.name || rule.id)),
    make('p', { class: 'muted' }, make('code', {}, String(matches[0] ?? '')), more && ` ${more}`),
    make('p', { class: 'muted' }, known),
  );
}

/** @param {string} id of a bundled rule @returns {string} one that no rule of the user has */
function unused(id) {
  for (let n = 1; ; n++) {
    const tried = n === 1 ? id : `${id.slice(0, 58)}-${n}`;
    if (!own.some((rule) => rule.id === tried)) return tried;
  }
}

/**
 * @param {object} rule what the editor begins with
 * @param {Rule | null} old the user's rule that it replaces; null: it is a new one
 */
function open(rule, old) {
  if (!old && own.length >= MAX_RULES) {
    say(STATUS, text('ruleListLong', own.length + 1, MAX_RULES), true);
    return;
  }
  const others = () => own.filter((other) => !same(other, old));
  edit(rule, { isNew: !old, taken: () => others().map(({ id }) => id) }, (checked) =>
    inTurn(async () => {
      await change((rules) => {
        const place = rules.findIndex((other) => same(other, old));
        return place < 0 ? [...rules, checked] : rules.with(place, checked);
      });
      draw();
      say(STATUS, text('optionsRuleSaved', checked.name));
    }),
  );
}

/** Takes a file of rules: all of it, or nothing. */
async function take() {
  const input = byId('file', HTMLInputElement);
  const [file] = input.files ?? [];
  input.value = '';
  if (!file) return;
  if (file.size > MAX_FILE) {
    say(STATUS, text('ruleFileLarge', MAX_FILE / 1000), true);
    return;
  }
  let content;
  try {
    content = await file.text();
  } catch (error) {
    say(STATUS, text('optionsFileNotRead', file.name, messageOf(error)), true);
    return;
  }
  const { rules, problems } = checkFile(content);
  if (problems.length) {
    const shown = problems.slice(0, SHOWN_PROBLEMS).map(sentence);
    if (problems.length > shown.length) shown.push(text('optionsMoreProblems', problems.length - shown.length));
    say(STATUS, [text('optionsNotImported', file.name), ...shown].join('\n'), true);
    return;
  }
  const ids = new Set(rules.map(({ id }) => id));
  void tryInTurn(async () => {
    const { rules: mine } = await readSettings();
    const kept = mine.filter(({ id }) => !ids.has(id));
    const count = kept.length + rules.length;
    if (count > MAX_RULES) {
      say(STATUS, text('ruleListLong', count, MAX_RULES), true);
      return;
    }
    await change(() => [...kept, ...rules]);
    draw();
    say(STATUS, text('optionsImported', rules.length, mine.length - kept.length));
  });
}

/** Saves the user's rules as a file. */
function save() {
  const address = URL.createObjectURL(new Blob([exported(own)], { type: 'application/json' }));
  make('a', { href: address, download: 'vantage-rules.json' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  say(STATUS, text('optionsExported', own.length));
}
