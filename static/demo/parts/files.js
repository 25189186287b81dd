// Files of the visitor's own: chosen or dropped, read and encoded in the page,
// kept in the browser if that is asked for, and nowhere else.

import { Vantage } from '../../lib/index.js';
import { byId, bytes, count, el, write } from './dom.js';
import { readDocuments, reopen, searchable } from './local.js';

/** Names under which this page keeps files begin so: other pages may keep things, too. */
const PREFIX = 'page: ';

export class Files {
  /**
   * @param {() => Promise<object>} base the collection whose encoder is used
   * @param {(vantage: object|null, name: string) => void} onOpen another
   *   collection is to be searched; null: the page's own
   */
  constructor(base, onOpen) {
    this.base = base;
    this.onOpen = onOpen;
    this.stop = null; // of what is under way
    this.open = null; // {vantage, name}
    const input = byId('file');
    input.addEventListener('change', () => {
      if (input.files.length > 0) this.read(input.files[0]);
      input.value = ''; // the same file can be chosen again
    });
    byId('file-cancel').addEventListener('click', () => this.stop?.abort(new DOMException('given up', 'AbortError')));
    byId('file-keep').addEventListener('click', () => this.try(() => this.keep()));
    byId('file-back').addEventListener('click', () => this.back());
    this.acceptDrops();
    this.list().catch(() => {}); // no storage here: nothing is kept
  }

  acceptDrops() {
    const holds = (event) => event.dataTransfer?.types.includes('Files');
    const show = (on) => document.body.classList.toggle('dropping', on);
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
      const { files } = event.dataTransfer;
      if (files.length > 1) this.say(new Error(`${files.length} files were dropped: drop one at a time`));
      else if (files.length === 1) this.read(files[0]);
    });
  }

  async read(file) {
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

  /** Runs what brings a file, one at a time: the last one wins. */
  async load(name, bring) {
    this.stop?.abort(new DOMException('another file was chosen', 'AbortError'));
    const stop = new AbortController();
    this.stop = stop;
    this.say(null);
    byId('file-progress').hidden = false;
    this.progress(0, 1, `Opening ${name} …`);
    try {
      const { vantage, note } = await bring({ signal: stop.signal });
      if (stop.signal.aborted) return void vantage.close();
      this.show({ vantage, name }, note);
    } catch (error) {
      if (!stop.signal.aborted) this.say(error);
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        byId('file-progress').hidden = true;
      }
    }
  }

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
    const { vantage } = this.open;
    this.open = null;
    byId('file-now').hidden = true;
    this.onOpen(null, '');
    vantage.close();
    byId('file').focus();
  }

  async keep() {
    const { vantage, name } = this.open;
    await vantage.save(PREFIX + name);
    byId('file-keep').hidden = true;
    write(byId('file-name'), `Searching ${name}, which is now kept in this browser.`);
    await this.list();
  }

  async list() {
    const names = (await Vantage.saved())
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length));
    byId('kept').hidden = names.length === 0;
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
          this.load(name, async (options) => ({
            vantage: await reopen(PREFIX + name, await this.base(), options),
            note: '',
          })),
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

  async try(body) {
    this.say(null);
    try {
      await body();
    } catch (error) {
      this.say(error);
    }
  }

  progress(done, total, text) {
    const bar = byId('file-bar');
    bar.max = total || 1;
    bar.value = done;
    write(byId('file-text'), text);
  }

  say(error) {
    byId('file-fault').hidden = !error;
    write(byId('file-fault'), error ? error.message : '');
  }
}
