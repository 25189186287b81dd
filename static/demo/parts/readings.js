// The page's measurements of itself, and what to expect of the encoder.

import { byId, bytes, count, el, milliseconds, write } from './dom.js';
import { downloaded } from './downloads.js';
import { plainName } from './methods.js';

/**
 * @import { CollectionInfo, Progress, Vantage } from '../../lib/index.js'
 * @import { Answer, Comparison } from './comparison.js'
 * @import { Told } from './vectors.js'
 */

const dtypes = { I8: '8-bit integers', F16: '16-bit floats', F32: '32-bit floats' };

/**
 * Updates the bar while files arrive.
 * @param {Progress} progress
 * @param {boolean} opened whether queries can be answered yet
 */
export function showProgress({ loaded, total, rows, totalRows, encoder }, opened) {
  const bar = byId('progress');
  bar.max = total || 1;
  bar.value = loaded;
  const passages = opened
    ? ` · ${rows.toLocaleString('en')} of ${count(totalRows, 'passage')} can be searched`
    : ' · encoder and passages are loading';
  const later =
    opened && encoder.loaded < encoder.total ? ` · encoder: ${bytes(encoder.loaded)} of ${bytes(encoder.total)}` : '';
  byId('progress-text').textContent = `${bytes(loaded)} of ${bytes(total)}${passages}${later}`;
}

/**
 * Says that the part of the encoder that tells sides apart is loading, after everything else has loaded.
 * @param {Progress['encoder']} encoder
 * @param {number} before bytes of the encoder that had arrived with everything else
 */
export function showLate({ loaded, total }, before) {
  byId('late').hidden = loaded >= total || total <= before;
  const text = `Loading what tells sides apart: ${bytes(Math.max(0, loaded - before))} of ${bytes(total - before)} …`;
  write(byId('late'), text);
}

/**
 * @param {{base: Vantage, vantage: Vantage, name: string, comparison: Comparison}} page
 * @param {{opened: number|null, finished: number|null}} load
 * @param {Answer} answer
 */
export async function showReadings({ base, vantage, name, comparison }, load, { plain, chosen }) {
  const { coverage } = vantage;
  const { info } = base;
  const [memory, files] = await Promise.all([vantage.memory(), downloaded(base)]);
  /** @type {{[title: string]: (string[]|false|null|0)[]}} */
  const groups = {
    Collection: [
      ['Name', name || info.name || 'unnamed'],
      ['Passages', `${coverage.rows.toLocaleString('en')} of ${coverage.total.toLocaleString('en')}`],
      ['Vectors', `${vantage.info.dim} dimensions, ${dtypes[vantage.info.dtype]}`],
      ['Encoder', `${info.model.id}${info.model.revision ? ` @ ${info.model.revision}` : ''}`],
    ],
    Downloaded: [
      ...files.kinds.map(([kind, size]) => [kind, bytes(size)]),
      ['Altogether', bytes(files.total)],
      ['Over the network this time', files.network === null ? 'this browser does not report it' : bytes(files.network)],
    ],
    Time: [
      ['First query possible after', milliseconds(load.opened ?? 0)],
      load.finished && ['Everything loaded after', milliseconds(load.finished)],
      ['Encoding the query', milliseconds(comparison.vectors.time)],
      [`Ranking, ${plain.method === 'none' ? plainName(plain) : plain.method}`, milliseconds(plain.timing.rank)],
      chosen && [`Ranking, ${chosen.method}`, milliseconds(chosen.timing.rank)],
      ['Reading the passages', milliseconds((chosen ?? plain).timing.documents)],
    ],
    Engine: [
      ['Memory in use', bytes(memory.used)],
      ['Memory reserved', bytes(memory.reserved)],
      ['Runs in', vantage.inWorker ? 'a worker' : 'the page'],
    ],
  };
  const footer = byId('readings').closest('footer');
  if (footer) footer.hidden = false;
  byId('readings').replaceChildren(
    ...Object.entries(groups).map(([title, readings]) =>
      el(
        'section',
        {},
        el('h3', {}, title),
        el(
          'dl',
          {},
          readings.map((reading) =>
            reading ? el('div', {}, el('dt', {}, reading[0]), el('dd', {}, reading[1])) : null,
          ),
        ),
      ),
    ),
  );
}

const expectations = {
  static: {
    short: 'a bag of tokens, which cannot tell support from opposition.',
    more:
      'It adds up the vectors of word pieces and sees neither their order nor a “not”. It finds what a text is ' +
      'about, and a place, a time or a kind of person if they are named. No way of ranking can restore what the ' +
      'vectors lack: telling the sides apart needs a transformer encoder. With this one, the query alone often ' +
      'ranks better, because a projection also takes away the words that name the perspective; the counts above the ' +
      'two lists show it.',
  },
  pack: {
    short: 'a small transformer, which runs in this page.',
    more:
      'It reads a text as a whole, so it finds what a text is about even in other words. That a text opposes ' +
      'something changes its vector less than what it is about: the counts above the two lists show what the methods ' +
      'make of it.',
  },
  angles: {
    short: 'a small transformer, which runs in this page and tells sides apart.',
    more:
      'It gives a text two vectors: what it is about, and from which side it speaks. The method contrast uses both ' +
      'if the query asks for a side, such as “reasons against”, and Automatic takes it then; the first such query ' +
      'loads what that takes. The other methods use the first vector alone, which a side changes less than what a ' +
      'text is about.',
  },
  external: {
    short: 'not one that runs in this page.',
    more:
      'The vectors of this collection were made elsewhere. What they can tell apart depends on the model that ' +
      'made them.',
  },
};

/**
 * Shows which encoder answers, and what it cannot do.
 * @param {CollectionInfo} info
 * @param {Told[]} [texts]
 */
export function showEncoder({ model, angles }, texts = []) {
  byId('encoder-name').textContent = model.id;
  const { short, more } = expectations[angles > 0 ? 'angles' : model.kind];
  byId('encoder-short').textContent = short;
  byId('encoder-more').textContent = more;
  const tokens = texts.reduce((sum, text) => sum + (text.tokens ?? 0), 0);
  const unknown = texts.reduce((sum, text) => sum + (text.unknown ?? 0), 0);
  const warning = byId('encoder-warning');
  warning.hidden = unknown * 2 <= tokens;
  warning.textContent =
    `${unknown} of the ${tokens} word pieces of your query are unknown to the ` +
    `encoder${model.language === 'en' ? ', which knows English only' : ''}: this answer says little.`;
}
