// Links to this state of the page, and the browser's way back through the
// states before it.

import { byId, write } from './dom.js';
import { fromFragment, toFragment } from './link.js';

export class Share {
  /**
   * @param {import('./form.js').Form} form
   * @param {() => string} collection identity of the one that is searched
   * @param {object} first state of the form if the address has none
   */
  constructor(form, collection, first) {
    this.form = form;
    this.collection = collection;
    this.first = first;
    addEventListener('popstate', () => this.restore());
    byId('copy').addEventListener('click', () => this.copy());
  }

  get fragment() {
    return toFragment(this.form.state, this.collection());
  }

  /** Notes a state that the way back shall come by. */
  commit() {
    const { fragment } = this;
    if (this.form.state.query !== '' && location.hash.slice(1) !== fragment) {
      history.pushState(null, '', `#${fragment}`);
    }
  }

  /** Takes over what the address says; what is wrong in it is said. */
  async restore() {
    const found = fromFragment(location.hash.slice(1));
    this.wanted = found?.collection ?? null;
    this.problems = found?.problems ?? [];
    this.tell();
    await this.form.restore(found?.state.query === undefined ? { ...this.first, ...found?.state } : found.state);
  }

  /** Says if a link fits this page ill; again once the collection is known. */
  tell() {
    const here = this.collection();
    const other = this.wanted !== null && here !== '' && this.wanted !== here;
    const said = [
      this.problems.length > 0 && `The link is not followed in part: ${this.problems.join('; ')}.`,
      other &&
        `The link was made over another collection, ${this.wanted}. This is ${here}: results may differ. If it ` +
          `was a file, drop that file here.`,
    ]
      .filter(Boolean)
      .join(' ');
    byId('link-note').hidden = said === '';
    write(byId('link-note'), said);
  }

  /** Pages that are not trusted may not write to the clipboard: they show the link. */
  async copy() {
    const link = new URL(`#${this.fragment}`, location.href).href;
    const field = byId('link');
    try {
      await navigator.clipboard.writeText(link);
      write(byId('announcement'), 'Link copied.');
      write(byId('copy'), 'Copied');
      setTimeout(() => write(byId('copy'), 'Copy link'), 2000);
    } catch {
      field.hidden = false;
      field.value = link;
      field.focus();
      field.select();
      write(byId('announcement'), 'The link is selected: copy it from the field.');
    }
  }
}
