// Reads a file in a worker, so that the page stays responsive.
//
// Page to worker:  a File
// Worker to page:  {read, total}    bytes
//                  {documents}      all of them, at the end
//                  {fault, line}    a fault, and its line

import { readFile } from './read.js';

/** Least milliseconds between two reports. */
const INTERVAL = 50;

addEventListener('message', async ({ data: file }) => {
  /** @type {import('./read.js').FileDocument[]} */
  const documents = [];
  let last = 0;
  try {
    await readFile(file, {
      take: (document) => documents.push(document),
      onProgress(read, total) {
        if (performance.now() - last < INTERVAL) return;
        last = performance.now();
        postMessage({ read, total });
      },
    });
    postMessage({ documents });
  } catch (error) {
    const { message, line = 0 } = Object(error);
    postMessage({ fault: message, line });
  }
});
