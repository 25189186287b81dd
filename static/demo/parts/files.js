// The visitor's own files: chosen or dropped, read and encoded in the page, and
// kept only in the browser, on request.

import { Vantage } from '../../lib/index.js';
import { byId, bytes, count, el, unused, write } from './dom.js';
import { swap } from './focus.js';
import { readDocuments, reopen, searchable } from './local.js';

/** @typedef {{vantage: Vantage, name: string, kept?: string}} Opened kept: the name under which it is */

/** The prefix of names under which this page stores files: other pages may store things, too. */
const PREFIX = 'page: ';

/** The names of the files that are kept. */
const kept = async () =>
  (await Vantage.saved()).filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));

export class Files {
  /**
   * @param {() => Promise<Vantage>} base the collection whose encoder is used
   * @param {(vantage: Vantage|null, name: string) => void} onOpen called
   *   with the collection to search; null: the page's own
   */
  constructor(base, onOpen) {
    this.base = base;
    this.onOpen = onOpen;
    /** @type {AbortController|null} of the file that is being read */
    this.stop = null;
    /** @type {Opened|null} */
    this.open = null;
    this.refused = ''; // why no file can be searched
    const input = byId('file');
    input.addEventListener('change', () => {
      if (input.files?.length) this.read(input.files[0]);
      input.value = ''; // so that the same file can be chosen again
    });
    byId('file-cancel').addEventListener('click', () => {
      this.stop?.abort(new DOMException('given up', 'AbortError'));
      this.stop = null;
      byId('file-progress').hidden = true; // at once, though a download may have to end first
    });
    byId('file-keep').addEventListener('click', () => this.try(() => this.keep()));
    byId('file-back').addEventListener('click', () => this.back());
    this.acceptDrops();
    this.list().catch(() => {}); // without storage, nothing is kept
  }

  /**
   * Offers no files from now on, neither new ones nor those that are kept.
   * @param {string} why the end of a sentence
   */
  refuse(why) {
    this.refused = why;
    byId('file').disabled = true;
    write(byId('file-hint'), `Not here: ${why}`);
    byId('kept').hidden = true;
  }

  acceptDrops() {
    const holds = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files');
    const show = (/** @type {boolean} */ on) => document.body.classList.toggle('dropping', on);
    addEventListener('dragover', (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      show(true);
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) show(false);
    });
    addEventListener('drop', (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      show(false);
      const files = event.dataTransfer?.files ?? [];
      if (files.length > 1 && !this.refused) {
        this.say(new Error(`${files.length} files were dropped: drop one at a time`));
      } else if (files.length > 0) this.read(files[0]);
    });
  }

  /** @param {File} file */
  async read(file) {
    if (this.refused) return this.say(new Error(`${file.name} is not searched: ${this.refused}`));
    await this.load(file.name, async (options) => {
      const documents = await readDocuments(file, {
        ...options,
        onProgress: (read, total) =>
          this.progress(read, total, `Reading ${file.name}: ${bytes(read)} of ${bytes(total)}`),
      });
      if (documents.length === 0) {
        throw new Error(
          `${file.name}: there is no document in it: write one JSON object per line, or a CSV file with a header`,
        );
      }
      const { vantage, leftOut } = await searchable(documents, await this.base(), {
        ...options,
        onProgress: (n, total) =>
          this.progress(n, total, `Encoding ${file.name}: ${n.toLocaleString('en')} of ${count(total, 'document')}`),
      });
      return {
        vantage,
        note: leftOut > 0 ? `${count(leftOut, 'field')} of its metadata left out: there were too many.` : '',
      };
    });
  }

  /**
   * Loads one file at a time: a new one cancels the previous one.
   * @param {string} name
   * @param {(options: {signal: AbortSignal}) => Promise<{vantage: Vantage, note: string, kept?: string}>} bring
   */
  async load(name, bring) {
    this.stop?.abort(new DOMException('another file was chosen', 'AbortError'));
    const stop = new AbortController();
    this.stop = stop;
    this.say(null);
    byId('file-progress').hidden = false;
    this.progress(0, 1, `Opening ${name} …`);
    try {
      const { note, ...found } = await bring({ signal: stop.signal });
      if (stop.signal.aborted) return void found.vantage.close();
      this.show({ ...found, name }, note);
    } catch (error) {
      if (!stop.signal.aborted) this.say(error);
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        byId('file-progress').hidden = true;
      }
    }
  }

  /**
   * @param {Opened} open
   * @param {string} note
   */
  show(open, note) {
    const before = this.open;
    this.open = open;
    byId('file-now').hidden = false;
    byId('file-keep').hidden = false;
    write(
      byId('file-name'),
      `Searching ${open.name}: ${count(open.vantage.coverage.rows, 'document')}, in this page only. ${note}`,
    );
    this.onOpen(open.vantage, open.name);
    before?.vantage.close();
  }

  back() {
    if (!this.open) return;
    const { vantage } = this.open;
    this.open = null;
    byId('file-now').hidden = true;
    this.onOpen(null, '');
    vantage.close();
    byId('file').focus();
  }

  async keep() {
    if (!this.open) return;
    const { open } = this;
    open.kept ??= unused(open.name, await kept());
    await open.vantage.save(PREFIX + open.kept);
    swap('file-keep', 'file-back');
    write(byId('file-name'), `Searching ${open.kept}, which is now kept in this browser.`);
    await this.list();
  }

  async list() {
    const names = await kept();
    byId('kept').hidden = names.length === 0 || this.refused !== '';
    byId('kept').replaceChildren(
      el('span', {}, 'Kept in this browser:'),
      ...names.map((name) => {
        const open = el('button', { type: 'button', className: 'example' }, name);
        const drop = el(
          'button',
          { type: 'button', className: 'remove', title: 'Forget', 'aria-label': `Forget ${name}` },
          '×',
        );
        open.addEventListener('click', () =>
          this.load(name, async (options) => {
            if (!(await kept()).includes(name)) {
              await this.list(); // another tab has changed it
              throw new Error(`${name} is no longer kept in this browser`);
            }
            return { vantage: await reopen(PREFIX + name, await this.base(), options), note: '', kept: name };
          }),
        );
        drop.addEventListener('click', () =>
          this.try(async () => {
            await Vantage.forget(PREFIX + name);
            await this.list();
            byId('file').focus();
          }),
        );
        return el('span', { className: 'kept' }, open, drop);
      }),
    );
  }

  /** @param {() => Promise<void>} body */
  async try(body) {
    this.say(null);
    try {
      await body();
    } catch (error) {
      this.say(error);
    }
  }

  /**
   * @param {number} done
   * @param {number} total
   * @param {string} text
   */
  progress(done, total, text) {
    const bar = byId('file-bar');
    bar.max = total || 1;
    bar.value = done;
    write(byId('file-text'), text);
  }

  /** @param {unknown} error */
  say(error) {
    byId('file-fault').hidden = !error;
    write(byId('file-fault'), error ? String(Object(error).message).replace(PREFIX, '') : '');
  }
}
