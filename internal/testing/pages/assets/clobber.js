// The results stand in a form that scrolls, whose fields hide properties of the form. Images are named as properties of
// the document and of the window.
'use strict';

const form = document.createElement('form');
const list = results()[0].parentElement;
form.style.cssText = 'display: block; block-size: 30em; overflow-y: scroll; overflow-anchor: none';
list.replaceWith(form);
form.append(list);
Element.prototype.scrollTo.call(form, 0, 100);
window.scrolled = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop').get.bind(form);

const named = (tag, name) => {
  const element = document.createElement(tag);
  element.name = element.id = name;
  return element;
};
form.append(...['scrollTop', 'scrollLeft', 'scrollTo', 'focus'].map((name) => named('input', name)));
const names = ['title', 'readyState', 'addEventListener', 'activeElement', 'createElement'];
document.body.append(...names.map((name) => named('img', name)));
