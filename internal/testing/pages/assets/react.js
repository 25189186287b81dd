// A list that React renders, with keys.
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';

const given = JSON.parse(document.getElementById('state').textContent);

function Result({ result, tick }) {
  const [clicks, setClicks] = useState(0);
  const click = (event) => {
    event.preventDefault();
    setClicks(clicks + 1);
  };
  return h(
    'li',
    { 'data-layout': 'organic', 'data-clicks': clicks, 'data-tick': tick, onClick: click },
    h(
      'article',
      { id: `r1-${result.Rank}`, 'data-testid': 'result' },
      h('h2', null, h('a', { 'data-testid': 'result-title-a', href: result.Link }, h('span', null, result.Title))),
      h('div', { 'data-result': 'snippet' }, h('div', null, h('span', null, result.Snippet))),
    ),
  );
}

function List() {
  const [tick, setTick] = useState(0);
  const [shown, setShown] = useState(given);
  window.rerender = () => flushSync(() => setTick((t) => t + 1));
  window.change = (ranks) => flushSync(() => setShown(ranks.map((rank) => given.find((r) => r.Rank === rank))));
  return h(
    'ol',
    { className: 'react-results--main' },
    ...shown.map((result) => h(Result, { key: result.Rank, result, tick })),
  );
}

const root = createRoot(document.getElementById('links'), { onUncaughtError: (error) => console.error(error) });
flushSync(() => root.render(h(List)));
