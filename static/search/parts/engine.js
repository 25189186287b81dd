// The library with its engine: it is loaded behind the first answer, and ranks by meaning and by point of view.

import { grouped } from './groups.js';

/**
 * @import { Hit, Reading, SearchQuery, SearchResult, Vantage } from '../../lib/index.js'
 * @import { Config } from './config.js'
 * @import { Found, Group } from './groups.js'
 * @import { Asked } from './state.js'
 * @typedef {{count: number, groups: Group[]}} Side
 * @typedef {object} List
 * @property {'list'} kind
 * @property {Group[]} groups
 * @property {boolean} more whether there may be further results
 * @property {SearchResult|null} result null: by words.js
 * @property {string} root what the query is about, if it asks for a point of view
 * @typedef {{kind: 'both', root: string, for: Side, against: Side, neither: Side, more: boolean}} Both
 * @typedef {List|Both} Answer
 */

/** Most passages that are asked for. */
const MOST = 500;

/** Wordings of a side, as the engine reads them. */
const WORDINGS = { for: 'a claim that supports', against: 'a claim that opposes' };

/**
 * Opens the collection. A page that names an encode server gets the modules that know servers.
 * @param {Config} config
 * @param {(loaded: number, total: number) => void} onProgress
 */
export async function openEngine({ collection, server: address }, onProgress) {
  /** @type {import('../../lib/index.js').OpenOptions} */
  const options = { onProgress: ({ loaded, total }) => onProgress(loaded, total) };
  if (!address) {
    const { Vantage } = await loaded(import('../../lib/vantage.min.js'));
    return new Engine(await Vantage.open(collection, options));
  }
  const [{ Vantage }, { ServerEncoder }] = await loaded(
    Promise.all([
      import('../../lib/index.js'),
      import('../../lib/server.js'), // sites without a server lack this file
    ]),
  );
  const server = new ServerEncoder(address);
  const vantage = await Vantage.open(collection, { ...options, encoder: server }).catch((error) => {
    if (!['encoder-mismatch', 'refused'].includes(error.code)) throw error;
    server.close();
    return Vantage.open(collection, options);
  });
  return new Engine(vantage);
}

/**
 * @template T
 * @param {Promise<T>} modules
 * @returns {Promise<T>}
 */
function loaded(modules) {
  return modules.catch(() => {
    throw new Error(
      'A file that ranks by meaning could not be loaded. Check the network; if it works, upload the whole folder ' +
        'again, then reload the page.',
    );
  });
}

class Engine {
  /** @param {Vantage} vantage */
  constructor(vantage) {
    this.vantage = vantage;
  }

  /** Whether it tells who is for a claim and who is against it. */
  get hearsSides() {
    return this.vantage.info.angles > 0;
  }

  /**
   * @param {Asked} asked
   * @param {number} want most results
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async answer({ query, side, from }, want, signal) {
    const reading = await this.vantage.split(query);
    const root = reading?.root ?? query;
    if (this.hearsSides && !side && !from && reading?.both) return this.both(root, want, signal);
    const search = this.queryOf({ query, side, from }, root);
    // As many passages are asked for as are needed for so many results.
    for (let k = want + Math.ceil(want / 2); ; k = Math.min(2 * k, MOST)) {
      const result = await this.vantage.search({ ...search, k, signal });
      const groups = grouped(await this.found(result.hits, signal));
      if (groups.length <= want && result.hits.length === k && k < MOST) continue;
      const more = groups.length > want;
      return { kind: 'list', groups: groups.slice(0, want), more, result, root: side || reading?.side ? root : '' };
    }
  }

  /**
   * @param {Asked} asked
   * @param {string} root
   * @returns {SearchQuery}
   */
  queryOf({ query, side, from }, root) {
    if (this.hearsSides && side) {
      return { query: `${WORDINGS[side]}: ${root}`, root, perspectives: WORDINGS[side], side };
    }
    if (from) return { query: `${from}: ${root}`, root, perspectives: from };
    return { query };
  }

  /**
   * What is for a root, what is against it, and what takes no side.
   * @param {string} root
   * @param {number} want of each
   * @param {AbortSignal} signal
   * @returns {Promise<Both>}
   */
  async both(root, want, signal) {
    const sides = await this.vantage.sides(root, { k: 2 * want, signal });
    const side = async (/** @type {import('../../lib/index.js').SideHits} */ { count, hits }) => ({
      count,
      groups: grouped(await this.found(hits, signal)).slice(0, want),
    });
    const [pro, against, neither] = await Promise.all([side(sides.for), side(sides.against), side(sides.neither)]);
    const more = [sides.for, sides.against].some(({ count, hits }, i) => {
      const { groups } = [pro, against][i];
      return count > hits.length || groups.length === want;
    });
    return { kind: 'both', root, for: pro, against, neither, more };
  }

  /**
   * Hits with the metadata of their documents.
   * @param {readonly Hit[]} hits
   * @param {AbortSignal} signal
   * @returns {Promise<Found[]>}
   */
  async found(hits, signal) {
    const documents = await this.vantage.documents(
      hits.map(({ index }) => index),
      { signal },
    );
    return hits.map((hit, i) => ({ ...hit, metadata: documents[i].metadata }));
  }
}
