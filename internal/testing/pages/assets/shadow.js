// The results are in an open shadow root, within another one, as in an application of web components.
'use strict';

const whole = document.querySelector('#react-layout, main');
const app = document.createElement('search-app');
const inner = document.createElement('result-list');
whole.replaceWith(app);
app.attachShadow({ mode: 'open' }).append(inner);
window.listRoot = inner.attachShadow({ mode: 'open' });

window.show = () => listRoot.append(whole);
window.results = () => Array.from(listRoot.querySelectorAll(selector));

if (!location.search.includes('later=')) show();
