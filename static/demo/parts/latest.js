// Sliders change faster than searches can run. One call runs at a time, it
// begins with the next frame of the screen, and of the calls that come
// meanwhile only the last one runs.

/** Longest wait for a frame, in milliseconds: hidden pages get none. */
const PATIENCE = 250;

/** @returns {Promise<void>} */
const nextFrame = () =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(resolve, PATIENCE);
    requestAnimationFrame(done);
  });

/**
 * Wraps an async function so that it never runs twice at a time.
 * @template {unknown[]} A
 * @param {(...args: A) => Promise<unknown>} run
 */
export function latest(run) {
  let busy = false;
  /** @type {A|null} */
  let waiting = null;
  return async function ask(/** @type {A} */ ...args) {
    waiting = args;
    if (busy) return;
    busy = true;
    try {
      while (waiting) {
        await nextFrame();
        const next = waiting;
        waiting = null;
        await run(...next);
      }
    } finally {
      busy = false;
    }
  };
}

/**
 * Wraps a function so that it runs this many milliseconds after the last call.
 * @template {unknown[]} A
 * @param {(...args: A) => void} run
 * @param {number} ms
 */
export function settled(run, ms) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  return (/** @type {A} */ ...args) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms, ...args);
  };
}
