// Generated from internal/wasm/kernel by `make core`; do not edit.

/**
 * The module between core and kernel. It is in a script, because bundlers would
 * turn a file of this length into a data: address, which strict policies do not
 * allow to be fetched.
 */
const base64 =
  'AGFzbQEAAAABiQEOYAN/f38BfWADf39/AX9gBX9/f39/AGAHf39/f39/fwBgB39/f399f38AYAp/f39/f399fX9/AGAKf39/f398' +
  'fHx8fABgBH9/f30Bf2ACf38AYAJ/fwBgCH9/f39/f399AGAHf39/f39/fwBgDH9/f39/f39/f39/fwBgC39/f39/f39/fX9/AAMP' +
  'DgABAgMEBQYHCAkKCwwNBAQBcAAOB5wBDwF0AQAHZG90X2YzMgAABmRvdF9pOAABCHNjYW5fZjMyAAIJc2NhbjJfZjMyAAMHc2Nh' +
  'bl9pOAAECHNjYW4yX2k4AAUFc2NvcmUABglzZWxlY3RfZ2UABwRnZWx1AAgJZ2VsdV90YW5oAAkJbm9ybV9yb3dzAAoKcm91bmRf' +
  'cm93cwALCWxpbmVhcl9pOAAMCWF0dGVudGlvbgANCqcCDg0AIAAgASACQQARAAALDQAgACABIAJBAREBAAsRACAAIAEgAiADIARB' +
  'AhECAAsVACAAIAEgAiADIAQgBSAGQQMRAwALFQAgACABIAIgAyAEIAUgBkEEEQQACxsAIAAgASACIAMgBCAFIAYgByAIIAlBBREF' +
  'AAsbACAAIAEgAiADIAQgBSAGIAcgCCAJQQYRBgALDwAgACABIAIgA0EHEQcACwsAIAAgAUEIEQgACwsAIAAgAUEJEQkACxcAIAAg' +
  'ASACIAMgBCAFIAYgB0EKEQoACxUAIAAgASACIAMgBCAFIAZBCxELAAsfACAAIAEgAiADIAQgBSAGIAcgCCAJIAogC0EMEQwACx0A' +
  'IAAgASACIAMgBCAFIAYgByAIIAkgCkENEQ0ACw==';
export const shim = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
