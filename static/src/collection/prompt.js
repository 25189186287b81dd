// The prompt that an encoder outside the engine puts before queries.

import { EncoderMismatchError } from '../errors.js';

/** @import { Checks } from './collection.js' */

/**
 * Compares the prompts of queries, of which canaries tell nothing. It is not known which one is right if the manifest
 * says neither what goes before texts nor what encoded them.
 * @param {string} named what encodes, for the error
 * @param {{[role: string]: string}|undefined} prompts its own
 * @param {Checks['model']} model
 * @param {string} remedy
 * @throws {EncoderMismatchError}
 */
export function checkPrompt(named, prompts, model, remedy) {
  const before = prompts?.query ?? '';
  const wanted = model.prompts?.query ?? '';
  const stated = model.prompts || (model.architecture && model.architecture !== 'unstated');
  if (stated && before !== wanted) {
    throw new EncoderMismatchError(
      `${named} has the prompt ${JSON.stringify(before)} for queries, the collection ` +
        `${JSON.stringify(wanted)}: ${remedy}`,
    );
  }
}
