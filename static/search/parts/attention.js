// Whether the visitor has begun to read the results. From then on, nothing on the screen may move.

/** @type {readonly (keyof HTMLElementEventMap)[]} */
const INSIDE = ['pointerdown', 'touchstart', 'focusin'];

export class Attention {
  /** @param {HTMLElement} results */
  constructor(results) {
    this.paid = false;
    const pay = () => (this.paid = true);
    for (const type of INSIDE) results.addEventListener(type, pay, { passive: true });
    // When results appear under a pointer that rests, browsers report a move of no distance.
    results.addEventListener('pointermove', ({ movementX, movementY }) => {
      if (movementX !== 0 || movementY !== 0) pay();
    });
    addEventListener('wheel', pay, { passive: true });
    addEventListener('scroll', () => scrollY > 0 && pay(), { passive: true });
  }

  /** Another query was asked: nobody has read its results yet. */
  reset() {
    this.paid = false;
  }
}
