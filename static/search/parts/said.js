// The sentences that the page says about an answer.

import { count } from '../../demo/parts/dom.js';
import { ASKS } from '../../demo/parts/kinds.js';

/**
 * @import { Answer } from './engine.js'
 * @import { Asked } from './state.js'
 */

/**
 * The line above the results.
 * @param {Answer} answer
 * @param {Asked} asked
 */
export function summaryOf(answer, { from }) {
  if (answer.kind === 'both') return `Both sides of “${answer.root}”`;
  const { groups, more, result, side } = answer;
  const what = `${more ? 'The best ' : ''}${count(groups.length, 'result')}`;
  if (!result || result.method === 'bm25') return `${what}, by words`;
  const by = result.hybrid ? 'by meaning and words' : 'by meaning';
  if (side) return `${what} ${side} “${answer.root}”, ${by}`;
  if (from) return `${what} from “${from}”, ${by}`;
  return result.kind ? `${what}, ${by}: ${ASKS[result.kind]}` : `${what}, ${by}`;
}

/**
 * The same for a screen reader.
 * @param {Answer} answer
 * @param {Asked} asked
 */
export function announcementOf(answer, asked) {
  if (answer.kind === 'list') return `${summaryOf(answer, asked)}.`;
  return `${summaryOf(answer, asked)}: ${count(answer.for.count, 'passage')} for, ${answer.against.count} against.`;
}

/**
 * A sentence that says why an answer is not as good as it could be; '' if nothing is missing.
 * @param {Answer} answer
 */
export function noticeOf(answer) {
  const { rows, total } = Object(answer.kind === 'both' ? answer : answer.result).coverage ?? {};
  if (rows < total) return `Only ${rows.toLocaleString('en')} of ${count(total, 'passage')} have arrived.`;
  if (answer.kind === 'both') return answer.personal ? NOT_PERSONAL : '';
  if (!answer.result?.notice) return '';
  const { notice, method } = answer.result;
  const unused = method === 'bm25' && answer.contexts > 0 ? ' What you say about yourself cannot be used.' : '';
  return `${notice[0].toUpperCase()}${notice.slice(1)}.${unused}`;
}

const NOT_PERSONAL =
  'The columns are ordered by subject and by how clearly a passage takes its side, not by what you say about yourself.';

/**
 * Whether nothing in the collection is close to the query.
 * @param {Answer} answer
 */
export function isEmpty(answer) {
  if (answer.kind === 'both') return answer.for.count + answer.against.count + answer.neither.count === 0;
  return answer.groups.length === 0 || (answer.result !== null && Object(answer.result).close === false);
}
