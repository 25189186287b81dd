// The library with its engine, which ranks by meaning and by point of view. It loads after the first answer by words.

import { grouped } from './groups.js';
import { picture } from './pictures.js';
import { isEmpty } from './said.js';

/**
 * @import { Hit, Reading, SearchQuery, SearchResult, Vantage } from '../../lib/index.js'
 * @import { Config } from '../../demo/parts/config.js'
 * @import { Found, Group } from './groups.js'
 * @import { Asked } from './state.js'
 * @typedef {{count: number, groups: Group[]}} Side
 * @typedef {object} List
 * @property {'list'} kind
 * @property {Group[]} groups
 * @property {boolean} more whether there may be further results
 * @property {SearchResult|null} result null if words.js has answered
 * @property {string} root what the query is about, if it asks for a side; otherwise ''
 * @property {Asked['side']} side the side that all results are on; '' if they may be on any
 * @property {number} contexts how many private contexts there are
 * @typedef {object} Both
 * @property {'both'} kind
 * @property {string} root
 * @property {Side} for
 * @property {Side} against
 * @property {Side} neither
 * @property {boolean} more
 * @property {boolean} personal whether the visitor has private contexts, which this answer does not use
 * @property {{rows: number, total: number}} coverage
 * @typedef {List|Both} Answer
 */

/** Most passages that are asked for. */
const MOST = 500;

/** Why results are on any side although one was asked for. */
const LOST = 'what tells sides apart cannot be used, so these results may be on any side';

/** How a query asks for a side, in words that the engine understands. */
const WORDINGS = { for: 'a claim that supports', against: 'a claim that opposes' };

/**
 * Opens the collection. If the site has an encode server, the page loads the library as modules, with the one that
 * talks to the server; otherwise the library in one file.
 * @param {Config} config
 * @param {(loaded: number, total: number) => void} onProgress
 * @param {() => string[]} contexts the visitor's private contexts
 */
export async function openEngine({ collection, server: address }, onProgress, contexts) {
  /** @type {import('../../lib/index.js').OpenOptions} */
  const options = { onProgress: ({ loaded, total }) => onProgress(loaded, total) };
  if (!address) {
    const { Vantage } = await loaded(import('../../lib/vantage.min.js'));
    return new Engine(await Vantage.open(collection, options), contexts);
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
  return new Engine(vantage, () => []); // private contexts must not leave the page
}

/**
 * The modules, or an error that says what to do if one of them cannot be loaded.
 * @template T
 * @param {Promise<T>} modules
 * @returns {Promise<T>}
 */
function loaded(modules) {
  return modules.catch(() => {
    throw new Error('A file that ranks by meaning could not be loaded: upload the whole folder again.');
  });
}

class Engine {
  /**
   * @param {Vantage} vantage
   * @param {() => string[]} contexts
   */
  constructor(vantage, contexts) {
    this.vantage = vantage;
    this.contexts = contexts;
    /** Whether it has told sides, so that all that this needs is here, or cannot tell them. */
    this.told = !this.tellsSides;
  }

  /** Whether it can tell documents for a claim from documents against it. */
  get tellsSides() {
    return this.vantage.info.angles > 0;
  }

  /**
   * @param {Asked} asked
   * @param {number} want most results
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async answer({ query, side: chosen, from }, want, signal) {
    const side = this.tellsSides ? chosen : ''; // a link may ask for what the collection cannot tell
    const reading = await this.vantage.split(query);
    const root = reading?.root ?? query;
    const { rows } = this.vantage.coverage; // without vectors, words answer
    let about = query;
    let lost = '';
    try {
      if (side) {
        const list = await this.list(this.queryOf({ query, side, from }, root), { root, side }, want, signal);
        if (this.vantage.coverage.rows) return list;
        lost = LOST; // no vector has arrived
      }
      if (rows && this.tellsSides && !from && reading?.both) {
        about = root; // if no passage is close enough to tell its side, some may be about the subject
        const both = await this.both(root, want, signal);
        if (!isEmpty(both)) return both;
      }
    } catch (error) {
      if (!isUnusable(error)) throw error;
      about = root;
      lost = `${LOST} (${Object(error).message})`;
    }
    const search = this.queryOf({ query: about, side: '', from }, root);
    const list = await this.list(search, { root: reading?.side ? root : '', side: '' }, want, signal);
    if (lost && list.result) list.result = { ...list.result, notice: lost };
    return list;
  }

  /**
   * @param {SearchQuery} search
   * @param {Pick<List, 'root'|'side'>} told
   * @param {number} want
   * @param {AbortSignal} signal
   * @returns {Promise<List>}
   */
  async list(search, told, want, signal) {
    const contexts = this.usable();
    // Several passages of a page are one result, so more passages are asked for until there are enough results.
    for (let k = Math.min(want + Math.ceil(want / 2), MOST); ; k = Math.min(2 * k, MOST)) {
      const result = await this.vantage.search({ ...search, contexts, k, signal });
      const found = await this.found(result.hits, signal);
      const groups = grouped(found);
      if (groups.length <= want && result.hits.length === k && k < MOST) continue;
      picture(found);
      const more = groups.length > want;
      if (told.side) this.told = true;
      return { ...told, kind: 'list', groups: groups.slice(0, want), more, result, contexts: contexts.length };
    }
  }

  /**
   * @param {Asked} asked
   * @param {string} root
   * @returns {SearchQuery}
   */
  queryOf({ query, side, from }, root) {
    if (side) {
      return { query: `${WORDINGS[side]}: ${root}`, root, perspectives: WORDINGS[side], side };
    }
    if (from) return { query: `${from}: ${root}`, root, perspectives: from };
    return { query };
  }

  /**
   * Finds what is for a root, what is against it, and what takes no side.
   * @param {string} root
   * @param {number} want of each
   * @param {AbortSignal} signal
   * @returns {Promise<Both>}
   */
  async both(root, want, signal) {
    const k = Math.min(2 * want, MOST);
    const sides = await this.vantage.sides(root, { k, signal });
    this.told = true;
    const side = async (/** @type {import('../../lib/index.js').SideHits} */ { count, hits }) => {
      const found = await this.found(hits, signal);
      picture(found);
      const groups = grouped(found);
      const more = groups.length > want || (k < MOST && count > hits.length);
      return { count, groups: groups.slice(0, want), more };
    };
    const [pro, against, neither] = await Promise.all([side(sides.for), side(sides.against), side(sides.neither)]);
    const more = pro.more || against.more || neither.more;
    const [personal, { coverage }] = [this.usable().length > 0, sides];
    return { kind: 'both', root, for: pro, against, neither, more, personal, coverage };
  }

  /** The visitor's private contexts, if the collection can compare them. */
  usable() {
    return this.vantage.info.encodes ? this.contexts() : [];
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

/**
 * Whether an error says that files cannot be used, or cannot be had now. If the site was updated, the page must be
 * loaded again.
 * @param {unknown} error
 */
function isUnusable(error) {
  const { code, kind = 'internal' } = Object(error);
  return code !== 'outdated' && !['query', 'internal'].includes(kind);
}
