// The script of a thread of Node.js: worker.js, with the globals of a worker.

// @ts-expect-error: the types of Node.js are not at hand
import { parentPort } from 'node:worker_threads';

globalThis.postMessage = (message, options) => parentPort.postMessage(message, options?.transfer);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));

import('../worker.js');
