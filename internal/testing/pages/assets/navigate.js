// The page replaces its results in place, and adds to the browser's history.
'use strict';

async function show(url) {
  const page = await resultsOf(url);
  const old = results();
  const place = document.createComment('');
  old[0].before(place);
  old.forEach((result) => result.remove());
  page.results.forEach(adopt);
  place.replaceWith(...page.results);
  for (const id of ['previous', 'next']) document.getElementById(id).href = page.document.getElementById(id).href;
  document.querySelector('[role="search"] input').value = page.document.querySelector('[role="search"] input').value;
  document.title = page.document.title;
}

document.addEventListener('click', async (event) => {
  const link = event.target.closest('nav.pages a');
  if (!link) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  await show(link.href);
});

addEventListener('popstate', () => show(location.href));

window.go = async (url) => {
  history.pushState(null, '', url);
  await show(url);
};
