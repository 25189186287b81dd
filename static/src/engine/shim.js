// Generated from internal/wasm/kernel by `make core`; do not edit.

/**
 * The module between core and kernel. It is in a script, because bundlers would
 * turn a file of this length into a data: address, which strict policies do not
 * allow to be fetched.
 */
const base64 =
  'AGFzbQEAAAABTQhgA39/fwF9YAN/f38Bf2AFf39/f38AYAd/f39/f39/AGAHf39/f31/fwBgCn9/f39/f319f38AYAp/f39/f3x8' +
  'fHx8AGAEf39/fQF/AwkIAAECAwQFBgcEBAFwAAgHWAkBdAEAB2RvdF9mMzIAAAZkb3RfaTgAAQhzY2FuX2YzMgACCXNjYW4yX2Yz' +
  'MgADB3NjYW5faTgABAhzY2FuMl9pOAAFBXNjb3JlAAYJc2VsZWN0X2dlAAcKowEIDQAgACABIAJBABEAAAsNACAAIAEgAkEBEQEA' +
  'CxEAIAAgASACIAMgBEECEQIACxUAIAAgASACIAMgBCAFIAZBAxEDAAsVACAAIAEgAiADIAQgBSAGQQQRBAALGwAgACABIAIgAyAE' +
  'IAUgBiAHIAggCUEFEQUACxsAIAAgASACIAMgBCAFIAYgByAIIAlBBhEGAAsPACAAIAEgAiADQQcRBwAL';
export const shim = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
