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

// The reasons stand here, because pages would load those within the sheet.
// [part=text] has the direction of its own text, and stands on the side of its result's (dir="auto").
// [part=offer] takes no room, and [part=sides] its own from the start, so that nothing moves when they come.
// Where the pointer is coarse, there is no keyboard for [part=hotkey].
// [part=dialog] is visible even if its button is in a menu that is not. Its scroll-padding keeps what is focused from
// being behind the form, whose label stands beside the button that closes. Phones zoom in to fields of less than 16px.
// The second content of [part=close] keeps it from being read out.
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
  height: 0; margin: 0;
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
:host([sides]) [part=sides] { min-height: 1.4em; }
[part~=stance] { min-height: 1.3em; margin: 0; font-size: 0.85em; font-weight: 600; }
[part~=for] { color: var(--vantage-for, inherit); }
[part~=against] { color: var(--vantage-against, inherit); }
[part=results] { display: grid; gap: calc(2 * var(--vantage-gap, 0.5rem)); margin: 0; padding: 0; list-style: none; }
[part=result] {
  padding-top: calc(2 * var(--vantage-gap, 0.5rem)); border-top: 1px solid var(--vantage-line, GrayText);
  overflow-wrap: anywhere;
}
[part=text] {
  margin: 0.25em 0 0; line-height: 1.5;
  unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent;
}
[part=title] { font-weight: 600; color: var(--vantage-accent, LinkText); border-radius: 0.15rem; }
span[part=title] { color: inherit; }
mark { color: var(--vantage-mark-ink, MarkText); background: var(--vantage-mark, Mark); border-radius: 0.15em; }
[part=open] {
  padding: 0.5em 0.9em;
  font: inherit;
  color: var(--vantage-field-ink, FieldText);
  background: var(--vantage-field, Field);
  border: 1px solid var(--vantage-line, GrayText);
  border-radius: var(--vantage-radius, 0.4rem);
  cursor: pointer;
}
[part=hotkey] {
  margin-inline-start: 0.5em; padding: 0.1em 0.4em;
  font: inherit; font-size: 0.8em; border: 1px solid var(--vantage-line, GrayText); border-radius: 0.3em;
}
@media (pointer: coarse) { [part=hotkey] { display: none; } }
[part=dialog] {
  --pad: 1rem;
  box-sizing: border-box;
  width: min(44rem, 100% - 2rem);
  max-width: none;
  max-height: 80vh;
  max-height: 80dvh;
  visibility: visible;
  margin: 10vh auto auto;
  padding: 0 var(--pad) var(--pad);
  overflow: auto;
  overscroll-behavior: contain;
  scroll-padding: 6.5rem 0 var(--pad);
  color: var(--vantage-ink, CanvasText);
  background: var(--vantage-surface, Canvas);
  border: 1px solid var(--vantage-line, GrayText);
  border-radius: var(--vantage-radius, 0.4rem);
}
[part=dialog]::backdrop { background: rgb(0 0 0 / 0.5); }
[part=dialog] [part=form] {
  position: sticky; z-index: 2; top: 0; padding: var(--pad) 0 0.5rem;
  background: var(--vantage-surface, Canvas);
}
[part=dialog] [part=label] { padding-inline-end: 3rem; }
[part=dialog] [part=input] { font-size: max(1em, 16px); }
[part=dialog] [part=offer] { top: 6.5rem; }
[part=close] {
  position: sticky; z-index: 3; top: 0.5rem; float: inline-end;
  width: 2.5rem; height: 2.5rem; margin: 0.5rem -0.5rem -3rem 0; padding: 0;
  font: inherit; font-size: 1.4rem; line-height: 1; color: inherit; background: none; border: 0;
  border-radius: var(--vantage-radius, 0.4rem);
  cursor: pointer;
}
[part=close]::before { content: '×'; content: '×' / ''; }
@media (max-width: 40rem) {
  [part=dialog] {
    width: 100%; height: 100vh; height: 100dvh; max-height: none; margin: 0;
    border: 0; border-radius: 0;
  }
}
:is([part=input], [part=button], [part=better], [part=title], [part=open], [part=close]):focus-visible {
  outline: 3px solid var(--vantage-focus, Highlight);
  outline-offset: 2px;
}
`;
