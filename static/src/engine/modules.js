// The three WebAssembly modules: the core (Go), the kernel (C, SIMD) and the
// shim between them. Each may be given as a URL, as bytes (gzipped or not) or
// compiled, so that pages that load files in their own way, extensions and test
// runners can supply them.

import { core, kernel, kernelRelaxed } from '../assets.js';
import { FormatError, InputError, UnsupportedError } from '../errors.js';
import { fetchBytes } from '../collection/fetch.js';
import { gunzip } from '../collection/gunzip.js';
import { base } from '../node.js';
import { messageOf } from '../thrown.js';
import { shim } from './shim.js';

/**
 * @import { FileSource, ModuleSource } from '../../lib/index.d.ts'
 * @typedef {{core?: ModuleSource, kernel?: ModuleSource, shim?: ModuleSource}} ModuleSources
 * @typedef {{core: WebAssembly.Module, kernel: WebAssembly.Module, shim: WebAssembly.Module}} Modules
 */

/** Most bytes of a module, packed and unpacked. */
const LIMIT = 64 << 20;

// A module with the instruction that only the relaxed kernel has.
const relaxedProbe = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 15, 1, 13, 0, 0x41, 0, 0xfd, 0x0f, 0x41,
  0, 0xfd, 0x0f, 0xfd, 0x92, 0x02, 0x0b,
]);

/** The package's own kernel: both have the same results, and one is faster where it runs. */
const ownKernel = () => (WebAssembly.validate(relaxedProbe) ? kernelRelaxed : kernel);

/**
 * Modules that collections of this page have compiled and still use, by address: another
 * collection neither downloads nor compiles them again.
 * @type {Map<string, WeakRef<WebAssembly.Module>>}
 */
const compiled = new Map();

/**
 * Sources with absolute addresses, which mean the same in a worker as in the
 * page.
 * @param {ModuleSources} sources
 * @param {string|undefined} base URL that relative ones are resolved against
 * @returns {ModuleSources}
 */
export function moduleSources(sources, base) {
  return Object.fromEntries(
    Object.entries(sources)
      .filter(([, source]) => source !== undefined)
      .map(([name, source]) => [
        name,
        typeof source === 'string' || source instanceof URL ? new URL(source, base).href : source,
      ]),
  );
}

/**
 * @param {ModuleSources} [sources]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Modules>}
 */
export async function loadModules(sources = {}, signal) {
  if (typeof WebAssembly !== 'object') {
    throw new UnsupportedError(
      'this browser has no WebAssembly, or the page forbids it: its Content-Security-Policy needs script-src ' +
        "'wasm-unsafe-eval'",
    );
  }
  const [coreModule, kernelModule, shimModule] = await Promise.all([
    load('core', sources.core ?? core, signal),
    load('kernel', sources.kernel ?? ownKernel(), signal),
    load('shim', sources.shim ?? shim, signal),
  ]);
  return { core: coreModule, kernel: kernelModule, shim: shimModule };
}

/**
 * @param {string} name
 * @param {ModuleSource} source
 * @param {AbortSignal} [signal]
 */
async function load(name, source, signal) {
  if (source instanceof WebAssembly.Module) return source;
  const address = typeof source === 'string' || source instanceof URL ? new URL(source, base()).href : null;
  const known = address && compiled.get(address)?.deref();
  if (known) return known;
  const bytes = await loadBytes(`${name} module`, source, LIMIT, signal);
  try {
    const module = await WebAssembly.compile(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    if (address) compiled.set(address, new WeakRef(module));
    return module;
  } catch (cause) {
    throw compileError(name, bytes, cause);
  }
}

/**
 * The unpacked content of something that a page supplies.
 * @param {string} name for messages
 * @param {FileSource} source
 * @param {number} limit most bytes, packed and unpacked
 * @param {AbortSignal} [signal]
 */
export async function loadBytes(name, source, limit, signal) {
  return gunzip(await bytesOf(name, source, limit, signal), limit, name);
}

/**
 * @param {string} name
 * @param {FileSource} source
 * @param {number} limit
 * @param {AbortSignal} [signal]
 */
function bytesOf(name, source, limit, signal) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (typeof source === 'string' || source instanceof URL) {
    const { href } = new URL(source, base());
    return ofData(href) ?? fetchBytes(href, { name, limit, signal });
  }
  throw new InputError(
    `${name}: expected a URL, an ArrayBuffer, a Uint8Array${name.endsWith('module') ? ' or a WebAssembly.Module' : ''}`,
  );
}

/**
 * The content of a data: address, which bundlers may make: strict policies
 * forbid fetching those.
 * @param {string} url
 */
function ofData(url) {
  const [, base64] = /^data:[^,]*;base64,(.*)$/.exec(url) ?? [];
  if (!base64) return null;
  return Uint8Array.from(atob(decodeURIComponent(base64)), (c) => c.charCodeAt(0));
}

// A module with vector instructions: if it does not validate, neither does the
// kernel.
const simdProbe = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 10, 1, 8, 0, 0x41, 0, 0xfd, 0x0f, 0xfd,
  0x62, 0x0b,
]);

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {unknown} cause
 */
function compileError(name, bytes, cause) {
  if (/Content.Security.Policy|unsafe-eval/i.test(messageOf(cause))) {
    return new UnsupportedError(
      `${name} module: the page's Content-Security-Policy forbids WebAssembly (${messageOf(cause)}): allow ` +
        `script-src 'wasm-unsafe-eval'`,
    );
  }
  if (name === 'kernel' && !WebAssembly.validate(simdProbe)) {
    return new UnsupportedError(
      'this browser has no WebAssembly SIMD: update it (Chrome 91, Firefox 89, Safari 16.4 or later)',
    );
  }
  return new FormatError(
    `${name} module: ${bytes.length} bytes that are not a WebAssembly module (${messageOf(cause)}): was it uploaded ` +
      `whole?`,
  );
}
