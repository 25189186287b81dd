// Bytes travel between Go and the page as base64, as encoding/json writes them.

export function bytes(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

export function base64(array) {
  const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let text = '';
  for (let at = 0; at < view.length; at += 8192) text += String.fromCharCode(...view.subarray(at, at + 8192));
  return btoa(text);
}
