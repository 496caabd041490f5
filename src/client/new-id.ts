/**
 * Returns a unique id. Browsers have `crypto.randomUUID` only on HTTPS pages and localhost, and an office network may
 * use plain HTTP.
 */
export const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
