// The lists of rules: the user's, and the bundled ones.

import { BUNDLED } from '../rules/bundled.js';
import { MAX_FILE, checkFile, checkRules, exported } from '../rules/check.js';
import { MAX_RULES } from '../rules/limits.js';
import { readSettings, writeSettings } from '../settings.js';
import { text } from '../text.js';
import { edit } from './editor.js';
import { attempt, button, byId, make, messageOf, say, sentence } from './page.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

const STATUS = 'rules-status';
const SHOWN_PROBLEMS = 8;

/** @type {Rule[]} */
let own = [];
/** @type {Rule[] | null} before the last change, for undo */
let before = null;

/** @param {import('../types.d.ts').Settings} settings */
export function showRules(settings) {
  own = settings.rules;
  const { problems } = checkRules(own);
  if (problems.length) say(STATUS, problems.slice(0, SHOWN_PROBLEMS).map(sentence).join('\n'), true);
  byId('add', HTMLButtonElement).addEventListener('click', () => open({}, null));
  byId('import', HTMLButtonElement).addEventListener('click', () => byId('file', HTMLInputElement).click());
  byId('file', HTMLInputElement).addEventListener('change', take);
  byId('export', HTMLButtonElement).addEventListener('click', save);
  byId('undo', HTMLButtonElement).addEventListener('click', async () => {
    const old = before;
    if (!old || !(await attempt(STATUS, () => store(old)))) return;
    before = null;
    draw();
    say(STATUS, text('optionsUndone'));
    byId('add', HTMLButtonElement).focus();
  });
  draw();
  drawBundled(settings.off);
}

/** @param {Rule[]} rules */
async function store(rules) {
  await writeSettings({ rules });
  own = (await readSettings()).rules;
}

/**
 * Replaces the user's rules, which undo then brings back.
 * @param {Rule[]} rules
 */
async function change(rules) {
  const earlier = before;
  before = own; // at once, because the undo button may be pressed before the rules are stored
  try {
    await store(rules);
  } catch (error) {
    before = earlier;
    throw error;
  }
}

function draw() {
  byId('no-own', HTMLElement).hidden = own.length > 0;
  byId('export', HTMLButtonElement).disabled = own.length === 0;
  byId('undo', HTMLButtonElement).hidden = before === null;
  byId('own', HTMLElement).replaceChildren(
    ...own.map((rule, i) => {
      const called = String(rule.name || rule.id);
      const alter = button(text('optionsEdit'), text('optionsEditRule', called), () => open(rule, i));
      const remove = button(text('optionsDelete'), text('optionsDeleteRule', called), async () => {
        if (!(await attempt(STATUS, () => change(own.toSpliced(i, 1))))) return;
        draw();
        say(STATUS, text('optionsDeleted', called));
        byId('undo', HTMLButtonElement).focus();
      });
      return make('li', {}, describe(rule), alter, remove);
    }),
  );
}

/** @param {string[]} off ids that are switched off */
function drawBundled(off) {
  const switched = new Set(off);
  byId('bundled', HTMLElement).replaceChildren(
    ...BUNDLED.map((rule) => {
      const on = /** @type {HTMLInputElement} */ (make('input', { type: 'checkbox', role: 'switch' }));
      on.checked = !switched.has(rule.id);
      on.setAttribute('aria-label', text('optionsUseRule', rule.name));
      on.addEventListener('change', async () => {
        if (on.checked) switched.delete(rule.id);
        else switched.add(rule.id);
        if (!(await attempt(STATUS, () => writeSettings({ off: [...switched] })))) {
          on.checked = !on.checked;
          if (on.checked) switched.delete(rule.id);
          else switched.add(rule.id);
          return;
        }
        say(STATUS, text(on.checked ? 'optionsOn' : 'optionsOff', rule.name));
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
 * @param {number | null} place in the user's list; null: a new one
 */
function open(rule, place) {
  if (place === null && own.length >= MAX_RULES) {
    say(STATUS, text('ruleListLong', own.length + 1, MAX_RULES), true);
    return;
  }
  const taken = own.filter((_, i) => i !== place).map(({ id }) => id);
  edit(rule, { isNew: place === null, taken }, async (checked) => {
    await change(place === null ? [...own, checked] : own.with(place, checked));
    draw();
    say(STATUS, text('optionsRuleSaved', checked.name));
  });
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
  const merged = [...own.filter(({ id }) => !ids.has(id)), ...rules];
  if (merged.length > MAX_RULES) {
    say(STATUS, text('ruleListLong', merged.length, MAX_RULES), true);
    return;
  }
  const replaced = own.length + rules.length - merged.length;
  if (!(await attempt(STATUS, () => change(merged)))) return;
  draw();
  say(STATUS, text('optionsImported', rules.length, replaced));
}

/** Saves the user's rules as a file. */
function save() {
  const address = URL.createObjectURL(new Blob([exported(own)], { type: 'application/json' }));
  make('a', { href: address, download: 'vantage-rules.json' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  say(STATUS, text('optionsExported', own.length));
}
