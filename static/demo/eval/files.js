// The files in use: chosen, or dropped anywhere on the page, and told apart by
// what stands in them.

import { isGzip } from '../../src/collection/gunzip.js';
import { byId, bytes, el } from '../parts/dom.js';

/** How much of a file tells what it is. */
const HEAD = 1 << 16;

export class Files {
  /**
   * @param {() => void} onChange
   * @param {(file: File) => Promise<void>} onReport shows a report, which is not kept
   * @param {(error: Error) => void} onFault
   */
  constructor(onChange, onReport, onFault) {
    this.onChange = onChange;
    this.onReport = onReport;
    /** @type {{name: string, content: Blob}|null} */
    this.qrels = null;
    /** @type {{name: string, content: Blob}[]} */
    this.runs = [];
    const take = (files) => this.take(files).catch(onFault);
    for (const id of ['qrels', 'runs']) {
      const input = byId(id);
      input.addEventListener('change', () => {
        take([...input.files]);
        input.value = ''; // so that the same file can be chosen again
      });
    }
    addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dragging');
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) document.body.classList.remove('dragging');
    });
    addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dragging');
      take([...event.dataTransfer.files]);
    });
  }

  /** Takes files in, each as what it is. */
  async take(files) {
    if (files.length === 0) return;
    const kinds = await Promise.all(files.map(kindOf));
    const reports = files.filter((_, i) => kinds[i] === 'report');
    files.forEach((content, i) => {
      if (kinds[i] === 'qrels') this.qrels = { name: content.name, content };
      else if (kinds[i] === 'run') this.runs.push({ name: this.unused(content.name), content });
    });
    if (reports.length < files.length) this.changed();
    for (const report of reports) await this.onReport(report);
  }

  /** Puts other files in the place of all. */
  replace(qrels, runs) {
    this.qrels = qrels;
    this.runs = runs;
    this.changed();
  }

  // Runs are told apart by their names in tables and files.
  unused(name) {
    const taken = new Set(this.runs.map((run) => run.name));
    for (let i = 1; ; i++) {
      const candidate = i === 1 ? name : `${name} (${i})`;
      if (!taken.has(candidate)) return candidate;
    }
  }

  changed() {
    fill('qrels-list', this.qrels ? [this.qrels] : [], () => {
      this.qrels = null;
      this.changed();
      byId('qrels').focus();
    });
    fill('runs-list', this.runs, (run) => {
      this.runs = this.runs.filter((other) => other !== run);
      this.changed();
      byId('runs').focus();
    });
    this.onChange();
  }
}

function fill(id, files, remove) {
  byId(id).replaceChildren(
    ...files.map((file) => {
      const button = el('button', { type: 'button', className: 'remove', 'aria-label': `Remove ${file.name}` }, '×');
      button.addEventListener('click', () => remove(file));
      return el(
        'li',
        {},
        el('span', { className: 'name' }, file.name),
        el('span', { className: 'hint' }, bytes(file.content.size)),
        button,
      );
    }),
  );
}

/** What a file, which may be gzipped, begins with. */
async function headOf(file) {
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (!isGzip(magic)) return file.slice(0, HEAD).text();
  const reader = file
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let head = '';
  try {
    for (let step = await reader.read(); !step.done && head.length < HEAD; step = await reader.read()) {
      head += step.value;
    }
  } catch {
    throw new Error(`${file.name}: broken gzip data: copy the file again`);
  }
  reader.cancel().catch(() => {});
  return head;
}

/**
 * Judgements have four fields on a line, or three columns between tabs, as BEIR's;
 * runs have six; the PIR benchmark and reports of it are JSON.
 */
async function kindOf(file) {
  const head = await headOf(file);
  const line = head.split('\n').find((text) => text.trim() !== '') ?? '';
  if (line.trim().startsWith('{')) return 'report';
  const fields = line.trim().split(/\s+/).length;
  if (fields === 4 || line.split('\t').length === 3) return 'qrels';
  if (fields >= 6) return 'run';
  const found = line === '' ? 'the file is empty' : `its first line has ${fields} ${fields === 1 ? 'field' : 'fields'}`;
  throw new Error(
    `${file.name}: ${found}. Lines of judgements have four (query, iteration, document, grade) or, between tabs, ` +
      `three (query-id, corpus-id, score), lines of a run have six (query, Q0, document, rank, score, run id).`,
  );
}
