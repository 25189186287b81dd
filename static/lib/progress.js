// Counts what has arrived of a collection and tells the page, not too often.

/** Least milliseconds between two reports. */
const INTERVAL = 50;

export class Progress {
  /**
   * @param {object} manifest
   * @param {(progress: {loaded: number, total: number, rows: number, totalRows: number}) => void} [report]
   *   bytes as stored on the host, and rows that can be searched
   */
  constructor(manifest, report) {
    const files = manifest.vectors.concat(Object.values(manifest.encoder ?? {}), manifest.columns?.file ?? []);
    this.total = files.reduce((sum, file) => sum + file.stored, 0);
    this.totalRows = manifest.rows;
    this.loaded = 0;
    this.rows = 0;
    this.report = report;
    this.last = -Infinity;
  }

  received(bytes) {
    this.loaded += bytes;
    if (performance.now() - this.last >= INTERVAL) this.tell();
  }

  arrived(rows) {
    this.rows += rows;
    this.tell();
  }

  finish() {
    this.tell();
  }

  tell() {
    this.last = performance.now();
    this.report?.({ loaded: this.loaded, total: this.total, rows: this.rows, totalRows: this.totalRows });
  }
}
