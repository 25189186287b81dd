// One running instance of the engine: core.wasm with the kernel. Calls are
// checked and errors typed. An instance that misbehaved is dropped immediately,
// because its later answers could be wrong.

import * as abi from './abi.js';
import { KIND_CODE } from '../constants.js';
import { FormatError, InternalError, LimitError, LostInstanceError, VersionError, VantageError } from '../errors.js';
import { CLASSES } from '../kinds.js';
import { GoHost, stack } from './gojs.js';
import { Scope } from './scope.js';
import { messageOf } from '../thrown.js';

/**
 * Default bound of the engine's heap. Addresses have 32 bits, and the garbage
 * collector needs room; beyond 4 GB, Go ends the program.
 */
const MAX_BYTES = 3.5 * 2 ** 30;

/** Buffers of at least this size are checked against the bound before they are allocated. */
const LARGE = 1 << 20;

/**
 * The error class of each code of the core. Its input is files, so faults of input are faults
 * of format.
 * @type {Map<number, typeof VantageError>}
 */
const types = new Map(
  Object.entries(KIND_CODE).map(([kind, code]) => [
    code,
    kind === 'input' ? FormatError : CLASSES[/** @type {keyof typeof CLASSES} */ (kind)],
  ]),
);

export class Core {
  /**
   * Instantiates the modules of loadModules and runs the engine's main.
   * @param {{core: WebAssembly.Module, kernel: WebAssembly.Module, shim: WebAssembly.Module}} modules
   * @param {{maxBytes?: number}} [options]
   * @returns {Promise<Core>}
   */
  static async boot({ core, kernel, shim }, { maxBytes = MAX_BYTES } = {}) {
    const host = new GoHost();
    // The core imports the kernel's functions, and the kernel imports the
    // core's memory. The shim breaks this cycle: its exports call through a
    // table that is filled once both are instantiated.
    const shims = await instantiate('shim', shim, {});
    const exports = await instantiate('core', core, { gojs: { ...host.imports }, kernel: shims });
    check(exports);
    const kernels = await instantiate('kernel', kernel, { go: { mem: exports.mem } });
    connect(shim, shims, kernels);
    host.start(exports);
    return new Core(exports, host, maxBytes);
  }

  /**
   * @param {any} exports as instantiate returns them
   * @param {GoHost} host
   * @param {number} maxBytes
   */
  constructor(exports, host, maxBytes) {
    this.exports = exports;
    this.host = host;
    this.maxBytes = maxBytes;
    /** @type {VantageError|null} why the instance is gone */
    this.lost = null;
    this.sequence = exports.sequence() >>> 0;
    const version = this.call('abi_version');
    if (version !== abi.VERSION) throw versionError(`the core has ABI version ${version}, the library ${abi.VERSION}`);
  }

  /**
   * Calls an export whose result may be any number.
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   * @throws {LostInstanceError} when the call crashed, blocked or ended the program
   */
  call(name, ...args) {
    if (this.lost) throw this.lost;
    const before = this.sequenceWord();
    let result;
    try {
      result = this.exports[name](...args);
    } catch (error) {
      this.host.log += stack(error);
      throw this.discard(`${name} crashed (${messageOf(error)})`);
    }
    if (this.host.exitCode !== null) throw this.discard(`${name} ended the program with code ${this.host.exitCode}`);
    if (this.sequenceWord() === before) throw this.discard(`${name} did not finish`);
    return result;
  }

  /**
   * Calls an export whose negative results are error codes, and throws these as
   * errors.
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   */
  checked(name, ...args) {
    const result = this.call(name, ...args);
    if (result >= 0) return result;
    const at = this.call('error_text') >>> 0;
    const ref = new DataView(this.exports.mem.buffer, at, abi.TextRef.size);
    const message = this.text(ref.getUint32(abi.TextRef.pointer, true), ref.getUint32(abi.TextRef.length, true));
    if (result === KIND_CODE.internal) throw this.discard(`${name}: ${message}`);
    throw new (types.get(result) ?? InternalError)(message);
  }

  /**
   * Runs body with a Scope; its buffers are released afterwards.
   * @template T
   * @param {(scope: Scope) => T} body
   */
  scoped(body) {
    const scope = new Scope(this);
    try {
      return body(scope);
    } finally {
      scope.close();
    }
  }

  /**
   * Throws if these bytes would exceed the bound of memory.
   * @param {number} bytes
   * @param {string} [remedy]
   */
  expect(bytes, remedy) {
    const used = this.call('memory_in_use');
    if (used + bytes > this.maxBytes) throw memoryError(used, bytes, this.maxBytes, remedy);
  }

  /**
   * Address of a zeroed buffer, 64-byte-aligned.
   * @param {number} bytes
   */
  allocate(bytes) {
    if (bytes >= LARGE) this.expect(bytes);
    const pointer = this.call('allocate', bytes) >>> 0;
    if (pointer === 0) throw memoryError(this.call('memory_in_use'), bytes, this.maxBytes);
    return pointer;
  }

  /** @param {number} pointer */
  release(pointer) {
    this.checked('release', pointer);
  }

  // Views are made anew each time: any call may grow the memory, and growth
  // detaches all earlier views.

  /**
   * @param {number} pointer
   * @param {number} length
   */
  bytes(pointer, length) {
    return new Uint8Array(this.exports.mem.buffer, pointer, length);
  }

  /**
   * @param {number} pointer
   * @param {number} length
   */
  floats(pointer, length) {
    return new Float32Array(this.exports.mem.buffer, pointer, length);
  }

  /**
   * @param {number} pointer
   * @param {number} length
   */
  view(pointer, length) {
    return new DataView(this.exports.mem.buffer, pointer, length);
  }

  /**
   * @param {number} pointer
   * @param {number} length
   */
  text(pointer, length) {
    return new TextDecoder().decode(this.bytes(pointer, length));
  }

  /** Bytes of the heap in use, and of the memory that the browser has allocated. */
  memory() {
    return { used: this.call('memory_in_use'), reserved: this.exports.mem.buffer.byteLength };
  }

  /**
   * Drops a misbehaving instance.
   * @param {string} reason
   */
  discard(reason) {
    const log = this.host.log.trim();
    return this.close(
      new LostInstanceError(`the engine stopped: ${reason}: it restarts, repeat the call`, log ? { log } : {}),
    );
  }

  /**
   * Ends the instance; every later call fails with this error.
   * @param {VantageError} error
   */
  close(error) {
    this.lost ??= error;
    this.host.exitCode ??= -1;
    this.host.stop();
    this.exports = null; // lets the browser free the memory
    return this.lost;
  }

  sequenceWord() {
    return new DataView(this.exports.mem.buffer).getUint32(this.sequence, true);
  }
}

/**
 * Runs body; errors of the engine get the name of the file.
 * @template T
 * @param {string} file
 * @param {() => T} body
 * @returns {T}
 */
export function naming(file, body) {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof VantageError) || error instanceof LostInstanceError) throw error;
    const type = /** @type {typeof VantageError} */ (error.constructor);
    throw new type(`${file}: ${error.message}`, { ...error, file });
  }
}

/**
 * @param {string} name for messages
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Imports} imports
 * @returns {Promise<any>} its exports: any, because they are checked by name
 */
async function instantiate(name, module, imports) {
  try {
    return (await WebAssembly.instantiate(module, imports)).exports;
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new LimitError(`the browser has no memory for the engine (${messageOf(cause)}): close other pages`);
    }
    throw versionError(`the ${name} module does not fit (${messageOf(cause)})`);
  }
}

/**
 * Checks that the core has all functions with the expected parameters: it may
 * be of another version.
 * @param {any} exports as instantiate returns them
 */
function check(exports) {
  if (!(exports.mem instanceof WebAssembly.Memory) || !exports.run || !exports.resume) {
    throw versionError('the core is not a Go program for browsers');
  }
  for (const [name, parameters] of Object.entries(abi.FUNCTIONS)) {
    if (exports[name]?.length !== parameters) {
      throw versionError(`the core lacks ${name} with ${parameters} parameters`);
    }
  }
}

/**
 * Fills the shim's table: slot i gets the kernel's function with the name of
 * the shim's i-th exported function.
 * @param {WebAssembly.Module} shim
 * @param {any} shims as instantiate returns them
 * @param {any} kernels likewise
 */
function connect(shim, shims, kernels) {
  const exported = WebAssembly.Module.exports(shim);
  const table = shims[exported.find((e) => e.kind === 'table')?.name ?? ''];
  const names = exported.filter((e) => e.kind === 'function').map((e) => e.name);
  for (const [slot, name] of names.entries()) {
    if (!table || !kernels[name]) throw versionError(`the kernel lacks ${name}`);
    table.set(slot, kernels[name]);
  }
}

/** @param {string} what */
function versionError(what) {
  return new VersionError(`${what}: the files of the library must be of one version`);
}

/**
 * @param {number} used
 * @param {number} bytes
 * @param {number} limit
 * @param {string} [remedy]
 */
function memoryError(used, bytes, limit, remedy = 'index with --quantize int8, or split the collection') {
  const mb = (/** @type {number} */ n) => `${Math.ceil(n / 2 ** 20)} MB`;
  return new LimitError(
    `out of memory: ${mb(bytes)} more on top of the ${mb(used)} in use, at most ${mb(limit)}: ${remedy}`,
    { used, bytes, limit },
  );
}
