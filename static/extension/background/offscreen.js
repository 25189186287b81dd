// The one offscreen document, in which the engine runs in Chrome.

const URL = 'engine/offscreen.html';

/** @type {Promise<void> | null} The document that is being made. */
let making = null;

/** Makes the document unless it is there. */
export async function ensure() {
  making ??= make().finally(() => {
    making = null;
  });
  return making;
}

async function make() {
  if (await there()) return;
  await chrome.offscreen.createDocument({
    url: URL,
    reasons: [chrome.offscreen.Reason.WORKERS],
    justification: 'Ranks the texts of results by a model that runs in workers.',
  });
}

/** Closes the document, if it is there. */
export async function close() {
  await making?.catch(() => {});
  if (await there()) await chrome.offscreen.closeDocument();
}

async function there() {
  const contexts = await chrome.runtime.getContexts({ contextTypes: [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT] });
  return contexts.length > 0;
}
