// Sliders ask faster than anybody can answer. One question is under way at a
// time, and of those that come meanwhile only the last is asked afterwards.

/** Wraps an async function so that it never runs twice at a time. */
export function latest(run) {
  let busy = false;
  let waiting = null;
  return async function ask(...args) {
    waiting = args;
    if (busy) return;
    busy = true;
    try {
      while (waiting) {
        const next = waiting;
        waiting = null;
        await run(...next);
      }
    } finally {
      busy = false;
    }
  };
}
