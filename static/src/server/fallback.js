// An encode server as the encoder of a collection: whether it has the model
// that made the vectors, and who encodes while it is out of reach.

import { batched, checkCanaries } from '../collection/encoding.js';
import { EncoderMismatchError, UnavailableError } from '../errors.js';

/** Milliseconds that a collection which can answer otherwise waits for a server when it is opened. */
const GRACE = 1000;

/**
 * @param {import('../server.js').ServerEncoder} server
 * @param {{info: object, checks: object, carries: boolean}} opened what an engine says of the collection
 * @param {import('../collection/encoding.js').TextEncoding} engine encodes by the encoder
 *   that the collection carries, which is fetched at the first need
 * @returns {Promise<import('../collection/encoding.js').TextEncoding>} once the server is
 *   checked, out of reach or slow
 * @throws {EncoderMismatchError}
 */
export async function join(server, { info, checks, carries }, engine) {
  const hasty = carries || info.words; // another way to answer
  const served = checkedServer(server, checks);
  const spare = carries ? checkedOnce(engine, checks) : null;
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

/** Encodes by the server, whose model is checked whenever it is another. */
function checkedServer(server, checks) {
  let known = {}; // facts of the model that was checked last, and the promise of that
  const check = async (facts) => {
    compare(facts, checks.model);
    await checkCanaries(
      (texts, role) => server.ask(texts, role, { hasty: true, model: facts, dtype: 'f32' }),
      checks,
      facts.dim,
    );
  };
  return async (texts, role, { signal, hasty }) => {
    await server.reach({ signal, hasty });
    const facts = server.model;
    if (known.facts !== facts) {
      const fresh = (known = { facts, checked: check(facts) });
      fresh.checked.catch((error) => {
        if (!(error instanceof EncoderMismatchError)) fresh.facts = null; // to be tried again
      });
    }
    await known.checked;
    return (await server.ask(texts, role, { signal, hasty, model: facts })).map((encoded) => ({
      ...encoded,
      encodedBy: 'server',
    }));
  };
}

/** A revision is a hash of the model's files; names differ from place to place. */
function compare(served, { id, revision = '' }) {
  const same = served.revision && revision ? served.revision === revision : served.id === id;
  if (!same) {
    throw new EncoderMismatchError(
      `the encode server has the model ${served.id} ${served.revision}, the vectors are of ${id} ${revision}: serve ` +
        `that one, or index the corpus again`,
    );
  }
}

/** Encodes by the collection's own encoder, which is checked first. */
function checkedOnce(encode, checks) {
  let checked = null;
  return async (texts, role, signal) => {
    checked ??= checkCanaries(encode, checks, checks.model.dim).catch((error) => {
      checked = null;
      throw error;
    });
    await checked;
    return encode(texts, role, signal);
  };
}
