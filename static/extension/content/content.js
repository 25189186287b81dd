// Asks the engine one question, so that the whole way is proven.

import { PORT } from '../platform.js';

async function main() {
  const started = await chrome.runtime.sendMessage({ to: 'background', type: 'engine' });
  const port = chrome.runtime.connect({ name: PORT });
  port.onMessage.addListener((message) => console.log('vantage', message));
  port.postMessage({
    type: 'rank',
    id: 1,
    ask: {
      root: 'Night trains',
      perspective: 'a claim that opposes',
      side: 'against',
      method: null,
      strength: null,
      spread: false,
    },
    results: [
      { title: 'Night trains are too expensive', snippet: 'Subsidies would be wasted on them.' },
      { title: 'Night trains save the climate', snippet: 'They replace flights.' },
    ],
  });
  return started;
}
main();
