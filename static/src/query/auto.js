// The method of a query that names none. The rules are those of internal/search/auto.go.

import { AUTO_FUSION, DEFAULT_LAMBDA } from '../constants.js';
import { lookup } from './methods.js';
import { textOf } from './values.js';

/**
 * @import { Session } from '../collection/session.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Chosen, Query } from './query.js'
 */

/**
 * The query with its method, and what else that decides.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Query} query
 * @param {boolean} words whether what is ranked has an index of words
 * @param {AbortSignal} [signal]
 * @returns {Promise<Chosen>}
 */
export async function choose(session, engine, query, words, signal) {
  const { text, root, perspectives, method, lambda, strength, opposites, mmr, hybrid } = query;
  if (method !== null) return { ...query, method, kind: '', lambda: lambda ?? DEFAULT_LAMBDA };
  const asked = {
    perspectives: perspectives.map(textOf),
    root: root !== null,
    rootText: root !== null && textOf(root) !== '',
    text: textOf(text) !== '',
    opposites: opposites !== null,
    lambda: lambda !== null,
    words: words && mmr === null && !query.vectorsAlone,
    angles: session.local.entries.length === 0, // texts that a page adds have no angles
  };
  const choice = await engine.call('choose', [asked, session.own !== null], signal);
  return {
    ...query,
    method: choice.method,
    kind: choice.kind,
    lambda: lambda ?? choice.lambda,
    strength: strength ?? (lookup(choice.method)?.angles ? choice.strength : null),
    hybrid: hybrid ?? (choice.weight > 0 ? { fusion: AUTO_FUSION, weight: choice.weight } : null),
  };
}
