// The files that the library loads beside its scripts. They lie beside the built one that
// this becomes part of: bundlers, ours among them, leave the addresses as they are, and put
// all scripts into one folder.

/** Address of the engine in Go, gzipped. */
export const core = new URL('./core.wasm.gz', import.meta.url).href;

/** Address of the engine's kernel in C. */
export const kernel = new URL('./kernel.wasm', import.meta.url).href;
