// The best two sentences of a passage, with the query's words marked.

/**
 * @typedef {(text: string) => string[]} Fold returns the words of a text, in the form in which words are compared
 * @typedef {(word: string) => boolean} Asked reports whether the query has a word
 */

/** Most characters of a passage that are read, and of a sentence that are shown. */
const MAX_TEXT = 20_000;
const MAX_SENTENCE = 260;

/** Most characters before the first marked word of a sentence that is cut. */
const LEAD = 70;

/** The rest of a word that was cut. It is short: some scripts have no spaces between words. */
const CUT_BEFORE = /^(\p{Cs}|\S{0,40}\s+)/u;
export const CUT_AFTER = /(\p{Cs}|\s+\S{0,40})$/u;

/** Common English words. They are marked only if the query has no other words. */
const FUNCTION_WORDS = new Set(
  (
    'a about after all also an and any are as at be because been but by can could did do does for from had has have ' +
    'he her his how i if in into is it its me more most my no not of on one or our she should so some than that the ' +
    'their them then there these they this to up was we were what when where which who why will with would you your'
  ).split(' '),
);

/** Words, and single characters of Han and Hiragana, as in the index of words, which ignores marks and soft hyphens. */
const WORDS = /[\p{sc=Han}\p{sc=Hira}][\p{M}\p{Cf}]*|(?:(?![\p{sc=Han}\p{sc=Hira}])[\p{L}\p{N}\p{M}\p{Cf}])+/gu;

/**
 * The words of a query that are to be marked.
 * @param {string} query
 * @param {Fold} fold
 * @returns {Asked}
 */
export function wordsOf(query, fold) {
  const all = fold(query);
  const telling = all.filter((word) => !FUNCTION_WORDS.has(word));
  const asked = new Set(telling.length > 0 ? telling : all);
  /** @type {Map<string, boolean>} */
  const known = new Map();
  return (word) => {
    let has = known.get(word);
    if (has === undefined) known.set(word, (has = fold(word).some((form) => asked.has(form))));
    return has;
  };
}

/** @type {Intl.Segmenter|null|undefined} made for the first excerpt: a server that imports this has no document */
let segmenter;

function newSegmenter() {
  const options = /** @type {const} */ ({ granularity: 'sentence' });
  try {
    return new Intl.Segmenter(document.documentElement.lang || undefined, options);
  } catch {
    return new Intl.Segmenter(undefined, options); // the page has a tag such as "en_US", which names no language
  }
}

/** @param {string} text */
function sentencesOf(text) {
  segmenter ??= Object.hasOwn(Intl, 'Segmenter') ? newSegmenter() : null; // before Firefox 125
  const parts = segmenter
    ? Array.from(segmenter.segment(text), ({ segment }) => segment)
    : text.split(/(?<=[.!?…]["”’)]?)\s+|\n+|(?<=[。！？])/u);
  return parts.map((part) => part.trim()).filter(Boolean);
}

/**
 * The best two sentences of a text, with the query's words marked.
 * @param {string} text
 * @param {Asked} asked
 * @returns {(Node|string)[]}
 */
export function excerpt(text, asked) {
  const sentences = sentencesOf(text.slice(0, MAX_TEXT));
  const found = sentences.map(
    (sentence) => new Set((sentence.match(WORDS) ?? []).filter(asked).map((w) => w.toLowerCase())),
  );
  const best = chosen(found);
  return best.flatMap((at, i) => {
    const between = i === 0 ? '' : at === best[i - 1] + 1 ? ' ' : ' … ';
    return [between, ...marked(clipped(sentences[at], asked), asked)];
  });
}

/**
 * Chooses two sentences: first the one with the most of the query's words, the earliest if several have as many, and
 * then the one that adds the most others. If several add as many, one that has any of the query's words comes first,
 * then the neighbour of the first choice, then the earliest. Returns their positions, in order.
 * @param {Set<string>[]} found the query's words in each sentence
 */
function chosen(found) {
  if (found.length < 2) return found.map((_, i) => i);
  const most = (/** @type {(words: Set<string>, at: number) => number} */ value) =>
    found.reduce((best, words, at) => (value(words, at) > value(found[best], best) ? at : best), 0);
  const first = most((words) => words.size);
  const neighbour = first + 1 < found.length ? first + 1 : first - 1;
  const second = most((words, at) => {
    if (at === first) return -1;
    const added = [...words].filter((word) => !found[first].has(word)).length;
    return added + (words.size > 0 ? 0.1 : 0) + (at === neighbour ? 0.01 : 0);
  });
  return [first, second].sort((a, b) => a - b);
}

/**
 * Cuts a long sentence to the part around its first marked word.
 * @param {string} sentence
 * @param {Asked} asked
 */
function clipped(sentence, asked) {
  if (sentence.length <= MAX_SENTENCE) return sentence;
  const first = [...sentence.matchAll(WORDS)].find(([word]) => asked(word))?.index ?? 0;
  const from = first <= LEAD ? 0 : first - LEAD;
  const part = sentence.slice(from, from + MAX_SENTENCE);
  const start = from === 0 ? part : `… ${part.replace(CUT_BEFORE, '')}`;
  return from + MAX_SENTENCE >= sentence.length ? start : `${start.replace(CUT_AFTER, '')} …`;
}

/**
 * A text with the query's words marked.
 * @param {string} text
 * @param {Asked} asked
 * @returns {(Node|string)[]}
 */
export function marked(text, asked) {
  /** @type {(Node|string)[]} */
  const parts = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (!asked(word)) continue;
    const mark = document.createElement('mark');
    mark.textContent = word;
    parts.push(text.slice(end, index), mark);
    end = index + word.length;
  }
  return [...parts, text.slice(end)];
}
