// An encode server as the encoder of a collection: checks that it has the model
// that made the vectors, and falls back while it is unreachable.

import { batched, checkCanaries, checkedOnce } from '../collection/encoding.js';
import { checkPrompt } from '../collection/prompt.js';
import { EncoderMismatchError, UnavailableError } from '../errors.js';

/**
 * @import { Checks, Opened } from '../collection/collection.js'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Encoding, TextRole } from '../../lib/index.d.ts'
 * @import { ServerModel } from '../../lib/server.d.ts'
 * @import { Answer } from './job.js'
 * @import { DType, Role } from './wire.js'
 */

/**
 * The members of a ServerEncoder that are used here.
 * @typedef {object} Server
 * @property {ServerModel|null} model
 * @property {(options: {signal?: AbortSignal, hasty?: boolean}) => Promise<void>} reach
 * @property {(texts: string[], role: Role, options: {signal?: AbortSignal, hasty?: boolean, model?: ServerModel,
 *   dtype?: DType}) => Promise<Answer[]>} ask
 */

/** Milliseconds that opening a collection waits for a server if the collection can answer without it. */
const GRACE = 1000;

/**
 * @param {Server} server
 * @param {Pick<Opened, 'info'|'checks'|'carries'>} opened an engine's description of the
 *   collection
 * @param {TextEncoding} engine encodes by the encoder of the collection, which is
 *   fetched when it is first needed
 * @returns {Promise<TextEncoding>} once the server is checked, unreachable or slow
 * @throws {EncoderMismatchError}
 */
export async function join(server, { info, checks, carries }, engine) {
  const hasty = carries || info.words; // another way to answer
  const served = checkedServer(server, checks);
  const spare = carries ? checkedOnce(engine, checks, checks.model.dim) : null;
  const first = served([], 'query', { hasty: true, signal: undefined }).catch((error) => {
    if (!(error instanceof UnavailableError)) throw error;
  });
  await (hasty ? Promise.race([first, new Promise((resolve) => setTimeout(resolve, GRACE))]) : first);
  return batched(async (texts, role, signal) => {
    try {
      return await served(texts, role, { signal, hasty });
    } catch (error) {
      if (!(error instanceof UnavailableError) || !spare) throw error;
      const notice = `${error.message}: the collection's own encoder answers`;
      return (await spare(texts, role, signal)).map((encoded) => ({ ...encoded, notice }));
    }
  });
}

/**
 * Encodes by the server. Its model is checked whenever it changes.
 * @param {Server} server
 * @param {Checks} checks
 */
function checkedServer(server, checks) {
  /** @type {{facts: ServerModel|null, checked?: Promise<void>}} the model that was checked last */
  let known = { facts: null };
  const check = async (/** @type {ServerModel} */ facts) => {
    compare(facts, checks.model);
    await checkCanaries(
      (texts, role) => server.ask(texts, role, { hasty: true, model: facts, dtype: 'f32' }),
      checks,
      facts.dim,
    );
  };
  /**
   * @param {string[]} texts
   * @param {TextRole} role
   * @param {{signal?: AbortSignal, hasty: boolean}} options
   * @returns {Promise<Encoding[]>}
   */
  const encode = async (texts, role, { signal, hasty }) => {
    await server.reach({ signal, hasty });
    const facts = /** @type {ServerModel} */ (server.model); // known once the server is reached
    if (known.facts !== facts) {
      const checked = check(facts);
      /** @type {typeof known} */
      const fresh = (known = { facts, checked });
      checked.catch((error) => {
        if (!(error instanceof EncoderMismatchError)) fresh.facts = null; // check again next time
      });
    }
    await known.checked;
    const answers = await server.ask(texts, role, { signal, hasty, model: facts });
    return answers.map((answer) => ({ ...answer, encodedBy: /** @type {const} */ ('server') }));
  };
  return encode;
}

/**
 * Compares revisions, which are hashes of a model's files (names of one model may differ), and the
 * prompts of queries.
 * @param {ServerModel} served
 * @param {Checks['model']} model
 */
function compare(served, model) {
  const { id, revision = '' } = model;
  const same = served.revision && revision ? served.revision === revision : served.id === id;
  if (!same) {
    throw new EncoderMismatchError(
      `the encode server has the model ${served.id} ${served.revision}, the vectors are of ${id} ${revision}: serve ` +
        `that one, or index the corpus again`,
    );
  }
  checkPrompt('the encode server', served.prompts, model, 'serve the model with that --prompt');
}
