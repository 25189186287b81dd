// The operations of an engine, in one table. Each is the method with the same name of
// one part of Collection; its last parameter may be a signal. remote.js sends operations
// to the worker, the worker runs those listed here, and the fleet asks the engines
// that a row names.

/**
 * @import { Collection } from '../collection/collection.js'
 * @import { EngineEncoding } from '../collection/encoding.js'
 * @import { Download } from '../../lib/index.d.ts'
 */

/**
 * The parts of Collection whose methods are operations.
 * @typedef {'wording'|'angles'|'changes'|'ranker'|'surveyor'|'lexicon'|'encoder'|'files'|'measures'|'core'} By
 */

/**
 * @typedef {object} Operation
 * @property {By} by the part of Collection that has the method
 * @property {'any'|'first'|'all'|'step'} asks which engines of several: any one that is up; the first, which has
 *   encoder and words; all, whose results `merge` joins; or those that the caller chooses, as a step of an answer
 *   or of a change
 * @property {(results: never[]) => unknown} [merge]
 * @property {(args: never) => ArrayBufferLike[]} [sends] buffers of the arguments that go to the worker rather than
 *   being copied
 * @property {(result: never) => ArrayBufferLike[]} [returns] buffers of the result that go to the page
 * @property {boolean} [changes] whether it changes the rows; the result then contains the new coverage
 */

export const OPERATIONS = Object.freeze(
  /** @satisfies {{[name: string]: Operation}} */ ({
    split: { by: 'wording', asks: 'first' },
    stance: { by: 'wording', asks: 'any' },
    rankAmong: { by: 'ranker', asks: 'any' },
    surveyAmong: { by: 'surveyor', asks: 'any' },
    tellAmong: { by: 'surveyor', asks: 'any' },
    holds: { by: 'lexicon', asks: 'any' },
    shares: { by: 'lexicon', asks: 'any' },
    find: { by: 'files', asks: 'any' },
    documents: { by: 'files', asks: 'any' },
    measure: { by: 'measures', asks: 'any' },
    encode: {
      by: 'encoder',
      asks: 'first',
      returns: (/** @type {EngineEncoding[]} */ texts) =>
        texts.flatMap(({ vector, angle }) => [vector, angle]).flatMap((array) => (array ? [array.buffer] : [])),
    },
    sideTables: { by: 'encoder', asks: 'first' },
    choose: { by: 'encoder', asks: 'first' },
    loadWords: { by: 'lexicon', asks: 'step' },
    rankWords: { by: 'lexicon', asks: 'first' },
    changeWords: { by: 'lexicon', asks: 'first' },
    fuse: { by: 'lexicon', asks: 'first' },
    rankTokens: { by: 'ranker', asks: 'first' },
    scoreTokens: { by: 'ranker', asks: 'first' },
    memory: {
      by: 'core',
      asks: 'all',
      merge: (/** @type {{used: number, reserved: number}[]} */ each) => ({
        used: each.reduce((sum, { used }) => sum + used, 0),
        reserved: each.reduce((sum, { reserved }) => sum + reserved, 0),
      }),
    },
    downloads: { by: 'files', asks: 'all', merge: (/** @type {Download[][]} */ each) => each.flat() },
    rank: { by: 'ranker', asks: 'step' },
    rankPart: {
      by: 'ranker',
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
      by: 'ranker',
      asks: 'step',
      sends: (/** @type {[unknown, Float32Array[]]} */ [, gates]) => gates.map(({ buffer }) => buffer),
    },
    diversify: {
      by: 'ranker',
      asks: 'step',
      sends: (/** @type {[unknown, unknown, Uint8Array]} */ [, , records]) => [records.buffer],
    },
    explain: { by: 'ranker', asks: 'step' },
    ahead: { by: 'ranker', asks: 'step' },
    needAngles: { by: 'angles', asks: 'step' },
    survey: { by: 'surveyor', asks: 'step' },
    tell: { by: 'surveyor', asks: 'step' },
    vectorsOf: { by: 'surveyor', asks: 'step' },
    add: { by: 'changes', asks: 'step', changes: true },
    addAngles: { by: 'changes', asks: 'step' },
    declare: { by: 'changes', asks: 'step' },
    remove: { by: 'changes', asks: 'step', changes: true },
  }),
);

/** @typedef {keyof typeof OPERATIONS} Name */

/**
 * The method of an operation; never, if that part has none of this name.
 * @template {Name} N
 * @typedef {N extends Name
 *   ? Collection[(typeof OPERATIONS)[N]['by']] extends infer Part
 *     ? N extends keyof Part ? Part[N] extends (...args: any[]) => any ? Part[N] : never : never
 *     : never
 *   : never} Method any: of whatever type
 */

/**
 * Rows whose part has no method of the name; the types do not compile if there is one.
 * @typedef {None<{[N in Name]: [Method<N>] extends [never] ? N : never}[Name]>} WithoutMethod
 */

/**
 * Rows that ask all engines and do not say how their results are joined; the types do not compile if there is one.
 * @typedef {None<{[N in Asking<'all'>]: (typeof OPERATIONS)[N] extends {merge: Function} ? never : N}[Asking<'all'>]>}
 *   WithoutMerge
 */

/**
 * @template {never} T
 * @typedef {T} None
 */

/**
 * The parameters of an operation, except the signal.
 * @template {Name} N
 * @typedef {[Method<N>] extends [never] ? never
 *   : Parameters<Method<N>> extends [...infer A, AbortSignal | undefined] ? A : Parameters<Method<N>>} Args
 */

/**
 * @template {Name} N
 * @typedef {Awaited<ReturnType<Method<N>>>} Result
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
