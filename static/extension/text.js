// Texts of the locale file, _locales.

/** The language of these texts: screen readers pronounce them by it, whatever the page's language is. */
export const LANGUAGE = 'en';

/**
 * Returns the text with this key; the key itself if there is none.
 * @param {string} key
 * @param {...(string | number)} substitutions for $1, $2, …
 * @returns {string}
 */
export function text(key, ...substitutions) {
  return chrome.i18n.getMessage(key, substitutions.map(String)) || key;
}
