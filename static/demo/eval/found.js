// What queries of a PIR task find, by label and by place: Table 3 and Figures 3, 5
// and 6 of Beyond Relevance, as internal/evaluation/pireval counts them.

/**
 * @import { Vantage } from '../../lib/index.js'
 * @import { Task } from './pirfile.js'
 * @typedef {{queries: number[], gold: number[]}} Root the queries that share it, and the gold of all of these
 */

/** Texts of a ranking whose places are counted. */
const LOCATION_DEPTH = 5;

/**
 * Distinct roots in the order in which they first appear, with the queries that
 * share them and the gold of all of these.
 * @param {import('./pirfile.js').Task} task
 * @returns {Root[]}
 */
export function rootsOf({ roots, gold }) {
  /** @type {Map<string, {queries: number[], gold: Set<number>}>} */
  const byText = new Map();
  roots.forEach((text, i) => {
    const root = byText.get(text) ?? { queries: [], gold: new Set() };
    byText.set(text, root);
    root.queries.push(i);
    for (const place of gold[i]) root.gold.add(place);
  });
  return [...byText.values()].map(({ queries, gold }) => ({ queries, gold: [...gold] }));
}

/**
 * Shares of each label in what root queries find, over queries and over texts.
 * @param {Vantage} engine
 * @param {Task} task
 * @param {Root[]} roots
 * @param {number[][]} rankings
 * @param {number[]} ks
 */
export async function biasOf(engine, task, roots, rankings, ks) {
  const goldSets = task.gold.map((list) => new Set(list));
  /** @typedef {(r: number, text: number) => Iterable<string>} LabelsOf */
  /**
   * @param {number} r
   * @param {number} text
   */
  const askers = (r, text) => roots[r].queries.filter((i) => goldSets[i].has(text));
  /** @type {LabelsOf} */
  const all = (r, text) => new Set(askers(r, text).map((i) => task.labels[i]));
  // A text with several labels counts for the query with the fewest gold texts.
  /** @type {LabelsOf} */
  const own = (r, text) =>
    askers(r, text)
      .sort((a, b) => task.gold[a].length - task.gold[b].length || a - b)
      .slice(0, 1)
      .map((i) => task.labels[i]);
  /**
   * @param {number} k
   * @param {LabelsOf} labels
   */
  const shares = async (k, labels) => {
    const { rows } = await engine.portions({
      found: rankings.map((ranking, r) => ranking.slice(0, k).flatMap((text) => [...labels(r, text)])),
    });
    return rows['']?.labels ?? {};
  };
  const at = await Promise.all(ks.map(async (k) => ({ k, all: await shares(k, all), own: await shares(k, own) })));
  /**
   * @param {Awaited<ReturnType<typeof shares>>} of
   * @param {string} label
   * @param {'queries'|'found'} what
   */
  const share = (of, label, what) => (Object.hasOwn(of, label) ? of[label][what] : 0);
  return Object.fromEntries(
    [...new Set(task.labels)].map((label) => [
      label,
      {
        ...Object.fromEntries(at.map(({ k, all }) => [k, share(all, label, 'queries')])),
        documents: Object.fromEntries(at.map(({ k, own }) => [k, share(own, label, 'found')])),
      },
    ]),
  );
}

/**
 * The places of the texts that queries for a place find, and root queries; null for a task without places.
 * @param {Vantage} engine
 * @param {Pick<Task, 'locations'|'desired'>} task
 * @param {number[][]} rankings
 * @param {number[][]} rootRankings
 */
export async function locationsOf(engine, { locations, desired }, rankings, rootRankings) {
  if (!locations) return null;
  const found = (/** @type {number[]} */ ranking) =>
    ranking
      .slice(0, LOCATION_DEPTH)
      .map((text) => locations[text])
      .filter(Boolean);
  /** @type {Map<string, number>} */
  const root = new Map();
  for (const place of rootRankings.flatMap(found)) root.set(place, (root.get(place) ?? 0) + 1);
  const asking = [...desired.keys()].filter((i) => desired[i]);
  /** @type {Map<string, number>} */
  const queries = new Map();
  for (const i of asking) queries.set(desired[i], (queries.get(desired[i]) ?? 0) + 1);
  const { rows } = await engine.portions({
    found: asking.map((i) => found(rankings[i])),
    rows: asking.map((i) => desired[i]),
  });
  return {
    k: LOCATION_DEPTH,
    documents: locations.filter(Boolean).length,
    root: Object.fromEntries(root),
    desired: Object.fromEntries(
      [...queries].map(([place, n]) => [
        place,
        {
          n,
          documents: rows[place].found,
          portions: Object.fromEntries(
            Object.entries(rows[place].labels)
              .filter(([, share]) => share.found > 0)
              .map(([from, share]) => [from, share.found]),
          ),
        },
      ]),
    ),
  };
}
