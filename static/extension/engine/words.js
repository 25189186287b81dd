// Whether the encoders know the words of texts. They read English, as far as their vocabulary goes. What a page says of
// its language is not asked: many say nothing, or what their template says. The texts themselves tell.

/** A text with fewer words tells nothing: of three names, one is often in no vocabulary. */
const LEAST_WORDS = 4;

/** If so many texts, and half of those that tell something, are in unknown words, texts of few words count as such. */
const LEAST_TEXTS = 3;

const HAN = '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2fa1f}';

/** What words are, as the encoders' tokenizer sees it: each ideograph is one, and punctuation is none. */
const WORD = new RegExp(`[${HAN}]|[^\\s!-/:-@\\[-\`{-~\\p{P}${HAN}]+`, 'gu');

/**
 * How many words a text has, and how many of them are whole tokens of the vocabulary, as the core's Coverage counts.
 * Other words are read as pieces, down to letters, so the number of unknown tokens would tell nothing.
 * @param {ReadonlySet<string>} vocabulary
 * @param {string} text
 */
export function coverage(vocabulary, text) {
  const found = text
    .replace(/[\p{Cc}\p{Cf}\ufffd]/gu, (char) => (/[\t\n\r]/.test(char) ? ' ' : ''))
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .match(WORD);
  return { words: found?.length ?? 0, whole: found?.filter((word) => vocabulary.has(word)).length ?? 0 };
}

/**
 * Which texts are in words that the vocabulary mostly lacks, as those in another language are. A text of few words
 * counts as most others do.
 * @param {ReadonlySet<string>} vocabulary
 * @param {string[]} texts
 * @returns {boolean[]}
 */
export function foreignOf(vocabulary, texts) {
  const found = texts.map((text) => coverage(vocabulary, text));
  const told = found.filter(({ words }) => words >= LEAST_WORDS);
  const foreign = told.filter(lacks).length;
  const most = foreign >= LEAST_TEXTS && 2 * foreign >= told.length;
  return found.map((each) => (each.words >= LEAST_WORDS ? lacks(each) : most && each.whole < each.words));
}

/** @param {{words: number, whole: number}} coverage */
const lacks = ({ words, whole }) => 2 * whole < words;

/**
 * The words of a static encoder's vocabulary.
 * @param {string} folder of the encoder, with a slash at its end
 * @returns {Promise<ReadonlySet<string>>}
 */
export async function vocabularyOf(folder) {
  const answer = await fetch(`${folder}tokenizer.json`);
  const { model } = await answer.json();
  return new Set(Object.keys(model.vocab));
}
