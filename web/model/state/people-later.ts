import type { Session } from './session.ts'

/** Without messages to wait for, the people are fetched this long after the start. */
const PATIENCE_MS = 1000

/** Fetches the people once the first messages are there, and drawn: they are most of what there is to fetch. */
export function fetchPeopleSoon({ live, messages }: Session): void {
  const begin = () => {
    clearTimeout(timer)
    end()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(live.fetchPeople, { timeout: PATIENCE_MS })
    else setTimeout(live.fetchPeople, PATIENCE_MS)
  }
  const timer = setTimeout(begin, PATIENCE_MS)
  const end = messages.onChange(begin)
}
