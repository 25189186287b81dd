// Faults of a request to an encode server's chat model, in words for visitors, who do not run the server.

import { count, sentence } from './dom.js';

/**
 * @param {{code?: string, status?: number, reason?: string, retryAfter?: number|null, message: string}} error
 */
export function inWords({ code, status, reason, retryAfter, message }) {
  const again = retryAfter ? `Try again in ${duration(retryAfter)}.` : 'Try again later.';
  if (code === 'refused' && status === 401) {
    return (
      'The encode server wants a key that this page does not have. Whoever runs the server can let pages ask without ' +
      'one: --chat-requests and --chat-tokens bound what each visitor may ask, in place of --keys.'
    );
  }
  if (code === 'refused' && status === 403) {
    return (
      `The encode server does not let this page ask. Whoever runs the server can allow it with --origin ${origin}, ` +
      'or in the gateway before it.'
    );
  }
  if (reason === 'budget_exceeded') return `What you may ask the chat model in a day is used up. ${again}`;
  if (code === 'busy' && status === 429) return `The encode server has too much to do. ${again}`;
  if (code === 'busy') return `The chat model cannot be asked now. ${again}`;
  return `${sentence(message || 'the encode server cannot be asked now')}.`;
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 90) return count(seconds, 'second');
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
