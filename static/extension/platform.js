// What the parts of the extension know of the browser and of each other. `chrome` gives promises in
// Chrome and in Firefox alike.

/** Name of the ports between content scripts and the engine. */
export const PORT = 'vantage-rank';

/**
 * Whether a message or a port comes from this extension: its pages or its content scripts.
 * @param {chrome.runtime.MessageSender | undefined} sender
 */
export const ours = (sender) => sender?.id === chrome.runtime.id;

/** Whether this page is in a private window. Nothing that is typed there is stored. */
export const isPrivate = () => chrome.extension.inIncognitoContext;
