// The eight functions that Go's runtime imports from a GOOS=js host if the
// program does not link syscall/js. Arguments lie on Go's stack at sp+8, sp+16,
// ... No function here may throw: an exception would unwind through Go's frames
// and leave the scheduler in a state that no later call recovers from.

/** getRandomValues accepts at most this many bytes per call. */
const RANDOM_CHUNK = 65536;

/** Bytes of stderr kept for the message of a lost instance. */
const LOG_LIMIT = 4096;

/**
 * The numbers of the core's functions on an error's stack. `go run
 * ./internal/wasm/core/ledger NUMBER…` prints their names.
 * @param {unknown} error
 */
export function stack(error) {
  const numbers = [...String(Object(error).stack ?? '').matchAll(/wasm-function\[(\d+)\]/g)].map((match) => match[1]);
  return numbers.length ? `\nfunctions: ${numbers.join(' ')}` : '';
}

/** The host side of one Go program. */
export class GoHost {
  /** @type {DataView} of the program's memory, once it runs; it calls no host function before that */
  view = new DataView(new ArrayBuffer(0));
  /** @type {any} of the program, once it runs: its own and those of Go's runtime; core.js checks them by name */
  exports = null;

  constructor() {
    /** @type {number|null} exit code once the program has ended */
    this.exitCode = null;
    /** The end of Go's stderr: a panic's message, and the functions on the stack. */
    this.log = '';
    /** @type {Map<number, ReturnType<typeof setTimeout>>} */
    this.timers = new Map();
    this.nextTimer = 1;
    this.text = new TextDecoder();
  }

  /** The import object's "gojs" module. */
  get imports() {
    /** @type {{[name: string]: (sp: number) => void}} */
    const functions = {
      wasmExit: (sp) => {
        this.exitCode = this.view.getInt32(sp + 8, true);
        this.log += stack(new Error()); // the core prints no stack
        this.stop();
      },
      wasmWrite: (sp) => {
        const bytes = this.bytes(this.int64(sp + 16), this.view.getInt32(sp + 24, true));
        this.log = (this.log + this.text.decode(bytes)).slice(-LOG_LIMIT);
      },
      resetMemoryDataView: () => {
        this.view = new DataView(this.exports.mem.buffer);
      },
      nanotime1: (sp) => {
        this.view.setBigInt64(sp + 8, BigInt(Math.round(performance.now() * 1e6)), true);
      },
      walltime: (sp) => {
        const now = Date.now();
        this.view.setBigInt64(sp + 8, BigInt(Math.floor(now / 1000)), true);
        this.view.setInt32(sp + 16, (now % 1000) * 1e6, true);
      },
      scheduleTimeoutEvent: (sp) => {
        const id = this.nextTimer++;
        this.timers.set(
          id,
          setTimeout(() => this.wake(id), this.int64(sp + 8)),
        );
        this.view.setInt32(sp + 16, id, true);
      },
      clearTimeoutEvent: (sp) => {
        const id = this.view.getInt32(sp + 8, true);
        clearTimeout(this.timers.get(id));
        this.timers.delete(id);
      },
      getRandomData: (sp) => {
        const bytes = this.bytes(this.int64(sp + 8), this.int64(sp + 16));
        for (let at = 0; at < bytes.length; at += RANDOM_CHUNK) {
          crypto.getRandomValues(bytes.subarray(at, at + RANDOM_CHUNK));
        }
      },
    };
    /** @type {{[name: string]: (sp: number) => void}} */
    const imports = {};
    for (const [name, call] of Object.entries(functions)) {
      imports[`runtime.${name}`] = (sp) => {
        try {
          call(sp >>> 0); // addresses above 2 GB arrive as negative numbers
        } catch (error) {
          this.log = (this.log + `host function ${name}: ${error}\n`).slice(-LOG_LIMIT);
        }
      };
    }
    return imports;
  }

  /**
   * Runs the program's main until it blocks.
   * @param {any} exports as instantiate returns them
   */
  start(exports) {
    this.exports = exports;
    this.view = new DataView(exports.mem.buffer);
    // argc = 1, argv = {"js", null}, no environment: Go reads them from the
    // first 12 KB, which the linker leaves free for the host.
    new Uint8Array(exports.mem.buffer, 4096, 3).set([0x6a, 0x73, 0]);
    this.view.setBigUint64(4104, 4096n, true);
    exports.run(1, 4104);
  }

  /** Cancels pending timers; the program is never resumed again. */
  stop() {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  /** @param {number} id */
  wake(id) {
    this.timers.delete(id);
    if (this.exitCode !== null) return;
    try {
      this.exports.resume();
    } catch (error) {
      this.exitCode = -1;
      this.log = (this.log + String(error) + stack(error)).slice(-LOG_LIMIT);
    }
  }

  /** @param {number} address */
  int64(address) {
    return Number(this.view.getBigInt64(address, true));
  }

  /**
   * @param {number} address
   * @param {number} length
   */
  bytes(address, length) {
    return new Uint8Array(this.exports.mem.buffer, address, length);
  }
}
