// Keeps Firefox's event page loaded while a question is answered. Firefox unloads that page half a minute after the
// last event. A message through a port is no event, but a call that the browser itself answers is one.

/** Milliseconds between calls. */
const PACE = 1_000;

/** @returns {() => void} ends it */
export function stayAwake() {
  if (!chrome.storage) return () => {}; // Chrome's offscreen document stays until it is closed
  const call = () => void chrome.runtime.getPlatformInfo().catch(() => {});
  call();
  const timer = setInterval(call, PACE);
  return () => clearInterval(timer);
}
