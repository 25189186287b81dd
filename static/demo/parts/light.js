// What stands for the same passage lights up together: in either list, and on
// the map.

/** Wires an element to the passage of this number. */
export function light(element, index) {
  const show = (on) =>
    document.querySelectorAll(`[data-index="${index}"]`).forEach((twin) => twin.classList.toggle('lit', on));
  for (const [type, on] of [
    ['mouseenter', true],
    ['mouseleave', false],
    ['focusin', true],
    ['focusout', false],
  ]) {
    element.addEventListener(type, () => show(on));
  }
}
