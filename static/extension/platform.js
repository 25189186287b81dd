// What the parts of the extension know of the browser and of each other. `chrome` gives promises in
// Chrome and in Firefox alike.

/** Name of the ports between content scripts and the engine. */
export const PORT = 'vantage-rank';

/**
 * Whether a message or a port comes from this extension: its pages or its content scripts.
 * @param {chrome.runtime.MessageSender | undefined} sender
 */
export const ours = (sender) => sender?.id === chrome.runtime.id;

/**
 * Whether a message that is ours comes from a document of the extension, and not from a content script.
 * @param {chrome.runtime.MessageSender} sender
 */
export const isDocument = ({ url }) => url?.startsWith(chrome.runtime.getURL('')) === true;

/** Whether this page is in a private window. Nothing that is typed there is stored. */
export const isPrivate = () => chrome.extension.inIncognitoContext;
