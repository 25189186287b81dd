// The method of a query that names none. The rules are those of internal/search/auto.go.

import { AUTO_FUSION, DEFAULT_LAMBDA } from '../constants.js';
import { lookup } from './methods.js';
import { textOf } from './values.js';

/**
 * @import { SideTables } from '../collection/encoder.js'
 * @import { Session } from '../collection/session.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Chosen, Query } from './query.js'
 */

/**
 * The query with its method, and with the settings that are chosen together with it.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Query} query
 * @param {{words: boolean, angles: boolean}} has what is ranked beside vectors
 * @param {AbortSignal} [signal]
 * @returns {Promise<Chosen>}
 */
export async function choose(session, engine, query, has, signal) {
  const { text, root, perspectives, method, lambda, strength, mmr, hybrid } = query;
  if (method !== null) return { ...query, method, kind: '', lambda: lambda ?? DEFAULT_LAMBDA };
  const asked = {
    perspectives: perspectives.map(textOf),
    kind: query.reading?.kind ?? '',
    root: root !== null,
    rootText: root !== null && textOf(root).trim() !== '',
    text: textOf(text) !== '',
    lambda: lambda !== null,
    words: has.words && mmr === null && !query.vectorsAlone,
    angles: has.angles,
  };
  const choice = await engine.call('choose', [asked, await tablesOf(session, signal)], signal);
  return {
    ...query,
    method: choice.method,
    kind: choice.kind,
    lambda: lambda ?? choice.lambda,
    strength: strength ?? (lookup(choice.method)?.angles ? choice.strength : null),
    hybrid: hybrid ?? (choice.weight > 0 ? { fusion: AUTO_FUSION, weight: choice.weight } : null),
  };
}

/**
 * What the encoder that the page has given says about angles; null if the collection's own encoder is used.
 * @param {Session} session
 * @param {AbortSignal} [signal]
 * @returns {Promise<SideTables|null>}
 */
async function tablesOf({ own, branch, info }, signal) {
  if (!own) return null;
  return branch.others
    ? branch.tables(signal)
    : { id: info.model.id, problem: 'it cannot tell sides apart', numbers: {}, texts: {} };
}
