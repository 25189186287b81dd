// The page divides its results into two groups, each with a parent of its own, and puts them together again.
'use strict';

const list = results()[0].parentElement;
const whole = results();

window.group = () => {
  const groups = ['even', 'odd'].map((name) => {
    const group = list.cloneNode(false);
    group.id = name;
    return group;
  });
  results().forEach((result) => groups[whole.indexOf(result) % 2].append(result));
  list.replaceChildren(...groups);
};

window.ungroup = () => list.replaceChildren(...whole);
