/**
 * Makes an element in the shadow of <vantage-search>, with the name by which a page styles it (::part).
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} part
 * @param {Node} parent
 * @param {{[name: string]: string}} [attributes]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, part, parent, attributes = {}) {
  const element = parent.appendChild(document.createElement(name));
  element.setAttribute('part', part);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
