// How answers look: everything below the search field.

import { byId, write } from '../../demo/parts/dom.js';
import { forOwner, showFault } from '../../demo/parts/faultbox.js';
import { wordsOf } from '../../src/show/excerpt.js';
import { Both } from './both.js';
import { List } from './list.js';
import { announcementOf, isEmpty, noticeOf, summaryOf } from './said.js';

/**
 * @import { Answer } from './engine.js'
 * @import { Fold } from '../../src/show/excerpt.js'
 * @import { Asked } from './state.js'
 */

/** Name of the mark in the browser's timeline when the first results are shown. */
const FIRST = 'vantage-first-results';

/** Milliseconds until an answer is announced. If they were fewer, a screen reader would speak after every key. */
const SPOKEN = 700;

export class View {
  constructor() {
    this.narrow = matchMedia('screen and (max-width: 46rem)');
    this.list = new List(byId('list'), 'h2');
    this.both = new Both(this.narrow);
    /** Whether the engine knows sides, so that their buttons are shown. */
    this.sided = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.speaking = undefined;
    this.noticed = '';
  }

  /** Shows nothing. */
  clear() {
    this.clearResults();
    byId('bar').hidden = true;
  }

  clearResults() {
    for (const id of ['both', 'nothing', 'notice', 'more-results']) byId(id).hidden = true;
    byId('list').hidden = false;
    this.list.show([], () => false, '', false);
  }

  /** @param {string} text says what the page waits for, in place of results; '' if it waits for nothing any more */
  wait(text) {
    this.clearResults();
    byId('bar').hidden = false;
    this.showSides();
    write(byId('summary'), text);
    this.announce(text);
  }

  /**
   * @param {Answer} answer
   * @param {Asked} asked
   * @param {Fold} fold
   * @param {{move?: boolean, further?: boolean, nearest?: boolean}} how move: results glide to their places; further:
   *   results are added to those that are shown; nearest: results are shown even if they are not close to the query
   */
  show(answer, asked, fold, { move = false, further = false, nearest = false }) {
    const { query } = asked;
    const words = wordsOf(answer.kind === 'both' ? answer.root : query, fold);
    const nothing = isEmpty(answer) && !nearest;
    const both = answer.kind === 'both' && !nothing;
    byId('both').hidden = !both;
    byId('list').hidden = both;
    if (both) this.both.show(answer, words, query, further);
    else if (nothing || answer.kind === 'both') this.list.show([], words, query, false);
    else if (further) focusOn(this.list.extend(answer.groups, words, query));
    else this.list.show(answer.groups, words, query, move);
    if (!nothing && performance.getEntriesByName(FIRST).length === 0) performance.mark(FIRST);

    const none = `Nothing close enough to “${query}”`;
    write(byId('nothing-title'), none);
    byId('nothing').hidden = !nothing;
    byId('nearest').hidden = answer.kind === 'both' || answer.groups.length === 0;
    byId('more-results').hidden = nothing || !answer.more;
    byId('bar').hidden = false;
    this.showSides();
    write(byId('summary'), nothing ? '' : summaryOf(answer, asked));
    this.notice(noticeOf(answer));
    this.announce(nothing ? `${none}.` : announcementOf(answer, asked));
  }

  /**
   * Says of results that are on the screen already how an answer has found them, if that moves nothing.
   * @param {Answer} answer
   * @param {Asked} asked
   * @returns {boolean} whether it has
   */
  adopt(answer, asked) {
    if (!this.has(answer, asked.query) || noticeOf(answer) !== this.noticed) return false;
    const [summary, sides] = [byId('summary'), byId('sides')];
    const [{ textContent }, { hidden }] = [summary, sides];
    const top = () => byId('list').getBoundingClientRect().top;
    const before = top();
    write(summary, summaryOf(answer, asked));
    this.showSides();
    if (top() === before) {
      this.announce(announcementOf(answer, asked));
      return true;
    }
    summary.textContent = textContent;
    sides.hidden = hidden;
    return false;
  }

  /**
   * Whether the results of an answer are on the screen already, in the same order.
   * @param {Answer} answer
   * @param {string} [query] if it is given, the same must be said of each result
   */
  has(answer, query) {
    return answer.kind === 'list' && !isEmpty(answer) && !byId('list').hidden && this.list.has(answer.groups, query);
  }

  showSides() {
    byId('sides').hidden = !this.sided;
  }

  /** @param {string} text if it is '', the next text is spoken even if it is that of the last answer */
  announce(text) {
    clearTimeout(this.speaking);
    if (text) this.speaking = setTimeout(() => write(byId('announcement'), text), SPOKEN);
    else write(byId('announcement'), text);
  }

  /** @param {string} text that says why an answer is not as good as it could be; '' if nothing is missing */
  notice(text) {
    const place = byId('notice');
    place.hidden = text === '';
    if (this.noticed === text) return;
    this.noticed = text;
    // In parentheses is what is wrong with a file, and what to do about it.
    const [whole = '', why = ''] = text.match(/ \((.*)\)(?=[:;.])/s) ?? [];
    place.replaceChildren(text.replace(whole, ''), why && forOwner(why));
  }

  /** @param {unknown} error */
  fault(error) {
    showFault(byId('fault'), error);
  }
}

/** @param {HTMLElement|undefined} item */
function focusOn(item) {
  /** @type {HTMLElement|null|undefined} */ (item?.querySelector('.stop'))?.focus();
}
