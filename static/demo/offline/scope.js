// The global scope of the service worker.

/** @type {ServiceWorkerGlobalScope} any: the compiler gives `self` the type of any worker */
export const scope = /** @type {any} */ (self);

export const { clients, registration } = scope;
