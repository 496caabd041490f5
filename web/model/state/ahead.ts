import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'

// The page's script is loaded and compiled for longer than the server takes to answer. So the first request is made by a
// small script in the page itself (index.html), which knows its path from here.

const STORED = storedName('ahead')

declare global {
  /** The request that the page itself has made. */
  var ahead: { url: string; answer: Promise<Response> } | undefined
}

/** Stores the path below `/json/` that the next start at this address asks for first. */
export function keepAhead(path: string | undefined): void {
  if (path === undefined) forgetAhead()
  else browserStorage().setItem(STORED, JSON.stringify([location.hash, path]))
}

export const forgetAhead = (): void => browserStorage().removeItem(STORED)

/** Returns a `fetch` that takes the answer to a request which the page has made already. */
export function takingAhead(request: typeof fetch): typeof fetch {
  // Later, the answer may be out of date.
  setTimeout(() => {
    globalThis.ahead = undefined
  })
  return (input, init) => {
    const { ahead } = globalThis
    if (ahead?.url !== input) return request(input, init)
    globalThis.ahead = undefined
    return ahead.answer
  }
}
