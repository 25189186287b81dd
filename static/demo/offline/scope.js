// What a service worker runs in.

/** @type {ServiceWorkerGlobalScope} any: the compiler takes `self` for that of any worker */
export const scope = /** @type {any} */ (self);

export const { clients, registration } = scope;
