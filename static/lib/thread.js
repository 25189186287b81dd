/*! Vantage: search by point of view | https://github.com/vantage-search/vantage | Apache-2.0 */
import{parentPort}from"node:worker_threads";globalThis.postMessage=(message,options)=>parentPort.postMessage(message,options?.transfer);globalThis.addEventListener=(type,listener)=>parentPort.on(type,
data=>listener({data}));import("./worker.js");
