/** Polls that may follow each other immediately. */
const BURST = 20
/** Milliseconds per poll on average. The server counts them like all requests of an account, 200 a minute. */
const EACH_MS = 600

/**
 * Returns a `fetch` that delays polls when much happens, so that each brings more events and other requests aren't
 * rate limited.
 */
export function throttledPollFetch(
  request: typeof fetch = (...args) => fetch(...args),
  now: () => number = () => performance.now(),
): typeof fetch {
  let left = BURST
  let since = now()
  return async (input, init) => {
    if (!/\/events\?/.test(String(input))) return request(input, init)
    left = Math.min(BURST, left + (now() - since) / EACH_MS) - 1
    since = now()
    if (left < 0) await new Promise((resolve) => setTimeout(resolve, -left * EACH_MS))
    return request(input, init)
  }
}
