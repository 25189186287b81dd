// The button for more results puts them before itself.
'use strict';

const next = document.getElementById('next');
let fetching = false;

window.more = async () => {
  if (fetching) return;
  fetching = true;
  const page = await resultsOf(next.href);
  page.results.forEach(adopt);
  document.getElementById('more-results').parentElement.before(...page.results);
  next.href = page.document.getElementById('next').href;
  fetching = false;
};

document.getElementById('more-results').addEventListener('click', more);
