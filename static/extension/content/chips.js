// The perspectives that the bar offers, and what each asks the engine for. The phrases are English, as the bundled
// encoders are; they are input of the model, and the reader does not see them.

/** @import { Ask } from '../types.js' */

/** @typedef {'for' | 'against' | 'neutral' | 'place' | 'time' | 'audience' | 'own'} ChipId */
/** @typedef {'place' | 'time' | 'audience' | 'own'} FieldId */

/**
 * @typedef {object} Chip
 * @property {ChipId} id
 * @property {string} label key of its text
 * @property {FieldId} [field] it asks for words
 * @property {string} [placeholder] key
 * @property {'for' | 'against'} [side]
 * @property {(words: string) => string} perspective
 */

/** Characters of a field. */
export const WORDS = 200;

/**
 * Puts a preposition before words that have none.
 * @param {string} word
 * @param {RegExp} known
 */
const beginning = (word, known) => (/** @type {string} */ words) => (known.test(words) ? words : `${word} ${words}`);

/** @type {readonly Chip[]} */
export const CHIPS = [
  { id: 'for', label: 'barSupporting', side: 'for', perspective: () => 'a claim that supports' },
  { id: 'against', label: 'barOpposing', side: 'against', perspective: () => 'a claim that opposes' },
  { id: 'neutral', label: 'barNeutral', perspective: () => 'neutral evidence: facts and figures without an opinion' },
  {
    id: 'place',
    label: 'barPlace',
    field: 'place',
    placeholder: 'barPlaceExample',
    perspective: beginning('in', /^(in|at|on|near|around|from|outside|within)\s/i),
  },
  {
    id: 'time',
    label: 'barTime',
    field: 'time',
    placeholder: 'barTimeExample',
    perspective: beginning('in', /^(in|at|on|before|after|since|until|during|around|by|from|between|today|now)\b/i),
  },
  {
    id: 'audience',
    label: 'barAudience',
    field: 'audience',
    placeholder: 'barAudienceExample',
    perspective: beginning('for', /^(for|as)\s/i),
  },
  { id: 'own', label: 'barOwn', field: 'own', placeholder: 'barOwnExample', perspective: (words) => words },
];

/**
 * What the reader has chosen in the bar.
 * @typedef {object} Choice
 * @property {ChipId | null} chip
 * @property {string} words
 * @property {boolean} spread
 * @property {string | null} method
 * @property {number | null} strength
 */

/**
 * The question for the engine; null if nothing is asked.
 * @param {Choice} choice
 * @param {string} root
 * @returns {Ask | null}
 */
export function askOf({ chip: id, words, spread, method, strength }, root) {
  const chip = CHIPS.find((one) => one.id === id);
  const said = words.replace(/\s+/g, ' ').trim();
  if (!root || (!chip && !spread) || (chip?.field && !said)) return null;
  return { root, perspective: chip?.perspective(said) ?? '', side: chip?.side ?? null, method, strength, spread };
}
