/**
 * An id that no other has. Browsers have `crypto.randomUUID` only where the page came over HTTPS or from this machine; in the
 * network of an office it may come over plain HTTP.
 */
export const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
