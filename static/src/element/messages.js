// The texts of <vantage-search>, which a page may replace.

/** @import { Messages } from '../../lib/vantage-search.d.ts' */

/** @type {Messages} */
export const MESSAGES = {
  label: 'Search',
  button: 'Search',
  close: 'Close',
  searching: 'Searching…',
  none: (query) => `Nothing found for “${query}”`,
  found: (query, n) => `${n === 1 ? 'One result' : `${n} results`} for “${query}”`,
  far: (query) => `Nothing is close to “${query}”. The nearest are:`,
  partly: (rows, total) => ` (${rows} of ${total} passages have arrived so far)`,
  sides: (pro, against) => `${pro} for · ${against} against`,
  stance: ({ side, probability }) => `${side} (${Math.round(probability * 100)} %)`,
  words: ' (only by their words so far)',
  better: 'Show better results',
  unavailable: (error) => `Search is not available here: ${error.message}`,
  incomplete: (error) => `Not all passages could be loaded: ${error.message}`,
  fault: (error) => error.message,
};
