// What every page's script does: each result has a handler of the page's own, and counts its clicks.
'use strict';

const selector = document.documentElement.dataset.result;

window.results = () => Array.from(document.querySelectorAll(selector));

window.adopt = (result) => {
  result.clicks = 0;
  result.addEventListener('click', (event) => {
    event.preventDefault();
    result.clicks++;
  });
};

window.resultsOf = async (url) => {
  const answer = await fetch(url);
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return {
    document: parsed,
    results: Array.from(parsed.querySelectorAll(selector), (result) => document.adoptNode(result)),
  };
};

if (document.documentElement.dataset.shape !== 'react') results().forEach(adopt);
