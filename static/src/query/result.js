// The parts of a result that do not depend on what ranks the documents: its head, its documents, and its hits as
// callers see them.

import { DEFAULT_LAMBDA, WORDS } from '../constants.js';
import { shortest } from './float32.js';

/**
 * @import { Entry } from '../collection/local.js'
 * @import { Hit } from '../engine/request.js'
 * @import { CollectionInfo, Document } from '../../lib/index.d.ts'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Angles } from './angles.js'
 * @import { Chosen, Query, Vectors } from './query.js'
 */

/** The fields of a hit that every explanation has. */
const EXPLAINED = /** @type {const} */ (['x', 'y', 'norm', 'numerator', 'denominator', 'cosine']);

/**
 * The documents of hits, with their indexes. Added documents are looked up
 * immediately, because they may be removed while the others are read.
 * @template {{document: number}} H
 * @param {Fleet} engine
 * @param {H[]} hits
 * @param {(hit: H) => Entry|undefined} local
 * @param {AbortSignal} [signal]
 * @returns {Promise<[number, Document][]>}
 */
export async function read(engine, hits, local, signal) {
  const added = hits.map(local);
  const rest = await engine.call('documents', [hits.filter((_, i) => !added[i]).map((hit) => hit.document)], signal);
  signal?.throwIfAborted();
  return hits.map((hit, i) => {
    const entry = added[i];
    return entry ? [entry.index, entry.document] : [hit.document, /** @type {Document} */ (rest.shift())];
  });
}

/**
 * @param {CollectionInfo} info
 * @param {Pick<Chosen, 'method'|'kind'|'k'|'score'> & {lambda: number|null}} query
 * @param {Partial<Angles>} [angles]
 */
export function head({ model, score: own }, { method, kind, score, lambda, k }, { strength = 0, side } = {}) {
  const { id, revision = '' } = model;
  const by = score ?? own;
  return {
    method,
    ...(kind && { kind }),
    lambda: shortest(Math.fround(lambda ?? DEFAULT_LAMBDA)),
    ...(strength !== 0 && { strength: shortest(Math.fround(strength)) }),
    ...(side && { side }),
    ...(method !== WORDS && by !== 'cosine' && { score: by }),
    k,
    encoder: { id, revision },
  };
}

/**
 * One notice of several, of which some may be ''.
 * @param {...string} all
 */
export const notices = (...all) => all.filter(Boolean).join('; ');

/**
 * Which encoder encoded the texts, unless all are vectors, and a notice, if something is missing: why the ranking does
 * without angles or words, or why another encoder than expected encoded the texts.
 * @param {Pick<Vectors, 'texts'>} vectors
 * @param {string} less
 */
export function who({ texts }, less) {
  const { encodedBy, notice: other } = texts.find((text) => text.notice) ?? texts[0] ?? {};
  const notice = less || other;
  return { ...(notice && { notice }), ...(encodedBy && { encodedBy }) };
}

/**
 * @param {Hit} hit
 * @param {number} rank
 * @param {Pick<Query, 'explain'|'cosineRank'>} query
 * @param {number} index
 * @param {Pick<Document, '_id'|'title'|'text'>} document
 * @returns {import('../../lib/index.d.ts').Hit}
 */
export function present(hit, rank, { explain, cosineRank }, index, { _id, title, text }) {
  const answer = { rank, id: _id, index, score: shortest(hit.score), title, text };
  if (!explain) return answer;
  const [x, y, norm, numerator, denominator, cosine] = EXPLAINED.map((name) => shortest(hit[name]));
  const rest = {
    ...(cosineRank && { cosine_rank: hit.cosineRank }),
    ...(hit.topic !== 0 && { topic: shortest(hit.topic) }),
    ...(hit.side !== 0 && { side: shortest(hit.side) }),
  };
  return { ...answer, explain: { x, y, norm, numerator, denominator, cosine, ...rest } };
}
