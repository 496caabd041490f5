/** So many polls may follow each other at once. */
const BURST = 20
/** On average one poll in this time: the server counts them like all requests of an account, 200 a minute. */
const EACH_MS = 600

/** `fetch`, but where much happens polls wait a moment and bring more at once, so that other requests are not refused. */
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
