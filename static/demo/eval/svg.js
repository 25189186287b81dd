// SVG elements, and pictures as files.

/**
 * @param {string} tag
 * @param {{[name: string]: string|number}} attributes
 * @param {...(string|Node)} children
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * The picture as a file, in its current colours and without the mark of the current bar.
 * @param {Element} picture
 */
export function standalone(picture) {
  const copy = /** @type {Element} */ (picture.cloneNode(true));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const drawn = 'path, rect, text';
  const originals = picture.querySelectorAll(drawn);
  copy.querySelectorAll(drawn).forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of ['fill', 'stroke', 'font-size']) element.setAttribute(name, style.getPropertyValue(name));
    if (element.localName === 'text') element.setAttribute('font-family', 'sans-serif');
  });
  copy.querySelector('.mark')?.remove();
  copy.querySelector('.still')?.removeAttribute('transform');
  copy.prepend(svg('rect', { width: '100%', height: '100%', fill: getComputedStyle(document.body).backgroundColor }));
  return new XMLSerializer().serializeToString(copy);
}
