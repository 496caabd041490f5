const nothing = { getItem: () => null, setItem() {}, removeItem() {} } as unknown as Storage

/**
 * Returns the browser's storage, or one that stores nothing if the browser blocks it, as in a frame on another site.
 */
export function browserStorage(): Storage {
  try {
    return localStorage
  } catch {
    return nothing
  }
}
