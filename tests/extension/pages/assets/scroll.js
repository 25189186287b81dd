// More results come behind the last one, at the press of a button or when the reader arrives there.
'use strict';

const next = document.getElementById('next');
let fetching = false;

window.more = async () => {
  if (fetching) return;
  fetching = true;
  const page = await resultsOf(next.href);
  let last = results().at(-1);
  for (const result of page.results) {
    adopt(result);
    last.after(result);
    last = result;
  }
  next.href = page.document.getElementById('next').href;
  fetching = false;
};

document.getElementById('more-results').addEventListener('click', more);
