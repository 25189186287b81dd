// How many steps a regular expression may take on a text. Rules come from strangers, and browsers match by trying one
// way after the other: of these, a short expression can have more than anybody can wait for.

/**
 * A number that depends on the length of the text: the sum over d of the number at index d times the ways to choose d
 * places of the text, each of them any number of times. A match may start at each place, and * and + may end at each.
 * @typedef {number[]} Count
 */

/**
 * @typedef {object} Cost
 * @property {Count} steps to try all ways
 * @property {Count} ways to match, each of which is followed by what comes next
 */

/** @type {Count} */
const ONE = [1];
/** @type {Count} */
const ANY_PLACE = [0, 1];

/** * + ? {2} {2,} {2,3}, each also with a ? behind it. */
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

/** What a group begins with, if it looks ahead or behind, or if it has a name or flags. */
const HEAD = /\?(?:(<?)[=!]|<[^>]*>|[a-z-]*:)/y;

/** @param {Count} a @param {Count} b @returns {Count} */
const sum = (a, b) => Array.from({ length: Math.max(a.length, b.length) }, (_, d) => (a[d] ?? 0) + (b[d] ?? 0));

/** @param {Count} a @param {Count} b @returns {Count} */
function product(a, b) {
  const out = new Array(a.length + b.length - 1).fill(0);
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) out[i + j] += a[i] * b[j];
  return out;
}

/**
 * Most steps that an expression takes on any text. It is an upper bound: most texts take far fewer.
 * @param {string} source a valid expression with the flag u
 * @param {number} length most characters of the text
 * @returns {number} Infinity if it repeats groups or refers back to one
 */
export function stepsOf(source, length) {
  let at = 0;
  let bounded = true;
  let behind = false; // whether the terms at `at` are tried from the last to the first

  /** @param {RegExp} form a sticky one */
  function take(form) {
    form.lastIndex = at;
    const found = form.exec(source);
    if (found) at = form.lastIndex;
    return found;
  }

  /**
   * Alternatives, up to the end of their group.
   * @param {() => Count} [starts] in how many ways one gets to the next alternative
   * @returns {Cost}
   */
  function alternatives(starts = () => ONE) {
    let all = sequence(starts());
    while (source[at] === '|') {
      at++;
      const next = sequence(starts());
      all = { steps: sum(all.steps, next.steps), ways: sum(all.ways, next.ways) };
    }
    return all;
  }

  /** @param {Count} ways @returns {Cost} */
  function sequence(ways) {
    const terms = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') terms.push(term());
    let steps = ways;
    for (const next of behind ? terms.reverse() : terms) {
      steps = sum(steps, product(ways, next.steps));
      ways = product(ways, next.ways);
    }
    return { steps, ways };
  }

  /** @returns {Cost} */
  function term() {
    const c = source[at++];
    if (c === '(') return group();
    if (c === '\\') {
      const kind = source[at++];
      if (/[1-9k]/.test(kind)) bounded = false;
      // \u{1F600} and \p{L} are no repetition.
      if (/[upP]/.test(kind) && source[at] === '{') at = source.indexOf('}', at) + 1;
    } else if (c === '[') {
      while (source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
      at++;
    }
    const { min, max } = quantifier();
    if (max === Infinity) return { steps: [min + 1, 1], ways: ANY_PLACE };
    return { steps: [max > min ? max + 1 : max], ways: [max - min + 1] };
  }

  /** @returns {Cost} */
  function group() {
    const head = take(HEAD);
    const looks = head?.[1] !== undefined;
    const outside = behind;
    if (looks) behind = head[1] === '<';
    const inner = alternatives();
    at++;
    // A lookahead or lookbehind that has matched is not tried in another way. A lookbehind goes back to earlier places:
    // of the three places that MAX_STEPS allows for, there are at most twice as many choices then.
    if (looks) {
      const steps = behind ? product([2], inner.steps) : inner.steps;
      behind = outside;
      return { steps, ways: ONE };
    }
    const { min, max } = quantifier();
    if (max > 1) bounded = false;
    return min === 0 ? { steps: sum(ONE, inner.steps), ways: sum(ONE, inner.ways) } : inner;
  }

  /** How often the last term is there. */
  function quantifier() {
    const found = take(QUANTIFIER);
    if (!found) return { min: 1, max: 1 };
    const [, sign, least, comma, most] = found;
    if (sign) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    return { min: Number(least), max: most ? Number(most) : comma ? Infinity : Number(least) };
  }

  const { steps } = alternatives(() => (source[at] === '^' ? ONE : ANY_PLACE));
  if (!bounded) return Infinity;
  let total = 0;
  let choices = 1; // of d places
  for (let d = 0; d < steps.length; d++) {
    total += steps[d] * choices;
    choices *= (length + d + 1) / (d + 1);
  }
  return total;
}
