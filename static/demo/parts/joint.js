// Private contexts in the lab: PCAS, and beside it the systems that its paper compares it with (Wan et al. 2023,
// §4). The definitions are those of internal/wasm/joint.
//
// PCAS and B2 rank what the question alone finds. B1 and B3 join contexts with the question and fetch what that finds,
// so the requests could betray the contexts to a host. They run only if the visitor asks for them.

import { mountAbout } from '../../about/panel.js';
import { cosine } from '../../src/cosine.js';
import { byId, el, write } from './dom.js';
import { nameOf } from './hit.js';
import { plainName } from './methods.js';

/**
 * @import { Hit, Score, Vantage } from '../../lib/index.js'
 * @typedef {{query: string, k: number, score: Score|null}} Asked
 */

/** Number of results that each system shows. */
const SHOWN = 5;

export class Joint {
  /** @param {() => void} onChange called when the contexts have changed */
  constructor(onChange) {
    this.about = mountAbout(byId('about'), { onChange: () => onChange() });
    /** @type {{vantage: Vantage, asked: Asked, contexts: string[], key: string}|null} what is shown */
    this.shown = null;
    byId('joint-run').addEventListener('click', () => this.compare());
    byId('about-section').hidden = false;
  }

  /**
   * Answers a question. It sends the same requests whether there are contexts or not.
   * @param {Vantage} vantage
   * @param {Asked} asked
   */
  async show(vantage, asked) {
    const { contexts } = this.about;
    const key = JSON.stringify([asked.query, asked.k, asked.score, contexts, vantage.coverage.rows]);
    if (this.shown?.vantage === vantage && this.shown.key === key) return; // only the method has changed
    const { hits } = await vantage.search({ ...plainly(asked.query, asked), contexts });
    this.shown = { vantage, asked, contexts, key };
    const score = asked.score ?? vantage.info.score;
    write(byId('joint-plain'), score === 'maxsim' ? 'MaxSim' : `the ${plainName({ score })}`);
    byId('joint').hidden = contexts.length === 0 || hits.length === 0;
    byId('joint-more').hidden = true;
    byId('joint-offer').hidden = false;
    byId('joint-fault').hidden = true;
    if (contexts.length === 0) return;
    fill('pcas', hits, reasonOf);
    fill('b2', [...hits].sort(byRelevance), fitOf);
  }

  /** Shows B1 and B3. */
  async compare() {
    const { shown } = this;
    if (!shown) return;
    const { vantage, asked, contexts } = shown;
    try {
      const nearest = contexts[await nearestTo(vantage, asked, contexts)];
      const [b1, b3] = await Promise.all(
        [contexts, [nearest]].map((some) => vantage.search(plainly([asked.query, ...some].join(' '), asked))),
      );
      if (this.shown !== shown) return; // another question has been asked meanwhile
      fill('b1', b1.hits, () => '');
      fill('b3', b3.hits, () => `because: ${nearest}`);
      byId('joint-more').hidden = false;
      byId('joint-offer').hidden = true;
      byId('joint-b1-title').focus(); // the button is gone
    } catch (error) {
      byId('joint-fault').textContent = String(Object(error).message);
      byId('joint-fault').hidden = false;
    }
  }
}

/**
 * @param {string} query
 * @param {Pick<Asked, 'k'|'score'>} asked
 */
const plainly = (query, { k, score }) =>
  /** @type {const} */ ({ query, k, score, method: 'none', hybrid: false, explain: true });

/** @param {Hit} hit */
const reasonOf = ({ because }) => (because ? `because: ${because.text}` : '');

/** @param {Hit} hit */
const fitOf = ({ because }) => (because ? `fits best: ${because.text}` : '');

/**
 * The order in which the question alone ranks.
 * @param {Hit} a
 * @param {Hit} b
 */
const byRelevance = (a, b) => Object(b.because).relevance - Object(a.because).relevance || a.index - b.index;

/**
 * The index of the context nearest to the question, or of the first one if several are. Contexts have the role of
 * documents here.
 * @param {Vantage} vantage
 * @param {Asked} asked
 * @param {string[]} contexts
 */
async function nearestTo(vantage, { query, score }, contexts) {
  const { vector } = await vantage.encode(query);
  const { score: own, dim } = vantage.info;
  const compare = { dot, cosine, maxsim: maxSim(dim) }[score ?? own];
  const scores = (await vantage.encode(contexts, 'document')).map((other) => compare(vector, other.vector));
  return scores.indexOf(Math.max(...scores));
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The sum over the vectors of a question of their greatest product with a vector of a context.
 * @param {number} dim of each vector, which are one after the other
 */
function maxSim(dim) {
  return (/** @type {Float32Array} */ question, /** @type {Float32Array} */ context) => {
    const rows = (/** @type {Float32Array} */ all) =>
      Array.from({ length: all.length / dim }, (_, i) => all.subarray(i * dim, (i + 1) * dim));
    const own = rows(context);
    return rows(question).reduce((sum, q) => sum + Math.max(...own.map((c) => dot(q, c))), 0);
  };
}

/**
 * @param {'pcas'|'b1'|'b2'|'b3'} system
 * @param {readonly Hit[]} hits
 * @param {(hit: Hit) => string} reason
 */
function fill(system, hits, reason) {
  byId(`joint-${system}`).replaceChildren(
    ...hits.slice(0, SHOWN).map((hit) => {
      const why = reason(hit);
      const item = el(
        'li',
        {},
        el('strong', {}, nameOf(hit)),
        ` ${start(hit)}`,
        why && el('p', { className: 'hint' }, why),
      );
      item.dataset.index = String(hit.index);
      return item;
    }),
  );
}

/** Most characters of a text that are shown. */
const MAX_TEXT = 140;

/** @param {Hit} hit */
function start({ title, text }) {
  if (!title) return '';
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/\s+\S*$/u, '')} …`;
}
