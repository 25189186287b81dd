// The panel that measures both rankings on the judged queries, and says which one does
// better, even if it is the plain one.

import { byId, count, el, write } from './dom.js';
import { swap } from './focus.js';
import { settled } from './latest.js';
import { KS, Measurement } from './measure.js';
import { plainName, settingsOf, shortName } from './methods.js';

/**
 * @import { AtK, Method, Score, Vantage } from '../../lib/index.js'
 * @import { Judged } from './judgements.js'
 * @typedef {{method: Method, lambda: number|null, strength: number|null, mmr: number|null, score: Score}} Settings
 */

export class Gold {
  /**
   * @param {import('./form.js').Form} form
   * @param {Vantage} vantage the page's own collection
   * @param {Judged[]} judged
   */
  constructor(form, vantage, judged) {
    this.form = form;
    this.vantage = vantage;
    this.plain = plainName(vantage.info);
    this.measurement = new Measurement(vantage, judged);
    /** @type {AbortController|null} of a measurement under way */
    this.stop = null;
    this.key = ''; // of the settings that were measured
    this.follows = false; // whether to measure again when settings change
    this.again = settled(() => {
      if (this.follows) this.run();
    }, 400);
    byId('gold-run').addEventListener('click', () => this.run());
    byId('gold-stop').addEventListener('click', () => {
      this.follows = false;
      this.stop?.abort(new DOMException('stopped', 'AbortError'));
    });
    write(
      byId('gold-what'),
      `${count(judged.length, 'query', 'queries')} with known answers, run both ways in this page.`,
    );
  }

  /**
   * Shows or hides the section, which is only for the page's own collection.
   * @param {boolean} on
   */
  show(on) {
    byId('gold').hidden = !on;
    if (!on) this.stop?.abort(new DOMException('another collection is searched', 'AbortError'));
  }

  /** Called when settings may have changed. */
  changed() {
    if (this.follows && this.key !== this.settingsKey) this.again();
  }

  get settings() {
    const { lambda, strength, mmr, score } = this.form.value;
    return { method: this.form.method, lambda, strength, mmr, score: score ?? this.vantage.info.score };
  }

  get settingsKey() {
    const { method, ...settings } = this.settings;
    return JSON.stringify([method.name, settings]);
  }

  async run() {
    this.stop?.abort(new DOMException('other settings', 'AbortError'));
    const stop = new AbortController();
    this.stop = stop;
    this.follows = true;
    this.key = this.settingsKey;
    const { settings } = this;
    this.busy(true);
    try {
      /**
       * @param {number} done
       * @param {number} total
       */
      const onProgress = (done, total) => {
        byId('gold-bar').max = total || 1;
        byId('gold-bar').value = done;
      };
      const figures = await this.measurement.run(settings, { signal: stop.signal, onProgress });
      if (!stop.signal.aborted) this.write(figures, settings);
    } catch (error) {
      if (!stop.signal.aborted) write(byId('gold-verdict'), String(Object(error).message));
    } finally {
      if (this.stop === stop) this.busy(false);
    }
  }

  /** @param {boolean} on */
  busy(on) {
    if (!on) this.stop = null;
    byId('gold-busy').hidden = false;
    if (on) swap('gold-run', 'gold-stop');
    else swap('gold-stop', 'gold-run');
    byId('gold-busy').hidden = !on;
    byId('gold-table').ariaBusy = String(on);
  }

  /**
   * @param {Awaited<ReturnType<Measurement['run']>>} figures
   * @param {Settings} settings
   */
  write({ asked, refused, plain, chosen }, { method, ...settings }) {
    this.plain = plainName(settings);
    const name = shortName(method);
    const at = [name, ...settingsOf(method, settings)].join(' ');
    const labels = Object.entries(plain.recall.per_label ?? {}).filter(([label]) => label !== '');
    /**
     * @param {string} title
     * @param {AtK} a
     * @param {AtK} b
     */
    const row = (title, a, b) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, title),
        KS.flatMap((k) => [cell(a[k], b[k]), cell(b[k], a[k])]),
      );
    byId('gold-head').replaceChildren(
      el(
        'tr',
        {},
        el('td', {}),
        KS.map((k) => el('th', { scope: 'colgroup', colSpan: 2 }, `@${k}`)),
      ),
      el(
        'tr',
        {},
        el('th', { scope: 'col' }, 'found'),
        KS.flatMap(() => [el('th', { scope: 'col' }, 'plain'), el('th', { scope: 'col' }, name)]),
      ),
    );
    byId('gold-rows').replaceChildren(
      row(`p-Recall, ${count(plain.roots ?? 0, 'root')}`, plain.p_recall ?? {}, chosen.p_recall ?? {}),
      row(`Recall, all ${asked}`, plain.recall.overall, chosen.recall.overall),
      ...labels.map(([label, found]) => row(`${label}, ${found.n}`, found, chosen.recall.per_label?.[label] ?? {})),
    );
    byId('gold-table').hidden = false;
    write(byId('gold-run'), 'Measure again');
    write(
      byId('gold-verdict'),
      [
        verdict(at, this.plain, plain.p_recall ?? {}, chosen.p_recall ?? {}),
        left(asked, this.measurement.judged.length, refused),
      ]
        .filter(Boolean)
        .join(' '),
    );
  }
}

/**
 * A cell of the table. The better of two figures is marked not only by colour.
 * @param {number} value
 * @param {number} other
 */
function cell(value, other) {
  return el(
    'td',
    { className: value > other ? 'better' : '' },
    value > other ? '▴ ' : '',
    value.toFixed(3),
    value > other && el('span', { className: 'spoken' }, ' (better)'),
  );
}

/**
 * Says which ranking finds more.
 * @param {string} at the chosen method with its settings
 * @param {string} name of the plain ranking
 * @param {AtK} plain
 * @param {AtK} chosen
 */
function verdict(at, name, plain, chosen) {
  const k = Math.max(...KS);
  const sign = (/** @type {number} */ depth) => Math.sign(chosen[depth] - plain[depth]);
  const word = ['less often than', 'as often as', 'more often than'][sign(k) + 1];
  const figures = `p-Recall@${k} is ${chosen[k].toFixed(3)} against ${plain[k].toFixed(3)}`;
  const found = `${at} finds ${word} the ${name}: ${figures}.`;
  const others = KS.filter((depth) => sign(depth) !== sign(k)).map((depth) => `@${depth}`);
  if (others.length) return `${found} It is otherwise ${others.join(' and ')}.`;
  return sign(k) < 0 ? `${found} With this encoder, plain is the better choice here.` : found;
}

/**
 * @param {number} asked
 * @param {number} all
 * @param {number} refused
 */
function left(asked, all, refused) {
  return [
    asked < all &&
      `${count(all - asked, 'query lacks', 'queries lack')} what the method needs and ` +
        `${all - asked === 1 ? 'was' : 'were'} left out on both sides.`,
    refused > 0 && `${count(refused, 'query', 'queries')} had no defined answer and count as not found.`,
  ]
    .filter(Boolean)
    .join(' ');
}
