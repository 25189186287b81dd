// The content script runs on the sites that the user has allowed. The browser keeps its registration.

const SCRIPT = 'content';

/** @type {Promise<void>} Registrations follow each other. */
let last = Promise.resolve();

/** Registers the content script for the sites that are allowed now. */
export function register() {
  last = last.catch(() => {}).then(update);
  return last;
}

async function update() {
  const matches = await allowed();
  const registered = await chrome.scripting.getRegisteredContentScripts({ ids: [SCRIPT] });
  if (matches.length === 0) {
    if (registered.length > 0) await chrome.scripting.unregisterContentScripts({ ids: [SCRIPT] });
    return;
  }
  const script = { id: SCRIPT, matches, js: ['content.js'], runAt: /** @type {const} */ ('document_idle') };
  if (registered.length > 0) await chrome.scripting.updateContentScripts([script]);
  else await chrome.scripting.registerContentScripts([script]);
}

/** The sites as match patterns. */
async function allowed() {
  const { origins = [] } = await chrome.permissions.getAll();
  return origins.filter((origin) => /^(\*|https?):\/\/|^<all_urls>$/.test(origin)).sort();
}

/**
 * Starts the content script in the open tabs of sites that have just been allowed. It starts once in a page.
 * @param {string[]} origins match patterns
 */
export async function start(origins) {
  if (origins.length === 0) return;
  for (const { id } of await chrome.tabs.query({ url: origins })) {
    if (id === undefined) continue;
    // It fails in an error page, where nothing is to be done.
    await chrome.scripting.executeScript({ target: { tabId: id }, files: ['content.js'] }).catch(() => {});
  }
}
