// The encode server that the site names: the collection is opened with it, and the
// page says whether it can be reached, who encoded a query, and what each step took.
// Of the visitor's texts, only queries go there.

import { Vantage } from '../../lib/index.js';
import { Domain } from './domain.js';
import { byId, el, milliseconds, sentence, write } from './dom.js';

/**
 * @import { CollectionInfo, EncodedBy } from '../../lib/index.js'
 * @import { ServerEncoder } from '../../lib/server.js'
 */

/** Errors after which the page works as if the site named no server. */
const FINAL = ['encoder-mismatch', 'refused'];

/**
 * Whether the collection carries its encoder, static or a pack: then the page can encode without the server.
 * @param {CollectionInfo} info
 */
export const carriesEncoder = ({ model }) => model.kind !== 'external';

/** Why a visitor's own file cannot be searched if only the server has the encoder. */
export const NO_FILES = 'its texts would have to be sent to the encode server.';

/** @type {{[state: string]: string}} */
const GOOD = { connecting: 'Connecting to the encode server again …', open: 'Connected to the encode server.' };

const WHO = { server: 'the encode server', page: 'this page', engine: 'this page' };

const connection = el('p', { id: 'connection', className: 'hint', role: 'status' });
const steps = el('p', { id: 'steps', className: 'hint' });

/** @type {ServerEncoder|null} */
let encoder = null;
/** @type {Error|null} a permanent fault */
let fault = null;
/** @type {CollectionInfo|null} once the collection is open */
let info = null;
/** @type {Domain|null} once the collection is open */
let domain = null;
/** @type {Promise<Vantage>|null} the collection without the server */
let alone = null;

/**
 * @param {string} address of the server
 * @param {string} url of the collection
 * @param {import('../../lib/index.js').OpenOptions} options
 * @param {() => void} onReturn called when the server can be reached again
 */
export async function open(address, url, options, onReturn) {
  byId('results').querySelector('.answer')?.after(connection, steps);
  const library = await import('../../lib/server.js'); // sites without a server lack this file
  const server = (encoder = new library.ServerEncoder(address));
  let lost = false;
  server.addEventListener('state', () => {
    if (server.state === 'open' && lost) onReturn();
    lost = server.state !== 'open';
    tell();
  });
  const vantage = await Vantage.open(url, { ...options, encoder: server }).catch((error) => {
    if (!FINAL.includes(error.code)) throw error;
    server.close();
    fault = error;
    return Vantage.open(url, options);
  });
  ({ info } = vantage);
  tell();
  domain = new Domain(library, server, info.model, fault);
  return vantage;
}

/**
 * Takes note of what is asked.
 * @param {Parameters<Domain['note']>[0]} asked
 */
export function asks(asked) {
  domain?.note(asked);
}

/**
 * The collection with its own encoder, for texts that must not leave the page.
 * @param {string} url
 */
export function apart(url) {
  alone ??= Vantage.open(url).catch((error) => {
    alone = null;
    throw error;
  });
  return alone;
}

function tell() {
  if (!info) return;
  const good = fault || !encoder ? '' : GOOD[encoder.state];
  const meanwhile = carriesEncoder(info)
    ? 'The encoder in this page answers.'
    : info.words
      ? 'Queries are answered by their words.'
      : 'Nothing can be searched.';
  connection.className = good ? 'hint' : 'hint warning';
  const why = (fault ?? encoder?.error)?.message;
  write(connection, good || `${why ? `${sentence(why)}. ` : ''}${meanwhile}`);
}

/**
 * Shows how an answer was made, and the time of each step.
 * @param {{encodedBy: EncodedBy, notice?: string}[]} texts that were encoded; none: words answered
 * @param {number} encoding milliseconds of it
 * @param {{rank: number, documents: number}} timing
 */
export function answered(texts, encoding, { rank, documents }) {
  const by = texts.find((text) => text.notice) ?? texts[0];
  const way =
    by?.encodedBy === 'server' && encoder && encoder.roundTrip > 0
      ? `, including a round trip of ${milliseconds(encoder.roundTrip)}`
      : '';
  const how = by ? `Encoded by ${WHO[by.encodedBy]} in ${milliseconds(encoding)}${way}` : 'Only by words';
  write(steps, `${how} · ranked in ${milliseconds(rank)} · passages read in ${milliseconds(documents)}`);
}
