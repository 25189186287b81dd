// One passage in a list. Its elements are built once and then updated, so that
// moving a slider costs a few text nodes per frame.

import { count, el, write } from './dom.js';
import { explanation } from './explain.js';
import { light } from './light.js';
import { shortName } from './methods.js';
import { stanceText } from './stance.js';

/**
 * @import { CollectionInfo, ExplainedHit, Hit, Method, Stance } from '../../lib/index.js'
 * @typedef {CollectionInfo['fields'][number]} Field
 * @typedef {{kind: string, text: string, meaning: string}} Badge
 */

/** Most metadata values shown with a hit. */
const MAX_TAGS = 5;

export class HitView {
  /** @param {number} index */
  constructor(index) {
    this.rank = el('span', { className: 'rank', 'aria-hidden': 'true' });
    this.title = el('h3');
    this.badge = el('span', { className: 'move' });
    this.text = el('p', { className: 'text' });
    this.tags = el('ul', { className: 'tags', 'aria-label': 'Metadata' });
    this.score = el('span', { className: 'score' });
    this.details = el('details', {}, el('summary', {}, this.score, ' why?'));
    this.stance = el('span', { className: 'stance' });
    this.other = el('button', { type: 'button', className: 'quiet other-side' }, 'other side');
    this.item = el(
      'li',
      { className: 'hit', tabIndex: -1 },
      el('div', { className: 'hit-head' }, this.rank, this.title, this.badge),
      this.text,
      el('div', { className: 'hit-foot' }, this.stance, this.tags, this.other, this.details),
    );
    this.item.dataset.index = String(index);
    /** @type {Hit|null} that is shown */
    this.hit = null;
    /** @type {Method|null} */
    this.method = null;
    this.shown = ''; // badge
    /** @type {object|null} metadata */
    this.tagged = null;
    /** @type {string|undefined} name of the field whose values have colours */
    this.mix = undefined;
    this.details.addEventListener('toggle', () => this.explain());
    light(this.item, index);
  }

  /**
   * @param {Hit} hit
   * @param {Method|null} method null: words have ranked, so there is no explanation
   * @param {{readonly [field: string]: unknown}} metadata of the document
   * @param {Field|null} mix the field whose values have colours
   * @param {Badge} badge
   */
  update(hit, method, metadata, mix, badge) {
    const same = this.hit?.score === hit.score && this.method === method && this.hit.explain?.x === hit.explain?.x;
    this.hit = hit;
    this.method = method;
    write(this.rank, String(hit.rank));
    const brief = isBrief(hit);
    write(this.title, brief ? hit.text : hit.title || hit.id);
    write(this.text, brief ? '' : hit.text);
    this.text.hidden = brief;
    this.other.title = `What is near “${nameOf(hit)}” in topic and speaks from the other side`;
    write(this.score, hit.score.toFixed(3));
    if (this.shown !== badge.meaning + badge.kind) {
      this.shown = badge.meaning + badge.kind;
      this.badge.hidden = badge.text === '';
      this.badge.className = `move ${badge.kind}`;
      this.badge.title = badge.meaning;
      this.badge.replaceChildren(
        el('span', { 'aria-hidden': 'true' }, badge.text),
        el('span', { className: 'spoken' }, badge.meaning),
      );
    }
    if (this.tagged !== metadata || this.mix !== mix?.name) {
      this.tagged = metadata;
      this.mix = mix?.name;
      this.tags.replaceChildren(...tagsOf(metadata, mix));
    }
    if (!same) this.explain();
  }

  /**
   * Says which side the passage is on.
   * @param {Stance|null} [stance]
   */
  tell(stance) {
    const side = stance?.side ?? 'neither';
    this.stance.className = `stance ${side}`;
    this.stance.replaceChildren(...(stance && side !== 'neither' ? stanceText(stance) : []));
  }

  /** Writes the explanation when it is opened. */
  explain() {
    this.details.querySelector('.explanation')?.remove();
    const { hit, method } = this;
    if (!this.details.open || !hit?.explain || !method) return;
    this.details.append(explanation({ ...hit, explain: hit.explain }, method));
  }
}

/** Most characters of a text without a title that is its own heading. */
const MAX_BRIEF = 200;

/**
 * @param {{title: string, text: string}} hit
 */
const isBrief = ({ title, text }) => !title && text !== '' && text.length <= MAX_BRIEF;

/** Most characters of a text that names a hit. */
const MAX_NAME = 60;

/**
 * What to call a hit in a sentence: its title, or else how its text begins.
 * @param {{title: string, text: string, id: string}} hit
 */
export function nameOf({ title, text, id }) {
  if (title || !text) return title || id;
  const start = [...text].slice(0, MAX_NAME).join('');
  return start === text ? text : `${start.replace(/\s+\S*$/, '')} …`;
}

/**
 * The rank of a hit under the plain cosine, which every comparison requests.
 * @param {ExplainedHit} hit
 */
export const cosineRank = (hit) => /** @type {number} */ (hit.explain.cosine_rank);

/**
 * The difference of a hit's rank from its rank under the plain cosine.
 * @param {ExplainedHit} hit
 * @returns {Badge}
 */
export function move(hit) {
  const from = cosineRank(hit);
  const by = from - hit.rank;
  if (by === 0) return { kind: 'same', text: '=', meaning: `at rank ${from} on both sides` };
  if (by > 0) return { kind: 'up', text: `▲ ${by}`, meaning: `up ${count(by, 'place')}, from rank ${from}` };
  return { kind: 'down', text: `▼ ${-by}`, meaning: `down ${count(-by, 'place')}, from rank ${from}` };
}

/**
 * The place of a plain hit among the chosen method's; `to` is undefined if it
 * is not shown there.
 * @param {number|undefined} to
 * @param {Method} method
 * @returns {Badge}
 */
export function fate(to, method) {
  if (to === undefined) return { kind: 'out', text: 'out', meaning: `not among the results of ${shortName(method)}` };
  return { kind: 'to', text: `→ ${to}`, meaning: `at rank ${to} on the other side` };
}

/**
 * @param {{readonly [field: string]: unknown}} metadata
 * @param {Field|null} mix
 */
function tagsOf(metadata, mix) {
  const shown = Object.entries(metadata).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  shown.sort(([a], [b]) => Number(b === mix?.name) - Number(a === mix?.name));
  return shown.slice(0, MAX_TAGS).map(([name, value]) => {
    const colour = mix && name === mix.name ? ` value-${mix.values.indexOf(String(value))}` : '';
    return el('li', { className: `tag${colour}`, title: `${name}: ${value}` }, String(value));
  });
}
