// Keys of a toolbar (a roving tabindex): Tab reaches one of its buttons, and arrow keys go to the others.

/**
 * @param {HTMLElement} toolbar its buttons may be hidden or disabled at times
 */
export function rove(toolbar) {
  const buttons = () =>
    [...toolbar.querySelectorAll('button')].filter((button) => !button.disabled && button.offsetParent !== null);
  /** @param {HTMLElement} chosen */
  const enter = (chosen) => {
    for (const button of toolbar.querySelectorAll('button')) button.tabIndex = button === chosen ? 0 : -1;
  };
  toolbar.addEventListener('focusin', (event) => {
    if (event.target instanceof HTMLButtonElement) enter(event.target);
  });
  toolbar.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLButtonElement) || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = buttons();
    const at = all.indexOf(event.target);
    const forward = getComputedStyle(toolbar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const next = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  });
  return {
    /** Keeps one button in the order of Tab, after buttons have come or gone. */
    update() {
      const all = buttons();
      const current = all.find((button) => button.tabIndex === 0);
      if (all.length > 0) enter(current ?? all[0]);
    },
  };
}
