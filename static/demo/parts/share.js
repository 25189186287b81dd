// Links to the state of the page, and the browser's history of earlier states.

import { byId, write } from './dom.js';
import { fromFragment, toFragment } from './link.js';

export class Share {
  /**
   * @param {import('./form.js').Form} form
   * @param {() => string} collection identity of the collection that is searched
   * @param {Partial<import('./form.js').State>} first state of the form if the address has none
   */
  constructor(form, collection, first) {
    this.form = form;
    this.collection = collection;
    this.first = first;
    /** @type {string|null} identity of the collection in the address */
    this.wanted = null;
    /** @type {string[]} with the address */
    this.problems = [];
    addEventListener('popstate', () => this.restore());
    byId('copy').addEventListener('click', () => this.copy());
    document.querySelector('.skip')?.addEventListener('click', (event) => {
      event.preventDefault(); // the fragment of the address is the state
      byId('results').focus();
    });
  }

  /**
   * The address of the page in this state, without a query of the search page. What is too long for a link is for the
   * browser's history.
   */
  get place() {
    const url = new URL(location.href);
    if (url.searchParams.has('q')) for (const name of ['q', 'side', 'from']) url.searchParams.delete(name);
    const fragment = toFragment(this.form.state, this.collection());
    const long = Boolean(fromFragment(fragment)?.problems.length);
    url.hash = long ? '' : fragment;
    return { address: url.href, rest: long ? fragment : null };
  }

  /** Adds the state to the browser's history. */
  commit() {
    const { address, rest } = this.place;
    if (this.form.state.query === '' || (location.href === address && history.state === rest)) return;
    history.pushState(rest, '', address);
  }

  /** Restores the state in the address, which may be a query of the search page, and reports its invalid parts. */
  async restore() {
    const { state } = history;
    const found = state
      ? fromFragment(state, true)
      : (fromFragment(location.hash.slice(1)) ?? fromFragment(location.search.slice(1)));
    this.wanted = found?.collection ?? null;
    this.problems = found?.problems ?? [];
    this.tell();
    await this.form.restore(found?.state.query === undefined ? { ...this.first, ...found?.state } : found.state);
  }

  /** Warns if a link does not fit this page; called again once the collection is known. */
  tell() {
    const here = this.collection();
    const other = this.wanted !== null && here !== '' && this.wanted !== here;
    const said = [
      this.problems.length > 0 && `Part of the link was ignored: ${this.problems.join('; ')}.`,
      other &&
        `The link was made over another collection, ${this.wanted}. This is ${here}: results may differ. If the ` +
          `other one was a file, drop that file here.`,
    ]
      .filter(Boolean)
      .join(' ');
    byId('link-note').hidden = said === '';
    write(byId('link-note'), said);
  }

  /**
   * Copies the link. Pages over plain http may not write to the clipboard, and show the link
   * instead.
   */
  async copy() {
    const { address, rest } = this.place;
    const field = byId('link');
    /** @param {string} text */
    const say = (text, spoken = text) => {
      write(byId('announcement'), spoken);
      write(byId('copy'), text);
      setTimeout(() => write(byId('copy'), 'Copy link'), 2000);
    };
    if (rest) return say('Too long for a link');
    try {
      await navigator.clipboard.writeText(address);
      say('Copied', 'Link copied.');
    } catch {
      field.hidden = false;
      field.value = address;
      field.focus();
      field.select();
      write(byId('announcement'), 'The link is selected: copy it from the field.');
    }
  }
}
