// Addresses of the files that the library loads. They are relative to the built script that
// contains this module: bundlers keep these addresses and put all scripts into one folder.

/** Address of the engine in Go, gzipped. */
export const core = new URL('./core.wasm.gz', import.meta.url).href;

/** Address of the engine's kernel in C. */
export const kernel = new URL('./kernel.wasm', import.meta.url).href;

/** Address of the kernel for browsers with relaxed SIMD. */
export const kernelRelaxed = new URL('./kernel-relaxed.wasm', import.meta.url).href;
