/** `fetch`, but what is asked for while the page is being left is carried out all the same: a draft is saved. */
export function keepaliveFetch(request: typeof fetch): typeof fetch {
  let isLeaving = false
  // Before those who then save something.
  addEventListener('pagehide', () => (isLeaving = true), { capture: true })
  addEventListener('pageshow', () => (isLeaving = false))
  return (input, init) => request(input, isLeaving ? { ...init, keepalive: true } : init)
}
