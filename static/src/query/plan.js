// How a query is ranked, and what it gets if a part of the collection cannot be used: a query that names no method is
// answered by what is there, with a notice, and one that names what it needs gets the error. The rules are those of
// internal/search/fallback.go.

import { toAngles } from './angles.js';
import { choose } from './auto.js';
import { fetchWords } from './hybrid.js';
import { notices } from './result.js';
import { isUnusable, messageOf } from '../thrown.js';
import { fetchAngles } from '../worker/sides.js';

/**
 * @import { Session } from '../collection/session.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Angles } from './angles.js'
 * @import { Chosen, Query } from './query.js'
 * @typedef {{query: Chosen, angles: Angles, notice: string}} Plan notice: why less ranks than there should be; or ""
 */

/**
 * Chooses the method of a query, if it names none, and encodes and fetches what the method needs beside vectors.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Query} asked
 * @param {boolean} rows whether the collection's rows are ranked, and not bare texts
 * @param {AbortSignal} [signal]
 * @returns {Promise<Plan>}
 */
export async function planOf(session, engine, asked, rows, signal) {
  /** @param {boolean} angles whether they can be used */
  const make = async (angles) => {
    const has = { words: rows && session.info.words, angles: angles && session.info.angles > 0 };
    const chosen = await choose(session, engine, asked, has, signal);
    const given = await toAngles(session, engine, chosen, signal);
    if (rows && given.angles.length > 0) await readAngles(session, engine, signal);
    const notice = await withoutWords(session, asked, chosen, signal);
    return { query: notice ? { ...chosen, hybrid: null } : chosen, angles: given, notice };
  };
  try {
    return await make(true);
  } catch (error) {
    if (asked.method !== null || !isUnusable(error)) throw error;
    const lost = 'the angles of texts cannot be used, so that topics alone rank, whatever the side';
    const plan = await make(false);
    return { ...plan, notice: notices(`${lost} (${messageOf(error)})`, plan.notice) };
  }
}

/**
 * Waits until the rows have their angles: those of files, and those that the page has added.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {AbortSignal} [signal]
 */
export async function readAngles(session, engine, signal) {
  const { branch } = session;
  await branch.open(signal);
  if (branch.used) return;
  await engine.answer((parts) => fetchAngles(parts, signal));
  branch.used = true;
}

/**
 * Fetches the words that a query is fused with. If that fails, a query that did not ask for words is answered without
 * them.
 * @param {Session} session
 * @param {Query} asked
 * @param {Chosen} chosen
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} why it is answered without them; or ""
 */
async function withoutWords(session, asked, chosen, signal) {
  if (!chosen.hybrid) return '';
  try {
    await fetchWords(session, chosen, signal);
    return '';
  } catch (error) {
    if (asked.hybrid || !isUnusable(error)) throw error;
    return `the index of words cannot be used, so that vectors alone rank (${messageOf(error)})`;
  }
}
