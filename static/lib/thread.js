/*! Vantage | Apache-2.0 */
import{parentPort}from"node:worker_threads";var post=(message,options)=>parentPort.postMessage(message,options?.transfer),listen=(type,listener)=>parentPort.on(type,data=>listener({data}));Object.assign(globalThis,{postMessage:post,addEventListener:listen});import("./worker.js");
