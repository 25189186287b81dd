// Runs in a page before its own scripts, and notes when its list of results changes on
// screen. benchsite calls it with the page's adapter: hits(), the elements of the results
// in their order; page(hit), the name of the page that one leads to; and input(), where
// queries are typed.

(({ hits, page, input }) => {
  const visible = (element) => element.getClientRects().length > 0;
  const list = () => [...hits()].filter(visible).map(page);

  // Times in milliseconds from the navigation. first: the first result was on screen;
  // takesKeys: the input was there; key: the last key was pressed; followed: the list first
  // changed after that key; changed: the list last changed; touched: anything in the page
  // last changed.
  const seen = { first: null, takesKeys: null, key: 0, followed: 0, changed: 0, touched: 0, list: [] };

  // After a frame has been painted.
  const painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    });

  let looking = false;
  async function look() {
    seen.touched = performance.now();
    if (looking) return;
    looking = true;
    const at = await painted();
    looking = false;
    const element = input();
    if (element && visible(element) && !element.disabled) seen.takesKeys ??= at;
    const now = list();
    if (now.length > 0) seen.first ??= at;
    if (JSON.stringify(now) === JSON.stringify(seen.list)) return;
    Object.assign(seen, { list: now, changed: at, followed: seen.followed || at });
  }

  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  addEventListener('keydown', ({ timeStamp }) => Object.assign(seen, { key: timeStamp, followed: 0 }), true);
  Object.assign(window, { benchsite: { seen, input } });
})
