// A query from the perspectives of a domain (MVRAG, docs/papers/mvrag.md): a chat model behind the encode server weighs
// and rewrites it, this page searches by each rewritten query as soon as it arrives, and merges what they find.

import { byId, count, el, write } from './dom.js';
import { BY_COSINE, beginningOf, item, readAhead } from './domainhits.js';
import { inWords } from './faultwords.js';
import { swap } from './focus.js';
import { latest } from './latest.js';
import { showVector } from './weights.js';

/**
 * @import { CollectionInfo, Hit, Vantage } from '../../lib/index.js'
 * @import { PerspectiveFound, PerspectiveVector, ServerEncoder } from '../../lib/server.js'
 * @typedef {typeof import('../../lib/server.js')} Library
 * @typedef {{perspective: number, weight: number, hits: readonly Hit[], list: HTMLElement, asks: HTMLElement}} View
 * @typedef {{vantage: Vantage, query: string, k: number}} Asked
 */

/** The index of no perspective: the query as it is. */
const PLAIN = -1;

const WRITING = 'This query is being written …';

/** Number of documents in the prompt. */
const PROMPTED = 5;

/** Milliseconds of a frame of the screen. */
const FRAME = 16;

export class Domain {
  /** @type {Asked|null} what the form asks */
  form = null;
  /** @type {AbortController|null} of the request under way */
  stop = null;
  /** @type {Asked|null} what is shown */
  asked = null;
  /** @type {PerspectiveVector|null} */
  vector = null;
  /** @type {Map<number, View>} by perspective */
  views = new Map();
  /** @type {Set<number>} perspectives that the visitor has switched off */
  off = new Set();
  /** Merges as soon as the hits that are already here are on the screen; hits that come together are merged once. */
  merge = latest(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    await this.mergeNow();
  });

  /**
   * @param {Library} library
   * @param {ServerEncoder} encoder
   * @param {CollectionInfo['model']} model of the collection's vectors
   * @param {Error|null} fault because of which the server is not used
   */
  constructor(library, encoder, model, fault) {
    this.library = library;
    this.encoder = encoder;
    this.model = model;
    this.fault = fault;
    byId('domain-fold').addEventListener('toggle', () => (byId('domain-fold').open ? this.offer() : this.cancel()));
    byId('domain-run').addEventListener('click', () => this.run());
    byId('domain-stop').addEventListener('click', () => this.cancel());
    byId('domain-copy').addEventListener('click', () => this.copy());
    addEventListener('pagehide', () => this.cancel());
    byId('domain-section').hidden = false;
  }

  /** Forgets what is shown. */
  reset() {
    this.stop = this.asked = this.vector = null;
    this.views = new Map();
    this.off = new Set();
  }

  /** Lists the domains, or says why there are none. */
  async offer() {
    if (byId('domain').options.length > 0) return;
    byId('domain-ask').hidden = true;
    let lack = '';
    try {
      if (this.fault) throw this.fault;
      const names = await this.encoder.domains();
      byId('domain').replaceChildren(...names.map((name) => el('option', {}, name)));
      if (names.length === 0) {
        lack =
          'Not offered here: the encode server has no chat model. Whoever runs the server can add one ' +
          '(see --chat-model in its documentation).';
      }
    } catch (error) {
      lack = `Not offered now: ${inWords(Object(error))}`;
    }
    write(byId('domain-lack'), lack);
    byId('domain-ask').hidden = lack !== '';
  }

  /**
   * Takes note of what the form asks. Another query ends the request for the one before.
   * @param {Asked} asked
   */
  note(asked) {
    const { form } = this;
    this.form = asked;
    if (form?.vantage === asked.vantage && form.query === asked.query && form.k === asked.k) return;
    this.cancel();
    this.reset();
    byId('domain-answer').hidden = byId('domain-fault').hidden = true;
    write(byId('domain-said'), '');
  }

  cancel() {
    if (!this.stop) return;
    this.stop.abort(new DOMException('no longer wanted', 'AbortError'));
    this.ended();
    write(byId('domain-said'), 'Cancelled.');
  }

  /** @param {AbortController|null} stop of a request that begins */
  busy(stop) {
    this.stop = stop;
    if (stop) swap('domain-run', 'domain-stop');
    else swap('domain-stop', 'domain-run');
  }

  /** The request is over, and some of its queries may never come. */
  ended() {
    this.busy(null);
    for (const { asks } of this.views.values()) {
      if (asks.textContent === WRITING) write(asks, 'This query was not written.');
    }
  }

  async run() {
    byId('domain-fault').hidden = byId('domain-answer').hidden = true;
    this.reset();
    // The form may not have read it yet.
    const query = /** @type {HTMLTextAreaElement} */ (byId('query')).value.trim();
    if (!this.form || !query) return write(byId('domain-said'), 'Type a query above first.');
    const asked = (this.form = { ...this.form, query });
    const stop = new AbortController();
    this.busy(stop);
    this.asked = asked;
    write(byId('domain-said'), 'The chat model weighs the perspectives …');
    const { signal } = stop;
    readAhead(asked, signal);
    const searches = [];
    let usage = null;
    try {
      for await (const event of this.encoder.perspectives(asked.query, { domain: byId('domain').value, signal })) {
        if (event.type === 'vector') this.show(event);
        else if (event.type === 'query') {
          searches.push(this.search(asked, event, signal).catch((error) => this.fail(error, stop)));
        } else if (event.type === 'refused') this.refuse(event.perspective);
        else ({ usage } = event);
      }
      await Promise.all(searches);
      if (usage && !signal.aborted) this.end(usage);
    } catch (error) {
      this.fail(error, stop);
    }
  }

  /**
   * @param {unknown} error
   * @param {AbortController} stop of the request that failed
   */
  fail(error, stop) {
    if (stop.signal.aborted) return;
    stop.abort();
    this.ended();
    write(byId('domain-said'), '');
    this.tell(error);
  }

  /** @param {unknown} error */
  tell(error) {
    write(byId('domain-fault'), inWords(Object(error)));
    byId('domain-fault').hidden = false;
  }

  /** @param {PerspectiveVector} vector */
  show(vector) {
    const { id, revision = '' } = this.model;
    if (revision && vector.revision ? revision !== vector.revision : id !== vector.model) {
      throw new Error('the encode server has another model now');
    }
    this.vector = vector;
    showVector(byId('domain-vector'), vector, (perspective, on) => {
      if (on) this.off.delete(perspective);
      else this.off.add(perspective);
      this.merge();
    });
    byId('domain-views').replaceChildren();
    vector.perspectives.forEach(({ weight }, i) => weight > 0 && this.addView(i, weight, WRITING));
    byId('domain-answer').hidden = false;
    const counting = count(this.views.size, 'perspective counts', 'perspectives count');
    const said = vector.refused ? 'The scores of the chat model could not be used' : counting;
    write(byId('domain-said'), `${said}. ${this.views.size > 0 ? 'The queries are being written …' : ''}`);
    this.merge();
  }

  /**
   * @param {number} perspective
   * @param {number} weight
   * @param {string} asks
   */
  addView(perspective, weight, asks) {
    const name = perspective === PLAIN ? 'The query as it is' : this.nameOf(perspective);
    const list = el('ol');
    /** @type {View} */
    const view = { perspective, weight, hits: [], list, asks: el('p', { className: 'hint' }, asks) };
    this.views.set(perspective, view);
    byId('domain-views').append(el('section', {}, el('h3', {}, name), view.asks, list));
    return view;
  }

  /** @param {number} perspective */
  nameOf(perspective) {
    return perspective === PLAIN ? 'the query as it is' : (this.vector?.perspectives[perspective].name ?? '');
  }

  /**
   * Searches by the query of a perspective, with as many hits as it adds if it is the only one. The query is shown with
   * its hits, or before them if they take longer than a frame: a frame in between would keep the hits waiting.
   * @param {Asked} asked
   * @param {import('../../lib/server.js').PerspectiveQuery} event
   * @param {AbortSignal} signal
   */
  async search({ vantage, k }, { perspective, weight, query, vector }, signal) {
    const found = vantage.search({ query: vector, ...BY_COSINE, k, signal });
    const view = this.views.get(perspective) ?? this.addView(perspective, weight, '');
    const late = setTimeout(write, FRAME, view.asks, query);
    try {
      const { hits } = await found;
      if (signal.aborted) return;
      this.fill(view, hits);
      this.merge();
    } finally {
      clearTimeout(late);
      write(view.asks, query);
    }
  }

  /**
   * @param {View} view
   * @param {readonly Hit[]} hits
   */
  fill(view, hits) {
    view.hits = hits;
    view.list.replaceChildren(...hits.map((hit) => item(hit, '', hit.score.toFixed(3))));
  }

  /** @param {number} perspective whose query could not be used */
  refuse(perspective) {
    const view = this.views.get(perspective);
    if (!view) return;
    write(view.asks, 'What the chat model wrote could not be used.');
    this.views.delete(perspective);
    this.merge();
  }

  /** @param {import('../../lib/server.js').PerspectivesDone['usage']} usage */
  end({ requests, promptTokens, replyTokens }) {
    this.ended();
    this.merge();
    const tokens = (promptTokens + replyTokens).toLocaleString('en');
    write(byId('domain-said'), `Done. The chat model was asked ${count(requests, 'time')} and used ${tokens} tokens.`);
  }

  /** Merges what the perspectives that are switched on have found so far. */
  async mergeNow() {
    const { asked, library } = this;
    if (!asked) return;
    const on = [...this.views.values()].filter(
      ({ perspective }) => perspective !== PLAIN && !this.off.has(perspective),
    );
    const views = on.length > 0 ? on : await this.plain(asked);
    if (asked !== this.asked) return;
    const rankings = views.map(({ hits }) => hits);
    const found = library.mergePerspectives(views, rankings, asked.k);
    const hits = new Map(rankings.flat().map((hit) => [hit.index, hit]));
    this.list(asked, found, hits);
    const shares = library.perspectiveShares(views, asked.k);
    const parts = views.map(({ perspective }, i) => `${shares[i]} of ${this.nameOf(perspective)}`);
    write(byId('domain-shares'), `The best ${parts.join(', ')}, by cosine times weight.`);
  }

  /**
   * What the query as it is finds, which ranks if no perspective counts. The server may be about to send its vector.
   * @param {Asked} asked
   */
  async plain({ vantage, query, k }) {
    const view = this.views.get(PLAIN) ?? this.addView(PLAIN, 1, query);
    try {
      if (view.hits.length === 0 && !this.stop) {
        this.fill(view, (await vantage.search({ query, ...BY_COSINE, k })).hits);
      }
    } catch (error) {
      this.tell(error);
    }
    return [view];
  }

  /**
   * @param {Asked} asked
   * @param {PerspectiveFound[]} found
   * @param {Map<number, Hit>} hits by index
   */
  list({ query }, found, hits) {
    const known = found.map(({ index, ...rest }) => ({ ...rest, hit: /** @type {Hit} */ (hits.get(index)) }));
    byId('domain-merged').replaceChildren(
      ...known.map(({ hit, rel, perspective }) =>
        item(hit, beginningOf(hit), `${rel.toFixed(3)} by ${this.nameOf(perspective)}`),
      ),
    );
    const texts = known.slice(0, PROMPTED).map(({ hit: { title, text } }) => [title, text].filter(Boolean).join('\n'));
    write(byId('domain-prompt'), this.library.readerPrompt(query, texts));
  }

  /** Pages over plain http may not write to the clipboard, and select the prompt instead. */
  async copy() {
    try {
      await navigator.clipboard.writeText(byId('domain-prompt').textContent ?? '');
      write(byId('domain-copied'), 'Copied.');
    } catch {
      getSelection()?.selectAllChildren(byId('domain-prompt'));
      write(byId('domain-copied'), 'The prompt is selected: copy it from the page.');
    }
    setTimeout(() => write(byId('domain-copied'), ''), 4000);
  }
}
