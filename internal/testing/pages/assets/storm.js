// A page that never rests: it changes texts, attributes and nodes inside and around its results, all the time.
'use strict';

let n = 0;
const ticker = document.createElement('aside');
document.body.append(ticker);

const storm = setInterval(() => {
  for (let i = 0; i < 20; i++) {
    const node = document.createElement('p');
    node.textContent = `News ${n++}`;
    ticker.append(node);
    if (ticker.childElementCount > 50) ticker.firstElementChild.remove();
    const all = results();
    const result = all[n % all.length];
    result.dataset.seen = String(n);
    const last = result.querySelector('[data-live]') ?? result.appendChild(document.createElement('span'));
    last.dataset.live = '';
    last.textContent = `${n} readers`;
  }
}, 1);

window.calm = () => clearInterval(storm);
