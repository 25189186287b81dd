// The page insists on its own order: whoever moves a result finds it moved back.
'use strict';

const order = results();
const list = order[0].parentElement;
const all = Array.from(list.children);
window.sorted = 0;

const watch = new MutationObserver(() => {
  const now = results();
  if (order.every((result, i) => now[i] === result)) return;
  sorted++;
  list.append(...all);
});
watch.observe(list, { childList: true });
