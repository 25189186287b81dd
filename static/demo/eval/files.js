// The files in use: chosen, or dropped anywhere on the page. Their content
// shows what they are.

import { isGzip } from '../../src/collection/gunzip.js';
import { byId, bytes, el, unused } from '../parts/dom.js';

/** @typedef {{name: string, content: Blob}} NamedFile */

/** Bytes of a file that are read to recognise it. */
const HEAD = 1 << 16;

export class Files {
  /**
   * @param {() => void} onChange
   * @param {(file: File) => void} onReport shows a report, which is not kept
   * @param {(error: Error) => void} onFault
   */
  constructor(onChange, onReport, onFault) {
    this.onChange = onChange;
    this.onReport = onReport;
    this.onFault = onFault;
    /** @type {NamedFile|null} */
    this.qrels = null;
    /** @type {NamedFile[]} */
    this.runs = [];
    for (const id of /** @type {const} */ (['qrels', 'runs'])) {
      const input = byId(id);
      input.addEventListener('change', () => {
        this.take([...(input.files ?? [])]);
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
      this.take([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /**
   * Adds files, each according to its kind, and says what is left out: files of no known kind, and all judgements and
   * reports but the first.
   * @param {File[]} files
   */
  async take(files) {
    /** @type {string[]} */
    const faults = [];
    const kinds = await Promise.all(
      files.map((file) => kindOf(file).catch(({ message }) => void faults.push(message))),
    );
    /** @param {string} kind */
    const only = (kind) => {
      const [first, ...others] = files.filter((_, i) => kinds[i] === kind);
      for (const { name } of others) faults.push(`${name} is left out: ${first.name} is of the same kind.`);
      return first;
    };
    const [qrels, report] = [only('qrels'), only('report')];
    if (qrels) this.qrels = { name: qrels.name, content: qrels };
    const runs = files.filter((_, i) => kinds[i] === 'run');
    for (const content of runs) {
      const name = unused(
        content.name,
        this.runs.map((run) => run.name), // tables and exports identify runs by their names
      );
      this.runs.push({ name, content });
    }
    if (qrels || runs.length > 0) this.changed();
    if (report) this.onReport(report);
    if (faults.length > 0) this.onFault(new Error(faults.join(' ')));
  }

  /**
   * Replaces all files.
   * @param {NamedFile} qrels
   * @param {NamedFile[]} runs
   */
  replace(qrels, runs) {
    this.qrels = qrels;
    this.runs = runs;
    this.changed();
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

/**
 * @param {string} id
 * @param {NamedFile[]} files
 * @param {(file: NamedFile) => void} remove
 */
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

/**
 * The beginning of a file, which may be gzipped.
 * @param {Blob & {name: string}} file
 */
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
    throw new Error(`${file.name}: broken gzip data: copy the file again.`);
  }
  reader.cancel().catch(() => {});
  return head;
}

/**
 * Judgements have four fields on a line, or three columns between tabs, as BEIR's;
 * runs have six; the PIR benchmark and reports of it are JSON.
 * @param {File} file
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
