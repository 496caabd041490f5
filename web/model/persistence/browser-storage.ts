const nothing = { getItem: () => null, setItem() {}, removeItem() {} } as unknown as Storage

/** The browser's plain storage; one that keeps nothing where it is refused, as in a frame on another site's page. */
export function browserStorage(): Storage {
  try {
    return localStorage
  } catch {
    return nothing
  }
}
