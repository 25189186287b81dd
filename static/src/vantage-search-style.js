// The look of <vantage-search>, as a constructed style sheet: a strict
// Content-Security-Policy allows it, but no <style> element. The colours are
// system colours, which follow the page's color-scheme.

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

const RULES = `
:host {
  display: block;
  font-family: var(--vantage-font, inherit);
  color: var(--vantage-ink, inherit);
}
:host([hidden]), [hidden] { display: none !important; }
[part=form] {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--vantage-gap, 0.5rem);
  margin: 0;
}
[part=label] { flex: 0 0 100%; font-weight: 600; }
[part=input] {
  flex: 1 1 12rem;
  min-width: 0;
  padding: 0.6em 0.8em;
  font: inherit;
  color: var(--vantage-field-ink, FieldText);
  background: var(--vantage-field, Field);
  border: 1px solid var(--vantage-line, GrayText);
  border-radius: var(--vantage-radius, 0.4rem);
}
[part=button] {
  padding: 0.6em 1.1em;
  font: inherit;
  color: var(--vantage-accent-ink, Canvas);
  background: var(--vantage-accent, LinkText);
  border: 1px solid transparent;
  border-radius: var(--vantage-radius, 0.4rem);
  cursor: pointer;
}
[part=fault] {
  margin: 0.6em 0; padding: 0.4em 0.8em; border-left: 4px solid var(--vantage-fault, currentColor);
  overflow-wrap: anywhere;
}
[part=offer] {
  position: sticky; z-index: 1; top: 0.5rem; display: flex; justify-content: flex-end;
  height: 0; margin: 0; /* takes no room, so that nothing moves when the button comes */
}
[part=better] {
  height: max-content;
  padding: 0.4em 0.9em;
  font: inherit;
  color: var(--vantage-accent-ink, Canvas);
  background: var(--vantage-accent, LinkText);
  border: 1px solid var(--vantage-accent-ink, Canvas);
  border-radius: 2em;
  cursor: pointer;
}
[part=status] { min-height: 1.4em; margin: 0.6em 0; color: var(--vantage-muted, inherit); overflow-wrap: anywhere; }
[part=sides] { margin: 0 0 0.6em; font-weight: 600; }
:host([sides]) [part=sides] { min-height: 1.4em; } /* so that nothing moves when they come */
[part~=stance] { min-height: 1.3em; margin: 0; font-size: 0.85em; font-weight: 600; }
[part~=for] { color: var(--vantage-for, inherit); }
[part~=against] { color: var(--vantage-against, inherit); }
[part=results] { display: grid; gap: calc(2 * var(--vantage-gap, 0.5rem)); margin: 0; padding: 0; list-style: none; }
[part=result] {
  padding-top: calc(2 * var(--vantage-gap, 0.5rem)); border-top: 1px solid var(--vantage-line, GrayText);
  overflow-wrap: anywhere;
}
[part=title] { font-weight: 600; color: var(--vantage-accent, LinkText); border-radius: 0.15rem; }
span[part=title] { color: inherit; }
[part=text] { margin: 0.25em 0 0; line-height: 1.5; }
:is([part=input], [part=button], [part=better], [part=title]):focus-visible {
  outline: 3px solid var(--vantage-focus, Highlight);
  outline-offset: 2px;
}
`;
