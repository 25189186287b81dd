// Lets the entries of a list glide to their new positions, unless the visitor
// prefers reduced motion. Positions are read once before the change and once
// after it, so the page needs no additional layout.

const still = matchMedia('(prefers-reduced-motion: reduce)');

const TIMING = { duration: 160, easing: 'ease-out' };

/**
 * @param {Element} list
 * @param {() => void} change reorders the children
 */
export function gliding(list, change) {
  if (still.matches || !list.checkVisibility?.()) return change();
  const before = new Map(Array.from(list.children, (child) => [child, child.getBoundingClientRect().top]));
  for (const child of list.children) child.getAnimations().forEach((animation) => animation.cancel());
  change();
  const moves = Array.from(list.children, (child) => {
    const was = before.get(child); // undefined for a new entry, which does not move
    return { child, by: was === undefined ? 0 : was - child.getBoundingClientRect().top };
  });
  for (const { child, by } of moves) {
    if (Math.abs(by) >= 1) child.animate({ transform: [`translateY(${by}px)`, 'none'] }, TIMING);
  }
}
