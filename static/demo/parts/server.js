// The encode server that the site names: the collection is opened with it, and the
// page says whether it can be reached, who encoded a query, and what each step took.
// Only queries go there.

import { Vantage } from '../../lib/index.js';
import { byId, el, milliseconds, write } from './dom.js';

/** Errors after which the page goes on as if the site named no server. */
const FINAL = ['encoder-mismatch', 'refused'];

const WHO = { server: 'the encode server', page: 'this page', engine: 'this page' };

const connection = el('p', { id: 'connection', className: 'hint', role: 'status' });
const steps = el('p', { id: 'steps', className: 'hint' });

let encoder = null;
let fault = null; // for good
let info = null; // of the collection, once it is open
let alone = null; // promise of the collection without the server

/**
 * @param {string} address of the server
 * @param {string} url of the collection
 * @param {object} options of Vantage.open
 * @param {() => void} onReturn the server can be reached again
 */
export async function open(address, url, options, onReturn) {
  byId('results').querySelector('.answer').after(connection, steps);
  const { ServerEncoder } = await import('../../lib/server.js'); // which sites without a server lack
  encoder = new ServerEncoder(address);
  let lost = false;
  encoder.addEventListener('state', () => {
    if (encoder.state === 'open' && lost) onReturn();
    lost = encoder.state !== 'open';
    tell();
  });
  const vantage = await Vantage.open(url, { ...options, encoder }).catch((error) => {
    if (!FINAL.includes(error.code)) throw error;
    encoder.close();
    fault = error;
    return Vantage.open(url, options);
  });
  ({ info } = vantage);
  if (info.model.kind !== 'static') {
    byId('file').disabled = true;
    byId('file-hint').textContent = 'Not here: its texts would have to be sent to the encode server.';
  }
  tell();
  return vantage;
}

/** The collection with the encoder that it carries, for texts that must not leave the page. */
export function apart(url) {
  alone ??= Vantage.open(url).catch((error) => {
    alone = null;
    throw error;
  });
  return alone;
}

function tell() {
  if (!info) return;
  const good =
    !fault &&
    { connecting: 'Connecting to the encode server again …', open: 'Connected to the encode server.' }[encoder.state];
  const meanwhile =
    info.model.kind === 'static'
      ? 'The encoder in this page answers.'
      : info.words
        ? 'Queries are answered by their words.'
        : 'Nothing can be searched.';
  connection.className = good ? 'hint' : 'hint warning';
  write(connection, good || `${sentence((fault ?? encoder.error).message)} ${meanwhile}`);
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/**
 * What it took to answer.
 * @param {{encodedBy?: string}[]} texts that were encoded; none: words answered
 * @param {number} encoding milliseconds of it
 * @param {{rank: number, documents: number}} timing
 */
export function answered(texts, encoding, { rank, documents }) {
  const by = texts.find((text) => text.notice) ?? texts[0];
  const way =
    by?.encodedBy === 'server' && encoder.roundTrip > 0
      ? `, of it ${milliseconds(encoder.roundTrip)} there and back`
      : '';
  const how = by ? `Encoded by ${WHO[by.encodedBy]} in ${milliseconds(encoding)}${way}` : 'By words alone';
  write(steps, `${how} · ranked in ${milliseconds(rank)} · passages read in ${milliseconds(documents)}`);
}
