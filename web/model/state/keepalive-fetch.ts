/** Returns a `fetch` whose requests complete even if the page is being left, so that drafts are saved. */
export function keepaliveFetch(request: typeof fetch): typeof fetch {
  let isLeaving = false
  // In the capture phase, before listeners that save something.
  addEventListener('pagehide', () => (isLeaving = true), { capture: true })
  addEventListener('pageshow', () => (isLeaving = false))
  return (input, init) => request(input, isLeaving ? { ...init, keepalive: true } : init)
}
