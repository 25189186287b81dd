// Edits one rule, as a form or as JSON, and tests it.

import { checkRule } from '../rules/check.js';
import { text } from '../text.js';
import { byId, complaint, make, messageOf } from './page.js';
import { clearTest, listenTest } from './test.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

/** The fields of the form; the texts of each are named after it. */
const FIELDS = ['name', 'id', 'matches', 'path', 'query', 'result', 'with', 'title', 'link', 'snippet'];
const OPTIONAL = ['path', 'with', 'link', 'snippet'];

/** @type {Record<string, unknown>} what the form does not show, such as the date */
let rest = {};
/** @type {() => string[]} */
let taken = () => [];
/** @type {(rule: Rule) => Promise<void>} */
let done = async () => {};

/** Builds the form. */
export function buildEditor() {
  const form = byId('rule', HTMLFormElement);
  byId('fields', HTMLElement).append(...FIELDS.map(field));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  form.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === 'as') turn(event.target.value);
  });
  byId('cancel', HTMLButtonElement).addEventListener('click', () => byId('editor', HTMLDialogElement).close());
  listenTest(checked);
}

/** @param {string} name */
const label = (name) => text(`ruleField${name[0].toUpperCase()}${name.slice(1)}`);

/** @param {string} name */
function field(name) {
  const id = `rule-${name}`;
  const attributes = { id, class: 'code', spellcheck: 'false', 'aria-describedby': `${id}-hint ${id}-fault` };
  const input =
    name === 'matches'
      ? make('textarea', { ...attributes, rows: '2' })
      : make('input', { ...attributes, type: 'text', autocomplete: 'off', maxlength: '500' });
  if (name === 'name') input.classList.remove('code');
  const called = OPTIONAL.includes(name) ? text('optionsOptional', label(name)) : label(name);
  const control =
    name === 'query'
      ? make(
          'div',
          { class: 'pair' },
          make(
            'select',
            { id: 'rule-query-kind', 'aria-label': text('ruleQueryKind') },
            make('option', { value: 'parameter' }, text('ruleQueryParameter')),
            make('option', { value: 'selector' }, text('ruleQuerySelector')),
          ),
          input,
        )
      : input;
  return make(
    'div',
    { class: 'field' },
    make('label', { for: id }, called),
    control,
    make('p', { class: 'muted', id: `${id}-hint` }, text(`ruleHint${name[0].toUpperCase()}${name.slice(1)}`)),
    make('p', { class: 'fault', id: `${id}-fault` }),
  );
}

/** @param {string} name @returns {HTMLInputElement | HTMLTextAreaElement} */
const input = (name) => /** @type {HTMLInputElement} */ (byId(`rule-${name}`, HTMLElement));

/**
 * Opens the editor.
 * @param {object} rule
 * @param {{isNew: boolean, taken: () => string[]}} options taken: ids that other rules have now
 * @param {(rule: Rule) => Promise<void>} saved with the rule, checked
 */
export function edit(rule, options, saved) {
  ({ taken } = options);
  done = saved;
  byId('editor-title', HTMLElement).textContent = text(options.isNew ? 'optionsNewRule' : 'optionsChangeRule');
  show('form');
  fill(rule);
  clearTest();
  byId('editor', HTMLDialogElement).showModal();
  input('name').focus();
}

/** @param {object} rule */
function fill(rule) {
  const given = /** @type {Record<string, unknown>} */ (rule);
  rest = Object.fromEntries(Object.entries(given).filter(([name]) => !FIELDS.includes(name)));
  const words = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : '');
  for (const name of FIELDS) input(name).value = words(given[name]);
  const { matches } = given;
  input('matches').value = Array.isArray(matches) ? matches.map(words).join('\n') : '';
  const query = /** @type {Record<string, unknown>} */ (Object(given.query));
  const kind = 'selector' in query ? 'selector' : 'parameter';
  byId('rule-query-kind', HTMLSelectElement).value = kind;
  input('query').value = words(query[kind]);
  fault([]);
}

/** @returns {Record<string, unknown>} what the form says */
function typed() {
  /** @type {Record<string, unknown>} */
  const rule = {};
  for (const name of FIELDS) {
    const value = input(name).value.trim();
    if (value || !OPTIONAL.includes(name)) rule[name] = value;
  }
  rule.matches = input('matches').value.split(/\s+/).filter(Boolean);
  rule.query = { [byId('rule-query-kind', HTMLSelectElement).value]: input('query').value.trim() };
  return { ...rule, ...rest };
}

const asJson = () => !byId('json-field', HTMLElement).hidden;

/** @param {string} as 'form' or 'json': shows these fields and presses the choice of them */
function show(as) {
  byId('fields', HTMLElement).hidden = as === 'json';
  byId('json-field', HTMLElement).hidden = as !== 'json';
  for (const choice of byId('rule', HTMLFormElement).querySelectorAll('input')) {
    if (choice.name === 'as') choice.checked = choice.value === as;
  }
}

/** @param {string} to 'form' or 'json': carries what is typed over, and shows it in this way */
function turn(to) {
  if ((to === 'json') === asJson()) return;
  const json = byId('json', HTMLTextAreaElement);
  if (to === 'json') {
    json.value = JSON.stringify(typed(), null, 2);
  } else {
    const parsed = parse();
    if (parsed === null) return show('json');
    fill(parsed);
  }
  show(to);
}

/** @returns {object | null} what the JSON says; null: none, and the reader was told so */
function parse() {
  try {
    const parsed = JSON.parse(byId('json', HTMLTextAreaElement).value);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
    fault([{ key: 'ruleNotObject', values: ['JSON'], field: '' }]);
  } catch (error) {
    fault([{ key: 'ruleFileNotJson', values: [messageOf(error)], field: '' }]);
  }
  return null;
}

/** @returns {Rule | null} null: it has problems, and the reader was told */
function checked() {
  const given = asJson() ? parse() : typed();
  if (given === null) return null;
  const { rule, problems } = checkRule(given);
  const all = [...problems];
  if (rule && taken().includes(rule.id)) {
    all.push({ key: 'ruleIdTwice', values: [`“${rule.name}”`, 'id', rule.id], field: 'id' });
  }
  fault(all);
  return all.length ? null : rule;
}

/** @param {import('../rules/check.js').Problem[]} problems shown at their fields, and in the status line */
function fault(problems) {
  let first = true;
  for (const name of FIELDS) {
    const of = problems.filter((problem) => problem.field === name);
    const said = asJson() ? [] : of.map((problem) => complaint(problem, label(name)));
    byId(`rule-${name}-fault`, HTMLElement).textContent = said.join('\n');
    input(name).setAttribute('aria-invalid', String(of.length > 0));
    if (of.length && first && !asJson()) {
      input(name).focus();
      first = false;
    }
  }
  const elsewhere = problems.filter(({ field: name }) => asJson() || !FIELDS.includes(name));
  const status =
    elsewhere.length || !problems.length
      ? elsewhere.map((problem) => complaint(problem))
      : [text('optionsFix', problems.length)];
  byId('rule-status', HTMLElement).textContent = status.join('\n');
}

async function submit() {
  const rule = checked();
  if (!rule) return;
  try {
    await done(rule);
  } catch (error) {
    byId('rule-status', HTMLElement).textContent = text('optionsNotSaved', messageOf(error));
    return;
  }
  byId('editor', HTMLDialogElement).close();
}
