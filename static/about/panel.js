// The panel "About me": a list of private contexts that a visitor adds to, deletes from and exports. A page mounts it
// and gives its list to the search:
//
//   import { mountAbout } from './about/panel.js';
//   const about = mountAbout(document.querySelector('#about'), { onChange: () => searchAgain() });
//   const { hits } = await vantage.search({ query, contexts: about.contexts });
//
// It sends no request. Its style is in about.css, and uses the page's colours.

import { Kept, LONGEST, browserStorage } from './kept.js';

/**
 * @typedef {object} About
 * @property {string[]} contexts the current list
 * @property {() => void} unmount removes the panel from the page; the list stays in the browser
 */

/**
 * Adds the panel to a page.
 * @param {HTMLElement} place the panel becomes its last child
 * @param {{storage?: Storage|null, onChange?: (contexts: string[]) => void}} [options] storage: if not the
 *   browser's; onChange: called after each change of the list, even if another tab made it
 * @returns {About}
 */
export function mountAbout(place, { storage = browserStorage(), onChange = () => {} } = {}) {
  const kept = new Kept(storage);
  const panel = element('details', 'about-me');
  const title = element('summary', '');
  const hint = element('p', 'about-hint');
  hint.textContent =
    'Facts about you, such as “I am self-employed”. They put fitting results first. They stay in this browser: the ' +
    'page sends the same requests with them and without.';
  hint.id = `about-hint-${++panels}`;
  const form = element('form', 'about-add');
  const label = element('label', '');
  label.textContent = 'A fact about you';
  const input = element('input', '');
  input.id = `about-text-${panels}`;
  input.autocomplete = 'off';
  input.maxLength = LONGEST;
  input.setAttribute('aria-describedby', hint.id);
  label.htmlFor = input.id;
  form.append(label, input, button('Add', 'submit'));
  const list = element('ul', 'about-list');
  const status = element('p', 'about-status');
  status.setAttribute('role', 'status');
  const all = element('p', 'about-all');
  const save = button('Export the list');
  const clear = button('Delete all');
  all.append(save, clear);
  panel.append(title, hint, form, status, list, all);

  const show = () => {
    const contexts = kept.list;
    title.textContent = contexts.length === 0 ? 'About me' : `About me (${contexts.length})`;
    all.hidden = contexts.length === 0;
    list.replaceChildren(...contexts.map(row));
  };
  /** @param {string} said */
  const changed = (said) => {
    show();
    status.textContent = said;
    onChange(kept.list);
  };
  /** @param {string} context */
  const row = (context) => {
    const item = element('li', '');
    const text = element('span', '');
    text.textContent = context;
    const remove = button('Delete');
    remove.setAttribute('aria-label', `Delete: ${context}`);
    remove.addEventListener('click', () => {
      changed(kept.delete(context) || 'Deleted.');
      input.focus();
    });
    item.append(text, remove);
    return item;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const before = kept.list.length;
    const problem = kept.add(input.value);
    if (kept.list.length === before) {
      status.textContent = problem;
      return;
    }
    input.value = '';
    changed(problem || 'Added.');
  });
  clear.addEventListener('click', () => {
    changed(kept.clear() || 'All deleted.');
    input.focus();
  });
  save.addEventListener('click', () => {
    download(kept.export(), 'about-me.json');
    status.textContent = 'Exported as about-me.json.';
  });
  const unwatch = kept.watch(() => changed('Changed in another tab.'));
  show();
  place.append(panel);
  return {
    get contexts() {
      return kept.list;
    },
    unmount() {
      unwatch();
      panel.remove();
    },
  };
}

/** Number of panels so far. It makes their ids unique. */
let panels = 0;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} name of its class
 */
function element(tag, name) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  return made;
}

/**
 * @param {string} text
 * @param {'button'|'submit'} [type]
 */
function button(text, type = 'button') {
  const made = element('button', '');
  made.type = type;
  made.textContent = text;
  return made;
}

/**
 * @param {string} content
 * @param {string} name
 */
function download(content, name) {
  const link = element('a', '');
  link.href = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the download has begun by then
}
