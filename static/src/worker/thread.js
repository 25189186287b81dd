// The script of a thread of Node.js: worker.js, with the globals of a worker.

// @ts-expect-error: the types of Node.js are not at hand
import { parentPort } from 'node:worker_threads';

/**
 * @param {unknown} message
 * @param {{transfer?: ArrayBuffer[]}} [options]
 */
const post = (message, options) => parentPort.postMessage(message, options?.transfer);

/**
 * @param {string} type
 * @param {(event: {data: unknown}) => void} listener
 */
const listen = (type, listener) => parentPort.on(type, (/** @type {unknown} */ data) => listener({ data }));

Object.assign(globalThis, { postMessage: post, addEventListener: listen });

import('../worker.js');
