// Times the encoder of a pack: what a query and a passage cost, and how long the
// model takes from its bytes to the first vector.

import * as abi from '../src/engine/abi.js';
import { Core } from '../src/engine/core.js';
import { loadModules } from '../src/engine/modules.js';
import { race } from './peers.js';

const fetchBytes = async (/** @type {string} */ url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

const SECTIONS = {
  vocabulary: abi.SECTION_VOCABULARY,
  trunk: abi.SECTION_TRUNK,
  branch: abi.SECTION_BRANCH,
  reader: abi.SECTION_READER,
};

/** @param {string} url of the pack's folder */
async function fetchPack(url) {
  const manifest = await fetchBytes(`${url}pack.json`);
  const pack = JSON.parse(new TextDecoder().decode(manifest));
  /** @type {{section: number, content: Uint8Array}[]} */
  const files = [];
  for (const { name, files: list } of pack.sections) {
    const section = SECTIONS[/** @type {keyof typeof SECTIONS} */ (name)];
    for (const { path } of list) {
      files.push({ section, content: await fetchBytes(url + path) });
    }
  }
  return { manifest, pack, files };
}

/**
 * @param {Core} core
 * @param {Awaited<ReturnType<typeof fetchPack>>} fetched
 */
function open(core, { manifest, files }) {
  const handle = core.scoped((scope) => core.checked('model_open', scope.copy(manifest), manifest.length));
  const room = core.allocate(Math.max(...files.map((file) => file.content.length)));
  for (const { section, content } of files) {
    core.bytes(room, content.length).set(content);
    core.checked('model_file', handle, section, room, content.length);
  }
  core.release(room);
  return handle;
}

/**
 * Milliseconds of each step in each round, and the memory of a core that holds
 * nothing but the model.
 * @param {string} url of the pack's folder
 * @param {string} word that is one piece of the vocabulary
 * @param {number} rounds
 */
async function model(url, word, rounds) {
  const fetched = await fetchPack(url);
  const { config } = fetched.pack;
  const core = await Core.boot(await loadModules());
  const start = performance.now();
  const handle = open(core, fetched);
  const ready = performance.now() - start;

  const vector = core.allocate(4 * config.hidden);
  const branch = core.allocate(4 * config.branch.dimension);
  const info = core.allocate(abi.EncodeInfo.size);
  const encode = (/** @type {number} */ tokens, topic = true, angle = false) => {
    const text = Array(tokens - 2) // beside the special tokens
      .fill(word)
      .join(' ');
    return () => {
      core.scoped((scope) =>
        core.checked('model_encode', handle, ...scope.text(text), topic ? vector : 0, angle ? branch : 0, info),
      );
      const counted = core.view(info, abi.EncodeInfo.size).getUint32(abi.EncodeInfo.tokens, true);
      if (counted !== tokens - 2) throw new Error(`${counted} tokens, not ${tokens - 2}`);
    };
  };
  const split = core.allocate(abi.SplitInfo.size);
  const read = (/** @type {number} */ tokens) => {
    const text = Array(tokens - 2)
      .fill(word)
      .join(' ');
    return () => core.scoped((scope) => core.checked('query_split', handle, ...scope.text(text), split));
  };
  const steps = {
    '16 read': read(16),
    '16 topic': encode(16),
    '16 both': encode(16, true, true),
    '16 angle': encode(16, false, true),
    '64 topic': encode(64),
    '64 both': encode(64, true, true),
    '256 topic': encode(256),
  };
  /** @type {{[step: string]: number[]}} */
  const times = Object.fromEntries(Object.keys(steps).map((name) => [name, []]));
  const first = performance.now();
  steps['16 topic']();
  const firstQuery = performance.now() - first;
  for (let round = -4; round < rounds; round++) {
    for (const [name, step] of Object.entries(steps)) {
      const from = performance.now();
      step();
      if (round >= 0) times[name].push(performance.now() - from);
    }
    await new Promise((resolve) => setTimeout(resolve)); // lets the browser optimise the code and handle events
  }
  return { ready, firstQuery, times, memory: core.exports.mem.buffer.byteLength };
}

/**
 * The encoder of a pack and those of others, in turns.
 * @param {string} url of the pack's folder
 * @param {Parameters<typeof race>[1]} work
 */
async function peers(url, work) {
  const fetched = await fetchPack(url);
  const { hidden } = fetched.pack.config;
  const core = await Core.boot(await loadModules());
  const handle = open(core, fetched);
  const vector = core.allocate(4 * hidden);
  const info = core.allocate(abi.EncodeInfo.size);
  const encode = (/** @type {string} */ text) =>
    core.scoped((scope) => {
      core.checked('model_encode', handle, ...scope.text(text), vector, 0, info);
      return core.floats(vector, hidden).slice();
    });
  return race(encode, work);
}

Object.assign(window, { model, peers });
