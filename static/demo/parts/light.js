// Highlights all elements of a passage together: in both lists and on the map.

/**
 * Connects an element to the passage with this number.
 * @param {Element} element
 * @param {number} index
 */
export function light(element, index) {
  const show = (/** @type {boolean} */ on) =>
    document.querySelectorAll(`[data-index="${index}"]`).forEach((twin) => twin.classList.toggle('lit', on));
  /** @type {[type: string, on: boolean][]} */
  const events = [
    ['mouseenter', true],
    ['mouseleave', false],
    ['focusin', true],
    ['focusout', false],
  ];
  for (const [type, on] of events) {
    element.addEventListener(type, () => show(on));
  }
}
