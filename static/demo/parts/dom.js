// Small helpers for building the page. Text always goes in as text nodes:
// documents come from somebody's collection and are not to be trusted as HTML.

export const byId = (id) => document.getElementById(id);

/**
 * An element with properties, attributes (names with a dash, or role) and
 * children; null and false children are left out.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** Sets a text, and costs nothing if it is what stands there. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A number with so many significant digits, minus as a minus sign. */
export function number(value, digits = 3) {
  return Number(value.toPrecision(digits)).toString().replace('-', '−');
}

/** A score to the same four decimals everywhere. */
export function digits(value) {
  return value.toFixed(4).replace('-', '−');
}

export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

export function bytes(n) {
  if (n < 1000) return `${n} B`;
  if (n < 1e6) return `${(n / 1e3).toFixed(0)} KB`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)} MB`;
}

export function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}
