// The choice of the encoder: built in, or a server of the user's own.

import { ServerEncoder } from '../../lib/server.js';
import { readSettings, serverAddress, writeSettings } from '../settings.js';
import { text } from '../text.js';
import { attempt, byId, messageOf, say } from './page.js';

/** @typedef {import('../types.d.ts').Settings['encoder']} Encoder */

/** Milliseconds that a server may take to answer a try. */
const PATIENCE = 8000;

const STATUS = 'encoder-status';

/** @param {Encoder} encoder what is stored */
export function showEncoder(encoder) {
  const form = byId('encoder', HTMLFormElement);
  const url = byId('url', HTMLInputElement);
  const key = byId('key', HTMLInputElement);
  const trial = byId('try', HTMLButtonElement);

  const kind = () => new FormData(form).get('kind');
  const toggle = () => {
    byId('server', HTMLElement).hidden = kind() !== 'server';
    trial.hidden = kind() !== 'server';
  };
  for (const choice of form.querySelectorAll('input')) {
    if (choice.name === 'kind') choice.checked = choice.value === encoder.kind;
  }
  if (encoder.kind === 'server') {
    url.value = encoder.url;
    key.value = encoder.key;
  }
  toggle();
  form.addEventListener('change', toggle);

  const flag = `vantage serve --model MODEL --origin ${location.origin}`;
  byId('flag', HTMLElement).textContent = flag;
  byId('copy', HTMLButtonElement).addEventListener('click', async () => {
    const copied = await attempt(STATUS, () => navigator.clipboard.writeText(flag), 'optionsNotCopied');
    if (copied) say(STATUS, text('optionsCopied'));
  });

  /** @returns {Encoder | null} null: what is typed cannot be used, and the reader was told so */
  const typed = () => {
    url.removeAttribute('aria-invalid');
    if (kind() !== 'server') return { kind: 'builtin' };
    const address = serverAddress(url.value.trim());
    if (address !== null) return { kind: 'server', url: address, key: key.value.trim() };
    url.setAttribute('aria-invalid', 'true');
    url.focus();
    say(STATUS, text('optionsUrlInvalid'), true);
    return null;
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = typed();
    if (!chosen) return;
    await attempt(STATUS, async () => {
      await writeSettings({ encoder: chosen });
      const { encoder: stored } = await readSettings();
      if (stored.kind === 'server') url.value = stored.url;
      say(STATUS, text(stored.kind === 'server' ? 'optionsSavedServer' : 'optionsSavedBuiltin'));
    });
  });

  trial.addEventListener('click', async () => {
    const chosen = typed();
    if (chosen?.kind !== 'server') return;
    trial.disabled = true;
    say(STATUS, text('optionsTrying', new URL(chosen.url).host));
    const { words, fault } = await tryServer(chosen);
    say(STATUS, words, fault);
    trial.disabled = false;
  });
}

/**
 * Connects to a server once.
 * @param {Extract<Encoder, {kind: 'server'}>} encoder
 * @returns {Promise<{words: string, fault: boolean}>}
 */
async function tryServer({ url, key }) {
  const { host } = new URL(url);
  const server = new ServerEncoder(url, { ...(key ? { key } : {}), deadline: PATIENCE });
  try {
    await server.ready;
    return { words: text('optionsConnected', host, server.id), fault: false };
  } catch (error) {
    const refused = server.state === 'refused';
    return { words: text(refused ? 'optionsRefused' : 'optionsUnreachable', host, messageOf(error)), fault: true };
  } finally {
    server.close();
  }
}
