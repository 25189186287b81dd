// The other side of a document. The rules are those of internal/search, so that
// page, command and headless host give the same answer.

import { FAR_STRENGTH, MAX_STRENGTH, OTHER_SIDE_STRENGTH } from '../constants.js';
import { QueryError } from '../errors.js';
import { present, read } from './result.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { checkSides } from './methods.js';
import { absent } from './query.js';
import { presentStance, rootOf } from './root.js';
import { checkK, checkRoot, encoderOf, hitOf, tellAll } from './sides.js';
import { number } from './values.js';
import { vectorsOfParts } from '../worker/sides.js';

/**
 * @import { OtherSide, OtherSideOptions } from '../../lib/index.d.ts'
 * @import { Session } from '../collection/session.js'
 * @import { Ranking } from '../engine/request.js'
 * @import { Root } from '../engine/sides.js'
 * @import { Fleet } from '../worker/fleet.js'
 */

/** Least number of documents that are ranked to find those on the other side. */
const LEAST = 64;

/**
 * Documents near a document in topic and on the other side.
 * @param {Session} session
 * @param {number} document
 * @param {OtherSideOptions} options
 * @returns {Promise<OtherSide>}
 */
export function otherSide(session, document, { root, k: wanted, strength, filter, signal }) {
  return session.use(async (engine, encode) => {
    signal?.throwIfAborted();
    checkSides(session.info);
    const k = checkK(wanted);
    const own = hitOf(session, document);
    const filters = compileFilter(filter, session.info.fields);
    const of = absent(root) ? null : await rootOf(session, encode, checkRoot(root), signal);
    const by = number('strength', strength ?? (of ? OTHER_SIDE_STRENGTH : FAR_STRENGTH), 0, MAX_STRENGTH);
    await session.branch.open(signal);
    const vectors = await vectorsOf(session, engine, own.document, signal);
    session.branch.used = true;
    const told = of && (await tellAll(engine, of, [own], signal))[0];
    if (of && !told?.slant) {
      throw new QueryError(`document ${document} says nothing about the root, so that it has no other side`);
    }
    const sign = told ? -Math.sign(told.slant) : 0;
    /** @type {Ranking} */
    const ranking = {
      method: 'aspect',
      query: vectors.topic,
      root: null,
      perspectives: [],
      lambda: 0,
      angles: of ? of.angles : [vectors.angle],
      strength: of ? sign * by : -by,
      k,
      mmr: null,
      explain: true,
      filters,
    };
    const found = await across(session, engine, ranking, own.document, of && { root: of, sign }, signal);
    const { local } = session;
    const rows = [own, ...found.hits.map(({ hit }) => hit)];
    const [[index, { _id: id, title, text }], ...documents] = await read(
      engine,
      rows,
      (one) => local.at(one.row),
      signal,
    );
    return {
      ...(root && { root }),
      k,
      strength: shortest(Math.fround(by)),
      encoder: encoderOf(session),
      of: { rank: 0, id, index, score: 0, title, text, ...(told && { stance: presentStance(told) }) },
      hits: found.hits.map(({ hit, told: side }, i) => ({
        ...present(hit, i + 1, { explain: true, cosineRank: false }, ...documents[i]),
        ...(side && { stance: presentStance(side) }),
      })),
      coverage: found.coverage,
    };
  });
}

/**
 * The best hits that are on the other side. It ranks more and more documents until there are enough such hits.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Ranking} ranking
 * @param {number} document that is left out
 * @param {{root: Root, sign: number}|null} side with the sign of the slants that are sought
 * @param {AbortSignal} [signal]
 */
async function across(session, engine, ranking, document, side, signal) {
  for (let k = Math.max(4 * ranking.k, LEAST); ; k *= 4) {
    const { total } = session.coverage;
    const { hits, coverage } = await engine.rank({ ...ranking, k: Math.min(k, Math.max(1, total)) }, signal);
    const told = side ? await tellAll(engine, side.root, hits, signal) : [];
    const kept = hits
      .map((hit, i) => ({ hit, told: told[i] ?? null }))
      .filter(({ hit, told: one }) => {
        if (hit.document === document) return false;
        return !side || (one?.onSubject && Math.sign(one.slant) === side.sign);
      });
    if (kept.length >= ranking.k || k >= total) return { hits: kept.slice(0, ranking.k), coverage };
  }
}

/**
 * @param {Session} session
 * @param {Fleet} engine
 * @param {number} document
 * @param {AbortSignal} [signal]
 */
async function vectorsOf(session, engine, document, signal) {
  const { vectors } = await engine.answer(async (parts) => {
    const found = await vectorsOfParts(parts, document, session.info.angles, signal);
    return { vectors: found, coverage: { rows: 0, total: 0 } };
  });
  const { topic, angle } = vectors ?? {};
  if (!topic) throw new QueryError(`document ${document} has not arrived yet: wait for \`ready\``);
  if (!angle) throw new QueryError(`document ${document} has no angle, so that it has no other side`);
  return { topic, angle };
}
