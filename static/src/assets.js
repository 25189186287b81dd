// The files that the library loads beside its scripts. They lie beside this one:
// bundlers that know of no assets leave the addresses as they are, and put all
// scripts into one folder.

/** Address of the engine in Go, gzipped. */
export const core = new URL('./core.wasm.gz', import.meta.url).href;

/** Address of the engine's kernel in C. */
export const kernel = new URL('./kernel.wasm', import.meta.url).href;
