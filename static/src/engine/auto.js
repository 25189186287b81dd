// Decides how to rank a query that names no method. The engine does this, with the code that
// Go programs run.

import * as abi from './abi.js';
import { writeFields } from './request.js';

/**
 * @import { Kind } from '../../lib/index.d.ts'
 * @import { Core } from './core.js'
 * @import { Scope } from './scope.js'
 */

/**
 * What the decision knows of a query, and of what is ranked.
 * @typedef {object} Asked
 * @property {string[]} perspectives their texts; '' for one that is only a vector
 * @property {string} kind of the perspective, if it was read from the query; '' if its text decides
 * @property {boolean} root whether there is one
 * @property {boolean} rootText whether it has a text
 * @property {boolean} text whether the query has one
 * @property {boolean} lambda whether a strength of the projection is asked for
 * @property {boolean} angles whether passages have some, and the encoder gives texts theirs
 * @property {boolean} sides whether the encoder has wordings of for and against
 * @property {boolean} words whether the ranking may be fused with BM25
 */

/**
 * @typedef {object} Choice
 * @property {Kind|''} kind of perspective by which the method was chosen; '' for none
 * @property {string} method
 * @property {number} lambda
 * @property {number} strength of the angles
 * @property {number} weight of the words, if the ranking is fused with BM25, otherwise 0
 */

/** The flags of an AutoRequest. */
const FLAGS = /** @type {const} */ ({
  root: abi.AUTO_ROOT,
  rootText: abi.AUTO_ROOT_TEXT,
  text: abi.AUTO_TEXT,
  lambda: abi.AUTO_LAMBDA,
  angles: abi.AUTO_ANGLES,
  sides: abi.AUTO_SIDES,
  words: abi.AUTO_WORDS,
  kind: abi.AUTO_READ,
});

/**
 * @param {Core} core
 * @param {Asked} asked
 * @param {string[]} table the collection's choices, or else its encoder's; empty if neither has any
 * @returns {Choice}
 */
export function choose(core, asked, table) {
  return core.scoped((scope) => {
    const texts = asked.kind ? [...asked.perspectives, asked.kind] : asked.perspectives;
    const at = {
      perspectives: writeTexts(core, scope, texts),
      perspectiveCount: texts.length,
      table: writeTexts(core, scope, table),
      tableCount: table.length,
      flags: Object.entries(FLAGS).reduce(
        (flags, [name, flag]) => (asked[/** @type {keyof FLAGS} */ (name)] ? flags | flag : flags),
        0,
      ),
    };
    const request = scope.reserve(abi.AutoRequest.size);
    const choice = scope.reserve(abi.AutoChoice.size);
    writeFields(core.view(request, abi.AutoRequest.size), abi.AutoRequest, at);
    core.checked('query_auto', request, choice);
    const field = abi.AutoChoice;
    const view = core.view(choice, field.size);
    const read = (/** @type {number} */ pointer, /** @type {number} */ length) =>
      core.text(view.getUint32(pointer, true), view.getUint32(length, true));
    return {
      kind: /** @type {Kind|''} */ (read(field.kind, field.kindLength)),
      method: read(field.method, field.methodLength),
      lambda: view.getFloat64(field.lambda, true),
      strength: view.getFloat64(field.strength, true),
      weight: view.getFloat64(field.weight, true),
    };
  });
}

/**
 * @param {Core} core
 * @param {Scope} scope
 * @param {string[]} texts
 * @returns {number} address of an array of abi.TextRef; 0 for none
 */
function writeTexts(core, scope, texts) {
  if (texts.length === 0) return 0;
  const refs = texts.map((text) => scope.text(text));
  const pointer = scope.reserve(refs.length * abi.TextRef.size);
  refs.forEach(([text, length], i) => {
    const view = core.view(pointer + i * abi.TextRef.size, abi.TextRef.size);
    writeFields(view, abi.TextRef, { pointer: text, length });
  });
  return pointer;
}
