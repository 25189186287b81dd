// More results come when the reader scrolls to where they would be.
'use strict';

new IntersectionObserver((entries) => {
  if (entries.some(({ isIntersecting }) => isIntersecting)) more();
}).observe(document.getElementById('more-results').parentElement);
