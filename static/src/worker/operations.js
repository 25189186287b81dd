// The operations of an engine, in one table. Each is the method of Collection with
// the same name, whose last parameter may be a signal. remote.js sends operations
// to the worker, the worker runs those listed here, and the fleet asks the engines
// that a row names.

/**
 * @import { Collection } from '../collection/collection.js'
 * @import { EngineEncoding } from '../collection/encoding.js'
 * @import { Download } from '../../lib/index.d.ts'
 */

/**
 * @typedef {object} Operation
 * @property {'any'|'first'|'all'|'step'} asks which engines of several: any one that is up; the first, which has
 *   encoder and words; all, whose results `merge` joins; or one that the fleet chooses, as a step of its own
 *   answers
 * @property {(results: never[]) => unknown} [merge]
 * @property {(args: never) => ArrayBufferLike[]} [sends] buffers of the arguments that go to the worker rather than
 *   being copied
 * @property {(result: never) => ArrayBufferLike[]} [returns] buffers of the result that go to the page
 * @property {boolean} [changes] whether it changes the rows; the result then contains the new coverage
 */

export const OPERATIONS = Object.freeze(
  /** @satisfies {{[name: string]: Operation}} */ ({
    split: { asks: 'any' },
    stance: { asks: 'any' },
    rankAmong: { asks: 'any' },
    surveyAmong: { asks: 'any' },
    tellAmong: { asks: 'any' },
    holds: { asks: 'any' },
    shares: { asks: 'any' },
    find: { asks: 'any' },
    documents: { asks: 'any' },
    measure: { asks: 'any' },
    encode: {
      asks: 'first',
      returns: (/** @type {EngineEncoding[]} */ texts) =>
        texts.flatMap(({ vector, angle }) => [vector, angle]).flatMap((array) => (array ? [array.buffer] : [])),
    },
    hearing: { asks: 'first' },
    choose: { asks: 'first' },
    loadWords: { asks: 'step' },
    rankWords: { asks: 'first' },
    changeWords: { asks: 'first' },
    fuse: { asks: 'first' },
    rankTokens: { asks: 'first' },
    scoreTokens: { asks: 'first' },
    memory: {
      asks: 'all',
      merge: (/** @type {{used: number, reserved: number}[]} */ each) => ({
        used: each.reduce((sum, { used }) => sum + used, 0),
        reserved: each.reduce((sum, { reserved }) => sum + reserved, 0),
      }),
    },
    downloads: { asks: 'all', merge: (/** @type {Download[][]} */ each) => each.flat() },
    rank: { asks: 'step' },
    rankPart: {
      asks: 'step',
      returns: (
        /** @type {{gate?: Float32Array, records?: Uint8Array|null, documents?: Uint8Array|null}} */ {
          gate,
          records,
          documents,
        },
      ) => [gate, records, documents].flatMap((array) => (array ? [array.buffer] : [])),
    },
    cut: {
      asks: 'step',
      sends: (/** @type {[unknown, Float32Array[]]} */ [, gates]) => gates.map(({ buffer }) => buffer),
    },
    diversify: {
      asks: 'step',
      sends: (/** @type {[unknown, unknown, Uint8Array]} */ [, , records]) => [records.buffer],
    },
    explain: { asks: 'step' },
    ahead: { asks: 'step' },
    needAngles: { asks: 'step' },
    survey: { asks: 'step' },
    tell: { asks: 'step' },
    vectorsOf: { asks: 'step' },
    add: { asks: 'step', changes: true },
    addAngles: { asks: 'step' },
    declare: { asks: 'step' },
    remove: { asks: 'step', changes: true },
  }),
);

/** @typedef {keyof typeof OPERATIONS} Name */

/**
 * The parameters of an operation, except the signal.
 * @template {Name} N
 * @typedef {Parameters<Collection[N]> extends [...infer A, AbortSignal | undefined] ? A : Parameters<Collection[N]>}
 *   Args
 */

/**
 * @template {Name} N
 * @typedef {Awaited<ReturnType<Collection[N]>>} Result
 */

/**
 * Names of the operations that ask these engines.
 * @template {Operation['asks']} A
 * @typedef {{[N in Name]: (typeof OPERATIONS)[N]['asks'] extends A ? N : never}[Name]} Asking
 */

/**
 * An engine: a collection here, or one in a worker.
 * @typedef {Collection|import('./remote.js').Remote} Engine
 */

/**
 * The row of an operation.
 * @param {Name} name
 * @returns {Operation}
 */
export function operation(name) {
  return OPERATIONS[name];
}
