// The script of a thread of Node.js: worker.js, with the globals of a worker.

import { parentPort } from 'node:worker_threads';

globalThis.postMessage = (message, options) => parentPort.postMessage(message, options?.transfer);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));

import('../worker.js');
