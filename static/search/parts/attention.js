// Whether the visitor reads the results: from then on, nothing on the screen moves.

/** @type {readonly (keyof HTMLElementEventMap)[]} */
const INSIDE = ['pointerdown', 'touchstart', 'focusin'];

export class Attention {
  /** @param {HTMLElement} results */
  constructor(results) {
    this.paid = false;
    const pay = () => (this.paid = true);
    for (const type of INSIDE) results.addEventListener(type, pay, { passive: true });
    // When results appear under a resting pointer, browsers report a move by nothing.
    results.addEventListener('pointermove', ({ movementX, movementY }) => {
      if (movementX !== 0 || movementY !== 0) pay();
    });
    addEventListener('wheel', pay, { passive: true });
    addEventListener('scroll', () => scrollY > 0 && pay(), { passive: true });
  }

  /** Something else is asked. */
  reset() {
    this.paid = false;
  }
}
