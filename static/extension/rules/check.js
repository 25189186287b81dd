// Checks rules that come from outside: imported files, forms, stored settings. What passes is copied, so that no other
// property of the given objects is kept.

import { MAX_RULE, MAX_RULES } from './limits.js';
import { MAX_STEPS, parsePath, parsePattern } from './patterns.js';

/** @typedef {import('../types.d.ts').Rule} Rule */

/**
 * What is wrong with a rule or a file, as a text of the locale file: its key and the values of $1, $2, … . If the fault
 * is in a field of a rule, $1 is the rule and $2 the field.
 * @typedef {{key: string, values: (string | number)[], field: string}} Problem
 */

const VERSION = 1;

/**
 * Most characters of a file; the options page allows as many bytes. 200 of the largest rules have two million
 * characters, which can take three times as many bytes when they are exported, with their lines indented.
 */
export const MAX_FILE = 8_000_000;

const MAX_PATTERNS = 250;
const MAX_PATTERN = 300;
const MAX_SELECTOR = 500;
const MAX_HAS = 4;
const MAX_DEPTH = 3;

const FIELDS = [
  'id',
  'name',
  'matches',
  'path',
  'query',
  'result',
  'with',
  'title',
  'link',
  'snippet',
  'asOf',
  'source',
];

/** @param {unknown} value what a sentence says of it; String() of an object may throw */
const shown = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 80);

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether the browser understands the selector.
 * @param {string} selector
 */
function isSelector(selector) {
  try {
    document.createDocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

/**
 * A selector in one way of writing: in small letters, without strings and comments, each escape as a character of a
 * name.
 * @param {string} selector
 */
const plain = (selector) =>
  selector
    .replace(
      /(["'])(?:\\[^]|(?!\1)[^\\])*\1|\/\*[^]*?\*\/|\\(?:([\da-f]{1,6})(?:\r\n|\s)?|[^])/gi,
      (part, _, /** @type {string | undefined} */ code) => {
        if (!part.startsWith('\\')) return '';
        const char = code ? String.fromCharCode(parseInt(code, 16)) : part[1];
        return /\w/.test(char) ? char : '_';
      },
    )
    .toLowerCase();

/**
 * How deep brackets with combinators stand in each other, the whole selector being the first. The browser tries the
 * elements for each level anew: four levels over 200 siblings take half a minute.
 * @param {string} selector as `plain` writes it
 */
function depthOf(selector) {
  // A child or the next sibling is one element: there is nothing to try. The end closes what is open.
  let rest = `(${selector.replace(/\s*([>+,])\s*|(?<=\()\s+|\s+(?=\))/g, '$1').trim()}`;
  rest += ')'.repeat(rest.split('(').length);
  for (let depth = 0; ; depth++) {
    let before;
    do {
      before = rest;
      rest = rest.replace(/\([^()~\s]*\)/g, '');
    } while (rest !== before);
    rest = rest.replace(/\([^()]*\)/g, '');
    if (rest === before) return depth;
  }
}

/**
 * Checks one rule.
 * @param {unknown} given
 * @param {number} [position] its place in a list, from 0: names a rule that has neither name nor id
 * @returns {{rule: Rule, problems: []} | {rule: null, problems: Problem[]}}
 */
export function checkRule(given, position = 0) {
  const label = `#${position + 1}`;
  if (!isObject(given)) return { rule: null, problems: [{ key: 'ruleNotObject', values: [label], field: '' }] };
  const known = [given.name, given.id].find((value) => typeof value === 'string' && value.trim());
  const called = typeof known === 'string' ? `“${known.trim().slice(0, 60)}”` : label;
  /** @type {Problem[]} */
  const problems = [];
  /** @param {string} field @param {string} key @param {...(string | number)} values */
  const problem = (field, key, ...values) => {
    problems.push({ field, key, values: [called, field, ...values] });
    return undefined;
  };

  for (const key of Object.keys(given)) {
    if (!FIELDS.includes(key)) problem(key.slice(0, 40), 'ruleFieldUnknown', FIELDS.join(', '));
  }

  /**
   * A text of at least one character.
   * @param {string} field
   * @param {number} most characters
   */
  const words = (field, most) => {
    const value = given[field];
    if (typeof value !== 'string' || !value.trim()) return problem(field, 'ruleTextMissing');
    if (value.length > most) return problem(field, 'ruleTextLong', most);
    return value.trim();
  };
  /** @param {string} field @param {unknown} value */
  const selector = (field, value) => {
    if (typeof value !== 'string' || !value.trim()) return problem(field, 'ruleSelectorMissing');
    if (value.length > MAX_SELECTOR) return problem(field, 'ruleTextLong', MAX_SELECTOR);
    if (!isSelector(value)) return problem(field, 'ruleSelectorInvalid', shown(value));
    if (plain(value).split(':has(').length - 1 > MAX_HAS) return problem(field, 'ruleSelectorSlow', MAX_HAS);
    if (depthOf(plain(value)) > MAX_DEPTH) return problem(field, 'ruleSelectorDeep', MAX_DEPTH);
    return value.trim();
  };
  /** @param {string} field @param {(field: string) => string | undefined} read */
  const optional = (field, read) => (given[field] === undefined ? undefined : read(field));

  const rule = {
    id: identifier(given.id, problem),
    name: words('name', 100),
    matches: patterns(given.matches, problem),
    path: optional('path', () => path(given.path, problem)),
    query: query(given.query, problem, selector),
    result: selector('result', given.result),
    with: optional('with', (field) => selector(field, given.with)),
    title: selector('title', given.title),
    link: optional('link', (field) => selector(field, given.link)),
    snippet: optional('snippet', (field) => selector(field, given.snippet)),
    asOf: optional('asOf', () => day(given.asOf, problem)),
    source: optional('source', (field) => words(field, 300)),
  };
  if (!problems.length && JSON.stringify(rule).length > MAX_RULE) problem('matches', 'ruleLarge', MAX_RULE);
  if (problems.length) return { rule: null, problems };
  const kept = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
  return { rule: /** @type {Rule} */ (/** @type {unknown} */ (kept)), problems: [] };
}

/** @typedef {(field: string, key: string, ...values: (string | number)[]) => undefined} Report */

/** @param {unknown} value @param {Report} problem */
function identifier(value, problem) {
  if (typeof value === 'string' && /^[a-z0-9-]{1,64}$/.test(value)) return value;
  return problem('id', 'ruleIdInvalid');
}

/** @param {unknown} value @param {Report} problem */
function patterns(value, problem) {
  if (!Array.isArray(value) || value.length === 0) return problem('matches', 'ruleMatchesMissing');
  if (value.length > MAX_PATTERNS) return problem('matches', 'ruleMatchesMany', MAX_PATTERNS);
  for (const pattern of value) {
    if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN || !parsePattern(pattern)) {
      return problem('matches', 'ruleMatchInvalid', shown(pattern));
    }
  }
  return /** @type {string[]} */ ([...value]);
}

/** @param {unknown} value @param {Report} problem */
function path(value, problem) {
  if (typeof value !== 'string' || !value) return problem('path', 'ruleTextMissing');
  if (value.length > MAX_PATTERN) return problem('path', 'ruleTextLong', MAX_PATTERN);
  const parsed = parsePath(value);
  if (parsed === 'invalid') return problem('path', 'rulePathInvalid', shown(value));
  if (parsed === 'slow') return problem('path', 'rulePathSlow', shown(value), MAX_STEPS / 1_000_000);
  return value;
}

/**
 * @param {unknown} value
 * @param {Report} problem
 * @param {(field: string, value: unknown) => string | undefined} selector
 */
function query(value, problem, selector) {
  const keys = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || keys.length !== 1) return problem('query', 'ruleQueryInvalid');
  if (keys[0] === 'selector') {
    const checked = selector('query', value.selector);
    return checked && { selector: checked };
  }
  const { parameter } = value;
  if (typeof parameter === 'string' && /^[^\s&=#]{1,100}$/.test(parameter)) return { parameter };
  return problem('query', 'parameter' in value ? 'ruleParameterInvalid' : 'ruleQueryInvalid');
}

/** @param {unknown} value @param {Report} problem */
function day(value, problem) {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  return problem('asOf', 'ruleDateInvalid');
}

/**
 * Checks a list of rules: each one, their number, and that no id is there twice.
 * @param {unknown} given
 * @returns {{rules: Rule[], problems: Problem[]}} rules are those without problems
 */
export function checkRules(given) {
  if (!Array.isArray(given)) return { rules: [], problems: [{ key: 'ruleListMissing', values: [], field: '' }] };
  if (given.length > MAX_RULES) {
    return { rules: [], problems: [{ key: 'ruleListLong', values: [given.length, MAX_RULES], field: '' }] };
  }
  /** @type {Map<string, Rule>} */
  const rules = new Map();
  /** @type {Problem[]} */
  const problems = [];
  given.forEach((value, i) => {
    const checked = checkRule(value, i);
    problems.push(...checked.problems);
    if (!checked.rule) return;
    if (rules.has(checked.rule.id)) {
      problems.push({ key: 'ruleIdTwice', values: [`“${checked.rule.name}”`, 'id', checked.rule.id], field: 'id' });
    } else {
      rules.set(checked.rule.id, checked.rule);
    }
  });
  return { rules: [...rules.values()], problems };
}

/**
 * Checks the text of a file of rules, as `exported` writes it.
 * @param {string} text
 * @returns {{rules: Rule[], problems: Problem[]}} if there is any problem, the caller must take none of the rules
 */
export function checkFile(text) {
  /** @param {string} key @param {...(string | number)} values */
  const refused = (key, ...values) => ({ rules: [], problems: [{ key, values, field: '' }] });
  if (text.length > MAX_FILE) return refused('ruleFileLarge', MAX_FILE / 1000);
  let file;
  try {
    file = JSON.parse(text);
  } catch (err) {
    return refused('ruleFileNotJson', err instanceof Error ? err.message.slice(0, 200) : '');
  }
  if (!isObject(file) || !('version' in file) || !('rules' in file)) return refused('ruleFileForm');
  if (file.version !== VERSION) return refused('ruleFileVersion', shown(file.version), VERSION);
  const checked = checkRules(file.rules);
  if (!checked.problems.length && !checked.rules.length) return refused('ruleFileEmpty');
  return checked;
}

/**
 * The text of a file of these rules.
 * @param {Rule[]} rules
 */
export const exported = (rules) => `${JSON.stringify({ version: VERSION, rules }, null, 2)}\n`;
