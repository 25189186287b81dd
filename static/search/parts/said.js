// What the page says about an answer.

import { count } from '../../demo/parts/dom.js';
import { ASKS } from '../../demo/parts/kinds.js';

/**
 * @import { SearchResult } from '../../lib/index.js'
 * @import { Answer } from './engine.js'
 */

/**
 * By what a list was ranked, in a word.
 * @param {SearchResult|null} result null: by words, without the engine
 */
function rankedBy(result) {
  if (!result || result.method === 'bm25') return 'by words';
  const by = result.hybrid ? 'by meaning and words' : 'by meaning';
  return result.kind ? `${by}: ${ASKS[result.kind]}` : by;
}

/**
 * The line above the results.
 * @param {Answer} answer
 */
export function summaryOf(answer) {
  if (answer.kind === 'both') return `Both sides of “${answer.root}”`;
  const { groups, more } = answer;
  return `${more ? 'The best ' : ''}${count(groups.length, 'result')}, ${rankedBy(answer.result)}`;
}

/**
 * The same for those who hear the page.
 * @param {Answer} answer
 */
export function announcementOf(answer) {
  if (answer.kind === 'list') return `${summaryOf(answer)}.`;
  return `${summaryOf(answer)}: ${count(answer.for.count, 'passage')} for, ${answer.against.count} against.`;
}

/**
 * Why an answer is not as good as it should be, as a sentence; '': it is.
 * @param {Answer} answer
 */
export function noticeOf(answer) {
  const notice = (answer.kind === 'list' && answer.result?.notice) || '';
  return notice && `${notice[0].toUpperCase()}${notice.slice(1)}.`;
}

/**
 * Whether an answer says that nothing in the collection is close to the query.
 * @param {Answer} answer
 */
export function isEmpty(answer) {
  if (answer.kind === 'both') return answer.for.count + answer.against.count + answer.neither.count === 0;
  return answer.groups.length === 0 || (answer.result !== null && Object(answer.result).close === false);
}
