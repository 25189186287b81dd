// The look of <vantage-search>, as a constructed style sheet: a strict
// Content-Security-Policy allows it, but no <style> element. The colours are
// system colours, which follow the page's color-scheme.

import RULES from './vantage-search.css';

/** @type {CSSStyleSheet|undefined} */
let sheet;

/**
 * The style sheet. It is made with the first element, because a server has no style
 * sheets.
 */
export function style() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
  }
  return sheet;
}
